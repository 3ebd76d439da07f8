"""What is said of two alike: "as heavy as X", "in the same year as X", "do X and Y have the same manager"; and what we do, lack and need."""

import pytest

import graphtalk as gt
from phrase_graphs import imported, plain

TABLES = {
    "units": "id,name,base\nc1,North,Oslo\nc2,South,Rome\nc3,West,Oslo\n",
    "rangers": """id,name,hired_on,salary_eur,base,email,night_shift,unit,manager
p1,Ann Bell,2010-03-01,5000,Oslo,a@x.example,true,c1,
p2,Bob Dale,2010-11-05,4000,Oslo,b@x.example,false,c2,p1
p3,Cleo Fox,2012-03-01,5000,Rome,,false,c2,p1
p4,Dan Hill,2012-07-09,3000,Rome,d@x.example,true,c3,p2
p5,Eve Kay,2015-01-02,3500,,,false,c1,p4
""",
    "planes": """id,name,weight_kg,maker,fuel_checked,bought_on
a1,Gull,900,Roe,true,2001-05-05
a2,Heron,1200,Roe,false,2003-05-05
a3,Ibis,900,Sam,true,2003-07-01
""",
    "flights": """id,ranger,plane,booked_on,flown_on
f1,p1,a1,2024-01-01,2024-01-01
f2,p1,a2,2024-01-01,2024-01-03
f3,p2,a1,2024-02-01,2024-02-01
f4,p3,a3,2024-03-01,2024-03-08
f5,p3,a3,2024-03-02,2024-03-02
""",
    "checks": """id,flight,checked_on
k1,f1,2024-01-01
k2,f2,2024-01-02
k3,f4,2024-03-08
""",
}


@pytest.fixture(scope="module")
def planes(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Pilots, their manager and unit, planes, flights and their checks."""
    return imported(TABLES, tmp_path_factory.mktemp("planes"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which planes weigh as much as Gull?", "Ibis"),
        ("planes as heavy as Gull", "Ibis"),
        ("Who earns as much as Ann Bell?", "Cleo Fox"),
        ("rangers with as many flights as Ann Bell", "Cleo Fox"),
        ("Who was hired in the same year as Ann Bell?", "Bob Dale"),
        ("planes bought in the same year as Ibis", "Heron"),
        ("rangers hired in the same year as their manager", "Bob Dale"),
        ("checks checked on the same day the flight was flown", {"k1", "k3"}),
        ("Do Bob Dale and Cleo Fox have the same manager?", True),
        ("Do Bob Dale and Dan Hill report to the same person?", False),
        ("Are Bob Dale and Cleo Fox in the same unit?", True),
        ("Is Ann Bell in the same unit as Bob Dale?", False),
        ("Do Gull and Heron have the same maker?", True),
        ("Is Gull as heavy as Ibis?", True),
        ("Was Ann Bell hired in the same year as Bob Dale?", True),
        ("What is the difference between the average salary in Oslo and in Rome?", 500.0),
        ("salary gap between Ann Bell and Dan Hill", 2000),
        ("Which rangers have neither flights nor managers?", set()),
        ("Who has no email on record?", {"Cleo Fox", "Eve Kay"}),
        ("How many rangers did we hire in 2012?", 2),
        ("Which planes did we buy in 2003?", {"Heron", "Ibis"}),
        (
            "Which rangers work under Ann Bell, directly or indirectly?",
            {"Bob Dale", "Cleo Fox", "Dan Hill", "Eve Kay"},
        ),
        ("rangers who work the night shift", {"Ann Bell", "Dan Hill"}),
        ("rangers in the base of their manager", "Bob Dale"),
        ("Who flew Gull without having a manager?", "Ann Bell"),
        ("rangers in Rome", {"Cleo Fox", "Dan Hill"}),
    ],
)
def test_what_two_have_alike_is_read(planes: gt.Session, question: str, value: object) -> None:
    answer = planes.ask(question)
    assert answer.answered, answer.text
    assert plain(answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "planes that are not as heavy as Heron",  # lighter, and no other weight
        "Which planes do not weigh as much as Heron?",
        "planes twice as heavy as Gull",
        "Which planes are as old as Gull?",  # of its weight nothing is said
        "Who was not hired in the same year as Ann Bell?",
        "Who was fired in the same year as Ann Bell?",
        "Do Bob Dale and Ann Bell have the same flight?",  # they have several
        "How many rangers did we fire in 2012?",
        "Which planes did we sell in 2003?",
        "Which rangers work over Ann Bell?",
    ],
)
def test_what_is_not_alike_is_declined(planes: gt.Session, question: str) -> None:
    assert not planes.ask(question).answered
