"""What a store of many relations takes: bytes, time to make, and all neighbours of a node.

python scripts/bench_relations.py [--nodes 100000] [--relations 1000] [--edges 1000]
"""

import argparse
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.graphs.store import open_graph, write


def main() -> None:
    """Make such a graph of random edges, write it, open it, and print what that took."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("nodes", 100_000), ("relations", 1_000), ("edges", 1_000)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    rng = np.random.default_rng(0)
    nodes = NodeTable("n", pa.table({"id": [str(n) for n in range(asked.nodes)]}))
    ends = [rng.integers(0, asked.nodes, (2, asked.edges)) for _ in range(asked.relations)]
    started = time.process_time()
    graph = build([nodes], [EdgeTable(f"r{r}", "n", "n", *pair) for r, pair in enumerate(ends)], "many")
    with TemporaryDirectory() as folder:
        place = Path(folder) / "many.gt"
        write(graph, place)
        print(f"made and written in {time.process_time() - started:.2f} s of the processor")
        print(f"{sum(p.stat().st_size for p in place.rglob('*') if p.is_file()) / 1e6:,.0f} MB")
        opened = open_graph(place)
        assert isinstance(opened, Graph)
        opened.neighbours(0)
        started = time.process_time()
        for node in range(200):
            opened.neighbours(node)
        print(f"all neighbours of a node: {(time.process_time() - started) / 200 * 1e3:.2f} ms")


if __name__ == "__main__":
    main()
