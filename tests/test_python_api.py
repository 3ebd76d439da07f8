"""Graphs in Python as people expect them: opened from other libraries' objects, edited, and asked by name."""

import json
from pathlib import Path

import igraph
import networkx
import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest

import graphtalk as gt
from command_line import CommandLine
from graphtalk.core import CheckError, GraphtalkError, UsageError
from graphtalk.graphs import Graph

ROWS = {
    "source": ["Ann", "Bob", "Ann"],
    "relation": ["knows", "knows", "likes"],
    "target": ["Bob", "Cy", "Cy"],
}


def people() -> Graph:
    return gt.from_triples(list(zip(*ROWS.values(), strict=True)), "people")


def triples(graph: object) -> set[tuple[str, ...]]:
    assert isinstance(graph, Graph)
    return set(graph.edges()[["source", "relation", "target"]].itertuples(index=False, name=None))


@pytest.mark.parametrize("made", [pandas.DataFrame, polars.DataFrame, pa.table])
def test_frames_are_opened(made) -> None:  # type: ignore[no-untyped-def]
    edges = made(ROWS)
    assert triples(gt.open(edges)) == set(zip(*ROWS.values(), strict=True))
    nodes = made({"id": ["Ann", "Bob", "Cy", "Di"], "type": ["person"] * 4, "age": [30, 41, 9, None]})
    graph = gt.open((nodes, edges))
    assert isinstance(graph, Graph) and graph.num_nodes == 4
    assert graph.features(graph.node("Bob")) == {"age": 41}
    alone = gt.open(nodes)
    assert isinstance(alone, Graph) and (alone.num_nodes, alone.num_edges) == (4, 0)
    assert gt.open(made({"name": ["Ann"], "age": [3]})).ids() == ["Ann"]  # type: ignore[union-attr]


def test_graphs_of_other_libraries_are_opened_and_come_back() -> None:
    graph = people()
    for made in (graph.to_networkx(), graph.to_igraph(), graph.to_pandas(), graph.to_polars()):
        assert triples(gt.open(made)) == triples(graph)
    plain = igraph.Graph.Full(3)
    plain.vs["name"] = ["x", "y", "z"]
    found = gt.open(plain)
    assert isinstance(found, Graph)
    assert found.ids() == ["x", "y", "z"] and not found.directed
    assert gt.open(found) is found
    assert gt.open(graph.to_pyg()).num_edges == 3  # type: ignore[union-attr]
    assert gt.ask(gt.open(networkx.karate_club_graph()), "How many nodes are there?").value == 34
    with pytest.raises(UsageError, match="A int is no graph"):
        gt.open(3)


def test_algorithms_give_values_by_name() -> None:
    graph = people()
    ranks = gt.algorithms.pagerank(graph)
    assert [name for name, _ in ranks.top(2)] == ["Cy", "Bob"]
    assert ranks["Cy"] == ranks[graph.node("Cy")] == max(ranks)
    assert ranks.bottom(1)[0][0] == "Ann"
    assert ranks.to_pandas().index[0] == "Cy"
    assert repr(ranks).startswith("{Cy: ")
    assert type(ranks * 2) is np.ndarray and isinstance(ranks.sum(), float) and abs(ranks.sum() - 1) < 1e-9
    assert gt.algorithms.shortest_path(graph, "Ann", "Cy").names == ["Ann", "Cy"]  # type: ignore[arg-type]
    assert gt.algorithms.distances_from(graph, "Ann")["Bob"] == 1  # type: ignore[arg-type]
    assert gt.algorithms.degree(graph, ["Ann", "Bob"]).tolist() == [2, 2]  # type: ignore[list-item]
    assert gt.algorithms.degree(graph).top(1) == [("Ann", 2)]
    assert gt.algorithms.topological_order(graph).names == ["Ann", "Bob", "Cy"]
    with pytest.raises(CheckError, match="'Zoe': No node is called so"):
        gt.algorithms.distances_from(graph, "Zoe")  # type: ignore[arg-type]


def test_the_command_line_sorts_numbers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path))
    gt.save(people(), tmp_path / "p.gt")
    cli = CommandLine(monkeypatch, capsys)
    lines = cli("call", tmp_path / "p.gt", "PageRank[]").out.splitlines()
    assert [line.split("\t")[0] for line in lines[:4]] == ["node", "Cy", "Bob", "Ann"]
    assert json.loads(cli("call", tmp_path / "p.gt", "PageRank[]", "--json").out)["result"]["Cy"] > 0.4


def test_a_mistyped_path_is_named_whole(tmp_path: Path) -> None:
    for mistyped in ("lables.tsv", str(tmp_path / "lables.tsv")):
        with pytest.raises(GraphtalkError, match=r"lables\.tsv: no such file"):
            gt.import_graph(mistyped, tmp_path / "x.gt")
    with pytest.raises(GraphtalkError, match="there is no such file or folder"):
        gt.open("lables.tsv")
    assert list(tmp_path.iterdir()) == []


def test_what_python_gives_shows_itself_in_the_interpreter() -> None:
    rows = gt.query("atlas", "MATCH (c:country) RETURN c.name AS name, c.population AS people ORDER BY name")
    printed = repr(rows).splitlines()
    assert printed[0].split() == ["name", "people"] and printed[1].split()[0] == "Afghanistan"
    assert len(printed) == 23 and printed[-2:] == ["… 177 more rows", "(197 rows)"]
    assert repr(gt.query("atlas", "RETURN 1 AS one")) == "one\n1\n(1 row)"
    session = gt.session("atlas")
    assert repr(session) == "A session of atlas: offline, auto"
    assert repr(session.call('Count[Nodes["country"]]')) == "197"


def test_algorithms_take_names_of_nodes_everywhere() -> None:
    graph = gt.from_triples([("a", "to", "b"), ("b", "to", "d"), ("a", "to", "c"), ("c", "to", "d")])
    paths = gt.algorithms.all_shortest_paths(graph, "a", "d")
    assert [path.names for path in paths] == [["a", "b", "d"], ["a", "c", "d"]]
    assert gt.algorithms.maximum_flow(graph, "a", sink="d").value == 2
