"""Connected components, bipartite colouring, cycles and topological order."""

from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse.csgraph import connected_components as _label

from graphtalk.algorithms.links import adjacency, edges, reversed_adjacency
from graphtalk.algorithms.peel import peel
from graphtalk.algorithms.search import breadth_first, forest_depths
from graphtalk.core import ToolError
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

Connection: TypeAlias = Literal["weak", "strong"]


def component_labels(graph: Graph, connection: Connection = "weak") -> Ints:
    """For each node the number of its component, the component of the lowest node first. Shape (n,).

    "weak" ignores the direction of edges; "strong" asks for a path both ways (Pearce 2005, after Tarjan
    1972).
    """
    if graph.num_nodes == 0:
        return np.empty(0, np.int64)
    _, labels = _label(adjacency(graph), directed=graph.directed, connection=connection)
    first = np.unique(labels, return_index=True)[1]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[labels]


def components(graph: Graph, connection: Connection = "weak") -> list[list[int]]:
    """The components, each as its nodes in ascending order, the largest first. See `component_labels`."""
    labels = component_labels(graph, connection)
    if not len(labels):
        return []
    order = np.argsort(labels, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(labels))[:-1])
    return [part.tolist() for part in sorted(parts, key=lambda part: -len(part))]


def is_connected(graph: Graph, connection: Connection = "weak") -> bool:
    """Whether there is one component; false for a graph without nodes."""
    return graph.num_nodes > 0 and int(component_labels(graph, connection).max()) == 0


def bipartite_colouring(graph: Graph) -> Ints | None:
    """Colours 0 and 1 so that no edge joins two nodes of one colour, or None where there are none.

    The lowest node of each component has colour 0; direction is ignored. Shape (n,). Source: König 1936,
    by the parity of breadth-first depths.
    """
    matrix = adjacency(graph, undirected=True)
    if graph.num_nodes == 0:
        return np.empty(0, np.int64)
    colours = forest_depths(matrix, _roots(graph))[0] % 2
    source, target, _ = edges(graph)
    return None if (colours[source] == colours[target]).any() else colours


def is_bipartite(graph: Graph) -> bool:
    """Whether the nodes fall into two groups without an edge inside either. See `bipartite_colouring`."""
    return bipartite_colouring(graph) is not None


def _roots(graph: Graph) -> Ints:
    return np.unique(component_labels(graph), return_index=True)[1]


def find_cycle(graph: Graph) -> list[int] | None:
    """The nodes of one cycle, in order, the first not repeated at the end; None where there is none.

    A directed graph's cycle follows its edges (undirected relations in it lead both ways). In an
    undirected graph no edge is used twice: two parallel edges are a cycle, and so is a self-loop. A shortest
    cycle through one node is found by breadth-first search.
    """
    source, target, _ = edges(graph)
    loops = source[source == target]
    if len(loops):
        return [int(loops[0])]
    return _directed_cycle(graph) if graph.directed else _undirected_cycle(graph, source, target)


def has_cycle(graph: Graph) -> bool:
    """Whether there is a cycle. See `find_cycle`."""
    return find_cycle(graph) is not None


def _directed_cycle(graph: Graph) -> list[int] | None:
    labels = component_labels(graph, "strong")
    shared = np.flatnonzero(np.bincount(labels)[labels] > 1) if len(labels) else labels
    if not len(shared):
        return None
    start = int(shared[0])
    order, parents, _ = breadth_first(adjacency(graph), start)
    into = reversed_adjacency(graph).indices[slice(*reversed_adjacency(graph).indptr[start : start + 2])]
    last = order[np.isin(order, into)][0]
    return _up(dict(zip(order.tolist(), parents.tolist(), strict=True)), int(last))


def _undirected_cycle(graph: Graph, source: Ints, target: Ints) -> list[int] | None:
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    twice = np.flatnonzero((low[1:] == low[:-1]) & (high[1:] == high[:-1]))
    if len(twice):
        return [int(low[twice[0]]), int(high[twice[0]])]
    labels = component_labels(graph)
    closed = np.flatnonzero(
        np.bincount(labels[low]) >= np.bincount(labels)[: labels[low].max(initial=-1) + 1]
    )
    if not len(closed):
        return None
    start = int(np.flatnonzero(labels == closed[0])[0])
    reached, parents, _ = breadth_first(adjacency(graph), start)
    before = dict(zip(reached.tolist(), parents.tolist(), strict=True))
    inside = labels[low] == closed[0]
    above = np.empty(graph.num_nodes, np.int64)
    above[reached] = parents
    spare = inside & (above[low] != high) & (above[high] != low)
    edge = int(np.flatnonzero(spare)[0])
    return _join(_up(before, int(low[edge])), _up(before, int(high[edge])))


def _up(before: dict[int, int], node: int) -> list[int]:
    """The way from the root of a search down to `node`."""
    path = [node]
    while before[path[-1]] != path[-1]:
        path.append(before[path[-1]])
    return path[::-1]


def _join(left: list[int], right: list[int]) -> list[int]:
    """Two ways down from one root, whose ends are joined by an edge, as a cycle from where they part."""
    shared = sum(1 for a, b in zip(left, right, strict=False) if a == b)
    return left[shared - 1 :] + right[: shared - 1 : -1]


def topological_order(graph: Graph) -> list[int]:
    """All nodes, each before those that its edges lead to; among free nodes the lower first, in rounds.

    Raises ToolError where a cycle makes that impossible, or where the graph is undirected. Source: Kahn
    1962.
    """
    if not graph.directed and graph.num_edges:
        raise ToolError("A topological order needs directed edges; this graph is undirected.")
    waiting = np.diff(reversed_adjacency(graph).indptr).astype(np.int64)
    order = peel(adjacency(graph), waiting, np.flatnonzero(waiting == 0), 0)
    if len(order) < graph.num_nodes:
        cycle = find_cycle(graph) or []
        shown = ", ".join(str(node) for node in cycle[:10])
        raise ToolError(f"There is no topological order: nodes {shown} form a cycle.")
    found: list[int] = order.tolist()
    return found
