"""Nodes and arcs as rows of arrays, for the engine in memory."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.vertex.arcs import Arcs
from graphtalk.vertex.language.arrays import (
    Array,
    Bools,
    Groups,
    Lifted,
    MadeAggregate,
    dtype_of,
    reduce_groups,
)
from graphtalk.vertex.language.ast import Aggregate, Field
from graphtalk.vertex.language.build import Made
from graphtalk.vertex.language.functions import REDUCERS
from graphtalk.vertex.language.types import Value


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


class _Common:
    """What nodes and arcs share."""

    def __init__(self, held: Held, moment: Mapping[str, Value]) -> None:
        self._held, self._moment = held, moment

    def world(self, name: str) -> Value:
        """n, directed, or a parameter."""
        return self._held.world(name)

    def total(self, name: str) -> Value:
        """A total."""
        return self._held.total(name)


class NodeRows(_Common):
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
        found = inbox.reduce(aggregate, self._held, self._moment)
        if self.rows is not None:  # then the rows are the receivers
            return found
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


class ArcRows(_Common):
    """Arcs as rows. `index` has the row in `nodes` of the node that each belongs to."""

    def __init__(self, held: Held, moment: Mapping[str, Value], index: Ints, nodes: NodeRows) -> None:
        super().__init__(held, moment)
        self._index, self._nodes = index, nodes

    def lift(self, made: Made) -> Value:
        """What `made` gives for the nodes, one entry an arc."""
        found = made(self._nodes)
        return found if np.ndim(found) == 0 else found[self._index]

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
    """Arcs along which something is sent, in the order of receivers; all where `positions` is None."""

    def __init__(
        self,
        held: Held,
        moment: Mapping[str, Value],
        arcs: Arcs,
        positions: Ints | None,
        index: Ints,
        nodes: NodeRows,
    ) -> None:
        super().__init__(held, moment, index, nodes)
        self.arcs, self.positions, self.senders = arcs, positions, nodes

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
        kept = np.flatnonzero(mask)
        positions = kept if self.positions is None else self.positions[kept]
        return SendRows(self._held, self._moment, self.arcs, positions, self._index[kept], self._nodes)

    @property
    def count(self) -> int:
        """How many arcs."""
        return self.arcs.count if self.positions is None else len(self.positions)


@dataclass(frozen=True, eq=False)
class Inbox:
    """The messages of a round, in the order of receivers. `fields` make them from the arcs they are sent along."""

    sent: SendRows
    fields: Mapping[str, Made]

    @cached_property
    def _targets(self) -> Ints:
        targets = self.sent.arcs.receivers_by_receiver
        return targets if self.sent.positions is None else targets[self.sent.positions]

    @cached_property
    def groups(self) -> Groups:
        """The messages of each receiver."""
        if self.sent.positions is None:
            pointers = self.sent.arcs.receiver_ptr
            return Groups(pointers[:-1][self.receivers], self.sent.count)
        return Groups(np.flatnonzero(np.diff(self._targets, prepend=-1)), self.sent.count)

    @cached_property
    def receivers(self) -> Ints:
        """The nodes that any message reaches, ascending."""
        if self.sent.positions is None:
            return np.flatnonzero(self.sent.arcs.in_degrees)
        return self._targets[self.groups.starts]

    @cached_property
    def _values(self) -> dict[str, Array]:
        return {}

    def message(self, name: str) -> Array:
        """A field of all messages; `sender` is who sent them."""
        if name not in self._values:
            if name == "sender":
                arcs, positions = self.sent.arcs, self.sent.positions
                found: Any = arcs.senders if positions is None else arcs.senders[positions]
            else:
                found = self.fields[name](self.sent)
            self._values[name] = np.broadcast_to(found, self.sent.count)
        return self._values[name]

    def reduce(self, aggregate: MadeAggregate, held: Held, moment: Mapping[str, Value]) -> Array:
        """An aggregate over the messages of each receiver. Shape (receivers,)."""
        product = self._product(aggregate)
        if product is not None:
            return product
        rows = MessageRows(held, moment, self)
        values = [value(rows) for value in aggregate.values]
        mask = aggregate.condition(rows) if aggregate.condition is not None else None
        return reduce_groups(aggregate.expr.function, values, mask, self.groups)

    def _product(self, aggregate: MadeAggregate) -> Array | None:
        """A plain sum of what all nodes tell all their neighbours, as a sparse product."""
        expr = aggregate.expr
        if expr.function != "sum" or expr.condition is not None or self.sent.positions is not None:
            return None
        field = expr.values[0]
        made = self.fields.get(field.text) if isinstance(field, Field) and field.role == "messages" else None
        if not isinstance(made, Lifted):
            return None
        told = np.broadcast_to(made.of_nodes(self.sent.senders), self.sent.arcs.n)
        return np.asarray(self.sent.arcs.sums @ told)[self.receivers]


class MessageRows(_Common):
    """Messages as rows, as their receivers see them."""

    def __init__(self, held: Held, moment: Mapping[str, Value], inbox: Inbox) -> None:
        super().__init__(held, moment)
        self._inbox = inbox

    @cached_property
    def _receivers(self) -> NodeRows:
        return NodeRows(self._held, self._inbox.receivers, self._moment, None, self._inbox)

    def lift(self, made: Made) -> Value:
        """What `made` gives for the receivers, one entry a message."""
        found = made(self._receivers)
        return found if np.ndim(found) == 0 else found[self._inbox.groups.index]

    def message(self, name: str) -> Array:
        """A field of the messages."""
        return self._inbox.message(name)

    def moment(self, name: str) -> Value:
        """round; and every receiver has received."""
        return True if name == "received" else self._moment[name]
