"""Plain questions in a schema's own words that were declined or misread once."""

from datetime import date

import pytest

import graphtalk as gt
from phrase_graphs import joined


@pytest.fixture(scope="module")
def college() -> gt.Session:
    """Lecturers of faculties, courses and students."""
    return joined(
        {
            "faculty": {"id": ["f1", "f2"], "name": ["Physics", "Music"], "budget": [500, 90]},
            "lecturer": {
                "id": ["l1", "l2", "l3"],
                "name": ["Ada Quinn", "Boris Lem", "Clara Ost"],
                "joined": [date(2005, 9, 1), date(2011, 1, 15), date(2016, 9, 1)],
            },
            "course": {"id": ["c1", "c2", "c3"], "name": ["Optics", "Harmony", "Ecology"]},
            "student": {"id": ["s1", "s2", "s3"], "name": ["Gil Hart", "Hana Ito", "Ivo Jung"]},
        },
        {
            ("member_of", "lecturer", "faculty"): "l1-f1 l2-f1 l3-f2",
            ("teaches", "lecturer", "course"): "l1-c1 l2-c3 l3-c2",
            ("enrolled_in", "student", "course"): "s1-c1 s1-c2 s2-c1 s2-c2 s2-c3 s3-c3",
        },
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which lecturers joined before 2010?", ["Ada Quinn"]),
        ("Which lecturers joined after 2010?", ["Boris Lem", "Clara Ost"]),
        ("How much bigger is the budget of Physics than that of Music?", [410]),
        ("How much smaller is the budget of Music than the budget of Physics?", [410]),
    ],
)
def test_answered(college: gt.Session, question: str, value: list[object]) -> None:
    answer = college.ask(question)
    assert answer.answered, answer.text
    found = answer.value if isinstance(answer.value, list) else [answer.value]
    assert sorted(found, key=str) == value, answer.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which two students share the most courses?",  # no one student has the most
        "Which students share a room?",
        "How much bigger is the budget of Music than that of Physics?",  # it is smaller
        "How much bigger is the garden of Physics than that of Music?",
    ],
)
def test_asked_back(college: gt.Session, question: str) -> None:
    answer = college.ask(question)
    assert not answer.answered, answer.reading
