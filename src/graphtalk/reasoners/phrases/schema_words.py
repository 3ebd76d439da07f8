"""What a schema's types are called, who acts in it, and which of them stand for what happened."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np

from graphtalk.core import LimitError
from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.language.dictionary import verbs
from graphtalk.language.english import ASKING, Groups, stem, thesaurus
from graphtalk.language.kinship import counterpart, kin_noun
from graphtalk.language.nouns import singular
from graphtalk.language.people import is_person
from graphtalk.reasoners.around.names import Names, begun, between_ends, deeds, numbered, root
from graphtalk.reasoners.reader.shape import Held, Link, Shape, Step, spoken

_FEW_NAMES = 1_000  # of a type that are looked at for what they say
VAGUE = ASKING | {"event", "kind", "share"}  # lines of words that name nothing by themselves


class SchemaWords:
    """The types of one schema, and what is known of their nodes."""

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
            lines = meanings([noun])
            alike = [
                t for t in self.shape.types if lines & set(meanings([spoken(t).rpartition(" ")[2]])) - VAGUE
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
        return tuple(t for t in self.shape.types if is_person(t) and not self._stands_for_deed(t))

    def _stands_for_deed(self, node_type: str) -> bool:
        """Whether nodes of a type that may be called as people are stand for what somebody did: a hire of a costume by a customer."""
        deed = any(node_type in types for types in self._deed_types.values())
        return (
            deed
            and any(map(is_date, self.held(node_type)))
            and any(s.out and is_person(s.target) and s.target != node_type for s in self.steps(node_type))
        )

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

    def number_of(self, node_type: str) -> Held | None:
        """The number that nodes of a type are told by: `port` of "port 80", `number` of "gate 12"."""
        told = {frozenset(map(root, spoken(node_type).split())), frozenset({root("number")})}
        found = [h for h in self.held(node_type) if h.kind == "number" and roots_of(h) in told]
        return found[0] if len(found) == 1 else None

    def has_names(self, node_type: str) -> bool:
        """Whether nodes are called by a name, and not only by their number."""
        action = self.shape.name_of(node_type)
        return action is None or not roots_of(self.shape.properties[action]) & _COUNTING

    def is_record(self, node_type: str) -> bool:
        """Whether nodes stand for what was done, and have no names of their own: visits V1, V2."""
        action = self.shape.name_of(node_type)
        if action is None or not self.has_names(node_type):
            return True
        noun = singular(spoken(node_type).rpartition(" ")[2])
        done = noun in verbs() or any(deed != root(noun) for deed in deeds_of_event(node_type))
        return done and self._in_codes(node_type)

    def _in_codes(self, node_type: str) -> bool:
        """Whether the first names of a type are letters with digits."""
        label = next((t.label for t in self._graph.schema.node_types if t.name == node_type), "") or "id"
        try:
            names = self._graph.columns[node_type].column(label).slice(0, 50).to_pylist()
        except LimitError:  # of a graph elsewhere, more than are read here
            return False
        return all(" " not in str(text) and any(map(str.isdigit, str(text))) for text in names)

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
        found = [h for h in self.held(node_type) if h.kind == "text" and roots_of(h) == {last}]
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

    def dates(self, owner: str) -> list[Held]:
        """The only date of an owner, or that on which it was what it is called: orders are `ordered_on`, whenever they are delivered; of what
        lasts from one moment to another, that on which it began.
        """
        found = [h for h in self.held(owner) if is_date(h)]
        if len(found) > 1 and owner in self.shape.types:
            own = deeds_of_event(owner)
            named = [h for h in found if not own.isdisjoint(roots_of(h) - DATED)]
            found = named if len(named) == 1 else found
        began = [h.of[0] for h in self.shape.derived if h.owner == owner and h.part == "minutes"]
        return found if len(found) == 1 else began if len(found) == 2 else []

    def date_roots(self, held: Held) -> frozenset[str]:
        """The roots that a date is called by, and of what was done then: of `departure_date` that of "depart"."""
        deeds = (deeds_of(w) for w in spoken(held.name).split())
        return roots_of(held).union(*deeds) - DATED

    def is_event(self, node_type: str) -> bool:
        """Whether nodes of a type stand for what happened."""
        return any(node_type in self.events(deed) for deed in deeds_of_event(node_type))

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
            for deed in deeds_of(noun):
                found[deed] = (*found.get(deed, ()), t)
        return found

    def between(self, source: str, target: str) -> Step | None:
        """The one relation between two different types, as it leaves the first; what was `packed_by` somebody over lines is not theirs."""
        steps = [self.shape.steps[a] for a in self.shape.steps_from.get(source, ())]
        found = [
            s for s in steps if s.target == target and (s.link.over is None or s.link.name == s.link.over[0])
        ]
        return found[0] if len(found) == 1 and source != target else None

    def to_one(self, step: Step) -> bool:
        """Whether a step leads each node to one at most."""
        if step not in self._one:
            try:
                ends = self.ends(step.link)[0 if step.out else 1]
            except LimitError:  # edges of a graph elsewhere, more than are read here
                ends = np.zeros(2, np.int64)
            self._one[step] = len(ends) == 0 or int(np.bincount(ends - ends.min()).max()) == 1
        return self._one[step]

    def never_after(self, first: Held, second: Held) -> bool:
        """Whether of no node one moment is after another, and of some before it."""
        import pyarrow.compute as pc  # slow to import, and few graphs come here

        a, b = (self._graph.columns[h.owner].column(h.name) for h in (first, second))
        alike = a.type == b.type
        return alike and bool(pc.all(pc.less_equal(a, b)).as_py()) and bool(pc.any(pc.less(a, b)).as_py())

    def may_be_none(self, held: Held) -> bool:
        """Whether a number says of some that there is none of it: a delay of 0."""
        if held.kind != "number" or held.edge or held.of or is_date(held):
            return False
        if held.action not in self._least:
            self._least[held.action] = self._least_of(held)
        return self._least[held.action] == 0

    @cached_property
    def _least(self) -> dict[str, float | None]:
        return {}

    def _least_of(self, held: Held) -> float | None:
        import pyarrow.compute as pc  # slow to import, and few questions come here

        try:
            least: float | None = pc.min(self._graph.columns[held.owner].column(held.name)).as_py()
        except LimitError:  # of a graph elsewhere, more than are read here
            return None
        return least

    def ends(self, link: Link) -> tuple[Ints, Ints]:
        """The sources and the targets of a link's edges. Raises LimitError where these are elsewhere, and more than are read here."""
        if link.over is not None:
            return self._ends_over(link, *link.over)
        parts = [replace(link, name=name, of=()) for name in link.relations]
        both = [self._graph.ends(self.shape.places[part]) for part in parts]
        return np.concatenate([source for source, _ in both]), np.concatenate([target for _, target in both])

    def _ends_over(self, link: Link, line: str, near: str, beyond: str) -> tuple[Ints, Ints]:
        """The ends of a link over nodes that stand between, each of which has one of either at most."""
        (nodes, sources), (others, targets) = (
            self.ends(Link(name, line, end)) for name, end in ((near, link.source), (beyond, link.target))
        )
        _, first, second = np.intersect1d(nodes, others, return_indices=True)
        return sources[first], targets[second]

    def inverse(self, link: Link) -> str:
        """What a link is called from its other end; "" where nothing says it."""
        own = "" if link.made else self._graph.schema.relations[self.shape.places[link]].inverse
        return own or self.kin_of(link)

    def kin_of(self, link: Link) -> str:
        """What who has a kin by a link is to them: a child, by a parent. Whose mothers alone are known may be a father's child too."""
        alike = link.source == link.target and not link.undirected
        return counterpart(kin_noun(spoken(link.name))) if alike else ""

    def called(self, step: Step) -> str:
        """What a relation is called, as seen from where a step leaves; nothing where it has no name there."""
        if step.out or step.link.undirected:
            return " ".join(self.said(step.link))
        return spoken(self.inverse(step.link))

    def said(self, link: Link) -> list[str]:
        """The words of a relation's name: `treats` of `Compound-treats-Disease`."""
        return between_ends(link.name, link.source, link.target) or [link.name]

    def reversed(self, step: Step) -> Step:
        """A step back the way it came."""
        both_ways = step.link.undirected and step.source == step.target
        return step if both_ways else Step(step.link, not step.out)

    def steps(self, source: str) -> list[Step]:
        """The views that leave a type."""
        return [self.shape.steps[a] for a in self.shape.steps_from.get(source, ())]


def deeds_of(noun: str) -> set[str]:
    """The roots of what is done where there is what a noun says: "prescribe" of "prescription"."""
    return {root(noun), *deeds(noun), *map(root, DONE.get(noun, ()))}


def deeds_of_event(node_type: str) -> set[str]:
    """The roots of what was done where there is a node of a type, by the last noun of that."""
    return deeds_of(singular(spoken(node_type).rpartition(" ")[2]))


@lru_cache(maxsize=8192)
def roots_of(held: Held) -> frozenset[str]:
    """The roots of the words of a property's name, but for "yearly" and the like: a yearly fee is no year."""
    words = spoken(held.name).split()
    return frozenset(root(w) for w in words if not (w.endswith("ly") and root(w) == root(w[:-2])))


def makes(verb: str) -> bool:
    """Whether a verb says that something is made or made known by somebody, whatever it is: "write", "publish", "release"."""
    return bool(verb) and root(verb) in _MAKING


def is_date(held: Held) -> bool:
    """Whether a property is a date, or a year as its name says; the time from one date to another is none."""
    return held.kind == "date" or (
        held.kind == "number" and len(held.of) < 2 and bool(roots_of(held) & YEARS)
    )


def meanings(words: Sequence[str]) -> Groups:
    """The lines of the thesaurus that words belong to."""
    return _lines_of(tuple(words))


@lru_cache(maxsize=8192)
def _lines_of(words: tuple[str, ...]) -> Groups:
    return frozenset().union(*thesaurus().groups([stem(w) for w in words]))


PLACES = frozenset(map(root, "located location based situated lies stands place".split()))
_NAMING = frozenset(map(root, "name title label id code key description text number".split()))
_MAKING = frozenset(
    map(
        root,
        "make write publish release issue produce create author pen offer work contribute wrote written hear heard judge decide handle file".split(),
    )
)
_COUNTING = frozenset(map(root, "id number no".split()))
DONE = {  # what is done where there is an event of a name that does not say it
    noun: tuple(verbs.split())
    for noun, verbs in {
        "award": "win", "battle": "fight", "booking": "reserve", "choice": "choose", "concert": "play perform", "contribution": "give",
        "delivery": "deliver", "deployment": "release", "donation": "give", "exam": "sit", "exhibition": "show", "flight": "fly",
        "game": "play", "gift": "give", "goal": "score", "hire": "rent", "inspection": "check", "journey": "travel", "lesson": "teach", "loan": "lend",
        "maintenance": "service", "match": "play", "observation": "see spot watch", "order": "buy", "performance": "play perform",
        "prescription": "prescribe", "purchase": "buy", "rental": "hire", "repair": "fix mend", "reservation": "book", "sale": "sell",
        "screening": "show", "shift": "work", "shipment": "send", "sighting": "see spot", "speech": "speak", "subscription": "subscribe",
        "talk": "speak", "theft": "steal", "thought": "think", "trip": "travel", "viewing": "see watch", "voyage": "sail travel",
    }.items()
}  # fmt: skip
DATED = frozenset(map(root, "year date time day when".split()))
YEARS = frozenset(
    map(
        root,
        "year since release start launch introduced issued produced premiere publication founded established opened born birth built created installed commissioned manufactured planted".split(),
    )
)
