"""Graph-CoT with several branches: scored, merged, and the answer that most of them support."""

import random
from dataclasses import dataclass, field

import pytest

import graphtalk as gt
from graphtalk.app import reasoners
from graphtalk.app.settings import Settings
from graphtalk.core import Answer, Question, Step, UsageError
from graphtalk.lms import Reply, Request, Usage

ASKED = "Which countries border both Peru and Chile?"
WALK = (
    'NeighbourCheck["Peru", "borders"]',
    'NeighbourCheck["Chile", "borders"]',
    "Finish[Argentina, Bolivia]",
)
RIGHT = "Bolivia"


@dataclass
class Walker:
    """Plays a walk of three actions; where `errs` says so of an asking, it ends at once with what nobody saw."""

    errs: float = 0.0
    first_errs: bool = False
    name: str = "openai:walker"
    seeds: set[tuple[float, int]] = field(default_factory=set)

    def complete(self, request: Request) -> Reply:
        self.seeds.add((request.temperature, request.seed))
        prompt = request.messages[-1].content
        at = prompt.rpartition("Question:")[2].count("\nObservation ")
        if prompt.rstrip().rpartition("\n")[2].startswith("Thought"):
            return Reply("I go on.", usage=Usage(1))
        cold = request.temperature == 0
        drawn = random.Random(f"{request.seed} {request.temperature} {prompt}").random()
        if (cold and self.first_errs) or drawn < self.errs:
            return Reply("Finish[Zimbabwe]", usage=Usage(1))
        said = (
            'NeighbourCheck["Peru", "borders"]',
            'NeighbourCheck["Ecuador", "borders"]',
            "Finish[Zimbabwe]",
        )
        walk = WALK if request.seed % 3 != 1 else said
        return Reply(walk[min(at, 2)].replace("Argentina, ", ""), usage=Usage(1))


def search(model: Walker, how: str) -> tuple[Answer, list[Step]]:
    session = gt.Session(gt.open("atlas"), Settings(lm=model.name, reasoner="graph-cot", search=how))
    vars(session)["model"] = model
    *steps, last = reasoners.make(session).run(Question(ASKED))
    assert last.answer is not None
    return last.answer, steps


def test_one_branch_takes_what_the_model_says_first() -> None:
    answer, _ = search(Walker(first_errs=True), "")
    assert answer.unsupported == ("Zimbabwe",)


def test_branches_outvote_an_answer_that_nothing_supports() -> None:
    model = Walker(first_errs=True)
    answer, steps = search(model, "beam:3")
    assert (answer.text, answer.unsupported) == (RIGHT, ())
    assert {seed for _, seed in model.seeds} == {0, 1, 2} and {0.0, 0.7} == {warm for warm, _ in model.seeds}
    told = [step.text for step in steps if step.text.startswith("Step ")]
    assert told[0].startswith("Step 1: 2 branches") and "have ended" in told[-1]
    assert answer.usage["calls"] > 6


def test_equal_branches_are_one() -> None:
    model = Walker()
    _, steps = search(model, "beam:2")
    told = [step.text for step in steps if step.text.startswith("Step ")]
    assert told[0] == "Step 1: 1 branches; 1 go on, 0 have ended."  # both askings take the same step


def test_more_branches_are_right_more_often_where_a_model_errs() -> None:
    def share(how: str) -> float:
        return sum(search(Walker(errs=0.35, name=f"openai:w{n}"), how)[0].text == RIGHT for n in range(6)) / 6

    assert share("beam:4") >= share("")


@pytest.mark.parametrize(
    ("how", "reasoner", "lm", "said"),
    [
        ("beam:x", "graph-cot", "openai:m", "give beam:N"),
        ("beam:9", "graph-cot", "openai:m", "give beam:N"),
        ("tree", "graph-cot", "openai:m", "give beam:N"),
        ("beam:3", "graph-cot-plan", "openai:m", "goes with --reasoner graph-cot"),
        ("beam:3", "graph-cot", "offline", "goes with --reasoner graph-cot and a language model"),
    ],
)
def test_other_searches_are_refused(how: str, reasoner: str, lm: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        reasoners.resolved(Settings(lm=lm, reasoner=reasoner, search=how))
