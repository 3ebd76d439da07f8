"""Graph-Bert, what it is made of, and how fitted models are kept: on small random graphs of the test's own."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.models import node_classes, saved
from graphtalk.models.graph_bert_context import contexts
from graphtalk.models.predictions import Predictions, classes_of
from graphtalk.models.wl import colours, roles

pytest.importorskip("torch")
from graphtalk.models.graph_bert import GraphBertConfig, GraphBertModel, fit

QUICK = GraphBertConfig(features="words", label="topic", split="", context=4, reach=12, hidden=16, epochs=60)
BLOCKS, EACH = 3, 40


def planted(seed: int = 0, noise: float = 0.6) -> Graph:
    """Three communities; words tell little by themselves, the neighbours' words tell more. A writer stands before."""
    random = np.random.default_rng(seed)
    topics = np.repeat(np.arange(BLOCKS), EACH)
    same = topics[:, None] == topics
    joined = np.triu(random.random(same.shape) < np.where(same, 0.15, 0.01), 1)
    words = random.random((len(topics), 12)) < np.where(
        np.arange(12) % BLOCKS == topics[:, None], noise, 0.25
    )
    vectors = pa.FixedSizeListArray.from_arrays(pa.array(words.astype(np.float32).ravel()), 12)
    papers = pa.table(
        {"id": [f"p{n}" for n in range(len(topics))], "topic": [f"t{t}" for t in topics], "words": vectors}
    )
    ends = np.nonzero(joined)
    return build(
        [NodeTable("writer", pa.table({"id": ["w"]})), NodeTable("paper", papers)],
        [EdgeTable("cites", "paper", "paper", ends[0], ends[1], None, "cites")],
        "planted",
    )


@pytest.fixture(scope="module")
def graph() -> Graph:
    return planted()


@pytest.fixture(scope="module")
def model(graph: Graph) -> GraphBertModel:
    return fit(graph, QUICK, seed=1)


def papers(graph: Graph) -> list[int]:
    return list(graph.indices("paper"))


def right(graph: Graph, model: GraphBertModel) -> float:
    told = [p.label for p in model.predict(papers(graph))]
    return float(
        np.mean([label == graph.feature(n, "topic") for n, label in zip(papers(graph), told, strict=True)])
    )


def test_a_planted_partition_is_learnt(graph: Graph, model: GraphBertModel) -> None:
    assert right(graph, model) > 0.9
    assert set(model.card.scores) == {"validation accuracy", "test accuracy"}


def test_probabilities_are_a_distribution(graph: Graph, model: GraphBertModel) -> None:
    found = model.predict([graph.node("p7")])[0]
    assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert found.probability == max(found.probabilities.values()) == found.probabilities[found.label]


def test_the_same_seed_gives_the_same_model(graph: Graph) -> None:
    short = replace(QUICK, epochs=10)
    one, same, other = (fit(graph, short, seed).predictions.probabilities for seed in (3, 3, 4))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_saved_model_says_the_same(graph: Graph, model: GraphBertModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    loaded = GraphBertModel.load(tmp_path / "model", graph)
    assert loaded.predict(papers(graph)) == model.predict(papers(graph))
    assert loaded.card.scores == model.card.scores and loaded.card.seed == 1
    again = loaded.classify(graph).probabilities
    assert np.allclose(again, model.predictions.probabilities, atol=1e-5)


def test_looking_up_a_prediction_loads_no_torch(graph: Graph, model: GraphBertModel, tmp_path: Path) -> None:
    from graphtalk.graphs import store

    store.write(graph, tmp_path / "graph.gt")
    model.save(tmp_path / "model")
    program = (
        "import sys; from pathlib import Path; from graphtalk.graphs import store\n"
        "from graphtalk.models.graph_bert import GraphBertModel\n"
        f"graph = store.open_graph({str(tmp_path / 'graph.gt')!r})\n"
        f"found = GraphBertModel.load(Path({str(tmp_path / 'model')!r}), graph).predict([graph.node('p3')])[0]\n"
        "assert 'torch' not in sys.modules; print(found.label)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.strip() == model.predict([graph.node("p3")])[0].label


@pytest.mark.parametrize("residual", ["raw", "none"])
def test_the_other_residuals_run(graph: Graph, residual: str) -> None:
    found = fit(graph, replace(QUICK, residual=residual, epochs=5), 0)
    assert found.predictions.probabilities.shape == (BLOCKS * EACH, BLOCKS)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"label": "topik"}, "'topik' to learn. Did you mean topic"),
        ({"features": "word"}, "no vectors 'word'"),
        ({"split": "part"}, "'part' that says the split"),
        ({"residual": "all"}, "No residual 'all'"),
        ({"heads": 3}, "3 heads do not divide"),
        ({"context": 20}, "context of 20 nodes"),
        ({"restart": 0.0}, "not 0.0"),
    ],
)
def test_wrong_input_is_told(graph: Graph, wrong: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        fit(graph, replace(QUICK, **wrong), 0)  # type: ignore[arg-type]


def test_a_node_of_another_type_has_no_topic(model: GraphBertModel) -> None:
    with pytest.raises(CheckError, match="Node 0 has no topic: nodes 1 to 120 have"):
        model.predict([0])


def test_progress_ends_at_the_whole(graph: Graph) -> None:
    seen: list[tuple[int, int]] = []
    fit(graph, replace(QUICK, epochs=6), 0, lambda done, total: seen.append((done, total)))
    assert seen[0] == (1, 6) and seen[-1] == (6, 6)


# contexts


def test_contexts_are_those_of_personalised_pagerank() -> None:
    other = nx.gnm_random_graph(40, 80, seed=2)
    found = contexts(csr_array(nx.to_scipy_sparse_array(other, dtype=float)), 5, 0.15, 4)
    degrees = np.array([d for _, d in other.degree()])
    for node in (0, 7, 31):
        exact = nx.pagerank(other, alpha=0.85, personalization={node: 1}, tol=1e-10)
        exact.pop(node)
        best = sorted(exact.values(), reverse=True)[:5]
        assert [exact[n] for n in found.nodes[node, 1:]] == pytest.approx(best, abs=2e-3)
        assert found.nodes[node, 0] == node
        steps = nx.single_source_shortest_path_length(other, node)
        assert found.hops[node].tolist() == [min(steps.get(n, 4), 4) for n in found.nodes[node]]
        shares = found.intimacy[node] / np.sqrt((1 + degrees[node]) / (1 + degrees[found.nodes[node]]))
        assert shares.sum() == pytest.approx(1, abs=1e-5)


def test_a_lone_node_is_its_own_context() -> None:
    found = contexts(csr_array((3, 3), dtype=float), 5, 0.15, 4)
    assert found.nodes.tolist() == [[n] * 6 for n in range(3)]
    assert found.intimacy[:, 0].tolist() == [1, 1, 1] and not found.intimacy[:, 1:].any()


def test_roles_do_not_depend_on_the_order_of_nodes() -> None:
    other = nx.barbell_graph(4, 3)
    matrix = csr_array(nx.to_scipy_sparse_array(other, dtype=float))
    order = np.random.default_rng(0).permutation(len(other))
    assert (colours(matrix)[order] == colours(matrix[order][:, order].tocsr())).all()
    assert len(set(roles(matrix).tolist())) == 4  # inside a bell, where it begins, next to that, the middle
    path = csr_array(nx.to_scipy_sparse_array(nx.path_graph(5), dtype=float))
    assert roles(path).tolist()[0] == roles(path).tolist()[4] != roles(path).tolist()[2]


# saved models


def saved_one(folder: Path) -> Path:
    card = saved.ModelCard("toy", "data", "abc", {"width": 2}, 7, {"accuracy": 0.5}, 1.5)
    saved.save(folder, card, {"w": np.arange(6.0).reshape(2, 3).T})
    return folder


def test_arrays_and_card_come_back(tmp_path: Path) -> None:
    found = saved.load(saved_one(tmp_path / "m"), "toy", "abc")
    assert found.arrays["w"].tolist() == [[0, 3], [1, 4], [2, 5]]
    assert (found.card.config, found.card.scores, found.card.seed) == ({"width": 2}, {"accuracy": 0.5}, 7)
    assert saved.read_card(tmp_path / "m") == found.card
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def _cut(folder: Path) -> None:
    whole = (folder / saved.ARRAYS).read_bytes()
    (folder / saved.ARRAYS).write_bytes(whole[:-3])


def _newer(folder: Path) -> None:
    told = json.loads((folder / saved.CARD).read_text())
    (folder / saved.CARD).write_text(json.dumps({**told, "version": 99}))


def _poorer(folder: Path) -> None:
    told = json.loads((folder / saved.CARD).read_text())
    del told["seed"]
    (folder / saved.CARD).write_text(json.dumps(told))


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (_cut, "model.safetensors is cut short"),
        (_newer, "version 99 of fitted models"),
        (_poorer, "card.json is damaged"),
        (lambda folder: (folder / saved.CARD).write_text("{"), "card.json is damaged"),
        (lambda folder: (folder / saved.CARD).write_text("[]"), "version None"),
        (lambda folder: (folder / saved.CARD).unlink(), "is not a fitted model"),
        (lambda folder: (folder / saved.ARRAYS).unlink(), "cannot be read"),
    ],
)
def test_a_damaged_folder_gives_one_clear_error(tmp_path: Path, harm: object, words: str) -> None:
    folder = saved_one(tmp_path / "m")
    harm(folder)  # type: ignore[operator]
    with pytest.raises(UsageError, match=words):
        saved.load(folder, "toy")


def test_another_model_or_graph_is_refused(tmp_path: Path) -> None:
    folder = saved_one(tmp_path / "m")
    with pytest.raises(UsageError, match="holds the model toy, not tuna"):
        saved.load(folder, "tuna")
    with pytest.raises(UsageError, match="another version of data"):
        saved.load(folder, "toy", "xyz")


def test_what_is_no_model_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "letters.txt").write_text("dear")
    with pytest.raises(UsageError, match="not overwritten"):
        saved_one(tmp_path / "m")
    assert (tmp_path / "m" / "letters.txt").read_text() == "dear"


def test_predictions_of_another_graph_are_refused(model: GraphBertModel) -> None:
    arrays, facts = model.predictions.saved()
    with pytest.raises(UsageError, match="fitted on another graph"):
        Predictions.read(arrays, facts, 7)


def test_one_class_cannot_be_learnt() -> None:
    with pytest.raises(UsageError, match="has 1 different values"):
        classes_of(["a", None, "a"], "topic of x")


def test_vectors_that_are_missing_are_passed_on_by_neighbours() -> None:
    links = csr_array(np.array([[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]], np.float32))
    known = np.array([True, False, True, False])
    vectors = np.array([[1, 0], [9, 9], [0, 1], [9, 9]], np.float32) * known[:, None]
    filled = node_classes.propagated(links, vectors.astype(np.float32), known)
    assert filled[[0, 2]].tolist() == vectors[[0, 2]].tolist()
    assert filled[1] == pytest.approx([2**-0.5, 2**-0.5])
    assert filled[3].tolist() == [0, 0]


def test_what_was_filled_in_stays_sparse() -> None:
    random = np.random.default_rng(0)
    links = csr_array(np.ones((5, 5), np.float32) - np.eye(5, dtype=np.float32))
    known = np.array([True, True, True, True, False])
    vectors = random.random((5, 200)).astype(np.float32) * known[:, None]
    filled = node_classes.propagated(links, vectors, known)
    whole = vectors[:4].sum(axis=0)
    assert set(np.flatnonzero(filled[4])) == set(np.argsort(-whole)[:64])


def test_the_papers_layers_learn_and_come_back(graph: Graph, tmp_path: Path) -> None:
    found = fit(graph, replace(QUICK, paper=True, layers=2, reach=4, agreement=0.0), seed=1)
    assert "layers.1.norms.0.weight" in found.weights and not np.any(found.weights["gains"] != 1)
    assert right(graph, found) > 0.6  # a third by chance
    found.save(tmp_path / "paper")
    again = GraphBertModel.load(tmp_path / "paper", graph).classify(graph)
    assert np.allclose(again.probabilities, found.predictions.probabilities, atol=1e-5)


def test_learning_begins_from_another_graph(model: GraphBertModel) -> None:
    """Trained for next to nothing, what began with a model's weights still tells what that learnt."""
    other, barely = planted(seed=7), replace(QUICK, epochs=1, rate=1e-9)
    begun = fit(other, barely, seed=2, start=model)
    assert right(other, begun) > 0.8 > right(other, fit(other, barely, seed=2)) + 0.15
    assert begun.card.source.endswith("begun from planted")


def test_vectors_of_another_length_are_read_anew(model: GraphBertModel) -> None:
    graph = planted()
    column = graph.columns["paper"].column("words").combine_chunks()
    short = pa.FixedSizeListArray.from_arrays(column.values.slice(0, 6 * len(column)), 6)
    table = graph.columns["paper"]
    at = table.column_names.index("words")
    papers_of = {**graph.columns, "paper": table.set_column(at, "words", short)}
    begun = fit(replace(graph, columns=papers_of), replace(QUICK, epochs=1, rate=0.0), start=model)
    name = "layers.0.mix.weight"
    assert np.allclose(begun.weights[name], model.weights[name])
    assert begun.weights["embed.weight"].shape == (16, 6)
