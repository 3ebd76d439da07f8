"""Vaults of Markdown, and databases at an address."""

import sqlite3
from pathlib import Path

import pytest

from graphtalk.core import SourceError
from graphtalk.graphs import Graph
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import explain_graph, read_graph
from graphtalk.graphs.recipe import parse_recipe
from graphtalk.graphs.sources import Database
from graphtalk.graphs.tabular import Plan, explain

VAULT = {
    "Ann.md": '---\ntitle: Ann Ü\ntype: person\nborn: 1990-02-03\naliases: [Annie]\ntags:\n  - friend\n  - work\nboss: "[[Bob]]"\n---\n'
    "Works with [[people/Bob|Bob]] on [[Apollo#Goals]]. #urgent `#code [[Nowhere]]`\n```\n[[Nobody]]\n```\n",
    "people/Bob.md": "# Bob\nSee [Ann](../Ann.md) and ![[Apollo]] and [[annie]], not [[Missing]]. [web](https://a.b/c.md)\n",
    "Apollo.md": "---\ntype: project\nbudget: 1000\n---\nA project.\n",
    "empty.md": "",
    ".obsidian/app.md": "[[Ann]]",
    "picture.png": "x",
}


class Heard(Silent):
    notes: tuple[str, ...] = ()

    def noted(self, notes: object) -> None:
        self.notes = tuple(notes)  # type: ignore[arg-type]


def vault(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    found = set()
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found |= {(graph.id(a), r.name, graph.id(b)) for a, b in zip(sources, targets, strict=True)}
    return found


def test_front_matter_has_numbers_and_truth_values(tmp_path: Path) -> None:
    heads = (
        'age: 36\nok: true\ncode: 007\nroom: "12"\ntags: [1, b]',
        "age: 41.5\nok: false\ncode: 12\nroom: 4",
    )
    graph = read_graph([vault(tmp_path, {f"{i}.md": f"---\n{head}\n---\n" for i, head in enumerate(heads)})])
    assert isinstance(graph, Graph)
    kinds = {f.name: f.kind for f in graph.schema.node_types[0].features}
    assert kinds == {
        "title": "text",
        "age": "number",
        "ok": "boolean",
        "code": "text",
        "room": "text",
        "tags": "list",
    }
    assert graph.columns["note"].column("age").to_pylist() == [36, 41.5]


def test_a_vault_of_notes(tmp_path: Path) -> None:
    heard = Heard()
    graph = read_graph([vault(tmp_path / "v", VAULT)], progress=heard)
    assert isinstance(graph, Graph)
    assert edges(graph) == {
        ("Ann", "links to", "people/Bob"),
        ("Ann", "links to", "Apollo"),
        ("Ann", "boss", "people/Bob"),
        ("people/Bob", "links to", "Ann"),
        ("people/Bob", "links to", "Apollo"),
    }
    ann = graph.node("Ann")
    assert (graph.node_type(ann).name, graph.label(ann), graph.label(graph.node("people/Bob"))) == (
        "person",
        "Ann Ü",
        "Bob",
    )
    features = graph.features(ann)
    assert (str(features["born"]), features["tags"]) == ("1990-02-03", ["friend", "work", "urgent"])
    assert any(
        "1 links lead to notes that are not there" in note and "[[Missing]]" in note for note in heard.notes
    )


def test_bad_vaults(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    folder = vault(tmp_path / "v", {"a.md": "[[b]]", "b.md": "---\nopen: [\n"})
    assert read_graph([folder]).num_edges == 1
    (folder / "c.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(SourceError, match=r"c\.md: leads out"):
        read_graph([folder])
    (folder / "c.md").unlink()
    (folder / "c.md").write_bytes(b"caf\xc3\xa9 \xff")
    with pytest.raises(SourceError, match=r"c\.md: cannot be read"):
        read_graph([folder])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text("[[" * 200_000 + "](" * 100_000 + "#" * 100_000)
    assert read_graph([tmp_path / "deep" / "a.md"]).num_nodes == 1


def test_a_database_at_an_address(tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.executescript(
            "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES people(id));"
            "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT, owner INTEGER REFERENCES people(id));"
            "INSERT INTO people VALUES (1, 'Ann', NULL), (2, 'Bob', 1); INSERT INTO pets VALUES (7, 'Rex', 2);"
        )
    graph = read_graph([f"sqlite+pysqlite:///{tmp_path}/shop.db"])
    assert isinstance(graph, Graph)
    assert edges(graph) == {("2", "boss", "1"), ("7", "owner", "2")} and graph.name == "shop"
    address = f"sqlite+pysqlite:///{tmp_path}/shop.db"
    told = explain_graph([address])
    assert isinstance(told.found, Plan)
    written = explain.explained(told.found, told.notes)
    by_recipe = read_graph(
        [address],
        recipe=parse_recipe(
            written.replace('"owner"', '"kept by"').replace('column = "kept by"', 'column = "owner"')
        ),
    )
    assert isinstance(by_recipe, Graph) and ("7", "kept by", "2") in edges(by_recipe)
    with pytest.raises(SourceError, match=r"no table 'cats'\. Valid: people, pets"):
        read_graph([address], recipe=parse_recipe(written.replace('table = "pets"', 'table = "cats"')))
    with pytest.raises(SourceError) as caught:
        read_graph(["postgresql+psycopg://me:secret@127.0.0.1:1/shop"])
    assert "secret" not in str(caught.value)
    with pytest.raises(SourceError, match="cannot be read"):
        read_graph(["nothing://host/shop"])
    with pytest.raises(SourceError, match="one at a time"):
        read_graph(["nothing://host/shop", tmp_path])
    assert Database("postgresql://me:a:b@h/x").shown == "postgresql://me:…@h/x"
