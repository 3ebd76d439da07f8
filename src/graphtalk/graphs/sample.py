"""Some nodes and edges of a graph that show what it is like: those with most neighbours, some of every relation."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints

if TYPE_CHECKING:
    from graphtalk.graphs.graph import Graph

_EDGES_A_NODE = 4  # of a sample, at most


@dataclass(frozen=True)
class Sample:
    """Nodes, those with most edges first, and the numbers of edges among them (through all relations)."""

    nodes: Ints
    edges: Ints


def degrees(graph: "Graph") -> Ints:
    """The number of edge ends at each node, over all relations. Shape (num_nodes,)."""
    found = np.zeros(graph.num_nodes, np.int64)
    for relation in range(len(graph.adjacencies)):
        for ends in graph.ends(relation):
            found += np.bincount(ends, minlength=graph.num_nodes)
    return found


def sample(
    graph: "Graph", most: int, types: Collection[str] | None = None, relations: Collection[str] | None = None
) -> Sample:
    """All of a graph where it has no more than `most` nodes, else that many, joined by edges of every relation in turn.

    `types` and `relations` keep to those (None: all). Linear in the edges; the same every time.
    """
    schema, weight = graph.schema, degrees(graph)
    kept = np.zeros(graph.num_nodes, bool)
    for t in schema.node_types:
        kept[t.first : t.first + t.count] = types is None or t.name in types
    taken = [p for p, r in enumerate(schema.relations) if relations is None or r.name in relations]
    ends = {p: graph.ends(p) for p in taken}
    among = {p: np.flatnonzero(kept[source] & kept[target]) for p, (source, target) in ends.items()}
    chosen = np.flatnonzero(kept)
    if len(chosen) > most:
        around = [_strongest(ends[p], among[p], weight, most) for p in taken]
        chosen = _first(_in_turn(around), chosen[np.argsort(-weight[chosen], kind="stable")], most)
    inside = np.zeros(graph.num_nodes, bool)
    inside[chosen] = True
    edges = [graph.edge(p, rows[_inside(ends[p], rows, inside)]) for p, rows in among.items()]
    each = max(1, _EDGES_A_NODE * most // max(1, len(edges)))
    left = [part[:each] for part in edges]
    nodes = chosen[np.argsort(-weight[chosen], kind="stable")]
    return Sample(nodes, np.concatenate([np.empty(0, np.int64), *left]))


def _strongest(ends: tuple[Ints, Ints], rows: Ints, weight: Ints, most: int) -> Ints:
    """Up to `most` edges of a relation that join the nodes with most edges, as pairs of nodes, shape (edges, 2).

    A hub is as good as its square root: else all edges would be around one.
    """
    source, target = (end[rows] for end in ends)
    score = np.sqrt(weight[source].astype(float)) * np.sqrt(weight[target])
    best = np.argpartition(-score, most)[:most] if len(score) > most else np.arange(len(score))
    best = best[np.argsort(-score[best], kind="stable")]
    return np.stack([source[best], target[best]], axis=1)


def _in_turn(parts: list[Ints]) -> Ints:
    """The nodes of edges, the first edge of each part before the second of any."""
    pairs = np.concatenate([np.empty((0, 2), np.int64), *parts])
    turn = np.concatenate([np.empty(0, np.int64), *(np.arange(len(part)) for part in parts)])
    return pairs[np.argsort(turn, kind="stable")].ravel()


def _first(nodes: Ints, others: Ints, most: int) -> Ints:
    """The first `most` of these nodes and then of the others, each once."""
    line = np.concatenate([nodes, others])
    _, places = np.unique(line, return_index=True)
    return line[np.sort(places)[:most]]


def _inside(ends: tuple[Ints, Ints], rows: Ints, inside: NDArray[np.bool_]) -> NDArray[np.bool_]:
    source, target = (end[rows] for end in ends)
    return np.asarray(inside[source] & inside[target])
