"""WebQSP (Yih et al., 2016) in the form of RoG (Luo et al., 2023): questions about parts of Freebase.

    {"id": "…", "question": "…", "answer": ["…"], "graph": [["head", "relation", "tail"], …], …}

Parquet, JSON, or JSON lines; the split stands in the file's name: train, validation (or dev, val), test. All is
lower-cased (appendix C).
"""

from collections.abc import Iterator
from pathlib import Path

from graphtalk.benchmarks.graphqa.prompts import as_question
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits, files_in, need
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import SourceError, UsageError
from graphtalk.core.reading import read_json
from graphtalk.training.text_graphs import TextGraph

PATTERNS = ("*.parquet", "data/*.parquet", "*.jsonl", "*.json")
_SPLITS = {
    "train": "train",
    "validation": "validation",
    "val": "validation",
    "dev": "validation",
    "test": "test",
}
_BATCH = 64  # rows that are read at a time: each has a graph of thousands of triples


def read(data: Path) -> Splits:
    """The questions of a folder, by the split in each file's name. Raises UsageError where there is none."""
    parts: dict[str, list[GraphQuestion]] = {"train": [], "validation": [], "test": []}
    complaints = []
    for path in files_in(data, PATTERNS):
        part = parts[_split_of(path)]
        for number, row in enumerate(_rows(path), 1):
            try:
                part.append(_question(row, f"row {number}"))
            except SourceError as error:
                complaints.append(f"{path}:{error}")
    if not any(parts.values()):
        raise UsageError(f"{data} holds no question of WebQSP. {' '.join(complaints[:1])}".strip())
    train, validation, test = (tuple(part) for part in parts.values())
    return Splits(train, validation, test, tuple(complaints))


def _split_of(path: Path) -> str:
    word = path.name.replace("-", ".").replace("_", ".").split(".")
    named = next((_SPLITS[part] for part in word if part in _SPLITS), None)
    if named is None:
        raise UsageError(f"{path}: its name does not say which split it is: {', '.join(_SPLITS)}.")
    return named


def _rows(path: Path) -> Iterator[object]:
    if path.suffix == ".parquet":
        yield from _parquet(path)
        return
    try:
        text = path.read_text(encoding="utf-8")
        rows = read_json(text) if path.suffix == ".json" else [read_json(x) for x in text.splitlines() if x]
    except (OSError, ValueError) as error:
        raise UsageError(f"Cannot read {path}: {error}.") from error
    yield from rows if isinstance(rows, list) else [rows]


def _parquet(path: Path) -> Iterator[object]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(_BATCH):
                yield from batch.to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise UsageError(f"Cannot read {path}: {error}.") from error


def _question(row: object, place: str) -> GraphQuestion:
    text = str(need(row, "question", str, place)).lower()
    answers = need(row, "answer", list, place)
    triples = need(row, "graph", list, place)
    assert isinstance(row, dict) and isinstance(answers, list) and isinstance(triples, list)
    if any(not isinstance(triple, list) or len(triple) != 3 for triple in triples):
        raise SourceError(f"{place}: an entry of the graph is no triple.")
    names = tuple(dict.fromkeys(str(name).lower() for name in answers))
    graph = TextGraph.of_triples((str(h).lower(), str(r).lower(), str(t).lower()) for h, r, t in triples)
    asked = Asked(str(row.get("id") or place), text, Gold("|".join(names), names))
    return GraphQuestion(asked, graph, as_question(text))
