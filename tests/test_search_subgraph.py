"""Retrieval on graphs as they come: indexing, both rules, the text, older stores, and damage."""

import csv
import io
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.app.ask import import_graph
from graphtalk.core import StoreError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, damage, open_graph, write
from graphtalk.search.embedder import load_embedder
from graphtalk.search.graph_vectors import GraphVectors
from graphtalk.search.index import Index
from graphtalk.search.links import Links
from graphtalk.search.near import narrow
from graphtalk.search.retrieval_index import FOLDER, indexer, retriever
from graphtalk.search.steiner import solve
from graphtalk.search.subgraph import Options, Subgraph
from graphtalk.search.texts import edge_texts, node_blocks, node_texts
from graphtalk.search.triples import Triples

INDEXERS = [Index.build, indexer()]
RULES = ("paper", "spread")


def people(more: Sequence[tuple[str, str, str]] = ()) -> Graph:
    """Friends, what they do, and where: a graph of two types with features on nodes and edges."""
    names = ["Ada Byron", "Bob Stone", "Cleo Marsh", "Dan Wolf", "Eve Lake"]
    table = pa.table(
        {"id": [f"p{i}" for i in range(5)], "name": names, "born": [1815, 1950, None, 1999, 2001]}
    )
    towns = pa.table({"id": ["t0", "t1"], "name": ["Leeds, UK", 'The "Old" Town']})
    kinds = pa.table({"how": ["old school friends", "work", "work"], "since": [1990, 2001, 2001]})
    return build(
        [NodeTable("person", table, "name"), NodeTable("town", towns, "name")],
        [
            EdgeTable("knows", "person", "person", np.array([0, 1, 2]), np.array([1, 2, 3]), kinds),
            EdgeTable("lives in", "person", "town", np.array([0, 1, 2, 3]), np.array([0, 0, 1, 1])),
            EdgeTable("mayor of", "person", "town", np.array([2]), np.array([1])),
        ],
        "people",
    )


@pytest.fixture
def stored(tmp_path: Path) -> Graph:
    write(people(), tmp_path / "s", INDEXERS)
    return opened(tmp_path / "s")


def opened(path: Path) -> Graph:
    graph = open_graph(path)
    assert isinstance(graph, Graph)
    return graph


def labels(found: Subgraph) -> set[str]:
    return set(found.graph.labels(found.nodes.tolist()))


# texts


def test_texts_say_the_label_and_what_else_is_known() -> None:
    graph = people()
    said = [text for block in node_blocks(graph) for text in block]
    assert said[0] == "name: Ada Byron; born: 1815"
    assert said[2] == "Cleo Marsh"
    assert said[5] == "Leeds, UK"
    assert node_texts(graph, np.array([6, 0])) == [said[6], said[0]]
    assert edge_texts(graph, 0, np.array([1])) == ["name: knows; how: work; since: 2001"]
    assert edge_texts(graph, 1, np.array([0, 3])) == ["lives in", "lives in"]


def test_equal_edge_texts_are_embedded_once(stored: Graph) -> None:
    vectors = retriever(stored).vectors
    assert vectors.counts.tolist() == [1, 2, 4, 1]
    assert vectors.text_of.tolist() == [0, 1, 1, 2, 2, 2, 2, 3]
    assert len(vectors.nodes.values) == 7


def test_cosines_are_those_of_the_embedder(stored: Graph) -> None:
    vectors = retriever(stored).vectors
    embedder = vectors.embedder
    (asked,) = embedder.embed(["who is the mayor of the old town"])
    wanted = embedder.embed([t for block in node_blocks(stored) for t in block]) @ asked
    assert vectors.nodes.cosines(asked) == pytest.approx(wanted, abs=0.03)
    assert vectors.nodes.cosines(asked, np.array([6, 1])) == pytest.approx(wanted[[6, 1]], abs=0.03)


@pytest.mark.parametrize("rule", ["spread", "paper"])
def test_the_best_nodes_come_first(stored: Graph, rule: str) -> None:
    found = retriever(stored).retrieve("Ada Byron", Options(rule=rule))  # type: ignore[arg-type]
    assert stored.label(int(found.nodes[0])) == "Ada Byron"
    assert len(found.nodes) > 1 and (np.diff(found.node_prizes) <= 0).all()
    assert found.node_prizes[0] > found.node_prizes[-1]


# links


@given(st.integers(0, 2**32 - 1), st.integers(0, 4))
def test_what_lies_around_nodes_is_what_a_walk_finds(seed: int, hops: int) -> None:
    chance = np.random.default_rng(seed)
    size = int(chance.integers(1, 40))
    table = pa.table({"id": [str(i) for i in range(size)]})
    ends = [chance.integers(0, size, (2, int(chance.integers(0, 60)))) for _ in range(3)]
    graph = build(
        [NodeTable("n", table)], [EdgeTable(f"r{i}", "n", "n", s, t) for i, (s, t) in enumerate(ends)]
    )
    links = Links.build(graph)
    starts = chance.integers(0, size, 2)
    part = links.around(starts, hops, 10**9)
    reached = set(starts.tolist())
    for _ in range(hops):
        reached |= {
            b for s, t in ends for a, b in [*zip(s, t, strict=True), *zip(t, s, strict=True)] if a in reached
        }
    assert part.nodes.tolist() == sorted(map(int, reached)) and part.complete
    inside = sorted(
        (min(a, b), max(a, b))
        for s, t in ends
        for a, b in zip(s.tolist(), t.tolist(), strict=True)
        if a in reached and b in reached
    )
    found = zip(part.nodes[part.source].tolist(), part.nodes[part.target].tolist(), strict=True)
    assert sorted((min(a, b), max(a, b)) for a, b in found) == inside
    assert len(set(part.edge.tolist())) == len(inside)
    assert len(links.whole.edge) == sum(s.size for s, _ in ends)


# retrieval


@pytest.mark.parametrize("rule", RULES)
def test_what_is_retrieved_is_connected_and_adds_up(stored: Graph, rule: str) -> None:
    found = retriever(stored).retrieve("Who is the mayor of the Old Town?", Options(rule=rule))  # type: ignore[arg-type]
    assert {"Cleo Marsh", 'The "Old" Town'} <= labels(found)
    sources, targets = (part.tolist() for part in _ends(found))
    reached = {sources[0]}
    for _ in sources:
        reached |= {n for a, b in zip(sources, targets, strict=True) if {a, b} & reached for n in (a, b)}
    assert reached == set(found.nodes.tolist())
    worth = found.node_prizes.sum() + found.edge_prizes.sum() - found.cost * len(found.edges)
    assert found.objective == pytest.approx(float(worth))


def _ends(found: Subgraph) -> tuple[np.ndarray, np.ndarray]:
    return found.graph.ends_of(found.edges)


def test_a_named_node_is_always_there(stored: Graph) -> None:
    for name in ("Ada Byron", "Dan Wolf", "Eve Lake"):
        found = retriever(stored).retrieve(f"whom does {name} know?", Options(rule="spread"))
        assert name in labels(found)


def test_the_text_is_csv_that_comes_back(stored: Graph) -> None:
    text = retriever(stored).retrieve("all", Options(0, 0)).text
    nodes, edges = (list(csv.reader(io.StringIO(part))) for part in text.rstrip("\n").split("\n\n"))
    assert nodes[0] == ["node_id", "node_attr"] and edges[0] == ["src", "edge_attr", "dst"]
    assert [row[1] for row in nodes[6:]] == ["Leeds, UK", 'The "Old" Town']
    assert ["2", "mayor of", "6"] in edges and len(edges) == 9


@given(letters=st.integers(0, 700))
@settings(database=None)
def test_a_text_within_so_many_letters_has_whole_rows(letters: int) -> None:
    found = retriever(GRAPH).retrieve("Who is the mayor of the Old Town?", Options(0, 0))
    text, left_out = found.text_within(letters)
    assert len(text) <= max(letters, 37)
    nodes, edges = (list(csv.reader(io.StringIO(part))) for part in f"{text}\n".split("\n\n")[:2])
    kept = {row[0] for row in nodes[1:]}
    assert len(kept) == found.graph.num_nodes - left_out
    assert all(row[0] in kept and row[2] in kept for row in edges[1:] if row)


GRAPH = people()


def test_the_size_is_bound_by_prizes_and_cost_whatever_the_graph(tmp_path: Path) -> None:
    count = 20_000
    table = pa.table({"id": [str(i) for i in range(count)], "name": [f"Thing {i}" for i in range(count)]})
    hub = EdgeTable("made by", "thing", "thing", np.arange(1, count), np.zeros(count - 1, np.int64))
    graph = build([NodeTable("thing", table, "name")], [hub])
    found = retriever(graph).retrieve("What was made by Thing 0?", Options(rule="spread"))
    assert 5 <= len(found.edges) <= 3 * 15 / 0.5
    assert "Thing 0" in labels(found)
    cut = retriever(graph).retrieve("What was made by Thing 0?", Options(rule="spread", most=50))
    assert "Thing 0" in labels(cut)


def test_triples_are_the_edges_most_like_the_question(stored: Graph) -> None:
    triples = Triples(retriever(stored))
    found = triples.best("Cleo Marsh mayor of the Old Town", 1, near=False)
    assert found.relations == ["mayor of"] and labels(found) == {"Cleo Marsh", 'The "Old" Town'}
    near = triples.best("where does Ada Byron live", 50)
    assert len(near.edges) == 2
    assert len(triples.best("x", 50, near=False).edges) == 8 and not len(triples.best("x", 0).edges)


# graphs with little in them


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [1, 3])
def test_without_edges_the_likest_node_is_found(rule: str, count: int) -> None:
    graph = build([NodeTable("n", pa.table({"id": ["alpha", "beta", "gamma"][:count]}))], [])
    found = retriever(graph).retrieve("alpha", Options(rule=rule))  # type: ignore[arg-type]
    assert (labels(found), len(found.edges)) == ({"alpha"}, 0)
    assert found.text == "node_id,node_attr\n0,alpha\n\nsrc,edge_attr,dst\n"


def test_without_nodes_there_is_nothing_to_retrieve() -> None:
    graph = build([NodeTable("n", pa.table({"id": pa.array([], pa.string())}))], [])
    with pytest.raises(UsageError, match="no nodes"):
        retriever(graph).retrieve("alpha")


@pytest.mark.parametrize("rule", RULES)
def test_a_graph_without_words_is_still_a_graph(rule: str) -> None:
    table = pa.table({"id": ["·", "—", "…"]})
    graph = build([NodeTable("n", table)], [EdgeTable("·", "n", "n", np.array([0, 1]), np.array([1, 2]))])
    found = retriever(graph).retrieve("What is this?", Options(rule=rule))  # type: ignore[arg-type]
    assert len(found.nodes) >= 1 and np.isfinite(found.objective)
    assert len(retriever(graph).retrieve("", Options(rule=rule)).nodes) >= 1  # type: ignore[arg-type]


def test_more_than_there_is_may_be_asked_for_and_less_than_nothing_not(stored: Graph) -> None:
    assert len(retriever(stored).retrieve("Ada Byron", Options(99, 99, rule="paper")).nodes) == 6
    for wrong in ({"nodes": -1}, {"edges": -1}, {"edge_cost": 0.0}, {"hops": -1}, {"rule": "best"}):
        with pytest.raises(UsageError):
            Options(**wrong)  # type: ignore[arg-type]


# the index on disk


def test_an_older_store_gets_the_index_when_it_is_needed(tmp_path: Path) -> None:
    write(people(), tmp_path / "s", [Index.build])
    assert not (tmp_path / "s" / "index" / FOLDER).exists()
    first = retriever(opened(tmp_path / "s")).retrieve("Ada Byron").text
    assert sorted(os.listdir(tmp_path / "s" / "index" / FOLDER))
    assert [p.name for p in (tmp_path / "s" / "index").glob(".retrieval-*")] == []
    assert retriever(opened(tmp_path / "s")).retrieve("Ada Byron").text == first
    assert damage(tmp_path / "s") == []


def test_a_store_that_cannot_be_written_is_indexed_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(people(), tmp_path / "s", [Index.build])
    monkeypatch.setattr("graphtalk.search.retrieval_index.os.access", lambda place, mode: False)
    assert "Ada Byron" in labels(retriever(opened(tmp_path / "s")).retrieve("Ada Byron"))
    assert not (tmp_path / "s" / "index" / FOLDER).exists()


def test_a_failed_index_leaves_the_store_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(people(), tmp_path / "s", [Index.build])
    before = sorted(p.name for p in (tmp_path / "s").rglob("*"))

    def fail(links: Links, folder: Path) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Links, "save", fail)
    with pytest.raises(OSError, match="no space"):
        retriever(opened(tmp_path / "s"))
    assert sorted(p.name for p in (tmp_path / "s").rglob("*")) == before


@pytest.mark.parametrize(
    "name", ["nodes.vectors.npy", "texts.lengths.npy", "edges.text.npy", "links.indptr.npy", "retrieval.json"]
)
@pytest.mark.parametrize("how", ["missing", "cut", "other"])
def test_damage_is_named(tmp_path: Path, name: str, how: str) -> None:
    write(people(), tmp_path / "s", [Index.build])
    retriever(opened(tmp_path / "s"))
    file = tmp_path / "s" / "index" / FOLDER / name
    if how == "missing":
        file.unlink()
    elif how == "cut":
        file.write_bytes(file.read_bytes()[:20])
    elif name.endswith(".npy"):
        np.save(file, np.zeros(3, np.int8))
    else:
        file.write_text("[]")
    with pytest.raises(StoreError, match=r"damaged.*Import the graph again"):
        retriever(opened(tmp_path / "s"))
    assert opened(tmp_path / "s").num_nodes == 7


def test_an_index_of_another_dimension_embedder_or_version_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphtalk.search.retrieval_index._MOST", 0)  # the static table
    write(people(), tmp_path / "s", [Index.build])
    retriever(opened(tmp_path / "s"))
    file = tmp_path / "s" / "index" / FOLDER / "retrieval.json"
    about = json.loads(file.read_text())
    for change, said in (
        ({"dimension": 384}, "384 dimensions, but the embedder 'static' now gives 256"),
        ({"embedder": "minilm"}, "256 dimensions, but the embedder 'minilm' now gives 384"),
        ({"version": 99}, "version 99"),
        ({"nodes": 8}, "another graph"),
    ):
        file.write_text(json.dumps({**about, **change}))
        with pytest.raises(StoreError, match=said):
            retriever(opened(tmp_path / "s"))
    file.write_text(json.dumps({**about, "embedder": "word2vec"}))
    with pytest.raises(UsageError, match="No embedder 'word2vec'"):
        retriever(opened(tmp_path / "s"))


def test_a_store_imported_again_meanwhile_is_noticed(tmp_path: Path) -> None:
    write(people(), tmp_path / "s", INDEXERS)
    graph = opened(tmp_path / "s")
    shutil.copytree(tmp_path / "s", tmp_path / "t")
    write(build([NodeTable("n", pa.table({"id": ["x"]}))], []), tmp_path / "s", INDEXERS)
    with pytest.raises(StoreError, match="imported again"):
        retriever(graph)


@pytest.mark.parametrize("embedder", ["static", "minilm"])
def test_another_embedder_is_kept_with_the_index(tmp_path: Path, embedder: str) -> None:
    write(people(), tmp_path / "s", [Index.build, indexer(load_embedder(embedder))])
    found = retriever(opened(tmp_path / "s"))
    assert found.vectors.embedder.name == embedder
    assert labels(found.retrieve("Ada Byron")) >= {"Ada Byron"}


def test_where_none_is_named_minilm_embeds_what_it_can_while_a_question_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = people()
    said = sum(
        graph.edge_offsets[at + 1] - graph.edge_offsets[at]
        for at, r in enumerate(graph.schema.relations)
        if r.features
    )
    for most, name in ((graph.num_nodes + int(said), "minilm"), (graph.num_nodes + int(said) - 1, "static")):
        monkeypatch.setattr("graphtalk.search.retrieval_index._MOST", most)
        write(graph, tmp_path / name, [Index.build])
        assert retriever(opened(tmp_path / name)).vectors.embedder.name == name


def test_vectors_are_written_block_by_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder, block in ((whole, 65_536), (parts, 2)):
        folder.mkdir()
        monkeypatch.setattr("graphtalk.search.texts._BLOCK", block)
        GraphVectors.build(people(), load_embedder("static"), folder)
    assert [f.read_bytes() for f in sorted(whole.iterdir())] == [
        f.read_bytes() for f in sorted(parts.iterdir())
    ]


# a real graph


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count", "asks"),
    [("metaqa", 8, 'what joins "{}" and "{}"'), ("hetionet", 2, 'what goes with "{}"')],
)
def test_on_a_real_graph_the_part_gives_the_objective_of_the_whole(
    shared_data: Path, tmp_path: Path, name: str, count: int, asks: str
) -> None:
    """Where the part is complete; one that ends early is no better than the whole, and both are worth at most the prizes."""
    graph = _metaqa(shared_data) if name == "metaqa" else _hetionet(shared_data, tmp_path)
    found = retriever(graph)
    sizes, cuts = [], 0
    words = [graph.label(i) for i in range(0, graph.num_nodes, graph.num_nodes // count)]
    for one, other in zip(words, reversed(words), strict=True):
        prizes = found.spread(asks.format(one, other))
        part, problem = narrow(found.links, prizes, 10**9)
        full = prizes.within(found.links.whole)
        best = full.objective(*solve(full))
        assert part.complete
        assert problem.objective(*solve(problem)) == pytest.approx(best, abs=1e-9)
        cut, small = narrow(found.links, prizes, 200)
        assert small.objective(*solve(small)) <= best + 1e-9 <= prizes.bound + 2e-9
        cuts += not cut.complete
        sizes.append(len(part.nodes))
    assert np.median(sizes) < graph.num_nodes / 4 and (cuts or name == "hetionet")


def _hetionet(shared_data: Path, folder: Path) -> Graph:
    graph = import_graph([shared_data / "hetionet"], folder / "hetionet.gt", recipe="hetionet")
    assert isinstance(graph, Graph)
    return graph


def _metaqa(shared_data: Path) -> Graph:
    """The greater part of MetaQA's graph of films."""
    import lzma

    folder = shared_data / "metaqa" / "kg"
    with lzma.open(folder / "entity2text.txt.xz", "rt", encoding="utf-8") as file:
        names = dict(line.rstrip("\n").split("\t", 1) for line in file if "\t" in line)
    with lzma.open(folder / "train.tsv.xz", "rt", encoding="utf-8") as file:
        triples = [line.rstrip("\n").split("\t") for line in file]
    ids = {node: i for i, node in enumerate(dict.fromkeys(n for s, _, t in triples for n in (s, t)))}
    table = pa.table({"id": list(ids), "name": [names.get(node, node) for node in ids]})
    tables = []
    for relation in sorted({r for _, r, _ in triples}):
        ends = np.array([(ids[s], ids[t]) for s, r, t in triples if r == relation])
        tables.append(EdgeTable(f"relation {relation}", "n", "n", ends[:, 0], ends[:, 1]))
    return build([NodeTable("n", table, "name")], tables)
