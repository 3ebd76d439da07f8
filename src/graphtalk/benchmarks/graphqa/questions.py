"""What GraphQA is made of: a question, its graph, and its answers, in three splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

import numpy as np

from graphtalk.benchmarks.task import Asked
from graphtalk.core import SourceError, UsageError
from graphtalk.training.text_graphs import TextGraph

SEED = 42  # of the split; any number will do, but it must not change
TRAINING, VALIDATION = 0.6, 0.2  # the rest is the test split (appendix C)

_T = TypeVar("_T")


@dataclass(frozen=True)
class GraphQuestion:
    """A question about a graph of its own. `prompt` is the question in the form in which a model is asked it."""

    asked: Asked
    graph: TextGraph
    prompt: str


@dataclass(frozen=True)
class Splits:
    """The three splits, and what is wrong with lines that were left out: `file:line: what`."""

    train: tuple[GraphQuestion, ...]
    validation: tuple[GraphQuestion, ...]
    test: tuple[GraphQuestion, ...]
    complaints: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[GraphQuestion, ...]:
        """All questions."""
        return (*self.train, *self.validation, *self.test)


Read: TypeAlias = Callable[[Path], Splits]


def split(questions: Sequence[_T]) -> tuple[tuple[_T, ...], tuple[_T, ...], tuple[_T, ...]]:
    """Three parts, six to two to two, in an order drawn with a fixed seed."""
    order = np.random.default_rng(SEED).permutation(len(questions))
    first = round(len(questions) * TRAINING)
    second = first + round(len(questions) * VALIDATION)
    train, validation, test = (
        tuple(questions[place] for place in part)
        for part in (order[:first], order[first:second], order[second:])
    )
    return train, validation, test


def files_in(data: Path, patterns: Sequence[str]) -> list[Path]:
    """The files of a folder that fit the first of the patterns that any file fits, in the order of their names.

    A file may be named instead of its folder. Raises UsageError where there is none.
    """
    if data.is_file():
        return [data]
    for pattern in patterns:
        found = sorted(path for path in data.glob(pattern) if path.is_file())
        if found:
            return found
    raise UsageError(f"{data} holds no {' or '.join(patterns)}: name the data set's folder, or its file.")


def need(row: object, field: str, kinds: type | tuple[type, ...], place: str) -> object:
    """A field of a JSON object. Raises SourceError, naming the place, where it is absent or of another kind."""
    if not isinstance(row, dict):
        raise SourceError(f"{place}: not a JSON object but {type(row).__name__}.")
    value = row.get(field)
    if not isinstance(value, kinds):
        raise SourceError(f"{place}: {field!r} is {value!r:.60}, not of the right kind.")
    return value
