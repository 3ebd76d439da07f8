"""Triangles, clustering and cores. Direction, parallel edges and self-loops are ignored here."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Floats, adjacency, lengths, neighbours_of, node_values
from graphtalk.algorithms.named import nodes_listed, number_each
from graphtalk.algorithms.peel import peel
from graphtalk.core import ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_WEDGES = 4_000_000  # looked at together: some 100 MB


@dataclass(frozen=True)
class Triangle:
    """Three nodes that are all joined, ascending, and the sum of their weights."""

    nodes: tuple[int, int, int]
    weight: float


def plain_adjacency(graph: Graph) -> csr_array:
    """Undirected adjacency without self-loops, shape (n, n), rows sorted."""
    matrix = adjacency(graph, undirected=True)
    if not matrix.diagonal().any():
        return matrix
    matrix = matrix.copy()
    matrix.setdiag(0)
    matrix.eliminate_zeros()
    return matrix


@number_each()
def triangles(graph: Graph) -> Ints:
    """Number of triangles that each node is in. Shape (n,).

    Each edge points to its end of higher degree, so that no node has many edges out: Chiba and Nishizeki
    1985, "forward" of Schank and Wagner 2005, as sparse products.
    """
    up = _oriented(plain_adjacency(graph))
    counts = np.zeros(graph.num_nodes)
    for rows, outer in _closed(up, up):  # (u, w): how many v with u → v → w beside u → w
        counts[rows] += outer.sum(axis=1)
        counts += outer.sum(axis=0)
    for rows, middle in _closed(csr_array(up.T), up):  # (v, w): how many u with u → v and u → w beside v → w
        counts[rows] += middle.sum(axis=1)
    return counts.round().astype(np.int64)


def triangle_count(graph: Graph) -> int:
    """Number of triangles of the whole graph. See `triangles`."""
    return int(triangles(graph).sum()) // 3


@number_each()
def local_clustering(graph: Graph) -> Floats:
    """Share of each node's pairs of neighbours that are joined; 0 below two neighbours. Shape (n,).

    Source: Watts and Strogatz 1998.
    """
    degrees = np.diff(plain_adjacency(graph).indptr).astype(np.float64)
    pairs = degrees * (degrees - 1) / 2
    return triangles(graph) / np.maximum(pairs, 1)


def average_clustering(graph: Graph) -> float:
    """Mean of `local_clustering` over all nodes; 0 for a graph without nodes."""
    return float(local_clustering(graph).mean()) if graph.num_nodes else 0.0


def transitivity(graph: Graph) -> float:
    """Share of all pairs of edges that meet in a node which are closed to a triangle; 0 without any.

    Source: Newman, Watts and Strogatz 2002.
    """
    degrees = np.diff(plain_adjacency(graph).indptr).astype(np.float64)
    pairs = float((degrees * (degrees - 1) / 2).sum())
    return float(triangles(graph).sum()) / pairs if pairs else 0.0


def maximum_triangle(
    graph: Graph, node_weight: str | None = None, weight: str | None = None
) -> Triangle | None:
    """The triangle with the largest sum of a node feature, of an edge feature, or of both; None without any.

    Of several the one with the lowest nodes; of parallel edges the lightest counts. Raises ToolError where
    neither feature is named, CheckError for an unknown one. Source: GraphWiz (Chen et al. 2024), the task
    "maximum triangle sum".
    """
    if node_weight is None and weight is None:
        raise ToolError("Name the node feature or the edge feature that triangles are weighed by.")
    up = _oriented(plain_adjacency(graph))
    at_nodes = np.zeros(graph.num_nodes) if node_weight is None else node_values(graph, node_weight)
    along = up if weight is None else lengths(graph, weight, undirected=True)
    values = np.zeros(along.nnz) if weight is None else along.data
    keys = _keys(along)
    best: Triangle | None = None
    for found in _list_triangles(up):
        total = at_nodes[found].sum(axis=1)
        if weight is not None:
            for one, other in ((0, 1), (1, 2), (0, 2)):
                wanted = found[:, one] * graph.num_nodes + found[:, other]
                total += values[np.searchsorted(keys, wanted)]
        ordered = np.sort(found[total == total.max()], axis=1)
        first = ordered[np.lexsort(ordered.T[::-1])[0]].tolist()
        candidate = Triangle((first[0], first[1], first[2]), float(total.max()))
        if best is None or (-candidate.weight, candidate.nodes) < (-best.weight, best.nodes):
            best = candidate
    return best


@number_each()
def core_numbers(graph: Graph) -> Ints:
    """For each node the largest k so that it is in a subgraph whose nodes all have degree k. Shape (n,).

    Source: Seidman 1983; peeled as in Batagelj and Zaversnik 2003.
    """
    matrix = plain_adjacency(graph)
    counts = np.diff(matrix.indptr).astype(np.int64)
    cores = np.full(graph.num_nodes, -1, np.int64)
    left = np.arange(graph.num_nodes)
    while len(left):
        look()
        level = int(counts[left].min())
        taken = peel(matrix, counts, left[counts[left] <= level], level)
        cores[taken] = level
        counts[taken] = np.iinfo(np.int64).max // 2  # out of every later round
        left = left[cores[left] < 0]
    return cores


@nodes_listed()
def k_core(graph: Graph, k: int) -> list[int]:
    """Nodes of the largest subgraph whose nodes all have degree `k` or more in it, ascending."""
    found: list[int] = np.flatnonzero(core_numbers(graph) >= k).tolist()
    return found


def _oriented(matrix: csr_array) -> csr_array:
    """Each undirected edge once, from its end of lower degree to that of higher (ties: lower index first)."""
    degrees = np.diff(matrix.indptr)
    source = np.repeat(np.arange(matrix.shape[0]), degrees)
    target = matrix.indices
    here, there = degrees[source], degrees[target]
    kept = (here < there) | ((here == there) & (source < target))
    return csr_array((np.ones(int(kept.sum())), (source[kept], target[kept])), shape=matrix.shape)


def _keys(matrix: csr_array) -> Ints:
    source = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return source * matrix.shape[0] + matrix.indices


def _closed(first: csr_array, up: csr_array) -> Iterator[tuple[slice, csr_array]]:
    """`(first @ up)` where `up` has an entry too, a number of rows at a time."""
    wedges = np.zeros(up.shape[0] + 1)
    np.cumsum(first @ np.diff(up.indptr), out=wedges[1:])
    row = 0
    while row < up.shape[0]:
        look()
        last = max(row + 1, int(np.searchsorted(wedges, wedges[row] + _WEDGES, "right")) - 1)
        rows = slice(row, last)
        yield rows, (first[rows] @ up).multiply(up[rows])
        row = last


def _list_triangles(up: csr_array) -> Iterator[Ints]:
    """All triangles u → v → w with u → w, a chunk at a time. Shapes (k, 3)."""
    n = up.shape[0]
    up.sort_indices()
    keys = _keys(up)
    source, degrees = np.repeat(np.arange(n), np.diff(up.indptr)), np.diff(up.indptr)
    wedges = np.cumsum(degrees[up.indices])
    first = 0
    while first < up.nnz:
        look()
        before = wedges[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(wedges, before + _WEDGES, "right")))
        third, counts = neighbours_of(up, up.indices[first:last])
        second = np.repeat(up.indices[first:last], counts)
        origin = np.repeat(source[first:last], counts)
        wanted = origin * n + third
        closed = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
        if closed.any():
            yield np.stack([origin[closed], second[closed], third[closed]], axis=1).astype(np.int64)
        first = last
