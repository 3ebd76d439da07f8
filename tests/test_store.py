"""The store: what is written comes back, and damage is named."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import DamagedError, StoreError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, damage, open_graph, store, write


def small_graph(weight: float = 0.5) -> Graph:
    drugs = pa.table({"id": ["d1", "007"], "name": ["Zinc", None], "mass": [65.4, None]})
    genes = pa.table({"id": ["g1", "g2", "g3"], "tags": [["a", "b"], [], None]})
    return build(
        [NodeTable("drug", drugs, "name"), NodeTable("gene", genes)],
        [
            EdgeTable(
                "binds",
                "drug",
                "gene",
                np.array([1, 0, 0, 0]),
                np.array([2, 0, 1, 1]),
                pa.table({"weight": [weight, 1.0, 2.0, 3.0]}),
                "bound by",
            ),
            EdgeTable("like", "gene", "gene", np.array([0]), np.array([1]), None, "like"),
            EdgeTable("none", "gene", "drug", np.array([], int), np.array([], int)),
        ],
        "tiny",
    )


def content(graph: Graph) -> object:
    nodes = [
        (graph.id(n), graph.label(n), graph.features(n), list(graph.neighbours(n))) for n in graph.indices()
    ]
    edges = [
        [graph.edge_features(r, e) for e in range(relation.count)]
        for r, relation in enumerate(graph.schema.relations)
    ]
    return graph.schema, nodes, edges


def opened(path: Path) -> Graph:
    graph = open_graph(path)
    assert isinstance(graph, Graph)
    return graph


def test_what_is_written_comes_back(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "s")
    graph = opened(tmp_path / "s")
    assert content(graph) == content(small_graph())
    assert (graph.name, graph.path) == ("tiny", tmp_path / "s")
    assert [graph.find(i) for i in ("d1", "007", "7", "g3")] == [0, 1, None, 4]
    assert damage(tmp_path / "s") == []


def test_a_graph_that_is_called_as_its_folder_is_renamed_with_it(tmp_path: Path) -> None:
    for folder in ("tiny.gt", "other.gt"):
        write(small_graph(), tmp_path / folder)
        (tmp_path / folder).rename(tmp_path / f"renamed-{folder}")
    assert opened(tmp_path / "renamed-tiny.gt").name == "renamed-tiny"
    assert opened(tmp_path / "renamed-other.gt").name == "tiny"  # a name of its own, which stays
    write(opened(tmp_path / "renamed-tiny.gt"), tmp_path / "renamed-tiny.gt")  # as an update does
    (tmp_path / "renamed-tiny.gt").rename(tmp_path / "again")
    assert opened(tmp_path / "again").name == "again" and damage(tmp_path / "again") == []


def test_opened_arrays_are_mapped_plain_arrays(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "s")
    indices = opened(tmp_path / "s").adjacencies[0].indices
    assert type(indices) is np.ndarray
    assert not indices.flags.owndata and not indices.flags.writeable


@given(st.data())
def test_any_graph_comes_back(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.text(), unique=True, max_size=12))
    ends = st.integers(0, max(0, len(ids) - 1))
    pairs = data.draw(st.lists(st.tuples(ends, ends), max_size=30 if ids else 0))
    source = np.array([a for a, _ in pairs], dtype=np.int64)
    target = np.array([b for _, b in pairs], dtype=np.int64)
    table = pa.table({"id": pa.array(ids, pa.string())})
    graph = build([NodeTable("n", table)], [EdgeTable("e", "n", "n", source, target)])
    path = tmp_path_factory.mktemp("any") / "s"
    write(graph, path)
    assert content(opened(path)) == content(graph)
    assert [opened(path).find(i) for i in ids] == list(range(len(ids)))


def test_many_record_batches_are_kept_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.graphs.store.COMBINE_BYTES", 0)
    table = pa.concat_tables([pa.table({"id": [str(i), f"{i}b"]}) for i in range(50)])
    write(build([NodeTable("n", table)], []), tmp_path / "s")
    graph = opened(tmp_path / "s")
    assert graph.columns["n"].column("id").num_chunks == 50
    assert [graph.id(n) for n in (0, 51, 99)] == ["0", "25b", "49b"]


def test_an_indexer_writes_beside_the_graph_and_is_checked(tmp_path: Path) -> None:
    def index(graph: Graph, folder: Path) -> None:
        (folder / "names.txt").write_text(" ".join(graph.labels()))

    write(small_graph(), tmp_path / "s", [index])
    file = tmp_path / "s" / "index" / "names.txt"
    assert file.read_text() == "Zinc 007 g1 g2 g3"
    file.write_text("ZINC 007 g1 g2 g3")
    open_graph(tmp_path / "s")
    assert damage(tmp_path / "s") == [f"{file} was changed since it was written."]


def test_a_newer_graph_replaces_an_older_one(tmp_path: Path) -> None:
    write(small_graph(1), tmp_path / "s")
    before = opened(tmp_path / "s")
    write(small_graph(9), tmp_path / "s")
    assert opened(tmp_path / "s").edge_features(0, 3) == {"weight": 9.0}
    assert before.edge_features(0, 3) == {"weight": 1.0}
    assert before.checksum != opened(tmp_path / "s").checksum
    assert os.listdir(tmp_path) == ["s"]


@pytest.mark.parametrize("broken", [False, True])
def test_a_store_that_is_replaced_while_it_is_opened_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    place, check_sizes = tmp_path / "s", store._check_sizes
    write(small_graph(1), place)
    newer = [small_graph(9)]

    def replaced_meanwhile(folder: Path, manifest: store.Manifest) -> None:
        if newer:
            write(newer.pop(), place)
            if broken:
                raise DamagedError("sizes differ: they are another store's")
        check_sizes(folder, manifest)

    monkeypatch.setattr(store, "_check_sizes", replaced_meanwhile)
    assert opened(place).edge_features(0, 3) == {"weight": 9.0}


def test_a_store_can_be_read_while_another_process_replaces_it(tmp_path: Path) -> None:
    place = tmp_path / "s"
    write(small_graph(1), place)
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from pathlib import Path; from test_store import small_graph; from graphtalk.graphs import write\n"
        f"for turn in range(60): write(small_graph(turn), Path({str(place)!r}))"
    )
    writing = subprocess.Popen([sys.executable, "-c", code])
    read = 0
    while writing.poll() is None or read < 2:
        assert content(opened(place))
        assert damage(place) == []
        read += 1
    assert writing.returncode == 0


def test_replacing_works_where_folders_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphtalk.graphs.scratch._exchange", lambda one, other: False)
    write(small_graph(1), tmp_path / "s")
    write(small_graph(9), tmp_path / "s")
    assert opened(tmp_path / "s").edge_features(0, 3) == {"weight": 9.0}
    assert os.listdir(tmp_path) == ["s"]


def test_a_failed_write_leaves_the_older_store(tmp_path: Path) -> None:
    def fail(graph: Graph, folder: Path) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write(small_graph(), tmp_path / "s", [fail])
    assert os.listdir(tmp_path) == []
    write(small_graph(), tmp_path / "s")
    with pytest.raises(OSError, match="no space"):
        write(small_graph(9), tmp_path / "s", [fail])
    assert content(opened(tmp_path / "s")) == content(small_graph())
    assert os.listdir(tmp_path) == ["s"]


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_store import small_graph
from graphtalk.graphs import write
write(small_graph(9), Path({path!r}), [lambda graph, folder: os.kill(os.getpid(), signal.SIGKILL)])
"""


@pytest.mark.parametrize("older", [False, True])
def test_a_killed_write_leaves_no_store_and_no_litter(tmp_path: Path, older: bool) -> None:
    place = tmp_path / "s"
    if older:
        write(small_graph(), place)
    script = KILLED.format(tests=str(Path(__file__).parent), path=str(place))
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob(".s.import-*"))) == 1
    if older:
        assert content(opened(place)) == content(small_graph())
    else:
        with pytest.raises(StoreError, match="does not exist"):
            open_graph(place)
    write(small_graph(), place)
    assert os.listdir(tmp_path) == ["s"]


def test_a_running_write_is_not_taken_for_a_killed_one(tmp_path: Path) -> None:
    def write_again(graph: Graph, folder: Path) -> None:
        write(small_graph(2), tmp_path / "s")

    write(small_graph(1), tmp_path / "s", [write_again])
    assert opened(tmp_path / "s").edge_features(0, 3) == {"weight": 1.0}
    assert os.listdir(tmp_path) == ["s"]


def test_what_is_not_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere does not exist"):
        open_graph(tmp_path / "nowhere")
    with pytest.raises(StoreError, match=r"has no manifest\.json"):
        open_graph(tmp_path)
    (tmp_path / "f").write_text("x")
    with pytest.raises(StoreError, match="is a file"):
        open_graph(tmp_path / "f")


def test_other_folders_and_files_are_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(StoreError, match="not overwritten"):
        write(small_graph(), tmp_path / "mine")
    with pytest.raises(StoreError, match="not overwritten"):
        write(small_graph(), tmp_path / "mine" / "thesis.tex")
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "x"


def change_manifest(folder: Path, **values: object) -> None:
    file = folder / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | values))


def test_another_format_version_is_refused(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "s")
    change_manifest(tmp_path / "s", version=99)
    with pytest.raises(StoreError, match=r"version 99; this graphtalk reads versions 1, 2, 3"):
        open_graph(tmp_path / "s")


@pytest.mark.parametrize("text", ["[]", "{}", '{"version": 1}', '{"name": "a web app", "icons": []}'])
def test_a_manifest_of_another_program_makes_no_store(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match=r"is not a graph store: .* of another program"):
        open_graph(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[" * 100_000, '{"format": "graphtalk"}', '{"schema": {}, "version": 1, "files": {}}'),
        '{"format": "graphtalk", "version": 1, "files": {"../x": [1, ""]}, "kind": "graph", "name": "", "schema": {}}',
    ],
)
def test_a_damaged_manifest_is_named(tmp_path: Path, text: str) -> None:
    write(small_graph(), tmp_path / "s")
    (tmp_path / "s" / "manifest.json").write_text(text)
    with pytest.raises(StoreError, match=r"manifest\.json is damaged"):
        open_graph(tmp_path / "s")


def test_every_cut_or_missing_file_is_named(tmp_path: Path) -> None:
    write(small_graph(), tmp_path / "s")
    names = list(json.loads((tmp_path / "s" / "manifest.json").read_text())["files"])
    assert len(names) == 13
    for name in names:
        file = tmp_path / "s" / name
        whole = file.read_bytes()
        file.write_bytes(whole[:-1])
        with pytest.raises(StoreError, match=name):
            open_graph(tmp_path / "s")
        file.unlink()
        with pytest.raises(StoreError, match=f"{name} is missing"):
            open_graph(tmp_path / "s")
        file.write_bytes(whole)
    open_graph(tmp_path / "s")
