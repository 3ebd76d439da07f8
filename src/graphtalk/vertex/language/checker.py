"""Types of expressions: every name is looked up, every operator and function checked, before anything runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from graphtalk.core import CheckError, choices
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
from graphtalk.vertex.language.functions import FUNCTIONS, REDUCERS
from graphtalk.vertex.language.grammar import parse, pointed
from graphtalk.vertex.language.scope import Meaning, Scope
from graphtalk.vertex.language.types import ANY, BOOL, NODE, NUMBER, Type, fits, list_of

_ARITHMETIC = ("+", "-", "*", "/", "%")
_ORDER = ("<", "<=", ">", ">=")


def compiled(text: object, scope: Scope, wanted: Type | None = None) -> Expr:
    """The typed tree of an expression. Raises CheckError that quotes the place, ParseError likewise.

    `wanted` is the type that the result must have. Numbers and truth values may be given as they are.
    """
    source = _as_text(text, scope)
    found = _Checker(source, scope).check(parse(source))
    if wanted is not None and not fits(found.type, wanted):
        raise CheckError(f"{scope.where}: {source!r} is a {found.type}, but a {wanted} is needed.")
    return found


def _as_text(text: object, scope: Scope) -> str:
    if isinstance(text, bool):
        return "true" if text else "false"
    if isinstance(text, int | float | str):
        return str(text)
    raise CheckError(f"{scope.where}: {text!r} is no expression.")


@dataclass(frozen=True)
class _Variable:
    """The variable of an aggregate: the collection it goes through, or the type of its values."""

    collection: str
    type: Type


class _Checker:
    def __init__(self, text: str, scope: Scope) -> None:
        self._text, self._scope = text, scope
        self._variables: dict[str, _Variable] = {}

    def check(self, expr: Expr) -> Expr:
        match expr:
            case Constant():
                return expr
            case Name():
                return self._name(expr)
            case Field():
                return self._field(expr)
            case Unary():
                return self._unary(expr)
            case Binary():
                return self._binary(expr)
            case If():
                return self._if(expr)
            case Apply():
                return self._call(expr)
            case Listing():
                return self._listing(expr)
            case Aggregate():
                return self._aggregate(expr)

    def _refuse(self, expr: Expr, message: str) -> NoReturn:
        raise self._error(expr, message)

    def _error(self, expr: Expr, message: str) -> CheckError:
        return CheckError(f"{self._scope.where}: {message} In {pointed(self._text, expr.place)}.")

    def _name(self, expr: Name) -> Expr:
        variable = self._variables.get(expr.text)
        if variable is not None:
            return replace(expr, role=variable.collection or "element", type=variable.type)
        if expr.text in self._scope.lets:
            return self._scope.lets[expr.text]
        meaning = self._scope.names.get(expr.text)
        if meaning is None:
            valid = [*self._variables, *self._scope.lets, *self._scope.names]
            self._refuse(expr, f"Nothing is called {expr.text!r} here. {choices(expr.text, valid, 12)}")
        return replace(expr, role=meaning.role, type=meaning.type)

    def _field(self, expr: Field) -> Expr:
        meaning = self._fields(expr).get(expr.text)
        if meaning is None:
            valid = self._fields(expr)
            self._refuse(expr, f"{expr.owner!r} has no {expr.text!r}. {choices(expr.text, valid, 12)}")
        return replace(expr, role=meaning.role, type=meaning.type)

    def _fields(self, expr: Field) -> dict[str, Meaning]:
        variable = self._variables.get(expr.owner)
        if variable is not None:
            fields = self._scope.collections.get(variable.collection, {})
            return {name: Meaning(type, variable.collection) for name, type in fields.items()}
        if expr.owner in self._scope.owners:
            return dict(self._scope.owners[expr.owner])
        meaning = self._scope.names.get(expr.owner)
        if meaning is not None and meaning.type == NODE and self._scope.columns:
            role = f"of {meaning.role}"  # "of parameter", "of total"
            return {name: Meaning(type, role) for name, type in self._scope.columns.items()}
        valid = [*self._variables, *self._scope.owners]
        raise self._error(
            expr, f"Nothing called {expr.owner!r} has fields here. {choices(expr.owner, valid)}"
        )

    def _unary(self, expr: Unary) -> Expr:
        value = self.check(expr.value)
        wanted = BOOL if expr.operator == "not" else NUMBER
        if value.type != wanted:
            self._refuse(expr, f"{expr.operator!r} needs a {wanted}, not a {value.type}.")
        return replace(expr, value=value, type=wanted)

    def _binary(self, expr: Binary) -> Expr:
        left, right = self.check(expr.left), self.check(expr.right)
        type = _binary_type(expr.operator, left.type, right.type)
        if type is None:
            sides = f"{left.type} {expr.operator} {right.type}"
            hint = " number(node) is a node's index." if {left.type, right.type} == {NODE, NUMBER} else ""
            self._refuse(expr, f"{sides} has no meaning.{hint}")
        return replace(expr, left=left, right=right, type=type)

    def _if(self, expr: If) -> Expr:
        condition, then, otherwise = (self.check(e) for e in (expr.condition, expr.then, expr.otherwise))
        if condition.type != BOOL:
            self._refuse(expr.condition, f"'if' needs a bool, not a {condition.type}.")
        if not fits(then.type, otherwise.type):
            self._refuse(expr.otherwise, f"'then' gives a {then.type}, but 'else' a {otherwise.type}.")
        type = otherwise.type if then.type.items == (ANY,) else then.type
        return replace(expr, condition=condition, then=then, otherwise=otherwise, type=type)

    def _listing(self, expr: Listing) -> Expr:
        items = tuple(self.check(item) for item in expr.items)
        if any(not fits(item.type, items[0].type) for item in items):
            self._refuse(expr, "The items of a list must be of one type.")
        return replace(expr, items=items, type=list_of(items[0].type if items else ANY))

    def _call(self, expr: Apply) -> Expr:
        if expr.function == "follow":
            return self._follow(expr)
        function = FUNCTIONS.get(expr.function)
        if function is None:
            if expr.function in REDUCERS:
                usage = REDUCERS[expr.function].usage
                self._refuse(expr, f"{expr.function}() needs 'for … in …': {usage}.")
            self._refuse(expr, f"No function {expr.function!r}. {choices(expr.function, FUNCTIONS, 8)}")
        arguments = tuple(self.check(argument) for argument in expr.arguments)
        type = function.gives([argument.type for argument in arguments])
        if type is None:
            hint = ""
            if expr.function in REDUCERS and len(arguments) == 1:
                hint = f" Of a collection: {REDUCERS[expr.function].usage}."
            self._refuse(expr, f"{_given(expr.function, arguments)}; it is {function.usage}.{hint}")
        return replace(expr, arguments=arguments, type=type)

    def _follow(self, expr: Apply) -> Expr:
        columns = {name: type for name, type in self._scope.columns.items() if type == NODE}
        named = expr.arguments[0] if len(expr.arguments) == 2 else None
        if not isinstance(named, Name) or named.text not in columns:
            self._refuse(expr, f"follow(field, node) needs a node field. {choices('', columns)}")
        start = self.check(expr.arguments[1])
        if start.type != NODE:
            self._refuse(expr, f"follow() starts at a node, not at a {start.type}.")
        column = replace(named, role="column", type=NODE)
        return replace(expr, arguments=(column, start), type=list_of(NODE))

    def _aggregate(self, expr: Aggregate) -> Expr:
        reducer = REDUCERS.get(expr.function)
        if reducer is None:
            self._refuse(expr, f"No aggregate {expr.function!r}. {choices(expr.function, REDUCERS, 8)}")
        collection, variable = self._collection(expr)
        outer, self._variables = self._variables, {**self._variables, expr.variable: variable}
        values = tuple(self.check(value) for value in expr.values)
        condition = self.check(expr.condition) if expr.condition is not None else None
        self._variables = outer
        if condition is not None and condition.type != BOOL:
            self._refuse(condition, f"'if' needs a bool, not a {condition.type}.")
        type = reducer.gives([value.type for value in values])
        if type is None:
            self._refuse(expr, f"{_given(expr.function, values)}; it is {reducer.usage}.")
        return replace(expr, values=values, collection=collection, condition=condition, type=type)

    def _collection(self, expr: Aggregate) -> tuple[Expr, _Variable]:
        named = expr.collection
        if isinstance(named, Name) and named.text in self._scope.collections:
            return replace(named, role="collection"), _Variable(named.text, NODE)
        if isinstance(named, Name) and named.text in ("messages", "edges", "nodes"):
            valid = choices(named.text, self._scope.collections)
            self._refuse(named, f"There are no {named.text} here. {valid}")
        collection = self.check(named)
        if collection.type.kind not in ("set", "list"):
            self._refuse(named, f"'for … in' goes through a set or a list, not a {collection.type}.")
        return collection, _Variable("", collection.type.item)


def _given(function: str, arguments: Sequence[Expr]) -> str:
    return f"{function}({', '.join(str(argument.type) for argument in arguments)}) has no meaning"


def _binary_type(operator: str, left: Type, right: Type) -> Type | None:
    if operator in _ARITHMETIC:
        return NUMBER if left == right == NUMBER else None
    if operator in ("and", "or"):
        return BOOL if left == right == BOOL else None
    if operator == "in":
        return BOOL if right.kind in ("set", "list", "map") and fits(left, right.items[0]) else None
    if operator in _ORDER:
        return BOOL if left == right and left in (NUMBER, NODE) else None
    return BOOL if fits(left, right) else None
