"""The longest path of a directed acyclic graph, and how many paths lead from one node of a graph to another."""

from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.components import has_cycle, topological_order
from graphtalk.algorithms.hard import MOST_STEPS
from graphtalk.algorithms.links import adjacency, arcs, check_nodes, check_not_empty
from graphtalk.algorithms.search import hops_from
from graphtalk.core import LimitError, ToolError
from graphtalk.core.limits import look
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


def path_count(graph: Graph, first: int, second: int, max_steps: int = MOST_STEPS) -> int:
    """How many paths lead along the edges from one node to another, none of which visits a node twice; 1 from a node to itself.

    Parallel edges are one. By dynamic programming in a directed graph without cycles; else by a search of all paths, with
    LimitError where it has not ended within `max_steps`.
    """
    check_nodes(graph, [first, second])
    if graph.directed and not has_cycle(graph):
        steps = _steps(graph, None)
        ways = [0] * graph.num_nodes
        ways[first] = 1
        for node in topological_order(graph):
            for other in {other for other, _ in steps[node]}:
                ways[other] += ways[node]
        return ways[second]
    return _simple_paths(adjacency(graph), first, second, max_steps)


def _simple_paths(matrix: csr_array, first: int, second: int, max_steps: int) -> int:
    """How many paths of `matrix` lead from `first` to `second` and visit no node twice; steps that cannot end there are not tried."""
    near = [set(matrix.indices[a:b].tolist()) for a, b in pairwise(matrix.indptr)]
    ends = np.isfinite(hops_from(csr_array(matrix.T), second)).tolist()
    found, steps = int(first == second), 0
    path: dict[int, None] = {first: None}
    ahead = [iter(near[first])] if first != second else []
    while ahead:
        look()
        other = next(ahead[-1], None)
        steps += 1
        if steps > max_steps:
            raise LimitError(f"The paths were not counted within {max_steps:,} steps.")
        if other is None:
            ahead.pop()
            path.popitem()
        elif other == second:
            found += 1
        elif ends[other] and other not in path:
            path[other] = None
            ahead.append(iter(near[other]))
    return found


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
