"""The words of names of a schema, also of those that run together, and the verbs of their past forms."""

import pytest

from graphtalk.language.english import stem
from graphtalk.language.identifiers import apart, split_name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("headofstate", "head of state"),
        ("unitprice", "unit price"),
        ("customerids", "customer ids"),
        ("isactive", "is active"),
        ("reportsto", "reports to"),
        ("lengthmin", "length min"),
        ("releaseYear", "release year"),
        ("has_part", "has part"),
        # words of their own, and what is made of none
        ("hometown", "hometown"),
        ("paragraphs", "paragraphs"),
        ("kubernetes", "kubernetes"),
        ("gabapentin", "gabapentin"),
        ("highschooler", "highschooler"),
    ],
)
def test_names_are_read_in_words(name: str, words: str) -> None:
    assert " ".join(split_name(name)) == words


def test_no_word_is_left_out() -> None:
    for name in ("orderdetails", "replacementcost", "xyzzyq", "a" * 60):
        assert apart(name).replace(" ", "") == name


def test_past_forms_have_the_stem_of_their_verb() -> None:
    pairs = ("grown grow", "worn wear", "eaten eat", "built build", "underwent undergo", "spoken speak")
    assert all(stem(one) == stem(other) for one, other in map(str.split, pairs))
    assert stem("rose") != stem("rise")  # a flower
