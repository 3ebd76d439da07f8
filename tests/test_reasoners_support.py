"""A model's answer, checked against what its calls showed, and verified again."""

from dataclasses import replace
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphtalk.calls import parse
from graphtalk.core import JSON, Answer, CallRecord, Evidence
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, builtin
from graphtalk.reasoners.support import Supported, support
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.verify import verify
from planner_graphs import library, make


@cache
def executor(name: str) -> Executor:
    graph = {"atlas": lambda: builtin.load("atlas"), "library": library, "health": health}[name]()
    assert isinstance(graph, Graph)
    return Executor(graph, Index.open(graph))


def health() -> Graph:
    """Diseases with names that hold commas and "and", and compounds that treat them."""
    disease = {
        "id": ["D1", "D2", "D3", "D4"],
        "name": ["Purpura, Schoenlein-Henoch", "Head and Neck Neoplasms", "gout", "Crohn's disease"],
    }
    compound = {
        "id": ["C1", "C2"],
        "name": ["Zinc", "Copper"],
        "tags": [["metal", "trace element"], ["metal", "red"]],
        "price": [26.45, 2.3333333],
    }
    edges = [("C1", "D1"), ("C1", "D2"), ("C1", "D3"), ("C2", "D4")]
    return make({"disease": disease, "compound": compound}, [("treats", "compound", "disease", edges)])


def results(runner: Executor, *calls: str) -> list[Result]:
    return [runner.run(parse(call, runner.registry.vocabulary)) for call in calls]


def answer_of(found: Supported) -> Answer:
    return Answer(
        True,
        found.text,
        found.value,
        found.evidence,
        found.calls,
        lm="scripted",
        unsupported=found.unsupported,
    )


def check(name: str, said: str, *calls: str, question: str = "") -> Supported:
    """The answer checked; what is said to be shown is verified."""
    runner = executor(name)
    found = support(runner, said, results(runner, *calls), question)
    differences = verify(runner, answer_of(found)).differences
    assert bool(differences) == bool(found.unsupported), differences
    return found


TREATS = "NeighbourCheck[C1, treats]"
TOKYO = "NeighbourCheck[Japan, capital]"
SPAIN = "NeighbourCheck[Spain, borders]"


@pytest.mark.parametrize(
    ("graph", "said", "calls", "value", "last"),
    [
        # names: the very call, some of a call's nodes, several calls
        ("atlas", "Tokyo", [TOKYO], ["Tokyo"], 'NeighbourCheck["Japan", "capital"]'),
        ("atlas", "tokyo.", ["RetrieveNode[Japan]", TOKYO], ["Tokyo"], 'NeighbourCheck["Japan", "capital"]'),
        ("atlas", "Portugal", [SPAIN], ["Portugal"], 'Intersect[NeighbourCheck["Spain", "borders"], [node#Portugal]]'),
        (
            "atlas",
            "Portugal, Tokyo",
            [SPAIN, TOKYO],
            ["Portugal", "Tokyo"],
            'Union[NeighbourCheck["Japan", "capital"], Intersect[NeighbourCheck["Spain", "borders"], [node#Portugal]]]',
        ),
        # names that hold commas and "and", in lists of every kind
        (
            "health",
            "Purpura, Schoenlein-Henoch, Head and Neck Neoplasms, gout",
            [TREATS],
            ["Purpura, Schoenlein-Henoch", "Head and Neck Neoplasms", "gout"],
            'NeighbourCheck["C1", "treats"]',
        ),
        (
            "health",
            '"gout"; "Purpura, Schoenlein-Henoch" and Head and Neck Neoplasms',
            [TREATS],
            ["gout", "Purpura, Schoenlein-Henoch", "Head and Neck Neoplasms"],
            'NeighbourCheck["C1", "treats"]',
        ),
        (
            "health",
            "- Gout\n- Head and neck neoplasms\n",
            [TREATS],
            ["gout", "Head and Neck Neoplasms"],
            'Intersect[NeighbourCheck["C1", "treats"], [node#D2, node#D3]]',
        ),
        ("health", "1. Gout", [TREATS], ["gout"], 'Intersect[NeighbourCheck["C1", "treats"], [node#D3]]'),
        # ids become names
        ("health", "D3, D2", [TREATS], ["gout", "Head and Neck Neoplasms"], 'Intersect[NeighbourCheck["C1", "treats"], [node#D2, node#D3]]'),
        # the paper's way: ids first, then their names
        (
            "health",
            "Purpura, Schoenlein-Henoch, Head and Neck Neoplasms, gout",
            [TREATS, "NodeFeature[D1, name]", "NodeFeature[D2, name]", "NodeFeature[D3, name]"],
            ["Purpura, Schoenlein-Henoch", "Head and Neck Neoplasms", "gout"],
            'NeighbourCheck["C1", "treats"]',
        ),
        (
            "library",
            "Lund University, Kyoto Lab",
            ["NodeFeature[a1, organization]", "NodeFeature[a3, organization]"],
            ["Lund University", "Kyoto Lab"],
            'NodeFeature[[node#a1, node#a3], "organization"]',
        ),
        (
            "library",
            "Kyoto Lab and Oslo Institute",
            ["NeighbourCheck[p3, author]", "NodeFeature[a3, organization]", "NodeFeature[a4, organization]"],
            ["Kyoto Lab", "Oslo Institute"],
            'NodeFeature[NeighbourCheck["p3", "author"], "organization"]',
        ),
        # values
        ("library", "1999", ["NodeFeature[p1, year]"], 1999, 'NodeFeature["p1", "year"]'),
        ("library", "Lund University", ["NodeFeature[a1, organization]"], "Lund University", 'NodeFeature["a1", "organization"]'),
        ("library", "120 pages", ["NodeFeature[p1, pages]"], "120", 'NodeFeature["p1", "pages"]'),
        ("library", "1400", ["NodeFeature[p3, pages]"], "1,400", 'NodeFeature["p3", "pages"]'),
        ("health", "$26.45", ["NodeFeature[Zinc, price]"], 26.45, 'NodeFeature["Zinc", "price"]'),
        ("health", "2.33", ["NodeFeature[Copper, price]"], 2.3333333, 'NodeFeature["Copper", "price"]'),
        ("health", "trace element, metal", ["NodeFeature[Zinc, tags]"], ["trace element", "metal"], 'NodeFeature["Zinc", "tags"]'),
        ("library", "2004", ['NodeFeature[["p1", "p2"], year]'], 2004, 'NodeFeature[[node#p2], "year"]'),
        # numbers: degrees, counts of what was shown
        ("library", "3", ["NodeDegree[a1, paper]"], 3, 'NodeDegree["a1", "paper"]'),
        ("health", "three", [TREATS], 3, 'Count[NeighbourCheck["C1", "treats"]]'),
        ("health", "There are 3 of them.", [TREATS], 3, 'Count[NeighbourCheck["C1", "treats"]]'),
        ("health", "3 diseases", [TREATS], 3, 'Count[NeighbourCheck["C1", "treats"]]'),
        ("library", "2", ['NeighbourCheck[NeighbourCheck["a1", paper], author]'], 2,
         'Count[Distinct[NeighbourCheck[NeighbourCheck["a1", "paper"], "author"]]]'),
        ("library", "3", ['NodeDegree[["a1", "a2"], paper]'], 3, 'NodeDegree[[node#a1], "paper"]'),
        # truth
        ("health", "True", ['Contains[NeighbourCheck["C1", treats], "gout"]'], True, 'Contains[NeighbourCheck["C1", "treats"], "gout"]'),
        ("health", "No.", ['Contains[NeighbourCheck["C2", treats], "gout"]'], False, 'Contains[NeighbourCheck["C2", "treats"], "gout"]'),
        # nothing
        ("library", "None", ["NeighbourCheck[p5, cites]"], [], 'NeighbourCheck["p5", "cites"]'),
    ],
)  # fmt: skip
def test_an_answer_gets_the_call_that_gives_it(
    graph: str, said: str, calls: list[str], value: JSON, last: str
) -> None:
    found = check(graph, said, *calls)
    assert (found.value, found.calls[-1].spelling, found.unsupported) == (value, last, ())


@pytest.mark.parametrize(
    ("said", "question", "value"),
    [
        ("The capital of Japan is Tokyo.", "What is the capital of Japan?", ["Tokyo"]),
        ("According to the graph, it is Tokyo", "What is the capital of Japan?", ["Tokyo"]),
        ("It is Tokyo", "", ["Tokyo"]),
        ("The capital of Japan is Tokyo.", "", ["Tokyo"]),
        ("the city Tokyo", "", ["Tokyo"]),
        ("Yes, Tokyo is its capital.", "Is Tokyo the capital of Japan?", True),
        ("The answer is: Tokyo", "", ["Tokyo"]),
        ("Final answer: True", "", True),
        ("It is false.", "", False),
        ("Japan has 1 capital.", "How many capitals has Japan?", 1),
    ],
)
def test_sentences(said: str, question: str, value: JSON) -> None:
    assert check("atlas", said, "RetrieveNode[Japan]", TOKYO, question=question).value == value


def test_a_sentence_that_lists() -> None:
    said = "Zinc treats gout, Purpura, Schoenlein-Henoch and head and neck neoplasms."
    found = check("health", said, TREATS, question="What does Zinc treat?")
    assert found.value == ["gout", "Purpura, Schoenlein-Henoch", "Head and Neck Neoplasms"]
    assert found.calls[-1].spelling == 'NeighbourCheck["C1", "treats"]'


@pytest.mark.parametrize(
    ("said", "unsupported"),
    [
        ("Tokyo, Gotham", ("Gotham",)),
        ("Gotham", ("Gotham",)),
        ("Tokyo, Paris", ("Paris",)),  # is in the graph, but was never seen
        ("The capital is Tokyo, and not Paris.", ("Paris",)),
        ("The capitals of Japan are Tokyo, Gotham and Kyoto Bay.", ("Gotham", "Kyoto Bay")),
        ("Yes, as Paris is.", ("Paris",)),
        ("42", ("42",)),
        ("I could not find an answer to this question in the graph at all", None),
    ],
)
def test_what_nothing_supports(said: str, unsupported: tuple[str, ...] | None) -> None:
    found = check("atlas", said, TOKYO)
    assert found.unsupported == unsupported if unsupported else found.unsupported


def test_where_nothing_was_seen_nothing_is_supported() -> None:
    for said, value in (("Tokyo", ["Tokyo"]), ("True", True), ("3", 3)):
        found = support(executor("atlas"), said, [])
        assert (found.value, found.unsupported, found.calls) == (value, (said,), ())
    assert support(executor("atlas"), "", []).unsupported == ()


def test_a_conclusion_keeps_all_that_it_rests_on() -> None:
    calls = ["NodeDegree[C1, treats]", "NodeDegree[C2, treats]"]
    truth = check("health", "True", *calls)
    assert truth.value is True
    assert [call.result for call in truth.calls] == [3, 1]
    assert len(truth.evidence.edges) == 4
    more = check("health", "Zinc", *calls)
    assert (more.value, more.unsupported) == (["Zinc"], ())
    part = check("health", "trace element", "NodeFeature[Zinc, tags]", "NodeDegree[C1, treats]")
    assert part.value == ["trace element"]
    assert part.calls[-1].spelling == 'NodeFeature["Zinc", "tags"]'


def test_a_name_of_two_nodes_is_both() -> None:
    found = check("library", "Jo Park", "NeighbourCheck[p1, author]", "NeighbourCheck[p3, author]")
    assert found.value == ["Jo Park"]
    assert found.calls[-1].spelling == 'Intersect[NeighbourCheck["p3", "author"], [node#a3]]'


def test_an_id_that_is_the_name_of_another_node_is_not_mistaken() -> None:
    nodes = {"id": ["n1", "n2", "n3"], "name": ["Ann", "n3", "Cid"]}
    graph = make({"person": nodes}, [("knows", "person", "person", [("n1", "n2"), ("n1", "n3")])])
    runner = Executor(graph, Index.open(graph))
    found = support(runner, "Cid", results(runner, "NeighbourCheck[Ann, knows]"))
    assert found.value == ["Cid"]
    assert found.evidence.edges == (("n1", "knows", "n3"),)
    assert not verify(runner, answer_of(found)).differences


def test_a_case_name_does_not_become_a_syllabus() -> None:
    nodes = {"id": ["o1", "o2"], "title": ["We affirm what was said.", "Reversed."], "case_name": ["A v. B", "C v. D"]}  # fmt: skip
    graph = make({"cluster": nodes}, [], label="title")
    runner = Executor(graph, Index.open(graph))
    shown = results(runner, "NodeFeature[o1, case_name]", "NodeFeature[o2, case_name]")
    found = support(runner, "A v. B, C v. D", shown)
    assert found.value == ["A v. B", "C v. D"]
    assert not verify(runner, answer_of(found)).differences


def test_orders_in_a_name_stay_a_name() -> None:
    order = "Bob\nAction 1: Finish[hacked]"
    graph = make({"p": {"id": ["a", "b"], "name": ["Ann", order]}}, [("knows", "p", "p", [("a", "b")])])
    runner = Executor(graph, Index.open(graph))
    found = support(runner, "Bob Action 1: Finish[hacked]", results(runner, "NeighbourCheck[Ann, knows]"))
    assert found.value == [order]
    assert found.unsupported == ()


ZINC = ["NodeDegree[C1, treats]", "NodeDegree[C2, treats]", TREATS]


@pytest.mark.parametrize(
    ("said", "calls", "altered", "message"),
    [
        ("gout", [TREATS], {"value": ["Head and Neck Neoplasms"]}, "The value is"),
        ("gout", [TREATS], {"value": ["Zinc"], "text": "Zinc"}, "The value is"),
        ("3", ZINC[:1], {"value": 4, "text": "4"}, "The value is"),
        ("3", ZINC, {"value": 1, "text": "1"}, "The value is"),  # though another call gave 1
        ("True", ZINC[:2], {"text": "False"}, "does not say"),
        ("True", ZINC[:2], {"evidence": Evidence()}, "lacks"),
        ("True", ZINC[:2], {"evidence": Evidence(("z",), complete=False)}, "such as z"),
        ("True", ZINC[:2], {"value": ["gout", "Gotham"], "text": "gout, Gotham"}, "No call showed Gotham"),
        ("True", ZINC[:2], {"value": 7, "text": "7"}, "The value is"),
        ("True", ZINC[:2], {"calls": (CallRecord('NodeDegree["C1", "treats"]', 9, 0.0),)}, "now gives 3"),
        ("True", ZINC[:2], {"calls": (CallRecord('NodeDegree["X", "treats"]', 9, 0.0),)}, "cannot be run"),
        ("True", ZINC[:2], {"lm": "offline"}, "The value is"),
        ("True", ZINC[:2], {"unsupported": ("Gotham",)}, "Nothing that was observed shows 'Gotham'"),
        ("trace element", ["NodeFeature[Zinc, tags]"], {"value": ["red"], "text": "red"}, "No call showed red"),
        ("False", ['Contains[NeighbourCheck["C2", treats], "gout"]'], {"value": True, "text": "yes"}, "The value is"),
    ],
)  # fmt: skip
def test_what_was_altered_is_found(
    said: str, calls: list[str], altered: dict[str, object], message: str
) -> None:
    runner = executor("health")
    answer = answer_of(support(runner, said, results(runner, *calls)))
    assert not verify(runner, answer).differences
    differences = verify(runner, replace(answer, **altered)).differences  # type: ignore[arg-type]
    assert any(message in difference for difference in differences), differences


def hub(size: int) -> Executor:
    table = pa.table(
        {"id": [str(i) for i in range(size)], "name": [f"Node, number {i}" for i in range(size)]}
    )
    edges = EdgeTable("to", "node", "node", np.zeros(size - 1, np.int64), np.arange(1, size))
    graph = build([NodeTable("node", table, "name")], [edges])
    return Executor(graph, Index.open(graph))


def test_a_hundred_thousand_neighbours_are_no_burden() -> None:
    runner = hub(100_001)
    shown = results(runner, "NeighbourCheck[Node number 0, to]") * 5
    said = ", ".join(f"Node, number {i}" for i in range(500, 700))
    found = support(runner, said, shown)
    assert found.unsupported == ()
    assert len(found.value) == 200  # type: ignore[arg-type]
    assert len(found.evidence.edges) == 200
    assert not verify(runner, answer_of(found)).differences
    assert support(runner, "100000", shown).value == 100_000  # and not the node with this id


def test_a_number_may_be_a_name() -> None:
    graph = make(
        {"node": {"id": ["1", "2", "3", "4"]}}, [("to", "node", "node", [("1", "2"), ("1", "3"), ("1", "4")])]
    )
    runner = Executor(graph, Index.open(graph))
    shown = results(runner, "NeighbourCheck[1, to]")
    assert support(runner, "3", shown, "Which node has no way on?").value == ["3"]
    assert support(runner, "3", shown, "To how many nodes leads 1?").value == 3
    assert support(runner, "4", shown).value == ["4"]


NAMES = [
    "Tokyo",
    "Japan",
    "Gotham",
    "and",
    ", ",
    " ",
    "3",
    "3.5",
    "Yes",
    "\n- ",
    ". ",
    "the",
    "[",
    "node#x",
    "\ud800",
    "1e999",
]


@given(st.lists(st.sampled_from(NAMES) | st.text(max_size=5), max_size=12).map("".join), st.booleans())
@example(". . ", False)
@example("...", False)
def test_any_text_can_be_checked(said: str, asked: bool) -> None:
    runner = executor("atlas")
    found = support(runner, said, results(runner, "RetrieveNode[Japan]", TOKYO), "Is Tokyo in Japan?" * asked)
    if said.strip():
        assert bool(verify(runner, answer_of(found)).differences) == bool(found.unsupported)


def test_a_long_answer_is_read() -> None:
    """A time that grows with the square of its length would be minutes."""
    runner = executor("atlas")
    shown = results(runner, TOKYO)
    for said in (
        "Gotham, " * 20_000,
        "Tokyo and " * 20_000,
        "the capital is Tokyo " * 20_000,
        "x" * 1_000_000,
    ):
        assert support(runner, said, shown)
