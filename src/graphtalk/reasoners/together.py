"""The offline reader and a model together: who reads a question, and how that is decided.

The reader without a model costs nothing and knows how sure it is. Where it is at least as sure as a strong model is
right, it answers; else the model does, and is told as a guess what the reader alone would have answered by. What goes on
from earlier questions is the model's, which is told them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from graphtalk.core import Answer, Question, Step
from graphtalk.reasoners.reasoner import Reasoner

Prefer: TypeAlias = Literal["", "model", "offline"]
SURE = 0.97
"""The confidence from which on nobody else is asked: as often as a strong model that plans is expected to be right.

What that gives is measured: docs/measurements.md, "The reader and a model together".
"""


@dataclass(frozen=True)
class Together:
    """Asks the offline reader first, and `model` where it is not sure.

    `prefer`: "model" asks the model alone; "offline" takes every answer that the reader gives, and asks the model what it
    declines.
    """

    offline: Reasoner
    model: Reasoner
    prefer: Prefer = ""
    sure: float = SURE

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer, those of who reads it; the last carries it."""
        if self.prefer == "model" or question.earlier:
            yield from self.model.run(question)
            return
        steps = list(self.offline.run(question))
        answer = steps[-1].answer
        if answer is not None and self._takes(answer):
            yield from steps
            return
        yield Step("thought", _why(answer))
        guess = answer.calls[-1].spelling if answer is not None and answer.answered and answer.calls else ""
        yield from self.model.run(replace(question, guess=guess))

    def _takes(self, answer: Answer) -> bool:
        if not answer.answered:
            return False
        return self.prefer == "offline" or (answer.confidence is not None and answer.confidence >= self.sure)


def _why(answer: Answer | None) -> str:
    """Why the model is asked."""
    if answer is None or not answer.answered:
        return "The reader without a model declines, so the model is asked."
    sure = "is not sure" if answer.confidence is None else f"is sure by {answer.confidence:.2f} alone"
    return f"The reader without a model {sure}, so the model is asked."
