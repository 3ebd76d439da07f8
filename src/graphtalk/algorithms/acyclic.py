"""Directed acyclic graphs: the longest path, and how many paths there are."""

import numpy as np

from graphtalk.algorithms.components import topological_order
from graphtalk.algorithms.links import arcs, check_nodes, check_not_empty
from graphtalk.core import ToolError
from graphtalk.graphs.graph import Graph


def longest_path(graph: Graph, weight: str | None = None) -> list[int]:
    """The nodes of a longest path along the edges, by edges or by the edge feature `weight`.

    Raises ToolError for a graph with a cycle or without direction, where longest paths are not found exactly here.
    Source: dynamic programming over a topological order.
    """
    check_not_empty(graph, "longest path")
    steps = _steps(graph, weight)
    best = [0.0] * graph.num_nodes
    before = [-1] * graph.num_nodes
    for node in topological_order(graph):
        for other, length in steps[node]:
            if best[node] + length > best[other]:
                best[other], before[other] = best[node] + length, node
    node = int(np.argmax(best))
    path = [node]
    while before[path[-1]] >= 0:
        path.append(before[path[-1]])
    return path[::-1]


def path_count(graph: Graph, first: int, second: int) -> int:
    """How many paths lead along the edges from one node to another; 1 from a node to itself.

    Parallel edges are one. Raises ToolError for a graph with a cycle or without direction.
    """
    check_nodes(graph, [first, second])
    steps = _steps(graph, None)
    ways = [0] * graph.num_nodes
    ways[first] = 1
    for node in topological_order(graph):
        for other in {other for other, _ in steps[node]}:
            ways[other] += ways[node]
    return ways[second]


def _steps(graph: Graph, weight: str | None) -> list[list[tuple[int, float]]]:
    if not graph.directed:
        raise ToolError(
            "This is found exactly only in directed graphs without cycles; the graph is undirected."
        )
    source, target, length = arcs(graph, weight)
    steps: list[list[tuple[int, float]]] = [[] for _ in range(graph.num_nodes)]
    for a, b, value in zip(source.tolist(), target.tolist(), length.tolist(), strict=True):
        steps[a].append((b, value))
    return steps
