"""What became of each question: the one place where that is named and decided."""

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from graphtalk.core import Stop

Failure: TypeAlias = Literal[
    "right",
    "partial",
    "wrong",
    "declined",
    "loop",
    "steps",
    "context",
    "budget",
    "lm",
    "unreadable",
    "unsupported",
    "time",
]
FAILURES: tuple[Failure, ...] = get_args(Failure)

MEANINGS: Mapping[Failure, str] = {
    "right": "the right set of names, or the right value",
    "partial": "some names are right: others are missing (precision 1), too many (recall 1), or both",
    "wrong": "an answer with nothing right in it",
    "declined": "no answer, and the reasoner says that it has none",
    "loop": "ended because the model repeated itself",
    "steps": "ended because the steps ran out",
    "context": "ended because the prompt grew too long",
    "budget": "ended because money, tokens or seconds ran out; such a question is asked again",
    "lm": "the model could not be asked; such a question is asked again",
    "unreadable": "what the model wrote could not be read",
    "time": "it was not finished within its seconds",
    "unsupported": "held back by --strict: nothing that was observed supports it",
}


def failure_of(answered: bool, stopped: Stop, scores: Mapping[str, float]) -> Failure:
    """The class of a question, by what ended its run and by its scores: `correct` where a task has it, else the set's.

    A right answer is right however its run ended; else what ended the run names the class.
    """
    if answered and scores.get("correct", scores.get("set_exact", 0.0)) == 1:
        return "right"
    if stopped:
        return stopped
    if not answered:
        return "declined"
    return "partial" if scores.get("partial", scores.get("recall", 0.0)) > 0 else "wrong"
