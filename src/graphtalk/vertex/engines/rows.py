"""Nodes and arcs as rows of arrays, for the engine in memory."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.vertex.arcs import Arcs
from graphtalk.vertex.language.arrays import (
    Array,
    Bools,
    Groups,
    MadeAggregate,
    dtype_of,
    reduce_groups,
)
from graphtalk.vertex.language.ast import Aggregate
from graphtalk.vertex.language.build import Made
from graphtalk.vertex.language.functions import REDUCERS
from graphtalk.vertex.language.types import Value

if TYPE_CHECKING:
    from graphtalk.vertex.engines.inbox import Inbox


class Held(Protocol):
    """What rows read from: the engine's run."""

    def column(self, name: str) -> Array:
        """A field of the state, or a number that every node has from the start. Shape (n,)."""

    def world(self, name: str) -> Value:
        """n, directed, or a parameter."""

    def total(self, name: str) -> Value:
        """A total over all nodes, as it was at the start of the round."""

    def own_arcs(self) -> Arcs:
        """The edges that nodes see as theirs."""

    def edge_column(self, name: str) -> Array:
        """A field or an attribute of these, in the order of senders."""


class Common:
    """What nodes and arcs share."""

    def __init__(self, held: Held, moment: Mapping[str, Value]) -> None:
        self._held, self._moment = held, moment

    def world(self, name: str) -> Value:
        """n, directed, or a parameter."""
        return self._held.world(name)

    def total(self, name: str) -> Value:
        """A total."""
        return self._held.total(name)


class NodeRows(Common):
    """Some nodes as rows; all where `rows` is None. `flags` are changed and received, `inbox` what came."""

    def __init__(
        self,
        held: Held,
        rows: Ints | None,
        moment: Mapping[str, Value],
        flags: Mapping[str, Callable[[], Bools]] | None = None,
        inbox: "Inbox | None" = None,
    ) -> None:
        super().__init__(held, moment)
        self.rows = rows
        self._flags = flags or {}
        self._inbox = inbox
        self._gathered: dict[str, Array] = {}
        self._aggregates: dict[Aggregate, Array] = {}

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self._held.world("n")) if self.rows is None else len(self.rows)

    def own(self, name: str) -> Array:
        """A field of the nodes."""
        if self.rows is None:
            return self._held.column(name)
        if name not in self._gathered:
            self._gathered[name] = self._held.column(name)[self.rows]
        return self._gathered[name]

    def moment(self, name: str) -> Value:
        """round, changed, received."""
        if name in self._flags:
            flag = self._flags[name]()
            return flag if self.rows is None else flag[self.rows]
        return self._moment[name]

    def aggregate(self, aggregate: MadeAggregate) -> Array:
        """An aggregate over messages or edges; the same one is worked out once."""
        if aggregate.expr not in self._aggregates:
            self._aggregates[aggregate.expr] = self._aggregate(aggregate)
        return self._aggregates[aggregate.expr]

    def _aggregate(self, aggregate: MadeAggregate) -> Array:
        if aggregate.collection == "edges":
            return self._over_edges(aggregate)
        inbox = self._inbox
        assert inbox is not None
        if self.rows is not None:  # then the rows are the receivers
            return inbox.reduce(aggregate, self._held, self._moment)
        told = inbox.told(aggregate)
        if told is not None and aggregate.expr.function == "sum":
            return np.asarray(inbox.sent.arcs.sums @ inbox.loud(told, "sum"))
        found = inbox.reduce(aggregate, self._held, self._moment)
        whole = _empty(aggregate, self.size)
        whole[inbox.receivers] = found
        return whole

    def _over_edges(self, aggregate: MadeAggregate) -> Array:
        arcs = self._held.own_arcs()
        if self.rows is None:
            positions, counts = None, arcs.out_degrees
        else:
            positions, counts = arcs.from_nodes(self.rows)
        some = np.flatnonzero(counts)
        starts = (np.cumsum(counts) - counts)[some]
        groups = Groups(starts, arcs.count if positions is None else len(positions))
        edges = EdgeRows(self._held, self._moment, positions, some[groups.index], self)
        values = [value(edges) for value in aggregate.values]
        mask = aggregate.condition(edges) if aggregate.condition is not None else None
        found = reduce_groups(aggregate.expr.function, values, mask, groups)
        whole = _empty(aggregate, self.size)
        whole[some] = found
        return whole


def _empty(aggregate: MadeAggregate, size: int) -> Array:
    """The aggregate of nothing, for every row."""
    return np.full(size, REDUCERS[aggregate.expr.function].empty, dtype=dtype_of(aggregate.expr.type))


class ArcRows(Common):
    """Arcs as rows. `index` has the row in `nodes` of the node that each belongs to."""

    def __init__(self, held: Held, moment: Mapping[str, Value], index: Ints, nodes: NodeRows) -> None:
        super().__init__(held, moment)
        self._index, self._nodes = index, nodes

    def lift(self, made: Made) -> Value:
        """What `made` gives for the nodes, one entry an arc."""
        found = made(self._nodes)
        return found if np.ndim(found) == 0 else found.take(self._index, mode="clip")

    def moment(self, name: str) -> Value:
        """round"""
        return self._moment[name]


class EdgeRows(ArcRows):
    """Edges of nodes, in the order of senders; all where `positions` is None. `messages` came along them."""

    def __init__(
        self,
        held: Held,
        moment: Mapping[str, Value],
        positions: Ints | None,
        index: Ints,
        nodes: NodeRows,
        messages: Mapping[str, Array] | None = None,
    ) -> None:
        super().__init__(held, moment, index, nodes)
        self._positions = positions
        self._messages = messages or {}

    def edge(self, name: str) -> Array:
        """A field of the edges."""
        found = self._held.own_arcs().receivers if name == "to" else self._held.edge_column(name)
        return found if self._positions is None else found[self._positions]

    def message(self, name: str) -> Array:
        """A field of the message that came along each, or nothing."""
        return self._messages[name]

    def moment(self, name: str) -> Value:
        """round, arrived."""
        return self._messages[name] if name == "arrived" else self._moment[name]


class SendRows(ArcRows):
    """Arcs along which something is sent, in the order of receivers.

    `positions` says which; None: all of those whose sender is `speaking` (None: everyone is). `sent` counts them.
    """

    def __init__(
        self,
        held: Held,
        moment: Mapping[str, Value],
        arcs: Arcs,
        positions: Ints | None,
        index: Ints,
        nodes: NodeRows,
        speaking: Bools | None = None,
    ) -> None:
        super().__init__(held, moment, index, nodes)
        self.arcs, self.positions, self.senders, self.speaking = arcs, positions, nodes, speaking

    @property
    def size(self) -> int:
        """How many rows there are."""
        return self.arcs.count if self.positions is None else len(self.positions)

    @cached_property
    def sent(self) -> int:
        """How many messages."""
        return self.size if self.speaking is None else int(self.arcs.out_degrees[self.speaking].sum())

    @cached_property
    def carrying(self) -> Bools | None:
        """Which rows carry a message; None: all."""
        return None if self.speaking is None else self.speaking.take(self.arcs.senders, mode="clip")

    def edge(self, name: str) -> Array:
        """A field of the arcs."""
        if name == "to":
            found: Array = self.arcs.receivers_by_receiver
        elif name in self.arcs.attributes:
            found = self.arcs.by_receiver(name)
        else:
            order = self.arcs.order if self.positions is None else self.arcs.order[self.positions]
            return self._held.edge_column(name)[order]
        return found if self.positions is None else found[self.positions]

    def where(self, mask: Bools) -> "SendRows":
        """Those of these arcs for which the mask holds."""
        kept = np.flatnonzero(mask if self.carrying is None else mask & self.carrying)
        positions = kept if self.positions is None else self.positions[kept]
        return SendRows(self._held, self._moment, self.arcs, positions, self._index[kept], self._nodes)
