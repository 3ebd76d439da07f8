"""How fast each format is imported, and in how much memory: the table of docs/graphs.md.

python scripts/bench_formats.py [NODES] [EDGES] [FORMAT...]    # 20,000, 80,000 and all if not given

A made-up graph of people and towns is written by each format's own tool where there is one, and read in a process of its own, on this
machine, without writing a store. Rows are nodes and edges (of RDF, triples); memory is the most that the process held.
"""

import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx

MATRIX = 2_000  # nodes of a matrix, which has as many cells as that squared

Rows = tuple[list[dict[str, Any]], list[tuple[int, int, int]]]

CHILD = """
import sys, time
from graphtalk.graphs.read import read_graph
started = time.perf_counter()
graph = read_graph(sys.argv[1:])
seconds = time.perf_counter() - started
held = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(graph.num_nodes, graph.num_edges, seconds, held)
"""


def made(nodes: int, edges: int) -> Rows:
    """People with a name, an age, pay, a day and a boss; who knows whom since when."""
    generator = random.Random(0)
    people = [
        {
            "id": i,
            "name": f"Person {i}",
            "age": generator.randrange(99),
            "hired": f"20{generator.randrange(10, 25)}-01-{generator.randrange(1, 29):02}",
            "boss_id": generator.randrange(i) if i else None,
        }
        for i in range(nodes)
    ]
    return people, [
        (generator.randrange(nodes), generator.randrange(nodes), generator.randrange(1900, 2025))
        for _ in range(edges)
    ]


def as_networkx(rows: Rows) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    for person in rows[0]:
        graph.add_node(str(person["id"]), name=person["name"], age=person["age"], hired=person["hired"])
    graph.add_edges_from((str(a), str(b), {"relation": "knows", "since": since}) for a, b, since in rows[1])
    return graph


def lines(head: str, rows: Any) -> str:
    return (
        "\n".join([head, *(",".join("" if cell is None else str(cell) for cell in row) for row in rows)])
        + "\n"
    )


def folder_of_csv(rows: Rows, place: Path) -> None:
    place.mkdir()
    (place / "people.csv").write_text(lines("id,name,age,hired,boss_id", (p.values() for p in rows[0])))
    (place / "knows.csv").write_text(lines("person_id,friend_id,since", rows[1]))


def nodes_and_edges(rows: Rows, place: Path) -> None:
    place.mkdir()
    (place / "nodes.csv").write_text(lines("id,name,age,hired,boss_id", (p.values() for p in rows[0])))
    (place / "edges.csv").write_text(lines("source,target,since", rows[1]))


def parquet(rows: Rows, place: Path) -> None:
    import pandas

    place.mkdir()
    pandas.DataFrame(rows[0]).to_parquet(place / "people.parquet")
    pandas.DataFrame(rows[1], columns=["person_id", "friend_id", "since"]).to_parquet(place / "knows.parquet")


def excel(rows: Rows, place: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    for name, head, cells in (
        ("people", list(rows[0][0]), (list(p.values()) for p in rows[0])),
        ("knows", ["person_id", "friend_id", "since"], rows[1]),
    ):
        sheet = book.create_sheet(name)
        sheet.append(head)
        for row in cells:
            sheet.append(row)
    book.save(place)


TABLES = (
    "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, hired TEXT, boss_id INTEGER)",
    "CREATE TABLE knows (person_id INTEGER REFERENCES people(id), friend_id INTEGER REFERENCES people(id), since INTEGER)",
)


def sqlite(rows: Rows, place: Path) -> None:
    database = sqlite3.connect(place)
    for statement in TABLES:
        database.execute(statement)
    database.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", [tuple(p.values()) for p in rows[0]])
    database.executemany("INSERT INTO knows VALUES (?, ?, ?)", rows[1])
    database.commit()
    database.close()


def duckdb(rows: Rows, place: Path) -> None:
    import duckdb as library
    import pandas

    people, knows = (
        pandas.DataFrame(rows[0]),
        pandas.DataFrame(rows[1], columns=["person_id", "friend_id", "since"]),
    )
    with library.connect(str(place)) as database:
        for name, frame in (("people", people), ("knows", knows)):
            database.register("frame", frame)
            database.execute(f"CREATE TABLE {name} AS SELECT * FROM frame")


def neo4j(rows: Rows, place: Path) -> None:
    place.mkdir()
    people = ((p["id"], p["name"], p["age"], p["hired"], "Person") for p in rows[0])
    (place / "people.csv").write_text(lines("id:ID(Person),name,age:int,hired:date,:LABEL", people))
    knows = ((a, b, since, "KNOWS") for a, b, since in rows[1])
    (place / "knows.csv").write_text(lines(":START_ID(Person),:END_ID(Person),since:int,:TYPE", knows))


def cypher(rows: Rows, place: Path) -> None:
    with place.open("w") as file:
        for p in rows[0]:
            file.write(
                f"CREATE (:Person {{id: {p['id']}, name: {json.dumps(p['name'])}, age: {p['age']}}});\n"
            )
        for a, b, since in rows[1]:
            file.write(
                f"MATCH (a:Person {{id: {a}}}), (b:Person {{id: {b}}}) CREATE (a)-[:KNOWS {{since: {since}}}]->(b);\n"
            )


def rdf(format: str) -> Callable[[Rows, Path], None]:
    def write(rows: Rows, place: Path) -> None:
        import rdflib

        graph, own = rdflib.Graph(), rdflib.Namespace("http://example.org/")
        graph.bind("ex", own)
        for p in rows[0]:
            node = own[f"p{p['id']}"]
            graph.add((node, rdflib.RDF.type, own.Person))
            graph.add((node, rdflib.RDFS.label, rdflib.Literal(p["name"])))
            graph.add((node, own.age, rdflib.Literal(p["age"])))
        for a, b, _ in rows[1]:
            graph.add((own[f"p{a}"], own.knows, own[f"p{b}"]))
        graph.serialize(place, format=format)

    return write


def markdown(rows: Rows, place: Path) -> None:
    place.mkdir()
    known: dict[int, list[int]] = {}
    for a, b, _ in rows[1]:
        known.setdefault(a, []).append(b)
    for p in rows[0]:
        links = " ".join(f"[[Person {b}]]" for b in known.get(p["id"], []))
        (place / f"{p['name']}.md").write_text(f"---\ntype: person\nage: {p['age']}\n---\nKnows {links}\n")


def json_objects(rows: Rows, place: Path) -> None:
    import pandas

    friends: dict[int, list[int]] = {}
    for a, b, _ in rows[1]:
        friends.setdefault(a, []).append(b)
    frame = pandas.DataFrame(rows[0])
    frame["friends"] = [friends.get(p["id"], []) for p in rows[0]]
    frame.to_json(place, orient="records")


def matrix(rows: Rows, place: Path) -> None:
    graph = nx.Graph()
    graph.add_nodes_from(range(min(len(rows[0]), MATRIX)))
    graph.add_edges_from((a % MATRIX, b % MATRIX) for a, b, _ in rows[1])
    nx.to_pandas_adjacency(graph, dtype=int).to_csv(place)


def dot(rows: Rows, place: Path) -> None:
    import igraph

    graph = igraph.Graph([(a, b) for a, b, _ in rows[1]], directed=True)
    graph.vs["name"], graph.vs["age"] = [p["name"] for p in rows[0]], [p["age"] for p in rows[0]]
    graph.write_dot(str(place))


def by_networkx(write: Callable[[Any, Path], object]) -> Callable[[Rows, Path], None]:
    return lambda rows, place: (write(as_networkx(rows), place), None)[1]


def as_json(data: Callable[[Any], Any]) -> Callable[[Any, Path], object]:
    return lambda graph, place: place.write_text(json.dumps(data(graph)))


FORMATS: dict[str, tuple[str, Callable[[Rows, Path], None]]] = {
    "CSV: nodes, edges": ("pair", nodes_and_edges),
    "CSV: tables with keys": ("staff", folder_of_csv),
    "Parquet (pandas)": ("lake", parquet),
    "Excel (openpyxl)": ("staff.xlsx", excel),
    "SQLite": ("shop.db", sqlite),
    "DuckDB": ("shop.duckdb", duckdb),
    "JSON objects (pandas)": ("people.json", json_objects),
    "adjacency matrix (pandas)": ("matrix.csv", matrix),
    "edge list (networkx)": ("g.edgelist", by_networkx(nx.write_edgelist)),
    "GraphML (networkx)": ("g.graphml", by_networkx(nx.write_graphml)),
    "GEXF (networkx)": ("g.gexf", by_networkx(nx.write_gexf)),
    "GML (networkx)": ("g.gml", by_networkx(nx.write_gml)),
    "DOT (igraph)": ("g.dot", dot),
    "graph6 (networkx)": (
        "g.s6",
        by_networkx(
            lambda g, place: nx.write_sparse6(nx.convert_node_labels_to_integers(g.to_undirected()), place)
        ),
    ),
    "Pajek (networkx)": ("g.net", by_networkx(nx.write_pajek)),
    "node-link JSON (networkx)": (
        "g.json",
        by_networkx(as_json(lambda g: nx.node_link_data(g, edges="links"))),
    ),
    "Cytoscape JSON (networkx)": ("g.cyjs", by_networkx(as_json(nx.cytoscape_data))),
    "Neo4j CSV": ("movies", neo4j),
    "Cypher script": ("g.cypher", cypher),
    "Turtle (rdflib)": ("g.ttl", rdf("turtle")),
    "N-Triples (rdflib)": ("g.nt", rdf("nt")),
    "RDF/XML (rdflib)": ("g.rdf", rdf("xml")),
    "JSON-LD (rdflib)": ("g.jsonld", rdf("json-ld")),
    "Markdown": ("vault", markdown),
}


def main() -> None:
    """Print a row for each format."""
    words = [word for word in sys.argv[1:] if word.isdigit()]
    nodes, edges = (int(word) for word in (words + ["20000", "80000"][len(words) :])[:2])
    rows = made(nodes, edges)
    print("| Format | Nodes | Edges | Rows a second | MB |\n|---|---|---|---|---|")
    only = [word.lower() for word in sys.argv[1:] if not word.isdigit()]
    for name, (file, write) in FORMATS.items():
        if only and not any(word in name.lower() for word in only):
            continue
        with TemporaryDirectory() as folder:
            place = Path(folder) / file
            write(rows, place)
            started = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", CHILD, place], capture_output=True, text=True, check=False
            )
            if done.returncode:
                print(
                    f"| {name} | failed: {done.stderr.splitlines()[-1]} ({time.perf_counter() - started:.0f} s) |"
                )
                continue
            found, joined, seconds, memory = done.stdout.split()
            rate = (int(found) + int(joined)) / float(seconds)
            print(
                f"| {name} | {int(found):,} | {int(joined):,} | {rate:,.0f} | {int(memory) / 1000:,.0f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
