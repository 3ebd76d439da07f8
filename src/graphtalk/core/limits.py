"""Limits that bite inside algorithms, in whatever thread they run.

Who runs something says how far it may go, and whatever may take long looks whether it still may:

    with cancellable(stop), within(60):          # StoppedError soon after stop.set(), or after 60 seconds
        for source in sources:
            look()                               # raises where a limit around it is spent

`look` costs less than a microsecond without limits: call it wherever an algorithm goes round, so that less than a
second passes between two looks. A context variable carries the limits, so that runs in several threads do not share
them; a thread that works for a run is given them by `here`, a call that leaves Python for long is ended by
`interrupting`. An exception thrown into a thread from outside would reach code that never looks too, but also code that
holds a lock, which nobody would ever let go. Only the main thread is interrupted so, by a timer, as Ctrl-C would.
"""

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from types import FrameType
from typing import ParamSpec, TypeAlias, TypeVar

from graphtalk.core.errors import GraphtalkError, StoppedError

Check: TypeAlias = Callable[[], None]
P = ParamSpec("P")
T = TypeVar("T")

_TICK = 0.1  # seconds between two looks of a timer
_checks: ContextVar[tuple[Check, ...]] = ContextVar("checks", default=())
_until: ContextVar[float] = ContextVar("until", default=math.inf)


def look() -> None:
    """Raise LimitError or StoppedError where a limit around what runs here is spent."""
    for check in _checks.get():
        check()


@contextmanager
def limited(check: Check) -> Iterator[None]:
    """Inside the block `look` calls `check`, which raises where a limit is spent. The main thread looks by itself."""
    with _checking((*_checks.get(), check)), _ticking():
        yield


@contextmanager
def unlimited(check: Check) -> Iterator[None]:
    """Inside the block `look` does not call `check`."""
    with _checking(tuple(other for other in _checks.get() if other != check)):
        yield


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """What runs inside the block ends with StoppedError after so many seconds; None: it may go on."""
    if seconds is None:
        yield
        return
    until = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > until:
            raise StoppedError(f"Not finished within {seconds:g} seconds.")

    outer = _until.set(min(until, _until.get()))
    try:
        with limited(check):
            yield
    finally:
        _until.reset(outer)


def left() -> float:
    """The seconds that are left of the time around what runs here; infinite where none was set."""
    return max(0.0, _until.get() - time.monotonic())


@contextmanager
def cancellable(cancelled: threading.Event) -> Iterator[None]:
    """What runs inside the block ends with StoppedError soon after `cancelled` is set, from any thread."""

    def check() -> None:
        if cancelled.is_set():
            raise StoppedError("Cancelled: nobody waits for it any more.")

    with limited(check):
        yield


@contextmanager
def interrupting(stop: Callable[[], object]) -> Iterator[None]:
    """Where a limit is spent inside the block, `stop` is called from another thread: it must end what runs there.

    What the ended call raises is then replaced by the error of the limit.
    """
    if not _checks.get():
        yield
        return
    done, stopped = threading.Event(), threading.Event()

    def watch() -> None:
        while not done.wait(_TICK):
            try:
                look()
            except GraphtalkError:
                stopped.set()
                stop()
                return

    thread = threading.Thread(target=here(watch), daemon=True)
    thread.start()
    try:
        yield
    except Exception:
        look()
        raise
    finally:
        done.set()
        thread.join()
    if stopped.is_set():  # just when the block was done: what comes after it would be ended instead
        look()


@contextmanager
def holding(lock: "threading.Lock | threading.RLock") -> Iterator[None]:
    """The lock, for which nobody waits beyond a limit."""
    while not lock.acquire(timeout=_TICK):
        look()
    try:
        yield
    finally:
        lock.release()


def here(work: Callable[P, T]) -> Callable[P, T]:
    """`work`, to be run in another thread under the limits that hold here."""
    context = copy_context()

    def run(*given: P.args, **named: P.kwargs) -> T:
        return context.copy().run(work, *given, **named)

    return run


@contextmanager
def _checking(checks: tuple[Check, ...]) -> Iterator[None]:
    before = _checks.get()
    try:
        _checks.set(checks)
        try:
            yield
        finally:
            _checks.set(before)
    finally:
        _checks.set(before)  # once more: the timer may have struck in the line above


@contextmanager
def _ticking() -> Iterator[None]:
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "setitimer") or signal.getitimer(signal.ITIMER_REAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGALRM, _tick)
    signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _tick(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_code.co_name == "__del__":  # what a destructor raises is dropped: the next tick will do
            return
        frame = frame.f_back
    look()
