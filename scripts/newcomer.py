"""A newcomer's way from a file to the first right answer, for each format: docs/graphs.md states the range.

python scripts/newcomer.py [FORMAT...]    # all if none is named

Each file is made by the format's own tool where there is one. Then `graphtalk import FILE -o mine.gt` and `graphtalk ask mine.gt
QUESTION` run as the command line does, each in a process of its own, without any option. `tests/test_newcomer.py` plays the same.
"""

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

PEOPLE = [
    {"id": "p1", "name": "Ann Lee", "age": 51},
    {"id": "p2", "name": "Bob Stone", "age": 34},
    {"id": "p3", "name": "Cy Park", "age": 29},
    {"id": "p4", "name": "Dora Maar", "age": 42},
]
MANAGES = [("p1", "p2"), ("p1", "p4"), ("p2", "p3")]
ROADS = [("Oslo", "Bergen"), ("Oslo", "Lund"), ("Lund", "Malmo")]
MANAGED = ("Who does Ann Lee manage?", ["Bob Stone", "Dora Maar"])
MANAGER = ("Who is the manager of Cy Park?", ["Bob Stone"])
NEAR = ("What are the neighbours of Oslo?", ["Bergen", "Lund"])


@dataclass(frozen=True)
class Case:
    """A file of one format: what makes it in a folder, what is imported of it, and a question with its right answer."""

    format: str
    file: str
    make: Callable[[Path], object]
    question: str
    answer: list[str]


def networkx_graph(key: str = "relation") -> Any:
    import networkx as nx

    graph = nx.DiGraph()
    for person in PEOPLE:
        graph.add_node(person["id"], name=person["name"], age=person["age"])
    graph.add_edges_from(MANAGES, **{key: "manages"})
    return graph


def roads() -> Any:
    import networkx as nx

    return nx.Graph(ROADS)


def frames() -> dict[str, Any]:
    import pandas

    staff = [{**p, "manager_id": next((a for a, b in MANAGES if b == p["id"]), None)} for p in PEOPLE]
    return {"people": pandas.DataFrame(staff)}


def by_networkx(name: str, make: Callable[[], Any] = networkx_graph) -> Callable[[Path], object]:
    import networkx as nx

    return lambda place: getattr(nx, f"write_{name}")(make(), place)


def as_json(name: str) -> Callable[[Path], object]:
    import networkx as nx

    data = {"node-link": lambda g: nx.node_link_data(g, edges="links"), "cytoscape": nx.cytoscape_data}[name]
    return lambda place: place.write_text(json.dumps(data(networkx_graph())))


def pair_of_csv(place: Path) -> None:
    import pandas

    place.mkdir()
    pandas.DataFrame(PEOPLE).to_csv(place / "nodes.csv", index=False)
    edges = pandas.DataFrame(MANAGES, columns=["source", "target"]).assign(relation="manages")
    edges.to_csv(place / "edges.csv", index=False)


def parquet(place: Path) -> None:
    import polars

    polars.DataFrame(frames()["people"].to_dict("records")).write_parquet(place)


def sqlite(place: Path) -> None:
    with sqlite3.connect(place) as database:
        database.execute(
            "CREATE TABLE people (id TEXT PRIMARY KEY, name TEXT, age INTEGER, manager_id TEXT REFERENCES people(id))"
        )
        rows = frames()["people"].astype(object).where(lambda frame: frame.notna(), None).values.tolist()
        database.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)


def duckdb(place: Path) -> None:
    import duckdb as library

    people = frames()["people"]
    with library.connect(str(place)) as database:
        database.register("frame", people)
        database.execute("CREATE TABLE people AS SELECT * FROM frame")


def neo4j(place: Path) -> None:
    """As `neo4j-admin database import` takes it."""
    place.mkdir()
    people = "\n".join(f"{p['id']},{p['name']},{p['age']},Person" for p in PEOPLE)
    (place / "people.csv").write_text(f"personId:ID,name,age:int,:LABEL\n{people}\n")
    edges = "\n".join(f"{a},{b},MANAGES" for a, b in MANAGES)
    (place / "manages.csv").write_text(f":START_ID,:END_ID,:TYPE\n{edges}\n")


def cypher(place: Path) -> None:
    nodes = [f"CREATE (:Person {{id: '{p['id']}', name: '{p['name']}', age: {p['age']}}});" for p in PEOPLE]
    edges = [
        f"MATCH (a:Person {{id: '{a}'}}), (b:Person {{id: '{b}'}}) CREATE (a)-[:MANAGES]->(b);"
        for a, b in MANAGES
    ]
    place.write_text("\n".join([*nodes, *edges]) + "\n")


def rdf(format: str) -> Callable[[Path], object]:
    def make(place: Path) -> None:
        import rdflib

        graph, own = rdflib.Graph(), rdflib.Namespace("http://example.org/")
        graph.bind("ex", own)
        for p in PEOPLE:
            graph.add((own[p["id"]], rdflib.RDF.type, own.Person))
            graph.add((own[p["id"]], rdflib.RDFS.label, rdflib.Literal(p["name"])))
        for a, b in MANAGES:
            graph.add((own[a], own.manages, own[b]))
        graph.serialize(place, format=format)

    return make


def igraph_dot(place: Path) -> None:
    import igraph

    graph = igraph.Graph(directed=True)
    graph.add_vertices([p["id"] for p in PEOPLE], {"label": [p["name"] for p in PEOPLE]})
    graph.add_edges(MANAGES, {"label": ["manages"] * len(MANAGES)})
    graph.write_dot(str(place))


def excel(place: Path) -> None:
    frames()["people"].to_excel(place, sheet_name="people", index=False)


def markdown(place: Path) -> None:
    place.mkdir()
    for p in PEOPLE:
        links = " ".join(f"[[{b['name']}]]" for b in PEOPLE if (p["id"], b["id"]) in MANAGES)
        (place / f"{p['name']}.md").write_text(f"---\ntype: person\nage: {p['age']}\n---\nManages {links}\n")


def matrix(place: Path) -> None:
    import networkx as nx

    nx.to_pandas_adjacency(roads(), dtype=int).to_csv(place)


CASES = [
    Case("CSV: nodes, edges (pandas)", "staff", pair_of_csv, *MANAGED),
    Case("CSV with keys (pandas)", "people.csv", lambda p: frames()["people"].to_csv(p, index=False), *MANAGER),
    Case("Parquet (polars)", "people.parquet", parquet, *MANAGER),
    Case("Excel (pandas, openpyxl)", "staff.xlsx", excel, *MANAGER),
    Case("SQLite (sqlite3)", "staff.db", sqlite, *MANAGER),
    Case("SQLite by address (SQLAlchemy)", "sqlite:///staff.db", sqlite, *MANAGER),
    Case("DuckDB (duckdb)", "staff.duckdb", duckdb, *MANAGER),
    Case("JSON objects (pandas)", "people.json", lambda p: frames()["people"].to_json(p, orient="records"), *MANAGER),
    Case("matrix (pandas)", "matrix.csv", matrix, *NEAR),
    Case("edge list (networkx)", "roads.edgelist", by_networkx("edgelist", roads), *NEAR),
    Case("GraphML (networkx)", "g.graphml", by_networkx("graphml"), *MANAGED),
    Case("GEXF (networkx)", "g.gexf", by_networkx("gexf"), *MANAGED),
    Case("GML (networkx)", "g.gml", by_networkx("gml"), *MANAGED),
    Case("Pajek (networkx)", "g.net", by_networkx("pajek", roads), *NEAR),
    Case("DOT (igraph)", "g.dot", igraph_dot, *MANAGED),
    Case("graph6 (networkx)", "g.g6", by_networkx("graph6", roads), "How many edges are there?", ["3"]),
    Case("node-link JSON (networkx)", "g.json", as_json("node-link"), *MANAGED),
    Case("Cytoscape JSON (networkx)", "g.cyjs", as_json("cytoscape"), *MANAGED),
    Case("Neo4j CSV (neo4j-admin's headers)", "movies", neo4j, *MANAGED),
    Case("Cypher script", "g.cypher", cypher, *MANAGED),
    Case("Turtle (rdflib)", "g.ttl", rdf("turtle"), *MANAGED),
    Case("N-Triples (rdflib)", "g.nt", rdf("nt"), *MANAGED),
    Case("RDF/XML (rdflib)", "g.rdf", rdf("xml"), *MANAGED),
    Case("JSON-LD (rdflib)", "g.jsonld", rdf("json-ld"), *MANAGED),
    Case("Markdown vault", "vault", markdown, "How many people are older than 40?", ["2"]),
]  # fmt: skip


def source(case: Case, folder: Path) -> str:
    """Make the file of a case in a folder; returns what a newcomer writes after `import`."""
    address = case.file.startswith("sqlite:///")
    place = folder / case.file.removeprefix("sqlite:///")
    case.make(place)
    return f"sqlite:///{place}" if address else str(place)


def is_right(case: Case, value: Any) -> bool:
    """Whether an answer's value is what the case's question should give."""
    found = value if isinstance(value, list) else [value]
    return sorted(map(str, found)) == sorted(case.answer)


def main() -> None:
    """Print a row for each format."""
    only = [word.lower() for word in sys.argv[1:]]
    print("| File, and its tool | Question | Answer | Seconds |\n|---|---|---|---|")
    wrong = 0
    for case in CASES:
        if only and not any(word in case.format.lower() for word in only):
            continue
        with TemporaryDirectory() as folder:
            given, store = source(case, Path(folder)), str(Path(folder) / "mine.gt")
            started, command = time.perf_counter(), [sys.executable, "-m", "graphtalk"]
            subprocess.run([*command, "import", given, "-o", store], check=True, capture_output=True)
            asked = [*command, "ask", store, case.question, "--json"]
            done = subprocess.run(asked, capture_output=True, text=True, check=False)
            seconds = time.perf_counter() - started
            said = json.loads(done.stdout) if done.stdout.startswith("{") else {"value": None}
            right = is_right(case, said.get("value"))
            wrong += not right
            shown = (
                ", ".join(case.answer) if right else f"**wrong**: {said.get('text') or done.stderr[-200:]!r}"
            )
            print(f"| {case.format} | {case.question} | {shown} | {seconds:.1f} |", flush=True)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
