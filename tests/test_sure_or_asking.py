"""Sure, or asking back: what is not understood is said, and no word that changes the meaning is passed over."""

import pytest

from graphtalk.calls import parse
from graphtalk.core import Question, StoreError
from graphtalk.graphs import Graph
from graphtalk.reasoners import candidates
from graphtalk.reasoners.offline import Judged
from graphtalk.tools.verify import verify
from planner_graphs import make, offline


def company() -> Graph:
    """Three employees, two of whom have a project; packages of a section; functions that call each other."""
    return make(
        {
            "employee": {"id": ["e1", "e2", "e3"], "name": ["Ann Lee", "Bo Dahl", "Cy Moss"]},
            "project": {"id": ["p1", "p2"], "name": ["Apollo", "Borealis"]},
            "package": {"id": ["k1", "k2"], "name": ["coreutils", "findutils"]},
            "section": {"id": ["s1", "s2"], "name": ["utils", "net"]},
            "function": {"id": ["f1", "f2", "f3"], "name": ["parse_file", "read_line", "main_loop"]},
        },
        [
            ("works on", "employee", "project", [("e1", "p1"), ("e2", "p1"), ("e2", "p2")]),
            ("in section", "package", "section", [("k1", "s1"), ("k2", "s1")]),
            ("calls", "function", "function", [("f1", "f2"), ("f3", "f1")]),
        ],
    )


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Which employees have no project?", {"Cy Moss"}),
        ("Which employees do not work on Apollo?", {"Cy Moss"}),
        ("Which employees work on Apollo or Borealis?", {"Ann Lee", "Bo Dahl"}),
        ("Which employees work on neither Apollo nor Borealis?", {"Cy Moss"}),
        ("Which employees work only on Apollo?", {"Ann Lee"}),
        ("Who calls parse_file?", {"main_loop"}),
        ("What does parse_file call?", {"read_line"}),
        ("Which packages are in the section of frobnicator-utils?", set()),
        ("Which function does main_loop call indirectly?", {"read_line"}),
        ("What percentage of employees work on Apollo?", {66.6667}),
    ],
)
def test_right_or_declined_never_wrong(question: str, right: set[object]) -> None:
    answer = list(offline(company()).run(Question(question)))[-1].answer
    assert answer is not None
    if answer.answered:
        value = answer.value if isinstance(answer.value, list) else [answer.value]
        assert {round(v, 4) if isinstance(v, float) else v for v in value} == right, answer.text


def test_an_unknown_name_is_said_with_the_nearest() -> None:
    answer = list(offline(company()).run(Question("Who works on 'Apolo 13'?")))[-1].answer
    assert answer is not None and not answer.answered
    assert "'Apolo 13'" in answer.text and "Apollo" in answer.text


@pytest.mark.parametrize(
    ("question", "put_right", "value"),
    [
        ("Who works on 'Apolo 13'?", "Who works on 'Apollo'?", {"Ann Lee", "Bo Dahl"}),
        ("Which packages are in the section utilz?", "Which packages are in the section utils?", {"coreutils", "findutils"}),
    ],
)  # fmt: skip
def test_a_name_is_put_right_by_choosing(question: str, put_right: str, value: set[str]) -> None:
    reasoner = offline(company())
    declined, chosen = (list(reasoner.run(Question(question, choose=n)))[-1].answer for n in (0, 1))
    assert declined is not None and chosen is not None
    assert declined.reason.startswith("Nothing in this graph is called")
    assert declined.text.startswith(
        f"{declined.reason} It may ask for: 1. {declined.alternatives[0].reading}"
    )
    assert chosen.answered and set(chosen.value) == value and chosen.asked == put_right


def test_no_question_is_read_again_with_names_that_are_nothing_like_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reasoner = offline(company())
    asked: list[str] = []
    propose = reasoner.proposer.propose
    monkeypatch.setattr(
        reasoner.proposer, "propose", lambda q, about="": (asked.append(q), propose(q, about))[1]
    )
    answer = list(reasoner.run(Question("Who works on '4711'?")))[-1].answer
    assert asked and all("4711" in question for question in asked)
    assert answer is not None and not answer.answered
    assert "'4711'" in answer.text and "nearest" not in answer.text


def test_what_is_much_less_likely_than_the_best_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    reasoner = offline(company())
    question = Question("Who works?")
    readings = with_confidence(0.5, 0.12, 0.09, 0.03)
    monkeypatch.setattr("graphtalk.reasoners.offline.judge", lambda _: readings)
    answer = list(reasoner.run(question))[-1].answer
    assert answer is not None and [a.confidence for a in answer.alternatives] == [0.5, 0.12]


def with_confidence(*confidences: float) -> list[Judged]:
    """Different readings that are as likely."""
    executor = offline(company()).executor
    calls = ['Nodes["employee"]', *(f'Nth["employee", {n}]' for n in (1, 2, 3))]
    proposals = [candidates.Proposal(parse(call), "", call) for call in calls]
    return [Judged(p, executor.run(p.call), c) for p, c in zip(proposals, confidences, strict=True)]


def test_without_its_weights_the_reader_is_missed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise StoreError("The weights of the learnt reader are not there.")

    monkeypatch.setattr(candidates, "load_reader", missing)
    answer = list(offline(company()).run(Question("How do I boil an egg?")))[-1].answer
    assert answer is not None and not answer.answered and "weights of the learnt reader" in answer.text


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who are the neighbours of Bo Dahl?", {"Apollo", "Borealis"}),
        ("neighbors of coreutils", {"utils"}),
        ("Who is the most connected?", {"Bo Dahl"}),
    ],
)
def test_what_is_asked_of_any_graph(question: str, value: set[str]) -> None:
    answer = list(offline(company()).run(Question(question)))[-1].answer
    assert answer is not None and answer.answered
    assert value <= set(answer.value)
    assert verify(offline(company()).executor, answer).verdict == "same"


def test_the_groups_of_a_graph() -> None:
    answer = list(offline(company()).run(Question("Which groups are there?")))[-1].answer
    assert answer is not None and sorted(map(len, answer.value), reverse=True) == [4, 3, 3, 1, 1]
