"""Importers on mangled files: a graph or a SourceError, never anything else; and a kill leaves nothing."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from graphtalk.core import SourceError, StoreError
from graphtalk.graphs import Graph, GraphSet, open_graph, write
from graphtalk.graphs.read import read_graph

NODES = b'id\tname\ttype\tmass\n007\tBond\tagent\t1.5\n7\tSeven\tnumber\t\n8\t"x"\tagent\t3\n'
EDGES = b"source\ttarget\trelation\tyear\n007\t7\tlikes\t1995\n8\t007\thelps\t\n"


def tables(folder: Path) -> list[Path]:
    (folder / "nodes.tsv").write_bytes(NODES)
    (folder / "edges.tsv").write_bytes(EDGES)
    return [folder / "edges.tsv", folder / "nodes.tsv"]


def quoted(folder: Path) -> list[Path]:
    (folder / "nodes.csv").write_bytes(b'id,name\n"a","one, ""two"""\nb,"three\nfour"\n')
    return [folder / "nodes.csv"]


def grbench(folder: Path) -> list[Path]:
    node = {"features": {"title": "t", "year": 3}, "neighbors": {"reference": ["p"]}}
    (folder / "graph.json").write_text(json.dumps({"paper_nodes": {"p": node, "q": node}}))
    return [folder / "graph.json"]


def graphml(folder: Path) -> list[Path]:
    nx.write_graphml(nx.path_graph(3), folder / "g.graphml")
    return [folder / "g.graphml"]


def gml(folder: Path) -> list[Path]:
    nx.write_gml(nx.path_graph(3), folder / "g.gml")
    return [folder / "g.gml"]


def gexf(folder: Path) -> list[Path]:
    nx.write_gexf(nx.path_graph(3), folder / "g.gexf")
    return [folder / "g.gexf"]


def node_link(folder: Path) -> list[Path]:
    (folder / "g.json").write_text(json.dumps(nx.node_link_data(nx.path_graph(3), edges="links")))
    return [folder / "g.json"]


def dot(folder: Path) -> list[Path]:
    (folder / "g.dot").write_text('digraph { a [x="1"] subgraph cluster { b c } a -> { b c } [label=<i>] }')
    return [folder / "g.dot"]


def sparse6(folder: Path) -> list[Path]:
    nx.write_sparse6(nx.path_graph(9), folder / "g.s6")
    return [folder / "g.s6"]


def gin(folder: Path) -> list[Path]:
    (folder / "g.txt").write_text("2\n2 1\n0 1 1\n0 1 0\n1 0\n3 0\n")
    return [folder / "g.txt"]


def tu(folder: Path) -> list[Path]:
    with zipfile.ZipFile(folder / "t.zip", "w") as archive:
        archive.writestr("T_A.txt", "1, 2\n2, 1\n")
        archive.writestr("T_graph_indicator.txt", "1\n1\n2\n")
        archive.writestr("T_graph_labels.txt", "0\n1\n")
    return [folder / "t.zip"]


def planetoid(folder: Path) -> list[Path]:
    words, marks = sparse.csr_matrix(np.eye(2)), np.eye(2)
    parts = {"x": words, "y": marks, "tx": words, "ty": marks, "allx": words, "ally": marks}
    for part, value in (parts | {"graph": {0: [1], 1: [0], 2: [3], 3: [2]}}).items():
        (folder / f"ind.p.{part}").write_bytes(pickle.dumps(value, protocol=2))
    (folder / "ind.p.test.index").write_text("2\n3\n")
    return sorted(folder.glob("ind.p.*"))


MAKERS = [tables, quoted, grbench, graphml, gml, gexf, node_link, dot, sparse6, gin, tu, planetoid]


@pytest.mark.parametrize("make", MAKERS)
def test_the_whole_files_are_read(tmp_path: Path, make: Callable[[Path], list[Path]]) -> None:
    paths = make(tmp_path)
    graph = read_graph(paths[:1] if make is planetoid else paths)
    assert (graph.union if isinstance(graph, GraphSet) else graph).num_nodes > 1


def mangle(data: st.DataObject, content: bytes) -> bytes:
    """Cut, flipped, doubled, dropped or replaced bytes."""
    place = data.draw(st.integers(0, max(0, len(content) - 1)), "place")
    length = data.draw(st.integers(1, 20), "length")
    kind = data.draw(st.sampled_from(["cut", "drop", "double", "insert", "swap"]), "kind")
    before, part, after = content[:place], content[place : place + length], content[place + length :]
    if kind == "cut":
        return before
    if kind == "drop":
        return before + after
    if kind == "double":
        return before + part + part + after
    if kind == "swap":
        return after + part + before
    return before + data.draw(st.binary(min_size=1, max_size=8), "bytes") + part + after


@pytest.mark.parametrize("on_error", ["stop", "skip"])
@pytest.mark.parametrize("make", MAKERS)
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mangled_files_give_a_graph_or_a_source_error(
    tmp_path_factory: pytest.TempPathFactory,
    make: Callable[[Path], list[Path]],
    on_error: str,
    data: st.DataObject,
) -> None:
    folder = tmp_path_factory.mktemp("mangled")
    paths = make(folder)
    victim = data.draw(st.sampled_from(paths), "file")
    victim.write_bytes(mangle(data, victim.read_bytes()))
    try:
        graph = read_graph(paths[:1] if make is planetoid else paths, on_error=on_error)  # type: ignore[arg-type]
    except SourceError as error:
        assert str(folder) in str(error)
        return
    union = graph.union if isinstance(graph, GraphSet) else graph
    for position in range(len(union.schema.relations)):
        source, target = union.ends(position)
        assert not len(source) or max(source.max(), target.max()) < union.num_nodes
    if isinstance(graph, Graph):
        assert len(set(graph.ids())) == graph.num_nodes


@given(
    st.lists(
        st.text(st.characters(blacklist_characters="\t\n\r", blacklist_categories=["Cs"]), min_size=1),
        min_size=1,
        max_size=8,
        unique=True,
    )
)
def test_ids_are_kept_exactly(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    folder = tmp_path_factory.mktemp("ids")
    (folder / "nodes.tsv").write_text(
        "id\tname\n" + "".join(f"{i}\tx\n" for i in ids), newline="", encoding="utf-8"
    )
    lines = "".join(f"{a}\t{b}\n" for a, b in pairwise(ids))
    (folder / "edges.tsv").write_text("source\ttarget\n" + lines, newline="", encoding="utf-8")
    graph = read_graph([folder])
    assert isinstance(graph, Graph)
    write(graph, folder / "s.gt")
    opened = open_graph(folder / "s.gt")
    assert isinstance(opened, Graph)
    assert opened.ids() == ids
    assert [opened.ids(opened.neighbours(n)) for n in list(opened.indices())[:1]] == [ids[1:2]]


IMPORT = """
from pathlib import Path
from graphtalk.graphs import write
from graphtalk.graphs.read import read_graph
folder = Path({folder!r})
while True:
    write(read_graph([folder / "nodes.tsv", folder / "edges.tsv"]), folder / "out" / "s.gt")
    print("written", flush=True)
"""


def test_an_import_killed_at_any_time_leaves_a_whole_store_or_none(tmp_path: Path) -> None:
    tables(tmp_path)
    place = tmp_path / "out" / "s.gt"
    for delay in (0.0, 0.001, 0.004, 0.011, 0.02):
        script = IMPORT.format(folder=str(tmp_path))
        with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"written\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        graph = open_graph(place)
        assert isinstance(graph, Graph) and graph.ids() == ["007", "8", "7"]
    write(read_graph([tmp_path / "nodes.tsv"]), place)
    assert os.listdir(place.parent) == ["s.gt"]


def test_a_failed_import_leaves_the_older_store(tmp_path: Path) -> None:
    tables(tmp_path)
    write(read_graph([tmp_path / "nodes.tsv"]), tmp_path / "s.gt")
    (tmp_path / "edges.tsv").write_bytes(EDGES + b"zzz\t7\tlikes\t\n")
    with pytest.raises(SourceError, match="line 4: source 'zzz'"):
        write(read_graph([tmp_path / "nodes.tsv", tmp_path / "edges.tsv"]), tmp_path / "s.gt")
    graph = open_graph(tmp_path / "s.gt")
    assert isinstance(graph, Graph) and graph.num_edges == 0
    with pytest.raises(StoreError):
        open_graph(tmp_path / "other.gt")
