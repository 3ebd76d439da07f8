"""Where something begins and ends, and amounts whose unit says what they are of."""

import pytest

import graphtalk as gt

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
def ferries(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Trips of boats from one pier to another."""
    folder = tmp_path_factory.mktemp("ferries")
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, "utf-8")
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    return graph


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
def test_what_is_said_of_ends_and_amounts(ferries: gt.Graph, question: str, value: object) -> None:
    answer = gt.ask(ferries, question)
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
def test_what_they_do_not_say_is_asked_back(ferries: gt.Graph, question: str) -> None:
    assert not gt.ask(ferries, question).answered


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
    folder = tmp_path_factory.mktemp("services")
    (folder / "service.csv").write_text("id,name\na,Cart\nb,Vault\nc,Queue\nd,Login\n", "utf-8")
    pairs = "source,target\na,b\na,c\nd,b\n"
    (folder / "service_depends_on.csv").write_text(
        pairs.replace("source,target", "service_id,depends_on_service_id"), "utf-8"
    )
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    answer = gt.ask(graph, question)
    assert answer.answered, (answer.text, graph.schema)
    assert isinstance(answer.value, list) and set(map(str, answer.value)) == names
