"""The tasks `toolformer-…`: a text goes in, and the annotated text, its calls and their results are scored."""

from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from graphtalk.benchmarks.task import About, Generated, Questions
from graphtalk.benchmarks.toolformer.figures import PREFIX, rows
from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.lms import LanguageModel
from graphtalk.tools.executor import Executor

TEST = "prompts_test"
_OWN = {
    "unknown": "unknown graphs and tasks (table 7)",
    "plain": "texts that have nothing to do with graphs (table 8)",
}
SCORERS = ("api_calls", "results", "rouge", "rouge_lsum", "bleu", "brevity")


@dataclass(frozen=True)
class ToolformerTask:
    """The prompts of one data set, which lie in `folder` of the published layout."""

    name: str
    summary: str
    folder: str
    scorers: tuple[str, ...] = SCORERS
    about: About = "statements"

    def check(self, graph: Graph) -> None:
        """Any graph will do: texts name their own."""

    def load(self, executor: Executor | None, questions: Path | None = None) -> Questions:
        """The prompts of the test split in the folder of all prompts, or those of a file. Raises UsageError."""
        if questions is None:
            raise UsageError(f"{self.name} needs --data: the folder of all prompts, or a file of them.")
        file = questions / self.folder / TEST if questions.is_dir() else questions
        if not file.is_file():
            raise UsageError(f"The test prompts of {self.name} are not there: {file}.")
        return read_records(file)

    def generate(
        self, executor: Executor | None, per_template: int, seed: int, lm: LanguageModel | None = None
    ) -> Generated:
        """Raises UsageError: prompts are made by commands of their own."""
        raise UsageError(f"{self.name} needs --data. `graphtalk prompts generate` makes prompts.")


@dataclass(frozen=True)
class ShippedTask(ToolformerTask):
    """Texts that stand beside this file, in no folder of the published layout."""

    def load(self, executor: Executor | None, questions: Path | None = None) -> Questions:
        """The texts that come with the package, or those of a file."""
        return read_records(questions) if questions is not None else self.shipped()

    def shipped(self) -> Questions:
        """The texts that come with the package."""
        with as_file(files(__package__) / f"{self.name.removeprefix(PREFIX)}.txt") as own:
            return read_records(own)


def _task(name: str) -> ToolformerTask:
    if name in _OWN:
        scorers = (*SCORERS, "left") if name == "plain" else SCORERS
        return ShippedTask(f"{PREFIX}{name}", _OWN[name], "", scorers)
    row = rows()[name]
    scorers = (*SCORERS, "loading") if name == "graph-loading" else SCORERS
    return ToolformerTask(f"{PREFIX}{name}", f"texts with calls ({row.paper})", row.folder, scorers)


def __getattr__(name: str) -> ToolformerTask:
    """The tasks as attributes, which is how the registry finds them."""
    called = "graph-properties" if name == "gpr" else name.replace("_", "-")
    if called not in rows() and called not in _OWN:
        raise AttributeError(name)
    return _task(called)
