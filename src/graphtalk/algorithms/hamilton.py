"""Hamiltonian paths, exactly, by a search that gives up as soon as a partial path cannot be completed."""

from collections.abc import Iterator

import numpy as np

from graphtalk.algorithms.components import is_connected
from graphtalk.algorithms.links import adjacency, check_nodes, reversed_adjacency
from graphtalk.core import LimitError
from graphtalk.core.limits import look
from graphtalk.graphs.graph import Graph

_MOST_NODES = 50_000  # whose sets of neighbours, as bits, take half a gigabyte


def hamiltonian_path(
    graph: Graph, start: int | None = None, end: int | None = None, max_steps: int = 200_000
) -> list[int] | None:
    """A path along the edges that visits every node exactly once, or None where there is none.

    `start` and `end` may be given. Depth first, the node with the fewest ways on first (Warnsdorff 1823),
    with dead ends cut off and states that failed remembered (Rubin 1974; Held and Karp 1962). Raises
    LimitError with the longest path found after `max_steps` partial paths and for more than 50,000 nodes, CheckError for an unknown node.
    """
    n = graph.num_nodes
    check_nodes(graph, [node for node in (start, end) if node is not None])
    if n == 0 or not is_connected(graph):
        return None
    if n == 1:
        return [0]
    if n > _MOST_NODES:
        raise LimitError(f"Hamiltonian paths are looked for among at most {_MOST_NODES:,} nodes, not {n:,}.")
    search = _Search(graph, end, max_steps)
    first = [start] if start is not None else search.fewest_first(range(n))
    for node in first:
        path = search.run(node)
        if path is not None:
            return path
    return None


def hamiltonian_cycle(graph: Graph, max_steps: int = 200_000) -> list[int] | None:
    """A way along the edges through every node exactly once and back to the first, which stands at both ends.

    None where there is none. A path that ends where an edge leads back to its start, for each node before the lowest.
    Errors and source as for `hamiltonian_path`.
    """
    if graph.num_nodes < 3:
        return None
    for last in reversed_adjacency(graph)[[0]].indices.tolist():
        path = hamiltonian_path(graph, 0, last, max_steps) if last else None
        if path:
            return [*path, path[0]]
    return None


class _Search:
    """Sets of nodes are the bits of an integer."""

    def __init__(self, graph: Graph, end: int | None, max_steps: int) -> None:
        self._out = _masks(graph, backwards=False)
        self._into = _masks(graph, backwards=True)
        self._all = (1 << graph.num_nodes) - 1
        self._end = end
        self._steps, self._max_steps = 0, max_steps
        self._failed: set[tuple[int, int]] = set()
        self._longest: list[int] = []

    def fewest_first(self, nodes: range) -> list[int]:
        """Nodes with the fewest ways in first: a path must start where nothing leads."""
        return sorted(nodes, key=lambda node: (self._into[node].bit_count(), node))

    def run(self, start: int) -> list[int] | None:
        """A path from `start`, or None."""
        path, left = [start], self._all & ~(1 << start)
        choices = [self._ways_on(start, left)]
        while choices:
            if not left:
                return path
            node = next(choices[-1], None)
            if node is None:
                self._failed.add((left, path[-1]))
                choices.pop()
                left |= 1 << path.pop()
                continue
            path.append(node)
            left &= ~(1 << node)
            self._count(path)
            choices.append(self._ways_on(node, left))
        return None

    def _count(self, path: list[int]) -> None:
        self._steps += 1
        if len(path) > len(self._longest):
            self._longest = path.copy()
        if self._steps > self._max_steps:
            raise LimitError(
                f"No Hamiltonian path found or ruled out within {self._max_steps} partial paths.",
                f"a path through {len(self._longest)} nodes: {', '.join(map(str, self._longest))}",
            )

    def _ways_on(self, node: int, left: int) -> Iterator[int]:
        if left and ((left, node) in self._failed or self._hopeless(node, left)):
            return iter(())
        ways = _nodes(self._out[node] & left)
        if self._end is not None and left != 1 << self._end:
            ways = [way for way in ways if way != self._end]
        return iter(sorted(ways, key=lambda way: ((self._out[way] & left).bit_count(), way)))

    def _hopeless(self, node: int, left: int) -> bool:
        """Whether some node left cannot be reached, cannot be entered, or two can only come last."""
        if not self._reaches_all(node, left):
            return True
        here, last = 1 << node, 0
        for other in _nodes(left):
            look()
            enter, leave = self._into[other] & (left | here), self._out[other] & left
            only_last = not leave or (enter == leave and leave.bit_count() == 1)
            if only_last and (last or (self._end is not None and other != self._end)):
                return True
            last |= only_last
        return False

    def _reaches_all(self, node: int, left: int) -> bool:
        front = self._out[node] & left
        found = front
        while front:
            step = 0
            look()
            for other in _nodes(front):
                step |= self._out[other]
            front = step & left & ~found
            found |= front
        return found == left


def _masks(graph: Graph, backwards: bool) -> list[int]:
    matrix = reversed_adjacency(graph) if backwards else adjacency(graph)
    rows = np.split(matrix.indices, matrix.indptr[1:-1])
    found, mark = [], np.zeros(graph.num_nodes, np.bool_)
    for node, row in enumerate(rows):
        look()
        mark[row] = True
        mark[node] = False
        found.append(int.from_bytes(np.packbits(mark, bitorder="little").tobytes(), "little"))
        mark[row] = False
    return found


def _nodes(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
