"""Shortest paths between nodes, and the average, largest and least of their lengths."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.distances import diameter, number
from graphtalk.algorithms.links import (
    Floats,
    adjacency,
    check_nodes,
    check_not_empty,
    least_length,
    lengths,
    reversed_adjacency,
    reversed_lengths,
)
from graphtalk.algorithms.meeting import meet
from graphtalk.algorithms.named import NodeList, nodes_by_name, nodes_listed, number_each
from graphtalk.algorithms.search import (
    ManySearches,
    hops_from,
    rounding,
    trace,
    weighted_between,
    weighted_from,
)
from graphtalk.core import LimitError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_BATCH = 512


@nodes_listed("source", "target")
def shortest_path(
    graph: Graph, source: int, target: int, weight: str | None = None, both: bool = False
) -> list[int]:
    """The nodes of one shortest path, both ends included; empty where there is none.

    Counts edges, by a search from both ends (Pohl 1971) that reads only what it meets; with `weight` sums
    that edge feature (Dijkstra 1959; Bellman 1958 where lengths are negative). Edges are followed in their
    direction, or either way if `both`. Raises CheckError for an unknown node or feature, ToolError for a
    cycle of negative length. Source: Graph-ToolFormer, section 4.3.
    """
    check_nodes(graph, [source, target])
    if weight is None:
        return meet(graph, source, target, both)
    return _weighted(graph, source, target, weight, both)[1]


def shortest_path_length(
    graph: Graph, source: int, target: int, weight: str | None = None, both: bool = False
) -> float:
    """Length of a shortest path, in edges (whole) or by `weight`; infinite where there is none.

    Parameters, errors and source as for `shortest_path`.
    """
    check_nodes(graph, [source, target])
    if weight is None:
        path = meet(graph, source, target, both)
        return len(path) - 1 if path else np.inf
    return _weighted(graph, source, target, weight, both)[0]


@number_each("source")
def distances_from(graph: Graph, source: int, weight: str | None = None) -> Floats:
    """Distances from one node to all, infinite where there is no path. Shape (n,). Errors as above."""
    check_nodes(graph, [source])
    return _row(adjacency(graph) if weight is None else lengths(graph, weight), source, weight)


def reachable(graph: Graph, source: int) -> tuple[Ints, Ints]:
    """The nodes that edges lead to from a node, ascending and without itself, and the node before each.

    Shapes (k,). Raises CheckError for an unknown node. Breadth first (Moore 1959), by scipy.
    """
    from scipy.sparse.csgraph import breadth_first_order

    check_nodes(graph, [source])
    found, before = breadth_first_order(adjacency(graph), source)
    nodes = np.sort(found[found != source]).astype(np.int64)
    return nodes, before[nodes].astype(np.int64)


def ancestors(graph: Graph, target: int) -> tuple[Ints, Ints]:
    """The nodes from which edges lead to a node, ascending and without itself, and the node behind each. As `reachable`."""
    from scipy.sparse.csgraph import breadth_first_order

    check_nodes(graph, [target])
    found, behind = breadth_first_order(reversed_adjacency(graph), target)
    nodes = np.sort(found[found != target]).astype(np.int64)
    return nodes, behind[nodes].astype(np.int64)


def total_weight(graph: Graph, starts: Ints, ends: Ints, weight: str | None = None) -> float:
    """The sum of `weight` over one edge from each start to its end, the lightest; without it the number of edges.

    An edge that leads from the end to the start counts where none leads the other way. Shapes (k,). Raises CheckError
    for an unknown feature, ToolError where no edge joins two nodes.
    """
    if not len(starts):
        return 0.0
    found = np.full(len(starts), np.nan)
    for either in (False, True):
        matrix = adjacency(graph, either) if weight is None else lengths(graph, weight, either)
        left = np.flatnonzero(np.isnan(found))
        found[left] = _entries(matrix, starts[left], ends[left])
    if np.isnan(found).any():
        at = int(np.flatnonzero(np.isnan(found))[0])
        raise ToolError(f"No edge joins {graph.label(int(starts[at]))} and {graph.label(int(ends[at]))}.")
    return float(sum(found.tolist()))


def _entries(matrix: csr_array, rows: Ints, columns: Ints) -> Floats:
    """The entries of a matrix at these places, NaN where none is stored. Shape (k,)."""
    once, place = np.unique(rows, return_inverse=True)
    part = matrix[once]
    n = matrix.shape[1]
    keys = np.repeat(np.arange(len(once)), np.diff(part.indptr)) * n + part.indices
    order = np.argsort(keys)
    wanted = place * n + columns
    at = np.searchsorted(keys[order], wanted)
    at[at == len(keys)] = 0
    stored = np.zeros(len(wanted), np.bool_) if not len(keys) else keys[order][at] == wanted
    found = np.full(len(wanted), np.nan)
    found[stored] = part.data[order][at[stored]]
    return found


@nodes_by_name("source", "target")
def all_shortest_paths(
    graph: Graph, source: int, target: int, weight: str | None = None, limit: int = 1000
) -> list[NodeList]:
    """All shortest paths, each as its nodes, in ascending order; none where target cannot be reached.

    Parallel edges give one path. Raises LimitError where there are more than `limit`, else as
    `shortest_path`.
    """
    check_nodes(graph, [source, target])
    matrix = adjacency(graph) if weight is None else lengths(graph, weight)
    away = _row(matrix, source, weight)
    if not np.isfinite(away[target]):
        return []
    back = reversed_adjacency(graph) if weight is None else reversed_lengths(graph, weight)
    to_target = _row(back, target, weight)
    found: list[NodeList] = []
    for path in _walk(matrix, away, to_target, source, target):
        if len(found) == limit:
            raise LimitError(
                f"More than {limit} shortest paths from {source} to {target}.", f"{limit} paths."
            )
        found.append(NodeList(graph, path))
    return found


def avg_path_length(graph: Graph, weight: str | None = None) -> float:
    """Mean distance over all ordered pairs of different nodes: 0 for one node, infinite if disconnected.

    Raises ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "path length")
    n = graph.num_nodes
    if n == 1:
        return 0.0
    total, pairs = _hop_sum(graph) if weight is None else _weighted_sum(graph, weight)
    return total / pairs if pairs == n * (n - 1) else np.inf


def max_path_length(graph: Graph, weight: str | None = None) -> float:
    """The longest shortest path, which is the diameter. Source: Graph-ToolFormer, section 4.3."""
    return diameter(graph, weight)


def min_path_length(graph: Graph, weight: str | None = None) -> float:
    """The least distance between two different nodes: 1 where any edge joins two; infinite without.

    0 for a single node. With `weight` the shortest edge, or less where lengths are negative. Raises
    ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "path length")
    if graph.num_nodes == 1:
        return number(0, weight)
    matrix = adjacency(graph) if weight is None else lengths(graph, weight)
    if matrix.nnz and float(matrix.data.min()) < 0:
        rows = (_row(matrix, node, weight) for node in range(graph.num_nodes))
        return float(min(np.delete(row, node).min() for node, row in enumerate(rows)))
    source = np.repeat(np.arange(graph.num_nodes), np.diff(matrix.indptr))
    between = matrix.data[source != matrix.indices]
    return number(between.min(), weight) if len(between) else np.inf


def _row(matrix: csr_array, source: int, weight: str | None) -> Floats:
    return hops_from(matrix, source) if weight is None else weighted_from(matrix, source)[0]


def _hop_sum(graph: Graph) -> tuple[float, int]:
    searches = ManySearches(reversed_adjacency(graph))
    total, pairs = 0, 0
    for first in range(0, graph.num_nodes, _BATCH):
        sources = np.arange(first, min(first + _BATCH, graph.num_nodes))
        for distance, found in enumerate(searches.levels(sources), 1):
            count = int(np.bitwise_count(found).sum())
            total, pairs = total + distance * count, pairs + count
    return total, pairs


def _weighted_sum(graph: Graph, weight: str) -> tuple[float, int]:
    matrix = lengths(graph, weight)
    total, pairs = 0.0, -graph.num_nodes
    for node in range(graph.num_nodes):
        row = weighted_from(matrix, node)[0]
        reached = np.isfinite(row)
        total, pairs = total + float(row[reached].sum()), pairs + int(reached.sum())
    return total, pairs


def _weighted(graph: Graph, source: int, target: int, weight: str, both: bool) -> tuple[float, list[int]]:
    ahead, back = lengths(graph, weight, both), reversed_lengths(graph, weight, both)
    if source != target and least_length(graph, weight) >= 0:
        return weighted_between(ahead, back, source, target)
    distances, before = weighted_from(ahead, source)
    reached = bool(np.isfinite(distances[target]))
    return float(distances[target]), trace(before, target) if reached else []


def _walk(
    matrix: csr_array, away: Floats, to_target: Floats, source: int, target: int
) -> Iterator[list[int]]:
    """Depth first along the edges that lie on shortest paths, without recursion."""
    length = away[target]
    path, on_path, choices = [source], {source}, [_onward(matrix, away, to_target, length, source)]
    if source == target:
        yield [source]
        return
    while choices:
        look()
        node = next(choices[-1], None)
        if node is None:
            choices.pop()
            on_path.discard(path.pop())
        elif node == target:
            yield [*path, node]
        elif node not in on_path:
            path.append(node)
            on_path.add(node)
            choices.append(_onward(matrix, away, to_target, length, node))


def _onward(matrix: csr_array, away: Floats, to_target: Floats, length: float, node: int) -> Iterator[int]:
    row = slice(matrix.indptr[node], matrix.indptr[node + 1])
    nodes, steps = matrix.indices[row], matrix.data[row]
    through = away[node] + steps + to_target[nodes]
    size = abs(away[node]) + np.abs(steps) + np.abs(to_target[nodes])
    return iter(nodes[np.abs(through - length) <= size * rounding(len(away))].tolist())
