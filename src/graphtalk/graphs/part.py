"""A part of a graph as a graph: some of its types, some of its nodes, or what an answer rests on."""

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from graphtalk.core import CheckError, Evidence
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.graph import Graph


def part(graph: Graph, nodes: Ints, edges: Ints | None = None) -> Graph:
    """The graph of these nodes, and of these edges (numbered through all relations) or all that join two of them.

    Node types and relations of which nothing is left are left out. Order is kept.
    """
    kept = np.zeros(graph.num_nodes, bool)
    kept[nodes] = True
    chosen = None
    if edges is not None:
        chosen = np.zeros(graph.num_edges, bool)
        chosen[edges] = True
        for end in graph.ends_of(np.asarray(edges, np.int64)):
            kept[end] = True
    place = np.cumsum(kept) - 1
    tables: list[NodeTable] = []
    firsts: dict[str, int] = {}
    for t in graph.schema.node_types:
        rows = np.flatnonzero(kept[t.first : t.first + t.count])
        if len(rows):
            firsts[t.name] = int(place[t.first + rows[0]])
            tables.append(
                NodeTable(t.name, graph.columns[t.name].take(pa.array(rows)), t.label, t.description)
            )
    joined = []
    for position, r in enumerate(graph.schema.relations):
        source, target = graph.ends(position)
        keep = kept[source] & kept[target]
        if chosen is not None:
            keep &= chosen[graph.edge_offsets[position] : graph.edge_offsets[position + 1]]
        rows = np.flatnonzero(keep)
        if len(rows):
            ends = (place[source[rows]] - firsts[r.source], place[target[rows]] - firsts[r.target])
            table = graph.edge_columns[position]
            features = table.take(pa.array(rows)) if table.num_columns else None
            joined.append(EdgeTable(r.name, r.source, r.target, *ends, features, r.inverse, r.description))
    return build(tables, joined, graph.name)


def part_of_types(graph: Graph, names: Sequence[str]) -> Graph:
    """The nodes of these types, and the edges among them. Raises CheckError for a type that the graph lacks."""
    spans = [np.asarray(graph.indices(name), np.int64) for name in names]
    return part(graph, np.concatenate(spans) if spans else np.empty(0, np.int64))


def part_of_evidence(graph: Graph, evidence: Evidence) -> Graph:
    """What an answer or a query rests on: its nodes and edges; of parallel edges all.

    Raises CheckError for a node or an edge that the graph does not have.
    """
    nodes = np.array([graph.node(node_id) for node_id in evidence.nodes], np.int64)
    edges = [edge for triple in evidence.edges for edge in _edges(graph, *triple)]
    return part(graph, nodes, np.array(edges, np.int64))


def _edges(graph: Graph, source: str, relation: str, target: str) -> Iterable[int]:
    """The numbers of all edges of a relation between two nodes; of one without a direction, either way."""
    start, end = graph.node(source), graph.node(target)
    found: list[int] = []
    for position, r in enumerate(graph.schema.relations):
        if r.name != relation:
            continue
        pairs = [(start, end), (end, start)] if r.undirected and start != end else [(start, end)]
        for a, b in pairs:
            t = graph.node_type(a)
            if t.name == r.source:
                pointers = graph.adjacencies[position].indptr
                low, high = int(pointers[a - t.first]), int(pointers[a - t.first + 1])
                row = graph.adjacencies[position].indices[low:high]
                found += graph.edge(position, low + np.flatnonzero(row == b)).tolist()
    if not found:
        raise CheckError(f"No edge {source!r} {relation!r} {target!r} in {graph.name}.")
    return found
