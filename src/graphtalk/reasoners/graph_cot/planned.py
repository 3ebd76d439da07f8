"""The loop without a language model: the offline planner decides, one call at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Expression, Text, parts
from graphtalk.core import Answer, CheckError, Question
from graphtalk.lms import Usage
from graphtalk.reasoners.candidates import Proposal
from graphtalk.reasoners.graph_cot.turns import Action, Round, Seen, Turn
from graphtalk.reasoners.offline import OfflineReasoner, is_empty, stated
from graphtalk.tools.executor import Result
from graphtalk.tools.queries import QUERY
from graphtalk.tools.registry import Registry

_THOUGHTS = {
    "RetrieveNode": "We need to find the node {!r} in the graph.",
    "NodeFeature": "We need its feature {!r}.",
    "NodeDegree": "We need the number of its neighbours by {!r}.",
    "NeighbourCheck": "We need its neighbours by {!r}.",
}


@dataclass(frozen=True)
class PlannedMethod:
    """Decides by the offline reasoner's readings of the question."""

    planner: OfflineReasoner

    @property
    def lm(self) -> str:
        """There is no model."""
        return "offline"

    def begin(self, question: Question) -> "PlannedActor":
        """The actor of one run."""
        return PlannedActor(self.planner, self.planner.readings(question.text))


@dataclass
class PlannedActor:
    """One run: each reading of the question in turn, until one finds something.

    A reading is one nested call. It is walked from the inside out, so that every step shows what it found.
    """

    planner: OfflineReasoner
    readings: tuple[Proposal, ...] | Answer
    reading: int = 0
    left: list[Call] = field(default_factory=list)
    best: tuple[Proposal, Result] | None = None

    @property
    def usage(self) -> Usage:
        """Nothing is asked of a model."""
        return Usage()

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next call, or the end."""
        if isinstance(self.readings, Answer):
            return Turn(finish=self.readings)
        if not rounds:
            return self._begin(self.readings[0])
        last = rounds[-1].seen[-1]
        if last.result is not None and self.left:
            return self._next()
        return self._done(self.readings, last)

    def _begin(self, reading: Proposal) -> Turn:
        self.left = list(dict.fromkeys(inside_out(reading.call)))
        turn = self._next()
        return Turn(f"{reading.thought} {turn.thought}", turn.actions)

    def _next(self) -> Turn:
        registry = self.planner.executor.registry
        call = self.left.pop(0)
        return Turn(thought_of(call, registry), (Action(show(call, "graph-cot", registry.vocabulary), call),))

    def _done(self, readings: tuple[Proposal, ...], last: Seen) -> Turn:
        """A reading is walked to its end, or cannot be: the answer, or the next reading."""
        reading, found = readings[self.reading], last.result
        if found is not None and (self.best is None or not is_empty(found)):
            self.best = (reading, found)
        if found is not None and not is_empty(found):
            return Turn("This answers the question.", finish=stated(reading, found))
        self.reading += 1
        if self.reading < len(readings):
            return self._begin(readings[self.reading])
        if self.best is not None:
            return Turn("No other reading finds more.", finish=stated(*self.best))
        return Turn(finish=self.planner.failed(readings[0], last.observation.text))


def inside_out(expression: Expression) -> Iterator[Call]:
    """The calls of an expression, each after those that it needs; a query is one, as its parts are clauses and no calls."""
    if not (isinstance(expression, Call) and expression.function == QUERY):
        for part in parts(expression):
            yield from inside_out(part)
    if isinstance(expression, Call):
        yield expression


def thought_of(call: Call, registry: Registry) -> str:
    """What is thought before a call: of the paper's four functions what is looked for, else what it does."""
    words = [value.value for value in call.arguments if isinstance(value, Text)]
    if call.function in _THOUGHTS and words:
        return _THOUGHTS[call.function].format(words[0] if call.function == "RetrieveNode" else words[-1])
    try:
        summary = registry.find(call.function).summary
    except CheckError:
        return ""
    return f"We need this of it: {summary[0].lower()}{summary[1:]}"
