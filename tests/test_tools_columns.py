"""Choosing among many nodes goes over whole columns, and gives what choosing one by one gives."""

from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls import parse
from graphtalk.core import CheckError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.nodes import feature_values
from graphtalk.tools.ranking import comparison_with
from graphtalk.tools.values import Bag

SIZE = 600


def many() -> Graph:
    """Two types with features of each kind, some missing."""
    random = np.random.default_rng(1)

    def some(values: list[object], kind: pa.DataType) -> pa.Array:
        return pa.array([values[i] for i in random.integers(0, len(values), SIZE)], kind)

    columns = {
        "id": [f"a{i}" for i in range(SIZE)],
        "number": some([1, 2, 30, None], pa.int64()),
        "size": some([0.5, float("nan"), -1.0, 2.0, None], pa.float64()),
        "word": some(["Straße", "STRASSE", "1,000", "7", "b", None], pa.string()),
        "on": some([True, False, None], pa.bool_()),
        "day": some([date(2001, 5, 1), date(2002, 1, 1), None], pa.date32()),
        "tags": some([["x", "Y"], [], None], pa.list_(pa.string())),
    }
    other = pa.table({"id": [f"b{i}" for i in range(SIZE)], "number": some([5, None], pa.int64())})
    return build(
        [NodeTable("A", pa.table(columns)), NodeTable("B", other)],
        [EdgeTable("r", "A", "B", np.arange(SIZE), np.arange(SIZE)[::-1])],
    )


GRAPH = many()
EXECUTOR = Executor(GRAPH)


@pytest.mark.parametrize("comparison", ["=", "!=", "<", "<=", ">", ">=", "contains"])
@pytest.mark.parametrize(
    ("feature", "value"),
    [
        ("number", 2),
        ("number", "2"),
        ("number", "two"),
        ("number", True),
        ("size", 0.5),
        ("word", "strasse"),
        ("word", 7),
        ("word", "1000"),
        ("on", True),
        ("on", "false"),
        ("day", "2001"),
        ("tags", "y"),
    ],
)
def test_a_filter_is_a_filter_of_each(feature: str, comparison: str, value: object) -> None:
    nodes = np.random.default_rng(2).integers(0, SIZE, 1000)  # in any order, with repeats
    holds = comparison_with(comparison, value)  # type: ignore[arg-type]
    told = feature_values(GRAPH, nodes, feature)
    try:
        wanted = [n for n, v in zip(nodes.tolist(), told, strict=True) if v is not None and holds(v)]
    except CheckError:
        wanted = []
    from graphtalk.tools.ranking import _holding  # the tool itself takes bags that calls give

    try:
        found = nodes[_holding(GRAPH, nodes, feature, comparison, value)].tolist()  # type: ignore[arg-type]
    except CheckError:
        found = []
    assert found == wanted


def test_nodes_of_several_types_are_ranked_together() -> None:
    found = EXECUTOR.run(parse('Top[Union[Nodes["A"], Nodes["B"]], "number", 1]')).value
    assert isinstance(found, Bag)
    numbers = feature_values(GRAPH, np.arange(GRAPH.num_nodes), "number")
    assert found.nodes.tolist() == [n for n, v in enumerate(numbers) if v == 30]
    few = EXECUTOR.run(parse('Bottom[Nodes["A"], "size", 1]')).value
    assert isinstance(few, Bag) and {GRAPH.feature(n, "size") for n in few.nodes.tolist()} == {-1.0}


def test_evidence_of_many_is_cut_and_says_so() -> None:
    found = EXECUTOR.run(parse('Count[Nodes["A"]]')).evidence(most=100)
    assert (len(found.nodes), found.complete) == (100, False)
    whole = EXECUTOR.run(parse('Average[NodeFeature[Nodes["A"], "number"]]')).evidence(most=SIZE)
    assert (len(whole.nodes), whole.complete) == (SIZE, True)
