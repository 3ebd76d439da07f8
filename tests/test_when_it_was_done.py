"""When something was done, by the dates of the edges of a relation that says what was done, and to whom."""

from datetime import date

import pytest

import graphtalk as gt
from phrase_graphs import imported, joined


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


@pytest.fixture(scope="module")
def jobs(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Jobs with three dates: when they were asked for, begun and ended."""
    table = """id,name,requested_on,started_on,finished_on,minutes
j1,Refit,2024-01-01,2024-01-11,2024-01-15,90
j2,Paint,2024-02-01,2024-02-03,2024-03-01,45
j3,Rewire,2024-03-01,2024-03-07,,
"""
    return imported(
        {"jobs": table, "tools": "id,name,job_id\nt1,Saw,j1\nt2,Brush,j2\n"}, tmp_path_factory.mktemp("jobs")
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many days passed between the request and the start of the Refit?", [10]),
        ("How many days did the Paint take from start to finish?", [27]),
        ("How long was it from the request to the finish of the Paint?", [29]),
        ("What is the average time from request to start?", 6),
        ("Which job took the longest from start to finish?", ["Paint"]),
        ("Which job waited the shortest from request to start?", ["Paint"]),
    ],
)
def test_days_from_one_date_to_another(jobs: gt.Session, question: str, value: object) -> None:
    answer = jobs.ask(question)
    assert answer.answered, answer.text
    assert answer.value == value, answer.reading


@pytest.mark.parametrize(
    "question",
    [
        "How many days passed between the request and the approval of the Refit?",
        "How many days did the Refit take?",
        "How long did the Refit cost from start to finish?",
    ],
)
def test_dates_that_are_not_said_are_none(jobs: gt.Session, question: str) -> None:
    assert not jobs.ask(question).answered
