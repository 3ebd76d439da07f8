"""From tables of nodes and edges to a graph in memory: what every reader ends in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.schema import Feature, FeatureKind, NodeType, Relation, Schema


@dataclass(frozen=True)
class NodeTable:
    """Nodes of one type: an Arrow table whose column `id` has the external ids; the rest are features."""

    name: str
    table: pa.Table
    label: str = ""
    description: str = ""


@dataclass(frozen=True)
class EdgeTable:
    """Edges of one relation. `source` and `target` are rows of the two node tables. Shape (edges,)."""

    name: str
    source_type: str
    target_type: str
    source: Ints
    target: Ints
    features: pa.Table | None = None
    inverse: str = ""
    description: str = ""


def build(nodes: Sequence[NodeTable], edges: Sequence[EdgeTable], name: str = "graph") -> Graph:
    """A graph of these tables. Node types keep their order, and so do relations.

    Ids are taken as they are: readers see to it that none stands twice (`graphs/assemble.py`). Raises
    SourceError where an edge's end lies outside its node type.
    """
    node_types: list[NodeType] = []
    first = 0
    for part in nodes:
        node_types.append(
            NodeType(
                part.name, part.table.num_rows, first, part.label, _features(part.table), part.description
            )
        )
        first += part.table.num_rows
    spans = {t.name: range(t.first, t.first + t.count) for t in node_types}
    adjacencies, columns, relations = [], [], []
    for e in edges:
        sources, targets = spans[e.source_type], spans[e.target_type]
        _check_ends(e, sources, targets)
        adjacency, order = Adjacency.of(e.source + sources.start, e.target + targets.start, sources, targets)
        table = e.features.take(pa.array(order)) if e.features is not None else pa.table({})
        adjacencies.append(adjacency)
        columns.append(table)
        relations.append(
            Relation(
                e.name,
                e.source_type,
                e.target_type,
                len(e.source),
                e.inverse,
                _features(table),
                e.description,
            )
        )
    return Graph(
        Schema(tuple(node_types), tuple(relations)),
        {p.name: p.table for p in nodes},
        adjacencies,
        columns,
        name,
    )


def _check_ends(e: EdgeTable, sources: range, targets: range) -> None:
    for ends, span, what in ((e.source, sources, "source"), (e.target, targets, "target")):
        if len(ends) and (int(np.min(ends)) < 0 or int(np.max(ends)) >= len(span)):
            raise SourceError(
                f"Relation {e.name!r}: a {what} lies outside its node type ({len(span)} nodes)."
            )


def _features(table: pa.Table) -> tuple[Feature, ...]:
    return tuple(Feature(f.name, feature_kind(f.type)) for f in table.schema if f.name != "id")


def feature_kind(kind: pa.DataType) -> FeatureKind:
    """The feature kind that an Arrow type stands for."""
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_fixed_size_list(kind):
        return "vector"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return "list"
    return "text"
