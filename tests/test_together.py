"""The offline reader and a model together: who answers, and that the answer says so."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

import graphtalk as gt
from graphtalk.app import makers, reasoners
from graphtalk.app.settings import Settings
from graphtalk.core import Answer, CallRecord, Question, Step, UsageError
from graphtalk.lms.protocol import about_tokens
from graphtalk.reasoners.together import SURE, Together
from test_graph_cot_endings import Replies


@dataclass
class Says:
    """A reasoner that answers as a test says, and counts how often it was asked."""

    answer: Answer
    asked: list[Question] = field(default_factory=list)

    def run(self, question: Question) -> Iterator[Step]:
        self.asked.append(question)
        yield Step("thought", f"by {self.answer.reasoner}")
        yield Step("answer", self.answer.text, answer=self.answer)


def both(confidence: float | None, answered: bool = True, prefer: str = "") -> tuple[Together, Says, Says]:
    offline = Says(Answer(answered, "Tokyo", ["Tokyo"], confidence=confidence))
    model = Says(Answer(True, "Kyoto", ["Kyoto"], reasoner="graph-cot-plan", lm="a model"))
    return Together(offline, model, prefer), offline, model  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("confidence", "answered", "prefer", "who"),
    [
        (SURE, True, "", "offline"),
        (SURE - 0.01, True, "", "graph-cot-plan"),
        (None, True, "", "graph-cot-plan"),
        (1.0, False, "", "graph-cot-plan"),
        (1.0, True, "model", "graph-cot-plan"),
        (0.1, True, "offline", "offline"),
        (None, True, "offline", "offline"),
        (0.9, False, "offline", "graph-cot-plan"),
    ],
)
def test_who_reads_a_question(confidence: float | None, answered: bool, prefer: str, who: str) -> None:
    together, offline, model = both(confidence, answered, prefer)
    steps = list(together.run(Question("Q?")))
    assert steps[-1].answer is not None and steps[-1].answer.reasoner == who
    assert bool(model.asked) == (who == "graph-cot-plan") and bool(offline.asked) == (prefer != "model")
    assert sum(step.kind == "answer" for step in steps) == 1
    assert any("so the model is asked" in step.text for step in steps) == (
        bool(model.asked) and bool(offline.asked)
    )


def test_what_goes_on_from_earlier_questions_is_the_models() -> None:
    together, offline, model = both(1.0)
    list(together.run(Question("And its population?", earlier=(("What is the capital of Japan?", "Tokyo"),))))
    assert model.asked and not offline.asked


def test_auto_with_a_model_is_both() -> None:
    assert reasoners.resolved(Settings(lm="openai:m")) == "together"
    assert reasoners.resolved(Settings()) == "offline"
    with pytest.raises(UsageError):
        reasoners.resolved(Settings(reasoner="together"))


def test_the_model_is_told_the_guess_of_a_reader_that_would_have_answered() -> None:
    session = gt.Session(gt.open("atlas"), Settings(lm="scripted:x"))
    prompts = []
    for answer in (
        Answer(
            True, "Tokyo", ["Tokyo"], calls=(CallRecord("NeighbourCheck[a, b]", [], 0.0),), confidence=0.9
        ),
        Answer(False, "?", confidence=0.6),
        Answer(True, "Tokyo", ["Tokyo"], calls=(CallRecord("Count[" * 60, [], 0.0),), confidence=0.9),
    ):
        lm = Replies('NeighbourCheck["Japan", "capital"]')
        vars(session)["model"] = lm
        together = Together(Says(answer), makers.graph_cot_plan(session))
        *_, last = together.run(Question("What is the capital of Japan?"))
        assert last.answer is not None and last.answer.value == ["Tokyo"] and len(lm.asked) == 1
        prompts += lm.asked
    guessed, without, long = prompts
    assert "guesses this expression" in guessed and "NeighbourCheck[a, b]" in guessed
    assert "guesses" not in without and without == long
    assert 0 < about_tokens(guessed) - about_tokens(without) < 60


@pytest.mark.parametrize(("prefer", "calls"), [("model", 1), ("offline", 0)])
def test_a_session_asks_as_it_was_told(prefer: str, calls: int) -> None:
    session = gt.Session(gt.open("atlas"), Settings(lm="scripted:x", prefer=prefer))  # type: ignore[arg-type]
    lm = Replies('NeighbourCheck["Japan", "capital"]')
    vars(session)["model"] = lm
    answer = session.ask("What is the capital of Japan?")
    assert answer.value == ["Tokyo"] and len(lm.asked) == calls
    assert answer.reasoner == ("graph-cot-plan" if calls else "offline")
