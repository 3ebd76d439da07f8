"""How many edges a second an import reads, beside networkx and a plain dictionary. Asserts nothing.

    .venv/bin/python scripts/bench_import.py [--data ../shared/data]
    .venv/bin/python scripts/bench_import.py --bounded 10000000 30000000 2GB

The edges are Hetionet's, from its compressed edge list. The rivals split the same lines of the same file in a
loop over its lines, as their users do, and check nothing. Beside that a table of 100,000 people and one of a million
edges between them, with vectors made later, at once and never; it needs no data. `--bounded` imports so many nodes and edges
within a bound of memory instead, and says how much the command held at most.
"""

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import get_args

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.csv import CSVWriter, write_csv

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
    options.add_argument("--bounded", nargs=3, metavar=("NODES", "EDGES", "MEMORY"))
    chosen = options.parse_args()
    source = chosen.data / "hetionet"
    print(machine())
    if chosen.bounded:
        nodes, edges, memory = chosen.bounded
        columns = (
            "what",
            "bound",
            "held, MB",
            "of it no file's, MB",
            "seconds",
            "processor seconds",
            "store, MB",
        )
        title = f"Import of {int(nodes):,} nodes and {int(edges):,} edges from CSV"
        show(title, columns, bounded_rows(int(nodes), int(edges), memory))
        return
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


def bounded_rows(nodes: int, edges: int, memory: str) -> list[Row]:
    """The command as a process of its own, with its search index and without vectors."""
    with tempfile.TemporaryDirectory() as folder:
        files = large_files(Path(folder), nodes, edges)
        place = Path(folder) / "large.gt"
        command = [sys.executable, "-m", "graphtalk", "import", *map(str, files), "-o", str(place)]
        started = time.perf_counter()
        process = subprocess.Popen([*command, "--no-vectors", "--memory", memory], stdout=subprocess.DEVNULL)
        status, most = Path(f"/proc/{process.pid}/status"), 0
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            most = max(most, *map(int, re.findall(r"RssAnon:\s+(\d+)", status.read_text()) or [0]))
            time.sleep(0.1)
        seconds, used = time.perf_counter() - started, ended[2]
        if ended[1]:
            sys.exit("The import failed.")
        size = sum(p.stat().st_size for p in place.rglob("*") if p.is_file())
    took = f"{seconds:.0f}", f"{used.ru_utime + used.ru_stime:.0f}", f"{size / 1e6:,.0f}"
    return [("graphtalk import", memory, f"{used.ru_maxrss / 1e3:,.0f}", f"{most / 1e3:,.0f}", *took)]


def large_files(folder: Path, nodes: int, edges: int) -> list[Path]:
    """Two CSV files, written a million rows at a time: people, and whom they know."""
    chance = np.random.default_rng(1)
    syllables = pa.array([c + v for c in "bcdfghklmnprstvz" for v in "aeiou"])

    def numbered(numbers: np.ndarray) -> pa.Array:
        return pc.binary_join_element_wise("p", pa.array(numbers).cast(pa.string()), "")

    def people(start: int, count: int) -> list[pa.Array]:
        parts = [syllables.take(pa.array(chance.integers(0, len(syllables), count))) for _ in range(4)]
        first, last = (pc.binary_join_element_wise(*pair, "") for pair in (parts[:2], parts[2:]))
        names = pc.binary_join_element_wise(first, last, " ")
        return [numbered(np.arange(start, start + count)), names, pa.array(chance.integers(1, 90, count))]

    def knows(start: int, count: int) -> list[pa.Array]:
        return [numbered(chance.integers(0, nodes, count)) for _ in range(2)]

    made = []
    for name, rows, columns, total in (
        ("people", people, ["id", "name", "age"], nodes),
        ("knows", knows, ["source", "target"], edges),
    ):
        made.append(folder / f"{name}.csv")
        parts = [(start, min(1_000_000, total - start)) for start in range(0, total, 1_000_000)]
        first = pa.table(rows(*parts[0]), names=columns)
        with CSVWriter(made[-1], first.schema) as writer:
            writer.write_table(first)
            for part in parts[1:]:
                writer.write_table(pa.table(rows(*part), names=columns))
    return made


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
