"""How two nodes are joined, and which nodes are joined to the same others."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from graphtalk import algorithms
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.schema import Direction, View
from graphtalk.tools.context import Context, Note
from graphtalk.tools.nodes import follow, view_degrees, views_of
from graphtalk.tools.registry import tool
from graphtalk.tools.types import EdgeFeatureName, Node, RelationName, any_nodes, same_nodes
from graphtalk.tools.values import Bag

MOST_STEPS = 10_000  # edges of a result that are noted as evidence


@tool("Path", toolformer="graph:path", gives=any_nodes)
def path(at: Context, first: Node, second: Node, weight: EdgeFeatureName | None = None) -> Bag:
    """The nodes of a shortest path between two nodes, both included; edges are followed either way.

    Empty where nothing joins them.

    first: one end
    second: the other end
    weight: an edge feature to measure length by; without it edges are counted
    """
    found = _way(at, first, second, weight)
    at.followed(steps_between(at, found[:-1], found[1:]))
    return Bag(found)


@tool("PathLength", toolformer="graph:path_length")
def path_length(at: Context, first: Node, second: Node, weight: EdgeFeatureName | None = None) -> float:
    """The length of a shortest path between two nodes; edges are followed either way.

    Infinite where nothing joins them.

    first: one end
    second: the other end
    weight: an edge feature to measure length by; without it edges are counted
    """
    found = _way(at, first, second, weight)
    at.followed(steps_between(at, found[:-1], found[1:]))
    if weight is not None:
        return algorithms.shortest_path_length(at.graph, first, second, weight, both=True)
    return len(found) - 1 if len(found) else float("inf")


def _way(at: Context, first: int, second: int, weight: str | None = None) -> Ints:
    """The nodes of a shortest path, edges followed either way; none where nothing joins the two."""
    return np.array(algorithms.shortest_path(at.graph, first, second, weight, both=True), dtype=np.int64)


@tool("Connected", toolformer="graph:connected")
def connected(at: Context, first: Node, second: Node, max_hops: int | None = None) -> bool:
    """Whether a path joins two nodes; edges are followed either way.

    first: one end
    second: the other end
    max_hops: the most edges that the path may have; without it any number
    """
    found = _way(at, first, second)
    joined = bool(len(found)) and (max_hops is None or len(found) - 1 <= max_hops)
    if joined:
        at.followed(steps_between(at, found[:-1], found[1:]))
    return joined


@tool("SameNeighbours", toolformer="graph:same_neighbours", aliases=("SameNeighbors",), gives=same_nodes)
def same_neighbours(at: Context, node: Node, neighbor_type: RelationName) -> Bag:
    """The other nodes of the same type that have exactly the same set of neighbours.

    Empty for a node without such neighbours.

    node: the node to compare with
    neighbor_type: which neighbours, as the schema calls them
    """
    asked, holders, with_more = _holders(at, node, neighbor_type)
    same = holders[~with_more]
    at.followed(follow(at, np.concatenate([asked, same]), neighbor_type, each=False))
    return Bag(same)


@tool("ShareNeighbours", toolformer="graph:share_neighbours", aliases=("ShareNeighbors",), gives=same_nodes)
def share_neighbours(at: Context, node: Node, neighbor_type: RelationName) -> Bag:
    """The other nodes of the same type that have all the neighbours of a node, and perhaps more.

    Empty for a node without such neighbours. GRBench (Jin et al., 2024, appendix B) means this by "the exact
    same": its published answers count nodes that have more.

    node: the node to compare with
    neighbor_type: which neighbours, as the schema calls them
    """
    asked, holders, with_more = _holders(at, node, neighbor_type)
    if with_more.any():
        at.remark(f"{int((~with_more).sum())} of these {len(holders)} have no others than those.")
    at.followed(follow(at, np.concatenate([asked, holders]), neighbor_type, each=False))
    return Bag(holders)


def _holders(at: Context, node: int, neighbor_type: str) -> tuple[Ints, Ints, NDArray[np.bool_]]:
    """The node as a bag, the other nodes that have all its neighbours, and which of them have more."""
    asked = np.array([node])
    wanted = np.unique(follow(at, asked, neighbor_type).reached)
    if not len(wanted):
        at.remark("The node has no such neighbours, so there is nothing to compare.")
        return asked, wanted, np.zeros(0, dtype=bool)
    near = follow(at, _peers(at, asked, wanted, neighbor_type), neighbor_type)
    inside = np.isin(near.reached, wanted)
    pairs = np.unique(near.asked[inside] * at.graph.num_nodes + near.reached[inside])
    found, counts = np.unique(pairs // at.graph.num_nodes, return_counts=True)
    holders = found[counts == len(wanted)]
    return asked, holders, np.isin(holders, near.asked[~inside])


def _peers(at: Context, asked: Ints, wanted: Ints, neighbor_type: str) -> Ints:
    """Other nodes of the same type that share the one neighbour of `asked` which the fewest have."""
    ways = [(view, _turned(view)) for view, _ in views_of(at.graph, asked, neighbor_type)]
    counts = np.zeros(len(wanted), np.int64)
    for view, back in ways:
        inside = _of_type(at.graph, wanted, view.target)
        counts[inside] += view_degrees(at.graph, wanted[inside], back)
    rarest = wanted[[int(counts.argmin())]]
    at.budget.take(int(counts.min()))
    ends = [
        at.graph.expand(rarest, back).nodes for view, back in ways if _of_type(at.graph, rarest, view.target)
    ]
    peers = np.unique(np.concatenate(ends))
    others: Ints = peers[peers != asked[0]]
    return others


def _turned(view: View) -> View:
    turned: dict[Direction, Direction] = {"out": "in", "in": "out", "both": "both"}
    return View(view.name, view.target, view.source, view.relation, turned[view.direction])


def _of_type(graph: Graph, nodes: Ints, node_type: str) -> NDArray[np.bool_]:
    t = graph.schema.node_type(node_type)
    return (nodes >= t.first) & (nodes < t.first + t.count)


@tool("Neighbourhood", toolformer="graph:neighbourhood", aliases=("Neighborhood", "Within"), gives=any_nodes)
def neighbourhood(at: Context, node: Node, hops: int = 1) -> Bag:
    """All nodes within so many edges of a node, itself first, nearest first; edges are followed either way.

    node: the node in the middle
    hops: how many edges away at most
    """
    return Bag(algorithms.neighbourhood(at.graph, node, hops)[0])


def note_way(at: Context, nodes: Sequence[int] | Ints) -> None:
    """Note one edge for each step of a way through these nodes."""
    way = np.asarray(nodes, dtype=np.int64)
    note_edges(at, way[:-1], way[1:])


def note_edges(at: Context, starts: Ints, ends: Ints) -> None:
    """Note one edge for each of the first pairs of nodes; see `steps_between`."""
    at.followed(steps_between(at, starts[:MOST_STEPS], ends[:MOST_STEPS]))


def steps_between(at: Context, starts: Ints, ends: Ints, names: Iterable[str] | None = None) -> Note:
    """One edge for each pair of nodes that an edge joins, whichever way it goes; all of them are evidence.

    names: of the views to follow; all if none are given
    """
    parts = []
    for name in at.graph.schema.relation_names if names is None else names:
        has: NDArray[np.bool_] = _sees(at.graph, starts, name)
        if has.any():
            near = follow(at, starts[has], name, each=False)
            parts.append(near)
    if not parts:
        empty = np.empty(0, np.int64)
        return Note(empty, empty, empty, empty, False)
    columns = [
        np.concatenate([getattr(part, column) for part in parts])
        for column in ("asked", "reached", "relation", "edge")
    ]
    pairs = columns[0] * at.graph.num_nodes + columns[1]
    wanted = np.isin(pairs, starts * at.graph.num_nodes + ends)
    first = np.flatnonzero(wanted)[np.unique(pairs[wanted], return_index=True)[1]]
    return Note(columns[0][first], columns[1][first], columns[2][first], columns[3][first], False)


def _sees(graph: Graph, nodes: Ints, name: str) -> NDArray[np.bool_]:
    seen = np.array([bool(graph.schema.called(t.name, name)) for t in graph.schema.node_types], dtype=bool)
    kept: NDArray[np.bool_] = seen[graph.type_positions(nodes)] if len(nodes) else np.empty(0, bool)
    return kept
