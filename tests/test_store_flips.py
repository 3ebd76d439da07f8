"""Any byte of a store may be another one: what is read is then what was written, or a StoreError, and nothing else.

They are tried in processes of their own, which must not die by a signal. With checksums that fit (as somebody who means
harm would write them), other content may come back, but nothing that points outside.
"""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.core import DamagedError, StoreError, UsageError
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build, damage, open_graph, write
from graphtalk.search.embedder import load_embedder
from graphtalk.search.index import Index
from graphtalk.search.retrieval_index import indexer, retriever
from sealing import seal

FIRST = 8
MOST = int(os.environ.get("FLIPS", 4))  # bytes of a file that are changed, one at a time, beside the FIRST


def example() -> Graph:
    people = pa.table(
        {
            "id": [f"p{i}" for i in range(9)],
            "name": ["Ada Byron", "Bo", "Cy", "Dee", "Eve", "Flo", "Gus", None, "Ida"],
            "age": [36, None, 3, 4, 5, 6, 7, 8, 9],
            "tags": [["a", "b"], [], None, ["c"], *[["d"]] * 5],
            "born": pa.array([0, None, 3, 4, 5, 6, 7, 8, 9], pa.date32()),
        }
    )
    towns = pa.table({"id": ["t0", "t1"], "name": ["Bern", "Rome"], "big": [True, None]})
    source, target = np.array([0, 1, 2, 3, 0]), np.array([1, 0, 1, 0, 1])
    knows = EdgeTable("knows", "person", "person", np.arange(8), np.arange(1, 9), None, "knows")
    lives = EdgeTable("lives in", "person", "town", source, target, pa.table({"since": [1.0, 2, 3, 4, 5]}))
    heads = EdgeTable("heads", "person", "person", np.array([8]), np.array([2]))  # few rows: sparse pointers
    return build(
        [NodeTable("person", people, "name"), NodeTable("town", towns, "name")], [knows, lives, heads], "ex"
    )


def content(place: Path) -> str:
    """All that a store gives."""
    graph = open_graph(place)
    if isinstance(graph, GraphSet):
        return json.dumps([graph.names, [_graph(graph.at(i)) for i in range(len(graph))]], default=str)
    index = Index.open(graph)
    found = [
        *(index.exact("Ada Byron"), index.exact("p3"), [hit.node for hit in index.retrieve("Ada Biron")]),
        [(m.start, m.nodes) for m in index.mentions("Does Bo live in Rome?")],
        retriever(graph).retrieve("where does Ada Byron live").text,
    ]
    return json.dumps([_graph(graph), found], default=str)


def _graph(graph: Graph) -> list[object]:
    nodes = [
        (graph.id(n), graph.label(n), graph.features(n), graph.neighbours(n).tolist(), graph.degree(n))
        for n in graph.indices()
    ]
    edges = [
        [
            (*(int(end[0]) for end in graph.edge_ends(r, np.array([e]))), graph.edge_features(r, e))
            for e in range(relation.count)
        ]
        for r, relation in enumerate(graph.schema.relations)
    ]
    types = [(t.name, t.count, t.label) for t in graph.schema.node_types]
    return [types, nodes, edges, [graph.find(graph.id(n)) for n in graph.indices()], graph.matrix().sum()]


def flip_all(place: str, names: list[str], sealed: str) -> None:
    """Change bytes of files one at a time; say what was wrong with what came of it. Run in a process of its own."""
    expected = content(Path(place))
    for name in names:
        _flip(Path(place), name, sealed, expected)
    print("done")


def _flip(folder: Path, name: str, sealed: str, expected: str) -> None:
    file = folder / name
    random = np.random.default_rng(list(name.encode()))
    whole = file.read_bytes()
    places = random.choice(len(whole), min(MOST, len(whole)), replace=False).tolist()
    for at in [*range(min(FIRST, len(whole))), *places]:
        changed = bytearray(whole)
        changed[at] ^= int(random.integers(1, 256)) if random.random() < 0.5 else 1 << int(random.integers(8))
        if sealed == "sealed":  # the file may be mapped: a new one, as an import would write it
            file.unlink()
        file.write_bytes(bytes(changed))
        if sealed == "sealed":
            with suppress(
                ValueError, KeyError, TypeError, AttributeError, OSError
            ):  # a manifest that is none
                seal(folder)
        print(f"# {name}, byte {at}", flush=True)
        try:
            if content(folder) != expected and sealed != "sealed":
                print(f"WRONG {name} at {at}", flush=True)
        except (StoreError, UsageError):  # an embedder of another name is not installed
            pass
        except BaseException as error:  # noqa: BLE001 - Rust's panics too
            print(f"FOREIGN {name} at {at}: {error!r}", flush=True)
        file.unlink()
        file.write_bytes(whole)
        if sealed == "sealed":
            seal(folder)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("flips")
    write(
        example(), folder / "graph", [partial(Index.build, vectors="now"), indexer(load_embedder("static"))]
    )
    write(GraphSet.of({"one": small(3), "two": small(4)}, "two"), folder / "set")
    return folder


def small(size: int) -> Graph:
    nodes = NodeTable("atom", pa.table({"id": [str(i) for i in range(size)], "kind": ["C"] * size}))
    return build([nodes], [EdgeTable("bond", "atom", "atom", np.arange(size - 1), np.arange(1, size))])


def files_of(folder: Path) -> list[str]:
    return ["manifest.json", *json.loads((folder / "manifest.json").read_text())["files"]]


@pytest.mark.slow
@pytest.mark.parametrize("which", ["graph", "set"])
@pytest.mark.parametrize("sealed", ["", "sealed"])
def test_no_changed_byte_gives_a_wrong_answer_or_ends_the_process(
    stores: Path, tmp_path: Path, which: str, sealed: str
) -> None:
    names = files_of(stores / which)
    running = []
    for half in (0, 1):
        place = tmp_path / str(half)
        shutil.copytree(stores / which, place)
        code = f"import test_store_flips as t; t.flip_all({str(place)!r}, {names[half::2]!r}, {sealed!r})"
        command = [sys.executable, "-c", code]
        running.append(
            subprocess.Popen(
                command,
                cwd=Path(__file__).parent,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    for process in running:
        said = process.communicate()[0]
        complaints = [line for line in said.splitlines() if line.startswith(("WRONG", "FOREIGN"))]
        assert not complaints
        assert process.returncode == 0 and said.endswith("done\n"), (process.returncode, said[-600:])


def damaged_store(stores: Path, tmp_path: Path, which: str = "graph") -> Path:
    shutil.copytree(stores / which, tmp_path / "s")
    return tmp_path / "s"


def test_check_names_every_changed_file(stores: Path, tmp_path: Path) -> None:
    place = damaged_store(stores, tmp_path)
    assert damage(place) == []
    (place / "indices.npy").write_bytes((place / "indices.npy").read_bytes()[:-1] + b"\x07")
    (place / "nodes" / "0.arrow").write_bytes(b"cut")
    (place / "id_hashes.npy").unlink()
    found = "\n".join(damage(place))
    assert (
        "indices.npy was changed" in found
        and "0.arrow has 3 bytes" in found
        and "id_hashes.npy cannot be read" in found
    )
    shutil.rmtree(place)
    place = damaged_store(stores, tmp_path)
    file = place / "manifest.json"
    file.write_text(file.read_text().replace('"name": "age"', '"name": "aged"'))
    (found,) = damage(place)
    assert "manifest.json is damaged" in found and "changed since it was written" in found


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("indices.npy", [10**6]),
        ("indices.npy", [-1]),
        ("back_indices.npy", [11]),
        ("back_edge.npy", [99]),
        ("indptr.npy", [0, 10**12]),
        ("rows.npy", [9]),
        ("back_rows.npy", [-1]),
        ("id_positions.npy", [10**9]),
        ("index/keys.nodes.npy", [10**9]),
        ("index/keys.positions.npy", [-5]),
        ("index/keys.starts.npy", [0, 10**9]),
        ("index/retrieval/links.ends.npy", [10**6]),
        ("index/retrieval/links.indptr.npy", [0, 10**9]),
        ("index/retrieval/edges.text.npy", [-1]),
    ],
)
def test_arrays_that_point_outside_are_refused_though_checksums_fit(
    stores: Path, tmp_path: Path, name: str, values: list[int]
) -> None:
    place = damaged_store(stores, tmp_path)
    array = np.load(place / name)
    array[: len(values)] = values if array.dtype.itemsize == 8 else np.clip(values, -(2**31), 2**31 - 1)
    np.save(place / name, array)
    seal(place)
    with pytest.raises(DamagedError, match=Path(name).name):
        content(place)


def test_tables_that_do_not_fit_are_refused_though_checksums_fit(stores: Path, tmp_path: Path) -> None:
    place = damaged_store(stores, tmp_path)
    file = place / "nodes" / "0.arrow"
    with pa.memory_map(str(file)) as mapped:
        table = pa.ipc.open_file(mapped).read_all()
    others = [
        table.slice(1),
        table.drop_columns(["age"]),
        table.set_column(0, "id", pa.nulls(9, pa.string())),
    ]
    others += [
        table.set_column(2, "age", pa.array(["x"] * 9)),
        table.append_column("age", table.column("age")),
    ]
    for other in others:
        file.unlink()
        with pa.ipc.new_file(str(file), other.schema) as writer:
            writer.write_table(other)
        seal(place)
        with pytest.raises(DamagedError, match=r"0\.arrow"):
            content(place)
        assert "0.arrow" in damage(place)[0]


def test_a_set_whose_graphs_overlap_is_refused(stores: Path, tmp_path: Path) -> None:
    place = damaged_store(stores, tmp_path, "set")
    offsets = np.load(place / "offsets.npy")
    np.save(place / "offsets.npy", np.array([[0], [5], offsets[-1]]))
    seal(place)
    with pytest.raises(DamagedError, match="points outside"):
        content(place)


@pytest.mark.parametrize(
    "entry", [{"count": -1}, {"count": 10}, {"count": True}, {"first": 3}, {"label": "colour"}]
)
def test_a_schema_that_cannot_be_is_refused(stores: Path, tmp_path: Path, entry: dict[str, object]) -> None:
    place = damaged_store(stores, tmp_path)
    schema = json.loads((place / "manifest.json").read_text())["schema"]
    schema["node_types"][0].update(entry)
    seal(place, schema=schema)
    with pytest.raises(DamagedError):
        content(place)
