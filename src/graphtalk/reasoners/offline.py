"""Answers without a language model: plan, run the best plan, and say what it rests on.

A question is planned (`planner`), the best plan is run as one call, and the answer carries that call. Where
the best plan finds nothing, plans that explain the question nearly as well are tried. Where no plan explains
enough of the question it is not answered, and the nearest things that could be asked are named.
"""

from collections.abc import Iterator, Sequence

from graphtalk.calls import show
from graphtalk.calls.ast import Call
from graphtalk.core import JSON, Answer, CallError, Evidence, Observation, Question, Step
from graphtalk.core import Call as CallRecord
from graphtalk.graphs import GraphSet
from graphtalk.reasoners.planner.english import split_name
from graphtalk.reasoners.planner.planner import Planner, Ranked
from graphtalk.reasoners.planner.properties import property_call
from graphtalk.reasoners.planner.reading import plan_in_words
from graphtalk.search.embedder import Embedder
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, to_json

MARGIN = 0.6  # how much worse a plan may score that is tried because better ones found nothing
TRIES = 8
NEAR = 3


class OfflineReasoner:
    """Answers questions about one graph with no language model."""

    def __init__(self, executor: Executor, index: Index, embedder: Embedder | None = None) -> None:
        self.executor = executor
        self.graph = index.graph
        many = isinstance(executor.graph, GraphSet) and len(executor.graph) > 1
        self.planner = None if many else Planner(self.graph, index, embedder)

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        ranked = [] if self.planner is None else self.planner.plans(question.text)
        fitting = [r for r in ranked if r.fits]
        if not fitting:
            whole = property_call(question.text, self.executor.graph)
            if whole is not None:
                yield from self._property(whole)
                return
            answer = self._declined(ranked)
            yield Step("answer", answer.text, answer=answer)
            return
        best = fitting[0]
        found: tuple[Ranked, Result] | None = None
        for tried in _alternatives(fitting):
            yield Step("thought", f"The question asks for: {plan_in_words(tried.plan)}.")
            outcome = self._try(tried)
            if isinstance(outcome, Observation):
                yield Step("observation", outcome.text)
                continue
            yield from _call_steps(outcome)
            if found is None or not is_empty(outcome):
                found = (tried, outcome)
            if not is_empty(outcome):
                break
        answer = self._stated(found[1], self._reading(found[0])) if found else self._failed(best)
        yield Step("answer", answer.text, answer=answer)

    def _property(self, call: Call) -> Iterator[Step]:
        """The answer to a question about the graph as a whole."""
        name = " ".join(split_name(call.function)).lower()
        yield Step("thought", f"The question asks for the {name} of the graph.")
        try:
            result = self.executor.run(call)
        except CallError as error:
            answer = Answer(False, str(error))
        else:
            yield from _call_steps(result)
            answer = self._stated(result, f"{name} of the graph")
        yield Step("answer", answer.text, answer=answer)

    def _reading(self, ranked: Ranked) -> str:
        slips = [f"taking {a.text!r} for {self.graph.label(a.nodes[0])!r}" for a in ranked.slips]
        return ", ".join([plan_in_words(ranked.plan), *slips])

    def _stated(self, result: Result, reading: str) -> Answer:
        value = to_json(result.value, result.graph)
        return Answer(
            answered=True,
            text=in_words(value, reading, result.remarks),
            value=value,
            evidence=result.evidence(),
            calls=result.calls,
        )

    def _try(self, ranked: Ranked) -> Result | Observation:
        try:
            return self.executor.run(ranked.plan.call(self.graph))
        except CallError as error:
            return Observation(str(error), error=True)

    def _failed(self, ranked: Ranked) -> Answer:
        spelling = show(ranked.plan.call(self.graph), "graph-cot", self.executor.registry.vocabulary)
        return Answer(False, f"The question could be read as {spelling}, but that call could not be run.")

    def _declined(self, ranked: Sequence[Ranked]) -> Answer:
        near = tuple(dict.fromkeys(plan_in_words(r.plan) for r in ranked if r.coverage > 0.2))[:NEAR]
        unknown = ", ".join(repr(word) for word in ranked[0].unexplained) if ranked else ""
        clear = "no reading explains enough of the question" if near else "nothing in it matches the question"
        why = f"nothing in it matches {unknown}" if unknown else clear
        hint = f" What could be answered: {'; '.join(near)}." if near else self._examples()
        return Answer(False, f"This graph cannot answer that: {why}.{hint}", evidence=Evidence(), near=near)

    def _examples(self) -> str:
        if isinstance(self.executor.graph, GraphSet) and len(self.executor.graph) > 1:
            names = ", ".join(self.executor.graph.names[:3])
            return f" It has {len(self.executor.graph)} graphs, and a question is about one of them: {names}…"
        types = ", ".join(t.name for t in self.graph.schema.node_types[:8])
        return f" It knows of: {types}."


def _alternatives(fitting: Sequence[Ranked]) -> list[Ranked]:
    """The best plan, and those that may stand in for it if it finds nothing: same operation, same nodes."""
    best = fitting[0].plan
    return [
        r
        for r in fitting
        if best.score - r.plan.score <= MARGIN
        and r.plan.operation == best.operation
        and set(r.plan.anchors) == set(best.anchors)
        and len(r.plan.then) == len(best.then)
    ][:TRIES]


def _call_steps(result: Result) -> Iterator[Step]:
    for call in result.calls:
        yield Step("call", call.spelling, call=call)
        yield Step("observation", _shorten(call))


def _shorten(call: CallRecord, most: int = 200) -> str:
    text = str(call.result)
    return text if len(text) <= most else f"{text[:most]}…"


def is_empty(result: Result) -> bool:
    """Whether a result says nothing: no nodes, no values, a count of zero."""
    value = result.value
    if isinstance(value, Bag | list):
        return len(value) == 0 or (isinstance(value, list) and all(v is None for v in value))
    return value is None or (not isinstance(value, bool) and value == 0)


def in_words(value: JSON, reading: str, remarks: Sequence[str] = ()) -> str:
    """The answer as a sentence: the value, then what was taken to be asked."""
    said = f"{_value_in_words(value)} ({reading})"
    return " ".join([said, *(f"{remark}" for remark in remarks)])


def _value_in_words(value: JSON) -> str:
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if value is None:
        return "Not known"
    if isinstance(value, list):
        names = [_value_in_words(v) for v in value if v is not None]
        if not names:
            return "None found"
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    if isinstance(value, dict):
        return ", ".join(f"{k}: {_value_in_words(v)}" for k, v in value.items())
    return _number_in_words(value) if isinstance(value, int | float) else str(value)


def _number_in_words(value: float) -> str:
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"  # no comma in 2012: it may be a year
