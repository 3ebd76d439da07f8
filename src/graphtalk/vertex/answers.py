"""The answer, read off the final states."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphtalk.vertex.binding import Bound
from graphtalk.vertex.engine import Columns
from graphtalk.vertex.language.arrays import dtype_of
from graphtalk.vertex.language.types import Type, outward
from graphtalk.vertex.program import Readout
from graphtalk.vertex.whole import Whole, over_columns, over_records


@dataclass(frozen=True)
class Outcome:
    """An answer: its value in plain Python, its type, and the sentence that tells it (`text`, with slots).

    Where there is none, `value` is None and `refusal` says why. Nodes are indices.
    """

    value: Any
    type: Type
    text: str
    refusal: str = ""


def read_answer(bound: Bound, states: Columns, rounds: int) -> Outcome:
    """The answer of the first reading whose parameters were given."""
    reading = next(r for r in _readings(bound) if bound.given.issuperset(r.given))
    whole, moment = whole_of(bound, states), {"round": rounds}
    for refusal in reading.refusals:
        if whole(refusal.when, moment):
            return Outcome(None, reading.value.type, reading.text, refusal.because)
    return Outcome(
        outward(whole(reading.value, moment), reading.value.type), reading.value.type, reading.text
    )


def _readings(bound: Bound) -> list[Readout]:
    return [*bound.program.answers, Readout((), bound.program.answers[-1].value, "{answer}")]


def whole_of(bound: Bound, states: Columns) -> Whole:
    """Evaluates expressions about all nodes over their final states."""
    if bound.program.scalar:
        types = bound.program.state
        arrays = {name: np.asarray(column, dtype_of(types[name])) for name, column in states.items()}
        return over_columns(bound, arrays, bound.constant)
    names = [*bound.used_columns, *states]
    columns = [*(bound.column(name).tolist() for name in bound.used_columns), *states.values()]
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    world = {name: bound.constant(name) for name in ("n", "directed", *bound.values)}
    return over_records(bound, records, world)


def plain_states(bound: Bound, states: Columns) -> dict[str, list[Any]]:
    """The states in plain values: whole numbers as int, missing nodes as None."""
    return {
        name: [outward(value, bound.program.state[name]) for value in _listed(column)]
        for name, column in states.items()
    }


def _listed(column: Any) -> list[Any]:
    found: list[Any] = column.tolist() if hasattr(column, "tolist") else list(column)
    return found
