"""Learning the annotator's classifier: multinomial logistic regression, by L-BFGS."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.reasoners.toolformer.offline.features import BUCKETS, embedded, hashed
from graphtalk.reasoners.toolformer.offline.mentions import DATA, GRAPH, NUMBER, SLOT
from graphtalk.reasoners.toolformer.offline.model import OTHER, Classifier

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
    """Examples as numbers: their classes, and word features and embeddings, one row each.

    allowed: which classes an example could belong to by what it mentions, shape (examples, classes). The annotator
    chooses among these only, so only they compete when it learns.
    """

    classes: tuple[str, ...]
    target: NDArray[np.int64]
    allowed: NDArray[np.bool_]
    words: csr_array
    meaning: NDArray[np.float64]


def design(shapes: Sequence[Shape], names: Sequence[str]) -> Design:
    """Shapes and the function that each asks for, as numbers. The embedder takes some milliseconds for each."""
    classes = tuple(sorted(set(names)))
    target = np.array([classes.index(name) for name in names])
    meaning = embedded(shapes).astype(np.float64)
    return Design(classes, target, allowed(shapes, classes, target), _word_matrix(shapes), meaning)


def allowed(shapes: Sequence[Shape], classes: Sequence[str], target: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which classes take just what a shape mentions; its own class and OTHER always. Shape (examples, classes)."""
    catalogue = shipped_catalogue()
    takes = {name: catalogue.takes.get(name, ()) for name in classes}
    found = np.zeros((len(shapes), len(classes)), dtype=bool)
    for row, shape in enumerate(shapes):
        mentions = Counter(mask.strip("<>") for mask in shape if mask.startswith("<") and mask not in _FREE)
        own = next((kind for kind in catalogue.nodes.values() if kind in mentions), "node")
        needs = [Counter(re.sub("^node", own, kind) for kind in takes[name]) for name in classes]
        found[row] = [
            name == OTHER or _fit(mentions, need) for name, need in zip(classes, needs, strict=True)
        ]
    found[np.arange(len(shapes)), target] = True
    return found


_FREE = frozenset((DATA, GRAPH, SLOT, NUMBER))


def _fit(mentions: Counter[str], need: Counter[str]) -> bool:
    """Whether the kinds of `need` are mentioned so often, those with "?" at most so often, and no other."""
    most = Counter({kind.rstrip("?"): count for kind, count in need.items() if kind != "number"})
    least = Counter(
        {kind: count for kind, count in need.items() if not kind.endswith("?") and kind != "number"}
    )
    return least <= mentions <= most


def fit(examples: Design, weights: NDArray[np.float64], settings: FitSettings) -> Classifier:
    """The classifier. `weights`, shape (examples,), says how much each counts; with 0 it is not seen."""
    target, classes = examples.target, examples.classes
    used = np.flatnonzero(examples.words.T @ weights)
    sparse = csr_array(examples.words[:, used])
    dense = examples.meaning * settings.meaning
    weights = weights / weights.sum()

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        w, d, b = _parts(flat, len(used), dense.shape[1], len(classes))
        scores = np.where(examples.allowed, sparse @ w + dense @ d + b, -np.inf)
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
