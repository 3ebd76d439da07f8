"""What the operators of queries mean, for the values of one row. `kernels.py` does the same faster for columns.

openCypher's rules: null where a value is missing, three-valued logic, whole-number division, one order over values of
all kinds. Beyond it, where a number, a date or a boolean meets text that says one, the text is read as such, and the
frame's remarks say so once.
"""

import math
import re
from collections.abc import Callable, Hashable, Mapping
from datetime import UTC, date, datetime, time
from functools import lru_cache

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import LimitError, ToolError
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue, PathValue, Scalar
from graphtalk.engines.arrays.temporal import (
    Duration,
    in_days,
    in_seconds,
    instant,
    moment,
    read_duration,
    read_time,
    shift,
    write,
)
from graphtalk.graphs.formats.dates import Ambiguous, form_of, read_dates

LEAST, MOST = -(2**63), 2**63 - 1
LONGEST = 10_000_000
"""The most characters or entries that one value may have."""

_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*")
_KINDS: Mapping[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "text",
    date: "date",
    datetime: "datetime",
    time: "time",
    Duration: "duration",
    list: "list",
    dict: "map",
    NodeValue: "node",
    EdgeValue: "edge",
    PathValue: "path",
}
ORDER = (
    *("map", "node", "edge", "list", "path", "datetime", "date", "time", "duration", "text", "boolean"),
    "number",
)
"""The kinds of values as `ORDER BY` puts them, the least first; a missing value comes after all."""


def kind(value: Scalar) -> str:
    """What kind of value it is, in a word; empty for null."""
    return "" if value is None else _KINDS[type(value)]


def describe(value: Scalar, frame: Frame) -> str:
    """A value as a message says it: `the node 'Zinc'`, `the text 'five'`."""
    if isinstance(value, NodeValue):
        return f"the node {frame.graph.label(value.node)!r}"
    if isinstance(value, str):
        return f"the text {value if len(value) < 60 else value[:57] + '...'!r}"
    if isinstance(value, bool | int | float | date | time | Duration):
        return f"the {kind(value)} {to_text(value)}"
    return f"a {kind(value)}" if value is not None else "null"


def opening(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


# equality and order


def equal(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
    """`a = b`. Null where either is null, or where lists or maps differ in nothing but nulls."""
    if a is None or b is None:
        return None
    if isinstance(a, list) and isinstance(b, list):
        return _all_equal(a, b, frame) if len(a) == len(b) else False
    if isinstance(a, dict) and isinstance(b, dict):
        return _all_equal(list(a.values()), [b[k] for k in a], frame) if a.keys() == b.keys() else False
    met = meet(a, b, frame)
    return met is not None and met[0] == met[1]


def _all_equal(a: list[Scalar], b: list[Scalar], frame: Frame) -> bool | None:
    found = [equal(x, y, frame) for x, y in zip(a, b, strict=True)]
    return False if False in found else None if None in found else True


def less(a: Scalar, b: Scalar, frame: Frame, operator: str = "<") -> bool | None:
    """`a < b`, or `<=`, `>`, `>=`. Null where either is null or the kinds have no order between them."""
    if a is None or b is None:
        return None
    if isinstance(a, list) and isinstance(b, list):
        return _less_lists(a, b, frame, operator)
    met = meet(a, b, frame)
    if met is None or isinstance(met[0], dict | NodeValue | EdgeValue | PathValue):
        return None
    x, y = (v.length if isinstance(v, Duration) else v for v in met)
    return _COMPARED[operator](x, y)


_COMPARED: Mapping[str, Callable[[object, object], bool]] = {
    "<": lambda x, y: x < y,  # type: ignore[operator]
    "<=": lambda x, y: x <= y,  # type: ignore[operator]
    ">": lambda x, y: x > y,  # type: ignore[operator]
    ">=": lambda x, y: x >= y,  # type: ignore[operator]
}


def _less_lists(a: list[Scalar], b: list[Scalar], frame: Frame, operator: str) -> bool | None:
    for x, y in zip(a, b, strict=False):
        same = equal(x, y, frame)
        if same is None:
            return None
        if not same:
            return less(x, y, frame, operator)
    return _COMPARED[operator](len(a), len(b))


def meet(a: Scalar, b: Scalar, frame: Frame) -> tuple[Scalar, Scalar] | None:
    """Two values as values of one kind, or None where they are of kinds that do not compare.

    Raises ToolError where a node or an edge is compared with a name or a number: its feature was meant.
    """
    first, second = kind(a), kind(b)
    if first == second:
        return _in_one_zone(a, b)
    if {first, second} == {"date", "datetime"}:
        frame.remark("A date beside a date with a time was taken as its midnight.")
        return _in_one_zone(moment(a), moment(b))  # type: ignore[arg-type]
    if first == "text":
        read = _read_as(a, second, frame)
        return None if read is None else meet(read, b, frame)
    if second == "text":
        read = _read_as(b, first, frame)
        return None if read is None else meet(a, read, frame)
    for thing, other in ((a, b), (b, a)):
        if isinstance(thing, NodeValue | EdgeValue) and isinstance(other, str | int | float | date):
            raise _meant_feature(thing, other, frame)
    return None


def _meant_feature(thing: Scalar, other: Scalar, frame: Frame) -> ToolError:
    return ToolError(
        f"{opening(describe(thing, frame))} cannot be compared with {describe(other, frame)}: compare a property of it, such as its name."
    )


def _in_one_zone(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    if isinstance(a, datetime | time) and isinstance(b, datetime | time):
        if a.tzinfo is None and b.tzinfo is not None:
            return a.replace(tzinfo=UTC), b
        if b.tzinfo is None and a.tzinfo is not None:
            return a, b.replace(tzinfo=UTC)
    return a, b


def _read_as(text: Scalar, wanted: str, frame: Frame) -> Scalar:
    """What text says as a value of another kind, or None where it says none; the remarks tell."""
    assert isinstance(text, str)
    if wanted in ("node", "edge"):
        raise ToolError(
            f"{opening(describe(text, frame))} cannot be compared with a {wanted}: compare a property of it, such as its name."
        )
    read = said(text, wanted)
    if read is not None:
        frame.remark(f"Text that says a {wanted} was compared as a {wanted}.")
    elif wanted in ("date", "datetime", "time", "duration"):
        frame.remark(f"The text {text[:40]!r} is no {wanted}, so nothing compares with it.")
    return read


def said(text: str, wanted: str) -> Scalar:
    """The number, boolean, date, time or duration that text says, None where it says none."""
    if wanted == "number":
        return number(text)
    if wanted == "boolean":
        return {"true": True, "false": False}.get(text.strip().lower())
    if wanted in ("date", "datetime"):
        return _date_told(text.strip())
    readers = {"time": read_time, "duration": read_duration}
    try:
        return readers[wanted](text) if wanted in readers else None
    except ValueError:
        return None


@lru_cache(1024)
def _date_told(text: str) -> date | None:
    """The date that text says in any form that an import takes for one."""
    form = form_of(pa.chunked_array([[text]]))
    try:
        read: date | None = read_dates(pa.chunked_array([[text]]), form)[0].as_py() if form else None
    except Ambiguous:
        return None
    return read


def number(text: str) -> int | float | None:
    """The number that text says, whole where it is written so; None where it says none."""
    if not _NUMBER.fullmatch(text):
        return None
    try:
        whole = int(text)
    except ValueError:
        return float(text)
    return whole if LEAST <= whole <= MOST else float(text)


def identity(value: Scalar) -> Hashable:
    """What is the same for two values that `DISTINCT` and grouping hold for one: nulls are, and 1 and 1.0."""
    if isinstance(value, float) and math.isnan(value):
        return ("number", "nan")
    if isinstance(value, list):
        return ("list", *map(identity, value))
    if isinstance(value, dict):
        return ("map", frozenset((k, identity(v)) for k, v in value.items()))
    if isinstance(value, datetime):
        return ("datetime", value.tzinfo is not None, instant(value))
    return (kind(value), value)


def order(value: Scalar) -> tuple[object, ...]:
    """The key that `ORDER BY` sorts by: comparable for any two values, null the largest."""
    if value is None:
        return (len(ORDER),)
    place = ORDER.index(kind(value))
    if isinstance(value, int | float):
        return (place, (1, 0) if isinstance(value, float) and math.isnan(value) else (0, value))
    if isinstance(value, list):
        return (place, tuple(order(v) for v in value))
    if isinstance(value, dict):
        names = sorted(value)
        return (place, tuple(names), tuple(order(value[n]) for n in names))
    if isinstance(value, datetime):
        return (place, instant(value))
    if isinstance(value, time):
        return (place, value.replace(tzinfo=None), str(value.tzinfo))
    if isinstance(value, Duration):
        return (place, value.length, value.months, value.days)
    if isinstance(value, NodeValue | EdgeValue):
        return (place, value.node if isinstance(value, NodeValue) else value.edge)
    if isinstance(value, PathValue):
        return (place, value.nodes, value.edges)
    return (place, value)


# logic


def boolean(value: Scalar, frame: Frame) -> bool | None:
    """A condition's value. Text that says true or false counts as such; raises ToolError for anything else."""
    if value is None or isinstance(value, bool):
        return value
    read = said(value, "boolean") if isinstance(value, str) else None
    if not isinstance(read, bool):
        raise ToolError(
            f"A condition must be true or false, not {describe(value, frame)}. Write a comparison, such as `= …` or `IS NOT NULL`."
        )
    frame.remark("Text that says a boolean was compared as a boolean.")
    return read


def _and(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
    x, y = boolean(a, frame), boolean(b, frame)
    return False if x is False or y is False else None if x is None or y is None else True


def _or(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
    x, y = boolean(a, frame), boolean(b, frame)
    return True if x or y else None if x is None or y is None else False


def _xor(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
    x, y = boolean(a, frame), boolean(b, frame)
    return None if x is None or y is None else x != y


def _not(a: Scalar, frame: Frame) -> bool | None:
    x = boolean(a, frame)
    return None if x is None else not x


def _unequal(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
    found = equal(a, b, frame)
    return None if found is None else not found


def within(a: Scalar, values: Scalar, frame: Frame) -> bool | None:
    """`a IN values`: null where nothing is equal and something might be."""
    if values is None:
        return None
    if not isinstance(values, list):
        raise ToolError(f"IN needs a list, not {describe(values, frame)}.")
    found = [equal(a, v, frame) for v in values]
    return True if True in found else None if None in found else False


# text


def to_text(value: Scalar) -> str:
    """`toString`: how a boolean, number, date or duration is written."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(
            value, "NaN" if value != value else repr(value)
        )
    if isinstance(value, date | time):
        return write(value)
    return str(value)


def text_of(value: Scalar, frame: Frame) -> str | None:
    """Text, or what a number, a boolean or a date is written as; the remarks tell. None for anything else."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, list | dict | NodeValue | EdgeValue | PathValue):
        return None
    frame.remark(f"A {kind(value)} was taken as the text it is written as.")
    return to_text(value)


def _text_test(test: Callable[[str, str], bool]) -> Callable[[Scalar, Scalar, Frame], bool | None]:
    def tested(a: Scalar, b: Scalar, frame: Frame) -> bool | None:
        if isinstance(a, NodeValue | EdgeValue) and b is not None:
            raise _meant_feature(a, b, frame)
        x, y = text_of(a, frame), text_of(b, frame)
        return None if x is None or y is None else test(x, y)

    return tested


def matches(text: str, pattern: str) -> bool:
    """`text =~ pattern`: the whole text fits the regular expression (RE2, whose time is linear in the text)."""
    return bool(match_texts(pa.array([text]), pattern)[0].as_py())


def match_texts(texts: pa.Array, pattern: str) -> pa.Array:
    """For each text whether all of it fits the pattern. Raises ToolError for a pattern that RE2 cannot read."""
    try:
        return pc.match_substring_regex(texts, rf"\A(?:{pattern})\z")
    except pa.ArrowInvalid as e:
        reason = str(e).partition(":")[2].strip().partition(r": \A")[0] or str(e)
        raise ToolError(f"The regular expression {pattern!r} cannot be read: {reason}") from e


# arithmetic


def whole(value: int) -> int:
    """A whole number as it is. Raises ToolError where 64 bits do not hold it."""
    if not LEAST <= value <= MOST:
        raise ToolError("A whole number became larger than 64 bits hold; use toFloat().")
    return value


def add(a: Scalar, b: Scalar, frame: Frame) -> Scalar:
    """`a + b`: of numbers, texts, lists, a date and a duration, two durations."""
    if a is None or b is None:
        return None
    if isinstance(a, list) or isinstance(b, list):
        joined = (a if isinstance(a, list) else [a]) + (b if isinstance(b, list) else [b])
        return _short(joined)
    if isinstance(a, str) or isinstance(b, str):
        first, second = (None if isinstance(v, PathValue) else _joined(v) for v in (a, b))
        if first is not None and second is not None:
            if len(first) + len(second) > LONGEST:
                raise LimitError(f"A text of more than {LONGEST:,} characters.")
            return first + second
    if isinstance(a, Duration) and isinstance(b, Duration):
        return a.plus(b)
    if isinstance(a, date | time) and isinstance(b, Duration):
        return shift(a, b)
    if isinstance(a, Duration) and isinstance(b, date | time):
        return shift(b, a)
    return _calculated("+", a, b, frame)


def _joined(value: Scalar) -> str | None:
    return to_text(value) if isinstance(value, str | bool | int | float | date | time | Duration) else None


def _short(values: list[Scalar]) -> list[Scalar]:
    if len(values) > LONGEST:
        raise LimitError(f"A list of more than {LONGEST:,} entries.")
    return values


def _subtract(a: Scalar, b: Scalar, frame: Frame) -> Scalar:
    if isinstance(a, Duration) and isinstance(b, Duration):
        return a.plus(b, -1)
    if isinstance(a, date | time) and isinstance(b, Duration):
        return shift(a, b, -1)
    if isinstance(a, date) and isinstance(b, date):
        return in_seconds(b, a) if isinstance(a, datetime) or isinstance(b, datetime) else in_days(b, a)
    if isinstance(a, date) and isinstance(b, int | float):
        raise ToolError(f"A number cannot be taken from a date: write `- duration({{days: {b}}})`.")
    return _calculated("-", a, b, frame)


def _multiply(a: Scalar, b: Scalar, frame: Frame) -> Scalar:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Duration) and isinstance(other, int | float) and not isinstance(other, bool):
            return one.times(other)
    return _calculated("*", a, b, frame)


def _divide(a: Scalar, b: Scalar, frame: Frame) -> Scalar:
    if isinstance(a, Duration) and isinstance(b, int | float) and b and not isinstance(b, bool):
        return a.times(1 / b)
    return _calculated("/", a, b, frame)


def numeric(value: Scalar, frame: Frame, doing: str) -> int | float:
    """A number, or one that text says. Raises ToolError that names anything else."""
    read = number(value) if isinstance(value, str) else value
    if isinstance(read, bool) or not isinstance(read, int | float):
        hint = " Write `+ duration({days: …})`." if isinstance(value, date) else ""
        raise ToolError(f"{doing} needs numbers, not {describe(value, frame)}.{hint}")
    if isinstance(value, str):
        frame.remark("Text that says a number was calculated with as a number.")
    return read


def _calculated(operator: str, a: Scalar, b: Scalar, frame: Frame) -> int | float | None:
    if a is None or b is None:
        return None
    x, y = numeric(a, frame, f"`{operator}`"), numeric(b, frame, f"`{operator}`")
    if isinstance(x, int) and isinstance(y, int) and operator != "^":
        return whole(_WHOLE[operator](x, y))
    try:
        return _REAL[operator](float(x), float(y))
    except OverflowError:
        return math.inf if x > 0 or float(y) % 2 == 0 else -math.inf


def _whole_quotient(x: int, y: int) -> int:
    if y == 0:
        raise ToolError("Division of a whole number by zero.")
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _real_quotient(x: float, y: float) -> float:
    if y:
        return x / y
    return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x) * math.copysign(1, y)


def _power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except ValueError:  # a root of a negative number, or a negative power of zero
        return math.nan if x else math.copysign(math.inf, x if y % 2 == 1 else 1)


_WHOLE: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": _whole_quotient,
    "%": lambda x, y: x - y * _whole_quotient(x, y),
}
_REAL: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": _real_quotient,
    "%": lambda x, y: math.fmod(x, y) if y and not math.isinf(x) else math.nan,
    "^": _power,
}


def _negative(a: Scalar, frame: Frame) -> Scalar:
    if a is None:
        return None
    if isinstance(a, Duration):
        return a.times(-1)
    x = numeric(a, frame, "`-`")
    return whole(-x) if isinstance(x, int) else -x


OPERATORS: Mapping[str, Callable[..., Scalar]] = {
    "or": _or,
    "xor": _xor,
    "and": _and,
    "not": _not,
    "=": equal,
    "<>": _unequal,
    "<": less,
    "<=": lambda a, b, frame: less(a, b, frame, "<="),
    ">": lambda a, b, frame: less(a, b, frame, ">"),
    ">=": lambda a, b, frame: less(a, b, frame, ">="),
    "in": within,
    "starts with": _text_test(str.startswith),
    "ends with": _text_test(str.endswith),
    "contains": _text_test(lambda text, piece: piece in text),
    "=~": _text_test(matches),
    "is null": lambda a, frame: a is None,
    "is not null": lambda a, frame: a is not None,
    "+": add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "%": lambda a, b, frame: _calculated("%", a, b, frame),
    "^": lambda a, b, frame: _calculated("^", a, b, frame),
    "negative": _negative,
}
"""Each operator as a function of its operands' values and the frame."""
