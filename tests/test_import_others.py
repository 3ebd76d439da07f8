"""Graphs of Neo4j, edge lists as they are found, SQLite, DuckDB, Excel and Parquet files as their own tools write them."""

import sqlite3
from datetime import date, datetime
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.read import explain_graph, read_graph
from graphtalk.graphs.recipe import parse_recipe
from graphtalk.graphs.tabular import Plan, explain


def graph_of(*paths: Path | str, **options: Any) -> Graph:
    graph = read_graph(list(paths), **options)
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    found = set()
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found |= {(graph.label(a), r.name, graph.label(b)) for a, b in zip(sources, targets, strict=True)}
    return found


def put(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


# Neo4j

ADMIN = {  # the example of neo4j-admin's manual in form: a header apart, two id spaces, arrays, types
    "movies_header.csv": "movieId:ID(Movie),title,year:int,tags:string[],:LABEL\n",
    "movies.csv": '1,"The Matrix",1999,action;sf,Movie\n2,"The Matrix Reloaded",2003,,Movie;Sequel\n',
    "actors.csv": "personId:ID(Person),name,born:int,:LABEL\n1,Keanu Reeves,1964,Actor\n3,Carrie-Anne Moss,,Actor\n",
    "roles.csv": ":START_ID(Person),role,:END_ID(Movie),:TYPE\n1,Neo,1,ACTED_IN\n1,Neo,2,ACTED_IN\n3,Trinity,1,ACTED_IN\n",
}


def test_headers_of_neo4j_admin(tmp_path: Path) -> None:
    graph = graph_of(put(tmp_path / "movies", ADMIN))
    assert [(t.name, t.count) for t in graph.schema.node_types] == [("Actor", 2), ("Movie", 2)]
    assert ("Keanu Reeves", "ACTED_IN", "The Matrix Reloaded") in edges(graph) and len(edges(graph)) == 3
    matrix = graph.node("Movie:1")
    assert graph.features(matrix) == {"title": "The Matrix", "year": 1999, "tags": ["action", "sf"]}
    assert graph.edge_features(0, 0) == {"role": "Neo"}
    with pytest.raises(SourceError, match="relationships but no nodes"):
        graph_of(tmp_path / "movies" / "roles.csv")
    with pytest.raises(SourceError, match=r"roles\.csv, line 2: source 'Person:9' is not a node"):
        graph_of(
            put(tmp_path / "bad", ADMIN | {"roles.csv": ":START_ID(Person),:END_ID(Movie),:TYPE\n9,1,X\n"})
        )


def test_csv_of_apoc(tmp_path: Path) -> None:
    text = (
        '"_id","_labels","name","age","_start","_end","_type","since"\n'
        '"7",":Person:Boss","Ann","31",,,,\n"8",":Person","Bo\nb","40",,,,\n,,,,"7","8","KNOWS","1999"\n'
    )
    (tmp_path / "all.csv").write_text(text)
    graph = graph_of(tmp_path / "all.csv")
    assert edges(graph) == {("Ann", "KNOWS", "Bo\nb")}
    assert graph.features(0) == {"name": "Ann", "age": 31} and graph.edge_features(0, 0) == {"since": 1999}
    (tmp_path / "all.csv").write_text(text.replace('"7","8","KNOWS"', '"7","9","KNOWS"'))
    with pytest.raises(SourceError, match=r"all\.csv, line 5: target '9' is not a node"):
        graph_of(tmp_path / "all.csv")


# edge lists


def test_edge_lists_of_networkx(tmp_path: Path) -> None:
    graph = nx.DiGraph()
    graph.add_edge("a", "b", weight=1, colour="red")
    graph.add_edge("b", "c", weight=2.5)
    nx.write_edgelist(graph, tmp_path / "g.edgelist")
    nx.write_weighted_edgelist(graph, tmp_path / "w.txt")
    nx.write_edgelist(graph, tmp_path / "p.txt", data=False)
    read = graph_of(tmp_path / "g.edgelist")
    assert edges(read) == {("a", "edge", "b"), ("b", "edge", "c")}
    assert read.edge_features(0, 0) == {"weight": 1, "colour": "red"}
    assert graph_of(tmp_path / "w.txt").edge_features(0, 1) == {"weight": 2.5}
    assert edges(graph_of(tmp_path / "p.txt")) == edges(read)


@pytest.mark.parametrize(
    "text",
    [
        "# SNAP: a graph\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
        "0   1\n1   2\n",
        "0 1\n# between\n1 2\n",
        "0, 1, 0.5\n1, 2\n",
        "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n0 1\n1 2\n",
        "0;1\n1;2\n",
        "0 1 {}\n1 2 {'weight': 3}\n",
    ],
)
def test_edge_lists_in_the_wild(tmp_path: Path, text: str) -> None:
    (tmp_path / "g.txt").write_text(text)
    assert edges(graph_of(tmp_path / "g.txt")) == {("0", "edge", "1"), ("1", "edge", "2")}


def test_bad_edge_lists(tmp_path: Path) -> None:
    for text, message in {
        "a b {'weight': __import__('os')}\n": r"line 1: .* is no dictionary of values",
        "a b {}\na {}\n": r"line 2: 1 cells",
        "a b {}\na b c d\n": r"line 2: 4 cells",
        "a b {'x': " + "[" * 60_000 + "}\n": r"line 1",
        "a b {}\n" + "a" * (1 << 17): r"line 2: the line is longer",
    }.items():
        (tmp_path / "g.edgelist").write_text(text)
        with pytest.raises(SourceError, match=r"g\.edgelist.*" + message):
            graph_of(tmp_path / "g.edgelist", format="edges")


# databases and workbooks

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, joined TEXT, agent INTEGER REFERENCES customers(id));
CREATE TABLE products (sku TEXT PRIMARY KEY, title TEXT, price REAL);
CREATE TABLE bought (customer INTEGER REFERENCES customers(id), product TEXT REFERENCES products(sku), amount INTEGER,
  PRIMARY KEY (customer, product));
INSERT INTO customers VALUES (1, 'Ann', 'Oslo', '2020-01-02', NULL);
INSERT INTO customers VALUES (2, 'Bob', 'Rome', '2021-05-06', 1);
INSERT INTO products VALUES ('p1', 'Pen', 1.5), ('p2', 'Ink', 12.25);
INSERT INTO bought VALUES (1, 'p1', 3), (2, 'p1', 1), (2, 'p2', 1);
"""
BOUGHT = {
    ("Ann", "bought", "Pen"),
    ("Bob", "bought", "Pen"),
    ("Bob", "bought", "Ink"),
    ("Bob", "agent", "Ann"),
}


def sqlite(place: Path, script: str = SHOP) -> Path:
    database = sqlite3.connect(place)
    database.executescript(script)
    database.commit()
    database.close()
    return place


def check_shop(graph: Graph) -> None:
    assert edges(graph) == BOUGHT
    assert [(t.name, t.count) for t in graph.schema.node_types] == [("customers", 2), ("products", 2)]
    assert graph.features(graph.node("1")) == {"name": "Ann", "city": "Oslo", "joined": date(2020, 1, 2)}
    bought = [r.name for r in graph.schema.relations].index("bought")
    assert graph.edge_features(bought, 0) == {"amount": 3}


@pytest.mark.parametrize("name", ["shop.db", "shop.sqlite", "shop"])
def test_a_database_of_sqlite(tmp_path: Path, name: str) -> None:
    check_shop(graph_of(sqlite(tmp_path / name)))
    check_shop(graph_of(f"sqlite:///{tmp_path / name}"))


def test_a_database_of_duckdb(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as database:
        for statement in SHOP.split(";"):
            database.execute(statement)
    check_shop(graph_of(tmp_path / "shop.duckdb"))


def test_a_recipe_for_a_database(tmp_path: Path) -> None:
    place = sqlite(tmp_path / "shop.db")
    told = explain_graph([place])
    assert isinstance(told.found, Plan)
    text = explain.explained(told.found, told.notes)
    assert 'table = "bought"' in text
    check_shop(graph_of(place, recipe=parse_recipe(text)))


def test_tables_without_declared_keys(tmp_path: Path) -> None:
    script = SHOP.replace("REFERENCES customers(id)", "").replace("REFERENCES products(sku)", "")
    script = script.replace("agent INTEGER", "agent_id INTEGER").replace(
        "(customer INTEGER", "(customer_id INTEGER"
    )
    script = script.replace("PRIMARY KEY (customer, product)", "UNIQUE (customer_id, product)")
    found = edges(graph_of(sqlite(tmp_path / "shop.db", script)))
    assert {e for e in found if e[1] == "bought"} == {e for e in BOUGHT if e[1] == "bought"}


def test_damaged_databases(tmp_path: Path) -> None:
    content = sqlite(tmp_path / "shop.db").read_bytes()
    for name, data in {
        "cut.db": content[:5000],
        "head.db": content[:100],
        "mixed.db": content[:4096] + b"x" * 4096 + content[8192:],
    }.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError, match=name):
            graph_of(tmp_path / name)
    with pytest.raises(SourceError, match="no table with rows"):
        graph_of(sqlite(tmp_path / "empty.db", "CREATE TABLE a (id INTEGER)"))
    assert sorted(p.name for p in tmp_path.iterdir() if "-" in p.name) == []  # no journal was made


def test_a_workbook(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    people = book.active
    people.title = "people"
    for row in ([], ["id", "name", "born", "city id", "joined"], [1, "Ann", datetime(1990, 1, 2), 10, datetime(2020, 1, 2, 3, 4)],
                [2, "Bob", datetime(1991, 3, 4), None, datetime(2021, 1, 2, 3, 4)], []):  # fmt: skip
        people.append(row)
    cities = book.create_sheet("cities")
    for row in (["id", "name", "size"], [10, "Oslo", 700000.0], [11, "Rome", 2.8e6]):
        cities.append(row)
    book.create_sheet("notes")
    book.save(tmp_path / "club.xlsx")
    graph = graph_of(tmp_path / "club.xlsx")
    assert edges(graph) == {("Ann", "city", "Oslo")}
    ann = graph.node("1")
    assert (
        graph.features(ann)["born"] == date(1990, 1, 2)
        and graph.features(graph.node("10"))["size"] == 700_000
    )
    for name, data in {
        "cut.xlsx": (tmp_path / "club.xlsx").read_bytes()[:3000],
        "no.xlsx": b"id,name\n1,a\n",
    }.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(SourceError, match=name):
            graph_of(tmp_path / name)


def test_what_pandas_and_polars_write(tmp_path: Path) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    people = pandas.DataFrame({"id": [1, 2, 3], "name": ["Ann", "Bob", "Cy"], "boss_id": [None, 1, 1]})
    people.to_csv(tmp_path / "people.csv", index=False)  # 1.0, for its column has blanks
    polars.from_pandas(people).write_parquet(tmp_path / "people.parquet")
    people.to_csv(tmp_path / "indexed.csv")
    for name in ("people.csv", "people.parquet", "indexed.csv"):
        assert edges(graph_of(tmp_path / name)) == {("Bob", "boss", "Ann"), ("Cy", "boss", "Ann")}, name


def test_a_library_that_is_missing_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    (tmp_path / "g.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(
        UsageError, match=r'openpyxl, which is not installed: python -m pip install "graphtalk\[excel\]"'
    ):
        graph_of(tmp_path / "g.xlsx")
