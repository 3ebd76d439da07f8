"""Paths of several edges as rows: end to end in two arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Trails:
    """Paths end to end: that of row i has the edges `edges[starts[i]:stops[i]]`, each leading to the node beside it.

    Several rows may share a stretch. `starts` is -1 where there is none.
    """

    starts: Ints
    stops: Ints
    edges: Ints
    nodes: Ints

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, at: Ints) -> "Trails":
        """The paths at these places, in order."""
        return Trails(self.starts[at], self.stops[at], self.edges, self.nodes)


def joined(parts: Sequence[Trails]) -> Trails:
    """The paths of several parts, one after the other."""
    shift = np.cumsum([0, *(len(p.edges) for p in parts)]).tolist()
    return Trails(
        np.concatenate([p.starts + s for p, s in zip(parts, shift, strict=False)]),
        np.concatenate([p.stops + s for p, s in zip(parts, shift, strict=False)]),
        np.concatenate([p.edges for p in parts]),
        np.concatenate([p.nodes for p in parts]),
    )


def within(trail: Trails, edges: Ints) -> Bools:
    """Whether the edge of each row is one of its path."""
    row, positions = _flat(trail)
    found = np.zeros(len(trail), bool)
    found[row[trail.edges[positions] == edges[row]]] = True
    return found


def share_edges(one: Trails, other: Trails) -> Bools:
    """Whether two paths of each row have an edge in common."""
    row, positions = _flat(one)
    other_row, other_positions = _flat(other)
    size = 1 + max((int(t.edges.max()) for t in (one, other) if len(t.edges)), default=0)
    keys = row * size + one.edges[positions]
    both = np.isin(keys, other_row * size + other.edges[other_positions])
    found = np.zeros(len(one), bool)
    found[row[both]] = True
    return found


def reversed_trails(trail: Trails, starts: Ints) -> Trails:
    """Paths the other way round. `starts`: where each began, which is where it ends now."""
    row, positions = _flat(trail)
    counts = trail.stops - trail.starts
    stops = counts.cumsum()
    place = (stops - 1)[row] + (stops - counts)[row] - np.arange(len(row))  # mirrored in its own stretch
    edges, nodes = np.empty(len(row), np.int64), np.empty(len(row), np.int64)
    edges[place] = trail.edges[positions]
    # The node beside an edge is the one that it leads to: walked the other way, the one that stood before it.
    first = np.arange(len(row)) == (stops - counts)[row]
    before = np.where(first, starts[row], np.roll(trail.nodes[positions], 1))
    nodes[place] = before
    return Trails(stops - counts, stops, edges, nodes)


def _flat(trail: Trails) -> tuple[Ints, Ints]:
    """All edges of all rows, and the row of each."""
    counts = trail.stops - trail.starts
    stops = counts.cumsum()
    positions = np.arange(int(stops[-1]) if len(stops) else 0) + (trail.starts - stops + counts).repeat(
        counts
    )
    return np.repeat(np.arange(len(trail)), counts), positions
