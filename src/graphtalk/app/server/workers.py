"""Processes that do the server's jobs, one job each at a time, and that can be ended in the midst of any.

A thread cannot be stopped inside an algorithm written in C, and what crashes or takes all memory there takes the whole
server with it. A process can: it is asked to stop, and killed where it does not. Nothing passes between the server and
its processes but JSON.
"""

import json
import os
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from tempfile import gettempdir

from graphtalk.app import stores
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server import jobs
from graphtalk.app.server.jobs import Given, Job, OnStep
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Choice, Shelf, UnknownNameError
from graphtalk.core import GraphtalkError, LimitError, Step, StoppedError, errors
from graphtalk.core.limits import cancellable
from graphtalk.graphs import GraphSet, Loaded, store
from graphtalk.graphs.scratch import scratch

LOOK = 0.05  # seconds between two looks at whether anybody still waits
PATIENCE = 1.0  # seconds that a process has to stop by itself
_NICE = 5  # what takes long gives way to what does not
# Seconds of the processor from which on it does. On a busy machine all takes long by the clock; and who gave way is replaced by
# a new process, whose first answer takes as many where much of the graph's index has to be loaded.
_BUSY = 2.0
_TRIES = 3  # processes that may die of one job
_STOP = b"stop"
_READY = ("graphtalk.app.server.workers", "graphtalk.app.ready")


class LeftError(Exception):
    """Nobody waits for the job any more."""


class CrashError(Exception):
    """A process failed in a way that is nobody's business but ours; the message is its traceback."""


class _DiedError(Exception):
    """A process crashed, or was killed for the memory that it or others took."""


@dataclass(frozen=True)
class Stock:
    """What a process opens: stores by the names of their graphs, those that `GL` may load beside them, and how to answer.

    Each store is named with its checksum: what was written anew is another graph than the server's.
    """

    served: Mapping[str, tuple[str, str]]
    allowed: Mapping[str, tuple[str, str]]
    settings: Settings

    def shelf(self) -> Shelf:
        """The shelf of the server, opened again. Raises StoreError where a store is not what it was."""

        served, allowed = (
            {name: stores.opened_again(name, *place) for name, place in places.items()}
            for places in (self.served, self.allowed)
        )
        return Shelf(served, self.settings, allowed)


@dataclass(frozen=True)
class Signals:
    """What those who wait for a job and those who do it tell each other, across threads.

    `stop`: nobody waits any more. `slow`: the job is one of those that take long, and gives way to others. `begun` is
    called when all that the job needs is open, and it begins.
    """

    stop: threading.Event = field(default_factory=threading.Event)
    slow: threading.Event = field(default_factory=threading.Event)
    begun: Callable[[], object] = lambda: None


@dataclass
class Once:
    """Passes each step of a job on once, also where the job begins again."""

    on_step: OnStep
    passed: int = 0
    seen: int = 0

    def __call__(self, step: Step) -> None:
        self.seen += 1
        if self.seen > self.passed:
            self.passed = self.seen
            self.on_step(step)

    def begin_again(self) -> None:
        """The next step is the first again."""
        self.seen = 0


@dataclass
class Workers:
    """The processes. Started when they are needed, kept for the next job, replaced when they end. Used from any thread.

    A job is ended after `seconds`. `spare` processes are kept ready.
    """

    shelf: Shelf
    seconds: float
    spare: int
    _idle: "Queue[_Worker]" = field(default_factory=Queue)  # who is longest idle is most likely ready
    _kept: ExitStack = field(default_factory=ExitStack)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stock: Stock | None = None
    _closed: bool = False

    def run(self, job: Job, on_step: OnStep, signals: Signals) -> Given:
        """What a job gives.

        Where its process dies another begins again, twice: what kills a process for its memory takes any that is large.
        Raises the GraphtalkError that it raised, StoppedError after `seconds`, LimitError where all died of it, LeftError soon
        after it is told to stop: the process has stopped by then, or is dead.
        """
        told = Once(on_step)
        for _ in range(_TRIES):
            worker = self._taken()
            try:
                return worker.run(job, told, signals, self.seconds)
            except _DiedError:
                told.begin_again()
            finally:
                self._give_back(worker)
        raise LimitError("It took more than a process here may hold, and was ended.")

    def warm(self) -> None:
        """Have as many processes ready as are kept spare."""
        for worker in [self._started() for _ in range(self.spare)]:
            self._give_back(worker)

    def renew(self) -> None:
        """Have processes ready that open all graphs of the shelf as it is now; those of before end after their job."""
        with self._lock:
            self._stock = None
        while not self._idle.empty():
            self._idle.get_nowait().end()
        self.warm()

    def close(self) -> None:
        """End all processes that have nothing to do; the others end after their job."""
        self._closed = True
        while not self._idle.empty():
            self._idle.get_nowait().end()
        self._kept.close()

    def _taken(self) -> "_Worker":
        while True:
            try:
                worker = self._idle.get_nowait()
            except Empty:
                return self._started()
            if worker.process.is_alive():
                return worker
            worker.end()

    def _give_back(self, worker: "_Worker") -> None:
        if self._closed or self._idle.qsize() >= self.spare:
            worker.end()
        elif worker.ready and worker.stock is self._stock:
            self._idle.put(worker)
        else:
            worker.end()
            self._idle.put(self._started())

    def _started(self) -> "_Worker":
        with self._lock:
            if self._stock is None:
                self._stock = Stock(
                    self._placed(self.shelf.graphs),
                    self._placed(self.shelf.allowed),
                    self.shelf.chosen(Choice(lm=OFFLINE)),
                )
            context = get_context("forkserver")
            context.set_forkserver_preload(list(_READY))
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._stock), daemon=True)
            process.start()
            theirs.close()
            return _Worker(process, ours, self._stock)

    def _placed(self, graphs: Mapping[str, Loaded]) -> dict[str, tuple[str, str]]:
        """Where the graphs lie, or the addresses where they live; one that is only in memory is written first."""
        found = {}
        for position, (name, graph) in enumerate(graphs.items()):
            address = stores.address_of(graph)
            if address:
                found[name] = (address, "")
                continue
            union = graph.union if isinstance(graph, GraphSet) else graph
            path, checksum = union.path, union.checksum
            if path is None:
                folder = self._kept.enter_context(scratch(Path(gettempdir()), "graphtalk-serve-"))
                path = folder / f"{position}.gt"
                stores.write(graph, path)
                checksum = store.read_manifest(path).checksum
            found[name] = (str(path), checksum)
        return found


@dataclass
class _Worker:
    """A process, and the line to it. Used by one thread at a time.

    It is `ready` for another job where the last one has ended, and did not take long: whoever gave way once does so for
    ever, for the system lets nobody come to the front again.
    """

    process: ForkServerProcess
    line: Connection
    stock: Stock
    ready: bool = True

    def run(self, job: Job, on_step: OnStep, signals: Signals, seconds: float) -> Given:
        """What a job gives, as `Workers.run` says; but _DiedError where the process dies."""
        self.ready = gave_way = False
        until, used = time.monotonic() + seconds, self._used()
        try:
            self.line.send_bytes(jobs.dumps(job))
            while not signals.stop.is_set() and (now := time.monotonic()) < until:
                if signals.slow.is_set() and not gave_way and self._used() - used > _BUSY:
                    os.setpriority(os.PRIO_PROCESS, self.process.pid or 0, _NICE)
                    gave_way = True
                if not self.line.poll(LOOK):
                    continue
                kind, said = json.loads(self.line.recv_bytes())
                if kind == "begun":
                    signals.begun()
                    until, used = now + seconds, self._used()
                    continue
                if kind == "step":
                    on_step(Step(*said))
                    continue
                self.ready = not gave_way
                if kind == "error":
                    raise _error(*said)
                return dict(said)
            self._halt()
            self.ready = self.ready and not gave_way
        except (EOFError, OSError):
            raise _DiedError from None
        if signals.stop.is_set():
            raise LeftError
        raise StoppedError("Not finished within the seconds that an answer may take here.")

    def _used(self) -> float:
        """Seconds of the processor that the process has taken; of the clock, where the system does not say."""
        try:
            said = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return time.monotonic()
        user, system = said.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def _halt(self) -> None:
        """Ask the process to stop its job, and kill it where it does not."""
        self.line.send_bytes(_STOP)
        until = time.monotonic() + PATIENCE
        while (left := until - time.monotonic()) > 0:
            if self.line.poll(left) and json.loads(self.line.recv_bytes())[0] in ("result", "error"):
                self.ready = True
                return
        self.process.kill()

    def end(self) -> None:
        """End the process."""
        self.line.close()
        self.process.kill()


def _serve(line: Connection, stock: Stock) -> None:
    """What a process does: one job after the other, until its line is cut."""
    given: SimpleQueue[tuple[Job, threading.Event]] = SimpleQueue()
    threading.Thread(target=_listen, args=(line, given), daemon=True).start()
    shelf = _warmed(stock, given)
    while True:
        job, stop = given.get()
        try:
            shelf = shelf or stock.shelf()
            with cancellable(stop):
                _ = shelf.first(job.graph).reasoner  # what is opened once is no part of the job's time
                line.send_bytes(json.dumps(["begun", None]).encode())
                said = ["result", job.run(shelf, partial(_tell, line))]
        except GraphtalkError as error:
            said = ["error", [type(error).__name__, str(error)]]
        except MemoryError:
            said = ["error", [LimitError.__name__, "It took more memory than there is."]]
        except Exception:  # noqa: BLE001  the server logs it, and the process goes on
            said = ["error", [CrashError.__name__, traceback.format_exc()]]
        line.send_bytes(json.dumps(said).encode())


def _listen(line: Connection, given: "SimpleQueue[tuple[Job, threading.Event]]") -> None:
    """Take jobs and orders to stop; where the line is cut, the server is gone or wants this process no more."""
    stop = threading.Event()
    try:
        while True:
            written = line.recv_bytes()
            if written == _STOP:
                stop.set()
            else:
                stop = threading.Event()
                given.put((jobs.loads(written), stop))
    except (EOFError, OSError):
        os._exit(0)


def _tell(line: Connection, step: Step) -> None:
    if step.kind != "answer":  # the result has it
        line.send_bytes(json.dumps(["step", [step.kind, step.text]]).encode())


def _warmed(stock: Stock, given: "SimpleQueue[tuple[Job, threading.Event]]") -> Shelf | None:
    """The shelf, with as much of it ready as there is time for before the first job; None where it cannot be opened."""
    try:
        shelf = stock.shelf()
        for name in shelf.names():
            if given.empty():
                _ = shelf.first(name).reasoner
    except GraphtalkError:
        return None  # the job will say so
    return shelf


_ERRORS: Mapping[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (*vars(errors).values(), UnknownNameError, stores.ReplacedError, CrashError)
    if isinstance(kind, type) and issubclass(kind, Exception)
}


def _error(kind: str, message: str) -> Exception:
    """The error that a process told of."""
    return _ERRORS.get(kind, GraphtalkError)(message)
