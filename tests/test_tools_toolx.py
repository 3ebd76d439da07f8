"""Whole-graph tools, `GL`, and how nodes are joined."""

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls import Call, parse
from graphtalk.core import CheckError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry
from graphtalk.tools.values import to_json


def read(text: str) -> Call:
    return parse(text, default_registry().vocabulary)


@pytest.fixture(scope="module")
def path_of_five() -> Graph:
    """0 - 1 - 2 - 3 - 4, and 5 beside 4's only neighbour 3."""
    nodes = pa.table({"id": [str(i) for i in range(6)], "value": [1, 2, 3, 4, 5, 6]})
    ends = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [3, 5]])
    length = pa.table({"length": [1.0, 1.5, 1.0, 2.0, 4.0]})
    return build(
        [NodeTable("node", nodes)],
        [EdgeTable("link", "node", "node", ends[:, 0], ends[:, 1], length, inverse="link")],
        "path",
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('GR(GL("path"), "toolx:order")', "6"),
        ('GR(GL("path"), "toolx:size")', "5"),
        ('GR(GL("path"), "toolx:density")', str(10 / 30)),
        ('GR(GL("path"), "toolx:density", is-directed=True)', str(5 / 30)),
        ('GR(GL("path"), "toolx:eccentricity")', "{0: 4, 1: 3, 2: 2, 3: 3, 4: 4, 5: 4}"),
        ('GR(GL("path"), "toolx:eccentricity", "node#1")', "3"),
        ('GR(GL("path"), "toolx:eccentricity", {"node#1", "node#2"})', "{1: 3, 2: 2}"),
        ('GR(GL("path"), "toolx:radius")', "2"),
        ('GR(GL("path"), "toolx:diameter")', "4"),
        ('GR(GL("path"), "toolx:center")', "[2]"),
        ('GR(GL("path"), "toolx:periphery")', "[0, 4, 5]"),
        ('GR(GL("path"), "toolx:shortest_path", "node#0", "node#3")', "3"),
        ('GR(GL("path"), "toolx:shortest-path", node#0, 3)', "3"),
        ('ShortestPath["0", "4", weight="length"]', "5.5"),
        ('GR(GL("path"), "toolx:max_path_length")', "4"),
        ('GR(GL("path"), "toolx:min_path_length")', "1"),
        ('GR(GL("path", {"0", "1", "3"}), "toolx:avg_path_length")', "infinite"),
        ('GR(GL("path", {"0", "1", "3"}), "toolx:components")', "[[0, 1], [3]]"),
        ('GR(GL("path", "all nodes", "all links"), "toolx:order")', "6"),
        ("Degree[]", "{0: 1, 1: 2, 2: 2, 3: 3, 4: 1, 5: 1}"),
        ("Maximum[Degree[]]", "3"),
        ("Core[1]", "[0, 1, 2, 3, 4, 5]"),
        ("Triangles[]", "0"),
        ("Cycle[]", "[]"),
        ("HasCycle[]", "no"),
        ("IsBipartite[]", "yes"),
        ("IsConnected[]", "yes"),
        ("Matching[]", "[[0, 1], [2, 3]]"),
        ('MaximumFlow["0", "4"]', "1"),
        ('SpanningTree[weight="length"]', "[[0, 1], [2, 3], [1, 2], [3, 4], [3, 5]]"),
        ("HamiltonianPath[]", "[]"),
        ('Path["0", "4"]', "[0, 1, 2, 3, 4]"),
        ('Connected["0", "4"]', "yes"),
        ('Connected["0", "4", 3]', "no"),
        ('SameNeighbours["4", "link"]', "[5]"),
        ('SameNeighbours["2", "link"]', "[]"),
        ('ShareNeighbours["4", "link"]', "[2, 5]"),
        ('Neighbourhood["0", 2]', "[0, 1, 2]"),
        ('NodeFeature[Neighbourhood["4"], "value"]', "[5, 4]"),
    ],
)
def test_calls_show(path_of_five: Graph, text: str, shown: str) -> None:
    assert Executor(path_of_five).run(read(text)).show() == shown


def test_other_tools_run(path_of_five: Graph) -> None:
    for name in ("PageRank", "Betweenness", "Clustering", "CoreNumber", "Communities"):
        result = Executor(path_of_five).run(Call(name))
        assert to_json(result.value, path_of_five)


def test_a_topological_order_needs_a_direction(path_of_five: Graph) -> None:
    with pytest.raises(ToolError):
        Executor(path_of_five).run(Call("TopologicalOrder"))


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ('Path["0", "2"]', {("0", "link", "1"), ("1", "link", "2")}),
        ('Connected["2", "0"]', {("0", "link", "1"), ("1", "link", "2")}),
        ('ShortestPath["5", "3"]', {("3", "link", "5")}),
        ('SameNeighbours["5", "link"]', {("3", "link", "4"), ("3", "link", "5")}),
        ('Top[Path["1", "3"], "value"]', {("1", "link", "2"), ("2", "link", "3")}),
    ],
)
def test_evidence_of_paths(path_of_five: Graph, text: str, edges: set[tuple[str, str, str]]) -> None:
    assert set(Executor(path_of_five).run(read(text)).evidence().edges) == edges


def test_only_named_graphs_load(path_of_five: Graph) -> None:
    with pytest.raises(ToolError, match=r"'/etc/passwd' is here\. Valid: path"):
        Executor(path_of_five).run(read('GR(GL("/etc/passwd"), "toolx:order")'))
    with pytest.raises(CheckError, match="does not give a graph"):
        Executor(path_of_five).run(Call("Order", graph=Call("Size")))


def test_a_loaded_graph_is_remembered(path_of_five: Graph) -> None:
    executor = Executor(path_of_five)
    part = 'GL("path", {"0", "1"})'
    first = executor.run(read(f'GR({part}, "toolx:order")'))
    again = executor.run(read(f'GR({part}, "toolx:size")'))
    assert first.graph is again.graph
    assert (first.value, again.value) == (2, 1)
