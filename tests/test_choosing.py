"""One of several: the one that is linked with what somebody has; declined where none or several are."""

import numpy as np
import pyarrow as pa
import pytest

import graphtalk as gt
from graphtalk.app.notebook import GraphAnswer
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

TITLES = [
    f"The {word}"
    for word in "Lantern Orchard Kettle Harbour Mirror Bridge Anchor Ladder Compass Garden".split()
]


def books() -> Graph:
    """Lantern, Orchard and Kettle have been read; Garden is like Orchard, and Compass and Ladder are like Mirror."""
    table = pa.table({"id": [f"b{n}" for n in range(len(TITLES))], "title": TITLES})
    pairs = np.array([(1, 9), (4, 8), (7, 4), (0, 1)])
    like = EdgeTable("similar_books", "book", "book", pairs[:, 0], pairs[:, 1])
    return build([NodeTable("book", table, "title")], [like], "books")


def ask(question: str) -> GraphAnswer:
    return gt.ask(GRAPH, question)


GRAPH = books()
READ = '"The Lantern", "The Orchard", "The Kettle"'
AMONG = '"The Harbour", "The Bridge", "The Anchor", "The Garden"'


@pytest.mark.parametrize(
    "question",
    [
        f"A reader has read {READ}. Which of these books comes next: {AMONG}?",
        f"Which book would you recommend to someone who has read {READ}? Choose from {AMONG}.",
        f"After {READ}, which one of {AMONG} should be suggested to the reader?",
        f"What can replace The Orchard? Pick one of {AMONG}.",
        f"From {AMONG}, which book goes with The Orchard?",
    ],
)
def test_the_one_that_is_linked_is_chosen_and_by_what_is_said(question: str) -> None:
    answer = ask(question)
    assert answer.answered and answer.value == ["The Garden"]
    assert "a choice by links alone" in answer.text
    assert "b9" in answer.evidence.nodes


@pytest.mark.parametrize(
    "question",
    [
        f"A reader has read {READ}. Which of these books comes next: {AMONG.replace('Garden', 'Mirror')}?",  # none
        'Which book goes with The Mirror? Choose from "The Compass", "The Ladder", "The Bridge", "The Anchor".',  # two
        f"A reader has read {READ}. Which of these should never come next: {AMONG}?",
        f"A reader has read {READ}. Which of these is longest: {AMONG.replace('Garden', 'Garten')}?",
    ],
)
def test_where_it_is_not_just_one_nothing_is_chosen(question: str) -> None:
    answer = ask(question)
    assert not (answer.answered and "a choice by links alone" in answer.text)
