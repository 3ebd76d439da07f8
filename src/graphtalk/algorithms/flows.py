"""Maximum flow, bipartite matching and minimum spanning forests."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.algorithms.components import bipartite_colouring
from graphtalk.algorithms.links import Floats, adjacency, arcs, check_nodes, edges, strengths
from graphtalk.algorithms.named import nodes_by_name
from graphtalk.core import CheckError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import Graph


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


@nodes_by_name("source", "sink")
def maximum_flow(graph: Graph, source: int, sink: int, capacity: str | None = None) -> Flow:
    """The largest flow from `source` to `sink`, each edge carrying at most its feature `capacity`, or 1.

    Undirected edges carry flow either way; parallel edges add up. Exact: capacities are whole multiples of one
    power of two, and are counted in it; only the results are rounded. Raises CheckError for an unknown node or
    feature or where both ends are one, ToolError for negative capacities and where no capacity limits the flow.
    Source: Dinitz 1970.
    """
    check_nodes(graph, [source, sink])
    if source == sink:
        raise CheckError(f"A flow needs two different nodes; both ends are {source}.")
    matrix = strengths(graph, capacity)
    if matrix.nnz and float(matrix.data.min()) < 0:
        raise ToolError(f"Capacities must be 0 or more; the least {capacity!r} is {matrix.data.min()}.")
    network = _Network(matrix)
    network.fill(source, sink)
    return network.flow(source, sink)


class _Network:
    """What every pair of joined nodes can still carry, in units of `2 ** exponent`, and its opposite.

    Arcs are in the order of their tails. `room`, shape (arcs,), is of int64 where that can hold the sum of all
    capacities, else of Python's own whole numbers.
    """

    def __init__(self, matrix: csr_array) -> None:
        n, pairs = matrix.shape[0], matrix.tocoo()
        start, end = (side.astype(np.int64) for side in pairs.coords)
        used = (start != end) & (pairs.data > 0)
        start, end = start[used], end[used]
        amounts, self.exponent, self._unlimited = _in_units(pairs.data[used])
        keys = np.concatenate([start * n + end, end * n + start])
        order = np.argsort(keys, kind="stable")
        first = np.flatnonzero(np.diff(keys[order], prepend=-1))
        self._capacity = (
            np.add.reduceat(np.concatenate([amounts, amounts * 0])[order], first) if len(first) else amounts
        )
        keys = keys[order][first]
        self._tail, self._head = keys // max(n, 1), keys % max(n, 1)
        self._twin = np.argsort(self._head * n + self._tail)  # the arcs the other way are the same set
        self._indptr = np.concatenate([[0], np.cumsum(np.bincount(self._tail, minlength=n))])
        self.room = self._capacity.copy()

    def fill(self, source: int, sink: int) -> None:
        """Send as much as possible, along shortest ways first."""
        while len(arcs := self._shortest(source, sink)):
            sent = _blocking(self._tail[arcs], self._head[arcs], self.room[arcs], source, sink)
            self.room[arcs] -= sent
            self.room[self._twin[arcs]] += sent

    def flow(self, source: int, sink: int) -> Flow:
        """What the room that was taken amounts to."""
        net = self._capacity - self.room
        used = np.flatnonzero(net > 0)
        value = sum(net[self._indptr[source] : self._indptr[source + 1]].tolist())
        if self._unlimited is not None and value >= self._unlimited:
            raise ToolError(f"No capacity limits the flow from {source} to {sink}.")
        amount = np.array([_number(amount, self.exponent) for amount in net[used].tolist()], np.float64)
        whole = self.exponent >= 0
        return Flow(
            value << self.exponent if whole else _number(value, self.exponent),
            self._tail[used],
            self._head[used],
            amount,
        )

    def _shortest(self, source: int, sink: int) -> Ints:
        """The arcs with room on all shortest ways from source to sink, ascending. Shape (k,)."""
        depth = np.full(len(self._indptr) - 1, -1, np.int64)
        depth[source] = 0
        front = np.array([source])
        rings: list[Ints] = []
        while len(front) and depth[sink] < 0:
            look()
            arcs, _ = gather(self._indptr, front)
            arcs = arcs[self.room[arcs] > 0]
            arcs = arcs[depth[self._head[arcs]] < 0]
            front = np.unique(self._head[arcs])
            depth[front] = len(rings) + 1
            rings.append(arcs)
        if depth[sink] < 0:
            return np.empty(0, np.int64)
        leads = np.zeros(len(depth), np.bool_)
        leads[sink] = True
        for place in range(len(rings) - 1, -1, -1):
            rings[place] = rings[place][leads[self._head[rings[place]]]]
            leads[self._tail[rings[place]]] = True
        return np.sort(np.concatenate(rings))


def _in_units(capacities: Floats) -> tuple[NDArray[Any], int, int | None]:
    """Capacities as whole multiples of a power of two, its exponent, and what stands for an infinite one, if any."""
    finite = np.isfinite(capacities)
    if not len(capacities):
        return np.empty(0, np.int64), 0, None
    fractions, exponents = np.frexp(np.where(finite, capacities, 1.0))
    digits = np.ldexp(fractions, 53).astype(np.int64)
    zeros = np.bitwise_count((digits & -digits) - 1).astype(np.int64)  # at the end of each
    digits, shifts = digits >> zeros, exponents - 53 + zeros
    exponent = int(shifts.min())
    shifts = shifts - exponent
    bits = int((54 - zeros + shifts).max()) + len(digits).bit_length()
    units: NDArray[Any] = (
        digits << shifts if bits < 62 and finite.all() else digits.astype(object) << shifts.astype(object)
    )
    if finite.all():
        return units, exponent, None
    most = int(units[finite].sum()) + 1
    units[~finite] = most
    return units, exponent, most


def _number(units: int, exponent: int) -> float:
    """So many units, rounded once."""
    return float(units << exponent) if exponent >= 0 else units / (1 << -exponent)


def _blocking(tail: Ints, head: Ints, room: NDArray[Any], source: int, sink: int) -> NDArray[Any]:
    """What each arc carries when every way to the sink has an arc that is full; all arcs lead one step nearer to it.

    Shapes: all (k,), in the order of tails.
    """
    tails, start = np.unique(tail, return_index=True)
    place = dict(zip(tails.tolist(), start.tolist(), strict=True))
    after = dict(zip(tails.tolist(), [*start[1:].tolist(), len(tail)], strict=True))
    tails, heads, left = tail.tolist(), head.tolist(), room.tolist()
    path: list[int] = []
    node = source
    while node != source or place[source] < after[source]:
        look()
        if node == sink:
            least = min(left[arc] for arc in path)
            for arc in path:
                left[arc] -= least
            full = next(position for position, arc in enumerate(path) if not left[arc])
            node = tails[path[full]]
            del path[full:]
        elif place[node] == after[node]:
            node = tails[path.pop()]
            place[node] += 1
        elif left[place[node]]:
            path.append(place[node])
            node = heads[place[node]]
        else:
            place[node] += 1
    carried: NDArray[Any] = room - np.array(left, room.dtype)
    return carried


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


def minimum_spanning_forest(graph: Graph, weight: str | None = None, heaviest: bool = False) -> Forest:
    """Edges of least total weight that join each component; a tree where the graph is connected. `heaviest`: of most.

    Direction is ignored; of parallel edges the lightest (heaviest) counts; without `weight` each edge weighs 1. Raises
    CheckError for an unknown feature. Source: Kruskal 1956, by scipy.
    """
    from scipy.sparse.csgraph import minimum_spanning_tree

    source, target, value = arcs(graph, weight)
    sign = -1.0 if heaviest else 1.0
    value = sign * value
    look()
    between, n = source != target, graph.num_nodes
    pair = (np.minimum(source, target) * n + np.maximum(source, target))[between]
    if not len(pair):
        return Forest([], np.empty(0), 0.0)
    order = np.argsort(pair, kind="stable")
    look()
    pair = pair[order]
    starts = np.flatnonzero(np.diff(pair, prepend=-1))
    pair, value = pair[starts], np.minimum.reduceat(value[between][order], starts)
    lightest = np.argsort(value, kind="stable")
    look()
    # ranks from 1 stand for the weights: scipy takes a weight of 0 for no edge
    ranks = np.empty(len(pair))
    ranks[lightest] = np.arange(1.0, len(pair) + 1)
    rows = np.searchsorted(pair // n, np.arange(n + 1))
    tree = minimum_spanning_tree(csr_array((ranks, pair % n, rows), shape=(n, n)))
    chosen = lightest[np.sort(tree.data).astype(np.int64) - 1]
    pairs = list(zip((pair[chosen] // n).tolist(), (pair[chosen] % n).tolist(), strict=True))
    weights = sign * value[chosen]
    return Forest(pairs, weights, float(weights.sum()))
