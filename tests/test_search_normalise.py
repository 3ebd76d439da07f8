"""The normal form of names and the words of a text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.search.arrays import Texts
from graphtalk.search.normalise import may_vary, normalise, normalise_all, variants, words


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Graves' disease", "graves disease"),
        ("Graves’ Disease", "graves disease"),
        ("NAD(P)H", "nad p h"),
        ("Purpura, Schoenlein-Henoch", "purpura schoenlein henoch"),
        ("D.O.A.", "d o a"),
        ("José  Müller", "jose muller"),
        ("Jose\u0301", "jose"),
        ("Straße", "strasse"),
        ("Søren Łódź", "soren lodz"),
        ("AT&T", "at and t"),
        ("1,000", "1 000"),
        ("H₂O", "h2o"),
        ("北京 市", "北 京 市"),
        ("हिन्दी", "हिनदी"),
        ("مَرْحَبًا", "مرحبا"),
        ("$", "$"),
        (" !!! ", "!!!"),
        ("🦊 in socks", "in socks"),
        ("🦊", "🦊"),
        ("zero\u200bwidth", "zerowidth"),
        ("", ""),
        (" \t\n", ""),
        ("\ud800", ""),
    ],
)
def test_normal_form(name: str, form: str) -> None:
    assert normalise(name) == form


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    form = normalise(text)
    assert normalise(form) == form
    assert form == " ".join(form.split())
    form.encode()


@given(st.text(alphabet=st.one_of(st.sampled_from("aB9 '’-.,()½北é\u0301㏂$&"), st.characters())))
def test_words_lie_in_order_and_join_to_the_normal_form(text: str) -> None:
    found = words(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(word.start < word.end <= len(text) for word in found)
    assert not found or " ".join(word.form for word in found) == normalise(text)
    for word in found:
        assert normalise(text[word.start : word.end]) == word.form


def test_a_word_ends_where_its_letters_end() -> None:
    text = "Is Zinc's 'Jaws' (cafe\u0301)?"
    assert [text[w.start : w.end] for w in words(text)] == ["Is", "Zinc's", "Jaws", "cafe\u0301"]
    assert [w.bare for w in words(text)] == ["is", "zinc", "jaws", "cafe"]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Crohn's disease", ["crohn disease"]),
        ("Purpura, Schoenlein-Henoch", ["schoenlein henoch purpura"]),
        ("Zinc", []),
        ("a, b, c", []),
        ("1,000", []),
    ],
)
def test_variants(name: str, found: list[str]) -> None:
    assert variants(name) == found


@given(
    st.lists(
        st.text(
            alphabet=st.one_of(st.sampled_from("aB9 '’-.,()½北é\u0301&$\0\n"), st.characters(codec="utf-8"))
        )
    )
)
def test_many_names_are_normalised_as_each_is(names: list[str]) -> None:
    texts = Texts.of(names)
    assert list(normalise_all(texts)) == [normalise(name) for name in names]
    assert {place for place, name in enumerate(names) if variants(name)} <= set(may_vary(texts).tolist())
