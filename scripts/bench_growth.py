"""How the cost of what people do grows with a graph, and what that says of graphs that no machine here can hold.

    scripts/bench growth [--sizes 10000 100000 1000000] [--plot docs/images/growth.svg]

Graphs of so many people, each of whom knows three others on average, are imported from two CSV files, opened and asked. Each time is the least
of three, of the processor, all threads together; imports, and what takes more than two seconds, run once. The exponent is the slope of a
line through the logarithms of sizes and times: 1 where the cost grows as the graph does, 0 where it stays.

The second table is a simulation, not a measurement: costs for each edge, as measured at the largest size, carried on to 10^10 edges under the
assumptions that are printed with it. It tells whether a work is one of minutes or of days, and where the network decides.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import graphtalk as gt
from bench_import import large_files
from graphtalk import algorithms as alg
from graphtalk import vertex
from graphtalk.graphs import Graph
from graphtalk.search.index import Index
from graphtalk.vertex.engines.duckdb import DuckdbEngine
from tables import Row, machine, show

SIZES = (10_000, 100_000, 1_000_000)
DEGREE = 3
ROUNDS = 5
LONG = 2.0  # seconds; what takes longer is done once
# Of the simulated cluster.
CORES, SHARE, NETWORK, MESSAGE, JOB = 16, 0.6, 1.25e9, 24, 2.0
ASSUMED = (
    f"a worker has {CORES} cores, which do {SHARE:.0%} of what they could; a round shuffles {MESSAGE} bytes for each edge whose ends "
    f"lie on two workers (all but one in so many as there are) over {NETWORK / 1e9:.2f} GB/s of each worker; a job takes "
    f"{JOB:.0f} s to be handed out; edges lie evenly; a core does in Spark what one does in DuckDB here."
)


def main() -> None:
    """Measure, print both tables, draw the first."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    options.add_argument("--plot", type=Path)
    chosen = options.parse_args()
    print(machine())
    found = {size: measured(size) for size in chosen.sizes}
    slopes = {
        what: slope({size: took[what] for size, took in found.items()}) for what in found[chosen.sizes[0]]
    }
    rows = [
        (what, *(f"{1e3 * found[size][what]:,.2f}" for size in chosen.sizes), f"{slopes[what]:.2f}")
        for what in slopes
    ]
    show(
        "Milliseconds of the processor by nodes",
        ("what", *(f"{s:,}" for s in chosen.sizes), "exponent"),
        rows,
    )
    largest = max(chosen.sizes)
    edge = {
        what: found[largest][what] / (DEGREE * largest) for what in ("import", "a round of PageRank, SQL")
    }
    head = (
        "edges",
        "import, one core",
        "a round, one core",
        "a round, 16 workers",
        "a round, 256 workers",
        "each of 16 holds",
    )
    show(
        f"Simulated, not measured: {ASSUMED}", head, [simulated(10.0**power, edge) for power in range(6, 11)]
    )
    if chosen.plot:
        draw(found, slopes, chosen.plot)


def measured(nodes: int) -> dict[str, float]:
    """Processor seconds of each work on a graph of so many nodes."""
    with tempfile.TemporaryDirectory() as folder:
        files, store = large_files(Path(folder), nodes, DEGREE * nodes), Path(folder) / "people.gt"
        took = {"import": least(lambda: gt.import_graph(files, store, vectors="never"), 1)}
        took["open"] = least(lambda: gt.open(store))
        graph = gt.open(store)
        assert isinstance(graph, Graph)
        index, session = Index.open(graph), gt.session(graph)
        ages = iter(range(20, 80))
        some = graph.label(nodes // 2)
        took["look up a node by id, its neighbours"] = least(
            lambda: graph.neighbours(graph.node(f"p{nodes // 3}"), "knows")
        )
        took["retrieve a name with a typing error"] = least(lambda: index.retrieve(some[:-1] + "x"))
        took["ask: how many are older"] = least(
            lambda: session.ask(f"How many people are older than {next(ages)}?")
        )
        took["filter and count"] = least(
            lambda: session.call(f'Count[Filter[Nodes["people"], "age", ">", {next(ages)}]]')
        )
        took["PageRank"] = least(lambda: alg.pagerank(graph))
        program = vertex.library()["pagerank"].program
        rounds = {"tolerance": 0.0, "rounds": ROUNDS}
        sql = least(lambda: vertex.run(program, graph, rounds, DuckdbEngine(memory="2GB")), 1)
        return {**took, "a round of PageRank, SQL": sql / ROUNDS}


def least(work: Callable[[], object], times: int = 3) -> float:
    """Processor seconds of the quickest of some runs."""
    took: list[float] = []
    while len(took) < times and not (took and took[-1] > LONG):
        started = time.process_time()
        work()
        took.append(time.process_time() - started)
    return min(took)


def slope(took: dict[int, float]) -> float:
    """The exponent of growth."""
    if len(took) < 2:
        return float("nan")
    return float(np.polyfit(np.log(list(took)), np.log(np.maximum(list(took.values()), 1e-7)), 1)[0])


def simulated(edges: float, edge: dict[str, float]) -> Row:
    """A row of the second table; `edge` are the seconds of one core for an edge."""

    def round_on(workers: int) -> float:
        compute = edges * edge["a round of PageRank, SQL"] / (workers * CORES * SHARE)
        shuffle = edges * MESSAGE * (1 - 1 / workers) / (workers * NETWORK)
        return JOB + compute + shuffle

    times = (edges * edge["import"], edges * edge["a round of PageRank, SQL"], round_on(16), round_on(256))
    return (f"10^{np.log10(edges):.0f}", *map(told, times), f"{edges * MESSAGE / 16 / 1e9:,.2f} GB")


def told(seconds: float) -> str:
    """A time in the unit that people would use."""
    for unit, size in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.2g} s"


def draw(found: dict[int, dict[str, float]], slopes: dict[str, float], path: Path) -> None:
    """The first table as lines, both axes logarithmic."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 5))
    for what, exponent in slopes.items():
        axes.loglog(
            list(found), [1e3 * took[what] for took in found.values()], "o-", label=f"{what}: {exponent:.2f}"
        )
    axes.set_xlabel("nodes (three times as many edges)")
    axes.set_ylabel("milliseconds of the processor")
    axes.legend(fontsize="small", title="exponent of growth", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})


if __name__ == "__main__":
    main()
