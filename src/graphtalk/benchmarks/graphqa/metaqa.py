"""MetaQA (Zhang et al., 2018): questions of one, two or three hops about one large graph of movies.

    question with [topic entity] <TAB> answer|answer|…

The files may be compressed. A file of question types, one a line, groups the questions where it lies beside theirs.
"""

import lzma
from dataclasses import dataclass
from pathlib import Path

from graphtalk.benchmarks.graphqa.tasks import NONE_MADE, SCORERS
from graphtalk.benchmarks.task import About, Asked, Generated, Gold, Questions
from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.formats.files import BROKEN, open_bytes
from graphtalk.lms import LanguageModel
from graphtalk.tools.executor import Executor

RELATIONS = ("directed by", "starred actors", "release year")  # a graph without them is no graph of movies


@dataclass(frozen=True)
class MetaqaTask:
    """The questions of so many hops."""

    hops: int
    scorers: tuple[str, ...] = SCORERS
    about: About = "graph"
    recipe: str = "metaqa"  # by which its data's folder is imported where no store is given

    @property
    def name(self) -> str:
        """`metaqa-1hop`."""
        return f"metaqa-{self.hops}hop"

    @property
    def summary(self) -> str:
        """One line for a list of tasks."""
        return f"movies and their people (MetaQA), {self.hops} hop{'s' if self.hops > 1 else ''}"

    def check(self, graph: Graph) -> None:
        """Raise UsageError where the graph lacks the relations that questions are about."""
        there = {relation.name.replace("_", " ") for relation in graph.schema.relations}
        if lacks := [name for name in RELATIONS if name not in there]:
            raise UsageError(f"{graph.name} does not fit {self.name}: it has no relation {', '.join(lacks)}.")

    def load(self, executor: Executor, questions: Path | None = None) -> Questions:
        """The questions of a file, or of `N-hop/dev.txt` in MetaQA's folder. Raises UsageError without one."""
        if questions is None:
            raise UsageError(f"{self.name} needs its questions: MetaQA's folder, or a file of it.")
        return read(_file_of(questions, self.hops), self.hops)

    def generate(
        self, executor: Executor, per_template: int, seed: int, lm: LanguageModel | None = None
    ) -> Generated:
        """MetaQA makes no questions: raises UsageError."""
        raise UsageError(NONE_MADE.format(name=self.name))


def read(path: Path, hops: int) -> Questions:
    """The questions of a file; broken lines become complaints."""
    lines = _lines(path)
    kinds = _kinds(path, len(lines))
    asked, complaints = [], []
    for number, (line, kind) in enumerate(zip(lines, kinds, strict=True), 1):
        question, tab, answers = line.partition("\t")
        names = tuple(dict.fromkeys(name.strip() for name in answers.split("|") if name.strip()))
        if not tab or not question.strip() or not names:
            complaints.append(f"{path}:{number}: not a question, a tab, and its answers: {line!r:.80}.")
            continue
        key = f"{hops}hop-{number}"
        asked.append(Asked(key, question.strip(), Gold("|".join(names), names), template=kind))
    return Questions(tuple(asked), tuple(complaints))


def _lines(path: Path) -> list[str]:
    try:
        with open_bytes(path) as file:
            text = file.read().decode("utf-8")
    except (UnicodeDecodeError, lzma.LZMAError, *BROKEN) as error:
        raise SourceError(f"cannot be read ({error}).", str(path)) from error
    return text.splitlines()


def _kinds(path: Path, count: int) -> list[str]:
    """The question types of a file's lines; empty texts where no file beside it says them for each line."""
    beside = sorted(path.parent.glob("qa_*_qtype.txt*"))
    for file in beside:
        split = file.name.removeprefix("qa_").partition("_")[0]
        if split in path.name and len(kinds := _lines(file)) == count:
            return kinds
    return [""] * count


def _file_of(place: Path, hops: int) -> Path:
    if not place.is_dir():
        return place
    for folder in (place / f"{hops}-hop", place):
        if found := sorted(folder.glob("dev.txt*")):
            return found[0]
    raise UsageError(f"{place} has no {hops}-hop/dev.txt: name MetaQA's folder, or a file of questions.")


one_hop, two_hops, three_hops = MetaqaTask(1), MetaqaTask(2), MetaqaTask(3)
