"""Learning which statements speak of a graph: the prompts `graph_data_loading` against prose of our own (`prose.txt`)."""

from collections.abc import Sequence
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from graphtalk.reasoners.toolformer.offline.gate import Gate, has_graph_word
from graphtalk.search import load_embedder

_FOLDS = 5
_LET_IN = 0.02  # the share of held-out prose that the gate may take for a statement about a graph


def prose() -> list[str]:
    """The sentences of `prose.txt`."""
    lines = files(__package__).joinpath("prose.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def learn_gate(texts: Sequence[str], vectors: NDArray[np.float32], seed: int = 0) -> Gate:
    """The gate that tells these statements from prose. `vectors`: their embeddings, shape (texts, dimensions).

    The least score is such that it lets in 1 of 50 sentences of prose that were held out.
    """
    others = prose()
    positive = _features(texts, vectors)
    negative = _features(others, load_embedder("minilm").embed(others))
    fold = np.random.default_rng(seed).permutation(len(others)) % _FOLDS
    held = np.empty(len(others))
    for each in range(_FOLDS):
        weights = _fit(positive, negative[fold != each])
        held[fold == each] = negative[fold == each] @ weights
    return Gate(_fit(positive, negative), float(np.quantile(held, 1 - _LET_IN)))


def _features(texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    worded = np.array([[has_graph_word(text)] for text in texts], dtype=np.float32)
    return np.hstack([vectors, worded])


def _fit(positive: NDArray[np.float32], negative: NDArray[np.float32]) -> NDArray[np.float32]:
    """Logistic regression in which both sides count the same in all."""
    design = np.vstack([positive, negative]).astype(np.float64)
    sign = np.repeat([1.0, -1.0], [len(positive), len(negative)])
    share = np.repeat([0.5 / len(positive), 0.5 / len(negative)], [len(positive), len(negative)]) * len(sign)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = sign * (design @ weights)
        slope = -(share * sign * expit(-margin)) @ design
        return float((share * np.logaddexp(0, -margin)).sum() + weights @ weights / 2), slope + weights

    found = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B")
    return found.x.astype(np.float32)
