"""What a classifier says of everything it was fitted on: a table, so that an answer needs no network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError
from graphtalk.graphs.adjacency import Ints
from graphtalk.models.saved import Arrays

Label: TypeAlias = str | int | float | bool

_ARRAY = "probabilities"


@dataclass(frozen=True)
class Prediction:
    """A label, how probable it is, and how probable each label is."""

    label: Label
    probability: float
    probabilities: Mapping[Label, float]


@dataclass(frozen=True, eq=False)
class Predictions:
    """Probabilities of classes, a row a thing. Shape (things, classes), float32."""

    classes: tuple[Label, ...]
    probabilities: NDArray[np.float32]

    def at(self, positions: Sequence[int]) -> list[Prediction]:
        """The predictions for these rows, in order."""
        found = []
        for row in self.probabilities[np.asarray(positions, np.int64)]:
            each = dict(zip(self.classes, row.tolist(), strict=True))
            best = int(row.argmax())
            found.append(Prediction(self.classes[best], float(row[best]), each))
        return found

    def accuracy(self, classes: Ints, rows: Ints) -> float:
        """The share of rows whose most probable class is that of `classes`. Shapes (things,), (k,)."""
        if not len(rows):
            return float("nan")
        return float(np.mean(self.probabilities[rows].argmax(axis=1) == classes[rows]))

    def saved(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """The arrays and the facts that `read` needs."""
        return {_ARRAY: self.probabilities}, {"classes": list(self.classes)}

    @classmethod
    def read(cls, arrays: Arrays, facts: Mapping[str, Any], rows: int) -> "Predictions":
        """The table that was saved. Raises UsageError where it has not `rows` rows."""
        found = arrays.get(_ARRAY)
        classes = tuple(facts.get("classes", ()))
        if found is None or found.shape != (rows, len(classes)):
            shape = None if found is None else found.shape
            raise UsageError(
                f"The fitted model has predictions of shape {shape}, where {rows} rows of {len(classes)} classes "
                "are needed: it was fitted on another graph. Fit it again."
            )
        return cls(classes, found)


def classes_of(values: Sequence[Label | None], what: str) -> tuple[tuple[Label, ...], Ints]:
    """The classes that occur, sorted, and the class of each value as a number, -1 for None.

    Raises UsageError where fewer than two classes occur; `what` names the feature.
    """
    found = sorted(
        {value for value in values if value is not None}, key=lambda value: (str(type(value)), value)
    )
    if len(found) < 2:
        raise UsageError(f"{what} has {len(found)} different values; learning classes needs two or more.")
    number = {value: position for position, value in enumerate(found)}
    return tuple(found), np.array([-1 if value is None else number[value] for value in values], np.int64)
