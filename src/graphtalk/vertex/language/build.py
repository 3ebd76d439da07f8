"""From typed trees to Python functions: closures, so that no text is ever executed.

A backend says what names, fields and aggregates give; the operators are the same for single values and arrays up
to their table. A made function takes the backend's own surroundings: of one node, of many nodes, of many arcs.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeAlias

from graphtalk.vertex.language.ast import (
    Aggregate,
    Apply,
    Binary,
    Constant,
    Expr,
    Field,
    If,
    Listing,
    Name,
    Unary,
)
from graphtalk.vertex.language.types import Value

Made: TypeAlias = Callable[[Any], Value]


class Backend(ABC):
    """What expressions are made of. `operators` and `functions` are by name."""

    operators: ClassVar[Mapping[str, Callable[[Value, Value], Value]]]
    functions: ClassVar[Mapping[str, Callable[..., Value]]]

    def make(self, expr: Expr) -> Made:
        """The function that evaluates an expression."""
        match expr:
            case Constant():
                value = expr.value
                return lambda env: value
            case Name():
                return self.name(expr)
            case Field():
                return self.field(expr)
            case Unary():
                return self.unary(expr.operator, self.make(expr.value))
            case Binary():
                return self.binary(expr.operator, self.make(expr.left), self.make(expr.right))
            case If():
                return self.choice(*(self.make(e) for e in (expr.condition, expr.then, expr.otherwise)))
            case Apply() if expr.function == "follow":
                return self.follow(expr)
            case Apply():
                return self._call(self.functions[expr.function], [self.make(a) for a in expr.arguments])
            case Listing():
                items = [self.make(item) for item in expr.items]
                return lambda env: tuple([item(env) for item in items])
            case Aggregate():
                return self.aggregate(expr)

    def binary(self, operator: str, left: Made, right: Made) -> Made:
        """An operator of two values."""
        function = self.operators[operator]
        return lambda env: function(left(env), right(env))

    @staticmethod
    def _call(function: Callable[..., Value], arguments: list[Made]) -> Made:
        if len(arguments) == 1:
            (only,) = arguments
            return lambda env: function(only(env))
        if len(arguments) == 2:
            first, second = arguments
            return lambda env: function(first(env), second(env))
        return lambda env: function(*[argument(env) for argument in arguments])

    @abstractmethod
    def name(self, expr: Name) -> Made:
        """A name."""

    @abstractmethod
    def field(self, expr: Field) -> Made:
        """A field of something."""

    @abstractmethod
    def aggregate(self, expr: Aggregate) -> Made:
        """An aggregate."""

    @abstractmethod
    def unary(self, operator: str, value: Made) -> Made:
        """`-` or `not`."""

    @abstractmethod
    def choice(self, condition: Made, then: Made, otherwise: Made) -> Made:
        """if, then, else."""

    @abstractmethod
    def follow(self, expr: Apply) -> Made:
        """`follow(field, node)`"""
