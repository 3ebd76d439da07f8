"""What nodes share, relations of a type with itself, and names given apart, read by phrases over a small library."""

import json
from pathlib import Path

import pytest

import graphtalk as gt

BOOKS = {
    "b1": {"title": "Salt", "genres": ["sea"], "form": "paper", "author": ["a1"], "house": ["h1"], "similar_books": ["b2", "b3"]},
    "b2": {"title": "Ash", "genres": ["sea", "war"], "form": "paper", "author": ["a1", "a2"], "house": ["h1"], "similar_books": ["b3"]},
    "b3": {"title": "Tin", "genres": ["war"], "form": "cloth", "author": ["a2"], "house": ["h2"], "similar_books": []},
    "b4": {"title": "Oak", "genres": ["sea"], "form": "paper", "author": ["a1"], "house": ["h2"], "similar_books": ["b1", "b3"]},
}  # fmt: skip
AUTHORS = {"a1": ("Ilse Brandt", "Trier"), "a2": ("Rui Moreira", "Evora")}
HOUSES = {"h1": "Kellerhof Press", "h2": "Velha House"}
CITIES = {"c1": "Mosel City"}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """A graph whose relations name both ends; similar books are listed from one end only."""
    features = ("title", "genres", "form")
    books = {
        key: {"features": {f: book[f] for f in features}, "neighbors": {r: e for r, e in book.items() if r not in features and e}}
        for key, book in BOOKS.items()
    }  # fmt: skip
    authors = {
        key: {"features": {"name": name, "town": town}, "neighbors": {"book": [b for b in BOOKS if key in BOOKS[b]["author"]]}}
        for key, (name, town) in AUTHORS.items()
    }  # fmt: skip
    houses = {
        key: {
            "features": {"name": name},
            "neighbors": {"book": [b for b in BOOKS if key in BOOKS[b]["house"]], "city": ["c1"]},
        }
        for key, name in HOUSES.items()
    }
    cities = {
        key: {"features": {"name": name}, "neighbors": {"house": list(HOUSES)}}
        for key, name in CITIES.items()
    }
    data = {"book_nodes": books, "author_nodes": authors, "house_nodes": houses, "city_nodes": cities}
    folder: Path = tmp_path_factory.mktemp("library")
    (folder / "graph.json").write_text(json.dumps(data), encoding="utf-8")
    gt.import_graph(folder, folder / "library.gt")
    return gt.session(gt.open(folder / "library.gt"))


def plain(value: object) -> object:
    """Entries in no order; the only one by itself."""
    entries = (
        [next(iter(e.values())) if isinstance(e, dict) else e for e in value]
        if isinstance(value, list)
        else [value]
    )
    return set(entries) if len(entries) != 1 else entries[0]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # a relation of a type with itself leads from the node that lists others
        ("Which books are similar to Salt?", {"Ash", "Tin"}),
        ("How many books are similar to Tin?", 0),
        ("How many similar books has Ash?", 1),
        ("How many similar books does Oak have?", 2),
        ("Which books share at least 1 similar books with Ash?", {"Salt", "Oak"}),
        # the same, and others
        ("Which other books have the same house as Salt?", "Ash"),
        ("Which books have the same house and the same form as Salt?", "Ash"),
        ("Which books share an author with Tin?", "Ash"),
        ("Which other books have the same genre as Salt?", {"Ash", "Oak"}),
        ("What are the other books of the house of Tin?", "Oak"),
        ("What are the books of the house of Tin?", {"Oak", "Tin"}),
        # the commonest
        ("What is the most frequent genre of the books of Ilse Brandt?", "sea"),
        ("Which genres are most common among books of Rui Moreira?", "war"),
        ("In which form do most books of Ilse Brandt appear?", "paper"),
        ("Which house has the most books of the genre sea?", "Kellerhof Press"),
        # through relations that lead each node to one
        ("Which city is the book Salt in?", "Mosel City"),
        ("How many books are in Mosel City?", 4),
        # names given apart
        ("Which house does this book belong to: Tin.", "Velha House"),
        ("This is a book: Oak. What are its genres?", "sea"),
        ("True or false: the book Tin has the form paper", False),
        ("Does the book Salt have the form paper? Answer true or false.", True),
    ],
)  # fmt: skip
def test_the_answer(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert plain(found.value) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which books have the same author as Ash?",  # of two authors: one of them, or both?
        "Which other books have the same genre as Ash?",
        "Which books are dissimilar to Salt?",
        "Which co-owners of Ilse Brandt are there?",
        "Which book does this belong to: Nowhere.",
    ],
)
def test_what_may_mean_two_things_or_nothing_is_declined(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


def test_of_two_readings_the_phrase_comes_first(session: gt.Session) -> None:
    """She may be of Trier, or they."""
    found = session.ask("Who are the co-authors of Ilse Brandt of Trier?", choose=1)
    assert plain(found.value) == "Rui Moreira", found.text


@pytest.mark.parametrize(
    "question", ["Which books have the genres sea and war?", "How many books are paper and cloth?"]
)
def test_what_has_both_is_not_what_has_either(session: gt.Session, question: str) -> None:
    assert session.ask(question).value in (None, ["Ash"])


def test_who_shares_a_border_borders() -> None:
    atlas = gt.open("atlas")
    shared = gt.ask(atlas, "Which countries share a border with Laos?")
    assert set(shared.value) == set(gt.ask(atlas, "Which countries border Laos?").value)
