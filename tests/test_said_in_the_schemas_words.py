"""Plain questions in a schema's own words that were declined or misread once."""

from datetime import date
from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported, joined


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


def test_a_type_that_is_said_is_gone_to(tmp_path: Path) -> None:
    """Who "cancelled a course" is nobody who did something to another kind of thing that has a value so called."""
    tables = {
        "learners": "learner_id,name\nl1,Ann Bell\nl2,Bob Dale\nl3,Cleo Fox\n",
        "lessons": "lesson_id,learner_id,given_on\ne1,l1,2024-01-02\ne2,l3,2024-02-03\n",
        "tests": "test_id,learner_id,taken_on,result\nt1,l1,2024-03-04,cancelled\nt2,l2,2024-03-05,passed\nt3,l3,2024-03-06,cancelled\n",
    }
    session = imported(tables, tmp_path)
    declined = session.ask("Which learners cancelled a lesson?")
    assert not declined.answered, declined.reading
    assert session.ask("Which learners have had a lesson?").value == ["Ann Bell", "Cleo Fox"]


def test_the_longest_of_those_who_are_named(tmp_path: Path) -> None:
    tables = {
        "members": "member_id,full_name,joined_on\nm1,Ann Bell,2020-01-02\nm2,Bob Dale,2018-03-04\n",
        "trainers": "trainer_id,name,hired_on\nt1,Mia Ross,2015-05-06\nt2,Ned Shaw,2019-07-08\n",
    }
    session = imported(tables, tmp_path)
    for question in ("Who has been with us the longest?", "Who has worked here the longest?"):
        answer = session.ask(question)
        assert not answer.answered, answer.reading
    for question, name in (("member", "Bob Dale"), ("trainer", "Mia Ross")):
        answer = session.ask(f"Who has been a {question} the longest?")
        assert not answer.answered or answer.value == [name], answer.reading


def test_who_paid_is_told_by_payments(tmp_path: Path) -> None:
    """Who paid the most is not who put on what costs the most."""
    tables = {
        "promoters": "promoter_id,name\np1,Mia Ross\np2,Ned Shaw\n",
        "gigs": "gig_id,title,promoter_id,ticket_price\ng1,Dawn,p1,10\ng2,Dusk,p1,12\ng3,Noon,p2,30\n",
        "members": "member_id,full_name\nm1,Ann Bell\nm2,Bob Dale\n",
        "payments": "payment_id,member_id,amount_gbp,paid_on\ny1,m1,20,2024-01-02\ny2,m2,5,2024-01-03\ny3,m2,6,2024-01-04\n",
    }
    session = imported(tables, tmp_path)
    for question in ("Which promoter paid the most for gigs?", "Which promoter has spent the most on gigs?"):
        answer = session.ask(question)
        assert not answer.answered, answer.reading
    answer = session.ask("Which member has paid the most?")
    assert not answer.answered or answer.value == ["Ann Bell"], answer.reading
