"""`graphtalk retrieve` on the built-in graph and on small ones: the text, the JSON, and bad input."""

import csv
import io
import shutil
from pathlib import Path

import pytest

import graphtalk as gt
from command_line import CommandLine
from graphtalk.app.ask import open
from graphtalk.core import UsageError

QUESTION = "Which countries border both France and Germany?"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def tables(text: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    nodes, edges = text.rstrip("\n").split("\n\n")
    return list(csv.DictReader(io.StringIO(nodes))), list(csv.DictReader(io.StringIO(edges)))


def test_the_subgraph_is_printed_in_the_papers_form(cli: CommandLine) -> None:
    done = cli("retrieve", "atlas", QUESTION, "--rule", "spread")
    assert done.code == 0
    nodes, edges = tables(done.out)
    assert list(nodes[0]) == ["node_id", "node_attr"]
    assert list(edges[0]) == ["src", "edge_attr", "dst"]
    said = {row["node_id"]: row["node_attr"] for row in nodes}
    assert any(text.startswith("name: France;") for text in said.values())
    assert {row["src"] for row in edges} | {row["dst"] for row in edges} <= set(said)
    assert "borders" in {row["edge_attr"] for row in edges}
    assert "objective" in done.err


def test_json_has_the_same_and_names_what_is_in_the_graph(cli: CommandLine) -> None:
    found = cli("retrieve", "atlas", QUESTION, "--rule", "spread", "--json").json
    graph = open("atlas")
    assert {n["label"] for n in found["nodes"]} >= {"France", "Germany"}
    assert all(graph.find(n["id"]) == n["node_id"] for n in found["nodes"])
    nodes, edges = tables(found["text"])
    assert {int(row["node_id"]) for row in nodes} == {n["node_id"] for n in found["nodes"]}
    assert len(edges) == len(found["edges"])
    prizes = sum(n["prize"] for n in found["nodes"]) + sum(e["prize"] for e in found["edges"])
    assert found["objective"] == pytest.approx(prizes - found["edge_cost"] * len(edges))
    assert found["complete"] is True and found["seconds"] > 0


def test_nothing_asked_for_is_the_whole_graph(cli: CommandLine) -> None:
    found = cli("retrieve", "atlas", QUESTION, "--nodes", 0, "--edges", 0, "--json").json
    graph = open("atlas")
    assert (len(found["nodes"]), len(found["edges"])) == (graph.num_nodes, graph.num_edges)


def test_a_dearer_edge_makes_a_smaller_subgraph(cli: CommandLine) -> None:
    sizes = [
        len(cli("retrieve", "atlas", QUESTION, "--rule", "spread", "--edge-cost", c, "--json").json["nodes"])
        for c in (0.25, 0.5, 2)
    ]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[2]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--nodes", "-1"], "number of nodes is -1"),
        (["--edges", "-2"], "number of edges is -2"),
        (["--edge-cost", "0"], "cost of an edge is 0"),
        (["--edge-cost", "nan"], "cost of an edge is nan"),
        (["--edge-cost", "inf"], "cost of an edge is inf"),
    ],
)
def test_bad_options_are_named(cli: CommandLine, options: list[str], said: str) -> None:
    done = cli("retrieve", "atlas", QUESTION, *options)
    assert done.code == 2
    assert said in done.err and len(done.err.splitlines()) == 1


@pytest.mark.parametrize("question", ["", "  \n"])
def test_an_empty_question_is_refused(cli: CommandLine, question: str) -> None:
    done = cli("retrieve", "atlas", question)
    assert (done.code, "empty" in done.err) == (2, True)


def test_a_set_of_graphs_is_refused(cli: CommandLine) -> None:
    done = cli("retrieve", "gpr", QUESTION)
    assert done.code == 2
    assert "one graph" in done.err


@pytest.mark.parametrize("rule", ["paper", "spread"])
def test_more_than_there_is_may_be_asked_for(cli: CommandLine, tmp_path: Path, rule: str) -> None:
    source = tmp_path / "triples.tsv"
    source.write_text("Bob\tknows\tAlice\nAlice\tlikes\tZoe\n")
    options = ["--nodes", 50, "--edges", 50, "--rule", rule, "--json"]
    found = cli("retrieve", source, "Who knows Bob?", *options).json
    assert {n["label"] for n in found["nodes"]} == {"Bob", "Alice", "Zoe"}
    assert len(found["edges"]) == 2


def test_another_embedder_is_chosen_at_import(cli: CommandLine, tmp_path: Path) -> None:
    source, store = tmp_path / "triples.tsv", tmp_path / "s.gt"
    source.write_text("Bob\tknows\tAlice\n")
    assert cli("import", source, "-o", store, "--embedder", "minilm").code == 0
    assert '"minilm"' in (store / "index" / "retrieval" / "retrieval.json").read_text()
    assert cli("retrieve", store, "Who knows Bob?").code == 0


def test_a_store_without_vectors_answers_but_retrieves_nothing(cli: CommandLine, tmp_path: Path) -> None:
    source, store = tmp_path / "triples.tsv", tmp_path / "s.gt"
    source.write_text("Bob\tknows\tAlice\n")
    assert cli("import", source, "-o", store, "--no-vectors").code == 0
    with gt.edit(store) as edit:
        edit.add_node("Zoe", "node")
    assert "Alice" in cli("ask", store, "Who does Bob know?").out
    for command in (["retrieve", store, "Who knows Alice?"], ["call", store, 'Subgraph["Who knows Alice?"]']):
        done = cli(*command)
        assert done.code != 0 and not done.out
        assert "--no-vectors" in done.err and "import it again without that" in done.err
    assert [p.name for p in store.rglob("*vectors*")] == []
    done = cli("import", source, "-o", store, "--no-vectors", "--embedder", "static")
    assert (done.code, "give one of them" in done.err) == (2, True)


def test_vectors_are_made_later_unless_they_are_asked_for(
    cli: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "triples.tsv"
    source.write_text("Bob\tknows\tAlice\n")
    made = {"dense.vectors.npy", "nodes.vectors.npy", "texts.vectors.npy"}
    for options, there in ((["--vectors"], made), (["--embedder", "static"], made), ([], set())):
        assert cli("import", source, "-o", tmp_path / "s.gt", *options).code == 0
        assert {p.name for p in tmp_path.rglob("*vectors*")} == there
    monkeypatch.setattr("graphtalk.app.commands._MANY", 2)
    for options, told in (([], True), (["--vectors"], False), (["--no-vectors"], False)):
        said = cli("import", source, "-o", tmp_path / "large.gt", *options).err
        assert ("--vectors makes them now" in said) is told
    with pytest.raises(UsageError, match="No time 'soon' for vectors"):
        gt.save(gt.open(tmp_path / "s.gt"), tmp_path / "t.gt", vectors="soon")  # type: ignore[arg-type]
    shutil.rmtree(tmp_path / "large.gt")
    found = cli("retrieve", tmp_path / "s.gt", "Who knows a fiddler?")
    assert found.code == 0 and {p.name for p in tmp_path.rglob("*vectors*")} >= made - {"dense.vectors.npy"}


@pytest.mark.parametrize(
    ("embedder", "said"),
    [
        ("word2vec", "No embedder 'word2vec'"),
        ("sentence-transformers:/nowhere/at/all", "sentence-transformers"),
    ],
)
def test_an_embedder_that_is_not_there_leaves_nothing(
    cli: CommandLine, tmp_path: Path, embedder: str, said: str
) -> None:
    source, store = tmp_path / "triples.tsv", tmp_path / "s.gt"
    source.write_text("Bob\tknows\tAlice\n")
    done = cli("import", source, "-o", store, "--embedder", embedder)
    assert (done.code, said in done.err, store.exists()) == (2, True, False)


@pytest.mark.parametrize("words", [["retrieve"], ["ask", "--reasoner", "g-retriever"]])
def test_a_damaged_index_is_named_and_the_sources_still_make_a_store(
    cli: CommandLine, tmp_path: Path, words: list[str]
) -> None:
    source, store = tmp_path / "triples.tsv", tmp_path / "s.gt"
    source.write_text("Bob\tknows\tAlice\n")
    cli("import", source, "-o", store, "--vectors")
    vectors = store / "index" / "retrieval" / "nodes.vectors.npy"
    vectors.write_bytes(vectors.read_bytes()[:10])
    command, *options = words
    done = cli(command, store, "Who knows Alice?", *options)
    assert (done.code, len(done.err.splitlines())) == (2, 1)
    assert "nodes.vectors.npy" in done.err and "Import the graph again" in done.err
    assert cli("import", source, "-o", store, "--vectors").code == 0
    assert cli(command, store, "Who knows Alice?", *options).code == 0
