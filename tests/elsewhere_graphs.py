"""One small graph of films, in a store of ours and in the engines that graphs live in: the same nodes, names and edges.

It has missing values, ties, an edge from a node to itself, names with quotes and letters of other alphabets, and nodes
without edges. No two edges join the same nodes in one relation, and no edge has features: RDF knows neither.
"""

import random
from collections.abc import Collection
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

BASE = "http://films.example/"
RELATIONS = {
    "knows": ("person", "person"),
    "acted": ("person", "film"),
    "directed": ("person", "film"),
    "made": ("studio", "film"),
    "lives": ("person", "city"),
    "seat": ("studio", "city"),
}
LABELS = {"person": "name", "film": "title", "studio": "name", "city": "name"}
_PEOPLE = (
    "Ann,Bo,Cy,Dee,Eve,Fay,Gus,Hal,Ida,Jan,Kim,Lee,Mia,Ned,Oda,Pia,Quin,Roy,Sue,Tom,Una,Vic,Wes,Xia,Yan,Zoë,"
    'O\'Hara,Ábel,Ben "Big" Boyd,Back\\slash,李雷,Straße'
).split(",")
_FILMS = "Up,Heat,Alien,Brazil,Fargo,Jaws,Klute,Lucy,Moon,Nope,Okja,Pi,Ran,Tár,Ulee's Gold,Vertigo,Weekend,Xala,Yi Yi,Z".split(
    ","
)
_CITIES = "Oslo,Rome,Lima,Paris,Kyoto,Cairo".split(",")
_STUDIOS = "Ajax,Bolt,Comet,Delta".split(",")


def tables() -> tuple[dict[str, pa.Table], dict[str, list[tuple[int, int]]]]:
    """Nodes by type, with their ids, and edges by relation, as rows of the two node tables; in the order of the ids."""
    draw = random.Random(16)

    def some(value: object, missing: float = 0.15) -> object:
        return None if draw.random() < missing else value

    people, films = len(_PEOPLE), len(_FILMS)
    nodes = {
        "city": pa.table(
            {"name": _CITIES, "people": [draw.randrange(100, 900) * 1000 for _ in _CITIES]},
        ),
        "film": pa.table(
            {
                "title": _FILMS,
                "year": pa.array([some(draw.randrange(1970, 2020)) for _ in _FILMS], pa.int64()),
                "rating": pa.array([some(draw.choice([5.5, 6.25, 7.1, 8.3, 8.3, 9.0])) for _ in _FILMS], pa.float64()),
                "genre": pa.array([some(draw.choice(["drama", "comedy", "crime", "Drama"])) for _ in _FILMS]),
            }
        ),
        "person": pa.table(
            {
                "name": _PEOPLE,
                "age": pa.array([some(draw.randrange(18, 80)) for _ in _PEOPLE], pa.int64()),
                "height": pa.array([some(draw.randrange(150, 200) / 100) for _ in _PEOPLE], pa.float64()),
                "born": pa.array([some(date(1950, 1, 1) + timedelta(draw.randrange(18000))) for _ in _PEOPLE], pa.date32()),
                "active": pa.array([some(draw.random() < 0.6) for _ in _PEOPLE], pa.bool_()),
                "tags": pa.array(
                    [some(sorted(draw.sample(["art", "jazz", "golf", "chess"], draw.randrange(1, 3)))) for _ in _PEOPLE],
                    pa.list_(pa.string()),
                ),
            }
        ),
        "studio": pa.table({"name": _STUDIOS, "founded": [1920, 1935, 1950, 1950]}),
    }  # fmt: skip
    for name, table in nodes.items():
        ids = [f"{BASE}{name}/{i:02}" for i in range(len(table))]
        nodes[name] = table.add_column(0, "id", pa.array(ids))
    edges: dict[str, set[tuple[int, int]]] = {name: set() for name in RELATIONS}
    while len(edges["knows"]) < 60:
        edges["knows"].add((draw.randrange(people - 2), draw.randrange(people - 2)))
    edges["knows"].add((3, 3))
    while len(edges["acted"]) < 55:
        edges["acted"].add((draw.randrange(people - 3), draw.randrange(films - 1)))
    for film in range(films - 2):
        edges["directed"].add((draw.randrange(people - 3), film))
        edges["made"].add((draw.randrange(len(_STUDIOS)), film))
    for person in range(people - 4):
        edges["lives"].add((person, draw.randrange(len(_CITIES) - 1)))
    edges["seat"] = {(0, 0), (1, 1), (2, 1), (3, 3)}
    return nodes, {name: sorted(pairs) for name, pairs in edges.items()}


def stored() -> Graph:
    """The graph in arrays."""
    nodes, edges = tables()
    parts = []
    for name, (source, target) in RELATIONS.items():
        ends = np.array(edges[name], np.int64).reshape(-1, 2)
        parts.append(EdgeTable(name, source, target, ends[:, 0], ends[:, 1]))
    return build([NodeTable(name, table, LABELS[name]) for name, table in nodes.items()], parts, "films")


def _pairs(name: str) -> pa.Table:
    nodes, edges = tables()
    source, target = (nodes[each].column("id") for each in RELATIONS[name])
    rows = np.array(edges[name], np.int64).reshape(-1, 2)
    return pa.table({"from": source.take(pa.array(rows[:, 0])), "to": target.take(pa.array(rows[:, 1]))})


def in_ladybug(path: Path) -> str:
    """The graph in a ladybug database at `path`; its address."""
    import ladybug

    database = ladybug.Database(str(path), buffer_pool_size=1 << 26, max_db_size=1 << 30, max_num_threads=1)
    connection = ladybug.Connection(database)
    kinds = {
        pa.string(): "STRING",
        pa.int64(): "INT64",
        pa.float64(): "DOUBLE",
        pa.bool_(): "BOOL",
        pa.date32(): "DATE",
    }
    for name, table in tables()[0].items():
        columns = ", ".join([f"`{f.name}` {kinds.get(f.type, 'STRING[]')}" for f in table.schema])
        connection.execute(f"CREATE NODE TABLE `{name}`({columns}, PRIMARY KEY(`id`))")
        connection.execute(f"COPY `{name}` FROM $rows", {"rows": table})
    for name, (source, target) in RELATIONS.items():
        connection.execute(f"CREATE REL TABLE `{name}`(FROM `{source}` TO `{target}`)")
        connection.execute(f"COPY `{name}` FROM $rows", {"rows": _pairs(name)})
    connection.close()
    database.close()
    return f"ladybug:///{path}"


def in_duckdb(path: Path) -> str:
    """The graph in a DuckDB database at `path`, with keys declared; its address."""
    import duckdb

    kinds = {
        pa.string(): "VARCHAR",
        pa.int64(): "BIGINT",
        pa.float64(): "DOUBLE",
        pa.bool_(): "BOOLEAN",
        pa.date32(): "DATE",
    }
    with duckdb.connect(str(path)) as connection:
        for name, table in tables()[0].items():
            columns = ", ".join([f'"{f.name}" {kinds.get(f.type, "VARCHAR[]")}' for f in table.schema])
            connection.execute(f'CREATE TABLE "{name}"({columns}, PRIMARY KEY("id"))')
            connection.register("rows_given", table)
            connection.execute(f'INSERT INTO "{name}" SELECT * FROM rows_given')
            connection.unregister("rows_given")
        for name, (source, target) in RELATIONS.items():
            connection.execute(
                f'CREATE TABLE "{name}"("from" VARCHAR REFERENCES "{source}"(id), "to" VARCHAR REFERENCES "{target}"(id))'
            )
            connection.register("rows_given", _pairs(name))
            connection.execute(f'INSERT INTO "{name}" SELECT * FROM rows_given')
            connection.unregister("rows_given")
    return f"duckdb:///{path}"


def in_parquet(folder: Path, types: Collection[str] = tuple(LABELS)) -> Path:
    """The graph, or the part of it between some types, as Parquet files with a mapping beside them; the mapping."""
    from pyarrow import parquet

    folder.mkdir()
    said = ['name = "films"']
    for name, table in tables()[0].items():
        if name not in types:
            continue
        parquet.write_table(table, folder / f"{name}.parquet")
        said.append(f'[[nodes]]\nfiles = ["{name}.parquet"]\nnode_type = "{name}"\nlabel = "{LABELS[name]}"')
    for name, (source, target) in RELATIONS.items():
        if not {source, target} <= {*types}:
            continue
        parquet.write_table(_pairs(name), folder / f"{name}.parquet")
        ends = f'source = "from"\ntarget = "to"\nsource_type = "{source}"\ntarget_type = "{target}"'
        said.append(f'[[edges]]\nfiles = ["{name}.parquet"]\nrelation_name = "{name}"\n{ends}')
    (folder / "films.toml").write_text("\n\n".join(said))
    return folder / "films.toml"


def in_rdf(path: Path) -> str:
    """The graph as N-Triples at `path`; the address of the file."""
    import pyoxigraph as ox

    def iri(text: str) -> ox.NamedNode:
        return ox.NamedNode(BASE + text)

    kind = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    day = ox.NamedNode("http://www.w3.org/2001/XMLSchema#date")
    quads = []
    for name, table in tables()[0].items():
        for row in table.to_pylist():
            node = ox.NamedNode(row.pop("id"))
            quads.append(ox.Quad(node, kind, iri(f"type/{name}")))
            for feature, value in row.items():
                for each in value if isinstance(value, list) else [value]:
                    if isinstance(each, date):
                        quads.append(ox.Quad(node, iri(feature), ox.Literal(each.isoformat(), datatype=day)))
                    elif each is not None:
                        quads.append(ox.Quad(node, iri(feature), ox.Literal(each)))
    for name in RELATIONS:
        for row in _pairs(name).to_pylist():
            quads.append(ox.Quad(ox.NamedNode(row["from"]), iri(name), ox.NamedNode(row["to"])))
    store = ox.Store()
    store.extend(quads)
    store.dump(str(path), format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph())
    return f"oxigraph:///{path}"
