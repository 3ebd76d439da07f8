"""Tools in the registry, what is derived from them, and working memory."""

import json
import subprocess
import sys

import pytest

from graphtalk.calls import parse, show
from graphtalk.core import CheckError
from graphtalk.graphs import Schema
from graphtalk.graphs.schema import Feature, NodeType, Relation
from graphtalk.tools import describe
from graphtalk.tools.context import Context
from graphtalk.tools.memory import WorkingMemory
from graphtalk.tools.registry import Registry, default_registry, tool
from graphtalk.tools.types import RelationName
from graphtalk.tools.values import Bag

SCHEMA = Schema(
    (NodeType("Drug", 2, 0, "name", (Feature("name", "text"), Feature("mass", "number"))),),
    (Relation("resembles", "Drug", "Drug", 1, "resembles"),),
)


@tool("Halve", toolformer="test:halve", aliases=("CutInTwo",))
def halve(at: Context, node: Bag, neighbor_type: RelationName, keep: int | None = None) -> Bag:
    """The first half
    of a bag.

    node: what to halve
    neighbor_type: which neighbours
        to look at
    keep: how many to keep
    """
    return Bag(node.nodes[: len(node) // 2])


PLACE = f"{__name__}:halve"


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    registry.add("Halve", PLACE)
    return registry


def test_all_is_derived_from_signature_and_docstring(registry: Registry) -> None:
    found = registry["Halve"]
    assert describe.prompt_line(found) == "Halve[node, neighbor_type, keep?]: The first half of a bag."
    assert (
        describe.toolformer_example(found, "g")
        == '[GR(GL("g"), "test:halve", node, neighbor_type, keep?)-->r]'
    )
    function = describe.json_schema(found, SCHEMA)["function"]
    assert isinstance(function, dict)
    parameters = function["parameters"]
    assert isinstance(parameters, dict)
    assert parameters["required"] == ["node", "neighbor_type"]
    properties = parameters["properties"]
    assert isinstance(properties, dict)
    assert properties["neighbor_type"] == {
        "type": "string",
        "description": "which neighbours to look at",
        "enum": ["resembles"],
    }
    assert "Also called: test:halve, CutInTwo" in describe.help_text(found)


@pytest.mark.parametrize("name", ["Halve", "halve", "test:halve", "test:HALVE", "cut_in_two", "cut-in-two"])
def test_a_tool_is_found_under_all_its_names(registry: Registry, name: str) -> None:
    assert registry.find(name).name == "Halve"


def test_two_tools_cannot_share_a_name(registry: Registry) -> None:
    registry.add("Halve", PLACE)
    with pytest.raises(CheckError, match="Two tools are called 'Halve'"):
        registry.add("Halve", "elsewhere:halve")


def test_an_unknown_function_brings_the_nearest(registry: Registry) -> None:
    with pytest.raises(CheckError, match="Did you mean Halve"):
        registry.find("Halv")
    with pytest.raises(CheckError, match="toolx:radius"):
        default_registry().find("toolx:raduis")


@pytest.mark.parametrize("name", list(default_registry()))
def test_every_built_in_tool_is_documented(name: str) -> None:
    found = default_registry()[name]
    assert found.name == name
    assert found.summary.endswith(".")
    assert all(p.description for p in found.parameters)
    assert json.dumps(describe.json_schema(found, SCHEMA))


def test_no_two_built_in_tools_share_a_spelling() -> None:
    registry = default_registry()
    for found in registry.values():
        for spelled in (found.name, found.toolformer, *found.vocabulary.aliases):
            assert registry.find(spelled).name == found.name, spelled


def test_listing_the_names_imports_no_tool() -> None:
    code = (
        "import sys; from graphtalk.tools.registry import default_registry; assert list(default_registry());"
        "assert not [m for m in sys.modules if m.startswith(('graphtalk.algorithms', 'graphtalk.tools.nodes'))]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_vocabulary_reads_every_spelling() -> None:
    vocabulary = default_registry().vocabulary
    call = parse('NeighbourCheck[RetrieveNode["Zinc"], "causes"]', vocabulary)
    for spelling in ("toolformer", "graph-cot", "json", "cypher"):
        assert parse(show(call, spelling, vocabulary), vocabulary) == call


def test_memory_forgets_the_oldest_first() -> None:
    memory: WorkingMemory[str] = WorkingMemory(capacity=10)
    memory.put("g", "a", "A", 4)
    memory.put("g", "b", "B", 4)
    memory.get("g", "a")
    memory.put("g", "c", "C", 4)
    assert [memory.get("g", name) for name in "abc"] == [None, "B", "C"]
    memory.put("g", "b", "B2", 6)
    assert [memory.get("g", name) for name in "bc"] == ["B2", "C"]
    memory.put("g", "huge", "H", 11)
    assert memory.get("g", "huge") is None
    assert memory.get("other", "c") is None
    assert (memory.used, len(memory)) == (10, 2)
    memory.clear()
    assert (memory.used, len(memory)) == (0, 0)
