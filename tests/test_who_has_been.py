""" "Who's" for "who has", several kinds of people, and the latest by what is no date."""

from datetime import date

import pytest

import graphtalk as gt
from phrase_graphs import joined


@pytest.fixture(scope="module")
def club() -> gt.Session:
    """Pilots and engineers with ratings, and inspections of planes."""
    return joined(
        {
            "pilot": {"id": ["p1", "p2", "p3"], "name": ["Ann Bell", "Bob Dale", "Cleo Fox"]},
            "engineer": {"id": ["e1", "e2"], "name": ["Dan Hume", "Eli Jones"]},
            "rating": {"id": ["r1", "r2"], "name": ["Night Rating", "Instrument Rating"]},
            "plane": {"id": ["a1", "a2"], "name": ["Kestrel", "Heron"]},
            "inspection": {
                "id": ["i1", "i2", "i3"],
                "name": ["I1", "I2", "I3"],
                "held_on": [date(2022, 1, 2), date(2023, 2, 3), date(2024, 3, 4)],
                "cost": [900, 400, 500],
            },
            "launch": {
                "id": ["l1", "l2"],
                "name": ["Night Boat", "Dawn Boat"],
                "launched": [date(2021, 7, 2), date(2019, 1, 1)],
            },
        },
        {
            ("mentors", "pilot", "pilot"): "p1-p2 p1-p3",
            ("taught", "engineer", "pilot"): "e1-p1 e2-p2",
            ("holds", "pilot", "rating"): "p1-r1 p1-r2 p2-r1",
            ("holds", "engineer", "rating"): "e1-r1",
            ("inspection_of", "inspection", "plane"): "i1-a1 i2-a1 i3-a2",
        },
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who's been mentored by Ann Bell?", ["Bob Dale", "Cleo Fox"]),
        ("Who's taught Ann Bell?", ["Dan Hume"]),
        ("Who has both a night rating and an instrument rating?", ["Ann Bell"]),
        ("What was Night Boat's launch date?", "2021-07-02"),
        ("What is Night Boat's launch date?", "2021-07-02"),
    ],
)
def test_answered(club: gt.Session, question: str, value: object) -> None:
    answer = club.ask(question)
    assert answer.answered, answer.text
    found = answer.value
    assert (sorted(found) if isinstance(found, list) else found) in (value, [value]), answer.reading


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("What did the most recent inspection of Kestrel cost?", (["I1"], 900, [900])),
        ("Which inspection of Kestrel was the latest by cost?", (["I2"],)),
        ("Who's taught by Dan Hume?", (["Dan Hume"],)),
    ],
)
def test_not_answered_so(club: gt.Session, question: str, wrong: tuple[object, ...]) -> None:
    answer = club.ask(question)
    assert not answer.answered or answer.value not in wrong, answer.reading
