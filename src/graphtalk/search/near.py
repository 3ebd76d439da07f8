"""The tree of a large graph, sought in the part of it that can matter.

Where prizes are few, most of a graph is never looked at by the solver. `pcst_fast` grows clusters around what has a
prize (Goemans and Williamson, 1995): at time t a cluster that has always been active has spread over distance t, and it
ends when one active cluster is left, at some time T. So a node is reached only within distance T of a prize, and whatever
lies farther changes nothing: the solver does the same without it, up to the order in which it takes equals. (No edge of
which an end is never reached is ever paid for, as the part of it that is paid is at most T from the other side.)

What is needed is a bound on T. Let p be the prize of a terminal: a prized node, or prized nodes joined by edges that cost
nothing. Then, for any time t:

1. The cluster of a terminal is active at least until min(t, p) has passed: what it has spent grows by at most one a unit
   of time, and by then that is at most the sum of min(t, p) over its terminals, which is less than the sum of its prizes
   while one of them is larger than the time.
2. So two terminals whose distance is less than min(t, p) + min(t, q) are in one cluster before t.
3. A cluster that is active at t has spent at least t, so its prizes add up to t or more.

Join terminals by 2. If all groups but one have prizes that add up to less than t, at most one cluster is active at t, so
T < t. With t = (h + 1) x cost the solution is found among the nodes at most h edges from a terminal.
"""

from dataclasses import dataclass

import numpy as np

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.search.links import Links, Part
from graphtalk.search.steiner import Floats, Problem

_MARGIN = 1e-4  # costs differ slightly (`steiner.SLIGHTLY`), and numbers are rounded


@dataclass(frozen=True, eq=False)
class Prizes:
    """The prizes of a graph in which few nodes and edges have any.

    Every prized edge has a prize above the cost. Shapes: nodes and node_prizes (a,), ascending; edges, starts, ends and
    edge_prizes (b,).
    """

    nodes: Ints
    node_prizes: Floats
    edges: Ints
    starts: Ints
    ends: Ints
    edge_prizes: Floats
    cost: float

    @property
    def terminals(self) -> Ints:
        """Prized nodes and ends of prized edges, ascending."""
        return np.unique(np.concatenate([self.nodes, self.starts, self.ends]))

    @property
    def bound(self) -> float:
        """What no tree is worth more than: all prizes, less what the prized edges cost."""
        return float(self.node_prizes.sum() + (self.edge_prizes - self.cost).sum())

    def within(self, part: Part) -> Problem:
        """The problem in a part that has all terminals."""
        own = np.zeros(len(part.nodes))
        own[np.searchsorted(part.nodes, self.nodes)] = self.node_prizes
        prizes = np.zeros(len(part.edge))
        order = np.argsort(part.edge)
        prizes[order[np.searchsorted(part.edge, self.edges, sorter=order)]] = self.edge_prizes
        return Problem(own, part.source, part.target, prizes, self.cost, part.edge)


def narrow(links: Links, prizes: Prizes, most: int) -> tuple[Part, Problem]:
    """The part in which the tree is that of the whole graph, and the problem there.

    The part's `complete` is false where it would have more than `most` links: then it is the largest that has not. Its
    tree is one of the whole graph all the same, and falls short of the best by at most `prizes.bound` less its objective.
    """
    terminals = prizes.terminals
    hops = 0
    part = links.around(terminals, hops, most)
    problem = prizes.within(part)
    while part.complete and not is_enough(part, problem, hops):
        look()
        hops += 1
        wider = links.around(terminals, hops, most)
        grown = len(wider.nodes) > len(part.nodes)
        part, problem = wider, prizes.within(wider)
        if part.complete and not grown:
            break  # nothing else can be reached at all
    return part, problem


def is_enough(part: Part, problem: Problem, hops: int) -> bool:
    """Whether nothing more than so many hops from the terminals can be in the tree. `part` lies so far around them."""
    limit = (hops + 1) * problem.cost * (1 - _MARGIN)
    dear = problem.edge_prizes > problem.cost
    groups = _Groups(len(part.nodes))
    for one, other in _pairs(problem.source[dear], problem.target[dear]):
        groups.join(one, other)
    owner = _owners(part, groups, hops)
    worth = np.zeros(len(part.nodes))
    np.add.at(worth, owner, problem.node_prizes)
    np.add.at(worth, owner[problem.source[dear]], problem.edge_prizes[dear] - problem.cost)
    reach = np.minimum(worth, limit)
    ones, others = owner[part.source], owner[part.target]
    length = (part.hops[part.source] + part.hops[part.target] + 1) * problem.cost * (1 + _MARGIN)
    meet = (ones != others) & (length < reach[ones] + reach[others])
    for one, other in _pairs(ones[meet], others[meet]):
        groups.join(one, other)
    terminals = np.unique(owner)
    totals: dict[int, float] = {}
    for terminal in terminals.tolist():
        root = groups.of(terminal)
        totals[root] = totals.get(root, 0.0) + float(worth[terminal])
    return sum(total >= limit for total in totals.values()) <= 1


def _owners(part: Part, groups: "_Groups", hops: int) -> Ints:
    """For each node of the part a terminal that is nearest. Shape (nodes,)."""
    owner = np.arange(len(part.nodes))
    here = np.flatnonzero(part.hops == 0)
    owner[here] = [groups.of(node) for node in here.tolist()]
    for ring in range(1, hops + 1):
        for near, far in ((part.source, part.target), (part.target, part.source)):
            steps = (part.hops[near] == ring - 1) & (part.hops[far] == ring)
            owner[far[steps]] = owner[near[steps]]
    return owner


def _pairs(ones: Ints, others: Ints) -> list[tuple[int, int]]:
    return list({(one, other) for one, other in zip(ones.tolist(), others.tolist(), strict=True)})


class _Groups:
    """Disjoint sets of numbers."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def of(self, member: int) -> int:
        """The number that stands for the set of a member."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = member = parent[parent[member]]
        return member

    def join(self, one: int, other: int) -> None:
        """Make one set of two."""
        self._parent[self.of(one)] = self.of(other)
