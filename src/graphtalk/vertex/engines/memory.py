"""The engine in memory: one round is a few operations on arrays, over what is active only.

Arcs are kept in the order of their receivers, so that the messages of a node lie side by side and are combined by
`reduceat`; no loop goes over nodes. Where few nodes send, only their arcs are looked at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from graphtalk.core import CheckError
from graphtalk.graphs.adjacency import Ints
from graphtalk.vertex.arcs import Arcs
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.engine import Columns, Execution, Report
from graphtalk.vertex.engines.inbox import Inbox, Uniform, told_by
from graphtalk.vertex.engines.objects import ObjectExecution
from graphtalk.vertex.engines.rows import EdgeRows, NodeRows, SendRows
from graphtalk.vertex.language.arrays import (
    ArcBackend,
    Array,
    ArrayBackend,
    Bools,
    as_column,
    depends,
    dtype_of,
)
from graphtalk.vertex.language.ast import Expr, Name, conjuncts
from graphtalk.vertex.language.build import Made
from graphtalk.vertex.language.types import NUMBER, Type, Value, default
from graphtalk.vertex.program import Along, Phase, Program
from graphtalk.vertex.whole import over_columns

_FEW = 8  # where less than an 8th of all arcs is active, those are listed and sorted
_MANY = 3  # where more than a third is, all are gone through, and the idle ones carry nothing


class MemoryEngine:
    """Arrays where states are scalars; sets and lists one node after the other."""

    name = "memory"

    def start(self, bound: Bound) -> Execution:
        """Make ready to run."""
        return ArrayExecution(bound) if bound.program.scalar else ObjectExecution(bound)


@dataclass(frozen=True)
class _Condition:
    """A condition, taken apart: must the flag hold, and what else is asked of nodes and of single arcs."""

    flagged: bool
    of_nodes: tuple[Made, ...]
    of_arcs: tuple[Made, ...]


@dataclass(frozen=True)
class _Steps:
    """The functions of one phase."""

    along: Along
    enter: Mapping[str, Made]
    edge_enter: Mapping[str, Made]
    when: _Condition
    send: Mapping[str, Made]
    told: Mapping[str, Uniform]
    update_when: _Condition
    update: Mapping[str, Made]
    edge_update: Mapping[str, Made]


_NODES, _ARCS = ArrayBackend(), ArcBackend()


def _condition(expr: Expr | None, flag: str) -> _Condition:
    flagged, of_nodes, of_arcs = False, [], []
    for part in conjuncts(expr) if expr is not None else ():
        if isinstance(part, Name) and part.role == flag:
            flagged = True
        elif depends(part)[1]:
            of_arcs.append(_ARCS.make(part))
        else:
            of_nodes.append(_NODES.make(part))
    return _Condition(flagged, tuple(of_nodes), tuple(of_arcs))


def _all(make: Callable[[Expr], Made], table: Mapping[str, Expr]) -> dict[str, Made]:
    return {name: make(expr) for name, expr in table.items()}


_compiled: WeakKeyDictionary[Program, list[_Steps]] = WeakKeyDictionary()


def _all_steps(program: Program) -> list[_Steps]:
    """The functions of all phases, made once for a program."""
    if program not in _compiled:
        _compiled[program] = [_steps(phase, program) for phase in program.phases]
    return _compiled[program]


def _steps(phase: Phase, program: Program) -> _Steps:
    return _Steps(
        phase.send.along,
        _all(_NODES.make, phase.enter),
        _all(_ARCS.make, phase.edge_enter),
        _condition(phase.send.when, "changed"),
        _all(_ARCS.make, phase.send.fields),
        told_by(phase.send.fields, [a.name for a in program.edges.attributes]),
        _condition(phase.when, "received"),
        _all(_NODES.make, phase.update),
        _all(_ARCS.make, phase.edge_update),
    )


class ArrayExecution:
    """A run whose states are arrays. `_front` has the nodes that changed in the last round; None: all."""

    def __init__(self, bound: Bound) -> None:
        self._bound = bound
        self._program = bound.program
        self._state: dict[str, Array] = {}
        self._edge_state: dict[str, Array] = {}
        self._chosen: dict[str, Value] = {}
        self._totals: dict[str, Value] = {}
        self._moment: Mapping[str, Value] = {"round": 0}
        self._front: Ints | None = None
        self._steps = _all_steps(self._program)
        self._whole = over_columns(bound, self._state, self.world)

    # what rows read

    def column(self, name: str) -> Array:
        """A field of the state, or a number that every node has from the start. Shape (n,)."""
        return self._state[name] if name in self._state else self._bound.column(name)

    def world(self, name: str) -> Value:
        """n, directed, or a parameter."""
        return self._chosen[name] if name in self._chosen else self._bound.constant(name)

    def total(self, name: str) -> Value:
        """A total over all nodes, as it was at the start of the round."""
        if name not in self._totals:
            self._totals[name] = self._whole(self._program.totals[name], self._moment)
        return self._totals[name]

    def own_arcs(self) -> Arcs:
        """The edges that nodes see as theirs."""
        return self._bound.own

    def edge_column(self, name: str) -> Array:
        """A field or an attribute of these, in the order of senders."""
        return self._edge_state[name] if name in self._edge_state else self._bound.own.attributes[name]

    # the run

    def choose(self, name: str, node: int) -> None:
        """From now on the name of `repeat.each` stands for this node."""
        self._chosen[name] = node

    def initialise(self) -> None:
        """Give every node and edge its first state."""
        program = self._program
        for name, type in program.state.items():
            self._state[name] = as_column(default(type), type, self._bound.n)
        for name, type in program.edge_state.items():
            self._edge_state[name] = as_column(default(type), type, self._bound.own.count)
        self._begin({"round": 0})
        self._assign(_all(_NODES.make, program.initialization), _all(_ARCS.make, program.edge_initialization))

    def enter(self, phase: int) -> None:
        """Assign what the phase assigns before its first round."""
        self._begin({"round": 0})
        self._assign(self._steps[phase].enter, self._steps[phase].edge_enter)
        self._front = None

    def step(self, phase: int, round: int) -> Report:
        """Run one round."""
        self._begin({"round": round})
        steps = self._steps[phase]
        with np.errstate(all="ignore"):  # infinity less infinity is found out below
            sent = self._sent(steps)
            inbox = Inbox(sent, steps.send, steps.told)
            if steps.edge_update:
                self._update_edges(steps, inbox)
            return Report(self._update(steps, inbox), sent.sent)

    def whole(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression about all nodes."""
        self._begin(moment)
        return self._whole(expr, moment)

    def states(self) -> Columns:
        """Every field of the state, as one array over the nodes."""
        return dict(self._state)

    def close(self) -> None:
        """Nothing is held."""

    def _begin(self, moment: Mapping[str, Value]) -> None:
        self._moment = moment
        self._totals.clear()
        for name in self._program.totals:  # before any state changes
            if moment.get("round"):
                self.total(name)

    def _assign(self, fields: Mapping[str, Made], edges: Mapping[str, Made]) -> None:
        """Edges first, as in a round."""
        rows = NodeRows(self, None, self._moment)
        if edges:
            arcs = EdgeRows(self, self._moment, None, self._bound.own.owners, rows)
            self._set_edges(edges, arcs)
        new = {name: made(rows) for name, made in fields.items()}
        for name, value in new.items():
            self._state[name] = as_column(value, self._program.state[name], self._bound.n)

    def _set_edges(self, edges: Mapping[str, Made], rows: EdgeRows) -> None:
        new = {name: made(rows) for name, made in edges.items()}
        for name, value in new.items():
            self._edge_state[name] = as_column(value, self._program.edge_state[name], self._bound.own.count)

    # sending

    def _sent(self, steps: _Steps) -> SendRows:
        arcs = self._bound.arcs(steps.along)
        senders = self._senders(steps.when)
        rows = self._rows_from(arcs, senders)
        for condition in steps.when.of_arcs:
            mask = condition(rows)
            if np.ndim(mask) or not mask:
                rows = rows.where(np.broadcast_to(mask, rows.size))
        return rows

    def _senders(self, when: _Condition) -> Ints | None:
        """The nodes that send; None: all."""
        candidates = self._front if when.flagged else None
        for condition in when.of_nodes:
            mask = condition(self._sending(candidates))
            candidates = _where(candidates, mask, self._bound.n)
        return candidates

    def _changed(self) -> Bools:
        return np.ones(self._bound.n, np.bool_) if self._front is None else _flags(self._front, self._bound.n)

    def _sending(self, rows: Ints | None) -> NodeRows:
        return NodeRows(self, rows, self._moment, {"changed": self._changed})

    def _rows_from(self, arcs: Arcs, senders: Ints | None) -> SendRows:
        if senders is None:
            return SendRows(self, self._moment, arcs, None, arcs.senders, self._sending(None))
        count = int(arcs.out_degrees[senders].sum()) if len(senders) else 0
        if count * _FEW > arcs.count:
            speaking = _flags(senders, arcs.n)
            nodes = self._sending(None)
            if count * _MANY > arcs.count:
                return SendRows(self, self._moment, arcs, None, arcs.senders, nodes, speaking)
            positions = np.flatnonzero(speaking.take(arcs.senders, mode="clip"))
            return SendRows(self, self._moment, arcs, positions, arcs.senders[positions], nodes)
        places, counts = arcs.from_nodes(senders)
        positions = arcs.places[places]
        order = np.argsort(positions)
        index = np.repeat(np.arange(len(senders)), counts)[order]
        return SendRows(self, self._moment, arcs, positions[order], index, self._sending(senders))

    # updating

    def _update_edges(self, steps: _Steps, inbox: Inbox) -> None:
        """What came along an edge stands, in the order of receivers, where the edge stands in that of senders."""
        types, size = self._program.message, self._bound.own.count
        sent = inbox.sent
        rows_sent = slice(None) if sent.carrying is None else sent.carrying
        places = rows_sent if sent.positions is None else sent.positions
        messages = {"arrived": np.zeros(size, np.bool_)}
        messages["arrived"][places] = True
        for name in steps.send:
            messages[name] = as_column(default(types[name]), types[name], size)
            messages[name][places] = inbox.message(name)[rows_sent]
        nodes = NodeRows(self, None, self._moment)
        rows = EdgeRows(self, self._moment, None, self._bound.own.owners, nodes, messages)
        self._set_edges(steps.edge_update, rows)

    def _update(self, steps: _Steps, inbox: Inbox) -> int:
        """Update the nodes; how many changed."""
        only_received = steps.update_when.flagged
        rows = inbox.receivers if only_received and not inbox.everywhere else None
        flags = {"received": inbox.received} if rows is None else {}
        nodes = NodeRows(self, rows, {**self._moment, "received": True}, flags, inbox)
        new = {name: self._new(name, made, nodes) for name, made in steps.update.items()}
        changed = np.zeros(nodes.size, np.bool_)
        for name, value in new.items():
            changed |= value != nodes.own(name)
        for condition in steps.update_when.of_nodes:
            changed &= condition(nodes)
        if only_received and rows is None:
            changed &= inbox.received()
        places = np.flatnonzero(changed)
        self._front = places if rows is None else rows[places]
        for name, value in new.items():
            if len(places) == self._bound.n:
                self._state[name] = value
            else:
                self._state[name][self._front] = value[places]
        return len(places)

    def _new(self, name: str, made: Made, nodes: NodeRows) -> Array:
        kind = self._program.state[name]
        value = self._fresh(made(nodes), kind, nodes.size)
        if kind == NUMBER and len(value) and np.isnan(value.min()):
            node = int(
                np.flatnonzero(np.isnan(value))[0] if nodes.rows is None else nodes.rows[np.isnan(value)][0]
            )
            raise CheckError(f"{self._program.name}: {name} of node {node} is infinity less infinity.")
        return value

    def _fresh(self, value: Value, kind: Type, size: int) -> Array:
        """An array that nothing else holds; what an operation has just made needs no copy."""
        held = any(value is column for column in (*self._state.values(), *self._bound.kept))
        if held or not isinstance(value, np.ndarray) or value.shape != (size,) or value.base is not None:
            return as_column(value, kind, size)
        return value if value.dtype == dtype_of(kind) else value.astype(dtype_of(kind))


def _flags(nodes: Ints, n: int) -> Bools:
    found = np.zeros(n, np.bool_)
    found[nodes] = True
    return found


def _where(candidates: Ints | None, mask: Value, n: int) -> Ints | None:
    """The candidates (None: all nodes) for which the mask, an array or one value for all, holds."""
    if np.ndim(mask) == 0:
        return candidates if mask else np.empty(0, np.int64)
    if candidates is None:
        return None if mask.all() else np.flatnonzero(mask)
    return candidates[mask]
