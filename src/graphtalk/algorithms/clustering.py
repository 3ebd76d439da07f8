"""Triangles, clustering and cores. Direction, parallel edges and self-loops are ignored here."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Floats, adjacency, lengths, node_values
from graphtalk.algorithms.named import nodes_listed, number_each
from graphtalk.algorithms.peel import TAKEN, peel
from graphtalk.core import ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_WEDGES = 1 << 17  # pairs of edges looked at together, so that they stay in the processor's cache
_FILTER = 16  # bits for each edge that say which pairs of nodes may be joined
_HUBS = (1 << 10, 1 << 11, 1 << 12, 1 << 13)  # how many nodes of highest degree may be compared by bits


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

    Those among the nodes of highest degree are counted by the bits that their rows share, all others are listed: each
    edge points to its end of higher degree, so that no node has many edges out ("forward": Schank and Wagner 2005,
    after Chiba and Nishizeki 1985).
    """
    up = _Upward.of(plain_adjacency(graph))
    hubs = _hubs(up)
    counts = np.zeros(graph.num_nodes, np.int64)
    if hubs:
        counts[up.nodes[-hubs:]] = _among_hubs(up, hubs)
    for found in _list_triangles(up, graph.num_nodes - hubs):
        counts += np.bincount(found.ravel(), minlength=graph.num_nodes)
    return counts


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
    up = _Upward.of(plain_adjacency(graph))
    at_nodes = np.zeros(graph.num_nodes) if node_weight is None else node_values(graph, node_weight)
    values, keys = np.empty(0), np.empty(0, np.int64)
    if weight is not None:
        along = lengths(graph, weight, undirected=True)
        values, keys = along.data, _keys(along)
    best: Triangle | None = None
    for found in _list_triangles(up, graph.num_nodes):
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
    cores = np.zeros(graph.num_nodes, np.int64)
    left = np.arange(graph.num_nodes)
    while len(left):
        look()
        now = counts[left]
        level = int(now.min())
        taken = peel(matrix, counts, left[now <= level], level)
        cores[taken] = level
        left = left[counts[left] < TAKEN]
    return cores


@nodes_listed()
def k_core(graph: Graph, k: int) -> list[int]:
    """Nodes of the largest subgraph whose nodes all have degree `k` or more in it, ascending."""
    found: list[int] = np.flatnonzero(core_numbers(graph) >= k).tolist()
    return found


@dataclass(frozen=True, eq=False)
class _Upward:
    """Each undirected edge once, from its end of lower degree to that of higher; nodes are numbered in that order.

    `nodes` has the node of each number, shape (n,); `low` and `high` the ends of each edge, shape (edges,), ascending;
    `starts` where each node's edges begin, and then their end, shape (n + 1,).
    """

    nodes: Ints
    low: Ints
    high: Ints
    starts: Ints

    @classmethod
    def of(cls, matrix: csr_array) -> "_Upward":
        n = matrix.shape[0]
        degrees = np.diff(matrix.indptr)
        nodes = np.argsort(degrees, kind="stable")
        rank = np.empty(n, np.int64)
        rank[nodes] = np.arange(n)
        low, high = np.repeat(rank, degrees), rank[matrix.indices]
        keys = np.sort((low * n + high)[low < high])
        starts = np.searchsorted(keys, np.arange(n + 1) * n)
        low = np.repeat(np.arange(n), np.diff(starts))
        return cls(nodes, low, keys - low * n, starts)

    def pairs(self) -> Ints:
        """How many pairs of edges out of one node come before each edge. Shape (edges + 1,)."""
        later = self.starts[self.low + 1] - np.arange(len(self.low)) - 1
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(later)])


def _keys(matrix: csr_array) -> Ints:
    source = np.repeat(np.arange(matrix.shape[0], dtype=np.int64), np.diff(matrix.indptr))
    return source * matrix.shape[0] + matrix.indices


def _hubs(up: _Upward) -> int:
    """How many nodes of highest degree to compare by bits, by what either way takes, in nanoseconds as measured."""
    n, pairs = len(up.nodes), up.pairs()
    costs = {0: 20.0 * float(pairs[-1])}
    for hubs in (size for size in _HUBS if size <= n):
        first = int(up.starts[n - hubs])
        words = (len(up.low) - first) * hubs / 64
        costs[hubs] = 20.0 * float(pairs[first]) + 1.7 * words + hubs * hubs
    return min(costs, key=costs.__getitem__)


def _among_hubs(up: _Upward, hubs: int) -> Ints:
    """In how many triangles of the last `hubs` nodes each of them is: the ones that two rows of bits share. Shape (hubs,)."""
    base = len(up.nodes) - hubs
    edges = slice(int(up.starts[base]), None)
    low, high = up.low[edges] - base, up.high[edges] - base
    joined = np.zeros((hubs, hubs), np.bool_)
    joined[low, high] = joined[high, low] = True
    rows = np.packbits(joined, axis=1).view(np.uint64)
    shared = np.zeros(hubs)
    step = 32 * _WEDGES // hubs
    for first in range(0, len(low), step):
        look()
        here, there = low[first : first + step], high[first : first + step]
        each = np.bitwise_count(rows[here] & rows[there]).sum(axis=1, dtype=np.int64)
        shared += np.bincount(here, each, hubs) + np.bincount(there, each, hubs)
    return (shared / 2).round().astype(np.int64)


def _list_triangles(up: _Upward, until: int) -> Iterator[Ints]:
    """All triangles whose node of lowest degree has a number below `until`, a chunk at a time. Shapes (k, 3).

    Two edges out of one node are looked for as an edge between their ends: most that are none are told by a filter of
    one hash (Bloom 1970), the rest by a search.
    """
    n, last, pairs = len(up.nodes), int(up.starts[until]), up.pairs()
    keys = up.low * n + up.high
    bits = max(3, min(32, (_FILTER * len(keys)).bit_length()))
    mask = np.uint32((1 << bits) - 1)
    spread = (np.arange(n, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32)).astype(
        np.uint32
    )
    high = up.high.astype(np.uint32)
    hashed = spread[up.low] + high & mask
    joined = np.zeros(1 << bits - 3, np.uint8)
    np.bitwise_or.at(joined, hashed >> 3, np.uint8(1) << (hashed & 7).astype(np.uint8))
    begun = spread[up.high]
    first = 0
    while first < last:
        look()
        end = min(last, max(first + 1, int(np.searchsorted(pairs, pairs[first] + _WEDGES, "right")) - 1))
        counts = np.diff(pairs[first : end + 1])
        begin = np.arange(first + 1, end + 1) - (pairs[first:end] - pairs[first])
        third = high[np.repeat(begin, counts) + np.arange(int(counts.sum()))]
        place = np.repeat(begun[first:end], counts) + third & mask
        maybe = np.flatnonzero(joined[place >> 3] >> (place & 7).astype(np.uint8) & 1)
        edge = np.searchsorted(pairs, maybe + pairs[first], "right") - 1
        wanted = up.high[edge] * n + third[maybe]
        closed = keys[np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)] == wanted
        if closed.any():
            ends = up.low[edge[closed]], up.high[edge[closed]], third[maybe[closed]]
            yield up.nodes[np.stack(ends, axis=1)]
        first = end
