"""What goes on from an answer is read with the call that gave it, and never with another."""

from collections.abc import Sequence

import pytest

import graphtalk as gt
from around_graphs import Known, company
from graphtalk.app.settings import Settings
from graphtalk.app.thread import Thread
from graphtalk.tools.verify import verify


@pytest.fixture(scope="module")
def asked() -> tuple[Known, gt.Session]:
    known, graph = company()
    return Known(known), gt.Session(graph, Settings(reasoner="offline"))


ACME = "Who works for Acme?"  # Ann and Bob
ZENITH = "Which people work for Zenith?"  # Cyd, Dan and Eve


@pytest.mark.parametrize(
    ("before", "text", "value"),
    [
        ([ZENITH], "How many of them?", 3),
        ([ZENITH], "how many are they?", 3),
        ([ZENITH], "Which of them know Ann?", ["Cyd", "Eve"]),
        ([ZENITH], "Which of them does Cyd manage?", ["Dan", "Eve"]),
        ([ZENITH], "which of those don't know Ann?", ["Dan"]),
        ([ZENITH], "Who of them is linked to Cyd?", ["Dan", "Eve"]),
        ([ZENITH], "Which of them are older than 30?", ["Cyd", "Dan"]),
        ([ZENITH], "How many among those are older than 30?", 2),
        ([ZENITH], "And which of them are not older than 30?", ["Eve"]),
        ([ZENITH], "What is the average age of those?", (35 + 52 + 29) / 3),
        ([ZENITH], "their average age", (35 + 52 + 29) / 3),
        ([ZENITH], "What is the total age of them?", 116),
        ([ZENITH], "Which of them has the highest age?", ["Dan"]),
        ([ZENITH], "Who of them has the lowest age?", ["Eve"]),
        ([ZENITH], "What do they have in common?", ["Zenith"]),
        ([ZENITH], "Which of them is the most connected?", ["Cyd"]),
        ([ZENITH], "How many?", 3),
        ([ZENITH], "And how many are there?", 3),
        ([ZENITH], "Is Dan one of them?", True),
        ([ZENITH], "Is Bob among those?", False),
        (["How many people work for Zenith?"], "Which of them know Ann?", ["Cyd", "Eve"]),
        ([ZENITH, "Which of them know Ann?"], "How many people work for Acme?", 2),
        (["List all the neighbours of Acme"], "Which of them are companies?", ["Zenith", "Orion", "Mercury"]),
        ([ACME], "And Orion?", ["Fay", "Gus"]),
        ([ACME], "No, I meant Orion.", ["Fay", "Gus"]),
        (["Who supplies Mercury?"], "no, I meant the company", ["Acme"]),
        (["Who makes Mercury?"], "sorry, I meant Anvil", ["Acme", "Zenith"]),
    ],
)
def test_follow_ups(asked: tuple[Known, gt.Session], before: Sequence[str], text: str, value: object) -> None:
    thread = Thread(asked[1])
    for question in before:
        thread.ask(question)
    answer = thread.ask(text).whole
    assert answer.answered, answer.text
    found = sorted(answer.value) if isinstance(answer.value, list) else answer.value
    assert found == (sorted(value) if isinstance(value, list) else pytest.approx(value))
    assert verify(asked[1].executor, answer).verdict == "same"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ([], "How many of them?"),
        ([], "How many?"),
        ([ACME, "Which of them know Ann?"], "and Cyd?"),
        ([ACME], "Why not Cyd?"),
        ([ACME], "Which of them never phone Ann?"),
        ([ACME], "Which of them know Ann or Cyd's dog?"),
    ],
)
def test_what_is_unclear_is_asked_back(
    asked: tuple[Known, gt.Session], before: Sequence[str], text: str
) -> None:
    thread = Thread(asked[1])
    for question in before:
        thread.ask(question)
    assert not thread.ask(text).whole.answered


def test_why_not_offers_what_it_may_ask_and_takes_a_choice(asked: tuple[Known, gt.Session]) -> None:
    thread = Thread(asked[1])
    thread.ask(ACME)
    offered = thread.ask("Why not Cyd?").whole.alternatives
    assert [a.reading for a in offered] == [
        "whether Cyd is among the people that work for Acme",
        "what the graph has of Cyd",
    ]
    assert thread.ask("Why not Cyd?", choose=1).whole.value is False


def test_a_year_takes_the_place_of_a_year() -> None:
    talk = gt.session(company()[1]).conversation
    from graphtalk.core import Answer
    from graphtalk.reasoners.conversation import Said

    before = [Said("Who joined Acme in 2018?", Answer(True, "", ["Ann"]))]
    assert talk.resolve("and in 2019?", before) == ("Who joined Acme in 2019?",)
    assert talk.resolve("and in 2019?", [Said(ACME, Answer(True, "", ["Ann"]))]) == ("and in 2019?",)


@pytest.mark.parametrize("named", ["What is the capital of Narnia?", "Who rules the Shire?"])
def test_what_was_just_named_is_meant_though_the_graph_has_no_such_thing(named: str) -> None:
    chat = gt.chat("atlas")
    assert chat("What is the capital of Japan?").value == ["Tokyo"]
    assert not chat(named).answered
    assert not chat("And its population?").answered  # Tokyo's would change the subject without a word
    assert chat("What is the capital of Peru?").value == ["Lima"]
    assert chat("And its population?").value == 10_000_000


@pytest.mark.parametrize(
    "talk",
    [
        (ACME, "Who works for globex?", "How many of them?"),
        (ACME, "Who works for globex?", "Which of them know Ann?"),
        ("Who makes Mercury?", "who painted the mona lisa?", "And what is its price?"),
        ("What is Ann's age?", "Does Cyd know Eve?", "What is her age?"),
        ("What is Ann's age?", "Who robbed the bank?", "And Cyd?"),
        ("What is Ann's age?", "Which person manages Dan and what is her age?"),
    ],
)
def test_the_subject_never_changes_unsaid(asked: tuple[Known, gt.Session], talk: Sequence[str]) -> None:
    thread = Thread(asked[1])
    assert thread.ask(talk[0]).whole.answered
    for text in talk[1:]:
        last = thread.ask(text)
    assert last.questions == (talk[-1],)  # nothing was put in from what was said before
    assert not last.whole.answered or "manage" in talk[-1]


def test_a_question_that_came_to_nothing_about_them_still_speaks_of_them(
    asked: tuple[Known, gt.Session],
) -> None:
    thread = Thread(asked[1])
    thread.ask(ZENITH)
    assert not thread.ask("Which of them never phone Ann?").whole.answered
    assert thread.ask("How many of them?").whole.value == 3


def test_what_is_asked_of_another_node_is_not_passed_over() -> None:
    chat = gt.chat("atlas")
    assert chat("What is the capital of Japan?").value == ["Tokyo"]
    assert chat("and the population of Peru?").value == chat("What is the population of Peru?").value
    assert chat("What is the capital of Japan?").value == ["Tokyo"]
    assert chat("and in the case of Peru?").value == ["Lima"]


def test_what_a_question_lists_with_their_properties_is_its_own(asked: tuple[Known, gt.Session]) -> None:
    """Theirs is theirs whom the same question names by their type, whatever was answered before."""
    thread = Thread(asked[1])
    thread.ask(ZENITH)
    assert thread.questions("List all people with their age") == ("List all people with their age",)
    assert len(thread.questions("What is their age?")) == 3
