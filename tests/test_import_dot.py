"""DOT and graph6: as Graphviz, igraph, networkx and people write them, and damaged."""

from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphtalk as gt
from graphtalk.core import SourceError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.formats.registry import sniff_format
from graphtalk.graphs.read import read_graph
from test_import_graph_files import edges, graph_of

BY_HAND = r"""
/* who works
   where */
# made by hand
digraph "staff & places" {
    rankdir=LR; node [shape=box, team=core];
    ann [label="Ann\nStone", age=31, type=person]
    bob [label=<<b>Bob</b> &amp; Co>, "age"=40, type="person"]; "New \"York\"" [type=city, team=""]
    ann -> bob [label="knows", since=1999]   // twice
    ann -> bob [label=knows since=2005;]
    subgraph cluster_0 { label="North" + " side"; ann -> { bob cy:port:ne }:x [label=helps] }
    bob -> ann -> "New \"York\"" [label="lives in"]
    edge [label=near]
    cy -> -3.5
}
"""


def test_dot_by_hand(tmp_path: Path) -> None:
    (tmp_path / "staff.gv").write_text(BY_HAND.replace("}:x", "}"))
    graph = graph_of(tmp_path / "staff.gv")
    assert [t.name for t in graph.schema.node_types] == ["person", "city", "node"]
    assert graph.ids() == ["ann", "bob", 'New "York"', "cy", "-3.5"]
    assert graph.labels() == ["Ann Stone", "Bob & Co", 'New "York"', "cy", "-3.5"]
    ann = graph.features(0)
    assert ann == {"label": "Ann Stone", "age": 31, "shape": "box", "team": "core", "cluster": "North side"}
    assert graph.features(2) == {"shape": "box"} and graph.features(3)["cluster"] == "North side"
    assert edges(graph) == sorted(
        [
            *[("ann", "knows", "bob")] * 2,
            ("ann", "helps", "bob"),
            ("ann", "helps", "cy"),
            ("bob", "lives in", "ann"),
            ("ann", "lives in", 'New "York"'),
            ("cy", "near", "-3.5"),
        ]
    )
    knows = next(i for i, r in enumerate(graph.schema.relations) if r.name == "knows")
    assert sorted(graph.edge_features(knows, e)["since"] for e in range(2)) == [1999, 2005]


def test_dot_of_igraph_and_undirected_and_strict_graphs(tmp_path: Path) -> None:
    made = igraph.Graph([(0, 1), (1, 2), (2, 2)], directed=False)
    made.vs["name"], made.es["weight"] = ["Ann", "Bob", "Cy"], [1.5, 2, 3]
    made.write_dot(str(tmp_path / "i.dot"))
    graph = graph_of(tmp_path / "i.dot")
    assert graph.labels() == ["Ann", "Bob", "Cy"] and graph.schema.relations[0].undirected
    assert sorted(graph.edge_features(0, e)["weight"] for e in range(3)) == [1.5, 2, 3]
    (tmp_path / "s.dot").write_text("strict graph{a--b--c;b--a[weight=2];{a b}--d}")
    assert edges(graph_of(tmp_path / "s.dot")) == [
        (a, "edge", b) for a, b in (("a", "b"), ("a", "d"), ("b", "c"), ("b", "d"))
    ]
    labels = ";".join(f'a -> b{i} [label="{i} km"]' for i in range(120))  # says what each edge is like
    (tmp_path / "w.dot").write_text(f"digraph {{{labels}}}")
    far = graph_of(tmp_path / "w.dot")
    assert [r.name for r in far.schema.relations] == ["edge"] and far.edge_features(0, 0)["label"] == "0 km"


MANY = " ".join(map(str, range(4000)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("graph {\na -> b }", "line 2: .*written --, not ->"),
        ("digraph {\n a -> b", "line 2: .*a name should stand here, not the end of the file"),
        ("digraph { a -> }", "not '}'"),
        ("digraph { a [x] }", "= should stand here, not ']'"),
        ("digraph { a [label=<b<i>] }", "a text in < > does not end"),
        ('digraph { a [label="b }', "is no DOT"),
        ("digraph { a ! b }", "'!' is no DOT"),
        ("digraph " + "{" * 3000, "nested too deeply"),
        ("digraph { a } digraph { b }", "a file of one graph should end here"),
        ("digraph { node ; }", "\\[ should stand after `node`"),
        (f"digraph {{ {{{MANY}}} -> {{{MANY}}} }}", "each with each"),
    ],
)
def test_damaged_dot(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.dot").write_text(text)
    with pytest.raises(SourceError, match=message):
        read_graph([tmp_path / "a.dot"])


WRITERS: dict[str, Any] = {"g.g6": nx.write_graph6, "g.s6": nx.write_sparse6}


@pytest.mark.parametrize("name", WRITERS)
@given(
    size=st.integers(1, 90), pairs=st.lists(st.tuples(st.integers(0, 89), st.integers(0, 89)), max_size=120)
)
def test_graph6_and_sparse6_of_networkx(
    tmp_path_factory: pytest.TempPathFactory, name: str, size: int, pairs: list[tuple[int, int]]
) -> None:
    graph: Any = nx.MultiGraph() if name == "g.s6" else nx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((a, b) for a, b in pairs if max(a, b) < size and (a != b or name == "g.s6"))
    path = tmp_path_factory.mktemp("g6") / name
    WRITERS[name](graph, path)
    found = graph_of(path)
    assert found.num_nodes == size and found.directed is False
    assert sorted(tuple(sorted((int(a), int(b)))) for a, _, b in edges(found)) == sorted(
        (min(a, b), max(a, b)) for a, b in graph.edges()
    )


def test_sets_of_graphs_and_directed_ones(tmp_path: Path) -> None:
    lines = [nx.to_graph6_bytes(g, header=False) for g in (nx.petersen_graph(), nx.path_graph(3))]
    (tmp_path / "two.g6").write_bytes(b"".join(lines))
    several = read_graph([tmp_path / "two.g6"])
    assert isinstance(several, GraphSet) and [several.at(i).num_edges for i in range(2)] == [15, 2]
    (tmp_path / "given.txt").write_bytes(
        b">>digraph6<<&BP_\n"
    )  # the example of the format's definition is of 5 nodes
    assert (sniff_format(tmp_path / "given.txt") or gt).name == "graph6"  # type: ignore[union-attr]
    (tmp_path / "five.d6").write_text("&DI?AO?\n")
    assert edges(graph_of(tmp_path / "five.d6")) == [
        (a, "edge", b) for a, b in (("0", "2"), ("0", "4"), ("3", "1"), ("3", "4"))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("I?h\n", "2 characters where 10 nodes need 8"),
        ("\x01\x02\n", "outside those from"),
        ("~??\n", "the number of nodes is cut off"),
        (":~~~~~~~~\n", "68,719,476,735 nodes in 9 bytes"),
        ("A_\n&A?\n", "directed and others are not"),
        (";A\n", "only says how it differs"),
        ("\n\n", "it has no graph"),
    ],
)
def test_damaged_graph6(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.g6").write_text(text)
    with pytest.raises(SourceError, match=message):
        read_graph([tmp_path / "a.g6"])


def test_they_are_asked_as_any_graph(tmp_path: Path) -> None:
    (tmp_path / "team.dot").write_text("digraph { ann -> bob [label=manages]; bob -> cy [label=manages] }")
    graph = gt.open(str(tmp_path / "team.dot"))
    assert isinstance(graph, Graph) and gt.ask(graph, "Who does bob manage?").value == ["cy"]
