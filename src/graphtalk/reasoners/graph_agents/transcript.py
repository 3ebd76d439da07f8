"""A run told line by line: the states at the start, who told whom what, the states in the end (appendix C)."""

from collections.abc import Callable, Mapping
from typing import Any

from graphtalk.core.text import of_things
from graphtalk.vertex import Message, OnRound, Round
from graphtalk.vertex.language.types import outward

Hear = Callable[[str], None]


MOST_MESSAGES = 12  # of a round that are told, a line each
MOST_STATES = 12  # nodes whose states are told


def in_short(one: Round) -> str:
    """`2 messages, 1 state changed`: how much happened in a round."""
    return f"{of_things(one.report.sent, 'message')}, {of_things(one.report.changes, 'state')} changed"


def rounds_of(hear: Hear) -> OnRound:
    """Tells of every round: how many messages were sent and states changed, a sample of the messages, and new states."""
    before: dict[int, Mapping[str, Any]] = {}

    def told(one: Round) -> None:
        phase = f" ({one.phase})" if one.phase else ""
        hear(f"Round {one.number}{phase}: {in_short(one)}.")
        names = one.bound.graph.label
        for message in one.report.messages[:MOST_MESSAGES]:
            hear(f"  {message_line(names, message)}")
        if one.report.messages and one.report.sent > MOST_MESSAGES:
            hear(f"  … and {of_things(one.report.sent - MOST_MESSAGES, 'more message')}")
        if not one.report.messages and one.report.sent:
            return  # a graph whose rounds are only counted
        after = states_of(one)
        changed = [node for node, fields in after.items() if before.get(node) != fields]
        for node in changed[:MOST_STATES]:
            hear(f"  {state_line(names, node, after[node])}")
        if len(changed) > MOST_STATES:
            hear(f"  … and {of_things(len(changed) - MOST_STATES, 'more state')}")
        before.clear()
        before.update(after)

    return told


def states_of(one: Round) -> dict[int, Mapping[str, Any]]:
    """The states after a round, by node, in plain values."""
    columns, types = one.execution.states(), one.bound.program.state
    plain = {name: [outward(value, types[name]) for value in column] for name, column in columns.items()}
    return {node: {name: plain[name][node] for name in plain} for node in range(one.bound.n)}


def message_line(names: Callable[[int], str], message: Message) -> str:
    """`Node 6 → Node 2: distance 7`"""
    told = ", ".join(f"{name} {shown(value)}" for name, value in message.fields.items())
    return f"Node {names(message.sender)} → Node {names(message.receiver)}: {told}"


def state_line(names: Callable[[int], str], node: int, fields: Mapping[str, Any]) -> str:
    """`Node 6: State: 1. distance: 13`"""
    told = " ".join(
        f"{place}. {name}: {shown(value)}" for place, (name, value) in enumerate(fields.items(), 1)
    )
    return f"Node {names(node)}: State: {told}"


def shown(value: Any) -> str:
    """A value in a transcript.

    >>> shown(7.0), shown(float("inf")), shown(True), shown(None)
    ('7', 'infinity', 'true', 'none')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "none"
    if isinstance(value, float):
        return (
            "infinity" if value == float("inf") else "-infinity" if value == -float("inf") else f"{value:g}"
        )
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(shown, value))}]"
    return str(value)
