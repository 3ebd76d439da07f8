"""What a reasoner is: a question goes in, typed steps come out, and the last of them carries the answer."""

from collections.abc import Iterator
from typing import Protocol

from graphtalk.core import Question, Step


class Reasoner(Protocol):
    """Answers questions about one graph. Its constructor takes objects: executor, model, options."""

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer, each as it happens; the last carries the answer.

        What a model or a graph does wrong ends in an answer that says so, never in an exception.
        """
