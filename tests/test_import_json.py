"""JSON of objects, lists of ids, matrices, lists of neighbours and folders of parts."""

import json
from pathlib import Path

import networkx as nx
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from graphtalk.core import SourceError
from graphtalk.graphs import Graph
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import explain_graph, read_graph
from graphtalk.graphs.recipe import parse_recipe
from graphtalk.graphs.tabular import Plan, explain

PEOPLE = [{"id": f"n{i}", "name": f"Ann {i}", "address": {"city": "Rome"}} for i in range(9)]
KNOWS = [{"a": f"n{i}", "b": f"n{i * 2 % 9}"} for i in range(9)]


def read(*paths: Path, **options: object) -> Graph:
    graph = read_graph(list(paths), **options)  # type: ignore[arg-type]
    assert isinstance(graph, Graph)
    return graph


def put(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    return {
        (graph.label(a), relation.name, graph.label(b))
        for place, relation in enumerate(graph.schema.relations)
        for a, b in zip(*graph.ends(place), strict=True)
    }


KNOWN = {(f"Ann {i}", "knows", f"Ann {i * 2 % 9}") for i in range(9)}


def test_lists_of_objects_are_tables(tmp_path: Path) -> None:
    files = [put(tmp_path / "people.json", PEOPLE), put(tmp_path / "knows.json", KNOWS)]
    assert edges(read(*files)) == KNOWN
    assert read(*files).features(0) == {"name": "Ann 0", "address.city": "Rome"}
    lines = [
        put(tmp_path / f"{p.stem}.jsonl", "\n".join(map(json.dumps, v)))
        for p, v in zip(files, (PEOPLE, KNOWS), strict=True)
    ]
    assert edges(read(*lines)) == KNOWN
    assert edges(read(put(tmp_path / "all.json", {"people": PEOPLE, "knows": KNOWS}))) == KNOWN
    plan = explain_graph(lines)
    assert isinstance(plan.found, Plan)
    assert edges(read(*lines, recipe=parse_recipe(explain.explained(plan.found, plan.notes)))) == KNOWN


def test_objects_in_one_another_are_rows_with_keys(tmp_path: Path) -> None:
    people = [
        {
            "id": f"n{i}",
            "name": f"Ann {i}",
            "club": {"id": i % 2, "title": f"Club {i % 2}"},
            "orders": [{"sku": f"s{i}"}, {"sku": "x"}],
            "friends": [f"n{(i + 1) % 9}"],
            "peers": [{"id": f"n{(i + 2) % 9}"}],
        }
        for i in range(9)
    ]
    graph = read(put(tmp_path / "people.json", people))
    assert {t.name: t.count for t in graph.schema.node_types} == {"people": 9, "club": 2, "orders": 18}
    assert {r.name: (r.count, r.target) for r in graph.schema.relations} == {
        "club": (9, "club"),
        "orders": (18, "orders"),
        "friends": (9, "people"),
        "peers": (9, "people"),
    }
    assert ("Ann 3", "club", "Club 1") in edges(graph) and ("Ann 8", "friends", "Ann 0") in edges(graph)


def test_objects_in_one_another_that_look_like_edges_stay_rows(tmp_path: Path) -> None:
    data = [{"id": i, "links": [{"source": 0, "target": 1}]} for i in range(2)]
    graph = read(put(tmp_path / "g.json", data))
    assert {t.name: t.count for t in graph.schema.node_types} == {"g": 2, "links": 2}


def test_objects_by_their_ids_and_trees(tmp_path: Path) -> None:
    staff = {f"n{i}": {"name": f"Ann {i}", "boss": "n0"} for i in range(5)}
    assert edges(read(put(tmp_path / "staff.json", staff))) == {
        (f"Ann {i}", "boss", "Ann 0") for i in range(5)
    }
    tree = nx.tree_data(nx.balanced_tree(2, 2, nx.DiGraph()), 0)
    graph = read(put(tmp_path / "tree.json", tree))
    assert graph.num_nodes == 7 and {(a, b) for a, _, b in edges(graph)} >= {
        ("0", "1"),
        ("0", "2"),
        ("2", "6"),
    }


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[1, 2]", "holds no list of objects"),
        ("a.json", '[{"id": 1}', r"a\.json, line 1: cannot be read"),
        ("a.jsonl", '{"id": 1}\n{"id":\n', r"a\.jsonl, line 2: cannot be read"),
        ("a.json", "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a.json", '{"nodes": [{"id": 1}], "directed": true}', "it has nodes, and no 'links' or 'edges'"),
        ("a.pickle", "x", "a pickle, which could run code"),
    ],
)
def test_what_is_no_table_is_said(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(put(tmp_path / name, text))


def test_adjacency_of_networkx(tmp_path: Path) -> None:
    graph = nx.Graph([(0, 1), (1, 2), (2, 2)])
    found = read(put(tmp_path / "g.json", nx.adjacency_data(graph)))
    assert (found.num_nodes, found.num_edges, found.schema.relations[0].inverse) == (3, 3, "edge")
    nx.write_adjlist(nx.DiGraph([(0, 1), (0, 2), (2, 3)]), tmp_path / "g.adjlist")
    assert edges(read(tmp_path / "g.adjlist")) == {("0", "edge", "1"), ("0", "edge", "2"), ("2", "edge", "3")}
    put(tmp_path / "g.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.0\n2 3 2.5\n")
    assert edges(read(tmp_path / "g.mtx")) == {("1", "edge", "2"), ("2", "edge", "3")}


@pytest.mark.parametrize("directed", [True, False])
def test_a_matrix(tmp_path: Path, directed: bool) -> None:
    graph = (nx.DiGraph if directed else nx.Graph)([("A", "B"), ("B", "C"), ("C", "C")])
    graph["A"]["B"]["weight"] = 2.5
    nx.to_pandas_adjacency(graph).to_csv(tmp_path / "m.csv")
    found = read(tmp_path / "m.csv")
    assert edges(found) == {("A", "edge", "B"), ("B", "edge", "C"), ("C", "edge", "C")}
    assert found.schema.relations[0].inverse == ("" if directed else "edge")
    assert found.edge_features(0, 0) == {"weight": 2.5}


def test_a_table_of_numbers_is_no_matrix(tmp_path: Path) -> None:
    put(tmp_path / "years.csv", "town,A,B,C\nRome,1,2,3\nOslo,4,5,6\n")
    assert read(tmp_path / "years.csv").num_edges == 0


def test_lists_of_ids_in_parquet_and_folders_of_parts(tmp_path: Path) -> None:
    table = pa.table({"id": ["n0", "n1", "n2"], "friends": [["n1"], ["n0", "n2"], None]})
    pa.parquet.write_table(table, tmp_path / "people.parquet")
    assert edges(read(tmp_path / "people.parquet")) == {
        ("n0", "friends", "n1"),  # of each other, as both of them say
        ("n1", "friends", "n2"),
    }
    for name, rows in (("people", PEOPLE), ("knows", KNOWS)):
        (tmp_path / "lake" / name).mkdir(parents=True)
        (tmp_path / "lake" / name / "_SUCCESS").touch()
        for part in range(2):
            pd.DataFrame(rows[part::2]).drop(columns="address", errors="ignore").to_parquet(
                tmp_path / "lake" / name / f"part-{part}.parquet"
            )
    assert edges(read(tmp_path / "lake")) == KNOWN
    plan = explain_graph([tmp_path / "lake"])
    assert isinstance(plan.found, Plan)
    assert (
        edges(read(tmp_path / "lake", recipe=parse_recipe(explain.explained(plan.found, plan.notes))))
        == KNOWN
    )


def test_files_of_a_folder_that_are_not_read_are_said(tmp_path: Path) -> None:
    class Heard(Silent):
        notes: tuple[str, ...] = ()

        def noted(self, notes: object) -> None:
            self.notes = tuple(notes)  # type: ignore[arg-type]

    put(tmp_path / "people.csv", "id,name\nn0,A\nn1,B\n")
    put(tmp_path / "knows.csv", "a,b\nn0,n1\n")
    put(tmp_path / "about.json", [{"id": 1}])
    heard = Heard()
    assert read(tmp_path, progress=heard).num_edges == 1
    assert any("about.json were not read" in note for note in heard.notes)
