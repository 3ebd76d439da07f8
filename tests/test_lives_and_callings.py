"""How long people lived, what they were, where they died and when, and where places are."""

from datetime import date

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "countries": "id,name\nk1,Norway\nk2,Ireland\n",
    "towns": "id,name,country\nt1,Bergen,k1\nt2,Cork,k2\n",
    "callings": "id,name\nc1,nurse\nc2,tailor\nc3,teacher\n",
    "people": """id,name,birth_date,death_date,father,died_in
p1,Arne Lund,1850-02-01,1912-05-01,,t1
p2,Brigid Kelly,1860-07-01,1951-08-01,,t2
p3,Conor Kelly,1880-01-01,1941-03-01,p1,t2
p4,Dagny Lund,1885-06-15,1946-06-14,p1,t1
p5,Eamon Walsh,1920-01-01,,p3,
""",
    "worked_as": "person,calling\np1,c2\np2,c1\np3,c2\np4,c1\np5,c3\n",
}


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """People, what they worked as and where they died."""
    return imported(TABLES, tmp_path_factory.mktemp("village"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who lived the longest?", ["Brigid Kelly"]),
        ("How old was Dagny Lund when she died?", [60]),
        ("How long did Arne Lund live?", [62]),
        ("Arne Lund's age at death", [62]),
        ("people who lived longer than 70 years", ["Brigid Kelly"]),
        ("oldest person", ["Arne Lund"]),
        ("Who died in 1941?", ["Conor Kelly"]),
        ("Who died in the 1940s?", ["Conor Kelly", "Dagny Lund"]),
        ("Who died in Cork before 1950?", ["Conor Kelly"]),
        ("Who was a nurse?", ["Brigid Kelly", "Dagny Lund"]),
        ("How many tailors were born before 1900?", 2),
        ("tailors who died in Cork", ["Conor Kelly"]),
        ("Was Arne Lund a nurse?", False),
        ("Whose father was a tailor?", ["Conor Kelly", "Dagny Lund", "Eamon Walsh"]),
        ("Whose father died before 1920?", ["Conor Kelly", "Dagny Lund"]),
        ("Where is Bergen?", ["Norway"]),
    ],
)
def test_lives_and_callings(village: gt.Session, question: str, value: object) -> None:
    answer = village.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value


def test_the_average_age_at_death_counts_days(village: gt.Session) -> None:
    died = [
        (date(1850, 2, 1), date(1912, 5, 1)),
        (date(1860, 7, 1), date(1951, 8, 1)),
        (date(1880, 1, 1), date(1941, 3, 1)),
        (date(1885, 6, 15), date(1946, 6, 14)),
    ]
    years = [(end - begin).days / 365.2425 for begin, end in died]
    answer = village.ask("What is the average age at death?")
    assert answer.answered, answer.text
    assert answer.value == pytest.approx(sum(years) / len(years))


@pytest.mark.parametrize(
    "question",
    [
        "Where is Arne Lund?",
        "longest person",
        "Who is a nurses' friend?",
        "How old was Dagny Lund when she married?",
        "Who murdered Arne Lund?",
        "Whose uncle was a tailor?",
    ],
)
def test_near_misses_are_declined(village: gt.Session, question: str) -> None:
    assert not village.ask(question).answered
