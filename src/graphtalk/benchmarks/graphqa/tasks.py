"""The three tasks of GraphQA whose questions each bring a graph of their own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from graphtalk.benchmarks.graphqa import explagraphs as expla_form
from graphtalk.benchmarks.graphqa import scenegraphs as scene_form
from graphtalk.benchmarks.graphqa import webqsp as webqsp_form
from graphtalk.benchmarks.graphqa.graphs import stored
from graphtalk.benchmarks.graphqa.prompts import Form, as_question
from graphtalk.benchmarks.graphqa.questions import Read, Splits
from graphtalk.benchmarks.task import About, Generated, Questions
from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.lms import LanguageModel
from graphtalk.tools.executor import Executor
from graphtalk.training.retrieval import Retrieval

SCORERS = ("hit", "whole_answer")
NONE_MADE = "{name} makes no questions: its data set has them."


@dataclass(frozen=True)
class GraphQATask:
    """A data set of GraphQA.

    `read` reads its folder. `form` is how a model that is trained is asked a question. `retrieval` is how the paper
    retrieves, None for not at all.
    """

    name: str
    summary: str
    read: Read
    scorers: tuple[str, ...]
    retrieval: Retrieval | None = None
    form: Form = as_question
    about: About = "own graph"

    def splits(self, data: Path) -> Splits:
        """Questions with their graphs, in three splits. Raises UsageError where the folder is not in its form."""
        return self.read(data)

    def check(self, graph: Graph) -> None:
        """Raises UsageError: no one graph fits questions that each bring their own."""
        raise UsageError(f"Every question of {self.name} brings its own graph: give --data, not a graph.")

    def load(self, executor: Executor, questions: Path | None = None) -> Questions:
        """The questions of the test split. Their graphs are those of `splits`, in the same order."""
        if questions is None:
            raise UsageError(f"{self.name} needs the folder of its data.")
        splits = self.splits(questions)
        return Questions(tuple(question.asked for question in splits.test), splits.complaints)

    def graphs(self, data: Path) -> Mapping[str, Callable[[], Graph]]:
        """The graph of each question of the test split, by the question's id; made when it is called for."""
        test = self.splits(data).test
        return {q.asked.id: partial(stored, q.graph, f"{self.name} {q.asked.id}") for q in test}

    def generate(
        self, executor: Executor, per_template: int, seed: int, lm: LanguageModel | None = None
    ) -> Generated:
        """GraphQA makes no questions: raises UsageError."""
        raise UsageError(NONE_MADE.format(name=self.name))


explagraphs = GraphQATask(
    "graphqa-explagraphs",
    "a graph for each question: commonsense concepts (ExplaGraphs)",
    expla_form.read,
    ("stance", "whole_answer"),
    form=expla_form.as_arguments,
)
scenegraphs = GraphQATask(
    "graphqa-scenegraphs",
    "a graph for each question: what is in a picture (GQA)",
    scene_form.read,
    ("contains", "whole_answer"),
    Retrieval(nodes=3, edges=3, edge_cost=1.0),
)
webqsp = GraphQATask(
    "graphqa-webqsp",
    "a graph for each question: parts of Freebase (WebQSP)",
    webqsp_form.read,
    SCORERS,
    Retrieval(nodes=3, edges=5, edge_cost=0.5),
)
