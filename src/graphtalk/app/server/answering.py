"""Does the server's jobs: each gets a turn, tells its steps, and is stopped when nobody waits for it any more."""

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import anyio
from anyio.to_thread import run_sync

from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds
from graphtalk.app.server.jobs import Given, Job, OnStep
from graphtalk.app.server.kept import KeptAnswers
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.turns import Lane, Turn
from graphtalk.app.server.workers import LeftError, Once, Signals, Workers
from graphtalk.app.shelf import Shelf
from graphtalk.core import Step
from graphtalk.core.limits import cancellable

Work: TypeAlias = Callable[[Job, OnStep, Signals], Given]


@dataclass
class Answering:
    """The turns of a server. Used by the event loop's thread alone.

    A job without a model begins in the quick lane. What is not done there within `bounds.quick` seconds goes on in the
    long one where that has a turn free; else it is stopped, and begins again when its turn comes. So what is quickly
    answered never waits for what is not. It is `ready` as soon as processes are. Work with a language model has turns of its own, for it mostly waits.
    """

    shelf: Shelf
    bounds: Bounds
    clients: Clients
    waiting: int = 0

    def __post_init__(self) -> None:
        bounds = self.bounds
        places = bounds.workers + 1  # a lane keeps one for another client
        self.workers = Workers(self.shelf, bounds.seconds, spare=places)
        self.kept = KeptAnswers(bounds.kept)
        self.ready = False
        self._quick = Lane(places, bounds.patience)
        self._long = Lane(bounds.running, bounds.patience)
        self._lm = Lane(bounds.running_lm, bounds.patience)
        self._threads = anyio.CapacityLimiter(
            math.inf
        )  # the lanes bound what is done; a thread only waits for it

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Processes are made ready meanwhile, and ended afterwards."""
        warming = asyncio.ensure_future(run_sync(self.workers.warm, limiter=self._threads))
        warming.add_done_callback(self._warmed)
        try:
            yield
        finally:
            self.ready = False
            await asyncio.wait({warming})
            self.workers.close()

    def _warmed(self, ended: "asyncio.Future[None]") -> None:
        self.ready = not ended.cancelled() and ended.exception() is None

    async def run(
        self,
        client: str,
        job: Job,
        with_lm: bool = False,
        on_step: OnStep = lambda step: None,
        anew: bool = False,
    ) -> Given:
        """What a job gives; it is stopped where this is cancelled. `on_step` may be called in another thread.

        An answer that is kept is given again, unless it is wanted `anew`. Raises ProblemError where there is no room for
        the job, and what the job raises.
        """
        key = self.kept.key(job, self.shelf.union(job.graph).checksum)
        found = self.kept.get(key) if key and not anew else None
        if found is not None:
            for step in found[0]:
                on_step(step)
            return found[1]
        steps: list[Step] = []

        def noted(step: Step) -> None:
            steps.append(step)
            on_step(step)

        given = await self._done(client, job, with_lm, noted)
        if key:
            self.kept.put(key, steps, given)
        return given

    async def _done(self, client: str, job: Job, with_lm: bool, on_step: OnStep) -> Given:
        if self.waiting >= self.bounds.waiting:
            raise ProblemError(429, "Too many questions are waiting here.", {"Retry-After": "5"})
        self.waiting += 1
        try:
            with self.clients.running(client):
                if not with_lm:
                    return await self._in_lanes(client, job, on_step)
                run = self._begin(await self._lm.enter(client), self._in_thread, job, on_step)
                return await run.result()
        finally:
            self.waiting -= 1

    async def steps(
        self, client: str, job: Job, with_lm: bool = False, anew: bool = False
    ) -> AsyncIterator[Step | Given | None]:
        """The steps of a job as they happen, and then what it gives; None is a sign of life in between."""
        found: asyncio.Queue[Step] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def on_step(step: Step) -> None:
            loop.call_soon_threadsafe(found.put_nowait, step)

        task = asyncio.create_task(self.run(client, job, with_lm, on_step, anew))
        task.add_done_callback(_heard)
        try:
            while not (task.done() and found.empty()):
                step = await _next(found, task, self.bounds.heartbeat)
                if step is not None or not task.done():
                    yield step
            yield task.result()
        finally:
            task.cancel()

    async def _in_lanes(self, client: str, job: Job, on_step: OnStep) -> Given:
        told = Once(on_step)
        turn = await self._quick.enter(client)
        run = self._begin(turn, self.workers.run, job, told)
        if await run.is_quick(self.bounds.quick):
            return await run.result()
        if not turn.move(self._long):
            await run.halt()
            told.begin_again()
            run = self._begin(await self._long.enter(client), self.workers.run, job, told)
        run.signals.slow.set()
        return await run.result()

    def _begin(self, turn: Turn, work: Work, job: Job, on_step: OnStep) -> "_Run":
        """Begin with a job. Its turn is left when the work has ended, not when nobody waits for it any more."""
        loop, begun = asyncio.get_running_loop(), asyncio.Event()
        signals = Signals(begun=partial(loop.call_soon_threadsafe, begun.set))
        task = asyncio.ensure_future(run_sync(partial(work, job, on_step, signals), limiter=self._threads))
        task.add_done_callback(lambda ended: turn.leave())
        task.add_done_callback(_heard)
        return _Run(task, signals, begun)

    def _in_thread(self, job: Job, on_step: OnStep, signals: Signals) -> Given:
        """Do a job here, beside the model."""

        def watched(step: Step) -> None:
            if signals.stop.is_set():
                raise LeftError
            on_step(step)

        with cancellable(signals.stop):
            return job.run(self.shelf, watched)


@dataclass
class _Run:
    """Work under way in another thread."""

    task: "asyncio.Future[Given]"
    signals: Signals
    begun: asyncio.Event

    async def result(self) -> Given:
        """What it gives; it is told to stop where this is cancelled."""
        await self.ends_within(None)
        return self.task.result()

    async def is_quick(self, seconds: float) -> bool:
        """Whether it ends within so many seconds after it has begun; it is told to stop where this is cancelled."""
        beginning = asyncio.create_task(self.begun.wait())
        try:
            either: set[asyncio.Future[Any]] = {self.task, beginning}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            self.signals.stop.set()
            raise
        finally:
            beginning.cancel()
        return await self.ends_within(seconds)

    async def ends_within(self, seconds: float | None) -> bool:
        """Whether it ends so soon; it is told to stop where this is cancelled."""
        try:
            await asyncio.wait({self.task}, timeout=seconds)
        except asyncio.CancelledError:
            self.signals.stop.set()
            raise
        return self.task.done()

    async def halt(self) -> None:
        """Stop it, and wait until it has."""
        self.signals.stop.set()
        await self.ends_within(None)


def _heard(task: "asyncio.Future[Given]") -> None:
    """Take note of how an abandoned task ended, so that it is not logged as an error."""
    with suppress(asyncio.CancelledError):
        task.exception()


async def _next(steps: "asyncio.Queue[Step]", task: "asyncio.Task[Given]", seconds: float) -> Step | None:
    """The next step; None when the task ends first, or nothing happens for so long."""
    taking = asyncio.create_task(steps.get())
    await asyncio.wait({taking, task}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    if taking.done():
        return taking.result()
    taking.cancel()
    return None
