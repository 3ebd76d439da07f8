"""A shortest path between two nodes, counted in edges: two searches that meet."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import adjacency, once, reversed_adjacency
from graphtalk.algorithms.neighbourhood import Part, Ways
from graphtalk.algorithms.search import trace
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, kept_rows
from graphtalk.graphs.graph import Graph

# Graphs of so many edges are searched in a matrix that is kept, larger ones in their own rows, so that only what is met is read.
_WHOLE = 1_000_000
# Steps, each of which costs numpy's calls, after which a matrix is searched whole, in C, where the fronts have not grown by as
# many nodes a step: the ends of a grid are far apart.
_FAR, _THIN = 8, 4
_NONE: Ints = np.empty(0, np.int64)


def meet(graph: Graph, source: int, target: int, both: bool) -> list[int]:
    """The nodes of a shortest path, both ends included; none where there is no path.

    Each step takes the end out of which fewer edges lead on (Pohl 1971), and reads only what it meets.
    """
    if source == target:
        return [source]
    ground = once(graph, ("ground", both), lambda: _Ground.of(graph, both))
    try:
        marks = ground.spare.pop()
    except IndexError:
        marks = np.zeros(graph.num_nodes, np.int64)
    first, second = _End(ground.ahead, marks, source, 1), _End(ground.back, marks, target, -1)
    path = _between(first, second, ground.whole)
    for front in first.fronts + second.fronts:
        marks[front] = 0
    ground.spare.append(marks)
    return path


@dataclass(frozen=True, eq=False)
class _Ground:
    """What searches of a graph share: where edges lead and where from, the matrix that says so of all, and marks not in use."""

    ahead: tuple[Part, ...]
    back: tuple[Part, ...]
    whole: csr_array | None
    spare: list[Ints]

    @classmethod
    def of(cls, graph: Graph, both: bool) -> "_Ground":
        if graph.num_edges > _WHOLE:
            ways, back = Ways.of(graph, both=both), Ways.of(graph, reverse=True, both=both)
            return cls(ways.parts, back.parts, None, [])
        n, whole = graph.num_nodes, adjacency(graph, both)
        turned = whole if both else reversed_adjacency(graph)
        parts: list[tuple[Part, ...]] = [
            ((0, n, m.indptr.astype(np.int64), m.indices),) for m in (whole, turned)
        ]
        return cls(parts[0], parts[1], whole, [])


def _between(here: "_End", there: "_End", whole: csr_array | None) -> list[int]:
    source, target, steps = here.start, there.start, 0
    while here.edges and there.edges:
        steps += 1
        if steps > _FAR and whole is not None and len(here.front) + len(there.front) < _THIN * steps:
            return _search_all(whole, source, target)
        if here.edges > there.edges:
            here, there = there, here
        if joint := here.grow():
            near, far = here.way(joint[0]), there.way(joint[1])
            return near[::-1] + far if here.start == source else far[::-1] + near
    return []


def _search_all(matrix: csr_array, source: int, target: int) -> list[int]:
    from scipy.sparse.csgraph import breadth_first_order

    before = breadth_first_order(matrix, source)[1]
    return trace(before, target) if before[target] >= 0 else []


class _End:
    """A growing search from one end, out of whose `front`, the nodes met last, so many `edges` lead on.

    `marks` of all nodes are 0 where neither end has met them, else the edge by which it did, counted from 1 over all parts,
    negative for the other end. They are 0 again once those of all `fronts` are. Shape (n,).
    """

    def __init__(self, parts: tuple[Part, ...], marks: Ints, start: int, sign: int) -> None:
        self._parts, self._marks, self._sign = parts, marks, sign
        self.start = start
        marks[start] = sign
        self.front: Ints = np.array([start])
        self.fronts = [self.front]
        self._look_ahead()

    def _look_ahead(self) -> None:
        """For each part how many edges lead out of the front, where those of each node begin, and how many it has.

        That is less those of the nodes before it; of a single node no more than where they begin, as it is looked up faster.
        """
        self._rows: list[tuple[int, int | Ints, Ints]] = []
        rows = self.front
        for first, count, indptr, _ in self._parts:
            if count < len(self._marks):
                rows = self.front[(self.front >= first) & (self.front < first + count)] - first
            if len(rows) == 1:
                row = rows.item()
                begin, end = indptr[row : row + 2].tolist()
                self._rows.append((end - begin, begin, rows))
            elif len(rows):
                ends = indptr[rows + 1]
                counts = ends - indptr[rows]
                upto = counts.cumsum()
                self._rows.append((int(upto[-1]), ends - upto, counts))
            else:
                self._rows.append((0, 0, rows))
        self.edges = sum(total for total, _, _ in self._rows)

    def grow(self) -> tuple[int, int] | None:
        """Take a step. Where it meets the other end, the nodes on both sides of the edge that does."""
        look()
        known, before = len(self.fronts), 1
        for (_, _, _, indices), (total, begin, counts) in zip(self._parts, self._rows, strict=True):
            if total:
                if isinstance(begin, int):
                    reached, edges = indices[begin : begin + total].astype(np.int64), None
                else:
                    edges = begin.repeat(counts) + np.arange(total)
                    reached = indices[edges].astype(np.int64)
                marks = self._marks[reached]
                at = int(marks.argmin() if self._sign > 0 else marks.argmax())
                if int(marks[at]) * self._sign < 0:
                    edge = begin + at if edges is None else edges[at]
                    return self._origin(int(edge) + before), int(reached[at])
                new = (marks == 0).nonzero()[0]
                reached = reached[new]
                numbers = (new + begin if edges is None else edges[new]) + before
                if self._sign < 0:
                    numbers = -numbers
                self._marks[reached] = numbers
                self.fronts.append(reached[self._marks[reached] == numbers])  # each node once
            before += len(indices)
        found = self.fronts[known:]
        self.front = found[0] if len(found) == 1 else np.concatenate([_NONE, *found])
        self._look_ahead()
        return None

    def way(self, node: int) -> list[int]:
        """The nodes from one that was met back to the start, both included."""
        path = [node]
        while path[-1] != self.start:
            path.append(self._origin(abs(int(self._marks[path[-1]]))))
        return path

    def _origin(self, edge: int) -> int:
        """The node that an edge leads out of."""
        edge -= 1
        for first, _, indptr, indices in self._parts:
            if edge < len(indices):
                rows, starts = kept_rows(indptr)
                row = int(starts.searchsorted(starts.dtype.type(edge), "right")) - 1
                return first + (row if isinstance(rows, slice) else int(rows[row]))
            edge -= len(indices)
        raise AssertionError("No part has such an edge.")
