"""Whole questions that people ask of any graph: every answer against networkx, and near-misses that are not taken for them."""

from pathlib import Path

import networkx as nx
import pytest

import graphtalk as gt
from around_graphs import Known, company, is_right, molecules, roads, social, triples
from graphtalk.core import Answer, Question
from graphtalk.graphs import Graph, GraphSet
from graphtalk.reasoners.around.table import Choice, Part, Slot, wording
from graphtalk.reasoners.offline import OfflineReasoner
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor
from graphtalk.tools.verify import verify
from planner_graphs import make

QUESTIONS = Path(__file__).parent / "questions"


def rows(name: str) -> list[tuple[str, str, str]]:
    lines = (QUESTIONS / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]  # type: ignore[misc]


def reasoner(graph: Graph | GraphSet) -> OfflineReasoner:
    index = Index.open(graph.union if isinstance(graph, GraphSet) else graph)
    return OfflineReasoner(Executor(graph, index if isinstance(graph, Graph) else None), index)


def asked(reasoner: OfflineReasoner, question: str) -> Answer:
    answer = list(reasoner.run(Question(question)))[-1].answer
    assert answer is not None
    return answer


@pytest.fixture(scope="module")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Known, OfflineReasoner]]:
    folder = tmp_path_factory.mktemp("around")
    made = {"company": company(), "social": social(folder), "roads": roads(), "triples": triples(folder)}
    found = {name: (Known(known), reasoner(graph)) for name, (known, graph) in made.items()}
    parts, together = molecules()
    one = reasoner(together)
    return found | {name: (Known(part), one) for name, part in parts.items()}


@pytest.mark.parametrize(("graph", "right", "question"), rows("around.tsv"))
def test_right_for_certain_and_verified(
    graphs: dict[str, tuple[Known, OfflineReasoner]], graph: str, right: str, question: str
) -> None:
    known, reasoner = graphs[graph]
    answer = asked(reasoner, question)
    assert answer.answered and answer.confidence is not None and answer.confidence > 0.95, answer.text
    assert is_right(known, right, answer.value), answer.text
    assert verify(reasoner.executor, answer).verdict == "same"


@pytest.mark.parametrize("greeting", ["hello", "Hi there!", "Good morning", "What can you do?"])
def test_who_greets_hears_what_the_graph_has(
    graphs: dict[str, tuple[Known, OfflineReasoner]], greeting: str
) -> None:
    answer = asked(graphs["company"][1], greeting)
    assert isinstance(answer.value, dict) and answer.value["nodes"] == len(graphs["company"][0].graph), (
        answer.text
    )


@pytest.mark.parametrize(("graph", "_right", "question"), rows("around_not.tsv"))
def test_a_near_miss_is_not_taken(
    graphs: dict[str, tuple[Known, OfflineReasoner]], graph: str, _right: str, question: str
) -> None:
    assert len(graphs[graph][1].proposer.around.heard(question)) != 1


def test_an_ambiguous_name_is_asked_back_with_both(graphs: dict[str, tuple[Known, OfflineReasoner]]) -> None:
    reasoner = graphs["company"][1]
    answer = asked(reasoner, "Tell me about Mercury.")
    assert not answer.answered
    assert [a.reading for a in answer.alternatives] == [
        "what the graph has of Mercury (company co3)",
        "what the graph has of Mercury (product pr2)",
    ]
    chosen = list(reasoner.run(Question("Tell me about Mercury.", choose=1)))[-1].answer
    assert chosen is not None and chosen.answered and "Trinidad and Tobago" in str(chosen.value)
    assert asked(reasoner, "Tell me about the company Mercury.").value == chosen.value


def test_one_way_or_either_way_is_asked_back_where_it_matters(
    graphs: dict[str, tuple[Known, OfflineReasoner]],
) -> None:
    answer = asked(graphs["social"][1], "How far is it from hub to gus?")
    assert not answer.answered and len(answer.alternatives) == 2
    answer = asked(graphs["roads"][1], "What is the shortest path from A to D?")
    assert not answer.answered and any("length" in a.reading for a in answer.alternatives)


def test_an_unknown_name_is_said_with_the_nearest(graphs: dict[str, tuple[Known, OfflineReasoner]]) -> None:
    answer = asked(graphs["company"][1], "Tell me about Zenit.")
    assert not answer.answered and "'Zenit'" in answer.text and "Zenith" in answer.text


def test_a_node_is_described_by_lines(graphs: dict[str, tuple[Known, OfflineReasoner]]) -> None:
    answer = asked(graphs["company"][1], "Tell me about Acme.")
    assert answer.text.splitlines()[:3] == [
        "What the graph has of Acme",
        "  type          company",
        "  id            co0",
    ]
    assert ("co0", "makes", "pr0") in answer.evidence.edges


def test_groups_are_told_by_lines() -> None:
    pairs = nx.Graph([("Ann", "Bob"), ("Cyd", "Dan")])
    answer = asked(reasoner(gt.from_networkx(pairs)), "Which groups are there?")
    assert answer.text.splitlines() == [
        "2: the groups of nodes that are joined",
        "  Ann and Bob",
        "  Cyd and Dan",
    ]


def test_nouns_of_graphs_mean_what_the_graph_calls_so() -> None:
    graph = make(
        {"node": {"id": ["n1"], "name": ["Alpha"]}, "graph": {"id": ["g1", "g2"], "name": ["Beta", "Gamma"]}},
        [("in", "node", "graph", [("n1", "g1")])],
    )
    heard = reasoner(graph).proposer.around.heard
    assert [h.words for h in heard("How many nodes are there?")] == ["how many node nodes there are"]
    assert not heard("What is the density of the graph?")


def test_a_noun_that_is_a_property_too_is_not_taken() -> None:
    people = {"id": ["p1", "p2"], "name": ["Alpha", "Beta"], "boss": ["none", "Gamma"]}
    graph = make({"person": people}, [("boss", "person", "person", [("p1", "p2")])])
    assert not reasoner(graph).proposer.around.heard("Who is the boss of Alpha?")


def test_neighbours_are_those_of_a_relation_that_says_so() -> None:
    graph = make(
        {"land": {"id": ["l1", "l2"], "name": ["Alpha", "Beta"]}, "sea": {"id": ["s1"], "name": ["Gamma"]}},
        [("borders", "land", "land", [("l1", "l2")], "borders"), ("coast on", "land", "sea", [("l1", "s1")])],
    )
    heard = reasoner(graph).proposer.around.heard
    assert not heard("Who are the neighbours of Alpha?") and not heard("What is next to Alpha?")
    assert len(heard("What is connected to Alpha?")) == 1


def test_a_hub_is_described_by_its_first_neighbours() -> None:
    star = gt.from_networkx(nx.star_graph(50))
    answer = asked(reasoner(star), "Describe node 0")
    assert answer.value == {"edge (8 of 50)": [str(i) for i in range(1, 9)]}
    assert len(answer.evidence.edges) == 8


@pytest.mark.parametrize(
    "question",
    ["What is " + "the " * 5_000 + "density?", "x " * 200, "who and " * 40, "what do 1" + ", 1" * 120],
)
def test_long_texts_are_read_in_no_time(question: str) -> None:
    assert not reasoner(gt.from_networkx(nx.path_graph(3))).proposer.around.heard(question)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who manages Bob?", ["Ann"]),
        ("Who does Bob manage?", ["Cem"]),
        ("Who is Cem's manager?", ["Bob"]),
        ("Who is the manager of Cem?", ["Bob"]),
    ],
)
def test_a_relation_called_by_who_does_it_is_what_they_do(question: str, value: list[str]) -> None:
    people = {"id": ["a", "b", "c"], "name": ["Ann", "Bob", "Cem"]}
    graph = make({"employee": people}, [("manager", "employee", "employee", [("b", "a"), ("c", "b")])])
    answer = asked(reasoner(graph), question)
    assert answer.value == value, answer.text


def test_a_wording_is_a_tree_of_words_choices_slots_and_parts() -> None:
    assert wording('show [me|us] (a|b c) @of {verb>} [","] ’s') == Choice(
        (
            (
                "show",
                Choice((("me",), ("us",), ())),
                Choice((("a",), ("b", "c"))),
                Part("of"),
                Slot("verb>"),
                Choice(((",",), ())),
                "'s",
            ),
        )
    )


@pytest.mark.parametrize("text", ["a (b", "a [b)", "a ) b", "a | b]", "a {b c", "a , b"])
def test_a_wording_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        wording(text)
