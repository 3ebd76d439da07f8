"""What no short message can decide: exact searches of a node that was told all edges. Both are NP-complete."""

from collections.abc import Set

import numpy as np
import pyarrow as pa

from graphtalk import algorithms
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

Edges = Set[tuple[float, float]]
MOST_STEPS = 1_000_000


def find_hamiltonian_path(edges: Edges, nodes: float, directed: bool) -> tuple[int, ...]:
    """A path through all nodes, each once; empty where there is none. Raises LimitError after MOST_STEPS."""
    graph = _graph(edges, list(range(int(nodes))), directed)
    return tuple(algorithms.hamiltonian_path(graph, max_steps=MOST_STEPS) or ())


def find_pattern(pattern: Edges, edges: Edges, directed: bool) -> tuple[int, ...]:
    """For each node of the pattern, ascending, the node that stands for it; empty where it does not occur.

    Raises LimitError after MOST_STEPS partial matches.
    """
    wanted = sorted({int(end) for pair in pattern for end in pair})
    there = sorted({int(end) for pair in edges for end in pair})
    found = algorithms.subgraph_isomorphisms(
        _graph(edges, there, directed), _graph(pattern, wanted, directed), limit=1, max_steps=MOST_STEPS
    )
    return tuple(there[node] for node in found[0]) if found else ()


def _graph(edges: Edges, nodes: list[int], directed: bool) -> Graph:
    place = {node: position for position, node in enumerate(nodes)}
    pairs = {(int(a), int(b)) for a, b in edges}
    if not directed:
        pairs = {(min(pair), max(pair)) for pair in pairs}
    ends = np.array([(place[a], place[b]) for a, b in sorted(pairs)], np.int64).reshape(-1, 2)
    table = pa.table({"id": pa.array([str(node) for node in nodes], pa.string())})
    inverse = "" if directed else "edge"
    return build(
        [NodeTable("node", table)], [EdgeTable("edge", "node", "node", ends[:, 0], ends[:, 1], None, inverse)]
    )
