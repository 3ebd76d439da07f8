"""Requests spread over processes: those of many agents, asked by the workers of a Dask cluster.

One process asks a few hundred requests a second at most, for making and reading each takes time of its interpreter. Here
requests that wait together go as one task to a worker, which asks them all at once. Money, caches and recordings stay
where the requests come from. Dask pickles what it sends between its processes, so its scheduler must be one's own.
"""

import logging
import queue
import re
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from graphtalk.core import LmError, UsageError
from graphtalk.lms.options import LmOptions
from graphtalk.lms.protocol import LanguageModel, Reply, Request, in_one_piece

if TYPE_CHECKING:
    from distributed import Client

BATCH = 64  # requests of a task at most
LINGER = 0.02  # seconds that the first of them waits for others
TASKS = 8  # of a process at once
# Dask's profiler asks a hundred times a second for the frames of all threads, by which older CPythons (seen with 3.11.7)
# may wait for ever while a thread starts: https://github.com/python/cpython/issues/106883. Nobody looks at what it finds.
UNPROFILED = {"distributed.worker.profile.enabled": False}
_MOST_PROCESSES = 256
_ADDRESS = re.compile(r"(?:tcp|tls)://(?:[^\s:/]+|\[[0-9a-fA-F:]+\]):\d{1,5}")
_Waiting: TypeAlias = "tuple[Request, Future[Reply]]"
Open: TypeAlias = Callable[[str, LmOptions], LanguageModel]


class Spread:
    """A model that the workers of a cluster ask; `options.spread` is a number of processes here, or a scheduler's address.

    Each worker opens it by `open`, a function of a module.

    Raises UsageError where Dask is not installed, or nothing is found at the address.
    """

    def __init__(self, name: str, options: LmOptions, open: Open) -> None:
        self.name = name
        self._client = _client(options.spread)
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self.close = weakref.finalize(
            self, _closing, self._client, self._waiting
        )  # at the latest when the process ends
        sent = (self._client, partial(ask_all, open, name, replace(options, spread="")), self._waiting)
        threading.Thread(target=_sending, args=sent, name="spread", daemon=True).start()

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        reply: Future[Reply] = Future()
        self._waiting.put((request, reply))
        return reply.result()

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece, then the reply."""
        yield from in_one_piece(self.complete(request))


def _sending(
    client: "Client",
    ask: "Callable[[Sequence[Request]], list[Reply | LmError]]",
    waiting: "queue.SimpleQueue[_Waiting | None]",
) -> None:
    """Send what waits, as many requests together as there are; nothing that waits ends it."""
    while (first := waiting.get()) is not None:
        batch, more, until = [first], True, time.monotonic() + LINGER
        while more and len(batch) < BATCH:
            try:
                other = waiting.get(timeout=max(until - time.monotonic(), 0))
            except queue.Empty:
                break
            more = other is not None
            batch += [other] if other is not None else []
        requests = [request for request, _ in batch]
        task = client.submit(ask, requests, pure=False)
        task.add_done_callback(partial(_deliver, batch))
        if not more:
            return


def ask_all(open: Open, name: str, options: LmOptions, requests: Sequence[Request]) -> list[Reply | LmError]:
    """What a worker does: ask all requests at once, each by the model of this process."""
    lm = _opened(open, name, options)

    def ask(request: Request) -> Reply | LmError:
        try:
            return lm.complete(request)
        except LmError as error:
            return error

    with ThreadPoolExecutor(len(requests)) as pool:
        return list(pool.map(ask, requests))


@cache
def _opened(open: Open, name: str, options: LmOptions) -> LanguageModel:
    return open(name, options)


def _deliver(batch: Sequence["_Waiting"], done: Any) -> None:
    """Hand out the replies of a task; where a worker was lost, say so to each."""
    error = done.exception() if done.status != "cancelled" else LmError("The cluster was closed.")
    replies = [LmError(f"A worker of the cluster failed: {error}")] * len(batch) if error else done.result()
    for (_, waiting), reply in zip(batch, replies, strict=True):
        if isinstance(reply, LmError):
            waiting.set_exception(reply)
        else:
            waiting.set_result(reply)


def _client(cluster: str) -> "Client":
    """A client of the cluster at an address, or of one of so many processes here."""
    count = int(cluster) if cluster.isdecimal() else 0
    if not 1 <= count <= _MOST_PROCESSES and not _ADDRESS.fullmatch(
        cluster
    ):  # Dask would wait for any other address
        raise UsageError(f"--spread {cluster}: from 1 to {_MOST_PROCESSES} processes, or tcp://HOST:PORT.")
    try:
        import dask
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        command = 'python -m pip install "graphtalk[dask]"'
        raise UsageError(f"--spread needs {error.name}, which is not installed: {command}.") from error
    if not count:
        try:
            return Client(cluster, timeout=10, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(f"--spread {cluster}: no Dask scheduler answers there ({error}).") from error
    with dask.config.set(UNPROFILED):
        own = LocalCluster(
            n_workers=count,
            threads_per_worker=TASKS,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            host="127.0.0.1",
        )
    return Client(own, set_as_default=False)


def _closing(client: "Client", waiting: "queue.SimpleQueue[_Waiting | None]") -> None:
    """Let go of the cluster, and of its processes where they are one's own."""
    waiting.put(None)
    own = client.cluster
    client.close()
    if own is not None:
        own.close()
