"""Imports that go by batches, as their tables are larger than the memory they may use, give what those in memory give."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from pyarrow.csv import write_csv

from graphtalk.app.ask import import_graph
from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import outside, spill
from graphtalk.graphs.formats import rdf_batches, tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.store import damage, read_manifest
from graphtalk.search import index, names

TINY, AMPLE = 1, 1 << 40


@pytest.fixture(autouse=True)
def gone_outside(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The graphs that were made by batches, several of them of a small table."""
    made: list[str] = []

    def noted(*parts: Any) -> Graph:
        made.append(parts[4])
        return outside.assemble_outside(*parts)

    monkeypatch.setattr(spill, "BATCH", 7)
    for module in (tables, rdf_batches):
        monkeypatch.setattr(module, "assemble_outside", noted)
    return made


def stores(tmp_path: Path, sources: list[Path], **how: object) -> tuple[Graph, Graph]:
    """What an import by batches gives, and one in memory. The first is whole."""
    made = []
    for name, memory in (("outside", TINY), ("inside", AMPLE)):
        place = tmp_path / name / "made.gt"
        place.parent.mkdir()
        made.append(import_graph(sources, place, memory=memory, **how))  # type: ignore[arg-type]
        assert not damage(place)
        assert [p.name for p in place.parent.iterdir() if p.name != "made.gt"] == []
    return made[0], made[1]  # type: ignore[return-value]


def assert_same(batched: Graph, inside: Graph) -> None:
    """Same schema, and same files: but for tables, which may be cut otherwise, to the byte."""
    assert batched.schema == inside.schema
    for t in inside.schema.node_types:
        assert batched.columns[t.name].equals(inside.columns[t.name])
    for ours, theirs in zip(batched.edge_columns, inside.edge_columns, strict=True):
        assert ours.equals(theirs)
    assert batched.path is not None and inside.path is not None
    sums = [
        {name: digest for name, (_, digest) in read_manifest(path).files.items() if name.endswith(".npy")}
        for path in (batched.path, inside.path)
    ]
    assert sums[0] == sums[1] and "indices.npy" in sums[0]


def people(folder: Path, save: Callable[[pa.Table, str], Path]) -> list[Path]:
    """A table of people of two types with features of every kind, and one of what they do, parallel edges among it."""
    chance = np.random.default_rng(5)
    ids = np.array([f"p{i}" for i in chance.permutation(60)])
    nodes = pa.table(
        {
            "id": ids,
            "type": chance.choice(["person", "firm"], 60),
            "name": [f"Name {i}" for i in range(60)],
            "size": [str(i) if i % 7 else "" for i in range(60)],
            "share": [f"{i / 8}" for i in range(60)],
            "active": chance.choice(["true", "false"], 60),
            "since": [f"2020-01-{1 + i % 28:02}" for i in range(60)],
            "code": [f"0{i}" for i in range(60)],
        }
    )
    edges = pa.table(
        {
            "source": chance.choice(ids, 300),
            "target": chance.choice(ids, 300),
            "relation": chance.choice(["knows", "owns"], 300),
            "weight": [str(i) if i % 2 else f"{i}.5" for i in range(300)],
        }
    )
    return [save(nodes, "nodes"), save(edges, "edges")]


@pytest.mark.parametrize("form", ["csv", "tsv.gz", "parquet"])
def test_tables_are_the_same_by_batches(tmp_path: Path, form: str, gone_outside: list[str]) -> None:
    def save(table: pa.Table, name: str) -> Path:
        path = tmp_path / f"{name}.{form}"
        if form == "parquet":
            parquet.write_table(table, path, row_group_size=11)
            return path
        write_csv(table, tmp_path / "plain.csv")
        text = (tmp_path / "plain.csv").read_text().replace('"', "")
        path.write_bytes(gzip.compress(text.replace(",", "\t").encode()) if "gz" in form else text.encode())
        (tmp_path / "plain.csv").unlink()
        return path

    batched, inside = stores(tmp_path, people(tmp_path, save))
    assert_same(batched, inside)
    assert gone_outside == ["made"]  # and the other was not
    assert inside.num_edges == 300 and {r.name for r in inside.schema.relations} == {"knows", "owns"}


def test_edges_without_nodes_make_them_in_the_same_order(tmp_path: Path, gone_outside: list[str]) -> None:
    chance = np.random.default_rng(6)
    triples = tmp_path / "triples.tsv"
    rows = chance.integers(0, 40, (200, 2)).tolist()
    triples.write_text("".join(f"n{a}\trel{a % 3}\tn{b}\n" for a, b in rows))
    assert_same(*stores(tmp_path, [triples]))
    assert gone_outside


SCHEMA = """
<http://e.org/Person> <http://www.w3.org/2000/01/rdf-schema#label> "person"@en .
<http://e.org/Boss> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://e.org/Person> .
<http://e.org/near> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://www.w3.org/2002/07/owl#SymmetricProperty> .
<http://e.org/leads> <http://www.w3.org/2002/07/owl#inverseOf> <http://e.org/follows> .
"""


def statements(first: int, count: int) -> str:
    """N-Triples about some resources, in no order: literals of every kind, some in few rows, columns of mixed kinds."""
    chance = np.random.default_rng(8)
    xsd, rdfs = "http://www.w3.org/2001/XMLSchema#", "http://www.w3.org/2000/01/rdf-schema#"
    lines = []
    for i in range(first, first + count):
        about = f"_:x{i}" if i % 9 == 0 else f"<http://e.org/r{i}>"
        for kind in ["Person", "Boss", "Place"][: int(chance.integers(0, 3))]:
            lines.append(f"{about} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/{kind}> .")
        told = [
            ("age", f'"{i}"^^<{xsd}integer>'),
            ("share", f'"{i / 8}"^^<{xsd}double>' if i % 3 else f'"{i}"^^<{xsd}integer>'),
            ("large", f'"{10 ** (i % 25)}"^^<{xsd}integer>'),
            ("mixed", f'"{i}"^^<{xsd}integer>' if i % 20 else '"none"'),
            ("born", f'"19{10 + i % 80}-05-06"^^<{xsd}date>'),
            ("seen", f'"2020-01-01T00:00:00{"+02:00" if i % 2 else "Z"}"^^<{xsd}dateTime>'),
            ("active", f'"{"true" if i % 2 else "false"}"^^<{xsd}boolean>'),
            ("id", f'"i{i}"'),
            ("nick", f'"n{i}"'),
            ("nick", f'"m{i}"'),
            ("score", f'"{i}"^^<{xsd}integer>'),
            ("score", f'"{i}.5"^^<{xsd}double>' if i % 4 else f'"{i + 1}"^^<{xsd}integer>'),
        ]
        for name, value in told:
            if chance.random() < 0.6:
                lines.append(f"{about} <http://e.org/{name}> {value} .")
        if i % 4:
            lines += [f'{about} <{rdfs}label> "R{i}"@en .', f'{about} <{rdfs}label> "Q{i}"@de .'][: i % 3]
        for name in ("near", "leads", "follows", "knows"):
            other = int(chance.integers(first, first + count))
            to = f"_:x{other}" if other % 9 == 0 else f"<http://e.org/r{other}>"
            lines += [f"{about} <http://e.org/{name}> {to} ."] * int(chance.integers(0, 3))
    return SCHEMA + "\n".join(lines[i] for i in chance.permutation(len(lines)).tolist()) + "\n"


@pytest.mark.parametrize("ending", ["nt", "nt.gz", "ttl"])
def test_triples_of_rdf_are_the_same_by_batches(tmp_path: Path, ending: str, gone_outside: list[str]) -> None:
    files = []
    for name, span in (("one", (0, 40)), ("two", (40, 12))):
        text = statements(*span)
        if ending == "ttl":
            text = f"@prefix e: <http://e.org/> .\n{text}"
        files.append(tmp_path / f"{name}.{ending}")
        files[-1].write_bytes(gzip.compress(text.encode()) if ending == "nt.gz" else text.encode())
    batched, inside = stores(tmp_path, files)
    assert_same(batched, inside)
    assert len(gone_outside) == 1  # the other was not
    kinds = {f.kind for t in inside.schema.node_types for f in t.features}
    assert kinds == {"text", "number", "boolean", "date", "datetime", "list"}


def test_lists_of_rdf_are_read_in_memory(tmp_path: Path, gone_outside: list[str]) -> None:
    file = tmp_path / "lists.ttl"
    file.write_text("@prefix e: <http://e.org/> . e:a e:likes ( e:b e:c ) .")
    batched, inside = stores(tmp_path, [file])
    assert_same(batched, inside)
    assert not gone_outside and inside.num_edges == 2


RECIPE = """
default_type = "place"
[[nodes]]
files = ["nodes.csv"]
type = "kind"
[[edges]]
files = ["edges.csv"]
relation = "relation"
[relations.near]
inverse = "near"
[relations.above]
inverse = "below"
[relations.serves]
inverse = "serves"
source = "stop"
target = "line"
"""


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize("featured", [False, True])
def test_edges_given_from_both_ends_are_stored_once(
    tmp_path: Path, distinct: bool, featured: bool, gone_outside: list[str]
) -> None:
    chance = np.random.default_rng(7)
    kinds = {f"n{i}": ("stop", "line", "")[i % 3] for i in range(15)}
    (tmp_path / "nodes.csv").write_text("id,kind\n" + "".join(f"{n},{k}\n" for n, k in kinds.items()))
    names = list(kinds)
    relations = ("near", "above", "below", "serves", "far")
    rows = [
        f"{names[a]},{names[b]},{relations[r]}{',4' if featured else ''}\n"
        for a, b, r in zip(*(chance.integers(0, n, 600) for n in (15, 15, 5)), strict=True)
    ]
    head = "source,target,relation" + (",weight" if featured else "")
    (tmp_path / "edges.csv").write_text(f"{head}\n" + "".join(rows))
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        RECIPE.replace('relation = "relation"', f'relation = "relation"\ndistinct = {str(distinct).lower()}')
    )
    batched, inside = stores(tmp_path, [tmp_path / "nodes.csv", tmp_path / "edges.csv"], recipe=str(recipe))
    assert_same(batched, inside)
    assert gone_outside
    assert featured or inside.num_edges < 600


BAD = {
    "twice": ("id,name\na,A\nb,B\na,C\n", "source,target\na,b\n"),
    "no id": ("id,name\na,A\n,B\nc,C\n", "source,target\na,c\n"),
    "dangling": ("id,name\na,A\nb,B\nc,C\n", "source,target\na,b\nb,x\ny,a\na,c\n"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_rows_are_told_alike(tmp_path: Path, fault: str) -> None:
    files = [tmp_path / "nodes.csv", tmp_path / "edges.csv"]
    for file, text in zip(files, BAD[fault], strict=True):
        file.write_text(text)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[nodes]]\nfiles = ["nodes.csv"]\n[[edges]]\nfiles = ["edges.csv"]\n')
    how = {"recipe": str(recipe)}
    told = []
    for memory in (TINY, AMPLE):
        with pytest.raises(SourceError) as error:
            import_graph(files, tmp_path / "made.gt", memory=memory, **how)
        told.append((str(error.value), error.value.file, error.value.line))
    assert told[0] == told[1]
    listed = []
    for memory in (TINY, AMPLE):
        place = tmp_path / f"made{memory}.gt"
        made = import_graph(files, place, memory=memory, on_error="skip", **how)
        assert isinstance(made, Graph)
        listed.append(
            (made.num_nodes, made.num_edges, place.with_name(f"{place.name}.rejected.tsv").read_text())
        )
    assert listed[0] == listed[1]
    if fault == "dangling":
        for missing in ("skip", "add"):
            (tmp_path / missing).mkdir()
            assert_same(*stores(tmp_path / missing, files, missing=missing, **how))


def test_what_needs_other_rows_is_read_in_memory(tmp_path: Path, gone_outside: list[str]) -> None:
    for name in ("films", "actors"):
        (tmp_path / f"{name}.csv").write_text("id,name\n1,One\n2,Two\n3,Three\n")
    (tmp_path / "cast.csv").write_text("film_id,actor_id\n1,2\n2,3\n3,3\n")
    assert_same(*stores(tmp_path, sorted(tmp_path.glob("*.csv"))))
    assert not gone_outside


def test_what_a_killed_import_left_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".made.gt.spill-abcd1234"
    left.mkdir()
    (left / "1.arrow").write_bytes(b"half of it")
    (tmp_path / "edges.tsv").write_text("a\tknows\tb\nb\tknows\tc\n")
    import_graph(tmp_path / "edges.tsv", tmp_path / "made.gt", memory=TINY)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["edges.tsv", "made.gt"]


def test_names_are_indexed_alike_in_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_BLOCK", 7)
    rows = [f"n{i},Name {i % 50} of {i},Alias {i % 9},T{i % 3}\n" for i in range(120)]
    (tmp_path / "nodes.csv").write_text("id,name,title,type\n" + "".join(rows))
    graph = import_graph(tmp_path / "nodes.csv", tmp_path / "made.gt")
    assert isinstance(graph, Graph)
    sums = []
    for most in (0, 1000):
        monkeypatch.setattr(index, "_IN_MEMORY", most)
        folder = tmp_path / str(most)
        folder.mkdir()
        index.Index.build(graph, folder, "never")
        sums.append({p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()})
        assert {p.name for p in folder.iterdir()} == {*sums[0], "keywords"}
    assert sums[0] == sums[1] and len(sums[0]) == 6


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 << 30), ("512M", 512 << 20), ("1.5 GiB", 3 << 29), ("67108864", 64 << 20)]
)
def test_sizes_as_people_write_them(text: str, size: int) -> None:
    assert spill.bytes_of(text) == size
    assert spill.bytes_of("") == spill.quarter_of_machine() > 0


@pytest.mark.parametrize("text", ["many", "-2GB", "0", "GB", "infGB", "nan", "2", "63MB"])
def test_a_size_that_is_none_or_too_little_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=f"'{text}' is .*500MB"):
        spill.bytes_of(text)


@pytest.mark.parametrize("memory", [TINY, AMPLE])
def test_the_rows_of_triples_are_the_triples(tmp_path: Path, memory: int) -> None:
    class Counted(Silent):
        rows = 0

        def advance(self, rows: int = 0, bytes: int = 0) -> None:
            self.rows += rows

    (tmp_path / "g.nt").write_text(
        "".join(f"<http://x/{i}> <http://x/knows> <http://x/{i + 1}> .\n" for i in range(5))
    )
    import_graph([tmp_path / "g.nt"], tmp_path / "g.gt", memory=memory, progress=(counted := Counted()))
    assert counted.rows == 5
