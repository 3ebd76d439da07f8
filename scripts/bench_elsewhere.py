"""Times questions to a graph in Parquet files that DuckDB reads where they are: made anew, asked in fresh processes.

    .venv/bin/python scripts/bench_elsewhere.py --persons 1000000

Prints a row a question: seconds of the question itself as `graphtalk query --json` tells them, of the process by the
clock and of the processor, and the most memory that it had.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb

MAPPING = """
[[nodes]]
files = ["person.parquet"]
node_type = "person"
label = "name"

[[nodes]]
files = ["film.parquet"]
node_type = "film"
label = "title"

[[edges]]
files = ["knows.parquet"]
relation_name = "knows"
source = "a"
target = "b"
source_type = "person"
target_type = "person"
key = "number"

[[edges]]
files = ["acted.parquet"]
relation_name = "acted"
source = "a"
target = "b"
source_type = "person"
target_type = "film"
key = "number"
"""
QUESTIONS = (
    "MATCH (p:person {name: 'person 77'})-[:knows]->(q) RETURN q.name, q.age",
    "MATCH (p:person)-[:knows]->() RETURN count(*) AS n",
    "MATCH (p:person) RETURN p.city, count(*) AS n, min(p.age) AS young ORDER BY n DESC, p.city LIMIT 2",
    "MATCH (f:film)<-[:acted]-(p) RETURN f.title, count(p) AS n ORDER BY n DESC, f.title LIMIT 3",
    "MATCH (p:person)-[:knows]->(q) WHERE p.age > 80 RETURN q.city, count(*) AS n ORDER BY n DESC, q.city LIMIT 1",
)


def make(folder: Path, persons: int) -> Path:
    """The files: persons, a tenth as many films, five times as many edges between persons and twice to films."""
    films = persons // 10
    tables = {
        "person": f"SELECT i AS id, 'person ' || i AS name, (i * 7919) % 80 + 10 AS age, 'city ' || (i % 500) AS city FROM range({persons}) t(i)",
        "film": f"SELECT i AS id, 'film ' || i AS title, 1950 + i % 70 AS year FROM range({films}) t(i)",
        "knows": f"SELECT i AS number, hash(i) % {persons} AS a, hash(i + 1000000007) % {persons} AS b FROM range({5 * persons}) t(i)",
        "acted": f"SELECT i AS number, hash(3 * i + 1) % {persons} AS a, hash(5 * i + 2) % {films} AS b FROM range({2 * persons}) t(i)",
    }
    with duckdb.connect() as connection:
        for name, query in tables.items():
            connection.execute(f"COPY ({query}) TO '{folder}/{name}.parquet'")
    (folder / "films.toml").write_text(MAPPING)
    return folder / "films.toml"


def timed(*arguments: str) -> tuple[float, float, int, str]:
    """Seconds by the clock and of the processor, megabytes at most, and what was printed, of one process."""
    began = time.monotonic()
    process = subprocess.Popen([sys.executable, "-m", "graphtalk", *arguments], stdout=subprocess.PIPE)
    assert process.stdout is not None
    said = process.stdout.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    assert status == 0, said
    return time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss >> 10, said


def main() -> None:
    """Make the graph, read its names, ask."""
    reading = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    reading.add_argument("--persons", type=int, default=1_000_000)
    persons = reading.parse_args().persons
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRAPHTALK_CACHE"] = f"{folder}/cache"
        address = f"duckdb:///{make(Path(folder), persons)}"
        print("| | question, s | process, s | processor, s | MB |\n|---|---|---|---|---|")
        clock, processor, memory, _ = timed("info", address, "--json")
        print(f"| schema, counts and names, once | | {clock:.1f} | {processor:.1f} | {memory:,} |")
        for cypher in QUESTIONS:
            clock, processor, memory, said = timed("query", address, cypher, "--json")
            seconds = json.loads(said)["seconds"]
            print(f"| `{cypher}` | {seconds:.2f} | {clock:.1f} | {processor:.1f} | {memory:,} |", flush=True)


if __name__ == "__main__":
    main()
