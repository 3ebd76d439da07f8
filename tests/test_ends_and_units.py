"""Where something begins and ends, and amounts whose unit says what they are of."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "piers": "id,name\np1,Ness\np2,Oban\np3,Wick\n",
    "boats": "id,name,price_eur,weight_kg\nv1,Gull,900,400\nv2,Tern,1500,700\n",
    "trips": """id,departure_date,arrival_date,length_km,boat,origin_pier,destination_pier
f1,2024-05-01,2024-05-03,40,v1,p1,p2
f2,2024-05-05,2024-05-15,300,v1,p2,p3
f3,2024-06-01,2024-06-05,90,v2,p1,p3
""",
}


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Trips of boats from one pier to another."""
    return imported(TABLES, tmp_path_factory.mktemp("ferries"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("boats between 500 and 1000 euros", ["Gull"]),
        ("boats over 500 kg", ["Tern"]),
        ("trips under 100 km", ["f1", "f3"]),
        ("Which trips took longer than a week?", ["f2"]),
        ("Which trips cover more than 80 km?", ["f2", "f3"]),
        ("Which boats weigh at most 400 kg?", ["Gull"]),
        ("Which trips took at most 4 days?", ["f1", "f3"]),
        ("Which trip took the longest?", ["f2"]),
        ("How long did trip f3 take?", [4]),
        ("How many trips to Wick?", 2),
        ("How many trips from Ness?", 2),
        ("trips from Ness to Wick", ["f3"]),
    ],
)
def test_what_is_said_of_ends_and_amounts(ferries: gt.Session, question: str, value: object) -> None:
    answer = ferries.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "How many piers did Gull call at?",  # to where it went, or from where
        "How many piers were used by Tern?",
        "boats under 3 days",
        "trips over 500 euros",
        "Which boats took longer than a week?",
    ],
)
def test_what_they_do_not_say_is_asked_back(ferries: gt.Session, question: str) -> None:
    assert not ferries.ask(question).answered


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which services rely on Vault?", {"Cart", "Login"}),
        ("What does Cart rely on?", {"Vault", "Queue"}),
        ("Which services have no dependencies?", {"Vault", "Queue"}),
        ("Which services have no dependencies on other services?", {"Vault", "Queue"}),
        ("dependencies of Cart", {"Vault", "Queue"}),
    ],
)
def test_what_a_verb_of_the_same_meaning_says_goes_the_same_way(
    tmp_path_factory: pytest.TempPathFactory, question: str, names: set[str]
) -> None:
    tables = {
        "service": "id,name\na,Cart\nb,Vault\nc,Queue\nd,Login\n",
        "service_depends_on": "service_id,depends_on_service_id\na,b\na,c\nd,b\n",
    }
    answer = imported(tables, tmp_path_factory.mktemp("services")).ask(question)
    assert answer.answered, answer.text
    assert isinstance(answer.value, list) and set(map(str, answer.value)) == names


LESSONS = {
    "courses": "id,title,test_minutes\nc1,Algebra,60\nc2,Botany,90\n",
    "lessons": """id,kind,starts_at,ends_at,course,cancelled
h1,talk,2024-01-02T09:00:00,2024-01-02T09:45:00,c1,false
h2,test,2024-01-03T09:00:00,2024-01-03T11:30:00,c1,false
h3,talk,2024-01-04T09:00:00,2024-01-04T10:00:00,c2,true
""",
}


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Lessons that begin and end on one day."""
    return imported(LESSONS, tmp_path_factory.mktemp("lessons"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How long did lesson h1 last?", [45]),
        ("Which lessons last longer than two hours?", ["h2"]),
        ("Which lesson was the longest?", ["h2"]),
        ("How many lessons took at most 60 minutes?", 2),
    ],
)
def test_what_lasts_hours_is_no_whole_day(lessons: gt.Session, question: str, value: object) -> None:
    answer = lessons.ask(question)
    assert answer.answered and answer.value == value, answer.text


@pytest.mark.parametrize("question", ["How many tests are there?", "Which course has the most tests?"])
def test_what_is_counted_is_not_how_long_it_takes(lessons: gt.Session, question: str) -> None:
    answer = lessons.ask(question)
    assert not answer.answered or answer.value == 1, answer.text


def test_what_sqlite_declares_boolean_is_yes_or_no(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "zoo.sqlite")) as database:
        database.execute("CREATE TABLE birds (name TEXT PRIMARY KEY, nocturnal BOOLEAN, eggs INTEGER)")
        database.executemany(
            "INSERT INTO birds VALUES (?, ?, ?)", [("Owl", 1, 1), ("Jay", 0, 0), ("Kite", None, 1)]
        )
        database.commit()
    graph = gt.open(tmp_path / "zoo.sqlite")
    assert isinstance(graph, gt.Graph)
    assert {f.name: f.kind for f in graph.schema.node_types[0].features}["nocturnal"] == "boolean"
    answer = gt.ask(graph, "Which birds are nocturnal?")
    assert answer.answered and answer.value == ["Owl"], answer.text


def test_readings_of_the_same_words_are_told_apart(tmp_path: Path) -> None:
    clubs = {
        "clubs": "id,name\nc1,Rovers\nc2,United\nc3,Town\n",
        "players": "id,name\np1,Ann\np2,Bea\n",
        "transfers": "id,fee_eur,player,from_club,to_club\nt1,100,p1,c1,c2\nt2,300,p2,c2,c3\nt3,50,p1,c2,c3\nt4,80,p2,c3,c1\n",
    }
    answer = imported(clubs, tmp_path).ask("Which club spent the most on transfers?")
    told = [a.reading for a in answer.alternatives]
    assert not answer.answered
    assert len(told) > 1
    assert len(set(told)) == len(told)


@pytest.fixture(scope="module")
def ores(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """What is told for one of a unit: `eur_per_kg`."""
    table = "ore_id,ore_name,eur_per_kg\no1,Galena,4\no2,Cinnabar,60\no3,Stibnite,22\no4,Ash per kilo,7\n"
    return imported({"ores": table}, tmp_path_factory.mktemp("ores"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which ores cost more per kilo than Stibnite?", ["Cinnabar"]),
        ("What is the eur per kilogram of Galena?", [4]),
        ("What is the eur per kg of Ash per kilo?", [7]),  # in a name it stays
        ("Which ores have an eur per kilo above 20?", ["Cinnabar", "Stibnite"]),
    ],
)
def test_one_of_a_unit_by_another_word(ores: gt.Session, question: str, value: object) -> None:
    answer = ores.ask(question)
    assert answer.answered, answer.text
    assert sorted(answer.value) == value


@pytest.mark.parametrize("each", ["gram", "pound", "litre", "metre"])
@pytest.mark.parametrize(
    "question",
    ["Which ores cost more per {} than Stibnite?", "What does Galena cost per {}?"],
)
def test_one_of_another_unit_is_declined(ores: gt.Session, question: str, each: str) -> None:
    answer = ores.ask(question.format(each))
    assert not answer.answered
    assert "is called" not in answer.text, answer.text
