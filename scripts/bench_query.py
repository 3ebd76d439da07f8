"""Time queries beside ladybug and DuckDB, each engine in a process of its own, on the same random graph.

    python scripts/bench_query.py [--nodes 1000000] [--edges 10000000] [--rounds 5] [--engines graphtalk,ladybug,duckdb]

People with a name, an age and one of 1,000 cities; edges `knows` with a weight, whose targets follow a power law. All
engines may use two threads. Each query is run once to warm up and then `--rounds` times; the least time counts, and
beside it the processor time of all threads, which other work on the machine disturbs less. Where the answers of two
engines differ, that is said and the command fails.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))

from tables import machine, show

ENGINES = ("graphtalk", "ladybug", "duckdb")
Answer = list[list[object]]
Ask = Callable[[str, dict[str, str]], Answer]
LOOK_UPS = 100

QUERIES: dict[str, tuple[str, str]] = {
    "point look-up": (
        "MATCH (p:Person {id: $id}) RETURN p.name AS name, p.age AS age",
        "SELECT name, age FROM person WHERE id = $id",
    ),
    "filter on a feature": (
        "MATCH (p:Person) WHERE p.age > 90 RETURN count(*) AS n, min(p.name) AS first",
        "SELECT count(*), min(name) FROM person WHERE age > 90",
    ),
    "one hop, filter": (
        "MATCH (p:Person)-[k:knows]->(q:Person) WHERE p.city = 'city 7' AND k.weight > 50 "
        "RETURN count(*) AS n, sum(q.age) AS age",
        "SELECT count(*), sum(q.age) FROM person p JOIN knows k ON k.source = p.number "
        "JOIN person q ON q.number = k.target WHERE p.city = 'city 7' AND k.weight > 50",
    ),
    "two hops, filter": (
        "MATCH (p:Person)-[k:knows]->(:Person)-[l:knows]->(q:Person) "
        "WHERE p.city = 'city 7' AND q.age > 60 RETURN count(*) AS n, sum(q.age) AS age",
        "SELECT count(*), sum(q.age) FROM person p JOIN knows k ON k.source = p.number "
        "JOIN knows l ON l.source = k.target AND l.number <> k.number JOIN person q ON q.number = l.target "
        "WHERE p.city = 'city 7' AND q.age > 60",
    ),
    "group all edges": (
        "MATCH (:Person)-[k:knows]->(q:Person) "
        "RETURN q.city AS city, count(*) AS n, avg(k.weight) AS w ORDER BY city LIMIT 5",
        "SELECT q.city AS city, count(*) AS n, avg(k.weight) FROM knows k JOIN person q ON q.number = k.target "
        "GROUP BY q.city ORDER BY city LIMIT 5",
    ),
    "top ten by degree": (
        "MATCH (:Person)-[:knows]->(q:Person) RETURN q.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 10",
        "SELECT q.id AS id, count(*) AS n FROM knows k JOIN person q ON q.number = k.target "
        "GROUP BY q.id ORDER BY n DESC, id LIMIT 10",
    ),
    "shortest path": (
        "MATCH p = shortestPath((a:Person {id: 'p5'})-[:knows*]->(b:Person {id: 'p99'})) RETURN length(p) AS n",
        "WITH RECURSIVE reached(node, depth) USING KEY (node) AS ("
        "SELECT number, 0 FROM person WHERE id = 'p5' UNION "
        "SELECT k.target, min(r.depth) + 1 FROM reached r JOIN knows k ON k.source = r.node "
        "WHERE NOT EXISTS (SELECT 1 FROM recurring.reached s WHERE s.node = k.target) GROUP BY k.target) "
        "SELECT depth FROM reached JOIN person ON person.number = node WHERE id = 'p99'",
    ),
}


def main() -> None:
    """Parse options, make the graph, run the engines, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--folder", type=Path, help="keep the graph here, and use what is there")
    parser.add_argument("--one", choices=ENGINES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one, options.folder, options.rounds), default=float))
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "knows.parquet").exists():
            make(folder, options.nodes, options.edges)
        found = {}
        for engine in options.engines.split(","):
            command = [
                sys.executable,
                __file__,
                "--one",
                engine,
                "--folder",
                str(folder),
                "--rounds",
                str(options.rounds),
            ]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode:
                sys.exit(f"{engine}: {run.stderr[-2000:]}")
            found[engine] = json.loads(run.stdout)
    report(found, options.nodes, options.edges)


def make(folder: Path, nodes: int, edges: int) -> None:
    """Write the graph as two Parquet files."""
    random = np.random.default_rng(0)
    numbers = np.arange(nodes)
    person = {
        "id": [f"p{n}" for n in range(nodes)],
        "number": numbers,
        "name": [f"Person {n}" for n in random.permutation(nodes)],
        "age": random.integers(0, 100, nodes),
        "city": [f"city {n}" for n in random.integers(0, 1000, nodes)],
    }
    pq.write_table(pa.table(person), folder / "person.parquet")
    source = random.integers(0, nodes, edges)
    target = (nodes * random.random(edges) ** 3).astype(np.int64)  # a few have many
    knows = {
        "source": source,
        "target": target,
        "number": np.arange(edges),
        "weight": random.integers(0, 100, edges),
    }
    pq.write_table(pa.table(knows), folder / "knows.parquet")


def measure(engine: str, folder: Path, rounds: int) -> dict[str, object]:
    """Load the graph, then for each query its least time in seconds and its answer; and the memory at its highest."""
    began = time.perf_counter()
    ask = {"graphtalk": graphtalk, "ladybug": ladybug, "duckdb": duckdb}[engine](folder)
    loaded = time.perf_counter() - began
    times, answers, peaks = {}, {}, {}
    for name, spellings in QUERIES.items():
        text = spellings[1] if engine == "duckdb" else spellings[0]
        # One person for each look-up, and another each time; the other queries have no parameter.
        given = [{"id": f"p{i}"} for i in range(LOOK_UPS)] if "$id" in text else [{}]
        answers[name] = [ask(text, parameters) for parameters in given]
        took = []
        for _ in range(rounds):
            started, processor = time.perf_counter(), time.process_time()
            for parameters in given:
                ask(text, parameters)
            took.append((time.perf_counter() - started, time.process_time() - processor))
        times[name] = [least / len(given) for least in map(min, zip(*took, strict=True))]
        peaks[name] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"loaded": loaded, "times": times, "answers": answers, "peak": max(peaks.values())}


def graphtalk(folder: Path) -> Ask:
    """Ask a store; it is written once."""
    from graphtalk.calls.cypher import parse_query
    from graphtalk.engines.arrays.frame import Frame
    from graphtalk.engines.arrays.run import run
    from graphtalk.engines.binding import Bound, bind
    from graphtalk.graphs import Graph
    from graphtalk.graphs.store import open_graph
    from graphtalk.tools.limits import Budget, Limits

    store = folder / "graph.gt"
    if not store.exists():
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import bench_query as b; b.write_store()"
        subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    graph = open_graph(store)
    assert isinstance(graph, Graph)

    bounds: dict[str, Bound] = {}  # as an executor keeps them; its memory of results is left out

    def ask(text: str, parameters: dict[str, str]) -> Answer:
        if text not in bounds:
            bounds[text] = bind(parse_query(text), graph.schema)
        bound = bounds[text]
        frame = Frame(graph, Budget(Limits()), lambda call: None, parameters, plans=bound.plans)
        return list(run(bound.query, frame).records())

    return ask


def write_store() -> None:
    """Write the store of the graph in the folder that the command line names."""
    from graphtalk.graphs import EdgeTable, NodeTable, build
    from graphtalk.graphs.store import write

    folder = Path(sys.argv[1])
    person, knows = pq.read_table(folder / "person.parquet"), pq.read_table(folder / "knows.parquet")
    ends = [knows.column(name).to_numpy() for name in ("source", "target")]
    edges = EdgeTable("knows", "Person", "Person", ends[0], ends[1], knows.select(["weight"]))
    nodes = NodeTable("Person", person.drop_columns(["number"]), "name")
    write(build([nodes], [edges]), folder / "graph.gt")


def ladybug(folder: Path) -> Ask:
    """Ask ladybug; its database is made once."""
    import ladybug as lb

    there = (folder / "graph.lbug").exists()
    connection = lb.Connection(lb.Database(str(folder / "graph.lbug")), num_threads=2)
    if not there:
        connection.execute(
            "CREATE NODE TABLE Person(id STRING PRIMARY KEY, number INT64, name STRING, age INT64, city STRING)"
        )
        connection.execute("CREATE REL TABLE knows(FROM Person TO Person, weight INT64)")
        connection.execute(f"COPY Person FROM '{folder}/person.parquet'")
        ids = f"LOAD FROM '{folder}/knows.parquet' RETURN 'p' + CAST(source, 'STRING'), 'p' + CAST(target, 'STRING'), weight"
        connection.execute(f"COPY knows FROM ({ids})")

    def ask(text: str, parameters: dict[str, str]) -> Answer:
        if "shortestPath" in text:
            text = "MATCH p = (a:Person {id: 'p5'})-[:knows* SHORTEST 1..30]->(b:Person {id: 'p99'}) RETURN length(p) AS n"
        return [list(row) for row in connection.execute(text, parameters)]

    return ask


def duckdb(folder: Path) -> Ask:
    """Ask DuckDB; its database is made once, with an index on ids."""
    import duckdb as ddb

    there = (folder / "graph.duckdb").exists()
    connection = ddb.connect(str(folder / "graph.duckdb"), config={"threads": 2})
    if not there:
        connection.execute(f"CREATE TABLE person AS SELECT * FROM '{folder}/person.parquet'")
        connection.execute(f"CREATE TABLE knows AS SELECT * FROM '{folder}/knows.parquet' ORDER BY source")
        connection.execute("CREATE UNIQUE INDEX ids ON person(id)")
        connection.execute("CREATE UNIQUE INDEX numbers ON person(number)")
    return lambda text, parameters: [list(row) for row in connection.execute(text, parameters).fetchall()]


def report(found: dict[str, dict[str, dict[str, float]]], nodes: int, edges: int) -> None:
    """Print the table; fail where answers differ."""
    rows, differ = [], []
    for name in QUERIES:
        times = {engine: found[engine]["times"][name] for engine in found}
        peers = [t for engine, t in times.items() if engine != "graphtalk"]
        ratios = ["", ""]
        if peers and "graphtalk" in times:
            ratios = [f"{times['graphtalk'][i] / min(t[i] for t in peers):.2f}" for i in (0, 1)]
        rows.append((name, *(f"{1e3 * wall:.3g} ({1e3 * cpu:.3g})" for wall, cpu in times.values()), *ratios))
        answers = {engine: _plain(found[engine]["answers"][name]) for engine in found}
        if len(set(answers.values())) > 1:
            differ.append(f"{name}: {answers}")
    rows.append(("peak memory, MB", *(f"{each['peak']:.0f}" for each in found.values()), "", ""))
    head = ("ms (processor ms)", *found, "x the faster peer", "x by processor")
    show(f"{nodes:,} nodes, {edges:,} edges; {machine()}", head, rows)
    if differ:
        sys.exit("Answers differ:\n" + "\n".join(differ))


def _plain(answer: object) -> str:
    """An answer as text, numbers to six digits."""

    def six(text: str) -> str:
        return f"{float(text):.6g}"

    return json.dumps(json.loads(json.dumps(answer), parse_float=six, parse_int=six))


if __name__ == "__main__":
    main()
