"""What is retrieved, as textual graphs: from a textual graph in memory (sections 5.1 to 5.3), for training on questions
that bring their graphs; and from a stored graph.
"""

from dataclasses import dataclass

import numpy as np

from graphtalk.search.steiner import Problem, edge_prizes, rank_prizes, solve, top
from graphtalk.search.subgraph import Subgraph
from graphtalk.search.texts import edge_texts, node_texts
from graphtalk.training.prompts import TextVectors
from graphtalk.training.text_graphs import TextGraph


@dataclass(frozen=True)
class Retrieval:
    """How many nodes and edges get prizes, and what an edge costs (appendix B.1). 0 and 0: the whole graph."""

    nodes: int
    edges: int
    edge_cost: float


def retrieve(graph: TextGraph, question: str, vectors: TextVectors, how: Retrieval) -> TextGraph:
    """The part of a graph that bears on a question: a prize-collecting Steiner tree over its likest nodes and edges."""
    if how.nodes == how.edges == 0 or not graph.nodes:
        return graph
    rows, asked = vectors.rows([*graph.nodes, *graph.edges]), vectors.rows([question])
    similar = vectors.table[rows] @ vectors.table[asked[0]]
    nodes, edges = similar[: len(graph.nodes)].astype(float), similar[len(graph.nodes) :].astype(float)
    best = top(nodes, how.nodes)
    prizes = np.zeros(len(nodes))
    prizes[best] = rank_prizes(len(best), how.nodes)
    per_edge, cost = edge_prizes(edges, np.ones(len(edges), np.int64), how.edges, how.edge_cost)
    source, target = graph.ends
    return graph.part(*solve(Problem(prizes, source, target, per_edge, cost)))


def text_graph(subgraph: Subgraph) -> TextGraph:
    """What was retrieved from a stored graph, nodes in the order of that graph and with its numbers."""
    graph, edges, nodes = subgraph.graph, subgraph.edges, np.sort(subgraph.nodes)
    said = [""] * len(edges)
    for relation, own, places in graph.edge_places(edges):
        for place, text in zip(places.tolist(), edge_texts(graph, relation, own), strict=True):
            said[place] = text
    ends = np.searchsorted(nodes, np.stack(graph.ends_of(edges)))
    return TextGraph(tuple(node_texts(graph, nodes)), tuple(said), ends, nodes)
