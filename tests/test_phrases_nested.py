"""Superlatives and roles inside phrases, over a town of buildings, lines and those who own them."""

from datetime import date
from functools import cache

import pytest

from graphtalk.core import Question
from graphtalk.graphs import Graph
from planner_graphs import make, offline


@cache
def town() -> Graph:
    """Buildings in districts that lines pass through, owned by people or firms, and what reports mention."""
    return make(
        {
            "building": {"id": ["b1", "b2", "b3", "b4"], "name": ["Mill", "Tower", "Depot", "Annex"],
                         "floors": [4, 21, 2, 3], "is_listed": [True, False, True, False]},
            "district": {"id": ["d1", "d2", "d3"], "name": ["Northgate", "Saltmarsh", "Overbeck"], "area": [40, 15, 90]},
            "line": {"id": ["l1", "l2"], "name": ["Amber", "Cobalt"], "length": [31, 12]},
            "person": {"id": ["p1", "p2"], "name": ["Ann Lee", "Bob Ray"]},
            "firm": {"id": ["f1", "f2"], "name": ["Acme", "Blix"], "staff": [80, 9]},
            "report": {"id": ["r1", "r2", "r3"], "name": ["Flood", "Fire", "Sale"],
                       "average_score": [3.5, 1.5, 4.0], "score_count": [2, 90, 7], "release_date": [date(2020, 1, 1)] * 3,
                       "tagline": ["comedy", "plain", "plain"]},
            "gate": {"id": ["g1", "g2", "g3"], "name": ["Gate 1", "Gate 2", "Gate 3"], "gate": [70, 12, 9]},
            "genre": {"id": ["g1"], "name": ["Comedy"]},
        },
        [
            ("located in", "building", "district", [("b1", "d1"), ("b2", "d2"), ("b3", "d3"), ("b4", "d3")]),
            ("passes through", "line", "district", [("l1", "d1"), ("l1", "d3"), ("l2", "d2"), ("l2", "d3")]),
            ("has_owner", "building", "person", [("b1", "p1"), ("b2", "p2")]),
            ("has_owner", "building", "firm", [("b3", "f1"), ("b4", "f2")]),
            ("leads to", "gate", "building", [("g1", "b1"), ("g2", "b1"), ("g3", "b2")]),
            ("in_genre", "report", "genre", [("r2", "g1")]),
            ("inspected", "person", "report", [("p1", "r1"), ("p2", "r3")]),
            ("mentions", "report", "building", [("r1", "b1"), ("r2", "b1"), ("r3", "b2")]),
        ],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which districts does the longest line pass through?", ["Northgate", "Overbeck"]),
        ("How many districts does the shortest line pass through?", 2),
        ("What is the smallest district that the longest line passes through?", "Northgate"),
        ("What is the smallest district through which the longest line passes?", "Northgate"),
        ("What is the largest of the districts that Cobalt passes through?", "Overbeck"),
        ("Which is the smallest of all districts?", "Saltmarsh"),
        ("Which buildings have an owner with more than 20 staff?", ["Depot"]),
        ("Which building has the most reports mentioning it?", "Mill"),
        ("Which buildings have reports that mention them?", ["Mill", "Tower"]),
        ("Which buildings have more than 3 floors and are listed buildings?", ["Mill"]),
        ("Which buildings do comedies mention?", ["Mill"]),  # those of the genre, not what has such a tagline
        ("How many gates lead to the Mill?", 2),
        ("Which Buildings are in Overbeck?", ["Annex", "Depot"]),  # a capital and -ings are still the type
    ],
)
def test_is_read(question: str, right: object) -> None:
    answer = list(offline(town()).run(Question(question)))[-1].answer
    assert answer is not None and answer.answered, question
    value = answer.value if isinstance(answer.value, list) else [answer.value]
    assert sorted(map(str, value)) == sorted(map(str, right if isinstance(right, list) else [right]))


@pytest.mark.parametrize(
    "question",
    [
        "List the buildings with the most reports that mention floods.",  # how many, nobody said
        "Identify the districts that the most lines go through.",
        "List the first 2 gates that lead to the Mill.",  # Gate 1, or gate 70
        "Which districts have the most lines with more than 3 floors?",
    ],
)
def test_what_may_be_several_is_asked_back(question: str) -> None:
    answer = list(offline(town()).run(Question(question)))[-1].answer
    assert answer is not None and not answer.answered, answer


@pytest.mark.parametrize(
    ("question", "never"),
    [
        ("Which 2 reports have the most scores?", "average"),  # of two numbers called so one is an average
        ("Which reports have been released?", "inspected"),  # who inspected a report did not release it
    ],
)
def test_is_not_taken_for(question: str, never: str) -> None:
    answer = list(offline(town()).run(Question(question)))[-1].answer
    assert answer is not None and not (answer.answered and never in answer.text), answer
