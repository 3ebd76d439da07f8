"""Properties of whole graphs: the toolx functions of Graph-ToolFormer (section 4.3, appendix C.1)."""

import numpy as np
from numpy.typing import NDArray

from graphtalk import algorithms
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import EdgeFeatureName, Node, Site, Type, any_nodes
from graphtalk.tools.values import Bag, Table, Value
from graphtalk.tools.walks import steps_between


def number_or_table(site: Site) -> Type:
    """A number where one node is asked about, else a table."""
    given = site.types.get("node")
    if given is None:
        return Type("table", any_nodes(site).node_types)
    return Type("number") if given.one else Type("any", given.node_types)


@tool("Order", toolformer="toolx:order")
def order(at: Context) -> int:
    """The number of nodes."""
    return algorithms.order(at.graph)


@tool("Size", toolformer="toolx:size")
def size(at: Context) -> int:
    """The number of edges."""
    return algorithms.size(at.graph)


@tool("Density", toolformer="toolx:density")
def density(at: Context, is_directed: bool | None = None) -> float:
    """The number of edges as a share of all that are possible.

    is_directed: whether edges count as one-way; without it, as the graph has them
    """
    return algorithms.density(at.graph, is_directed)


@tool("Eccentricity", toolformer="toolx:eccentricity", gives=number_or_table)
def eccentricity(at: Context, node: Bag | None = None, weight: EdgeFeatureName | None = None) -> Value:
    """How far the farthest node is, for one node, or as a table for several or all.

    node: whose eccentricity; without it all nodes
    weight: an edge feature to measure length by; without it edges are counted
    """
    asked = np.arange(at.graph.num_nodes) if node is None else node.nodes
    found = algorithms.eccentricity(at.graph, None if node is None else asked, weight)
    return each_node(asked, found, one=node is not None)


@tool("Radius", toolformer="toolx:radius")
def radius(at: Context, weight: EdgeFeatureName | None = None) -> float:
    """The smallest eccentricity; infinite where the graph is not connected.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return _reaching(at, algorithms.radius(at.graph, weight))


@tool("Diameter", toolformer="toolx:diameter")
def diameter(at: Context, weight: EdgeFeatureName | None = None) -> float:
    """The largest eccentricity; infinite where the graph is not connected.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return _reaching(at, algorithms.diameter(at.graph, weight))


@tool("Center", toolformer="toolx:center", aliases=("Centre",), gives=any_nodes)
def center(at: Context, weight: EdgeFeatureName | None = None) -> Bag:
    """The nodes whose eccentricity equals the radius.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return Bag.of(algorithms.center(at.graph, weight))


@tool("Periphery", toolformer="toolx:periphery", gives=any_nodes)
def periphery(at: Context, weight: EdgeFeatureName | None = None) -> Bag:
    """The nodes whose eccentricity equals the diameter.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return Bag.of(algorithms.periphery(at.graph, weight))


@tool("ShortestPath", toolformer="toolx:shortest_path", aliases=("shortest_path_length", "Distance"))
def shortest_path(at: Context, first: Node, second: Node, weight: EdgeFeatureName | None = None) -> float:
    """The length of a shortest path along the edges; infinite where there is none.

    first: where it starts
    second: where it ends
    weight: an edge feature to measure length by; without it edges are counted
    """
    found = np.array(algorithms.shortest_path(at.graph, first, second, weight), dtype=np.int64)
    at.followed(steps_between(at, found[:-1], found[1:]))
    if weight is not None:
        return algorithms.shortest_path_length(at.graph, first, second, weight)
    return len(found) - 1 if len(found) else float("inf")


@tool("AveragePathLength", toolformer="toolx:avg_path_length", aliases=("avg_shortest_path",))
def average_path_length(at: Context, weight: EdgeFeatureName | None = None) -> float:
    """The mean length of the shortest paths between all pairs of nodes; infinite where one has none.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return _reaching(at, algorithms.avg_path_length(at.graph, weight))


@tool("MaximumPathLength", toolformer="toolx:max_path_length", aliases=("max_shortest_path",))
def maximum_path_length(at: Context, weight: EdgeFeatureName | None = None) -> float:
    """The length of the longest of all shortest paths; infinite where the graph is not connected.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return _reaching(at, algorithms.max_path_length(at.graph, weight))


@tool("MinimumPathLength", toolformer="toolx:min_path_length", aliases=("min_shortest_path",))
def minimum_path_length(at: Context, weight: EdgeFeatureName | None = None) -> float:
    """The length of the shortest of all shortest paths between two nodes.

    weight: an edge feature to measure length by; without it edges are counted
    """
    return algorithms.min_path_length(at.graph, weight)


def _reaching(at: Context, length: float) -> float:
    """A length over all pairs of nodes; where it is infinite, why is said beside it."""
    if np.isinf(length):
        along = " along the direction of the edges" if at.graph.directed else ""
        at.remark(f"Not every node can be reached from every other{along}.")
    return length


def each_node(nodes: NDArray[np.signedinteger], found: NDArray[np.number], one: bool) -> Value:
    """A table of a number for each node; the number itself where `one` and there is one node."""
    whole = bool((np.isfinite(found) & (found == np.floor(found))).all())
    numbers = found.astype(np.int64) if whole else found.astype(np.float64)
    if one and len(nodes) == 1:
        number: int | float = numbers.tolist()[0]
        return number
    return Table(np.asarray(nodes, dtype=np.int64), numbers)
