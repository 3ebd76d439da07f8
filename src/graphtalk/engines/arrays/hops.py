"""One edge further: gathers over the rows of the adjacency, and look-ups of edges between two given nodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.engines.arrays.rows import MISSING
from graphtalk.engines.patterns import Step
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints, Pointers, gather


def fan(graph: Graph, nodes: Ints, ways: Sequence[Step]) -> Ints:
    """How many edges lead on from each node (a loop may count twice). Shape as `nodes`."""
    total = np.zeros(len(nodes), np.int64)
    for step in ways:
        here, rows, indptr, _ = _rows(graph, nodes, step)
        counts = indptr[rows + 1] - indptr[rows]
        if here is None:
            total += counts
        else:
            total[here] += counts
    return total


def degrees(graph: Graph, nodes: Ints, ways: Sequence[Step]) -> Ints:
    """How many edges `hop` finds from each node. Shape as `nodes`."""
    doubled = [step for step in ways if step.forward and _doubled(step, ways)]
    total = fan(graph, nodes, ways)
    if doubled:
        place, _ = between(graph, nodes, nodes, doubled)
        total -= np.bincount(place, minlength=len(nodes))
    return total


@dataclass(frozen=True, eq=False)
class Uncounted:
    """Edges on from nodes that were counted by `degrees` and not made."""

    graph: Graph
    nodes: Ints
    ways: tuple[Step, ...]

    def take(self, at: Ints) -> "Uncounted":
        """Those of the rows at these places."""
        return Uncounted(self.graph, self.nodes[at], self.ways)

    def made(self, most: int) -> tuple[Ints, Ints, bool]:
        """The nodes that the edges lead to, the edges, and whether these are all."""
        once = np.unique(self.nodes)
        once = once[once != MISSING]
        sizes = fan(self.graph, once, self.ways).cumsum()
        few = once[: int(np.searchsorted(sizes, most, "right")) + 1]
        _, reached, edges = hop(self.graph, few, self.ways)
        return reached, edges, len(few) == len(once)


def hop(graph: Graph, nodes: Ints, ways: Sequence[Step]) -> tuple[Ints, Ints, Ints]:
    """All edges that lead on: the place in `nodes` that each leads from, the node it leads to, and the edge.

    An edge that may be followed either way is found once from each end, a loop once. Shapes (edges,), int64.
    """
    places, reached, edges = [], [], []
    offsets = graph.edge_offsets
    for step in ways:
        here, rows, indptr, indices = _rows(graph, nodes, step)
        positions, counts = gather(indptr, rows)
        place = np.repeat(np.arange(len(nodes)) if here is None else here, counts)
        other = indices[positions]
        if not step.forward and _doubled(step, ways):
            kept = np.flatnonzero(other != nodes[place])
            positions, place, other = positions[kept], place[kept], other[kept]
        edge = positions if step.forward else graph.adjacencies[step.relation].back_edge[positions]
        places.append(place)
        reached.append(other.astype(np.int64))
        edges.append(edge + offsets[step.relation])
    return _joined(places), _joined(reached), _joined(edges)


def between(graph: Graph, left: Ints, right: Ints, ways: Sequence[Step]) -> tuple[Ints, Ints]:
    """All edges from `left[i]` to `right[i]`: the place i of each, and the edge. Shapes (edges,), int64.

    Looked up by bisection: the rows of the way back are in ascending order of their sources.
    """
    places, edges = [], []
    for step in ways:
        sources, targets = (left, right) if step.forward else (right, left)
        r = graph.schema.relations[step.relation]
        s, t = graph.schema.node_type(r.source), graph.schema.node_type(r.target)
        fits = (sources >= s.first) & (sources < s.first + s.count)
        fits &= (targets >= t.first) & (targets < t.first + t.count)
        if not step.forward and _doubled(step, ways):
            fits &= sources != targets
        here = np.flatnonzero(fits)
        a = graph.adjacencies[step.relation]
        rows = targets[here] - t.first
        low, high = a.back_indptr[rows], a.back_indptr[rows + 1]
        start = bisect(a.back_indices, low, high, sources[here])
        counts = bisect(a.back_indices, start, high, sources[here], after=True) - start
        ends = counts.cumsum()
        total = int(ends[-1]) if len(ends) else 0
        positions = np.arange(total) + (start - ends + counts).repeat(counts)
        places.append(here.repeat(counts))
        edges.append(a.back_edge[positions] + graph.edge_offsets[step.relation])
    return _joined(places), _joined(edges)


def bisect(values: Ints, low: Ints, high: Ints, wanted: Ints, after: bool = False) -> Ints:
    """For each i the place in `values[low[i]:high[i]]`, which ascends, where `wanted[i]` goes: before its equals or after.

    Shapes (k,).
    """
    low, high = low.astype(np.int64), high.astype(np.int64)
    while True:
        open_ = np.flatnonzero(low < high)
        if not len(open_):
            return low
        middle = (low[open_] + high[open_]) // 2
        found, asked = values[middle], wanted[open_]
        onward = found <= asked if after else found < asked
        low[open_] = np.where(onward, middle + 1, low[open_])
        high[open_] = np.where(onward, high[open_], middle)


def ends(graph: Graph, edges: Ints, ways: Sequence[Step]) -> tuple[Ints, Ints, Ints]:
    """Given edges as they fit the ways: the place in `edges`, the left and the right node. Shapes (found,)."""
    places, lefts, rights = [], [], []
    for step in ways:
        first, last = graph.edge_offsets[step.relation], graph.edge_offsets[step.relation + 1]
        here = np.flatnonzero((edges >= first) & (edges < last))
        source, target = graph.edge_ends(step.relation, edges[here] - first)
        if not step.forward and _doubled(step, ways):
            once = np.flatnonzero(source != target)
            here, source, target = here[once], source[once], target[once]
        places.append(here)
        lefts.append(source if step.forward else target)
        rights.append(target if step.forward else source)
    return _joined(places), _joined(lefts), _joined(rights)


def _doubled(step: Step, ways: Sequence[Step]) -> bool:
    """Whether the same relation is followed the other way too, so that its loops would be found twice."""
    return any(w.relation == step.relation and w.forward != step.forward for w in ways)


def _rows(graph: Graph, nodes: Ints, step: Step) -> tuple[Ints | None, Ints, Pointers, Ints]:
    """The places of the nodes that a step leads on from (None: all), their rows, and the arrays of these."""
    t = graph.schema.node_type(step.source)
    a = graph.adjacencies[step.relation]
    rows = nodes - t.first
    fits = (rows >= 0) & (rows < t.count)
    here = None if fits.all() else np.flatnonzero(fits)
    rows = rows if here is None else rows[here]
    return (here, rows, a.indptr, a.indices) if step.forward else (here, rows, a.back_indptr, a.back_indices)


def _joined(parts: Sequence[Ints]) -> Ints:
    if len(parts) == 1:
        return parts[0].astype(np.int64, copy=False)
    return np.concatenate([np.empty(0, np.int64), *parts])
