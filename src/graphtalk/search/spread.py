"""Prizes for edges of a large graph: the edges most like the question, hop by hop from the nodes that it is about.

By the paper's rule edges of equal text share a prize, so that a relation with a million edges has no prize to speak of;
its graphs are small neighbourhoods of what a question names. Here a prize goes to as many edges of equal text as it can
pay for, and to those that lead on from what was reached: the edges of each hop compete anew. Of equal ones those come first that lead
to a node to which others lead too, so that what two named nodes share is found. The size of what is
retrieved is then bound by the prizes and the cost, whatever the size of the graph:

    at most hops x (k + (k - 1) + … + 1) / cost edges
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.search.embedder import Vectors
from graphtalk.search.graph_vectors import GraphVectors
from graphtalk.search.links import Links
from graphtalk.search.near import Prizes
from graphtalk.search.steiner import Floats, top
from graphtalk.search.texts import embedded, one_line


@dataclass(frozen=True, eq=False)
class Prized:
    """Edges with prizes, in the order in which they were reached: from where and whereto. Shapes: all (e,)."""

    edges: Ints
    starts: Ints
    ends: Ints
    prizes: Floats

    def with_nodes(self, nodes: Ints, node_prizes: Floats, cost: float) -> Prizes:
        """These and the prizes of nodes, ascending."""
        return Prizes(nodes, node_prizes, self.edges, self.starts, self.ends, self.prizes, cost)


@dataclass(frozen=True, eq=False)
class Spreader:
    """Spreads prizes over edges of a graph. `most` bounds the links that are looked at in one hop.

    An edge is as like a question as its text, or as its relation's name alone: where each edge of a relation has words of its
    own (the part that is played), these would tell the edges that are asked for apart, and leave most of them behind others.
    """

    graph: Graph
    links: Links
    vectors: GraphVectors
    hops: int
    most: int

    def prized(self, nodes: Ints, vector: Vectors, k: int, cost: float) -> Prized:
        """The edges that get a prize, from some nodes on. `vector` is the question's, without the names in it."""
        likeness = self.vectors.texts.cosines(vector)
        named = self._names @ np.asarray(vector)
        seen, frontier = nodes, nodes
        hops: list[Prized] = [_NONE]
        for _ in range(self.hops if k else 0):
            edges, starts, ends = self.links.leading(frontier, self.most)
            fresh = ~np.isin(edges, np.concatenate([hop.edges for hop in hops]))
            own = likeness[self.vectors.text_of[edges[fresh]]]
            values = np.maximum(own, named[self.graph.relation_positions(edges[fresh])])
            hops.append(self._hop(edges[fresh], starts[fresh], ends[fresh], values, vector, k, cost))
            frontier = np.setdiff1d(hops[-1].ends, seen)
            seen = np.union1d(seen, frontier)
        return _joined(hops)

    def _hop(
        self, edges: Ints, starts: Ints, ends: Ints, values: Floats, vector: Vectors, k: int, cost: float
    ) -> Prized:
        """The prized among the edges of one hop: of the k best different likenesses as many as each can pay for.

        `values` are the likenesses of the edges. Where the prizes can pay for all edges, all get one.
        """
        paid = [max(1, int(np.ceil((k - rank) / cost)) - 1) for rank in range(k)]
        if len(edges) <= sum(paid):  # so few that all can be paid: none needs to be left for a better one
            return Prized(edges, starts, ends, np.full(len(edges), 2 * cost))
        parts = [_NONE]
        for rank, value in enumerate(np.unique(values)[::-1][:k].tolist()):
            equal = np.flatnonzero(values == value)
            if len(equal) > paid[rank]:
                equal = equal[top(self._worth(ends[equal], vector), paid[rank])]
            share = np.full(len(equal), (k - rank) / len(equal))
            parts.append(Prized(edges[equal], starts[equal], ends[equal], share))
        return _joined(parts)

    @cached_property
    def _names(self) -> Floats:
        """The vectors of the names of relations whose edges have words of their own; zeros for the others. (r, d)."""
        relations = self.graph.schema.relations
        worded = [at for at, relation in enumerate(relations) if embedded(relation)]
        found = np.zeros((len(relations), self.vectors.embedder.dimension))
        if worded:
            found[worded] = self.vectors.embedder.embed([one_line(relations[at].name) for at in worded])
        return found

    def _worth(self, ends: Ints, vector: Vectors) -> Floats:
        """What tells edges of equal text apart: how many of them lead to the same node, then how like the question it is."""
        _, which, counts = np.unique(ends, return_inverse=True, return_counts=True)
        return 2 * counts[which] + self.vectors.nodes.cosines(vector, ends)


_NONE = Prized(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))


def _joined(parts: list[Prized]) -> Prized:
    return Prized(
        np.concatenate([part.edges for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.ends for part in parts]),
        np.concatenate([part.prizes for part in parts]),
    )
