"""What a scorer is given, and what it gives back."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import JSON


@dataclass(frozen=True)
class Given:
    """A question, an answer to it, and the right one.

    `text` is the answer as texts are compared: the names of a value joined by ", ", a number, True or False; what the
    reasoner wrote where it gave no value; nothing where the question was declined. `value` is None for both of the last.
    Of an annotated text, whose value has its `statement` and its `results`, `text` is the statement.
    """

    question: str
    text: str
    value: JSON
    gold: Gold

    @classmethod
    def of(cls, asked: Asked, answered: bool, text: str, value: JSON) -> "Given":
        """An answer's fields beside the question that it answers."""
        if not answered:
            return cls(asked.question, "", None, asked.gold)
        if isinstance(value, dict) and isinstance(statement := value.get("statement"), str):
            return cls(asked.question, statement, value, asked.gold)
        return cls(asked.question, text if value is None else in_one_line(value), value, asked.gold)


Scorer: TypeAlias = Callable[[Given], Mapping[str, float]]


def in_one_line(value: JSON) -> str:
    """A value as GRBench writes its answers.

    >>> in_one_line(["Zinc", "Aspirin"]), in_one_line(12.0), in_one_line(True)
    ('Zinc, Aspirin', '12', 'True')
    """
    if isinstance(value, list):
        return ", ".join(in_one_line(entry) for entry in value if entry is not None)
    if isinstance(value, dict):
        return ", ".join(f"{key}: {in_one_line(entry)}" for key, entry in value.items())
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
