"""Running a program: phases, rounds, limits, and the answer at the end. The same for every engine."""

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from graphtalk.core import CheckError, LimitError
from graphtalk.core.limits import limited, look
from graphtalk.graphs import Graph
from graphtalk.vertex.answers import Outcome, read_answer
from graphtalk.vertex.binding import Bound, bind
from graphtalk.vertex.engine import Columns, Engine, Execution, Report
from graphtalk.vertex.language.types import Value
from graphtalk.vertex.program import Phase, Program

LEAST_ROUNDS = 1000


@dataclass(frozen=True)
class Round:
    """One finished round of a program: its number over the whole run and in its phase, the phase's name, what it did.

    `execution.states()` gives the states after it.
    """

    number: int
    phase: str
    round: int
    report: Report
    execution: Execution
    bound: Bound


OnRound: TypeAlias = Callable[[Round], None]


@dataclass(frozen=True, eq=False)
class Run:
    """A finished run. `states` has one sequence over the nodes for each field of the state."""

    bound: Bound
    states: Columns
    rounds: int
    messages: int
    seconds: float

    @cached_property
    def outcome(self) -> Outcome:
        """The answer, or why there is none; worked out when first asked for."""
        return read_answer(self.bound, self.states, self.rounds)

    @property
    def answer(self) -> Any:
        """The answer in plain values: nodes as indices, an infinite number as infinity; None where refused."""
        return self.outcome.value


@dataclass
class _Limits:
    """How far a run may go. `most` is None where the program's own bounds hold."""

    most: int | None
    until: float | None
    seconds: float | None
    rounds: int = 0
    messages: int = 0


def run(
    program: Program,
    graph: Graph,
    parameters: Mapping[str, Any] | None = None,
    engine: Engine | None = None,
    max_rounds: int | None = None,
    on_round: OnRound | None = None,
    seconds: float | None = None,
) -> Run:
    """Run a program on a graph. `parameters` are as `bind` takes them; the engine is memory if not given.

    Raises CheckError for wrong parameters, LimitError where the program does not end within `max_rounds` (if not
    given, its own bound, or twice the number of nodes and at least 1,000 a phase) or within `seconds`.
    """
    if engine is None:
        from graphtalk.vertex.engines.memory import MemoryEngine

        engine = MemoryEngine()
    if program.in_words and not getattr(
        engine, "follows_words", False
    ):  # engines compute, but for that of agents
        raise CheckError(
            f"{program.name} is told in words: only agents of a language model can run it (graphtalk solve --lm MODEL)."
        )
    started = time.perf_counter()
    bound = bind(program, graph, parameters)
    limits = _Limits(max_rounds, None if seconds is None else started + seconds, seconds)
    with closing(engine.start(bound)) as execution:
        driver = _Driver(bound, execution, limits, on_round)
        with limited(driver.check_clock):
            driver.all()
        states = execution.states()
    return Run(bound, states, limits.rounds, limits.messages, time.perf_counter() - started)


@dataclass
class _Driver:
    bound: Bound
    execution: Execution
    limits: _Limits
    on_round: OnRound | None

    def all(self) -> None:
        self.execution.initialise()
        repeat = self.bound.program.repeat
        if repeat is None:
            self._cycle()
        elif repeat.each:
            for node in range(self.bound.n):
                self.execution.choose(repeat.each, node)
                self._cycle()
        else:
            assert repeat.until is not None
            most = self._bound_of(repeat.most)
            for count in range(1, most + 1):
                self._cycle()
                if self.execution.whole(repeat.until, {"round": count}):
                    return
            raise self._endless(f"after {most} repetitions of its phases", "")

    def _cycle(self) -> None:
        for position, phase in enumerate(self.bound.program.phases):
            self.execution.enter(position)
            self._phase(position, phase)

    def _phase(self, position: int, phase: Phase) -> None:
        most = self._bound_of(phase.most)
        name = f"phase {phase.name!r} " if phase.name else ""
        round = 0
        while True:
            look()
            round += 1
            report = self.execution.step(position, round)
            self.limits.rounds += 1
            self.limits.messages += report.sent
            if self.on_round is not None:
                self.on_round(
                    Round(self.limits.rounds, phase.name, round, report, self.execution, self.bound)
                )
            moment = {"round": round, "changes": report.changes, "sent": report.sent}
            if self.execution.whole(phase.until, moment):
                return
            if self.limits.most is None and round >= most:
                said = f"{phase.because} " if phase.because else ""
                raise self._endless(f"{name}after {round} rounds", said + _still(report))
            self._check_limits(report)

    def _bound_of(self, most: Any) -> int:
        if most is None:
            return max(LEAST_ROUNDS, 2 * self.bound.n)
        return int(self.execution.whole(most, {"round": 0, "changes": 0, "sent": 0}))

    def _check_limits(self, report: Report) -> None:
        limits = self.limits
        if limits.most is not None and limits.rounds >= limits.most:
            raise self._endless(
                f"within {limits.most} rounds", _still(report) + " Allow more rounds, or check its end."
            )

    def check_clock(self) -> None:
        """Raise LimitError where the seconds are over; looked at in the midst of rounds too."""
        limits = self.limits
        if limits.until is not None and time.perf_counter() > limits.until:
            raise self._endless(f"within {limits.seconds:g} seconds ({limits.rounds} rounds)", "")

    def _endless(self, when: str, why: str) -> LimitError:
        return LimitError(f"{self.bound.program.name} did not end {when}. {why}".strip())


def _still(report: Report) -> str:
    return f"In the last round {report.changes} nodes changed and {report.sent} messages were sent."


def totals_of(bound: Bound, execution: Execution, round: int) -> dict[str, Value]:
    """All totals of a program at the start of a round, for agents that are told them."""
    return {name: execution.whole(expr, {"round": round}) for name, expr in bound.program.totals.items()}
