"""Shares of each group, what has only some, since when somebody is in a group, and hours that add up."""

import pytest

import graphtalk as gt
from phrase_graphs import imported, plain

TABLES = {
    "ponds": "id,name,county\no1,Alder Pond,Kent\no2,Birch Pond,Kent\no3,Cress Pond,Devon\n",
    "samples": """id,pond,urgent,colour,taken_on
m1,o1,true,green,2023-05-01
m2,o1,false,green,2024-05-01
m3,o2,true,brown,2023-06-01
m4,o2,true,brown,2024-06-01
m5,o3,false,green,2024-07-01
m6,o3,false,brown,2024-07-02
m7,o3,false,green,2024-07-03
""",
    "readings": """id,sample,verdict
r1,m1,clean
r2,m1,clean
r3,m2,clean
r4,m2,foul
r5,m3,foul
r6,m5,clean
""",
    "nets": "id,name\ne1,Dip Net\ne2,Trawl\n",
    "used_net": "sample,net,throws\nm1,e1,2\nm2,e1,1\n",
    "people": "id,name,hired_on\np1,Ann Bell,2022-01-01\np2,Bob Dale,2023-01-01\np3,Cleo Fox,2020-01-01\n",
    "teams": "id,name\nc1,North Team\nc2,South Team\n",
    "member_of": "person,team,since\np1,c1,2023-02-02\np2,c1,2021-03-03\np3,c2,2023-04-04\n",
    "worked_on": """person,pond,hours,task
p1,o1,10,digging
p2,o1,5,planting
p2,o3,8,digging
p3,o2,2,planting
""",
}


@pytest.fixture(scope="module")
def ponds(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Samples of ponds with their readings, and who worked on ponds."""
    return imported(TABLES, tmp_path_factory.mktemp("ponds"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("share of urgent samples per pond", {("Alder Pond", 0.5), ("Birch Pond", 1.0), ("Cress Pond", 0.0)}),
        ("percentage of urgent samples by colour", {("green", 25.0), ("brown", 200 / 3)}),
        (
            "what percentage of samples per pond are urgent",
            {("Alder Pond", 50.0), ("Birch Pond", 100.0), ("Cress Pond", 0.0)},
        ),
        (
            "share of urgent samples per pond in 2024",
            {("Alder Pond", 0.0), ("Birch Pond", 1.0), ("Cress Pond", 0.0)},
        ),
        ("Which pond has the highest share of urgent samples?", "Birch Pond"),
        ("Which pond has the smallest percentage of urgent samples?", "Cress Pond"),
        ("Which samples have only clean readings?", {"m1", "m5"}),
        ("members of North Team since 2023", "Ann Bell"),
        ("Who joined North Team in 2021?", "Bob Dale"),
        ("people hired in 2023", "Bob Dale"),
        ("Which nets were never used?", "Trawl"),
        ("hours by task", {("digging", 18), ("planting", 7)}),
        ("Which task has the most hours?", "digging"),
        ("How many hours went into ponds in Kent?", 17),
        ("How many hours were spent on Cress Pond?", 8),
        ("Were all samples of Cress Pond taken after 2023?", True),
        ("Were all of the samples taken after 2023?", False),
    ],
)
def test_shares_and_hours_are_read(ponds: gt.Session, question: str, value: object) -> None:
    answer = ponds.ask(question)
    assert answer.answered, answer.text
    assert plain(answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "share of urgent green samples per pond",  # of all, or of the green ones
        "share of sour samples per pond",
        "share of urgent samples per lake",
        "Which pond has the highest share of urgent readings?",
        "Which samples have only sour readings?",
        "Who left North Team in 2021?",
        "How many hours went past Cress Pond?",
        "How many hours went into North Team?",
        "Are all people of Ann Bell hired after 2020?",
    ],
)
def test_other_shares_and_times_are_declined(ponds: gt.Session, question: str) -> None:
    assert not ponds.ask(question).answered
