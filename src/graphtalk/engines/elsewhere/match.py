"""MATCH by an engine elsewhere: it meets the patterns, and what it gives are rows like any others.

First all that a pattern holds is asked for, which is evidence too. Where that is more than a few thousand rows, the
engine counts: it gives each different row of what later clauses use, and how often. The rows that there are already say
which nodes their variables may be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from graphtalk.calls.query import Match
from graphtalk.core import LimitError
from graphtalk.engines.arrays.columns import column_of_array, integers, pick
from graphtalk.engines.arrays.frame import Frame, Meter
from graphtalk.engines.arrays.kernels import properties
from graphtalk.engines.arrays.match import Matcher
from graphtalk.engines.arrays.needs import ALL, Need
from graphtalk.engines.arrays.partial import Held, Partial, ints
from graphtalk.engines.arrays.rows import MISSING, TIMES, Column, Nodes, Origin, Rows
from graphtalk.engines.elsewhere.met import VALUE, Met, value_name
from graphtalk.engines.elsewhere.protocol import TIMES as FOUND
from graphtalk.engines.elsewhere.protocol import Wanted, Way
from graphtalk.engines.elsewhere.ways import Ways, ways_of
from graphtalk.engines.naming import node_column as columns_of
from graphtalk.graphs.adjacency import Ints

FEW = 20_000
"""So many whole matches are taken as they are; of more the engine is asked to count."""
MOST = 1_000_000
"""So many rows one MATCH may give."""
_MOST_AMONG = 5_000
"""So many nodes that a variable may be are named to the engine."""


def match(clause: Match, rows: Rows, frame: Frame, need: Need = ALL) -> Rows:
    """The rows that a bound MATCH makes of `rows`, as the array engine's `match`, by the engine of the frame's graph.

    Raises UnsaidError where it cannot be asked, EngineError where that fails, LimitError where it gives too much.
    """
    # What is only counted is asked for like all else: the engine counts, not the arrays.
    return _There(clause, rows, frame, replace(need, counted=False), counts=need.counted).run()


@dataclass
class _There(Matcher):
    counts: bool = False
    further: "_Further | None" = None
    cells: Mapping[str, pa.ChunkedArray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        assert isinstance(self.graph, Met)
        self.there = self.graph
        self.ways = ways_of(self.shape, self.graph.schema)
        self.asked_for = self.values

    @property
    def whole(self) -> Wanted:
        """All that a match holds."""
        return Wanted(tuple(self.shape.nodes), tuple(link.key for link in self.shape.links), most=FEW + 1)

    def solve(self, partial: Partial) -> Partial:
        """All matches that `partial` can grow to."""
        bound = {key: ints(held) for key, held in partial.held.items() if key in self.shape.nodes}
        ways = narrowed(self.there, self.ways.ways, bound) if len(partial) else []
        given = self.there.asked(ways, self.whole, self.frame.meter)
        found = given.numbers
        if given.over:
            used = self._used(partial)
            if used is not None:
                return self._counted(partial, ways, used)
            found = self._many(ways, partial)
        grown = _joined(partial, found, self.frame.meter)
        done: list[str | int] = [*(link.key for link in self.shape.links), *self.ways.checked]
        return self.checked(grown.plus({}, *done))

    def _many(self, ways: Sequence[Way], partial: Partial) -> dict[str, Ints]:
        """More than a few matches, whole. Of a LIMIT without an order the first by their ids."""
        exact = len(self.ways.checked) == len(self.shape.conditions)
        if self.need.most is not None and exact and len(partial) == 1:
            wanted = replace(self.whole, ordered=True, most=self.need.most)
            return self.there.asked(ways, wanted, self.frame.meter).numbers
        given = self.there.asked(ways, replace(self.whole, most=MOST + 1), self.frame.meter)
        if given.over:
            self._too_many()
        return given.numbers

    def _too_many(self) -> None:
        raise LimitError(
            f"{self.there.there.engine} finds more than {MOST:,} matches of a pattern, more than are taken. Let it give "
            "less: more conditions, or a count."
        )

    def _used(self, partial: Partial) -> tuple[str, ...] | None:
        """The nodes that are asked for later, where the engine can count all else; None where it cannot."""
        if len(self.ways.checked) < len(self.shape.conditions):
            return None
        if any(
            self.need.uses(name)
            for name in (*self.shape.paths, *(k.key for k in self.shape.links if k.key in self.shape.named))
        ):
            return None
        if any(link.key in partial.held for link in self.shape.links):
            return None
        singly = {key for key, feature in self.values if not self._plain(key, feature)}
        used = tuple(
            key
            for key in self.shape.nodes
            if key in partial.held or key in singly or (key in self.shape.named and self.need.uses(key))
        )
        return used if len(used) < len(self.shape.nodes) or self.shape.links else None

    @property
    def values(self) -> list[tuple[str, str]]:
        """The features of nodes that later clauses ask for instead of the nodes (see `run.by_values`)."""
        names = (name[2:].split("\0") for name in self.need.names or () if name.startswith(VALUE))
        return sorted((key, feature) for key, feature in names if key in self.shape.nodes)

    def _plain(self, key: str, feature: str) -> bool:
        """Whether all types of a node have a feature as one column, of one kind that engines group by."""
        kinds: set[str] = set()
        for name in self.shape.nodes[key]:
            t = self.graph.schema.node_type(name)
            column = columns_of(t, feature)
            kinds |= {f.kind for f in t.features if f.name == column} or {"none"}
        return kinds in ({"number"}, {"text"}, {"boolean"}, {"date"})

    def _counted(self, partial: Partial, ways: Sequence[Way], used: tuple[str, ...]) -> Partial:
        """Each different row of what is used, and how often."""
        values = tuple((key, feature) for key, feature in self.values if key not in used)
        given = self.there.asked(
            ways, Wanted(used, (), values, counted=True, most=MOST + 1), self.frame.meter
        )
        if given.over:
            self._too_many()
        found, names = given.numbers, [*used, *(value_name(*value) for value in values)]
        self.cells = given.values
        size = len(found[FOUND])
        rows = np.stack([found[name] for name in names], 1) if names else np.zeros((size, 0), np.int64)
        once, place = (
            np.unique(rows, axis=0, return_inverse=True) if names else (rows[:1], np.zeros(size, int))
        )
        times = np.bincount(place.ravel(), found[FOUND], len(once)).astype(np.int64)
        merged = {name: once[:, at] for at, name in enumerate(names)}
        grown = _joined(partial, {**merged, TIMES: times}, self.frame.meter)
        if not self.counts:
            often = ints(grown.held.pop(TIMES))
            if self.need.repeats:
                self.frame.meter.take(int(often.sum()), 16 + 8 * len(names))
                grown = grown.take(np.repeat(np.arange(len(grown)), often))
        self.further = _Further(
            self.there, self.ways.ways, self.whole, self.frame.meter, {}, len(grown), bool(values)
        )
        links = tuple(link.key for link in self.shape.links)
        self.shape = replace(self.shape, nodes={key: self.shape.nodes[key] for key in used}, links=())
        return grown.plus({}, *links, *range(len(self.shape.conditions)))

    def made(self, done: Partial, origins: tuple[Origin, ...]) -> Rows:
        """The rows, with how often each is there where that was counted."""
        held = dict(done.held)
        times = held.pop(TIMES, None)
        columns: dict[str, Column] = {}
        for key, feature in self.asked_for:
            name = value_name(key, feature)
            if name in held:
                places = ints(held.pop(name))
                cells = column_of_array(self.cells[name]).take(np.maximum(places, 0))
                columns[name] = pick(cells, np.where(places == MISSING, MISSING, np.arange(len(places))))
            else:
                columns[name] = properties(Nodes(ints(held[key])), feature, self.graph)
        rows = super().made(replace(done, held=held), origins)
        columns = {**rows.columns, **columns}
        if self.counts:
            often = np.ones(len(done), np.int64) if times is None else ints(times)
            columns[TIMES] = integers(often)
        hidden = rows.hidden
        if self.further is not None:
            hidden = (*hidden, replace(self.further, held={key: ints(held[key]) for key in self.shape.nodes}))
        return Rows(rows.size, columns, rows.origins, hidden)


@dataclass(frozen=True, eq=False)
class _Further:
    """What was counted: the engine is asked for it when evidence is."""

    there: Met
    ways: Sequence[Way]
    wanted: Wanted
    meter: Meter
    held: Mapping[str, Ints]
    size: int = 0
    by_values: bool = False
    some: bool = False

    def take(self, at: Ints) -> "_Further":
        """Those of the rows at these places."""
        some = self.some or len(np.unique(at)) < self.size
        return replace(self, held={key: nodes[at] for key, nodes in self.held.items()}, some=some)

    def made(self, most: int) -> tuple[Ints, Ints, bool]:
        """The nodes and edges, those of about `most` matches where there are more, and whether these are all."""
        if self.by_values and self.some:  # which nodes have these values nobody kept
            return np.empty(0, np.int64), np.empty(0, np.int64), False
        ways = narrowed(self.there, self.ways, self.held)
        given = self.there.asked(ways, replace(self.wanted, ordered=True, most=most + 1), _Free())
        found = given.numbers
        if self.held:
            rows = Partial(np.arange(len(next(iter(self.held.values())))), dict(self.held))
            found = {key: ints(held) for key, held in _joined(rows, found, _Free()).held.items()}
        none = [np.empty(0, np.int64)]
        nodes = np.concatenate([*none, *(found[key] for key in self.wanted.nodes)])
        return nodes, np.concatenate([*none, *(found[key] for key in self.wanted.edges)]), not given.over


class _Free:
    """Evidence is bounded by itself."""

    def take(self, rows: int, width: int = 40) -> None:
        """Nothing is accounted for."""

    def look(self) -> None:
        """Nothing runs out."""


def narrowed(there: Met, ways: Sequence[Way], bound: Mapping[str, Ints]) -> list[Way]:
    """The ways in which variables are nodes that there are already; those that no such node fits are left out."""
    found = []
    for way in ways:
        among = dict(way.among)
        for key, nodes in bound.items():
            t = there.schema.node_type(way.nodes[key])
            own = np.unique(nodes[(nodes >= t.first) & (nodes < t.first + t.count)])
            if not len(own):
                break
            if len(own) <= _MOST_AMONG:
                among[key] = tuple(there.ids(own.tolist()))
        else:
            found.append(replace(way, among=among))
    return found


def _joined(partial: Partial, found: Mapping[str, Ints], meter: Meter) -> Partial:
    """Each row of `partial` with every match that has the nodes and edges it has; in the order of nodes and edges."""
    shared = [key for key in found if key in partial.held]
    size = len(next(iter(found.values()))) if found else 0
    order = np.lexsort([found[key] for key in reversed(list(found))]) if found else np.empty(0, np.int64)
    if not shared:
        meter.take(len(partial) * size, 8 * len(found))
        at, place = np.repeat(np.arange(len(partial)), size), np.tile(order, len(partial))
    else:
        pairs = np.stack([np.concatenate([ints(partial.held[key]), found[key][order]]) for key in shared], 1)
        codes = np.unique(pairs, axis=0, return_inverse=True)[1].ravel()
        mine, theirs = codes[: len(partial)], codes[len(partial) :]
        by_code = np.argsort(theirs, kind="stable")
        low = np.searchsorted(theirs[by_code], mine, "left")
        counts = np.searchsorted(theirs[by_code], mine, "right") - low
        total = int(counts.sum())
        meter.take(total, 8 * len(found))
        at = np.repeat(np.arange(len(partial)), counts)
        ends = counts.cumsum()
        place = order[by_code[np.arange(total) + np.repeat(low - ends + counts, counts)]]
    new: dict[str, Held] = {key: numbers[place] for key, numbers in found.items() if key not in shared}
    return partial.take(at).plus(new)


__all__ = ["FEW", "MOST", "Ways", "match"]
