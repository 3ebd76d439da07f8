"""The functions of queries: each by its name in lower case, as a function of the values of one row and the frame.

Names and meaning are openCypher's and Neo4j 5's. What is not repeatable (`rand`, `randomUUID`, the present day) is
refused.
"""

import math
from collections.abc import Callable, Mapping
from datetime import date, time
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from graphtalk.core import CheckError, LimitError, ToolError, choices
from graphtalk.engines.arrays import temporal
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.function import Function, text_argument
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue, PathValue, Scalar
from graphtalk.engines.arrays.scalars import (
    LEAST,
    LONGEST,
    MOST,
    describe,
    equal,
    numeric,
    opening,
    said,
    to_text,
    whole,
)
from graphtalk.engines.arrays.temporal import Duration
from graphtalk.engines.arrays.time_functions import TIME_FUNCTIONS
from graphtalk.engines.naming import node_column
from graphtalk.graphs import Graph

AGGREGATES: Mapping[str, tuple[int, int]] = {
    "count": (0, 1),
    "sum": (1, 1),
    "avg": (1, 1),
    "min": (1, 1),
    "max": (1, 1),
    "collect": (1, 1),
    "median": (1, 1),
    "stdev": (1, 1),
    "stdevp": (1, 1),
    "percentilecont": (2, 2),
    "percentiledisc": (2, 2),
}
"""The aggregates, and how many arguments each takes: least and most."""


_REFUSED = {
    "rand": "an answer must come out the same again",
    "randomuuid": "an answer must come out the same again",
}


def check(name: str, arguments: int) -> None:
    """Raise CheckError where there is no such function or aggregate, or it takes another number of arguments."""
    if name in _REFUSED:
        raise CheckError(f"{name}() is refused: {_REFUSED[name]}.")
    known = FUNCTIONS.get(name)
    least, most = (known.least, known.most) if known else AGGREGATES.get(name, (-1, -1))
    if least < 0:
        raise CheckError(f"No function {name!r}. {choices(name, [*FUNCTIONS, *AGGREGATES])}")
    if not least <= arguments <= most:
        span = f"{least}" if least == most else f"{least} to {most}" if most < 99 else f"at least {least}"
        raise CheckError(f"{name}() takes {span} arguments, not {arguments}.")


# nodes, edges and maps


def property_of(value: Scalar, name: str, frame: Frame) -> Scalar:
    """`value.name`: a feature of a node or an edge, an entry of a map, a part of a date. Null where there is none."""
    if isinstance(value, NodeValue):
        return node_property(frame.graph, value.node, name)
    if isinstance(value, EdgeValue):
        return edge_property(frame.graph, value.edge, name)
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, date | time | Duration):
        return temporal.part(value, name)
    if value is None:
        return None
    raise ToolError(f"{opening(describe(value, frame))} has no property {name!r}.")


def node_property(graph: Graph, node: int, name: str) -> Scalar:
    """A property of a node as `naming.node_column` reads it, null where its type lacks it."""
    column = node_column(graph.node_type(node), name)
    return None if column is None else graph.feature(node, column)


def edge_property(graph: Graph, edge: int, name: str) -> Scalar:
    """A feature of an edge, null where its relation lacks it."""
    relation, place = relation_of(graph, edge)
    table = graph.edge_columns[relation]
    return table.column(name)[place].as_py() if name in table.column_names else None


def relation_of(graph: Graph, edge: int) -> tuple[int, int]:
    """The position of an edge's relation, and the edge's own within it."""
    relation = int(graph.relation_positions(np.array([edge]))[0])
    return relation, edge - int(graph.edge_offsets[relation])


def ends(graph: Graph, edge: int) -> tuple[int, int]:
    """The source and the target of an edge."""
    relation, place = relation_of(graph, edge)
    source, target = graph.edge_ends(relation, np.array([place]))
    return int(source[0]), int(target[0])


def properties(value: Scalar, frame: Frame) -> dict[str, Scalar]:
    """All features of a node or an edge that it has, or a map as it is."""
    if isinstance(value, NodeValue):
        return dict(frame.graph.features(value.node))
    if isinstance(value, EdgeValue):
        return dict(frame.graph.edge_features(*relation_of(frame.graph, value.edge)))
    if isinstance(value, dict):
        return value
    raise ToolError(f"properties() needs a node, an edge or a map, not {describe(value, frame)}.")


def _labels(value: Scalar, frame: Frame) -> Scalar:
    return [frame.graph.node_type(_node(value, "labels", frame)).name]


def _node(value: Scalar, doing: str, frame: Frame) -> int:
    if not isinstance(value, NodeValue):
        raise ToolError(f"{doing}() needs a node, not {describe(value, frame)}.")
    return value.node


def _edge(value: Scalar, doing: str, frame: Frame) -> int:
    if not isinstance(value, EdgeValue):
        raise ToolError(f"{doing}() needs an edge, not {describe(value, frame)}.")
    return value.edge


def _type(value: Scalar, frame: Frame) -> Scalar:
    relation, _ = relation_of(frame.graph, _edge(value, "type", frame))
    return frame.graph.schema.relations[relation].name


def _id(value: Scalar, frame: Frame) -> Scalar:
    return value.edge if isinstance(value, EdgeValue) else frame.graph.id(_node(value, "id", frame))


def _path(value: Scalar, doing: str, frame: Frame) -> PathValue:
    if not isinstance(value, PathValue):
        raise ToolError(f"{doing}() needs a path, not {describe(value, frame)}.")
    return value


# lists and text


def _size(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, PathValue):
        return len(value.edges)
    if isinstance(value, list | dict | str):
        return len(value)
    if isinstance(value, date | time):
        return len(text_argument(value, "size", frame))
    raise ToolError(f"size() needs a list or a text, not {describe(value, frame)}.")


def _list(value: Scalar, doing: str, frame: Frame) -> list[Scalar]:
    if not isinstance(value, list):
        raise ToolError(f"{doing}() needs a list, not {describe(value, frame)}.")
    return value


def _count(value: Scalar, doing: str, frame: Frame) -> int:
    """A whole number that is not negative."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ToolError(f"{doing}() needs a whole number from 0, not {describe(value, frame)}.")
    return value


def _texts(doing: str, apply: Callable[[str], Scalar]) -> Function:
    return Function(lambda value, frame: apply(text_argument(value, doing, frame)))


def _reverse(value: Scalar, frame: Frame) -> Scalar:
    return value[::-1] if isinstance(value, list) else text_argument(value, "reverse", frame)[::-1]


def _substring(value: Scalar, start: Scalar, *rest: Scalar) -> Scalar:
    frame = rest[-1]
    assert isinstance(frame, Frame)
    text, first = text_argument(value, "substring", frame), _count(start, "substring", frame)
    return text[first:] if len(rest) == 1 else text[first : first + _count(rest[0], "substring", frame)]


def _right(value: Scalar, length: Scalar, frame: Frame) -> Scalar:
    text = text_argument(value, "right", frame)
    return text[max(0, len(text) - _count(length, "right", frame)) :]


def _replace(value: Scalar, old: Scalar, new: Scalar, frame: Frame) -> Scalar:
    text, was, will = (text_argument(v, "replace", frame) for v in (value, old, new))
    if not was:
        return text
    if len(text) + text.count(was) * (len(will) - len(was)) > LONGEST:
        raise LimitError(f"A text of more than {LONGEST:,} characters.")
    return text.replace(was, will)


def _split(value: Scalar, at: Scalar, frame: Frame) -> Scalar:
    parts = [text_argument(value, "split", frame)]
    for each in at if isinstance(at, list) else [at]:
        mark = text_argument(each, "split", frame)
        parts = [piece for part in parts for piece in (part.split(mark) if mark else list(part))]
    return list(parts)


def _trim(doing: str, strip: Callable[..., str]) -> Function:
    def trimmed(value: Scalar, *rest: Scalar) -> Scalar:
        frame = rest[-1]
        assert isinstance(frame, Frame)
        marks = (text_argument(rest[0], doing, frame),) if len(rest) > 1 else ()
        return strip(text_argument(value, doing, frame), *marks)

    return Function(trimmed, 1, 2)


def _range(start: Scalar, end: Scalar, *rest: Scalar) -> Scalar:
    frame = rest[-1]
    assert isinstance(frame, Frame)
    given = (start, end, rest[0] if len(rest) > 1 else 1)
    bounds = [v for v in given if isinstance(v, int) and not isinstance(v, bool)]
    if len(bounds) < 3 or bounds[2] == 0:
        wrong = next((v for v in given if isinstance(v, bool) or not isinstance(v, int)), 0)
        raise ToolError(f"range() needs whole numbers and a step other than 0, not {describe(wrong, frame)}.")
    first, last, step = bounds
    frame.meter.take(max(0, (last - first) // step + 1), 8)  # `len` of a range fails beyond 2^63 - 1
    return list(range(first, last + (1 if step > 0 else -1), step))


# numbers


def _to_integer(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, str):
        read = said(value, "number")
        return _to_integer(read, frame) if read is not None else None
    if not isinstance(value, bool | int | float):
        raise ToolError(f"toInteger() cannot take {describe(value, frame)}.")
    if isinstance(value, float) and not LEAST <= value <= MOST:
        return None if math.isnan(value) else whole(MOST + 1)
    return int(value)


def _to_float(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, str):
        read = said(value, "number")
        return float(read) if isinstance(read, int | float) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ToolError(f"toFloat() cannot take {describe(value, frame)}.")
    return float(value)


def _to_boolean(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, str):
        return said(value, "boolean")
    if not isinstance(value, bool | int):
        raise ToolError(f"toBoolean() cannot take {describe(value, frame)}.")
    return bool(value)


def _to_string(value: Scalar, frame: Frame) -> Scalar:
    if not isinstance(value, str | bool | int | float | date | time | Duration):
        raise ToolError(f"toString() cannot take {describe(value, frame)}.")
    return to_text(value)


def _or_null(convert: Callable[[Scalar, Frame], Scalar]) -> Function:
    def converted(value: Scalar, frame: Frame) -> Scalar:
        try:
            return convert(value, frame)
        except ToolError:
            return None

    return Function(converted)


def _round(value: Scalar, *rest: Scalar) -> Scalar:
    """Ties go up without a precision, and away from zero with one, as in Neo4j."""
    frame = rest[-1]
    assert isinstance(frame, Frame)
    x = numeric(value, frame, "round()")
    if math.isnan(x) or math.isinf(x):
        return float(x)
    if len(rest) == 1:
        return float(math.floor(x + 0.5) if abs(x) < 2**52 else x)
    places = _count(rest[0], "round", frame)
    if abs(x) > 1e15 or places > 300:
        return float(x)
    return float(Decimal(repr(float(x))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


def _absolute(value: Scalar, frame: Frame) -> Scalar:
    if isinstance(value, Duration):
        return value.times(-1) if value.length < 0 else value
    x = abs(numeric(value, frame, "abs()"))
    return whole(x) if isinstance(x, int) else x


def _sign(value: Scalar, frame: Frame) -> Scalar:
    x = numeric(value, frame, "sign()")
    return (x > 0) - (x < 0)


def _real(name: str, apply: Callable[[float], float]) -> Function:
    """A function of real numbers; NaN outside its domain, infinity where it overflows."""

    def applied(value: Scalar, frame: Frame) -> Scalar:
        x = float(numeric(value, frame, f"{name}()"))
        try:
            return float(apply(x))
        except OverflowError:
            return math.inf
        except ValueError:
            return -math.inf if x == 0 and name.startswith("log") else math.nan

    return Function(applied)


def _floor(x: float) -> float:
    return x if math.isinf(x) or math.isnan(x) else float(math.floor(x))


def _ceil(x: float) -> float:
    return x if math.isinf(x) or math.isnan(x) else float(math.ceil(x))


def _null_if(a: Scalar, b: Scalar, frame: Frame) -> Scalar:
    return None if equal(a, b, frame) else a


def _coalesce(*values: Scalar) -> Scalar:
    return next((v for v in values[:-1] if v is not None), None)


FUNCTIONS: Mapping[str, Function] = {
    # nodes, edges, paths
    "labels": Function(_labels),
    "type": Function(_type),
    "id": Function(_id),
    "elementid": Function(lambda v, frame: str(_id(v, frame))),
    "properties": Function(properties),
    "keys": Function(lambda v, frame: list(properties(v, frame))),
    "startnode": Function(lambda v, frame: NodeValue(ends(frame.graph, _edge(v, "startNode", frame))[0])),
    "endnode": Function(lambda v, frame: NodeValue(ends(frame.graph, _edge(v, "endNode", frame))[1])),
    "nodes": Function(lambda v, frame: [NodeValue(n) for n in _path(v, "nodes", frame).nodes]),
    "relationships": Function(
        lambda v, frame: [EdgeValue(e) for e in _path(v, "relationships", frame).edges]
    ),
    "rels": Function(lambda v, frame: [EdgeValue(e) for e in _path(v, "relationships", frame).edges]),
    "length": Function(_size),
    # lists
    "size": Function(_size),
    "head": Function(lambda v, frame: next(iter(_list(v, "head", frame)), None)),
    "last": Function(lambda v, frame: next(reversed(_list(v, "last", frame)), None)),
    "tail": Function(lambda v, frame: _list(v, "tail", frame)[1:]),
    "reverse": Function(_reverse),
    "range": Function(_range, 2, 3),
    "isempty": Function(lambda v, frame: _size(v, frame) == 0),
    # any values
    "coalesce": Function(_coalesce, 1, 99, strict=False),
    "nullif": Function(_null_if, 2, 2, strict=False),
    "exists": Function(lambda v, frame: v is not None, strict=False),
    "tostring": Function(_to_string),
    "tointeger": Function(_to_integer),
    "tofloat": Function(_to_float),
    "toboolean": Function(_to_boolean),
    "tostringornull": _or_null(_to_string),
    "tointegerornull": _or_null(_to_integer),
    "tofloatornull": _or_null(_to_float),
    "tobooleanornull": _or_null(_to_boolean),
    # text
    "tolower": _texts("toLower", str.lower),
    "lower": _texts("lower", str.lower),
    "toupper": _texts("toUpper", str.upper),
    "upper": _texts("upper", str.upper),
    "trim": _trim("trim", str.strip),
    "btrim": _trim("btrim", str.strip),
    "ltrim": _trim("ltrim", str.lstrip),
    "rtrim": _trim("rtrim", str.rstrip),
    "left": Function(lambda v, n, frame: text_argument(v, "left", frame)[: _count(n, "left", frame)], 2, 2),
    "right": Function(_right, 2, 2),
    "substring": Function(_substring, 2, 3),
    "replace": Function(_replace, 3, 3),
    "split": Function(_split, 2, 2),
    # numbers
    "abs": Function(_absolute),
    "sign": Function(_sign),
    "round": Function(_round, 1, 2),
    "floor": _real("floor", _floor),
    "ceil": _real("ceil", _ceil),
    "sqrt": _real("sqrt", math.sqrt),
    "exp": _real("exp", math.exp),
    "log": _real("log", math.log),
    "log10": _real("log10", math.log10),
    "sin": _real("sin", math.sin),
    "cos": _real("cos", math.cos),
    "tan": _real("tan", math.tan),
    "cot": _real("cot", lambda x: 1 / math.tan(x) if math.tan(x) else math.inf),
    "asin": _real("asin", math.asin),
    "acos": _real("acos", math.acos),
    "atan": _real("atan", math.atan),
    "degrees": _real("degrees", math.degrees),
    "radians": _real("radians", math.radians),
    "haversin": _real("haversin", lambda x: (1 - math.cos(x)) / 2),
    "atan2": Function(
        lambda y, x, frame: math.atan2(numeric(y, frame, "atan2()"), numeric(x, frame, "atan2()")), 2, 2
    ),
    "pi": Function(lambda frame: math.pi, 0, 0),
    "e": Function(lambda frame: math.e, 0, 0),
    "isnan": Function(lambda v, frame: math.isnan(numeric(v, frame, "isNaN()"))),
    **TIME_FUNCTIONS,
}
"""The functions by name, in lower case."""
