"""Importing and looking at what was imported, through the command line."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.graphs.store import is_store


@pytest.fixture
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cache: Path) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(cache))
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    nodes, edges = tmp_path / "nodes.tsv", tmp_path / "edges.tsv"
    nodes.write_text("id\tname\tkind\tage\na\tAnn\tperson\t31\nb\tBob\tperson\t40\nr\tRome\tcity\t\n")
    edges.write_text("source\trelation\ttarget\na\tknows\tb\na\tlives in\tr\nb\tlives in\tr\n")
    return nodes, edges


def test_import_says_what_was_imported(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    done = cli("import", *tables, "-o", tmp_path / "people.gt")
    assert done.code == 0
    assert is_store(tmp_path / "people.gt")
    rows = [line.split("\t") for line in done.out.splitlines()]
    assert ["person", "2"] in [row[:2] for row in rows]
    assert ["lives in", "person", "city"] in [row[:3] for row in rows]
    assert "rows read" in done.out and "a second" not in done.out  # of a few rows a rate says nothing


def test_info_as_json_is_what_was_imported(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path
) -> None:
    imported = cli("import", *tables, "-o", tmp_path / "people.gt", "--json").json
    shown = cli("info", tmp_path / "people.gt", "--json").json
    assert (shown["nodes"], shown["edges"]) == (3, 3)
    assert {t["name"]: t["count"] for t in shown["node_types"]} == {"person": 2, "city": 1}
    assert shown["bytes"] == sum(p.stat().st_size for p in (tmp_path / "people.gt").rglob("*") if p.is_file())
    assert {key: imported[key] for key in shown} == shown
    assert imported["rows"] == 6


@pytest.mark.parametrize("out", ["new.gt", "people.gt"])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_store_is_written_anew(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path, version: int, out: str
) -> None:
    """Also in its own place; neither its manifest nor its files are taken for tables."""
    cli("import", *tables, "-o", tmp_path / "people.gt", "--no-vectors")
    old = tmp_path / "people.gt" / "manifest.json"
    told = json.loads(old.read_text())
    del told["checksum"]
    old.write_text(json.dumps(told | {"version": version}))
    cli("import", tmp_path / "people.gt", "-o", tmp_path / out, "--no-vectors")
    new = json.loads((tmp_path / out / "manifest.json").read_text())
    assert new["version"] == 3 and new["schema"] == told["schema"] and new["files"] == told["files"]


def test_a_store_is_imported_alone(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    cli("import", *tables, "-o", tmp_path / "people.gt")
    done = cli("import", tmp_path / "people.gt", tables[0], "-o", tmp_path / "new.gt")
    assert "people.gt: a store is imported alone" in done.err


def test_info_describes_and_suggests(cli: CommandLine, tables: tuple[Path, Path]) -> None:
    done = cli("info", tables[0].parent)
    assert done.code == 0
    assert "Person nodes have features" in done.out
    assert "What is the age of Ann?" in done.out


def test_tables_are_imported_without_libraries_of_other_formats(
    tables: tuple[Path, Path], tmp_path: Path
) -> None:
    code = (
        f"import sys, graphtalk; graphtalk.import_graph({[str(t) for t in tables]!r}, {str(tmp_path / 's.gt')!r})\n"
        "print([m for m in ('scipy', 'onnxruntime', 'tokenizers', 'networkx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_can_be_asked_is_told_in_good_english(cli: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "author.csv"
    for head, question in (
        ("born", "When was Ann Lee born?"),
        ("pages", "How many pages does Ann Lee have?"),
        ("Salary (EUR)", "What is the salary of Ann Lee?"),
    ):
        file.write_text(f"id,name,{head}\na1,Ann Lee,1901\na2,Bo Dahl,1902\n")
        assert question in cli("info", file).out


def test_a_graph_set_lists_its_graphs(cli: CommandLine) -> None:
    done = cli("info", "gpr")
    assert done.code == 0
    assert "lollipop_graph" in done.out
    assert cli("info", "gpr", "--json").json["graphs"] == 37


def test_beside_a_bad_line_stands_how_to_import_the_others(cli: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    cases = (("id,name\n1,Ann\n1,Bo\n", "stands twice"), ("id,name\n1,Ann\n2\n", "wrong number of cells"))
    for text, fault in cases:
        file.write_text(text)
        done = cli("import", file, "-o", tmp_path / "people.gt")
        assert (done.code, fault in done.err, "--on-error skip" in done.err) == (2, True, True)
        assert cli("import", file, "-o", tmp_path / "people.gt", "--on-error", "skip").code == 0
    file.write_text("id,name\n")
    assert "nothing stands below its header" in cli("import", file, "-o", tmp_path / "none.gt").err


@pytest.mark.parametrize(
    ("edges", "words"),
    [
        ("source\trelation\ttarget\na\tknows\tb\na\tknows\tzzz\n", ["edges.tsv", "3", "zzz"]),
        ("source\trelation\na\tknows\n", ["edges.tsv"]),
    ],
)
def test_bad_sources_are_refused_and_leave_nothing(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path, edges: str, words: list[str]
) -> None:
    tables[1].write_text(edges)
    before = sorted(tmp_path.iterdir())
    done = cli("import", *tables, "-o", tmp_path / "people.gt")
    assert done.code == 2
    assert all(word in done.err for word in words)
    assert sorted(tmp_path.iterdir()) == before


def test_a_failed_import_keeps_the_older_store(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path
) -> None:
    place = tmp_path / "people.gt"
    assert cli("import", *tables, "-o", place).code == 0
    before = cli("info", place, "--json").out
    tables[1].write_text("source\trelation\ttarget\na\tknows\tzzz\n")
    assert cli("import", *tables, "-o", place).code == 2
    assert cli("info", place, "--json").out == before


def test_bad_rows_can_be_left_out(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    with tables[1].open("a") as file:
        file.write("a\tknows\tzzz\n")
    done = cli("import", *tables, "-o", tmp_path / "people.gt", "--on-error", "skip", "--json")
    assert done.code == 0
    assert sum(done.json["left_out"].values()) == 1
    report = (tmp_path / "people.gt.rejected.tsv").read_text()
    assert "zzz" in report
    assert "edges.tsv" in report


def test_only_a_store_is_replaced(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    folder, file = tmp_path / "photos", tmp_path / "letter.txt"
    folder.mkdir()
    (folder / "cat.jpg").write_text("cat")
    file.write_text("dear")
    for place in (folder, file):
        done = cli("import", *tables, "-o", place)
        assert done.code == 2
        assert "not overwritten" in done.err
    assert (folder / "cat.jpg").read_text() == "cat"
    assert file.read_text() == "dear"
    assert cli("import", *tables, "-o", tmp_path / "new.gt").code == 0
    assert cli("import", *tables, "-o", tmp_path / "new.gt").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["import"], "SOURCE"),
        (["import", "x.tsv"], "-o"),
        (["import", "x.tsv", "-o", "y.gt"], "x.tsv"),
        (["import", "{nodes}", "-o", "y.gt", "--format", "graphlm"], "graphml"),
        (["import", "{nodes}", "-o", "y.gt", "--recipe", "hetionett"], "hetionet"),
        (["import", "{nodes}", "-o", "y.gt", "--on-error", "ignore"], "skip"),
        (["info", "atlass"], "Did you mean atlas"),
        (["info", "{nodes}/x"], "nodes.tsv/x"),
    ],
)
def test_wrong_usage_is_said_in_a_line(
    cli: CommandLine, tables: tuple[Path, Path], words: list[str], said: str
) -> None:
    done = cli(*[word.format(nodes=tables[0]) for word in words])
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err


def test_damaged_stores_are_refused(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    place = tmp_path / "people.gt"
    assert cli("import", *tables, "-o", place).code == 0
    (place / "indices.npy").write_bytes((place / "indices.npy").read_bytes()[:-3])
    cut = cli("info", place)
    assert cut.code == 2
    assert "indices.npy" in cut.err
    (place / "manifest.json").write_text("{")
    broken = cli("info", place)
    assert broken.code == 2
    assert "manifest.json" in broken.err


def test_a_source_is_imported_once_and_again_when_it_changes(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path, cache: Path
) -> None:
    first = cli("info", tmp_path, "--json").json
    assert cli("info", tmp_path, "--json").json == first
    with tables[0].open("a") as file:
        file.write("c\tCy\tperson\t7\n")
    changed = cli("info", tmp_path, "--json").json
    assert changed["nodes"] == first["nodes"] + 1
    assert len(list(cache.glob("*.gt"))) == 1


def test_a_truncated_archive_is_named(cli: CommandLine, tmp_path: Path) -> None:
    whole = gzip.compress(b"".join(b"n%d\tto\tn%d\n" % (i, i * 7919 % 5000) for i in range(5000)))
    path = tmp_path / "triples.tsv.gz"
    path.write_bytes(whole[: len(whole) // 2])
    done = cli("import", path, "-o", tmp_path / "x.gt", "--format", "triples")
    assert done.code == 2
    assert "triples.tsv.gz" in done.err
    assert not (tmp_path / "x.gt").exists()


@pytest.mark.slow
def test_a_killed_import_leaves_nothing_and_the_next_one_cleans_up(tmp_path: Path) -> None:
    source, place = tmp_path / "triples.tsv", tmp_path / "big.gt"
    source.write_bytes(b"".join(b"n%d\tto\tn%d\n" % (i, i * 7919 % 60_000) for i in range(60_000)))
    command = [sys.executable, "-m", "graphtalk", "import", source, "-o", place, "--format", "triples"]
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while killed.poll() is None and not list(tmp_path.glob(".big.gt.import-*")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    assert killed.wait() == -signal.SIGKILL
    assert not place.exists()
    assert list(tmp_path.glob(".big.gt.import-*"))
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "60,000" in again.stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["big.gt", "triples.tsv"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written_is_said(
    cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    done = cli("import", *tables, "-o", locked / "x.gt")
    assert done.code == 2
    assert "locked" in done.err


def test_debugging_shows_where_an_error_came_from(
    cli: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAPHTALK_DEBUG", "1")
    with pytest.raises(Exception, match="no-such"):
        cli("info", tmp_path / "no-such")


def test_json_holds_every_letter(cli: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("Zürich\tgrenzt an\t東京\n", encoding="utf-8")
    done = cli("import", path, "-o", tmp_path / "t.gt", "--format", "triples", "--json")
    assert "grenzt an" in json.dumps(done.json, ensure_ascii=False)


def test_check_says_what_is_damaged(cli: CommandLine, tables: tuple[Path, Path], tmp_path: Path) -> None:
    store = tmp_path / "people.gt"
    cli("import", *tables, "-o", store)
    whole = cli("check", store)
    assert (whole.code, whole.err) == (0, "") and "is whole" in whole.out
    with (store / "indices.npy").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.write(b"\x07")
    broken = cli("check", store, "--json")
    assert broken.code == 1 and broken.json["whole"] is False
    assert "indices.npy was changed" in broken.json["damaged"][0]
    assert "indices.npy was changed" in cli("check", store).out
    none = cli("check", tmp_path)
    assert none.code == 2 and "is not a graph store" in none.err
    assert cli("check", "atlas").code == 0
