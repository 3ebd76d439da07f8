"""What a node's agent is asked and what it replies: JSON of the card's types, checked before it is believed."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphtalk.core import JSON, CheckError
from graphtalk.lms.structured import json_in
from graphtalk.reasoners.graph_agents.transcript import shown
from graphtalk.vertex import Bound, Message, NodeState, Stepper
from graphtalk.vertex.language.types import BOOL, NODE, NUMBER, Type, inward, outward


@dataclass(frozen=True)
class Act:
    """What a node does: its new state, and the messages that it sends."""

    state: NodeState
    messages: tuple[Message, ...]


def read_act(stepper: Stepper, node: int, receivers: Sequence[int], text: str) -> Act:
    """The act that a reply tells. Raises CheckError that says what is wrong with it."""
    program = stepper.bound.program
    found = next((value for value in json_in(text) if isinstance(value, dict) and "state" in value), None)
    if found is None:
        raise CheckError('it holds no JSON object with "state".')
    state = _fields(found["state"], program.state, "state")
    edges = {}
    if program.edge_state:
        told = _table(found.get("edges", {}), "edges")
        edges = {to: _fields(told.get(str(to)), program.edge_state, f"edges, {to}") for to in receivers}
    messages = []
    for to, fields in _table(found.get("messages", {}), "messages").items():
        if not to.strip().isdecimal() or int(to) not in receivers:
            raise CheckError(
                f"messages: {to!r} is no neighbour; they are {', '.join(map(str, receivers)) or 'none'}."
            )
        messages.append(Message(node, int(to), _fields(fields, program.message, f"messages, {to}")))
    return Act(NodeState(state, edges), tuple(messages))


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same, numbers up to rounding."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other or math.isclose(one, other, rel_tol=1e-4, abs_tol=1e-6)
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def same_act(one: Act, other: Act) -> bool:
    """Whether two acts are the same, whatever the order of messages."""
    sent = [{m.receiver: m.fields for m in act.messages} for act in (one, other)]
    return (
        same(one.state.fields, other.state.fields)
        and same(one.state.edges, other.state.edges)
        and same(*sent)
    )


def form(bound: Bound) -> str:
    """The form of a reply, as a person would write it down.

    Fields are shown with their types: `{"state": {"distance": number}, "messages": {"NODE": {"distance": number}}}`.
    """
    program = bound.program
    parts = [f'"state": {_form(program.state)}']
    if program.edge_state:
        parts.append(f'"edges": {{"NODE": {_form(program.edge_state)}, …}}')
    parts.append(f'"messages": {{"NODE": {_form(program.message)}, …}}')
    return "{" + ", ".join(parts) + "}"


def schema(bound: Bound) -> dict[str, JSON]:
    """The same as a JSON schema, for servers that hold a model to one."""
    program = bound.program
    properties: dict[str, JSON] = {"state": _object(program.state)}
    if program.edge_state:
        properties["edges"] = {"type": "object", "additionalProperties": _object(program.edge_state)}
    properties["messages"] = {"type": "object", "additionalProperties": _object(program.message)}
    return {"type": "object", "properties": properties, "required": list(properties)}


def state_text(state: NodeState) -> str:
    """A state as an agent is told it."""
    lines = [
        f"{place}. {name}: {shown(value)}" for place, (name, value) in enumerate(state.fields.items(), 1)
    ]
    for to, fields in state.edges.items():
        lines.append(
            f"Edge to node {to}: " + ", ".join(f"{name}: {shown(value)}" for name, value in fields.items())
        )
    return "\n".join(lines)


def message_text(messages: Sequence[Message]) -> str:
    """The messages that came, as an agent is told them."""
    lines = [
        f"From node {m.sender}: " + ", ".join(f"{name}: {shown(value)}" for name, value in m.fields.items())
        for m in messages
    ]
    return "\n".join(lines) or "none"


def _fields(told: Any, types: Mapping[str, Type], where: str) -> dict[str, Any]:
    table = _table(told, where)
    unknown = [name for name in table if name not in types]
    if unknown:
        raise CheckError(f"{where}: there is no field {unknown[0]!r}; they are {', '.join(types)}.")
    found = {}
    for name, kind in types.items():
        if name not in table:
            raise CheckError(f"{where}: the field {name!r} is missing.")
        try:
            found[name] = outward(inward(_plain(table[name]), kind), kind)
        except CheckError as error:
            raise CheckError(f"{where}, {name}: {error}") from None
    return found


def _table(told: Any, where: str) -> dict[str, Any]:
    if not isinstance(told, dict):
        raise CheckError(f"{where}: an object is expected, not {json.dumps(told)[:60]}.")
    return told


def _plain(value: Any) -> Any:
    """A value with infinity as a number."""
    if isinstance(value, str):
        word = value.strip().lower().lstrip("+\\")
        known = {"infinity": math.inf, "inf": math.inf, "∞": math.inf, "infty": math.inf}
        return known.get(word, -known[word[1:]] if word[1:] in known and word[:1] == "-" else value)
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _form(types: Mapping[str, Type]) -> str:
    return "{" + ", ".join(f'"{name}": {kind}' for name, kind in types.items()) + "}"


def _object(types: Mapping[str, Type]) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": {name: _schema(kind) for name, kind in types.items()},
        "required": list(types),
    }


def _schema(kind: Type) -> dict[str, JSON]:
    if kind == NUMBER:
        return {"type": ["number", "string"]}
    if kind == BOOL:
        return {"type": "boolean"}
    if kind == NODE:
        return {"type": ["integer", "null"]}
    if kind.kind in ("set", "list"):
        return {"type": "array", "items": _schema(kind.item)}
    return {"type": "object"}
