"""Records that name people twice, by what they are and by what they did: whose they are where nothing else is said."""

import pytest

import graphtalk as gt
from phrase_graphs import imported, joined

TABLES = {
    "growers": "grower_id,name,town,mentor_id\ng1,Ada Poole,Merton,\ng2,Ben Cross,Epsom,g1\ng3,Cy Vale,Merton,g2\ng4,Di Marsh,Epsom,g2\n",
    "harvests": """harvest_id,picked_on,grower_id,weighed_by_id,crates
h1,2021-07-01,g1,g2,10
h2,2021-08-02,g1,g3,4
h3,2022-07-03,g1,g2,6
h4,2022-07-04,g2,g3,8
h5,2022-09-05,g2,g3,2
h6,2023-09-06,g4,,5
""",
}


@pytest.fixture(scope="module")
def harvests(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Harvests, each of the grower whose it is, weighed by another."""
    return imported(TABLES, tmp_path_factory.mktemp("harvests"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who are the two growers with the most harvests?", ["Ada Poole", "Ben Cross"]),
        ("Which grower has the most harvests?", ["Ada Poole"]),
        ("How many harvests does Ben Cross have?", 2),
        ("Which growers have no harvests?", ["Cy Vale"]),
        ("How many harvests were weighed by Cy Vale?", 3),
        ("number of harvests per grower", {"Ada Poole": 3, "Ben Cross": 2, "Cy Vale": 0, "Di Marsh": 1}),
        ("Which growers have at least two harvests?", ["Ada Poole", "Ben Cross"]),
        ("On average, how many harvests does a grower have?", 1.5),
        ("How many harvests does the average grower have?", 1.5),
        ("Which towns are home to more than one grower?", ["Epsom", "Merton"]),
        ("Which towns have more than three growers?", []),
        ("How many harvests does each grower have on average?", 1.5),
    ],
)
def test_records_are_theirs_whose_name_they_have(harvests: gt.Session, question: str, value: object) -> None:
    answer = harvests.ask(question)
    assert answer.answered, answer.text
    found = answer.value
    if isinstance(value, dict) and isinstance(found, list):
        found = {next(iter(row.values())): list(row.values())[-1] for row in found}
    assert (sorted(found) if isinstance(found, list) else found) == (
        sorted(value) if isinstance(value, list) else value
    ), answer.reading


@pytest.fixture(scope="module")
def firms() -> gt.Session:
    """Firms with their suppliers, rivals and owners."""
    names = ["Arun", "Belmont", "Corley", "Dunmore", "Eskdale", "Farrow"]
    return joined(
        {"firm": {"id": [f"f{i}" for i in range(6)], "name": names}},
        {
            ("HAS_SUPPLIER", "firm", "firm"): "f0-f1 f0-f2 f3-f4",
            ("HAS_RIVAL", "firm", "firm"): "f0-f2 f0-f3 f4-f5 f5-f1",
            ("HAS_OWNER", "firm", "firm"): "f0-f5 f1-f2",
        },
    )


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the suppliers and rivals of Arun.", ["Belmont", "Corley", "Dunmore"]),
        ("List the suppliers, rivals and owners of Arun.", ["Belmont", "Corley", "Dunmore", "Farrow"]),
        ("Which firms are suppliers or rivals of Arun?", ["Belmont", "Corley", "Dunmore"]),
        ("Which firms are suppliers of Arun?", ["Belmont", "Corley"]),
    ],
)
def test_roles_that_are_listed_are_to_the_same(firms: gt.Session, question: str, names: list[str]) -> None:
    """Suppliers of anybody that are rivals of Arun were given, at 97 % sure."""
    answer = firms.ask(question)
    assert answer.answered, answer.text
    assert sorted(answer.value) == names, answer.reading


def test_roles_that_are_listed_alone_are_no_condition(firms: gt.Session) -> None:
    answer = firms.ask("List suppliers and rivals.")
    assert not answer.answered or sorted(answer.value) == sorted(
        {"Belmont", "Corley", "Dunmore", "Eskdale", "Farrow"}
    )
