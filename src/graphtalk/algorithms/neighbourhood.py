"""What lies around a node: read from the graph's own rows, so that work grows with what is found."""

from dataclasses import dataclass

import numpy as np

from graphtalk.algorithms.links import check_nodes
from graphtalk.core import CheckError
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import Graph


def step(graph: Graph, nodes: Ints, reverse: bool = False, both: bool = False) -> tuple[Ints, Ints]:
    """All nodes one edge from `nodes`, and the nodes they were reached from. Shapes (k,) and (k,).

    Follows edges forwards, or backwards if `reverse`, or either way if `both`; undirected ones always
    either way.
    """
    reached: list[Ints] = []
    origin: list[Ints] = []
    for relation, a in zip(graph.schema.relations, graph.adjacencies, strict=True):
        ways = (
            (relation.source, a.indptr, a.indices, not reverse),
            (relation.target, a.back_indptr, a.back_indices, reverse),
        )
        for name, indptr, indices, wanted in ways:
            if not (wanted or both or relation.undirected):
                continue
            t = graph.schema.node_type(name)
            here = nodes
            if t.count < graph.num_nodes:
                here = nodes[(nodes >= t.first) & (nodes < t.first + t.count)]
            if len(here):
                positions, counts = gather(indptr, here - t.first)
                reached.append(indices[positions])
                origin.append(np.repeat(here, counts))
    if len(reached) == 1:
        return reached[0], origin[0]
    none = np.empty(0, np.int64)
    return np.concatenate([none, *reached]), np.concatenate([none, *origin])


@dataclass
class Side:
    """A growing breadth-first search. `parents` has a node's parent, -1 if not met, shape (n,); the
    start is its own parent. `front` are the nodes met last."""

    parents: Ints
    front: Ints

    @classmethod
    def at(cls, graph: Graph, start: int) -> "Side":
        """A search that has met only its start."""
        parents = np.full(graph.num_nodes, -1, np.int64)
        parents[start] = start
        return cls(parents, np.array([start]))

    def grow(self, reached: Ints, origin: Ints) -> Ints:
        """Take in one step: the nodes met for the first time, in that order, which are the new front."""
        new = self.parents[reached] < 0
        reached, origin = reached[new], origin[new]
        turn = np.arange(len(reached))
        self.parents[reached[::-1]] = turn[::-1]  # of several ways to a node the first is kept
        first = self.parents[reached] == turn
        self.front = reached[first]
        self.parents[self.front] = origin[first]
        return self.front


def neighbourhood(graph: Graph, node: int, hops: int = 1, both: bool = True) -> tuple[Ints, Ints]:
    """Nodes within `hops` edges of `node`, itself first, nearest first, and their distances. Shapes (k,).

    Follows edges either way if `both`, else forwards only (an ego network's nodes, as in Everett and
    Borgatti 2005). Raises CheckError for an unknown node or a negative number of hops.
    """
    check_nodes(graph, [node])
    if hops < 0:
        raise CheckError(f"The number of hops must be 0 or more, not {hops}.")
    side = Side.at(graph, node)
    rings = [side.front]
    while len(rings) <= hops and len(rings[-1]):
        rings.append(side.grow(*step(graph, side.front, both=both)))
    sizes = [len(ring) for ring in rings]
    return np.concatenate(rings), np.repeat(np.arange(len(rings)), sizes)
