"""What words mean over one schema: its types, properties and relations, in any inflection, and what measures them.

A word means a property or a relation by its own name, by a general synonym, or by being much nearer to it than to any
other that it could mean. Where several fit alike, it means none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile

import numpy as np
import pyarrow as pa

from graphtalk.core import LimitError
from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph
from graphtalk.language.english import ASKING, Groups, stem, thesaurus
from graphtalk.language.measures import adjectives, base_of
from graphtalk.language.nouns import singular
from graphtalk.language.people import is_person, may_act
from graphtalk.language.units import without_unit
from graphtalk.language.wordpiece import word_rank
from graphtalk.reasoners.around.names import Names, agents, begun, between_ends, deeds, numbered, root
from graphtalk.reasoners.phrases.staying import AT_HOME, AT_WORK
from graphtalk.reasoners.reader.shape import Held, Link, Shape, Step, spoken
from graphtalk.search.embedder import load_embedder

_DERIVED = 6  # letters that a verb and its noun begin with
NEAR, CLEAR = 0.45, 0.15  # how near a word must be to a property, and by how much nearer than to the next
NEAR_DEED = 0.52  # how near a verb must be to the one relation that it may say
_GOES_WITH = 0.35  # how near a verb must be to what its object is, and no other noun of the schema
_MOST_EDGES = 1_000_000  # of a relation within one type that are looked at for one direction or both
_FEW_NAMES = 1_000  # of a type that are looked at for what they say
_FEW_VALUES = 50  # of a property of edges that says of which kind they are
_FARTHEST = 4  # steps of a chain that leads each node to one
_ORDERED = ("number", "date")
_VAGUE = ASKING | {"event", "kind", "share"}  # lines of words that name nothing by themselves
_FILLING = frozenset("has have had is was be in of to by at on for from the a an and".split())
_GENERIC = frozenset(
    map(root, "located location based situated belong member part include contain work".split())
)


class Lexicon:
    """The words of one graph's schema."""

    def __init__(self, graph: Graph, shape: Shape) -> None:
        self.shape = shape
        self.names = Names(graph)
        self._graph = graph
        self._one: dict[Step, bool] = {}
        self._both_ways: dict[Link, bool] = {}
        self._edge_values: dict[str, frozenset[str]] = {}
        self._synonyms: dict[str, str] = {}
        self._told_by: dict[str, Held | None] = {}

    @property
    def lone(self) -> bool:
        """Whether the graph is one table."""
        return len(self.shape.types) == 1 and not self.shape.links

    def types(self, roots: Sequence[str], at: int) -> list[tuple[int, str]]:
        """The types whose names begin at a word, each with where it ends; those that have a name of more words first."""
        found = [(end, name) for end, name in begun(roots, at, self.names.types) if end > at]
        longest = max((end for end, _ in found), default=0)
        if not found and at < len(roots) and roots[at] in self._heads:
            return [(at + 1, self._heads[roots[at]])]
        return [(end, name) for end, name in found if end == longest]

    def synonym(self, noun: str) -> str:
        """The one type that a noun in the plural is a general synonym of, which nothing of the schema is called by: `book` of "volumes"."""
        if noun not in self._synonyms:
            lines = _lines([noun])
            alike = [
                t for t in self.shape.types if lines & set(_lines([spoken(t).rpartition(" ")[2]])) - _VAGUE
            ]
            own = len(lines) == len(alike) == 1 and root(noun) not in self._said and singular(noun) != noun
            self._synonyms[noun] = alike[0] if own else ""
        return self._synonyms[noun]

    @cached_property
    def _said(self) -> frozenset[str]:
        """The roots of all names of the schema."""
        names = (
            *self.shape.types,
            *(link.name for link in self.shape.links),
            *(h.name for h in self.shape.held),
        )
        return frozenset(root(w) for n in names for w in spoken(n).split())

    @cached_property
    def _heads(self) -> dict[str, str]:
        """Types by a noun that nothing else of the schema has: the last of their own (`cluster` of opinion clusters), or what their names
        are called (`company` of suppliers).
        """
        shape = self.shape
        names = [*shape.types, *(link.name for link in shape.links), *(h.name for h in shape.held)]
        found = {}
        for t in shape.types:
            others = {root(w) for n in names if spoken(n) != spoken(t) for w in spoken(n).split()}
            last = root(spoken(t).rpartition(" ")[2])
            if " " in spoken(t) and last not in others and self.told_by(t) is None:
                found[last] = t
        counts = Counter(root(w) for n in names for w in spoken(n).split())
        for t in shape.types:
            naming = shape.name_of(t)
            label = shape.properties[naming].name if naming else ""
            if counts[root(label)] == 1 and root(label) not in _NAMING:
                found[root(label)] = t
        return found

    @cached_property
    def people(self) -> tuple[str, ...]:
        """The types whose nodes "who" asks for: those called as people are, or by what somebody does."""
        return tuple(filter(is_person, self.shape.types))

    def may_be_anybody(self, node_type: str) -> bool:
        """Whether nodes of a type are called by a name or an id: the number of a row is nobody, nor is its place."""
        label = self._graph.schema.node_type(node_type).label
        if not label:
            return node_type not in numbered(self._graph)
        return is_person(label) or bool(_NAMING & {root(w) for w in spoken(label).split()})

    def nameless(self, node_type: str) -> bool:
        """Whether nodes of a type are the numbered rows of a table."""
        return node_type in numbered(self._graph)

    def owners(self, node_type: str) -> list[str]:
        """A type, and the keys of the relations that lead from or to it."""
        keys = [self.shape.steps[a].link.key for a in self.shape.steps_from.get(node_type, ())]
        return [node_type, *dict.fromkeys(keys)]

    def held(self, owner: str) -> list[Held]:
        """The properties of a type, or of the edges of a relation."""
        return [self.shape.properties[a] for a in self.shape.held_by.get(owner, ())]

    # properties

    def noun(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that words name, by its own words, else by a synonym."""
        if at >= len(roots):
            return []
        if inverted := self._inverted(roots, at, owner):
            return inverted
        begun = self._nouns.get(owner, {}).get(roots[at], ())
        found = [
            (at + len(words), held) for words, held in begun if tuple(roots[at : at + len(words)]) == words
        ]
        found += self._measured_noun(roots, at, owner)
        longest = max((end for end, _ in found), default=0)
        if found:
            named = list(dict.fromkeys((end, held) for end, held in found if end == longest))
            return self._head(roots, longest, owner, named) or named
        if marked := self._marked(roots, at, owner):
            return marked
        if self._by_head(roots[at], owner):
            return [(at + 1, held) for held in self._by_head(roots[at], owner)]
        lines = _lines([roots[at]]) - _VAGUE
        if not lines or self.types(roots, at) or roots[at] in _ADJECTIVES:  # "the largest of them" is no size
            return []
        alike = [h for h in self.held(owner) if lines & set(_lines(_called(h)[-1][-1:])) - _VAGUE]
        halves = [h for h in self.held(owner) if roots[at] in _roots(h)]  # "votes", of average and number
        return [(at + 1, h) for h in alike] if len(alike) == 1 and len(halves) < 2 else []

    def named_so(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The properties whose whole names begin at a word, each with where it ends."""
        begun = self._nouns.get(owner, {}).get(roots[at], ()) if at < len(roots) else ()
        return [
            (at + len(ws), h) for ws, h in begun if tuple(roots[at : at + len(ws)]) == ws == _called(h)[0]
        ]

    def marks(self, held: Held) -> bool:
        """Whether nodes are listed by a property: a text that is called a number, an id, a name or a title of something."""
        told = held.kind == "text" or held.naming
        return told and not held.edge and (held.naming or bool(_roots(held) & _MARKS))

    def marked_types(self, roots: Sequence[str], at: int) -> list[str]:
        """Types that are listed by what a noun says, where nothing else is called so: dockets have a `case_name`."""
        if at >= len(roots) or self.types(roots, at):
            return []
        return [t for t in self.shape.types if any(e == at + 1 for e, _ in self._marked(roots, at, t))]

    def _marked(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that is a number or name by what it is of: `pacer_case_id` is the "PACER number", `case_name` the "case"."""
        for size in (3, 2, 1):
            said = roots[at : at + size]
            mark = [w for w in said if w in _MARKS]
            own = set(said) - _MARKS
            found = [
                h
                for h in self.held(owner)
                if (h.kind == "text" or h.naming)
                and not (mark and set(mark) <= _NUMBERING and not _roots(h) & _NUMBERING)  # a name is no id
                and own
                and own < _roots(h)
                and _roots(h) & _MARKS
                and (bool(mark) == (size > 1) or own == _roots(h) - _MARKS)
            ]
            found = [h for h in found if own == _roots(h) - _MARKS] or found  # a "case" is no "PACER case"
            if (
                len(found) == 1
                and len(said) == size
                and said[0] not in _MARKS
                and said[0] not in _VAGUE_MARKS
            ):
                return [(at + size, found[0])]
        return []

    def _inverted(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """The property that "the code of the language" names: `language_code`."""
        own = self._nouns.get(owner, {})
        for size in (3, 2):
            if tuple(roots[at + 1 : at + size]) == ("of", "the")[: size - 1] and at + size < len(roots):
                words = (roots[at + size], roots[at])
                return [(at + size + 1, held) for told, held in own.get(words[0], ()) if told == words]
        return []

    def _head(
        self, roots: Sequence[str], at: int, owner: str, named: Sequence[tuple[int, Held]]
    ) -> list[tuple[int, Held]]:
        """The property that is the last noun of a compound: of "population density" it is `density`."""
        flags = (held.kind == "boolean" or spoken(held.name).split()[0] in ("is", "has") for _, held in named)
        if at >= len(roots) or any(held.naming for _, held in named) or any(flags):
            return []
        return [
            (at + len(words), held)
            for words, held in self._nouns.get(owner, {}).get(roots[at], ())
            if tuple(roots[at : at + len(words)]) == words and not held.naming
        ]

    def _measured_noun(self, roots: Sequence[str], at: int, owner: str) -> list[tuple[int, Held]]:
        """A property with words that only say that it is measured: "follower count", "number of votes", "creation date"."""
        counted = next((len(p) for p in _COUNTED if tuple(roots[at : at + len(p)]) == p), 0)
        start = at + counted
        for size in (4, 3, 2, 1):
            said = roots[start : start + size]
            if len(said) < size or not said or said[0] in _UNITS_OF or (size > 1 and said[-1] in _FILLED):
                continue
            found = [
                h
                for h in self.held(owner)
                if (h.kind == "number" or not counted) and _same_measure(said, h, set(_called(h)[-1]))
            ]
            kinds = {h.kind for h in found}
            halves = [h for h in self.held(owner) if set(said) < _roots(h) and h.kind in kinds]
            if len(found) == 1 and all(
                h == found[0] for h in halves
            ):  # "votes" of votes for and votes against
                return [(start + size, found[0])]
        return []

    def _by_head(self, noun: str, owner: str) -> list[Held]:
        """The one number that a noun is the head of, when no other has it in its name: `hourly_wage` of "wage"."""
        having = [h for h in self.held(owner) if noun in _roots(h)]
        found = [
            h
            for h in having
            if h.kind == "number" and _called(h)[-1][-1] == noun and not _OTHERWISE & _roots(h)
        ]
        plain = noun not in _UNITS_OF | _DATED and not self.types([noun], 0)
        return found if len(found) == len(having) == 1 and plain else []

    def number_of(self, node_type: str) -> Held | None:
        """The number that nodes of a type are told by: `port` of "port 80", `number` of "gate 12"."""
        told = {frozenset(map(root, spoken(node_type).split())), frozenset({root("number")})}
        found = [h for h in self.held(node_type) if h.kind == "number" and _roots(h) in told]
        return found[0] if len(found) == 1 else None

    def ids(self, at: int, roots: Sequence[str], node_type: str) -> list[tuple[int, Held]]:
        """The id of nodes, where a word asks for it, and they have names of their own beside."""
        asked = at < len(roots) and roots[at] in (root("id"), root("ids"))
        return [(at + 1, h) for h in self.shape.derived if asked and h.part == "id" and h.owner == node_type]

    def has_names(self, node_type: str) -> bool:
        """Whether nodes are called by a name, and not only by their number."""
        action = self.shape.name_of(node_type)
        return action is None or not _roots(self.shape.properties[action]) & _COUNTING

    def named_by(self, node_type: str) -> Step | None:
        """The one step from people without names to who each is, and is called by: a player is some person; an orchestra is not its conductor."""
        if self.has_names(node_type) or not is_person(node_type):
            return None
        steps = [s for s in self.steps(node_type) if self.to_one(s) and self.has_names(s.target)]
        people = [
            s for s in steps if is_person(s.target) or spoken(s.target) in ("people", "person", "persons")
        ]
        return people[0] if len(people) == 1 else None

    def told_by(self, node_type: str) -> Held | None:
        """The text that nodes without names are told by, and called by: each `country_language` is a country's `language`."""
        if node_type not in self._told_by:
            self._told_by[node_type] = self._text_of(node_type)
        return self._told_by[node_type]

    def _text_of(self, node_type: str) -> Held | None:
        if node_type not in self.shape.types or (
            self._graph.schema.node_type(node_type).label and self.has_names(node_type)
        ):
            return None
        last = root(spoken(node_type).rpartition(" ")[2])
        found = [h for h in self.held(node_type) if h.kind == "text" and _roots(h) == {last}]
        return found[0] if found and any(map(self.to_one, self.steps(node_type))) else None

    def hidden_number(self, node_type: str) -> Held | None:
        """The number that nodes are told by where their names say less: `port` of what is called "Port 1" and has the port 8080."""
        held, naming = self.number_of(node_type), self.shape.name_of(node_type)
        if held is None or held.naming or not naming:
            return None
        t, column = self._graph.schema.node_type(node_type), self._graph.columns[node_type].column
        both = zip(*(column(node_column(t, h.name)).slice(0, _FEW_NAMES).to_pylist()
                     for h in (self.shape.properties[naming], held)), strict=True)  # fmt: skip
        said = [(str(name).casefold().split(), number) for name, number in both]
        noun = spoken(node_type).split()
        plain = all(words[:-1] == noun and words[-1].isdigit() for words, _ in said)
        return held if plain and any(float(words[-1]) != number for words, number in said) else None

    def names_doer(self, verb: str, held: Held) -> bool:
        """Whether a property says who did what a verb says: `author` of "authored by", "written by"."""
        words = spoken(held.name).split()
        alike = (set(_lines([verb])) & set(_lines(words))) - _VAGUE - {"who"}
        return held.kind == "text" and (root(verb) in map(root, words) or bool(alike))

    def flag(self, roots: Sequence[str], at: int, held: Held) -> list[int]:
        """Where words end that say yes to a property of yes and no: its own, without "is" and "has"."""
        whole = _called(held)[0]
        short = tuple(w for w in _called(held)[-1] if w not in _FILLED)
        return [
            at + len(w)
            for w in {whole, short}
            if w and set(w) - _FILLED and tuple(roots[at : at + len(w)]) == w
        ]

    def done_so(self, verb: str, held: Held) -> bool:
        """Whether a text is called by the noun of what a verb says: `citation_string` of "cited", `category` of "categorised"."""
        bare = next((verb.removesuffix(e) for e in ("ised", "ized") if verb.endswith(e)), "")
        words = spoken(held.name).split()
        said = any(root(verb) in deeds(w) or (len(bare) > 3 and w.startswith(bare)) for w in words)
        return said and held.kind in ("text", "list") and not held.naming

    def denied_flag(self, word: str, held: Held) -> bool:
        """Whether a word denies a property of yes and no by its prefix: "inactive", "unrestored"."""
        words = [w for w in _called(held)[-1] if w not in _FILLED]
        return len(words) == 1 and any(
            word.startswith(prefix) and root(word.removeprefix(prefix)) == words[0]
            for prefix in ("un", "in", "non")
        )

    @cached_property
    def _nouns(self) -> dict[str, dict[str, list[tuple[tuple[str, ...], Held]]]]:
        """What properties are called, by owner and first root."""
        found: dict[str, dict[str, list[tuple[tuple[str, ...], Held]]]] = {}
        for held in self.shape.held:
            called = _called(held)
            turned = [words[::-1] for words in called[:1] if len(words) == 2 and words[0] in _DATED]
            for words in (*called, *turned):  # an "arriving date" is the `date_arrived`
                if words:
                    found.setdefault(held.owner, {}).setdefault(words[0], []).append((words, held))
        return found

    def near(self, word: str, among: Sequence[Held], kinds: Sequence[str] = ()) -> list[Held]:
        """The one property that a word is much nearer to than to the others."""
        fit = [h for h in among if (not kinds or h.kind in kinds) and not _denies(word, h)]
        at = nearest(word, tuple([spoken(h.name) for h in fit]))
        return [] if at is None else [fit[at]]

    def measured(self, word: str, owner: str) -> list[tuple[Held, bool]]:
        """What an adjective measures ("old", "taller", "cheapest"), each with whether more of it is a higher number.

        What is long may last long or lead far; of other adjectives the first measure that there is counts.
        """
        base, found = base_of(word), list[tuple[Held, bool]]()
        features = adjectives()[base].features if base in adjectives() else ()
        bare = base.removesuffix("est").removesuffix("er").removesuffix("i").removesuffix("y")
        nouns = ((f"{bare}ness", True), (f"{bare}iness", True))  # "thickness" of "thick"
        for name, high in (*features, *_FURTHER.get(base, ()), *nouns):
            if name == "date" and base in ("old", "young"):  # of hiring, of death: it says nothing of an age
                continue
            fit = [h for h in self.held(owner) if h.kind in _ORDERED and root(name) in _roots(h)]
            found += [(h, high) for h in fit if (h, high) not in found]
            if found and base not in _FURTHER:
                break
        if not found and base in ("long", "short"):
            found = [(h, base == "long") for h in self.durations if h.owner == owner]
        deed = owner not in self.shape.types or self.is_event(owner)
        deed |= any(_roots(h) & _WHOLES for h in self.held(owner) if h.kind == "number")
        if not found and base in _SIZES and deed and (amount := self.amount(owner)) is not None:
            return [(amount, _SIZES[base])]  # the largest transfer
        happened = [h for h in self.held(owner) if is_date(h) and not _roots(h) & _LIVES]
        if not found and base in _IN_TIME and happened:
            return [(h, _IN_TIME[base]) for h in happened]
        aged = base in ("old", "young") and owner in self.people  # nobody is as old as a contract
        date = self.made(owner) if base in _OF_DATES and not found and not aged else None
        if date is not None:
            return [(date, _OF_DATES[base])]
        return found if len(found) == 1 or base in _FURTHER else []

    def amount(self, owner: str) -> Held | None:
        """The one property that says how much something comes to: `amount`, `total_price`."""
        numbers = [h for h in self.held(owner) if h.kind == "number" and not is_date(h)]
        found = [h for h in numbers if _roots(h) & _AMOUNTS]
        return found[0] if len(found) == 1 else None

    def comes_to(self, owner: str) -> Held | None:
        """The number that "above 500" says of nodes where nothing else is said: what they come to, or the only number that they have."""
        numbers = [h for h in self.held(owner) if h.kind == "number" and not is_date(h)]
        held = self.amount(owner)
        return held if held is not None and (len(numbers) == 1 or _roots(held) & _SUMS) else None

    def spent(self, word: str, owner: str) -> Held | None:
        """The number that a verb asks for: what "earn", "cost", "weigh" and "last" do."""
        if root(word) in _UNITS_OF or (word in ("pay", "pays") and owner in self.people):
            return None  # whom a job pays; what people pay is not what they earn
        numbers = [h for h in self.held(owner) if h.kind == "number" and not _denies(word, h)]
        own = [h for h in numbers if root(word) in _roots(h)]
        if root(word) in _LASTS and not own:
            own = [h for h in self.durations if h.owner == owner]
        if root(word) == root("earn") and not own:
            own = [h for h in self.held(owner) if h.kind == "number" and not _roots(h).isdisjoint(_EARNED)]
        lines = set(_lines([word])) - _VAGUE
        alike = own or [h for h in numbers if lines & set(_lines(spoken(h.name).split()))]
        meant = alike if alike else self.near(word, self.held(owner), ("number",))
        return meant[0] if len(meant) == 1 else None

    def happened(self, word: str, owner: str) -> Held | None:
        """The date that a verb asks for: that of its own word, else of an event the only date or year there is."""
        dates = [h for h in self.held(owner) if is_date(h) and not _denies(word, h)]
        lines = set(_lines([word])) - _VAGUE
        own = [h for h in dates if root(word) in _roots(h)]
        own = own or [h for h in dates if lines & set(_lines(spoken(h.name).split())) - _VAGUE]
        if own:
            return own[0] if len(own) == 1 else None
        plain = [h for h in dates if _roots(h) <= _DATED]
        said = "event" in _lines([word]) or root(word) in _BUILT
        return plain[0] if len(dates) == len(plain) == 1 and said else None

    def made(self, owner: str) -> Held | None:
        """The only date of a type, where it says when things came to be."""
        dates = [h for h in self.held(owner) if is_date(h)]
        if len(dates) != 1 or _roots(dates[0]) & _LIVES:
            return None
        began = (
            self.is_event(owner)
            or bool(_roots(dates[0]) & _YEARS)
            or self.happened("published", owner) == dates[0]
        )
        return dates[0] if began else None

    def dates(self, owner: str) -> list[Held]:
        """The only date of an owner, if it has one."""
        found = [h for h in self.held(owner) if is_date(h)]
        return found if len(found) == 1 else []

    def calls(self, roots: Sequence[str], held: Held) -> bool:
        """Whether words are what a property is called, and no synonym."""
        return tuple(roots) in _called(held)

    def joined_on(self, owner: str) -> Held | None:
        """The one date on which people came who are still there: `hired_on`, `joined`, `member_since`; none where some have left."""
        dates = [h for h in self.held(owner) if is_date(h)]
        came = [
            h
            for h in dates
            if {"hire", "event"} & set(_lines(spoken(h.name).split())) or "since" in spoken(h.name).split()
        ]
        return came[0] if len(came) == len(dates) == 1 and owner in self.people else None

    def parts(self, date: Held, part: str) -> list[Held]:
        """A part of a date ("month") as a property; of a year only itself."""
        if date.kind == "number":
            return [date] if part == "year" else []
        return [h for h in self.shape.derived if h.of == (date,) and h.part == part]

    @property
    def durations(self) -> list[Held]:
        """The days from one date to another."""
        return [h for h in self.shape.derived if h.part == "days"]

    def date_roots(self, held: Held) -> frozenset[str]:
        """The roots that a date is called by."""
        return _roots(held) - _DATED

    # nodes that stand for deeds

    def deeds_of(self, noun: str) -> set[str]:
        """The roots of what is done where there is what a noun says: "prescribe" of "prescription"."""
        return {root(noun), *deeds(noun), *map(root, _DONE.get(noun, ()))}

    def says_noun(self, verb: str, held: Held) -> bool:
        """Whether a verb says no more of a number than its noun: who "scored" goals has goals."""
        words = spoken(held.name).split()
        return bool(verb) and (
            root(verb) in map(root, words) or bool(set(_lines([verb])) & set(_lines(words)) - _VAGUE)
        )

    def derives(self, verb: str, held: Held) -> bool:
        """Whether the noun of a text comes from a verb, by the letters that they begin with: `specialty` of "specialises". Who is
        called by what they do (`operator`) is joined by it the other way.
        """
        noun = spoken(held.name).rpartition(" ")[2]
        if held.kind not in ("text", "list") or held.naming or is_person(noun):
            return False
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(verb, noun, strict=False)))
        return alike >= _DERIVED and 4 * alike >= 3 * len(stem(noun))

    def is_event(self, node_type: str) -> bool:
        """Whether nodes of a type stand for what happened."""
        return any(
            node_type in self.events(deed)
            for deed in self.deeds_of(singular(spoken(node_type).rpartition(" ")[2]))
        )

    def dated_so(self, verb: str, node_type: str) -> list[Step]:
        """The one relation to nodes that have a date called by a verb, where a type has none: animals are `admitted` by their stays."""
        if any(root(verb) in self.date_roots(h) for h in self.held(node_type) if is_date(h)) or self.events(
            verb
        ):
            return []
        found = [
            s
            for s in self.steps(node_type)
            if not self.to_one(s)
            and any(root(verb) in self.date_roots(h) for h in self.held(s.target) if is_date(h))
        ]
        return found if len(found) == 1 else []

    def events(self, verb: str) -> tuple[str, ...]:
        """The types whose nodes stand for what a verb says, and lead to one of several others: orders for "ordered", payments for "paid"."""
        return tuple(t for t in self._deed_types.get(root(verb), ()) if self._joins_several(t))

    def _joins_several(self, node_type: str) -> bool:
        return sum(not s.out or self.to_one(s) for s in self.steps(node_type)) > 1

    @cached_property
    def _deed_types(self) -> dict[str, tuple[str, ...]]:
        """Types by the roots of the deeds that they are called by: flights by that of "fly"."""
        found: dict[str, tuple[str, ...]] = {}
        for t in self.shape.types:
            noun = singular(spoken(t).rpartition(" ")[2])
            for deed in self.deeds_of(noun):
                found[deed] = (*found.get(deed, ()), t)
        return found

    def side(self, step: Step) -> str:
        """Whether a relation leads to where something comes from ("from") or goes to ("to"), by its name; else nothing."""
        words = {root(w) for w in self.called(step).split()}
        return next((side for side, names in _SIDES.items() if words & names), "")

    def sides(self, owner: str, side: str) -> list[Held]:
        """The texts of an owner that say where something comes from, or goes to: `origin`, `destination`."""
        return [h for h in self.held(owner) if h.kind == "text" and not h.naming and _roots(h) & _SIDES[side]]

    # relations

    def between(self, source: str, target: str) -> Step | None:
        """The one relation between two different types, as it leaves the first."""
        steps = [self.shape.steps[a] for a in self.shape.steps_from.get(source, ())]
        found = [s for s in steps if s.target == target]
        return found[0] if len(found) == 1 and source != target else None

    def plain(self, source: str, target: str) -> Step | None:
        """The relation that "of", "has" or a name before a noun means: the one there is, else the one that only says where something is,
        or that is called as the group that somebody is in.

        The cities of a state are those located in it, whichever is its capital; the people of a team are those whose `team` it is,
        whoever is its `lead`.
        """
        only = self.between(source, target)
        if only is not None or source == target:
            return only
        several = [s for s in self.steps(source) if s.target == target]
        found = [s for s in several if self.says_where(s.link)] or [
            s for s in several if self.is_in(s) or self.is_in(self.reversed(s))
        ]
        return found[0] if len(found) == 1 else None

    def is_in(self, step: Step) -> bool:
        """Whether a step leads from somebody to the group they are in: to what the relation is called, where that means people together."""
        called = set(map(root, spoken(step.link.name).split())) == set(map(root, spoken(step.target).split()))
        return (
            step.out
            and called
            and step.source in self.people
            and may_act(step.target)
            and not is_person(step.target)
        )

    def called_so(self, verb: str, source: str, target: str) -> Step | None:
        """The one relation of several between two types that is called by the root of a verb, or by the noun of what it does."""
        found = [
            s
            for s in self.steps(source)
            if s.target == target != source
            and any(verb in self.deeds_of(singular(w)) for w in self.said(s.link))
        ]
        return found[0] if len(found) == 1 else None

    def says_where(self, link: Link, places: frozenset[str] | None = None) -> bool:
        """Whether a relation is called as what only says where something is, or is part: `located in`, `part of`; `places`: or only these."""
        words = {root(w) for w in self.said(link)} - set(map(root, _FILLING))
        return bool(words) and words <= (_GENERIC if places is None else places)

    def joins_types(self, relation: str) -> bool:
        """Whether a relation joins different types only, so that no preposition may turn it round."""
        return all(link.source != link.target for link in self.shape.links if link.name == relation)

    def way(self, source: str, target: str) -> tuple[Step, ...]:
        """The one way between two types: their one relation, else the only shortest chain that leads each node to one, or back.

        The court of an opinion is that of its docket, where an opinion has one docket and that has one court.
        """
        step = self.plain(source, target)
        if step is not None:
            return (step,)
        if any(s.target == target for s in self.steps(source)):
            return ()
        there, back = self.chains(source, target), self.chains(target, source)
        found = [*there, *(tuple(map(self.reversed, reversed(chain))) for chain in back)]
        return found[0] if len(found) == 1 else ()

    def over(self, source: str, target: str) -> tuple[Step, ...]:
        """The one way between two types over a third that joins them: series and their authors over books."""
        if source == target or any(s.target == target for s in self.steps(source)):
            return ()
        ways = [
            (first, second)
            for first in self.steps(source)
            for second in self.steps(first.target)
            if second.target == target and first.target not in (source, target)
        ]
        return ways[0] if len(ways) == 1 else ()

    def located(self, source: str, place: str) -> tuple[Step, ...]:
        """The one chain of places in places between two types: of cities to countries."""
        chain = self.way(source, place) if source != place else ()
        return chain if all(s.out and (self.is_noun_of(s) or self.says(s, "in")) for s in chain) else ()

    def authored(self, source: str, target: str) -> Step | None:
        """The one of several relations between two types that says who made what, where the others say what is done with it: of `posted`
        and `likes` the first.
        """
        steps = [s for s in self.steps(source) if s.target == target and source != target]
        made = [s for s in steps if root(self.said(s.link)[0]) in _MADE | {root(spoken(s.link.target))}]
        others = [s for s in steps if s not in made]
        done_with = all(root(self.said(s.link)[0]) in _DONE_WITH for s in others)
        return made[0] if len(made) == 1 and others and done_with else None

    def chains(self, source: str, target: str) -> list[tuple[Step, ...]]:
        """The shortest chains of steps that each lead a node to one at most, through types that differ; none where another way is as
        short: a customer's branch may be that of an account or that of an adviser.
        """
        for length in range(1, _FARTHEST + 1):
            found = self._chains(source, target, length, all_to_one=True)
            if found:
                others = self._chains(source, target, length, all_to_one=False)
                rivals = [c for c in others if c not in found and not any(map(self._is_back_from_role, c))]
                return found if not rivals else []
        return []

    def _is_back_from_role(self, step: Step) -> bool:
        """Whether a step leads from somebody to what they have a role for: nobody means the farms that who reported it manages."""
        if step.out or step.link.undirected:
            return False
        called = {root(w) for w in self.said(step.link)}
        return called.isdisjoint(root(w) for w in spoken(step.link.target).split())

    def _chains(self, source: str, target: str, length: int, all_to_one: bool) -> list[tuple[Step, ...]]:
        """The chains of so many steps, through types that differ."""
        chains: list[tuple[Step, ...]] = [()]
        for left in range(length, 0, -1):
            chains = [
                (*chain, step)
                for chain in chains
                for step in self.steps(chain[-1].target if chain else source)
                if (step.target == target) == (left == 1)
                and step.target not in (source, *(s.target for s in chain))
                and (not all_to_one or self.to_one(step))
            ]
        return chains

    def either_way(self, step: Step) -> bool:
        """Whether a step within one type says the same as its way back: a relation without direction, or with all edges both ways."""
        link = step.link
        if link.source != link.target:
            return False
        if link.undirected:
            return True
        if link not in self._both_ways:
            self._both_ways[link] = self._symmetric(link)
        return step.out and self._both_ways[link]

    def _symmetric(self, link: Link) -> bool:
        try:
            source, target = self._graph.ends(self.shape.links.index(link))
        except LimitError:  # edges of a graph elsewhere, more than are read here
            return False
        if not 0 < len(source) <= _MOST_EDGES:
            return False
        size = int(max(source.max(), target.max())) + 1
        return np.array_equal(np.unique(source * size + target), np.unique(target * size + source))

    def loops(self, link: Link) -> bool:
        """Whether an edge of a relation leads back to where it begins: then who does it to "each other" may be one alone."""
        try:
            source, target = self._graph.ends(self.shape.links.index(link))
        except LimitError:
            return True
        return bool((source == target).any()) if link.source == link.target else False

    def beside(self, word: str, node_type: str) -> list[Step]:
        """The one relation without direction that an adjective says of its neighbours: `borders` of "neighbouring", "adjacent"."""
        if not (word.endswith("ing") or word == "adjacent"):
            return []
        found = [s for s in self.steps(node_type) if self.either_way(s) and self.does(word, s)]
        return found if len(found) == 1 else []

    def to_one(self, step: Step) -> bool:
        """Whether a step leads each node to one at most."""
        if step not in self._one:
            try:
                ends = self._graph.ends(self.shape.links.index(step.link))[0 if step.out else 1]
            except LimitError:  # edges of a graph elsewhere, more than are read here
                ends = np.zeros(2, np.int64)
            self._one[step] = len(ends) == 0 or int(np.bincount(ends - ends.min()).max()) == 1
        return self._one[step]

    def most_from(self, step: Step, naming: str, texts: Sequence[str]) -> int:
        """How many neighbours a step leads to at most from the nodes that are called one of some texts."""
        import pyarrow.compute as pc  # slow to import, and few questions come here

        t = self._graph.schema.node_type(step.source)
        column = self._graph.columns[t.name].column(node_column(t, self.shape.properties[naming].name))
        rows = pc.indices_nonzero(pc.is_in(pc.cast(column, pa.string()), pa.array(texts, pa.string())))
        ends = self._graph.ends(self.shape.links.index(step.link))[0 if step.out else 1]
        return max((int((ends == t.first + row).sum()) for row in rows.to_pylist()), default=0)

    def roles(self, words: Sequence[str], at: int) -> list[tuple[int, Step]]:
        """Nouns for who or what is at one end of a relation, each as the step from it to what it is that of.

        `has_ceo` leads to CEOs; who `directed` is a director.
        """
        found = [
            (at + size, step)
            for size in {len(name) for name in self._role_nouns if at + len(name) <= len(words)}
            for last in _singulars(words[at + size - 1])
            for step in self._role_nouns.get((*words[at : at + size - 1], last), ())
        ]
        deeds = set(agents(words[at])) if at < len(words) else set()
        for link in self.shape.links if deeds else ():
            verb = [w for w in self.said(link) if w not in _FILLING]
            if len(verb) == 1 and root(verb[0]) in deeds and not any(agents(verb[0])) and not link.undirected:
                done_by = self.said(link)[-1] == "by"  # `directed by` leads to who did it
                found.append((at + 1, Step(link, not done_by)))
        told = at + 1 < len(words) and words[at + 1] in ("of", "for")
        needed = {root(base) for base in _needed(words[at])} if told else set()
        for link in self.shape.links if needed else ():  # what somebody depends on are dependencies
            verb = [w for w in self.said(link) if w not in _FILLING]
            if len(verb) == 1 and root(verb[0]) in needed and not link.undirected:
                found.append((at + 1, Step(link, False)))
        longest = max((end for end, _ in found), default=0)
        return [(end, step) for end, step in dict.fromkeys(found) if end == longest]

    @cached_property
    def _role_nouns(self) -> dict[tuple[str, ...], list[Step]]:
        """Steps by the nouns that relations are called by."""
        found: dict[tuple[str, ...], list[Step]] = {}
        for kind, out in (("noun>", False), ("noun<", True)):
            for words, names in self.names.relations[kind].items():
                for link in self.shape.links:
                    if link.name not in names or not _is_noun(link.name, words):
                        continue
                    one = (*words[:-1], singular(words[-1]))  # who skippers a boat is a skipper
                    for said in dict.fromkeys((words, one)):
                        leads = out or link.undirected or self.does_itself(link)  # friends are each other's
                        found.setdefault(said, []).append(Step(link, leads))
                for link, relation in zip(self.shape.links, self._graph.schema.relations, strict=True):
                    if link.source == link.target and relation.inverse in names and not relation.undirected:
                        one = (*words[:-1], singular(words[-1]))  # children, of `parent of`
                        for said in dict.fromkeys((words, one)):
                            found.setdefault(said, []).append(Step(link, not out))
        above = [link for link in self.shape.links if link.source == link.target and self.reports(link.name)]
        for noun, out in (*_ABOVE_ONE.items(), *_BELOW_ONE.items()) if len(above) == 1 else ():
            own = " " not in noun and root(noun) in self._said
            if not own and tuple(noun.split()) not in found:
                found[tuple(noun.split())] = [Step(above[0], out)]
        return found

    def akin(self, roots: Sequence[str], at: int, node_type: str) -> list[tuple[int, Step]]:
        """Where words end that say how nodes of one type are joined, each as the step to the node that lists them so.

        `similar_books` of a book lists books similar to it, `also_viewed_item` items co-viewed with it.
        """
        found = [
            (at + len(words), step)
            for words, step in self._akin.get(node_type, ())
            if tuple(roots[at : at + len(words)]) == words
        ]
        if not found and at + 1 < len(roots) and roots[at] in _TOGETHER:
            deed = {roots[at + 1]}
            joint = [s for words, s in self._akin.get(node_type, ()) if deed < set(words) <= deed | _TOGETHER]
            found = [(at + 2, step) for step in joint] if len(joint) == 1 else []
        return found

    @cached_property
    def _akin(self) -> dict[str, list[tuple[tuple[str, ...], Step]]]:
        """By type, what stands before its own noun in the names of relations with itself."""
        found: dict[str, list[tuple[tuple[str, ...], Step]]] = {}
        for link in self.shape.links:
            words, noun = (tuple(map(root, spoken(name).split())) for name in (link.name, link.source))
            if link.source == link.target and len(words) > len(noun) and words[-len(noun) :] == noun:
                step = Step(link, link.undirected)
                found.setdefault(link.source, []).append((words[: -len(noun)], step))
        return found

    def does_itself(self, link: Link) -> bool:
        """Whether a relation's noun says what its source is: who is joined to what is nobody, as a user, `moderator`, to a page."""
        had = self.said(link)[0] in ("has", "have")
        return not had and link.source in self.people and link.target not in self.people

    def called(self, step: Step) -> str:
        """What a relation is called, as seen from where a step leaves; nothing where it has no name there."""
        relation = self._graph.schema.relations[self.shape.links.index(step.link)]
        if step.out or step.link.undirected:
            return " ".join(self.said(step.link))
        return spoken(relation.inverse)

    def said(self, link: Link) -> list[str]:
        """The words of a relation's name: `treats` of `Compound-treats-Disease`."""
        return between_ends(link.name, link.source, link.target) or [link.name]

    def undergone(self, link: Link) -> str:
        """What was done to a relation's source, where that is what the relation is called: `moored` of `moored in`, `made` of `made by`."""
        words = self.said(link)
        return words[0] if len(words) == 2 and words[1] in _AFTER and words[0].endswith(_PARTICIPLES) else ""

    def leads_to_own(self, step: Step) -> bool:
        """Whether what a step leads to calls the way back as the type that it leaves: a paper its authors."""
        words = set(map(root, self.called(self.reversed(step)).split()))
        return step.source != step.target and set(map(root, spoken(step.source).split())) <= words

    def done_by(self, step: Step) -> str:
        """The root of the deed that a step says is done by whom it leads to: of `cited_by` that of "cite"."""
        words = self.called(step).split()
        return root(words[0]) if len(words) == 2 and words[1] == "by" else ""

    def is_done_by(self, verb: str, step: Step) -> bool:
        """Whether a step leads to who does what a verb says, by their noun: a package that has a maintainer maintains nobody."""
        said = self.said(step.link)
        return root(verb) in set(agents(said[-1])) and step.out != self.does_itself(step.link)

    def reversed(self, step: Step) -> Step:
        """A step back the way it came."""
        both_ways = step.link.undirected and step.source == step.target
        return step if both_ways else Step(step.link, not step.out)

    def steps(self, source: str) -> list[Step]:
        """The views that leave a type."""
        return [self.shape.steps[a] for a in self.shape.steps_from.get(source, ())]

    def begins(self, word: str, step: Step) -> bool:
        """Whether a verb is the first of a relation's name, whatever follows it: "worked" of `works_on`."""
        words = [w for w in self.said(step.link) if w not in _FILLING]
        return bool(words) and root(word) == root(words[0]) and step.source != step.target

    def acts(self, word: str, step: Step) -> bool:
        """Whether a verb is all of a relation's name but for a preposition: "acted" of `acted_in`, "runs" of `runs through`."""
        words = [w for w in self.said(step.link) if w not in _FILLING | _AFTER | _WITHIN]
        return len(words) == 1 and root(word) == root(words[0]) and not any(agents(words[0]))

    def does(self, word: str, step: Step) -> bool:
        """Whether a verb may say what a relation says: by a root, a synonym, or being near to it; by its name from either end."""
        names = [[w for w in self.said(step.link) if w not in _FILLING]]
        if step.source != step.target and (
            back := self._graph.schema.relations[self.shape.links.index(step.link)].inverse
        ):
            names.append([w for w in spoken(back).split() if w not in _FILLING])
        if any(root(word) in map(root, (*words, *_done(words))) for words in names):
            return True
        if any(thesaurus().contrary(word, words) for words in names) or self._tells_edges(word, step.link):
            return False
        if root(word) in _CALLED:
            return False
        if self.light(word, step) or self._done_by_ends(word, step):
            return True
        if root(word) in _CONTAINING:
            return self.between(step.source, step.target) == step
        if self._done_when(word, step) or self._done_when(word, self.reversed(step)):
            return True
        lines = set(_lines([word])) - _VAGUE
        if any(lines & set(_lines(words)) for words in names):
            return True
        if any(words and nearest(word, (" ".join(words),), NEAR_DEED) == 0 for words in names):
            return True
        told = [h for end in (step.source, step.target) if (h := self.told_by(end)) is not None]
        return any(self.goes_with(word, h) for h in told)

    def goes_with(self, verb: str, held: Held) -> bool:
        """Whether of all nouns of the schema a verb goes with what a text is: who "speaks" has a `language`."""
        nouns = [spoken(h.name) for h in self.shape.held if not h.of]
        nouns += [spoken(t) for t in self.shape.types]
        own = spoken(held.name)
        others = tuple(dict.fromkeys(n for n in nouns if own not in n))
        return nearest(verb, (own, *others), _GOES_WITH) == 0

    def _done_by_ends(self, verb: str, step: Step) -> bool:
        """Whether the only relation between two types says what one of them does: a teacher teaches; who owns something has it."""
        if self.between(step.source, step.target) != step:
            return False
        if root(verb) == root("own"):
            return self.said(step.link)[0] in ("has", "have") or any(
                map(self.is_noun_of, (step, self.reversed(step)))
            )
        return any(root(verb) in agents(spoken(t).rpartition(" ")[2]) for t in (step.source, step.target))

    def _done_when(self, verb: str, step: Step) -> bool:
        """Whether a step leads from somebody to what was done on a date of its own, each of it: who "sent" a parcel is joined to what
        has `sent_on`. Of what has no such date it is not said that it was done.
        """
        called = self.is_noun_of(step) or self.is_noun_of(
            self.reversed(step)
        )  # who rated a film did not release it
        if step.source not in self.people or step.target in self.people or not called:
            return False
        dates = [
            h for h in self.held(step.target) if h.kind == "date" and not h.via and root(verb) in _roots(h)
        ]
        columns = [self._graph.columns[step.target].column(h.name) for h in dates]
        return bool(columns) and not any(column.null_count for column in columns)

    def _tells_edges(self, word: str, link: Link) -> bool:
        """Whether a word says what only some edges have: "chaired" where the role of some is `chair`."""
        if link.key not in self._edge_values:
            relation = self.shape.links.index(link)
            held = [h for h in self.held(link.key) if h.kind == "text"]
            columns = [self._graph.edge_columns[relation].column(h.name) for h in held]
            values = [column.unique() for column in columns if len(column) <= _MOST_EDGES]
            few = [v for unique in values if len(unique) <= _FEW_VALUES for v in unique.to_pylist() if v]
            self._edge_values[link.key] = frozenset(root(v.lower()) for v in few if v.isalpha())
        return root(word) in self._edge_values[link.key]

    def light(self, verb: str, step: Step) -> bool:
        """Whether a verb that means little says a relation that is called as what it leads to: who "placed" an order is its customer."""
        ends = [s for s in (step, self.reversed(step)) if self.is_noun_of(s) and self.to_one(s)]
        if root(verb) in _LIGHT:
            return bool(ends)
        anybody = any(root(spoken(s.target).rpartition(" ")[2]) in _ANYBODY for s in ends)
        return anybody and (
            root(verb) in _MADE or root(verb) == root("leave")
        )  # whose a comment is has written it

    def reports(self, relation: str) -> bool:
        """Whether a relation leads to whom somebody reports to: `manager`, `supervisor_id`, `reports_to`."""
        words = [w for w in spoken(relation).split() if w != "to"]
        return bool(_ABOVE & set(map(root, words[-1:]))) or list(map(root, words)) == [root("reports")]

    def means_type(self, noun: str) -> bool:
        """Whether a noun means the same as what some type is called."""
        lines = set(_lines([noun])) - _VAGUE
        return any(lines & set(_lines([spoken(t).rpartition(" ")[2]])) for t in self.shape.types)

    def tells_kind(self, step: Step) -> bool:
        """Whether a relation leads to the kind that something is of: its genre, its category, its species."""
        return bool(_KINDS & {root(w) for w in (*self.said(step.link), *spoken(step.target).split())})

    def is_noun_of(self, step: Step) -> bool:
        """Whether a relation is called as what it leads to: `department` to departments; `located in` says as much."""
        name = self.called(step)
        words = {root(w) for w in name.split()} - set(map(root, _FILLING))
        noun = any(root(w) in {root(x) for x in name.split()} for w in spoken(step.target).split())
        return bool(name) and (noun or words <= _GENERIC or bool(words & (AT_WORK | AT_HOME)))

    def holds(self, step: Step) -> bool:
        """Whether a relation says that its target is in, or of, its source: `has`, `contains`, `employs`."""
        words = [w for w in self.said(step.link) if w not in ("of", "the")]
        own = {root(w) for w in spoken(step.source).split()}
        role = words[:1] in (["has"], ["have"]) and not {root(w) for w in words[1:]} <= own | _MEMBERS
        return not step.out and words[0] in _HOLDING and not role  # a team's lead is one of its people

    def within(self, node_type: str, place: str) -> list[tuple[Step, Step]]:
        """The one way over two relations of being somewhere: organizations are in the country of their city, rivers in that of the states they run through."""
        if self.between(node_type, place) is not None:
            return []
        ways = [
            (first, second)
            for first in self.steps(node_type)
            for second in self.steps(first.target)
            if second.target == place
            and first.target not in (node_type, place)
            and (self.is_noun_of(first) or self.says(first, "in"))
            and self.is_noun_of(second)
        ]
        return ways if len(ways) == 1 else []

    def says(self, step: Step, preposition: str) -> bool:
        """Whether a relation's name has a preposition: `works_on`. What runs through something is in it."""
        words = self.said(step.link)
        if preposition in words:  # `singer_in_concert`, whichever table it was made from
            before, _, after = spoken(step.link.name).partition(f" {preposition} ")
            if (before, after) == (spoken(step.source), spoken(step.target)):
                return True
        return step.out and (preposition in words or (preposition == "in" and not _WITHIN.isdisjoint(words)))


@lru_cache(maxsize=8192)
def _called(held: Held) -> tuple[tuple[str, ...], ...]:
    """The roots of a property's name, of it without the words of its owner, and without its unit: `price_eur` is a price."""
    words = [root(w) for w in spoken(held.name).split()]
    own = {root(w) for w in spoken(held.owner).split()}
    shorter = [w for w in words if w not in own] or words
    named = _INITIAL.fullmatch(held.name)
    if named is not None:
        words = [_INITIALS[named[1].lower()], root("name")]
        shorter = words
    bare = [root(w) for w in without_unit(held.name)] if held.kind == "number" else []
    unitless = [w for w in bare if w not in own] or bare or shorter
    return tuple(dict.fromkeys([tuple(words), tuple(shorter), tuple(unitless)]))


@lru_cache(maxsize=8192)
def _roots(held: Held) -> frozenset[str]:
    """The roots of the words of a property's name, but for "yearly" and the like: a yearly fee is no year."""
    words = spoken(held.name).split()
    return frozenset(root(w) for w in words if not (w.endswith("ly") and root(w) == root(w[:-2])))


def _needed(word: str) -> list[str]:
    """The verb whose object a noun in -ency is: of "dependencies" "depend"."""
    return [
        word.removesuffix(ending) for ending in ("ency", "encies") if word.endswith(ending) and len(word) > 7
    ]


def _done(nouns: Sequence[str]) -> Iterator[str]:
    """What is done where there is what nouns say, where no ending tells it."""
    for noun in nouns:
        yield from _DONE.get(singular(noun), ())


def _singulars(word: str) -> dict[str, None]:
    """A noun as it stands and in the singular; the root tells that of "children"."""
    odd = [root(word)] if word.endswith("n") else []
    return dict.fromkeys((word, singular(word), *odd))


def _is_noun(relation: str, words: Sequence[str]) -> bool:
    """Whether a relation is called by a noun: `has_ceo`, `moderator`; `plays`, `directed` and `knowing` are verbs."""
    name = spoken(relation).split()
    had = name[0] in ("has", "have", "is", "are")
    return had or any(agents(name[-1])) or not name[-1].endswith(("s", "ed", "ing"))


def makes(verb: str) -> bool:
    """Whether a verb says that something is made or made known by somebody, whatever it is: "write", "publish", "release"."""
    return bool(verb) and root(verb) in _MAKING


def _denies(word: str, held: Held) -> bool:
    """Whether a word says the opposite of what a property is called: "closed" of `opened`."""
    return thesaurus().contrary(word, spoken(held.name).split())


def is_date(held: Held) -> bool:
    """Whether a property is a date, or a year as its name says."""
    return held.kind == "date" or (held.kind == "number" and bool(_roots(held) & _YEARS))


@lru_cache(maxsize=8192)
def nearest(word: str, names: tuple[str, ...], least: float = NEAR) -> int | None:
    """Which of some names a word is clearly nearest to; None where it is near to none, or to several alike."""
    if not names:
        return None
    forms = [
        w for w in dict.fromkeys((word, word.removesuffix("s"), root(word))) if word_rank(w) < word_rank("\0")
    ]
    vectors = load_embedder("static").embed([*(forms or [word]), *names])
    near = (vectors[len(forms or [word]) :] @ vectors[: len(forms or [word])].T).max(1)
    order = np.argsort(-near)
    clear = len(order) == 1 or near[order[0]] - near[order[1]] >= CLEAR
    return int(order[0]) if near[order[0]] >= least and clear else None


def _lines(words: Sequence[str]) -> Groups:
    """The lines of the thesaurus that words belong to."""
    return _lines_of(tuple(words))


@lru_cache(maxsize=8192)
def _lines_of(words: tuple[str, ...]) -> Groups:
    return frozenset().union(*thesaurus().groups([stem(w) for w in words]))


def _same_measure(said: Sequence[str], held: Held, named: set[str]) -> bool:
    """Whether words name a property but for words of measuring, and for what its name says of all of it ("total")."""
    dated = _DATED - _OF_DAY if held.kind == "number" else _DATED
    idle = _UNITS_OF | (dated if is_date(held) else frozenset())
    words = {base for w in said if w not in idle for base in _deeds(w)}
    own = {w for w in named if w not in idle | _FILLED}
    own = {base for w in own for base in _deeds(w)}
    if not words or not own or not words <= own:
        return False
    return words == own or (held.kind == "number" and own - words <= _WHOLE)


def _deeds(word: str) -> set[str]:
    """A root, and that of the deed of a noun in -ion: of "creation" that of "create"."""
    return {root(f"{word.removesuffix('ion')}e")} if word.endswith("ion") and len(word) > 5 else {word}


_AFTER = frozenset("in at on to by for from of with into under".split())
_PARTICIPLES = ("ed", "en", "wn", "ne", "ld", "pt", "de", "ght", "lt", "nt", "und", "ung", "led", "rn")
_FILLED = frozenset(map(root, _FILLING))
_HOLDING = frozenset("has have contains includes holds contain include employs member members".split())
_MEMBERS = frozenset(map(root, "member part item element employee staff content".split()))
_WITHIN = frozenset("through across within inside at".split())
PLACES = frozenset(map(root, "located location based situated lies stands place".split()))
_TOGETHER = frozenset(map(root, "co also together jointly".split()))
_NAMING = frozenset(map(root, "name title label id code key description text number".split()))
_OTHERWISE = frozenset(
    map(
        root,
        "max maximum min minimum avg average mean median previous prior old initial target expected planned estimated per".split(),
    )
)  # of a number that is no longer what its noun says
_UNITS_OF = frozenset(map(root, "number count amount score level value nbr num total figure".split())) - {
    root("total")
}
_COUNTED = tuple((root(w), "of") for w in ("number", "count", "amount"))
_WHOLE = frozenset(map(root, "total overall all monthly annual yearly".split()))
_CONTAINING = frozenset(map(root, "contain include hold comprise consist".split()))
_ABOVE = frozenset(
    map(root, "manager boss supervisor superior foreman forewoman lead leader head chief director".split())
)
_ABOVE_ONE = dict.fromkeys(("manager", "line manager", "boss", "supervisor", "superior"), False)
_BELOW_ONE = dict.fromkeys(
    ("direct report", "report", "subordinate"), True
)  # as seen by who reports to somebody
_MADE = frozenset(
    map(
        root,
        "wrote write writes written author authored created create creates composed made posted published".split(),
    )
)
_KINDS = frozenset(map(root, "genre kind category class style species form type sort variety".split()))
_DONE_WITH = frozenset(
    map(
        root,
        "like love favorite favourite view see read watch rate review comment share repost bookmark save vote upvote dislike".split(),
    )
)
_ANYBODY = frozenset(map(root, "user person people member customer client employee student account".split()))
_LIGHT = frozenset(
    map(root, "place make do take operate handle deal dealt submit file run perform conduct complete".split())
)
_MAKING = frozenset(
    map(
        root,
        "make write publish release issue produce create author pen offer work contribute wrote written hear heard judge decide handle file".split(),
    )
)
_MARKS = frozenset(map(root, "id number no name title code identifier key string address".split()))
_INITIAL = re.compile(r"([flm])[ _]?name", re.I)
_INITIALS = {"f": root("first"), "l": root("last"), "m": root("middle")}
_COUNTING = frozenset(map(root, "id number no".split()))
_NUMBERING = frozenset(map(root, "id number no code identifier key".split()))
_VAGUE_MARKS = frozenset(
    map(
        root,
        "full first last middle short long nick user display file common other home work street postal mailing billing shipping".split(),
    )
)
_DONE = {"flight": ("fly",), "sale": ("sell",), "trip": ("travel",), "gift": ("give",), "delivery": ("deliver",),
         "purchase": ("buy",), "choice": ("choose",), "thought": ("think",),
         "prescription": ("prescribe",), "subscription": ("subscribe",)}  # fmt: skip
_SIDES = {
    "from": frozenset(map(root, "origin source from start departure sender begin seller payer".split())),
    "to": frozenset(map(root, "destination target to end arrival recipient receiver payee".split())),
}
_LASTS = frozenset(map(root, "take last".split()))
_BUILT = frozenset(map(root, "built made manufactured produced".split()))
_EARNED = frozenset(map(root, "pay salary wage income earnings stipend".split()))
_IN_TIME = {"late": True, "recent": True, "last": True, "early": False, "first": False}
_FURTHER = {"long": (("distance", True),), "short": (("distance", False),), "far": (("distance", True),)}
_SUMS = frozenset(map(root, "amount sum total payment".split()))
_AMOUNTS = frozenset(map(root, "amount sum value price cost fee total payment".split()))
_WHOLES = frozenset(map(root, "amount total".split()))
_SIZES = {"large": True, "big": True, "great": True, "high": True, "small": False, "low": False}
_LIVES = frozenset(map(root, "birth born death died".split()))
_OF_DATES = {"old": False, "early": False, "young": True, "new": True, "late": True, "recent": True}
_DATED = frozenset(map(root, "year date time day when".split()))
_OF_DAY = frozenset(map(root, "time day".split()))  # a year is none
_ADJECTIVES = frozenset(map(root, adjectives()))
_CALLED = frozenset(map(root, ("called", "named", "titled")))  # what follows is a name of its own
_YEARS = frozenset(
    map(
        root,
        "year since release start launch introduced issued produced premiere publication founded established opened born birth built created installed commissioned manufactured planted".split(),
    )
)
