"""Learning the annotator's classifier: multinomial logistic regression, by L-BFGS."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from graphtalk.reasoners.toolformer.offline.features import BUCKETS, embedded, hashed
from graphtalk.reasoners.toolformer.offline.model import Classifier

Shape = tuple[str, ...]


@dataclass(frozen=True)
class FitSettings:
    """How the classifier is learnt.

    each: sentences of the grammar for every function, and four times as many for none
    prompts: how many sentences of the grammar a shape of the prompts counts for
    none: how much a sentence for no function counts
    penalty: of the squared weights
    meaning: how large the sentence embedding is made beside the word features
    steps: of L-BFGS, at most
    """

    each: int = 400
    prompts: float = 10.0
    none: float = 0.5
    penalty: float = 2e-6
    meaning: float = 3.0
    steps: int = 120
    seed: int = 0


@dataclass(frozen=True)
class Design:
    """Examples as numbers: their classes, and word features and embeddings, one row each."""

    classes: tuple[str, ...]
    target: NDArray[np.int64]
    words: csr_array
    meaning: NDArray[np.float64]


def design(shapes: Sequence[Shape], names: Sequence[str]) -> Design:
    """Shapes and the function that each asks for, as numbers. The embedder takes some milliseconds for each."""
    classes = tuple(sorted(set(names)))
    target = np.array([classes.index(name) for name in names])
    return Design(classes, target, _word_matrix(shapes), embedded(shapes).astype(np.float64))


def fit(examples: Design, weights: NDArray[np.float64], settings: FitSettings) -> Classifier:
    """The classifier. `weights`, shape (examples,), says how much each counts; with 0 it is not seen."""
    target, classes = examples.target, examples.classes
    used = np.flatnonzero(examples.words.T @ weights)
    sparse = csr_array(examples.words[:, used])
    dense = examples.meaning * settings.meaning
    weights = weights / weights.sum()

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        w, d, b = _parts(flat, len(used), dense.shape[1], len(classes))
        scores = sparse @ w + dense @ d + b
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1, keepdims=True)
        rows = np.arange(len(target))
        value = -(weights * np.log(p[rows, target] + 1e-12)).sum() + settings.penalty * (flat**2).sum() / 2
        p[rows, target] -= 1
        p *= weights[:, None]
        slope = np.concatenate([(sparse.T @ p).ravel(), (dense.T @ p).ravel(), p.sum(axis=0)])
        return value, slope + settings.penalty * flat

    size = (len(used) + dense.shape[1] + 1) * len(classes)
    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": settings.steps})
    w, d, b = _parts(found.x, len(used), dense.shape[1], len(classes))
    words = np.zeros((BUCKETS, len(classes)))
    words[used] = w
    scale = max(float(np.abs(words).max()) / 127, 1e-9)
    quantised = np.round(words / scale).astype(np.int8)
    return Classifier(
        classes, quantised, scale, (d * settings.meaning).astype(np.float32), b.astype(np.float32)
    )


def _parts(
    flat: NDArray[np.float64], words: int, meaning: int, classes: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    first, second = words * classes, (words + meaning) * classes
    return flat[:first].reshape(words, classes), flat[first:second].reshape(meaning, classes), flat[second:]


def _word_matrix(shapes: Sequence[Shape]) -> csr_array:
    places = [hashed(shape) for shape in shapes]
    starts = np.cumsum([0, *map(len, places)])
    return csr_array((np.ones(starts[-1]), np.concatenate(places), starts), shape=(len(shapes), BUCKETS))
