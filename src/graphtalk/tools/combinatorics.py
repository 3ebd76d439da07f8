"""Cuts, longest paths, colours, cliques, matchings and covers; edges by their numbers; nodes by theirs."""

from collections.abc import Callable

import numpy as np
from scipy.sparse import triu

from graphtalk import algorithms
from graphtalk.algorithms.links import Bools, Floats, adjacency
from graphtalk.algorithms.links import edges as edge_table
from graphtalk.core import CheckError, choices
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.structure import each_or_one, list_of_bags, pairs_of
from graphtalk.tools.toolx import number_or_table
from graphtalk.tools.types import EdgeFeatureName, Node, any_nodes, node_table, table_nodes
from graphtalk.tools.values import Bag, Table, Value
from graphtalk.tools.walks import note_way

_MOST_PATHS = 100_000
_COMPARISONS: dict[str, Callable[[Floats, float], Bools]] = {
    "=": np.equal,
    "<": np.less,
    ">": np.greater,
    "<=": np.less_equal,
    ">=": np.greater_equal,
}


@tool("Bridges", toolformer="toolx:bridges", aliases=("cut_edges",), gives=list_of_bags)
def bridges(at: Context) -> Value:
    """The edges without which the graph falls into more parts, as pairs of nodes; direction is ignored."""
    return pairs_of(at, algorithms.bridges(at.graph))


@tool(
    "ArticulationPoints", toolformer="toolx:articulation_points", aliases=("cut_vertices",), gives=any_nodes
)
def articulation_points(at: Context) -> Bag:
    """The nodes without which the graph falls into more parts; direction is ignored."""
    return Bag.of(algorithms.articulation_points(at.graph))


@tool("IsEulerian", toolformer="toolx:is_eulerian", aliases=("has_eulerian_circuit",))
def is_eulerian(at: Context, closed: bool = True) -> bool:
    """Whether one walk uses every edge exactly once.

    closed: whether it must end where it began
    """
    return algorithms.is_eulerian(at.graph, closed)


@tool("IsTree", toolformer="toolx:is_tree")
def is_tree(at: Context) -> bool:
    """Whether all nodes are joined by as few edges as possible, so that there is no cycle; direction is ignored."""
    return algorithms.size(at.graph) == algorithms.order(at.graph) - 1 and algorithms.is_connected(at.graph)


@tool("LongestPath", toolformer="toolx:longest_path", gives=any_nodes)
def longest_path(at: Context, weight: EdgeFeatureName | None = None) -> Bag:
    """The nodes of a longest path of a directed graph without cycles.

    weight: an edge feature to measure length by; without it edges are counted
    """
    found = algorithms.longest_path(at.graph, weight)
    note_way(at, found)
    return Bag.of(found)


@tool("PathCount", toolformer="toolx:path_count")
def path_count(at: Context, first: Node, second: Node) -> int:
    """How many paths lead from one node to another; none visits a node twice.

    first: where they start
    second: where they end
    """
    return algorithms.path_count(at.graph, first, second)


@tool("ShortestPathCount", toolformer="toolx:shortest_path_count")
def shortest_path_count(at: Context, first: Node, second: Node, weight: EdgeFeatureName | None = None) -> int:
    """How many shortest paths lead from one node to another.

    first: where they start
    second: where they end
    weight: an edge feature to measure length by; without it edges are counted
    """
    return len(algorithms.all_shortest_paths(at.graph, first, second, weight, _MOST_PATHS))


@tool("EdgeConnectivity", toolformer="toolx:edge_connectivity")
def edge_connectivity(at: Context) -> int:
    """How many edges must be lost at least for the graph to fall apart; direction is ignored."""
    return algorithms.edge_connectivity(at.graph)


@tool("Girth", toolformer="toolx:girth")
def girth(at: Context) -> float:
    """The number of edges of a shortest cycle; infinite where there is none."""
    return algorithms.girth(at.graph)


@tool(
    "DominatingSet", toolformer="toolx:dominating_set", aliases=("minimum_dominating_set",), gives=any_nodes
)
def dominating_set(at: Context) -> Bag:
    """As few nodes as possible so that every other node is joined to one of them; direction is ignored."""
    return Bag.of(algorithms.dominating_set(at.graph))


@tool("MostInCommon", toolformer="toolx:most_in_common", gives=list_of_bags)
def most_in_common(at: Context) -> Value:
    """The pairs of nodes with the most common neighbours; direction is ignored."""
    matrix = adjacency(at.graph, undirected=True)
    shared = triu(matrix @ matrix, k=1).tocoo()
    best = shared.data == shared.data.max(initial=1)
    return [Bag.of(pair) for pair in zip(shared.row[best].tolist(), shared.col[best].tolist(), strict=True)]


@tool("Colouring", toolformer="toolx:colouring", aliases=("Coloring",), gives=node_table)
def colouring(at: Context) -> Value:
    """A number for every node, so that no edge joins two of one number, with as few numbers as possible."""
    return each_or_one(at, np.array(algorithms.colouring(at.graph), np.int64))


@tool("ChromaticNumber", toolformer="toolx:chromatic_number")
def chromatic_number(at: Context) -> int:
    """How many colours are needed at least so that no edge joins two nodes of one colour."""
    return len(set(algorithms.colouring(at.graph)))


@tool("IsColourable", toolformer="toolx:is_colourable", aliases=("IsColorable",))
def is_colourable(at: Context, colours: int) -> bool:
    """Whether so many colours are enough for no edge to join two nodes of one colour.

    colours: how many
    """
    return len(set(algorithms.colouring(at.graph))) <= colours


@tool("LargestClique", toolformer="toolx:largest_clique", aliases=("maximum_clique",), gives=any_nodes)
def largest_clique(at: Context) -> Bag:
    """The nodes of a largest set in which every two are joined; direction is ignored."""
    return Bag.of(algorithms.largest_clique(at.graph))


@tool("LargestIndependentSet", toolformer="toolx:largest_independent_set", aliases=("maximum_independent_set",), gives=any_nodes)  # fmt: skip
def largest_independent_set(at: Context) -> Bag:
    """The nodes of a largest set in which no two are joined; direction is ignored."""
    return Bag.of(algorithms.largest_independent_set(at.graph))


@tool("VertexCover", toolformer="toolx:vertex_cover", aliases=("minimum_vertex_cover",), gives=any_nodes)
def vertex_cover(at: Context) -> Bag:
    """As few nodes as possible of which every edge has one: all but a largest independent set."""
    alone = algorithms.largest_independent_set(at.graph)
    return Bag(np.setdiff1d(np.arange(at.graph.num_nodes, dtype=np.int64), np.array(alone, np.int64)))


@tool("MaximumMatching", toolformer="toolx:maximum_matching", gives=list_of_bags)
def maximum_matching(at: Context) -> Value:
    """As many edges as possible of which no two share a node, as pairs of nodes."""
    return pairs_of(at, algorithms.maximum_matching(at.graph))


@tool("Closeness", toolformer="toolx:closeness", gives=number_or_table)
def closeness(at: Context, node: Bag | None = None) -> Value:
    """How near a node is to all that reach it, 1 at the most, or as a table for several or all nodes.

    node: whose closeness; without it all nodes
    """
    return each_or_one(at, algorithms.closeness(at.graph), node)


@tool("DegreeCentrality", toolformer="toolx:degree_centrality", gives=number_or_table)
def degree_centrality(at: Context, node: Bag | None = None) -> Value:
    """The number of edge ends at a node over that of the other nodes, or as a table for several or all nodes.

    node: whose centrality; without it all nodes
    """
    others = max(at.graph.num_nodes - 1, 1)
    return each_or_one(at, algorithms.degree(at.graph) / others, node)


@tool("Edges", toolformer="graph:edges", gives=list_of_bags)
def edges(at: Context) -> Value:
    """All edges, as pairs of nodes."""
    source, target, _ = edge_table(at.graph)
    at.budget.take(len(source))
    return pairs_of(at, list(zip(source.tolist(), target.tolist(), strict=True)))


@tool("TopEdges", toolformer="graph:top_edges", gives=list_of_bags)
def top_edges(at: Context, weight: EdgeFeatureName, least: bool = False) -> Value:
    """The edges with the largest value of a feature, as pairs of nodes.

    weight: the feature
    least: those with the smallest instead
    """
    source, target, value = edge_table(at.graph, weight)
    if not len(value):
        return []
    best = np.flatnonzero(value == (value.min() if least else value.max()))
    return pairs_of(at, list(zip(source[best].tolist(), target[best].tolist(), strict=True)))


@tool("FilterTable", toolformer="graph:filter_table", gives=table_nodes)
def filter_table(at: Context, table: Table, comparison: str, number: float) -> Bag:
    """The nodes whose number in a table compares with a number; nodes without one are left out.

    table: a number for each node
    comparison: =, <, >, <= or >=
    number: what they are compared with
    """
    if comparison not in _COMPARISONS:
        raise CheckError(f"No comparison {comparison!r}. {choices(comparison, _COMPARISONS)}")
    numbers = table.numbers.astype(np.float64)
    return Bag(table.nodes[_COMPARISONS[comparison](numbers, number) & ~np.isnan(numbers)])
