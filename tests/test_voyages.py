"""What is done where there is an event, when that was, the first of them, and what several have together."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "ports": "id,name,berths,depth_m\np1,Ness,4,10\np2,Oban,6,12\np3,Wick,9,8\n",
    "vessels": "id,name,built_year\nv1,Gull,1990\nv2,Tern,2005\nv3,Skua,2010\n",
    "voyages": """id,departure_date,arrival_date,distance_nm,fare_eur,vessel,origin_port,destination_port
y1,2024-03-09,2024-03-12,40,10,v1,p1,p2
y2,2024-01-05,2024-01-20,300,20,v2,p2,p3
y3,2024-06-01,2024-06-05,90,30,v1,p1,p3
y4,2024-03-30,2024-04-02,50,40,v1,p2,p1
""",
    "watchers": "id,name\nw1,Ann\nw2,Bob\n",
    "species": "id,name\ns1,Fox\ns2,Otter\n",
    "sightings": "id,seen_on,watcher,species\no1,2024-05-01,w1,s1\no2,2024-05-02,w1,s2\no3,2024-05-03,w2,s1\n",
}


@pytest.fixture(scope="module")
def sea(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Voyages of vessels, and sightings of species."""
    return imported(TABLES, tmp_path_factory.mktemp("sea"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which ports did Gull sail to?", ["Ness", "Oban", "Wick"]),
        ("Which ports did Tern sail from?", ["Oban"]),
        ("Which vessels sailed to Wick?", ["Gull", "Tern"]),
        ("Which vessels have never sailed to Wick?", ["Skua"]),
        ("total distance sailed by Gull", 180),
        ("Which vessel made the most voyages?", ["Gull"]),
        ("Who saw a Fox?", ["Ann", "Bob"]),
        ("Which species did Bob see?", ["Fox"]),
        ("Who never saw an Otter?", ["Bob"]),
        ("How many voyages departed in March 2024?", 2),
        ("Which voyages arrived before February 2024?", ["y2"]),
        ("When did y3 depart?", "2024-06-01"),
        ("latest voyage", ["y3"]),
        ("first voyage of Gull", ["y1"]),
        ("the first two voyages", ["y1", "y2"]),
        ("the last 2 voyages", ["y3", "y4"]),
        ("Which voyage arrived last?", ["y3"]),
        ("How many berths do Ness and Wick have together?", 13),
        ("total berths of Ness, Oban and Wick", 19),
        ("average fare price", 25),
        ("average depth of Ness and Oban", 11),
    ],
)
def test_voyages(sea: gt.Session, question: str, value: object) -> None:
    answer = sea.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "Which ports did Gull fly to?",
        "Which vessels sank at Wick?",
        "Who shot a Fox?",
        "How many berths do Ness and Wick have?",  # together, or each of them?
        "How many voyages were cancelled in March 2024?",
        "Which vessels were sold in 2005?",
    ],
)
def test_other_deeds_are_declined(sea: gt.Session, question: str) -> None:
    assert not sea.ask(question).answered
