"""The tasks `graphinstruct-…`, `nlgraph-…` and `graphforge-…`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from graphtalk.benchmarks.graph_problems.generate import SIZES, problems
from graphtalk.benchmarks.graph_problems.published import NLGRAPH, read_graphforge, read_nlgraph
from graphtalk.benchmarks.task import About, Asked, Generated, Gold, Questions
from graphtalk.core import UsageError
from graphtalk.core.reading import read_json
from graphtalk.graphs import Graph
from graphtalk.lms import LanguageModel
from graphtalk.tools.executor import Executor

GRAPHFORGE = (
    *(f"{task}_{way}" for task in ("cycle", "degree", "edge_c", "edge", "flow", "node_c", "node_e", "path", "shortest") for way in ("Di", "Un")),
    "topo",
    "triangle",
)  # fmt: skip


@dataclass(frozen=True)
class ProblemTask:
    """Problems that each bring their own graph. `read` reads published ones; `makes` names what is generated."""

    name: str
    summary: str
    read: Callable[[Path], Questions] | None = None
    makes: str = ""
    scorers: tuple[str, ...] = ("graph_problem",)
    about: About = "words"
    nodes: tuple[int, int] | None = None  # how many the graphs of new problems have; None: as in the paper

    def check(self, graph: Graph) -> None:
        """Any graph will do: it is not asked about."""

    def load(self, executor: Executor | None, questions: Path | None = None) -> Questions:
        """Published questions, or those that `generate` made. Raises UsageError where there are none."""
        if questions is None:
            raise UsageError(f"{self.name} needs a file of questions, or the folder of its data.")
        if questions.is_file() and _generated(questions):
            return _read_rows(questions)
        if self.read is None:
            raise UsageError(f"{questions}: not questions that `graphtalk bench generate {self.name}` made.")
        return self.read(questions)

    def generate(
        self, executor: Executor | None, per_template: int, seed: int, lm: LanguageModel | None = None
    ) -> Generated:
        """So many new problems."""
        return Generated(tuple(_row(asked) for asked in self.made(self.nodes, per_template, seed)))

    def sized(self, fewest: int, most: int) -> "ProblemTask":
        """The task with graphs of so many nodes."""
        return replace(self, nodes=(fewest, most))

    def made(self, sizes: tuple[int, int] | None, count: int, seed: int) -> list[Asked]:
        """New problems with numbers of nodes in `sizes` (None: the paper's). Raises UsageError where none are made."""
        if not self.makes:
            raise UsageError(f"{self.name} makes no questions: its data set has them.")
        return list(problems(self.makes, sizes, count, seed))


def _row(asked: Asked) -> dict[str, str]:
    return {"id": asked.id, "question": asked.question, "answer": asked.gold.text}


def _generated(file: Path) -> bool:
    if file.suffix == ".gz":
        return False
    with file.open(encoding="utf-8") as lines:
        return '"answer": "{' in lines.readline()


def _read_rows(file: Path) -> Questions:
    asked, complaints = [], []
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        try:
            row = read_json(line)
            asked.append(Asked(str(row["id"]), str(row["question"]), Gold(str(row["answer"]))))
        except (ValueError, KeyError, TypeError) as error:
            complaints.append(f"{file}:{number}: not a generated question ({error!r}).")
    return Questions(tuple(asked), tuple(complaints))


def _nlgraph(task: str) -> ProblemTask:
    return ProblemTask(
        f"nlgraph-{task}",
        f"a graph for each question (NLGraph, {task})",
        lambda place: read_nlgraph(place, task),
    )


def _graphforge(task: str) -> ProblemTask:
    return ProblemTask(
        f"graphforge-{task}",
        f"a graph for each question (GraphForge, {task})",
        lambda place: read_graphforge(place, task),
    )


TASKS = {
    **{
        task: ProblemTask(
            f"graphinstruct-{task}", f"a graph for each question (GraphInstruct, {task})", None, task
        )
        for task in SIZES
    },
    **{f"nl_{task}": _nlgraph(task) for task in NLGRAPH},
    **{f"forge_{task}": _graphforge(task) for task in GRAPHFORGE},
}


def __getattr__(name: str) -> ProblemTask:
    """The tasks as attributes, which is how the registry finds them."""
    if name not in TASKS:
        raise AttributeError(name)
    return TASKS[name]
