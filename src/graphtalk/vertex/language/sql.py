"""From typed trees to SQL. Names are our own columns, checked when the program was read; values are written as numbers.

Columns: `f_` before fields of the state, `c_` before numbers that nodes have from the start, `a_` before attributes of
edges, `x_` before fields of edges, `m_` before fields of messages, `g` and a number for aggregates worked out before.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphtalk.core import CheckError
from graphtalk.vertex.language.ast import (
    Aggregate,
    Apply,
    Binary,
    Constant,
    Expr,
    Field,
    If,
    Name,
    Unary,
    walk,
)
from graphtalk.vertex.language.functions import HASH_FACTORS, HASH_PRIME, REDUCERS
from graphtalk.vertex.language.types import BOOL, Type, Value

_OPERATORS = {"==": "=", "!=": "<>", "and": "AND", "or": "OR"}
_INFINITE = "CAST('Infinity' AS DOUBLE)"


class Dialect(ABC):
    """Where the engines' SQL differs."""

    @abstractmethod
    def pair(self, key: str, value: str) -> str:
        """A struct with the fields k and v, ordered by k, then v."""

    @abstractmethod
    def mode(self, value: str, condition: str) -> str:
        """The most frequent value, of several the least."""

    @abstractmethod
    def least_missing(self, value: str, condition: str) -> str:
        """The least whole number from 0 that is not among the values."""


@dataclass(frozen=True)
class Surface:
    """What names mean in one query. `own` and `edge` are aliases of tables: of nodes, and of edges or messages.

    `world`, `total` and `moment` give values; `flags` and `known` columns, of conditions and of aggregates that
    were worked out before.
    """

    dialect: Dialect
    own: str
    world: Callable[[str], Value]
    total: Callable[[str], Value]
    moment: Mapping[str, Value]
    state: Mapping[str, Type]
    edge_state: Mapping[str, Type]
    edge: str = "e"
    flags: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[Aggregate, str] = field(default_factory=dict)


def literal(value: Value) -> str:
    """A number or a truth value."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    number = float(value)
    if math.isinf(number):
        return _INFINITE if number > 0 else f"(-{_INFINITE})"
    return f"CAST({number!r} AS DOUBLE)"


def write(expr: Expr, on: Surface) -> str:
    """The expression as SQL."""
    match expr:
        case Constant():
            return literal(expr.value)
        case Name():
            return _name(expr, on)
        case Field():
            return _field(expr, on)
        case Unary():
            return f"({'NOT' if expr.operator == 'not' else '-'} {write(expr.value, on)})"
        case Binary():
            return _binary(expr, on)
        case If():
            parts = [write(part, on) for part in (expr.condition, expr.then, expr.otherwise)]
            return f"(CASE WHEN {parts[0]} THEN {parts[1]} ELSE {parts[2]} END)"
        case Apply():
            return _call(expr, on)
        case Aggregate():
            return on.known[expr] if expr in on.known else aggregate(expr, on)
    raise CheckError(f"{type(expr).__name__} has no form in SQL.")


def _name(expr: Name, on: Surface) -> str:
    text = expr.text
    if expr.role == "state":
        return f"{on.own}.f_{text}"
    if expr.role == "node":
        return f"{on.own}.c_{text}"
    if expr.role in ("parameter", "graph"):
        return literal(on.world(text))
    if expr.role == "total":
        return literal(on.total(text))
    if expr.role in ("to", "edges"):
        return f"CAST({on.edge}.dst AS DOUBLE)"
    if expr.role == "messages":
        return f"CAST({on.edge}.src AS DOUBLE)"
    if expr.role == "nodes":
        return f"{on.own}.c_id"
    return on.flags[text] if text in on.flags else literal(on.moment[text])


def _field(expr: Field, on: Surface) -> str:
    text = expr.text
    if expr.role in ("edge", "edges", "to"):
        if text == "to":
            return f"CAST({on.edge}.dst AS DOUBLE)"
        return f"{on.edge}.{'x' if text in on.edge_state else 'a'}_{text}"
    if expr.role in ("message", "messages"):
        return f"CAST({on.edge}.src AS DOUBLE)" if text == "sender" else f"{on.edge}.m_{text}"
    return f"{on.own}.{'f' if text in on.state else 'c'}_{text}"


def _binary(expr: Binary, on: Surface) -> str:
    if expr.operator == "in":
        return _in(expr, on)
    left, right = write(expr.left, on), write(expr.right, on)
    if expr.operator == "/":
        return f"(CASE WHEN {right} = 0 THEN CAST(0 AS DOUBLE) ELSE {left} / {right} END)"
    if expr.operator == "%":
        infinite = f"abs({left}) = {_INFINITE}"
        rest = f"{left} - {right} * {_whole('floor', f'({left} / {right})')}"
        return f"(CASE WHEN {right} = 0 OR {infinite} THEN CAST(0 AS DOUBLE) ELSE {rest} END)"
    return f"({left} {_OPERATORS.get(expr.operator, expr.operator)} {right})"


def _in(expr: Binary, on: Surface) -> str:
    if not isinstance(expr.right, Name) or expr.right.role != "parameter":
        raise CheckError("'in' asks a parameter in SQL, nothing else.")
    items = ", ".join(literal(item) for item in sorted(on.world(expr.right.text)))
    return f"({write(expr.left, on)} IN ({items}))" if items else "FALSE"


def _whole(function: str, value: str) -> str:
    """Rounded, and infinite where it was."""
    return f"(CASE WHEN abs({value}) = {_INFINITE} THEN {value} ELSE CAST({function}({value}) AS DOUBLE) END)"


def _call(expr: Apply, on: Surface) -> str:
    if expr.function == "size" and isinstance(expr.arguments[0], Name):
        return literal(len(on.world(expr.arguments[0].text)))
    arguments = [write(argument, on) for argument in expr.arguments]
    match expr.function:
        case "min" | "max":
            return f"{'least' if expr.function == 'min' else 'greatest'}({', '.join(arguments)})"
        case "abs":
            return f"abs({arguments[0]})"
        case "floor" | "ceil":
            return _whole(expr.function, arguments[0])
        case "sqrt":
            return f"sqrt(greatest({arguments[0]}, CAST(0 AS DOUBLE)))"
        case "number":
            return arguments[0]
        case "hash":
            first, second = HASH_FACTORS
            value, seed = (f"CAST({argument} AS BIGINT)" for argument in arguments)
            mixed = f"(({value} * {first} + {seed}) % {HASH_PRIME}) * {second} % {HASH_PRIME}"
            return f"CAST(({mixed}) AS DOUBLE)"
    raise CheckError(f"{expr.function}() has no form in SQL.")


def aggregate(expr: Aggregate, on: Surface) -> str:
    """An aggregate function over the rows of a group; its value of nothing where no row fits."""
    values = [write(value, on) for value in expr.values]
    condition = write(expr.condition, on) if expr.condition is not None else ""
    where = f" FILTER (WHERE {condition})" if condition else ""
    match expr.function:
        case "min" | "max" | "sum":
            found = f"{expr.function}({values[0]}){where}"
        case "any" | "all":
            found = f"bool_{'or' if expr.function == 'any' else 'and'}({values[0]}){where}"
        case "count":
            found = f"CAST(count(*){where} AS DOUBLE)"
        case "argmin" | "argmax":
            key = values[0] if expr.function == "argmin" else f"(-{values[0]})"
            found = f"(min({on.dialect.pair(key, values[1])}){where}).v"
        case "mode":
            found = on.dialect.mode(values[0], where)
        case "least_missing":
            found = on.dialect.least_missing(values[0], where)
        case _:
            raise CheckError(f"{expr.function}() has no form in SQL.")
    return f"coalesce({found}, {literal(REDUCERS[expr.function].empty)})"


def over(exprs: Iterable[Expr], collection: str) -> list[Aggregate]:
    """The aggregates over a collection, inner ones first, each once."""
    found: dict[Aggregate, None] = {}
    for part in (part for expr in exprs for part in reversed(list(walk(expr)))):
        named = part.collection if isinstance(part, Aggregate) else None
        if isinstance(part, Aggregate) and isinstance(named, Name) and named.text == collection:
            found.setdefault(part)
    return list(found)


def stages(exprs: Sequence[Expr]) -> list[list[Aggregate]]:
    """Aggregates over messages and edges in the order in which they can be worked out.

    Those of one stage are about one collection, and need only those of the stages before.
    """
    waiting = [*over(exprs, "messages"), *over(exprs, "edges")]
    done: set[Aggregate] = set()
    found: list[list[Aggregate]] = []
    while waiting:
        ready = [
            a for a in waiting if all(p in done for p in walk(a) if isinstance(p, Aggregate) and p is not a)
        ]
        first = ready[0].collection
        stage = [a for a in ready if a.collection == first]
        found.append(stage)
        done |= set(stage)
        waiting = [a for a in waiting if a not in done]
    return found


def sql_type(type: Type) -> str:
    """The column type of a scalar."""
    return "BOOLEAN" if type == BOOL else "DOUBLE"
