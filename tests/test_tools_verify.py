"""Verifying answers: what is altered is found."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls import parse
from graphtalk.core import JSON, Answer, Call, Evidence
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import default_registry
from graphtalk.tools.values import to_json
from graphtalk.tools.verify import same, says, verify


def graph_of(*links: tuple[int, int]) -> Graph:
    nodes = pa.table({"id": ["a", "b", "c", "d"], "name": ["Ann", "Bob", "Cid", "Dan"], "age": [1, 2, 3, 4]})
    ends = np.array(links)
    return build(
        [NodeTable("person", nodes, "name")],
        [EdgeTable("knows", "person", "person", ends[:, 0], ends[:, 1])],
        "people",
    )


WORLD = graph_of((0, 1), (0, 2), (1, 3))


def answer_to(graph: Graph, text: str, said: str) -> Answer:
    result = Executor(graph).run(parse(text, default_registry().vocabulary))
    return Answer(True, said, to_json(result.value, graph), result.evidence(), result.calls)


FRIENDS = answer_to(WORLD, 'NeighbourCheck["Ann", "knows"]', "Ann knows Bob and Cid.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('NeighbourCheck["Ann", "knows"]', "They are Cid and Bob."),
        ('Count[NeighbourCheck["Ann", "knows"]]', "There are 2."),
        ('Contains[NeighbourCheck["Ann", "knows"], "Bob"]', "Yes, she does."),
        ('Contains[NeighbourCheck["Ann", "knows"], "Dan"]', "No."),
        ('Average[NodeFeature[NeighbourCheck["Ann", "knows"], "age"]]', "About 2.5 years."),
        ('Count[Nodes["person", graph=GL["people"]], graph=GL["people"]]', "4"),
    ],
)
def test_an_answer_agrees_with_its_calls(text: str, said: str) -> None:
    assert verify(Executor(WORLD), answer_to(WORLD, text, said)) == ()


@pytest.mark.parametrize(
    ("altered", "message"),
    [
        (replace(FRIENDS, value=["Bob", "Dan"]), "The value is"),
        (replace(FRIENDS, text="Ann knows Dan."), "does not say the value"),
        (replace(FRIENDS, evidence=Evidence(("z",), FRIENDS.evidence.edges)), "such as z"),
        (replace(FRIENDS, evidence=replace(FRIENDS.evidence, edges=())), "lacks 2 edges"),
        (replace(FRIENDS, calls=()), "no calls"),
        (replace(FRIENDS, calls=(Call('NeighbourCheck["Ann", "knows"]', ["Bob"], 0.0),)), "now gives"),
        (replace(FRIENDS, calls=(Call('NeighbourCheck["Eve", "knows"]', ["Bob"], 0.0),)), "cannot be run"),
        (replace(FRIENDS, calls=(Call("not a call", None, 0.0),)), "cannot be run"),
    ],
)
def test_what_was_altered_is_found(altered: Answer, message: str) -> None:
    assert any(message in difference for difference in verify(Executor(WORLD), altered))


def test_a_graph_that_changed_is_found() -> None:
    differences = verify(Executor(graph_of((0, 1), (1, 3))), FRIENDS)
    assert any("now gives" in difference for difference in differences)
    assert any("not found, such as ('a', 'knows', 'c')" in difference for difference in differences)


def test_an_answer_that_was_not_found_claims_nothing() -> None:
    assert verify(Executor(WORLD), Answer(False, "I cannot tell.")) == ()


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        (1234567, "1,234,567 people", True),
        (1234567, "1,234,568 people", False),
        (2.345678, "about 2.35", True),
        (2.345678, "about 2.36", False),
        (1234567.8, "1.23457e+06", True),
        (7, "1e999 or 7", True),
        (7, "1e-999", False),
        (7, f"1e{'9' * 5000} and 7", True),
        (1477846.25, "1,477,846 on average", True),
        (1477846.25, "1,477,848 on average", False),
        (3.4, "3", False),
        (3, "3.7", False),
        (-4, "it is -4.", True),
        (True, "Yes.", True),
        (True, "No.", False),
        (False, "It is not.", True),
        (["Ann", 3], "ann and 3", True),
        ([], "none", True),
        (None, "", True),
    ],
)
def test_a_text_says_a_value(value: JSON, text: str, said: bool) -> None:
    assert says(text, value) is said


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [(1, 1.0, True), (1, True, False), (0.1 + 0.2, 0.3, True), ([1, "a"], [1, "a"], True), ({"a": 1}, {"a": 2}, False)],
)  # fmt: skip
def test_results_are_the_same_but_for_rounding(one: JSON, other: JSON, equal: bool) -> None:
    assert same(one, other) is equal
