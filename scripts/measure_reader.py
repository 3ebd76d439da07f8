"""Reads the questions of text2cypher schemas with the network alone, and says how many readings are right.

    .venv/bin/python scripts/measure_reader.py SETS GRAPHS OUT NAME ... [--most N] [--weights FOLDER]

SETS is the folder `text2cypher`, GRAPHS holds each schema's graph as imported. OUT gets a line a question: the readings,
the likeliest first, and whether each is right by result and by form. What `ask` answers is judged from more than this:
`scripts/collect_judged.py`.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import Query
from graphtalk.core import GraphtalkError, UsageError
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.run import run
from graphtalk.graphs import Graph, open_graph
from graphtalk.language.wordpiece import wordpiece
from graphtalk.reasoners.reader.labels import Unread, reading_of
from graphtalk.reasoners.reader.network import Network
from graphtalk.reasoners.reader.reader import GraphReader, Reader, load_reader
from graphtalk.reasoners.reader.reading import Column, Reading, written
from graphtalk.search.index import Index
from graphtalk.search.transformer import load_weights, minilm

Rows: TypeAlias = Sequence[Sequence[object]]


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
    return Reader(Network(minilm() | load_weights(sorted(folder.glob("*.npz")))), wordpiece())


def _asked(row: dict[str, Any], graph: Graph, reader: GraphReader) -> dict[str, Any]:
    started = time.perf_counter()
    guesses = reader.ask(row["question"]).guesses()
    ran = [(read, None if read.query is None else _rows(read.query, graph)) for read in guesses]
    seconds = time.perf_counter() - started
    gold = _gold(row, reader)
    told = [
        {
            "told": read.told,
            "log": read.log,
            "right": rows is not None and _right(row, rows),
            "form": read.reading is not None and gold is not None and _form(read.reading) == _form(gold),
            "actions": written(read.reading),
        }
        for read, rows in ran
        if read.reading is None or rows is not None
    ]
    return {
        "id": row["id"],
        "question": row["question"],
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


if __name__ == "__main__":
    main()
