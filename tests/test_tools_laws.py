"""Laws that hold for every graph and every bag."""

import operator
from collections import Counter

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls.ast import Boolean, Call, Expression, Items, Number, Text
from graphtalk.core import CheckError, LimitError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.bags import unique_in_order
from graphtalk.tools.executor import Executor
from graphtalk.tools.limits import Limits
from graphtalk.tools.registry import default_registry
from graphtalk.tools.values import Bag

A, B = 4, 3
RELATIONS = (
    ("likes", "A", "B", ""),
    ("likes", "A", "A", ""),
    ("near", "A", "A", "near"),
    ("of", "B", "A", "has"),
    ("near", "B", "A", "near"),
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    size = {"A": A, "B": B}
    edges = []
    for name, source, target, inverse in RELATIONS:
        pair = st.tuples(st.integers(0, size[source] - 1), st.integers(0, size[target] - 1))
        ends = np.array(draw(st.lists(pair, max_size=8)), dtype=np.int64).reshape(-1, 2)
        edges.append(EdgeTable(name, source, target, ends[:, 0], ends[:, 1], inverse=inverse))
    tables = [
        NodeTable(
            "A", pa.table({"id": [f"a{i}" for i in range(A)], "size": [3, None, 1, 3], "word": list("xyzx")})
        ),
        NodeTable("B", pa.table({"id": [f"b{i}" for i in range(B)], "size": ["10", "2", "x"]})),
    ]
    return build(tables, edges)


NAMES = st.sampled_from([f"a{i}" for i in range(A)] + [f"b{i}" for i in range(B)])
BAGS = st.lists(NAMES, max_size=6)
VIEWS = st.sampled_from(["likes", "near", "of", "has", "^likes"])


def items(names: list[str]) -> Items:
    return Items(tuple(map(Text, names)))


def run(graph: Graph, function: str, *arguments: Expression) -> list[int]:
    value = Executor(graph).run(Call(function, arguments)).value
    assert isinstance(value, Bag)
    return value.nodes.tolist()


@given(graphs(), BAGS, BAGS)
def test_set_algebra(graph: Graph, first: list[str], second: list[str]) -> None:
    one, other = ([graph.node(name) for name in names] for names in (first, second))
    both = run(graph, "Intersect", items(first), items(second))
    either = run(graph, "Union", items(first), items(second))
    only = run(graph, "Difference", items(first), items(second))
    assert set(both) == set(one) & set(other)
    assert set(either) == set(one) | set(other)
    assert only == [node for node in one if node not in other]
    assert set(both) | set(only) == set(one)
    for found in (both, either):
        assert len(set(found)) == len(found)
        order = [n for n in dict.fromkeys(one + other) if n in found]
        assert found == order


@given(st.lists(st.integers(0, 10**9) | st.integers(0, 5)))
def test_each_once_in_order(nodes: list[int]) -> None:
    assert unique_in_order(np.array(nodes, dtype=np.int64)).tolist() == list(dict.fromkeys(nodes))


@given(graphs(), BAGS, st.integers(1, 4))
def test_most_frequent_counts(graph: Graph, names: list[str], k: int) -> None:
    counts = Counter(names).most_common()
    expected = [graph.node(name) for name, count in counts if count >= counts[:k][-1][1]]
    assert run(graph, "MostFrequent", items(names), Number(k)) == expected


@given(graphs(), BAGS, st.integers(0, 3))
def test_frequent_counts(graph: Graph, names: list[str], number: int) -> None:
    expected = [graph.node(name) for name, count in Counter(names).items() if count > number]
    assert run(graph, "Frequent", items(names), Text(">"), Number(number)) == expected


@given(graphs(), BAGS, VIEWS, st.sampled_from(["=", "<", ">="]), st.integers(0, 3))
def test_filter_degree_by_definition(
    graph: Graph, names: list[str], view: str, comparison: str, number: int
) -> None:
    holds = {"=": operator.eq, "<": operator.lt, ">=": operator.ge}[comparison]
    seen = [n for n in names if view in graph.schema.views_from(graph.node_type(graph.node(n)).name)]
    expected = [graph.node(n) for n in seen if holds(graph.degree(graph.node(n), view), number)]
    if seen:
        found = run(graph, "FilterDegree", items(seen), Text(view), Text(comparison), Number(number))
        assert found == expected


@given(graphs(), BAGS, VIEWS)
def test_a_bag_is_followed_node_by_node(graph: Graph, names: list[str], view: str) -> None:
    seen = [n for n in names if view in graph.schema.views_from(graph.node_type(graph.node(n)).name)]
    singles = [n for name in seen for n in graph.neighbours(graph.node(name), view).tolist()]
    if seen:
        assert run(graph, "NeighbourCheck", items(seen), Text(view)) == singles
        degrees = Executor(graph).run(Call("NodeDegree", (items(seen), Text(view)))).value
        assert (degrees if isinstance(degrees, list) else [degrees]) == [
            graph.degree(graph.node(name), view) for name in seen
        ]


@given(graphs(), NAMES, VIEWS)
def test_same_neighbours_by_definition(graph: Graph, name: str, view: str) -> None:
    node = graph.node(name)
    kind = graph.node_type(node)
    if view not in graph.schema.views_from(kind.name):
        return
    sets = {n: set(graph.neighbours(n, view).tolist()) for n in graph.indices(kind.name)}
    expected = [n for n, found in sets.items() if n != node and found and found == sets[node]]
    assert run(graph, "SameNeighbours", Text(name), Text(view)) == expected


EVERY = default_registry()
LITERALS = st.one_of(
    NAMES.map(Text),
    BAGS.map(items),
    VIEWS.map(Text),
    st.sampled_from(["size", "word", "id", "A", "B", "=", ">=", "contains"]).map(Text),
    st.integers(0, 3).map(Number),
    st.booleans().map(Boolean),
)
SLOW = ("Betweenness", "HamiltonianPath")


@st.composite
def calls(draw: st.DrawFn, depth: int = 3) -> Call:
    """Calls that are often well typed: each parameter gets a literal that suits its kind, or another call."""
    found = EVERY[draw(st.sampled_from([name for name in EVERY if name not in SLOW]))]
    arguments: list[tuple[str, Expression]] = []
    for parameter in found.parameters:
        if not parameter.required and draw(st.booleans()):
            continue
        names = {
            "relation": VIEWS.map(Text),
            "feature": st.sampled_from(["size", "word", "id"]).map(Text),
            "node type": st.sampled_from(["A", "B"]).map(Text),
            "comparison": st.sampled_from(["=", "!=", "<", ">=", "contains"]).map(Text),
        }.get(parameter.kind)
        if names is not None:
            arguments.append((parameter.name, draw(names)))
        elif depth and draw(st.booleans()):
            arguments.append((parameter.name, draw(calls(depth - 1))))
        else:
            arguments.append((parameter.name, draw(LITERALS)))
    return Call(found.name, (), tuple(arguments))


@given(graphs(), calls())
def test_what_the_checker_accepts_runs(graph: Graph, call: Call) -> None:
    """No TypeError, no AttributeError; the kind of the value is the kind that the checker said."""
    executor = Executor(graph, limits=Limits(rows=100_000))
    try:
        given_type = executor.check(call)
    except (CheckError, ToolError):
        return
    try:
        result = executor.run(call)
    except (CheckError, ToolError, LimitError):
        return
    evidence = result.evidence()
    known = set(graph.ids())
    assert set(evidence.nodes) <= known
    stored = {
        (graph.id(int(s)), r.name, graph.id(int(t)))
        for position, r in enumerate(graph.schema.relations)
        for s, t in zip(*graph.ends(position), strict=True)
    }
    assert set(evidence.edges) <= stored
    assert {end for s, _, t in evidence.edges for end in (s, t)} <= set(evidence.nodes)
    if given_type.kind == "nodes":
        assert isinstance(result.value, Bag)
        assert {graph.node_type(int(n)).name for n in result.value.nodes} <= set(given_type.node_types)
