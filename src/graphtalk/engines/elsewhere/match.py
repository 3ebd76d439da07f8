"""MATCH by an engine elsewhere: it meets the patterns, and what it gives are rows like any others.

First all that a pattern holds is asked for, which is evidence too. Where that is more than a few thousand rows, the
engine counts: it gives each different row of what later clauses use, and how often. The rows that there are already say
which nodes their variables may be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from graphtalk.calls.query import Match
from graphtalk.core import LimitError
from graphtalk.engines.arrays.columns import integers
from graphtalk.engines.arrays.frame import Frame, Meter
from graphtalk.engines.arrays.match import Matcher
from graphtalk.engines.arrays.needs import ALL, Need
from graphtalk.engines.arrays.partial import Held, Partial, ints
from graphtalk.engines.arrays.rows import TIMES, Origin, Rows
from graphtalk.engines.elsewhere.met import Met
from graphtalk.engines.elsewhere.protocol import TIMES as FOUND
from graphtalk.engines.elsewhere.protocol import Wanted, Way
from graphtalk.engines.elsewhere.ways import Ways, ways_of
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
    times: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        super().__post_init__()
        assert isinstance(self.graph, Met)
        self.there = self.graph
        self.ways = ways_of(self.shape, self.graph.schema)

    @property
    def whole(self) -> Wanted:
        """All that a match holds."""
        return Wanted(tuple(self.shape.nodes), tuple(link.key for link in self.shape.links), most=FEW + 1)

    def solve(self, partial: Partial) -> Partial:
        """All matches that `partial` can grow to."""
        bound = {key: ints(held) for key, held in partial.held.items() if key in self.shape.nodes}
        ways = narrowed(self.there, self.ways.ways, bound) if len(partial) else []
        found, over = self.there.asked(ways, self.whole, self.frame.meter)
        if over:
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
            return self.there.asked(ways, wanted, self.frame.meter)[0]
        found, over = self.there.asked(ways, replace(self.whole, most=MOST + 1), self.frame.meter)
        if over:
            self._too_many()
        return found

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
        used = tuple(
            key
            for key in self.shape.nodes
            if key in partial.held or (key in self.shape.named and self.need.uses(key))
        )
        return used if len(used) < len(self.shape.nodes) or self.shape.links else None

    def _counted(self, partial: Partial, ways: Sequence[Way], used: tuple[str, ...]) -> Partial:
        """Each different row of what is used, and how often."""
        found, over = self.there.asked(ways, Wanted(used, counted=True, most=MOST + 1), self.frame.meter)
        if over:
            self._too_many()
        rows = (
            np.stack([found[key] for key in used], 1) if used else np.zeros((len(found[FOUND]), 0), np.int64)
        )
        once, place = (
            np.unique(rows, axis=0, return_inverse=True) if used else (rows[:1], np.zeros(len(rows), int))
        )
        times = np.bincount(place.ravel(), found[FOUND], len(once)).astype(np.int64)
        merged = {key: once[:, at] for at, key in enumerate(used)}
        grown = _joined(partial, {**merged, TIMES: times}, self.frame.meter)
        if not self.counts:
            often = ints(grown.held.pop(TIMES))
            if self.need.repeats:
                self.frame.meter.take(int(often.sum()), 16 + 8 * len(used))
                grown = grown.take(np.repeat(np.arange(len(grown)), often))
        self.further = _Further(self.there, self.ways.ways, self.whole, self.frame.meter, {})
        links = tuple(link.key for link in self.shape.links)
        self.shape = replace(self.shape, nodes={key: self.shape.nodes[key] for key in used}, links=())
        return grown.plus({}, *links, *range(len(self.shape.conditions)))

    def made(self, done: Partial, origins: tuple[Origin, ...]) -> Rows:
        """The rows, with how often each is there where that was counted."""
        held = dict(done.held)
        times = held.pop(TIMES, None)
        rows = super().made(replace(done, held=held), origins)
        columns = dict(rows.columns)
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

    def take(self, at: Ints) -> "_Further":
        """Those of the rows at these places."""
        return replace(self, held={key: nodes[at] for key, nodes in self.held.items()})

    def made(self, most: int) -> tuple[Ints, Ints, bool]:
        """The nodes and edges, those of about `most` matches where there are more, and whether these are all."""
        ways = narrowed(self.there, self.ways, self.held)
        found, over = self.there.asked(ways, replace(self.wanted, ordered=True, most=most + 1), _Free())
        if self.held:
            rows = Partial(np.arange(len(next(iter(self.held.values())))), dict(self.held))
            found = {key: ints(held) for key, held in _joined(rows, found, _Free()).held.items()}
        none = [np.empty(0, np.int64)]
        nodes = np.concatenate([*none, *(found[key] for key in self.wanted.nodes)])
        return nodes, np.concatenate([*none, *(found[key] for key in self.wanted.edges)]), not over


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
