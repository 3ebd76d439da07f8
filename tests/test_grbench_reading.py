"""Questions as GRBench asks them, over small graphs of its schemas: what is one reading, and what says no more than a name."""

import json

import pytest

import graphtalk as gt
from graphtalk.app.settings import Settings
from graphtalk.core import Answer
from graphtalk.graphs.read import read_graph
from grbench_graphs import FOLDER


@pytest.fixture(scope="module")
def sessions() -> dict[str, gt.Session]:
    return {
        name: gt.Session(read_graph([FOLDER / name]), Settings(reasoner="offline", same_or_more=True))
        for name in ("academic", "literature", "ecommerce")
    }


def ids(name: str, kind: str, label: str) -> dict[str, str]:
    nodes = json.loads((FOLDER / name / "graph.json").read_text(encoding="utf-8"))[f"{kind}_nodes"]
    return {node["features"].get(label, ""): key for key, node in nodes.items()}


def names(answer: Answer) -> set[str]:
    assert answer.answered, answer.text
    assert isinstance(answer.value, list)
    return set(map(str, answer.value))


def test_a_property_of_several_values_is_one_reading(sessions: dict[str, gt.Session]) -> None:
    """As the property of the node, or as the one row of a query."""
    answer = sessions["ecommerce"].ask("In which categories is Fennwick French Press 2-Pack?")
    assert names(answer) == {"Kitchen"}


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which papers did Amara K. Ionescu of National Seismic Observatory of Torvia write?", True),
        ("How many papers by Amara K. Ionescu of National Seismic Observatory of Torvia are there?", True),
        ("Which papers did Amara K. Ionescu of Marlow College, Department of Statistics write?", False),
    ],
)
def test_what_is_said_of_a_name_says_no_more_if_it_is_so(
    sessions: dict[str, gt.Session], question: str, right: bool
) -> None:
    answer = sessions["academic"].ask(question)
    assert answer.answered is right, answer.text
    if right:
        assert len(answer.value) == 3 if isinstance(answer.value, list) else answer.value == 3


def test_what_is_said_of_a_name_leaves_the_question_as_clear(sessions: dict[str, gt.Session]) -> None:
    said = "Amara K. Ionescu of National Seismic Observatory of Torvia"
    data = json.loads((FOLDER / "academic" / "graph.json").read_text(encoding="utf-8"))["paper_nodes"]
    title = next(p["features"]["title"] for p in data.values() if {"a3"} < set(p["neighbors"]["author"]))
    long, short = (
        sessions["academic"].ask(f'Apart from {name}, who are the authors of "{title}"?')
        for name in (said, "Amara K. Ionescu")
    )
    assert long.confidence == short.confidence


def test_whether_somebody_is_of_a_place_is_still_asked(sessions: dict[str, gt.Session]) -> None:
    answer = sessions["academic"].ask("Is Mei Weissmann from National Seismic Observatory of Torvia?")
    assert answer.value is not True


def test_a_name_belongs_to_all_that_it_is_said_of(sessions: dict[str, gt.Session]) -> None:
    """ "Bought-after-viewing items of X" are no items that are bought after viewing anything, of the brand of X."""
    near = json.loads((FOLDER / "ecommerce" / "graph.json").read_text(encoding="utf-8"))["item_nodes"]
    title = "GlideOn Plush Hedgehog (Refurbished)"
    item = ids("ecommerce", "item", "title")[title]
    answer = sessions["ecommerce"].ask(f"How many buy-after-viewing items has {title}?")
    assert answer.value == len(near[item]["neighbors"]["buy_after_viewing_item"]), answer.text


def test_relations_of_one_name_may_each_be_followed_twice(sessions: dict[str, gt.Session]) -> None:
    """`book` leads from authors, from publishers and from series."""
    title = "The Wandering Letters at the End of the Line (Tidewater Chronicles, #3)"
    asked = f'Which other books have both an author and the publisher of "{title}"?'
    answer = sessions["literature"].ask(asked)
    data = json.loads((FOLDER / "literature" / "graph.json").read_text(encoding="utf-8"))
    book = ids("literature", "book", "title")[title]

    def of(kind: str) -> set[str]:
        lists = [
            n["neighbors"]["book"] for n in data[f"{kind}_nodes"].values() if book in n["neighbors"]["book"]
        ]
        return {each for own in lists for each in own} - {book}

    wanted = {data["book_nodes"][each]["features"]["title"] for each in of("author") & of("publisher")}
    assert names(answer) == wanted
