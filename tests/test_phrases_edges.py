"""What is asked of edges and of orders, over divers, the wrecks that they dived to, and their clubs."""

import datetime

import pytest

import graphtalk as gt
from phrase_graphs import joined, plain

DAY = datetime.date.fromisoformat
DIVERS = {
    "id": ["d1", "d2", "d3", "d4"],
    "name": ["Ada Kern", "Bo Lund", "Cleo Marr", "Dov Esten"],
    "joined": [DAY("2015-04-01"), DAY("2011-09-12"), DAY("2020-01-30"), DAY("2018-06-06")],
    "level": ["master", "novice", "novice", "master"],
}
WRECKS = {
    "id": ["w1", "w2", "w3"],
    "name": ["Grey Heron", "Old Maud", "Sunbeam"],
    "depth": [40, 12, 25],
    "tonnage": [900, 5200, 310],
    "sunk": [1931, 1902, 1968],
}
DIVES = {
    "date": [DAY(d) for d in ("2021-05-02", "2022-07-10", "2022-07-11", "2023-03-03")],
    "minutes": [35, 50, 20, 44],
    "bounty": [100, 80, 300, 60],
}


@pytest.fixture(scope="module")
def session() -> gt.Session:
    return joined(
        {"Diver": DIVERS, "Wreck": WRECKS},
        {("DIVED_AT", "Diver", "Wreck"): "d1-w1 d1-w2 d2-w1 d3-w3"},
        {"DIVED_AT": DIVES},
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # when, wherever it was
        ("Which divers dived before 2022?", "Ada Kern"),
        ("Which divers dived in July 2022?", {"Ada Kern", "Bo Lund"}),
        ("How many divers dived in 2022?", 2),
        ("Which master divers dived in 2022?", "Ada Kern"),
        ("Which divers did not dive in 2022?", {"Cleo Marr", "Dov Esten"}),
        # the edge with the most
        ("Which diver earned the highest bounty?", "Bo Lund"),
        ("Which diver got the smallest bounty?", "Cleo Marr"),
        # a number of one edge
        ("How many minutes did Ada Kern spend at Old Maud?", 50),
        ("How much bounty did Bo Lund earn at Grey Heron?", 300),
        # orders
        ("Which diver joined first?", "Bo Lund"),
        ("Which diver joined most recently?", "Cleo Marr"),
        ("Tell me the depth of the largest wreck by tonnage", 12),
        ("What is the smallest wreck by depth?", "Old Maud"),
        ("Which divers joined in 2018 or later?", {"Cleo Marr", "Dov Esten"}),
        ("Which divers joined in 2015 or before?", {"Ada Kern", "Bo Lund"}),
        ("How many minutes were spent at Grey Heron in total?", 55),
        ("Which diver spent the fewest minutes at Grey Heron?", "Bo Lund"),
        ("count divers by level", {("master", 2), ("novice", 2)}),
        ("count the divers by level", {("master", 2), ("novice", 2)}),
    ],
)
def test_edges_and_orders(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer


@pytest.mark.parametrize(
    "question",
    [
        "How many minutes did Ada Kern spend?",  # of each dive, or of both
        "Which diver earned the most bounty?",  # at once, or of all dives
        "Which wrecks were burned in 2022?",
        "Which diver laughed most recently?",
        "Which divers sneezed before 2022?",
        "Tell me the depth of the largest wreck by colour",
    ],
)
def test_what_edges_leave_open_is_asked_back(session: gt.Session, question: str) -> None:
    found = session.ask(question)
    assert not found.answered, (found.reading, found.value)
