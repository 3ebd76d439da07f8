"""English words: tokens and stems, the thesaurus, and the words of identifiers."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.language.english import Thesaurus, stem, thesaurus, tokenize
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural


@pytest.mark.parametrize(
    "forms",
    [
        ("write", "wrote", "written", "writes", "writers"),
        ("country", "countries", "Countries"),
        ("person", "people", "persons"),
        ("direct", "directed", "director", "directors"),
        ("large", "larger", "largest"),
        ("city", "cities", "city's", "city’s"),
        ("few", "fewest"),
        ("diagnosis", "diagnoses"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("act", "area"), ("border", "board"), ("high", "low"), ("cite", "city")]
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("releaseYear", ["release", "year"]),
        ("has_part", ["has", "part"]),
        ("Compound-causes-Side Effect", ["compound", "causes", "side", "effect"]),
        ("_member_of_domain_topic", ["member", "of", "domain", "topic"]),
        ("/film/film/country", ["country"]),
        ("/people/person/places_lived./people/place_lived/location", ["places", "lived", "location"]),
        ("also_bought_item", ["also", "bought", "item"]),
        ("PaperID", ["paper", "id"]),
        ("", []),
        ("//", []),
        ("--", []),
    ],
)  # fmt: skip
def test_words_of_identifiers(name: str, words: list[str]) -> None:
    assert split_name(name) == words


@pytest.mark.xfail(strict=True, reason="only ASCII letters part the words of camel case")
def test_camel_case_beyond_ascii() -> None:
    assert split_name("prénomÉlève") == ["prénom", "élève"]


def test_tokens_keep_their_place_in_the_text() -> None:
    text = "Which of O'Neil’s films, if any, are “long”?"
    tokens = tokenize(text)
    assert [t.text for t in tokens] == ["Which", "of", "O'Neil’s", "films", "if", "any", "are", "long"]
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert [t.text for t in tokens if t.content] == ["O'Neil’s", "films", "long"]


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    tokens = tokenize(text)
    assert all(text[t.start : t.end] == t.text for t in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))
    split_name(text)


def test_asking_words_ask_and_say_nothing() -> None:
    who, wrote, when = tokenize("Who wrote when")
    assert (who.asks, wrote.asks, when.asks) == (True, False, True)
    assert (who.content, wrote.content, when.content) == (False, True, False)


@pytest.mark.parametrize("word", ["don't", "isn’t", "what's", "the", "Please", "couldn't"])
def test_empty_words_have_no_content(word: str) -> None:
    assert not any(t.content for t in tokenize(word))


SMALL = Thesaurus(
    """# a comment: not, a, line
    rise: rise, go up, increase
    fall: fall, go down
    group: group, band
    rise >< fall
    """
)


def test_thesaurus_finds_words_and_phrases_by_stem() -> None:
    assert SMALL.groups([stem("increased")]) == [frozenset({"rise"})]
    assert SMALL.groups([stem(w) for w in ("prices", "going", "up")]) == [
        frozenset(),
        frozenset({"rise"}),
        frozenset({"rise"}),
    ]
    assert SMALL.groups([stem("go"), stem("down")]) == [frozenset({"fall"})] * 2


def test_part_of_a_phrase_is_no_phrase() -> None:
    assert SMALL.groups([stem("go")]) == [frozenset()]
    assert SMALL.groups([stem("up"), stem("go")]) == [frozenset()] * 2


def test_comments_are_no_lines() -> None:
    assert SMALL.groups([stem("not"), stem("line")]) == [frozenset()] * 2


def test_opposites_go_both_ways() -> None:
    rise, fall, group = frozenset({"rise"}), frozenset({"fall"}), frozenset({"group"})
    assert SMALL.opposite(rise, fall)
    assert SMALL.opposite(fall, rise)
    assert not SMALL.opposite(rise, rise)
    assert not SMALL.opposite(rise, group)


def groups_of(word: str) -> frozenset[str]:
    return frozenset().union(*(t.groups for t in tokenize(word)))


@pytest.mark.parametrize(
    ("one", "other"),
    [("upregulate", "amplify"), ("drug", "medication"), ("resembles", "similar"), ("illness", "disorder"), ("relieve", "palliates")],
)  # fmt: skip
def test_the_shipped_thesaurus_joins_words_that_mean_the_same(one: str, other: str) -> None:
    assert groups_of(one) & groups_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("upregulate", "downregulate"),
        ("increased", "reduced"),
        ("activate", "blocks"),
        ("hyponym", "hypernym"),
    ],
)
def test_the_shipped_thesaurus_knows_opposites(one: str, other: str) -> None:
    assert thesaurus().opposite(groups_of(one), groups_of(other))
    assert not thesaurus().opposite(groups_of(one), groups_of(one))


def test_every_opposite_is_a_line_of_the_shipped_thesaurus() -> None:
    shipped = thesaurus()
    lines = frozenset().union(*shipped.phrases.values())
    assert shipped.opposites.keys() <= lines


@pytest.mark.parametrize(
    ("noun", "many"),
    [("country", "countries"), ("day", "days"), ("class", "classes"), ("box", "boxes"), ("series", "series"), ("paper", "papers")],
)  # fmt: skip
def test_plurals(noun: str, many: str) -> None:
    assert plural(noun) == many
