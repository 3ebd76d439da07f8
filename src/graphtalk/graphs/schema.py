"""What a graph can be asked about: its node types, their features, its relations and how they are seen."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeAlias

from graphtalk.core import CheckError, choices

FeatureKind: TypeAlias = Literal["text", "number", "boolean", "date", "datetime", "list", "vector"]
Direction: TypeAlias = Literal["out", "in", "both"]
LEADS_TO = " -> "  # between the name of a relation and the type that is meant, where it leads to several


@dataclass(frozen=True)
class Feature:
    """A named attribute of nodes or edges. `item` is what a list holds: texts, numbers or booleans."""

    name: str
    kind: FeatureKind
    item: FeatureKind = "text"


@dataclass(frozen=True)
class NodeType:
    """A type of nodes. Its nodes have the indices `first` to `first + count - 1`.

    `label` is the feature that names a node to people (empty: the external id does). `description` is an
    optional sentence for people and models.
    """

    name: str
    count: int
    first: int = 0
    label: str = ""
    features: tuple[Feature, ...] = ()
    description: str = ""


@dataclass(frozen=True)
class Relation:
    """Edges of one name from one node type to another.

    `inverse` names the relation as seen from its target. Where it equals `name`, both ends see it under
    one name: that is no direction, so each edge, which is stored once, leads either way. Where it is
    empty, the way back is called `^name`, as in SPARQL property paths.
    """

    name: str
    source: str
    target: str
    count: int
    inverse: str = ""
    features: tuple[Feature, ...] = ()
    description: str = ""

    @property
    def undirected(self) -> bool:
        """Whether both ends see an edge alike, so that it goes both ways."""
        return self.inverse == self.name

    @property
    def back(self) -> str:
        """The name of the relation as seen from its target."""
        return self.inverse or f"^{self.name}"


@dataclass(frozen=True)
class View:
    """A relation as seen from a node type: what Graph-CoT calls a neighbour type.

    `relation` is the position in `Schema.relations`; `direction` says which way its edges are followed.
    """

    name: str
    source: str
    target: str
    relation: int
    direction: Direction


@dataclass(frozen=True)
class Schema:
    """Node types and relations of a graph."""

    node_types: tuple[NodeType, ...]
    relations: tuple[Relation, ...]
    _types: dict[str, NodeType] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_types", {t.name: t for t in self.node_types})

    def node_type(self, name: str) -> NodeType:
        """The node type called `name`. Raises CheckError with the valid names."""
        found = self._types.get(name)
        if found is None:
            raise CheckError(f"No node type {name!r}. {choices(name, self._types)}")
        return found

    @cached_property
    def views(self) -> tuple[View, ...]:
        """Every relation as seen from every node type that it touches."""
        return tuple(self._views())

    def _views(self) -> Iterator[View]:
        for position, r in enumerate(self.relations):
            if r.undirected and r.source == r.target:
                yield View(r.name, r.source, r.target, position, "both")
            else:
                yield View(r.name, r.source, r.target, position, "out")
                yield View(r.back, r.target, r.source, position, "in")

    @cached_property
    def _views_from(self) -> dict[str, dict[str, tuple[View, ...]]]:
        table: dict[str, dict[str, tuple[View, ...]]] = {t.name: {} for t in self.node_types}
        for view in self.views:
            named = table[view.source]
            named[view.name] = (*named.get(view.name, ()), view)
        return table

    def views_from(self, node_type: str) -> dict[str, tuple[View, ...]]:
        """The relations seen from `node_type`, by name. One name may lead to several target types."""
        self.node_type(node_type)
        return self._views_from[node_type]

    def called(self, node_type: str, name: str) -> tuple[View, ...]:
        """The views called `name` from `node_type`; none where there is none.

        A name that leads to several types may say which is meant: `HOLDS -> Machine`.
        """
        named = self.views_from(node_type)
        if name in named:
            return named[name]
        plain, _, target = name.rpartition(LEADS_TO)
        return tuple(view for view in named.get(plain, ()) if view.target == target)

    def name_of(self, view: View) -> str:
        """The name that tells a view from all others of its source: with the type it leads to, where the name has several."""
        alone = len(self.views_from(view.source)[view.name]) == 1
        return view.name if alone else f"{view.name}{LEADS_TO}{view.target}"

    def view(self, node_type: str, name: str) -> tuple[View, ...]:
        """The views called `name` from `node_type`. Raises CheckError with the valid names."""
        found = self.called(node_type, name)
        if not found:
            valid = self.views_from(node_type)
            raise CheckError(f"{node_type} nodes have no neighbour type {name!r}. {choices(name, valid)}")
        return found

    @property
    def relation_names(self) -> tuple[str, ...]:
        """Names of all views, each once, in order of first appearance."""
        return tuple(dict.fromkeys(v.name for v in self.views))


def schema_to_json(schema: Schema) -> dict[str, Any]:
    """A schema as JSON values."""
    return {
        "node_types": [asdict(t) for t in schema.node_types],
        "relations": [asdict(r) for r in schema.relations],
    }


def schema_from_json(data: Mapping[str, Any]) -> Schema:
    """The schema that `schema_to_json` wrote."""
    return Schema(
        tuple(NodeType(**{**t, "features": _features(t)}) for t in data["node_types"]),
        tuple(Relation(**{**r, "features": _features(r)}) for r in data["relations"]),
    )


def _features(part: Mapping[str, Any]) -> tuple[Feature, ...]:
    return tuple(Feature(**f) for f in part["features"])
