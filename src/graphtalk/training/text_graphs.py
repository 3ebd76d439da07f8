"""Graphs as G-Retriever sees them: a text for every node and every edge (section 3 of the paper)."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from graphtalk.graphs.adjacency import Ints


@dataclass(frozen=True, eq=False)
class TextGraph:
    """A textual graph of n nodes and m edges.

    Edge `e` goes from node `ends[0, e]` to node `ends[1, e]`, and `edges[e]` is its text. Shape of ends: (2, m).
    """

    nodes: tuple[str, ...]
    edges: tuple[str, ...]
    ends: Ints

    @classmethod
    def of_triples(cls, triples: Iterable[tuple[str, str, str]]) -> "TextGraph":
        """The graph of triples (head, relation, tail): its nodes stand in the order in which they are first named."""
        places: dict[str, int] = {}
        edges, ends = [], []
        for head, relation, tail in triples:
            ends.append((places.setdefault(head, len(places)), places.setdefault(tail, len(places))))
            edges.append(relation)
        return cls(tuple(places), tuple(edges), np.array(ends, np.int64).reshape(-1, 2).T)

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
        sources, targets = self.ends.tolist()
        nodes = _table(("node_id", "node_attr"), enumerate(self.nodes))
        return (
            f"{nodes}\n{_table(('src', 'edge_attr', 'dst'), zip(sources, self.edges, targets, strict=True))}"
        )


def _table(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return text.getvalue()
