"""What is called the best of its kind, and how much it measures: `highest_point` beside `highest_elevation`."""

import pytest

import graphtalk as gt
from phrase_graphs import joined


@pytest.fixture(scope="module")
def land() -> gt.Session:
    """States with the point that is highest in each, and rivers that run through them."""
    return joined(
        {
            "state": {
                "id": ["s1", "s2", "s3"],
                "name": ["arden", "brome", "corrie"],
                "highest_elevation": [900, 2400, 120],
                "density": [12.5, 3.5, 80.0],
                "area": [10, 90, 40],
            },
            "point": {"id": ["p1", "p2", "p3"], "name": ["mount ash", "kite peak", "low hill"]},
            "river": {"id": ["r1", "r2"], "name": ["the orm", "the tay"], "length": [300, 120]},
        },
        {
            ("highest_point", "state", "point"): "s1-p1 s2-p2 s3-p3",
            ("runs_through", "river", "state"): "r1-s1 r1-s2 r2-s3",
        },
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How high is the highest point of brome?", 2400),
        ("How high is the highest point in the largest state?", 2400),
        ("What is the height of the highest point of arden?", 900),
        ("What is the highest point of arden?", "mount ash"),
        ("Which state has the sparsest density?", "brome"),
        ("Which state has the densest density?", "corrie"),
        ("Which river is the longest one?", "the orm"),
        ("Which states does the orm pass through?", ["arden", "brome"]),
        ("Which rivers go through corrie?", "the tay"),
    ],
)
def test_it_is_read(land: gt.Session, question: str, value: object) -> None:
    found = land.ask(question)
    assert found.answered, found.text
    given = found.value if isinstance(found.value, list) else [found.value]
    assert sorted(map(str, given)) == sorted(map(str, value if isinstance(value, list) else [value])), (
        found.reading
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many big states are there?",
        "Which long rivers run through corrie?",
        "List the small states.",
        "How many large states does the orm run through?",
        "Which dense states does the orm run through?",
    ],
)
def test_how_big_is_big_nothing_says(land: gt.Session, question: str) -> None:
    found = land.ask(question)
    assert not found.answered, found.reading


@pytest.mark.parametrize(
    "question", ["Which is the largest state?", "How long is the orm?", "Which state is the most dense?"]
)
def test_degrees_that_compare_are_read(land: gt.Session, question: str) -> None:
    assert land.ask(question).answered
