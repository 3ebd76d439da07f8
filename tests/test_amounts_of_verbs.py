"""Amounts that a verb says, and what is counted behind one: who showed the most cards has not the most years of experience."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "referees": "referee_id,name,experience_years,match_fee\nR1,Mark Olsen,12,90\nR2,Jo Bright,4,120\nR3,Sue Lamb,20,60\n",
    "matches": "match_id,name,referee_id\nM1,Cup,R1\nM2,Final,R2\nM3,League,R3\nM4,Derby,R2\n",
    "cards": "card_id,match_id,colour\nK1,M2,red\nK2,M2,red\nK3,M4,red\nK4,M1,yellow\nK5,M3,red\n",
}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("league"))


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which referee showed the most red cards?", ["Jo Bright"]),
        ("Which referees showed more than 2 red cards?", ["Jo Bright"]),
        ("Which referees earned more than 2 red cards?", []),
        ("Which referee earned the most cards?", []),
    ],
)
def test_what_is_counted_is_no_amount(league: gt.Session, question: str, right: list[str]) -> None:
    found = league.ask(question)
    assert not found.answered or found.value == right, found.reading


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which referee earns the most?", ["Jo Bright"]),
        ("Who has the most experience?", ["Sue Lamb"]),
    ],
)
def test_amounts_are_read(league: gt.Session, question: str, value: list[str]) -> None:
    found = league.ask(question)
    assert found.answered, found.text
    assert sorted(found.value) == value, found.reading
