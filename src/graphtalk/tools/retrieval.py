"""The part of a graph that bears on a question, as a call: its nodes are the result, its edges the evidence.

`Subgraph` is G-Retriever's retrieval (He et al., 2024, section 5), `Triples` KAPING's (Baek et al., 2023).
"""

import numpy as np

from graphtalk.core import StoreError, ToolError, UsageError
from graphtalk.search.retrieval_index import retriever
from graphtalk.search.subgraph import Options, Rule, Subgraph
from graphtalk.search.triples import Triples
from graphtalk.tools.context import Context, Note
from graphtalk.tools.registry import tool
from graphtalk.tools.types import any_nodes
from graphtalk.tools.values import Bag


@tool("Subgraph", toolformer="graph:subgraph", gives=any_nodes)
def subgraph(
    at: Context, question: str, nodes: int = 3, edges: int = 5, edge_cost: float = 0.5, rule: str = "spread"
) -> Bag:
    """The nodes of the connected part of the graph that bears most on a question, the best first.

    question: in plain language
    nodes: how many nodes get a prize for being like the question
    edges: how many kinds of edges do; 0 for both gives the whole graph
    edge_cost: what an edge costs; a higher one makes the part smaller
    rule: who gets prizes: spread or paper
    """
    try:
        found = retriever(at.graph).retrieve(question, Options(nodes, edges, edge_cost, _rule(rule)))
    except StoreError:
        raise
    except UsageError as error:
        raise ToolError(str(error)) from error
    if not found.complete:
        at.remark("The neighbourhood was too large to be looked at in full.")
    return _noted(at, found)


@tool("Triples", toolformer="graph:triples", gives=any_nodes)
def triples(at: Context, question: str, k: int = 10) -> Bag:
    """The nodes of the edges that are most like a question, each by itself, the best first.

    question: in plain language
    k: how many edges
    """
    if k < 0:
        raise ToolError(f"k is {k}; it cannot be negative.")
    return _noted(at, Triples(retriever(at.graph)).best(question, k))


def _rule(name: str) -> Rule:
    return name  # type: ignore[return-value]  # Options refuses others, naming the valid ones


def _noted(at: Context, found: Subgraph) -> Bag:
    """The nodes; the edges are noted as what they rest on, away from the best nodes."""
    at.budget.take(len(found.nodes) + len(found.edges))
    sources, targets = at.graph.ends_of(found.edges)
    for relation, own, places in at.graph.edge_places(found.edges):
        relations = np.full(len(own), relation)
        at.followed(Note(sources[places], targets[places], relations, own, each=False))
    return Bag(found.nodes)
