"""What the reader knows of a graph's schema: items that a reading can point to.

A type, a relation seen from one of its ends (a view), a property of a type or of a relation's edges. Made from a
graph's schema here, and from tables and made-up schemas where the network is trained.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from graphtalk.language.identifiers import apart, in_words
from graphtalk.reasoners.reader.words import stems

PropertyKind: TypeAlias = Literal["text", "number", "boolean", "date", "list"]

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])")


@lru_cache(maxsize=16_384)
def spoken(name: str) -> str:
    """A name of a schema as words: `nbrEmployees` and `NBR_EMPLOYEES` give `nbr employees`."""
    words = re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", in_words(name))).lower().split()
    return " ".join(map(apart, words)) or name


@dataclass(frozen=True)
class Link:
    """Edges of one relation between two types, or of each of several (`of`): parents are fathers and mothers.

    `over`: or nodes of a type that stand between, and the names of their relations to source and target: the lines of an order.
    """

    name: str
    source: str
    target: str
    undirected: bool = False
    of: tuple[str, ...] = ()
    over: tuple[str, str, str] | None = None

    @property
    def relations(self) -> tuple[str, ...]:
        """The names of its edges' relations."""
        return self.of or (self.name,)

    @property
    def made(self) -> bool:
        """Whether it is no relation of the graph, but made of some."""
        return bool(self.of) or self.over is not None

    @property
    def key(self) -> str:
        """Its name in actions."""
        return f"{self.source}-{self.name}-{self.target}"


@dataclass(frozen=True)
class Held:
    """A property. `owner` is a type's name, or a link's key where `edge`. `naming`: it names the node to people.

    `stored` says how a graph has it, where that matters: `date`, `datetime`; `text` of yes and no, which are the `examples`; `number` of 1 and 0.
    `of`: the dates that it is worked out of: `part` of one (month, weekday, …), or the `days` from the first to the second; or the
    property of the one node that a step leads to (`via`), which stands for the same thing.
    """

    owner: str
    name: str
    kind: PropertyKind
    edge: bool = False
    naming: bool = False
    examples: tuple[str, ...] = ()
    stored: str = ""
    of: "tuple[Held, ...]" = ()
    part: str = ""
    via: "Step | None" = None

    @property
    def action(self) -> str:
        """Its name in actions."""
        return f"{'E' if self.edge else 'P'}:{self.owner}.{self.name}"


@dataclass(frozen=True)
class Step:
    """A link as seen from one of its ends."""

    link: Link
    out: bool

    @property
    def source(self) -> str:
        """The type it leaves."""
        return self.link.source if self.out else self.link.target

    @property
    def target(self) -> str:
        """The type it reaches."""
        return self.link.target if self.out else self.link.source

    @property
    def action(self) -> str:
        """Its name in actions."""
        return f"V:{'>' if self.out else '<'}{self.link.key}"


@dataclass(frozen=True)
class Shape:
    """Types, links and properties, and all that actions can point to, by the actions' names.

    `derived`: properties that the graph does not have, but that are worked out of those it has.
    """

    types: tuple[str, ...]
    links: tuple[Link, ...]
    held: tuple[Held, ...]
    derived: tuple[Held, ...] = ()

    @cached_property
    def places(self) -> dict[Link, int]:
        """Where each link stands: looked for one by one among hundreds, this took seconds of a question."""
        return {link: place for place, link in reversed([*enumerate(self.links)])}

    @cached_property
    def steps(self) -> dict[str, Step]:
        """Views by action; an undirected link of one type has one, for from both ends it is the same."""
        both = (Step(link, out) for link in self.links for out in (True, False))
        return {s.action: s for s in both if s.out or not s.link.undirected or s.source != s.target}

    @cached_property
    def properties(self) -> dict[str, Held]:
        """Properties by action."""
        return {h.action: h for h in (*self.held, *self.derived)}

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Actions of all types, views and properties."""
        return (*(f"T:{t}" for t in self.types), *self.steps, *self.properties)

    @cached_property
    def steps_from(self) -> dict[str, tuple[str, ...]]:
        """Views by the type they leave."""
        return {t: tuple(a for a, s in self.steps.items() if s.source == t) for t in self.types}

    @cached_property
    def held_by(self) -> dict[str, tuple[str, ...]]:
        """Properties by type, and by a link's key."""
        found: dict[str, list[str]] = {}
        for h in self.held:
            found.setdefault(h.owner, []).append(h.action)
        return {owner: tuple(actions) for owner, actions in found.items()}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The stems of all words that name a part of the schema."""
        names = [*self.types, *(link.name for link in self.links), *(h.name for h in self.held)]
        return frozenset(s for name in names for s in stems(spoken(name)))

    def name_of(self, node_type: str) -> str | None:
        """The action of the property that names a type's nodes."""
        return next((a for a in self.held_by.get(node_type, ()) if self.properties[a].naming), None)


NAMING = ("name", "title", "display name", "screen name", "full name", "label", "username", "text", "id")


def with_names(held: Iterable[Held]) -> tuple[Held, ...]:
    """The properties with one naming property a type, where none is marked: the likeliest by its name."""
    listed = list(held)
    owners = {h.owner for h in listed if not h.edge}
    for owner in sorted(owners - {h.owner for h in listed if h.naming}):
        own = [i for i, h in enumerate(listed) if h.owner == owner and not h.edge]
        for wanted in NAMING:
            at = next(
                (i for i in own if spoken(listed[i].name) in (wanted, f"{spoken(owner)} {wanted}")), None
            )
            if at is not None:
                h = listed[at]
                listed[at] = replace(h, naming=True)
                break
    return tuple(listed)
