"""Names as people write them beside nouns: of what something is, of which type, with which number, with the place where it is.

A schema of harbours: boats, skippers, berths, channels, and towns with names that mean several things.
"""

import pytest

import graphtalk as gt
from graphtalk.reasoners.overlooked import narrows
from graphtalk.reasoners.reader.linking import Linked
from phrase_graphs import joined, plain

TABLES = {
    "FishingBoat": {"id": ["b1", "b2", "b3", "b4"], "name": ["Tern", "Gannet", "Puffin", "Arlen"], "hullLength": [12, 18, 9, 22]},
    "Berth": {"id": ["k1", "k2", "k3"], "name": ["Fuel Berth", "Old Berth", "Ice Berth"], "berth": [3, 7, 12]},
    "Skipper": {"id": ["h1", "h2", "h3"], "name": ["Ida Holm", "Jens Rask", "Mo Sand"], "born": [1960, 1988, 1971], "yearly_fee": [50, 20, 80]},
    "Town": {"id": ["t1", "t2", "t3", "t4"], "name": ["Arlen", "Brack", "Brack", "Sund"], "population": [900, 4200, 310, 2500]},
    "Shire": {"id": ["s1", "s2"], "name": ["Northmark", "Southmark"], "area": [410, 330]},
    "Channel": {"id": ["c1", "c2"], "name": ["Kell", "Arlen"], "depth": [14, 6]},
    "Marker": {"id": ["m1", "m2"], "name": ["Kell Channel", "Red Post"], "height": [4, 5]},
}  # fmt: skip
ENDS = {
    ("MOORS", "FishingBoat", "Berth"): "b1-k1 b2-k2 b3-k2 b4-k3",
    ("located in", "Town", "Shire"): "t1-s1 t2-s1 t3-s2 t4-s2",
    ("seat", "Shire", "Town"): "s1-t1 s2-t4",
    ("runs through", "Channel", "Shire"): "c1-s1 c1-s2 c2-s1",
    ("stands in", "Marker", "Channel"): "m1-c1 m2-c2",
    ("DEPENDS_ON", "Berth", "Channel"): "k1-c1 k2-c1 k3-c2",
    ("Channel-feeds-Berth", "Channel", "Berth"): "c1-k1 c1-k2 c2-k3",
    ("Channel-floods-Berth", "Channel", "Berth"): "c1-k3",
    ("Town-associates-Channel", "Town", "Channel"): "t1-c1 t4-c2",
    ("Town-dredges-Channel", "Town", "Channel"): "t1-c2 t2-c1",
    ("borders", "Town", "Town"): "t1-t2 t2-t1 t2-t4 t4-t2 t1-t3 t3-t1",  # each edge both ways
}


@pytest.fixture(scope="module")
def session() -> gt.Session:
    return joined(TABLES, ENDS)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many FishingBoats are there?", 4),
        ("What is the hullLength of the FishingBoat Gannet?", 18),
        ("Which Northmark town has the largest population?", "Brack"),
        ("List the Northmark towns.", {"Arlen", "Brack"}),
        ("What are the towns of Southmark?", {"Brack", "Sund"}),
        ("How many towns does Southmark have?", 2),
        ("What is the largest town of Southmark?", "Sund"),
        ("Which shire has the town with the largest population?", "Northmark"),
        ("What is the seat of the shire with the largest area?", "Arlen"),
        ("What is the seat of the largest shire?", "Arlen"),
        ("What is the population of Brack Southmark?", 310),
        ("What is the population of Brack, Northmark?", 4200),
        ("How many people live in Brack, Northmark?", 4200),
        ("Which shires does the Kell channel run through?", {"Northmark", "Southmark"}),
        ("What is the depth of the Arlen channel?", 6),
        ("Which fishing boats moor at berth 7?", {"Gannet", "Puffin"}),
        ("Which fishing boats moor at the berth 12?", "Arlen"),
        ("Which berth does the fishing boat Tern moor at?", "Fuel Berth"),
        ("How many towns are found in Northmark?", 2),
        ("Which channels are in Southmark?", "Kell"),
        ("Which towns adjoin Sund?", "Brack"),
        ("Who is the youngest skipper?", "Jens Rask"),  # by birth, not by the yearly fee
        ("Which channels feed the Old Berth?", "Kell"),
        ("Which berths does the Kell channel flood?", "Ice Berth"),
        ("How many berths does the Kell channel feed?", 2),
        ("Which channels are dredged by Sund or Brack?", "Kell"),
        ("Which channels are associated with Sund?", "Arlen"),
        ("How many channels are associated with Sund?", 1),
        ("Where is Sund?", "Southmark"),
        ("In which shire is Sund?", "Southmark"),
        ("Which shires does the Kell channel flow through?", {"Northmark", "Southmark"}),
        ("What is the seat of the shire of Northmark?", "Arlen"),
        ("What are the areas of the shires through which the Kell channel runs?", {410, 330}),
        ("What are the depths of the channels?", {14, 6}),
        ("What are the towns next to Sund?", "Brack"),
        ("How many neighbouring towns does Sund have?", 1),
        ("Which channels flow through Southmark?", "Kell"),
        ("Which channels run through Northmark but not Southmark?", "Arlen"),
        ("Which berths depend on the Kell channel?", {"Fuel Berth", "Old Berth"}),
    ],
)  # fmt: skip
def test_names_beside_nouns(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer


@pytest.mark.parametrize(
    "question",
    [
        "Which channels depend on the Fuel Berth?",  # berths depend on channels
        "Which channels depend on berth 7?",
        "Which towns moor in Northmark?",  # boats moor, and at berths
        "Which fishing boats moor at berths that run through the Kell channel?",
    ],
)
def test_what_the_wording_does_not_say_is_not_answered(session: gt.Session, question: str) -> None:
    found = session.ask(question)
    assert not found.answered or not found.value, found.text


@pytest.mark.parametrize(
    ("question", "word", "fewer"),
    [
        (
            "What are the opening hours of the Fuel Berth?",
            "hours",
            True,
        ),  # when it was opened is another thing
        ("What is the timetable for the Fuel Berth?", "timetable", True),
        ("What is the depth, please, of the Kell channel?", "please", False),
    ],
)
def test_the_noun_that_is_asked_for_narrows_what_is_asked(question: str, word: str, fewer: bool) -> None:
    assert narrows(word, question, (), frozenset({"berth", "channel"})) == fewer


def test_what_a_name_has_narrows_what_is_asked() -> None:
    value = Linked("Sund", "name", 22, 26, None, (("P:Town.name", ("Sund",)),))
    assert narrows("dog", "Which channels joined Sund's dog?", (value,), frozenset())
