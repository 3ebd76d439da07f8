"""A program one node at a time, in plain Python: what a language model's agent does, exactly.

The engine for sets and lists is made of it, and an agent's reply can be checked against it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from graphtalk.core import CheckError, choices
from graphtalk.vertex.arcs import Arcs
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.language.ast import Expr
from graphtalk.vertex.language.build import Made
from graphtalk.vertex.language.single import SingleBackend, Surroundings
from graphtalk.vertex.language.types import Type, Value, default, inward, outward
from graphtalk.vertex.program import Along

Record: TypeAlias = dict[str, Value]
Totals: TypeAlias = Callable[[str], Value]


@dataclass(frozen=True)
class NodeState:
    """The state of one node: its fields, and its edges' fields by the node at the other end.

    Values are plain: whole numbers as int, a missing node as None, sets as ascending lists.
    """

    fields: Mapping[str, Any]
    edges: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """What one node tells another. Values are plain."""

    sender: int
    receiver: int
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class Moment:
    """When a node acts: the phase (its position), the round in it (from 1), whether the node's state changed in
    the round before (or was just assigned), and the program's totals at the start of the round by name."""

    phase: int = 0
    round: int = 1
    changed: bool = True
    totals: Mapping[str, Any] = field(default_factory=dict)


_FIRST = Moment()


@dataclass
class Agent:
    """A node while it runs: what it is and knows of itself (`own`), and its edges, which hold their own fields."""

    own: Record
    edges: list[Record]


@dataclass(frozen=True)
class _Steps:
    """The functions of one phase."""

    along: Along
    enter: Mapping[str, Made]
    edge_enter: Mapping[str, Made]
    send_when: Made | None
    send: Mapping[str, Made]
    update_when: Made | None
    update: Mapping[str, Made]
    edge_update: Mapping[str, Made]


class Stepper:
    """The steps of a bound program. `world` holds what all nodes know; the node of `repeat.each` is put there."""

    def __init__(self, bound: Bound) -> None:
        self.bound = bound
        program = bound.program
        self.world: Record = {"n": bound.n, "directed": bound.graph.directed, **bound.values}
        backend = SingleBackend()
        make = backend.make
        self._initial = {name: make(expr) for name, expr in program.initialization.items()}
        self._edge_initial = {name: make(expr) for name, expr in program.edge_initialization.items()}
        self._steps = [
            _Steps(
                phase.send.along,
                _all(make, phase.enter),
                _all(make, phase.edge_enter),
                make(phase.send.when) if phase.send.when is not None else None,
                _all(make, phase.send.fields),
                make(phase.when) if phase.when is not None else None,
                _all(make, phase.update),
                _all(make, phase.edge_update),
            )
            for phase in program.phases
        ]
        self._ways: dict[Along, Callable[[int], list[Record]]] = {}

    # the public face: plain values

    def init(self, node: int) -> NodeState:
        """The state before the first phase begins. Raises CheckError for an index outside the graph."""
        if not 0 <= node < self.bound.n:
            raise CheckError(f"No node with index {node}: the graph has {self.bound.n}.")
        return self._outward(self.new(node))

    def enter(self, node: int, state: NodeState, moment: Moment = _FIRST) -> NodeState:
        """The state at the start of a phase."""
        agent = self._inward(node, state)
        self.begin(agent, moment.phase, self._totals(moment))
        return self._outward(agent)

    def send(self, node: int, state: NodeState, moment: Moment = _FIRST) -> list[Message]:
        """The messages of a node in this round, one an edge."""
        agent = self._inward(node, state)
        sent = self.sent(agent, moment.phase, moment.round, moment.changed, self._totals(moment))
        return [Message(node, receiver, self._plain(fields)) for receiver, fields in sent]

    def update(
        self, node: int, state: NodeState, messages: Sequence[Message], moment: Moment = _FIRST
    ) -> NodeState:
        """The state after a round in which these messages came. Raises CheckError for values of a wrong type."""
        agent = self._inward(node, state)
        types = self.bound.program.message
        records = [
            {"sender": m.sender, **{name: inward(v, types[name]) for name, v in m.fields.items()}}
            for m in messages
        ]
        self.updated(agent, records, moment.phase, moment.round, self._totals(moment))
        return self._outward(agent)

    def check_state(self, fields: Mapping[str, Any]) -> None:
        """Raise CheckError where `fields` are not exactly the state's, or one has a wrong type."""
        _check(fields, self.bound.program.state, "state")

    # what engines use: values as expressions see them

    def new(self, node: int) -> Agent:
        """A node with its first state."""
        program = self.bound.program
        agent = Agent(
            self._known(node), [dict(edge) for edge in self._way(program.phases[0].send.along)(node)]
        )
        agent.own.update({name: default(type) for name, type in program.state.items()})
        for edge in agent.edges:
            edge.update({name: default(type) for name, type in program.edge_state.items()})
        self._assign(agent, self._initial, self._edge_initial, _no_totals)
        return agent

    def begin(self, agent: Agent, phase: int, totals: Totals) -> None:
        """Assign what a phase assigns before its first round."""
        steps = self._steps[phase]
        self._assign(agent, steps.enter, steps.edge_enter, totals)

    def sent(
        self, agent: Agent, phase: int, round: int, changed: bool, totals: Totals
    ) -> list[tuple[int, Record]]:
        """Receivers and messages."""
        steps = self._steps[phase]
        moment = {"round": round, "changed": changed}
        env = Surroundings(agent.own, self.world, totals, moment, edges=agent.edges)
        found = []
        for edge in self._edges(agent, steps.along):
            env.edge = edge
            if steps.send_when is None or steps.send_when(env):
                fields = {name: value(env) for name, value in steps.send.items()}
                found.append((edge["to"], {"sender": agent.own["id"], **fields}))
        return found

    def updated(
        self, agent: Agent, messages: Sequence[Record], phase: int, round: int, totals: Totals
    ) -> bool:
        """Update a node by the messages of a round; whether its own fields changed."""
        steps = self._steps[phase]
        if steps.edge_update:
            self._update_edges(agent, messages, steps, round, totals)
        moment = {"round": round, "received": bool(messages)}
        env = Surroundings(agent.own, self.world, totals, moment, messages=messages, edges=agent.edges)
        if steps.update_when is not None and not steps.update_when(env):
            return False
        new = {name: value(env) for name, value in steps.update.items()}
        changed = any(agent.own[name] != value for name, value in new.items())
        agent.own.update(new)
        return changed

    def _update_edges(
        self, agent: Agent, messages: Sequence[Record], steps: _Steps, round: int, totals: Totals
    ) -> None:
        came = {message["sender"]: message for message in messages}
        types = self.bound.program.message
        nothing = {name: default(types[name]) for name in steps.send}
        env = Surroundings(agent.own, self.world, totals, edges=agent.edges)
        for edge in agent.edges:
            message = came.get(edge["to"])
            env.edge, env.message = edge, nothing if message is None else message
            env.moment = {"round": round, "arrived": message is not None}
            edge.update({name: value(env) for name, value in steps.edge_update.items()})

    def _assign(
        self, agent: Agent, fields: Mapping[str, Made], edges: Mapping[str, Made], totals: Totals
    ) -> None:
        """Edges first, as in a round."""
        env = Surroundings(agent.own, self.world, totals, edges=agent.edges)
        for edge in agent.edges if edges else ():
            env.edge = edge
            edge.update({name: value(env) for name, value in edges.items()})
        agent.own.update({name: value(env) for name, value in fields.items()})

    # a node's surroundings

    def _edges(self, agent: Agent, along: Along) -> list[Record]:
        if along == self._steps[0].along:
            return agent.edges
        return self._way(along)(int(agent.own["id"]))

    def _way(self, along: Along) -> Callable[[int], list[Record]]:
        if along not in self._ways:
            self._ways[along] = _records(self.bound.arcs(along))
        return self._ways[along]

    def _known(self, node: int) -> Record:
        """What a node is, whatever its state."""
        return {name: _number(self.bound.column(name)[node]) for name in self.bound.used_columns}

    def _inward(self, node: int, state: NodeState) -> Agent:
        agent = Agent(self._known(node), [dict(edge) for edge in self._way(self._steps[0].along)(node)])
        agent.own.update(_check(state.fields, self.bound.program.state, f"node {node}"))
        for edge in agent.edges if self.bound.program.edge_state else ():
            fields = state.edges.get(edge["to"], {})
            edge.update(_check(fields, self.bound.program.edge_state, f"node {node}, edge to {edge['to']}"))
        return agent

    def _outward(self, agent: Agent) -> NodeState:
        program = self.bound.program
        fields = {name: outward(agent.own[name], type) for name, type in program.state.items()}
        edges = {
            int(edge["to"]): {name: outward(edge[name], type) for name, type in program.edge_state.items()}
            for edge in (agent.edges if program.edge_state else ())
        }
        return NodeState(fields, edges)

    def message(self, sender: int, receiver: int, fields: Record) -> Message:
        """A message as it is told."""
        return Message(sender, receiver, self._plain(fields))

    def _plain(self, fields: Record) -> dict[str, Any]:
        types = self.bound.program.message
        return {name: outward(value, types[name]) for name, value in fields.items() if name != "sender"}

    @cached_property
    def _total_types(self) -> Mapping[str, Type]:
        return {name: expr.type for name, expr in self.bound.program.totals.items()}

    def _totals(self, moment: Moment) -> Totals:
        def total(name: str) -> Value:
            if name not in moment.totals:
                raise CheckError(f"The total {name!r} is missing from the moment.")
            return inward(moment.totals[name], self._total_types[name])

        return total


def _all(make: Callable[[Expr], Made], table: Mapping[str, Expr]) -> dict[str, Made]:
    return {name: make(expr) for name, expr in table.items()}


def _no_totals(name: str) -> Value:
    raise CheckError(f"The total {name!r} is not known before the first phase.")


def _records(arcs: Arcs) -> Callable[[int], list[Record]]:
    """The edges of a node, each with the node at its other end and its attributes."""

    def of(node: int) -> list[Record]:
        row = slice(int(arcs.sender_ptr[node]), int(arcs.sender_ptr[node + 1]))
        columns = {
            name: [_number(v) for v in values[row].tolist()] for name, values in arcs.attributes.items()
        }
        return [
            {"to": to, **{name: values[i] for name, values in columns.items()}}
            for i, to in enumerate(arcs.receivers[row].tolist())
        ]

    return of


def _number(value: float) -> float:
    """Whole numbers as int, which are read and printed more easily."""
    value = float(value)
    return int(value) if value.is_integer() else value


def _check(fields: Mapping[str, Any], types: Mapping[str, Type], where: str) -> Record:
    for name in fields:
        if name not in types:
            raise CheckError(f"{where}: no field {name!r}. {choices(name, types)}")
    found = {}
    for name, type in types.items():
        if name not in fields:
            raise CheckError(f"{where}: the field {name!r} is missing.")
        try:
            found[name] = inward(fields[name], type)
        except CheckError as error:
            raise CheckError(f"{where}, {name}: {error}") from None
    return found
