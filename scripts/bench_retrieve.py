"""Measure retrieval: indexing, and question to text, beside a loop over all edges and the solve of the whole graph.

    .venv/bin/python scripts/bench_retrieve.py [--sizes 1400x4300 100000x1000000 1000000x10000000] [--questions 30]

Graphs are random: ends by a power law, names of two or three words, 40 relations of unequal size. A question names a node
and speaks of a relation. Prints a table in Markdown.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, open_graph, write
from graphtalk.search.index import Index
from graphtalk.search.near import narrow
from graphtalk.search.retrieval_index import indexer, retriever
from graphtalk.search.steiner import solver
from graphtalk.search.subgraph import Options, Retriever

SYLLABLES = (
    "ba be bo da de di ka ke ko la le lo ma me mo na ne no ra re ro sa se so ta te to va ve vo".split()
)
RELATIONS = 40
VERBS = "knows directed wrote painted owns visited married founded teaches leads cites binds treats borders".split()


def main() -> None:
    """Parse options, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", nargs="+", default=["1400x4300", "100000x1000000", "1000000x10000000"])
    parser.add_argument("--questions", type=int, default=30)
    options = parser.parse_args()
    print("| graph | what | graphtalk | unit | naive | naive / ours |\n|---|---|---|---|---|---|")
    for size in options.sizes:
        nodes, edges = map(int, size.split("x"))
        with tempfile.TemporaryDirectory() as place:
            measure(f"{nodes:,} / {edges:,}", nodes, edges, options.questions, Path(place) / "store")


def measure(name: str, nodes: int, edges: int, questions: int, place: Path) -> None:
    """Print the rows of one graph."""
    graph = random_graph(nodes, edges)
    write(graph, place / "bare", [Index.build])
    stored = open_graph(place / "bare")
    if not isinstance(stored, Graph):
        raise TypeError("a store of one graph was opened as a set")
    before = peak()
    folder = place / "index"
    folder.mkdir()
    indexing = seconds(lambda: indexer()(stored, folder))
    row(name, "index: texts a second", (nodes + RELATIONS) / indexing, "1/s")
    row(name, "index: more memory at its peak", peak() - before, "MB")
    found = retriever(stored)
    asked = [question(graph, i) for i in range(questions)]
    for rule in ("spread", "paper") if edges <= 10_000 else ("spread",):
        options = Options(rule=rule)
        times, sizes, part = [], [], []
        found.retrieve(asked[0], options)
        for text in asked:
            times.append(seconds(lambda t=text, o=options: found.retrieve(t, o).text))
            subgraph = found.retrieve(text, options)
            sizes.append(len(subgraph.edges))
            part.append(subgraph.complete)
        naive = whole(found, asked[:1]) if rule == "spread" else (None, None)
        row(name, f"{rule}: question to text, median", 1e3 * float(np.median(times)), "ms", naive[0])
        row(name, f"{rule}: p95", 1e3 * float(np.quantile(times, 0.95)), "ms")
        row(name, f"{rule}: edges found, mean", float(np.mean(sizes)), "")
        if naive[1] is not None:
            row(name, "inputs of the whole graph: numpy", naive[1][0], "ms", naive[1][1])


def whole(found: Retriever, asked: Sequence[str]) -> tuple[float, tuple[float, float]]:
    """Milliseconds for the whole graph by a loop over its edges, and for the inputs by numpy and by the loop."""
    part, problem = narrow(found.links, found.spread(asked[0]), Options().most)
    every = found.links.whole
    own = np.zeros(len(every.nodes))
    own[part.nodes] = problem.node_prizes
    prizes = np.zeros(len(every.edge))
    places = np.empty(len(every.edge), np.int64)
    places[every.edge] = np.arange(len(every.edge))
    prizes[places[part.edge]] = problem.edge_prizes
    source, target = every.source.tolist(), every.target.tolist()
    looped, by_loop = timed(lambda: loop(source, target, prizes.tolist(), own, problem.cost))
    by_numpy = seconds(lambda: vectorised(every.source, every.target, prizes, own, problem.cost))
    solved = seconds(lambda: solver()(*looped, -1, 1, "gw", 0))
    return 1e3 * (by_loop + solved), (1e3 * by_numpy, 1e3 * by_loop)


def loop(source: list[int], target: list[int], prizes: list[float], own: np.ndarray, cost: float) -> tuple:
    """The solver's inputs, one edge after the other."""
    ends, costs, worth = [], [], list(own)
    virtual_ends, virtual_costs = [], []
    for a, b, prize in zip(source, target, prizes, strict=True):
        if prize <= cost:
            ends.append((a, b))
            costs.append(cost - prize)
        else:
            middle = len(worth)
            worth.append(prize - cost)
            virtual_ends += [(a, middle), (middle, b)]
            virtual_costs += [0.0, 0.0]
    return np.array(ends + virtual_ends), np.array(worth), np.array(costs + virtual_costs)


def vectorised(
    source: np.ndarray, target: np.ndarray, prizes: np.ndarray, own: np.ndarray, cost: float
) -> tuple:
    """The same, all edges at once."""
    dear = prizes > cost
    plain, virtual = np.flatnonzero(~dear), np.flatnonzero(dear)
    middles = np.arange(len(own), len(own) + len(virtual))
    starts = np.concatenate([source[plain], source[virtual], middles])
    stops = np.concatenate([target[plain], middles, target[virtual]])
    costs = np.concatenate([cost - prizes[plain], np.zeros(2 * len(virtual))])
    return np.stack([starts, stops], axis=1), np.concatenate([own, prizes[virtual] - cost]), costs


def random_graph(nodes: int, edges: int) -> Graph:
    """A graph of so many nodes and edges."""
    draw = np.random.default_rng(0)
    words = np.array([a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES[:12]])
    picked = words[draw.integers(0, len(words), (nodes, 3))]
    names = [" ".join(row).title() for row in picked.tolist()]
    table = pa.table({"id": [f"n{i}" for i in range(nodes)], "name": names})
    shares = 1 / np.arange(1, RELATIONS + 1)
    counts = np.maximum(1, (edges * shares / shares.sum()).astype(int))
    counts[0] += edges - counts.sum()
    parts = []
    for i, count in enumerate(counts.tolist()):
        source = draw.integers(0, nodes, count)
        target = (nodes * draw.random(count) ** 2).astype(np.int64)
        parts.append(
            EdgeTable(f"{VERBS[i % len(VERBS)]} {i // len(VERBS)}", "thing", "thing", source, target)
        )
    return build([NodeTable("thing", table, "name")], parts, "random")


def question(graph: Graph, i: int) -> str:
    """The i-th question: about a node and a relation."""
    node = (i * 7_919 + 13) % graph.num_nodes
    return f"who {VERBS[i % len(VERBS)]} {graph.label(node)}"


def row(name: str, what: str, ours: float, unit: str, naive: float | None = None) -> None:
    """Print a line of the table."""
    other, ratio = ("", "") if naive is None else (f"{naive:,.4g}", f"{naive / ours:,.3g}")
    print(f"| {name} | {what} | {ours:,.4g} | {unit} | {other} | {ratio} |", flush=True)


def timed(run: Callable[[], tuple]) -> tuple[tuple, float]:
    """What `run` gives, and how many seconds it took."""
    started = time.perf_counter()
    result = run()
    return result, time.perf_counter() - started


def seconds(run: Callable[[], object]) -> float:
    """How many seconds `run` takes."""
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def peak() -> float:
    """The most memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main()
