"""What calls are made of on their way to a query: clauses, and what stands in their rows."""

import re
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TypeAlias, TypeVar, cast

from graphtalk.calls.ast import Call, Text
from graphtalk.calls.query import (
    Clause,
    Column,
    EdgePattern,
    Match,
    NodePattern,
    Operation,
    Part,
    Projection,
    Query,
    Return,
    Subquery,
    Term,
    Variable,
    With,
)
from graphtalk.graphs.schema import FeatureKind

Types: TypeAlias = tuple[str, ...]
_P = TypeVar("_P")


class NoQueryError(Exception):
    """A call that has no query; never leaves this module."""


@dataclass(frozen=True)
class BagRows:
    """Rows, one for each node of a bag: `node` is its variable.

    `unique`: no node stands twice. `once`: each is still to be taken once.
    """

    clauses: tuple[Clause, ...]
    node: str
    types: Types
    unique: bool = False
    once: bool = False

    @property
    def entry(self) -> Term:
        return Variable(self.node)

    @property
    def simple(self) -> bool:
        """Whether it is patterns and nothing else."""
        return all(isinstance(clause, Match) for clause in self.clauses)

    def taken_once(self) -> "BagRows":
        """Each node once."""
        return replace(self, unique=True, once=self.once or not self.unique)

    def settled(self) -> "BagRows":
        """With each node taken once where that was still to be done."""
        if not self.once:
            return self
        distinct = With(Projection((Column(self.entry, self.node),), distinct=True))
        return replace(self, clauses=(*self.clauses, distinct), once=False)

    def then(self, *clauses: Clause) -> "BagRows":
        """With more clauses, after which `node` still has the node."""
        settled = self.settled()
        return replace(settled, clauses=(*settled.clauses, *clauses))

    def where(self, condition: Term) -> "BagRows":
        """The rows for which a condition on the node holds."""
        last = self.clauses[-1]
        if isinstance(last, Match | With):
            both = condition if last.where is None else Operation("and", (last.where, condition))
            return replace(self, clauses=(*self.clauses[:-1], replace(last, where=both)))
        only = With(Projection((Column(self.entry, self.node),)), condition)
        return replace(self, clauses=(*self.clauses, only))


@dataclass(frozen=True)
class Entries:
    """Rows, one for each entry of a list. `kind`: that of the feature; `gaps`: some may be null."""

    clauses: tuple[Clause, ...]
    entry: Term
    name: str
    kind: FeatureKind | None
    gaps: bool = False


@dataclass(frozen=True)
class Single:
    """One row, whose `entry` is the value."""

    clauses: tuple[Clause, ...]
    entry: Term
    name: str


def part_of(made: BagRows | Entries | Single, name: str = "") -> Part:
    """A whole part of a query, which gives what was made."""
    own = made.node if isinstance(made, BagRows) else made.name
    once = isinstance(made, BagRows) and made.once
    return Part((*made.clauses, Return(Projection((Column(made.entry, name or own),), distinct=once))))


def inside(bag: BagRows, other: BagRows) -> Term:
    """Whether the node of a row is in another bag: a pattern that ends in it, where that bag is one."""
    if other.simple:
        return Subquery("exists", Query((Part(renamed(other.clauses, other.node, bag.node)),)))
    return Operation("in", (bag.entry, Subquery("collect", Query((part_of(other),)))))


def renamed(part: _P, old: str, new: str) -> _P:
    """A part of a query with another name for a variable of its nodes."""
    if isinstance(part, tuple):
        return cast(_P, tuple([renamed(each, old, new) for each in part]))
    if isinstance(part, Variable):
        return cast(_P, Variable(new) if part.name == old else part)
    if not is_dataclass(part) or isinstance(part, Text | Call):
        return part
    changed = {f.name: renamed(getattr(part, f.name), old, new) for f in fields(part)}
    if isinstance(part, NodePattern) and part.variable == old:
        changed["variable"] = new
    return replace(part, **changed)  # type: ignore[type-var]


def may_extend(match: Match, node: str, edge: EdgePattern) -> bool:
    """Whether a pattern that ends in a node may go on by an edge: edges of one MATCH must differ, those of two need not."""
    path = match.patterns[0]
    plain = len(match.patterns) == 1 and not (match.optional or path.shortest)
    used = {name for each in path.edges for name in each.relations}
    several = any(each.several for each in path.edges)
    return plain and not several and path.nodes[-1].variable == node and used.isdisjoint(edge.relations)


def same(variable: Variable) -> Column:
    return Column(variable, variable.name)


def plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").lower() or "value"
