"""Edges and features, from the schema: how a kind of neighbours is reached by a pattern."""

from dataclasses import dataclass

from graphtalk.calls.query import EdgePattern, Way
from graphtalk.engines.lower.rows import NoQueryError, Types
from graphtalk.engines.naming import pick
from graphtalk.graphs.schema import FeatureKind, Schema, View


@dataclass(frozen=True)
class Step:
    """An edge to the neighbours of a kind. `reached`: the labels without which it would lead to others too."""

    edge: EdgePattern
    targets: Types
    reached: Types


def views(schema: Schema, types: Types, name: str) -> list[View]:
    """The views of a name from nodes of these types."""
    known = {view for t in types for view in schema.views_from(t)}
    found = pick(name, sorted(known))
    return [view for t in types for view in schema.called(t, found or name)]


def step_along(schema: Schema, types: Types, name: str) -> Step:
    """The edges that lead from nodes of these types to their neighbours of a kind, and to no others."""
    asked = views(schema, types, name)
    relations = tuple(dict.fromkeys([schema.relations[view.relation].name for view in asked]))
    targets = tuple(dict.fromkeys([view.target for view in asked]))
    ways = {view.direction for view in asked}
    way: Way = ways.pop() if len(ways) == 1 else "both"
    wanted = {(view.relation, view.source, view.direction) for view in asked}
    for reached in ((), targets):
        followed = {
            (view.relation, view.source, view.direction)
            for view in schema.views
            if view.source in types
            and schema.relations[view.relation].name in relations
            and (way == "both" or view.direction in (way, "both"))
            and (not reached or view.target in reached)
        }
        if wanted and wanted == followed:
            return Step(EdgePattern("", relations, way), targets, reached)
    raise NoQueryError


def kind_of(schema: Schema, types: Types, feature: str) -> FeatureKind | None:
    """The kind of a feature where all types that have it agree."""
    kinds = {f.kind for t in types for f in schema.node_type(t).features if f.name == feature}
    return kinds.pop() if len(kinds) == 1 else None
