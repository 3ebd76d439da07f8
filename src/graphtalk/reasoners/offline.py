"""Answers without a language model: plan, run the best plan, and say what it rests on.

A question is planned (`planner`), the best plan is run as one call, and the answer carries that call. Where
the best plan finds nothing, plans that explain the question nearly as well are tried. Where no plan explains
enough of the question it is not answered, and the nearest things that could be asked are named.

A second reader may know questions that plans over what the graph records do not answer, such as what a user would choose
next. It is asked where the planner is not sure, or found nothing.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from graphtalk.calls import show
from graphtalk.calls.ast import Call
from graphtalk.core import Answer, CallError, Evidence, Question, Step
from graphtalk.core import Call as CallRecord
from graphtalk.graphs import GraphSet
from graphtalk.language.telling import answer_in_words
from graphtalk.reasoners.planner.english import split_name
from graphtalk.reasoners.planner.planner import Planner, Ranked
from graphtalk.reasoners.planner.properties import property_call
from graphtalk.reasoners.planner.reading import plan_in_words
from graphtalk.reasoners.planner.unused import other_kind, unused_numbers, unused_words
from graphtalk.search.embedder import Embedder
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, to_json

SURE = 0.7  # share of the question's words that a plan explains from which on nobody else is asked
MARGIN = 0.6  # how much worse a plan may score that is tried because better ones found nothing
TRIES = 8
NEAR = 3


@dataclass(frozen=True)
class Reading:
    """One way to read a question: a call, what is thought of it, and what it gives in words.

    `sure`: it is no guess. `recordable`: it asks for what graphs record, whether or not this one does.
    """

    call: Call
    thought: str
    words: str
    sure: bool = True
    recordable: bool = True


class Reader(Protocol):
    """Another who reads questions about the graph, and knows its nodes by their ids."""

    def readings(self, question: str) -> Sequence[Reading]:
        """The ways to read a question, best first; none where it is not for this reader."""
        ...

    def claims(self, question: str) -> bool:
        """Whether a question is rather for this reader, however sure the planner is."""
        ...


class OfflineReasoner:
    """Answers questions about one graph with no language model. `second` is asked where the planner is not sure.

    `same_or_more`: "the same X as" means those X and perhaps more, as in GRBench.
    """

    def __init__(
        self,
        executor: Executor,
        index: Index,
        embedder: Embedder | None = None,
        second: Reader | None = None,
        same_or_more: bool = False,
    ) -> None:
        self.executor = executor
        self.second = second
        self.graph = index.graph
        many = isinstance(executor.graph, GraphSet) and len(executor.graph) > 1
        self.planner = None if many else Planner(self.graph, index, embedder, same_or_more)

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        found = self.readings(question.text)
        first: Reading | None = None
        best: tuple[Reading, Result] | None = None
        complaint = ""
        for reading in self._ways(question.text, () if isinstance(found, Answer) else found):
            first = first or reading
            yield Step("thought", reading.thought)
            try:
                result = self.executor.run(reading.call)
            except CallError as error:
                complaint = complaint or str(error)
                yield Step("observation", str(error))
                continue
            yield from _call_steps(result)
            if best is None or not is_empty(result):
                best = (reading, result)
            if not is_empty(result):
                break
        if isinstance(found, Answer) and first is None:
            answer = found
        elif best is not None:
            answer = stated(*best)
        elif first is not None:
            answer = self.failed(first, complaint)
        yield Step("answer", answer.text, answer=answer)

    def _ways(self, question: str, planned: Sequence[Reading]) -> Iterator[Reading]:
        """The readings to be tried: the second reader's before the planner's where that is not sure, else after its best.

        A property of a whole graph that is 0 is an answer.
        """
        second = self.second
        claimed = second is not None and second.claims(question)
        sure = bool(planned) and planned[0].sure and not claimed
        if sure:
            yield planned[0]
        if second is not None and not (sure and self.planner is None):
            others = second.readings(self._with_ids(question))
            # Where the planner was sure, something was asked that graphs record.
            yield from (reading for reading in others if reading.recordable or not sure)
        yield from planned[1:] if sure else planned

    def _with_ids(self, question: str) -> str:
        """The question with ids for the names in it, as the second reader knows nodes."""
        anchors = () if self.planner is None else next(self.planner.linker.sets(question), ())
        for anchor in sorted(anchors, key=lambda a: -a.start):
            named = anchor.start > 0 and not anchor.text.islower()  # a first word has a capital anyway
            if named and len(anchor.nodes) == 1 and not anchor.misspelt:
                node_id = self.graph.id(anchor.nodes[0])
                question = f"{question[: anchor.start]}{node_id}{question[anchor.end :]}"
        return question

    def readings(self, question: str) -> "tuple[Reading, ...] | Answer":
        """The ways to read a question, best first; where none fits, the answer that says so."""
        ranked = [] if self.planner is None else self.planner.plans(question)
        fitting = [r for r in ranked if r.fits]
        using = [r for r in fitting if not self._unused(r)]
        if using and fitting[0].plan.score - using[0].plan.score <= MARGIN:
            return tuple(self._reading(r) for r in _alternatives(using))
        if fitting:
            return self._ignored(fitting[0])
        whole = property_call(question, self.executor.graph)
        return self._declined(ranked) if whole is None else (_property(whole),)

    def _reading(self, ranked: Ranked) -> "Reading":
        plan = plan_in_words(ranked.plan)
        slips = [f"taking {a.text!r} for {self.graph.label(a.nodes[0])!r}" for a in ranked.slips]
        call = ranked.plan.call(self.graph)
        said = bool(ranked.analysis.weights.any()) or dict(ranked.plan.parts)["cues"] > 0  # more than names
        sure = ranked.coverage >= SURE and said
        return Reading(call, f"The question asks for: {plan}.", ", ".join([plan, *slips]), sure)

    def failed(self, reading: "Reading", complaint: str) -> Answer:
        """The answer where no reading could be run."""
        spelling = show(reading.call, "graph-cot", self.executor.registry.vocabulary)
        return Answer(
            False, f"The question could be read as {spelling}, but that call could not be run: {complaint}"
        )

    def _unused(self, ranked: Ranked) -> list[str]:
        """What the question says that a plan does not use, each as the part of a sentence that says so."""
        analysis, call = ranked.analysis, ranked.plan.call(self.graph)
        words = [repr(word.word) for word in unused_words(analysis, call, self._schema_words)]
        found = [*words, *unused_numbers(analysis, call)]
        types = self.graph.schema.node_types
        features = tuple(dict.fromkeys(f.name for t in types for f in t.features))
        kind = other_kind(analysis, self.executor.check(call), tuple(t.name for t in types), features)
        return list(dict.fromkeys([*found, *([f"'{kind}'"] if kind else [])]))

    @cached_property
    def _schema_words(self) -> frozenset[str]:
        """The words of the schema's names, which mean what the schema means by them."""
        assert self.planner is not None
        names = (name for phrase in self.planner.lexis.words for name in split_name(phrase))
        return frozenset(word.lower() for name in names for word in name.split())

    def _ignored(self, ranked: Ranked) -> Answer:
        """The answer where the best reading would pass over words that change the meaning."""
        words = " and ".join(self._unused(ranked))
        near = plan_in_words(ranked.plan)
        why = f"The question says {words}, and no reading of it uses that."
        return Answer(False, f"{why} What could be answered: {near}.", near=(near,))

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


def _property(call: Call) -> Reading:
    """A question about the graph as a whole."""
    name = " ".join(split_name(call.function)).lower()
    return Reading(call, f"The question asks for the {name} of the graph.", f"{name} of the graph")


def stated(reading: Reading, result: Result) -> Answer:
    """The answer that a reading's result is."""
    value = to_json(result.value, result.graph)
    return Answer(
        answered=True,
        text=answer_in_words(value, reading.words, result.remarks),
        value=value,
        evidence=result.evidence(),
        calls=result.calls,
        remarks=result.remarks,
        reading=reading.words,
    )


def _alternatives(fitting: Sequence[Ranked]) -> list[Ranked]:
    """The best plan, and those that may stand in for it if it finds nothing: same operation, same nodes.

    None that counts along more relations: that no compound treats a disease is an answer, and how many treat those
    that resemble it answers another question.
    """
    best = fitting[0].plan
    return [
        r
        for r in fitting
        if best.score - r.plan.score <= MARGIN
        and r.plan.operation == best.operation
        and set(r.plan.anchors) == set(best.anchors)
        and len(r.plan.then) == len(best.then)
        and (best.operation != "count" or _hops(r) <= _hops(fitting[0]))
    ][:TRIES]


def _hops(ranked: Ranked) -> int:
    """How many relations a plan follows in all."""
    return sum(len(chain.hops) for chain in ranked.plan.chains)


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
