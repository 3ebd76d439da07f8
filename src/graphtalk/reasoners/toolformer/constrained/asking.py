"""A model that was trained to annotate, as annotator: it is given the text and nothing else."""

from collections.abc import Collection
from dataclasses import dataclass

from graphtalk.core import CallError
from graphtalk.lms import LanguageModel, Request, user
from graphtalk.reasoners.toolformer.annotator import DeclinedError, UnusableError
from graphtalk.reasoners.toolformer.check import check_annotation
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.registry import Registry


@dataclass(frozen=True)
class TunedAnnotator:
    """Asks a fine-tuned model, needs no instruction, and checks what it writes."""

    lm: LanguageModel
    registry: Registry
    graphs: Collection[str]

    def annotate(self, text: str) -> str:
        """The text with its calls. Raises UnusableError where the reply cannot be used, LmError where none came."""
        if read_statement(text, self.registry.vocabulary).places:
            raise DeclinedError("The text has calls in it already.")
        if not text.strip():
            return text
        annotated = self.lm.complete(Request(user(text))).text
        try:
            statement = check_annotation(text, annotated, self.registry.vocabulary, self.graphs)
        except CallError as error:
            raise UnusableError(f"{self.lm.name} wrote nothing that can be used: {error}") from error
        return annotated if statement.places else text
