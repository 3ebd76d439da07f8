"""What an engine is: something that holds the states of all nodes and runs one round of a program at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from numpy.typing import NDArray

from graphtalk.vertex.binding import Bound
from graphtalk.vertex.language.ast import Expr
from graphtalk.vertex.language.types import Value

if TYPE_CHECKING:
    from graphtalk.vertex.stepper import Message

Columns: TypeAlias = Mapping[str, Sequence[Any] | NDArray[Any]]


@dataclass(frozen=True)
class Report:
    """What one round did: how many nodes' states changed, how many messages were sent.

    `messages` are those messages, or the first of them, where the engine tells them.
    """

    changes: int
    sent: int
    messages: "tuple[Message, ...]" = ()


class Execution(Protocol):
    """A run of a bound program. Phases are named by their position; rounds in a phase count from 1."""

    def choose(self, name: str, node: int) -> None:
        """From now on the name of `repeat.each` stands for this node."""

    def initialise(self) -> None:
        """Give every node and edge its first state."""

    def enter(self, phase: int) -> None:
        """Assign what the phase assigns before its first round."""

    def step(self, phase: int, round: int) -> Report:
        """Run one round: all nodes send, then all update."""

    def whole(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression about all nodes, such as a condition of ending."""

    def states(self) -> Columns:
        """Every field of the state, as one sequence over the nodes. Values as in `language.types`."""

    def close(self) -> None:
        """Let go of what is held."""


class Engine(Protocol):
    """Starts runs."""

    @property
    def name(self) -> str:
        """What it is called."""

    def start(self, bound: Bound) -> Execution:
        """Make ready to run. Raises CheckError where the engine cannot run this program."""
