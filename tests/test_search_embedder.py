"""The shipped sentence embedders: shapes, meaning, and texts that no one expects."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import UsageError
from graphtalk.search.embedder import load_embedder
from graphtalk.search.transformer import load_weights, quantised

NAMES = ("minilm", "static")


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_normalised_and_keep_order(name: str) -> None:
    embedder = load_embedder(name)
    texts = ["a drug that treats a disease " * (i % 7 + 1) + str(i) for i in range(150)]
    together = embedder.embed(texts)
    assert together.shape == (150, embedder.dimension)
    assert together.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.concatenate([embedder.embed([text]) for text in texts[::29]])
    assert (np.sum(together[::29] * alone, axis=1) > 0.99).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_paraphrase_is_nearer_than_another_sentence(name: str) -> None:
    asked, paraphrase, other = load_embedder(name).embed(
        ["who directed the film", "the director of the movie", "drugs that treat high blood pressure"]
    )
    assert asked @ paraphrase > asked @ other + 0.2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text", ["", "   ", "?!…", "🦊🦊", "北京", "مرحبا", "\ud800", "\x00", "word " * 200_000]
)
def test_strange_texts_have_finite_vectors(name: str, text: str) -> None:
    (vector,) = load_embedder(name).embed([text])
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) < 1.001


@pytest.mark.parametrize("name", NAMES)
def test_no_texts_have_no_vectors(name: str) -> None:
    embedder = load_embedder(name)
    assert embedder.embed([]).shape == (0, embedder.dimension)


@given(st.lists(st.text(max_size=40), max_size=5))
def test_static_vectors_do_not_depend_on_their_neighbours(texts: list[str]) -> None:
    embedder = load_embedder("static")
    together = embedder.embed(texts)
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_allclose(embedder.embed([text])[0], vector, atol=1e-5)


def test_an_unknown_name_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(UsageError, match="minilm"):
        load_embedder("minilmm")


def test_weights_are_those_of_their_files_and_of_the_last_that_has_them(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    first = {"wide.weight": rng.normal(size=(80, 70)).astype(np.float32), "narrow": np.ones(5, np.float32)}
    last = {"narrow": rng.normal(size=(2, 3)).astype(np.float32), "more": np.arange(4, dtype=np.float32)}
    stored = {**quantised(first), **quantised(last)}
    for name, weights in (("a", first), ("b", last)):
        np.savez(tmp_path / f"{name}.npz", **quantised(weights))  # type: ignore[arg-type]
    for found in (
        load_weights([tmp_path / "a.npz", tmp_path / "b.npz"]),
        load_weights([tmp_path / "a.npz"]) | load_weights([tmp_path / "b.npz"]),
    ):
        assert set(found) == {"wide.weight", "narrow", "more"}
        assert len(found) == 3
        np.testing.assert_array_equal(found["narrow"], stored["narrow"].astype(np.float32))
        rows = stored["wide.weight|q"].astype(np.float32) * stored["wide.weight|s"]
        np.testing.assert_array_equal(found["wide.weight"], rows)
        np.testing.assert_array_equal(found["wide.weight|q"], stored["wide.weight|q"])
        assert found["wide.weight"] is found["wide.weight"]
