"""SEG-Bert, its segments, GIN beside it, and folds: on small random graph sets of the test's own."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import GraphSet
from graphtalk.graphs.formats.sets import graph_set
from graphtalk.models.folds import stratified
from graphtalk.models.seg_bert_segments import UNSEEN, between, codes, cut, describe, vocabulary

pytest.importorskip("torch")
from graphtalk.models import gin
from graphtalk.models.seg_bert import SegBertConfig, SegBertModel, fit

QUICK = SegBertConfig(size=8, hidden=16, epochs=12, rate=0.01)


def set_of(graphs: list[nx.Graph], labels: list[int], name: str = "toy") -> GraphSet:
    sizes = np.array([len(g) for g in graphs])
    first = np.cumsum(sizes) - sizes
    pairs = [(a + f, b + f) for g, f in zip(graphs, first, strict=True) for a, b in g.edges]
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    kinds = [n % 2 for g in graphs for n in g]
    return graph_set(
        sizes,
        ends,
        pa.table({"label": pa.array(kinds, pa.int64())}),
        pa.table({}),
        pa.table({"label": pa.array(labels, pa.int64())}),
        True,
        name,
    )


def rings_and_trees(count: int = 60, seed: int = 0) -> GraphSet:
    """Rings (class 2) and random trees (class 0) of 5 to 20 nodes: only structure tells them apart."""
    random = np.random.default_rng(seed)
    sizes = random.integers(5, 21, count)
    graphs = [
        nx.cycle_graph(size) if n % 2 else nx.random_labeled_tree(int(size), seed=n)
        for n, size in enumerate(sizes)
    ]
    return set_of(graphs, [2 * (n % 2) for n in range(count)])


@pytest.fixture(scope="module")
def graphs() -> GraphSet:
    return rings_and_trees()


@pytest.fixture(scope="module")
def model(graphs: GraphSet) -> SegBertModel:
    return fit(graphs, QUICK, seed=1)


def test_structure_is_learnt_and_holds_for_new_graphs(graphs: GraphSet, model: SegBertModel) -> None:
    told = [p.label for p in model.predict(range(len(graphs)))]
    assert np.mean(np.array(told) == graphs.table.column("label").to_numpy()) > 0.9
    others = rings_and_trees(30, seed=9)
    found = model.classify(others)
    assert found.accuracy(np.array([n % 2 for n in range(30)]), np.arange(30)) > 0.9
    assert found.classes == (0, 2)


def test_a_saved_model_says_the_same(graphs: GraphSet, model: SegBertModel, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    loaded = SegBertModel.load(tmp_path / "model", graphs)
    assert loaded.predict(range(len(graphs))) == model.predict(range(len(graphs)))
    assert np.allclose(loaded.classify(graphs).probabilities, model.predictions.probabilities, atol=1e-5)
    with pytest.raises(UsageError, match="fitted on another graph"):
        SegBertModel.load(tmp_path / "model", rings_and_trees(10))


def test_the_same_seed_gives_the_same_model(graphs: GraphSet) -> None:
    short = replace(QUICK, epochs=2)
    one, same, other = (fit(graphs, short, seed).predictions.probabilities for seed in (3, 3, 4))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("strategy", ["full-input", "padding"])
def test_the_other_strategies_run(graphs: GraphSet, strategy: str) -> None:
    found = fit(graphs, replace(QUICK, strategy=strategy, epochs=2), 0)
    assert found.predictions.probabilities.shape == (60, 2)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"label": "lable"}, "no feature 'lable'. Did you mean label"),
        ({"node_label": "atom"}, "no number 'atom'"),
        ({"strategy": "cutting"}, "No strategy 'cutting'"),
        ({"size": 0}, "at least one node, not 0"),
        ({"heads": 3}, "3 heads do not divide"),
    ],
)
def test_wrong_input_is_told(graphs: GraphSet, wrong: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        fit(graphs, replace(QUICK, **wrong), 0)  # type: ignore[arg-type]


def test_a_graph_that_is_not_there(model: SegBertModel) -> None:
    with pytest.raises(CheckError, match="toy has no graph 60: they are 0 to 59"):
        model.predict([60])


# segments


def test_segments_hold_every_node_once_and_near_nodes_together() -> None:
    graphs = set_of([nx.path_graph(10), nx.path_graph(3), nx.empty_graph(1)], [0, 1, 0])
    nodes = describe(graphs, "label", 1, 3)
    found = cut(nodes, 3, "shifting", 4)
    assert found.graph_of.tolist() == [0, 0, 0, 1, 2]
    assert sorted(found.nodes[found.nodes >= 0].tolist()) == list(range(14))
    assert sorted(found.nodes[0].tolist()) in ([0, 1, 2, 3], [6, 7, 8, 9])
    some = found.of(np.array([0, 2]))
    assert some.graph_of.tolist() == [0, 0, 0, 1] and some.nodes[3].tolist() == [13, -1, -1, -1]


def test_padding_cuts_to_the_best_joined_and_full_input_cuts_nothing() -> None:
    graphs = set_of([nx.star_graph(6), nx.path_graph(2)], [0, 1])
    nodes = describe(graphs, "", 1, 3)
    padded, full = cut(nodes, 2, "padding", 3), cut(nodes, 2, "full-input", 3)
    assert padded.nodes.shape == (2, 3) and 0 in padded.nodes[0] and (padded.nodes[1] == -1).sum() == 1
    assert full.nodes.shape == (2, 7) and set(full.nodes[0].tolist()) == set(range(7))


def test_distances_inside_a_segment() -> None:
    graphs = set_of([nx.path_graph(6), nx.cycle_graph(3)], [0, 1])
    nodes = describe(graphs, "", 1, 2)
    found = between(nodes, np.array([[0, 1, 2, 3], [6, 7, 8, -1]]))
    assert found[0].tolist() == [[1, 2, 3, 0], [2, 1, 2, 3], [3, 2, 1, 2], [0, 3, 2, 1]]
    assert found[1].tolist() == [[1, 2, 2, 0], [2, 1, 2, 0], [2, 2, 1, 0], [0, 0, 0, 0]]


def test_what_no_training_graph_has_is_unseen() -> None:
    graphs = set_of([nx.path_graph(4), nx.star_graph(5)], [0, 1])
    nodes = describe(graphs, "", 1, 2)
    found = codes(nodes, vocabulary(nodes, np.array([0])))
    assert (found[:, :4] != UNSEEN).all()
    assert (
        found[1, 4] == UNSEEN and found[1, 5] != UNSEEN
    )  # no node of a path has five neighbours; ends have one


# beside it


def test_folds_have_each_class_alike() -> None:
    classes = np.repeat([0, 1], [70, 30])
    fold = stratified(classes, 10, 0)
    assert [np.bincount(classes[fold == f]).tolist() for f in range(10)] == [[7, 3]] * 10
    assert not np.array_equal(fold, stratified(classes, 10, 1))
    with pytest.raises(UsageError, match="not 101"):
        stratified(classes, 101, 0)


def test_gin_learns_the_same_structure(graphs: GraphSet) -> None:
    classes = graphs.table.column("label").to_numpy() // 2
    seen: list[float] = []

    def after(epoch: int, predict: Callable[[np.ndarray], np.ndarray]) -> None:
        if epoch == 15:
            held = np.arange(40, 60)
            seen.append(float(np.mean(predict(held).argmax(axis=1) == classes[held])))

    gin.learn(gin.Inputs.of(graphs, "label"), classes, np.arange(40), gin.GinConfig(epochs=15), 0, after)
    assert seen[0] > 0.85


def test_learning_begins_from_another_set(model: SegBertModel) -> None:
    """Trained for next to nothing, what began with a model's weights still tells what that learnt; what did not, does not."""
    others, barely = rings_and_trees(40, seed=5), replace(QUICK, epochs=1, rate=1e-6)
    truth = others.table.column("label").to_numpy()

    def right(start: SegBertModel | None) -> float:
        told = [p.label for p in fit(others, barely, seed=2, start=start).predict(range(40))]
        return float(np.mean(np.array(told) == truth))

    assert right(model) > 0.9 > right(None) + 0.15
    assert fit(others, barely, start=model).card.source.endswith("begun from toy")


def test_of_other_classes_all_but_the_head_is_taken(model: SegBertModel) -> None:
    barely = replace(QUICK, epochs=1, rate=0.0)
    others = set_of([nx.cycle_graph(5), nx.path_graph(5)] * 10, [7, 8] * 10)
    begun = fit(others, barely, start=model)
    name = "layers.0.mix.weight"
    assert np.allclose(begun.weights[name], model.weights[name])
    assert not np.allclose(begun.weights["classify.weight"], model.weights["classify.weight"])
