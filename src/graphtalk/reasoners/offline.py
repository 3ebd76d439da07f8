"""Answers without a language model: read, run, judge, and answer where that is sure enough; else ask back.

Two sources propose readings of a question (`candidates`): the planner and the learnt reader. All are run, what gives the
same is judged as one (`judgement`), and the likeliest is the answer if it is as likely right as was asked for (`accept`).
Otherwise nothing is answered, and the likeliest readings are told, to choose from.

A second reader may know questions that what the graph records does not answer, such as what a user would choose
next. It is asked where nothing is sure, or where the question is rather for it.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import islice, product
from typing import Protocol

from graphtalk.calls import show
from graphtalk.core import Alternative, Answer, CallError, CallRecord, Question, Step, UsageError
from graphtalk.graphs import GraphSet, Schema
from graphtalk.language.inflection import inflected
from graphtalk.language.moments import without_moment
from graphtalk.language.phrasing import phrased
from graphtalk.language.telling import answer_in_words, read_as
from graphtalk.reasoners.candidates import PHRASED, Candidate, Judged, Proposal, Proposed, Proposer, apart
from graphtalk.reasoners.composing import Composing
from graphtalk.reasoners.joined import names_in
from graphtalk.reasoners.judgement import features, load_judge, together, told_apart
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.search.embedder import Embedder
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, to_json

# The confidence from which on a reading is answered, where nothing else is asked for. A wrong answer costs about as much as
# ten that are asked back: of strangers' questions at 0.82 to 0.88 42 are right and none wrong, at 0.7 to 0.82 51 and 7; among near misses 8 and 5, 8 and 7
# (docs/measurements.md).
ACCEPT = 0.82
MODELLED = 0.9  # the share of questions for models that the second reader read right (docs/measurements.md)
OFFERED = 4  # readings that are told where none is sure
IGNORED = 0.2  # what is left of the confidence of a reading that passes over words that change the meaning
LEAST = 0.04  # a reading that is likelier wrong than this is not offered
BESIDE = 0.2  # nor one of less than this part of the best one's: of 33 such in six sets of tests/questions none was right
NEAR = 3
RIVAL = 0.3  # from here on a reading of a question as it is written speaks against another of it in the schema's words
_DECLINES = re.compile(  # how the texts below begin that answer nothing
    r"(?:'.*?' is read as '.*?'\. )*(?:Nothing in this graph is called |The question says .*, and no reading of it uses that\."
    r"|It is not clear enough what the question asks for\.|No reading of the question could be run: "
    r"|This graph cannot answer that: |The question could be read as .*, but that call could not be run: )"
)


class Reader(Protocol):
    """Another who reads questions about the graph, and knows its nodes by their ids."""

    def readings(self, question: str) -> Sequence[Proposal]:
        """The ways to read a question, best first; none where it is not for this reader."""
        ...

    def claims(self, question: str) -> bool:
        """Whether a question is rather for this reader, however sure the planner is."""
        ...


class OfflineReasoner:
    """Answers questions about one graph with no language model. `second` is asked where nothing is sure.

    `same_or_more`: "the same X as" means those X and perhaps more, as in GRBench. `accept`: the confidence from which
    on a reading is answered.
    """

    def __init__(
        self,
        executor: Executor,
        index: Index,
        embedder: Embedder | None = None,
        second: Reader | None = None,
        same_or_more: bool = False,
        accept: float = ACCEPT,
    ) -> None:
        self.executor = executor
        self.second = second
        self.accept = accept
        self.graph = index.graph
        self.proposer = Proposer(executor, index, embedder, same_or_more)
        self.planner = self.proposer.planner

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        proposed, judged = self.read(question.text, question.about)
        chosen = self._chosen(proposed, judged, question.choose)
        modelled = None if question.choose else self._modelled(question.text, chosen is not None)
        if isinstance(modelled, Judged):
            chosen = modelled
        if chosen is None:
            answer = modelled if isinstance(modelled, Answer) else self._asking(proposed, judged)
        else:
            yield Step("thought", chosen.reading.thought)
            result = self.executor.run(chosen.reading.call)
            yield from _call_steps(result)
            answer = stated(
                chosen.reading,
                result,
                chosen.confidence,
                chosen.unexplained,
                chosen.asked,
                (*_respelt(proposed), *self.proposer.gone(question.text, result)),
            )
        yield Step("answer", answer.text, answer=answer)

    def readings(self, question: str) -> "tuple[Proposal, ...] | Answer":
        """The reading of a question that is sure enough; where none is, the answer that says so."""
        proposed, judged = self.read(question)
        chosen = self._chosen(proposed, judged, 0)
        return self._asking(proposed, judged) if chosen is None else (chosen.reading,)

    def read(self, question: str, about: str = "") -> tuple[Proposed, list[Judged]]:
        """The readings of a question, the likeliest first; where none is sure, those of the same in the words of the schema, if all
        that are sure of these give the same.
        """
        proposed, judged = self._whole(question, about)
        if self._sure(judged) or about:
            return proposed, judged
        return self._composed(question) or (proposed, judged)

    def _composed(self, question: str) -> tuple[Proposed, list[Judged]] | None:
        composed = Composing(self.proposer, self._best).read(question)
        return (composed[0], [composed[1]]) if composed is not None else None

    def _best(self, question: str) -> tuple[Proposed, Judged] | None:
        """The one reading of a question that is sure, read as a whole."""
        proposed, judged = self._whole(question, "")
        return (proposed, judged[0]) if self._sure(judged) else None

    def _whole(self, question: str, about: str) -> tuple[Proposed, list[Judged]]:
        """The readings of a question as one, as it stands or in the words of the schema."""
        proposed = self.proposer.propose(question, about)
        judged = judge(proposed)
        present = self.proposer.of_presence(question)
        if self._sure(judged) and not present:
            return proposed, judged
        found: dict[Hashable, tuple[Proposed, list[Judged]]] = {}
        for reworded in present or self.proposer.reworded(question):
            again = self.proposer.propose(reworded.question, about)
            others = judge(again)
            if self._sure(others):
                again = replace(again, respelt=(*reworded.words, *again.respelt))
                found.setdefault(told_apart(others[0].result)[0], (again, others))
        least = PHRASED if present else RIVAL
        rivals = {told_apart(j.result)[0] for j in judged if not j.lost and j.confidence >= least}
        if len(found) == 1 and rivals <= found.keys():
            return next(iter(found.values()))
        said = tuple(repr(words) for words, _ in present[0].words) if present else ()
        return proposed, [replace(j, lost=(*j.lost, *said)) for j in judged]

    def _sure(self, judged: Sequence[Judged]) -> bool:
        return bool(judged) and judged[0].confidence >= self.accept and not judged[0].lost

    def _chosen(self, proposed: Proposed, judged: Sequence[Judged], choose: int) -> Judged | None:
        """The reading that is answered. Raises UsageError where there is no such alternative to choose."""
        if choose:
            offered = self._offered(proposed, judged)
            if choose > len(offered):
                number = f"are {len(offered)} readings" if len(offered) != 1 else "is one reading"
                raise UsageError(f"There {number} of this question to choose from, not {choose}.")
            return offered[choose - 1]
        return judged[0] if self._sure(judged) else None

    def _modelled(self, question: str, sure: bool) -> Judged | Answer | None:
        """The second reader's first reading that finds something; where none can be run, the answer that says so."""
        if self.second is None or (sure and not self.second.claims(question)) or without_moment(question):
            return None  # models say nothing of a time
        failed: Answer | None = None
        for reading in self.second.readings(self._with_ids(question)):
            # Where a reading is sure, something was asked that graphs record.
            if sure and not reading.recordable:
                continue
            try:
                result = self.executor.run(reading.call)
            except CallError as error:
                failed = failed or self.failed(reading, str(error))
                continue
            if not is_empty(result):
                return Judged(reading, result, MODELLED)
        return failed

    def _with_ids(self, question: str) -> str:
        """The question with ids for the names in it, as the second reader knows nodes."""
        anchors = () if self.planner is None else next(self.planner.linker.sets(question), ())
        for anchor in sorted(anchors, key=lambda a: -a.start):
            named = anchor.start > 0 and not anchor.text.islower()  # a first word has a capital anyway
            if named and len(anchor.nodes) == 1 and not anchor.misspelt:
                node_id = self.graph.id(anchor.nodes[0])
                question = f"{question[: anchor.start]}{node_id}{question[anchor.end :]}"
        return question

    # asking back

    def _asking(self, proposed: Proposed, judged: Sequence[Judged]) -> Answer:
        """The answer where nothing is sure: what is not understood, and the readings to choose from."""
        offered = list(self._offered(proposed, judged))
        told = _told_apart(
            [(_said(j.reading, j.result), j.result.trail.spelling) for j in offered], self.graph.schema
        )
        alternatives = tuple(
            Alternative(words, j.result.trail.spelling, round(j.confidence, 3))
            for words, j in zip(told, offered, strict=True)
        )
        near = tuple(a.reading for a in alternatives) or self._near(proposed)
        reason = " ".join((*_respelt(proposed), self._why(proposed, judged, bool(alternatives))))
        if alternatives:
            text = f"{reason} It may ask for: {'; '.join(f'{i}. {told}' for i, told in enumerate(near, 1))}."
        elif near:
            text = f"{reason} What could be answered: {'; '.join(near)}."
        else:
            text = reason = f"{reason}{self._examples()}"
        if self.proposer.missing:
            text, reason = (
                f"{t} (Read by the planner alone. {self.proposer.missing})" for t in (text, reason)
            )
        confidence = judged[0].confidence if judged else 0.0
        return Answer(
            False, text, near=near, reason=reason, confidence=round(confidence, 3), alternatives=alternatives
        )

    def _offered(self, proposed: Proposed, judged: Sequence[Judged]) -> list[Judged]:
        """The readings that people may choose from, the likeliest first; some with an unknown name put right. Of those that are told in
        the same words and give the same, one.
        """
        least = max(LEAST, BESIDE * max((j.confidence for j in judged), default=0.0))
        likely = [j for j in (*self._put_right(proposed, least), *judged) if j.confidence >= LEAST]
        best = max((j.confidence for j in likely), default=0.0)
        worth = [j for j in likely if j.confidence >= BESIDE * best]
        found: dict[tuple[str, Hashable], Judged] = {}
        for j in sorted(worth, key=lambda j: -j.confidence):
            found.setdefault((_said(j.reading, j.result), told_apart(j.result)[0]), j)
        return list(found.values())[:OFFERED]

    def _put_right(self, proposed: Proposed, least: float) -> Iterator[Judged]:
        """The best reading of the question with the nearest names for its unknown ones, each as likely as the names are alike. Where
        these are less alike than `least`, the question is not read again: that takes half of the time of asking back.
        """
        unknown = self._unknown(proposed)
        for names in islice(product(*unknown.values()), NEAR if unknown else 0):
            question, alike = proposed.asked.text, 1.0
            for name, near in zip(unknown, names, strict=True):
                said = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
                question = near.join(said.split(question))
                alike *= SequenceMatcher(None, name.casefold(), near.casefold()).ratio()
            if alike < least:
                continue
            again = self.proposer.propose(question)
            for best in judge(again)[:1]:
                if not best.lost and not self._unknown(again):
                    yield replace(best, confidence=alike * best.confidence, asked=question)

    def _why(self, proposed: Proposed, judged: Sequence[Judged], offered: bool) -> str:
        unknown = self._unknown(proposed)
        if unknown:
            return " ".join(_unknown_name(name, () if offered else near) for name, near in unknown.items())
        if judged and judged[0].lost:
            return f"The question says {' and '.join(judged[0].lost)}, and no reading of it uses that."
        ranked = proposed.ranked
        strange = ", ".join(repr(word) for word in ranked[0].unexplained) if ranked else ""
        if judged and judged[0].confidence >= LEAST:
            return "It is not clear enough what the question asks for."
        if proposed.complaint and not judged:
            return f"No reading of the question could be run: {proposed.complaint}"
        clear = (
            "no reading explains enough of the question" if ranked else "nothing in it matches the question"
        )
        return f"This graph cannot answer that: {f'nothing in it matches {strange}' if strange else clear}."

    def _unknown(self, proposed: Proposed) -> dict[str, tuple[str, ...]]:
        """The names that the graph does not have, each with the nearest that it has."""
        if self.planner is None:
            return {}
        anchors = proposed.ranked[0].plan.anchors if proposed.ranked else ()
        sure = [a for a in anchors if not a.misspelt]
        values = [
            v.text
            for v in proposed.asked.values
            if v.kind in ("name", "quoted")
            and not v.found
            and not self.planner.linker.index.exact(v.text)
            and all(v.end <= a.start or a.end <= v.start for a in sure)
        ]
        has = {v.text.casefold() for v in proposed.asked.values if v.found}
        near = [
            a.text
            for a in anchors
            if a.misspelt and a.text.casefold() not in has and not any(a.text in value for value in values)
        ]
        names = list(dict.fromkeys((*proposed.strange, *values, *near)))[:2]
        return {name: self._nearest(name) for name in names}

    def _nearest(self, name: str) -> tuple[str, ...]:
        assert self.planner is not None
        hits = self.planner.linker.index.retrieve(name, k=NEAR)
        return tuple(dict.fromkeys(self.graph.label(h.node) for h in hits))

    def _near(self, proposed: Proposed) -> tuple[str, ...]:
        """What could be asked with the question's words, as far as it can be told."""
        calls = (r.plan.call(self.graph) for r in proposed.ranked if r.coverage > 0.2)
        told = (inflected(phrased(call, self.graph.schema), self.graph.schema) for call in calls)
        return tuple(dict.fromkeys(filter(None, told)))[:NEAR]

    def _examples(self) -> str:
        if isinstance(self.executor.graph, GraphSet) and len(self.executor.graph) > 1:
            names = ", ".join(self.executor.graph.names[:3])
            return f" It has {len(self.executor.graph)} graphs, and a question is about one of them: {names}…"
        types = ", ".join(t.name for t in self.graph.schema.node_types[:8])
        return f" It knows of: {types}."

    def failed(self, reading: "Proposal", complaint: str) -> Answer:
        """The answer where no reading could be run."""
        spelling = show(reading.call, "graph-cot", self.executor.registry.vocabulary)
        return Answer(
            False, f"The question could be read as {spelling}, but that call could not be run: {complaint}"
        )


def declines(text: str) -> bool:
    """Whether the text of an answer is one by which this reader declines, for clients that send back nothing but texts.

    >>> declines("Nothing in this graph is called 'Atlantis'."), declines("Tokyo (the capital of Japan)")
    (True, False)
    """
    return _DECLINES.match(text) is not None


def judge(proposed: Proposed) -> list[Judged]:
    """The readings of a question, those that give the same as one, the likeliest first.

    Readings that pass over words that change the meaning are no rivals of those that use them all: they are judged
    apart, and come after them.
    """
    if proposed.sure:
        groups = {c.facts.key: c for c in reversed(proposed.candidates)}
        whole = IGNORED if all(c.lost for c in groups.values()) else 1.0
        return [
            Judged(c.reading, c.result, whole * proposed.sure / len(groups), c.lost)
            for c in reversed(groups.values())
        ]
    return [
        judged
        for candidates, share in zip(apart(proposed.candidates), (1.0, IGNORED), strict=True)
        for judged in _judged(proposed, candidates, share)
    ]


def _judged(proposed: Proposed, candidates: Sequence[Candidate], share: float) -> list[Judged]:
    facts = [c.facts for c in candidates]
    groups = together(facts)
    if not groups:
        return []
    sure = share * load_judge()(features(proposed.asked, facts, groups))
    judged = [
        _of_group([candidates[i] for i in group], float(p)) for group, p in zip(groups, sure, strict=True)
    ]
    return sorted(judged, key=lambda j: -j.confidence)


def _of_group(candidates: Sequence[Candidate], confidence: float) -> Judged:
    """Of readings that give the same the planner's is told where it fits, which is written in the graph's own words; else
    the network's best guess, which may put the same into an order."""
    shown = min(
        candidates,
        key=lambda c: (c.facts.planned is None or not c.facts.planned.fits, c.facts.beam < 0, c.facts.beam),
    )
    return Judged(shown.reading, shown.result, confidence, shown.lost, shown.unexplained)


def _respelt(proposed: Proposed) -> tuple[str, ...]:
    """Which words of the question are read as others, as sentences."""
    return tuple(read_as(written, right) for written, right in proposed.respelt)


def _unknown_name(name: str, near: Sequence[str]) -> str:
    """That a name is unknown, with those near it that have half of its letters or more, in their order."""
    letters = SequenceMatcher(None, "", name.casefold())
    alike = []
    for each in near:
        letters.set_seq1(each.casefold())
        if 2 * sum(block.size for block in letters.get_matching_blocks()) >= len(name):
            alike.append(each)
    nearest = f" The nearest names: {', '.join(alike)}." if alike else ""
    return f"Nothing in this graph is called {name!r}.{nearest}"


def stated(
    reading: Proposal,
    result: Result,
    confidence: float | None = None,
    unexplained: Sequence[str] = (),
    asked: str = "",
    remarks: Sequence[str] = (),
) -> Answer:
    """The answer that a reading's result is. `unexplained`: words of the question that it does not use, which it says;
    `remarks`: what else is said of how the question was read.
    """
    remarks = (*remarks, *result.remarks)
    value = to_json(result.value, result.graph)
    said = _said(reading, result)
    words = f"{said}; not used: {', '.join(map(repr, unexplained))}" if unexplained else said
    return Answer(
        answered=True,
        text=answer_in_words(value, words, remarks),
        value=value,
        evidence=result.evidence(),
        calls=result.calls,
        remarks=remarks,
        reading=words,
        asked=asked,
        confidence=None if confidence is None else round(confidence, 3),
    )


def _said(reading: Proposal, result: Result) -> str:
    """A reading as people are told it: by what its call asks for, else in the words of the reader that made it."""
    schema = result.graph.schema
    return inflected(phrased(reading.call, schema) or reading.words, schema)


def _told_apart(readings: Sequence[tuple[str, str]], schema: Schema) -> list[str]:
    """Readings in words, each with its call as it is spelled; those of the same words with the relations that only they go along."""
    same = Counter(words for words, _ in readings)
    used = [{r.name for r in schema.relations if names_in(r.name, spelled)} for _, spelled in readings]
    told = []
    for (words, _), own in zip(readings, used, strict=True):
        common = set.intersection(*(u for (w, _), u in zip(readings, used, strict=True) if w == words))
        by = sorted(own - common) if same[words] > 1 else []
        told.append(f"{words}, by {' and '.join(map(spoken, by))}" if by else words)
    return told


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
