"""`graphtalk export`, the drawings of `ask` and `retrieve`, and a graph as objects of other libraries."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

import graphtalk as gt
from command_line import CommandLine
from graphtalk.core import UsageError
from graphtalk.graphs import Graph, extras
from graphtalk.graphs.convert import from_networkx, from_pandas, from_pyg


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def people() -> Graph:
    return gt.from_triples(
        [("Ann", "knows", "Bob"), ("Bob", "knows", "Cy"), ("Ann", "likes", "Cy")], "people"
    )


def rows(graph: Graph) -> list[list[str]]:
    return graph.edges()[["source", "relation", "target"]].values.tolist()  # type: ignore[no-any-return]


def test_a_part_is_a_type_a_query_or_the_evidence_of_an_answer(cli: CommandLine, tmp_path: Path) -> None:
    assert cli("export", "atlas", "-o", tmp_path / "a.json", "--type", "country").code == 0
    found = gt.open(tmp_path / "a.json")
    assert isinstance(found, Graph)
    assert {t.name for t in found.schema.node_types} == {"country"}
    assert {r.name for r in found.schema.relations} == {"borders"}
    asked = cli("ask", "atlas", "Which countries border Peru?", "--json")
    (tmp_path / "answer.json").write_text(asked.out)
    assert cli("export", "atlas", "-o", tmp_path / "b.json", "--answer", tmp_path / "answer.json").code == 0
    query = "MATCH (c:country)-[b:borders]-(d {name: 'Peru'}) RETURN c"
    assert cli("export", "atlas", "-o", tmp_path / "c.json", "--query", query).code == 0
    answer, result = (gt.open(tmp_path / name) for name in ("b.json", "c.json"))
    assert isinstance(answer, Graph) and isinstance(result, Graph)
    assert sorted(answer.ids()) == sorted(result.ids()) == sorted([*asked.json["value"], "Peru"])
    assert {frozenset((row[0], row[2])) for row in rows(answer)} == {
        frozenset((name, "Peru")) for name in asked.json["value"]
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "{}/x"], "--format graphml, gexf"),
        (["-o", "{}/there.json"], "is there already; it is not overwritten"),
        (["-o", "{}/x.json", "--type", "contry"], "Did you mean country or"),
        (["-o", "{}/x.json", "--query", "MATCH (c"], "line 1"),
        (["-o", "{}/x", "--format", "graphmll"], "Did you mean graphml?"),
        (["-o", "{}/x.json", "--type", "country", "--query", "MATCH (c) RETURN c"], "choose one part"),
    ],
)
def test_wrong_usage_is_told_and_nothing_is_written(
    cli: CommandLine, tmp_path: Path, words: list[str], said: str
) -> None:
    (tmp_path / "there.json").write_text("a thesis")
    done = cli("export", "atlas", *(word.format(tmp_path) for word in words))
    assert done.code == 2 and said in done.err
    assert [p.name for p in tmp_path.iterdir()] == ["there.json"]
    assert (tmp_path / "there.json").read_text() == "a thesis"


def test_answers_and_retrieved_parts_are_drawn(cli: CommandLine, tmp_path: Path) -> None:
    for ending in ("svg", "png", "html"):
        done = cli("ask", "atlas", "Which countries border Peru?", "--draw", tmp_path / f"a.{ending}")
        assert done.code == 0 and "Drawn" in done.err
    drawn = ElementTree.parse(tmp_path / "a.svg")
    texts = {part.text for part in drawn.iter() if part.tag.endswith("text")}
    assert {"Peru", "Chile", "borders"} <= texts
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "a.html").read_text()
    assert "Chile" in page and "<script" not in page and "default-src 'none'" in page
    assert cli("retrieve", "atlas", "Peru", "--draw", tmp_path / "r.svg").code == 0
    assert ElementTree.parse(tmp_path / "r.svg").getroot().tag.endswith("svg")
    assert cli("ask", "atlas", "Which countries border Peru?", "--draw", tmp_path / "a.svg").code == 2
    assert cli("ask", "atlas", "Which countries border Peru?", "--draw", tmp_path / "a.doc").code == 2


def test_a_graph_as_objects_of_other_libraries() -> None:
    graph = gt.open("atlas")
    assert isinstance(graph, Graph)
    nodes, edges = graph.to_pandas()
    assert (len(nodes), len(edges)) == (graph.num_nodes, graph.num_edges)
    assert list(graph.nodes("country")["name"])[:1] == graph.labels([0])
    assert set(graph.edges("borders")["relation"]) == {"borders"}
    assert [frame.height for frame in graph.to_polars()] == [len(nodes), len(edges)]
    drawn = graph.to_igraph()
    assert (drawn.vcount(), drawn.ecount()) == (graph.num_nodes, graph.num_edges)
    assert drawn.vs["id"] == graph.ids() and set(drawn.es["relation"]) == set(edges["relation"])
    again = from_pyg(graph.to_pyg())
    assert [(r.name, r.source, r.target, r.count, r.undirected) for r in again.schema.relations] == [
        (r.name, r.source, r.target, r.count, r.undirected) for r in graph.schema.relations
    ]
    assert (
        from_pandas(nodes, edges).num_edges == from_networkx(graph.to_networkx()).num_edges == graph.num_edges
    )


def test_a_graph_says_what_it_is() -> None:
    graph = people()
    assert repr(graph).splitlines() == [
        "people: 3 nodes, 3 edges",
        "  nodes: node (3)",
        "  edges: knows (node → node, 2), likes (node → node, 1)",
    ]
    html = graph._repr_html_()
    assert "knows" in html and "<svg" in html and "Ann" in html
    with pytest.raises(gt.CallError, match="knows"):
        graph.edges("know")


def test_what_is_missing_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(extras, "import_module", missing)
    for made in (people().nodes, people().to_polars, people().to_igraph, people().to_pyg):
        with pytest.raises(UsageError, match=r'python -m pip install "graphtalk\['):
            made()
