"""What a retrieval gave: the nodes and edges behind a call's result, and their text within a number of letters."""

from dataclasses import dataclass

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.reasoners.untrusted import one_line
from graphtalk.search.texts import edge_texts
from graphtalk.search.textual import edge_rows, node_rows, textualise, within
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag

_MOST_IN_LINE = 4_000


@dataclass(frozen=True)
class Retrieved:
    """Nodes, the best first, and edges, numbered through all relations, of a graph."""

    graph: Graph
    nodes: Ints
    edges: Ints

    @classmethod
    def of(cls, result: Result) -> "Retrieved":
        """What a call of `Subgraph` or `Triples` gave."""
        offsets = result.graph.edge_offsets
        nodes = result.value.nodes if isinstance(result.value, Bag) else np.empty(0, np.int64)
        parts = [np.empty(0, np.int64), *(note.edge + offsets[note.relation] for note in result.trail.notes)]
        return cls(result.graph, nodes, np.sort(np.concatenate(parts)))

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """Source and target of each edge."""
        return self.graph.ends_of(self.edges)

    def triples(self, letters: int) -> tuple[str, int]:
        """Each edge as a triple in words, "(Ann, knows, Bob)", a line each, as KAPING tells facts; how many are left out."""
        sources, targets = self.graph.labels(self.ends[0].tolist()), self.graph.labels(self.ends[1].tolist())
        said = [""] * len(self.edges)
        for relation, own, places in self.graph.edge_places(self.edges):
            for place, text in zip(places.tolist(), edge_texts(self.graph, relation, own), strict=True):
                said[place] = text
        lines: list[str] = []
        for source, text, target in zip(sources, said, targets, strict=True):
            line = one_line(f"({source}, {text.removeprefix('name: ')}, {target})", _MOST_IN_LINE)
            letters -= len(line) + 1
            if letters < 0:
                break
            lines.append(line)
        return "\n".join(lines) + "\n", len(self.edges) - len(lines)

    def text(self, letters: int) -> tuple[str, int]:
        """The CSV text of as many nodes as fit, the best first to stay, and how many nodes are left out."""
        nodes, edges = within(self.graph, self.nodes, self.edges, letters)
        said = textualise(node_rows(self.graph, np.sort(nodes)), edge_rows(self.graph, edges))
        lines = [one_line(line, _MOST_IN_LINE) for line in said.rstrip("\n").split("\n")]
        return "\n".join(lines) + "\n", len(self.nodes) - len(nodes)
