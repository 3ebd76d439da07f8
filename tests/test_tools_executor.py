"""The executor on a small hand-made world: values, types, evidence, limits, memory."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.core import JSON, CheckError, LimitError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.limits import Limits
from graphtalk.tools.values import to_json


@pytest.fixture(scope="module")
def world() -> Graph:
    countries = pa.table(
        {
            "id": ["c1", "c2", "c3", "c4", "c5"],
            "name": ["France", "Germany", "Spain", "Belgium", "Portugal"],
            "population": [68, 84, 48, 12, 10],
            "currency": ["Euro", "Euro", "Euro", "Euro", None],
        }
    )
    cities = pa.table(
        {
            "id": ["t1", "t2"],
            "name": ["Paris", "Berlin"],
            "founded": ["-250", "1237"],
            "languages": [["French", "Breton"], ["German", "French"]],
        }
    )
    borders = np.array([[0, 1], [0, 2], [0, 3], [1, 3], [2, 4]])
    return build(
        [NodeTable("Country", countries, label="name"), NodeTable("City", cities, label="name")],
        [
            EdgeTable("borders", "Country", "Country", borders[:, 0], borders[:, 1], inverse="borders"),
            EdgeTable("capital", "Country", "City", np.array([0, 1]), np.array([0, 1])),
        ],
        "world",
    )


def literal(value: object) -> Expression:
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, list):
        return Items(tuple(map(literal, value)))
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, int | float):
        return Number(value)
    assert isinstance(value, Text | Number | Boolean | NodeRef | Items | Call)
    return value


def call(function: str, *arguments: object, **keywords: object) -> Call:
    return Call(function, tuple(map(literal, arguments)), tuple((k, literal(v)) for k, v in keywords.items()))


def near(*start: object) -> Call:
    return call("NeighbourCheck", *start, "borders")


def value(graph: Graph, expression: Call) -> JSON:
    result = Executor(graph).run(expression)
    return to_json(result.value, result.graph)


def test_neighbours_of_two_nodes_meet(world: Graph) -> None:
    result = Executor(world).run(call("Intersect", near("France"), near("Germany")))
    assert result.show() == "[Belgium]"
    assert str(result.type) == "nodes of type Country"
    evidence = result.evidence()
    assert set(evidence.edges) == {("c1", "borders", "c4"), ("c2", "borders", "c4")}
    assert evidence.nodes == ("c4", "c1", "c2")
    assert evidence.complete
    assert [(c.spelling, c.result) for c in result.calls] == [
        ('NeighbourCheck["France", "borders"]', ["Germany", "Spain", "Belgium"]),
        ('NeighbourCheck["Germany", "borders"]', ["Belgium", "France"]),
        (
            'Intersect[NeighbourCheck["France", "borders"], NeighbourCheck["Germany", "borders"]]',
            ["Belgium"],
        ),
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (call("RetrieveNode", "france"), ["France"]),
        (call("RetrieveNode", "Paris", "City"), ["Paris"]),
        (call("RetrieveNode", keyword="Paris", node_type="city"), ["Paris"]),
        (call("Nodes", "City"), ["Paris", "Berlin"]),
        (call("NodeFeature", "France", "population"), 68),
        (call("NodeFeature", near("France"), "population"), [84, 48, 12]),
        (call("NodeFeature", NodeRef("node", "c5"), "currency"), None),
        (call("NodeFeature", "node#c4", "name"), "Belgium"),
        (call("NodeDegree", "France", "borders"), 3),
        (call("NodeDegree", near("Spain"), "borders"), [1, 3]),
        (call("NodeDegree", ["Germany", "France"], "capital"), [1, 1]),
        (call("NeighbourCheck", near("Spain"), "borders"), ["Spain", "Germany", "Spain", "Belgium"]),
        (call("neighbor_check", ["Paris", NodeRef("city", "t2")], "^capital"), ["France", "Germany"]),
        (call("graph:neighbours", "Paris", neighbor_type="^capital"), ["France"]),
        (call("Union", near("Spain"), near("Germany")), ["Portugal", "France", "Belgium"]),
        (call("Difference", near("France"), near("Germany")), ["Germany", "Spain"]),
        (call("Difference", near(near("Spain")), "Germany"), ["Spain", "Spain", "Belgium"]),
        (call("MostFrequent", call("Difference", near(near("France")), "France")), ["Belgium", "Portugal", "Germany"]),
        (call("Distinct", near(near("Spain"))), ["Spain", "Germany", "Belgium"]),
        (call("Distinct", call("NodeFeature", call("Nodes", "Country"), "currency")), ["Euro", None]),
        (call("Count", near(near("Spain"))), 4),
        (call("Count", call("NodeFeature", "Portugal", "currency")), 0),
        (call("MostFrequent", near(near("Spain"))), ["Spain"]),
        (call("MostFrequent", near(near("Spain")), 2), ["Spain", "Germany", "Belgium"]),
        (call("MostFrequent", near(near("Spain")), 3), ["Spain", "Germany", "Belgium"]),
        (call("MostFrequent", near(near("Spain")), 0), []),
        (call("MostFrequent", ["Spain", "France", "Spain"]), ["Spain"]),
        (call("MostFrequent", call("NodeFeature", call("Nodes", "Country"), "currency"), 3), ["Euro"]),
        (call("MostFrequent", call("NodeFeature", near(near("Spain")), "population")), [48]),
        (call("MostFrequent", call("NodeFeature", near("Portugal"), "currency")), ["Euro"]),
        (call("MostFrequent", call("NodeFeature", call("Nodes", "City"), "languages")), ["French"]),
        (call("Frequent", call("NodeFeature", call("Nodes", "City"), "languages"), "<", 2), ["Breton", "German"]),
        (call("Count", call("MostFrequent", call("NodeFeature", "Paris", "languages"))), 2),
        (call("Contains", near("France"), "Spain"), True),
        (call("Contains", near("Portugal"), "France"), False),
        (call("Filter", call("Nodes", "Country"), "population", ">", 48), ["France", "Germany"]),
        (call("Filter", call("Nodes", "Country"), "currency", "!=", "euro"), []),
        (call("Filter", call("Nodes", "Country"), "currency", "=", "euro", ), ["France", "Germany", "Spain", "Belgium"]),
        (call("Filter", call("Nodes", "Country"), "name", "contains", "AN"), ["France", "Germany"]),
        (call("Filter", call("Nodes", "City"), "founded", "<", 0), ["Paris"]),
        (call("Top", call("Nodes", "Country"), "population"), ["Germany"]),
        (call("Bottom", call("Nodes", "Country"), "population", 2), ["Portugal", "Belgium"]),
        (call("Top", call("Nodes", "City"), "founded"), ["Berlin"]),
        (call("TopDegree", call("Nodes", "Country"), "borders"), ["France"]),
        (call("TopDegree", call("Nodes", "Country"), "borders", k=2), ["France", "Germany", "Spain", "Belgium"]),
        (call("BottomDegree", call("Nodes", "Country"), "borders"), ["Portugal"]),
        (call("BottomDegree", call("Union", call("Nodes", "City"), ["Spain", "France"]), "capital"), ["Spain"]),
        (call("FilterDegree", call("Nodes", "Country"), "borders", "=", 2), ["Germany", "Spain", "Belgium"]),
        (call("FilterDegree", call("Nodes", "Country"), "capital", "<", 1), ["Spain", "Belgium", "Portugal"]),
        (call("FilterDegree", near(near("Spain")), "borders", ">=", 2), ["Spain", "Germany", "Spain", "Belgium"]),
        (call("Frequent", near(near("Spain")), ">", 1), ["Spain"]),
        (call("Frequent", near(near("Spain")), "<", 2), ["Germany", "Belgium"]),
        (call("Frequent", near(near("Spain")), "!=", 0), ["Spain", "Germany", "Belgium"]),
        (call("Average", call("NodeFeature", near("Spain"), "population")), 39.0),
        (call("Sum", call("NodeFeature", near("Spain"), "population")), 78),
        (call("Maximum", call("NodeDegree", call("Nodes", "Country"), "borders")), 3),
        (call("Minimum", call("NodeFeature", "Spain", "population")), 48),
        (call("Sum", [1, 2.5]), 3.5),
    ],
)  # fmt: skip
def test_calls_give(world: Graph, expression: Call, expected: JSON) -> None:
    assert value(world, expression) == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (near(call("RetrieveNode", "Paris", "City")), "City nodes have no neighbour type 'borders'"),
        (near(near(call("NeighbourCheck", "France", "capital"))), "City nodes have no neighbour type"),
        (call("NeighbourCheck", "France", "border"), "Did you mean borders?"),
        (call("NodeFeature", "France", "populaton"), "Did you mean population?"),
        (call("Nodes", "Town"), "Valid: Country, City"),
        (call("Frobnicate", "France"), "No function 'Frobnicate'"),
        (call("NeighbourCheck", "France"), "needs 'neighbor_type'"),
        (call("Count", "a", "b"), "takes at most 1 argument"),
        (call("Count", "a", entries="b"), "twice"),
        (call("Count", things="a"), "no parameter 'things'"),
        (call("Intersect", near("France"), call("Count", near("France"))), "wants nodes for 'second', not a number"),
        (call("Average", near("France")), "wants numbers"),
        (call("MostFrequent", call("Count", near("France"))), "wants nodes or a list of values for 'bag'"),
        (call("MostFrequent", call("Components")), "wants nodes or a list of values for 'bag', not a list of nodes"),
        (call("Top", near("France"), "population", "many"), "wants a whole number"),
        (call("Filter", near("France"), "population", "~", 3), "No comparison '~'"),
        (call("Nodes", call("Count", near("France"))), "the name of a node type"),
    ],
)  # fmt: skip
def test_the_checker_names_what_is_wrong(world: Graph, expression: Call, message: str) -> None:
    with pytest.raises(CheckError, match=message.replace("?", r"\?")):
        Executor(world).check(expression)


def test_a_name_is_looked_up_among_the_types_that_fit(world: Graph) -> None:
    with pytest.raises(ToolError, match="No Country node is called 'Paris'"):
        Executor(world).run(near("Paris"))


@pytest.mark.parametrize("name", ["Count", "Exists", "Distinct"])
def test_a_name_alone_is_a_node_or_an_error(world: Graph, name: str) -> None:
    with pytest.raises(ToolError, match="No node is called 'Narnia'"):
        Executor(world).run(Call(name, (Text("Narnia"),)))
    with pytest.raises(CheckError, match="wants nodes"):
        Executor(world).run(Call(name, (Boolean(True),)))


def test_counts_contain_nothing(world: Graph) -> None:
    with pytest.raises(CheckError, match="Counts cannot be compared by 'contains'"):
        Executor(world).run(call("Frequent", near("France"), "contains", 1))


def test_deep_nesting_is_refused_without_recursion(world: Graph) -> None:
    deep = call("RetrieveNode", "France")
    for _ in range(5_000):
        deep = call("Distinct", deep)
    with pytest.raises(CheckError, match="nest deeper than 64"):
        Executor(world).run(deep)


def test_ties_are_remarked(world: Graph) -> None:
    result = Executor(world).run(call("MostFrequent", near("France")))
    assert to_json(result.value, world) == ["Germany", "Spain", "Belgium"]
    assert result.remarks == ("3 tie for place 1, so 3 are given instead of 1.",)
    result = Executor(world).run(call("TopDegree", call("Nodes", "Country"), "borders", 3))
    assert result.remarks == ("3 tie for place 2, so 4 are given instead of 3.",)
    assert Executor(world).run(call("MostFrequent", near("France"), 3)).remarks == ()


@pytest.mark.parametrize(
    ("expression", "edges"),
    [
        (call("Count", near("Germany")), {("c2", "borders", "c4"), ("c1", "borders", "c2")}),
        (
            call("MostFrequent", near(near("Spain"))),
            {("c1", "borders", "c3"), ("c3", "borders", "c5")},
        ),
        (call("Contains", near("France"), "Spain"), {("c1", "borders", "c3")}),
        (
            call("MostFrequent", near("France")),
            {("c1", "borders", "c2"), ("c1", "borders", "c3"), ("c1", "borders", "c4")},
        ),
        (
            call("TopDegree", ["Spain", "Belgium", "Portugal"], "borders"),
            {("c1", "borders", "c3"), ("c3", "borders", "c5"), ("c1", "borders", "c4"), ("c2", "borders", "c4")},
        ),
        (
            call("MostFrequent", call("NodeFeature", near("Spain"), "population")),
            {("c1", "borders", "c3"), ("c3", "borders", "c5")},
        ),
        (call("TopDegree", near("Spain"), "borders"), {("c1", "borders", "c2"), ("c1", "borders", "c3"), ("c1", "borders", "c4")}),
        (call("Top", near("France"), "population"), {("c1", "borders", "c2")}),
        (call("Frequent", near(near("Spain")), "=", 2), {("c1", "borders", "c3"), ("c3", "borders", "c5")}),
        (call("FilterDegree", near("Spain"), "borders", "<", 2), {("c3", "borders", "c5")}),
        (call("Difference", near("Spain"), near("Germany")), {("c3", "borders", "c5")}),
        (call("NodeFeature", "France", "population"), set()),
    ],
)  # fmt: skip
def test_evidence_is_what_leads_to_the_answer(
    world: Graph, expression: Call, edges: set[tuple[str, str, str]]
) -> None:
    assert set(Executor(world).run(expression).evidence().edges) == edges


def test_evidence_says_when_it_was_cut(world: Graph) -> None:
    evidence = Executor(world).run(near("France")).evidence(most=2)
    assert len(evidence.edges) == 2
    assert len(evidence.nodes) == 2
    assert not evidence.complete


def test_limits_end_in_an_error_with_what_was_found(world: Graph) -> None:
    with pytest.raises(LimitError, match="limit of 3"):
        Executor(world, limits=Limits(rows=3)).run(near(near("France")))
    with pytest.raises(LimitError, match="More than 2 calls") as raised:
        Executor(world, limits=Limits(steps=2)).run(call("Union", near("Spain"), near("France")))
    assert raised.value.found == 'NeighbourCheck["Spain", "borders"] = [Portugal, France]'
    with pytest.raises(LimitError, match="seconds"):
        Executor(world, limits=Limits(seconds=-1)).run(near("France"))


def test_a_repeated_call_comes_from_memory(world: Graph) -> None:
    executor = Executor(world)
    first = executor.run(near("France"))
    again = executor.run(call("Count", call("NeighborCheck", node="France", neighbor_type="Borders")))
    assert again.trail.inputs[0].origin is first.trail
    other = executor.run(near("France"))
    assert other.calls[0].seconds == 0.0
    assert replace(executor, graph=world).run(near("France")).trail is first.trail


def test_graphs_of_one_name_do_not_share_their_results(world: Graph) -> None:
    """Results are remembered by what a graph holds. Its name may be another graph's too."""
    nodes = NodeTable("Country", pa.table({"id": ["x"], "name": ["Atlantis"]}), "name")
    other = build([nodes], [], world.name)
    memory = Executor(world).memory
    counts = [
        Executor(graph, memory=memory).run(call("Count", call("Nodes", "Country")))
        for graph in (world, other)
    ]
    assert [to_json(found.value, found.graph) for found in counts] == [5, 1]


def test_infinity_is_no_whole_number(world: Graph) -> None:
    with pytest.raises(CheckError, match="wants a whole number"):
        Executor(world).check(call("MostFrequent", near("France"), "inf"))


def test_a_deadline_stops_an_algorithm_midway() -> None:
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 4_000, (2, 40_000))
    nodes = NodeTable("n", pa.table({"id": [str(i) for i in range(4_000)]}))
    graph = build([nodes], [EdgeTable("to", "n", "n", ends[0], ends[1])])
    with pytest.raises(LimitError, match=r"More than 0\.2 seconds"):
        Executor(graph, limits=Limits(seconds=0.2)).run(call("Betweenness"))


def test_a_bag_on_another_graph_is_refused(world: Graph) -> None:
    part = call("GL", "world", ["France", "Spain"])
    inner = Call("Nodes", (Text("Country"),), graph=part)
    assert value(world, Call("Count", (inner,), graph=part)) == 2
    with pytest.raises(CheckError, match="has nodes of world"):
        Executor(world).run(call("Intersect", inner, near("France")))


@pytest.mark.parametrize("limits", [Limits(rows=5), Limits(bytes=200)])
def test_a_limit_bites_before_neighbours_are_gathered(
    world: Graph, monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    def gathered(*asked: object) -> None:
        raise AssertionError("neighbours were gathered")

    monkeypatch.setattr(Graph, "expand", gathered)
    with pytest.raises(LimitError, match="more than the limit of"):
        Executor(world, limits=limits).run(near(call("Nodes", "Country")))


def test_highest_and_lowest_of_a_table(world: Graph) -> None:
    assert value(world, call("Highest", call("Degree"), 2)) == ["France", "Germany"]
    assert value(world, call("Lowest", call("Degree"))) == ["Portugal", "Paris", "Berlin"]
    with pytest.raises(CheckError, match="wants a table"):
        Executor(world).check(call("Highest", near("France")))
