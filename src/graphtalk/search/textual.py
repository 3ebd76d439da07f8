"""A subgraph as text, in the CSV form of GraphQA (He et al., 2024, section 4.1): nodes, a blank line, edges."""

import csv
import io
from collections.abc import Iterable, Sequence

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.search.texts import edge_texts, node_texts

NODE_HEADER = ("node_id", "node_attr")
EDGE_HEADER = ("src", "edge_attr", "dst")


def node_rows(graph: Graph, nodes: Ints) -> list[str]:
    """A line for each node: its number in the graph, and its text."""
    return csv_lines(zip(nodes.tolist(), node_texts(graph, nodes), strict=True))


def edge_rows(graph: Graph, edges: Ints) -> list[str]:
    """A line for each edge (numbered through all relations): source, text, target."""
    sources, targets = graph.ends_of(edges)
    said = [""] * len(edges)
    for relation, own, places in graph.edge_places(edges):
        for place, text in zip(places.tolist(), edge_texts(graph, relation, own), strict=True):
            said[place] = text
    return csv_lines(zip(sources.tolist(), said, targets.tolist(), strict=True))


def textualise(nodes: Sequence[str], edges: Sequence[str]) -> str:
    """The text of a graph from the lines of its nodes and edges."""
    head = [",".join(NODE_HEADER), *nodes, "", ",".join(EDGE_HEADER), *edges]
    return "\n".join(head) + "\n"


def within(graph: Graph, nodes: Ints, edges: Ints, letters: int) -> tuple[Ints, Ints]:
    """As many of the nodes, which stand best first, and edges between them as the text has letters for.

    Each node brings its edges to those before it, so that what is kept stays together. Returns nodes and edges.
    """
    order = {node: rank for rank, node in enumerate(nodes.tolist())}
    sources, targets = graph.ends_of(edges)
    ranks = np.array(
        [max(order[s], order[t]) for s, t in zip(sources.tolist(), targets.tolist(), strict=True)], int
    )
    sizes = np.array([len(row) + 1 for row in node_rows(graph, nodes)], np.int64)
    np.add.at(sizes, ranks, [len(row) + 1 for row in edge_rows(graph, edges)])
    room = letters - len(textualise([], []))
    kept = int(np.searchsorted(np.cumsum(sizes), room, "right"))
    return nodes[:kept], edges[ranks < kept]


def csv_lines(rows: Iterable[Sequence[object]]) -> list[str]:
    """Each row as a line of CSV, without its line break."""
    lines = []
    room = io.StringIO()
    write = csv.writer(room, lineterminator="").writerow
    for row in rows:
        write(row)
        lines.append(room.getvalue())
        room.seek(0)
        room.truncate()
    return lines
