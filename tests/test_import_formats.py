"""Importing GRBench, networkx, Planetoid, TU and GIN files."""

import json
import pickle
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphtalk.core import SourceError
from graphtalk.graphs import Graph, GraphSet, open_graph, write
from graphtalk.graphs.formats.registry import formats, sniff_format
from graphtalk.graphs.read import read_graph


def graph_of(path: Path, **options: Any) -> Graph:
    graph = read_graph([path], **options)
    assert isinstance(graph, Graph)
    return graph


def set_of(path: Path) -> GraphSet:
    graphs = read_graph([path])
    assert isinstance(graphs, GraphSet)
    return graphs


# GRBench

PAPERS: dict[str, Any] = {
    "paper_nodes": {
        "007": {
            "features": {"title": "Spies", "year": 1962, "tags": ["a"], "id": "x"},
            "neighbors": {"author": ["a1", "a2"], "reference": ["p2", "p3"], "cited_by": [], "alike": ["p2"]},
        },
        "p2": {
            "features": {"title": "More", "year": "unknown", "abstract": ""},
            "neighbors": {"author": ["a1"], "reference": ["p3"], "cited_by": ["007"], "alike": ["007"]},
        },
        "p3": {
            "features": {"title": "Last"},
            "neighbors": {"author": [], "reference": [], "cited_by": ["p2", "007"], "venue": ["v"]},
        },
    },
    "author_nodes": {
        "a1": {"features": {"name": "Ann"}, "neighbors": {"paper": ["007", "p2"]}},
        "a2": {"features": {"name": "Bob"}, "neighbors": {"paper": ["007"]}},
    },
    "venue_nodes": {"v": {"features": {}, "neighbors": {"city": []}}},
}


@pytest.mark.parametrize("flush", [1, 10**6])
def test_grbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flush: int) -> None:
    monkeypatch.setattr("graphtalk.graphs.formats.grbench._FLUSH", flush)
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(PAPERS))
    graph = graph_of(path)
    relations = {(r.source, r.name, r.target): (r.inverse, r.count) for r in graph.schema.relations}
    assert relations == {
        ("paper", "author", "author"): ("paper", 3),
        ("paper", "reference", "paper"): ("cited_by", 3),
        ("paper", "alike", "paper"): ("alike", 1),
        ("paper", "venue", "venue"): ("", 1),
    }
    for kind, nodes in PAPERS.items():
        for node_id, record in nodes.items():
            node = graph.node(node_id)
            assert graph.node_type(node).name == kind.removesuffix("_nodes")
            for name, others in record["neighbors"].items():
                if name == "city":
                    continue  # no edge anywhere: no relation
                assert Counter(graph.ids(graph.neighbours(node, name))) == Counter(others)
    assert graph.features(0) == {"title": "Spies", "year": "1962", "tags": ["a"], "id_": "x"}
    assert graph.features(1) == {"title": "More", "year": "unknown"}
    assert graph.labels([0, 3]) == ["Spies", "Ann"]


def test_grbench_labels(tmp_path: Path) -> None:
    types = {
        "court": {"full_name": "Supreme Court", "short_name": "SC"},
        "opinion": {"plain_text": "We affirm.", "title": ""},
        "opinion_cluster": {"case_name": "A v. B", "syllabus": "On appeal."},
        "docket": {"case_name": "A v. B", "pacer_case_id": "312"},
        "judge": {"case_name": "A v. B"},
        "other": {"words": "none"},
    }
    nodes = {f"{kind}_nodes": {f"{kind} 1": {"features": f, "neighbors": {}}} for kind, f in types.items()}
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(nodes))
    labels = ["Supreme Court", "We affirm.", "On appeal.", "312", "A v. B", "other 1"]
    assert graph_of(path).labels() == labels


def test_grbench_faults(tmp_path: Path) -> None:
    path = tmp_path / "graph.json"
    text = json.dumps(PAPERS)
    path.write_text(text[:400])
    with pytest.raises(SourceError, match=r"graph\.json: cannot be read after node 'p2'"):
        graph_of(path)
    path.write_text(text.replace('["007"]', '["zzz"]'))
    with pytest.raises(SourceError, match=r"graph\.json: target 'zzz' is not a node"):
        graph_of(path)
    assert graph_of(path, on_error="skip").num_nodes == 6
    path.write_text('{"paper_nodes": {"p": 3}}')
    with pytest.raises(SourceError, match="not an object of objects"):
        graph_of(path)
    path.write_text('{"paper_nodes": {"p": [3]}}')
    with pytest.raises(SourceError, match="node 'p' is not an object"):
        graph_of(path)
    path.write_text('{"paper_nodes": {"p": {"features": "red"}}}')
    with pytest.raises(SourceError, match="node 'p': its features are not an object"):
        graph_of(path)


# networkx


def test_files_that_networkx_reads(tmp_path: Path) -> None:
    graph = nx.DiGraph(name="tiny")
    graph.add_node("007", name="Bond", type="agent", age=40)
    graph.add_node("m", name="M", type="chief")
    graph.add_edge("007", "m", relation="reports to", since=1995.5)
    nx.write_graphml(graph, tmp_path / "g.graphml")
    nx.write_gexf(graph, tmp_path / "g.gexf")
    nx.write_gml(graph, tmp_path / "g.gml")
    (tmp_path / "g.json").write_text(json.dumps(nx.node_link_data(graph, edges="links")))
    (tmp_path / "h.json").write_text(json.dumps(nx.node_link_data(graph, edges="edges")))
    for name in ("g.graphml", "g.gml", "g.json", "h.json", "g.gexf"):
        read = graph_of(tmp_path / name)
        assert read.ids() == ["007", "m"], name
        assert read.label(1) == "M"
        assert read.node_type(0).name == "agent"
        assert read.feature(0, "age") == 40
        assert [(r.name, r.inverse) for r in read.schema.relations] == [("reports to", "")]
        assert read.edge_features(0, 0)["since"] == 1995.5


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.graphml", "<graphml><graph"),
        ("g.gexf", "<gexf></gexf>"),
        ("g.gml", "graph [ node [ id 1 "),
        ("g.json", '{"directed": true, "nodes": 3, "links": []}'),
        ("h.json", '{"nodes": ['),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SourceError, match=rf"{name}.*: (cannot be read|the format cannot be told)"):
        graph_of(tmp_path / name)


# Planetoid


def test_planetoid_cora(shared_data: Path) -> None:
    graph = graph_of(shared_data / "planetoid" / "ind.cora.graph")
    assert (graph.name, graph.num_nodes, graph.num_edges) == ("cora", 2708, 5278)
    (kind,) = graph.schema.node_types
    assert [(f.name, f.kind) for f in kind.features] == [
        ("class", "number"),
        ("split", "text"),
        ("words", "vector"),
    ]
    splits = Counter(graph.columns["paper"].column("split").to_pylist())
    assert splits == {"train": 140, "validation": 500, "test": 1000, "other": 1068}
    words = graph.columns["paper"].column("words").combine_chunks().flatten().to_numpy()
    assert set(np.unique(words)) == {0, 1} and words.size == 2708 * 1433
    # Neighbours share their class far more often than chance (0.81 against 0.18): rows are in order.
    classes = graph.columns["paper"].column("class").to_numpy()
    source, target = graph.ends(0)
    assert 0.80 < (classes[source] == classes[target]).mean() < 0.82


def test_planetoid_citeseer_has_nodes_without_words(shared_data: Path) -> None:
    graph = graph_of(shared_data / "planetoid" / "ind.citeseer.graph")
    assert graph.num_nodes == 3327
    unknown = [n for n in graph.indices() if graph.feature(n, "class") is None]
    assert len(unknown) == 15
    assert all(set(graph.feature(n, "words")) == {0} for n in unknown)  # type: ignore[arg-type]
    assert sum(graph.feature(0, "words"))  # type: ignore[arg-type]


def test_planetoid_names_what_is_missing(shared_data: Path) -> None:
    with pytest.raises(SourceError, match=r"ind\.pubmed\.allx: is missing"):
        read_graph([shared_data / "planetoid" / "ind.pubmed.graph"])
    with pytest.raises(SourceError, match=r"several graphs \(citeseer, cora, pubmed\)"):
        read_graph([shared_data / "planetoid"])


class Evil:
    def __reduce__(self) -> Any:
        return (print, ("run",))


@pytest.mark.parametrize(
    "data", [pickle.dumps(Evil()), b"cos\nsystem\n(S'true'\ntR.", b"", b"\x80\x02]", b"junk"]
)
def test_planetoid_admits_arrays_only(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("x", "y", "tx", "ty", "allx", "ally", "graph"):
        (tmp_path / f"ind.bad.{part}").write_bytes(data)
    with pytest.raises(
        SourceError, match=r"ind\.bad\.x: .*(only arrays, lists|cannot be read as a pickle|does not end)"
    ):
        graph_of(tmp_path / "ind.bad.graph")
    assert capsys.readouterr().out == ""


# graph sets


def test_tu_and_gin_hold_the_same_molecules(shared_data: Path) -> None:
    tu = set_of(shared_data / "tudataset" / "MUTAG.zip")
    gin = set_of(shared_data / "tudataset" / "gin_format" / "MUTAG.txt")
    for graphs in (tu, gin):
        assert len(graphs) == 188
        assert list(graphs)[:2] == ["0", "1"]
        assert (graphs.union.num_nodes, graphs.union.num_edges) == (3371, 3721)
        assert graphs.union.schema.relations[0].undirected
        assert set(graphs.features("0")) == {"label"}
    shapes = [Counter((g.num_nodes, g.num_edges) for g in graphs.values()) for graphs in (tu, gin)]
    assert shapes[0] == shapes[1]
    first = gin["0"]
    assert first.ids()[:3] == ["0", "1", "2"]
    assert [int(n) for n in first.neighbours(0)] == [1, 13]
    assert tu["0"].edge_features(0, 0).keys() == {"label"}


TU = {
    "A": "1, 2\n2, 1\n3, 3\n",
    "graph_indicator": "1\n1\n2\n",
    "graph_labels": "1\n-1\n",
    "node_labels": "0\n5\n0\n",
}


def tu_folder(folder: Path, **changes: str) -> Path:
    for part, text in (TU | changes).items():
        (folder / f"T_{part}.txt").write_text(text)
    return folder


def test_tu_folder_and_store(tmp_path: Path) -> None:
    attributes = "1.5, 2\n0, 1\n2, 3\n"
    folder = tu_folder(tmp_path, node_attributes=attributes)
    write(set_of(folder), tmp_path / "out" / "t.gt")
    graphs = open_graph(tmp_path / "out" / "t.gt")
    assert isinstance(graphs, GraphSet)
    assert (graphs.name, list(graphs), graphs.features("1")) == ("T", ["0", "1"], {"label": -1})
    assert graphs["0"].features(1) == {"label": 5, "attributes": [0.0, 1.0]}
    assert [list(graphs["0"].neighbours(n)) for n in (0, 1)] == [[1], [0]]
    assert (graphs["1"].num_nodes, graphs["1"].num_edges) == (1, 1)


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("A", "1, 2\n2, 4\n", r"T_A\.txt, line 2: an end is none of the 3 nodes"),
        ("A", "1, 2\n2, 3\n", r"T_A\.txt, line 2: an edge joins two graphs"),
        ("A", "1, 2\n2, x\n", r"T_A\.txt, line 2: ' x' is not a number"),
        ("A", "1, 2\n2\n", r"T_A\.txt, line 2: wrong number of cells"),
        ("graph_indicator", "1\n2\n1\n", r"T_graph_indicator\.txt, line 3: the graphs do not follow"),
        ("node_labels", "1\n2\n", r"T_node_labels\.txt: 2 node labels for 3 nodes"),
        ("graph_labels", "1\n", r"T_graph_labels\.txt: 1 labels for 2 graphs"),
    ],
)
def test_tu_faults(tmp_path: Path, part: str, text: str, message: str) -> None:
    folder = tu_folder(tmp_path, **{part: text})
    with pytest.raises(SourceError, match=message):
        set_of(folder)
    with zipfile.ZipFile(tmp_path / "T.zip", "w") as archive:
        for file in folder.glob("T_*"):
            archive.write(file, f"T/{file.name}")
    with pytest.raises(SourceError, match=r"T\.zip/" + message):
        set_of(tmp_path / "T.zip")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n2 0\n5 1 1\n5 1 2\n", "line 4: not 1 neighbours below 2"),
        ("1\n2 0\n5 1 1\n", "line 4: the file ends too early"),
        ("2\n1 0\n5 0\nx 1\n", "line 4: 'x 1' is not a line of numbers"),
        ("1\n2 0\n5 1 1\n5\n", "line 4: 1 numbers where 2 are needed"),
    ],
)
def test_gin_faults(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "g.txt").write_text(text)
    with pytest.raises(SourceError, match=message):
        set_of(tmp_path / "g.txt")


# registry


def test_every_format_is_told_from_its_files(shared_data: Path, tmp_path: Path) -> None:
    (tmp_path / "graph.json").write_text(json.dumps(PAPERS))
    places = {
        "planetoid": shared_data / "planetoid",
        "tu": shared_data / "tudataset" / "MUTAG.zip",
        "gin": shared_data / "tudataset" / "gin_format" / "PTC.txt",
        "grbench": tmp_path / "graph.json",
        "delimited": shared_data / "kg" / "WN18RR" / "train.txt.xz",
    }
    assert {name: found.name for name, p in places.items() if (found := sniff_format(p))} == {
        n: n for n in places
    }


def test_the_registry_names_what_exists() -> None:
    for entry in formats().values():
        assert callable(entry._load(entry.reader))
        assert not entry.sniffer or callable(entry._load(entry.sniffer))
