"""Runs what takes long in threads, so many at a time, and stops it when nobody waits for it any more."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import anyio
from anyio.to_thread import run_sync
from fastapi import Request

from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds
from graphtalk.app.server.problems import ProblemError
from graphtalk.core import Step
from graphtalk.core.limits import cancellable

T = TypeVar("T")
OnStep: TypeAlias = Callable[[Step], None]
Work: TypeAlias = Callable[[OnStep], T]


class LeftError(Exception):
    """Nobody waits for the answer any more."""


@dataclass
class Answering:
    """The turns of a server. Used by the event loop's thread alone.

    Work with a language model has turns of its own, so that a slow one keeps nobody waiting who asks without.
    """

    bounds: Bounds
    clients: Clients
    waiting: int = 0

    def __post_init__(self) -> None:
        self._turns = anyio.CapacityLimiter(self.bounds.running)
        self._turns_lm = anyio.CapacityLimiter(self.bounds.running_lm)

    async def run(self, request: Request, work: Work[T], with_lm: bool = False) -> T:
        """What `work` gives; it is told to stop when the client leaves."""
        async with self._turn(request) as stop:
            task = asyncio.create_task(self._in_thread(work, stop, lambda step: None, with_lm))
            leaving = asyncio.create_task(_left(request))
            try:
                await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
                if not task.done():
                    raise LeftError
                return task.result()
            finally:
                stop.set()
                leaving.cancel()
                task.add_done_callback(_heard)

    async def steps(
        self, request: Request, work: Work[T], with_lm: bool = False
    ) -> AsyncIterator[Step | T | None]:
        """The steps of `work` as they happen and then what it gives; None is a sign of life in between."""
        found: asyncio.Queue[Step] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        async with self._turn(request) as stop:

            def on_step(step: Step) -> None:
                loop.call_soon_threadsafe(found.put_nowait, step)

            task = asyncio.create_task(self._in_thread(work, stop, on_step, with_lm))
            try:
                while not (task.done() and found.empty()):
                    step = await _next(found, task, self.bounds.heartbeat)
                    if step is not None or not task.done():
                        yield step
                yield task.result()
            finally:
                stop.set()
                task.add_done_callback(_heard)

    @asynccontextmanager
    async def _turn(self, request: Request) -> AsyncIterator[threading.Event]:
        """Room for one more request. Raises ProblemError where there is none."""
        if self.waiting >= self.bounds.waiting:
            raise ProblemError(503, "Too many questions are waiting here.", {"Retry-After": "5"})
        self.waiting += 1
        try:
            with self.clients.running(request.state.client):
                yield threading.Event()
        finally:
            self.waiting -= 1

    async def _in_thread(self, work: Work[T], stop: threading.Event, on_step: OnStep, with_lm: bool) -> T:
        def watched(step: Step) -> None:
            if stop.is_set():
                raise LeftError
            on_step(step)

        def run() -> T:
            if stop.is_set():
                raise LeftError
            with cancellable(stop):
                return work(watched)

        return await run_sync(run, limiter=self._turns_lm if with_lm else self._turns)


def _heard(task: "asyncio.Task[T]") -> None:
    """Take note of how an abandoned task ended, so that it is not logged as an error."""
    if not task.cancelled():
        task.exception()


async def _left(request: Request) -> None:
    """Ends when the client leaves: once a body is read, nothing else comes."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _next(steps: "asyncio.Queue[Step]", task: "asyncio.Task[T]", seconds: float) -> Step | None:
    """The next step; None when the task ends first, or nothing happens for so long."""
    taking = asyncio.create_task(steps.get())
    await asyncio.wait({taking, task}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if taking.done():
        return taking.result()
    taking.cancel()
    return None
