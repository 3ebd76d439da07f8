"""Programs with sets and lists in memory: the stepper on every node that something may happen to."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from graphtalk.core.limits import look
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.engine import Columns, Report
from graphtalk.vertex.language.ast import Expr, Name, conjuncts
from graphtalk.vertex.language.types import Value
from graphtalk.vertex.stepper import Agent, Message, Record, Stepper, Totals
from graphtalk.vertex.whole import over_records


class ObjectExecution:
    """A run whose states are Python values. Of each round it tells so many `told` messages."""

    def __init__(self, bound: Bound, told: int = 0) -> None:
        self._bound = bound
        self._told = told
        self._stepper = Stepper(bound)
        self._agents: list[Agent] = []
        self._records: list[Record] = []
        self._whole = over_records(bound, self._records, self._stepper.world)
        self._changed: set[int] = set()
        self._only_changed = [_asks(phase.send.when, "changed") for phase in bound.program.phases]
        self._only_received = [
            _asks(phase.when, "received") and not phase.edge_update for phase in bound.program.phases
        ]

    def choose(self, name: str, node: int) -> None:
        """From now on the name of `repeat.each` stands for this node."""
        self._stepper.world[name] = node

    def initialise(self) -> None:
        """Give every node and edge its first state."""
        self._agents = [self._new(node) for node in range(self._bound.n)]
        self._records[:] = [agent.own for agent in self._agents]

    def enter(self, phase: int) -> None:
        """Assign what the phase assigns before its first round."""
        totals = self._totals(0)
        for agent in self._agents:
            look()
            self._stepper.begin(agent, phase, lambda name: totals[name])
        self._changed = set(range(self._bound.n))

    def step(self, phase: int, round: int) -> Report:
        """Run one round."""
        totals = self._totals(round)
        inboxes: defaultdict[int, list[Record]] = defaultdict(list)
        sent = 0
        told: list[Message] = []
        for node in sorted(self._changed) if self._only_changed[phase] else range(self._bound.n):
            look()
            for receiver, message in self._stepper.sent(
                self._agents[node], phase, round, node in self._changed, totals.__getitem__
            ):
                inboxes[receiver].append(message)
                sent += 1
                if len(told) < self._told:
                    told.append(self._stepper.message(node, receiver, message))
        updating = sorted(inboxes) if self._only_received[phase] else range(self._bound.n)
        self._changed = {
            node
            for node in updating
            if self._updated(node, inboxes.get(node, ()), phase, round, totals.__getitem__)
        }
        return Report(len(self._changed), sent, tuple(told))

    def _new(self, node: int) -> Agent:
        look()
        return self._stepper.new(node)

    def _updated(self, node: int, messages: Sequence[Record], phase: int, round: int, totals: Totals) -> bool:
        look()
        return self._stepper.updated(self._agents[node], messages, phase, round, totals)

    def _totals(self, round: int) -> dict[str, Value]:
        """All totals as they are now: a node that updates must not see what another has just become."""
        return {
            name: self._whole(expr, {"round": round}) for name, expr in self._bound.program.totals.items()
        }

    def whole(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression about all nodes."""
        return self._whole(expr, moment)

    def states(self) -> Columns:
        """Every field of the state, as one list over the nodes."""
        found: dict[str, Sequence[Any] | NDArray[Any]] = {
            name: [agent.own[name] for agent in self._agents] for name in self._bound.program.state
        }
        return found

    def close(self) -> None:
        """Nothing is held."""


def _asks(condition: Expr | None, flag: str) -> bool:
    """Whether a condition can hold only where `flag` does."""
    parts = conjuncts(condition) if condition is not None else ()
    return any(isinstance(part, Name) and part.role == flag for part in parts)
