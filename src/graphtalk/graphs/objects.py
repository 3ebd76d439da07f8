"""A graph as objects of other libraries: pandas, polars, networkx, igraph, PyTorch Geometric.

Each library is imported when a graph is made into its objects, and named with the command that installs it where it
is missing.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.extras import library
from graphtalk.graphs.note import column_names
from graphtalk.graphs.schema import NodeType, Relation
from graphtalk.graphs.writers.tables import edge_frame, node_frame

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import polars

    from graphtalk.graphs.graph import Graph


def nodes_frame(graph: "Graph", node_type: str | None = None) -> "pandas.DataFrame":
    """Nodes of a type, or all, a row each: `id`, `type`, features. Raises CheckError for an unknown type."""
    library("pandas", "pandas")
    return node_frame(graph, node_type).to_pandas()


def edges_frame(graph: "Graph", relation: str | None = None) -> "pandas.DataFrame":
    """Edges of relations of a name, or all, a row each: `source`, `relation`, `target`, features."""
    library("pandas", "pandas")
    return edge_frame(graph, relation).to_pandas()


def to_pandas(graph: "Graph") -> "tuple[pandas.DataFrame, pandas.DataFrame]":
    """All nodes and all edges as data frames; `from_pandas` takes both."""
    return nodes_frame(graph), edges_frame(graph)


def to_polars(graph: "Graph") -> "tuple[polars.DataFrame, polars.DataFrame]":
    """All nodes and all edges as data frames of polars."""
    polars = library("polars", "polars")
    return polars.from_arrow(node_frame(graph)), polars.from_arrow(edge_frame(graph))


def to_networkx(graph: "Graph") -> "networkx.Graph":
    """A networkx graph: nodes are external ids, `type`, `relation` and features are attributes.

    A MultiGraph where every relation is seen from both ends under one name, else a MultiDiGraph, in which
    such relations stand in both directions, the second time with the attribute `reversed`. `graph["inverses"]`
    has the inverses of the relations.
    """
    networkx = library("networkx", "networkx")
    relations = graph.schema.relations
    undirected = bool(relations) and all(r.inverse == r.name for r in relations)
    found = networkx.MultiGraph() if undirected else networkx.MultiDiGraph()
    found.graph.update(name=graph.name, inverses={r.name: r.inverse for r in relations if r.inverse})
    ids = graph.ids()
    for t in graph.schema.node_types:
        rows = graph.columns[t.name].to_pylist()
        found.add_nodes_from(
            (ids[t.first + i], {"type": t.name} | _attributes(row)) for i, row in enumerate(rows)
        )
    for position, r in enumerate(relations):
        sources, targets = graph.ends(position)
        rows = graph.edge_columns[position].to_pylist() or [{}] * r.count
        both = not undirected and r.inverse == r.name
        for a, b, row in zip(sources.tolist(), targets.tolist(), rows, strict=True):
            data = {"relation": r.name} | {k: v for k, v in row.items() if v is not None}
            found.add_edge(ids[a], ids[b], **data)
            if both and a != b:
                found.add_edge(ids[b], ids[a], **data, reversed=True)
    return found


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "id" and value is not None}


def to_igraph(graph: "Graph") -> "igraph.Graph":
    """An igraph graph: vertices in the order of indices, with `id`, `type` and features; edges with `relation` and theirs.

    Undirected where every relation is seen from both ends under one name; else such edges stand once, as they are stored.
    """
    igraph = library("igraph", "igraph")
    sources, targets = graph.ends_of(np.arange(graph.num_edges))
    found = igraph.Graph(
        graph.num_nodes, np.stack([sources, targets], axis=1).tolist(), directed=_directed(graph)
    )
    nodes, edges = node_frame(graph), edge_frame(graph)
    for name in nodes.column_names:
        found.vs[name] = nodes.column(name).to_pylist()
    for name in edges.column_names:
        if name not in ("source", "target"):
            found.es[name] = edges.column(name).to_pylist()
    found["name"] = graph.name
    found["inverses"] = {r.name: r.inverse for r in graph.schema.relations if r.inverse}
    return found


def _directed(graph: "Graph") -> bool:
    return graph.directed or not graph.schema.relations


def to_pyg(graph: "Graph") -> Any:
    """A `torch_geometric` Data of one node type and relation, or HeteroData of several.

    Numbers, booleans and vectors are tensors with a row a node or edge (NaN where a number is missing); all else, ids
    among it, are lists. Edges of a relation without a direction stand both ways.
    """
    data = library("torch_geometric.data", "models")
    schema = graph.schema
    if len(schema.node_types) == 1 and len(schema.relations) == 1:
        plain = data.Data(**_rows(schema.node_types[0], graph.columns[schema.node_types[0].name]))
        edges = _pyg_edges(graph, 0)
        plain.update({k if k == "edge_index" else f"edge_{k}": v for k, v in edges.items()})
        plain.num_nodes = graph.num_nodes
        return plain
    found = data.HeteroData()
    for t in schema.node_types:
        found[t.name].update(_rows(t, graph.columns[t.name]))
        found[t.name].num_nodes = t.count
    for position, r in enumerate(schema.relations):
        found[r.source, r.name, r.target].update(_pyg_edges(graph, position))
    return found


def _rows(part: NodeType | Relation, table: pa.Table, rows: Ints | None = None) -> dict[str, Any]:
    """The columns of a table as tensors or lists."""
    table = table if rows is None or not table.num_columns else table.take(pa.array(rows))
    found: dict[str, Any] = {"ids": table.column("id").to_pylist()} if "id" in table.column_names else {}
    for feature, name in column_names(part.features).items():
        column = table.column(feature)
        numbers = _numbers(column)
        found[name] = (
            column.to_pylist() if numbers is None else library("torch", "models").from_numpy(numbers)
        )
    return found


def _numbers(column: pa.ChunkedArray) -> NDArray[Any] | None:
    """A column as an array of numbers; None where it is no such column."""
    kind = column.type
    if pa.types.is_fixed_size_list(kind) and not column.null_count:
        flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
        return np.array(flat, np.float32).reshape(len(column), kind.list_size)
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind):
        if column.null_count:
            return (
                None
                if pa.types.is_boolean(kind)
                else np.array(column.cast(pa.float64(), safe=False).to_numpy())
            )
        return np.array(column.to_numpy())
    return None


def _pyg_edges(graph: "Graph", position: int) -> dict[str, Any]:
    torch = library("torch", "models")
    r = graph.schema.relations[position]
    source, target = graph.ends(position)
    ends = np.stack([source - graph.indices(r.source).start, target - graph.indices(r.target).start]).astype(
        np.int64
    )
    rows = np.arange(r.count)
    if r.undirected and r.source == r.target:
        turned = rows[ends[0] != ends[1]]
        ends, rows = np.concatenate([ends, ends[::-1, turned]], axis=1), np.concatenate([rows, turned])
    return {"edge_index": torch.from_numpy(ends), **_rows(r, graph.edge_columns[position], rows)}
