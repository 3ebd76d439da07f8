"""What is left out of what is asked for: some by their names, or by what is said of them, in one sentence or a second one."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "quarries": "quarry_id,quarry_name,county\nq1,Ham Hill,Somerset\nq2,Clipsham,Rutland\nq3,Ketton,Rutland\n",
    "stones": """stone_id,stone_name,hardness,quarry_id
s1,Blue Lias,3,q1
s2,Hamstone,5,q1
s3,Clipsham Cream,4,q2
s4,Ketton Freestone,2,q3
""",
}


@pytest.fixture(scope="module")
def stones(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Stones and the quarries that they come from."""
    return imported(TABLES, tmp_path_factory.mktemp("stones"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("List the quarries except those in Rutland", ["Ham Hill"]),
        ("List the quarries. Leave out those in Rutland.", ["Ham Hill"]),
        ("How many quarries are there, not counting the ones in Rutland?", 1),
        ("How many quarries are there? Don't count Ketton.", 2),
        ("How many stones are there except those with a hardness above 3?", 2),
        ("List the stones. Ignore Blue Lias and Hamstone.", ["Clipsham Cream", "Ketton Freestone"]),
        ("List the stones except Blue Lias, Hamstone and Ketton Freestone", ["Clipsham Cream"]),
        ("Stones excluding those whose quarry is Ham Hill", ["Clipsham Cream", "Ketton Freestone"]),
    ],
)
def test_what_is_left_out(stones: gt.Session, question: str, value: object) -> None:
    answer = stones.ask(question)
    assert answer.answered, answer.text
    assert (sorted(answer.value) if isinstance(answer.value, list) else answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "List the quarries. Leave out those in Frankfurt.",
        "List the stones. Skip the first three.",
        "List the stones. Ignore the dust.",
        "How many quarries are there, not counting those that flooded?",
        "Quarries except those in Rutland with more than 1 stone",  # of which are there more?
    ],
)
def test_what_cannot_be_left_out_is_declined(stones: gt.Session, question: str) -> None:
    assert not stones.ask(question).answered
