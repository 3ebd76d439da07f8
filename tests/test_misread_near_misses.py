"""Questions that are nearly answered by a graph: another deed, another end, one thing more than is told. None is answered with what is near."""

import pytest

from graphtalk.calls import parse
from graphtalk.core import Question
from graphtalk.graphs import Graph
from graphtalk.reasoners.given import how_far, ruled_out
from graphtalk.reasoners.omitted import opposed
from graphtalk.reasoners.overlooked import narrows
from planner_graphs import make, offline


def mills() -> Graph:
    return make(
        {
            "mill": {
                "id": ["m1", "m2"],
                "name": ["Chesterton", "Sutton"],
                "sails": [4, 5],
                "listed_on": [1951, 1960],
            },
            "millwright": {"id": ["w1", "w2"], "name": ["Ann Lee", "Bo Dahl"]},
            "grape": {"id": ["g1", "g2"], "name": ["Regent", "Pinot"]},
            "disease": {"id": ["d1"], "name": ["black rot"]},
            "review": {
                "id": ["r1", "r2"],
                "review_id": ["RV-1", "RV-2"],
                "score": [3, 4],
                "self_score": [5, 2],
            },
            "game": {"id": ["a1", "a2"], "code": ["G-1", "G-2"], "played_on": [2019, 2020]},
        },
        [
            ("restored by", "mill", "millwright", [("m1", "w1"), ("m2", "w2")]),
            ("resistant to", "grape", "disease", [("g1", "d1")]),
        ],
    )


@pytest.mark.parametrize(
    "question",
    [
        "who'll restore Chesterton",
        "Which grapes are susceptible to black rot?",
        "Which grapes are prone to black rot?",
        "RV-1: score and self score",
        "how old is Chesterton",
        "how many played in G-1",
        "mill with the most sails, architect",
        "When was Chesterton painted?",
    ],
)
def test_is_not_answered_with_what_is_near(question: str) -> None:
    answer = list(offline(mills()).run(Question(question)))[-1].answer
    assert answer is not None
    if answer.answered and "score" in question:  # both, or neither
        assert "3" in str(answer.value) and "5" in str(answer.value)
    else:
        assert not answer.answered, answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("who took the coat", "people that the coats were given by"),
        ("where did Ann study", "schools that Ann was taught at"),
        ("which shores has moss vanished from", "shores that the moss grows at"),
    ],
)
def test_opposites_are_no_answers(question: str, told: str) -> None:
    assert list(opposed(question, told))
    assert not list(opposed(told, told))


@pytest.mark.parametrize(
    ("word", "question"),
    [
        ("beef", "what did the beef for #340 cost us"),
        ("departure", "Give departure date, arrival date and grade of V-2117"),
        ("instrument", "largest asteroid by diameter, instrument"),
        ("allergic", "Which cats are allergic to fish?"),
    ],
)
def test_words_that_narrow(word: str, question: str) -> None:
    assert narrows(word, question, (), frozenset())


def test_of_what_is_named_there_is_one() -> None:
    schema, counted = mills().schema, parse('Count["mill"]')
    told = "number of mills whose name is “Sutton”"
    assert list(ruled_out("how many worked in Sutton", (), counted, told, 1, schema)) == ["'how many'"]
    assert not list(ruled_out("how many mills are called Sutton", (), counted, told, 1, schema))


def test_how_long_a_path_is_may_ask_for_a_way_on_the_ground() -> None:
    assert how_far("How long is the path from Oslo to Rome?") == "how long is the path"
    assert not how_far("How long is the shortest path from Oslo to Rome?")
