"""Cues: what kind of answer a question wants, and where what it asks for begins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.cues import Comparison, Cues, find_cues


def cues(text: str) -> Cues:
    return find_cues(text, tokenize(text))


def focus(text: str) -> str | None:
    tokens = tokenize(text)
    place = find_cues(text, tokens).focus
    return tokens[place].text if place >= 0 else None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("How many papers are there?", "count"),
        ("What is the number of authors of X?", "count"),
        ("Count the rivers of Asia", "count"),
        ("the total number of towns", "count"),
        ("Which genre is most common?", "most"),
        ("Who wrote the most books?", "most"),
        ("Which language is mostly spoken there?", "most"),
        ("the largest number of neighbours", "most"),
        ("Which country has the fewest neighbours?", "least"),
        ("the average length of the rivers", "average"),
        ("How long are the rivers on average?", "average"),
        ("the combined population of both", "total"),
        ("Which films have exactly the same genres as X?", "same"),
        ("countries that border both X and Y", "both"),
        ("What do X and Y have in common?", "both"),
        ("films by X but not Y", "without"),
        ("films X didn't direct", "without"),
        ("either X or Y", "either"),
        ("How is X connected to Y?", "path"),
        ("the shortest path from X to Y", "path"),
        ("How many steps are there between X and Y?", "distance"),
        ("Is it true or false that X is old?", "truth"),
    ],
)
def test_kinds(text: str, kind: str) -> None:
    assert cues(text).has(kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Which papers cite X?", "count"),
        ("films with at least 3 actors", "least"),
        ("films with the same director as X", "same"),  # one director: any film that shares it
        ("Which rivers are there?", "truth"),
        ("Which countries does X border?", "truth"),
        ("the sum total population", "count"),
    ],
)
def test_kinds_that_are_not_meant(text: str, kind: str) -> None:
    assert not cues(text).has(kind)


@pytest.mark.parametrize(
    "text",
    ["Is Rome a capital?", "Does France border Italy?", "was it made there", "Have X and Y met?", "So is X larger?", "Can X cause Y?"],
)  # fmt: skip
def test_questions_of_truth(text: str) -> None:
    assert cues(text).has("truth")


@pytest.mark.parametrize(
    "text",
    ["Can you tell me the capital of X?", "Could you list the films?", "Would you name its rivers?", "Do you know who wrote X?", "Are there rivers?"],
)  # fmt: skip
def test_requests_are_no_questions_of_truth(text: str) -> None:
    assert not cues(text).has("truth")


@pytest.mark.parametrize(
    ("text", "operator", "number"),
    [
        ("more than 1,000,000 people", ">", 1_000_000),
        ("over 2.5 million inhabitants", ">", 2_500_000),
        ("at least 3 authors", ">=", 3),
        ("no fewer than 10 pages", ">=", 10),
        ("at most 20 km", "<=", 20),
        ("up to 40 dollars", "<=", 40),
        ("fewer than 5 members", "<", 5),
        ("an area below 300 thousand square kilometres", "<", 300_000),
        ("longer than 1.5k pages", ">", 1_500),
        ("costs under 12.99", "<", 12.99),
        ("exactly 7 seats", "=", 7),
        ("before 1990", "<", 1990),
        ("after the year 2004", ">", 2004),
        ("exceeding 3bn", ">", 3e9),
    ],
)
def test_comparisons(text: str, operator: str, number: float) -> None:
    assert cues(text).comparison == Comparison(operator, number)


def test_a_bare_number_is_a_loose_comparison() -> None:
    assert cues("papers from 2004").comparison == Comparison("=", 2004, loose=True)
    assert cues("papers about numbers").comparison is None


@pytest.mark.parametrize(
    ("text", "feature", "high"),
    [
        ("the longest river", "length", True),
        ("the least populous country", "population", False),
        ("the most populous country", "population", True),
        ("the biggest lake", "area", True),
        ("the heaviest item", "weight", True),
        ("the shallowest sea", "depth", False),
        ("the narrowest strait", "width", False),
    ],
)
def test_superlatives(text: str, feature: str, high: bool) -> None:
    measure = cues(text).superlative
    assert measure is not None
    assert (feature, high) in measure.features


@pytest.mark.parametrize(
    ("text", "feature", "high"),
    [
        ("Is X larger than Y?", "area", True),
        ("Which is shorter, X or Y?", "length", False),
        ("Is X less populous than Y?", "population", False),
        ("Is X heavier than Y?", "weight", True),
    ],
)
def test_comparatives(text: str, feature: str, high: bool) -> None:
    measure = cues(text).comparative
    assert measure is not None
    assert (feature, high) in measure.features


@pytest.mark.parametrize(
    "text", ["the river", "the forest of X", "the manager", "Which paper is the tester for?"]
)
def test_words_that_only_look_like_degrees(text: str) -> None:
    found = cues(text)
    assert (found.superlative, found.comparative) == (None, None)


def test_a_comparison_with_a_number_is_no_comparative() -> None:
    found = cues("rivers longer than 500 km")
    assert found.comparison == Comparison(">", 500)
    assert found.comparative is None


@pytest.mark.parametrize(
    ("text", "feature"),
    [("How long is X?", "length"), ("How tall was X?", "height"), ("how deep are they", "depth")],
)
def test_measures(text: str, feature: str) -> None:
    measure = cues(text).measure
    assert measure is not None
    assert (feature, True) in measure.features


@pytest.mark.parametrize(
    ("text", "many"),
    [("the top 3 genres", 3), ("the five longest rivers", 5), ("top-10 authors", 10), ("the longest river", 1), ("Which two most common words?", 2)],
)  # fmt: skip
def test_how_many_winners(text: str, many: int) -> None:
    assert cues(text).many == many


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Which papers cite X?", "papers"),
        ("What is the capital of X?", "capital"),
        ("Who wrote X?", "Who"),
        ("How many authors wrote X?", "authors"),
        ("List the films which X directed", "films"),
        ("Give me all the diseases whose symptoms include X", "diseases"),
        ("the rivers of X", "rivers"),
        ("X was founded in which year?", "year"),
        ("Which of the ships is longest?", "ships"),
        ("What does X direct?", None),
        ("???", None),
    ],
)
def test_focus(text: str, word: str | None) -> None:
    masked = text.replace("X", "\x00")
    assert focus(masked) == word


def test_cues_are_not_left_to_be_explained() -> None:
    text = "How many of the rivers are longer than 500 km in total?"
    tokens = tokenize(text)
    left = [t.text for i, t in enumerate(tokens) if t.content and i not in find_cues(text, tokens).consumed]
    assert left == ["rivers"]


def test_what_the_most_counts() -> None:
    text = "Which author wrote the most papers?"
    tokens = tokenize(text)
    assert tokens[find_cues(text, tokens).counted].text == "papers"


@given(st.text(alphabet="howmanytesrf 0123456789,.?'\x00éX", max_size=60))
def test_any_question_has_cues_within_it(text: str) -> None:
    tokens = tokenize(text)
    found = find_cues(text, tokens)
    assert found.consumed <= set(range(len(tokens)))
    assert -1 <= found.focus < len(tokens)
    assert -1 <= found.counted < len(tokens)
    assert found.many >= 1


@pytest.mark.xfail(strict=True, reason="a comma after the opening word hides what follows")
def test_a_comma_may_follow_the_opening_word() -> None:
    assert cues("So, is X larger?").has("truth")


def test_numbers_in_words_are_compared_too() -> None:
    assert cues("countries with more than two languages").comparison == Comparison(">", 2)
