"""Eccentricity, radius, diameter, center and periphery, by bounds instead of a search from every node.

Graph-ToolFormer, section 4.3: the eccentricity of a node is its largest distance to any node, infinite
where the graph is not (strongly) connected; radius and diameter are the least and the largest eccentricity;
center and periphery are the nodes that have them. Bounds: Takes and Kosters, "Computing the eccentricity
distribution of large graphs", Algorithms 6 (2013); here also for directed and weighted graphs.
"""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.components import is_connected
from graphtalk.algorithms.links import (
    Bools,
    Floats,
    adjacency,
    check_nodes,
    check_not_empty,
    lengths,
    reversed_adjacency,
    reversed_lengths,
)
from graphtalk.algorithms.named import nodes_listed, number_each
from graphtalk.algorithms.search import ManySearches, hops_from, rounding, weighted_from
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

Goal: TypeAlias = Literal["all", "radius", "diameter", "center", "periphery"]

_ROUND = 8  # searches between two looks at whether bounds still pay
_PAYS = 20  # a search must settle this many nodes: a bit of a many-source search costs a twentieth of one
_BATCH = 512  # sources in one many-source search: eight words a node


@number_each("nodes")
def eccentricity(
    graph: Graph, nodes: Sequence[int] | Ints | None = None, weight: str | None = None
) -> Floats:
    """Eccentricities of `nodes`, or of all nodes, in edges or by the edge feature `weight`.

    Shape (len(nodes),). All are infinite where the graph is not (strongly) connected. Raises CheckError for
    an unknown node or feature. Source: Graph-ToolFormer, section 4.3.
    """
    if nodes is None:
        return _Bounds(graph, weight).close("all").upper if graph.num_nodes else np.empty(0)
    asked = check_nodes(graph, nodes)
    if not len(asked):
        return np.empty(0)
    return _Bounds(graph, weight).close(asked).upper[asked]


def radius(graph: Graph, weight: str | None = None) -> float:
    """The least eccentricity: whole for unweighted connected graphs, infinite for disconnected ones.

    Raises ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "radius")
    return number(_Bounds(graph, weight).close("radius").upper.min(), weight)


def diameter(graph: Graph, weight: str | None = None) -> float:
    """The largest eccentricity: whole for unweighted connected graphs, infinite for disconnected ones.

    Raises ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "diameter")
    return number(_Bounds(graph, weight).close("diameter").lower.max(), weight)


@nodes_listed()
def center(graph: Graph, weight: str | None = None) -> list[int]:
    """Nodes whose eccentricity equals the radius, ascending; all nodes where the graph is disconnected.

    Raises ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "center")
    upper = _Bounds(graph, weight).close("center").upper
    found: list[int] = np.flatnonzero(upper <= upper.min() * (1 + rounding(graph.num_nodes))).tolist()
    return found


@nodes_listed()
def periphery(graph: Graph, weight: str | None = None) -> list[int]:
    """Nodes whose eccentricity equals the diameter, ascending; all nodes where the graph is disconnected.

    Raises ToolError for a graph without nodes. Source: Graph-ToolFormer, section 4.3.
    """
    check_not_empty(graph, "periphery")
    lower = _Bounds(graph, weight).close("periphery").lower
    found: list[int] = np.flatnonzero(lower >= lower.max() * (1 - rounding(graph.num_nodes))).tolist()
    return found


def number(value: float, weight: str | None) -> float:
    """A distance as a plain number: whole where edges are counted and it is finite."""
    return int(value) if weight is None and np.isfinite(value) else float(value)


class _Bounds:
    """Lower and upper bounds of all eccentricities, shape (n,) each, brought together by searches."""

    def __init__(self, graph: Graph, weight: str | None) -> None:
        self._matrix = adjacency(graph) if weight is None else lengths(graph, weight)
        self._weighted = weight is not None
        self._directed = graph.directed
        self._back = reversed_adjacency(graph) if weight is None else reversed_lengths(graph, weight)
        n = graph.num_nodes
        self._connected = is_connected(graph, "strong")
        self.lower = np.zeros(n) if self._connected else np.full(n, np.inf)
        self.upper = np.full(n, np.inf)
        self._near: Floats | None = None  # without directions: distances from the most central node so far

    def close(self, goal: Goal | Ints) -> "_Bounds":
        """Search until the bounds say what was asked: the goal, or the eccentricity of the given nodes."""
        if not self._connected:
            return self
        undecided = self._rule(goal)
        settled, turn = 0, 0
        left = undecided()
        while left.any():
            open_nodes = np.flatnonzero(left)
            if not self._weighted and turn >= _ROUND and turn % _ROUND == 0:
                if settled < _PAYS * _ROUND:
                    self._settle_together(undecided)
                    return self
                settled = 0
            self._search(self._promising(open_nodes, turn, goal))
            left = undecided()
            settled += len(open_nodes) - int(left.sum())
            turn += 1
        return self

    def _rule(self, goal: Goal | Ints) -> Callable[[], Bools]:
        same = rounding(len(self.lower))

        def loose() -> Bools:
            return np.asarray(self.lower < self.upper * (1 - same), dtype=np.bool_)

        if not isinstance(goal, str):
            asked = np.zeros(len(self.lower), np.bool_)
            asked[goal] = True
            return lambda: loose() & asked
        rules: dict[str, Callable[[], Bools]] = {
            "all": loose,
            "radius": lambda: loose() & (self.lower < self.upper.min()),
            "diameter": lambda: self._outer(loose() & (self.upper > self.lower.max())),
            "center": lambda: loose() & (self.lower <= self.upper.min() * (1 + same)),
            "periphery": lambda: loose() & (self.upper >= self.lower.max() * (1 - same)),
        }
        return rules[goal]

    def _outer(self, undecided: Bools) -> Bools:
        """Those of the nodes that are not so near the most central one that no two of them can be farther apart than the
        diameter found so far.

        When these are settled, the others are (iFUB: Crescenzi, Grossi, Habib, Lanzi and Marino 2013).
        """
        return undecided if self._near is None else undecided & (2 * self._near > self.lower.max())

    def _promising(self, nodes: Ints, turn: int, goal: Goal | Ints) -> int:
        """In turn the node that may have the largest and the node that may have the least eccentricity."""
        if turn == 0:
            return int(nodes[np.argmax(np.diff(self._matrix.indptr)[nodes])])
        if not isinstance(goal, str):
            return int(nodes[0])
        if turn % 2:
            far = self.upper if goal != "diameter" or self._near is None else self._near
            return int(nodes[np.argmax(far[nodes])])
        return int(nodes[np.argmin(self.lower[nodes])])

    def _search(self, node: int) -> None:
        away = self._from(self._matrix, node)
        back = self._from(self._back, node) if self._directed else away
        reach = away.max()
        if not self._directed and (self._near is None or reach < self._near.max()):
            self._near = away
        self.lower = np.maximum(self.lower, np.maximum(back, reach - away))
        self.upper = np.minimum(self.upper, back + reach)
        self.lower[node] = self.upper[node] = reach

    def _from(self, matrix: csr_array, node: int) -> Floats:
        return weighted_from(matrix, node)[0] if self._weighted else hops_from(matrix, node)

    def _settle_together(self, undecided: Callable[[], Bools]) -> None:
        searches = ManySearches(self._back)
        while len(nodes := np.flatnonzero(undecided())[:_BATCH]):
            self.lower[nodes] = self.upper[nodes] = searches.eccentricities(nodes)
