"""Verifying answers: what is altered is found."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.app.render import answer_of_json, answer_to_json
from graphtalk.calls import parse
from graphtalk.core import JSON, Answer, CallRecord, Evidence
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.language.telling import answer_in_words
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
    assert verify(Executor(WORLD), answer_to(WORLD, text, said)).verdict == "same"


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        (0.1 + 0.2, True),
        (0.3 + 1e-11, True),
        (0.3 + 1e-8, False),
        (0.3001, False),
        (0.4, False),
        (-0.3, False),
    ],
)
def test_numbers_are_the_same_but_for_their_last_places(other: float, is_same: bool) -> None:
    assert same(0.3, other) is is_same and same([{"x": 0.3}], [{"x": other}]) is is_same
    assert same(0.3e-20, other * 1e-20) is is_same and same(0.3e20, other * 1e20) is is_same


def test_a_small_number_is_not_nothing() -> None:
    assert not same(1e-12, 0.0) and not same(1e-12, 2e-12) and not same(1, True) and not same(0, False)


@pytest.mark.parametrize(
    ("altered", "message"),
    [
        (replace(FRIENDS, value=["Bob", "Dan"]), "The value is"),
        (replace(FRIENDS, text="Ann knows Dan."), "does not say the value"),
        (replace(FRIENDS, evidence=Evidence(("z",), FRIENDS.evidence.edges)), "such as z"),
        (replace(FRIENDS, evidence=replace(FRIENDS.evidence, edges=())), "lacks 2 edges"),
        (replace(FRIENDS, calls=()), "no calls"),
        (replace(FRIENDS, calls=(CallRecord('NeighbourCheck["Ann", "knows"]', ["Bob"], 0.0),)), "now gives"),
        (
            replace(FRIENDS, calls=(CallRecord('NeighbourCheck["Eve", "knows"]', ["Bob"], 0.0),)),
            "cannot be run",
        ),
        (replace(FRIENDS, calls=(CallRecord("not a call", None, 0.0),)), "cannot be run"),
    ],
)
def test_what_was_altered_is_found(altered: Answer, message: str) -> None:
    assert any(message in difference for difference in verify(Executor(WORLD), altered).differences)


def test_a_graph_that_changed_is_found() -> None:
    differences = verify(Executor(graph_of((0, 1), (1, 3))), FRIENDS).differences
    assert any("now gives" in difference for difference in differences)
    assert any("not found, such as ('a', 'knows', 'c')" in difference for difference in differences)


def test_an_answer_that_was_not_found_claims_nothing() -> None:
    found = verify(Executor(WORLD), Answer(False, "I cannot tell."))
    assert (found.verdict, found.differences) == ("nothing", [])


NONE_FOUND = Answer(False, "There is nothing.", lm="scripted")
STATED = replace(
    FRIENDS, text=answer_in_words(FRIENDS.value, "persons that Ann knows"), reading="persons that Ann knows"
)
BY_MODEL = replace(FRIENDS, lm="scripted")
AGES = answer_to(WORLD, 'NodeFeature["Bob", "age"]', "2")
CONCLUDED = replace(AGES, value=True, text="Yes, he is older.", lm="scripted")


def test_what_a_model_concluded_is_said_not_to_be_checked() -> None:
    for altered in (CONCLUDED, replace(CONCLUDED, value=False, text="No, he is not.")):
        found = verify(Executor(WORLD), altered)
        assert (found.verdict, found.differences) == ("concluded", [])
        assert "that the value follows from what the calls gave" in found.unchecked


@pytest.mark.parametrize("look_up", ['RetrieveNode["Bob"]', 'Union["Bob", ["Cid"]]'])
def test_a_look_up_of_the_answer_proves_nothing(look_up: str) -> None:
    found = verify(Executor(WORLD), answer_to(WORLD, look_up, "Bob and Cid"))
    assert found.verdict == "concluded"
    assert any("only look the names up" in each for each in found.unchecked)


@pytest.mark.parametrize(
    ("forged", "message"),
    [
        (replace(NONE_FOUND, calls=(CallRecord("not a call", None, 0.0),)), "yet there are calls"),
        (replace(NONE_FOUND, value=["Bob"]), "yet there is a value"),
        (replace(NONE_FOUND, evidence=FRIENDS.evidence), "yet there is evidence"),
        (
            replace(STATED, text="Ann knows neither Bob and Cid (persons that Ann knows)"),
            "but the value says",
        ),
        (replace(STATED, text=f"{STATED.text} They are enemies."), "but the value says"),
        (replace(STATED, remarks=("A model predicts it.",)), "The remarks are"),
        (replace(BY_MODEL, text="Ann does not know Bob and Cid."), "has 'not'"),
        (replace(BY_MODEL, text="Ann doesn't know Bob, Cid."), "the opposite"),
        (
            replace(
                answer_to(WORLD, 'Contains[NeighbourCheck["Ann", "knows"], "Dan"]', "Yes, no doubt."),
                lm="scripted",
            ),
            "'yes'",
        ),
        (replace(BY_MODEL, unsupported=("Bob",)), "Nothing that was observed shows 'Bob'"),
        (replace(BY_MODEL, evidence=Evidence(complete=False)), "lacks 3 nodes"),
        (replace(BY_MODEL, evidence=replace(FRIENDS.evidence, edges=(), complete=False)), "lacks 2 edges"),
        (replace(BY_MODEL, value=["Bob", "Cid", "Bob"], text="Bob, Cid, Bob"), "The value is"),
        (replace(BY_MODEL, calls=FRIENDS.calls[-1:] * 2), "more than once"),
        (
            replace(BY_MODEL, evidence=replace(FRIENDS.evidence, nodes=FRIENDS.evidence.nodes * 2)),
            "more than once",
        ),
        (replace(CONCLUDED, value=True, text="He is Dan, which is true.", calls=()), "no calls"),
        (replace(CONCLUDED, lm="offline"), "The value is"),
        (replace(CONCLUDED, value=["Dan"], text="Dan"), "No call showed Dan"),
    ],
)
def test_a_forgery_is_refused(forged: Answer, message: str) -> None:
    found = verify(Executor(WORLD), forged)
    assert found.verdict == "differs"
    assert any(message in difference for difference in found.differences), found.differences


def test_a_forgery_is_refused_after_its_way_through_json() -> None:
    shown = answer_to_json(replace(BY_MODEL, unsupported=("Eve",), remarks=("Said beside.",)))
    again = answer_of_json(shown, "answer")
    assert (again.unsupported, again.remarks, again.reading) == (("Eve",), ("Said beside.",), "")
    assert verify(Executor(WORLD), again).verdict == "differs"


def test_evidence_that_was_cut_for_showing_is_said_to_be_cut() -> None:
    crowd = build(
        [NodeTable("person", pa.table({"id": [f"p{i}" for i in range(80)], "name": [f"P{i}" for i in range(80)]}), "name")],
        [EdgeTable("knows", "person", "person", np.zeros(79, int), np.arange(1, 80))],
        "crowd",
    )  # fmt: skip
    answer = answer_to(crowd, 'Count[NeighbourCheck["P0", "knows"]]', "79")
    cut = replace(answer, evidence=Evidence(answer.evidence.nodes[:50], answer.evidence.edges[:50], False))
    found = verify(Executor(crowd), cut)
    assert found.verdict == "same" and any("leaves out" in each for each in found.unchecked)
    shorter = replace(
        answer, evidence=Evidence(answer.evidence.nodes[:49], answer.evidence.edges[:50], False)
    )
    assert verify(Executor(crowd), shorter).verdict == "differs"
    unsaid = replace(cut, evidence=replace(cut.evidence, complete=True))
    assert verify(Executor(crowd), unsaid).verdict == "differs"


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
