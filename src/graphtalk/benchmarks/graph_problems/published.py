"""Reads the published questions of NLGraph and GraphForge, and brings their answers to one form (`golds`)."""

import ast
import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from graphtalk.benchmarks.graph_problems.golds import gold
from graphtalk.benchmarks.task import Asked, Gold, Level, Questions
from graphtalk.core import UsageError
from graphtalk.core.reading import faults, read_json

NLGRAPH = ("connectivity", "cycle", "topology", "shortest_path", "flow", "matching", "hamilton", "GNN")
_PAIR = re.compile(r"\((\d+),\s*(\d+)\)")
_WEIGHTED = re.compile(r"node (\d+) (?:and|to) node (\d+) with (?:weight|capacity) (\d+)")
_LEVELS: Mapping[str, Level] = {"easy": "easy", "medium": "medium", "hard": "hard"}


def read_nlgraph(place: Path, task: str) -> Questions:
    """The questions of a file of NLGraph, or of a folder `TASK/*.json[.gz]`. Raises UsageError where there is none."""
    asked: list[Asked] = []
    complaints: list[str] = []
    for file in _files(place, task, (".json", ".json.gz")):
        try:
            rows = dict(read_json(_text(file)))
        except (ValueError, TypeError) as error:
            raise UsageError(f"{file} is not a file of NLGraph ({error}).") from None
        for key, row in rows.items():
            try:
                found = _NLGRAPH[task](row["question"], row["answer"])
            except faults(LookupError, TypeError, ValueError, AttributeError) as error:
                complaints.append(f"{file}:{key}: not a question of NLGraph ({error!r}).")
                continue
            level = _LEVELS.get(str(row.get("difficulty", "")), "")
            asked.append(Asked(f"{task}-{key}", row["question"], found, level, task))
    return Questions(tuple(asked), tuple(complaints))


def read_graphforge(place: Path, task: str) -> Questions:
    """The questions of a file of GraphForge, or of a folder `TASK.jsonl[.gz]`. Raises UsageError where there is none."""
    asked: list[Asked] = []
    complaints: list[str] = []
    for file in _files(place, task, (".jsonl", ".jsonl.gz")):
        for number, line in enumerate(_text(file).splitlines(), 1):
            try:
                row = read_json(line)
                asked.append(Asked(f"{task}-{row['id']}", row["prompt"], _forged(task, row), "", task))
            except faults(KeyError, ValueError, TypeError, SyntaxError) as error:
                complaints.append(f"{file}:{number}: not a question of GraphForge ({error!r}).")
    return Questions(tuple(asked), tuple(complaints))


def _files(place: Path, task: str, ends: tuple[str, ...]) -> Iterator[Path]:
    if place.is_file():
        yield place
        return
    names = [*(place / f"{task}{end}" for end in ends)]
    found = [name for name in names if name.is_file()]
    if not found and (place / task).is_dir():
        found = sorted(file for file in (place / task).iterdir() if file.name.endswith(ends))
    if not found:
        raise UsageError(
            f"{place} has no questions of {task}: looked for {', '.join(map(str, names))} and a folder."
        )
    yield from found


def _text(file: Path) -> str:
    try:
        raw = file.read_bytes()
        return (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the questions {file}: {error}.") from error


def _pairs(question: str) -> list[list[int]]:
    graph = re.split(r"edges are:|Graph:", question)[-1]
    return [[int(a), int(b)] for a, b in _PAIR.findall(graph)]


def _weighted(question: str) -> list[list[int]]:
    return [[int(x) for x in row] for row in _WEIGHTED.findall(question)]


def _yes(question: str, answer: str) -> Gold:
    return gold(truth="yes" in answer.lower())


def _nl_topology(question: str, answer: str) -> Gold:
    pairs = re.findall(r"node (\d+) should be visited before node (\d+)", question)
    count = re.search(r"with (\d+) nodes", question)
    return gold(order=[[int(a), int(b)] for a, b in pairs], count=int(count[1]))  # type: ignore[index]


def _nl_shortest(question: str, answer: str) -> Gold:
    ends = re.findall(r"from node (\d+) to node (\d+)", question)[-1]
    weight = re.findall(r"weight of (\d+)", answer)[-1]
    return gold(shortest=int(weight), edges=_weighted(question), ends=[int(end) for end in ends])  # type: ignore[arg-type]


def _nl_flow(question: str, answer: str) -> Gold:
    return gold(number=int(re.findall(r"is (\d+)", answer)[-1]), most=True)


def _nl_matching(question: str, answer: str) -> Gold:
    pairs = re.findall(r"Applicant (\d+) is interested in job (\d+)", question)
    return gold(
        matching=int(re.findall(r"(\d+) applicants", answer)[-1]), pairs=[[int(a), int(b)] for a, b in pairs]
    )


def _nl_hamilton(question: str, answer: str) -> Gold:
    count = int(re.findall(r"from 0 to (\d+)", question)[-1]) + 1
    return gold(hamilton="yes" in answer.lower(), edges=_pairs(question), count=count)  # type: ignore[arg-type]


def _nl_vectors(question: str, answer: str) -> Gold:
    rows = re.findall(r"node (\d+): \[([\d,]+)\]", answer)
    return gold(vectors={node: [int(x) for x in row.split(",")] for node, row in rows})


_NLGRAPH: Mapping[str, Callable[[str, str], Gold]] = {
    "connectivity": _yes,
    "cycle": _yes,
    "topology": _nl_topology,
    "shortest_path": _nl_shortest,
    "flow": _nl_flow,
    "matching": _nl_matching,
    "hamilton": _nl_hamilton,
    "GNN": _nl_vectors,
}


def _forged(task: str, row: Mapping[str, Any]) -> Gold:
    """GraphForge's answers are numbers and truths; of a topological order any is right."""
    if task == "topo":
        nodes = ast.literal_eval(row["answer"])
        return gold(order=[list(edge) for edge in ast.literal_eval(row["edges"])], count=len(nodes))
    answer = row["answer"]
    return gold(truth=answer) if isinstance(answer, bool) else gold(number=answer)
