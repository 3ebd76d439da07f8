"""What a verb, an adjective or "how many" says is not read by the nearest relation or number that there is."""

import pytest

import graphtalk as gt
from graphtalk.reasoners.omitted import roles
from phrase_graphs import imported

TABLES = {
    "sites": "id,name\ns1,Ness Moor\ns2,Oban Bay\n",
    "lecturers": "id,name,home_site\nl1,Ann Bell,s1\nl2,Bob Dale,s2\n",
    "courses": "id,title,lecturer,exam_minutes\nc1,Optics,l1,90\nc2,Logic,l2,120\nc3,Ethics,l2,60\n",
    "students": "id,name,advisor\nt1,Cleo Fox,l1\nt2,Dan Hill,l1\nt3,Eve Kay,l2\n",
    "rooms": "id,name,building,seats\nr1,Amber,Curie Hall,40\nr2,Birch,Curie Hall,25\nr3,Cedar,Nobel Hall,80\n",
    "slots": "id,room,course,starts_at,ends_at\nx1,r1,c1,2024-05-01 09:00:00,2024-05-01 10:00:00\nx2,r2,c2,2024-05-02 09:00:00,2024-05-02 12:30:00\n",
}


@pytest.fixture(scope="module")
def campus(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Lecturers, whom they advise, and what they teach."""
    return imported(TABLES, tmp_path_factory.mktemp("campus"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which lecturer advises the most students?", ["Ann Bell"]),
        ("Who teaches Optics?", ["Ann Bell"]),
        ("How many seats does Cedar have?", 80),
        ("What is the home site of Ann Bell?", ["Ness Moor"]),
        ("Which course has the longest exam?", ["Logic"]),
        ("students advised by more than 5 lecturers", []),
        ("lecturers with more than 2 students", []),
    ],
)
def test_what_is_said_is_read(campus: gt.Session, question: str, value: object) -> None:
    answer = campus.ask(question)
    assert answer.answered, answer.text
    assert answer.value == value


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ann Bell work?",  # at home?
        "How many sites has Ann Bell visited?",
        "hardest exam",
        "How many seats does Curie Hall have?",  # all its rooms together
        "Which rooms are next to Amber?",
        "What is next to Amber?",
    ],
)
def test_what_is_not_said_is_declined(campus: gt.Session, question: str) -> None:
    assert not campus.ask(question).answered


@pytest.mark.parametrize(
    "question", ["top lecturer", "daily seats of Cedar", "monthly exam minutes of Logic"]
)
def test_measures_that_nobody_said_are_declined(campus: gt.Session, question: str) -> None:
    assert not campus.ask(question).answered


def test_how_long_something_takes_is_its_own(campus: gt.Session) -> None:
    """And not how long the exam of its course is."""
    answer = campus.ask("How many minutes did x2 take?")
    assert answer.value in (210, [210])


def test_what_somebody_is_to_something_is_said() -> None:
    asked = "entities that are beneficiaries in filings"
    assert list(roles(asked, "entities that filed the filings")) == ["'beneficiaries'"]
    assert not list(roles(asked, "entities that are beneficiaries of the filings"))
    assert not list(roles("people that are directors of films", "people who directed the films"))
