"""Staff and what they brought in: members of staff, who joined it, and numbers called by what was done with so many."""

from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.core import Question
from phrase_graphs import imported, plain
from planner_graphs import make, offline

TABLES = {
    "staff": """staff_id,full_name,base,joined_on
1,Ann Bell,Kendal,1996-04-01
2,Bob Dale,Perth,2012-09-13
3,Cleo Fox,Kendal,2019-02-01
""",
    "gatherings": """gathering_id,gathering_code,staff_id,gathered_on,seeds_banked
1,G-1,1,2012-07-01,100
2,G-2,2,2013-09-08,250
3,G-3,2,2013-10-01,50
""",
    "museums": """museum_id,museum_name
1,Leiden Hall
2,Tartu House
3,Graz Hall
""",
    "sendings": """gathering_id,museum_id,sent_on,grams
1,1,2014-02-01,5
2,1,2020-03-02,6
2,2,2020-05-04,7
""",
}


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """The staff of a seed bank and what they gathered."""
    return imported(TABLES, tmp_path_factory.mktemp("bank"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who's the newest member of staff?", "Cleo Fox"),
        ("Which members of staff are in Kendal?", {"Ann Bell", "Cleo Fox"}),
        ("Who joined the staff after 2010?", {"Bob Dale", "Cleo Fox"}),
        ("How many people joined us in 2019?", 1),
        ("How many seeds were banked in total?", 400),
        ("How many seeds in total have been banked?", 400),
        ("codes of the gatherings in 2013", {"G-2", "G-3"}),
        ("Which gatherings were sent to Leiden Hall?", {"G-1", "G-2"}),
        ("Which museums were sent gatherings in 2020?", {"Leiden Hall", "Tartu House"}),
        ("Which museums have never been sent anything?", "Graz Hall"),
        ("Which gatherings were sent in 2014?", "G-1"),
    ],
)
def test_is_read(bank: gt.Session, question: str, value: object) -> None:
    answer = bank.ask(question)
    assert answer.answered and plain(answer.value) == value, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many seeds were sown in total?",
        "Who left the staff after 2010?",
        "Which museums bought gatherings?",
        "Which gatherings were sold to Leiden Hall?",
    ],
)
def test_other_deeds_are_declined(bank: gt.Session, question: str) -> None:
    assert not bank.ask(question).answered


def test_where_somebody_does_what_a_relation_says() -> None:
    graph = make(
        {
            "dog": {"id": ["d1", "d2"], "name": ["Zac", "Floss"]},
            "handler": {"id": ["h1", "h2"], "name": ["Ann Lee", "Bo Dahl"]},
            "farm": {"id": ["f1", "f2"], "name": ["Keld Head", "Hag Dyke"]},
        },
        [
            ("handles", "handler", "dog", [("h1", "d1"), ("h2", "d2")]),
            ("farms at", "handler", "farm", [("h1", "f2"), ("h2", "f1")]),
        ],
    )
    for question in ("Where does Ann Lee farm?", "Where does the handler of Zac farm?"):
        answer = list(offline(graph).run(Question(question)))[-1].answer
        assert answer is not None and answer.answered and "Hag Dyke" in answer.text, question
    answer = list(offline(graph).run(Question("Where does Ann Lee sing?")))[-1].answer
    assert answer is not None and not answer.answered


def test_those_who_hire_are_not_hired(tmp_path: Path) -> None:
    tables = {
        "firms": "firm_id,firm_name\n1,Acme\n2,Zenit\n",
        "cooks": "cook_id,cook_name\n1,Ann Lee\n2,Bo Dahl\n",
        "jobs": "firm_id,cook_id,hired_on,wage\n1,1,2019-01-02,10\n2,2,2020-01-02,11\n",
    }
    session = imported(tables, tmp_path)
    for question in ("Which firms were hired in 2019?", "List firms hired in 2019", "Firms hired since 2019"):
        assert not session.ask(question).answered, question
    assert session.ask("Which cooks were hired in 2019?").value == ["Ann Lee"]


def test_reviewers_may_rate_or_be_rated(tmp_path: Path) -> None:
    tables = {
        "companies": "company_id,company_name\n1,Acme\n2,Zenit\n",
        "reviewers": "reviewer_id,reviewer_name\n1,Ann Lee\n2,Bo Dahl\n",
        "reviews": "reviewer_id,company_id,rating\n1,1,85\n2,2,60\n",
    }
    session = imported(tables, tmp_path)
    assert session.ask("List companies rated above 80").value == ["Acme"]
    assert not session.ask("reviewers rated above 80").answered


def test_exams_grade_nobody(tmp_path: Path) -> None:
    tables = {
        "students": "student_id,student_name\n1,Ann Lee\n2,Bo Dahl\n",
        "exams": "exam_id,exam_name\n1,Latin\n2,Optics\n",
        "sittings": "student_id,exam_id,grade\n1,1,85\n2,2,60\n",
    }
    session = imported(tables, tmp_path)
    assert session.ask("List students graded above 80").value == ["Ann Lee"]
    unknown = session.ask("Which exams did kilo take?")  # a unit that nothing is told for one of is a name
    assert not unknown.answered and "called 'kilo'" in unknown.text
