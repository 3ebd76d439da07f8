"""Sessions in processes of their own, for many questions without a model: each core answers, and all map the same store."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context

from graphtalk.app import reasoners, stores
from graphtalk.app.asking import answered_line
from graphtalk.app.batch import Answerer
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.core import JSON, LimitError, Question, UsageError
from graphtalk.graphs import GraphSet

_READY = ("graphtalk.app.processes", "graphtalk.app.ready")


@dataclass(frozen=True)
class _Opened:
    """What a process opens: a graph by its name, where it lies, and its checksum; and how to answer."""

    name: str
    place: str
    checksum: str
    settings: Settings


@contextmanager
def processes(
    session: Session, settings: Settings, count: int, seconds: float, trace: bool
) -> Iterator[Sequence[Answerer]]:
    """So many answerers, each a process that opens the session's graph again; they end with the block.

    Raises UsageError where a model answers, whose money and time are counted in one process, and where the graph has no store.
    """
    if reasoners.asks_model(settings):
        raise UsageError("--workers is for answers without a model; with --lm use --concurrency.")
    union = session.graph.union if isinstance(session.graph, GraphSet) else session.graph
    place = stores.address_of(session.graph) or str(union.path or "")
    if not place:
        raise UsageError("A graph in memory has no store that other processes could open: save it first.")
    opened = _Opened(union.name, place, union.checksum, settings)
    context = get_context("forkserver")
    context.set_forkserver_preload(list(_READY))
    with ProcessPoolExecutor(count, context) as pool:

        def answer(question: Question) -> dict[str, JSON]:
            try:
                return pool.submit(partial(_answered, opened, question, seconds, trace)).result()
            except BrokenProcessPool:
                raise LimitError(
                    "A process that answered was ended: with fewer --workers each has more memory."
                ) from None

        try:
            yield [answer] * count
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _answered(opened: _Opened, question: Question, seconds: float, trace: bool) -> dict[str, JSON]:
    return answered_line(_session(opened), question, seconds, trace)


@cache
def _session(opened: _Opened) -> Session:
    """The session of this process, made once."""
    graph = stores.opened_again(opened.name, opened.place, opened.checksum)
    return Session(graph, opened.settings)
