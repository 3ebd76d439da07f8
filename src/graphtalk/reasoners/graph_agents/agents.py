"""The engine `lm`: every node an agent of a language model (Hu et al. 2024, section 4, distributed execution).

An agent is told its state, its edges and the messages that came, and replies with its new state and its messages: one
request a node and round. A reply that does not have the card's types is asked for once more; then the compiled step
stands in for that node. Of the other replies a sample may be checked against the compiled step.

A program in words has no compiled step: its runs end where neither states nor messages change any more, are stopped where
they go round in circles, and may ask, and send, only so much.
"""

import random
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphtalk.core import CheckError, LimitError
from graphtalk.core.limits import here
from graphtalk.lms.protocol import LanguageModel, Request, user
from graphtalk.lms.protocol import Message as Said
from graphtalk.reasoners.graph_agents.briefing import known, phase_text, receivers, told
from graphtalk.reasoners.graph_agents.kept import KeptAct, KeptRun
from graphtalk.reasoners.graph_agents.replies import (
    Act,
    form,
    message_text,
    read_act,
    same_act,
    schema,
    state_text,
)
from graphtalk.reasoners.graph_agents.tally import Tally
from graphtalk.reasoners.graph_agents.transcript import Hear, message_line, state_line
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.untrusted import bordered
from graphtalk.vertex import Bound, Card, Message, Moment, NodeState, Report, Stepper
from graphtalk.vertex.engine import Columns
from graphtalk.vertex.language.ast import Expr, Name, conjuncts, walk
from graphtalk.vertex.language.types import Value, inward, outward
from graphtalk.vertex.whole import over_records

MOST_TOKENS = 2_000  # of one reply
AT_ONCE, SPREAD_AT_ONCE = 32, 512  # requests under way: from one process, and from several


@dataclass
class LmEngine:
    """Runs programs by asking `lm` for every node. `workers` requests are under way at once.

    `check` is the share of replies that are compared with the compiled step, drawn by `seed`: all, as that step is at hand.
    `hear` is told the
    transcript. `most_requests` and `most_messages` bound a run in words. `keep` is a file in which every round is kept: a run that was killed goes on from there. `card`
    gives the words of the algorithm; it is set for each run.
    """

    lm: LanguageModel
    workers: int = AT_ONCE
    check: float = 1.0
    seed: int = 0
    hear: Hear = lambda _: None
    keep: Path | None = None
    card: Card | None = None
    most_requests: int = 2_000
    most_messages: int = 20_000
    tally: Tally = field(default_factory=Tally)
    name: str = "lm"
    follows_words: bool = True

    def start(self, bound: Bound) -> "LmExecution":
        """Make ready to run."""
        return LmExecution(bound, self)


class LmExecution:
    """A run whose nodes are agents."""

    def __init__(self, bound: Bound, engine: LmEngine) -> None:
        self._bound, self._engine = bound, engine
        self._stepper = Stepper(bound)
        self._names = bound.graph.ids()
        self._states: list[NodeState] = []
        self._outbox: list[Message] = []
        self._changed: set[int] = set()
        self._records: list[dict[str, Value]] = []
        self._whole = over_records(bound, self._records, self._stepper.world)
        self._counting = threading.Lock()
        self._pool = ThreadPoolExecutor(max(1, engine.workers))
        self._kept = KeptRun(engine.keep, bound) if engine.keep is not None else None
        self._acts = 0
        self._algorithm = engine.card.text if engine.card is not None else ""
        self._form = prompt("graph_agents_reply").replace("{form}", form(bound))
        self._schema = schema(bound)
        self._words = _Words(bound, engine) if bound.program.in_words else None
        phases = bound.program.phases
        self._only_changed = [_asks(phase.send.when, "changed") for phase in phases]
        self._only_received = [_asks(phase.when, "received") and not phase.edge_update for phase in phases]
        self._by_totals = [
            any(isinstance(p, Name) and p.role == "total" for e in _sends(phase) for p in walk(e))
            for phase in phases
        ]

    # what an engine does

    def choose(self, name: str, node: int) -> None:
        """From now on the name of `repeat.each` stands for this node."""
        self._stepper.world[name] = node

    def initialise(self) -> None:
        """Nothing is known yet: agents set their states when the first phase is entered."""
        self._states = [self._stepper.init(node) for node in range(self._bound.n)]
        self._refresh()

    def enter(self, phase: int) -> None:
        """Every agent sets its state and writes its first messages."""
        nodes = range(self._bound.n)
        if not self._taken_up():
            totals = self._totals(0)
            moment = Moment(phase, 1, True, totals)
            acts = self._all(nodes, lambda node: self._start(node, moment))
            self._take(nodes, acts, phase)
            self._changed = set(nodes)
            self._keep(0, 0)
        for node in nodes:
            self._engine.hear(state_line(self._name, node, self._states[node].fields))

    def step(self, phase: int, round: int) -> Report:
        """Deliver the messages; every agent that has something to do updates, and writes its next messages."""
        for message in self._outbox:
            self._engine.hear(message_line(self._name, message))
        sent = len(self._outbox)
        report = self._taken_up()
        if report is None:
            inboxes: defaultdict[int, list[Message]] = defaultdict(list)
            for message in self._outbox:
                inboxes[message.receiver].append(message)
            totals = self._totals(round)
            active = [
                node for node in range(self._bound.n) if node in inboxes or not self._only_received[phase]
            ]
            acts = self._all(
                active, lambda node: self._round(node, phase, round, inboxes.get(node, []), totals)
            )
            before = [self._states[node].fields for node in active]
            changed = {
                node for node, act, old in zip(active, acts, before, strict=True) if act.state.fields != old
            }
            self._changed, earlier = changed, self._outbox
            self._take(active, acts, phase)
            if self._words is not None:
                changed = changed | _senders_of_news(earlier, self._outbox)
                self._words.look(round, sent, self._states, self._outbox)
            self._keep(len(changed), sent)
            report = Report(len(changed), sent)
        for node in sorted(self._changed):
            self._engine.hear(state_line(self._name, node, self._states[node].fields))
        if not report.changes:
            self._engine.hear("All agents' state unchanged, terminating early.")
        return report

    def whole(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression about all nodes."""
        return self._whole(expr, moment)

    def states(self) -> Columns:
        """Every field of the state, as one list over the nodes."""
        return {name: [record[name] for record in self._records] for name in self._bound.program.state}

    def close(self) -> None:
        """Let go of threads and of the file."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._kept is not None:
            self._kept.close()

    # agents

    def _all(self, nodes: Iterable[int], act: Callable[[int], Act]) -> list[Act]:
        return list(self._pool.map(here(act), nodes))

    def _start(self, node: int, moment: Moment) -> Act:
        state = self._stepper.enter(node, self._states[node], moment)
        exact = Act(state, tuple(self._stepper.send(node, state, moment)))
        text = fill(
            prompt("graph_agents_start"),
            {
                "known": bordered(known(self._bound, node, moment)),
                "phase": phase_text(self._bound, moment.phase),
                "state": self._earlier(node),
            },
        )
        return self._asked(node, text, exact, moment.phase)

    def _round(
        self, node: int, phase: int, round: int, messages: Sequence[Message], totals: Mapping[str, Value]
    ) -> Act:
        moment = Moment(phase, round, node in self._changed, totals)
        state = self._stepper.update(node, self._states[node], messages, moment)
        changed = state.fields != self._states[node].fields
        later = Moment(phase, round + 1, changed, totals)
        exact = Act(state, tuple(self._stepper.send(node, state, later)))
        text = fill(
            prompt("graph_agents_round"),
            {
                "known": bordered(known(self._bound, node, moment)),
                "round": str(round),
                "phase": phase_text(self._bound, phase),
                "state": bordered(state_text(self._states[node])),
                "messages": bordered(message_text(messages)),
            },
        )
        act = self._asked(node, text, exact, phase)
        if self._only_changed[phase] and act.state.fields == self._states[node].fields:
            return Act(act.state, ())  # whoever has not changed has nothing to say
        return act

    def _asked(self, node: int, text: str, exact: Act, phase: int) -> Act:
        """What the agent does, as it replies. `exact` is what the compiled step does."""
        engine = self._engine
        system = fill(prompt("graph_agents_node"), {"node": str(node), "algorithm": self._algorithm})
        messages = user(f"{text}\n\n{self._form}", system)
        to = receivers(self._bound, node, phase)
        for repaired in (False, True):
            if self._words is not None:
                self._words.ask()
            reply = engine.lm.complete(Request(messages, schema=self._schema, max_tokens=MOST_TOKENS))
            with self._counting:
                engine.tally.requests += 1
                engine.tally.usage += reply.usage
            try:
                act = read_act(self._stepper, node, to, reply.text)
            except CheckError as error:
                with self._counting:
                    engine.tally.repaired += not repaired
                again = fill(prompt("graph_agents_node_repair"), {"reason": bordered(str(error))})
                messages = (*messages, Said("assistant", reply.text), Said("user", again))
                reason = str(error)
                continue
            return self._checked(node, act, exact, phase)
        if self._words is not None:
            raise CheckError(f"Node {self._name(node)} gave no reply that can be used: {reason}")
        with self._counting:
            engine.tally.stood_in += 1
        engine.hear(
            f"Node {self._name(node)} gave no reply that can be used ({reason}): the compiled step stands in."
        )
        return exact

    def _checked(self, node: int, act: Act, exact: Act, phase: int) -> Act:
        """The act, or the exact one where it was drawn to be checked and is another."""
        engine = self._engine
        if self._words is not None:
            return act
        if random.Random(f"{engine.seed} {self._acts} {node}").random() >= engine.check:
            return act
        right = same_act(act, exact)
        with self._counting:
            engine.tally.checked += 1
            engine.tally.wrong += not right
        if right:
            return act
        engine.hear(
            f"Node {self._name(node)} erred: {told(act)} instead of {told(exact)}; the compiled step stands in."
        )
        return exact

    def _take(self, nodes: Iterable[int], acts: Sequence[Act], phase: int) -> None:
        """Put the new states in place, and gather the messages."""
        self._outbox = []
        for node, act in zip(nodes, acts, strict=True):
            self._states[node] = act.state
            self._outbox += act.messages
        self._refresh()
        if self._by_totals[phase]:  # what all nodes together are is known only now
            totals = self._totals(0)
            moments = [Moment(phase, 1, node in self._changed, totals) for node in range(self._bound.n)]
            self._outbox = [
                m for node, at in enumerate(moments) for m in self._stepper.send(node, self._states[node], at)
            ]

    def _refresh(self) -> None:
        program, columns = self._bound.program, self._bound.used_columns
        self._records[:] = [
            {
                **{name: float(self._bound.column(name)[node]) for name in columns},
                **{name: inward(state.fields[name], kind) for name, kind in program.state.items()},
            }
            for node, state in enumerate(self._states)
        ]

    def _earlier(self, node: int) -> str:
        return (
            f"Your state before:\n{bordered(state_text(self._states[node]))}"
            if self._outbox or self._acts
            else ""
        )

    def _totals(self, round: int) -> dict[str, Value]:
        program = self._bound.program
        return {
            name: outward(self._whole(expr, {"round": round}), expr.type)
            for name, expr in program.totals.items()
        }

    def _name(self, node: int) -> str:
        return self._names[node]

    # a run that is kept

    def _keep(self, changes: int, sent: int) -> None:
        self._acts += 1
        if self._kept is not None:
            act = KeptAct(self._states, self._outbox, sorted(self._changed), Report(changes, sent))
            self._kept.add(self._acts, act)

    def _taken_up(self) -> Report | None:
        """What an earlier run did in this act, put in place; None where it did not come so far."""
        found = self._kept.read(self._acts + 1) if self._kept is not None else None
        if found is None:
            return None
        self._acts += 1
        self._states, self._outbox, self._changed = found.states, found.outbox, set(found.changed)
        self._refresh()
        return found.report


class _Words:
    """What holds runs in words in bounds: how much is asked and sent, and that they do not go round in circles."""

    def __init__(self, bound: Bound, engine: LmEngine) -> None:
        (phase,) = bound.program.phases
        self._counts_rounds = any(
            isinstance(part, Name) and part.text == "round" for part in walk(phase.until)
        )
        self._engine, self._name = engine, bound.program.name
        self._seen: dict[str, int] = {}
        self._asked = self._sent = 0
        self._counting = threading.Lock()

    def ask(self) -> None:
        """Count a request. Raises LimitError where it is one too many."""
        with self._counting:
            self._asked += 1
            if self._asked > self._engine.most_requests:
                raise self._endless(f"within {self._engine.most_requests:,} requests")

    def look(self, round: int, sent: int, states: Sequence[NodeState], outbox: Sequence[Message]) -> None:
        """Look at what a round left. Raises LimitError for too many messages, or where all was so before."""
        self._sent += sent
        if self._sent > self._engine.most_messages:
            raise self._endless(f"within {self._engine.most_messages:,} messages")
        now = repr(
            ([s.fields for s in states], sorted((m.sender, m.receiver, repr(m.fields)) for m in outbox))
        )
        before = self._seen.setdefault(now, round)
        if before < round - 1 and not self._counts_rounds:
            raise self._endless(
                f"within {round} rounds: all states and messages are as they were after round {before}"
            )

    def _endless(self, when: str) -> LimitError:
        return LimitError(f"{self._name} did not end {when}.")


def _senders_of_news(before: Sequence[Message], after: Sequence[Message]) -> set[int]:
    """The nodes that send something else than in the round before."""
    one, other = ({(m.sender, m.receiver): m.fields for m in outbox} for outbox in (before, after))
    return {pair[0] for pair in one.keys() | other.keys() if one.get(pair) != other.get(pair)}


def _asks(condition: Expr | None, flag: str) -> bool:
    """Whether a condition can hold only where `flag` does."""
    parts = conjuncts(condition) if condition is not None else ()
    return any(isinstance(part, Name) and part.role == flag for part in parts)


def _sends(phase: Any) -> Iterable[Expr]:
    yield from phase.send.fields.values()
    if phase.send.when is not None:
        yield phase.send.when
