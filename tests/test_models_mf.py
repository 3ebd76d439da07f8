"""Ratings by matrix factorisation: a planted taste is learnt, the last rating is held out, and what cannot be is said."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build, store
from graphtalk.models import mf
from test_models_bpr import shop

USERS, ITEMS = 40, 30
SMALL = mf.MfConfig(factors=4, epochs=40, batch=64)


def cinema(seed: int = 0) -> Graph:
    """Even users give even films 5 and odd ones 1, odd users the other way round; each rates half of them."""
    random = np.random.default_rng(seed)
    pairs = np.argwhere(random.random((USERS, ITEMS)) < 0.5)
    given = np.where(pairs[:, 0] % 2 == pairs[:, 1] % 2, 5, 1)
    features = pa.table({"rating": given, "timestamp": random.permutation(len(pairs))})
    users = NodeTable("user", pa.table({"id": [f"u{n}" for n in range(USERS)]}))
    films = NodeTable("film", pa.table({"id": [f"i{n}" for n in range(ITEMS)]}))
    return build(
        [users, films], [EdgeTable("rated", "user", "film", *pairs.T, features, "rated by")], "cinema"
    )


@pytest.fixture(scope="module")
def fitted() -> mf.MfModel:
    return mf.fit(cinema(), SMALL, seed=1)


def test_a_planted_taste_is_learnt_and_scored_by_what_was_held_out(fitted: mf.MfModel) -> None:
    assert fitted.card.scores["RMSE"] < 0.8  # the mean of all misses by 2
    users, films = (each.ravel() for each in np.indices((USERS, ITEMS)))
    told = fitted.predict(users, films)
    alike = users % 2 == films % 2
    assert told[alike].mean() > 4 and told[~alike].mean() < 2
    assert told.min() >= 1 and told.max() <= 5


def test_the_same_seed_gives_the_same_ratings(fitted: mf.MfModel) -> None:
    again = mf.fit(cinema(), SMALL, seed=1)
    assert again.rating(3, USERS + 4) == fitted.rating(3, USERS + 4)


def test_a_saved_model_gives_the_same_ratings(tmp_path: Path) -> None:
    store.write(cinema(), tmp_path / "cinema.gt")
    graph = store.open_graph(tmp_path / "cinema.gt")
    assert isinstance(graph, Graph)
    model = mf.fit(graph, SMALL, seed=2)
    model.save(tmp_path / "mf")
    assert mf.MfModel.load(tmp_path / "mf", graph).rating(0, USERS) == model.rating(0, USERS)


def test_what_cannot_be_is_said(fitted: mf.MfModel) -> None:
    with pytest.raises(UsageError, match="shop has no ratings"):
        mf.suits(shop())
    with pytest.raises(CheckError, match="Node 3 is no item that mf was fitted on"):
        fitted.rating(3, 3)
