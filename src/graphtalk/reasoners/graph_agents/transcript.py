"""A run told line by line: the states at the start, who told whom what, the states in the end (appendix C)."""

from collections.abc import Callable, Mapping
from typing import Any

from graphtalk.vertex import Message, OnRound, Round

Hear = Callable[[str], None]


def rounds_of(hear: Hear) -> OnRound:
    """Tells of every round: how many messages were sent, and how many states changed."""

    def told(one: Round) -> None:
        phase = f" ({one.phase})" if one.phase else ""
        hear(
            f"Round {one.number}{phase}: {one.report.sent:,} messages, {one.report.changes:,} states changed."
        )

    return told


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
