"""How fast a graph opens and is looked up, imports, and answers. Prints tables; asserts nothing.

    python scripts/bench_store.py                          # 1,000,000 nodes, 10,000,000 edges
    python scripts/bench_store.py --nodes 100000 --source FOLDER --recipe hetionet

The rivals (a networkx graph from a pickle, a plain dictionary from JSON, as the Graph-CoT reference loads)
hold the same data at a tenth of the size, where they still fit into memory, and graphtalk is measured there
too: the ratios are of that size.
"""

import argparse
import json
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
from rich.console import Console
from rich.table import Table

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, open_graph, write

LOOKUPS = 20_000
QUESTIONS = ("What is the capital of Japan?", "Which countries border both France and Germany?")
Row = tuple[str, str, str]


def main() -> None:
    """Run all parts."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nodes", type=int, default=1_000_000)
    options.add_argument("--edges-per-node", type=int, default=10)
    options.add_argument("--source", type=Path, help="a folder to import, such as Hetionet's")
    options.add_argument("--recipe", default="", help="how to import it")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show("Open and look up", store_rows(Path(folder), given.nodes, given.edges_per_node))
        show("Against others", rival_rows(Path(folder), given.nodes // 10, given.edges_per_node))
        if given.source:
            show("Import", import_rows(given.source, given.recipe, Path(folder) / "imported.gt"))
        show("Processes", process_rows())
        show("Questions", question_rows("atlas", QUESTIONS))


def show(title: str, rows: list[Row]) -> None:
    """Print a table."""
    table = Table("what", "measured", "beside", title=title, title_justify="left")
    for row in rows:
        table.add_row(*row)
    Console(width=110).print(table)


def random_graph(nodes: int, degree: int) -> Graph:
    """A random graph with a name and a number on every node."""
    rng = np.random.default_rng(7)
    table = pa.table(
        {
            "id": [f"n{i}" for i in range(nodes)],
            "name": [f"node number {i}" for i in range(nodes)],
            "weight": rng.random(nodes),
        }
    )
    source, target = rng.integers(nodes, size=(2, nodes * degree))
    return build([NodeTable("node", table, "name")], [EdgeTable("to", "node", "node", source, target)])


def store_rows(folder: Path, nodes: int, degree: int) -> list[Row]:
    """Open and look-up times of one large store, and its memory."""
    place = folder / "large.gt"
    write(random_graph(nodes, degree), place)
    opening = [timed(lambda: open_graph(place)) for _ in range(20)]
    code = (
        "import resource\nfrom graphtalk.graphs import open_graph\n"
        "def held(): return int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize()\n"
        f"before = held()\ngraph = open_graph({str(place)!r})\nprint(held() - before)"
    )
    memory = int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    graph = open_graph(place)
    assert isinstance(graph, Graph)
    took = lookups(lambda key: (graph.features(graph.node(key)), graph.neighbours(graph.node(key))), nodes)
    return [
        (
            "graph",
            f"{nodes:,} nodes, {nodes * degree:,} edges",
            f"{folder_size(place) / 1e6:,.0f} MB on disk",
        ),
        ("open, median", f"{np.median(opening) * 1e3:.2f} ms", f"memory {memory / 1e6:.1f} MB"),
        ("features + neighbours by id, median", f"{np.median(took) * 1e6:.1f} µs", ""),
        ("features + neighbours by id, p99", f"{np.quantile(took, 0.99) * 1e6:.1f} µs", ""),
    ]


def rival_rows(folder: Path, nodes: int, degree: int) -> list[Row]:
    """The same graph in networkx and as a dictionary from JSON."""
    place, graph = folder / "small.gt", random_graph(nodes, degree)
    write(graph, place)
    ids = graph.ids()
    features = [graph.features(n) for n in range(nodes)]
    neighbours = [[ids[t] for t in graph.neighbours(n, "to")] for n in range(nodes)]
    as_json = folder / "graph.json"
    plain = {
        i: {"features": f, "neighbors": {"to": ts}}
        for i, f, ts in zip(ids, features, neighbours, strict=True)
    }
    as_json.write_text(json.dumps(plain))
    as_pickle = folder / "graph.pickle"
    as_pickle.write_bytes(pickle.dumps(as_networkx(plain)))

    opened: dict[str, float] = {}
    looked: dict[str, float] = {}
    opened["graphtalk"] = float(np.median([timed(lambda: open_graph(place)) for _ in range(5)]))
    mapped = open_graph(place)
    assert isinstance(mapped, Graph)
    looked["graphtalk"] = p99(
        lambda key: (mapped.features(mapped.node(key)), mapped.neighbours(mapped.node(key), "to")), nodes
    )
    opened["JSON dictionary"] = timed(lambda: json.loads(as_json.read_bytes()))
    loaded = json.loads(as_json.read_bytes())
    looked["JSON dictionary"] = p99(lambda key: (loaded[key]["features"], loaded[key]["neighbors"]), nodes)
    opened["networkx"] = timed(lambda: pickle.loads(as_pickle.read_bytes()))  # noqa: S301  made above
    other = pickle.loads(as_pickle.read_bytes())  # noqa: S301
    looked["networkx"] = p99(lambda key: (other.nodes[key], list(other.successors(key))), nodes)
    ours = opened["graphtalk"]
    return [
        (f"{name}: {nodes:,} nodes, {nodes * degree:,} edges",
         f"open {took * 1e3:,.2f} ms, look-up p99 {looked[name] * 1e6:.1f} µs",
         f"opens {took / ours:,.0f} times as long" if took != ours else "")
        for name, took in opened.items()
    ]  # fmt: skip


def as_networkx(plain: dict[str, dict[str, dict[str, object]]]) -> object:
    """The same graph as networkx holds it."""
    import networkx as nx

    made = nx.MultiDiGraph()
    made.add_nodes_from((key, node["features"]) for key, node in plain.items())
    made.add_edges_from((key, t) for key, node in plain.items() for t in node["neighbors"]["to"])  # type: ignore[attr-defined]
    return made


def import_rows(source: Path, recipe: str, place: Path) -> list[Row]:
    """Rows a second of one import, with and without its search index."""
    from graphtalk.app.ask import import_graph
    from graphtalk.app.console import ImportBar
    from graphtalk.graphs.read import read_graph

    bar = ImportBar()
    started = time.perf_counter()
    graph = read_graph([source], recipe=recipe or None, progress=bar)
    reading = time.perf_counter() - started
    write(graph, place)
    written = time.perf_counter() - started
    whole = timed(lambda: import_graph([source], place, recipe=recipe))
    return [
        ("read", f"{bar.rows / reading:,.0f} rows/s", f"{bar.rows:,} rows, {reading:.1f} s"),
        ("read and written", f"{bar.rows / written:,.0f} rows/s", f"{written:.1f} s"),
        ("with its search index", f"{bar.rows / whole:,.0f} rows/s", f"{whole:.1f} s"),
    ]


def process_rows() -> list[Row]:
    """Whole processes, best of five after one to warm the disk."""
    cold = [sys.executable, "-m", "graphtalk"]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "import graphtalk": [sys.executable, "-c", "import graphtalk"],
        "graphtalk --help": [*cold, "--help"],
        "graphtalk call atlas …": [*cold, "call", "atlas", 'RetrieveNode["France"]'],
        "graphtalk ask atlas …": [*cold, "ask", "atlas", QUESTIONS[1]],
    }
    return [(name, f"{process_time(command) * 1e3:.0f} ms", "") for name, command in commands.items()]


def process_time(command: list[str]) -> float:
    """The shortest of five runs, in seconds."""
    times = [timed(lambda: subprocess.run(command, capture_output=True, check=True)) for _ in range(6)]
    return min(times[1:])


def question_rows(store: str, questions: tuple[str, ...]) -> list[Row]:
    """Warm answers in one process."""
    import graphtalk as gt

    graph = gt.open(store)
    rows = []
    for question in questions:
        first = timed(lambda q=question: gt.ask(graph, q))  # type: ignore[misc]
        warm = [timed(lambda q=question: gt.ask(graph, q)) for _ in range(10)]  # type: ignore[misc]
        rows.append((question, f"warm {np.median(warm) * 1e3:.1f} ms", f"first {first * 1e3:.0f} ms"))
    return rows


def lookups(look: Callable[[str], object], nodes: int) -> list[float]:
    """Seconds of LOOKUPS look-ups of random nodes by id."""
    keys = [f"n{i}" for i in np.random.default_rng(3).integers(nodes, size=LOOKUPS)]
    return [timed(lambda key=key: look(key)) for key in keys]  # type: ignore[misc]


def p99(look: Callable[[str], object], nodes: int) -> float:
    """The 99th percentile of look-ups, in seconds."""
    return float(np.quantile(lookups(look, nodes), 0.99))


def timed(work: Callable[[], object]) -> float:
    """Seconds that `work` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def folder_size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


if __name__ == "__main__":
    main()
