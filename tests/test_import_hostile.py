"""Files made to harm: each ends in one message of ours, in a process that lives and leaves nothing behind."""

import json
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from command_line import CommandLine
from graphtalk.core import SourceError
from graphtalk.core.reading import read_json, read_toml, refusing
from graphtalk.graphs import Graph
from graphtalk.graphs.read import read_graph

DEEP = 100_000
ENDLESS = "9" * 400


def deep(kind: str, depth: int = DEEP) -> str:
    opening, closing = {"list": ("[", "]"), "object": ('{"a":', "}")}[kind]
    return opening * depth + "1" + closing * depth


def node_link(**feature: object) -> str:
    return json.dumps({"directed": True, "graph": {}, "nodes": [{"id": 1, **feature}], "links": []})


def with_deep(text: str, depth: int = DEEP) -> str:
    return text.replace('"DEEP"', deep("list", depth))


FILES = {
    "GRBench, deep list": ("g.json", '{"a_nodes":{"n":{"features":{"x":' + deep("list") + "}}}}"),
    "GRBench, deep object": ("g.json", '{"a_nodes":{"n":{"features":{"x":' + deep("object") + "}}}}"),
    "GRBench, deep neighbours": ("g.json", '{"a_nodes":{"n":{"neighbors":{"x":[' + deep("list") + "]}}}}"),
    "GRBench, long number": ("g.json", '{"a_nodes":{"n":{"features":{"x":' + "9" * 5000 + "}}}}"),
    "GML, deep": ("g.gml", "graph [ node [ id 0 " + "a [ " * DEEP + "] " * DEEP + "] ]"),
    "GML, long number": ("g.gml", "graph [ node [ id " + "9" * 5000 + " ] ]"),
    "GraphML, deep": ("g.graphml", "<graphml>" + "<graph>" * 5000 + "</graph>" * 5000 + "</graphml>"),
    "node-link, deep": ("g.json", with_deep(node_link(x="DEEP"))),
    "node-link, half a character": ("g.json", node_link(x="\ud800")),
    "node-link, half a character as an id": ("g.json", node_link().replace('"id": 1', '"id": "\\udfff"')),
    "node-link, long number": ("g.json", '{"nodes": [{"id": ' + "9" * 5000 + '}], "links": []}'),
    "TU, an indicator of 300,000,000": ("d/X_graph_indicator.txt", "1\n300000000\n"),
    "TU, an endless indicator": ("d/X_graph_indicator.txt", f"1\n{ENDLESS}\n"),
    "TU, an indicator that is no number": ("d/X_graph_indicator.txt", "1\nnan\n"),
    "TU, half an indicator": ("d/X_graph_indicator.txt", "1\n1.5\n"),
    "GIN, a count of -1": ("g.txt", "-1\n1 0\n0 0\n"),
    "GIN, a count that is too small": ("g.txt", "1\n1 0\n0 0\n1 0\n0 0\n"),
    "GIN, a count that is too large": ("g.txt", "1000000000\n1 0\n0 0\n"),
    "GIN, a size that is too large": ("g.txt", "1\n1000000000 0\n0 0\n"),
    "GIN, a long number": ("g.txt", f"1\n1 {ENDLESS}\n0 0\n"),
    "a header of 17 MB": ("nodes.tsv", "id\t" + "x" * (17 << 20) + "\n1\t2\n"),
    "40,000 columns": ("nodes.tsv", "id" + "".join(f"\tc{i}" for i in range(40_000)) + "\n"),
    "20,000 relations": ("g.tsv", "".join(f"n{i}\tr{i}\tn{i + 1}\n" for i in range(20_000))),
}


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize(("name", "content"), FILES.values(), ids=FILES)
def test_hostile_files_end_in_one_message(
    tmp_path: Path, graphtalk: CommandLine, monkeypatch: pytest.MonkeyPatch, name: str, content: str
) -> None:
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.write_text(content, encoding="utf-8")
    if name.startswith("d/"):
        (place.parent / "X_A.txt").write_text("")
    format = ["--format", "gin"] if name == "g.txt" else []
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    source = place.parent if name.startswith("d/") else place
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    done = graphtalk("import", source, "-o", tmp_path / "s.gt", *format)
    assert done.code == 2 and done.out == "", done.err[-2000:]
    assert len(done.err.splitlines()) == 1 and len(done.err) < 1000, done.err[-2000:]
    assert str(tmp_path) in done.err
    assert not (tmp_path / "s.gt").exists() and not list(scratch.iterdir())


def test_lists_in_lists_become_texts(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text(with_deep(node_link(x="DEEP", y=[[1], [2]], z=[1, 2]), 50))
    graph = read_graph([tmp_path / "g.json"])
    assert isinstance(graph, Graph)
    # Entries that are lists are kept as texts.
    assert (graph.feature(0, "y"), graph.feature(0, "z")) == (["[1]", "[2]"], [1, 2])
    assert str(graph.feature(0, "x")).strip("['").startswith("1]")


@pytest.mark.parametrize(
    "ids",
    [
        pa.array([b"\xff\xfe", b"a"], pa.binary()),
        pa.array([[1], [2]], pa.list_(pa.int64())),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([1.5, 2.5]).cast(pa.float16()),
    ],
)  # fmt: skip
def test_ids_of_parquet_files_are_texts_or_refused(tmp_path: Path, ids: pa.Array) -> None:
    place = tmp_path / "nodes.parquet"
    pa.parquet.write_table(pa.table({"id": ids, "name": ["x", "y"]}), place)
    try:
        graph = read_graph([place])
    except SourceError as error:
        assert str(place) in str(error)
    else:
        assert isinstance(graph, Graph) and graph.ids() == ["1.5", "2.5"]


def test_a_parquet_file_of_one_value_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.graphs.formats.rows._MOST_CELLS", 1 << 20)
    place = tmp_path / "nodes.parquet"
    ones = pa.array(np.ones(1 << 20, np.int8))
    pa.parquet.write_table(
        pa.table({f"{i}": ones for i in range(40)} | {"id": ones}), place, compression="zstd"
    )
    with pytest.raises(SourceError, match=r"nodes\.parquet: says that it has .* cells"):
        read_graph([place])


def bomb(place: Path, members: dict[str, int]) -> Path:
    """A zip file of so many megabytes of zeros each."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, megabytes in members.items():
            with archive.open(name, "w", force_zip64=True) as file:
                for _ in range(megabytes):
                    file.write(b"\0" * (1 << 20))
    return place


def test_bombs_are_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphtalk.graphs.formats.files._SMALL", 16 << 20)
    zipped = bomb(tmp_path / "x.zip", {"X_A.txt": 10, "X_graph_indicator.txt": 10})
    with pytest.raises(SourceError, match=r"x\.zip.* larger than it may be"):
        read_graph([zipped])
    import bz2
    import gzip
    import lzma

    zeros = b"id\n" + b"0" * (20 << 20)
    packed = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": pa.Codec("zstd").compress}
    for suffix, pack in packed.items():
        place = tmp_path / f"nodes.tsv.{suffix}"
        place.write_bytes(bytes(memoryview(pack(zeros))))
        with pytest.raises(SourceError, match=rf"nodes\.tsv\.{suffix}: unpacks to more than"):
            read_graph([place])


@pytest.mark.parametrize("name", ["../X_A.txt", "/X_A.txt", "d/X_A.txt"])
def test_archives_of_graph_sets_stay_where_they_belong(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for member in ("X_A.txt", name, "X_graph_indicator.txt"):
            archive.writestr(member, "")
    with pytest.raises(SourceError, match=r"x\.zip: (has two files|the file name)"):
        read_graph([tmp_path / "x.zip"])


def test_a_header_of_many_kilobytes_is_read_whole(tmp_path: Path) -> None:
    names = [f"{'a_rather_long_name_of_a_column_' * 5}{i}" for i in range(1_000)]
    (tmp_path / "nodes.tsv").write_text("\t".join(["id", *names]) + "\n" + "\t".join(["a"] * 1_001) + "\n")
    graph = read_graph([tmp_path / "nodes.tsv"])
    assert isinstance(graph, Graph) and len(graph.schema.node_types[0].features) == 1_000


@pytest.mark.parametrize(
    "text", [deep("list"), deep("object"), deep("list", 101), "[" * DEEP, "9" * 5000, '"\\x"', ""]
)
def test_bad_json_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


def test_json_that_only_looks_deep_is_read() -> None:
    assert read_json(deep("list", 100)) and read_json("[" + "[1]," * 500 + '"' + "[" * 500 + '\\""]')
    assert read_json('{"a": 1, "a": 2}', pairs=list) == [("a", 1), ("a", 2)]


def test_bad_toml_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        read_toml("a = " + "[" * DEEP)


@pytest.mark.parametrize(
    "error",
    [
        RecursionError(),
        MemoryError(),
        OverflowError("int"),
        "\ud800",
        b"\xff",
        pa.ArrowInvalid("bad"),
        pa.lib.ArrowCapacityError("big"),
    ],
)
def test_what_parsers_raise_is_one_error_of_ours(error: object) -> None:
    with (
        pytest.raises(SourceError, match=r"g: \w.*\.$"),
        refusing(lambda words: SourceError(f"{words}.", "g")),
    ):
        if isinstance(error, str):
            error.encode()
        elif isinstance(error, bytes):
            error.decode()
        else:
            raise error  # type: ignore[misc]


CALLS = [
    'Finish["1"]',
    "Finish[Finish[1]]",
    'Count[Finish["1"]]',
    '{"name": "Finish", "arguments": {"answer": 1}}',
]


@pytest.mark.parametrize("call", CALLS)
def test_finish_is_no_call_of_a_graph(graphtalk: CommandLine, call: str) -> None:
    done = graphtalk("call", "atlas", call)
    assert done.code == 1 and "No function 'Finish'" in done.err and len(done.err.splitlines()) == 1


def test_hostile_answers_end_in_one_message(graphtalk: CommandLine, tmp_path: Path) -> None:
    good = graphtalk("ask", "atlas", "What is the capital of Japan?", "--json").json
    for key in ("value", "evidence", "calls", "answer"):
        (tmp_path / "a.json").write_text(json.dumps({**good, key: "DEEP"}).replace('"DEEP"', deep("list")))
        done = graphtalk("verify", tmp_path / "a.json", "atlas")
        assert done.code == 2 and len(done.err.splitlines()) == 1 and "nested too deeply" in done.err
    for value in ("\ud800", int(ENDLESS), float("inf"), json.loads(deep("list", 90))):
        (tmp_path / "a.json").write_text(json.dumps({**good, "value": value}))
        done = graphtalk("verify", tmp_path / "a.json", "atlas")
        assert done.code in (1, 2) and "Traceback" not in done.err
