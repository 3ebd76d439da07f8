"""Reads the questions of text2cypher schemas with the reader, and says how many readings are right.

    .venv/bin/python scripts/measure_reader.py SETS GRAPHS OUT NAME ... [--most N] [--weights FOLDER]

SETS is the folder `text2cypher`, GRAPHS holds each schema's graph as imported. OUT gets a line a question: what was
answered (as `graphtalk ask --file` writes it), the candidates' features, and whether each is right by result and by form.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import Query
from graphtalk.core import GraphtalkError, UsageError
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.run import run
from graphtalk.graphs import Graph, open_graph
from graphtalk.reasoners.reader.network import Network, load_weights
from graphtalk.reasoners.reader.reader import GraphReader, Reader, Rows, load_reader
from graphtalk.reasoners.reader.reading import Column, Reading, written
from graphtalk.search.index import Index
from graphtalk.reasoners.reader.labels import Unread, reading_of

THRESHOLDS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)


class NoLimits:
    """A meter that never runs out."""

    def take(self, rows: int, width: int = 40) -> None:
        """Nothing is counted."""

    def look(self) -> None:
        """Nothing is timed."""


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", type=Path)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="+")
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--weights", type=Path)
    options = parser.parse_args()
    reader = _reader(options.weights)
    every = []
    with options.out.open("w", encoding="utf-8") as file:
        for name in options.names:
            graph = open_graph(options.graphs / name)
            if not isinstance(graph, Graph):
                raise UsageError(f"{name} is a set of graphs.")
            rows = _questions(options.sets, name)
            own = reader.over(graph, Index.open(graph))
            found = [_asked(row, graph, own) for row in rows[: options.most]]
            for each in found:
                file.write(json.dumps({"schema": name, **each}, ensure_ascii=False) + "\n")
            _summed(name, found)
            every += found
    if len(options.names) > 1:
        _summed("all", every)
    _curve(every)


def _questions(sets: Path, name: str) -> list[dict[str, Any]]:
    """The questions of a schema of text2cypher, or of `geoquery` beside it."""
    if name == "geoquery":
        lines = (sets.parent / name / "train.jsonl").read_text("utf-8").splitlines()
        return [{**row, "columns": [row["gold"]]} for row in map(json.loads, lines)]
    lines = (sets / "graphs" / name / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _reader(folder: Path | None) -> Reader:
    if folder is None:
        return load_reader()
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file("src/graphtalk/search/models/tokenizer.json")
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # Features are in the order of confidence.FEATURES: the third is the share of the beam.
    return Reader(Network(load_weights(sorted(folder.glob("*.npz")))), tokenizer, lambda x: x[:, 2])


def _asked(row: dict[str, Any], graph: Graph, reader: GraphReader) -> dict[str, Any]:
    started = time.perf_counter()
    candidates = reader.read(row["question"], lambda query: _rows(query, graph))
    seconds = time.perf_counter() - started
    gold = _gold(row, reader)
    told = []
    for c in candidates:
        value = [r[0] for r in c.rows] if c.rows is not None else None
        form = c.reading is not None and gold is not None and _form(c.reading) == _form(gold)
        told.append(
            {
                "told": c.told,
                "probability": c.probability,
                "features": c.features,
                "right": value is not None and _right(row, c.rows or ()),
                "form": form,
                "actions": [] if c.reading is None else written(c.reading),
            }
        )
    first = candidates[0] if candidates else None
    answered = first is not None and first.rows is not None
    return {
        "id": row["id"],
        "question": row["question"],
        "answered": answered,
        "value": [str(r[0]) for r in first.rows] if first is not None and first.rows is not None else None,
        "gold": None if gold is None else written(gold),
        "seconds": seconds,
        "candidates": told,
    }


def _rows(query: Query, graph: Graph) -> Rows | None:
    try:
        return list(run(query, Frame(graph, NoLimits(), _no_calls)).records())
    except GraphtalkError:
        return None


def _no_calls(call: object) -> None:
    raise ValueError("There are no calls here.")


def _gold(row: dict[str, Any], reader: GraphReader) -> Reading | None:
    if "cypher" not in row:
        return None
    try:
        return reading_of(parse_query(row["cypher"]), reader.shape, reader.link(row["question"]))
    except (Unread, GraphtalkError, KeyError):
        return None


def _form(reading: Reading) -> list[str]:
    """What must be the same: all but the columns beside the first."""
    from dataclasses import replace

    first = reading.columns[:1] or (Column("NODE"),)
    try:
        return written(replace(reading, columns=first))
    except KeyError:
        return written(reading)


def _norm(x: object) -> str:
    try:
        return str(round(float(str(x).replace(",", "")), 2))
    except ValueError:
        return str(x).strip().lower()


def _right(row: dict[str, Any], rows: Rows) -> bool:
    """As `score_questions.py` judges: the first column is what a column of the known result says."""
    ours = {_norm(r[0]) for r in rows if r[0] is not None}
    for i, column in enumerate(row["columns"]):
        gold = {_norm(x) for x in column}
        if ours and (ours == gold or _near(ours, gold)):
            return True
        if (
            "any_of" in row
            and ours
            and ours <= {_norm(x) for x in row["any_of"][i]}
            and len(ours) >= min(row["limit"], len(row["any_of"][i]))
        ):
            return True
    return False


def _near(ours: set[str], gold: set[str]) -> bool:
    if len(ours) == len(gold) == 1:
        try:
            x, y = float(next(iter(ours))), float(next(iter(gold)))
        except ValueError:
            return False
        return abs(x - y) <= 1e-3 * max(1.0, abs(y))
    return False


def _summed(name: str, found: Sequence[dict[str, Any]]) -> None:
    n = len(found)
    first = [f["candidates"][0] if f["candidates"] else {} for f in found]
    right, form = sum(c.get("right", False) for c in first), sum(c.get("form", False) for c in first)
    among = sum(any(c["right"] for c in f["candidates"]) for f in found)
    formed = sum(any(c["form"] for c in f["candidates"]) for f in found)
    known = sum(f["gold"] is not None for f in found)
    print(
        f"{name:18s} {n:4d}: first right {100 * right / n:.1f} % by result, {100 * form / n:.1f} % by form; among candidates "
        f"{100 * among / n:.1f} %, {100 * formed / n:.1f} %; gold in normal form {100 * known / n:.1f} %; "
        f"median {1000 * np.median([f['seconds'] for f in found]):.0f} ms"
    )


def _curve(found: Sequence[dict[str, Any]]) -> None:
    n = len(found)
    print("threshold: right / declined / wrong, by result; right by form, of 100 questions")
    for t in THRESHOLDS:
        taken = [
            f["candidates"][0] for f in found if f["answered"] and f["candidates"][0]["probability"] >= t
        ]
        right, form = sum(c["right"] for c in taken), sum(c["form"] for c in taken)
        print(
            f"{t:.2f}: {100 * right / n:5.1f} {100 * (n - len(taken)) / n:5.1f} {100 * (len(taken) - right) / n:5.1f}   {100 * form / n:5.1f}"
        )


if __name__ == "__main__":
    main()
