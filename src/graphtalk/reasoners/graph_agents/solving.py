"""A problem solved: its calls run by the executor, and told in words."""

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from graphtalk.calls import Call
from graphtalk.core import JSON, CallError, CallRecord, Evidence, LimitError, ToolError, UsageError
from graphtalk.reasoners.graph_agents.answers import Case, NoAnswer, places, told
from graphtalk.reasoners.graph_agents.described import Described, Problem
from graphtalk.reasoners.graph_agents.ways import MOST_HELD, placed, planned, program_call, ways
from graphtalk.tools.context import Programs
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.limits import Limits
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.programs import run_in_words
from graphtalk.vertex import Library, Run

_COUNTS = re.compile(
    r"\W*(?:(?:on|in|at|to|from|by|for|with|of|over|through|across|within|into) )?(?:how (?:many|much|deep|large|big|high|long|far|dense|heavy)\b|(?:(?:what is|what's|find|give|tell me|determine|state|compute) )?the (?:[a-z-]+ ){0,2}(?:number|amount|size|degeneracy|diameter|radius|coefficient) ?(?:of\b|\?|\.|$))",
    re.I,
)
_NAMES = re.compile(  # "which of them has the smallest eccentricity" is not answered with a number
    r"\W*(?:Q\W+)?(?:who|whom|whose|which (?:of (?:them|these|those)|(?!is\b|was\b|number|amount|value|degree|length|distance|total|day|round|sum|price|cost|colou?r|weight|share|chance|time|component|community)[a-z]+ (?:is|are|has|have|was|do|does|can|must|would|could)))\b",
    re.I,
)
LIMITS = Limits(seconds=math.inf)  # agents of a language model may take hours


@dataclass(frozen=True)
class Solved:
    """What became of a problem: the answer, with the calls that it comes from and what they rest on.

    `text` says why where it was not answered; `algorithm` names the card. `rounds` and `messages` are None where no
    vertex program was run. `usage` is what was asked of a model for it.
    """

    answered: bool
    text: str
    value: JSON = None
    algorithm: str = ""
    rounds: int | None = None
    messages: int | None = None
    seconds: float = 0.0
    calls: tuple[CallRecord, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)
    remarks: tuple[str, ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)

    @property
    def how(self) -> str:
        """Which algorithm found it, in words."""
        if not self.algorithm or self.rounds is None or self.messages is None:
            return (
                f"By {self.algorithm.replace('_', ' ')}, exactly and not distributed."
                if self.algorithm
                else ""
            )
        return run_in_words(self.algorithm, self.rounds, self.messages)


def executor_of(described: Described, programs: Programs | None = None) -> Executor:
    """Runs calls on the graph of a text."""
    return Executor(described.graph, limits=LIMITS, programs=programs or Programs())


@dataclass(frozen=True)
class Solver:
    """Solves problems by calls. `executor` is that of a stored graph (None: each problem brings its own graph).

    `cards` are the programs that may be used; `programs` says how they are run.
    """

    cards: Library
    programs: Programs = field(default_factory=Programs)
    executor: Executor | None = None

    def solve(self, problem: Problem) -> Solved:
        """The answer. Raises NoAnswer where there is none, UsageError for weights that will not do."""
        check(problem)
        ran: list[Run] = []
        executor = self.heard(problem.described, ran.append)
        algorithm, core, found = self._found(executor, problem, ran)
        return self.told(executor, problem, core, found, algorithm, ran)

    def _found(self, executor: Executor, problem: Problem, ran: list[Run]) -> tuple[str, Call, Result]:
        """The first call that solves the problem, the name of its algorithm, and what it gave."""
        *programs, exact = self._cores(problem)
        for algorithm, core in programs:
            try:
                result = _run(executor, placed(problem.described, core))
            except LimitError:
                ran.clear()
                continue
            if places(result.value) or not ways()[problem.task].unsure:
                return algorithm, core, result
            ran.clear()
        return *exact, _run(executor, placed(problem.described, exact[1]))

    def told(
        self,
        executor: Executor,
        problem: Problem,
        core: Call,
        found: Result,
        algorithm: str,
        ran: list[Run],
    ) -> Solved:
        """The answer, from what the call that solves the problem gave."""
        around = ways()[problem.task].whole(problem, core, found.value)
        whole = _run(executor, placed(problem.described, around))
        answer = told(Case(problem, found.value, whole))
        if _COUNTS.match(problem.query) and (
            isinstance(answer.value, bool) or not isinstance(answer.value, int | float)
        ):
            raise NoAnswer(
                f"The question asks for a number, and was read as {problem.task.replace('_', ' ')}: {problem.query!r}."
            )
        if _NAMES.match(problem.query) and isinstance(whole.value, bool | int | float):
            raise NoAnswer(
                f"The question asks for names, and was read as {problem.task.replace('_', ' ')}: {problem.query!r}."
            )
        solved = signed(Solved(True, answer.text, answer.value, algorithm), whole, ran)
        before = {call.spelling: call.seconds for call in found.calls}  # which `whole` took from memory
        calls = [replace(c, seconds=c.seconds or before.get(c.spelling, 0.0)) for c in solved.calls]
        return replace(solved, calls=tuple(calls))

    def heard(self, described: Described, on_end: Callable[[Run], None]) -> Executor:
        """The executor of the graph, which tells of every program that has run; so it remembers none of before."""
        executor = self.executor or executor_of(described)
        programs = replace(self.programs, on_end=on_end)
        return replace(executor, programs=programs, memory=WorkingMemory())

    def _cores(self, problem: Problem) -> Iterator[tuple[str, Call]]:
        """The calls that may solve a problem, by the names of their algorithms, the first the best."""
        d, way = problem.described, ways()[problem.task]
        plan = planned(problem, self.cards)
        if plan is not None:
            card, parameters = plan
            small = d.num_nodes * max(d.num_edges, 1) <= MOST_HELD
            engine = self.programs.engine
            chosen = engine is not None and engine.name != "telling"  # that one only tells what is run anyway
            if card.program.scalar or small or chosen:
                types = {name: p.type for name, p in card.program.parameters.items()}
                yield card.name, program_call(d, card.name, types, parameters)
        yield way.name, way.exact(problem)


def _run(executor: Executor, call: Call) -> Result:
    """What a call gives. Raises NoAnswer where the graph has no such thing."""
    try:
        return executor.run(call)
    except ToolError as error:
        raise NoAnswer(str(error)) from error
    except LimitError as error:
        if "negative" not in str(error):
            raise
        why = "There is no shortest path: a cycle of edges has a negative total weight."
        raise NoAnswer(why) from error


def signed(answer: Solved, result: Result, ran: list[Run]) -> Solved:
    """An answer with the calls that gave it, and what they rest on."""
    return replace(
        answer,
        rounds=ran[-1].rounds if ran else None,
        messages=ran[-1].messages if ran else None,
        calls=result.calls,
        evidence=result.evidence(),
        remarks=result.remarks,
    )


def timed(solve: Callable[[], Solved]) -> Solved:
    """The answer with its seconds, or why there is none."""
    started = time.perf_counter()
    try:
        found = solve()
    except (UsageError, CallError) as error:
        found = Solved(False, str(error))
    return replace(found, seconds=time.perf_counter() - started)


def check(problem: Problem) -> None:
    """Raise UsageError where no answer can be right: a task that nothing here does, a flow from a node to itself, a weight below 0 (quoting the edge)."""
    d = problem.described
    if problem.task not in ways():
        known = ", ".join(task.replace("_", " ") for task in ways())
        raise UsageError(
            f"No algorithm here finds this exactly: {problem.task.replace('_', ' ')}. What can be asked: {known}."
        )
    if problem.task == "maximum_flow" and len(set(problem.nodes)) < len(problem.nodes):
        raise UsageError(f"A flow needs two different nodes; both ends are {d.names[problem.nodes[0]]}.")
    if d.weight is None or not (d.weight < 0).any():
        return
    place = int(np.flatnonzero(d.weight < 0)[0])
    if problem.task == "maximum_flow":
        raise UsageError(f"A capacity cannot be negative: {d.quote(place)}.")
    if problem.task in ("shortest_path", "distances") and not d.directed:
        raise UsageError(
            f"The edge {d.quote(place)} has a negative weight: going back and forth over it makes any path shorter, so none is shortest."
        )
