"""What a run may use up, and the account of what it has used."""

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from graphtalk.core import LimitError
from graphtalk.core.limits import limited, look, unlimited


@dataclass(frozen=True)
class Limits:
    """Bounds of one run: calls, seconds of wall-clock time, rows (entries of all results) and their bytes.

    `processor` are seconds that its thread may compute: a busy machine does not use them up. `depth` bounds how deep calls may nest.
    """

    steps: int = 1_000
    seconds: float = 60.0
    processor: float = math.inf
    rows: int = 20_000_000
    bytes: int = 2 << 30
    depth: int = 64


@dataclass
class Budget:
    """What one run has used of its limits. Every method raises LimitError where a limit runs out."""

    limits: Limits
    started: float = field(default_factory=time.monotonic)
    computed: float = field(default_factory=time.thread_time)
    thread: int = field(default_factory=threading.get_ident)
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
        """Look at the clock, and at the limits around this run; long tools do so between their parts."""
        self._clock()
        look()

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
    def running(self) -> Iterator[None]:
        """Inside the block every `graphtalk.core.limits.look` looks at this clock, in the midst of algorithms too."""
        with limited(self._clock):
            yield

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside the block the clock stands still: fitting a model is not what a call's seconds are for."""
        began, computed = time.monotonic(), time.thread_time()
        try:
            with unlimited(self._clock):
                yield
        finally:
            self.started += time.monotonic() - began
            self.computed += time.thread_time() - computed

    def _clock(self) -> None:
        if time.monotonic() - self.started > self.limits.seconds:
            raise LimitError(f"More than {self.limits.seconds:g} seconds.")
        own = threading.get_ident() == self.thread  # each thread has a clock of its own
        if own and time.thread_time() - self.computed > self.limits.processor:
            raise LimitError(f"More than {self.limits.processor:g} seconds of the processor.")
