"""How fast a graph is exported to each format, on this machine.

python scripts/bench_export.py [NODES] [EDGES]    # 200,000 and 1,000,000 if not given
"""

import resource
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.graphs.writers.registry import WRITERS


def made(nodes: int, edges: int) -> Graph:
    """A random graph with texts, numbers and an escaped sign."""
    random = np.random.default_rng(0)
    ids = [f"n{i}" for i in range(nodes)]
    names, ages = [f"Name & {i}" for i in range(nodes)], random.integers(0, 99, nodes)
    table = pa.table({"id": ids, "name": names, "age": ages, "share": random.random(nodes)})
    since = pa.table({"since": random.integers(1900, 2020, edges)})
    ends = random.integers(0, nodes, (2, edges))
    knows = EdgeTable("knows", "person", "person", ends[0], ends[1], since)
    return build([NodeTable("person", table, "name")], [knows], "random")


def main() -> None:
    """Export to each format but the drawings, one after the other."""
    nodes, edges = (int(word) for word in (sys.argv[1:] + ["200000", "1000000"][len(sys.argv) - 1 :])[:2])
    graph = made(nodes, edges)
    for writer in WRITERS.values():
        if writer.module == "pictures":
            continue
        with TemporaryDirectory() as folder:
            started = time.perf_counter()
            writer.write(graph, Path(folder) / f"out{writer.endings[0] if writer.endings else ''}")
            seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        rate = (nodes + edges) / seconds
        print(
            f"{writer.name:10s} {seconds:6.2f} s {rate:12,.0f} rows a second, at most {peak:,.0f} MB so far"
        )


if __name__ == "__main__":
    main()
