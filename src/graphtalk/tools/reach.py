"""Where the edges of a graph lead, over all relations and in their direction: next nodes, routes, distances."""

import numpy as np

from graphtalk import algorithms
from graphtalk.algorithms.links import adjacency
from graphtalk.core import CheckError
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import EdgeFeatureName, Node, any_nodes, node_table
from graphtalk.tools.values import Bag, Table, Value
from graphtalk.tools.walks import note_edges, note_way


@tool("Successors", toolformer="toolx:successors", gives=any_nodes)
def successors(at: Context, node: Node) -> Bag:
    """The nodes that an edge of any relation leads to from a node, each once; undirected edges lead both ways.

    node: where to start
    """
    found = np.unique(adjacency(at.graph)[[node]].indices).astype(np.int64)
    note_edges(at, np.full(len(found), node, np.int64), found)
    return Bag(found)


@tool("Reachable", toolformer="toolx:reachable", aliases=("Descendants",), gives=any_nodes)
def reachable(at: Context, node: Node) -> Bag:
    """The nodes that edges of any relation lead to from a node, however far, each once and without itself.

    node: where to start
    """
    found, before = algorithms.reachable(at.graph, node)
    note_edges(at, before, found)
    return Bag(found)


@tool("Ancestors", toolformer="toolx:ancestors", gives=any_nodes)
def ancestors(at: Context, node: Node) -> Bag:
    """The nodes from which edges of any relation lead to a node, however far, each once and without itself.

    node: where they end
    """
    found, behind = algorithms.ancestors(at.graph, node)
    note_edges(at, found, behind)
    return Bag(found)


@tool("Route", toolformer="toolx:route", gives=any_nodes)
def route(at: Context, first: Node, second: Node, weight: EdgeFeatureName | None = None) -> Bag:
    """The nodes of a shortest path along the edges, both ends included; empty where there is none.

    first: where it starts
    second: where it ends
    weight: an edge feature to measure length by; without it edges are counted
    """
    found = algorithms.shortest_path(at.graph, first, second, weight)
    note_way(at, found)
    return Bag.of(found)


@tool("Distances", toolformer="toolx:distances", gives=node_table)
def distances(at: Context, node: Node, weight: EdgeFeatureName | None = None) -> Table:
    """The length of a shortest path along the edges from a node to every node; not a number where there is none.

    node: where paths start
    weight: an edge feature to measure length by; without it edges are counted
    """
    found = algorithms.distances_from(at.graph, node, weight)
    return Table(np.arange(at.graph.num_nodes), np.where(np.isfinite(found), found, np.nan))


@tool("TotalWeight", toolformer="toolx:total_weight")
def total_weight(at: Context, edges: Value, weight: EdgeFeatureName | None = None) -> float:
    """The sum of an edge feature along a way through nodes, or over pairs of nodes; without it how many edges there are.

    edges: the nodes of a way, such as `Route` gives, or a list of pairs, such as `SpanningTree` gives
    weight: the edge feature; of parallel edges the lightest counts
    """
    if isinstance(edges, Bag):
        starts, ends = edges.nodes[:-1], edges.nodes[1:]
    elif isinstance(edges, list) and all(isinstance(pair, Bag) and len(pair) == 2 for pair in edges):
        pairs = [pair.nodes for pair in edges if isinstance(pair, Bag)]
        starts, ends = np.array(pairs, np.int64).reshape(-1, 2).T
    else:
        raise CheckError("TotalWeight wants the nodes of a way, or a list of pairs of nodes, for 'edges'.")
    note_edges(at, starts, ends)
    found = algorithms.total_weight(at.graph, starts, ends, weight)
    return int(found) if found.is_integer() else found
