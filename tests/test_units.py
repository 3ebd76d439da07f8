"""Units: 2 hours are 120 of a property in minutes, and what is in another unit is no answer."""

from functools import cache

import pytest

from graphtalk.graphs import Graph
from planner_graphs import make
from test_misread import asked


@cache
def lines() -> Graph:
    """Flights with numbers that say their unit, and runtimes of films, which do not."""
    return make(
        {
            "flight": {"id": ["a", "b", "c", "d"], "name": ["Alpha", "Beta", "Gamma", "Delta"],
                       "duration_min": [90, 150, 300, 45], "distance_km": [850, 1900, 4200, 300],
                       "price_eur": [120, 240, 560, 60], "weight (kg)": [30_000, 45_000, 80_000, 12_000]},
            "film": {"id": ["f", "g", "h"], "name": ["Lake", "Moor", "Pond"], "runtime": [95, 130, 170]},
        },
        [("shows", "flight", "film", [("a", "f"), ("b", "g")])],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which flights are longer than 2 hours?", ["Beta", "Gamma"]),
        ("Which flights are longer than 100 minutes?", ["Beta", "Gamma"]),
        ("Which flights are heavier than 40 tonnes?", ["Beta", "Gamma"]),
        ("Flights with a distance over 1,000,000 m", ["Beta", "Gamma"]),
        ("Which flights cost less than 200 euros?", ["Alpha", "Delta"]),
        ("Which films have a runtime of more than 120 minutes?", ["Moor", "Pond"]),
    ],
)
def test_a_number_is_turned_into_the_unit_of_what_it_is_compared_with(
    question: str, right: list[str]
) -> None:
    answer = asked(lines(), question)
    assert answer.answered, answer.text
    assert answer.value == right


@pytest.mark.parametrize(
    "question",
    [
        "Which flights are cheaper than 200 dollars?",
        "What is the price of Alpha in dollars?",
        "What is the duration of Alpha in hours?",
        "How heavy is Alpha in pounds?",
        "Which films are longer than 2 hours?",  # of 95 to 170 it is not said of what
        "Which flights are farther than 100 kg?",
    ],
)
def test_what_is_in_another_unit_is_not_answered(question: str) -> None:
    answer = asked(lines(), question)
    assert not answer.answered, answer.text
    assert (answer.confidence or 0) < 0.5


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("What is the average price of the flights?", 245),
        ("What is the difference between the prices of Beta and Alpha?", [120]),
        ("List the names and prices of the flights longer than 2 hours", [["Beta", 240], ["Gamma", 560]]),
    ],
)
def test_a_property_is_called_by_its_name_without_its_unit(question: str, right: object) -> None:
    answer = asked(lines(), question)
    assert answer.answered, answer.text
    rows = answer.value
    found = (
        [list(row.values()) for row in rows] if isinstance(rows, list) and isinstance(rows[0], dict) else rows
    )
    assert found == right
