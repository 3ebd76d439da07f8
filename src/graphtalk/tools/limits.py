"""What a run may use up, and the account of what it has used."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import FrameType

from graphtalk.core import LimitError

_cancelled: ContextVar[threading.Event | None] = ContextVar("cancelled", default=None)


@contextmanager
def cancellable(cancelled: threading.Event) -> Iterator[None]:
    """Runs inside the block end with LimitError soon after `cancelled` is set, from any thread."""
    before = _cancelled.set(cancelled)
    try:
        yield
    finally:
        _cancelled.reset(before)


@dataclass(frozen=True)
class Limits:
    """Bounds of one run: calls, seconds of wall-clock time, rows (entries of all results) and their bytes.

    `depth` bounds how deep calls may nest.
    """

    steps: int = 1_000
    seconds: float = 60.0
    rows: int = 20_000_000
    bytes: int = 2 << 30
    depth: int = 64


@dataclass
class Budget:
    """What one run has used of its limits. Every method raises LimitError where a limit runs out."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    steps: int = 0
    rows: int = 0
    bytes: int = 0

    def step(self) -> None:
        """Account for one call, and look at the clock."""
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError(f"More than {self.limits.steps} calls.")
        self.look()

    def look(self) -> None:
        """Look at the clock; long tools do so between their parts."""
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitError(f"More than {self.limits.seconds:g} seconds.")
        cancelled = _cancelled.get()
        if cancelled is not None and cancelled.is_set():
            raise LimitError("Cancelled: nobody waits for it any more.")

    def take(self, rows: int, width: int = 40) -> None:
        """Account for `rows` entries of `width` bytes. To be called before they are allocated."""
        self.rows += rows
        self.bytes += rows * width
        if self.rows > self.limits.rows:
            raise LimitError(f"{self.rows:,} rows, more than the limit of {self.limits.rows:,}.")
        if self.bytes > self.limits.bytes:
            raise LimitError(f"{self.bytes:,} bytes, more than the limit of {self.limits.bytes:,}.")
        self.look()

    @contextmanager
    def alarm(self) -> Iterator[None]:
        """Raise LimitError inside the block when the seconds run out, even in the midst of an algorithm.

        Needs the timer of the main thread; elsewhere, or where another alarm is set, tools stop between
        their parts only.
        """
        left = self.limits.seconds - (time.monotonic() - self.started)
        main = threading.current_thread() is threading.main_thread()
        if (
            not main
            or not hasattr(signal, "setitimer")
            or left <= 0
            or signal.getitimer(signal.ITIMER_REAL)[0]
        ):
            yield
            return
        before = signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, left)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside the block the clock stands still: fitting a model is not what a call's seconds are for."""
        began = time.monotonic()
        timed = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0] if timed else 0.0
        try:
            yield
        finally:
            self.started += time.monotonic() - began
            if left:
                signal.setitimer(signal.ITIMER_REAL, left)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        raise LimitError(f"More than {self.limits.seconds:g} seconds.")
