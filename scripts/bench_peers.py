"""graphtalk beside the best of others, as ratios: the table "Beside the best" of docs/measurements.md.

    scripts/bench peers [--scale 1.0] [--times 5] [--data FOLDER] [--only WORD...] [--write]

Each work is done by all in turns, `--times` times, in this one process; the middle of each one's times counts, and of the peers the
best. Times are processor time of all threads, as the clock says little where others use the machine too. Graphs are
given to everybody ready made, in the form that is theirs, and each does the work once before it is timed, unless that takes seconds. Peers that are not installed
are left out: igraph, networkit, DuckDB, polars; SQLite, regex and networkx are there. Hetionet's rows need its edges, which `--data`
has as `hetionet/`; without them the table says so. `--write` puts the table into the page; with `--only` just the rows that were measured, and says so above it.
"""

import argparse
import itertools
import re
import sqlite3
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.csv
from scipy.sparse import csr_array

import graphtalk as gt
from graphtalk import algorithms as alg
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.reasoners.graph_agents.reading import read
from tables import machine

PAGE = Path(__file__).parents[1] / "docs" / "measurements.md"
BEGIN, END = "<!-- made by scripts/bench peers from here -->", "<!-- to here -->"
HEAD = ("work", "graph", "graphtalk", "best peer", "ratio")
PAIRS = 50
SLOW = 5.0  # seconds of the processor; what takes longer is done once
Work = Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One work on one graph: ours and each peer's. `same` says whether two results agree."""

    work: str
    shape: str
    ours: Work
    peers: dict[str, Work]
    same: Callable[[Any, Any], bool] = lambda ours, theirs: True


@dataclass(frozen=True)
class Shape:
    """A connected, undirected graph without loops and parallel edges: ends and weights. Shapes (edges,)."""

    name: str
    nodes: int
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray


def shaped(name: str, nodes: int, source: np.ndarray, target: np.ndarray) -> Shape:
    """The largest component of these edges, each once."""
    from scipy.sparse.csgraph import connected_components

    low, high = np.minimum(source, target), np.maximum(source, target)
    keys = np.unique((low * nodes + high)[low != high])
    source, target = keys // nodes, keys % nodes
    matrix = csr_array((np.ones(len(source)), (source, target)), shape=(nodes, nodes))
    labels = connected_components(matrix, directed=False)[1]
    inside = labels == np.bincount(labels).argmax()
    number = np.cumsum(inside) - 1
    kept = inside[source]
    source, target = number[source[kept]], number[target[kept]]
    weight = np.random.default_rng(3).integers(1, 100, len(source)).astype(float)
    return Shape(name, int(inside.sum()), source, target, weight)


def shapes(scale: float, hetionet: Path) -> Iterator[Shape]:
    """Random, skewed (RMAT: Chakrabarti, Zhan and Faloutsos 2004), a grid, and Hetionet where its files are there."""
    random = np.random.default_rng(0)
    nodes, edges = int(100_000 * scale), int(1_000_000 * scale)
    yield shaped("random", nodes, *random.integers(0, nodes, (2, edges)))
    bits = int(np.ceil(np.log2(nodes)))
    ends = np.zeros((2, edges), np.int64)
    for _ in range(bits):
        drawn = random.random(edges)
        ends = ends * 2 + np.stack([drawn > 0.76, ((drawn > 0.57) & (drawn <= 0.76)) | (drawn > 0.95)])
    yield shaped("RMAT", 1 << bits, *ends)
    side = int(np.sqrt(nodes))
    at = np.arange(side * side)
    right, down = at[at % side < side - 1], at[at < side * (side - 1)]
    yield shaped("grid", side * side, np.append(right, down), np.append(right + 1, down + side))
    if hetionet.is_dir():
        graph = gt.open(hetionet, recipe="hetionet")
        assert isinstance(graph, Graph)
        source, target, _ = alg.links.edges(graph)
        yield shaped("Hetionet", graph.num_nodes, source, target)


def algorithms(shape: Shape) -> Iterator[Case]:
    """What the libraries of graph algorithms do too."""
    ids = pa.array(np.arange(shape.nodes)).cast(pa.string())
    weights = pa.table({"w": shape.weight})
    relation = EdgeTable("e", "n", "n", shape.source, shape.target, weights, "e")
    ours = build([NodeTable("n", pa.table({"id": ids}))], [relation])
    far = shape.nodes // 2 + 7
    pairs = np.random.default_rng(4).integers(0, shape.nodes, (PAIRS, 2)).tolist()
    works: dict[str, tuple[Work, Callable[[Any, Any], bool]]] = {
        "components": (lambda: alg.component_labels(ours), lambda a, b: int(max(a)) + 1 == b()),
        "hops from one node": (lambda: alg.distances_from(ours, 0), lambda a, b: float(max(a)) == b()),
        "one pair": (lambda: alg.shortest_path(ours, 0, far), lambda a, b: len(a) - 1 == b()),
        f"{PAIRS} pairs at random": (
            lambda: [alg.shortest_path(ours, *pair) for pair in pairs],
            lambda a, b: sum(map(len, a)) - PAIRS == b(),
        ),
        "one weighted pair": (lambda: alg.shortest_path_length(ours, 0, far, "w"), lambda a, b: abs(a - b()) < 1e-6),
        "spanning tree": (lambda: alg.minimum_spanning_forest(ours, "w"), lambda a, b: abs(a.weight - b()) < 1e-6),
        "local clustering": (lambda: alg.local_clustering(ours), lambda a, b: abs(float(np.mean(a)) - b()) < 1e-9),
        "communities": (lambda: alg.communities(ours), lambda a, b: a.modularity > b() - 0.02),
        "PageRank": (lambda: alg.pagerank(ours), lambda a, b: abs(float(max(a)) - b()) < 1e-4),
        "core numbers": (lambda: alg.core_numbers(ours), lambda a, b: int(max(a)) == b()),
        "diameter": (lambda: alg.diameter(ours), lambda a, b: a == b()),
    }  # fmt: skip
    peers = {**by_igraph(shape, far, pairs), **by_networkit(shape, far, pairs)}
    for name, (work, same) in works.items():
        others = {peer: done[name] for peer, done in peers.items() if name in done}
        if name == "diameter" and shape.name in ("RMAT", "Hetionet"):
            others.pop("igraph", None)  # a search from every node
        if name == "diameter" and shape.name == "random" and shape.nodes > 20_000:
            others = {}  # nearly a search from every node for all
        if others:
            yield Case(name, shape.name, work, others, same)


def by_igraph(shape: Shape, far: int, pairs: list[list[int]]) -> dict[str, dict[str, Work]]:
    """Each gives a function of no argument that says what is compared, which is not timed."""
    if find_spec("igraph") is None:
        return {}
    import igraph

    g = igraph.Graph(n=shape.nodes, edges=np.stack([shape.source, shape.target], 1))
    w = shape.weight.tolist()

    def after(work: Work, said: Callable[[Any], Any]) -> Work:
        return lambda: partial(said, work())

    found = {
        "components": after(g.connected_components, len),
        "hops from one node": after(lambda: g.distances(0)[0], max),
        "one pair": after(lambda: g.get_shortest_paths(0, far)[0], lambda p: len(p) - 1),
        f"{PAIRS} pairs at random": after(
            lambda: [g.get_shortest_paths(*pair)[0] for pair in pairs], lambda p: sum(map(len, p)) - PAIRS
        ),
        "one weighted pair": after(lambda: g.distances(0, far, weights=w)[0][0], float),
        "spanning tree": after(
            lambda: g.spanning_tree(w, return_tree=False), lambda t: shape.weight[t].sum()
        ),
        "local clustering": after(lambda: g.transitivity_local_undirected(mode="zero"), np.mean),
        "communities": after(g.community_multilevel, lambda c: c.modularity),
        "PageRank": after(g.pagerank, max),
        "core numbers": after(g.coreness, max),
    }
    if find_spec("networkit") and shape.nodes > 20_000:
        found.pop("communities")  # takes a minute, where networkit takes a second
    if shape.name == "random":
        found["diameter"] = after(g.diameter, int)
    return {"igraph": found}


def by_networkit(shape: Shape, far: int, pairs: list[list[int]]) -> dict[str, dict[str, Work]]:
    """As `by_igraph`."""
    if find_spec("networkit") is None:
        return {}
    import networkit as nk

    coo = (shape.weight, (shape.source, shape.target))
    g = nk.GraphFromCoo((np.ones(len(shape.source)), coo[1]), n=shape.nodes, weighted=False, directed=False)
    heavy = nk.GraphFromCoo(coo, n=shape.nodes, weighted=True, directed=False)

    def hops(pair: list[int]) -> int:
        return int(nk.distance.BidirectionalBFS(g, *pair, True).run().getDistance())

    def run(make: Callable[[], Any], said: Callable[[Any], Any]) -> Work:
        return lambda: partial(said, make().run())

    return {
        "networkit": {
            "components": run(lambda: nk.components.ConnectedComponents(g), lambda a: a.numberOfComponents()),
            "hops from one node": run(lambda: nk.distance.BFS(g, 0, False), lambda a: max(a.getDistances())),
            "one pair": run(lambda: nk.distance.BidirectionalBFS(g, 0, far, True), lambda a: a.getDistance()),
            f"{PAIRS} pairs at random": lambda: partial(sum, [hops(pair) for pair in pairs]),
            "one weighted pair": run(
                lambda: nk.distance.BidirectionalDijkstra(heavy, 0, far, True), lambda a: a.getDistance()
            ),
            "local clustering": run(
                lambda: nk.centrality.LocalClusteringCoefficient(g, True), lambda a: np.mean(a.scores())
            ),
            "communities": run(
                lambda: nk.community.PLM(g, True),
                lambda a: nk.community.Modularity().getQuality(a.getPartition(), g),
            ),
            "PageRank": run(lambda: nk.centrality.PageRank(g, 0.85, 1e-8), lambda a: max(a.scores())),
            "core numbers": run(lambda: nk.centrality.CoreDecomposition(g), lambda a: a.maxCoreNumber()),
            "diameter": run(
                lambda: nk.distance.Diameter(g, algo=nk.distance.DiameterAlgo.EXACT),
                lambda a: a.getDiameter()[0],
            ),
        }
    }


def tables(scale: float, folder: Path) -> Iterator[Case]:
    """What databases and frames do too: import, filter, average, look up."""
    random = np.random.default_rng(1)
    nodes, edges = int(100_000 * scale), int(1_000_000 * scale)
    people = pa.table(
        {
            "id": np.char.add("p", np.arange(nodes).astype(str)),
            "name": np.char.add("Person ", np.arange(nodes).astype(str)),
            "age": random.integers(1, 99, nodes),
            "city": np.char.add("City ", random.integers(0, 200, nodes).astype(str)),
        }
    )
    source, target = random.integers(0, nodes, (2, edges))
    knows = pa.table({"source": people["id"].take(source), "target": people["id"].take(target)})
    files = [folder / "nodes.csv", folder / "edges.csv"]
    for table, file in zip((people, knows), files, strict=True):
        pyarrow.csv.write_csv(table, file)
    store = folder / "mine.gt"
    graph = gt.import_graph(files, store, vectors="never")
    assert isinstance(graph, Graph)
    sqlite = sqlite3.connect(":memory:")
    sqlite.execute("CREATE TABLE knows (source TEXT, target TEXT)")
    sqlite.executemany("INSERT INTO knows VALUES (?, ?)", zip(*knows.to_pydict().values(), strict=True))
    sqlite.execute("CREATE INDEX ahead ON knows (source)")
    asked = [f"p{i}" for i in random.integers(0, nodes, 1_000)]
    ahead = "SELECT target FROM knows WHERE source = ?"

    imports, filters, averages = by_frames(people, files, folder)
    equal = lambda a, b: a == b  # noqa: E731
    session = gt.session(graph)
    shape = f"{nodes:,} nodes, {edges:,} edges"
    counted = each_other(lambda age: session.call(f'Count[Filter[Nodes["node"], "age", ">", {age}]]').value)
    grouped = each_other(
        lambda age: len(gt.query(graph, f"MATCH (n) WHERE n.age > {age} RETURN n.city, avg(n.age)"))
    )
    yield Case(
        "import with names indexed",
        shape,
        lambda: gt.import_graph(files, folder / "again.gt", vectors="never"),
        imports,
    )
    yield Case("filter and count", shape, counted, filters, equal)
    yield Case("average by group", shape, grouped, averages, equal)
    yield Case(
        "neighbours by id, 1,000 times",
        shape,
        lambda: sum(len(graph.neighbours(graph.node(name), "edge")) for name in asked),
        {"SQLite": lambda: sum(len(sqlite.execute(ahead, (name,)).fetchall()) for name in asked)},
        equal,
    )  # fmt: skip


def by_frames(
    people: pa.Table, files: list[Path], folder: Path
) -> tuple[dict[str, Work], dict[str, Work], dict[str, Work]]:
    """What DuckDB and polars do of imports, filters and averages."""
    imports: dict[str, Work] = {}
    filters: dict[str, Work] = {}
    averages: dict[str, Work] = {}
    if find_spec("duckdb"):
        import duckdb

        frame = duckdb.connect()
        frame.register("people", people)
        frame.execute("CREATE TABLE node AS SELECT * FROM people")

        def by_duckdb() -> None:
            with duckdb.connect(":memory:") as database:
                database.execute(f"CREATE TABLE n AS SELECT * FROM read_csv('{files[0]}') ORDER BY id")
                database.execute("CREATE INDEX i ON n (id)")
                database.execute(
                    f"CREATE TABLE e AS SELECT * FROM read_csv('{files[1]}') ORDER BY source, target"
                )

        imports["DuckDB"] = by_duckdb
        filters["DuckDB"] = each_other(
            lambda age: frame.execute(f"SELECT count(*) FROM node WHERE age > {age}").fetchone()[0]
        )
        averages["DuckDB"] = each_other(
            lambda age: len(
                frame.execute(f"SELECT city, avg(age) FROM node WHERE age > {age} GROUP BY city").fetchall()
            )
        )
    if find_spec("polars"):
        import polars as pl

        table = pl.from_arrow(people)

        def by_polars() -> None:
            pl.read_csv(files[0]).sort("id").write_parquet(folder / "n.parquet")
            pl.read_csv(files[1]).sort("source", "target").write_parquet(folder / "e.parquet")

        imports["polars"] = by_polars
        filters["polars"] = each_other(lambda age: table.filter(pl.col("age") > age).height)
        averages["polars"] = each_other(
            lambda age: table.filter(pl.col("age") > age).group_by("city").agg(pl.col("age").mean()).height
        )
    return imports, filters, averages


def each_other(work: Callable[[int], Any]) -> Work:
    """The work with another number each time, so that no answer is remembered."""
    ages = itertools.cycle(range(20, 80))
    return lambda: work(next(ages))


def problems(scale: float) -> Iterator[Case]:
    """Reading a graph told in words."""
    random = np.random.default_rng(2)
    count = int(100_000 * scale)
    pairs = random.integers(0, count // 4, (count, 2)).tolist()
    ends = re.compile(r"\((\d+), ?(\d+)\)")

    def told(joint: str) -> str:
        edges = joint.join(f"({a}, {b})" for a, b in pairs if a != b)
        return f"In an undirected graph, the edges are: {edges}. Is there a cycle in this graph?"

    for name, joint in (("commas", ", "), ("lines", "\n")):
        text = told(joint)
        yield Case(
            "reading a problem in words",
            f"{count:,} edges, {name}",
            lambda text=text: len(read(text).described.graph.schema.relations),  # type: ignore[misc]
            {"regex, networkx": lambda text=text: nx.Graph(ends.findall(text))},  # type: ignore[misc]
        )


def timed(case: Case, times: int) -> tuple[str, ...]:
    """The row of a case: our times, the best peer's, and the ratios."""
    every = {"graphtalk": case.ours, **case.peers}
    given: dict[str, Any] = {}
    found: dict[str, list[float]] = {who: [] for who in every}
    for turn in range(times + 1):
        for who, work in every.items():
            if found[who] and found[who][0] > SLOW:
                continue  # once is enough to know
            began = time.process_time()
            given[who] = work()
            took = time.process_time() - began
            if turn or took > SLOW:  # the first time warms up
                found[who].append(took)
    agree = all(case.same(given["graphtalk"], given[peer]) for peer in case.peers)
    used = {who: statistics.median(each) for who, each in found.items()}
    best = min(case.peers, key=used.__getitem__)
    ratio = used["graphtalk"] / max(used[best], 1e-7)
    return (
        case.work,
        case.shape,
        f"{1e3 * used['graphtalk']:,.1f}",
        f"{best} {1e3 * used[best]:,.1f}",
        (f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}") + ("" if agree else " **differs**"),
    )


Cells = dict[tuple[str, str], tuple[str, ...]]  # what a row says of a work and a graph


def tabled(rows: Cells, graphs: Sequence[str]) -> list[str]:
    """The rows in Markdown: works by graphs, in a cell ours, the best peer's and the ratio; then what was done on nothing but itself."""
    works = dict.fromkeys(work for work, shape in rows if shape in graphs)
    wide = [[work, *("".join(rows.get((work, graph), ())) for graph in graphs)] for work in works]
    alone = [(*key, *cells) for key, cells in rows.items() if key[1] not in graphs]
    return [*_markdown(["work", *graphs], wide), "", *_markdown(HEAD, alone)]


def cells_of(rows: Sequence[tuple[str, ...]], graphs: Sequence[str]) -> Cells:
    """What the table says of each row."""
    return {
        (work, shape): (f"{ours}, {peer} ({ratio})",) if shape in graphs else (ours, peer, ratio)
        for work, shape, ours, peer, ratio in rows
    }


def written(lines: Sequence[str]) -> Cells:
    """The rows of tables that `tabled` wrote."""
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines if line.startswith("| ")]
    found: Cells = {}
    head: list[str] = []
    for row in rows:
        if row[0] == "work":
            head = row
        elif row[0] != "---" and tuple(head) == HEAD:
            found[row[0], row[1]] = tuple(row[2:])
        elif row[0] != "---":
            found |= {(row[0], graph): (cell,) for graph, cell in zip(head[1:], row[1:], strict=True) if cell}
    return found


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]


def main() -> None:
    """Print the table, row by row."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--times", type=int, default=5)
    options.add_argument(
        "--data", type=Path, default=PAGE.parents[2] / "shared" / "data", help="a folder that has hetionet/"
    )
    options.add_argument("--only", nargs="+", default=[], help="works or shapes that have one of these words")
    options.add_argument("--write", action="store_true")
    given = options.parse_args()
    print("\n".join([machine(), *_markdown(HEAD, [])]), flush=True)
    drawn = list(shapes(given.scale, given.data / "hetionet"))
    rows: list[tuple[str, ...]] = []
    with TemporaryDirectory() as folder:
        cases = [
            *(partial(algorithms, shape) for shape in drawn),
            partial(tables, given.scale, Path(folder)),
            partial(problems, given.scale),
        ]
        for make in cases:
            for case in make():
                if given.only and not any(word in f"{case.work} {case.shape}" for word in given.only):
                    continue
                if case.peers:
                    rows.append(timed(case, given.times))
                    print(f"| {' | '.join(rows[-1])} |", flush=True)
    skipped = (
        ""
        if (given.data / "hetionet").is_dir()
        else f"Hetionet is left out: there is no {given.data}/hetionet."
    )
    print(skipped)
    if given.write:
        write(rows, [shape.name for shape in drawn], bool(given.only), skipped)


def write(rows: Sequence[tuple[str, ...]], graphs: Sequence[str], some: bool, note: str) -> None:
    """Put the rows into the page, in the place of all others, or of those of the same work and graph where they are some."""
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    command = " ".join(["python scripts/bench_peers.py", *(w for w in sys.argv[1:] if w != "--write")])
    told = [line for line in old.splitlines() if line.startswith("`") and some]
    told.append(f"`{command}`, {machine()}{'' if some else '; milliseconds of the processor'}.")
    cells = (written(old.splitlines()) if some else {}) | cells_of(rows, graphs)
    lines = ["\n\n".join(told), "", *tabled(cells, graphs), *(["", note] if note else [])]
    PAGE.write_text("\n".join([f"{before}{BEGIN}", *lines, "", END]) + after)


if __name__ == "__main__":
    main()
