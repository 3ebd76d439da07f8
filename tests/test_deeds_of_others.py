"""Deeds that are those of another type, or were done to another: coaches who "played for" a team, passengers who "cancelled a booking"."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "teams": "team_id,name\nT1,Harbour Rovers\nT2,Old Town\n",
    "coaches": "coach_id,name,team_id\nC1,Iris Kane,T1\nC2,Omar Diaz,T2\n",
    "players": "player_id,name,team_id\nP1,Adam Abel,T1\nP2,Gus Dove,T2\n",
    "flights": "flight_id,name,status\nF1,NW1,landed\nF2,NW2,cancelled\n",
    "passengers": "passenger_id,name\nX1,Ann Berg\nX2,Bo Hall\n",
    "bookings": "booking_id,passenger_id,flight_id\nB1,X1,F1\nB2,X2,F2\n",
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("club"))


@pytest.mark.parametrize(
    "question",
    [
        "Which coaches played for Harbour Rovers?",
        "Which coaches play for Old Town?",
        "Which passengers cancelled a booking?",
        "Who cancelled their booking?",
    ],
)
def test_they_are_asked_back(club: gt.Session, question: str) -> None:
    found = club.ask(question)
    assert not found.answered, found.reading


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which players play for Harbour Rovers?", ["Adam Abel"]),
        ("Who coaches Old Town?", ["Omar Diaz"]),
        ("Which flights were cancelled?", ["NW2"]),
        ("Which passengers booked a cancelled flight?", ["Bo Hall"]),
    ],
)
def test_what_they_did_is_read(club: gt.Session, question: str, value: list[str]) -> None:
    found = club.ask(question)
    assert found.answered, found.text
    assert found.value == value, found.reading
