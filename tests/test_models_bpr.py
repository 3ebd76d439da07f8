"""Recommendation by BPR: a planted taste is learnt, the last choice is held out, and what cannot be is said."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.models import bpr

USERS, ITEMS = 40, 30
SMALL = bpr.BprConfig(factors=8, epochs=30, batch=64)


def shop(taste: float = 0.6, seed: int = 0) -> Graph:
    """Even users like even items. Nodes: users first, then items."""
    random = np.random.default_rng(seed)
    alike = np.arange(USERS)[:, None] % 2 == np.arange(ITEMS) % 2
    pairs = np.argwhere(alike & (random.random(alike.shape) < taste))
    times = pa.table({"timestamp": random.permutation(len(pairs))})
    users = NodeTable("user", pa.table({"id": [f"u{i}" for i in range(USERS)]}))
    items = NodeTable("item", pa.table({"id": [f"i{i}" for i in range(ITEMS)]}))
    bought = EdgeTable("bought", "user", "item", pairs[:, 0], pairs[:, 1], times, "bought by")
    return build([users, items], [bought], "shop")


@pytest.fixture(scope="module")
def fitted() -> bpr.BprModel:
    return bpr.fit(shop(), SMALL, seed=1)


def test_a_planted_taste_is_learnt(fitted: bpr.BprModel) -> None:
    scores = fitted.predict(np.arange(USERS))
    alike = np.arange(USERS)[:, None] % 2 == np.arange(ITEMS) % 2
    new = fitted.seen.toarray() == 0
    assert np.mean(scores[alike & new]) > np.mean(scores[~alike]) + 1
    assert fitted.card.scores["AUC"] > 0.7


def test_recommended_items_fit_the_taste_and_are_new(fitted: bpr.BprModel) -> None:
    for user in range(USERS):
        seen = fitted.seen.indices[fitted.seen.indptr[user] : fitted.seen.indptr[user + 1]]
        best = fitted.topk_recommendation(user, 3) - USERS
        assert not set(best.tolist()) & set(seen.tolist())
    even = fitted.topk_recommendation(0, 3) - USERS
    assert (even % 2 == 0).all()


def test_the_best_item_is_the_one_most_likely_preferred(fitted: bpr.BprModel) -> None:
    best, *_, worst = fitted.topk_recommendation(3, ITEMS).tolist()
    assert 0 < fitted.recommendation(3, worst) < 0.5 < fitted.recommendation(3, best) < 1


def test_more_items_than_there_are_gives_all_that_are_new(fitted: bpr.BprModel) -> None:
    assert len(fitted.topk_recommendation(0, 10_000)) == ITEMS - int(fitted.seen[[0]].sum())


def test_each_users_last_choice_is_held_out() -> None:
    pairs = bpr.Interactions(
        np.array([0, 0, 0, 1, 2, 2]), np.array([5, 1, 3, 2, 4, 0]), np.array([9.0, 30, 20, 1, 7, 6]), 3, 6
    )
    earlier, held = bpr.hold_out_last(pairs, seed=0)
    assert list(zip(held.users.tolist(), held.items.tolist(), strict=True)) == [(0, 1), (2, 4)]
    assert len(earlier.users) == 4  # user 1 chose once: that is kept to learn from


def test_choices_without_a_time_are_held_out_at_random_by_seed() -> None:
    pairs = bpr.Interactions(np.zeros(50, np.int64), np.arange(50), np.zeros(50), 1, 50)
    last = [bpr.hold_out_last(pairs, seed)[1].items.tolist() for seed in (0, 0, 1)]
    assert last[0] == last[1] != last[2]


def test_scores_are_those_of_the_definitions() -> None:
    held = bpr.Interactions(np.array([0, 1]), np.array([2, 0]), np.zeros(2), 2, 12)
    seen = csr_array(([1.0, 1.0], ([0, 0], [0, 1])), shape=(2, 12))
    scores = np.tile(np.arange(12, 0, -1, dtype=np.float32), (2, 1))
    scores[1] = -scores[1]  # the item of the second user is the last of 12
    found = bpr.ranking_scores(scores, seen, held)
    assert found == pytest.approx({"Hit@10": 0.5, "NDCG@10": 0.5, "AUC": 0.5})


def test_the_same_seed_gives_the_same_and_another_does_not() -> None:
    first, second, third = (bpr.fit(shop(), replace(SMALL, epochs=3), seed) for seed in (2, 2, 3))
    assert np.array_equal(first.items, second.items) and not np.array_equal(first.items, third.items)


def test_saved_and_loaded_it_is_the_same(tmp_path: Path, fitted: bpr.BprModel) -> None:
    fitted.save(tmp_path / "m")
    again = bpr.BprModel.load(tmp_path / "m", shop())
    assert again.topk_recommendation(7, 5).tolist() == fitted.topk_recommendation(7, 5).tolist()
    assert again.recommendation(7, USERS) == fitted.recommendation(7, USERS)
    assert again.card.scores == fitted.card.scores and again.card.config["factors"] == 8


def test_a_choice_that_stands_twice_counts_once() -> None:
    graph = shop()
    edges = graph.ends(0)
    twice = EdgeTable(
        "bought", "user", "item", np.repeat(edges[0], 2), np.repeat(edges[1] - USERS, 2), None, "bought by"
    )
    tables = [NodeTable(t.name, graph.columns[t.name]) for t in graph.schema.node_types]
    pairs, _, _ = bpr.interactions(build(tables, [twice], "shop"))
    assert len(pairs.users) == graph.num_edges


def test_a_user_is_no_item(fitted: bpr.BprModel) -> None:
    with pytest.raises(CheckError, match=r"Node 3 is no item that bpr was fitted on: these are 40 to 69"):
        fitted.recommendation(0, 3)
    with pytest.raises(CheckError, match=r"Node 45 is no user"):
        fitted.topk_recommendation(45, 3)
    with pytest.raises(CheckError, match="At least one item must be asked for, not 0"):
        fitted.topk_recommendation(0, 0)


def test_a_graph_without_choices_is_refused() -> None:
    graph = shop()
    with pytest.raises(UsageError, match=r"no choices of users called 'sold'. Valid: bought"):
        bpr.fit(graph, replace(SMALL, relation="sold"))
    alone = build([NodeTable("user", pa.table({"id": ["a"]}))], [], "alone")
    with pytest.raises(UsageError, match="alone has no choices of users"):
        bpr.fit(alone)
