"""Time vertex programs in memory and on DuckDB beside scipy.

    python scripts/bench_vertex.py [--nodes 1000000] [--edges 10000000] [--only memory|duckdb] [--seed 0]

The graph is directed, random, with whole weights 1 to 100. Shortest paths are compared with scipy's Dijkstra,
PageRank with as many of scipy's sparse products. DuckDB runs with 2 GB of memory.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

sys.path.insert(0, str(Path(__file__).parent))

from graphtalk import vertex
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from tables import machine, quickest, show

ROUNDS = 20


def random_graph(nodes: int, edges: int, seed: int) -> Graph:
    """A directed graph without a store."""
    random = np.random.default_rng(seed)
    source, target = random.integers(0, nodes, (2, edges))
    weights = random.integers(1, 101, edges).astype(np.float64)
    link = EdgeTable("link", "node", "node", source, target, pa.table({"weight": weights}))
    return build([NodeTable("node", pa.table({"id": pa.array(range(nodes)).cast(pa.string())}))], [link])


class Supersteps:
    """Remembers when every round ended."""

    def __init__(self) -> None:
        self.ends = [time.perf_counter()]

    def __call__(self, done: vertex.Round) -> None:
        self.ends.append(time.perf_counter())

    @property
    def longest(self) -> float:
        """Seconds of the longest round but the first, which makes what all rounds share."""
        return float(np.diff(self.ends)[1:].max())


def shortest_paths(graph: Graph) -> list[tuple[str, ...]]:
    """The run and its longest round, beside Dijkstra's."""
    program = vertex.library()["shortest_path"].program
    matrix = graph.matrix(weight="weight")
    theirs = min(quickest(lambda: dijkstra(matrix, indices=0), 3))
    best, longest = np.inf, np.inf
    for _ in range(3):
        steps = Supersteps()
        done = vertex.run(program, graph, {"source": 0}, on_round=steps)
        best, longest = min(best, done.seconds), min(longest, steps.longest)
    expected = dijkstra(matrix, indices=0)
    assert np.array_equal(expected, np.asarray(done.states["distance"])) or _parallel(graph)
    return [
        ("scipy dijkstra, whole run", f"{theirs:.2f}", ""),
        ("shortest_path, whole run", f"{best:.2f}", f"{done.rounds} rounds"),
        (
            "shortest_path, longest round",
            f"{longest:.3f}",
            f"{longest / (theirs / done.rounds):.1f} x dijkstra's share",
        ),
    ]


def _parallel(graph: Graph) -> bool:
    """scipy sums parallel edges, so that its distances may be longer."""
    return graph.matrix().nnz < graph.num_edges


def pagerank(graph: Graph) -> list[tuple[str, ...]]:
    """Twenty rounds, beside twenty products."""
    program = vertex.library()["pagerank"].program
    matrix = csr_array(graph.matrix().T)
    rank = np.full(graph.num_nodes, 1 / graph.num_nodes)

    def products() -> None:
        found = rank
        for _ in range(ROUNDS):
            found = 0.85 * (matrix @ found)

    theirs = min(quickest(products, 3))
    parameters = {"tolerance": 0.0, "rounds": ROUNDS}
    vertex.run(program, graph, {**parameters, "rounds": 1})
    ours = min(vertex.run(program, graph, parameters).seconds for _ in range(3))
    return [
        (f"scipy, {ROUNDS} products", f"{theirs:.2f}", ""),
        (f"pagerank, {ROUNDS} rounds", f"{ours:.2f}", f"{ours / theirs:.2f} x"),
    ]


def duckdb(graph: Graph) -> list[tuple[str, ...]]:
    """The same on DuckDB, with 2 GB."""
    from graphtalk.vertex.engines.duckdb import DuckdbEngine

    rows = []
    for name, parameters in (
        ("shortest_path", {"source": 0}),
        ("pagerank", {"tolerance": 0.0, "rounds": ROUNDS}),
        ("components", {}),
    ):
        program = vertex.library()[name].program
        done = vertex.run(program, graph, parameters, DuckdbEngine(memory="2GB"))
        rows.append((f"{name} on DuckDB, 2 GB", f"{done.seconds:.1f}", f"{done.rounds} rounds"))
    return rows


def main() -> None:
    """Read the options, make the graph, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--only", choices=["memory", "duckdb"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    graph = random_graph(options.nodes, options.edges, options.seed)
    rows: list[tuple[str, ...]] = []
    if options.only != "duckdb":
        rows += shortest_paths(graph) + pagerank(graph)
    if options.only != "memory":
        rows += duckdb(graph)
    title = f"Vertex programs, {options.nodes:,} nodes, {options.edges:,} edges ({machine()})"
    show(title, ("what", "seconds", "beside"), rows)


if __name__ == "__main__":
    main()
