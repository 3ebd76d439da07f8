"""What lies around a node: read from the graph's own rows, so that work grows with what is found."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from graphtalk.algorithms.links import Bools, check_nodes
from graphtalk.core import CheckError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, Pointers, gather
from graphtalk.graphs.graph import Graph

_NONE: Ints = np.empty(0, np.int64)
Part: TypeAlias = tuple[
    int, int, Pointers, Ints
]  # the first node of some rows, their number, pointers and entries
_FEW = 16  # nodes whose rows are read one by one: faster than whole-array steps


@dataclass(frozen=True)
class Ways:
    """Where edges lead, read from the graph's own rows: a part for each relation and direction that is followed."""

    parts: tuple[Part, ...]

    @classmethod
    def of(cls, graph: Graph, reverse: bool = False, both: bool = False) -> "Ways":
        """Follow edges forwards, or backwards if `reverse`, or either way if `both`; undirected ones always
        either way."""
        parts = []
        for relation, a in zip(graph.schema.relations, graph.adjacencies, strict=True):
            either = both or relation.undirected
            if either or not reverse:
                t = graph.schema.node_type(relation.source)
                parts.append((t.first, t.count, a.indptr, a.indices))
            if either or reverse:
                t = graph.schema.node_type(relation.target)
                parts.append((t.first, t.count, a.back_indptr, a.back_indices))
        return cls(tuple(parts))

    def row(self, node: int) -> list[int]:
        """All nodes one edge from `node`."""
        return [other for part in self._rows(node) for other in part.tolist()]

    def _rows(self, node: int) -> list[Ints]:
        """The nodes one edge from `node`, by part."""
        return [
            indices[indptr[node - first] : indptr[node - first + 1]]
            for first, count, indptr, indices in self.parts
            if 0 <= node - first < count
        ]

    def step(self, nodes: Ints) -> tuple[Ints, Ints]:
        """All nodes one edge from `nodes`, and the nodes they were reached from. Shapes (k,) and (k,)."""
        look()
        if len(nodes) <= _FEW:
            rows = [(row, node) for node in nodes.tolist() for row in self._rows(node)]
            origin = np.repeat([node for _, node in rows], [len(row) for row, _ in rows])
            return np.concatenate([_NONE, *(row for row, _ in rows)]), origin
        reached, origins = [_NONE], [_NONE]
        for first, count, indptr, indices in self.parts:
            here = nodes[(nodes >= first) & (nodes < first + count)]
            if len(here):
                positions, counts = gather(indptr, here - first)
                reached.append(indices[positions])
                origins.append(here.repeat(counts))
        return np.concatenate(reached), np.concatenate(origins)


class Side:
    """A growing breadth-first search. `front` are the nodes met last, in the order in which they were met."""

    def __init__(self, graph: Graph, start: int) -> None:
        """A search that has met only its start."""
        # A node's parent plus 1, 0 if not met: memory of zeros costs nothing before it is written, so that
        # a search that ends early does not pay for the size of the graph.
        width: type[np.signedinteger] = np.int32 if graph.num_nodes < 2**31 - 1 else np.int64
        self._above = np.zeros(graph.num_nodes, width)
        self._above[start] = start + 1
        self.front: Ints = np.array([start])

    def met(self, nodes: Ints) -> Bools:
        """Which of these nodes were met. Shapes (k,) and (k,)."""
        return self._above[nodes] > 0

    def way(self, node: int) -> list[int]:
        """The nodes from the start to a node that was met, both included."""
        path = [node]
        while (parent := int(self._above[path[-1]]) - 1) != path[-1]:
            path.append(parent)
        return path[::-1]

    def grow(self, reached: Ints, origin: Ints) -> Ints:
        """Take in one step: the nodes met for the first time, in that order, which are the new front."""
        new = ~self.met(reached)
        reached, origin = reached[new], origin[new]
        turn = np.arange(len(reached))
        self._above[reached[::-1]] = turn[::-1]  # of several ways to a node the first is kept
        first = self._above[reached] == turn
        self.front = reached[first]
        self._above[self.front] = origin[first] + 1
        return self.front


def neighbourhood(graph: Graph, node: int, hops: int = 1, both: bool = True) -> tuple[Ints, Ints]:
    """Nodes within `hops` edges of `node`, itself first, nearest first, and their distances. Shapes (k,).

    Follows edges either way if `both`, else forwards only (an ego network's nodes, as in Everett and
    Borgatti 2005). Raises CheckError for an unknown node or a negative number of hops.
    """
    check_nodes(graph, [node])
    if hops < 0:
        raise CheckError(f"The number of hops must be 0 or more, not {hops}.")
    side, ways = Side(graph, node), Ways.of(graph, both=both)
    rings = [side.front]
    while len(rings) <= hops and len(rings[-1]):
        rings.append(side.grow(*ways.step(side.front)))
    sizes = [len(ring) for ring in rings]
    return np.concatenate(rings), np.repeat(np.arange(len(rings)), sizes)
