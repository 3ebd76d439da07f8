"""Importing delimited files: columns by name, ids kept exactly, and faults named by file and line."""

import bz2
import csv
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import read_graph

NODES = 'id\tname\tkind\tmass\n007\tBond\tagent\t76.5\n7\tSeven\tnumber\t\n a \t"Q" Branch\tagent\t80\n'
EDGES = "source\ttarget\trelation\tyear\n007\t7\tlikes\t1995\n a \t007\thelps\t2006\n007\t7\tlikes\t\n"


def put(folder: Path, **texts: str | bytes) -> list[Path]:
    paths = []
    for name, text in texts.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        paths.append(path)
    return paths


def read(*paths: Path, **options: object) -> Graph:
    graph = read_graph(list(paths), **options)  # type: ignore[arg-type]
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    found = []
    for position, relation in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found += [(graph.id(a), relation.name, graph.id(b)) for a, b in zip(sources, targets, strict=True)]
    return sorted(found)


def test_columns_are_found_by_name(tmp_path: Path) -> None:
    graph = read(*put(tmp_path, nodes__tsv=NODES, edges__tsv=EDGES))
    assert [t.name for t in graph.schema.node_types] == ["agent", "number"]
    assert graph.ids() == ["007", " a ", "7"]
    assert graph.label(graph.node(" a ")) == '"Q" Branch'
    assert graph.features(graph.node("007")) == {"name": "Bond", "mass": 76.5}
    assert graph.features(graph.node("7")) == {"name": "Seven"}
    assert edges(graph) == [(" a ", "helps", "007"), ("007", "likes", "7"), ("007", "likes", "7")]
    likes = next(i for i, r in enumerate(graph.schema.relations) if r.name == "likes")
    assert [graph.edge_features(likes, e) for e in (0, 1)] == [{"year": 1995}, {}]


def test_a_folder_of_nodes_and_edges_is_read_like_its_files(tmp_path: Path) -> None:
    put(tmp_path, nodes__tsv=NODES, edges__tsv=EDGES, README__txt="not a graph", other__csv="x,y\n1,2\n")
    assert edges(read(tmp_path)) == edges(read(tmp_path / "nodes.tsv", tmp_path / "edges.tsv"))


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [
        ("gz", gzip.compress),
        ("xz", lzma.compress),
        ("bz2", bz2.compress),
        ("zst", lambda data: pa.compress(data, "zstd", asbytes=True)),
    ],
)
def test_compressed_files_are_read(tmp_path: Path, suffix: str, pack: Callable[[bytes], bytes]) -> None:
    plain = read(*put(tmp_path, nodes__tsv=NODES, edges__tsv=EDGES))
    packed = put(
        tmp_path, **{f"n__tsv__{suffix}": pack(NODES.encode()), f"e__tsv__{suffix}": pack(EDGES.encode())}
    )
    assert edges(read(*packed)) == edges(plain)


QUOTED = 'id\tname\ttext\na\tx\t"two\nlines"\nb\ty\t"said ""no"""\nc\tz\t"a\ttab"\n'


def test_tabs_with_quoting_are_told_from_the_rows(tmp_path: Path) -> None:
    graph = read(*put(tmp_path, nodes__tsv=QUOTED))
    assert [graph.feature(n, "text") for n in graph.indices()] == ["two\nlines", 'said "no"', "a\ttab"]
    graph = read(*put(tmp_path, nodes__tsv='id\tname\na\t"said ""no"""\nb\tplain\n'))
    assert graph.labels() == ['said "no"', "plain"]
    graph = read(*put(tmp_path, nodes__tsv='"id"\t"name"\n"a"\t"x"\n'))
    assert (graph.ids(), graph.labels()) == (["a"], ["x"])


@pytest.mark.parametrize("name", ['"Heroes"', '"Weird Al" and ""others""', '"', '12"', '"open', 'a "b" c'])
def test_quotation_marks_of_names_stay_where_tabs_separate(tmp_path: Path, name: str) -> None:
    graph = read(*put(tmp_path, nodes__tsv=f'id\tname\na\t{name}\nb\t"B"\n'))
    assert graph.labels() == [name, '"B"']


def test_bad_rows_of_quoted_tabs_are_named_and_left_out(tmp_path: Path) -> None:
    paths = put(tmp_path, nodes__tsv=QUOTED + "d\tw\n")
    with pytest.raises(SourceError, match=r"nodes\.tsv, line \d+: (wrong number of cells|bad quoting)"):
        read(*paths)
    assert read(*paths, on_error="skip").ids() == ["a", "b", "c"]


WRITTEN = st.text(st.sampled_from('ab "\t\n:'), max_size=6)  # without what separates entries of lists


@given(st.lists(st.tuples(WRITTEN, WRITTEN), min_size=1, max_size=6))
def test_what_csv_writes_with_tabs_is_read(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("tabs")
    with (folder / "nodes.tsv").open("w", newline="") as file:
        write = csv.writer(file, "excel-tab", lineterminator="\n").writerow
        write(["id", "one", "two"])
        for i, row in enumerate(rows):
            write([f"n{i}", *row])
    lines = (folder / "nodes.tsv").read_text().rstrip("\n").split("\n")
    # where every line of a quoted cell looks like a row, quotation marks are taken for parts of names
    assume(len(lines) == len(rows) + 1 or any(line and line.count("\t") != 2 for line in lines))
    graph = read(folder / "nodes.tsv")
    found = [tuple(graph.features(n).get(name, "") for name in ("one", "two")) for n in graph.indices()]
    assert found == rows


def test_nodes_may_have_a_beginning_and_an_end(tmp_path: Path) -> None:
    graph = read(*put(tmp_path, nodes__tsv="id\tname\tstart\tend\na\tx\t1\t2\n"))
    assert graph.features(0) == {"name": "x", "start": 1, "end": 2}


def test_csv_with_quotes_commas_and_line_ends_in_cells(tmp_path: Path) -> None:
    nodes = '\ufeffid,name\r\n"a,1","two\nlines, ""quoted"""\r\nb,plain\r\n'
    graph = read(*put(tmp_path, nodes__csv=nodes, edges__csv='source,target\r\n"a,1",b\r\n'))
    assert graph.label(graph.node("a,1")) == 'two\nlines, "quoted"'
    assert edges(graph) == [("a,1", "edge", "b")]


def test_parquet_keeps_kinds(tmp_path: Path) -> None:
    pa.parquet.write_table(
        pa.table({"id": [1, 2], "zip": ["01", "22"], "tags": [["a"], []]}), tmp_path / "nodes.parquet"
    )
    pa.parquet.write_table(pa.table({"source": [1], "target": [2]}), tmp_path / "edges.parquet")
    graph = read(tmp_path)
    assert graph.features(graph.node("1")) == {"zip": "01", "tags": ["a"]}
    assert edges(graph) == [("1", "edge", "2")]


def test_edges_alone_make_their_nodes(tmp_path: Path) -> None:
    graph = read(*put(tmp_path, edges__tsv=EDGES))
    assert [(t.name, t.count) for t in graph.schema.node_types] == [("node", 3)]
    assert set(graph.ids()) == {"007", "7", " a "}


def test_triples_and_edge_lists_without_header(tmp_path: Path) -> None:
    triples = read(*put(tmp_path, kg__tsv="Zinc\ttreats\tcold\ncold\tis a\tillness\n"))
    assert edges(triples) == [("Zinc", "treats", "cold"), ("cold", "is a", "illness")]
    listed = read(*put(tmp_path, web__txt="# Nodes: 3\n01 2\n2 3\n"))
    assert edges(listed) == [("01", "edge", "2"), ("2", "edge", "3")]
    weighted = read(*put(tmp_path, w__csv="a,b,0.5\nb,c,2\n"))
    assert [weighted.edge_features(0, e) for e in (0, 1)] == [{"weight": 0.5}, {"weight": 2.0}]
    forced = read(tmp_path / "w.csv", format="triples")
    assert edges(forced) == [("a", "b", "0.5"), ("b", "c", "2")]


def test_kinds_of_features(tmp_path: Path) -> None:
    columns = {
        "integer": ["1", "-2", ""],
        "float": ["1", "2.5", "-3e4"],
        "missing": ["1", "NA", "3"],
        "code": ["007", "12", "13"],
        "truth": ["true", "False", ""],
        "text": ["1", "x", "NA"],
        "empty": ["", "", ""],
    }
    rows = ["\t".join(["id", *columns])] + [
        "\t".join([f"n{i}", *(c[i] for c in columns.values())]) for i in range(3)
    ]
    graph = read(*put(tmp_path, nodes__tsv="\n".join(rows) + "\n"))
    kinds = {f.name: f.kind for f in graph.schema.node_types[0].features}
    assert kinds == {
        "integer": "number",
        "float": "number",
        "missing": "number",
        "code": "text",
        "truth": "boolean",
        "text": "text",
    }
    assert graph.features(2) == {"float": -3e4, "missing": 3, "code": "13", "text": "NA"}


FAULTS: list[tuple[str, dict[str, str | bytes], str]] = [
    ("missing source", {"edges__tsv": "foo\ttarget\na\tb\n"},
     r"edges\.tsv, line 1: 'foo', 'target': none of these .* source and target"),
    ("missing ends", {"nodes__csv": "id\na1\na2\na3\n", "edges__csv": "p,q,r\nb1,b2,1\nb3,b4,2\nb5,b6,2\n"},
     r"edges\.csv, line 1: 'p', 'q', 'r': none of these .* source and target"),
    ("dangling", {"nodes__tsv": "id\na\n", "edges__tsv": "source\ttarget\na\ta\n\na\tzzz\n"},
     r"edges\.tsv, line 4: target 'zzz' is not a node"),
    ("dangling source", {"nodes__tsv": "id\na\n", "edges__tsv": "source\ttarget\nq\ta\n"},
     r"edges\.tsv, line 2: source 'q' is not a node"),
    ("duplicate", {"nodes__csv": 'id,name\na,"x\ny"\nb,\na,z\n'}, r"nodes\.csv, line 5: the id 'a' stands twice"),
    ("empty id", {"nodes__tsv": "id\tname\n\tx\n"}, r"nodes\.tsv, line 2: the id is empty"),
    ("empty end", {"edges__tsv": "source\ttarget\na\tb\na\t\n"}, r"edges\.tsv, line 3: target '' is not a node"),
    ("encoding", {"nodes__tsv": b"id\tname\na\tZo\xc3\xab\nb\tcaf\xe9\n"}, r"nodes\.tsv, line 3: not UTF-8"),
    ("ragged", {"nodes__tsv": "id\tname\na\tx\nb\n"}, r"nodes\.tsv, line 3: wrong number of cells \(1 where there are 2"),
    ("bad quotes", {"nodes__csv": 'id,name\na,x\nb,"z\nc,y\nd,w\n'}, r"nodes\.csv, line 3: bad quoting"),
    ("cut gzip", {"nodes__tsv__gz": gzip.compress(b"id\n" + b"".join(b"n%d\n" % i for i in range(9999)))[:-99]},
     r"nodes\.tsv\.gz, line \d+: the compressed file is cut short"),
    ("no gzip", {"nodes__tsv__gz": "id\na\n"}, r"nodes\.tsv\.gz.*(not a gzipped|Not a gzipped)"),
    ("empty", {"nodes__tsv": ""}, r"nodes\.tsv: the file is empty"),
    ("twice", {"nodes__tsv": "id\tname\tname\na\tb\tc\n"}, r"nodes\.tsv, line 1: the column 'name' stands twice"),
    ("not parquet", {"nodes__parquet": "id\n"}, r"nodes\.parquet: cannot be read as Parquet"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "message"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_a_fault_is_named_with_file_and_line(
    tmp_path: Path, files: dict[str, str | bytes], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(*put(tmp_path, **files))


class Counts(Silent):
    """Progress that remembers."""

    def __init__(self) -> None:
        self.total = self.rows = self.bytes = 0
        self.reasons: dict[str, int] = {}

    def start(self, total_bytes: int) -> None:
        self.total = total_bytes

    def advance(self, rows: int = 0, bytes: int = 0) -> None:
        self.rows += rows
        self.bytes += bytes

    def skipped(self, reasons: dict[str, int], report: Path | None) -> None:
        self.reasons = reasons


def test_bad_rows_are_left_out_counted_and_listed(tmp_path: Path) -> None:
    nodes = b"id\tname\na\tZo\xc3\xab\nb\tcaf\xe9\nc\nd\ty\na\tz\n"
    edges_text = "source\ttarget\na\td\na\tb\nq\ta\n"
    counts = Counts()
    paths = put(tmp_path, nodes__tsv=nodes, edges__tsv=edges_text)
    graph = read(*paths, on_error="skip", report=tmp_path / "report.tsv", progress=counts)
    assert graph.ids() == ["a", "d"]
    assert edges(graph) == [("a", "edge", "d")]
    assert counts.reasons == {
        "not UTF-8": 1,
        "wrong number of cells": 1,
        "duplicate id": 1,
        "dangling edge": 2,
    }
    report = [line.split("\t") for line in (tmp_path / "report.tsv").read_text().splitlines()]
    assert report[0] == ["file", "line", "message"]
    assert [(Path(file).name, line) for file, line, _ in report[1:]] == [
        ("nodes.tsv", "3"),
        ("nodes.tsv", "4"),
        ("nodes.tsv", "6"),
        ("edges.tsv", "3"),
        ("edges.tsv", "4"),
    ]


def test_what_stands_before_a_cut_is_kept(tmp_path: Path) -> None:
    whole = gzip.compress(b"id\n" + b"".join(b"n%d\n" % i for i in range(9999)))
    graph = read(*put(tmp_path, nodes__tsv__gz=whole[:-2000]), on_error="skip")
    assert 0 < graph.num_nodes < 9999
    assert graph.ids()[:2] == ["n0", "n1"]


def test_progress_counts_bytes_and_rows(tmp_path: Path) -> None:
    counts = Counts()
    paths = put(tmp_path, nodes__tsv=NODES, edges__tsv=EDGES)
    read(*paths, progress=counts)
    assert counts.total == counts.bytes == sum(p.stat().st_size for p in paths)
    assert counts.rows == 6


def test_wrong_usage_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"nowhere\.tsv: no such file"):
        read(tmp_path / "nowhere.tsv")
    with pytest.raises(UsageError, match=r"No format 'graphm'. Did you mean graphml"):
        read(*put(tmp_path, nodes__tsv=NODES), format="graphm")
    with pytest.raises(SourceError, match="format cannot be told"):
        read(*put(tmp_path, picture__png=b"\x89PNG"))
    with pytest.raises(UsageError, match="at least one"):
        read_graph([])
