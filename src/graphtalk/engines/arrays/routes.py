"""Shortest paths by the weights of edges, and the k shortest, between the two nodes of each row.

Weights: distances from the end that fewer rows differ in, nearest nodes first, over whole arrays; then a walk back. The
k shortest: Lawler's partition (Lawler 1972, after Yen 1971): all paths that begin as one found so far and go on
otherwise are a set, and the best of each set is a search of its own, which the distances to the goal guide.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import ToolError
from graphtalk.engines.arrays.columns import missing, plain
from graphtalk.engines.arrays.kernels import properties
from graphtalk.engines.arrays.paths import Search, shortest
from graphtalk.engines.arrays.rows import MISSING, Edges, Values
from graphtalk.engines.arrays.trails import Bools, Trails
from graphtalk.graphs.adjacency import Ints

Reals = NDArray[np.float64]
_AT_ONCE = 1024
"""So many of the nearest nodes are taken at once, or an eighth of a wide front."""
_FEW = 8
"""Pairs of ends that are searched for one by one, from both ends."""
_ALIKE = 1e-12
"""Sums of weights that differ by so small a part are equal: they were added up in another order."""


@dataclass(frozen=True)
class Route:
    """A path: its edges, and the node that each leads to."""

    edges: tuple[int, ...] = ()
    nodes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Finder:
    """Looks for paths along `search`. `weight`: the feature of edges that is summed up; empty: each edge counts 1.

    `most`: so many paths a row; None: all that are as short as any. `acyclic`: no node stands twice in a path; else no
    edge does. `remark` is told where edges have no weight, which are not followed.
    """

    search: Search
    weight: str
    most: int | None
    acyclic: bool
    remark: Callable[[str], None]

    def paths(self, starts: Ints, goals: Ints) -> tuple[Ints, Trails]:
        """For each row the paths from `starts` to `goals`, the shortest first: the row of each, and its edges."""
        found: list[tuple[int, Route]] = []
        if self.most == 1 and len(starts) <= _FEW:
            pairs = list(enumerate(zip(starts.tolist(), goals.tolist(), strict=True)))
            found = [(row, route) for row, ends in pairs for route in self._one(row, *ends)]
            return self._trails(found)
        from_goals = len(np.unique(goals)) <= len(np.unique(starts)) or self.most not in (None, 1)
        roots = goals if from_goals else starts
        others = starts if from_goals else goals
        by = roots if self.search.alike else np.arange(len(roots))
        for group in np.unique(by).tolist():
            rows = np.flatnonzero(by == group)
            root = int(roots[rows[0]])
            field = _Field(self, root, back=from_goals)
            if self.most in (None, 1) or self.weight or not self.acyclic:
                field.grow(int(rows[0]), others[rows])
            for row in rows.tolist():
                found += [
                    (row, route) for route in self._of_row(row, int(starts[row]), int(goals[row]), field)
                ]
        found.sort(key=lambda each: each[0])
        return self._trails(found)

    @staticmethod
    def _trails(found: list[tuple[int, Route]]) -> tuple[Ints, Trails]:
        """Paths with the row of each, as arrays."""
        lengths = np.array([len(route.edges) for _, route in found], np.int64)
        stops = lengths.cumsum(dtype=np.int64)
        edges = np.array([edge for _, route in found for edge in route.edges], np.int64)
        nodes = np.array([node for _, route in found for node in route.nodes], np.int64)
        return np.array([row for row, _ in found], np.int64), Trails(stops - lengths, stops, edges, nodes)

    def _one(self, row: int, start: int, goal: int) -> Iterator[Route]:
        """One shortest path, by a search from both ends (Pohl 1971): the smaller front goes on first."""
        if start == goal:
            if self.search.fewest == 0:
                yield Route()
            return
        ahead, behind = _Field(self, start, back=False), _Field(self, goal, back=True)
        best, middle = np.inf, MISSING
        while ahead.nearest + behind.nearest < best:
            first = len(ahead.front) <= len(behind.front)
            one, other = (ahead, behind) if first else (behind, ahead)
            met = one.step(row, best)
            if len(met):
                lengths = one.far[met] + other.far[met]
                at = int(lengths.argmin())
                if lengths[at] < best:
                    best, middle = float(lengths[at]), int(met[at])
        if middle != MISSING:
            edges, nodes = ahead.way(middle)
            more, on = behind.way(middle)
            yield Route((*edges[::-1], *more), (*nodes[-2::-1], *on[1:]))

    def _of_row(self, row: int, start: int, goal: int, field: "_Field") -> Iterator[Route]:
        """The paths of one row."""
        if start == goal and self.search.fewest == 0:
            yield Route()
        elif self.most in (None, 1):
            if start != goal:
                yield from field.shortest(row, start if field.back else goal)
            return
        wanted = self.most or 0
        for found, route in enumerate(_Ranking(self, row, goal, field).routes(start), int(start == goal)):
            if found >= wanted or (self.search.most is not None and len(route.edges) > self.search.most):
                return
            yield route

    def onward(self, row: int, nodes: Ints, back: bool = False) -> tuple[Ints, Ints, Ints, Reals]:
        """The edges on from some nodes: the place of each in these, where it leads, the edge, and its weight."""
        place, reached, edges = self.search.step(np.full(len(nodes), row), nodes, back)
        if not self.weight:
            return place, reached, edges, np.ones(len(edges))
        cells = properties(Edges(edges), self.weight, self.search.graph)
        gone = missing(cells)
        weights = plain(cells.array).astype(np.float64) if isinstance(cells, Values) else np.zeros(len(edges))
        gone |= np.isnan(weights)
        if (weights[~gone] < 0).any():
            raise ToolError(
                f"A {self.weight} below 0 is no length that paths can be compared by: leave such edges out, as in "
                f"WHERE all(r IN relationships(p) WHERE r.{self.weight} >= 0)."
            )
        if gone.any():
            self.remark(f"Edges without {self.weight} are not followed.")
            kept = np.flatnonzero(~gone)
            return place[kept], reached[kept], edges[kept], weights[kept]
        return place, reached, edges, weights


class _Field:
    """How far each node is from one, along edges as they lead there (`back`) or from there, and by which edge."""

    def __init__(self, finder: Finder, root: int, back: bool) -> None:
        self.finder, self.root, self.back = finder, root, back
        size = finder.search.graph.num_nodes
        self.far = np.full(size, np.inf)
        self.edge = np.full(size, MISSING)
        self.next = np.full(size, MISSING)
        self.far[root] = 0.0
        self.front = np.array([root])
        self.cut = np.inf

    def grow(self, row: int, wanted: Ints | None) -> None:
        """Measure all nodes, or until those that are wanted are measured."""
        while len(self.front):
            bound = np.inf if wanted is None else float(self.far[wanted].max())
            if self.nearest > bound:
                return
            self.step(row, bound)

    @property
    def nearest(self) -> float:
        """No node that is still to be measured is nearer than this."""
        return float(self.far[self.front].min()) if len(self.front) else np.inf

    def left(self, nodes: Ints) -> Reals:
        """How far some nodes are, or less."""
        bounds: Reals = np.minimum(self.far[nodes], min(self.nearest, self.cut))
        return bounds

    def step(self, row: int, bound: float) -> Ints:
        """Go on from the nearest nodes, but from none as far as `bound`; the nodes that were found to be nearer by that.

        Nodes are taken up again where a shorter way is found, so that many can be taken at once (Bellman 1958).
        """
        self.finder.search.meter.look()
        near = self.far[self.front] <= bound
        front: Ints = self.front[near]
        if len(front) < len(self.front):
            self.cut = min(self.cut, bound)  # what is left out is farther than this, but may not be measured
        if not len(front):
            self.front = front
            return front
        far = self.far[front]
        few = min(len(far) - 1, max(_AT_ONCE, len(far) // 8))
        near = far <= np.partition(far, few)[few]
        later, now = front[~near], front[near]
        place, reached, edges, weights = self.finder.onward(row, now, self.back)
        told = self.far[now][place] + weights
        better = np.flatnonzero(told < self.far[reached])
        order = better[np.lexsort((told[better], reached[better]))]
        first = order[np.diff(reached[order], prepend=MISSING) != 0]
        improved: Ints = reached[first]
        self.far[improved], self.edge[improved], self.next[improved] = (
            told[first],
            edges[first],
            now[place[first]],
        )
        self.front = np.unique(np.concatenate([later, improved]))
        return improved

    def way(self, node: int) -> tuple[list[int], list[int]]:
        """The edges and the nodes of the way from a node to the root, both included."""
        edges: list[int] = []
        nodes = [node]
        while nodes[-1] != self.root:
            edges.append(int(self.edge[nodes[-1]]))
            nodes.append(int(self.next[nodes[-1]]))
        return edges, nodes

    def shortest(self, row: int, other: int) -> Iterator[Route]:
        """One shortest path between a node and the root, or all."""
        if not np.isfinite(self.far[other]):
            return
        if self.finder.most == 1:
            yield self._route(*self.way(other))
            return
        waiting: list[tuple[list[int], list[int]]] = [([], [other])]
        while waiting:
            edges, nodes = waiting.pop()
            if nodes[-1] == self.root:
                yield self._route(edges, nodes)
                continue
            self.finder.search.meter.take(1, 16 * len(nodes))
            at = nodes[-1]
            _, reached, taken, weights = self.finder.onward(row, np.array([at]), not self.back)
            tight = self.far[reached] + weights <= self.far[at] * (1 + _ALIKE)
            for node, edge in zip(reached[tight].tolist(), taken[tight].tolist(), strict=True):
                if node not in nodes:  # edges of weight 0 may lead round
                    waiting.append(([*edges, edge], [*nodes, node]))

    def _route(self, edges: list[int], nodes: list[int]) -> Route:
        """A way from a node to the root as a path from start to goal."""
        return (
            Route(tuple(edges), tuple(nodes[1:]))
            if self.back
            else Route(tuple(edges[::-1]), tuple(nodes[-2::-1]))
        )


@dataclass(frozen=True)
class _Set:
    """Paths that begin with the first `kept` edges of a path and go on by none of the `banned` edges."""

    begun: Route
    kept: int
    banned: frozenset[int]


class _Ranking:
    """The paths from one node to another, the shortest first."""

    def __init__(self, finder: Finder, row: int, goal: int, field: _Field) -> None:
        self.finder, self.row, self.goal, self.field = finder, row, goal, field

    def routes(self, start: int) -> Iterator[Route]:
        """All of them, as far as they are asked for. A set is cut up when its best path is given."""
        waiting: list[tuple[float, int, int, Route, _Set]] = []
        turn = count()

        def add(paths: _Set) -> None:
            best = self._best(start, paths)
            if best is not None:
                heappush(waiting, (best[0], len(best[1].edges), next(turn), best[1], paths))

        add(_Set(Route(), 0, frozenset()))
        while waiting:
            _, length, _, route, paths = heappop(waiting)
            if length >= self.finder.search.fewest:
                yield route
            for kept in range(paths.kept, length):
                banned = paths.banned if kept == paths.kept else frozenset()
                add(_Set(route, kept, banned | {route.edges[kept]}))
            if not self.finder.acyclic:
                add(_Set(route, length, frozenset()))

    def _best(self, start: int, paths: _Set) -> tuple[float, Route] | None:
        """The shortest path of a set, and its length."""
        self.finder.search.meter.look()
        edges, nodes = paths.begun.edges[: paths.kept], paths.begun.nodes[: paths.kept]
        at = nodes[-1] if nodes else start
        if self.finder.acyclic:
            ends = self._rest(
                at, self._without(np.array([start, *nodes]), np.array([*paths.banned], np.int64))
            )
        else:
            ends = self._rest_by_edges(at, edges, paths.banned)
        if ends is None:
            return None
        return self._length(edges) + ends[0], Route((*edges, *ends[1].edges), (*nodes, *ends[1].nodes))

    def _rest_by_edges(
        self, at: int, used: tuple[int, ...], banned: frozenset[int]
    ) -> tuple[float, Route] | None:
        """The shortest way on that takes no edge of the path again, first edge by first edge: what is banned as the first
        may be taken later."""
        _, reached, edges, weights = self.finder.onward(self.row, np.array([at]))
        bounds = weights + self.field.left(reached)
        best: tuple[float, Route] | None = None
        for place in np.argsort(bounds, kind="stable").tolist():
            edge, node = int(edges[place]), int(reached[place])
            if not np.isfinite(bounds[place]) or (best is not None and bounds[place] >= best[0]):
                break
            if edge in banned or edge in used:
                continue
            rest = self._rest(node, self._without(np.empty(0, np.int64), np.array([*used, edge], np.int64)))
            if rest is not None and (best is None or weights[place] + rest[0] < best[0]):
                best = float(weights[place]) + rest[0], Route((edge, *rest[1].edges), (node, *rest[1].nodes))
        return best

    def _without(self, nodes: Ints, edges: Ints) -> Finder:
        """The same paths but for those that lead to these nodes, or along these edges."""
        allow = self.finder.search.allow

        def allowed(rows: Ints, reached: Ints, taken: Ints) -> Bools:
            mask: Bools = ~np.isin(reached, nodes) & ~np.isin(taken, edges)
            return mask if allow is None else mask & allow(rows, reached, taken)

        return replace(
            self.finder, search=replace(self.finder.search, allow=allowed, fewest=0, most=None, alike=False)
        )

    def _rest(self, at: int, finder: Finder) -> tuple[float, Route] | None:
        """The shortest way from a node to the goal, and its length."""
        if at == self.goal:
            return 0.0, Route()
        # Whether there is one at all is told by a search from both ends, which ends soon where there is none.
        row, found = shortest(
            finder.search, np.array([at]), np.array([self.goal]), every=False, first=self.row
        )
        if not len(row):
            return None
        if not finder.weight:
            return float(len(found.edges)), Route(tuple(found.edges.tolist()), tuple(found.nodes.tolist()))
        return self._guided(at, finder)

    def _guided(self, at: int, finder: Finder) -> tuple[float, Route] | None:
        """The same by weights, by what is left to the goal where nothing is left out (Hart, Nilsson and Raphael 1968)."""
        told = {at: 0.0}
        came: dict[int, tuple[int, int]] = {}
        done: set[int] = set()
        front = [(0.0, at)]
        while front:
            _, node = heappop(front)
            if node == self.goal:
                edges, nodes = [], [node]
                while nodes[-1] != at:
                    before, edge = came[nodes[-1]]
                    edges.append(edge)
                    nodes.append(before)
                return told[self.goal], Route(tuple(edges[::-1]), tuple(nodes[-2::-1]))
            if node in done:
                continue
            done.add(node)
            finder.search.meter.look()
            _, reached, edges_on, weights = finder.onward(self.row, np.array([node]))
            left = self.field.left(reached)
            on = zip(reached.tolist(), edges_on.tolist(), weights.tolist(), left.tolist(), strict=True)
            for to, edge, weight, rest in on:
                new = told[node] + weight
                if to not in done and rest < np.inf and new < told.get(to, np.inf):
                    told[to], came[to] = new, (node, edge)
                    heappush(front, (new + rest, to))
        return None

    def _length(self, edges: tuple[int, ...]) -> float:
        """The length of a path so far."""
        if not self.finder.weight:
            return float(len(edges))
        cells = properties(Edges(np.array(edges, np.int64)), self.finder.weight, self.finder.search.graph)
        return (
            float(plain(cells.array).astype(np.float64).sum()) if isinstance(cells, Values) and edges else 0.0
        )
