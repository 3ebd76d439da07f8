"""Expressions of many nodes or arcs at once, as numpy functions of `Rows`; and reductions of groups of arcs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints
from graphtalk.vertex.language.ast import Aggregate, Apply, Expr, Field, Name, parts, walk
from graphtalk.vertex.language.build import Backend, Made
from graphtalk.vertex.language.functions import HASH_FACTORS, HASH_PRIME, REDUCERS
from graphtalk.vertex.language.scope import OF_ARCS, OWN
from graphtalk.vertex.language.types import BOOL, Value

Array: TypeAlias = NDArray[Any]
Bools: TypeAlias = NDArray[np.bool_]


class Rows(Protocol):
    """What names mean for many nodes, or many arcs, at once. Arrays have one entry a row."""

    def own(self, name: str) -> Value:
        """A field of the state, the id, a degree or an attribute of the nodes."""

    def world(self, name: str) -> Value:
        """n, directed, or a parameter: one value for all."""

    def total(self, name: str) -> Value:
        """What is summed up over all nodes: one value for all."""

    def moment(self, name: str) -> Value:
        """round, changed, received, arrived, changes, sent."""

    def edge(self, name: str) -> Value:
        """A field of the edges; `to` is the node at their other end."""

    def message(self, name: str) -> Value:
        """A field of the messages; `sender` is who sent them."""

    def at(self, node: Value, name: str) -> Value:
        """A field of one node."""

    def aggregate(self, aggregate: "MadeAggregate") -> Value:
        """An aggregate over messages, edges or nodes."""

    def lift(self, made: Made) -> Value:
        """What `made` gives for the nodes that the arcs belong to, one entry an arc."""

    def path(self, column: str, start: Value) -> Value:
        """`follow(column, start)`"""


@dataclass(frozen=True, eq=False)
class MadeAggregate:
    """An aggregate whose parts were made functions of the arcs (or nodes) that it goes through."""

    expr: Aggregate
    collection: str
    values: tuple[Made, ...]
    condition: Made | None


@dataclass(frozen=True, eq=False)
class Lifted:
    """A function of arcs that depends on their nodes alone, so that it is evaluated once a node."""

    of_nodes: Made

    def __call__(self, rows: Rows) -> Value:
        return rows.lift(self.of_nodes)


def _divide(left: Value, right: Value) -> Value:
    if np.all(right):
        return np.divide(left, right)
    return np.where(np.equal(right, 0), 0.0, np.divide(left, np.where(np.equal(right, 0), 1.0, right)))


def _modulo(left: Value, right: Value) -> Value:
    none = np.equal(right, 0) | np.isinf(left)
    return np.where(none, 0.0, np.mod(np.where(none, 0.0, left), np.where(none, 1.0, right)))


def _hash(value: Value, seed: Value) -> Value:
    first, second = HASH_FACTORS
    whole = np.asarray(value).astype(np.int64)
    return ((whole * first + np.asarray(seed).astype(np.int64)) % HASH_PRIME) * second % HASH_PRIME


def _in(left: Value, right: Value) -> Value:
    return np.isin(left, np.array(sorted(right), dtype=np.float64))


def _least(*values: Value) -> Value:
    found = values[0]
    for value in values[1:]:
        found = np.minimum(found, value)
    return found


def _largest(*values: Value) -> Value:
    found = values[0]
    for value in values[1:]:
        found = np.maximum(found, value)
    return found


class ArrayBackend(Backend):
    """Functions of the rows of nodes."""

    operators: ClassVar[Mapping[str, Callable[[Value, Value], Value]]] = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "/": _divide,
        "%": _modulo,
        "==": np.equal,
        "!=": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "and": np.logical_and,
        "or": np.logical_or,
        "in": _in,
    }
    functions: ClassVar[Mapping[str, Callable[..., Value]]] = {
        "min": _least,
        "max": _largest,
        "abs": np.abs,
        "floor": np.floor,
        "ceil": np.ceil,
        "sqrt": lambda value: np.sqrt(np.maximum(value, 0)),
        "number": lambda value: value,
        "hash": _hash,
        "size": len,
    }

    def name(self, expr: Name) -> Made:
        """A name, by its role."""
        text = expr.text
        if expr.role in ("state", "node", "attribute"):
            return lambda rows: rows.own(text)
        if expr.role in ("parameter", "graph"):
            return lambda rows: rows.world(text)
        if expr.role == "total":
            return lambda rows: rows.total(text)
        if expr.role in ("to", "edges"):
            return lambda rows: rows.edge("to")
        if expr.role == "messages":
            return lambda rows: rows.message("sender")
        if expr.role == "nodes":
            return lambda rows: rows.own("id")
        return lambda rows: rows.moment(text)

    def field(self, expr: Field) -> Made:
        """A field, by its role."""
        owner, text = expr.owner, expr.text
        if expr.role in ("edge", "edges", "to"):
            return lambda rows: rows.edge(text)
        if expr.role in ("message", "messages"):
            return lambda rows: rows.message(text)
        if expr.role == "of parameter":
            return lambda rows: rows.at(rows.world(owner), text)
        if expr.role == "of total":
            return lambda rows: rows.at(rows.total(owner), text)
        return lambda rows: rows.own(text)

    def unary(self, operator: str, value: Made) -> Made:
        """`-` or `not`."""
        function = np.logical_not if operator == "not" else np.negative
        return lambda rows: function(value(rows))

    def choice(self, condition: Made, then: Made, otherwise: Made) -> Made:
        """Both sides are evaluated, unless the condition is one value for all."""

        def run(rows: Rows) -> Value:
            chosen = condition(rows)
            if np.ndim(chosen) == 0:
                return then(rows) if chosen else otherwise(rows)
            return np.where(chosen, then(rows), otherwise(rows))

        return run

    def aggregate(self, expr: Aggregate) -> Made:
        """An aggregate, which the rows evaluate."""
        assert isinstance(expr.collection, Name)
        collection = expr.collection.text
        inner = self if collection == "nodes" else ArcBackend()
        values = tuple(inner.make(value) for value in expr.values)
        condition = inner.make(expr.condition) if expr.condition is not None else None
        made = MadeAggregate(expr, collection, values, condition)
        return lambda rows: rows.aggregate(made)

    def follow(self, expr: Apply) -> Made:
        """The way up a field that names nodes."""
        column, start = expr.arguments
        assert isinstance(column, Name)
        text, first = column.text, self.make(start)
        return lambda rows: rows.path(text, first(rows))


_NODES = ArrayBackend()


class ArcBackend(ArrayBackend):
    """Functions of the rows of arcs: what depends on nodes alone is evaluated for nodes, then lifted."""

    def make(self, expr: Expr) -> Made:
        """The function that evaluates an expression."""
        own, of_arcs = depends(expr)
        return Lifted(_NODES.make(expr)) if own and not of_arcs else super().make(expr)


def depends(expr: Expr) -> tuple[bool, bool]:
    """Whether an expression uses what nodes have, and what single arcs have. An aggregate is a node's."""
    if isinstance(expr, Aggregate):
        return True, False
    roles = {expr.role} if isinstance(expr, Name | Field) else set()
    inside = [depends(part) for part in parts(expr)]
    own, of_arcs = any(own for own, _ in inside), any(of_arcs for _, of_arcs in inside)
    return own or bool(roles & OWN), of_arcs or bool(roles & OF_ARCS)


@dataclass(frozen=True, eq=False)
class Groups:
    """Consecutive rows that belong together. Shapes: starts (groups,), where each begins; `size` rows in all."""

    starts: Ints
    size: int

    @cached_property
    def lengths(self) -> Ints:
        """Rows of each group."""
        return np.diff(self.starts, append=self.size)

    @cached_property
    def index(self) -> Ints:
        """The group of each row."""
        return np.repeat(np.arange(len(self.starts)), self.lengths)


def reduce_groups(function: str, values: Sequence[Value], mask: Value, groups: Groups) -> Array:
    """The aggregate of each group, over the rows where `mask` holds (None: all). Shape (groups,)."""
    if not len(groups.starts):
        return np.empty(0)
    columns = [spread(value, groups.size) for value in values]
    where = None if mask is None else spread(mask, groups.size)
    return _REDUCE[function](columns, where, groups)


def _masked(column: Array, where: Bools | None, empty: float | bool) -> Array:
    return column if where is None else np.where(where, column, empty)


def _reducer(ufunc: np.ufunc, empty: float | bool) -> Callable[..., Array]:
    def reduce(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
        return ufunc.reduceat(_masked(columns[0], where, empty), groups.starts)

    return reduce


def _count(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
    return groups.lengths if where is None else np.add.reduceat(where.astype(np.int64), groups.starts)


def _argmin(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
    keys = _masked(columns[0], where, np.inf)
    least = np.minimum.reduceat(keys, groups.starts)
    best = keys == least[groups.index]
    if where is not None:
        best &= where
    return np.minimum.reduceat(np.where(best, columns[1], np.inf), groups.starts)


def _argmax(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
    return _argmin([-columns[0], columns[1]], where, groups)


def _runs(column: Array, where: Bools | None, groups: Groups) -> tuple[Ints, Array, Ints]:
    """The different values of each group: their group, themselves ascending, how often each stands."""
    index, kept = (groups.index, column) if where is None else (groups.index[where], column[where])
    order = np.lexsort((kept, index))
    index, kept = index[order], kept[order]
    first = np.ones(len(kept), np.bool_)
    first[1:] = (index[1:] != index[:-1]) | (kept[1:] != kept[:-1])
    starts = np.flatnonzero(first)
    return index[starts], kept[starts], np.diff(starts, append=len(kept))


def _mode(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
    index, kept, counts = _runs(columns[0], where, groups)
    found = np.full(len(groups.starts), np.inf)
    order = np.lexsort((kept, -counts, index))
    first = np.flatnonzero(np.diff(index[order], prepend=-1))
    found[index[order][first]] = kept[order][first]
    return found


def _least_missing(columns: Sequence[Array], where: Bools | None, groups: Groups) -> Array:
    index, kept, _ = _runs(columns[0], where, groups)
    whole = (kept >= 0) & (kept == np.floor(kept)) & np.isfinite(kept)
    index, kept = index[whole], kept[whole]
    starts = np.flatnonzero(np.diff(index, prepend=-1))
    rank = np.arange(len(index)) - np.repeat(starts, np.diff(starts, append=len(index)))
    return np.bincount(index[kept == rank], minlength=len(groups.starts)).astype(np.float64)


_REDUCE: Mapping[str, Callable[..., Array]] = {
    "min": _reducer(np.minimum, np.inf),
    "max": _reducer(np.maximum, -np.inf),
    "sum": _reducer(np.add, 0),
    "any": _reducer(np.logical_or, False),
    "all": _reducer(np.logical_and, True),
    "count": _count,
    "argmin": _argmin,
    "argmax": _argmax,
    "mode": _mode,
    "least_missing": _least_missing,
}


_WHOLE: Mapping[str, Callable[[Array], Value]] = {
    "min": lambda column: float(column.min(initial=np.inf)),
    "max": lambda column: float(column.max(initial=-np.inf)),
    "sum": lambda column: float(column.sum()),
    "any": lambda column: bool(column.any()),
    "all": lambda column: bool(column.all()),
    "count": len,
}


def reduce_all(expr: Aggregate, columns: Sequence[Value], mask: Value, size: int) -> Value:
    """An aggregate over all rows: one value, or a set, list or map in Python's own values."""
    if expr.function in _WHOLE:
        column = spread(columns[0], size)
        kept = column if mask is None else column[spread(mask, size)]
        return _WHOLE[expr.function](kept)
    if REDUCERS[expr.function].scalar:
        found = reduce_groups(expr.function, columns, mask, Groups(np.zeros(1, np.int64), size))[0]
        return bool(found) if expr.type == BOOL else float(found)
    chosen = None if mask is None else spread(mask, size)
    return REDUCERS[expr.function].python(*(_listed(column, chosen, size) for column in columns))


def _listed(column: Value, chosen: Bools | None, size: int) -> list[Value]:
    """A column as Python values; a list of columns as a list of rows."""
    if isinstance(column, tuple):
        return list(zip(*(_listed(part, chosen, size) for part in column), strict=True))
    whole = spread(column, size)
    found: list[Value] = (whole if chosen is None else whole[chosen]).tolist()
    return found


def dtype_of(kind: Value) -> Any:
    """The numpy type of a scalar type."""
    return np.bool_ if kind == BOOL else np.float64


def spread(value: Value, size: int) -> Array:
    """A value for every row: one entry a row, or the same for all."""
    if isinstance(value, np.ndarray) and value.shape == (size,):
        return value
    return np.broadcast_to(np.asarray(value), size)


def as_column(value: Value, kind: Value, size: int) -> Array:
    """A value for every row, as an array of its own."""
    return np.array(spread(value, size), dtype=dtype_of(kind))


def aggregates_over(exprs: Iterator[Expr], collection: str) -> bool:
    """Whether any expression aggregates over a collection."""
    return any(
        isinstance(part, Aggregate)
        and isinstance(part.collection, Name)
        and part.collection.text == collection
        for expr in exprs
        for part in walk(expr)
    )
