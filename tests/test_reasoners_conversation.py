"""Follow-up questions made to stand alone, on the atlas and on a small library."""

import pytest

import graphtalk as gt
from graphtalk.core import Answer
from graphtalk.reasoners.conversation import Conversation, Said
from planner_graphs import library


@pytest.fixture(scope="module")
def atlas() -> Conversation:
    return gt.session(gt.open("atlas")).conversation


def said(question: str, value: object) -> Said:
    return Said(question, Answer(True, str(value), value))


JAPAN = said("What is the capital of Japan?", ["Tokyo"])
BORDERS = said("Which countries border Peru?", ["Bolivia", "Chile"])
FRANCE = said("What is the population of France?", 68_400_000)


@pytest.mark.parametrize(
    ("before", "text", "alone"),
    [
        ([JAPAN], "And its population?", ["What is Tokyo's population?"]),
        ([JAPAN], "Which country is it in?", ["Which country is Tokyo in?"]),
        ([JAPAN], "Which countries border it?", ["Which countries border Japan?"]),  # cities border nothing
        ([JAPAN], "What are its official languages?", ["What are Japan's official languages?"]),
        ([JAPAN], "Describe it", ["Describe Tokyo"]),
        ([JAPAN], "How old is it?", ["How old is Tokyo?"]),
        ([JAPAN], "What is the area of that country?", ["What is the area of Japan?"]),
        ([FRANCE], "What is its capital?", ["What is France's capital?"]),
        ([FRANCE], "and of Spain?", ["What is the population of Spain?"]),
        ([FRANCE], "countries in Europe and their capitals", ["countries in Europe and their capitals"]),
        ([said("When was the UN founded?", 1945)], "And Georgia?", ["When was Georgia founded?"]),
        ([FRANCE], "What about Spain?", ["What is the population of Spain?"]),
        ([said("What are Peru's rivers?", [])], "And Chile?", ["What are Chile's rivers?"]),
        (
            [BORDERS],
            "What are their capitals?",
            ["What are Bolivia's capitals?", "What are Chile's capitals?"],
        ),
        (
            [BORDERS],
            "How many people live in those countries?",
            ["How many people live in Bolivia?", "How many people live in Chile?"],
        ),
        (
            [JAPAN, said("How do I boil an egg?", None)],
            "What is its population?",
            ["What is Tokyo's population?"],
        ),
        (
            [BORDERS, said("What is the capital of Chile?", ["Santiago"])],
            "Which of them is the largest?",
            ["Which of the countries that border Peru is the largest?"],
        ),
        (
            [BORDERS],
            "and which of those countries border Argentina?",
            ["Does Bolivia border Argentina?", "Does Chile border Argentina?"],
        ),
        ([BORDERS], "Which of these are in Asia?", ["Is Bolivia in Asia?", "Is Chile in Asia?"]),
        ([JAPAN], "How many people live there?", ["How many people live in Tokyo?"]),
        ([JAPAN], "How many countries are there?", ["How many countries are there?"]),
        ([JAPAN], "Which of them is the largest?", ["Which of them is the largest?"]),
        (
            [said("Which countries does the Nile flow through?", ["Egypt", "Sudan"])],
            "Which of them has the smallest population?",
            ["Which of the countries that the Nile flow through has the smallest population?"],
        ),
        (
            [FRANCE, said("Which rivers flow into the Baltic Sea?", ["Oder"])],
            "What about Spain?",
            ["What is the population of Spain?"],
        ),
        # These stand alone, or speak of nothing that was said.
        ([JAPAN], "Which countries border Peru?", ["Which countries border Peru?"]),
        ([JAPAN], "Is it true that France borders Spain?", ["Is it true that France borders Spain?"]),
        ([JAPAN], "Thanks!", ["Thanks!"]),
        ([], "And its population?", ["And its population?"]),
        ([BORDERS], "What is its capital?", ["What is Peru's capital?"]),
    ],
)
def test_follow_ups(atlas: Conversation, before: list[Said], text: str, alone: list[str]) -> None:
    assert list(atlas.resolve(text, before)) == alone


def test_the_words_of_any_schema() -> None:
    talk = gt.session(library()).conversation
    before = said("Which papers cite Silent Rivers?", ["Stone and Sand"])
    assert talk.resolve("and who wrote it?", [before]) == ("who wrote Stone and Sand?",)
    assert talk.resolve("And Deep Water?", [before]) == ("Which papers cite Deep Water?",)


def test_the_chat_keeps_the_thread(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    from graphtalk.app import chat
    from graphtalk.app.settings import Settings

    monkeypatch.setattr(
        "sys.stdin", io.StringIO("What is the capital of Japan?\nAnd its population?\nThanks!\nWhy?\n")
    )
    chat.run("atlas", Settings())
    out = capsys.readouterr().out
    assert "(What is Tokyo's population?)" in out and "14,000,000" in out and "NodeFeature" in out
