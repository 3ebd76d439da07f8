"""How many edges a second an import reads, beside networkx and a plain dictionary. Asserts nothing.

    .venv/bin/python scripts/bench_import.py [--data ../shared/data]

The edges are Hetionet's, from its compressed edge list. The rivals split the same lines of the same file in a
loop over its lines, as their users do, and check nothing.
"""

import argparse
import gzip
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

from graphtalk.app.ask import import_graph
from graphtalk.app.console import ImportBar
from graphtalk.graphs import write
from graphtalk.graphs.read import read_graph
from tables import Row, machine, quickest, show

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Find the data and measure."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    source = options.parse_args().data / "hetionet"
    if not source.is_dir():
        sys.exit(f"No folder {source}: what is imported comes from the benchmark data.")
    print(machine())
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
