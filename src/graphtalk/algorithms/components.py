"""Connected components, bipartite colouring, cycles and topological order."""

from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import adjacency, edges, reversed_adjacency
from graphtalk.algorithms.named import nodes_listed, number_each
from graphtalk.algorithms.neighbourhood import Side, Ways
from graphtalk.algorithms.peel import peel
from graphtalk.algorithms.search import breadth_first, forest_depths, trace
from graphtalk.core import ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import Graph

Connection: TypeAlias = Literal["weak", "strong"]

_NEARBY = 1000  # nodes around the first that are looked at before the whole graph is


@number_each()
def component_labels(graph: Graph, connection: Connection = "weak") -> Ints:
    """For each node the number of its component, the component of the lowest node first. Shape (n,).

    "weak" ignores the direction of edges; "strong" asks for a path both ways (Pearce 2005, after Tarjan
    1972).
    """
    from scipy.sparse.csgraph import connected_components

    if graph.num_nodes == 0:
        return np.empty(0, np.int64)
    if graph.directed:
        labels = connected_components(adjacency(graph), connection=connection)[1]
    else:
        labels = _undirected_labels(adjacency(graph))
    if not labels.any():
        return labels.astype(np.int64)
    first = np.empty(int(labels.max()) + 1, np.int64)
    first[labels[::-1]] = np.arange(len(labels))[::-1]  # the last that is written is the lowest node
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[labels]


def _undirected_labels(matrix: csr_array) -> Ints:
    """Labels of components, in no order: those of two neighbours a node, joined by the edges of all nodes outside the largest.

    Each node follows its lowest neighbour where that is lower than itself, then these trees are joined by highest neighbours.
    An edge that joins two of those labels has an end outside the largest, so no other rows need be read, which in most
    graphs are few. Source: Sutton, Ben-Nun and Barak, "Optimizing parallel graph connectivity computation via subgraph
    sampling" (IPDPS 2018).
    """
    some = np.flatnonzero(np.diff(matrix.indptr))
    lowest, highest = matrix.indices[matrix.indptr[some]], matrix.indices[matrix.indptr[some + 1] - 1]
    above = np.arange(matrix.shape[0], dtype=matrix.indices.dtype)
    above[some] = np.minimum(above[some], lowest)
    labels = _merged(_roots_of(above), some, highest)
    if not labels.any():
        return labels
    outside = np.flatnonzero(labels != np.bincount(labels).argmax())
    positions, counts = gather(matrix.indptr, outside)
    return _merged(labels, np.repeat(outside, counts), matrix.indices[positions])


def _merged(labels: Ints, source: Ints, target: Ints) -> Ints:
    """The labels, those that an edge joins made one. Shapes: (n,), (edges,), (edges,).

    In rounds: of each label that edges join to lower ones the lowest of these is taken.
    """
    while True:
        look()
        ends = labels[source], labels[target]
        apart = ends[0] != ends[1]
        if not apart.any():
            return labels
        source, target = source[apart], target[apart]
        one, other = ends[0][apart], ends[1][apart]
        above = np.arange(int(labels.max()) + 1, dtype=labels.dtype)
        np.minimum.at(above, np.maximum(one, other), np.minimum(one, other))
        labels = _roots_of(above)[labels]


def _roots_of(above: Ints) -> Ints:
    """For each node of a forest the number of its root, counted from 0; a root is above itself, others have one lower than
    they are above them. By pointer jumping. Shapes (n,)."""
    while not np.array_equal(higher := above[above], above):
        above = higher
    number: Ints = np.cumsum(above == np.arange(len(above)), dtype=above.dtype) - above.dtype.type(1)
    return number[above]


def components(graph: Graph, connection: Connection = "weak") -> list[list[int]]:
    """The components, each as its nodes in ascending order, the largest first. See `component_labels`."""
    labels = component_labels(graph, connection)
    if not len(labels):
        return []
    order = np.argsort(labels, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(labels))[:-1])
    return [part.tolist() for part in sorted(parts, key=lambda part: -len(part))]


def is_connected(graph: Graph, connection: Connection = "weak") -> bool:
    """Whether there is one component; false for a graph without nodes."""
    return graph.num_nodes > 0 and int(component_labels(graph, connection).max()) == 0


def bipartite_colouring(graph: Graph) -> Ints | None:
    """Colours 0 and 1 so that no edge joins two nodes of one colour, or None where there are none.

    The lowest node of each component has colour 0; direction is ignored. Shape (n,). Source: König 1936,
    by the parity of breadth-first depths.
    """
    if graph.num_nodes == 0:
        return np.empty(0, np.int64)
    if _odd_nearby(graph):
        return None
    matrix = adjacency(graph, undirected=True)
    colours = forest_depths(matrix, _roots(graph))[0] % 2
    source, target, _ = edges(graph)
    return None if (colours[source] == colours[target]).any() else colours


def is_bipartite(graph: Graph) -> bool:
    """Whether the nodes fall into two groups without an edge inside either. See `bipartite_colouring`."""
    return bipartite_colouring(graph) is not None


def _odd_nearby(graph: Graph) -> bool:
    """Whether an edge inside one level of a search shows an odd cycle before it has met many nodes."""
    side, ways, met = Side(graph, 0), Ways.of(graph, both=True), 1
    while len(side.front) and met < _NEARBY:
        reached, origin = ways.step(side.front)
        if not set(side.front.tolist()).isdisjoint(reached.tolist()):
            return True
        met += len(side.grow(reached, origin))
    return False


def _roots(graph: Graph) -> Ints:
    return np.unique(component_labels(graph), return_index=True)[1]


def find_cycle(graph: Graph) -> list[int] | None:
    """The nodes of one cycle, in order, the first not repeated at the end; None where there is none.

    A directed graph's cycle follows its edges (undirected relations in it lead both ways). In an
    undirected graph no edge is used twice: two parallel edges are a cycle, and so is a self-loop. Looked
    for around the first node before anywhere else.
    """
    if graph.num_edges == 0:
        return None
    if not graph.directed:
        return _nearby_cycle(graph) or _undirected_cycle(graph)
    return _walked_cycle(graph) or _directed_cycle(graph)


def has_cycle(graph: Graph) -> bool:
    """Whether there is a cycle. See `find_cycle`."""
    return find_cycle(graph) is not None


def _walked_cycle(graph: Graph) -> list[int] | None:
    """A cycle that a depth-first search of a directed graph closes before it has met many nodes."""
    path, on_path, met = [0], {0}, {0}
    onward = Ways.of(graph)
    ways = [iter(onward.row(0))]
    while ways and len(met) < _NEARBY:
        node = next(ways[-1], None)
        if node is None:
            ways.pop()
            on_path.discard(path.pop())
        elif node in on_path:
            return path[path.index(node) :]
        elif node not in met:
            met.add(node)
            on_path.add(node)
            path.append(node)
            ways.append(iter(onward.row(node)))
    return None


def _directed_cycle(graph: Graph) -> list[int] | None:
    loops = np.flatnonzero(adjacency(graph).diagonal())
    if len(loops):
        return [int(loops[0])]
    labels = component_labels(graph, "strong")
    shared = np.bincount(labels)[labels] > 1
    if not shared.any():
        return None
    start = int(np.argmax(shared))
    order, parents, _ = breadth_first(adjacency(graph), start)
    back = reversed_adjacency(graph)
    leads_home = np.zeros(graph.num_nodes, np.bool_)
    leads_home[back.indices[back.indptr[start] : back.indptr[start + 1]]] = True
    last = order[np.argmax(leads_home[order])]
    above = np.empty(graph.num_nodes, np.int64)
    above[order] = parents
    return trace(above, int(last))


def _nearby_cycle(graph: Graph) -> list[int] | None:
    """A cycle that a search of an undirected graph closes before it has met many nodes."""
    side, ways, met = Side(graph, 0), Ways.of(graph), 1
    while len(side.front) and met < _NEARBY:
        reached, origin = ways.step(side.front)
        level = np.flatnonzero(np.isin(reached, side.front))
        if len(level):
            start, end = int(origin[level[0]]), int(reached[level[0]])
            return _join(side.way(start), side.way(end))
        new = ~side.met(reached)
        reached, origin = reached[new], origin[new]
        front = side.grow(reached, origin)
        if len(front) < len(reached):
            found, times = np.unique(reached, return_counts=True)
            node = int(found[times > 1][0])
            start, end = origin[reached == node][:2].tolist()
            return _join([*side.way(start), node], side.way(end))
        met += len(front)
    return None


def _undirected_cycle(graph: Graph) -> list[int] | None:
    source, target, _ = edges(graph)
    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((high, low))
    low, high = low[order], high[order]
    loops = np.flatnonzero(low == high)
    if len(loops):
        return [int(low[loops[0]])]
    twice = np.flatnonzero((low[1:] == low[:-1]) & (high[1:] == high[:-1]))
    if len(twice):
        return [int(low[twice[0]]), int(high[twice[0]])]
    depths, above = forest_depths(adjacency(graph), _roots(graph))
    spare = np.flatnonzero((above[low] != high) & (above[high] != low))
    if not len(spare):
        return None
    edge = spare[np.argmin(depths[low[spare]])]
    return _join(trace(above, int(low[edge])), trace(above, int(high[edge])))


def _join(left: list[int], right: list[int]) -> list[int]:
    """Two ways down from one root, whose ends are joined by an edge, as a cycle from where they part."""
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return left[shared - 1 :] + right[: shared - 1 : -1]


def girth(graph: Graph) -> float:
    """The number of edges of a shortest cycle, infinite where there is none; parallel edges are one, and edges to oneself none.

    A search from every node (Itai and Rodeh 1978): O(nodes * edges).
    """
    matrix = adjacency(graph)
    source, target = matrix.nonzero()
    least = np.inf
    for node in range(graph.num_nodes):
        order, parents, depth = breadth_first(matrix, node)
        away, above = np.full(graph.num_nodes, np.inf), np.full(graph.num_nodes, -1)
        away[order], above[order] = depth, parents
        if graph.directed:
            closing = (target == node) & (source != node)
            lengths = away[source[closing]] + 1
        else:
            closing = (above[source] != target) & (above[target] != source) & (source != target)
            lengths = away[source[closing]] + away[target[closing]] + 1
        least = min(least, float(lengths.min(initial=np.inf)))
    return least


@nodes_listed()
def topological_order(graph: Graph) -> list[int]:
    """All nodes, each before those that its edges lead to; among free nodes the lower first, in rounds.

    Raises ToolError where a cycle makes that impossible, or where the graph is undirected. Source: Kahn
    1962.
    """
    if not graph.directed and graph.num_edges:
        raise ToolError("A topological order needs directed edges; this graph is undirected.")
    waiting = np.diff(reversed_adjacency(graph).indptr).astype(np.int64)
    order = peel(adjacency(graph), waiting, np.flatnonzero(waiting == 0), 0)
    if len(order) < graph.num_nodes:
        cycle = find_cycle(graph) or []
        shown = ", ".join(str(node) for node in cycle[:10])
        raise ToolError(f"There is no topological order: nodes {shown} form a cycle.")
    found: list[int] = order.tolist()
    return found
