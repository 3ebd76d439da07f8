"""Edges and nodes that hold a graph together: bridges and articulation points; walks over every edge."""

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.components import component_labels
from graphtalk.algorithms.links import adjacency, edges, strengths
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph


def bridges(graph: Graph) -> list[tuple[int, int]]:
    """Edges without which a component falls apart, each as its two nodes, the lower first; direction is ignored.

    An edge that has a parallel one is none. Source: Tarjan 1974, by low points of a depth-first search.
    """
    source, target, _ = edges(graph)
    low, high = np.minimum(source, target), np.maximum(source, target)
    pairs, counts = np.unique(low * max(graph.num_nodes, 1) + high, return_counts=True)
    double = {divmod(pair, graph.num_nodes) for pair in pairs[counts > 1].tolist()}
    found = [(min(pair), max(pair)) for pair in _cuts(graph)[0]]
    return sorted(pair for pair in found if pair not in double)


def articulation_points(graph: Graph) -> list[int]:
    """Nodes without which a component falls apart, ascending; direction is ignored. Source: Hopcroft and Tarjan 1973."""
    return sorted(_cuts(graph)[1])


def _cuts(graph: Graph) -> tuple[list[tuple[int, int]], set[int]]:
    matrix = adjacency(graph, undirected=True)
    starts, ends = matrix.indptr.tolist(), matrix.indices.tolist()
    order = [-1] * graph.num_nodes
    low = order.copy()
    bridged: list[tuple[int, int]] = []
    cut: set[int] = set()
    count = 0
    for root in range(graph.num_nodes):
        if order[root] >= 0:
            continue
        order[root] = low[root] = count
        count += 1
        path, above, place, children = [root], [-1], [starts[root]], 0
        while path:
            node = path[-1]
            if place[-1] < starts[node + 1]:
                other = ends[place[-1]]
                place[-1] += 1
                if order[other] < 0:
                    look()
                    order[other] = low[other] = count
                    count += 1
                    children += node == root
                    path.append(other)
                    above.append(node)
                    place.append(starts[other])
                elif other != above[-1] and other != node:
                    low[node] = min(low[node], order[other])
                continue
            path.pop()
            parent = above.pop()
            place.pop()
            if parent < 0:
                continue
            low[parent] = min(low[parent], low[node])
            if low[node] > order[parent]:
                bridged.append((parent, node))
            if low[node] >= order[parent] and parent != root:
                cut.add(parent)
        if children > 1:
            cut.add(root)
    return bridged, cut


def edge_connectivity(graph: Graph) -> int:
    """How many edges must be lost at least for the graph to fall apart; direction is ignored, and parallel edges add up.

    0 where it is not connected or has one node. The least flow from one node to any other (Ford and Fulkerson 1956).
    """
    from scipy.sparse.csgraph import maximum_flow

    matrix = csr_array(strengths(graph, undirected=True).astype(np.int32))
    found = int(matrix.sum(axis=1).min(initial=np.iinfo(np.int32).max)) if graph.num_nodes > 1 else 0
    for node in range(1, graph.num_nodes):
        look()
        found = min(found, int(maximum_flow(matrix, 0, node).flow_value)) if found else 0
    return found


def is_eulerian(graph: Graph, closed: bool = True) -> bool:
    """Whether one walk uses every edge exactly once and, where `closed`, ends where it began.

    All edges must hang together. Directed: every node is left as often as it is entered, for an open walk but for its
    ends; undirected: no node, or two, have an odd number of edge ends. False for a graph without edges but of several nodes.
    Source: Euler 1736; Hierholzer 1873.
    """
    source, target, _ = edges(graph)
    if not len(source):
        return graph.num_nodes == 1
    labels = component_labels(graph)
    if len(np.unique(labels[source])) > 1:
        return False
    n = graph.num_nodes
    leaving, entering = np.bincount(source, minlength=n), np.bincount(target, minlength=n)
    if graph.directed:
        surplus: Ints = (leaving - entering).astype(np.int64)
        odd = np.flatnonzero(surplus)
        return not len(odd) or (not closed and len(odd) == 2 and bool((np.abs(surplus[odd]) == 1).all()))
    odd_nodes = int(((leaving + entering) % 2).sum())
    return odd_nodes == 0 or (not closed and odd_nodes == 2)
