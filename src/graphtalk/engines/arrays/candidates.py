"""Which nodes a node of a pattern may be, by its types and by the conditions on it alone."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from graphtalk.calls.ast import Text
from graphtalk.calls.query import Operation, Parameter, Property, Variable
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.plan import Condition, Shape
from graphtalk.engines.arrays.rows import MISSING, Nodes, Rows
from graphtalk.engines.arrays.terms import truth
from graphtalk.engines.arrays.trails import Bools
from graphtalk.engines.naming import node_column
from graphtalk.graphs.adjacency import Ints

_CHUNK = 1 << 20
_SAMPLE = 1000


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
        span = self.graph.indices(node_type)
        nodes = self._looked_up(key, node_type)
        if nodes is None:
            nodes = np.arange(span.start, span.stop)
        for c in self.own(key):
            kept = []
            for start in range(0, len(nodes), _CHUNK):
                self.frame.meter.look()
                part = nodes[start : start + _CHUNK]
                mask = truth(c.term, Rows(len(part), {key: Nodes(part)}), self.frame)
                kept.append(part if mask.all() else part[mask])
            nodes = np.concatenate([np.empty(0, np.int64), *kept])
        return nodes

    def _looked_up(self, key: str, node_type: str) -> Ints | None:
        """The nodes that a condition `id = "…"` leaves, found in the index of ids; None where there is none such."""
        t, span = self.graph.schema.node_type(node_type), self.graph.indices(node_type)
        for c in self.own(key):
            if not isinstance(c.term, Operation) or c.term.operator != "=":
                continue
            for one, other in (c.term.operands, c.term.operands[::-1]):
                value: object = other.value if isinstance(other, Text) else None
                if isinstance(other, Parameter):
                    value = self.frame.parameters.get(other.name)
                if not (isinstance(one, Property) and one.of == Variable(key) and isinstance(value, str)):
                    continue
                if node_column(t, one.name) == "id":
                    found = self.graph.find(value)
                    return np.array([found] if found is not None and found in span else [], np.int64)
        return None

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
                self._looked_up(key, t) is not None for t in self.shape.nodes[key]
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
