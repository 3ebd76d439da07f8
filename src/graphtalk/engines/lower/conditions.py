"""Literals of calls, and the conditions of `Filter`, as terms of a query."""

from collections.abc import Mapping

from graphtalk.calls.ast import Boolean, Expression, Number, Text
from graphtalk.calls.query import (
    Apply,
    Operation,
    Operator,
    Quantified,
    Term,
    Variable,
)
from graphtalk.engines.dates import in_period, on_day
from graphtalk.engines.lower.rows import NoQueryError
from graphtalk.graphs.schema import FeatureKind

_SIGNS: Mapping[str, Operator] = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def text(value: Expression) -> str:
    if isinstance(value, Text):
        return value.value
    raise NoQueryError


def whole_number(value: Expression) -> int:
    if isinstance(value, Number) and float(value.value).is_integer():
        return int(value.value)
    raise NoQueryError


def number_of(value: Expression) -> Number:
    if isinstance(value, Number):
        return value
    raise NoQueryError


def sign_of(comparison: Expression) -> Operator:
    sign = _SIGNS.get(text(comparison))
    if sign is None:
        raise NoQueryError
    return sign


def _spelled(value: Expression) -> float | int | None:
    """The number that a literal is or spells."""
    if isinstance(value, Number):
        return value.value
    try:
        return float(value.value.replace(",", "")) if isinstance(value, Text) else None
    except ValueError:
        return None


def compared(own: Term, kind: FeatureKind | None, comparison: str, value: Expression) -> Term:
    """The condition of `Filter` for a feature of a kind: texts in lower case, years and months as a whole."""
    number = _spelled(value)
    sign = _SIGNS.get(comparison)
    if kind == "number" and number is not None and sign is not None:
        return Operation(sign, (own, Number(number)))
    if kind == "boolean" and isinstance(value, Boolean) and sign in ("=", "<>"):
        return Operation(sign, (own, value))
    if kind == "date" and sign is not None and isinstance(value, Text | Number):
        written = str(value.value)
        made = in_period(own, sign, written) or on_day(own, sign, written)
        if made is None:
            raise NoQueryError
        return made
    if not isinstance(value, Text) or number is not None:
        raise NoQueryError
    lowered = Text(value.value.lower())
    if kind == "text":
        return Operation(sign or "contains", (Apply("tolower", (own,)), lowered))
    if kind == "list" and comparison in ("=", "!=", "contains"):
        same = Operation("=", (Apply("tolower", (Apply("tostring", (Variable("each"),)),)), lowered))
        any_of = Quantified("any", "each", own, same)
        return Operation("not", (any_of,)) if comparison == "!=" else any_of
    raise NoQueryError
