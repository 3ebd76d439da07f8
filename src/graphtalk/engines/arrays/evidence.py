"""Evidence of a query: walks back from its rows to the nodes and edges that they were made of."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from graphtalk.core import Evidence, LimitError
from graphtalk.engines.arrays.rows import (
    MISSING,
    Column,
    Edges,
    EdgeValue,
    Lists,
    Mixed,
    Nodes,
    NodeValue,
    PathValue,
    Rows,
    Scalar,
    Support,
    Unmade,
)
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints

_WIDE = 10
"""So many times the nodes that are named, rows are looked at in each step."""


def evidence_of(rows: Rows, graph: Graph, supports: Sequence[Support] = (), most: int = 10_000) -> Evidence:
    """The nodes and edges that `rows` rest on, their own nodes first; at most `most` of each.

    `supports` are those of the frame that the query ran in. `complete` is false where there were more, or may have
    been: of each step only so many rows are looked at.
    """
    walk = _Walk(graph, supports, most)
    walk.back(rows, np.arange(rows.size))
    return walk.named()


class _Walk:
    """What was found so far, each once and in order; `complete`: nothing was left out."""

    def __init__(self, graph: Graph, supports: Sequence[Support], most: int) -> None:
        self.graph, self.most, self.complete = graph, most, True
        self.supports: dict[int, list[Support]] = {}
        for support in supports:
            self.supports.setdefault(id(support.outer), []).append(support)
        self.nodes: list[Ints] = []
        self.edges: list[Ints] = []

    def back(self, rows: Rows, wanted: Ints) -> None:
        """Keep what these rows hold, and go on to the rows that they were made of."""
        waiting = [(rows, wanted)]
        while waiting:
            rows, wanted = waiting.pop(0)
            if len(wanted) > _WIDE * self.most:
                wanted, self.complete = wanted[: _WIDE * self.most], False
            for held in (*rows.columns.values(), *rows.hidden):
                self.keep(held, wanted)
            for support in self.supports.get(id(rows), ()):
                of = np.arange(support.inner.size)
                inside = of if support.of is None else np.flatnonzero(np.isin(support.of, wanted))
                waiting.append((support.inner, inside))
            for origin in rows.origins:
                if origin.at is not None:
                    before = _once(_present([origin.at[wanted]]))
                else:
                    assert origin.group is not None
                    few = origin.group[: _WIDE * self.most + 1] if len(wanted) == rows.size else origin.group
                    before = np.flatnonzero(np.isin(few, wanted))
                if len(before):
                    waiting.append((origin.before, before))

    def keep(self, held: Column | Unmade, wanted: Ints) -> None:
        """Keep the nodes and edges of some rows of a column."""
        if isinstance(held, Nodes):
            self.nodes.append(held.nodes[wanted])
        elif isinstance(held, Edges):
            self.edges.append(held.edges[wanted])
        elif isinstance(held, Lists):
            if not isinstance(held.items, Nodes | Edges | Mixed):
                return
            starts, stops = held.starts[wanted], held.stops[wanted]
            counts = np.minimum(stops - starts, self.most + 1)  # no list alone can fill more
            self.complete &= bool((counts == stops - starts).all())
            ends = counts.cumsum()
            places = np.arange(int(ends[-1]) if len(ends) else 0) + (starts - ends + counts).repeat(counts)
            self.keep(held.items, _once(places)[: _WIDE * self.most])
        elif isinstance(held, Mixed):
            nodes: list[int] = []
            edges: list[int] = []
            for kind, number in _things(held.values[at] for at in wanted.tolist()):
                (nodes if kind else edges).append(number)
            self.nodes.append(np.array(nodes, np.int64))
            self.edges.append(np.array(edges, np.int64))
        elif isinstance(held, Unmade):
            try:
                further, between, every = held.take(wanted).made(self.most)
            except LimitError:
                further, between, every = np.empty(0, np.int64), np.empty(0, np.int64), False
            self.complete &= every
            self.nodes.append(further)
            self.edges.append(between)

    def named(self) -> Evidence:
        """The same by ids. The ends of an edge are nodes too."""
        edges = _once(_present(self.edges))
        shown = edges[: self.most]
        sources, targets = self.graph.ends_of(shown)
        nodes = _once(_present([*self.nodes, np.stack([sources, targets], 1).ravel()]))
        self.complete &= len(edges) <= self.most and len(nodes) <= self.most
        every = _once(np.concatenate([nodes[: self.most], sources, targets]))
        called = dict(zip(every.tolist(), self.graph.ids(every), strict=True))
        relations = self.graph.relation_positions(shown).tolist()
        triples = [
            (called[source], self.graph.schema.relations[relation].name, called[target])
            for source, relation, target in zip(sources.tolist(), relations, targets.tolist(), strict=True)
        ]
        named = tuple(called[n] for n in nodes[: self.most].tolist())
        return Evidence(named, tuple(dict.fromkeys(triples)), self.complete)


def _things(values: Iterable[Scalar]) -> Iterator[tuple[bool, int]]:
    """Every node (true) and edge (false) in some values."""
    for value in values:
        if isinstance(value, NodeValue):
            yield True, value.node
        elif isinstance(value, EdgeValue):
            yield False, value.edge
        elif isinstance(value, PathValue):
            yield from ((True, n) for n in value.nodes)
            yield from ((False, e) for e in value.edges)
        elif isinstance(value, list):
            yield from _things(value)
        elif isinstance(value, dict):
            yield from _things(value.values())


def _present(parts: Sequence[Ints]) -> Ints:
    joined = np.concatenate([np.empty(0, np.int64), *parts])
    return np.asarray(joined[joined != MISSING])


def _once(numbers: Ints) -> Ints:
    """Each number once, in order of first appearance."""
    _, first = np.unique(numbers, return_index=True)
    return np.asarray(numbers[np.sort(first)])
