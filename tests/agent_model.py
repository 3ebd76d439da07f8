"""A model that plays every node: it reads its prompt, does what the card says, and replies as a model would.

What it knows of a node is what the prompt says and nothing else, so that a prompt that leaves something out fails.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from graphtalk.lms.protocol import Reply, Request, Usage, in_one_piece
from graphtalk.vertex import Bound, Message, Moment, NodeState, Stepper

_FIELD = re.compile(r"^\d+\. (\w+): (.*)$", re.M)
_CAME = re.compile(r"^From node (\d+): (.*)$", re.M)


@dataclass
class AgentModel:
    """Plays the nodes of a bound program. `errs` maps a node to the text that it replies instead, so many times."""

    bound: Bound
    errs: dict[int, list[str]] = field(default_factory=dict)
    name: str = "agents"
    asked: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: Request) -> Reply:
        system, said = request.messages[0].content, request.messages[1].content
        match = re.match(r"You are node (\d+) of a graph", system)
        assert match is not None, system[:80]
        node = int(match[1])
        with self._lock:
            self.asked += 1
            if self.errs.get(node):
                return Reply(self.errs[node].pop(0), usage=Usage(1, 10, 10))
        return Reply(json.dumps(self.act(node, said)), usage=Usage(1, 10, 10))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        yield from in_one_piece(self.complete(request))

    def act(self, node: int, said: str) -> dict[str, Any]:
        """The reply of a node that makes no mistake."""
        stepper = Stepper(self.bound)
        phases = [phase.name for phase in self.bound.program.phases]
        named = re.search(r"of the phase '(\w+)'", said)
        phase = phases.index(named[1]) if named else 0
        known = dict(re.findall(r"(\w+) = ([^,\n]+)", said[said.index("Known to all") :].split("\n")[0]))
        totals = {name: _value(known[name]) for name in self.bound.program.totals if name in known}
        if "The algorithm begins" in said:
            earlier = _fields(said) if "Your state before" in said else stepper.init(node).fields
            state = stepper.enter(node, NodeState(earlier), Moment(phase, 1, True, totals))
            sent = stepper.send(node, state, Moment(phase, 1, True, totals))
        else:
            number = re.search(r"^Round (\d+)", said, re.M)
            assert number is not None
            before = NodeState(_fields(said.split("Messages received")[0]))
            came = [
                Message(int(sender), node, _pairs(fields))
                for sender, fields in _CAME.findall(said.split("Messages received")[1])
            ]
            state = stepper.update(node, before, came, Moment(phase, int(number[1]), True, totals))
            changed = state.fields != before.fields
            sent = stepper.send(node, state, Moment(phase, int(number[1]) + 1, changed, totals))
        return {
            "state": _plain(state.fields),
            "messages": {str(m.receiver): _plain(m.fields) for m in sent},
        }


def _fields(text: str) -> dict[str, Any]:
    return {name: _value(value) for name, value in _FIELD.findall(text)}


def _pairs(text: str) -> dict[str, Any]:
    return {name: _value(value) for name, value in re.findall(r"(\w+): (\[.*\]|[^,\[\]]+)", text)}


def _value(text: str) -> Any:
    known = {"infinity": float("inf"), "-infinity": -float("inf"), "true": True, "false": False, "none": None}
    text = text.strip()
    return known[text] if text in known else json.loads(text)


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: "infinity" if value == float("inf") else value for name, value in fields.items()}
