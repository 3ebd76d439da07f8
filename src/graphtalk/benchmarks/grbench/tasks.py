"""The ten tasks of GRBench: one for each graph of the paper's table 1."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from graphtalk.benchmarks.grbench.templates import Templates, read
from graphtalk.benchmarks.task import About, Generated, Questions
from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import Graph
from graphtalk.lms import LanguageModel
from graphtalk.tools.executor import Executor

SCORERS = ("set", "exact_match", "rouge", "bleu", "judge")
PER_TEMPLATE = 10
"""Questions of each template that are made where no question file is given; as many as are published."""


@dataclass(frozen=True)
class GrbenchTask:
    """One graph of GRBench. `domain` says which templates its questions have.

    "The same X as" in them means those X, and perhaps more: `same_or_more`.
    """

    name: str
    summary: str
    domain: str
    scorers: tuple[str, ...] = SCORERS
    about: About = "graph"
    same_or_more: bool = True

    @cached_property
    def templates(self) -> Templates:
        """Its templates; their ids begin with the name of the task without `grbench-`."""
        return read(self.domain).named(self.name.removeprefix("grbench-"))

    def check(self, graph: Graph) -> None:
        """Raise UsageError where the graph lacks a node type that questions are about, or fits no template."""
        from graphtalk.benchmarks.grbench.drawing import fit, type_called

        try:
            for node_type in self.templates.node_types:
                type_called(graph, node_type)
            executor = Executor(graph)
            lacks = CheckError("there are no templates.")
            for template in self.templates:
                try:
                    fit(executor, graph, template)
                    return
                except CheckError as error:
                    lacks = error
            raise lacks
        except CheckError as error:
            raise UsageError(f"{graph.name} does not fit {self.name}: {error}") from error

    def load(self, executor: Executor, questions: Path | None = None) -> Questions:
        """The questions of a file, published or generated; without one, ten of each template, seed 0."""
        from graphtalk.benchmarks.grbench.questions import Reader

        graph = self._graph(executor)
        reader = Reader.of(executor, graph, self.templates)
        if questions is not None:
            return reader.read(questions)
        made = self.generate(executor, PER_TEMPLATE, 0)
        return Questions(tuple(reader.asked(row) for row in made.rows))

    def generate(
        self, executor: Executor, per_template: int, seed: int, lm: LanguageModel | None = None
    ) -> Generated:
        """New questions about the executor's graph; see `grbench.generate.generate`."""
        from graphtalk.benchmarks.grbench.generate import generate
        from graphtalk.benchmarks.grbench.paraphrase import paraphrases

        if per_template < 1:
            raise UsageError(f"{per_template} questions of each template are none: give at least 1.")
        graph = self._graph(executor)
        wordings = None if lm is None else paraphrases(lm, self.templates, seed)
        return generate(executor, graph, self.templates, per_template, seed, wordings)

    def _graph(self, executor: Executor) -> Graph:
        if not isinstance(executor.graph, Graph):
            raise UsageError(f"{self.name} is about one graph, and {executor.graph.name} is a set of graphs.")
        self.check(executor.graph)
        return executor.graph


def _academic(field: str, domain: str = "academic-mag") -> GrbenchTask:
    source = "DBLP" if domain == "academic-dblp" else "MAG"
    return GrbenchTask(f"grbench-academic-{field}", f"papers, authors and venues ({source}, {field})", domain)


academic_cs = _academic("cs", "academic-dblp")
academic_biology = _academic("biology")
academic_chemistry = _academic("chemistry")
academic_materials = _academic("materials")
academic_medicine = _academic("medicine")
academic_physics = _academic("physics")
ecommerce = GrbenchTask("grbench-ecommerce", "items and brands (Amazon)", "ecommerce")
literature = GrbenchTask(
    "grbench-literature", "books, authors, publishers and series (Goodreads)", "literature"
)
healthcare = GrbenchTask("grbench-healthcare", "diseases, compounds, genes and more (Hetionet)", "healthcare")
legal = GrbenchTask("grbench-legal", "opinions, dockets and courts (CourtListener)", "legal")
