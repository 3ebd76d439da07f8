"""Fetching data sets by small cards: from a server and from folders, checked, and never half there."""

import gzip
import hashlib
import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphtalk.core import CheckError, SourceError, ToolError, UsageError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.hub import Hub
from graphtalk.hub.fetch import provenance
from hub_server import Files, serving

HEAD = """
title = "Small"
description = "A small set for tests."
task = "none"
homepage = "http://localhost"
licence = "CC0"
citation = "nobody"
missing = ""
paper = { nodes = 3, edges = 2, graphs = 1 }
"""
EDGES = """
[read]
format = "recipe"

[[read.recipe.edges]]
files = ["edges.tsv"]
header = false
columns = ["source", "target", "when"]
relation_name = "knows"
source_prefix = "u"
target_prefix = "u"
"""
TSV = b"".join(f"{i}\t{i + 1}\t{i * 7}\n".encode() for i in range(1, 3_000))


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def hub_of(root: Path, read: str, **files: dict[str, Any]) -> Hub:
    """A hub of one data set `small`; the keywords are its files."""
    tables = ""
    for name, fields in files.items():
        fields = {"name": name.replace("_", "."), "url": "", "sha256": "", **fields}
        lines = (f"{key} = {json.dumps(value)}" for key, value in fields.items())
        tables += "\n[[files]]\n" + "\n".join(lines) + "\n"
    (root / "cards").mkdir(exist_ok=True)
    (root / "cards" / "small.toml").write_text(HEAD + read + tables)
    return Hub(root / "hub", root / "cards")


def left(hub: Hub) -> list[str]:
    """What lies in the hub, apart from locks."""
    return sorted(p.name for p in hub.root.rglob("*") if not p.name.endswith(".lock"))


def test_another_copy_than_the_papers_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "edges.tsv").write_bytes(TSV)
    file = {"folder": "edges.tsv", "folder_sha256": sha256(TSV)}
    hub = hub_of(tmp_path, 'edition = "Small-2"\n' + EDGES, edges_tsv=file)
    assert hub.called("small") == "small"  # nothing is here yet
    hub.fetch("small", tmp_path / "data")
    assert (hub.edition("small"), hub.called("small"), hub.edition("mine")) == (
        "Small-2",
        "small (Small-2)",
        "",
    )


@pytest.mark.parametrize("given", ["", "kg", "kg/small"])
def test_a_folder_may_be_given_from_any_level(tmp_path: Path, given: str) -> None:
    (tmp_path / "data" / "kg" / "small").mkdir(parents=True)
    (tmp_path / "data" / "kg" / "small" / "edges.tsv").write_bytes(TSV)
    hub = hub_of(tmp_path, EDGES, edges_tsv={"folder": "kg/small/edges.tsv"})
    hub.fetch("small", tmp_path / "data" / given)
    assert hub.fetched("small")


def test_from_the_web_in_a_broken_connection(tmp_path: Path) -> None:
    with serving(Files({"/e.tsv": TSV}, cut=9_000, cuts=1)) as files:
        url = f"{files.url}/e.tsv"
        hub = hub_of(tmp_path, EDGES, edges_tsv={"url": url, "sha256": sha256(TSV), "bytes": len(TSV)})
        fetched = hub.fetch("small")
    graph = hub.graph("small")
    assert isinstance(graph, Graph) and graph.path == hub.place("small")
    assert (graph.name, graph.num_nodes, graph.num_edges) == ("small", 3_000, 2_999)
    assert graph.edge_features(0, 1)["when"] == 14 and graph.find("u1") is not None
    assert files.asked == [("/e.tsv", ""), ("/e.tsv", "bytes=9000-")]
    assert fetched.files[0].checked and fetched.unchecked == ()
    assert provenance(hub.place("small")) == fetched
    assert not (hub.root / "downloads" / "small").exists()
    assert hub.graph("small") is graph


def test_one_archive_for_several_files(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("d/e.tsv", TSV)
        archive.writestr("d/n.csv", "number,name\n1,Zoë\n".encode("latin-1"))
    nodes = '\n[[read.recipe.nodes]]\nfiles = ["nodes.csv"]\nid = "number"\nprefix = "u"\nlabel = "name"\n'
    with serving(Files({"/a.zip": packed.getvalue()})) as files:
        url = f"{files.url}/a.zip"
        hub = hub_of(
            tmp_path,
            EDGES.replace('format = "recipe"', 'format = "recipe"\nrecipe.roles = ["node"]')
            + '\n[read.recipe.relations.knows]\nsource = "node"\ntarget = "node"\n'
            + nodes,
            edges_tsv={"url": url, "member": "d/e.tsv", "sha256": sha256(TSV)},
            nodes_csv={"url": url, "member": "d/n.csv", "encoding": "latin-1"},
        )
        fetched = hub.fetch("small")
    assert len(files.asked) == 1 and fetched.unchecked == ("nodes.csv",)
    graph = hub.graph("small")
    assert isinstance(graph, Graph) and graph.label(graph.node("u1")) == "Zoë"


def test_altered_and_truncated_files_are_refused_by_name(tmp_path: Path) -> None:
    hub = hub_of(
        tmp_path, EDGES, edges_tsv={"folder": "d/edges.tsv", "sha256": sha256(TSV), "bytes": len(TSV)}
    )
    place = tmp_path / "d" / "edges.tsv"
    place.parent.mkdir()
    altered = bytearray(TSV)
    altered[100] = ord("9") if altered[100] != ord("9") else ord("8")
    for content, message in (
        (TSV[:-10], rf"edges\.tsv: is cut short \({len(TSV) - 10:,} of {len(TSV):,} bytes\)"),
        (bytes(altered), r"edges\.tsv: was altered: the SHA-256 of edges\.tsv is"),
    ):
        place.write_bytes(content)
        with pytest.raises(SourceError, match=message):
            hub.fetch("small", tmp_path)
        assert left(hub) == []
    place.unlink()
    with pytest.raises(SourceError, match=r"has no file 'd/edges\.tsv', which small needs"):
        hub.fetch("small", tmp_path)
    with pytest.raises(SourceError, match=r"nowhere: no such folder"):
        hub.fetch("small", tmp_path / "nowhere")
    (tmp_path / "edges.tsv.gz").write_bytes(gzip.compress(TSV))  # anywhere near, compressed or not
    assert hub.fetch("small", tmp_path).files[0].checked


def test_what_the_web_altered_is_not_kept(tmp_path: Path) -> None:
    with serving(Files({"/e.tsv": TSV + b"1\t2\t3\n"})) as files:
        hub = hub_of(tmp_path, EDGES, edges_tsv={"url": f"{files.url}/e.tsv", "sha256": sha256(TSV)})
        with pytest.raises(SourceError, match=r"e\.tsv: was altered"):
            hub.fetch("small")
        files.content["/e.tsv"] = TSV
        hub.fetch("small")
    assert [part for _, part in files.asked] == ["", ""]


def test_what_cannot_be_read_is_downloaded_again(tmp_path: Path) -> None:
    with serving(Files({"/e.tsv": b"1\t2\t3\n4\t5\n"})) as files:
        hub = hub_of(tmp_path, EDGES, edges_tsv={"url": f"{files.url}/e.tsv"})
        with pytest.raises(SourceError, match=r"small/edges\.tsv, line 2: wrong number"):
            hub.fetch("small")
        assert left(hub) == ["downloads"]
        files.content["/e.tsv"] = TSV
        assert hub.fetch("small").unchecked == ("edges.tsv",)
    assert len(files.asked) == 2


def test_a_bad_file_keeps_the_older_copy(tmp_path: Path) -> None:
    hub = hub_of(tmp_path, EDGES, edges_tsv={})
    (tmp_path / "edges.tsv").write_bytes(TSV)
    assert hub.fetch("small", tmp_path).unchecked == ("edges.tsv",)
    (tmp_path / "edges.tsv").write_bytes(TSV + b"1\t2\n")
    with pytest.raises(SourceError, match=r"small/edges\.tsv, line 3000: wrong number of cells"):
        hub.fetch("small", tmp_path)
    assert hub.graph("small").num_nodes == 3_000  # type: ignore[union-attr]
    (tmp_path / "edges.tsv").write_bytes(pickle.dumps([1]))
    with pytest.raises(SourceError, match="is a pickle"):
        hub.fetch("small", tmp_path)


FETCH = """
import sys
from pathlib import Path
from graphtalk.hub import Hub
Hub(Path(sys.argv[1]) / "hub", Path(sys.argv[1]) / "cards").fetch("small")
"""


@pytest.mark.slow
def test_a_killed_fetch_leaves_nothing_half(tmp_path: Path) -> None:
    with serving(Files({"/e.tsv": TSV}, drip=0.05)) as files:
        url = f"{files.url}/e.tsv"
        hub = hub_of(tmp_path, EDGES, edges_tsv={"url": url, "sha256": sha256(TSV)})
        process = subprocess.Popen([sys.executable, "-c", FETCH, str(tmp_path)], env=dict(os.environ))
        part = None
        for _ in range(15_000):
            part = next(hub.root.rglob("*.part"), None)
            if part is not None and part.stat().st_size > 4_000:
                break
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert part is not None and not hub.fetched("small")
        with pytest.raises(UsageError, match="Fetch it: graphtalk hub fetch small"):
            hub.graph("small")
        files.drip, have = 0, part.stat().st_size
        hub.fetch("small")
    assert files.asked[-1] == ("/e.tsv", f"bytes={have}-")
    assert not [name for name in left(hub) if ".files-" in name or "part" in name]
    assert hub.graph("small").num_edges == 2_999  # type: ignore[union-attr]


def test_nodes_by_the_papers_spelling(tmp_path: Path) -> None:
    hub = hub_of(tmp_path, EDGES, edges_tsv={})
    (tmp_path / "edges.tsv").write_bytes(TSV)
    hub.fetch("small", tmp_path)
    graph = hub.graph("small")
    assert isinstance(graph, Graph)
    assert [graph.id(hub.node("small", text)) for text in ("u272", "user#u272", "user # u272")] == [
        "u272"
    ] * 3
    with pytest.raises(CheckError, match="No node 'user#u999999' in small"):
        hub.node("small", "user#u999999")
    with pytest.raises(CheckError, match="gpr is a set of 37 graphs"):
        Hub(tmp_path).node("gpr", "0")


def test_names_and_what_is_not_fetched(tmp_path: Path) -> None:
    hub = Hub(tmp_path)
    with pytest.raises(UsageError, match=r"No data set 'coral'\. Did you mean cora\?"):
        hub.graph("coral")
    with pytest.raises(UsageError, match="Fetch it: graphtalk hub fetch cora"):
        hub.graph("cora")
    with pytest.raises(ToolError, match="Fetch it: graphtalk hub fetch cora"):
        hub.load("cora")
    gpr = hub.graph("gpr")
    assert isinstance(gpr, GraphSet) and gpr.name == "gpr" and hub.fetched("gpr")
    assert list(tmp_path.iterdir()) == []


# the forms of sets that were not at hand


def test_amazon_by_its_card(tmp_path: Path) -> None:
    rows = "B000O39TGO,A2YKWYC3WQJX5J,5.0,1104537600\nB000O39TGO,A1R9QOPV6HVEKF,2.0,1104537700\n"
    (tmp_path / "Software.csv").write_text(rows + "B004E9SKFA,A2YKWYC3WQJX5J,1.0,1300000000\n")
    hub = Hub(tmp_path / "hub")
    assert hub.fetch("amazon", tmp_path).unchecked == ("Software.csv",)
    graph = hub.graph("amazon")
    assert isinstance(graph, Graph)
    assert {t.name: t.count for t in graph.schema.node_types} == {"user": 2, "item": 2}
    user, item = hub.node("amazon", "user#A2YKWYC3WQJX5J"), hub.node("amazon", "item#B004E9SKFA")
    assert item in graph.neighbours(user, "rated") and user in graph.neighbours(item, "rated by")
    ratings = graph.edge_columns[0].to_pylist()
    assert {"rating": 2.0, "timestamp": 1104537700} in ratings


@pytest.mark.parametrize("directed", [True, False])
def test_social_networks_by_their_cards(tmp_path: Path, directed: bool) -> None:
    data = {
        "data_profile": {"name": "twitter", "order": 3, "size": 2, "is_directed": directed},
        "nodes": {"Rickys_NYC": {"features": None, "label": None}, "user/1": {}, 7: {}},
        "links": {("Rickys_NYC", "user/1"): {}, ("user/1", 7): {"features": None}},
    }
    (tmp_path / "graph_datasets").mkdir()
    (tmp_path / "graph_datasets" / "twitter").write_bytes(pickle.dumps(data))
    hub = Hub(tmp_path / "hub")
    hub.fetch("twitter", tmp_path)
    graph = hub.graph("twitter")
    assert isinstance(graph, Graph) and graph.ids() == ["Rickys_NYC", "user/1", "7"]
    back = "followed by" if directed else "follows"
    assert graph.neighbours(hub.node("twitter", "user#user/1"), back).tolist()[-1] == 0
    assert graph.directed == directed


class Evil:
    def __reduce__(self) -> Any:
        return (print, ("run",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (Evil(), "only arrays, lists and dictionaries"),
        ({"nodes": {"a": Evil()}, "links": {}}, "only arrays, lists and dictionaries"),
        ([1], "holds no dictionary"),
        ({"nodes": {"a": {}}}, "has no dictionary 'links'"),
        ({"nodes": {"a": {}}, "links": {("a", "b"): {}}}, "a link is no pair of nodes"),
        ({"nodes": {"a": {}}, "links": {7: {}}}, "a link is no pair of nodes"),
    ],
)
def test_bad_pickles_of_social_networks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: Any, message: str
) -> None:
    (tmp_path / "foursquare").write_bytes(pickle.dumps(content))
    with pytest.raises(SourceError, match=rf"foursquare/foursquare: .*{message}"):
        Hub(tmp_path / "hub").fetch("foursquare", tmp_path)
    assert capsys.readouterr().out == ""


def test_vectors_and_labels_of_the_papers_form(tmp_path: Path) -> None:
    data = {
        "nodes": {
            "a": {"features": np.array([1.0, 0.0]), "label": "x"},
            "b": {"features": [0, 2], "label": None},
        },
        "links": {("a", "b"): {"label": 3}},
    }
    (tmp_path / "twitter").write_bytes(pickle.dumps(data))
    hub = Hub(tmp_path / "hub")
    hub.fetch("twitter", tmp_path)
    graph = hub.graph("twitter")
    assert isinstance(graph, Graph)
    assert graph.features(0) == {"features": [1.0, 0.0], "label": "x"}
    assert graph.features(1) == {"features": [0.0, 2.0]} and graph.edge_features(0, 0) == {"label": "3"}
