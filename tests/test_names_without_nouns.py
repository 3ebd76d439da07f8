"""Names without the noun of their type ("the Orr" of "River Orr"), and pronouns for what the sentence before names."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "rivers": """id,name,length_km,lower
r1,River Orr,80,
r2,River Hask,40,r1
r3,Wend River,25,r1
""",
    "towns": """id,name,population,river
t1,Upper Orr,900,r1
t2,Orrford,4000,r1
t3,Ayton,1200,r2
t4,Wend City,7000,r3
""",
    "bridges": """id,name,built,river,town
b1,Hask Bridge,1820,r2,t3
b2,Tollgate,1901,r1,t2
""",
}


@pytest.fixture(scope="module")
def valley(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Rivers, towns on them, and bridges."""
    return imported(TABLES, tmp_path_factory.mktemp("valley"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How long is the Orr?", 80),
        ("Which towns are on the Orr?", ["Orrford", "Upper Orr"]),
        ("How long is the Wend?", 25),
        ("We live in Ayton. What is its population?", 1200),
        ("I like the River Hask! How long is it?", 40),
        ("I love the Orr. How many towns are on it?", 2),
        ("We crossed the Tollgate: when was it built?", 1901),
    ],
)
def test_a_name_is_known_without_its_noun_and_by_a_pronoun(
    valley: gt.Session, question: str, value: object
) -> None:
    answer = valley.ask(question)
    assert answer.answered, answer.text
    found = answer.value
    assert (sorted(found) if isinstance(found, list) and isinstance(value, list) else found) in (
        value,
        [value],
    )


@pytest.mark.parametrize(
    "question",
    [
        "How long is the Hollin?",
        "What is the population of Orr?",
        "I like the River Hask. How long is the other one?",
        "I was never in Ayton. How deep is it?",
        "How many towns are on it?",
        "What is the population of River Orr?",
        "population of the Wend",
        "I love music. How many towns are on it?",
    ],
)
def test_what_may_be_another_thing_is_asked_back(valley: gt.Session, question: str) -> None:
    assert not valley.ask(question).answered
