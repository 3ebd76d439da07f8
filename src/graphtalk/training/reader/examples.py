"""What the network learns from: a question, the values in it, and the actions of its reading."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random


@dataclass(frozen=True)
class Mention:
    """A value of a question: its text, its kind (number, date, quoted, name) and the properties known to have it.

    `start` and `end` are its characters in the question.
    """

    text: str
    kind: str
    owners: tuple[str, ...] = ()
    start: int = 0
    end: int = 0


@dataclass(frozen=True)
class Example:
    """A question with its values in the order of the words, and the actions that read it."""

    question: str
    values: tuple[Mention, ...]
    actions: tuple[str, ...]


def marked(text: str, values: Sequence[Mention], actions: Sequence[str], random: Random) -> Example | None:
    """The example of a text in which values stand as marks. None where an action's value is not in the text."""
    placed: list[Mention] = []
    numbers: dict[int, int] = {}
    plain = ""
    for part in re.split("(\x02\\d+\x03)", text):
        if not part.startswith("\x02"):
            plain += part
            continue
        index = int(part[1:-1])
        if index in numbers:
            return None
        value = values[index]
        numbers[index] = len(placed)
        placed.append(Mention(value.text, value.kind, value.owners, len(plain), len(plain) + len(value.text)))
        plain += value.text
    renamed = []
    for action in actions:
        if action.startswith("S:"):
            index = int(action[2:])
            if index not in numbers:
                return None
            action = f"S:{numbers[index]}"
        renamed.append(action)
    return Example(plain, tuple(placed), tuple(renamed))
