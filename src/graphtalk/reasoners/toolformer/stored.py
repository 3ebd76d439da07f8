"""Texts about a graph of one's own, annotated by the offline planner; and annotators one after the other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.calls import show
from graphtalk.core import Answer
from graphtalk.reasoners.offline import OfflineReasoner
from graphtalk.reasoners.toolformer.annotator import Annotator, DeclinedError
from graphtalk.reasoners.toolformer.statement import SLOT

_TOLD = re.compile(rf"\s*(the .+) (is|are|was|were) {re.escape(SLOT)}\W*", re.I)


@dataclass(frozen=True)
class PlannedAnnotator:
    """Writes the call that the planner reads a text as.

    A statement is asked as the question that its slot asks; a question keeps its words, and its call follows
    them. A text with several slots, or that the planner cannot read, comes back as it is.
    """

    offline: OfflineReasoner

    def annotate(self, text: str) -> str:
        """The text with its call, or the text itself."""
        if text.count(SLOT) > 1 or not (SLOT in text or text.rstrip().endswith("?")):
            return text
        readings = self.offline.readings(_asked(text))
        if isinstance(readings, Answer):
            return text
        vocabulary = self.offline.executor.registry.vocabulary
        call = f"[{show(readings[0].call, 'toolformer', vocabulary)}-->r]"
        return text.replace(SLOT, call) if SLOT in text else f"{text.rstrip()} {call}"


def _asked(text: str) -> str:
    """A statement as the question that its slot asks: "What is the capital of France?"."""
    told = _TOLD.fullmatch(text)
    return f"What {told[2]} {told[1][0].lower()}{told[1][1:]}?" if told else text.replace(SLOT, "what")


@dataclass(frozen=True)
class FirstOf:
    """Asks annotators in turn, until one of them writes a call."""

    annotators: Sequence[Annotator]

    def annotate(self, text: str) -> str:
        """The first annotation with a call; else the text itself. Raises DeclinedError where the last one does."""
        declined: DeclinedError | None = None
        for annotator in self.annotators:
            try:
                annotated = annotator.annotate(text)
            except DeclinedError as error:
                declined = error
                continue
            if annotated != text:
                return annotated
        if declined is not None:
            raise declined
        return text
