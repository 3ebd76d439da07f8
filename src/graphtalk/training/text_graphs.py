"""Graphs as G-Retriever sees them: a text for every node and every edge (section 3 of the paper)."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.search.textual import EDGE_HEADER, NODE_HEADER, csv_lines, textualise


class NotTables(ValueError):
    """A text does not begin with the two tables of a graph."""


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

    @classmethod
    def of_csv(cls, text: str) -> tuple["TextGraph", str]:
        """The graph of which `as_csv` is the beginning of a text, and the rest of the text. Its texts are one line each.

        Raises NotTables where the text does not begin so.

        >>> TextGraph.of_csv("node_id,node_attr\\n7,police\\n\\nsrc,edge_attr,dst\\n7,fears,7\\nWho?")[1]
        'Who?'
        """
        lines = text.split("\n")
        if lines[0] != ",".join(NODE_HEADER):
            raise NotTables(f"it begins with {lines[0]!r:.60}.")
        nodes = list(takewhile(_is_row, map(_cells, lines[1:])))
        at = 1 + len(nodes)
        if lines[at : at + 2] != ["", ",".join(EDGE_HEADER)]:
            raise NotTables(f"no table of edges follows after {at} lines.")
        edges = list(takewhile(_is_edge, map(_cells, lines[at + 2 :])))
        places = {row[0]: place for place, row in enumerate(nodes)}
        if lost := [end for row in edges for end in (row[0], row[2]) if end not in places]:
            raise NotTables(f"an edge leads to node {lost[0]}, which is not there.")
        ends = np.array([(places[row[0]], places[row[2]]) for row in edges], np.int64).reshape(-1, 2).T
        numbers = np.array([int(row[0]) for row in nodes], np.int64)
        graph = cls(tuple(row[1] for row in nodes), tuple(row[1] for row in edges), ends, numbers)
        return graph, "\n".join(lines[at + 2 + len(edges) :])


def _cells(line: str) -> Sequence[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:  # a bare carriage return, or a field without end: no row of a table
        return []


def _is_row(cells: Sequence[str]) -> bool:
    return len(cells) == len(NODE_HEADER) and cells[0].isdecimal()


def _is_edge(cells: Sequence[str]) -> bool:
    return len(cells) == len(EDGE_HEADER) and cells[0].isdecimal() and cells[2].isdecimal()
