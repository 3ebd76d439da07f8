"""What answers name, checked against the graph: the paper's own examples first."""

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.benchmarks.hallucination import check, check_evidence, marked, rates
from graphtalk.core import Evidence
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.training.text_graphs import TextGraph

SCENE = TextGraph(
    (
        "name: elephant; attribute: gray; (x,y,w,h): (1, 2, 3, 4)",
        "name: bushes; (x,y,w,h): (5, 6, 7, 8)",
        "grass",
    ),
    ("in", "near"),
    np.array([[0, 1], [1, 2]]),
)
HALLUCINATED = (
    "The animal in the bushes is a deer. Nodes: * Deer (node 1) * Bushes (node 1) "
    "Edges: * Deer Bushes (edge 1) * Deer Grass (edge 2) * Bushes Grass (edge 3)"
)


def test_the_papers_hallucinated_answer() -> None:
    checked = check(HALLUCINATED, SCENE)
    assert checked.nodes == (("Deer (node 1)", False), ("Bushes (node 1)", True))
    assert checked.edges == (
        ("Deer Bushes (edge 1)", False),
        ("Deer Grass (edge 2)", False),
        ("Bushes Grass (edge 3)", True),
    )
    assert not checked.fully_valid


def test_the_papers_correct_answer() -> None:
    answer = """Based on the graph, the animal is an elephant. The nodes that support this answer are:
* Node 0: The elephant is mentioned in the first line of the graph.

The edges that support this answer are:
* elephant - in - bushes

Therefore, the answer is: The animal in the bushes is an elephant."""
    checked = check(answer, SCENE)
    assert [valid for _, valid in (*checked.nodes, *checked.edges)] == [True, True]
    assert checked.fully_valid


@pytest.mark.parametrize(
    ("edge", "valid"),
    [
        ("elephant -> bushes", True),
        ("bushes -> elephant", True),  # without a relation no direction is claimed
        ("elephant --in--> bushes", True),
        ("(elephant; in; bushes)", True),
        ("elephant, in, bushes", True),
        ("Elephant in Bushes", True),
        ("elephant → near → bushes", False),
        ("bushes, in, elephant", False),
        ("elephant -> grass", False),
        ("elephant", False),
        ("node 0 -> node 1", True),
        ("node 0 -> node 7", False),
    ],
)
def test_edges_in_all_their_spellings(edge: str, valid: bool) -> None:
    assert check(f"Edges:\n- {edge}", SCENE).edges == ((edge, valid),)


@pytest.mark.parametrize(
    ("nodes", "valid"),
    [
        ("elephant, bushes and more", [True, False]),
        ("Elephant; GRASS", [True, True]),
        ("node 2, node 3", [True, False]),
        ("grass (node 0)", [False]),
        ("name: elephant; attribute: gray; (x,y,w,h): (1, 2, 3, 4)", [False, False, False]),
    ],
)
def test_nodes_in_lists(nodes: str, valid: list[bool]) -> None:
    assert [found for _, found in check(f"Nodes: {nodes}", SCENE).nodes] == valid


def test_a_copy_of_the_textual_graph_is_fully_valid() -> None:
    checked = check(SCENE.as_csv(), SCENE)
    assert len(checked.nodes) == 3 and len(checked.edges) == 2 and checked.fully_valid
    part = SCENE.part(np.array([1, 2]), np.array([1]))
    assert part.as_csv().splitlines()[1].startswith("1,") and check(part.as_csv(), part).fully_valid
    wrong = SCENE.as_csv().replace("0,in,1", "1,in,0").replace("2,grass", "2,hay")
    assert [valid for _, valid in check(wrong, SCENE).edges] == [False, True]
    assert check(wrong, SCENE).nodes[-1] == ("2,hay", False)


def test_text_that_names_what_is_not_there_is_marked() -> None:
    told = marked(HALLUCINATED, SCENE)
    assert "Deer (node 1) [not in the graph] * Bushes (node 1) Edges" in told
    assert told.count("[not in the graph]") == 3
    assert told.replace(" [not in the graph]", "") == HALLUCINATED
    assert marked("The animal is an elephant.", SCENE) == "The animal is an elephant."


def test_rates_are_those_of_table_6() -> None:
    found = rates([check(HALLUCINATED, SCENE), check("Nodes: grass", SCENE), check("A deer.", SCENE)])
    assert (found.answers, found.naming) == (3, 2)
    assert found.valid_nodes == pytest.approx(2 / 3) and found.valid_edges == pytest.approx(1 / 3)
    assert found.fully_valid == 0.5
    assert rates([]).valid_nodes is None


def test_evidence_is_looked_up_in_the_graph() -> None:
    nodes = NodeTable("person", pa.table({"id": ["ann", "bob", "cid"]}))
    knows = EdgeTable("knows", "person", "person", np.array([0]), np.array([1]))
    married = EdgeTable("married to", "person", "person", np.array([1]), np.array([2]), inverse="married to")
    graph = build([nodes], [knows, married])
    good = Evidence(("ann", "bob"), (("ann", "knows", "bob"), ("cid", "married to", "bob")))
    assert check_evidence(good, graph).fully_valid
    bad = Evidence(("eve",), (("bob", "knows", "ann"), ("ann", "married to", "bob"), ("eve", "knows", "ann")))
    assert not any(
        valid for _, valid in (*check_evidence(bad, graph).nodes, *check_evidence(bad, graph).edges)
    )
