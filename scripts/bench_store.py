"""How fast a store opens and is looked up, beside networkx and a plain dictionary. Asserts nothing.

    .venv/bin/python scripts/bench_store.py [--nodes 1000000] [--edges-per-node 10]

The rivals (a networkx graph from a pickle, a dictionary from JSON, as the Graph-CoT reference loads) hold the
same data at a tenth of the size, where they still fit into memory, and graphtalk is measured there too: the
ratios are of that size.
"""

import argparse
import gc
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, open_graph, write
from tables import Row, machine, quickest, seconds_of, show

LOOKUPS = 20_000
COLD_LOOKUPS = 500
Look = Callable[[str], object]


def main() -> None:
    """Run both parts."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--nodes", type=int, default=1_000_000)
    options.add_argument("--edges-per-node", type=int, default=10)
    given = options.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        nodes, degree = given.nodes, given.edges_per_node
        place = Path(folder) / "large.gt"
        write(random_graph(nodes, degree), place)
        show(
            title("One store", nodes, degree),
            ("what", "median", "p99", "p99, processor"),
            store_rows(place, nodes),
        )
        nodes //= 10
        head = ("what", "open", "look-up, median", "look-up, p99", "open / ours", "p99 / ours")
        show(title("Against others", nodes, degree), head, rival_rows(Path(folder), nodes, degree))


def title(what: str, nodes: int, degree: int) -> str:
    """A heading that says how large the graph is."""
    return f"{what}: {nodes:,} nodes, {nodes * degree:,} edges"


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


def opened(place: Path) -> Graph:
    """The graph of a store."""
    graph = open_graph(place)
    if not isinstance(graph, Graph):
        raise TypeError(f"{place} holds a graph set")
    return graph


def looker(graph: Graph) -> Look:
    """Features and neighbours of a node by id."""
    return lambda key: (graph.features(node := graph.node(key)), graph.neighbours(node, "to"))


def store_rows(place: Path, nodes: int) -> list[Row]:
    """Open and look-up times of one large store, before and after its files are in the page cache."""
    drop_cached(place)
    first_open = seconds_of(lambda: opened(place))
    drop_cached(place)
    cold = lookups(looker(opened(place)), nodes, COLD_LOOKUPS, seed=1)
    opening = [seconds_of(lambda: opened(place)) for _ in range(50)]
    for file in place.rglob("*"):
        if file.is_file():
            file.read_bytes()
    look = looker(opened(place))
    lookups(look, nodes, LOOKUPS, seed=2)
    warm = lookups(look, nodes, LOOKUPS, seed=3)
    return [
        (f"size on disk {folder_size(place) / 1e6:,.0f} MB; memory after opening {memory(place) / 1e6:.1f} MB", "", "", ""),
        ("open", f"{np.median(opening) * 1e3:.2f} ms", f"{np.quantile(opening, 0.99) * 1e3:.2f} ms", ""),
        ("features + neighbours by id", *micro(warm)),
        ("open, files not in the page cache", f"{first_open * 1e3:.1f} ms", "", ""),
        ("look-up, files not in the page cache", *micro(cold)),
    ]  # fmt: skip


def micro(took: np.ndarray) -> Row:
    """Median, 99th percentile, and that of processor time, in microseconds. `took` has shape (n, 2)."""
    wall, processor = took.T * 1e6
    return (
        f"{np.median(wall):.1f} µs",
        f"{np.quantile(wall, 0.99):.1f} µs",
        f"{np.quantile(processor, 0.99):.1f} µs",
    )


def memory(place: Path) -> int:
    """Bytes by which a fresh process grows when it opens a store."""
    code = (
        "import resource\nfrom graphtalk.graphs import open_graph\n"
        "def held(): return int(open('/proc/self/statm').read().split()[1]) * resource.getpagesize()\n"
        f"before = held()\ngraph = open_graph({str(place)!r})\nprint(held() - before)"
    )
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def drop_cached(place: Path) -> None:
    """Ask the system to forget the files of a store that nothing maps any more."""
    gc.collect()
    os.sync()
    for file in place.rglob("*"):
        if file.is_file():
            with file.open("rb") as handle:
                os.posix_fadvise(handle.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def rival_rows(folder: Path, nodes: int, degree: int) -> list[Row]:
    """The same graph here, in networkx, and as a dictionary from JSON: each opened, looked up, and let go."""
    place, as_json, as_pickle = folder / "small.gt", folder / "graph.json", folder / "graph.pickle"
    write_rivals(random_graph(nodes, degree), place, as_json, as_pickle)

    def in_dictionary(loaded: dict[str, dict[str, object]]) -> Look:
        return lambda key: (loaded[key]["features"], loaded[key]["neighbors"])

    def in_networkx(other: nx.MultiDiGraph) -> Look:
        return lambda key: (other.nodes[key], list(other.successors(key)))

    ways: dict[str, tuple[Callable[[], object], Callable[..., Look]]] = {
        "graphtalk": (lambda: opened(place), looker),
        "JSON dictionary": (lambda: json.loads(as_json.read_bytes()), in_dictionary),
        "networkx (pickle)": (lambda: pickle.loads(as_pickle.read_bytes()), in_networkx),  # noqa: S301  made here
    }
    measured = {}
    for name, (load, look_in) in ways.items():
        took, _ = quickest(load, 3)
        look = look_in(load())
        lookups(look, nodes, LOOKUPS, seed=2)
        measured[name] = took, *np.quantile(lookups(look, nodes, LOOKUPS, seed=3)[:, 0], (0.5, 0.99))
    our_open, _, our_p99 = measured["graphtalk"]
    return [
        (name, f"{took * 1e3:,.2f} ms", f"{median * 1e6:.1f} µs", f"{p99 * 1e6:.1f} µs",
         f"{took / our_open:,.1f}", f"{p99 / our_p99:,.2f}")
        for name, (took, median, p99) in measured.items()
    ]  # fmt: skip


def write_rivals(graph: Graph, place: Path, as_json: Path, as_pickle: Path) -> None:
    """A graph as a store, as the JSON of a dictionary, and as a pickle of networkx."""
    write(graph, place)
    ids = graph.ids()
    plain = {
        key: {"features": graph.features(n), "neighbors": {"to": [ids[t] for t in graph.neighbours(n, "to")]}}
        for n, key in enumerate(ids)
    }
    as_json.write_text(json.dumps(plain))
    other = nx.MultiDiGraph()
    other.add_nodes_from((key, node["features"]) for key, node in plain.items())
    other.add_edges_from((key, t) for key, node in plain.items() for t in node["neighbors"]["to"])
    as_pickle.write_bytes(pickle.dumps(other))


def lookups(look: Look, nodes: int, count: int, seed: int) -> np.ndarray:
    """Seconds and processor seconds of `count` look-ups of random nodes by id. Shape (count, 2)."""
    took = np.empty((count, 2))
    for i, number in enumerate(np.random.default_rng(seed).integers(nodes, size=count).tolist()):
        key = f"n{number}"
        processor, wall = time.thread_time(), time.perf_counter()
        look(key)
        took[i] = time.perf_counter() - wall, time.thread_time() - processor
    return took


def folder_size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


if __name__ == "__main__":
    main()
