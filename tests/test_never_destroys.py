"""What graphtalk did not write it neither overwrites nor removes."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from graphtalk.benchmarks.folder import RunFolder, write_whole
from graphtalk.core import StoreError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.graphs import Graph, open_graph, store, write
from graphtalk.graphs.read import read_graph
from graphtalk.graphs.scratch import scratch
from graphtalk.hub.gather import forget
from graphtalk.models import saved


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    (tmp_path / "edges.tsv").write_text("source\ttarget\na\tb\n")
    found = read_graph([tmp_path / "edges.tsv"])
    assert isinstance(found, Graph)
    return found


MANIFESTS = [
    '{"name": "My app", "icons": []}',
    '{"format": "graphtalk"}',
    '{"format": "other", "files": {"thesis.tex": [1, ""], "manifest.json": [1, ""]}}',
    "[]",
    "not JSON",
    "[" * 100_000,
]


@pytest.mark.parametrize("manifest", MANIFESTS)
def test_a_folder_with_some_manifest_is_no_store(
    tmp_path: Path, graph: Graph, graphtalk: CommandLine, manifest: str
) -> None:
    place = tmp_path / "app"
    place.mkdir()
    (place / "manifest.json").write_text(manifest)
    (place / "thesis.tex").write_text("years of work")
    for words in ([], ["--on-error", "skip"], ["--format", "delimited"]):
        done = graphtalk("import", tmp_path / "edges.tsv", "-o", place, *words)
        assert done.code == 2 and "not overwritten" in done.err
    with pytest.raises(StoreError, match="not a graph store; it is not overwritten"):
        write(graph, place)
    store.remove(place)
    assert (place / "thesis.tex").read_text() == "years of work"


def test_a_store_with_something_else_in_it_stays(tmp_path: Path, graph: Graph) -> None:
    place = tmp_path / "s.gt"
    write(graph, place)
    write(graph, place)
    for odd in ("thesis.tex", "index/notes.txt", "nodes/1.arrow"):
        (place / odd).parent.mkdir(exist_ok=True)
        (place / odd).write_text("mine")
        with pytest.raises(
            StoreError, match=f"holds '{odd}', which is no file of a store; it is not overwritten"
        ):
            write(graph, place)
        store.remove(place)
        assert (place / odd).read_text() == "mine"
        (place / odd).unlink()
    (tmp_path / "elsewhere").mkdir()
    (place / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="holds 'link'"):
        write(graph, place)
    (place / "link").unlink()
    write(graph, place)
    store.remove(place)
    assert not place.exists()


def test_an_index_that_was_added_later_goes_with_its_store(tmp_path: Path, graph: Graph) -> None:
    write(graph, tmp_path / "s.gt")
    (tmp_path / "s.gt" / "index" / "retrieval").mkdir(parents=True)
    (tmp_path / "s.gt" / "index" / "retrieval" / "nodes.vectors.npy").write_bytes(b"")
    write(graph, tmp_path / "s.gt")
    assert not (tmp_path / "s.gt" / "index").exists()


def test_what_was_put_there_while_an_import_ran_stays(tmp_path: Path, graph: Graph) -> None:
    place = tmp_path / "s.gt"
    write(graph, place)

    def slow(_: Graph, folder: Path) -> None:
        (place / "thesis.tex").write_text("mine")

    with pytest.raises(StoreError, match=r"thesis\.tex"):
        write(graph, place, [slow])
    assert (place / "thesis.tex").read_text() == "mine" and isinstance(open_graph(place), Graph)


def test_a_folder_with_some_card_is_no_model(tmp_path: Path) -> None:
    card = saved.ModelCard("m", "d", "", {}, 0)
    for number, text in enumerate(
        ('{"name": "a business card"}', "", '{"version": 1, "sha256": "", "model": ""}')
    ):
        place = tmp_path / f"cards{number}"
        place.mkdir()
        (place / "card.json").write_text(text)
        (place / "thesis.tex").write_text("mine")
        with pytest.raises(UsageError, match="is not a fitted model"):
            saved.save(place, card, {"a": np.zeros(1)})
        assert (place / "thesis.tex").read_text() == "mine"
    saved.save(tmp_path / "model", card, {"a": np.zeros(1)})
    saved.save(tmp_path / "model", card, {"a": np.ones(1)})
    assert saved.load(tmp_path / "model", "m").arrays["a"] == 1


@pytest.mark.parametrize("name", ["*", "[a-z]*", "?", "s.gt"])
def test_scratch_of_others_stays(tmp_path: Path, graph: Graph, name: str) -> None:
    theirs = [tmp_path / f".{n}.import-notes" for n in ("a", "s.gt", "*")]
    theirs += [tmp_path / ".other.import-abcdefgh", tmp_path / ".x.import-abcdefgh"]
    for folder in theirs:
        folder.mkdir()
        (folder / "thesis.tex").write_text("mine")
    write(graph, tmp_path / name)
    assert all((folder / "thesis.tex").read_text() == "mine" for folder in theirs)
    with scratch(tmp_path, f".{name}.import-") as left:
        os.rename(left, tmp_path / "kept")
    (tmp_path / "kept").mkdir(exist_ok=True)
    os.rename(tmp_path / "kept", tmp_path / f".{name}.import-abcdefgh")
    write(graph, tmp_path / name)
    assert not (tmp_path / f".{name}.import-abcdefgh").exists()


def test_a_run_is_kept_out_of_other_folders(tmp_path: Path) -> None:
    for number, files in enumerate(
        (["questions.jsonl"], ["run.json", "lock"], ["run.json.tmp"], ["lock", "x"])
    ):
        place = tmp_path / f"{number}"
        place.mkdir()
        for name in files:
            (place / name).write_text('{"mine": 1}')
        with pytest.raises(UsageError, match=r"not of a run|not tell of a run"), RunFolder(place).alone():
            pass
        assert {name: (place / name).read_text() for name in files} == dict.fromkeys(files, '{"mine": 1}')
    with RunFolder(tmp_path / "new").alone():
        (tmp_path / "new" / "questions.jsonl").write_text("")
    with RunFolder(tmp_path / "new").alone():
        pass


def test_a_file_that_is_no_journal_stays(tmp_path: Path) -> None:
    place = tmp_path / "mine.json"
    for text in ('{"id": 1, "thesis": "years of work"}', '{"id": "x"}\n', "{}", '{\n"id": 1}', "text"):
        place.write_text(text)
        with pytest.raises(UsageError, match="not an answer of an earlier run"):
            Journal(place, "answer")
        assert place.read_text() == text
    place.write_text('{"id": 1, "answer": 1}\n{"id": 2, "answer": 2}')
    with Journal(place, "answer") as journal:
        assert journal.keys == {1, 2}
        journal.add(3, {"answer": 3})
        beside = place.with_name("mine.json.tmp")
        beside.write_text("mine too")
        journal.restore_order([3, 2, 1])
    assert [json.loads(line)["id"] for line in place.read_text().splitlines()] == [3, 2, 1]
    assert beside.read_text() == "mine too"


def test_files_that_commands_write_are_not_written_over_others(
    tmp_path: Path, graphtalk: CommandLine
) -> None:
    (tmp_path / "s.gt.rejected.tsv").write_text("mine")
    (tmp_path / "edges.tsv").write_text("source\ttarget\na\tb\na\n")
    done = graphtalk("import", tmp_path / "edges.tsv", "-o", tmp_path / "s.gt", "--on-error", "skip")
    assert done.code == 2 and "s.gt.rejected.tsv is there already" in done.err
    assert (tmp_path / "s.gt.rejected.tsv").read_text() == "mine"
    (tmp_path / "s.gt.rejected.tsv").unlink()
    for _ in range(2):
        assert (
            graphtalk("import", tmp_path / "edges.tsv", "-o", tmp_path / "s.gt", "--on-error", "skip").code
            == 0
        )
    (tmp_path / "thesis").write_text("mine")
    (tmp_path / "new.tmp").write_text("mine")
    words = ("bench", "generate", "grbench-healthcare", "--graph", "atlas", "--out")
    assert "thesis is there already" in graphtalk(*words, tmp_path / "thesis").err
    write_whole(tmp_path / "new", "text")
    assert (tmp_path / "thesis").read_text() == (tmp_path / "new.tmp").read_text() == "mine"


def test_downloads_are_forgotten_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "downloads" / "cora").mkdir(parents=True)
    (tmp_path / "downloads" / "cora" / "0123456789ab-ind.cora.x").write_text("")
    (tmp_path / "downloads" / "cora" / "thesis.tex").write_text("mine")
    forget(tmp_path / "downloads" / "cora")
    assert [p.name for p in (tmp_path / "downloads" / "cora").iterdir()] == ["thesis.tex"]
