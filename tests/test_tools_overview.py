"""What a graph has, and what it has of one node: values, remarks and evidence."""

import pytest

from around_graphs import company
from graphtalk.calls import parse
from graphtalk.core import ToolError
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import to_json


@pytest.fixture(scope="module")
def executor() -> Executor:
    return Executor(company()[1])


def ran(executor: Executor, text: str) -> tuple[object, Result]:
    result = executor.run(parse(text))
    return to_json(result.value, result.graph), result


def test_a_node_with_its_properties_and_neighbours_by_relation(executor: Executor) -> None:
    value, result = ran(executor, 'Describe["Cyd"]')
    assert value == {
        "type": "person", "id": "pe2", "age": 35, "works for →": ["Zenith"], "knows →": ["Ann"],
        "← knows": ["Bob"], "manages →": ["Dan", "Eve"],
    }  # fmt: skip
    assert len(result.evidence().edges) == 5 and result.evidence().complete
    assert result.show().splitlines()[0] == "type: person"


def test_what_nodes_have_in_common_is_told_with_what_they_are(executor: Executor) -> None:
    value, result = ran(executor, 'InCommon[["Bob", "Ann"]]')
    assert value == ["Acme"] and result.remarks == ("Alike: type: person.",)
    assert set(result.evidence().edges) == {("pe0", "works for", "co0"), ("pe1", "works for", "co0")}
    assert ran(executor, 'InCommon[["Bob", "Paris"]]')[0] == []
    with pytest.raises(ToolError, match="two nodes"):
        ran(executor, 'InCommon["Bob"]')


def test_types_relations_and_properties(executor: Executor) -> None:
    assert ran(executor, "NodeTypes[]")[0] == {"person": 8, "company": 4, "product": 3, "city": 3}
    relations = {"works for": 7, "knows": 5, "manages": 4, "supplies": 3, "makes": 3, "located in": 4}
    assert ran(executor, "RelationTypes[]")[0] == relations
    assert ran(executor, 'Features["person"]')[0] == {"person": ["name", "age"]}
    value, _ = ran(executor, 'DescribeType["product"]')
    assert value == {
        "nodes": 3, "properties": ["name"], "relations": ["← makes company"], "such as": ["Anvil", "Rocket", "Mercury"],
    }  # fmt: skip
    assert ran(executor, "Count[NodeTypes[]]")[0] == 4
    assert ran(executor, "IsDirected[]")[0] is True
    summary, _ = ran(executor, "Summary[]")
    assert isinstance(summary, dict) and summary["nodes"] == 18 and summary["edges"] == 26
