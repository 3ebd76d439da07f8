"""Words that say nothing of what is asked for, vague ones that say what a reading means, and what a question rules out."""

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

import graphtalk as gt
from graphtalk.calls import parse
from graphtalk.core import Answer, Question
from graphtalk.graphs import Graph
from graphtalk.language.wordy import shorter
from graphtalk.reasoners.given import ruled_out
from graphtalk.reasoners.reader.linking import Linked
from planner_graphs import offline

DEPOT = {
    "nodes_Hub.csv": "id,name,capacity,createdAt\n"
    + "".join(f"h{i},10.0.0.{i},{100 * i},20{10 + i}-05-01\n" for i in range(1, 7)),
    "nodes_Team.csv": "id,name,motto\nt1,Red,always on war\nt2,Blue,peace\nt3,Green,no war at all\n",
    "nodes_Person.csv": "id,name,born\n"
    + "".join(f"p{i},Ann {c},{1960 + i}\n" for i, c in enumerate("ABCDE")),
    "edges_HAS_TEAM.csv": "source,target\nh1,t1\nh1,t2\nh2,t1\nh3,t3\n",
    "edges_DIRECTED.csv": "source,target\np0,h1\np1,h2\np0,h3\np2,h4\n",
}


@cache
def depot() -> Graph:
    folder = Path(mkdtemp())
    for name, text in DEPOT.items():
        (folder / name).write_text(text)
    graph = gt.open(folder)
    assert isinstance(graph, Graph)
    return graph


def asked(graph: Graph, question: str) -> Answer:
    answer = list(offline(graph).run(Question(question)))[-1].answer
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("said", "short"),
    [
        ("List the 3 hubs based on their capacity.", "List the 3 hubs by capacity."),
        ("List all teams mentioned in the database.", "List all teams."),
        ("Which teams are in the system?", "Which teams are in the system?"),
        ("Which teams are mentioned in the database?", "Which teams are mentioned in the database?"),
        ("Find the hub with IP '10.0.0.3'.", "Find the hub named '10.0.0.3'."),
        ("Find the firm with CEO 'Bob'.", "Find the firm with CEO 'Bob'."),
        ("List the hubs and their respective teams.", "List the hubs and their teams."),
        ("What is the smallest hub of Red by capacity?", "What is the hub of Red with the lowest capacity?"),
    ],
)
def test_what_is_said_at_length_is_said_shortly(said: str, short: str) -> None:
    assert shorter(said, ["capacity", "created at", "motto"]) == short


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Name the persons who directed hubs with a capacity above 350.", ["Ann C"]),
        ("Which directors have directed the hub named '10.0.0.1'?", ["Ann A"]),
        ("List the teams with a motto that includes the word 'war'.", ["Green", "Red"]),
        ("List the top 2 hubs based on the 'capacity' property.", ["10.0.0.5", "10.0.0.6"]),
        ("Display the teams of the hub with IP '10.0.0.3'.", ["Green"]),
    ],
)
def test_words_that_say_no_more_block_no_answer(question: str, right: list[str]) -> None:
    answer = asked(depot(), question)
    assert answer.answered, answer.text
    assert isinstance(answer.value, list) and sorted(map(str, answer.value)) == right


def test_a_number_that_is_named_and_not_used_blocks_the_answer() -> None:
    answer = asked(depot(), "Which teams have the most hubs in terms of capacity?")
    assert not answer.answered


def test_what_is_excepted_is_no_answer() -> None:
    question, call = "Which person directed the fewest hubs except Ann A?", parse('Nodes["Person"]')
    at = question.index("Ann A")
    named = [Linked("Ann A", "name", at, at + 5, found=(("P:Person.name", ("Ann A",)),))]
    assert list(ruled_out(question, named, call, "persons", ["Ann A", "Ann B"], depot().schema)) == [
        "'Ann A'"
    ]
    assert list(ruled_out(question, named, call, "persons", ["Ann B"], depot().schema)) == []


def test_what_is_asked_for_has_the_name_that_it_is_called_by() -> None:
    question, call = "How many hubs are called Red?", parse('Nodes["Hub"]')
    named = [Linked("Red", "name", 25, 28, found=(("P:Team.name", ("Red",)),))]
    assert list(ruled_out(question, named, call, "hubs of Red", 2, depot().schema)) == ["'Red'"]
    assert list(ruled_out(question, named, call, "hubs whose name is “Red”", 2, depot().schema)) == []
