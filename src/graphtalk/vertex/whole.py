"""What is said about all nodes at once, over the columns of their states: totals, ends, answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from graphtalk.vertex.binding import Bound
from graphtalk.vertex.language.arrays import ArrayBackend, MadeAggregate, reduce_all
from graphtalk.vertex.language.ast import Expr
from graphtalk.vertex.language.build import Backend, Made
from graphtalk.vertex.language.functions import follow
from graphtalk.vertex.language.single import SingleBackend, Surroundings
from graphtalk.vertex.language.types import Value


class Whole:
    """Evaluates expressions about all nodes, each made a function once.

    `rows` gives the surroundings that the backend's functions take, at a moment.
    """

    def __init__(self, backend: Backend, rows: Callable[[Mapping[str, Value]], Any]) -> None:
        self._backend, self._rows = backend, rows
        self._made: dict[int, tuple[Expr, Made]] = {}

    def __call__(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression."""
        if id(expr) not in self._made:
            self._made[id(expr)] = (expr, self._backend.make(expr))
        value = self._made[id(expr)][1](self._rows(moment))
        return value.item() if isinstance(value, np.generic | np.ndarray) else value


class NodeColumns:
    """All nodes as rows, over columns that hold one entry a node."""

    def __init__(
        self,
        bound: Bound,
        columns: Mapping[str, Any],
        world: Callable[[str], Value],
        total: Callable[[str], Value],
        moment: Mapping[str, Value],
    ) -> None:
        self._bound, self._columns = bound, columns
        self.world, self.total, self._moment = world, total, moment

    def own(self, name: str) -> Value:
        """A field of the state, or what every node has from the start."""
        return self._columns[name] if name in self._columns else self._bound.column(name)

    def moment(self, name: str) -> Value:
        """round, changes, sent."""
        return self._moment[name]

    def at(self, node: Value, name: str) -> Value:
        """A field of one node."""
        return self.own(name)[int(node)]

    def aggregate(self, aggregate: MadeAggregate) -> Value:
        """An aggregate over all nodes."""
        columns = [value(self) for value in aggregate.values]
        mask = aggregate.condition(self) if aggregate.condition is not None else None
        return reduce_all(aggregate.expr, columns, mask, self._bound.n)

    def path(self, column: str, start: Value) -> Value:
        """`follow(column, start)`"""
        return follow(lambda node: self.own(column)[node].item(), start)


def over_columns(bound: Bound, columns: Mapping[str, Any], world: Callable[[str], Value]) -> Whole:
    """Expressions over arrays, one a field of the state."""

    def rows(moment: Mapping[str, Value]) -> NodeColumns:
        return NodeColumns(
            bound, columns, world, lambda name: whole(bound.program.totals[name], moment), moment
        )

    whole = Whole(ArrayBackend(), rows)
    return whole


def over_records(bound: Bound, nodes: Sequence[Mapping[str, Value]], world: Mapping[str, Value]) -> Whole:
    """Expressions over records, one a node."""

    def rows(moment: Mapping[str, Value]) -> Surroundings:
        return Surroundings(
            {}, world, lambda name: whole(bound.program.totals[name], moment), moment, nodes=nodes
        )

    whole = Whole(SingleBackend(), rows)
    return whole
