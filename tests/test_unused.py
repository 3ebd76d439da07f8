"""What a question says and a reading would pass over: it is not answered, and what was passed over is named."""

import json
import re
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.language.operators import operator_words

ATLAS = Path(__file__).parent / "questions" / "atlas.jsonl"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which countries do not border France?", ["not"]),
        ("Who doesn't like it?", ["n't"]),
        ("More than 3 of at least two", ["at least", "more than"]),
        ("Films under 30 minutes, listed under drama", ["under"]),
        ("A note on knots", []),
        ("employees per department, on average", ["on average", "per"]),
        ("Never mind The Second Sex", ["never", "second"]),
    ],
)
def test_words_that_change_the_meaning(text: str, words: list[str]) -> None:
    assert sorted(found.word for found in operator_words(text)) == sorted(words)


def test_a_word_inside_a_name_is_none() -> None:
    assert not list(operator_words("Who wrote War or Peace?", [(10, 22)]))


FRENCH = {
    "Andorra",
    "Belgium",
    "Brazil",
    "Germany",
    "Italy",
    "Luxembourg",
    "Monaco",
    "Spain",
    "Suriname",
    "Switzerland",
}


@pytest.mark.parametrize(
    "question",
    [
        "Which countries do not border France?",
        "Which countries border neither France nor Spain?",
        "Which countries that border France have no river?",
        "Which is the second largest country that borders France?",
    ],
)
def test_what_would_be_passed_over_is_never_passed_over(question: str) -> None:
    """Right, or declined and offered: none of the neighbours of France is in an answer by itself."""
    answer = gt.ask("atlas", question)
    assert not answer.answered or not FRENCH & set(answer.value)
    assert answer.answered or (not answer.calls and answer.value is None)


@pytest.mark.parametrize("question", ["Which countries can be reached indirectly from France?"])
def test_what_no_reading_uses_is_named(question: str) -> None:
    answer = gt.ask("atlas", question)
    assert not answer.answered, answer.text


NEGATED = re.compile(r"\b(is|are|do|does|did|was|were|has|have|can)\b", re.I)


def test_no_answer_is_the_opposite_of_what_was_asked() -> None:
    """Every other question of a set that has an answer, with its first auxiliary verb negated."""
    questions = [json.loads(line)["question"] for line in ATLAS.read_text("utf-8").splitlines()]
    tried = 0
    for question in questions[::2]:
        negated = NEGATED.sub(lambda found: f"{found[0]} not", question, count=1)
        if " not" in question or "n't" in question or negated == question:
            continue
        plain = gt.ask("atlas", question)
        if not plain.answered or isinstance(plain.value, bool):
            continue
        tried += 1
        found = gt.ask("atlas", negated)
        assert not found.answered or found.value != plain.value, (negated, found.text)
    assert tried > 20
