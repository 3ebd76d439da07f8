"""What can be counted at once: order, size, density, degree."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from graphtalk.algorithms.links import check_nodes, edges
from graphtalk.algorithms.named import number_each
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

DegreeKind: TypeAlias = Literal["all", "in", "out"]


def order(graph: Graph) -> int:
    """Number of nodes. Source: Graph-ToolFormer, section 4.3."""
    return graph.num_nodes


def size(graph: Graph) -> int:
    """Number of edges; parallel edges and self-loops count. Source: Graph-ToolFormer, section 4.3."""
    return graph.num_edges


def density(graph: Graph, is_directed: bool | None = None) -> float:
    """Edges as a share of all possible ones: m / (n (n - 1)), twice that if undirected; 0 below two nodes.

    `is_directed` says which; None: as the graph is. Above 1 where edges are parallel or loops. Source:
    Graph-ToolFormer, section 4.3.
    """
    n, m = graph.num_nodes, graph.num_edges
    if n < 2 or m == 0:
        return 0.0
    directed = graph.directed if is_directed is None else is_directed
    return (1 if directed else 2) * m / (n * (n - 1))


@number_each("nodes")
def degree(graph: Graph, nodes: Sequence[int] | Ints | None = None, kind: DegreeKind = "all") -> Ints:
    """Number of edge ends at `nodes`, or at all nodes: parallel edges count, a self-loop twice.

    `kind` "out" and "in" count the edges that can be followed from and to a node: undirected edges both
    ways (a self-loop then once). Shape (len(nodes),). Raises CheckError for an unknown node.
    """
    source, target, _ = edges(graph)
    n = graph.num_nodes
    out, into = np.bincount(source, minlength=n), np.bincount(target, minlength=n)
    counts = out + into
    if kind != "all":
        relations = graph.schema.relations
        both = np.repeat([r.undirected for r in relations], [r.count for r in relations]).astype(np.bool_)
        both &= source != target
        other = target if kind == "out" else source
        counts = (out if kind == "out" else into) + np.bincount(other[both], minlength=n)
    return counts if nodes is None else counts[check_nodes(graph, nodes)]
