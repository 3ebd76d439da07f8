"""Paths of several edges: all trails, what can be reached, and shortest paths, level by level over whole arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.core import LimitError
from graphtalk.engines.arrays.frame import Meter
from graphtalk.engines.arrays.hops import fan, hop
from graphtalk.engines.arrays.rows import MISSING
from graphtalk.engines.arrays.trails import Bools, Trails
from graphtalk.engines.patterns import Step, turned
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints, gather

Allow = Callable[[Ints, Ints, Ints], Bools]
"""Which edges a path may take: for rows, the nodes that the edges lead to, and the edges. Shapes (k,) → (k,)."""

_CELLS = 1 << 26  # nodes times searches that are kept at once
_FEW = 8  # pairs of ends that are searched for one by one, from both ends


@dataclass(frozen=True, eq=False)
class Unwalked:
    """Ways from `starts[i]` to `ends[i]` that `reach` found, of which evidence makes a shortest one for each row."""

    search: "Search"
    starts: Ints
    ends: Ints

    def take(self, at: Ints) -> "Unwalked":
        """Those of the rows at these places."""
        return Unwalked(self.search, self.starts[at], self.ends[at])

    def made(self, most: int) -> tuple[Ints, Ints, bool]:
        """Nodes and edges of the ways; not all where a way leads back to where it began."""
        there = np.flatnonzero(self.starts != MISSING)
        pairs = np.unique(np.stack([self.starts[there], self.ends[there]]), axis=1)
        starts, ends = pairs[:, :most]
        _, found = shortest(self.search, starts, ends, every=False)
        back = self.search.fewest > 0 and bool((starts == ends).any())
        return found.nodes, found.edges, not back and pairs.shape[1] <= most


@dataclass(frozen=True)
class Search:
    """What paths are looked for. `most` None: of any length. `allow` None: along every edge.

    `alike`: what `allow` says does not depend on the row. `acyclic`: no node stands twice in a path (`trails` alone).
    """

    graph: Graph
    meter: Meter
    ways: tuple[Step, ...]
    fewest: int
    most: int | None
    allow: Allow | None = None
    alike: bool = True
    acyclic: bool = False

    def step(self, rows: Ints, nodes: Ints, back: bool = False) -> tuple[Ints, Ints, Ints]:
        """All edges on from the nodes that stand at `rows`: the place of each in these, where it leads, the edge."""
        ways = turned(self.ways) if back else self.ways
        self._account(int(fan(self.graph, nodes, ways).sum()))
        place, reached, edges = hop(self.graph, nodes, ways)
        if self.allow is not None and len(edges):
            # Whichever way a path is walked, an edge is judged with the node that it leads to from the left.
            kept = np.flatnonzero(self.allow(rows[place], nodes[place] if back else reached, edges))
            place, reached, edges = place[kept], reached[kept], edges[kept]
        return place, reached, edges

    def _account(self, rows: int) -> None:
        try:
            self.meter.take(rows, 24)
        except LimitError as error:
            names = "|".join(dict.fromkeys(self.graph.schema.relations[s.relation].name for s in self.ways))
            length = f"{self.fewest}..{'' if self.most is None else self.most}"
            raise LimitError(
                f"Paths along -[:{names}*{length}]-: {error} Give them a shorter length, such as *1..3, or ask for "
                "DISTINCT ends or shortestPath."
            ) from error


def trails(
    search: Search, starts: Ints, goals: Ints | None, fits: Callable[[Ints], Bools]
) -> tuple[Ints, Ints, Trails]:
    """All paths from each start that take no edge (or no node) twice: the row of each, its end, and its edges.

    `goals`: where the path of each row is to end; else wherever `fits` holds. Shapes of both: (rows,).
    """
    levels: list[tuple[Ints, Ints, Ints]] = []  # place in the level before, node, edge
    rows, nodes = np.arange(len(starts)), starts
    found: list[tuple[Ints, Ints, Ints, Ints, Ints]] = []  # row, end, length, edges and nodes end to end
    level = 0
    while len(nodes):
        if level >= search.fewest:
            ended = np.flatnonzero(fits(nodes) if goals is None else nodes == goals[rows])
            edges, passed = _walked(levels, ended)
            found.append((rows[ended], nodes[ended], np.full(len(ended), level), edges, passed))
        if level == search.most:
            break
        place, reached, taken = search.step(rows, nodes)
        new = np.ones(len(place), bool)
        above = place
        for before, node, edge in reversed(levels):
            new &= (node[above] != reached) if search.acyclic else (edge[above] != taken)
            above = before[above]
        if search.acyclic:
            new &= starts[rows[place]] != reached
        kept = np.flatnonzero(new)
        rows, nodes = rows[place[kept]], reached[kept]
        levels.append((place[kept], nodes, taken[kept]))
        level += 1
    parts = [np.concatenate([p[i] for p in found] or [np.empty(0, np.int64)]) for i in range(5)]
    stops = parts[2].cumsum()
    return parts[0], parts[1], Trails(stops - parts[2], stops, parts[3], parts[4])


def _walked(levels: Sequence[tuple[Ints, Ints, Ints]], ended: Ints) -> tuple[Ints, Ints]:
    """Edges and nodes of the paths that end at these places of the last level, end to end."""
    edges, nodes = np.empty((2, len(ended), len(levels)), np.int64)
    at = ended
    for column in range(len(levels) - 1, -1, -1):
        before, node, edge = levels[column]
        edges[:, column], nodes[:, column] = edge[at], node[at]
        at = before[at]
    return edges.ravel(), nodes.ravel()


def can_reach(search: Search) -> bool:
    """Whether `reach` finds the ends of just those trails that `trails` finds."""
    one_way = {(s.relation, s.forward) for s in search.ways}
    both = {relation for relation, forward in one_way if (relation, not forward) in one_way}
    return search.fewest <= 1 and not search.acyclic and (not both or len(both) * 2 == len(one_way))


def reach(
    search: Search, starts: Ints, goals: Ints | None, fits: Callable[[Ints], Bools]
) -> tuple[Ints, Ints]:
    """Where trails from each start can end, each end once: the row, and the end. See `can_reach`.

    `search.allow` must not depend on the row. Shapes as for `trails`.
    """
    once, which = np.unique(starts, return_inverse=True)
    batch = max(1, _CELLS // max(1, search.graph.num_nodes))
    found = [_reach(search, once[at : at + batch], at) for at in range(0, len(once), batch)]
    source = np.concatenate([f[0] for f in found] or [np.empty(0, np.int64)])
    end = np.concatenate([f[1] for f in found] or [np.empty(0, np.int64)])
    if goals is not None:
        size = search.graph.num_nodes
        pairs = np.sort(source * size + end)
        asked = which * size + goals
        at = np.minimum(np.searchsorted(pairs, asked), len(pairs) - 1)
        rows = np.flatnonzero(pairs[at] == asked) if len(pairs) else np.empty(0, np.int64)
        return rows, goals[rows]
    kept = np.flatnonzero(fits(end))
    source, end = source[kept], end[kept]
    order = np.argsort(source, kind="stable")
    indptr = np.concatenate([[0], np.bincount(source, minlength=len(once)).cumsum()])
    search.meter.take(int((indptr[which + 1] - indptr[which]).sum()), 16)
    positions, counts = gather(indptr, which)
    return np.repeat(np.arange(len(starts)), counts), end[order][positions]


def _reach(search: Search, starts: Ints, first: int) -> tuple[Ints, Ints]:
    """One batch of different starts: which start (from `first` on), and an end."""
    size = search.graph.num_nodes
    either = len({s.relation for s in search.ways}) < len({(s.relation, s.forward) for s in search.ways})
    depth = np.zeros(len(starts) * size, np.int32)  # 0: not met; the start itself has 1
    branch = np.zeros(len(starts) * size if either else 0, np.int64)  # the first edge of the way there
    rows, nodes, level = np.arange(len(starts)), starts, 0
    firsts = np.full(len(starts), -1)
    depth[rows * size + nodes] = 1
    closed = np.zeros(len(starts), bool)
    sources, reached_ends = [], []
    if search.fewest == 0:
        sources.append(rows)
        reached_ends.append(nodes)
    while len(nodes) and level != search.most:
        level += 1
        search.meter.look()
        place, reached, edges = search.step(rows, nodes)
        row = rows[place]
        keys = row * size + reached
        if either:
            own = np.where(firsts[place] < 0, edges, firsts[place])
            home = reached == starts[row]
            closed[row[home & (nodes[place] == reached)]] = True  # a loop
            place, reached, keys, own, row = (a[~home] for a in (place, reached, keys, own, row))
        else:
            closed[row[reached == starts[row]]] = True
        new = np.flatnonzero(depth[keys] == 0)
        turn = np.arange(len(new))
        depth[keys[new[::-1]]] = -turn[::-1] - 1  # of several ways to a node the first is kept
        kept = new[depth[keys[new]] == -turn - 1]
        depth[keys[kept]] = level + 1
        if either:
            branch[keys[kept]] = own[kept]
            # Two ways to one node that begin with different edges are a way round from the start to itself.
            met = np.flatnonzero(branch[keys] != own)
            short = met if search.most is None else met[depth[keys[met]] - 1 + level <= search.most]
            closed[row[short]] = True
            firsts = own[kept]
        rows, nodes = row[kept], reached[kept]
        sources.append(rows)
        reached_ends.append(nodes)
    if search.fewest == 1:
        round_ = np.flatnonzero(closed)
        sources.append(round_)
        reached_ends.append(starts[round_])
    return np.concatenate(sources) + first, np.concatenate(reached_ends)


def shortest(search: Search, left: Ints, right: Ints, every: bool, first: int = 0) -> tuple[Ints, Trails]:
    """One shortest path for each row (all of them if `every`) from `left` to `right`: the row of each, and its edges.

    A path has at least `search.fewest` (0 or 1) edges; from a node to itself only the one of none counts. `first`: the
    number of the first row, by which `search.allow` knows it.
    """
    same = left == right
    parts: list[tuple[Ints, Ints, Ints]] = []  # rows, and edges and nodes in shape (rows, length)
    if search.fewest == 0 and same.any():
        none = np.empty((int(same.sum()), 0), np.int64)
        parts.append((np.flatnonzero(same), none, none))
    rows = np.flatnonzero(~same)
    if len(rows) <= _FEW or not search.alike:
        for row in rows.tolist():
            parts += _meet(search, row + first, int(left[row]), int(right[row]), every)
    else:
        once, which = np.unique(left[rows], return_inverse=True)
        batch = max(1, _CELLS // max(1, search.graph.num_nodes))
        for first in range(0, len(once), batch):
            here = np.flatnonzero((which >= first) & (which < first + batch))
            parts += _spread(
                search, once[first : first + batch], which[here] - first, rows[here], right, every
            )
    lengths = np.concatenate([np.full(len(p[0]), p[1].shape[1]) for p in parts] or [np.empty(0, np.int64)])
    found, edges, nodes = (
        np.concatenate([p[i].ravel() for p in parts] or [np.empty(0, np.int64)]).astype(np.int64)
        for i in range(3)
    )
    stops = lengths.cumsum()
    return found, Trails(stops - lengths, stops, edges, nodes)


def _spread(
    search: Search, starts: Ints, which: Ints, rows: Ints, right: Ints, every: bool
) -> list[tuple[Ints, Ints, Ints]]:
    """Shortest paths by one search from each start, until all that is asked for from it is met."""
    size = search.graph.num_nodes
    depth = np.zeros(len(starts) * size, np.int32)  # 0: not met
    at, nodes, level = np.arange(len(starts)), starts, 1
    depth[at * size + nodes] = 1
    goals = which * size + right[rows]
    while len(nodes) and level - 1 != search.most:
        waiting = np.zeros(len(starts), bool)
        waiting[which[depth[goals] == 0]] = True
        going = np.flatnonzero(waiting[at])
        if not len(going):
            break
        at, nodes = _ring(search, depth, size, at[going], nodes[going], level)
        level += 1
    found = []
    lengths = depth[goals] - 1
    for length in np.unique(lengths[lengths > 0]).tolist():
        here = np.flatnonzero(lengths == length)
        paths = _Paths(rows[here], which[here] * size, length)
        found.append(paths.back(search, right[rows[here]], depth, length, every))
    return found


def _circle(search: Search, depth: Ints, row: int, nodes: Ints, level: int, back: bool = False) -> Ints:
    """The nodes one edge further that were not met before, marked in `depth`."""
    search.meter.look()
    _, reached, _ = search.step(np.full(len(nodes), row), nodes, back)
    new = np.unique(reached[depth[reached] == 0])
    depth[new] = level + 1
    return new


def _ring(search: Search, depth: Ints, size: int, at: Ints, nodes: Ints, level: int) -> tuple[Ints, Ints]:
    """The same for several searches at once: the search of each, and the node."""
    search.meter.look()
    place, reached, _ = search.step(at, nodes)
    keys = np.unique(at[place] * size + reached)
    keys = keys[depth[keys] == 0]
    depth[keys] = level + 1
    return keys // size, keys % size


def _meet(search: Search, row: int, left: int, right: int, every: bool) -> list[tuple[Ints, Ints, Ints]]:
    """The shortest paths between two nodes by a search from both, the smaller front first, until they meet."""
    size = search.graph.num_nodes
    ahead, behind = np.zeros((2, size), np.int32)  # memory of zeros costs nothing before it is written
    ahead[left] = behind[right] = 1
    front, rear = np.array([left]), np.array([right])
    onward = backward = 0
    while len(front) and len(rear) and (search.most is None or onward + backward < search.most):
        if len(front) <= len(rear):
            onward += 1
            front = _circle(search, ahead, row, front, onward)
            middle = front[behind[front] > 0]
        else:
            backward += 1
            rear = _circle(search, behind, row, rear, backward, back=True)
            middle = rear[ahead[rear] > 0]
        if len(middle):
            if not every:
                middle = middle[:1]
            rows = np.full(len(middle), row)
            paths = _Paths(rows, np.zeros(len(middle), np.int64), onward + backward)
            return [paths.both(search, middle, ahead, onward, behind, every)]
    return []


class _Paths:
    """Paths of one length that grow from a place in their midst, along nodes whose depths say the way."""

    def __init__(self, rows: Ints, base: Ints, length: int) -> None:
        self.rows, self.base = rows, base
        self.edges = np.empty((len(rows), length), np.int64)
        self.nodes = np.empty((len(rows), length), np.int64)

    def back(
        self, search: Search, middle: Ints, depth: Ints, onward: int, every: bool
    ) -> tuple[Ints, Ints, Ints]:
        """Fill columns from `onward` - 1 down to 0, towards the start; `depth` was measured from there."""
        nodes = middle
        for column in range(onward - 1, -1, -1):
            place, before, edges = self._on(search, nodes, depth, column + 1, every, back=True)
            self.edges[:, column], self.nodes[:, column] = edges, nodes[place]
            nodes = before
        return self.rows, self.edges, self.nodes

    def both(
        self, search: Search, middle: Ints, ahead: Ints, onward: int, behind: Ints, every: bool
    ) -> tuple[Ints, Ints, Ints]:
        """Fill all columns, from the middle towards both ends."""
        length = self.edges.shape[1]
        nodes = middle
        for column in range(onward, length):
            _, nodes, edges = self._on(search, nodes, behind, length - column, every, back=False)
            self.edges[:, column], self.nodes[:, column] = edges, nodes
        if onward:
            at_middle = self.middle(middle, onward, length, search)
            return self.back(search, at_middle, ahead, onward, every)
        return self.rows, self.edges, self.nodes

    def middle(self, middle: Ints, onward: int, length: int, search: Search) -> Ints:
        """The node where the two halves of each path meet."""
        if len(middle) == 1:
            return np.full(len(self.rows), middle[0])
        if onward == length:
            return middle
        sources, targets = search.graph.ends_of(self.edges[:, onward])
        return np.where(self.nodes[:, onward] == targets, sources, targets)

    def _on(
        self, search: Search, nodes: Ints, depth: Ints, wanted: int, every: bool, back: bool
    ) -> tuple[Ints, Ints, Ints]:
        """One edge further to nodes of a depth; the paths are repeated as they branch."""
        place, reached, edges = search.step(self.rows, nodes, back)
        kept = np.flatnonzero(depth[self.base[place] + reached] == wanted)
        place, reached, edges = place[kept], reached[kept], edges[kept]
        if not every:
            _, first = np.unique(place, return_index=True)
            place, reached, edges = place[first], reached[first], edges[first]
        self.rows, self.base = self.rows[place], self.base[place]
        self.edges, self.nodes = self.edges[place], self.nodes[place]
        return place, reached, edges
