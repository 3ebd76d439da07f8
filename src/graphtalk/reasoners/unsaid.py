"""What a question says that a reading of it does not: places, orders, opposites, relations, halves of names.

A reading that leaves any of it out answers another question, however likely it is.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

import numpy as np

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Text
from graphtalk.core import LimitError
from graphtalk.graphs import Graph, NodeType
from graphtalk.language.dictionary import is_deed, verb_done
from graphtalk.language.english import stem as english_stem
from graphtalk.language.english import thesaurus
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import is_person, may_act
from graphtalk.language.synonyms import said_for
from graphtalk.reasoners.around.names import agents, numbered, root
from graphtalk.reasoners.joined import Joined, names_in
from graphtalk.reasoners.omitted import (
    aged,
    before_another,
    begins_doing,
    being_then,
    belongs,
    best_alone,
    by_how_much,
    counts_another,
    counts_nothing,
    counts_other_nouns,
    counts_the_doer,
    done_otherwise,
    dropped,
    every_one,
    formerly,
    future,
    in_periods,
    inside,
    lasted,
    measured_otherwise,
    misplaced,
    most_counted,
    most_of_another,
    narrower,
    nobody,
    number_asked,
    numbers,
    opposed,
    own_compared,
    phrasal,
    rated_by,
    rates,
    roles,
    share_of_others,
    told_flag,
    took_to,
    turned_round,
    uncompared,
    unmeasurable,
    unmeasured,
    unordered,
    who_asks,
    whose_role,
    wished,
    with_whom,
)
from graphtalk.reasoners.phrases.relations import does_another
from graphtalk.reasoners.phrases.schema_words import deeds_of_event
from graphtalk.reasoners.phrases.words import STAYING
from graphtalk.reasoners.reader.confidence import means_something
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.reasoners.totals_of import TotalsOf
from graphtalk.reasoners.units import Units

_HEAD = re.compile(r"\W*what(?: is| are| was| were|'s) the (?:[\w'-]+ ){0,2}?([\w'-]+) of\b", re.I)
_WHICH = re.compile(
    r"\W*(?:which|what) (?:of the )?([\w'-]+) (?:are|is|was|were|has|have|had|did|do|does|that|who|\w+ed)\b",
    re.I,
)
_TWO_ASKED = re.compile(
    r"\W*(?:what (?:is|are|was|were)|show|list|give|find|return|display|get|tell)(?: me)?(?: the)? (?:[\w-]+ ){1,3}and (?:the )?((?:[\w-]+ ){0,2}[\w-]+)(?: (?:of|for) |,? (?:ordered|sorted|in) |\W*$)",
    re.I,
)
_NAMES_ASKED = re.compile(
    r"\W*(?:what (?:is|are|was|were)|show|list|give|find|return|display|get|tell)(?: me)?(?: all)?(?: the)? (?:\w+ ){0,2}?names?\b",
    re.I,
)
_NOUN_ASKED = re.compile(
    r"\W*(?:(?:which|what)(?: (?:is|are|was|were)(?: the)?)?|(?:show|list|give|find|return|display|get|tell)(?: me)?(?: all)?(?: the)?)"
    r"(?: different| distinct| unique)? ([\w-]+)(?! of\b| and\b|,)",
    re.I,
)
_THAN_IT = re.compile(r"\bthan (?:the )?[\"'“‘]?$", re.I)
_TWO_WORDS = re.compile(r"([\w-]+ [\w-]+) (?:has|have|had|is|are|was|were|does|do|did)\b", re.I)
_WHO_ASKED = re.compile(r"\W*who\b", re.I)
_AND_THEIR = re.compile(r"\b((?:and|with|along with) (?:their|its|his|her) [\w' -]{2,40})\W*$", re.I)
_SHARING = re.compile(r"\bshar(?:e|es|ing) (?:an?|any|some|at least)\b", re.I)
_OFTEN = re.compile(r"\b(?:how often|how many times|(?:most|least) (?:often|frequently))\b", re.I)
_UNTELLING = frozenset(map(stem, "date time year day number count name".split()))  # that many properties have
_UNLIKE = re.compile(r"\b(?:different|distinct|unique|various|how many)\b", re.I)
_LEADS_TEXT = re.compile(r"(?: the)? [\"'“‘]")  # a tagline "mentioning 'war'" contains that
_NAME_DID = re.compile(r"\b(?:did|does|do|has|have|had)\s+(?:the\s+)?[\"'“‘]?$", re.I)
_WHO_DID = re.compile(r"\W*who (?:has |have |had )?([\w-]+) (?:the )?[\"'“‘]?$", re.I)
_COMPARED = re.compile(
    r"\bwhichever has\b|\b(?:above|below) that of\b|\bis (?:above|below):|\bhas (?:more|fewer|less|a (?:larger|higher|lower|smaller))\b|\bdifference\b|\bminus\b"
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_WORD = re.compile(r"\w+")
_ANY_NOUN = re.compile(r"\b(?:an?|any|each|every|another) ([\w-]+)", re.I)


class Unsaid:
    """What questions about one schema say that readings do not."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._schema = graph, graph.schema
        self._repeated: dict[int, bool] = {}
        self.units = Units(graph)
        self._totals = TotalsOf(graph)
        self._joined = Joined(graph.schema)
        self._numbered = numbered(graph)

    def of(
        self,
        question: str,
        values: Sequence[Linked],
        words: str,
        call: Call,
        given: Collection[str] | None,
        rows: int,
    ) -> Iterator[str]:
        """What of a question a reading leaves out. `words`: the reading as told; `given`: the types of the nodes that it gives, None
        where it gives something else; `rows`: how many it gives.
        """
        yield from best_alone(question, rows)
        yield from misplaced(question, words)
        yield from every_one(question, words)
        yield from being_then(question, words)
        yield from turned_round(question, words)
        yield from unmeasurable(question, words)
        yield from rates(question, words)
        yield from roles(question, words)
        yield from unordered(question, words, values)
        yield from aged(question, words)
        yield from opposed(question, words)
        yield from inside(question, words)
        yield from uncompared(question, words)
        yield from by_how_much(question, words)
        yield from number_asked(question, given or ())
        yield from share_of_others(question, words, self._nouns)
        yield from self._another_noun(question, given or ())
        yield from belongs(question, words)
        yield from rated_by(question, words)
        yield from who_asks(question)
        yield from whose_role(question, words, values)
        yield from future(question)
        yield from own_compared(words)
        yield from with_whom(question)
        yield from formerly(question)
        yield from self._of_another(question, values)
        yield from self._either_of(question, values)
        yield from took_to(question, words)
        yield from phrasal(question, words, said_for(question))
        yield from begins_doing(question, words)
        yield from in_periods(question, words)
        yield from lasted(question, words, self._date_names)
        yield from wished(question, words)
        yield from nobody(question, given or (), self._nobody, words)
        if _SHARING.search(question) and " are the same" in words:
            yield "'share'"  # one is enough
        yield from most_counted(question, words, self._plurals, values, self._joined.owners)
        yield from counts_another(question, words, values, self._joined.owners)
        yield from told_flag(question, words)
        yield from before_another(question, words, values)
        yield from most_of_another(question, values, self._names)
        spelled = show(call)
        yield from numbers(question, values, f"{words} {spelled}")
        yield from dropped(question, values, f"{words} {spelled}", self._plurals, self._names)
        yield from measured_otherwise(question, words)
        yield from unmeasured(question, words)
        yield from counts_other_nouns(question, words, self._nouns)
        yield from counts_nothing(question, words, rows)
        yield from counts_the_doer(question, words)
        yield from done_otherwise(question, words)
        theirs = _AND_THEIR.search(question)
        if theirs is not None and given:  # nodes alone
            yield repr(theirs[1])
        if given and self._nameless.issuperset(given) and _NAMES_ASKED.match(question):
            yield "'name'"  # a number is none
        if given and self._numbered.issuperset(given) and _WHO_ASKED.match(question):
            yield "'who'"  # the number of a row is nobody
        yield from self._had(question, given or ())
        two = _TWO_ASKED.match(question)
        if two is not None and " and " not in words.partition(" of ")[0]:
            yield repr(f"and {two[1]}")  # of "the name and age of X" both
        yield from self._one_of_several(question, values, spelled)
        yield from self._halved(question, spelled)
        yield from self._named(question, spelled)
        yield from self._unmeasured(question, values, spelled)
        yield from self._often(question, spelled)
        yield from self._values_counted(question, words)
        yield from self.units.unmet(question, values, spelled)
        yield from self._totals.shared(question, spelled)
        yield from self._headed(question) if given is not None else self._valued(question, call)
        yield from self._passed_over(question, values, spelled)
        yield from self.gone_past(question, values, call)
        yield from self._joined.misjoined(question, values)
        yield from self._joined.besides(question, values, spelled)
        yield from self._joined.wrong_end(question, spelled)
        yield from self._joined.turned_noun(question, spelled)
        yield from self._joined.referred(question, spelled)
        yield from self._joined.each_who_did(question, words)
        yield from self._joined.not_their_deed(question, spelled)
        yield from self._joined.made_of(question, spelled)
        yield from self._joined.done_to(question, given or (), spelled)
        yield from self._joined.lying(question, values, spelled)
        yield from narrower(question, words)
        yield from self._not_yet(question, spelled)
        yield from self.undone(question, values, call)
        yield from self._called_alike(question, spelled)

    def turned(self, question: str, call: Call) -> Iterator[str]:
        """The end of something that a reading turns round, or chooses: where it begins, or where it ends; a noun that may be a verb."""
        spelled = show(call)
        yield from self._joined.wrong_end(question, spelled)
        yield from self._joined.turned_noun(question, spelled)

    def undone(self, question: str, values: Sequence[Linked], call: Call) -> Iterator[str]:
        """The deed of a name that only a property or a value is called so, where a reading goes by another deed: what Ann "created" is not
        what she maintains and what has a date `created`.
        """
        used: set[str] | None = None
        for v in values:
            deed = self._deed_of(question, v) if v.found else None
            if deed is None:
                continue
            yield from self._of_another_deed(deed, call)
            a_value = any(other.found and other.text == deed for other in values)  # of a status "cancelled"
            if not a_value and english_stem(deed.lower()) not in self._said_of_things:
                continue
            if used is None:  # as it is shown, for a query's relations are no parts of the call
                spelled = show(call)
                relations = [r for r in self._schema.relations if names_in(r.name, spelled)]
                names = [n for r in relations for n in (r.name, r.inverse, r.source, r.target) if n]
                words = {w.lower() for name in names for w in split_name(name)}
                used = {english_stem(w) for w in words} if any(map(verb_done, words)) else None
            if used is None:  # what somebody is to something says no other deed
                return
            does = {english_stem(deed.lower()), *map(english_stem, agents(deed.lower()))}
            lines = thesaurus().groups([english_stem(deed.lower()), *used])
            if does.isdisjoint(used) and not any(lines[0] & other for other in lines[1:]):
                yield repr(deed)

    def _of_another_deed(self, deed: str, call: Call) -> Iterator[str]:
        """The deed of a name, where a reading goes by what else somebody did with such an event: what Ann "ordered" is in no order she handled."""
        spelled = show(call)
        for r in self._schema.relations:
            if r.name.lower().endswith("by") and root(deed.lower()) in deeds_of_event(r.source):
                beside = [
                    (other.name, other.target) for other in self._schema.relations if other.source == r.source
                ]
                if names_in(r.name, spelled) and does_another(r.name, r.source, beside):
                    yield repr(deed)

    def _deed_of(self, question: str, value: Linked) -> str | None:
        """The verb that says what a name did ("did Ann create", "has Ann created"), or what somebody did with it ("who created X")."""
        after = _WORD.match(question, value.end + 1)
        before = _WHO_DID.match(question, 0, value.start)
        if after is not None and _NAME_DID.search(question, 0, value.start):
            return after[0] if is_deed(after[0].lower()) else None
        return before[1] if before is not None and is_deed(before[1].lower()) else None

    @cached_property
    def _said_of_things(self) -> frozenset[str]:
        """The stems of what properties and their flags are called."""
        of_nodes = (f.name for t in self._schema.node_types for f in t.features)
        of_edges = (f.name for r in self._schema.relations for f in r.features)
        return frozenset(english_stem(w) for name in (*of_nodes, *of_edges) for w in split_name(name))

    def unknown(self, call: Call, words: str) -> str:
        """That a node has no value of what it is compared by with another, which makes none of them the larger; empty where all have."""
        if not _COMPARED.search(words):
            return ""
        import pyarrow as pa
        import pyarrow.compute as pc  # slow to import, and few questions come here

        spelled = show(call)
        said = set(_QUOTED.findall(spelled))
        for t in self._schema.node_types if said else ():
            label = next((f for f in t.features if f.name == t.label and f.kind == "text"), None)
            measured = [f.name for f in t.features if f.kind in ("number", "date", "datetime")]
            used = [name for name in measured if names_in(name, spelled)]
            if label is None or not used:
                continue
            table = self._graph.columns[t.name]
            try:
                names, measures = table.column(label.name), [(name, table.column(name)) for name in used]
            except LimitError:  # of a graph elsewhere, more than are read here
                continue
            rows = np.flatnonzero(pc.is_in(names, pa.array(sorted(said))).to_numpy(zero_copy_only=False))
            for name, measure in measures:
                blank = [r for r in rows.tolist() if not measure[r].is_valid]
                if blank:
                    return f"{names[blank[0]].as_py()} has no {spoken(name)}"
        return ""

    def _of_another(self, question: str, values: Sequence[Linked]) -> Iterator[str]:
        """The value right before a type that neither it nor its neighbours have: "female huts", by who guides tours there."""
        beside = {(r.source, r.target) for r in self._schema.relations}
        for v in values:
            kind = self._kinds_said.match(question, v.end) if v.found and v.text.islower() else None
            owners = {self._joined.owners.get(owner, "") for owner in v.owners} - {""}
            if kind is None or not owners:
                continue
            noun = self._types_said[kind[1].lower()]
            if all(t != noun and not {(t, noun), (noun, t)} & beside for t in owners):
                yield repr(v.text)

    def _either_of(self, question: str, values: Sequence[Linked]) -> Iterator[str]:
        """The name with which something is compared, where it may stand in two columns: which side has more than "Kelby", home or away."""
        for v in values:
            types = [self._joined.owners.get(owner, "") for owner, _ in v.found]
            if len(types) > len(set(types)) and _THAN_IT.search(question[: v.start]):
                yield repr(v.text)

    @cached_property
    def _types_said(self) -> dict[str, str]:
        """Types by their names in words, also in the plural."""
        names = {spoken(t.name).lower(): t.name for t in self._schema.node_types}
        return names | {plural(noun): name for noun, name in names.items()}

    @cached_property
    def _kinds_said(self) -> re.Pattern[str]:
        return re.compile(
            rf" ({'|'.join(map(re.escape, sorted(self._types_said, key=len, reverse=True)))})\b", re.I
        )

    def _another_noun(self, question: str, given: Collection[str]) -> Iterator[str]:
        """The noun asked for that only says what kind the nodes given are: hops are no hop farms."""
        asked = _NOUN_ASKED.match(question) if given else None
        noun = singular(asked[1].lower()) if asked else ""
        held = [spoken(t).lower().split() for t in given]
        whole = asked is not None and any(
            question[asked.start(1) :].lower().startswith((" ".join(words), plural(" ".join(words))))
            for words in held
        )
        if asked and not whole and all(noun in words[:-1] and noun != words[-1] for words in held):
            yield repr(asked[1])

    def _had(self, question: str, given: Collection[str]) -> Iterator[str]:
        """The noun that is asked for where the nodes given are none, but have one: which language, where a reading gives each `countrylanguage`."""
        asked = _NOUN_ASKED.match(question) if given else None
        noun = singular(asked[1].lower()) if asked else ""
        types = [t for t in self._schema.node_types if t.name in given]
        two = _TWO_WORDS.match(question, asked.start(1)) if asked else None  # "which home side has ..."
        nouns = [n for n in (noun, two[1].lower() if two else "") if n and plural(n) not in self._plurals]
        if any(all(n in self._had_by(t) for t in types) for n in nouns):
            yield repr(asked[1] if asked else noun)

    def _had_by(self, node_type: NodeType) -> set[str]:
        """The properties of nodes that they are not called by, but those of yes and no: "listed bridges" are bridges."""
        had = (f.name for f in node_type.features if f.name != node_type.label and f.kind != "boolean")
        return {singular(spoken(name)) for name in had}

    def _called_alike(self, question: str, spelled: str) -> Iterator[str]:
        """The names of properties that a question has as they are, where a call has another that only sounds so: the `page` that something
        is on is not how many `pages` there are.
        """
        for word in dict.fromkeys(_WORD.findall(question)):
            alike = self._alike.get(word.lower(), ())
            if any(names_in(other, spelled) for other in alike) and not names_in(word.lower(), spelled):
                yield repr(word)

    @cached_property
    def _alike(self) -> dict[str, list[str]]:
        """Properties of one word by the others with its stem."""
        of_nodes = (f.name for t in self._schema.node_types for f in t.features)
        of_edges = (f.name for r in self._schema.relations for f in r.features)
        names = [name for name in dict.fromkeys((*of_nodes, *of_edges)) if name.isalpha() and name.islower()]
        found = {name: [o for o in names if o != name and stem(o) == stem(name)] for name in names}
        return {name: others for name, others in found.items() if others}

    @cached_property
    def nouns(self) -> list[str]:
        """The names of types and properties."""
        of_nodes = (f.name for t in self._schema.node_types for f in t.features)
        of_edges = (f.name for r in self._schema.relations for f in r.features)
        return [*(t.name for t in self._schema.node_types), *of_nodes, *of_edges]

    @cached_property
    def _plurals(self) -> frozenset[str]:
        """What types are called, in the plural."""
        return frozenset(plural(spoken(t.name)) for t in self._schema.node_types)

    @cached_property
    def _nobody(self) -> frozenset[str]:
        """The types whose nodes are no people, where those of others are."""
        names = [t.name for t in self._schema.node_types]
        return frozenset(n for n in names if not may_act(n)) if any(map(is_person, names)) else frozenset()

    @cached_property
    def _nameless(self) -> frozenset[str]:
        """The types whose nodes are called by a number."""
        numbers = {stem(w) for w in ("id", "number", "no")}
        return frozenset(
            t.name
            for t in self._schema.node_types
            if t.label and numbers & {stem(w) for w in split_name(t.label)}
        )

    @cached_property
    def _nouns(self) -> frozenset[str]:
        """The nouns of types and relations, in the plural."""
        names = (*(t.name for t in self._schema.node_types), *(r.name for r in self._schema.relations))
        return frozenset(plural(singular(spoken(n).rpartition(" ")[2])) for n in names)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The properties that nodes are called by, by the actions that name them in readings."""
        return frozenset(f"P:{t.name}.{t.label}" for t in self._schema.node_types)

    def gone_past(self, question: str, values: Sequence[Linked], call: Call) -> Iterator[str]:
        """The nouns of types behind "a", "any" or "every" that a call does not lead to: who "cancelled a lesson" has no cancelled test."""
        spelled = show(call)
        for match in _ANY_NOUN.finditer(question):
            noun = self._types_by_noun.get(singular(match[1].lower()))
            named = any(v.start < match.end(1) and match.start(1) < v.end for v in values if v.found)
            # Patterns say the type of each node; other calls name relations alone.
            relations = () if spelled.startswith("Query[") else self._schema.relations
            ends = [{r.source, r.target} for r in relations if names_in(r.name, spelled)]
            if noun and not named and not names_in(noun, spelled) and not any(noun in both for both in ends):
                yield repr(match[1])

    @cached_property
    def _types_by_noun(self) -> dict[str, str]:
        """The types that are called by one noun, by that in the singular."""
        return {
            singular(spoken(t.name)): t.name for t in self._schema.node_types if " " not in spoken(t.name)
        }

    def _passed_over(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The words for relations that a call goes along too few of: "border" asks for one, "friends of friends" for two."""
        said, asked = Counter[str](), Counter[tuple[str, bool]]()
        for match in _WORD.finditer(question):
            named = any(v.start < match.end() and match.start() < v.end for v in values)
            stays_there = match[0].lower() in STAYING  # of a place: `misplaced` sees to it
            relations = () if named or stays_there else self._relations_called.get(stem(match[0].lower()), ())
            if relations:
                # As it is shown, for a query's relations are no parts of the call.
                said = said or Counter(stem(w) for name in _WORD.findall(spelled) for w in split_name(name))
                does = any(agents(match[0].lower()))  # directors who "directed" are one deed
                asked[stem(match[0].lower()), does] += 1
                times = asked[stem(match[0].lower()), does]
                if _LEADS_TEXT.match(question, match.end()) and "contains" in spelled.lower():
                    continue
                if not any(all(said[w] >= times for w in words) for words in relations):
                    yield repr(match[0])

    def _not_yet(self, question: str, spelled: str) -> Iterator[str]:
        """The deeds of a question that some nodes have no date of, where a call does not speak of these: "delivered" where some
        parcels have no `delivered_on`.
        """
        told: set[str] = set()
        for word in _WORD.findall(question) if self._dates else ():
            for node_type, name in self._dates.get(english_stem(word.lower()), ()):
                told = told or {english_stem(w) for text in _WORD.findall(spelled) for w in split_name(text)}
                if english_stem(word.lower()) not in told and self._blank(node_type, name):
                    yield repr(word)

    @cached_property
    def _date_names(self) -> frozenset[str]:
        """What dates are called, in words."""
        return frozenset(
            spoken(f.name)
            for t in self._schema.node_types
            for f in t.features
            if f.kind in ("date", "datetime")
        )

    @cached_property
    def _dates(self) -> dict[str, list[tuple[str, str]]]:
        """The dates that types have, by the stems of the words of their names that say what was done."""
        found: dict[str, list[tuple[str, str]]] = {}
        for t in self._schema.node_types:
            for f in t.features:
                for word in split_name(f.name) if f.kind in ("date", "datetime") else ():
                    if not means_something(word) and stem(word) not in _UNTELLING:
                        found.setdefault(english_stem(word), []).append((t.name, f.name))
        return found

    def _blank(self, node_type: str, name: str) -> bool:
        """Whether some nodes of a type have no value of a property."""
        try:
            return bool(self._graph.columns[node_type].column(name).null_count)
        except LimitError:  # of a graph elsewhere, more than are read here
            return True

    @cached_property
    def _relations_called(self) -> dict[str, list[frozenset[str]]]:
        """By the stems that relations, and nothing else of the schema, are called by: all stems of the names of these relations."""
        nouns = {stem(w) for name in self.nouns for w in split_name(name)}
        found: dict[str, list[frozenset[str]]] = {}
        for relation in self._schema.relations:
            names = [split_name(name) for name in (relation.name, relation.inverse) if name]
            for word in {stem(w) for words in names for w in words if not means_something(w)} - nouns:
                found.setdefault(word, []).extend(frozenset(map(stem, words)) for words in names)
        return found

    def _one_of_several(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The properties that a question names beside others of theirs, where a call uses only these: of "the score and self score" both."""
        for own, name, row in self._properties:
            for found in row.finditer(question):
                if any(v.found and v.start < found.end() and found.start() < v.end for v in values):
                    continue
                said = [m[0].lower() for m in name.finditer(found[0])]
                left = [n for n in said if f'"{own[n]}"' not in spelled]
                if 0 < len(left) < len(said):
                    yield from map(repr, left)

    @cached_property
    def _properties(self) -> list[tuple[dict[str, str], re.Pattern[str], re.Pattern[str]]]:
        """By type, what properties are called in words, each with its name; what finds one of them, and what finds several in a row."""
        joint = r"(?:,? and (?:the |their |its )?|, ?(?:the )?)"
        found = []
        for t in self._schema.node_types:
            own = {spoken(f.name).lower(): f.name for f in t.features}
            name = rf"(?:{'|'.join(sorted(map(re.escape, own), key=len, reverse=True))})"
            row = rf"\b{name}(?:{joint}{name})+\b"
            if len(own) > 1:
                found.append((own, re.compile(rf"\b{name}\b", re.I), re.compile(row, re.I)))
        return found

    def _halved(self, question: str, spelled: str) -> Iterator[str]:
        """The words of a question that two properties share, where a call uses one of them: "votes" of votes for and votes against."""
        asked = {stem(w) for w in _WORD.findall(question.lower())}
        for held in self._measures:
            for name, words in held.items():
                said = (words & asked) - _UNTELLING
                if not said or said == words or not names_in(name, spelled):
                    continue
                alike = [w for other, w in held.items() if other != name and said <= w]
                if any(w != said for w in alike):
                    yield repr(next(w for w in _WORD.findall(question) if stem(w.lower()) in said))

    def _unmeasured(self, question: str, values: Sequence[Linked], spelled: str) -> Iterator[str]:
        """The numbers and dates that a question names by one word, and of which a call uses none: "the top 3 by revenue"."""
        said = {stem(w) for text in _WORD.findall(spelled) for w in split_name(text)}
        for match in _WORD.finditer(question):
            named = any(v.start < match.end() and match.start() < v.end for v in values)
            word = stem(match[0].lower())
            if not named and word in self._plain_measures and word not in said:
                yield repr(match[0])

    @cached_property
    def _plain_measures(self) -> frozenset[str]:
        """The stems that numbers and dates, and nothing else of the schema, are called by alone."""
        alone = {next(iter(words)) for held in self._measures for words in held.values() if len(words) == 1}
        others = {stem(w) for t in self._schema.node_types for w in split_name(t.name)}
        others |= {
            stem(w) for r in self._schema.relations for n in (r.name, r.inverse) if n for w in split_name(n)
        }
        return frozenset(w for w in alone - others - _UNTELLING if not means_something(w))

    def _often(self, question: str, spelled: str) -> Iterator[str]:
        """The "how often" of a relation that joins some nodes twice, or whose edges say how often: how many nodes are joined is less."""
        often = _OFTEN.search(question)
        for i, r in enumerate(self._schema.relations) if often else ():
            numbers = [f.name for f in r.features if f.kind == "number"]
            told = any(names_in(name, spelled) for name in numbers)
            if often and names_in(r.name, spelled) and not told and (numbers or self._repeats(i)):
                yield repr(often[0])
                return

    def _values_counted(self, question: str, words: str) -> Iterator[str]:
        """The numbers whose different values a reading counts, and nobody asked for these: a "number of followers" is what `followers` says."""
        for name in dict.fromkeys(
            f.name for t in self._schema.node_types for f in t.features if f.kind == "number"
        ):
            if names_in(f"number of different {spoken(name)}", words) and not _UNLIKE.search(question):
                yield repr(spoken(name))

    def _repeats(self, relation: int) -> bool:
        """Whether several edges of a relation join the same two nodes."""
        if relation not in self._repeated:
            try:
                source, target = self._graph.ends(relation)
            except LimitError:  # edges of a graph elsewhere, more than are read here
                return True
            pairs = source * (int(target.max(initial=0)) + 1) + target
            self._repeated[relation] = len(np.unique(pairs)) < len(pairs)
        return self._repeated[relation]

    def _named(self, question: str, spelled: str) -> Iterator[str]:
        """The names of properties, of several words, that a question says and a call does not use."""
        lower = question.lower()
        for name in dict.fromkeys(name for held in self._measures for name in held):
            told = spoken(name)
            if " " in told and names_in(told, lower) and not names_in(name, spelled):
                yield repr(told)

    def _headed(self, question: str) -> Iterator[str]:
        """The property that is asked for where nodes are given: "what is the elevation of the highest point"."""
        head = _HEAD.match(question)
        types = {stem(w) for t in self._schema.node_types for w in split_name(t.name)}
        relations = {stem(w) for r in self._schema.relations for w in split_name(r.name)}
        lasts = {stem(split_name(name)[-1]) for held in self._measures for name in held if split_name(name)}
        if head and stem(head[1].lower()) in lasts - types - relations:
            yield repr(head[1])

    def _valued(self, question: str, call: Call) -> Iterator[str]:
        """The nodes that are asked for where their numbers or dates are given: "which parcels were delivered by X"."""
        head = _WHICH.match(question)
        types = {stem(w) for t in self._schema.node_types for w in split_name(t.name)[-1:]}
        given = call.arguments[1] if call.function == "NodeFeature" and len(call.arguments) == 2 else None
        measured = {name for held in self._measures for name in held}
        if head and stem(head[1].lower()) in types and isinstance(given, Text) and given.value in measured:
            yield repr(head[1])

    @cached_property
    def _measures(self) -> list[dict[str, frozenset[str]]]:
        """By type and by kind of value, numbers and dates, the stems of the names of properties."""
        return [
            {f.name: frozenset(stem(w) for w in split_name(f.name)) for f in t.features if f.kind == kind}
            for t in self._schema.node_types
            for kind in ("number", "date", "datetime")
        ]
