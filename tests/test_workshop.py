"""Spans of a date and an end, bosses by who supervises, grades in a course, a value before a synonym of a type."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "mechanics": "id,name,position,supervised_by\nm1,Ann Bell,chief,\nm2,Bob Dale,trainee,m1\nm3,Cleo Fox,fitter,m1\n",
    "repairs": "id,repair_date,finished,mechanic\nr1,2024-01-01,2024-01-03,m1\nr2,2024-02-01,2024-02-15,m2\nr3,2024-03-01,2024-03-05,m2\n",
    "lecturers": "id,name,rank\nl1,Dan Hill,professor\nl2,Eve Kay,reader\nl3,Finn Lee,professor\n",
    "students": "id,name\ns1,Gus\ns2,Hal\n",
    "courses": "id,title\nc1,Optics\nc2,Logic\n",
    "enrolments": "student,course,grade\ns1,c1,60\ns1,c2,90\ns2,c1,80\n",
    "players": "id,name\nq1,Ann Orr\nq2,Bea Poe\n",
    "appearances": "player,match,goals\nq1,g1,2\nq1,g2,1\nq2,g1,0\n",
    "clubs": "id,name,rival_club\nk1,Rovers,k2\nk2,United,k1\nk3,Town,\nk4,Albion,k1\n",
    "matches": """id,kickoff,final_whistle,home_club
g1,2024-05-01 15:00:00,2024-05-01 16:50:00,k1
g2,2024-05-02 15:00:00,2024-05-02 17:30:00,k2
g3,2024-05-03 15:00:00,2024-05-03 16:55:00,k3
""",
    "estates": "id,name,district\ne1,Heron Court,North\ne2,Elm Row,South\n",
    "flats": "id,address,area_m2,monthly_rent_eur,estate\nf1,H1,50,600,e1\nf2,H2,70,800,e1\nf3,E1,40,500,e2\n",
    "ponies": "id,name,mother\nh1,Clover,\nh2,Hazel,h1\nh3,Amber,h1\nh4,Elder,h2\n",
}


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Repairs, a school and ponies."""
    return imported(TABLES, tmp_path_factory.mktemp("workshop"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("longest repair", ["r2"]),
        ("repairs that took longer than a week", ["r2"]),
        ("What is the average repair duration in days?", 20 / 3),
        ("Who is the boss of Bob Dale?", ["Ann Bell"]),
        ("What is the average grade in Optics?", 70),
        ("What is the highest grade in Optics?", 80),
        ("How many professors are there?", 2),  # not all lecturers
        ("Which match lasted the longest?", ["g2"]),
        ("matches longer than two hours", ["g2"]),
        ("How many goals has Ann Orr scored?", 3),
        ("Who scored the most goals?", ["Ann Orr"]),
        ("How many clubs have no rival?", 1),
        ("Who is the rival of Albion?", ["Rovers"]),
    ],
)
def test_workshop(workshop: gt.Session, question: str, value: object) -> None:
    answer = workshop.ask(question)
    assert answer.answered, answer.text
    found = sorted(answer.value) if isinstance(answer.value, list) else answer.value
    assert found == (pytest.approx(value) if isinstance(value, float) else value)


def test_a_district_is_no_area(workshop: gt.Session) -> None:
    answer = workshop.ask("average rent per district")
    assert answer.answered, answer.text
    assert [tuple(row.values()) for row in answer.value] == [("North", 700), ("South", 500)]


@pytest.mark.parametrize(
    "question",
    [
        "Who is the brother of Hazel?",
        "cheapest repair",
        "How many children does Elder have?",
        "Which ponies have no offspring?",
        "Who is the boss of Optics?",
    ],
)
def test_near_misses_are_declined(workshop: gt.Session, question: str) -> None:
    assert not workshop.ask(question).answered
