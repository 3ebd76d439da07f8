"""What names mean in one place of a program."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphtalk.vertex.language.ast import Expr
from graphtalk.vertex.language.types import Type

# What a name stands for. Own: state (of the node itself), node (its id and degrees), attribute (node.NAME),
# changed, received. Everywhere: graph, parameter, total, moment (round, changes, sent). Of one edge: to, edge,
# message, arrived. Inside an aggregate: messages, edges, nodes (a field of the element, or the node that it is
# about), element (of a set or list).
OWN = frozenset({"state", "node", "attribute", "changed", "received"})
OF_ARCS = frozenset({"to", "edge", "edges", "message", "messages", "arrived"})


@dataclass(frozen=True)
class Meaning:
    """The type of a name and its role."""

    type: Type
    role: str


@dataclass(frozen=True)
class Scope:
    """The names, the owners of fields, the collections, and what `let` has defined, in one place.

    `where` names the place in error messages. `collections` maps each to the types of its elements' fields.
    """

    where: str
    names: Mapping[str, Meaning]
    owners: Mapping[str, Mapping[str, Meaning]] = field(default_factory=dict)
    collections: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    lets: Mapping[str, Expr] = field(default_factory=dict)
    columns: Mapping[str, Type] = field(default_factory=dict)


def node_meanings(types: Mapping[str, Type], role: str) -> dict[str, Meaning]:
    """All of one role."""
    return {name: Meaning(type, role) for name, type in types.items()}
