"""A shortest path between two nodes, counted in edges: two searches that meet.

Most pairs are near each other, and a search that reads some hundred edges is faster over Python's own sets than by numpy,
whose every call costs a microsecond. So they are looked for there first, and by arrays where that has cost too much.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import adjacency, once, reversed_adjacency
from graphtalk.algorithms.neighbourhood import Part, Ways
from graphtalk.algorithms.search import trace
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, Sparse, kept_rows
from graphtalk.graphs.graph import Graph

# Graphs of so many edges are searched in a matrix that is kept, larger ones in their own rows, so that only what is met is read.
_WHOLE = 1_000_000
# Steps, each of which costs numpy's calls, after which a matrix is searched whole, in C, where the fronts have not grown by as
# many nodes a step: the ends of a grid are far apart.
_FAR, _THIN = 8, 4
# What the search over sets may take: steps, and edges, so many of which are read at a time, as few may tell that both ends meet.
_STEPS, _READ, _PIECE = 6, 4096, 256
_SAMPLE = 4  # nodes of a front by which the number of edges that lead out of it is estimated
# The first node of some rows, the one after the last, where the entries of each row begin, and the entries.
_Rows: TypeAlias = tuple[tuple[int, int, "memoryview | Sparse", memoryview], ...]
_NOBODY: set[int] = set()
_NONE: Ints = np.empty(0, np.int64)


def meet(graph: Graph, source: int, target: int, both: bool) -> list[int]:
    """The nodes of a shortest path, both ends included; none where there is no path.

    Each step takes the end out of which fewer edges lead on (Pohl 1971), and reads only what it meets.
    """
    if source == target:
        return [source]
    ground = once(graph, ("ground", both), lambda: _Ground.of(graph, both))
    near = _nearby(_Near(ground.rows_ahead, source), _Near(ground.rows_back, target))
    if near is not None:
        return near
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
    spare: list[Ints] = field(default_factory=list)
    rows_ahead: _Rows = field(init=False)
    rows_back: _Rows = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows_ahead", _rows(self.ahead))
        object.__setattr__(self, "rows_back", _rows(self.back))

    @classmethod
    def of(cls, graph: Graph, both: bool) -> "_Ground":
        if graph.num_edges > _WHOLE:
            ways, back = Ways.of(graph, both=both), Ways.of(graph, reverse=True, both=both)
            return cls(ways.parts, back.parts, None)
        n, whole = graph.num_nodes, adjacency(graph, both)
        turned = whole if both else reversed_adjacency(graph)
        parts: list[tuple[Part, ...]] = [
            ((0, n, m.indptr.astype(np.int64), m.indices),) for m in (whole, turned)
        ]
        return cls(parts[0], parts[1], whole)


def _rows(parts: tuple[Part, ...]) -> _Rows:
    """The parts as Python reads single numbers of them fastest."""
    return tuple(
        (first, first + count, at if isinstance(at, Sparse) else at.data, entries.data)
        for first, count, at, entries in parts
        if count and len(entries)
    )


class _Near:
    """A search from one end over sets: all nodes that it met, those met last, and about how many edges lead out of these."""

    def __init__(self, rows: _Rows, start: int) -> None:
        self._rows = rows
        self._steps: list[tuple[list[int], list[list[int]]]] = []
        self.start = start
        self.met: set[int] = set()
        self.take({start})

    def take(self, last: set[int]) -> None:
        """Take in the nodes met last."""
        self.last, self.front = last, list(last)
        self.met |= last
        edges = 0
        for node in self.front[:_SAMPLE]:
            for first, end, starts, _ in self._rows:
                if first <= node < end:
                    edges += int(starts[node - first + 1] - starts[node - first])
        self.edges = edges if len(last) <= _SAMPLE else edges * len(last) // _SAMPLE

    def row(self, node: int, others: set[int], most: int) -> tuple[list[int], set[int]]:
        """The nodes one edge from `node`, `most` or all of them, or before the first piece that has some of `others`, and these."""
        found: list[int] = []
        for first, end, starts, entries in self._rows:
            if first <= node < end:
                begin, stop = starts[node - first], starts[node - first + 1]
                while begin < stop and len(found) < most:
                    piece = entries[begin : stop if stop - begin <= _PIECE else begin + _PIECE].tolist()
                    if not others.isdisjoint(piece):
                        return found, others.intersection(piece)
                    found += piece
                    begin += _PIECE
        return found, _NOBODY

    def grow(self, others: set[int], most: int) -> tuple[int, int] | int:
        """Take a step: the edge that meets `others`, or the number of edges read, which is at least `most` where the step was left."""
        reached: list[list[int]] = []
        read = 0
        for node in self.front:
            row, met = self.row(node, others, most - read)
            if met:
                return node, min(met)
            reached.append(row)
            read += len(row)
            if read >= most:
                return read
        self._steps.append((self.front, reached))
        self.take(set().union(*reached) - self.met)
        return read

    def way(self, node: int) -> list[int]:
        """The nodes from one that was met back to the start, both included."""
        path = [node]
        for front, reached in reversed(self._steps):
            path.append(next(near for near, row in zip(front, reached, strict=True) if path[-1] in row))
        return path


def _nearby(here: _Near, there: _Near) -> list[int] | None:
    """The nodes of a shortest path, none where there is none; None where it takes more to know."""
    source, left = here.start, _READ
    for _ in range(_STEPS):
        look()
        if not here.front or not there.front:
            return []
        if here.edges > there.edges:
            here, there = there, here
        met = here.grow(there.last, left)
        if isinstance(met, tuple):
            near, far = here.way(met[0]), there.way(met[1])
            return near[::-1] + far if here.start == source else far[::-1] + near
        left -= met
        if left <= 0:
            break
    return None


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
        """For each part where the edges of each node of the front begin, less those of the nodes before it, and how many it has."""
        self._rows: list[tuple[Ints, Ints]] = []
        self.edges = 0
        for first, count, indptr, _ in self._parts:
            rows = self.front
            if count < len(self._marks):
                rows = rows[(rows >= first) & (rows < first + count)] - first
            starts = indptr[rows]
            counts = indptr[rows + 1] - starts
            upto = counts.cumsum()
            self._rows.append((starts + counts - upto, counts))
            self.edges += int(upto[-1]) if len(upto) else 0

    def grow(self) -> tuple[int, int] | None:
        """Take a step. Where it meets the other end, the nodes on both sides of the edge that does."""
        look()
        known, before = len(self.fronts), 1
        for (_, _, _, indices), (begin, counts) in zip(self._parts, self._rows, strict=True):
            edges = begin.repeat(counts)
            if len(edges):
                edges = edges + np.arange(len(edges))
                reached = indices[edges].astype(np.int64)
                marks = self._marks[reached]
                at = int(marks.argmin() if self._sign > 0 else marks.argmax())
                if int(marks[at]) * self._sign < 0:
                    return self._origin(int(edges[at]) + before), int(reached[at])
                new = (marks == 0).nonzero()[0]
                reached = reached[new]
                numbers = (edges[new] + before) * self._sign
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
