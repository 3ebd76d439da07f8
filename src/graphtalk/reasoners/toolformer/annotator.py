"""What writes graph calls into a text: the one place of Graph-ToolFormer where a model decides (section 4.2)."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from graphtalk.core import CallError


class Annotator(Protocol):
    """Puts calls, in Graph-ToolFormer's spelling, into statements and questions."""

    def annotate(self, text: str) -> str:
        """`text` with the calls that it needs, a question turned into the statement that answers it.

        `[TBR]`, the slot "to be reasoned", becomes a call: `The order is [GR(GL("gpr", {"bull_graph"}),
        "toolx:order")-->r].` A text that needs no graph call comes back as it is. Raises DeclinedError where
        the text asks for something that cannot be written as a call.
        """
        ...


@runtime_checkable
class Mender(Annotator, Protocol):
    """An annotator that can be told what went wrong when its calls were run."""

    def mend(self, text: str, annotated: str, complaints: Sequence[str]) -> str:
        """Another annotation of `text`, after `annotated` could not be run. Raises as `annotate` does."""
        ...


class DeclinedError(CallError):
    """A text cannot be annotated; the message says why."""


class UnusableError(DeclinedError):
    """A text is left without calls, as what a model wrote cannot be used."""
