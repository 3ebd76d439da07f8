"""Graphs as G-Retriever sees them: a text for every node and every edge (section 3 of the paper)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.search.textual import csv_lines, textualise


@dataclass(frozen=True, eq=False)
class TextGraph:
    """A textual graph of n nodes and m edges.

    Edge `e` goes from node `ends[0, e]` to node `ends[1, e]`, and `edges[e]` is its text. Shape of ends: (2, m).
    `numbers` are those that its text gives the nodes, shape (n,): a part of a graph keeps the numbers of the whole.
    """

    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    ends: Ints
    numbers: Ints | None = None

    @classmethod
    def of_triples(cls, triples: Iterable[tuple[str, str, str]]) -> "TextGraph":
        """The graph of triples (head, relation, tail): its nodes stand in the order in which they are first named."""
        places: dict[str, int] = {}
        edges, ends = [], []
        for head, relation, tail in triples:
            ends.append((places.setdefault(head, len(places)), places.setdefault(tail, len(places))))
            edges.append(relation)
        return cls(tuple(places), tuple(edges), np.array(ends, np.int64).reshape(-1, 2).T)

    def part(self, nodes: Ints, edges: Ints) -> "TextGraph":
        """The graph of some nodes and edges, in the order of the whole. The edges must join those nodes."""
        nodes, edges = np.unique(nodes), np.unique(edges)
        numbers = nodes if self.numbers is None else self.numbers[nodes]
        texts = tuple(self.nodes[node] for node in nodes.tolist())
        between = tuple(self.edges[edge] for edge in edges.tolist())
        return TextGraph(texts, between, np.searchsorted(nodes, self.ends[:, edges]), numbers)

    def as_csv(self) -> str:
        """The graph as the paper writes it (table 9): a table of nodes, a blank line, a table of edges.

        >>> print(TextGraph.of_triples([("police", "capable of", "harm")]).as_csv())
        node_id,node_attr
        0,police
        1,harm
        <BLANKLINE>
        src,edge_attr,dst
        0,capable of,1
        <BLANKLINE>
        """
        numbers = np.arange(len(self.nodes)) if self.numbers is None else self.numbers
        sources, targets = numbers[self.ends].tolist()
        nodes = csv_lines(zip(numbers.tolist(), self.nodes, strict=True))
        return textualise(nodes, csv_lines(zip(sources, self.edges, targets, strict=True)))
