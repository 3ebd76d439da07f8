"""Structure of whole graphs beyond the twelve properties of toolx."""

from collections.abc import Sequence

import numpy as np

from graphtalk import algorithms
from graphtalk.core import ToolError
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.toolx import each_node
from graphtalk.tools.types import EdgeFeatureName, FeatureName, Node, Site, Type, any_nodes, node_table
from graphtalk.tools.values import Bag, Item, Value
from graphtalk.tools.walks import steps_between

_MOST_EXACT = 5_000  # nodes for which betweenness is computed exactly without being asked twice
_MOST_STEPS = 10_000  # edges of a result that are noted as evidence


def _bags(site: Site) -> Type:
    return Type("list", any_nodes(site).node_types, item="nodes")


@tool("Components", toolformer="toolx:components", gives=_bags)
def components(at: Context) -> Value:
    """The connected components, each as a bag of nodes, the largest first; direction is ignored."""
    return _groups(algorithms.components(at.graph))


@tool("IsConnected", toolformer="toolx:is_connected")
def is_connected(at: Context) -> bool:
    """Whether every node can be reached from every other; direction is ignored."""
    return algorithms.is_connected(at.graph)


@tool("Degree", toolformer="toolx:degree", gives=node_table)
def degree(at: Context) -> Value:
    """The number of edge ends at each node, over all relations."""
    return _all_nodes(at, algorithms.degree(at.graph))


@tool("PageRank", toolformer="toolx:pagerank", aliases=("page_rank",), gives=node_table)
def pagerank(at: Context, damping: float = 0.85) -> Value:
    """The importance of each node: the share of time a random surfer spends there.

    damping: the chance of following an edge instead of jumping anywhere
    """
    return _all_nodes(at, algorithms.pagerank(at.graph, damping))


@tool("Betweenness", toolformer="toolx:betweenness", gives=node_table)
def betweenness(at: Context, samples: int | None = None) -> Value:
    """The share of shortest paths between other nodes that lead through each node.

    samples: estimate from so many random nodes; needed for large graphs
    """
    if samples is None and at.graph.num_nodes > _MOST_EXACT:
        raise ToolError(
            f"Exact betweenness of {at.graph.num_nodes:,} nodes takes long: "
            f"give samples (500, say), or samples={at.graph.num_nodes} to insist."
        )
    return _all_nodes(at, algorithms.betweenness(at.graph, samples=samples))


@tool("Clustering", toolformer="toolx:clustering", gives=node_table)
def clustering(at: Context) -> Value:
    """The share of each node's pairs of neighbours that are joined."""
    return _all_nodes(at, algorithms.local_clustering(at.graph))


@tool("AverageClustering", toolformer="toolx:average_clustering")
def average_clustering(at: Context) -> float:
    """The mean of the clustering of all nodes."""
    return algorithms.average_clustering(at.graph)


@tool("Transitivity", toolformer="toolx:transitivity")
def transitivity(at: Context) -> float:
    """The share of all pairs of edges that meet in a node which are closed to a triangle."""
    return algorithms.transitivity(at.graph)


@tool("CoreNumber", toolformer="toolx:core_number", gives=node_table)
def core_number(at: Context) -> Value:
    """For each node the largest k so that it belongs to the k-core."""
    return _all_nodes(at, algorithms.core_numbers(at.graph))


@tool("Core", toolformer="toolx:core", aliases=("k_core",), gives=any_nodes)
def core(at: Context, k: int) -> Bag:
    """The nodes of the k-core: the largest part in which every node has k neighbours or more.

    k: how many neighbours
    """
    return Bag.of(algorithms.k_core(at.graph, k))


@tool("Triangles", toolformer="toolx:triangles", aliases=("triangle_count",))
def triangles(at: Context) -> int:
    """The number of triangles; direction is ignored."""
    return algorithms.triangle_count(at.graph)


@tool("MaximumTriangle", toolformer="toolx:maximum_triangle", aliases=("maximum_triangle_sum",))
def maximum_triangle(at: Context, feature: FeatureName) -> float:
    """The largest sum of a node feature over the three nodes of a triangle.

    feature: the number to add up
    """
    found = algorithms.maximum_triangle(at.graph, feature)
    if found is None:
        raise ToolError("The graph has no triangle.")
    _note_way(at, [*found.nodes, found.nodes[0]])
    return found.weight


@tool("Cycle", toolformer="toolx:cycle", aliases=("find_cycle",), gives=any_nodes)
def cycle(at: Context) -> Bag:
    """The nodes of one cycle in order; empty where there is none."""
    found = algorithms.find_cycle(at.graph) or []
    _note_way(at, [*found, *found[:1]])
    return Bag.of(found)


@tool("HasCycle", toolformer="toolx:has_cycle")
def has_cycle(at: Context) -> bool:
    """Whether there is a cycle."""
    found = algorithms.find_cycle(at.graph) or []
    _note_way(at, [*found, *found[:1]])
    return bool(found)


@tool("IsBipartite", toolformer="toolx:is_bipartite", aliases=("bipartite",))
def is_bipartite(at: Context) -> bool:
    """Whether the nodes fall into two groups without an edge inside either."""
    return algorithms.is_bipartite(at.graph)


@tool(
    "TopologicalOrder", toolformer="toolx:topological_order", aliases=("topological_sort",), gives=any_nodes
)
def topological_order(at: Context) -> Bag:
    """All nodes, each before those that its edges lead to."""
    return Bag.of(algorithms.topological_order(at.graph))


@tool("MaximumFlow", toolformer="toolx:maximum_flow", aliases=("max_flow",))
def maximum_flow(at: Context, first: Node, second: Node, capacity: EdgeFeatureName | None = None) -> float:
    """The largest flow from one node to another.

    first: where it starts
    second: where it ends
    capacity: the edge feature that bounds the flow over an edge; without it 1
    """
    found = algorithms.maximum_flow(at.graph, first, second, capacity)
    _note_edges(at, found.source, found.target)
    return int(found.value) if found.value == int(found.value) else found.value


@tool("Matching", toolformer="toolx:matching", aliases=("bipartite_matching",), gives=_bags)
def matching(at: Context) -> Value:
    """As many edges of a bipartite graph as possible of which no two share a node, as pairs of nodes."""
    return _pairs(at, algorithms.bipartite_matching(at.graph))


@tool("SpanningTree", toolformer="toolx:spanning_tree", aliases=("minimum_spanning_tree",), gives=_bags)
def spanning_tree(at: Context, weight: EdgeFeatureName | None = None) -> Value:
    """The edges of a minimum spanning tree (of each component), as pairs of nodes.

    weight: the edge feature whose total is least; without it any tree
    """
    found = algorithms.minimum_spanning_forest(at.graph, weight)
    at.remark(f"Total weight {found.weight:g}.")
    return _pairs(at, found.edges)


@tool("HamiltonianPath", toolformer="toolx:hamiltonian_path", gives=any_nodes)
def hamiltonian_path(at: Context) -> Bag:
    """A path that visits every node exactly once; empty where there is none."""
    found = algorithms.hamiltonian_path(at.graph) or []
    _note_way(at, found)
    return Bag.of(found)


@tool("Communities", toolformer="toolx:communities", gives=_bags)
def communities(at: Context) -> Value:
    """Groups of nodes with many edges inside and few between them, the largest first."""
    found = algorithms.communities(at.graph)
    at.remark(f"Modularity {found.modularity:.3f}.")
    return _groups(found.groups)


def _all_nodes(at: Context, found: Ints | np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Value:
    return each_node(np.arange(at.graph.num_nodes), found, one=False)


def _groups(groups: Sequence[Sequence[int]]) -> list[Item]:
    return [Bag.of(group) for group in groups]


def _pairs(at: Context, pairs: list[tuple[int, int]]) -> list[Item]:
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    _note_edges(at, ends[:, 0], ends[:, 1])
    return [Bag(pair) for pair in ends]


def _note_edges(at: Context, starts: Ints, ends: Ints) -> None:
    at.followed(steps_between(at, starts[:_MOST_STEPS], ends[:_MOST_STEPS]))


def _note_way(at: Context, nodes: Sequence[int]) -> None:
    way = np.array(nodes, dtype=np.int64)
    _note_edges(at, way[:-1], way[1:])
