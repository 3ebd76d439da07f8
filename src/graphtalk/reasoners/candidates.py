"""The readings of a question, whoever proposes them: phrases, the planner's plans, the network's guesses, each as a call.

Each is run, so that it can be judged by what it gives too (`judgement`).
"""

import math
import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from graphtalk.calls import parse, show
from graphtalk.calls.ast import Call, Expression, Text, walk
from graphtalk.calls.query import Match, Query, Subquery, as_query, parts_of, query_call
from graphtalk.core import CallError, StoreError
from graphtalk.engines.lower import lower
from graphtalk.graphs import GraphSet
from graphtalk.language.dictionary import is_deed, is_state, verb_done
from graphtalk.language.english import stem as english_stem
from graphtalk.language.english import thesaurus
from graphtalk.language.fronting import fronted
from graphtalk.language.identifiers import split_name
from graphtalk.language.kinds import asked_kind, asked_part, misfit
from graphtalk.language.kinship import plain_kin
from graphtalk.language.leading import ORDERS
from graphtalk.language.moments import without_moment, without_now
from graphtalk.language.nouns import is_plural, plural, singular
from graphtalk.language.operators import denied_whole, denied_words, operator_words, unmeant, unsayable
from graphtalk.language.synonyms import Reworded
from graphtalk.language.units import measures, per_unit, units, without_wanted
from graphtalk.language.wordpiece import word_rank
from graphtalk.reasoners.around.choosing import chosen
from graphtalk.reasoners.around.names import agents, deeds, root
from graphtalk.reasoners.around.reading import Around
from graphtalk.reasoners.conversation import asks_among, points_outside
from graphtalk.reasoners.direction import turned, ways_of_plan, ways_of_reading
from graphtalk.reasoners.disputing import disputing, settled
from graphtalk.reasoners.given import how_far, may_be_none, ruled_out
from graphtalk.reasoners.joined import names_in
from graphtalk.reasoners.judgement import Asked, Facts, Planned, entries_of, nodes_of, together, told_apart
from graphtalk.reasoners.omitted import aged, graded, others_deed, sexed, told_for_each
from graphtalk.reasoners.overlooked import (
    adds,
    capitalised,
    compares,
    cuts_a_name,
    decides,
    does,
    doing,
    heads,
    held,
    jointly,
    mistyped,
    money_deed,
    narrows,
    ordering_deeds,
    owned_nouns,
    says_of_name,
    several_of,
    strange_words,
    thing_of,
    unused_figures,
    who_did,
)
from graphtalk.reasoners.phrases.reading import PhraseReader
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.plain import Link as LinkValues
from graphtalk.reasoners.plain import Plain
from graphtalk.reasoners.planner.planner import Planner, Ranked
from graphtalk.reasoners.planner.reading import plan_in_words
from graphtalk.reasoners.planner.scoring import WEIGHTS
from graphtalk.reasoners.planner.unused import other_kind, unused_numbers, unused_words
from graphtalk.reasoners.reader.confidence import (
    amounts_of_others,
    either_of_both,
    first_of_others,
    means_something,
    most_of_texts,
    named_values,
    told_of_others,
    told_with_ways,
    undenied,
    unknown_names,
    unused_operators,
    used_values,
)
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reader import AskedReader, GraphReader, Read, load_reader
from graphtalk.reasoners.reader.shape import Link, Shape, Step, spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.reasoners.unsaid import Unsaid
from graphtalk.search.embedder import Embedder
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.limits import Limits
from graphtalk.tools.validity import dated
from graphtalk.tools.values import Bag, to_json

WAYS = ("Route", "Path")  # of one length they answer one question
PLANS = 4  # of the planner that are run
_LENGTHS = ("ShortestPath", "PathLength")
RANKED = 5  # readings of the network that are weighed as they are told
RANKED_PLANS = 2  # and of the planner alone
# What running one reading may take, to be judged: of the processor, for a busy machine makes no reading worse.
QUICK = Limits(seconds=20.0, processor=2.0, rows=2_000_000)
_MOST_EDGES = 1_000_000  # of a graph whose nodes are told apart by their relations
SAID = 0.99  # the share right of whole questions that people ask of any graph
PHRASED = (
    0.97  # and of those that phrases read: 1,053 of 1,078 over our own and written schemas (fit_judge.py)
)
_WORD = re.compile(r"\w+")
_JOINED = frozenset(map(stem, ("associated", "linked", "connected", "tied")))  # in some way
_TEXT = frozenset(map(stem, ("word", "text", "phrase", "term", "string", "keyword")))
_DIRECTLY = stem("directly")
_IN_SEVERAL_STEPS = re.compile(r"\[[^\]\"]*\*")
_DATING = frozenset(map(stem, ("year", "date")))
_ASKED_TYPE = re.compile(r"(?:\w+ )?(?:which|what) (?:other )?(\w+)", re.I)
_LIGHT = re.compile(  # verbs that say no more than their preposition, but of people: somebody who came from X was born there
    r"(?<!who )\b(?:(?:come|comes|came)\b(?= (?:(?:up|out) )?from\b)|(?:go|goes|went|gone)\b(?= into\b))",
    re.I,
)
_LIGHT_VERBS = frozenset("take make use hold keep run put".split())
_NODES_ASKED = re.compile(  # "which turbine has the tallest hub"
    rf"\W*(?:which|what|{'|'.join(ORDERS)})(?: me)?(?: all)?(?: of)?(?: the)? (?P<noun>\w+)"
    r" (?:has|have|had|is|are|was|were|does|do|did|that|who|with|without|not)\b",
    re.I,
)
_OF_OTHERS = re.compile(r"\b(?:total|average|highest|lowest)\b.* of the\b")
_WHO_ASKED = re.compile(r"\W*who\b", re.I)
_OWNER = re.compile(r"\W*(?:which|what) (\w+)(?:['’]s|s['’]) ", re.I)  # "which team's services had the most"

_BEST = re.compile(
    r"\bwith the (?:most|fewest|largest|smallest|highest|lowest)\b|\bmost frequent\b|, the most\b"
)
# Words that may be said of one noun of a question or of another, which the network does not tell.
_TOLD_OF_WHICH = frozenset("negation exception either both only same other".split())


@dataclass(frozen=True)
class Proposal:
    """One way to read a question: a call, what is thought of it, and what it gives in words.

    `sure`: it is no guess. `recordable`: it asks for what graphs record, whether or not this one does.
    """

    call: Call
    thought: str
    words: str
    sure: bool = True
    recordable: bool = True


@dataclass(frozen=True)
class Candidate:
    """A reading that was run: what it gave, what is known of it, and what of the question it passes over, in words.

    `lost` forbids it to be answered; `unexplained` are other words that are like nothing in the graph, and are told with it.
    """

    reading: Proposal
    result: Result
    facts: Facts
    lost: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposed:
    """All candidates for a question; `ranked` are the planner's plans, best first.

    `strange`: words that are neither of everyday English nor of the graph; `complaint`: why a reading could not be run. `sure`:
    the share of such candidates that are right, where nothing has to be judged: the whole question is one that people ask of any graph
    (`around`), or a phrase; else 0. `respelt`: the words that are read as others: (as written, as read).
    """

    asked: Asked
    candidates: tuple[Candidate, ...]
    ranked: tuple[Ranked, ...] = ()
    strange: tuple[str, ...] = ()
    complaint: str = ""
    sure: float = 0.0
    respelt: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Judged:
    """A reading that was run, with how likely it is what is meant; `lost`: what of the question it passes over.

    `asked`: the question that was read, where a name in it was put right.
    """

    reading: Proposal
    result: Result
    confidence: float
    lost: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    asked: str = ""


class Proposer:
    """Proposes readings of questions about one graph, and runs them."""

    def __init__(
        self, executor: Executor, index: Index, embedder: Embedder | None, same_or_more: bool
    ) -> None:
        self.executor = executor
        self.graph, self._index = index.graph, index
        many = isinstance(executor.graph, GraphSet) and len(executor.graph) > 1
        self.planner = None if many else Planner(self.graph, index, embedder, same_or_more)
        self.missing = ""  # why there is no learnt reader where there should be one
        self.around = Around(executor.graph, index)
        self._unsaid = Unsaid(self.graph)
        self._plain = Plain(self.graph, index)
        self._quick = replace(executor, limits=QUICK)

    @cached_property
    def reader(self) -> GraphReader | None:
        """The learnt reader of this graph; None for a set of graphs or one without types, and where its weights are not there."""
        if self.planner is None or not self.graph.schema.node_types:
            return None
        kept: dict[str, GraphReader] = vars(self.graph)
        if "_reader" not in kept:  # on the graph: all its sessions share it
            try:
                kept["_reader"] = load_reader().over(self.graph, self._index)
            except StoreError as error:
                self.missing = str(error)
                return None
        return kept["_reader"]

    @property
    def _link(self) -> LinkValues | None:
        """What finds the values that a question names; None without the learnt reader."""
        return self.reader.link if self.reader is not None else None

    def propose(self, question: str, about: str = "") -> Proposed:
        """The candidates for a question, in no order that says anything. `about`: what "them" speaks of, as a call."""
        self._complaint = ""
        self._found_nothing = list[str]()
        question, respelt = self._plain.respelt(question, self._link)
        at_time = without_moment(question)
        now = without_now(question) if at_time is None and dated(self.graph) else None
        if at_time is not None:
            proposed = self._as_of(self._proposed(at_time.question, about), at_time.period)
        elif now is not None:
            proposed = self._as_of(self._proposed(now.question, about), now.period, of_all=True)
        else:
            proposed = self._proposed(question, about)
        proposed = replace(proposed, respelt=respelt)
        outside = points_outside(question, self._plain.called)
        if not outside:
            return proposed
        spoken_of = [parse(about)] if about else []
        unsaid = tuple(
            c
            if any(part in spoken_of for part in walk(c.reading.call))
            else replace(c, lost=(*c.lost, repr(outside)))
            for c in proposed.candidates
        )
        return replace(proposed, candidates=unsaid)

    def reworded(self, question: str) -> Iterator[Reworded]:
        """The question in words that the schema has, where it says these otherwise."""
        return self._plain.reworded(question, self._link)

    def of_presence(self, question: str) -> list[Reworded]:
        """The same for what has one meaning alone: who is still there, and who has left."""
        return self._plain.of_presence(question)

    def gone(self, question: str, result: Result) -> tuple[str, ...]:
        """What is said of people in a result who have left, where the question is about now."""
        nodes = nodes_of(result.value)
        told = self._plain.gone(question, [*dict.fromkeys(map(int, nodes))]) if nodes is not None else ""
        return (told,) if told else ()

    def plainly(self, question: str) -> tuple[str, Sequence[Linked]]:
        """A question as it is read, with the values that it names."""
        plain = self._plain.put(question, self._link)
        return plain, self.reader.link(plain) if self.reader is not None else ()

    def quick(self, call: Call) -> Result | None:
        """What a call gives, within the limits of readings that are judged."""
        try:
            return self._quick.run(call)
        except CallError:
            return None

    def is_only(self, name: str) -> bool:
        """Whether one node alone is called so."""
        return len(self._index.exact(name)) == 1

    @cached_property
    def _kind_nouns(self) -> dict[str, frozenset[str]]:
        """What nodes of each type are called, by the property that names them."""
        return {
            f"P:{t.name}.{t.label or 'name'}": frozenset(spoken(t.name).lower().split())
            for t in self.graph.schema.node_types
        }

    @cached_property
    def type_nouns(self) -> frozenset[str]:
        """The nouns of types, in the singular."""
        names = (spoken(t.name).lower() for t in self.graph.schema.node_types)
        return frozenset(singular(name.rpartition(" ")[2]) for name in names)

    def as_query(self, call: Call) -> Query | None:
        """A call as a query, where it can be one."""
        return as_query(call) if call.function == "Query" else lower(call, self.graph.schema)

    def _as_of(self, proposed: Proposed, period: str, of_all: bool = False) -> Proposed:
        """The same readings of the graph as it was at a time.

        What rests on no edge that says when it holds is lost, but with `of_all`: such an edge holds now as ever.
        """
        at_time = Call("GL", (Text("graph"),), (("as_of", Text(period)),))
        if not period:
            unclear = tuple(replace(c, lost=(*c.lost, "'as of'")) for c in proposed.candidates)
            return replace(proposed, candidates=unclear)
        said, found = f"as of {period}", list[Candidate]()
        relations = {self.graph.schema.relations[d.relation].name for d in dated(self.graph)}
        for c in proposed.candidates:
            words = f"{c.reading.words}, {said}"
            reading = replace(c.reading, call=replace(c.reading.call, graph=at_time), words=words)
            always = c.result.evidence()
            of_edges = any(relation in relations for _, relation, _ in always.edges)
            for ran in self._ran("", reading, c.facts, c.lost):
                of_whole = not always.nodes and not always.edges and ran.facts.key != c.facts.key
                lost = c.lost if of_edges or of_whole or of_all else (*c.lost, repr(said))
                facts = replace(c.facts, key=ran.facts.key)
                found.append(replace(ran, facts=facts, lost=lost, unexplained=c.unexplained))
        return replace(proposed, candidates=tuple(found), complaint=proposed.complaint or self._complaint)

    def _proposed(self, question: str, about: str) -> Proposed:
        question = self._plain.put(question, self._link)
        question = plain_kin(question, self._relations_said)
        said = tuple(c for c in self._heard(question, about) if not self._only_deeds(question, c.result))
        if far := how_far(question):
            said = tuple(
                _without_words(c, (repr(far),)) if self._of_one_type(c.reading.call) else c for c in said
            )
        said = tuple(_without_words(c, ("'most'",)) if self._tells_none_apart(c) else c for c in said)
        said = tuple(_without_words(c, tuple(self._unsaid.turned(question, c.reading.call))) for c in said)
        if said or self._complaint:
            return Proposed(
                Asked(question, (), None, -np.inf), said, (), (), self._complaint, SAID if said else 0.0
            )
        among = self._among(question, about)
        if among is not None:
            return among
        asked = self.reader.ask(question) if self.reader is not None and question.strip() else None
        for same, read in ((question, asked), *self._in_order(question)):
            if phrased := self._not_ruled_out(
                same, read, _anybody(same, self._closest(read, tuple(self._phrased(same, read))))
            ):
                if not any(word.kind in _TOLD_OF_WHICH for word in operator_words(same)):
                    phrased = self._settled(read, phrased)
                phrased = (*phrased, *self._rivals(same, read, phrased))
                return Proposed(
                    Asked(same, read.values if read else (), None, -np.inf), phrased, sure=PHRASED
                )
        guesses = asked.guesses() if asked is not None else []
        none = next((r.log for r in guesses if r.reading is None), -np.inf)
        put = Asked(
            question, () if asked is None else asked.values, asked.shape if asked else None, float(none)
        )
        ranked = self.plans(question, put.values)
        found = [*self._guessed(question, asked, guesses), *self._planned(question, asked, ranked)]
        has = {w for v in put.values if v.found for w in _WORD.findall(v.text)}
        # "In kilobytes", "per gram": whether they are used is asked elsewhere.
        has |= {m[1] for m in per_unit(question)} | {m.word for m in self._unsaid.units.said(question)}
        unexplained = ranked[0].unexplained if ranked else self._unexplained(question)
        strange = tuple(w for w in strange_words(unexplained) if w not in has)
        names = [(a.start, a.end) for r in ranked[:1] for a in r.plan.anchors]
        ordering = [w for w in ordering_deeds(question, put.values) if stem(w) not in self._schema_stems]
        compounds = [  # "Part-timers hired in 2015": a first word has its capital anyway, and is no name
            v.text
            for v in put.values
            if v.kind == "name" and not v.found and "-" in v.text and not question[: v.start].strip()
            if not self._schema_stems.issuperset(map(stem, v.text.lower().split("-")))
        ]
        lost = tuple(map(repr, (*strange, *ordering, *compounds, *denied_whole(question, names))))
        if self.planner is not None:
            lost += tuple(graded(question, put.values, self.type_nouns, self._schema_stems))
            lost += tuple(sexed(question, put.values, self._schema_stems))
        if put.shape is not None:
            lost += tuple(self._phrases(put.shape).of_others(question, put.values, guessed=True))
        types = [t.name for t in self.graph.schema.node_types]
        # What phrases read word for word and there is none of is not what else may be found.
        nothing = tuple(f"{words!r}, of which there are none" for words in self._found_nothing[:1])
        opposites = list(self._opposites(question))
        asked_type = self._asked_type(question)
        found = [
            _without_words(
                c,
                (
                    *lost,
                    *(nothing if c.facts.rows else ()),
                    *map(repr, _undenied(c, opposites, put.shape)),
                    *self._unsaid.of(
                        question,
                        put.values,
                        c.reading.words,
                        c.reading.call,
                        self.types(c.result),
                        c.facts.rows,
                    ),
                    *self._other_type(c, asked_type),
                    *([repr(deed)] if (deed := self._only_deeds(question, c.result)) else ()),
                    *(["'most'"] if self._tells_none_apart(c) else ()),
                    *others_deed(question, show(c.reading.call), types),
                ),
            )
            for c in found
        ]
        quoted = {w for v in put.values if v.kind == "quoted" for w in _WORD.findall(v.text)}
        unlike = self._unlike(question, put.values, unexplained)
        outside = [w for w in unlike if w not in quoted]
        done = {w for w in outside if does(w, question, put.values, self._type_nouns)}
        deciding = done | {w for w in outside if decides(w, question)}
        nouns = self._type_nouns, self._property_nouns
        forbidding = {w for w in outside if narrows(w, question, put.values, *nouns)}
        verbs = {w for w in deciding if is_deed(w.lower())}
        forbidding |= {
            w
            for w in outside
            if heads(w, question)
            or adds(w, question)
            or held(w, question)
            or compares(w.lower())
            or several_of(w)
            or jointly(w, question)
        }
        forbidding |= {w for w in outside if doing(w, question, self._type_nouns, outside)}
        forbidding |= {w for w in verbs if w in done or not is_state(w.lower()) or who_did(w, question)}
        places = [(w, m) for w in outside for m in re.finditer(rf"\b{re.escape(w)}\b", question)]
        forbidding |= {
            w for w, place in places if says_of_name(place, question, put.values, self._type_nouns)
        }
        alike = [
            m[0]
            for m in _WORD.finditer(question)
            if m[0] not in unlike
            and is_deed(m[0].lower())
            and not is_state(m[0].lower())
            and not _is_light(verb_done(m[0].lower()) or m[0])
            and not any(v.start < m.end() and m.start() < v.end for v in put.values if v.found)
            and says_of_name(m, question, put.values, self._type_nouns)
        ]
        found = [_without_words(c, [repr(w) for w in alike if not _says(c, w)]) for c in found]
        if spent := money_deed(question):  # what clients paid is no price of what they hired
            found = [_without_words(c, [repr(spent)]) if _adds_up_another(c, spent) else c for c in found]
        meant = self._plain.stands_for(question)
        owned = owned_nouns(question, put.values, self._kind_nouns)
        found = [
            _without_words(c, [repr(w) for w in owned if not (_says(c, w) or _stands(c, meant.get(w, ())))])
            if self.types(c.result)
            else c
            for c in found
        ]
        things = {w for w in outside if thing_of(w, question) and not is_deed(w.lower())}
        found = [
            _explained(
                c,
                meant,
                [w for w in unlike if not self._meant(w, question, c.reading.call)],
                frozenset(outside)
                if c.reading.words in self._wholes
                # Whether something belongs to the town is no question of whether there is something.
                else forbidding | (things if isinstance(c.result.value, bool) else set()),
                deciding,
            )
            for c in found
        ]
        found = self._fitted(found, question)
        return Proposed(put, tuple(found), tuple(ranked), strange, self._complaint)

    def _unexplained(self, question: str) -> list[str]:
        """The nouns that are asked for and that nothing in the graph matches, where no plan tells which words are so: other words may be
        what only phrases and the network know ("rented", of rentals).
        """
        words = [] if self.planner is None else self.planner.unexplained(question)
        nouns = [w for w in words if several_of(w) or heads(w, question) or is_plural(w)]
        listed = word_rank("\0")  # what is not is a name, or misspelt
        return [w for w in nouns if word_rank(singular(w.lower())) < listed]

    def _unlike(self, question: str, values: Sequence[Linked], unexplained: Sequence[str]) -> list[str]:
        """The words of a question that are like nothing in the graph, and that mean something to no other part: units, words of
        an operator ("share of"), dates (whether these are used is asked elsewhere), verbs that say no more than their
        preposition, the order that it begins with.
        """
        known = {m.word for m in self._unsaid.units.said(question)}
        known |= {w for operator in operator_words(question) for w in operator.word.split()}
        known |= {m[0] for m in _LIGHT.finditer(question)}
        known |= {w for v in values if v.kind == "date" for w in _WORD.findall(question[v.start : v.end])}
        known |= {
            word for word, _ in self._opposites(question)
        }  # where they are not denied is asked elsewhere
        known.add(asked_part(question))  # whether it is one that is given is asked elsewhere
        first = _WORD.search(question)
        if first and first[0].lower() in ORDERS:
            known.add(first[0])
        return [w for w in unexplained if w not in known]

    def _meant(self, word: str, question: str, call: Call) -> bool:
        """Whether a call means what a vague word says: that things are joined, where they are in one way only; "directly", where a relation
        is followed once; the year of a date; the "word" that a text in quotes is.
        """
        vague = stem(word.lower())
        if vague == _DIRECTLY:
            return _IN_SEVERAL_STEPS.search(show(call)) is None
        if vague in _TEXT:
            return re.search(rf"\b{re.escape(word)} [\"'“‘]", question) is not None
        if vague in _JOINED:
            spelled, relations = show(call), self.graph.schema.relations
            used = [{r.source, r.target} for r in relations if names_in(r.name, spelled)]
            return bool(used) and all(
                sum({r.source, r.target} == ends for r in relations) == 1 for ends in used
            )
        if vague not in _DATING or self.reader is None:
            return False
        spelled = show(call)
        return any(is_date(held) and names_in(held.name, spelled) for held in self.reader.shape.held)

    def _in_order(self, question: str) -> Iterator[tuple[str, AskedReader]]:
        """The question in its usual order, where it is not."""
        if self.reader is not None:
            yield from ((same, self.reader.ask(same)) for same in fronted(question))

    def _asked_type(self, question: str) -> str:
        """The type that a question asks for: "X began with which book", "which team's games were lost", "which turbine has the tallest
        hub" (no `turbine_model` is one); empty where it names none.
        """
        owner = _OWNER.match(question)
        nouns = [owner[1]] if owner else []
        nouns += [m[1] for same in fronted(question) if (m := _ASKED_TYPE.match(same))]
        spoken_of = {t.name: spoken(t.name) for t in self.graph.schema.node_types}
        types = {singular(said.split()[-1]): name for name, said in spoken_of.items()}
        asked = _NODES_ASKED.match(question)
        whole = {singular(said): name for name, said in spoken_of.items()}
        if asked and (one := singular(asked["noun"].lower())) in whole:
            return whole[one]
        return next((types[one] for noun in nouns if (one := singular(noun.lower())) in types), "")

    def _only_deeds(self, question: str, result: Result) -> str:
        """The verb of a question whose object is asked for, where a result is nothing but what stands for the verb."""
        if self.reader is None:
            return ""
        return self._phrases(self.reader.shape).only_deeds(question, self.types(result) or ())

    def _other_type(self, candidate: Candidate, wanted: str) -> Iterator[str]:
        """What forbids a reading that gives nodes of none but other types than is asked for."""
        types = self.types(candidate.result) if wanted else None
        if types and wanted not in types:
            yield repr(f"which {wanted}")

    def _of_one_type(self, call: Call) -> bool:
        """Whether a call tells how many edges, of no length, two nodes of one type among several are apart: places may be so on the ground."""
        if call.function not in _LENGTHS or len(call.arguments) > 2 or len(self.graph.schema.node_types) == 1:
            return False
        ends = [self.executor.check(end).node_types for end in call.arguments[:2] if isinstance(end, Call)]
        return len(ends) == 2 and ends[0] == ends[1]

    def _tells_none_apart(self, candidate: Candidate) -> bool:
        """Whether the best of some type are all of them: what Ann ordered most often is not all that there is, where she ordered nothing."""
        ranked = _BEST.search(candidate.reading.words) or "PageRank" in show(candidate.reading.call)
        nodes = nodes_of(candidate.result.value) if ranked else None
        types = self.types(candidate.result) if nodes is not None and len(nodes) > 2 else None
        sizes = {t.name: t.count for t in self.graph.schema.node_types}
        return nodes is not None and bool(types) and len(set(nodes)) == sum(sizes[t] for t in types or ())

    def types(self, result: Result) -> set[str] | None:
        """The types of the nodes that a call gave; None where it gave something else."""
        nodes = nodes_of(result.value)
        types = self.graph.schema.node_types
        return None if nodes is None else {types[i].name for i in self.graph.types_of(nodes)}

    def _heard(self, question: str, about: str) -> Iterator[Candidate]:
        """What a question asks for that people ask of any graph; of two shortest ways of one length the first, and no way where there is
        another.
        """
        one = None if isinstance(self.executor.graph, GraphSet) else chosen(question, self.graph, self._index)
        candidates = [
            (heard.call, found)
            for heard in ([one] if one is not None else self.around.heard(question, about))
            for found in self._ran(
                question,
                Proposal(heard.call, f"The question asks for {heard.words}.", heard.words),
                Facts("", "", 0, 0, False),
            )
        ]
        there = [(call, found) for call, found in candidates if not _no_way(found.result.value)]
        told = set[tuple[Expression | int, ...]]()
        for call, found in there or candidates:
            ways = call.function in WAYS and isinstance(found.result.value, Bag)
            key = (len(found.result.value), *call.arguments[2:]) if ways else ()  # type: ignore[arg-type]
            if not ways or key not in told:
                told.add(key)
                yield found

    def _among(self, question: str, about: str) -> Proposed | None:
        """What "which of them …" asks: those of them that "which <type> …" gives, whoever reads that."""
        found = asks_among(question) if about else None
        kind = self.executor.check(them := parse(about)) if found else None
        if found is None or kind is None or kind.kind != "nodes" or len(kind.node_types) != 1:
            return None
        of_all = self.propose(f"Which {plural(kind.node_types[0])} {found['that']}?")
        candidates: list[Candidate] = []
        for c in of_all.candidates:
            given = self.executor.check(c.reading.call)
            if given.kind != "nodes" or given.node_types != kind.node_types:
                continue
            call = Call("Intersect", (Call("Distinct", (them,)), c.reading.call))
            counts = found["asks"].lower() == "how many"
            words = f"{'how many' if counts else 'those'} among them: {c.reading.words}"
            reading = replace(c.reading, call=Call("Count", (call,)) if counts else call, words=words)
            for ran in self._ran(question, reading, c.facts, c.lost):
                candidates.append(replace(ran, unexplained=c.unexplained))
        return replace(of_all, candidates=tuple(candidates))

    def _phrased(self, question: str, asked: AskedReader | None) -> Iterator[Candidate]:
        """What a question asks for whose every word has its place in a grammar of phrases.

        What has an unknown name in brackets is not read so. What leads to nothing is left to be judged, but where the question
        denies something: more often it is misread than true.
        """
        if asked is None or any(not v.found and question[: v.start].endswith("[") for v in asked.values):
            return
        denied = any(word.kind == "negation" for word in operator_words(question))
        reader, plain = self._phrases(asked.shape), without_wanted(question)
        heard = reader.heard(plain, asked.values)
        if not heard and asked.doubtful:
            heard = reader.heard(plain, (*asked.values, *asked.doubtful))
        for said, positive in heard:
            reading = Proposal(said.call, f"The question asks for {said.words}.", said.words)
            lost = tuple(self._unsaid.units.unmet(question, asked.values, show(said.call)))
            for found in self._ran(question, reading, Facts("", "", 0, len(lost), False), lost):
                value = to_json(found.result.value, found.result.graph)
                number = value[0] if isinstance(value, list) and len(value) == 1 else value
                below = positive and isinstance(number, int | float) and number <= 0
                below |= (
                    number == 0 and said.words.startswith("total ") and not found.result.evidence(1).nodes
                )
                nothing = found.facts.kind == "things" and found.facts.rows == 0
                nothing &= not (denied or may_be_none(said.call))
                if not nothing and value is not None and value != [None] and not below:
                    yield found
                elif nothing:
                    self._found_nothing.append(said.words)

    def _closest(self, asked: AskedReader | None, said: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Of a question with a name the readings in which the fewest relations lead to anything at all: "an author and the publisher of X"
        are both X's, and not any author.
        """
        if asked is None or not any(v.found for v in asked.values):
            return said
        loose = [_to_anything(c.reading.call) for c in said]
        return tuple(c for c, number in zip(said, loose, strict=True) if number == min(loose))

    def _rivals(
        self, question: str, asked: AskedReader | None, phrased: Sequence[Candidate]
    ) -> Iterator[Candidate]:
        """What the network is sure of, where it would not read a question as phrases do: then both are offered."""
        if asked is None:
            return
        weighed = [self.weighed(asked, c.reading.call) for c in phrased]
        other = disputing(question, asked, weighed)
        if other is None:
            return
        same = {c.facts.key for c in phrased}
        found = list(self._guessed(question, asked, [other]))
        if not any(c.facts.key in same for c in found):
            unmet = self._unsaid.units.unmet
            yield from (
                c
                for c in found
                if not c.lost and not any(unmet(question, asked.values, show(c.reading.call)))
            )

    def _settled(self, asked: AskedReader | None, phrased: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Of phrases that tell the same of different nodes the one that the network is sure of, where it would say none of the others."""
        groups: dict[Hashable, list[Candidate]] = {}
        for candidate in phrased:
            groups.setdefault(candidate.facts.key, []).append(candidate)
        if asked is None or len(groups) < 2 or any(c.lost for c in phrased):
            return phrased
        weighed = [[self.weighed(asked, c.reading.call) for c in group] for group in groups.values()]
        known = [read for group in weighed for read in group if read is not None and read.reading is not None]
        if len({read.reading.columns for read in known if read.reading is not None}) > 1:
            return phrased
        logs = [max((read.log for read in group if read is not None), default=None) for group in weighed]
        chosen = settled(logs)
        return phrased if chosen is None else tuple(list(groups.values())[chosen])

    def _not_ruled_out(
        self, question: str, asked: AskedReader | None, said: tuple[Candidate, ...]
    ) -> tuple[Candidate, ...]:
        """The readings that the question does not rule out by what they give; where it rules out all, these with what does so."""
        values, schema = asked.values if asked else (), self.graph.schema
        out = [
            (
                *ruled_out(
                    question,
                    values,
                    c.reading.call,
                    c.reading.words,
                    to_json(c.result.value, c.result.graph),
                    schema,
                ),
                *([repr(deed)] if (deed := self._only_deeds(question, c.result)) else ()),
                *(["'most'"] if self._tells_none_apart(c) else ()),
                *(
                    self._phrases(asked.shape).of_others(question, values, guessed=False)
                    if asked is not None
                    else ()
                ),
                *map(repr, unmeant(question, [(v.start, v.end) for v in values if v.found])),
                *aged(question, c.reading.words),
                *self._unsaid.undone(question, values, c.reading.call),
                *self._unsaid.turned(question, c.reading.call),
                *self._unsaid.gone_past(question, values, c.reading.call),
            )
            for c in said
        ]
        left = tuple(c for c, words in zip(said, out, strict=True) if not words)
        return left or tuple(_without_words(c, words) for c, words in zip(said, out, strict=True))

    def _phrases(self, shape: Shape) -> PhraseReader:
        """The reader of phrases of this graph; all its sessions share it."""
        kept: dict[str, PhraseReader] = vars(self.graph)
        if "_phrases" not in kept:
            kept["_phrases"] = PhraseReader(self.graph, shape)
        return kept["_phrases"]

    def _opposites(self, question: str) -> Iterator[tuple[str, str]]:
        """The words that say the opposite of a word of the schema, which has none of their own, each with that: "unpublished"."""
        if self.planner is not None:
            for word, rest in denied_words(question):
                if stem(rest.lower()) in self._schema_stems and stem(word.lower()) not in self._schema_stems:
                    yield word, rest

    def plans(self, question: str, values: Sequence[Linked]) -> list[Ranked]:
        """The planner's plans that cut up no name, best first; one that turns round who does what comes after its opposite."""
        plans = [] if self.planner is None else self.planner.plans(question)
        found = []
        for each in (r for r in plans if not cuts_a_name(r, question)):
            parts = dict(each.plan.parts)
            for way in ways_of_plan(each.plan, self.graph.schema):
                said, opposite = (
                    turned(question, (w,), values, self._inverses)
                    for w in (way, replace(way, out=not way.out))
                )
                if said and not opposite:
                    parts["turned"] = WEIGHTS.turned
            found.append(replace(each, plan=each.plan.scored(parts)))
        return sorted(found, key=lambda r: -r.plan.score)

    # the network's

    def _guessed(
        self, question: str, asked: AskedReader | None, guesses: Sequence[Read]
    ) -> Iterator[Candidate]:
        real = [r for r in guesses if r.reading is not None]
        for place, read in enumerate(real):
            assert asked is not None and read.query is not None and read.reading is not None
            if self._phrases(asked.shape).says_nothing(read.reading):
                continue
            reading = Proposal(query_call(read.query), f"The question may ask for: {read.told}.", read.told)
            lost = self._lost(question, asked, read)
            facts = Facts("", "", 0, len(lost), False, read, place)
            yield from self._ran(question, reading, facts, lost)

    def _lost(self, question: str, asked: AskedReader, read: Read) -> tuple[str, ...]:
        assert read.reading is not None
        words = unused_operators(question, read.reading, asked.shape, asked.values)
        unknown = unknown_names(read.reading, asked.shape, asked.values)
        meant = [asked.values[i] for i in sorted(used_values(read.reading))]
        used = [(v.start, v.end) for v in meant]
        names = capitalised(question, used, read.told, self._schema_stems)
        names += unused_figures(asked.values, used)
        more = [
            w
            for w in unsayable(question, used)
            if stem(w) not in self._schema_stems and not told_for_each(w, read.told)
        ]
        if read.reading.asks == "SHARE" and len(read.reading.items) > 1:  # of which of them it is the share
            more.append("share")
        ways = ways_of_reading(read.reading, asked.shape, asked.values)
        more += turned(question, ways, asked.values, self._inverses)
        names_of = [
            (asked.values[i], asked.shape.properties[held])
            for i, held in named_values(read.reading, asked.shape)
        ]
        taken = [(v.start, v.end, held.owner) for v, held in names_of]
        more += mistyped(question, taken, asked.values, asked.shape)
        # "Blood type Q", which nobody has.
        more += [v.text for v in meant if v.kind == "name" and not v.found and len(v.text) == 1]
        more += first_of_others(question, read.reading, asked.shape)
        more += most_of_texts(question, read.reading, asked.shape)
        more += amounts_of_others(question, read.reading, asked.shape, asked.values)
        several = self._phrases(asked.shape).several
        more += either_of_both(question, read.reading, asked.shape, asked.values, several)
        for told, ways_there in told_with_ways(question, read.reading, asked.shape):
            more += told_of_others(question, told, ways_there, asked.values, several)
        return tuple(repr(w) for w in dict.fromkeys((*words, *unknown, *names, *more)))

    # the planner's

    def _planned(
        self, question: str, asked: AskedReader | None, ranked: Sequence[Ranked]
    ) -> Iterator[Candidate]:
        for place, r in enumerate(ranked[:PLANS]):
            reading = self.planned_reading(r)
            quoted = [v.text for v in asked.values if v.kind == "quoted" and not v.found] if asked else []
            passed = [text for text in quoted if text not in reading.words]
            used = [span for a in r.plan.anchors for span in ((a.start, a.end), *a.told)]
            passed += capitalised(question, used, reading.words, self._schema_stems)
            passed += [w for w in unsayable(question, used) if stem(w) not in self._schema_stems]
            values = asked.values if asked else ()
            passed += turned(question, ways_of_plan(r.plan, self.graph.schema), values, self._inverses)
            types = [
                (a.start, a.end, name)
                for a in r.plan.anchors
                for several in [{self.graph.node_type(node).name for node in a.nodes}]
                for name in several
                if len(several) == 1 or f"{spoken(name)} {question[a.start : a.end]}" in reading.words
            ]
            passed += mistyped(question, types, values, asked.shape) if asked else ()
            if asked is not None and r.plan.operation == "feature":
                steps = [Step(way.link, not way.out) for way in ways_of_plan(r.plan, self.graph.schema)]
                several = self._phrases(asked.shape).several
                passed += told_of_others(question, spoken(r.plan.feature), steps, values, several)
            lost = tuple(dict.fromkeys((*self.unused(r), *map(repr, passed))))
            parts = dict(r.plan.parts)
            planned = Planned(
                place, r.fits, r.plan.score, r.coverage, parts["focus"] / WEIGHTS.focus,
                parts["support"], parts["cues"], len(r.slips),
            )  # fmt: skip
            read = self.weighed(asked, reading.call) if place < 2 else None
            facts = Facts("", "", 0, len(lost), False, read, -1, planned)
            yield from self._ran(question, reading, facts, lost)

    def weighed(self, asked: AskedReader | None, call: Call) -> Read | None:
        """Another's reading as the network weighs it."""
        if asked is None:
            return None
        query = self.as_query(call)
        return None if query is None else asked.likely(query)

    def planned_reading(self, ranked: Ranked) -> Proposal:
        """A plan as a reading."""
        plan = plan_in_words(ranked.plan)
        slips = [f"taking {a.text!r} for {self.graph.label(a.nodes[0])!r}" for a in ranked.slips]
        call = ranked.plan.call(self.graph)
        return Proposal(call, f"The question asks for: {plan}.", ", ".join([plan, *slips]))

    def unused(self, ranked: Ranked) -> list[str]:
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

    @cached_property
    def _relations_said(self) -> frozenset[str]:
        """What relations are called from either end, in words."""
        return frozenset(spoken(n) for r in self.graph.schema.relations for n in (r.name, r.inverse) if n)

    @cached_property
    def _inverses(self) -> dict[Link, str]:
        """What relations are called from their other end."""
        relations = self.graph.schema.relations
        return {Link(r.name, r.source, r.target, r.undirected): r.inverse or "" for r in relations}

    @cached_property
    def _schema_stems(self) -> frozenset[str]:
        return frozenset(map(stem, self._schema_words))

    @cached_property
    def _type_nouns(self) -> frozenset[str]:
        """The first words of the types' names, in the singular and in the plural."""
        firsts = [split_name(t.name)[:1] for t in self.graph.schema.node_types]
        return frozenset(form for words in firsts for w in words for form in (w, singular(w), plural(w)))

    @cached_property
    def _property_nouns(self) -> frozenset[str]:
        """The words of the nodes' properties that are no deeds: `colour` of a dog, not `collected`."""
        names = (spoken(f.name) for t in self.graph.schema.node_types for f in t.features)
        return frozenset(w for name in names for w in name.split() if not is_deed(w))

    @cached_property
    def _wholes(self) -> frozenset[str]:
        """What is told of all nodes of a type: a word that such a reading passes over is all that a question says of them."""
        nouns = [plural(spoken(t.name)) for t in self.graph.schema.node_types]
        return frozenset(f"{of}{noun}" for noun in nouns for of in ("", "all ", "number of ", "count of "))

    def _fitted(self, found: Sequence[Candidate], question: str) -> list[Candidate]:
        """The candidates, of which the likeliest that pass over nothing are weighed as they are told."""
        whole = [c for c in apart(found)[0] if c.facts.read or c.facts.planned]
        groups = [[whole[i] for i in g] for g in together([c.facts for c in whole])]
        reads = [[r for c in g if (r := c.facts.read)] for g in groups]
        guessed = sorted((max(own, key=lambda r: r.log) for own in reads if own), key=lambda r: -r.log)
        planned = [g[0].reading.words for g, own in zip(groups, reads, strict=True) if not own]
        told = [*(r.told for r in guessed[:RANKED]), *planned[:RANKED_PLANS]]
        if self.reader is None or not told:
            return list(found)
        ranks = {words: self.reader.rank(question, words) for words in told}
        return [
            replace(c, facts=replace(c.facts, rank=ranks.get(_told(c), math.nan))) if not c.lost else c
            for c in found
        ]

    # running

    def _ran(
        self, question: str, reading: Proposal, facts: Facts, lost: tuple[str, ...] = ()
    ) -> Iterator[Candidate]:
        """The reading with what it gives; nothing where it cannot be run."""
        try:
            result = self._quick.run(reading.call)
        except CallError as error:
            self._complaint = self._complaint or str(error)
            return
        unknown = self._unsaid.unknown(reading.call, reading.words)
        if unknown:
            self._complaint = self._complaint or unknown
            return
        key, kind, rows = told_apart(result)
        unfit = misfit(question, entries_of(result), self.types(result) or ())
        lost = (*lost, repr(unfit)) if unfit else lost
        if rows == 0 and kind == "things":
            lost = (*lost, *map(repr, self._alien(reading.call)))
        asked = asked_kind(question)
        other = asked != kind if asked else kind == "truth"  # what is told is no question
        yield Candidate(
            reading, result, replace(facts, key=key, kind=kind, rows=rows, other_kind=other), lost
        )

    def _alien(self, call: Call) -> Iterator[str]:
        """The names from which a call follows a relation that only nodes of another kind have: nobody "lives in Norway" where people
        live in cities. Types tell that; in a graph without, nodes are of one kind that have an end of some relation in common.
        """
        schema = self.graph.schema
        if len(schema.node_types) > 1 or self.graph.num_edges > _MOST_EDGES:
            return
        for part in walk(call):
            if not isinstance(part, Call) or part.function != "NeighbourCheck" or len(part.arguments) != 2:
                continue
            name, view = part.arguments
            named = name.arguments[0] if isinstance(name, Call) and name.function == "RetrieveNode" else None
            if not isinstance(named, Text) or not isinstance(view, Text):
                continue
            nodes = self._index.exact(named.value)
            out = not view.value.startswith("^")
            ends = [
                (r.name == view.value.removeprefix("^") and end == out, self.graph.ends(i)[0 if end else 1])
                for i, r in enumerate(schema.relations)
                for end in (True, False)
            ]
            have = np.unique(np.concatenate([own for asked, own in ends if asked] or [np.empty(0, np.int64)]))
            alike = any(np.isin(nodes, own).any() and np.isin(have, own).any() for _, own in ends)
            if nodes and len(have) and not alike:
                yield str(named.value)


def _no_way(value: object) -> bool:
    """Whether a way leads nowhere: no nodes, or infinitely far."""
    return (isinstance(value, Bag) and len(value) == 0) or value == math.inf


def _to_anything(call: Call) -> int:
    """How many conditions of a query say no more than that a relation leads somewhere."""
    query = as_query(call) if call.function == "Query" else None
    there = [part.query for part in parts_of(query) if isinstance(part, Subquery) and part.keeps == "exists"]
    matches = [[part for part in parts_of(each) if isinstance(part, Match)] for each in there]
    return sum(
        len(found) == 1 and found[0].where is None and len(found[0].patterns) == 1 for found in matches
    )


def _without_words(candidate: Candidate, lost: Sequence[str]) -> Candidate:
    """The candidate, of which more words are lost."""
    return replace(candidate, lost=tuple(dict.fromkeys((*candidate.lost, *lost))))


def _told(candidate: Candidate) -> str:
    read = candidate.facts.read
    return candidate.reading.words if read is None else read.told


def _undenied(candidate: Candidate, opposites: Sequence[tuple[str, str]], shape: Shape | None) -> list[str]:
    """The words for the opposite of another that a reading does not deny, as far as the network can say it."""
    read = candidate.facts.read
    if read is None or read.reading is None or shape is None:
        return [word for word, _ in opposites]
    return undenied(opposites, read.reading, shape)


def apart(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """The readings that use all that the question says, and those that pass over some: they are judged apart."""
    return [c for c in candidates if not c.lost], [c for c in candidates if c.lost]


def _is_light(verb: str) -> bool:
    """Whether a verb says no more than what is done with it: "get votes", "take a course", "use a part"."""
    return means_something(verb) or verb.lower() in _LIGHT_VERBS


def _says(candidate: Candidate, verb: str) -> bool:
    """Whether a reading says a verb, by its own words, what these do, or by a general synonym: who "paid for" X is not its client."""
    told = [word.lower() for word in _WORD.findall(candidate.reading.words)]
    groups = thesaurus().groups([english_stem(word) for word in (verb.lower(), *told)])
    alike = groups[0] & frozenset[str]().union(*groups[1:])
    return not _stems_said(told).isdisjoint((stem(verb.lower()), root(verb.lower()))) or bool(alike)


def _adds_up_another(candidate: Candidate, verb: str) -> bool:
    """Whether a reading adds up what others have, none of which is called by a verb: who "paid" the most, by the prices of gigs."""
    words = candidate.reading.words
    told = _stems_said([word.lower() for word in _WORD.findall(words)])
    return _OF_OTHERS.search(words) is not None and told.isdisjoint((stem(verb.lower()), root(verb.lower())))


def _anybody(question: str, said: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Of readings of "who" that differ in the kind of people alone those that there is somebody of: no engineer has both ratings, but pilots have."""
    there = {_of_kind(c) for c in said if c.facts.rows} if _WHO_ASKED.match(question) else set()
    return tuple(c for c in said if c.facts.rows or c.facts.kind != "things" or _of_kind(c) not in there)


def _of_kind(candidate: Candidate) -> str:
    """What a reading says behind the noun of its type."""
    return candidate.reading.words.partition(" ")[2]


def _stands(candidate: Candidate, names: Collection[str]) -> bool:
    """Whether a reading says one of the names that a word stands for."""
    said = {stem(word.lower()) for word in _WORD.findall(candidate.reading.words)}
    return any(said.issuperset(map(stem, name.split())) for name in names)


def _stems_said(words: Sequence[str]) -> set[str]:
    """The stems of words, and the roots of what these do, if as nouns: a "buyer" bought."""
    return {stem(word) for word in words} | {done for word in words for done in (*agents(word), *deeds(word))}


def _explained(
    candidate: Candidate,
    names: Mapping[str, Collection[str]],
    unlike: Sequence[str],
    forbidding: Collection[str],
    deciding: Set[str],
) -> Candidate:
    """The candidate with those of the words that are like nothing in the graph that it does not say itself, if as a noun (a "buyer" bought),
    or by what its parts are called: `names` are those that words stand for.

    Some forbid it to be answered; how many of the others stand where they may decide what is asked is for the judge.
    """
    told = [word.lower() for word in _WORD.findall(candidate.reading.words)]
    said = _stems_said(told)
    roots = {root(word) for word in told} | said
    said_in = {unit for word in told for unit in units(word)}
    said |= {stem(word) for word in measures(said_in)}
    several = {plural(word) for word in told}
    words = tuple(
        w
        for w in unlike
        if w.lower() not in several
        and said.isdisjoint((stem(w.lower()), root(w.lower())))
        and said_in.isdisjoint(units(w))
        and not means_something(w)
        and not any(roots.issuperset(map(root, key.split())) for key in names.get(w, ()))
    )
    lost = (*candidate.lost, *(repr(w) for w in words if w in forbidding))
    open_ = deciding & set(words) - set(forbidding)
    facts = replace(candidate.facts, unexplained=len(words), deciding=len(open_))
    return replace(candidate, lost=tuple(dict.fromkeys(lost)), unexplained=words, facts=facts)
