"""When something was done, by the dates of the edges of a relation that says what was done, and to whom."""

from datetime import date

import pytest

import graphtalk as gt
from phrase_graphs import joined


@pytest.fixture(scope="module")
def digs() -> gt.Session:
    """Finds, the layers in which they were found, who dug these, and firms that hired people."""
    return joined(
        {
            "find": {"id": ["f1", "f2"], "name": ["Bone Pin", "Glass Bead"]},
            "layer": {"id": ["l1", "l2"], "name": ["Pit Fill", "Plough Soil"]},
            "person": {"id": ["p1", "p2"], "name": ["Ada Poole", "Ben Cross"]},
            "firm": {"id": ["c1"], "name": ["Arun Digs"]},
        },
        {
            ("found_in", "find", "layer"): "f1-l1 f2-l1",
            ("excavated", "person", "layer"): "p1-l1 p2-l2",
            ("employs", "firm", "person"): "c1-p1 c1-p2",
        },
        {
            "found_in": {"found_on": [date(2021, 5, 1), date(2021, 5, 3)]},
            "excavated": {"excavated_on": [date(2021, 4, 30), date(2021, 6, 1)]},
            "employs": {"hired_on": [date(2019, 1, 2), date(2020, 3, 4)]},
        },
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("When was the Bone Pin found?", ["2021-05-01"]),
        ("When was the Pit Fill excavated?", ["2021-04-30"]),
        ("When was Ada Poole hired?", ["2019-01-02"]),
    ],
)
def test_what_was_done(digs: gt.Session, question: str, value: object) -> None:
    answer = digs.ask(question)
    assert answer.answered, answer.text
    assert answer.value == value


@pytest.mark.parametrize(
    "question",
    [
        "When was the Pit Fill found?",  # finds were, in it
        "When was Ada Poole excavated?",
        "When was Arun Digs hired?",
        "When was Arun Digs employed?",
    ],
)
def test_what_was_not_done_to_it_is_declined(digs: gt.Session, question: str) -> None:
    assert not digs.ask(question).answered
