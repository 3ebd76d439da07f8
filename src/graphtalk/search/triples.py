"""Triples by likeness to a question, each by itself: what KAPING retrieves (Baek et al., 2023).

A triple is the texts of its source, its relation and its target. Those that compete are the triples of the nodes that a
question names, as KAPING takes them; or all of a graph, as G-Retriever's comparison does (appendix D.4).
"""

from functools import cached_property

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.search.embedder import Vectors
from graphtalk.search.linked import linked
from graphtalk.search.steiner import Floats, top
from graphtalk.search.subgraph import Retriever, Subgraph
from graphtalk.search.texts import edge_texts, node_texts

MOST = 200_000  # triples that compete
_BLOCK = 16_384


class Triples:
    """The triples of a retriever's graph. Vectors of all of them are made when first needed, and kept in memory."""

    def __init__(self, retriever: Retriever) -> None:
        self.retriever = retriever

    def best(self, question: str, k: int, near: bool = True) -> Subgraph:
        """The `k` triples most like the question, as a subgraph; of named nodes only where `near` and any is named."""
        r = self.retriever
        (vector,) = r.vectors.embedder.embed([question])
        edges, cosines = self._near(question, vector) if near else self._all(vector)
        best = top(cosines, k)
        chosen = edges[best]
        sources, targets = r.graph.ends_of(chosen)
        pairs = np.stack([sources, targets], axis=1).reshape(-1)
        nodes = pairs[np.sort(np.unique(pairs, return_index=True)[1])]
        order = np.argsort(chosen)
        return Subgraph(
            r.graph,
            nodes,
            chosen[order],
            np.zeros(len(nodes)),
            cosines[best][order],
            0.0,
            float(cosines[best].sum()),
        )

    def _near(self, question: str, vector: Vectors) -> tuple[Ints, Floats]:
        r = self.retriever
        nodes = [node for mention in linked(r.index, question) for node in mention.nodes]
        if not nodes:
            nodes = top(r.vectors.nodes.cosines(vector), 3).tolist()
        edges = r.links.touching(np.unique(nodes))[:MOST]
        return edges, np.asarray(self._embed(edges) @ vector, np.float64)

    def _all(self, vector: Vectors) -> tuple[Ints, Floats]:
        return np.arange(len(self._every)), np.asarray(self._every @ vector, np.float64)

    @cached_property
    def _every(self) -> Vectors:
        edges = np.arange(min(self.retriever.graph.num_edges, MOST))
        return np.concatenate([self._embed(edges[i : i + _BLOCK]) for i in range(0, len(edges), _BLOCK)])

    def _embed(self, edges: Ints) -> Vectors:
        graph = self.retriever.graph
        sources, targets = graph.ends_of(edges)
        said = [""] * len(edges)
        for relation, own, places in graph.edge_places(edges):
            for place, text in zip(places.tolist(), edge_texts(graph, relation, own), strict=True):
                said[place] = text
        rows = zip(node_texts(graph, sources), said, node_texts(graph, targets), strict=True)
        return self.retriever.vectors.embedder.embed([f"({s}, {r}, {t})" for s, r, t in rows])
