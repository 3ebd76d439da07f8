"""What a benchmark task is: where its questions come from, which graphs fit it, and how answers are scored."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from graphtalk.core import JSON

if TYPE_CHECKING:
    from graphtalk.graphs import Graph
    from graphtalk.lms import LanguageModel
    from graphtalk.tools.executor import Executor
    from graphtalk.training.retrieval import Retrieval

Level: TypeAlias = Literal["easy", "medium", "hard", ""]
# What questions are about: one stored graph, a graph of its own beside each, a graph that its words describe, or none:
# statements are annotated with calls, which name their graphs.
About: TypeAlias = Literal["graph", "own graph", "words", "statements"]


@dataclass(frozen=True)
class Gold:
    """The right answer: its text, and the names it holds where it is a set of names (None: a value)."""

    text: str
    names: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Asked:
    """A question of a benchmark. `template` groups questions of one kind: `healthcare-00`.

    Of all this a reasoner sees `question` alone.
    """

    id: str
    question: str
    gold: Gold
    level: Level = ""
    template: str = ""


@dataclass(frozen=True)
class Questions:
    """The questions of a file in its order, and what is wrong with its other lines: `file:line: what`."""

    asked: tuple[Asked, ...]
    complaints: tuple[str, ...] = ()


@dataclass(frozen=True)
class Generated:
    """Generated questions as the lines of a question file, and remarks such as which templates fell short."""

    rows: tuple[Mapping[str, JSON], ...]
    remarks: tuple[str, ...] = ()


class Task(Protocol):
    """A benchmark task. `scorers` names the scorers that apply to its answers."""

    @property
    def name(self) -> str:
        """Its name on the command line: `grbench-healthcare`."""

    @property
    def summary(self) -> str:
        """One line for a list of tasks."""

    @property
    def about(self) -> About:
        """What its questions are about; a task of "own graph" is one that BringsGraphs."""

    @property
    def scorers(self) -> tuple[str, ...]:
        """The scorers that apply, the one to look at first in front."""

    def check(self, graph: "Graph") -> None:
        """Raise UsageError, naming what lacks, where the graph's schema does not fit."""

    def load(self, executor: "Executor", questions: Path | None = None) -> Questions:
        """The questions of a file about the executor's graph; without a file, those of the task itself.

        Raises UsageError where there is no such file, or the task needs one.
        """

    def generate(
        self, executor: "Executor", per_template: int, seed: int, lm: "LanguageModel | None" = None
    ) -> Generated:
        """New questions about the executor's graph; the same for the same graph and seed.

        `lm` paraphrases them; without it the task's own wordings are used. Raises UsageError where the task
        generates none.
        """


@runtime_checkable
class BringsGraphs(Protocol):
    """A task whose questions each bring a graph of their own."""

    def graphs(self, data: Path) -> "Mapping[str, Callable[[], Graph]]":
        """The graph of each question of a data set, by the question's id; made when it is called for."""


@runtime_checkable
class Retrieves(Protocol):
    """A task of which its paper says how to retrieve; `retrieval` is None for not at all: the whole graph."""

    retrieval: "Retrieval | None"


@runtime_checkable
class MeansSameOrMore(Protocol):
    """A task in whose questions "the same X as" means those X, and perhaps more."""

    same_or_more: bool


@runtime_checkable
class Sized(Protocol):
    """A task that makes its own graphs, of any size."""

    def sized(self, fewest: int, most: int) -> Task:
        """The task with graphs of so many nodes."""


@runtime_checkable
class Ships(Protocol):
    """A task whose questions come with the package."""

    def shipped(self) -> Questions:
        """The questions."""


@runtime_checkable
class HasRecipe(Protocol):
    """A task whose data set has the graph too: `recipe` is by which it is imported where no store is given."""

    recipe: str
