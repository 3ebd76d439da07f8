"""Calls of tools as queries: the array engine gives for the query what the tool gives."""

import math
from collections import Counter
from datetime import date
from functools import reduce
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.calls import parse, show
from graphtalk.calls.ast import Call, Expression, Number, Text
from graphtalk.calls.query import Entry, NodePattern, Query, as_call
from graphtalk.core import CallError
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import NodeValue
from graphtalk.engines.arrays.run import run
from graphtalk.engines.binding import bind
from graphtalk.engines.lower import Find, by_name, in_cypher, lower
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.limits import Budget, Limits
from graphtalk.tools.values import Bag, Value
from naive_match import RELATIONS

VIEWS = ["r", "^r", "s", "t", "u", "x", "v", "^v"]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Random graphs of two node types with every kind of relation, loops, parallel edges and missing values."""
    counts = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    tables = []
    for name, count in zip("AB", counts, strict=True):

        def some(values: list[object], kind: pa.DataType, count: int = count) -> pa.Array:
            each = st.none() | st.sampled_from(values)
            return pa.array(draw(st.lists(each, min_size=count, max_size=count)), kind)

        features = {
            "id": [f"{name}-{i}" for i in range(count)],
            "name": [f"{name}{i}" for i in range(count)],
            "num": some([0, 1, 2, -1.5], pa.float64()),
            "word": some(["Ann", "ann", "Bo", "boat"], pa.string()),
            "on": some([True, False], pa.bool_()),
            "born": some([date(2001, 12, 31), date(2002, 1, 1), date(2002, 5, 5)], pa.date32()),
            "tags": some([["a", "B"], ["b"], []], pa.list_(pa.string())),
        }
        tables.append(NodeTable(name, pa.table(features), "name"))
    parts = []
    for name, source, target, inverse in RELATIONS:
        sizes = counts["AB".index(source)], counts["AB".index(target)]
        pair = st.tuples(st.integers(0, sizes[0] - 1), st.integers(0, sizes[1] - 1))
        ends = np.array(draw(st.lists(pair, max_size=6)), np.int64).reshape(-1, 2)
        parts.append(EdgeTable(name, source, target, ends[:, 0], ends[:, 1], None, inverse))
    return build(tables, parts)


def call(function: str, *arguments: object) -> Call:
    def literal(value: object) -> Expression:
        if isinstance(value, str):
            return Text(value)
        return Number(value) if isinstance(value, int | float) else value  # type: ignore[return-value]

    return Call(function, tuple(map(literal, arguments)))


NODE = st.sampled_from(["A0", "B0", "A1", "B1"]).map(Text)
SIGN = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
RELATION = st.sampled_from(VIEWS)
PLACES = st.integers(1, 3)
START = st.one_of(
    NODE,
    st.builds(lambda name: call("RetrieveNode", name), NODE),
    st.sampled_from("AB").map(lambda name: call("Nodes", name)),
)
TESTS = st.one_of(
    st.tuples(st.just("num"), SIGN, st.sampled_from([0, 1, "1", 1.5])),
    st.tuples(st.just("word"), SIGN | st.just("contains"), st.sampled_from(["ann", "BO"])),
    st.tuples(st.just("born"), SIGN, st.sampled_from(["2001", 2002, "2002-01", "2002-01-01"])),
    st.tuples(st.just("tags"), st.sampled_from(["=", "!=", "contains"]), st.sampled_from(["b", "A"])),
)


def bigger(bags: st.SearchStrategy[Expression]) -> st.SearchStrategy[Call]:
    """Bags made of bags."""
    near = st.builds(lambda bag, name: call("NeighbourCheck", bag, name), bags, RELATION)
    return st.one_of(
        near,
        near,
        st.builds(lambda bag: call("Distinct", bag), bags),
        st.builds(call, st.sampled_from(["Intersect", "Union", "Difference"]), bags, bags),
        st.builds(lambda bag, test: call("Filter", bag, *test), bags, TESTS),
        st.builds(lambda *a: call("FilterDegree", *a), bags, RELATION, SIGN, st.integers(0, 3)),
        st.builds(lambda *a: call("Frequent", *a), bags, SIGN, st.integers(0, 3)),
        st.builds(lambda *a: call("MostFrequent", *a), bags, PLACES),
        st.builds(call, st.sampled_from(["Top", "Bottom"]), bags, st.sampled_from(["num", "born"]), PLACES),
        st.builds(call, st.sampled_from(["TopDegree", "BottomDegree"]), bags, RELATION, PLACES),
        st.builds(call, st.sampled_from(["SameNeighbours", "ShareNeighbours"]), NODE, RELATION),
        st.builds(lambda node, hops: call("Neighbourhood", node, hops), NODE, st.integers(0, 2)),
    )


WALKS = st.builds(
    lambda start, names: reduce(lambda bag, name: call("NeighbourCheck", bag, name), names, start),
    st.sampled_from([call("Nodes", "A"), Text("A0")]),
    st.lists(st.sampled_from(["r", "^r", "u"]), min_size=2, max_size=3),
)
"""Walks may go back by the edge that they came by, which a path in one MATCH does not."""
BAGS = st.recursive(START, bigger, max_leaves=3)
LISTS = st.one_of(
    st.builds(
        lambda *a: call("NodeFeature", *a), BAGS, st.sampled_from(["num", "word", "born", "tags", "on"])
    ),
    st.builds(lambda *a: call("NodeDegree", *a), BAGS, RELATION),
)
CALLS = st.one_of(
    WALKS,
    bigger(BAGS),
    LISTS,
    st.builds(lambda each: call("Count", each), BAGS | LISTS),
    st.builds(call, st.sampled_from(["Average", "Sum", "Minimum", "Maximum"]), LISTS),
    st.builds(lambda each: call("Distinct", each), LISTS),
    st.builds(lambda *a: call("MostFrequent", *a), LISTS, PLACES),
    st.builds(lambda *a: call("Frequent", *a), LISTS, SIGN, st.integers(0, 3)),
    st.builds(lambda *a: call("Contains", *a), BAGS, NODE),
    st.builds(call, st.sampled_from(["PathLength", "Connected"]), NODE, NODE),
    st.builds(lambda *a: call("Connected", *a), NODE, NODE, st.integers(0, 3)),
)


def rows_of(query: Query, graph: Graph) -> list[object]:
    """The one column that a query gives."""

    def no_call(call: object) -> object:
        raise AssertionError(f"no call was expected: {call}")

    table = run(bind(query, graph.schema).query, Frame(graph, Budget(Limits()), no_call))
    (column,) = table.columns
    return values_of(column)


def comparable(value: object) -> object:
    """A value as a key: nodes by index, lists as bags, floats rounded."""
    if isinstance(value, NodeValue):
        return value.node
    if isinstance(value, list):
        return tuple([comparable(each) for each in value])
    if isinstance(value, float) and math.isfinite(value):
        return round(value, 9)
    return value


def assert_same(given: Value, rows: list[object]) -> None:
    """What the tool gave is what the rows say: a bag by its entries, a single value by the one row."""
    if isinstance(given, Bag):
        assert Counter(comparable(each) for each in rows) == Counter(given.nodes.tolist())
    elif isinstance(given, list) and not (len(rows) == 1 and rows[0] == given):
        assert Counter(map(comparable, rows)) == Counter(map(comparable, given))
    elif not isinstance(given, list):
        assert [comparable(each) for each in rows] == [comparable(given)]


def by_id(graph: Graph) -> Find:
    """A name means the node that the executor finds, told by its type and id."""

    def find(name: str, node_type: str | None) -> NodePattern:
        node = Executor(graph).source(graph).finder.find(name, (node_type,) if node_type else ())
        return NodePattern("", (graph.node_type(node).name,), (Entry("id", Text(graph.id(node))),))

    return find


@settings(max_examples=120, deadline=None)
@given(graphs(), CALLS, st.booleans())
def test_a_query_gives_what_the_tool_gives(graph: Graph, asked: Call, ids: bool) -> None:
    try:
        given_value = Executor(graph).run(asked).value
    except CallError:
        return
    query = lower(asked, graph.schema, by_id(graph) if ids else by_name)
    if query is not None:
        assert parse(show(as_call(query), "cypher")) == as_call(query)  # type: ignore[arg-type]
        assert_same(given_value, rows_of(query, graph))


@given(graphs(), NODE, NODE)
def test_a_path_is_as_short_as_the_tool_s(graph: Graph, first: Text, second: Text) -> None:
    asked = Call("Path", (first, second))
    query = lower(asked, graph.schema)
    assert query is not None
    try:
        given_value = Executor(graph).run(asked).value
    except CallError:
        return
    rows = [each.node for each in rows_of(query, graph)]  # type: ignore[attr-defined]
    assert isinstance(given_value, Bag)
    assert len(rows) == len(given_value)
    if rows:
        assert (rows[0], rows[-1]) == (given_value.nodes[0], given_value.nodes[-1])
    for a, b in pairwise(rows):
        assert b in graph.neighbours(a)


SCHEMA = build(
    [NodeTable(name, pa.table({"id": ["1"], "num": [1]})) for name in ("A", "B")],
    [EdgeTable(n, s, t, np.empty(0, np.int64), np.empty(0, np.int64), None, i) for n, s, t, i in RELATIONS],
).schema


@pytest.mark.parametrize(
    ("written", "cypher"),
    [
        (
            'Count[NeighbourCheck[NeighbourCheck[Nodes["A"], "s"], "v"]]',
            'MATCH (a:A)-[:s]->(b:B)-[:v]->(a2:A)\nRETURN count(a2) AS count',
        ),
        (
            'NodeFeature[NeighbourCheck[NeighbourCheck["x", "r"], "r"], "num"]',
            'MATCH (node {name: "x"})-[:r]->(a:A)\nMATCH (a)-[:r]->(a2:A)\nRETURN a2.num AS num',
        ),
        (
            'Difference[Nodes["a"], NeighbourCheck["x", "t"]]',
            'MATCH (a:A)\nWHERE NOT EXISTS { MATCH (node {name: "x"})<-[:s]-(a:A) }\nRETURN a',
        ),
        (
            'Union[Nodes["A"], Nodes["B"]]',
            "MATCH (a:A)\nRETURN a\nUNION\nMATCH (b:B)\nRETURN b AS a",
        ),
        ('Filter[Nodes["A"], "num", ">", 2]', "MATCH (a:A)\nWHERE a.num > 2\nRETURN a"),
        ('FilterDegree[Nodes["A"], "u", "=", 0]', "MATCH (a:A)\nWHERE COUNT { MATCH (a)-[:u]-() } = 0\nRETURN a"),
        ("PageRank[]", "RETURN gt.PageRank()"),
        ('Count[Degree[]]', "RETURN gt.Count(gt.Degree())"),
        ('NodeFeature["x", 3]', 'RETURN gt.NodeFeature("x", 3)'),
        ('Count[Nodes["A"], graph=GL["other"]]', 'RETURN gt.Count(gt.Nodes("A"), {graph: gt.GL("other")})'),
    ],
)  # fmt: skip
def test_as_people_write_it(written: str, cypher: str) -> None:
    assert in_cypher(parse(written), SCHEMA) == cypher


@pytest.mark.parametrize(("times", "rows"), [(8, True), (40, False), (190, False)])
def test_sets_in_sets_are_shown_so_that_they_are_read_back(times: int, rows: bool) -> None:
    asked: Expression = call("Nodes", "A")
    for _ in range(times):
        asked = call("Difference", call("Nodes", "A"), asked)
    assert isinstance(asked, Call)
    assert (lower(asked, SCHEMA) is not None) == rows
    written = in_cypher(asked, SCHEMA)
    assert written.startswith("MATCH" if rows else "RETURN gt.Difference(")
    assert show(parse(written), "cypher") == written
