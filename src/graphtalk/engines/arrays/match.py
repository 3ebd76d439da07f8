"""MATCH over arrays: from the most selective end, a gather for each hop, conditions as soon as they can be told.

The order is chosen while it runs, by how many rows each next step would make. A step that would make many is taken in
parts, and each part is followed to its end before the next begins, so that what is thrown away later is never all
there at once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from graphtalk.calls.query import Match, Operation
from graphtalk.core import CheckError
from graphtalk.engines.arrays.candidates import Candidates
from graphtalk.engines.arrays.columns import codes, concat, missing, values_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.hops import Uncounted, degrees, ends, fan
from graphtalk.engines.arrays.links import Links
from graphtalk.engines.arrays.needs import ALL, Need
from graphtalk.engines.arrays.partial import Held, Partial, ints, together
from graphtalk.engines.arrays.paths import Unwalked
from graphtalk.engines.arrays.plan import Condition, Link, Shape
from graphtalk.engines.arrays.rows import (
    MISSING,
    TIMES,
    Column,
    Edges,
    EdgeValue,
    Lists,
    Mixed,
    Nodes,
    NodeValue,
    Origin,
    PathValue,
    Rows,
    Unmade,
    Values,
)
from graphtalk.engines.arrays.terms import evaluate, truth
from graphtalk.engines.arrays.trails import Bools, Trails
from graphtalk.engines.patterns import Step, turned
from graphtalk.graphs.adjacency import Ints

_Leaf: TypeAlias = tuple[Link, str, tuple[Step, ...]]
CHUNK = 1 << 20
"""About so many rows a step makes at once where there are more."""


def match(clause: Match, rows: Rows, frame: Frame, need: Need = ALL) -> Rows:
    """The rows that a bound MATCH makes of `rows`. `need` says what the clauses after it use.

    Raises CheckError where a variable that stands in its pattern is no node or edge, and LimitError.
    """
    return Matcher(clause, rows, frame, need).run()


@dataclass(frozen=True)
class _Action:
    """What may be done next, about how many rows it makes and how many it looks at."""

    cost: float
    run: Callable[[Partial], Partial]
    spread: Callable[[Partial], Ints] | None = None


@dataclass
class Matcher:
    """One MATCH over arrays. Whoever meets patterns in another way overrides `solve`."""

    clause: Match
    rows: Rows
    frame: Frame
    need: Need
    found: int = 0
    chunk: int = 0

    def __post_init__(self) -> None:
        self.graph = self.frame.graph
        schema = self.graph.schema
        self.shape = self.frame.plans.once(
            self.clause, self.need, lambda: Shape.of(self.clause, schema, self.need)
        )
        self.leaves = self._leaves() if self.need.counted else []
        self.may = Candidates(self.shape, self.frame)
        self.links = Links(self.shape, self.frame, self.may, self.need, self.rows_for)
        self.chunk = CHUNK if self.need.most is None else min(CHUNK, max(1024, 4 * self.need.most))

    def run(self) -> Rows:
        done = self.counted(self.solve(self.begin()))
        temporary: list[Rows] = []
        for place, condition in enumerate(self.shape.conditions):
            if condition.late:
                rows = self.rows_for(done, condition)
                key = f"\0late{place}"
                done = done.plus({key: np.arange(len(done))}).keep(truth(condition.term, rows, self.frame))
                temporary.append(rows)
        if self.clause.optional:
            done = self.filled(done)
        traces = [ints(held) for key, held in done.held.items() if key.startswith("\0late")]
        origins = (
            Origin(self.rows, done.at),
            *(Origin(r, t) for r, t in zip(temporary, traces, strict=True)),
        )
        return self.made(done, origins)

    # what it begins and ends with

    def begin(self) -> Partial:
        """Every row, with the nodes and edges of the patterns that it has already."""
        held: dict[str, Held] = {}
        mask = np.ones(self.rows.size, bool)
        for key, types in self.shape.nodes.items():
            if key in self.rows.columns:
                held[key] = nodes = _numbers(key, self.rows.columns[key], Nodes)
                mask &= self.may.of_types(nodes, types)
        for link in self.shape.links:
            if link.key in self.rows.columns:
                if link.edge.several:
                    raise CheckError(
                        f"{link.key} stands for a list already, and cannot be a path of this pattern too."
                    )
                held[link.key] = edges = _numbers(link.key, self.rows.columns[link.key], Edges)
                mask &= edges != MISSING
        return Partial(np.arange(self.rows.size), held).keep(mask)

    # links that are only counted

    def _leaves(self) -> list[_Leaf]:
        """Links to a node that nothing else asks for, taken out of the shape; the node that each leads on from, and how."""
        found: list[_Leaf] = []
        for link in self.shape.links:
            for key, other, ways in (
                (link.left, link.right, link.ways),
                (link.right, link.left, turned(link.ways)),
            ):
                if self._is_leaf(link, key, other, found):
                    found.append((link, key, ways))
                    nodes = {k: types for k, types in self.shape.nodes.items() if k != other}
                    links = tuple(each for each in self.shape.links if each.key != link.key)
                    self.shape = replace(self.shape, nodes=nodes, links=links)
                    break
        return found

    def _is_leaf(self, link: Link, key: str, other: str, leaves: Sequence[_Leaf]) -> bool:
        asked = {key for c in self.shape.conditions for key in c.needs}
        asked |= {
            k for name, keys in self.shape.paths.items() if self.need.uses(name) for k in (*keys[0], *keys[1])
        }
        asked |= {k for each in self.shape.links if each.key != link.key for k in (each.left, each.right)}
        asked |= {k for k in (other, link.key) if k in self.shape.named and self.need.uses(k)}
        rivals = [each for each in self.shape.links if link.apart(each)]
        return not (
            link.edge.several
            or link.shortest
            or key == other
            or {other, link.key} & (asked | self.rows.columns.keys())
            or any(each.edge.several for each in rivals)
            or any(link.apart(each) or other == from_ for each, from_, _ in leaves)
        )

    def counted(self, done: Partial) -> Partial:
        """With the number of ways to follow the links that are only counted; rows without any are left out."""
        if not self.leaves:
            return done
        times = np.ones(len(done), np.int64)
        for link, key, ways in self.leaves:
            nodes = ints(done.held[key])
            found = degrees(self.graph, nodes, ways)
            for other in self.shape.links:
                if link.apart(other):  # its edge is taken, and may lead on from here too
                    place, start, _ = ends(self.graph, ints(done.held[other.key]), ways)
                    found -= np.bincount(place[start == nodes[place]], minlength=len(done))
            times *= found
        return done.plus({TIMES: times}).keep(times > 0)

    def filled(self, done: Partial) -> Partial:
        """With a row for each that found nothing, in the order of the rows."""
        without = np.ones(self.rows.size, bool)
        without[done.at] = False
        lone = np.flatnonzero(without)
        at = np.concatenate([done.at, lone])
        order = np.argsort(at, kind="stable")
        places = np.concatenate([np.arange(len(done)), np.full(len(lone), MISSING)])[order]
        held: dict[str, Held] = {}
        for key, h in done.held.items():
            if isinstance(h, Trails):
                starts, stops = np.append(h.starts, MISSING)[places], np.append(h.stops, MISSING)[places]
                held[key] = Trails(starts, stops, h.edges, h.nodes)
            else:
                held[key] = np.append(h, 1 if key == TIMES else MISSING)[places]
        return Partial(at[order], held, done.done)

    def made(self, done: Partial, origins: tuple[Origin, ...]) -> Rows:
        """The rows: the columns that there were, and those of the variables that are used later."""
        before = {
            name: column.take(done.at)
            for name, column in self.rows.columns.items()
            if self.need.uses(name) or name.startswith("\0")
        }
        columns: dict[str, Column] = {}
        hidden: list[Column | Unmade] = []
        for key in self.shape.nodes:
            if key not in self.rows.columns:
                self._put(key, Nodes(ints(done.held[key])), columns, hidden)
        for link in self.shape.links:
            if link.key not in self.rows.columns:
                held = done.held.get(link.key)
                if isinstance(held, Trails):
                    hidden.append(Lists(held.starts, held.stops, Nodes(held.nodes)))
                    self._put(link.key, Lists(held.starts, held.stops, Edges(held.edges)), columns, hidden)
                elif held is not None:
                    self._put(link.key, Edges(held), columns, hidden)
                else:
                    ends_held = [ints(done.held[key]) for key in (link.left, link.right)]
                    hidden.append(Unwalked(self.links.search(link, done, False), *ends_held))
        if self.leaves:
            columns[TIMES] = Values(pa.array(ints(done.held[TIMES])))
            hidden += [Uncounted(self.graph, ints(done.held[key]), ways) for _, key, ways in self.leaves]
        for name in self.shape.paths:
            if self.need.uses(name):
                columns[name] = self.path(name, done)
        return Rows(len(done), {**before, **columns}, origins, tuple(hidden))

    def _put(
        self, key: str, column: Column, columns: dict[str, Column], hidden: list[Column | Unmade]
    ) -> None:
        if key in self.shape.named and self.need.uses(key):
            columns[key] = column
        else:
            hidden.append(column)

    def path(self, name: str, done: Partial) -> Column:
        """The paths of a path variable."""
        keys, links = self.shape.paths[name]
        first = ints(done.held[keys[0]]).tolist()
        parts: list[list[list[int]]] = []  # nodes and edges of each link, a list a row
        for key, right in zip(links, keys[1:], strict=True):
            held = done.held[key]
            if isinstance(held, Trails):
                spans = list(zip(held.starts.tolist(), held.stops.tolist(), strict=True))
                edges, nodes = held.edges.tolist(), held.nodes.tolist()
                parts.append([nodes[a:b] for a, b in spans])
                parts.append([edges[a:b] for a, b in spans])
            else:
                parts.append([[n] for n in ints(done.held[right]).tolist()])
                parts.append([[e] for e in held.tolist()])
        self.frame.meter.take(sum(len(p) for part in parts for p in part), 64)
        paths: list[object] = []
        for row, node in enumerate(first):
            if node == MISSING:
                paths.append(None)
                continue
            nodes = (node, *(n for part in parts[::2] for n in part[row]))
            paths.append(PathValue(nodes, tuple(e for part in parts[1::2] for e in part[row])))
        return Mixed(paths)

    # the search

    def solve(self, partial: Partial) -> Partial:
        """All matches that `partial` can grow to."""
        while True:
            partial = self.checked(partial)
            action = self.choose(partial)
            if action is None:
                self.found += len(partial)
                return partial
            if action.spread is not None and len(partial) > 1:
                sizes = action.spread(partial).cumsum()
                if sizes[-1] > self.chunk:
                    return self.in_parts(partial, sizes)
            self.frame.meter.look()
            partial = action.run(partial)

    def in_parts(self, partial: Partial, sizes: Ints) -> Partial:
        """All matches, from one part of the rows after another. `sizes`: how many rows the next step makes, summed up."""
        found: list[Partial] = []
        start = 0
        while start < len(partial) and not self.enough:
            before = sizes[start - 1] if start else 0
            stop = max(start + 1, int(np.searchsorted(sizes, before + self.chunk, "right")))
            part = self.solve(partial.take(np.arange(start, min(stop, len(partial)))))
            self.frame.meter.take(len(part), 16 + 8 * len(part.held))
            found.append(part)
            start = stop
            self.chunk = min(CHUNK, 2 * self.chunk)
        return together(found)

    @property
    def enough(self) -> bool:
        """Whether there are as many rows as are wanted."""
        late = any(c.late for c in self.shape.conditions)
        return self.need.most is not None and not late and self.found >= self.need.most

    def checked(self, partial: Partial) -> Partial:
        """Those that fulfil all conditions that can be told by now."""
        for place, c in enumerate(self.shape.conditions):
            if place in partial.done or c.late or not c.needs <= partial.held.keys():
                continue
            partial = partial.plus({}, place)
            if len(partial):
                partial = partial.keep(self.holds(c, partial))
        return partial

    def holds(self, c: Condition, partial: Partial) -> Bools:
        """Where a condition holds. One on a node of many rows is worked out once for each node."""
        if len(c.names) == 1 and c.names <= self.shape.nodes.keys() - self.rows.columns.keys():
            (key,) = c.names
            if key in self.may.masks or len(partial) > 2 * self.may.count(key):
                return self.may.mask(key)[ints(partial.held[key])]
        return truth(c.term, self.rows_for(partial, c), self.frame)

    def rows_for(self, partial: Partial, c: Condition) -> Rows:
        """What a condition is worked out in."""
        columns: dict[str, Column] = {}
        for name in c.names:
            if name in self.shape.paths:
                columns[name] = self.path(name, partial)
            elif name in partial.held:
                held = partial.held[name]
                if isinstance(held, Trails):
                    columns[name] = Lists(held.starts, held.stops, Edges(held.edges))
                else:
                    columns[name] = Nodes(held) if name in self.shape.nodes else Edges(held)
            elif name in self.rows.columns:
                columns[name] = self.rows.columns[name].take(partial.at)
        return Rows(len(partial), columns)

    # what may be done next

    def choose(self, partial: Partial) -> _Action | None:
        """The step that makes the fewest rows; None where nothing is left to do."""
        held = partial.held
        left = [link for link in self.shape.links if link.key not in partial.done]
        unbound = [key for key in self.shape.nodes if key not in held]
        if not left and not unbound:
            return None
        if not len(partial):  # nothing comes of nothing: all that is missing is empty
            return _Action(0, self._emptied)
        options = [action for link in left for action in self.along(link, partial)]
        if not options:
            starts = [
                key for key in unbound if key not in {k for link in left for k in _unready(link)}
            ] or unbound
            options = [self.begun(key, partial, choice=len(starts) > 1) for key in starts]
        return min(options, key=lambda action: action.cost)

    def _emptied(self, partial: Partial) -> Partial:
        none = np.empty(0, np.int64)
        keys: dict[str, Held] = {key: none for key in self.shape.nodes if key not in partial.held}
        for link in self.shape.links:
            if link.key not in partial.held:
                several = link.edge.several or link.shortest
                keys[link.key] = Trails(none, none, none, none) if several else none
        return partial.plus(keys, *(link.key for link in self.shape.links))

    def along(self, link: Link, partial: Partial) -> Iterator[_Action]:
        """Ways to bring in a link that begins at nodes at hand."""
        held = partial.held
        size = len(partial)
        if link.key in held:
            yield _Action(-1, lambda p: self.links.anchored(link, p))
            return
        bound = [key in held for key in (link.left, link.right)]
        if link.edge.several or link.shortest:
            if all(bound):
                yield _Action(size, lambda p: self.links.searched(link, p, False))
            elif any(bound) and not link.shortest:
                many = min(link.edge.most or 8, 8)
                yield _Action(size * 4.0**many, lambda p: self.links.searched(link, p, bound[1]))
            return
        if all(bound):
            yield _Action(-1, lambda p: self.links.closed(link, p))
            return
        if bound[0]:
            yield from self.onward(link, partial, link.left, link.right, link.ways)
        elif bound[1]:
            yield from self.onward(link, partial, link.right, link.left, turned(link.ways))

    def onward(
        self, link: Link, partial: Partial, key: str, other: str, ways: tuple[Step, ...]
    ) -> Iterator[_Action]:
        """Ways to bring in a link from the node at one end, and with it the other."""
        total = int(fan(self.graph, ints(partial.held[key]), ways).sum())
        part = 1.0
        if total > len(partial):
            part = min(1.0, self.may.guess(other) / max(1, self.may.count(other)))
        yield _Action(
            total * max(part, 1e-9),
            lambda p: self.links.expanded(link, p, key, other, ways),
            lambda p: fan(self.graph, ints(p.held[key]), ways),
        )
        if other in self.may.scans and total > 4 * len(partial) * max(1, len(self.may.scans[other])):
            yield self.begun(other, partial)

    def begun(self, key: str, partial: Partial, choice: bool = True) -> _Action:
        """Bring in a node that no link leads to: by an equality with what is at hand, else every one with every row.

        Where there is no choice, nothing is guessed.
        """
        joined = self._equality(key, partial)
        many = self.may.guess(key) if choice else 0.0
        if joined is not None:
            return _Action(max(len(partial), many), lambda p: self.hashed(key, p, *joined))
        return _Action(
            len(partial) * many,
            lambda p: self.product(key, p),
            lambda p: np.full(len(p), len(self.may.scan(key))),
        )

    def product(self, key: str, partial: Partial) -> Partial:
        nodes = self.may.scan(key)
        if len(partial) > 1:
            self.frame.meter.take(len(partial) * len(nodes), 8 * (1 + len(partial.held)))
        places = np.arange(len(partial)).repeat(len(nodes))
        scanned = [i for i, c in enumerate(self.shape.conditions) if c.names == {key} and not c.late]
        return partial.take(places).plus(
            {key: nodes if len(partial) == 1 else np.tile(nodes, len(partial))}, *scanned
        )

    def _equality(self, key: str, partial: Partial) -> tuple[Condition, int] | None:
        """A condition that some term of what is at hand equals one of this node alone, and the side of that term."""
        known = partial.held.keys() | self.rows.columns.keys()
        for place, c in enumerate(self.shape.conditions):
            if place in partial.done or c.late or not isinstance(c.term, Operation) or c.term.operator != "=":
                continue
            sides = c.sides
            for side in (0, 1):
                if sides[1 - side] == {key} and sides[side] and sides[side] <= known:
                    return c, side
        return None

    def hashed(self, key: str, partial: Partial, c: Condition, side: int) -> Partial:
        """Join with a node by an equality: both sides as numbers that equal values share, then one sorted and looked up."""
        assert isinstance(c.term, Operation)
        nodes = self.may.scan(key)
        ours = evaluate(c.term.operands[side], self.rows_for(partial, c), self.frame)
        theirs = evaluate(c.term.operands[1 - side], Rows(len(nodes), {key: Nodes(nodes)}), self.frame)
        if not _same_kind(
            ours, theirs
        ):  # such as a text that is a number: only the condition itself can tell
            return self.product(key, partial)
        code, _ = codes(concat([ours, theirs]))
        mine, other = code[: len(partial)], code[len(partial) :]
        order = np.argsort(other, kind="stable")
        low = np.searchsorted(other[order], mine, "left")
        counts = np.searchsorted(other[order], mine, "right") - low
        counts[missing(ours)] = 0
        self.frame.meter.take(int(counts.sum()), 8 * (1 + len(partial.held)))
        stops = counts.cumsum()
        positions = np.arange(int(stops[-1]) if len(stops) else 0) + (low - stops + counts).repeat(counts)
        scanned = [i for i, each in enumerate(self.shape.conditions) if each.names == {key} and not each.late]
        grown = partial.take(np.repeat(np.arange(len(partial)), counts))
        return grown.plus({key: nodes[order[positions]]}, *scanned)


def _unready(link: Link) -> tuple[str, ...]:
    """Nodes that had better be found through other links: the ends of a path of several edges come last."""
    return (link.right,) if link.edge.several and not link.shortest else ()


def _same_kind(one: Column, other: Column) -> bool:
    if isinstance(one, Values) and isinstance(other, Values):
        return bool(one.array.type == other.array.type)
    return type(one) is type(other) and isinstance(one, Nodes | Edges)


def _numbers(name: str, column: Column, kind: type[Nodes] | type[Edges]) -> Ints:
    """The nodes or edges of a column, MISSING where there is none."""
    if isinstance(column, Nodes) and kind is Nodes:
        return column.nodes
    if isinstance(column, Edges) and kind is Edges:
        return column.edges
    found = []
    for value in values_of(column):
        if isinstance(value, NodeValue) and kind is Nodes:
            found.append(value.node)
        elif isinstance(value, EdgeValue) and kind is Edges:
            found.append(value.edge)
        elif value is None:
            found.append(MISSING)
        else:
            raise CheckError(
                f"{name} is no {'node' if kind is Nodes else 'edge'}: a pattern cannot go on from it."
            )
    return np.array(found, np.int64)
