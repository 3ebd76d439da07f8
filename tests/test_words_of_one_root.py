"""Types whose names have one root, what nobody did, and times from a start to an end."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "inspectors": "id,name\ni1,Ann\ni2,Bob\ni3,Cleo\n",
    "bridges": "id,name\nb1,Ness\nb2,Oban\nb3,Wick\n",
    "sensors": "id,code\ns1,SX-1\ns2,SX-2\n",
    "inspections": """id,starts_at,ends_at,bridge,inspector,sensor
n1,2024-05-01 09:00:00,2024-05-01 10:00:00,b1,i1,
n2,2024-05-02 09:00:00,2024-05-02 12:30:00,b2,,s1
n3,2024-05-03 09:00:00,2024-05-03 11:30:00,b1,i2,
""",
}


@pytest.fixture(scope="module")
def bridges(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Inspections of bridges, by inspectors or sensors."""
    return imported(TABLES, tmp_path_factory.mktemp("bridges"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many inspections of Ness are there?", 2),
        ("How many inspectors are there?", 3),
        ("inspectors without inspections", ["Cleo"]),
        ("Which inspectors have no inspections?", ["Cleo"]),
        ("Which bridges were inspected by nobody?", ["Oban", "Wick"]),
        ("Which bridges did nobody inspect?", ["Oban", "Wick"]),
        ("inspections longer than two hours", ["n2", "n3"]),
        ("Which inspections are longer than 180 minutes?", ["n2"]),
        ("How many inspections are shorter than two hours?", 1),
    ],
)
def test_words_of_one_root(bridges: gt.Session, question: str, value: object) -> None:
    answer = bridges.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value
