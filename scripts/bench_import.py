"""How many edges a second an import reads, beside networkx and a plain dictionary. Asserts nothing.

    .venv/bin/python scripts/bench_import.py [--data ../shared/data]

The edges are Hetionet's, from its compressed edge list. The rivals split the same lines of the same file in a
loop over its lines, as their users do, and check nothing. Beside that a table of 100,000 people and one of a million
edges between them, with vectors made later, at once and never; it needs no data.
"""

import argparse
import gzip
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import get_args

import networkx as nx
import numpy as np
import pyarrow as pa
from pyarrow.csv import write_csv

from graphtalk.app.ask import import_graph
from graphtalk.app.console import ImportBar
from graphtalk.graphs import write
from graphtalk.graphs.read import read_graph
from graphtalk.search.dense import When
from tables import Row, machine, quickest, show

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Find the data and measure."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    source = options.parse_args().data / "hetionet"
    print(machine())
    show(
        "Import of 100,000 nodes and 1,000,000 edges from two CSV files",
        ("vectors", "seconds", "processor seconds", "rows/s", "store, MB"),
        vector_rows(100_000, 1_000_000),
    )
    if not source.is_dir():
        sys.exit(f"No folder {source}: what else is imported comes from the benchmark data.")
    show(
        "Import of Hetionet",
        ("what", "seconds", "processor seconds", "rows/s", "seconds / ours"),
        import_rows(source),
    )


def import_rows(source: Path) -> list[Row]:
    """Reading, writing, all with the search index; and the rivals' reading."""
    file = source / "edges.sif.gz"
    edges = sum(1 for _ in lines(file))
    bar = ImportBar()
    graph = read_graph([source], recipe="hetionet", progress=bar)
    reading = quickest(lambda: read_graph([source], recipe="hetionet"))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "hetionet.gt"
        writing = quickest(lambda: write(graph, place))
        whole = quickest(lambda: import_graph([source], place, recipe="hetionet"), 3)
    took = [
        ("graphtalk: read and checked", bar.rows, *reading),
        ("graphtalk: written", bar.rows, *writing),
        ("graphtalk import, with its search index", bar.rows, *whole),
        ("networkx: read", edges, *quickest(lambda: into_networkx(file), 2)),
        ("plain dictionary: read", edges, *quickest(lambda: into_dictionary(file), 2)),
    ]
    return [
        (what, f"{wall:.2f}", f"{processor:.2f}", f"{rows / wall:,.0f}", f"{wall / reading[0]:.1f}")
        for what, rows, wall, processor in took
    ]


def vector_rows(nodes: int, edges: int) -> list[Row]:
    """Imports of the same two files that differ in when vectors are made."""
    chance = np.random.default_rng(1)
    syllables = np.array([c + v for c in "bcdfghklmnprstvz" for v in "aeiou"])
    names = ["{}{} {}{}{}".format(*row).title() for row in chance.choice(syllables, (nodes, 5)).tolist()]
    ids = np.array([f"p{i}" for i in range(nodes)])
    people = {"id": ids, "name": names, "age": chance.integers(1, 90, nodes)}
    knows = {end: ids[chance.integers(0, nodes, edges)] for end in ("source", "target")}
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "people.csv", Path(folder) / "knows.csv"]
        for file, columns in zip(files, (people, knows), strict=True):
            write_csv(pa.table(columns), file)
        for when in get_args(When):
            place = Path(folder) / f"{when}.gt"
            wall, processor = quickest(partial(import_graph, files, place, vectors=when), 3)
            size = sum(p.stat().st_size for p in place.rglob("*") if p.is_file())
            rate = (nodes + edges) / wall
            rows.append((when, f"{wall:.2f}", f"{processor:.2f}", f"{rate:,.0f}", f"{size / 1e6:.0f}"))
    return rows


def lines(file: Path) -> Iterator[list[str]]:
    """Source, relation and target of every edge."""
    with gzip.open(file, "rt", encoding="utf-8") as opened:
        next(opened)
        for line in opened:
            yield line.rstrip("\n").split("\t")


def into_networkx(file: Path) -> nx.MultiDiGraph:
    """The edges in networkx."""
    graph = nx.MultiDiGraph()
    graph.add_edges_from((source, target, relation) for source, relation, target in lines(file))
    return graph


def into_dictionary(file: Path) -> dict[str, dict[str, list[str]]]:
    """The edges as a dictionary of each node's neighbours, both ways."""
    found: dict[str, dict[str, list[str]]] = {}
    for source, relation, target in lines(file):
        found.setdefault(source, {}).setdefault(relation, []).append(target)
        found.setdefault(target, {}).setdefault(relation, []).append(source)
    return found


if __name__ == "__main__":
    main()
