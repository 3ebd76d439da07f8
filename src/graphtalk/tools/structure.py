"""Structure of whole graphs beyond the twelve properties of toolx."""

from collections.abc import Sequence

import numpy as np

from graphtalk import algorithms
from graphtalk.algorithms.components import Connection
from graphtalk.algorithms.links import Floats
from graphtalk.algorithms.measures import DegreeKind
from graphtalk.core import CheckError, ToolError, choices
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.toolx import each_node, number_or_table
from graphtalk.tools.types import EdgeFeatureName, FeatureName, Node, Site, Type, any_nodes
from graphtalk.tools.values import Bag, Item, Value
from graphtalk.tools.walks import note_edges, note_way

_MOST_TRIED = 2_000_000  # partial Hamiltonian paths of a search, which has no quick way
_MOST_EXACT = 5_000  # nodes for which betweenness is computed exactly without being asked twice


def list_of_bags(site: Site) -> Type:
    """A list whose items are bags of nodes."""
    return Type("list", any_nodes(site).node_types, item="nodes")


@tool("Components", toolformer="toolx:components", gives=list_of_bags)
def components(at: Context, connection: str = "weak") -> Value:
    """The connected components, each as a bag of nodes, the largest first.

    connection: weak (direction is ignored) or strong (a path leads both ways)
    """
    return _groups(algorithms.components(at.graph, _connection(connection)))


@tool("LargestComponent", toolformer="toolx:largest_component", gives=any_nodes)
def largest_component(at: Context) -> Bag:
    """The nodes of the largest connected component; direction is ignored."""
    return Bag.of(next(iter(algorithms.components(at.graph)), []))


def _connection(text: str) -> Connection:
    if text not in ("weak", "strong"):
        raise CheckError(f"No connection {text!r}. {choices(text, ['weak', 'strong'])}")
    return "weak" if text == "weak" else "strong"


@tool("IsConnected", toolformer="toolx:is_connected")
def is_connected(at: Context, connection: str = "weak") -> bool:
    """Whether every node can be reached from every other.

    connection: weak (direction is ignored) or strong (along the edges)
    """
    return algorithms.is_connected(at.graph, _connection(connection))


@tool("Degree", toolformer="toolx:degree", gives=number_or_table)
def degree(at: Context, node: Bag | None = None, direction: str = "all") -> Value:
    """The number of edge ends at a node, over all relations, or as a table for several or all nodes.

    node: whose degree; without it all nodes
    direction: in, out or all
    """
    kinds: dict[str, DegreeKind] = {"all": "all", "in": "in", "out": "out"}
    if direction not in kinds:
        raise CheckError(f"No direction {direction!r}. {choices(direction, kinds)}")
    return each_or_one(at, algorithms.degree(at.graph, kind=kinds[direction]), node)


@tool("PageRank", toolformer="toolx:pagerank", aliases=("page_rank",), gives=number_or_table)
def pagerank(at: Context, damping: float = 0.85, node: Bag | None = None) -> Value:
    """The importance of each node: the share of time a random surfer spends there.

    damping: the chance of following an edge instead of jumping anywhere
    node: give the number of this node alone
    """
    return each_or_one(at, algorithms.pagerank(at.graph, damping), node)


@tool("Betweenness", toolformer="toolx:betweenness", gives=number_or_table)
def betweenness(at: Context, samples: int | None = None, node: Bag | None = None) -> Value:
    """The share of shortest paths between other nodes that lead through each node.

    samples: estimate from so many random nodes; needed for large graphs
    node: give the number of this node alone
    """
    if samples is None and at.graph.num_nodes > _MOST_EXACT:
        raise ToolError(
            f"Exact betweenness of {at.graph.num_nodes:,} nodes takes long: "
            f"give samples (500, say), or samples={at.graph.num_nodes} to insist."
        )
    return each_or_one(at, algorithms.betweenness(at.graph, samples=samples), node)


@tool("Clustering", toolformer="toolx:clustering", gives=number_or_table)
def clustering(at: Context, node: Bag | None = None) -> Value:
    """The share of a node's pairs of neighbours that are joined, or as a table for several or all nodes.

    node: whose clustering; without it all nodes
    """
    return each_or_one(at, algorithms.local_clustering(at.graph), node)


@tool("AverageClustering", toolformer="toolx:average_clustering")
def average_clustering(at: Context) -> float:
    """The mean of the clustering of all nodes."""
    return algorithms.average_clustering(at.graph)


@tool("Transitivity", toolformer="toolx:transitivity")
def transitivity(at: Context) -> float:
    """The share of all pairs of edges that meet in a node which are closed to a triangle."""
    return algorithms.transitivity(at.graph)


@tool("CoreNumber", toolformer="toolx:core_number", gives=number_or_table)
def core_number(at: Context, node: Bag | None = None) -> Value:
    """The largest k so that a node belongs to the k-core, or as a table for several or all nodes.

    node: whose core number; without it all nodes
    """
    return each_or_one(at, algorithms.core_numbers(at.graph), node)


@tool("Core", toolformer="toolx:core", aliases=("k_core",), gives=any_nodes)
def core(at: Context, k: int) -> Bag:
    """The nodes of the k-core: the largest part in which every node has k neighbours or more.

    k: how many neighbours
    """
    return Bag.of(algorithms.k_core(at.graph, k))


@tool("Triangles", toolformer="toolx:triangles", aliases=("triangle_count",))
def triangles(at: Context, node: Node | None = None) -> int:
    """The number of triangles; direction is ignored.

    node: count only those that it is part of
    """
    return algorithms.triangle_count(at.graph) if node is None else int(algorithms.triangles(at.graph)[node])


@tool("MaximumTriangle", toolformer="toolx:maximum_triangle", aliases=("maximum_triangle_sum",))
def maximum_triangle(
    at: Context, feature: FeatureName | None = None, weight: EdgeFeatureName | None = None
) -> float:
    """The largest sum of a node feature over the three nodes of a triangle, of an edge feature over its edges, or of both.

    feature: the number of nodes to add up
    weight: the number of edges to add up
    """
    return _heaviest(at, feature, weight).weight


@tool("HeaviestTriangle", toolformer="toolx:heaviest_triangle", gives=any_nodes)
def heaviest_triangle(
    at: Context, feature: FeatureName | None = None, weight: EdgeFeatureName | None = None
) -> Bag:
    """The three nodes of the triangle that `MaximumTriangle` measures.

    feature: the number of nodes to add up
    weight: the number of edges to add up
    """
    return Bag.of(_heaviest(at, feature, weight).nodes)


def _heaviest(at: Context, feature: str | None, weight: str | None) -> algorithms.Triangle:
    found = algorithms.maximum_triangle(at.graph, feature, weight)
    if found is None:
        raise ToolError("No three nodes are all joined: the graph has no triangle.")
    note_way(at, [*found.nodes, found.nodes[0]])
    return found


@tool("Cycle", toolformer="toolx:cycle", aliases=("find_cycle",), gives=any_nodes)
def cycle(at: Context) -> Bag:
    """The nodes of one cycle in order; empty where there is none."""
    found = algorithms.find_cycle(at.graph) or []
    note_way(at, [*found, *found[:1]])
    return Bag.of(found)


@tool("HasCycle", toolformer="toolx:has_cycle")
def has_cycle(at: Context) -> bool:
    """Whether there is a cycle."""
    found = algorithms.find_cycle(at.graph) or []
    note_way(at, [*found, *found[:1]])
    return bool(found)


@tool("IsBipartite", toolformer="toolx:is_bipartite", aliases=("bipartite",))
def is_bipartite(at: Context) -> bool:
    """Whether the nodes fall into two groups without an edge inside either."""
    return algorithms.is_bipartite(at.graph)


@tool("Sides", toolformer="toolx:sides", gives=list_of_bags)
def sides(at: Context) -> Value:
    """The two groups of nodes without an edge inside either; none where the graph is not bipartite."""
    colours = algorithms.bipartite_colouring(at.graph)
    return [] if colours is None else _groups([np.flatnonzero(colours == side) for side in (0, 1)])


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
    note_edges(at, found.source, found.target)
    return int(found.value) if found.value == int(found.value) else found.value


@tool("Matching", toolformer="toolx:matching", aliases=("bipartite_matching",), gives=list_of_bags)
def matching(at: Context, left: Bag | None = None) -> Value:
    """As many edges of a bipartite graph as possible of which no two share a node, as pairs of nodes.

    left: the nodes of one side, which stand first in the pairs; without it the lowest node of a component is among them
    """
    return pairs_of(at, algorithms.bipartite_matching(at.graph, None if left is None else left.nodes))


@tool(
    "SpanningTree", toolformer="toolx:spanning_tree", aliases=("minimum_spanning_tree",), gives=list_of_bags
)
def spanning_tree(at: Context, weight: EdgeFeatureName | None = None, heaviest: bool = False) -> Value:
    """The edges of a minimum spanning tree (of each component), as pairs of nodes.

    weight: the edge feature whose total is least; without it any tree
    heaviest: whether the total shall be greatest instead
    """
    found = algorithms.minimum_spanning_forest(at.graph, weight, heaviest)
    at.remark(f"Total weight {found.weight:g}.")
    return pairs_of(at, found.edges)


@tool("HamiltonianPath", toolformer="toolx:hamiltonian_path", gives=any_nodes)
def hamiltonian_path(at: Context) -> Bag:
    """A path that visits every node exactly once; empty where there is none."""
    return _hamiltonian(at, algorithms.hamiltonian_path(at.graph, max_steps=_MOST_TRIED))


@tool("HamiltonianCycle", toolformer="toolx:hamiltonian_cycle", gives=any_nodes)
def hamiltonian_cycle(at: Context) -> Bag:
    """A way through every node exactly once and back to the first, which stands at both ends; empty where there is none."""
    return _hamiltonian(at, algorithms.hamiltonian_cycle(at.graph, _MOST_TRIED))


def _hamiltonian(at: Context, found: list[int] | None) -> Bag:
    note_way(at, found or [])
    return Bag.of(found or [])


@tool("Communities", toolformer="toolx:communities", gives=list_of_bags)
def communities(at: Context) -> Value:
    """Groups of nodes with many edges inside and few between them, the largest first."""
    found = algorithms.communities(at.graph)
    at.remark(f"Modularity {found.modularity:.3f}.")
    return _groups(found.groups)


def each_or_one(at: Context, found: Ints | Floats, node: Bag | None = None) -> Value:
    """What was found of every node, as a table; of some nodes, or of one as its number."""
    asked = np.arange(at.graph.num_nodes) if node is None else node.nodes
    return each_node(asked, found[asked], one=node is not None)


def _groups(groups: Sequence[Sequence[int] | Ints]) -> list[Item]:
    return [Bag.of(group) for group in groups]


def pairs_of(at: Context, pairs: list[tuple[int, int]]) -> list[Item]:
    """Pairs of nodes as bags; the edges between them are noted."""
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    note_edges(at, ends[:, 0], ends[:, 1])
    return [Bag(pair) for pair in ends]
