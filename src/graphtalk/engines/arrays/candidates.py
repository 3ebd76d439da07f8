"""Which nodes a node of a pattern may be, by its types and by the conditions on it alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from graphtalk.calls.ast import Items, Number, Text
from graphtalk.calls.query import Operation, Parameter, Property, Term, Variable
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.plan import Condition, Shape
from graphtalk.engines.arrays.rows import MISSING, Nodes, Rows
from graphtalk.engines.arrays.terms import truth
from graphtalk.engines.arrays.trails import Bools
from graphtalk.engines.naming import node_column
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.schema import NodeType

_CHUNK = 1 << 20
_SAMPLE = 1000
_MOST_LISTED = 100
"""Entries of a list that are looked up one by one; for more the column is gone through."""


@dataclass
class Candidates:
    """The nodes that may stand for each node of a MATCH, found when asked for and kept."""

    shape: Shape
    frame: Frame
    scans: dict[str, Ints] = field(default_factory=dict)
    masks: dict[str, Bools] = field(default_factory=dict)
    guesses: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.graph = self.frame.graph

    def of_types(self, nodes: Ints, types: frozenset[str]) -> Bools:
        """Which are nodes of these types."""
        if len(types) == len(self.graph.schema.node_types):
            return np.asarray(nodes != MISSING)
        mask = np.zeros(len(nodes), bool)
        for name in types:
            t = self.graph.schema.node_type(name)
            mask |= (nodes >= t.first) & (nodes < t.first + t.count)
        return mask

    def count(self, key: str) -> int:
        """How many nodes are of its types."""
        return sum(self.graph.schema.node_type(t).count for t in self.shape.nodes[key])

    def own(self, key: str) -> list[Condition]:
        """The conditions on this node alone."""
        return [c for c in self.shape.conditions if c.names == {key} and not c.late]

    def scan(self, key: str) -> Ints:
        """All nodes that a key may be by its types and the conditions on it alone."""
        if key not in self.scans:
            parts = [
                self._scan(key, t.name)
                for t in self.graph.schema.node_types
                if t.name in self.shape.nodes[key]
            ]
            self.scans[key] = np.concatenate([np.empty(0, np.int64), *parts])
        return self.scans[key]

    def _scan(self, key: str, node_type: str) -> Ints:
        t = self.graph.schema.node_type(node_type)
        at, told = self._looked_up(key, t)
        conditions = [c for c in self.own(key) if c is not told]
        if at is not None:
            return self._kept(Nodes(at), conditions, key)
        for each in self.own(key):
            for equal in _equalities(each, key):
                self.graph.scanned(node_type, node_column(t, equal[0]) or "id")
        parts = [np.empty(0, np.int64)]
        for start in range(t.first, t.first + t.count, _CHUNK):
            self.frame.meter.look()
            stop = min(start + _CHUNK, t.first + t.count)
            parts.append(self._kept(Nodes(np.arange(start, stop), span=True), conditions, key))
        return np.concatenate(parts)

    def _kept(self, nodes: Nodes, conditions: Sequence[Condition], key: str) -> Ints:
        """Those of some nodes that fulfil conditions."""
        for c in conditions:
            mask = truth(c.term, Rows(len(nodes), {key: nodes}), self.frame)
            if not mask.all():
                nodes = nodes.take(np.flatnonzero(mask))
        return nodes.nodes

    def _looked_up(self, key: str, t: NodeType) -> tuple[Ints | None, Condition | None]:
        """The nodes that a condition `name = "…"` or `name IN ["…"]` leaves, and that condition.

        They are found in the index of ids, or in a look-up of the column. None where there is none such.
        """
        for c in self.own(key):
            for name, term in _equalities(c, key):
                values = self._values(term)
                column = node_column(t, name)
                if values is None or column is None:
                    continue
                if column == "id" and all(isinstance(value, str) for value in values):
                    found = [self.graph.find(str(value)) for value in values]
                    inside = {n for n in found if n is not None and t.first <= n < t.first + t.count}
                    return np.array(sorted(inside), np.int64), c
                lookup = self.graph.lookup(t.name, column)
                rows = None if lookup is None else lookup.find(values)
                if rows is not None:
                    return rows + t.first, c
        return None, None

    def _values(self, term: Term) -> list[str | int] | None:
        """The texts or whole numbers that a term is one of, where that is known without any row."""
        value: object = None
        if isinstance(term, Text | Number):
            value = term.value
        elif isinstance(term, Parameter):
            value = self.frame.parameters.get(term.name)
        elif isinstance(term, Items):
            value = [each.value if isinstance(each, Text | Number) else None for each in term.values]
        listed = value if isinstance(value, list) else [value]
        told = [each for each in listed if isinstance(each, str | int) and not isinstance(each, bool)]
        return told if len(told) == len(listed) <= _MOST_LISTED else None

    def mask(self, key: str) -> Bools:
        """The same as a mask over all nodes."""
        if key not in self.masks:
            self.masks[key] = np.zeros(self.graph.num_nodes, bool)
            self.masks[key][self.scan(key)] = True
        return self.masks[key]

    def guess(self, key: str) -> float:
        """About how many nodes a key may be: counted where that is cheap, else told from a sample."""
        if key in self.scans:
            return len(self.scans[key])
        if key not in self.guesses:
            total = self.count(key)
            conditions = self.own(key)
            if not conditions:
                self.guesses[key] = total
            elif total <= 50 * _SAMPLE or any(
                self._looked_up(key, self.graph.schema.node_type(t))[0] is not None
                for t in self.shape.nodes[key]
            ):
                self.guesses[key] = len(self.scan(key))
            else:
                self.guesses[key] = self._sampled(key, conditions, total)
        return self.guesses[key]

    def _sampled(self, key: str, conditions: Sequence[Condition], total: int) -> float:
        parts = []
        for name in self.shape.nodes[key]:
            span = self.graph.indices(name)
            many = max(1, _SAMPLE * len(span) // total)
            parts.append(np.linspace(span.start, span.stop - 1, min(many, len(span))).astype(np.int64))
        nodes = np.concatenate(parts)
        size = len(nodes)
        for c in conditions:
            nodes = nodes[truth(c.term, Rows(len(nodes), {key: Nodes(nodes)}), self.frame)]
        return total * max(len(nodes), 0.5) / max(size, 1)


def _equalities(c: Condition, key: str) -> list[tuple[str, Term]]:
    """The property of a node that a condition says to equal a term, or to be one of a list, and that term."""
    if not isinstance(c.term, Operation) or c.term.operator not in ("=", "in"):
        return []
    one, other = c.term.operands
    sides = [(one, other), (other, one)] if c.term.operator == "=" else [(one, other)]
    return [(p.name, term) for p, term in sides if isinstance(p, Property) and p.of == Variable(key)]
