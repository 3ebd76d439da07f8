"""ExplaGraphs (Saha et al., 2021): does an argument support or counter a belief? Its TSV files.

    arg1 <TAB> arg2 <TAB> support|counter <TAB> (head; relation; tail)(head; relation; tail)…

The files of the folder are read together and split six to two to two, as the paper does with the published training
and development lines. All is lower-cased.
"""

import re
from pathlib import Path

from graphtalk.benchmarks.graphqa.prompts import prompt
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits, files_in, split
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import SourceError, UsageError
from graphtalk.training.text_graphs import TextGraph

LABELS = ("support", "counter")
_PLAIN = re.compile(r'does "(?P<argument>.+)" support or counter "(?P<belief>.+)"\?', re.DOTALL)
_TRIPLE = re.compile(r"\(([^;]*);([^;]*);([^;]*?)\)(?=\s*\(|\s*$)")


def read(data: Path) -> Splits:
    """The questions of a folder's TSV files, or of one file. Raises UsageError where there is none to read."""
    questions: dict[str, GraphQuestion] = {}
    complaints = []
    for path in files_in(data, ("*.tsv",)):
        for number, line in _lines(path):
            try:
                question = _question(f"{path.stem}-{number}", line)
            except SourceError as error:
                complaints.append(f"{path}:{number}: {error}")
            else:
                questions[question.asked.id] = question
    if not questions:
        raise UsageError(f"{data} holds no line of ExplaGraphs. {' '.join(complaints[:1])}".strip())
    return Splits(*split(list(questions.values())), tuple(complaints))


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read {path}: {error}.") from error
    return [
        (number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not (number == 1 and line.startswith("arg1\t"))
    ]


def _question(key: str, line: str) -> GraphQuestion:
    cells = [cell.strip() for cell in line.lower().split("\t")]
    if len(cells) != 4:
        raise SourceError(f"{len(cells)} cells, not 4 (arg1, arg2, label, graph).")
    belief, argument, label, graph = cells
    if label not in LABELS:
        raise SourceError(f"the label is {label!r}, neither support nor counter.")
    texts = {"belief": belief, "argument": argument}
    asked = Asked(key, prompt("explagraphs_plain", texts), Gold(label))
    return GraphQuestion(asked, _graph(graph), prompt("explagraphs", texts))


def as_arguments(question: str) -> str:
    """The form in which a model is asked what the plain question asks; another question stays as it is."""
    found = _PLAIN.fullmatch(question.strip().lower())
    return prompt("explagraphs", found.groupdict()) if found else question


def _graph(text: str) -> TextGraph:
    found = list(_TRIPLE.finditer(text))
    rest = _TRIPLE.sub("", text).strip()
    if not found or rest:
        raise SourceError(f"the graph is no list of (head; relation; tail): {rest or text!r:.80}.")
    triples = ((head.strip(), relation.strip(), tail.strip()) for head, relation, tail in map(_parts, found))
    return TextGraph.of_triples(triples)


def _parts(found: re.Match[str]) -> tuple[str, str, str]:
    return found[1], found[2], found[3]
