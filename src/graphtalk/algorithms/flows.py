"""Maximum flow, bipartite matching and minimum spanning forests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.components import bipartite_colouring
from graphtalk.algorithms.links import Floats, adjacency, arcs, check_nodes, edges, strengths
from graphtalk.core import CheckError, ToolError
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Flow:
    """A maximum flow: its value, and the net flow over each edge that carries any.

    `source`, `target`, `amount` have one entry a pair of nodes (parallel edges together), shape (k,).
    """

    value: float
    source: Ints
    target: Ints
    amount: Floats


@dataclass(frozen=True)
class Forest:
    """A minimum spanning forest: its edges as pairs of nodes, their weights, and the total weight."""

    edges: list[tuple[int, int]]
    weights: Floats
    weight: float


def maximum_flow(graph: Graph, source: int, sink: int, capacity: str | None = None) -> Flow:
    """The largest flow from `source` to `sink`, each edge carrying at most its feature `capacity`, or 1.

    Undirected edges carry flow either way; parallel edges add up. Raises CheckError for an unknown node or
    feature or where both ends are one, ToolError for negative capacities. Whole capacities: Dinitz 1970, by
    scipy; others: the linear program of Ford and Fulkerson 1956, by HiGHS.
    """
    check_nodes(graph, [source, sink])
    if source == sink:
        raise CheckError(f"A flow needs two different nodes; both ends are {source}.")
    matrix = strengths(graph, capacity)
    if matrix.nnz and float(matrix.data.min()) < 0:
        raise ToolError(f"Capacities must be 0 or more; the least {capacity!r} is {matrix.data.min()}.")
    whole = bool((matrix.data == np.floor(matrix.data)).all()) and float(matrix.data.sum()) <= _LARGEST
    return _whole_flow(matrix, source, sink) if whole else _linear_flow(matrix, source, sink)


def _whole_flow(matrix: csr_array, source: int, sink: int) -> Flow:
    from scipy.sparse.csgraph import maximum_flow as dinitz

    result = dinitz(matrix.astype(np.int32), source, sink)
    flow = csr_array(result.flow).tocoo()
    used = flow.data > 0
    start, end = flow.coords
    return Flow(
        int(result.flow_value),
        start[used].astype(np.int64),
        end[used].astype(np.int64),
        flow.data[used].astype(np.float64),
    )


def _linear_flow(matrix: csr_array, source: int, sink: int) -> Flow:
    """Maximise what leaves the source less what comes back, with nothing lost at any other node."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    n, pairs = matrix.shape[0], matrix.tocoo()
    start, end = (side.astype(np.int64) for side in pairs.coords)
    between = start != end
    start, end, capacity = start[between], end[between], pairs.data[between]
    m = len(start)
    if m == 0:
        return Flow(0.0, start, end, capacity)
    rows, columns = np.concatenate([start, end]), np.tile(np.arange(m), 2)
    balance = csr_array((np.repeat([1.0, -1.0], m), (rows, columns)), shape=(n, m))
    inner = np.setdiff1d(np.arange(n), [source, sink])
    gain = -((start == source).astype(np.float64) - (end == source))
    result = milp(
        gain,
        constraints=LinearConstraint(balance[inner], 0.0, 0.0) if len(inner) else (),
        bounds=Bounds(np.zeros(m), capacity),
    )
    if result.x is None:
        raise ToolError(f"The flow from {source} to {sink} could not be found: {result.message}")
    net = csr_array((result.x, (start, end)), shape=(n, n))
    carried = csr_array(net - net.T).tocoo()
    used = carried.data > 1e-9 * max(float(capacity.max()), 1.0)
    start, end = (side.astype(np.int64) for side in carried.coords)
    return Flow(-float(result.fun), start[used], end[used], carried.data[used])


def bipartite_matching(graph: Graph, left: Sequence[int] | Ints | None = None) -> list[tuple[int, int]]:
    """As many edges as possible of which no two share a node, as pairs (left, right), ascending.

    `left` says which nodes are on the left; without it the colouring decides (the lowest node of each
    component is on the left). Direction is ignored. Raises ToolError where the graph is not bipartite or an
    edge joins two nodes of one side, CheckError for an unknown node. Source: Hopcroft and Karp 1973.
    """
    from scipy.sparse.csgraph import maximum_bipartite_matching

    colours = bipartite_colouring(graph)
    if colours is None:
        raise ToolError("The graph is not bipartite: it has a cycle of odd length, so it has no two sides.")
    if left is not None:
        asked = np.ones(graph.num_nodes, np.int64)
        asked[check_nodes(graph, left)] = 0
        source, target, _ = edges(graph)
        inside = np.flatnonzero(asked[source] == asked[target])
        if len(inside):
            ends = f"{source[inside[0]]} and {target[inside[0]]}"
            raise ToolError(f"An edge joins {ends}, which are on one side.")
        colours = asked
    here, there = np.flatnonzero(colours == 0), np.flatnonzero(colours == 1)
    if not len(here) or not len(there):
        return []
    sides = csr_array(adjacency(graph, undirected=True)[here][:, there])
    partner = maximum_bipartite_matching(sides, perm_type="column")
    return [(int(here[i]), int(there[j])) for i, j in enumerate(partner.tolist()) if j >= 0]


def minimum_spanning_forest(graph: Graph, weight: str | None = None) -> Forest:
    """Edges of least total weight that join each component; a tree where the graph is connected.

    Direction is ignored; of parallel edges the lightest counts; without `weight` each edge weighs 1. Raises
    CheckError for an unknown feature. Source: Kruskal 1956, by scipy.
    """
    from scipy.sparse.csgraph import minimum_spanning_tree

    source, target, value = arcs(graph, weight)
    between = source != target
    low, high = np.minimum(source, target)[between], np.maximum(source, target)[between]
    order = np.lexsort((high, low, value[between]))
    low, high, value = low[order], high[order], value[between][order]
    _, first = np.unique(low * max(graph.num_nodes, 1) + high, return_index=True)
    first.sort()
    if not len(first):
        return Forest([], np.empty(0), 0.0)
    # ranks from 1 stand for the weights: scipy takes a weight of 0 for no edge
    ranks = csr_array(
        (np.arange(1.0, len(first) + 1), (low[first], high[first])), shape=(graph.num_nodes, graph.num_nodes)
    )
    kept = np.sort(minimum_spanning_tree(ranks).data).astype(np.int64) - 1
    chosen = first[kept]
    pairs = list(zip(low[chosen].tolist(), high[chosen].tolist(), strict=True))
    return Forest(pairs, value[chosen], float(value[chosen].sum()))
