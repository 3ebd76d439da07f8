"""Graphs in XML, JSON, GML and Pajek, as the tools of others write them; no library of graphs reads them here."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from graphtalk.core import SourceError
from graphtalk.graphs import Graph
from graphtalk.graphs.read import read_graph


def graph_of(path: Path, **options: Any) -> Graph:
    graph = read_graph([path], **options)
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> list[tuple[str, str, str]]:
    found = []
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found += [(graph.id(a), r.name, graph.id(b)) for a, b in zip(sources, targets, strict=True)]
    return sorted(found)


def people(kind: type[nx.Graph]) -> Any:
    graph = kind(name="people")
    graph.add_node("ann", name="Ann Ü", type="person", age=31, tall=1.5)
    graph.add_node("bob", name="Bob", type="person", age=40)
    graph.add_node("oslo", name="Oslo", type="city")
    graph.add_edge("ann", "bob", relation="knows", since=1999)
    graph.add_edge("ann", "oslo", relation="lives in")
    graph.add_edge("ann", "ann", relation="knows", since=2001)  # a loop
    if graph.is_multigraph():
        graph.add_edge("ann", "bob", relation="knows", since=2005)
    return graph


def as_json(data: Any) -> Any:
    return lambda graph, path: Path(path).write_text(json.dumps(data(graph)))


WRITERS = {
    "g.graphml": nx.write_graphml,
    "g.gexf": nx.write_gexf,
    "g.gml": nx.write_gml,
    "g.json": as_json(lambda g: nx.node_link_data(g, edges="links")),
    "h.json": as_json(lambda g: nx.node_link_data(g, edges="edges")),
    "g.cyjs": as_json(nx.cytoscape_data),
}


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.Graph, nx.MultiDiGraph, nx.MultiGraph])
@pytest.mark.parametrize("name", WRITERS)
def test_what_networkx_writes(tmp_path: Path, name: str, kind: type[nx.Graph]) -> None:
    graph = people(kind)
    WRITERS[name](graph, tmp_path / name)
    read = graph_of(tmp_path / name)
    assert read.ids() == ["ann", "bob", "oslo"]
    assert [t.name for t in read.schema.node_types] == ["person", "city"]
    assert read.labels() == ["Ann Ü", "Bob", "Oslo"]
    assert (read.feature(0, "age"), read.feature(0, "tall")) == (31, 1.5)
    assert len(edges(read)) == graph.number_of_edges()
    assert ("ann", "lives in", "oslo") in edges(read) and ("ann", "knows", "ann") in edges(read)
    knows = next(i for i, r in enumerate(read.schema.relations) if r.name == "knows")
    assert read.schema.relations[knows].undirected == (not graph.is_directed())
    years = [read.edge_features(knows, e)["since"] for e in range(read.schema.relations[knows].count)]
    assert sorted(years) == ([1999, 2001, 2005] if graph.is_multigraph() else [1999, 2001])


def test_what_networkx_writes_as_pajek(tmp_path: Path) -> None:
    graph = nx.MultiDiGraph()
    graph.add_edge("New York", "Oslo", weight=2.5)
    graph.add_edge("Oslo", "Oslo")
    nx.write_pajek(graph, tmp_path / "g.net")
    read = graph_of(tmp_path / "g.net")
    assert edges(read) == [("New York", "edge", "Oslo"), ("Oslo", "edge", "Oslo")]
    assert read.edge_features(0, 0) == {"weight": 2.5}


def test_relations_and_lists_of_pajek(tmp_path: Path) -> None:
    text = '*Vertices 3\n1 "a b" 0.1 0.2\n2 "c"\n*Arcs :1 "knows"\n1 2 1 l "x"\n*Edgeslist :2 "near"\n2 1 3\n'
    (tmp_path / "g.net").write_text("% a comment\n" + text)
    read = graph_of(tmp_path / "g.net")
    assert read.ids() == ["1", "2", "3"] and read.label(0) == "a b"  # the third has no label
    assert {(r.name, r.undirected, r.count) for r in read.schema.relations} == {
        ("knows", False, 1),
        ("near", True, 2),
    }


def test_what_igraph_writes(tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph")
    graph = igraph.Graph(directed=True)
    graph.add_vertices(2, {"name": ["Ann", "Bob"], "age": [31, 40]})
    graph.add_edges([(0, 1)], {"weight": [2.0]})
    graph.write_graphml(str(tmp_path / "g.graphml"))
    graph.write_gml(str(tmp_path / "g.gml"))
    graph.write_pajek(str(tmp_path / "g.net"))
    for name in ("g.graphml", "g.gml", "g.net"):
        read = graph_of(tmp_path / name)
        assert (read.num_nodes, read.num_edges) == (2, 1), name
        assert read.edge_features(0, 0)["weight"] == 2.0
    assert (
        graph_of(tmp_path / "g.graphml").labels() == graph_of(tmp_path / "g.gml").labels() == ["Ann", "Bob"]
    )


def test_graphml_of_neo4j_and_yed(tmp_path: Path) -> None:
    neo4j = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="name" for="node" attr.name="name" attr.type="string"/><key id="labels" for="node" attr.name="labels"/>
    <graph id="G" edgedefault="directed">
    <node id="n0" labels=":Person:Actor"><data key="labels">:Person:Actor</data><data key="name">Keanu</data></node>
    <node id="n1" labels=":Movie"><data key="labels">:Movie</data><data key="name">Matrix</data></node>
    <edge id="e0" source="n0" target="n1" label="ACTED_IN"/></graph></graphml>"""
    (tmp_path / "g.graphml").write_text(neo4j)
    read = graph_of(tmp_path / "g.graphml")
    assert [t.name for t in read.schema.node_types] == ["Person", "Movie"] and read.labels() == [
        "Keanu",
        "Matrix",
    ]
    assert edges(read) == [("n0", "ACTED_IN", "n1")]
    yed = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
    <key for="node" id="d6" yfiles.type="nodegraphics"/><graph edgedefault="undirected">
    <node id="n0"><data key="d6"><y:ShapeNode><y:NodeLabel>Start here</y:NodeLabel></y:ShapeNode></data></node>
    <node id="n1"/><edge source="n0" target="n1"/><edge source="n1" target="n0" directed="true"/></graph></graphml>"""
    (tmp_path / "y.graphml").write_text(yed)
    read = graph_of(tmp_path / "y.graphml")
    assert read.label(0) == "Start here"
    assert edges(read) == [("n0", "edge", "n1"), ("n1", "edge", "n0"), ("n1", "edge", "n0")]


def test_json_of_d3_cytoscape_and_jgf(tmp_path: Path) -> None:
    shapes = [
        {"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 0, "target": 1, "value": 3}]},
        {"nodes": [{"id": "a"}, {"id": "b"}], "edges": [{"from": "a", "to": "b", "value": 3}]},
        {"elements": [{"data": {"id": "a"}}, {"data": {"id": "b"}}, {"data": {"id": "e", "source": "a", "target": "b", "value": 3}}]},
        {"graph": {"directed": True, "nodes": {"a": {"label": "A"}, "b": {}}, "edges": [{"source": "a", "target": "b", "metadata": {"value": 3}}]}},
    ]  # fmt: skip
    for shape in shapes:
        (tmp_path / "g.json").write_text(json.dumps(shape))
        read = graph_of(tmp_path / "g.json")
        assert edges(read) == [("a", "edge", "b")], shape
        assert read.edge_features(0, 0) == {"value": 3}


BAD = {
    "entity.graphml": '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>',
    "file.gexf": '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/passwd">]><gexf><graph><nodes><node id="&x;"/></nodes></graph></gexf>',
    "deep.graphml": "<graphml>" + "<graph>" * 5000,
    "cut.graphml": '<graphml><graph><node id="a"/>',
    "dangling.graphml": '<graphml><graph><node id="a"/>\n<edge source="a" target="z"/></graph></graphml>',
    "twice.gexf": '<gexf><graph><nodes><node id="a"/>\n<node id="a"/></nodes></graph></gexf>',
    "number.graphml": '<graphml><key id="d" for="node" attr.name="n" attr.type="int"/><graph><node id="a"><data key="d">x</data></node></graph></graphml>',
    "latin.graphml": b'<?xml version="1.0" encoding="UTF-8"?><graphml><graph><node id="\xe9"/></graph></graphml>',
    "deep.gml": "graph [ a " + "[ a " * 5000,
    "open.gml": "graph [ node [ id 1 ]",
    "none.gml": "node [ id 1 ]",
    "strange.gml": "graph [ node [ id @ ] ]",
    "matrix.net": "*Vertices 2\n*Matrix\n0 1\n1 0\n",
    "huge.net": "*Vertices 99999999999\n",
    "far.net": "*Vertices 1\n1 a\n*Arcs\n1 7\n",
    "long.net": "*Vertices 1\n1 " + "a" * (2 << 20),
    "node.json": '{"nodes": [{"x": 1}], "links": []}',
    "edge.json": '{"nodes": [{"id": 1}], "links": [{"source": 1}]}',
    "far.json": '{"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]}',
    "element.cyjs": '{"elements": {"nodes": 3, "edges": []}}',
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_message_that_names_them(tmp_path: Path, name: str) -> None:
    content = BAD[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SourceError, match=name.replace(".", r"\.")) as caught:
        graph_of(tmp_path / name)
    assert len(str(caught.value)) < 1500 and "passwd" not in str(caught.value)


def test_lines_of_faults_are_named(tmp_path: Path) -> None:
    (tmp_path / "g.graphml").write_text(BAD["dangling.graphml"])  # type: ignore[arg-type]
    with pytest.raises(SourceError, match=r"g\.graphml, line 2: target 'z' is not a node"):
        graph_of(tmp_path / "g.graphml")
    assert edges(graph_of(tmp_path / "g.graphml", missing="add")) == [("a", "edge", "z")]
    (tmp_path / "g.gml").write_text("graph [\n node [ id 1 ]\n node [ id 1 ]\n]")
    with pytest.raises(SourceError, match=r"g\.gml, line 3: the id '1' stands twice"):
        graph_of(tmp_path / "g.gml")


def test_graph_files_need_no_library_of_graphs(tmp_path: Path) -> None:
    for name, write in WRITERS.items():
        write(people(nx.DiGraph), tmp_path / name)
    code = (
        "import sys; sys.modules['networkx'] = None\n"
        "from graphtalk.graphs.read import read_graph\n"
        "for name in sys.argv[1:]: assert read_graph([name]).num_edges == 3"
    )
    subprocess.run([sys.executable, "-c", code, *(tmp_path / name for name in WRITERS)], check=True)


def test_the_label_of_nodes_is_their_type_where_few_share_it(tmp_path: Path) -> None:
    people = [{"id": f"p{i}", "label": "Person", "name": f"Ann {i}"} for i in range(6)]
    towns = [{"id": f"t{i}", "label": "Town", "name": f"Rome {i}"} for i in range(6)]
    edges = [{"source": f"p{i}", "target": f"t{i}", "type": "lives_in"} for i in range(6)]
    path = tmp_path / "two.json"
    path.write_text(json.dumps({"nodes": [*people, *towns], "edges": edges}))
    assert [(t.name, t.count, t.label) for t in graph_of(path).schema.node_types] == [
        ("Person", 6, "name"),
        ("Town", 6, "name"),
    ]
    called = [{"id": f"n{i}", "label": f"Ann {i}"} for i in range(6)]
    path.write_text(json.dumps({"nodes": called, "edges": [{"source": "n0", "target": "n1"}]}))
    assert [(t.name, t.label) for t in graph_of(path).schema.node_types] == [("node", "label")]
