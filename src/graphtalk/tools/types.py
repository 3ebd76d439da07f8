"""Types of expressions, the kinds of parameters, and the rules that give a call its type."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NewType, TypeAlias

from graphtalk.graphs import Schema
from graphtalk.graphs.schema import FeatureKind

Kind: TypeAlias = Literal[
    "nodes",
    "number",
    "text",
    "boolean",
    "date",
    "datetime",
    "list",
    "table",
    "record",
    "graph",
    "rows",
    "any",
]
ParameterKind: TypeAlias = Literal[
    "nodes",
    "node",
    "table",
    "relation",
    "node type",
    "feature",
    "edge feature",
    "comparison",
    "number",
    "whole number",
    "text",
    "boolean",
    "numbers",
    "ordered",
    "scalar",
    "bag or list",
    "entries",
    "names",
    "links",
]
Comparison: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">=", "contains"]

# What the annotations of a tool's parameters mean, beside Bag, int, float, str and bool.
Node = NewType("Node", int)
RelationName = NewType("RelationName", str)
NodeTypeName = NewType("NodeTypeName", str)
FeatureName = NewType("FeatureName", str)
EdgeFeatureName = NewType("EdgeFeatureName", str)


@dataclass(frozen=True)
class Numbers:
    """One or more numbers: what a number, a list or a table gives, without its empty entries."""

    values: tuple[int | float, ...]


@dataclass(frozen=True)
class Ordered:
    """One or more numbers, or one or more dates: what can be smallest and largest."""

    values: tuple[int | float, ...] | tuple[date, ...]


@dataclass(frozen=True)
class Names:
    """One or more names: a text, or several in braces."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class Links:
    """Which links are meant: names of relations, or "all …", and pairs of names of nodes."""

    names: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Type:
    """The type of an expression.

    `node_types` are the types that nodes may have (of a bag, a table or a list of bags); `one` says that a
    bag surely has one node; `item` is what a list holds.
    """

    kind: Kind
    node_types: tuple[str, ...] = ()
    one: bool = False
    item: Kind = "any"

    def __str__(self) -> str:
        if self.kind == "nodes":
            what = "a node" if self.one else "nodes"
            return f"{what} of type {' or '.join(self.node_types[:4])}" if self.node_types else what
        if self.kind == "list":
            return "a list" if self.item == "any" else f"a list of {self.item}s"
        return "a value" if self.kind == "any" else f"a {self.kind}"


NUMBER, TEXT, BOOLEAN, GRAPH, ANY = (
    Type("number"),
    Type("text"),
    Type("boolean"),
    Type("graph"),
    Type("any"),
)


@dataclass(frozen=True)
class Site:
    """What a typing rule may look at: the schema, the types of the arguments, and those that are names and texts."""

    schema: Schema
    types: Mapping[str, Type]
    literals: Mapping[str, str]

    def bag(self) -> Type:
        """The type of the first argument that is nodes; nodes of any type where there is none."""
        for t in self.types.values():
            if t.kind == "nodes":
                return t
        return Type("nodes", tuple(t.name for t in self.schema.node_types))


Rule: TypeAlias = Callable[[Site], Type]


def same_nodes(site: Site) -> Type:
    """Some of the nodes of the first bag."""
    return replace(site.bag(), one=False)


def either_nodes(site: Site) -> Type:
    """Nodes of any bag that was given."""
    types = [name for t in site.types.values() if t.kind == "nodes" for name in t.node_types]
    return Type("nodes", tuple(dict.fromkeys(types)))


def both_nodes(site: Site) -> Type:
    """Nodes that every given bag may have; those of the first where they share no type."""
    bags = [t for t in site.types.values() if t.kind == "nodes"]
    shared = tuple(n for n in bags[0].node_types if all(n in t.node_types for t in bags[1:]))
    return Type("nodes", shared or bags[0].node_types)


def any_nodes(site: Site) -> Type:
    """Nodes of any type of the graph."""
    return Type("nodes", tuple(t.name for t in site.schema.node_types))


def named_nodes(site: Site) -> Type:
    """Nodes of the node type that is named, or of any."""
    name = site.literals.get("node_type")
    return Type("nodes", (name,)) if name else any_nodes(site)


def one_named_node(site: Site) -> Type:
    """One node of the node type that is named, or of any."""
    return replace(named_nodes(site), one=True)


def reached_nodes(site: Site) -> Type:
    """Nodes at the other end of the neighbour type that is named."""
    name = site.literals["neighbor_type"]
    targets: list[str] = []
    for node_type in site.bag().node_types:
        targets += [view.target for view in site.schema.called(node_type, name)]
    return Type("nodes", tuple(dict.fromkeys(targets)))


def first_given(site: Site) -> Type:
    """The type of the first argument, with no promise that it is one node."""
    return replace(next(iter(site.types.values())), one=False)


def counted_entries(site: Site) -> Type:
    """Some entries of the bag or list that is given; of a list of lists the entries of those."""
    given = next(iter(site.types.values()))
    if given.kind == "list" and given.item == "list":
        return Type("list")
    return replace(given, one=False)


def node_table(site: Site) -> Type:
    """A number for each of some nodes."""
    return Type("table", any_nodes(site).node_types)


def table_nodes(site: Site) -> Type:
    """Nodes of the table that is given."""
    given = next(t for t in site.types.values() if t.kind in ("table", "any"))
    return Type("nodes", given.node_types or any_nodes(site).node_types)


def one_of_ordered(site: Site) -> Type:
    """A date where dates are given, else a number."""
    given = next(iter(site.types.values()))
    kind = given.item if given.kind == "list" else given.kind
    return Type(kind) if kind in ("date", "datetime", "any") else NUMBER


def number_each(site: Site) -> Type:
    """A number for one node, a list of numbers for a bag."""
    return NUMBER if site.bag().one else Type("list", item="number")


def feature_each(site: Site) -> Type:
    """The feature of one node, a list of them for a bag."""
    kinds = {feature_kind(site.schema, t, site.literals["feature"]) for t in site.bag().node_types}
    kinds.discard(None)
    shared = next(iter(kinds)) if len(kinds) == 1 else None
    kind: Kind = "any" if shared is None else "list" if shared == "vector" else shared
    if site.bag().one:
        return Type(kind)
    return Type("list", item=kind)


def feature_kind(schema: Schema, node_type: str, feature: str) -> FeatureKind | None:
    """The kind of a feature of a node type, None where it has no such feature. `id` is a text."""
    for f in schema.node_type(node_type).features:
        if f.name == feature:
            return f.kind
    return "text" if feature == "id" else None
