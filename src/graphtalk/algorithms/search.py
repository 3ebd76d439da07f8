"""Breadth-first search and shortest distances: from one node in C, from many at once by bits."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Bools, Floats
from graphtalk.core import ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, gather

_MORE = 4  # times as many nodes may come into a ball at once: hubs lead to all at once
# Edges that a ball relaxes by rounds before it is left to C, and what a round costs besides, in edges.
_RELAXED, _ROUND = 1 << 17, 1 << 12


def breadth_first(matrix: csr_array, source: int) -> tuple[Ints, Ints, Ints]:
    """Nodes in the order of a breadth-first search, their parents, and their distances in edges.

    Shapes: all (reached,); the source is first, and its own parent. Distances follow from the parents by
    pointer jumping (Wyllie 1979), so that long paths cost as little as short ones.
    """
    from scipy.sparse.csgraph import breadth_first_order

    look()
    order, before = breadth_first_order(matrix, source, directed=True, return_predecessors=True)
    parents = before[order]
    parents[0] = source
    position = np.empty(matrix.shape[0], np.int64)
    position[order] = np.arange(len(order))
    above = position[parents]
    depth = np.ones(len(order), np.int64)
    depth[0] = 0
    while above.any():
        depth += depth[above]
        above = above[above]
    return order, parents, depth


def hops_from(matrix: csr_array, source: int) -> Floats:
    """Distances in edges from `source`, infinite where there is no path. Shape (n,)."""
    order, _, depth = breadth_first(matrix, source)
    distances = np.full(matrix.shape[0], np.inf)
    distances[order] = depth
    return distances


def forest_depths(matrix: csr_array, roots: Ints) -> tuple[Ints, Ints]:
    """Breadth-first search from all `roots` at once, each the only root of its component.

    Returns depth and parent of every node, -1 where it is not reached; a root's parent is -1. Shapes (n,).
    """
    n = matrix.shape[0]
    joined = csr_array(
        (
            np.ones(len(matrix.indices) + len(roots)),
            np.concatenate([matrix.indices, roots.astype(matrix.indices.dtype)]),
            np.append(matrix.indptr, matrix.indptr[-1] + len(roots)),
        ),
        shape=(n + 1, n + 1),
    )
    order, parents, depth = breadth_first(joined, n)
    depths, above = np.full(n + 1, -1), np.full(n + 1, -1)
    depths[order], above[order] = depth - 1, parents
    above[above == n] = -1
    return depths[:n], above[:n]


def trace(above: Ints, node: int) -> list[int]:
    """The way from the root of a search down to `node`; a root has no parent (-1), or is its own."""
    path = [node]
    while (parent := int(above[path[-1]])) >= 0 and parent != path[-1]:
        path.append(parent)
    return path[::-1]


def weighted_from(matrix: csr_array, source: int) -> tuple[Floats, Ints]:
    """Shortest distances from `source` over lengths, and the node before each (-1 for none). Shapes (n,).

    Dijkstra's algorithm, or Bellman and Ford's where a length is negative. Raises ToolError for a cycle of
    negative length.
    """
    from scipy.sparse.csgraph import dijkstra

    if matrix.nnz and float(matrix.data.min()) < 0:
        return _bellman_ford(matrix, source)
    look()
    distances, before = dijkstra(matrix, indices=np.array([source]), return_predecessors=True)
    return distances[0], np.where(before[0] < 0, -1, before[0]).astype(np.int64)


def weighted_between(ahead: csr_array, back: csr_array, source: int, target: int) -> tuple[float, list[int]]:
    """Length of a shortest path over lengths of 0 and more, and its nodes; infinite and none where there is no path.

    `back` is `ahead` turned round; source and target differ. Looks around both ends only, after Pohl (1971): of two balls the
    one with fewer edges grows until the shortest way through both is no longer than their radii together, so that no way
    past them can be shorter.
    """
    sides = (_Ball(ahead, source), _Ball(back, target))
    best, way = np.inf, (0, 0)
    while True:
        look()
        side = int(sides[1].edges < sides[0].edges)
        here, there = sides[side], sides[1 - side]
        origin, other, along = here.edges_out(here.nodes)
        through = along + there.distances[other]
        if len(through) and (least := float(through.min())) < best:
            at = int(through.argmin())
            best, way = least, (int((other if side else origin)[at]), int((origin if side else other)[at]))
        beyond = along[np.isinf(here.distances[other])]
        if best <= here.radius + there.radius or not len(beyond):
            break
        here.grow(min(here.next_radius(beyond), best - there.radius))
    if np.isinf(best):
        return best, []
    path: dict[int, None] = {}
    for node in trace(sides[0].before, way[0]) + trace(sides[1].before, way[1])[::-1]:
        while node in path and next(reversed(path)) != node:
            path.popitem()  # a way round of length 0
        path[node] = None
    return best, list(path)


class _Ball:
    """The nodes within `radius` of a start, their distances from it (infinite elsewhere) and the nodes before them.

    It has so many `edges`, and grows to no less than `least`, a sixteenth of the mean length of those of the start: by
    rounds of relaxing the edges of nodes that came nearer, and when these have cost too much by Dijkstra's algorithm in
    C, which reads all lengths of the graph first.
    """

    def __init__(self, matrix: csr_array, start: int) -> None:
        self._matrix, self._start = matrix, start
        self._left = _RELAXED
        self.distances = np.full(matrix.shape[0], np.inf)
        self.distances[start] = 0.0
        self.before = np.full(matrix.shape[0], -1, np.int32)
        self.nodes: Ints = np.array([start])
        row: Floats = matrix.data[matrix.indptr[start] : matrix.indptr[start + 1]]
        self.radius, self.edges = 0.0, len(row)
        self.least = float(row.sum()) / 16 / max(1, len(row))

    def next_radius(self, beyond: Floats) -> float:
        """Twice the radius, or as far as some times as many nodes are, and one at least. `beyond`: their distances. Shape (k,)."""
        many = _MORE * len(self.nodes)
        near = float(np.partition(beyond, many)[many]) if many < len(beyond) and self._left > 0 else np.inf
        return max(min(max(2 * self.radius, self.least), near), float(beyond.min()))

    def grow(self, radius: float) -> None:
        self.radius = radius
        if not self._relaxed():
            from scipy.sparse.csgraph import dijkstra

            distances, before = dijkstra(
                self._matrix, indices=np.array([self._start]), limit=radius, return_predecessors=True
            )
            self.distances, self.before = distances[0], before[0]
        self.nodes = np.flatnonzero(self.distances < np.inf)
        starts = self._matrix.indptr
        self.edges = int((starts[self.nodes + 1] - starts[self.nodes]).sum())

    def _relaxed(self) -> bool:
        """Whether rounds reach all that is within the radius before they have cost too much."""
        nearer = self.nodes
        while self._left > 0:
            origin, other, along = self.edges_out(nearer)
            self._left -= _ROUND + len(other)
            better = (along <= self.radius) & (along < self.distances[other])
            origin, other, along = origin[better], other[better], along[better]
            if not len(other):
                return True
            np.minimum.at(self.distances, other, along)
            best = along == self.distances[other]
            self.before[other[best]] = origin[best]
            nearer = np.unique(other)
        return False

    def edges_out(self, nodes: Ints) -> tuple[Ints, Ints, Floats]:
        """All edges out of nodes of the ball: both ends, and the distance of the other end by that edge. Shapes (k,)."""
        positions, counts = gather(self._matrix.indptr, nodes)
        along = np.repeat(self.distances[nodes], counts) + self._matrix.data[positions]
        return np.repeat(nodes, counts), self._matrix.indices[positions], along


def _bellman_ford(matrix: csr_array, source: int) -> tuple[Floats, Ints]:
    """Rounds of relaxing the edges of nodes that came nearer (Bellman 1958, Moore 1959).

    A loop among the parents is a negative cycle.
    """
    n = matrix.shape[0]
    distances, parents = np.full(n, np.inf), np.full(n, -1, np.int64)
    distances[source] = 0.0
    nearer = np.array([source])
    for turn in range(1, n + 2):
        look()
        positions, counts = gather(matrix.indptr, nearer)
        targets = matrix.indices[positions]
        through = np.repeat(distances[nearer], counts) + matrix.data[positions]
        better = through < distances[targets]
        if not better.any():
            return distances, parents
        targets, through, origin = targets[better], through[better], np.repeat(nearer, counts)[better]
        np.minimum.at(distances, targets, through)
        best = through == distances[targets]
        parents[targets[best]] = origin[best]
        nearer = np.unique(targets)
        if (turn & (turn - 1) == 0 or turn > n) and _has_loop(parents):
            break
    raise ToolError("A cycle of negative length can be reached, so there is no shortest distance.")


def _has_loop(parents: Ints) -> bool:
    above = np.append(parents, len(parents))
    above[above < 0] = len(parents)
    for _ in range(len(parents).bit_length() + 1):
        above = above[above]
    return bool((above != len(parents)).any())


def rounding(nodes: int) -> float:
    """Sums of lengths along ways through `nodes` nodes that differ by no more than this share may be equal.

    Each of up to n sums errs by half a unit in the last place (Higham 2002, section 4.2), and two are compared, of
    which either may be a difference of such sums.
    """
    return 4 * max(nodes, 1) * float(np.finfo(np.float64).eps)


class ManySearches:
    """Breadth-first searches from many nodes at once, one bit each (Then et al., "The More the Merrier",
    VLDB 2014).

    Nodes are renumbered by falling number of incoming edges, so that the j-th neighbours of all nodes that
    have one are a prefix: each step is a few gathers over whole columns. The few nodes with the most edges
    are done one by one, as many as make the number of operations least.
    """

    def __init__(self, incoming: csr_array) -> None:
        """`incoming` has in row v the nodes that lead to v, shape (n, n)."""
        n = incoming.shape[0]
        degrees = np.diff(incoming.indptr)
        order = np.argsort(-degrees, kind="stable")
        self.rank = np.empty(n, np.int64)
        self.rank[order] = np.arange(n)
        self._size = n
        sorted_degrees, starts = degrees[order], incoming.indptr[:-1][order].astype(np.int64)
        self._columns: list[Ints] = []
        alone = int(np.argmin(sorted_degrees + 2 * np.arange(n))) if n else 0
        have = int(np.searchsorted(-sorted_degrees, 0, "left"))
        while have > alone:
            look()
            self._columns.append(self.rank[incoming.indices[starts[:have] + len(self._columns)]])
            have = int(np.searchsorted(-sorted_degrees, -len(self._columns), "left"))
        done = len(self._columns)
        self._rest = [
            self.rank[incoming.indices[starts[row] + done : starts[row] + sorted_degrees[row]]]
            for row in range(have)
        ]

    def levels(self, sources: Ints) -> Iterator[NDArray[np.uint64]]:
        """For distance 1, 2, … the pairs first met there, as bits of shape (n, ceil(len(sources) / 64)).

        Bit b of word w in row `rank[v]`: `sources[64 w + b]` reaches v in that many edges and no fewer.
        """
        which = np.arange(len(sources))
        met = np.zeros((self._size, -(-len(sources) // 64)), np.uint64)
        np.bitwise_or.at(
            met, (self.rank[sources], which // 64), np.uint64(1) << (which % 64).astype(np.uint64)
        )
        front = met.copy()
        while True:
            found = np.zeros_like(front)
            for column in self._columns:
                look()
                found[: len(column)] |= front.take(column, axis=0)
            for row, others in enumerate(self._rest):
                look()
                found[row] |= _or_of(front.take(others, axis=0))
            found &= ~met
            if not found.any():
                return
            met |= found
            front = found
            yield found

    def eccentricities(self, sources: Ints) -> Floats:
        """The largest finite distance from each source. Shape (len(sources),)."""
        last = np.zeros(len(sources))
        for distance, found in enumerate(self.levels(sources), 1):
            last[_bits(np.bitwise_or.reduce(found, axis=0), len(sources))] = distance
        return last


def _or_of(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The bitwise or of all rows, half by half: several times faster here than `reduce` along the rows."""
    while len(rows) > 1:
        half = len(rows) // 2
        folded = rows[:half] | rows[half : 2 * half]
        folded[0] |= rows[-1]
        rows = folded
    return np.asarray(rows[0], dtype=np.uint64)


def _bits(words: NDArray[np.uint64], count: int) -> Bools:
    raw = words.astype("<u8").view(np.uint8)
    return np.unpackbits(raw, bitorder="little")[:count].astype(np.bool_)
