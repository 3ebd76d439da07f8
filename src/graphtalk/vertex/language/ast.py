"""Expressions as trees. `place` is the offset in the text; `type` is set by the checker."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TypeAlias

from graphtalk.vertex.language.types import ANY, Type


@dataclass(frozen=True)
class _Node:
    place: int = field(compare=False, kw_only=True, default=0)
    type: Type = field(compare=False, kw_only=True, default=ANY)


@dataclass(frozen=True)
class Constant(_Node):
    """A number, true, false, infinity or none."""

    value: float | bool


@dataclass(frozen=True)
class Name(_Node):
    """A name. `role` says what it stands for once checked: see `scope.Role`."""

    text: str
    role: str = ""


@dataclass(frozen=True)
class Field(_Node):
    """`owner.text`: of an edge, a message, an element of a collection, or a node that a parameter names."""

    owner: str
    text: str
    role: str = ""


@dataclass(frozen=True)
class Unary(_Node):
    """`-x` or `not x`."""

    operator: str
    value: "Expr"


@dataclass(frozen=True)
class Binary(_Node):
    """Arithmetic, comparison, `and`, `or`, `in`."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True)
class If(_Node):
    """`if condition then one else other`."""

    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"


@dataclass(frozen=True)
class Apply(_Node):
    """A function of values."""

    function: str
    arguments: "tuple[Expr, ...]"


@dataclass(frozen=True)
class Listing(_Node):
    """`[a, b]`"""

    items: "tuple[Expr, ...]"


@dataclass(frozen=True)
class Aggregate(_Node):
    """`function(values for variable in collection if condition)`."""

    function: str
    values: "tuple[Expr, ...]"
    variable: str
    collection: "Expr"
    condition: "Expr | None"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: engines look aggregates up in every round."""
        return hash((self.function, self.values, self.variable, self.collection, self.condition))


Expr: TypeAlias = Constant | Name | Field | Unary | Binary | If | Apply | Listing | Aggregate


def parts(expr: Expr) -> Iterator[Expr]:
    """The expressions directly inside."""
    for part in fields(expr):
        value = getattr(expr, part.name)
        if isinstance(value, _Node):
            yield value  # type: ignore[misc]
        elif isinstance(value, tuple):
            yield from value


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and all inside it."""
    yield expr
    for part in parts(expr):
        yield from walk(part)


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """What is joined by `and` at the top."""
    if isinstance(expr, Binary) and expr.operator == "and":
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr
