"""Ask again where that may help: overloaded servers, cut connections; once, where no reply came in time."""

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphtalk.core import LmBusyError, LmSlowError
from graphtalk.core.limits import left, look
from graphtalk.lms.protocol import Layer, Reply, Request


@dataclass(frozen=True)
class Patience:
    """How long to wait between tries, and when to give up. All in seconds.

    The wait before try n is drawn from 0 to first * 2**n ("full jitter", which spreads a crowd of workers evenly:
    M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015). Where a server says how long to wait,
    that is waited at least, up to `longest`. No wait begins that would end after `total`. A server that does not answer
    in time is asked again `slow` times at most.
    """

    retries: int = 5
    slow: int = 1
    first: float = 0.5
    longest: float = 60.0
    total: float = 300.0

    def wait(self, tries: int, after: float | None, chance: float) -> float:
        """Seconds to wait after so many tries; `chance` is from 0 to 1."""
        if after is not None:
            return min(after, self.longest) + chance * self.first
        return chance * min(self.longest, self.first * 2.0**tries)


@dataclass(frozen=True)
class Retry(Layer):
    """A model that is asked again after LmBusyError. The clock, sleep and chance can be given, for tests."""

    patience: Patience = Patience()
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    chance: Callable[[], float] = random.random

    def complete(self, request: Request) -> Reply:
        """The whole reply. Raises the last LmBusyError where none came, with how often it was asked for."""
        tries = _Tries(self)
        while True:
            try:
                return self.inner.complete(request)
            except LmBusyError as error:
                tries.wait_after(error)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes. Before the first piece a broken stream is begun again.

        Later the whole reply is asked for. Where it begins with what was passed on, the rest follows; else
        LmBusyError is raised, since pieces cannot be taken back.
        """
        tries = _Tries(self)
        said = ""
        while True:
            try:
                for piece in self.inner.stream(request):
                    said += piece if isinstance(piece, str) else ""
                    yield piece
                return
            except LmBusyError as error:
                tries.wait_after(error)
                broken = error
            if said:
                yield from self._rest(request, said, broken)
                return

    def _rest(self, request: Request, said: str, broken: LmBusyError) -> Iterator[str | Reply]:
        reply = self.complete(request)
        if not reply.text.startswith(said):
            raise broken
        if rest := reply.text[len(said) :]:
            yield rest
        yield reply


class _Tries:
    """The tries of one request."""

    def __init__(self, retry: Retry) -> None:
        self._retry = retry
        self._began = retry.clock()
        self._made = 0
        self._slow = 0

    def wait_after(self, error: LmBusyError) -> None:
        """Wait before the next try; where there is to be none, raise the error. The time around all of it ends it too."""
        look()
        retry, patience = self._retry, self._retry.patience
        self._slow += isinstance(error, LmSlowError)
        wait = patience.wait(self._made, error.after, retry.chance())
        self._made += 1
        spent = retry.clock() - self._began
        patient = self._made <= patience.retries and self._slow <= patience.slow
        if not patient or spent + wait > patience.total:
            if self._made == 1:
                raise error
            raise type(error)(f"{error} Asked {self._made} times in {spent:.0f} s.", error.after) from None
        retry.sleep(min(wait, left()))
        look()
