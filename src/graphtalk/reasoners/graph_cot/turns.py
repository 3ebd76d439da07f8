"""What the loop and its methods say to each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from graphtalk.calls.ast import Call
from graphtalk.core import Answer, Observation, Question, Stop
from graphtalk.lms import ToolCall, Usage
from graphtalk.tools.executor import Result


@dataclass(frozen=True)
class Action:
    """A call that is to be run, as it was written; where it could not be read, what is wrong with it.

    `asked` is the native tool call that it came as, where it did.
    """

    text: str
    call: Call | None = None
    complaint: str = ""
    asked: ToolCall | None = None


@dataclass(frozen=True)
class Ending:
    """How a model ends a run: with words, with names one by one (`entries`), or by saying why it cannot (`declined`).

    `of_action`: the answer is what the last action of the turn gives.
    """

    text: str = ""
    entries: tuple[str, ...] = ()
    declined: bool = False
    of_action: bool = False


@dataclass(frozen=True)
class Turn:
    """What is thought and to be done next.

    `finish` ends the run: as a model says, with the result of a call, or with an answer that says why there is none.
    `stopped` ends it without an answer, `thought` then says why. `asked` is what a question that goes on from earlier
    ones asks, as one that stands alone.
    """

    thought: str = ""
    actions: tuple[Action, ...] = ()
    finish: Ending | Result | Answer | None = None
    stopped: Stop = ""
    asked: str = ""


@dataclass(frozen=True)
class Seen:
    """An action with what came of it; `result` is None where it failed."""

    action: Action
    observation: Observation
    result: Result | None = None


@dataclass(frozen=True)
class Round:
    """A turn with all that was seen in it."""

    turn: Turn
    seen: tuple[Seen, ...]

    @property
    def failed(self) -> bool:
        """Whether nothing in it could be run."""
        return all(seen.result is None for seen in self.seen)


class Actor(Protocol):
    """Decides what to do next in one run."""

    @property
    def usage(self) -> Usage:
        """What has been asked of a model so far."""

    def act(self, rounds: Sequence[Round]) -> Turn:
        """The next turn, after these rounds. Raises LmError where a model cannot be asked."""


class Method(Protocol):
    """A way to decide; made once, it begins an actor for every question."""

    @property
    def lm(self) -> str:
        """The name of the model that it asks."""

    def begin(self, question: Question) -> Actor:
        """The actor of one run."""
