"""Which conditions an engine can check so that they mean there what they mean here.

These are comparisons of a property with a literal of its kind, put together by AND, OR and NOT. An engine may find too
much by one that is not `exact` (texts in lower case: languages differ in a few letters); it is then checked here again.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import cast

from graphtalk.calls.ast import Boolean, Items, Number, Text
from graphtalk.calls.query import Apply, Labelled, List, Operation, Property, Term, Variable
from graphtalk.engines.elsewhere.protocol import UnsaidError
from graphtalk.engines.naming import node_column
from graphtalk.graphs.schema import Feature, FeatureKind, Schema

TRUE, FALSE = Boolean(True), Boolean(False)
_LARGEST = 2**53
_TURNED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OF_TEXTS = ("starts with", "ends with", "contains")


@dataclass(frozen=True)
class Test:
    """A condition for an engine. `exact`: what it finds needs no further look. `null`: it may be null by the types alone."""

    term: Term
    exact: bool = True
    null: bool = False


@dataclass(frozen=True)
class Typed:
    """What each variable of a way stands for: the type of a node, or the features of an edge."""

    schema: Schema
    nodes: Mapping[str, str]
    edges: Mapping[str, int]


@dataclass(frozen=True)
class Connectives:
    """How a language writes AND and OR between conditions, and NOT before one."""

    both: str
    either: str
    negated: str


def put_together(term: Term, words: Connectives, compared: Callable[[Operation], str]) -> str:
    """A condition in a language, in brackets; `compared` says its comparisons. Raises UnsaidError where it is none."""
    if not isinstance(term, Operation):
        raise UnsaidError("a condition")
    if term.operator in ("and", "or"):
        parts = [put_together(each, words, compared) for each in term.operands]
        return f"({(words.both if term.operator == 'and' else words.either).join(parts)})"
    if term.operator == "not":
        return f"({words.negated}{put_together(term.operands[0], words, compared)})"
    return compared(term)


def test_of(term: Term, typed: Typed) -> Test | None:
    """The condition as an engine can check it for these types; None where it cannot.

    `TRUE` and `FALSE` stand for what the types alone tell; FALSE also for what is null, which is not true either.
    """
    if isinstance(term, Boolean):
        return Test(term)
    if isinstance(term, Labelled):
        return _labelled(term, typed)
    if not isinstance(term, Operation):
        return _compared("=", term, TRUE, typed) if isinstance(term, Property) else None
    operands = term.operands
    if term.operator in ("and", "or"):
        parts = [test_of(each, typed) for each in operands]
        if None in parts:
            return None
        return _joined(term.operator == "and", cast(list[Test], parts))
    if term.operator == "not":
        inner = test_of(operands[0], typed)
        if inner is None or not inner.exact or inner.null or inner.term in (TRUE, FALSE):
            return None
        return Test(Operation("not", (inner.term,)))
    if term.operator in ("is null", "is not null"):
        return _is_null(term.operator == "is null", operands[0], typed)
    if len(operands) != 2:
        return None
    one, other = operands
    if term.operator in ("=", "<>") and isinstance(one, Variable) and isinstance(other, Variable):
        return _same_node(term.operator == "=", one.name, other.name, typed)
    if term.operator in _TURNED and not isinstance(one, Property | Apply):
        return _compared(_TURNED[term.operator], other, one, typed)
    return _compared(term.operator, one, other, typed)


def _labelled(term: Labelled, typed: Typed) -> Test | None:
    if not isinstance(term.of, Variable):
        return None
    if term.of.name in typed.nodes:
        return Test(TRUE if set(term.labels) == {typed.nodes[term.of.name]} else FALSE)
    return None


def _joined(every: bool, parts: list[Test]) -> Test:
    neutral, deciding = (TRUE, FALSE) if every else (FALSE, TRUE)
    null = any(part.null for part in parts)
    if any(part.term == deciding for part in parts):
        return Test(deciding, null=null)
    left = [part for part in parts if part.term != neutral]
    if not left:
        return Test(neutral, null=null)
    made = left[0].term
    for part in left[1:]:
        made = Operation("and" if every else "or", (made, part.term))
    return Test(made, all(part.exact for part in left), null)


def _is_null(null: bool, of: Term, typed: Typed) -> Test | None:
    if isinstance(of, Variable) and of.name in typed.nodes:
        return Test(FALSE if null else TRUE)
    found = _feature(of, typed)
    if found is None:
        return None
    column, kind = found
    if kind is None:
        return Test(TRUE if null else FALSE)
    return Test(Operation("is null" if null else "is not null", (column,)))


def _same_node(same: bool, one: str, other: str, typed: Typed) -> Test | None:
    if not {one, other} <= typed.nodes.keys():
        return None
    if typed.nodes[one] != typed.nodes[other]:
        return Test(FALSE if same else TRUE)
    return Test(Operation("=" if same else "<>", (Variable(one), Variable(other))))


def _feature(of: Term, typed: Typed) -> tuple[Property, FeatureKind | None] | None:
    """A property as a column of its type, and its kind; no kind where the type has no such column."""
    if not isinstance(of, Property) or not isinstance(of.of, Variable):
        return None
    name, column = of.of.name, of.name
    features: tuple[Feature, ...] = ()
    if name in typed.nodes:
        t = typed.schema.node_type(typed.nodes[name])
        found = node_column(t, of.name)
        if found == "id":
            return Property(of.of, "id"), "text"
        features, column = t.features, found or ""
    elif name in typed.edges:
        features = typed.schema.relations[typed.edges[name]].features
    else:
        return None
    held = next((f for f in features if f.name == column), None)
    return Property(of.of, column), held.kind if held else None


def _compared(operator: str, of: Term, value: Term, typed: Typed) -> Test | None:
    lowered = isinstance(of, Apply) and of.function == "tolower" and len(of.arguments) == 1
    found = _feature(of.arguments[0] if isinstance(of, Apply) and lowered else of, typed)
    if found is None:
        return None
    column, kind = found
    if kind is None:
        return Test(FALSE, null=True)
    if operator == "in":
        values = value.values if isinstance(value, Items | List) else None
        if lowered or not values or not all(_literal("=", kind, each) for each in values):
            return None
        return Test(Operation("in", (column, Items(tuple(values)))))  # type: ignore[arg-type]
    if not _literal(operator, kind, value):
        return None
    if lowered:
        if kind != "text" or not isinstance(value, Text) or not value.value.isascii() or operator == "<>":
            return None
        return Test(Operation(operator, (Apply("tolower", (column,)), value)), exact=False)  # type: ignore[arg-type]
    return Test(Operation(operator, (column, value)))  # type: ignore[arg-type]


def _literal(operator: str, kind: FeatureKind, value: Term) -> bool:
    """Whether an engine compares a feature of a kind with a literal as it is meant here."""
    if kind == "number":
        fits = isinstance(value, Number) and math.isfinite(value.value) and abs(value.value) <= _LARGEST
        return fits and operator in _TURNED
    if kind == "text":
        told = isinstance(value, Text) and "\0" not in value.value
        return told and (operator in ("=", "<>") or (operator in _OF_TEXTS and value.value != ""))  # type: ignore[union-attr]
    if kind == "boolean":
        return isinstance(value, Boolean) and operator in ("=", "<>")
    return kind == "date" and operator in _TURNED and day_of(value) is not None


def day_of(value: Term) -> date | None:
    """The day that `date("2001-05-01")` says."""
    if not isinstance(value, Apply) or value.function != "date" or len(value.arguments) != 1:
        return None
    written = value.arguments[0]
    try:
        return date.fromisoformat(written.value) if isinstance(written, Text) else None
    except ValueError:
        return None
