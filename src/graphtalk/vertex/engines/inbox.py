"""The messages of a round, combined for their receivers."""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.vertex.engines.rows import Common, Held, NodeRows, SendRows
from graphtalk.vertex.language.arrays import (
    Array,
    ArrayBackend,
    Bools,
    Groups,
    MadeAggregate,
    depends,
    reduce_groups,
    spread,
)
from graphtalk.vertex.language.ast import Binary, Expr, Field
from graphtalk.vertex.language.build import Made
from graphtalk.vertex.language.types import Value


class Inbox:
    """The messages of a round, in the order of receivers. `made` makes their fields from the arcs they go along."""

    def __init__(self, sent: SendRows, made: Mapping[str, Made], told: Mapping[str, "Uniform"]) -> None:
        self.sent, self._made, self._told = sent, made, told
        self._values: dict[str, Array] = {}
        self._heard: Bools | None = None

    @property
    def everywhere(self) -> bool:
        """Whether the rows are all arcs, so that every node with arcs is looked at."""
        return self.sent.positions is None

    @cached_property
    def _targets(self) -> Ints:
        targets = self.sent.arcs.receivers_by_receiver
        return targets if self.sent.positions is None else targets[self.sent.positions]

    @cached_property
    def groups(self) -> Groups:
        """The rows of each receiver."""
        if self.everywhere:
            return self.sent.arcs.receiving[1]
        return Groups(np.flatnonzero(np.diff(self._targets, prepend=-1)), self.sent.size)

    @cached_property
    def receivers(self) -> Ints:
        """The nodes that any row leads to, ascending."""
        return self.sent.arcs.receiving[0] if self.everywhere else self._targets[self.groups.starts]

    def received(self) -> Bools:
        """Which of all nodes got a message. Shape (n,)."""
        if self._heard is None:
            self._heard = np.zeros(self.sent.arcs.n, np.bool_)
            carrying = self.sent.carrying
            some = True if carrying is None else reduce_groups("any", [carrying], None, self.groups)
            self._heard[self.receivers] = some
        return self._heard

    def message(self, name: str) -> Array:
        """A field of all messages; `sender` is who sent them."""
        if name not in self._values:
            if name == "sender":
                arcs, positions = self.sent.arcs, self.sent.positions
                found: Value = arcs.senders if positions is None else arcs.senders[positions]
            else:
                found = self._made[name](self.sent)
            self._values[name] = spread(found, self.sent.size)
        return self._values[name]

    def reduce(self, aggregate: MadeAggregate, held: Held, moment: Mapping[str, Value]) -> Array:
        """An aggregate over the messages of each receiver. Shape (receivers,)."""
        told = self.told(aggregate)
        if told is not None:
            return self._combined(aggregate.expr.function, told)
        rows = MessageRows(held, moment, self)
        values = [value(rows) for value in aggregate.values]
        mask = aggregate.condition(rows) if aggregate.condition is not None else None
        if self.sent.carrying is not None:
            mask = self.sent.carrying if mask is None else mask & self.sent.carrying
        return reduce_groups(aggregate.expr.function, values, mask, self.groups)

    def told(self, aggregate: MadeAggregate) -> "Uniform | None":
        """What each node tells all its neighbours, where that is one thing and silent nodes may tell the empty value."""
        expr, field = aggregate.expr, aggregate.expr.values[0]
        if not self.everywhere or expr.condition is not None or expr.function not in _EMPTY:
            return None
        told = self._told.get(field.text) if isinstance(field, Field) and field.role == "messages" else None
        return None if told is None or (told.weight is not None and expr.function != "min") else told

    def loud(self, told: "Uniform", function: str) -> Array:
        """What every node tells; the silent ones the value of nothing. Shape (n,)."""
        arcs, speaking = self.sent.arcs, self.sent.speaking
        values = spread(told.made(self.sent.senders), arcs.n)
        return values if speaking is None else np.where(speaking, values, _EMPTY[function][1])

    def _combined(self, function: str, told: "Uniform") -> Array:
        """A piece of arcs after the other: arrays over all arcs would be made anew in every round."""
        arcs, starts = self.sent.arcs, self.groups.starts
        values, combine = self.loud(told, function), _EMPTY[function][0]
        weight = None if told.weight is None else arcs.by_receiver(told.weight)
        found = np.empty(len(starts), values.dtype)
        room = np.empty(max((rows.stop - rows.start for _, rows in arcs.blocks), default=0), values.dtype)
        for receivers, rows in arcs.blocks:
            part = np.take(values, arcs.senders[rows], out=room[: rows.stop - rows.start], mode="clip")
            if weight is not None:
                np.add(part, weight[rows], out=part)
            combine.reduceat(part, starts[receivers] - rows.start, out=found[receivers])
        speaking = self.sent.speaking
        if function == "min" and speaking is not None and np.isfinite(values[speaking]).all():
            self._heard = np.zeros(arcs.n, np.bool_)  # only silence is infinite here
            self._heard[self.receivers] = found < np.inf
        return found


@dataclass(frozen=True)
class Uniform:
    """A field of messages that is one thing for all neighbours, `made` at the sender, plus an edge's `weight`.

    Infinity plus a weight is infinity, so that the least of such sums may go over silent senders too.
    """

    made: Made
    weight: str | None


def told_by(fields: Mapping[str, Expr], attributes: Container[str]) -> dict[str, Uniform]:
    """The fields of messages that are of this kind."""
    found = {}
    for name, expr in fields.items():
        sum_of = expr if isinstance(expr, Binary) and expr.operator == "+" else None
        added = sum_of.right if sum_of is not None else None
        weighed = isinstance(added, Field) and added.role == "edge" and added.text in attributes
        at_node = sum_of.left if sum_of is not None and weighed else expr
        if depends(at_node) == (True, False):
            weight = added.text if weighed and isinstance(added, Field) else None
            found[name] = Uniform(ArrayBackend().make(at_node), weight)
    return found


_EMPTY: Mapping[str, tuple[np.ufunc, float | bool]] = {
    "min": (np.minimum, np.inf),
    "max": (np.maximum, -np.inf),
    "sum": (np.add, 0.0),
    "any": (np.logical_or, False),
    "all": (np.logical_and, True),
}


class MessageRows(Common):
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
        return found if np.ndim(found) == 0 else found.take(self._inbox.groups.index, mode="clip")

    def message(self, name: str) -> Array:
        """A field of the messages."""
        return self._inbox.message(name)

    def moment(self, name: str) -> Value:
        """round; and every receiver has received."""
        return True if name == "received" else self._moment[name]
