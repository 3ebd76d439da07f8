"""From tables of nodes and edges to a graph in memory: what every reader ends in."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.schema import NodeType, Relation, Schema

_MOST_POINTERS = 1 << 29  # of eight bytes each


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

    Ids are taken as they are: readers see to it that none stands twice (`graphs/assemble.py`). Columns get the
    types that features have (`graphs/columns.py`). Raises SourceError where an edge's end lies outside its node type.
    """
    node_types: list[NodeType] = []
    tables = {part.name: feature_table(part.table) for part in nodes}
    first = 0
    for part in nodes:
        count, features = part.table.num_rows, features_of(tables[part.name])
        node_types.append(NodeType(part.name, count, first, part.label, features, part.description))
        first += count
    spans = {t.name: range(t.first, t.first + t.count) for t in node_types}
    pointers = sum(len(spans[e.source_type]) + len(spans[e.target_type]) for e in edges)
    if pointers > _MOST_POINTERS:
        raise SourceError(
            f"{len(edges):,} relations need {pointers:,} places of nodes, more than {_MOST_POINTERS:,}: each keeps one for "
            "every node of its types. Give most of them one name, and what tells them apart as a feature."
        )
    adjacencies, columns, relations = [], [], []
    for e in edges:
        sources, targets = spans[e.source_type], spans[e.target_type]
        _check_ends(e, sources, targets)
        adjacency, order = Adjacency.of(e.source + sources.start, e.target + targets.start, sources, targets)
        table = feature_table(e.features).take(pa.array(order)) if e.features is not None else pa.table({})
        adjacencies.append(adjacency)
        columns.append(table)
        relations.append(
            Relation(
                e.name,
                e.source_type,
                e.target_type,
                len(e.source),
                e.inverse,
                features_of(table),
                e.description,
            )
        )
    return Graph(
        Schema(tuple(node_types), tuple(relations)),
        tables,
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
