"""Exact answers to problems without a quick way: the largest clique and independent set, the fewest colours; and matchings.

Sets of nodes are the bits of an integer. Each search ends with LimitError after a number of steps, and looks at the
limits around it.
"""

from collections import deque

import numpy as np
from scipy.sparse import csr_array, eye_array

from graphtalk.algorithms.links import adjacency
from graphtalk.core import LimitError
from graphtalk.core.limits import look
from graphtalk.graphs.graph import Graph

MOST_STEPS = 400_000
_MOST_NODES = 20_000
_MOST_SECONDS = 10.0


def largest_clique(graph: Graph, max_steps: int = MOST_STEPS) -> list[int]:
    """The nodes of a largest set in which every two are joined, ascending; direction is ignored.

    Raises LimitError where it is not found within `max_steps`. Source: Tomita and Seki 2003, bounded by colours.
    """
    return _Clique(_neighbours(graph), max_steps).found()


def largest_independent_set(graph: Graph, max_steps: int = MOST_STEPS) -> list[int]:
    """The nodes of a largest set in which no two are joined: a largest clique of the graph of missing edges."""
    near = _neighbours(graph)
    whole = (1 << len(near)) - 1
    return _Clique([whole & ~row & ~(1 << node) for node, row in enumerate(near)], max_steps).found()


def colouring(graph: Graph, max_steps: int = MOST_STEPS) -> list[int]:
    """A colour (0, 1, 2, …) for every node so that no edge joins two of one colour, with as few colours as possible.

    Direction and edges from a node to itself are ignored. Raises LimitError where fewer colours are neither found nor
    ruled out within `max_steps`. Source: DSATUR with branch and bound (Brélaz 1979), from a largest clique.
    """
    near = _neighbours(graph)
    best = _greedy(near)
    clique = _Clique(near, max_steps).found()
    steps = [max_steps]
    while (most := max(best, default=-1)) + 1 > max(len(clique), 1):
        fewer = _coloured(near, clique, most, steps)
        if fewer is None:
            break
        best = fewer
    return best


def dominating_set(graph: Graph) -> list[int]:
    """As few nodes as possible so that every other is joined to one of them, ascending; direction is ignored.

    By scipy's integer programs. Raises LimitError where it is not found within `_MOST_SECONDS`.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    n = graph.num_nodes
    if not n:
        return []
    near = csr_array(adjacency(graph, undirected=True) + eye_array(n, format="csr"))
    found = milp(
        np.ones(n),
        integrality=np.ones(n, np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(near, lb=1),
        options={"time_limit": _MOST_SECONDS},
    )
    if found.status != 0:
        raise LimitError("A smallest dominating set was not found in time.", f"{_MOST_SECONDS} s.")
    return np.flatnonzero(found.x > 0.5).tolist()


def maximum_matching(graph: Graph) -> list[tuple[int, int]]:
    """As many edges as possible of which no two share a node, each as its two nodes, the lower first.

    Direction is ignored. Source: Edmonds 1965, blossoms shrunk by their bases.
    """
    return _Blossoms(_lists(graph)).pairs()


def _lists(graph: Graph) -> list[list[int]]:
    matrix = adjacency(graph, undirected=True)
    starts, ends = matrix.indptr.tolist(), matrix.indices.tolist()
    return [
        [other for other in ends[starts[node] : starts[node + 1]] if other != node]
        for node in range(graph.num_nodes)
    ]


def _neighbours(graph: Graph) -> list[int]:
    if graph.num_nodes > _MOST_NODES:
        raise LimitError(f"This is found exactly for at most {_MOST_NODES:,} nodes, not {graph.num_nodes:,}.")
    found = []
    for row in _lists(graph):
        look()
        bits = 0
        for other in row:
            bits |= 1 << other
        found.append(bits)
    return found


class _Clique:
    """A search for the largest clique, cut off by how many colours the rest needs."""

    def __init__(self, near: list[int], max_steps: int) -> None:
        self._near, self._left = near, max_steps
        self._best: list[int] = []

    def found(self) -> list[int]:
        """The nodes of the clique, ascending."""
        stack: list[tuple[int, list[int], list[tuple[int, int]]]]
        stack = [((1 << len(self._near)) - 1, [], [*self._ordered((1 << len(self._near)) - 1)])]
        while stack:
            rest, clique, order = stack[-1]
            if not order or len(clique) + order[-1][1] <= len(self._best):
                stack.pop()
                continue
            node, _ = order.pop()
            self._step()
            inner = rest & self._near[node]
            stack[-1] = (rest & ~(1 << node), clique, order)
            grown = [*clique, node]
            if inner:
                stack.append((inner, grown, self._ordered(inner)))
            elif len(grown) > len(self._best):
                self._best = grown
        return sorted(self._best)

    def _ordered(self, rest: int) -> list[tuple[int, int]]:
        """Nodes with the colour that each needs at the least, the fewest colours first."""
        order = []
        colour = 0
        while rest:
            look()
            colour += 1
            free = rest
            while free:
                bit = free & -free
                node = bit.bit_length() - 1
                order.append((node, colour))
                rest &= ~bit
                free &= ~bit & ~self._near[node]
        return order

    def _step(self) -> None:
        look()
        self._left -= 1
        if self._left < 0:
            raise LimitError(
                "The largest set was neither found nor ruled out within the steps that are allowed.",
                f"a set of {len(self._best)} nodes",
            )


def _greedy(near: list[int]) -> list[int]:
    """A colouring by the node whose neighbours have most colours, first the one with most neighbours (DSATUR)."""
    colours = [-1] * len(near)
    used = [0] * len(near)
    left = set(range(len(near)))
    while left:
        look()
        node = max(left, key=lambda n: (used[n].bit_count(), near[n].bit_count(), -n))
        colour = next(c for c in range(len(near)) if not used[node] >> c & 1)
        colours[node] = colour
        left.discard(node)
        for other in left:
            if near[node] >> other & 1:
                used[other] |= 1 << colour
    return colours


def _coloured(near: list[int], clique: list[int], most: int, steps: list[int]) -> list[int] | None:
    """A colouring with `most` colours, or None; the nodes of a clique have theirs to begin with."""
    colours = [-1] * len(near)
    for colour, node in enumerate(clique):
        colours[node] = colour
    forbidden = [0] * len(near)
    for node in range(len(near)):
        for other in clique:
            if near[node] >> other & 1:
                forbidden[node] |= 1 << colours[other]

    def choices(node: int, highest: int) -> list[int]:
        return [c for c in range(min(most, highest + 2)) if not forbidden[node] >> c & 1][::-1]

    def chosen() -> int:
        open_ = [node for node, colour in enumerate(colours) if colour < 0]
        return max(open_, key=lambda n: (forbidden[n].bit_count(), near[n].bit_count()), default=-1)

    first = chosen()
    if first < 0:
        return colours
    stack: list[tuple[int, list[int], int, list[int]]] = [
        (first, choices(first, len(clique) - 1), len(clique) - 1, [])
    ]
    while stack:
        node, open_, highest, marked = stack[-1]
        for other in marked:
            forbidden[other] &= ~(1 << colours[node])
        colours[node] = -1
        if not open_:
            stack.pop()
            continue
        look()
        steps[0] -= 1 + len(near) // 50  # a step looks at every node
        if steps[0] < 0:
            raise LimitError(
                f"Whether {most} colours are enough was not found within the steps that are allowed."
            )
        colour = open_.pop()
        colours[node] = colour
        marked = [
            o
            for o in range(len(near))
            if near[node] >> o & 1 and colours[o] < 0 and not forbidden[o] >> colour & 1
        ]
        for other in marked:
            forbidden[other] |= 1 << colour
        stack[-1] = (node, open_, highest, marked)
        after = chosen()
        if after < 0:
            return colours
        stack.append((after, choices(after, max(highest, colour)), max(highest, colour), []))
    return None


class _Blossoms:
    """Paths that make a matching larger, found breadth first; a cycle of odd length is shrunk to its base."""

    def __init__(self, near: list[list[int]]) -> None:
        self._near = near
        self._mate = [-1] * len(near)

    def pairs(self) -> list[tuple[int, int]]:
        """The edges of the matching."""
        for node, row in enumerate(self._near):  # what fits at once saves most searches
            free = next((other for other in row if self._mate[other] < 0), -1) if self._mate[node] < 0 else -1
            if free >= 0:
                self._mate[node], self._mate[free] = free, node
        for root in range(len(self._near)):
            if self._mate[root] < 0:
                self._grow(root)
        return [(node, mate) for node, mate in enumerate(self._mate) if node < mate]

    def _grow(self, root: int) -> None:
        n = len(self._near)
        self._base = list(range(n))
        self._above = [-1] * n
        used = [False] * n
        used[root] = True
        queue = deque([root])
        while queue:
            node = queue.popleft()
            look()
            for other in self._near[node]:
                if self._base[node] == self._base[other] or self._mate[node] == other:
                    continue
                if other == root or (self._mate[other] >= 0 and self._above[self._mate[other]] >= 0):
                    self._shrink(node, other, used, queue)
                elif self._above[other] < 0:
                    self._above[other] = node
                    if self._mate[other] < 0:
                        self._turn(other)
                        return
                    used[self._mate[other]] = True
                    queue.append(self._mate[other])

    def _shrink(self, node: int, other: int, used: list[bool], queue: "deque[int]") -> None:
        base = self._common(node, other)
        inside: set[int] = set()
        self._mark(node, base, other, inside)
        self._mark(other, base, node, inside)
        for place in range(len(self._near)):
            if self._base[place] in inside:
                self._base[place] = base
                if not used[place]:
                    used[place] = True
                    queue.append(place)

    def _common(self, one: int, other: int) -> int:
        seen = set()
        while True:
            one = self._base[one]
            seen.add(one)
            if self._mate[one] < 0:
                break
            one = self._above[self._mate[one]]
        while (other := self._base[other]) not in seen:
            other = self._above[self._mate[other]]
        return other

    def _mark(self, node: int, base: int, child: int, inside: set[int]) -> None:
        while self._base[node] != base:
            inside |= {self._base[node], self._base[self._mate[node]]}
            self._above[node] = child
            child = self._mate[node]
            node = self._above[self._mate[node]]

    def _turn(self, end: int) -> None:
        while end >= 0:
            before = self._above[end]
            after = self._mate[before]
            self._mate[end], self._mate[before] = before, end
            end = after
