"""A smaller graph inside the graph, and what each node gathers from those around it."""

import numpy as np

from graphtalk import algorithms
from graphtalk.core import CheckError, ToolError
from graphtalk.tools.context import Context
from graphtalk.tools.nodes import feature_values
from graphtalk.tools.registry import tool
from graphtalk.tools.types import FeatureName, Site, Type, any_nodes
from graphtalk.tools.values import Bag, Value
from graphtalk.vertex.small import small_graph

_MOST_TRIED = 2_000_000  # partial matches of a search, which has no quick way


@tool("SubgraphMatch", toolformer="toolx:subgraph_match", gives=any_nodes)
def subgraph_match(
    at: Context,
    pattern: str,
    nodes: int | None = None,
    induced: bool = False,
    is_directed: bool | None = None,
    spanning: bool = False,
) -> Bag:
    """Nodes that are joined as those of a smaller graph, in their order; empty where there are none.

    pattern: the edges of the smaller graph, whose nodes are numbered from 0: "0-1,1-2"
    nodes: how many nodes it has; without it those of its edges
    induced: whether nodes that the pattern does not join must not be joined
    is_directed: whether its edges count as one-way; without it, as the graph has them
    spanning: whether it must take all nodes and edges, so that the two graphs are the same but for names
    """
    ends = _pairs(pattern)
    count = max([nodes or 0, *(1 + max(pair) for pair in ends)])
    small = small_graph(count, ends, at.graph.directed if is_directed is None else is_directed)
    if spanning and (small.num_nodes, small.num_edges) != (at.graph.num_nodes, at.graph.num_edges):
        return Bag.of([])
    how = algorithms.Matching(induced=induced)
    found = algorithms.subgraph_isomorphisms(at.graph, small, how, 1, _MOST_TRIED)
    return Bag.of(found[0] if found else [])


def _pairs(pattern: str) -> list[tuple[int, int]]:
    pairs = [part.split("-") for part in pattern.split(",") if part.strip()]
    if any(len(pair) != 2 or not all(end.strip().isdecimal() for end in pair) for pair in pairs):
        raise CheckError(f"The pattern {pattern!r} is no list of edges such as 0-1,1-2.")
    return [(int(one), int(other)) for one, other in pairs]


def _lists(site: Site) -> Type:
    return Type("list", item="list")


@tool("GraphConvolution", toolformer="toolx:graph_convolution", gives=_lists)
def graph_convolution(
    at: Context, feature: FeatureName, layers: int = 1, average: bool = False, itself: bool = False
) -> Value:
    """For each node, in order, the sum of a feature over the nodes with an edge to it, as many times over.

    feature: a list of numbers that every node has
    layers: how many times
    average: whether to average instead
    itself: whether a node counts among its neighbours
    """
    rows = feature_values(at.graph, np.arange(at.graph.num_nodes), feature)
    try:
        values = np.array(rows, dtype=np.float64)
    except (TypeError, ValueError):
        raise ToolError(f"Not every node has a list of numbers of one length as {feature!r}.") from None
    back = at.graph.matrix().T
    counts = np.maximum(np.asarray(back.sum(axis=1)).ravel() + itself, 1)
    for _ in range(layers):
        at.budget.take(values.size, width=8)
        values = back @ values + (values if itself else 0)
        if average:
            values = values / counts[:, None]
    return [[int(v) if v.is_integer() else v for v in row] for row in values.tolist()]
