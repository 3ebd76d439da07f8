"""The fast way over whole columns gives what the way row by row gives, values and remarks."""

import math
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphtalk.core import CallError
from graphtalk.engines.arrays import kernels
from graphtalk.engines.arrays.columns import Same, column_of, each, sort_key, spread, values_of
from graphtalk.engines.arrays.functions import FUNCTIONS, property_of
from graphtalk.engines.arrays.rows import Column, EdgeValue, NodeValue, Scalar
from graphtalk.engines.arrays.scalars import OPERATORS, order
from graphtalk.engines.arrays.temporal import Duration
from query_runs import all_nodes, frame, people

GRAPH = people()
DAYS = st.dates(date(2019, 12, 30), date(2020, 1, 3))
MOMENTS = st.builds(
    lambda day, hours: datetime(day.year, day.month, day.day) + timedelta(hours=hours),
    DAYS,
    st.integers(0, 23),
)
KINDS: dict[str, st.SearchStrategy[Scalar]] = {
    "integer": st.integers(-3, 3) | st.sampled_from([2**53 + 1, -(2**63), 2**63 - 1]),
    "real": st.floats(-4, 4) | st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 2.0**53]),
    "text": st.text("abÉ1.", max_size=3)
    | st.sampled_from(["2", "1.5", "true", "2020-01-01", "9007199254740993"]),
    "boolean": st.booleans(),
    "date": DAYS,
    "datetime": MOMENTS,
    "moment": MOMENTS.map(lambda at: at.replace(tzinfo=UTC)),
    "node": st.integers(0, 6).map(NodeValue),
    "edge": st.integers(0, 5).map(EdgeValue),
    "time": st.times(),
    "duration": st.builds(
        Duration, st.integers(-13, 13), st.integers(-40, 40), st.integers(-(10**12), 10**12)
    ),
    "map": st.dictionaries(st.sampled_from(["year", "month", "days", "hour", "x"]), st.integers(-2, 3)),
    "integers": st.lists(st.integers(-3, 3) | st.none(), max_size=3),
    "texts": st.lists(st.text("ab", max_size=1) | st.none(), max_size=3),
    "nodes": st.lists(st.integers(0, 6).map(NodeValue), max_size=3),
    "nothing": st.none(),
}

KIND = st.sampled_from(list(KINDS))
SIZE = st.integers(1, 8)
# Made once: hypothesis takes longer to look at a new strategy than to draw from one that it knows.
VALUES = {kind: values | st.none() for kind, values in KINDS.items()}
LISTS = {
    (kind, size): st.lists(values, min_size=size, max_size=size)
    for kind, values in VALUES.items()
    for size in range(1, 9)
}


@st.composite
def operands(draw: st.DrawFn, count: int) -> list[Column | Same]:
    """Columns of one length, each of one kind with nulls; some the same value in each row."""
    size = draw(SIZE)
    first = draw(KIND)
    found: list[Column | Same] = []
    for place in range(count):
        kind = first if place == 0 or draw(st.booleans()) else draw(KIND)
        if place == 1 and draw(st.integers(0, 9)) == 0:
            kind = {"integer": "integers", "text": "texts", "node": "nodes"}.get(first, kind)
        if draw(st.integers(0, 3)) == 0:
            found.append(Same(draw(VALUES[kind]), size))
        else:
            found.append(column_of(draw(LISTS[kind, size])))
    return found


def alike(a: Scalar, b: Scalar) -> bool:
    """The same value of the same type; NaN is itself, and reals may differ in the last bits."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if type(a) is not type(b):
        return False
    if isinstance(a, float) and isinstance(b, float):
        return (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=1e-12) or a == b
    return a == b


def same_as_slowly(
    fast: Column | None, slow: object, given: list[Column | Same], kernel_remarks: list[str]
) -> bool:
    """Whether the two ways give the same; true of what is not done over columns."""
    if fast is None:
        return True
    assert callable(slow)
    at = frame(GRAPH)
    wanted = [slow(*row, at) for row in zip(*map(values_of, given), strict=True)]
    found = values_of(fast)
    same = len(found) == len(wanted) and all(map(alike, found, wanted))
    return same and set(at.remarks) <= set(kernel_remarks)


@pytest.mark.parametrize("operator", OPERATORS)
@given(st.data())
def test_operators_over_columns_are_operators_of_values(operator: str, data: st.DataObject) -> None:
    one = operator in ("not", "negative", "is null", "is not null")
    given = data.draw(operands(1 if one else 2))
    at = frame(GRAPH)
    if operator == "=~" and len(given) == 2 and isinstance(given[1], Same):
        given[1] = Same(data.draw(st.sampled_from(["a.*", "(?i)A|b", "", "[^a]+$", "^ab"])), len(given[0]))
    found = kernels.operate(operator, given, at)
    assert same_as_slowly(found, OPERATORS[operator], given, at.remarks), (given, found)


@pytest.mark.parametrize(
    "function",
    [
        *(
            "tolower",
            "toupper",
            "size",
            "isempty",
            "head",
            "last",
            "tail",
            "floor",
            "ceil",
            "tofloat",
            "length",
        ),
        *("coalesce", "id", "labels", "type", "startnode", "endnode", "elementid"),
    ],
)
@given(st.data())
def test_functions_over_columns_are_functions_of_values(function: str, data: st.DataObject) -> None:
    given = data.draw(operands(data.draw(st.integers(1, 3)) if function == "coalesce" else 1))
    at = frame(GRAPH)
    found = kernels.apply(function, given, at)
    assert same_as_slowly(found, FUNCTIONS[function], given, at.remarks), (given, found)


@pytest.mark.parametrize(
    "name", ["name", "id", "age", "born", "tags", "title", "weight", "since", "height", "none"]
)
@given(st.lists(st.integers(-1, 6), max_size=12), st.booleans())
def test_features_of_a_column_are_those_of_each(name: str, numbers: list[int], edges: bool) -> None:
    kind = (lambda n: EdgeValue(min(n, 5))) if edges else NodeValue
    column = column_of([None if n < 0 else kind(n) for n in numbers])
    assume(isinstance(column, kernels.Nodes | kernels.Edges))
    wanted = [property_of(value, name, frame(GRAPH)) for value in values_of(column)]
    assert all(map(alike, values_of(kernels.properties(column, name, GRAPH)), wanted))


@given(st.lists(st.one_of(*KINDS.values()), max_size=20))
def test_columns_keep_their_values(values: list[Scalar]) -> None:
    assert all(map(alike, values_of(column_of(values)), values))


@given(st.sampled_from(list(KINDS)), st.data())
def test_sort_keys_are_in_the_order_of_values(kind: str, data: st.DataObject) -> None:
    values = data.draw(st.lists(KINDS[kind] | st.none(), min_size=2, max_size=12))
    key = sort_key(column_of(values)).tolist()
    for a, x in zip(values, key, strict=True):
        for b, y in zip(values, key, strict=True):
            if a == 2**63 - 1 or b == 2**63 - 1:
                continue  # the one whole number that sorts with null
            assert (order(a) < order(b)) == (x < y)


@given(
    st.lists(st.text("ab12", max_size=2) | st.none(), min_size=70, max_size=90),
    st.sampled_from(["=", "<", "+"]),
)
def test_a_function_of_few_values_is_worked_out_once_for_each(
    values: list[str | None], operator: str
) -> None:
    given: list[Column | Same] = [column_of(values), Same(2, len(values))]
    at = frame(GRAPH)
    found = values_of(spread(each(OPERATORS[operator], given, len(values), at)))
    assert found == [OPERATORS[operator](v, 2, at) for v in values]


def test_the_test_reaches_the_fast_way() -> None:
    """Each operator that has a fast way takes it for the columns that it is for."""
    at = frame(GRAPH)
    nodes = all_nodes(GRAPH).columns["n"]
    numbers, texts, truths = (
        column_of([1, 2, None]),
        column_of(["a", "b", None]),
        column_of([True, None, False]),
    )
    for operator in ("=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^"):
        assert kernels.operate(operator, [numbers, column_of([1.5, 2.5, 3.5])], at) is not None
        assert kernels.operate(operator, [numbers, Same(2, 3)], at) is not None
    for operator in ("starts with", "ends with", "contains", "=~", "=", "<", "+"):
        assert kernels.operate(operator, [texts, Same("a", 3)], at) is not None
    for operator in ("and", "or", "xor"):
        assert kernels.operate(operator, [truths, truths], at) is not None
    for operator in ("starts with", "ends with", "contains"):
        for pair in ([texts, texts], [texts, numbers], [numbers, texts]):
            assert kernels.operate(operator, pair, at) is not None
    for operator in ("=", "<>", "<"):
        assert kernels.operate(operator, [texts, numbers], at) is not None
    assert kernels.operate("in", [numbers, Same([1, 2], 3)], at) is not None
    assert kernels.operate("in", [texts, column_of([["a"], [], ["b"]])], at) is not None
    assert kernels.operate("=", [nodes, nodes], at) is not None
    assert kernels.operate("<", [column_of([date(2020, 1, 1)]), Same("2020-01-01", 1)], at) is not None
    assert isinstance(np.asarray(sort_key(nodes)), np.ndarray)


@pytest.mark.parametrize("operator", OPERATORS)
@given(st.data())
def test_operators_raise_only_what_is_meant_for_people(operator: str, data: st.DataObject) -> None:
    one = operator in ("not", "negative", "is null", "is not null")
    given = data.draw(operands(1 if one else 2))
    at = frame(GRAPH)
    try:
        each(OPERATORS[operator], given, len(given[0]), at)
    except CallError as e:
        assert str(e).endswith((".", "'")) or ":" in str(e)


@pytest.mark.parametrize("function", FUNCTIONS)
@given(st.data())
def test_functions_raise_only_what_is_meant_for_people(function: str, data: st.DataObject) -> None:
    known = FUNCTIONS[function]
    given = data.draw(operands(data.draw(st.integers(max(known.least, 1), max(1, min(known.most, 3))))))[
        : known.most
    ]
    try:
        each(known, given, len(given[0]) if given else 1, frame(GRAPH))
    except CallError as e:
        assert str(e)
