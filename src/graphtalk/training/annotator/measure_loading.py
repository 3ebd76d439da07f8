"""How right graph loading calls are in cross-validation, and how far two annotations of like sentences agree at all."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from graphtalk.reasoners.toolformer.offline.candidates import names
from graphtalk.reasoners.toolformer.offline.loading import GraphLoader
from graphtalk.reasoners.toolformer.offline.placing import place_of
from graphtalk.search import load_embedder
from graphtalk.training.annotator.loading import Loading, learn_loader, same

PARTS = ("name", "nodes", "links", "pair", "whole", "a call", "whole, with the gate", "place")
"""What is counted: each part, nodes and links together, the whole call; whether a call is written, and whether it is the whole
one; and whether it would stand in its place."""
_OF_A_PAIR = PARTS[:5]
_LIKE = 0.7  # sentences of a mean cosine above this are in one cluster
_TWINS = 0.93  # two sentences with a cosine above this say the same


@dataclass(frozen=True)
class Agreement:
    """How many pairs of sentences say the same, and the shares of the parts of a call that are equal in them."""

    pairs: int
    shares: dict[str, float]


def embeddings(examples: Sequence[Loading]) -> NDArray[np.float32]:
    """The examples' texts as vectors of length 1, one row each."""
    return load_embedder("minilm").embed([each.text for each in examples])


def cross_validate(
    examples: Sequence[Loading],
    vectors: NDArray[np.float32],
    folds: int,
    advance: Callable[[], None] = lambda: None,
) -> dict[str, float]:
    """The shares of `PARTS` that are right. Like sentences are held out together: whole clusters, never lines."""
    clusters = fcluster(linkage(pdist(vectors, "cosine"), "average"), 1 - _LIKE, "distance")
    fold = np.random.default_rng(0).permutation(clusters.max() + 1)[clusters] % folds
    right: Counter[str] = Counter()
    for held in range(folds):
        kept = np.flatnonzero(fold != held)
        loader = learn_loader([examples[at] for at in kept.tolist()], vectors[kept])
        for at in np.flatnonzero(fold == held).tolist():
            right.update(_right(loader, examples[at], vectors[at]))
        advance()
    return {part: right[part] / len(examples) for part in PARTS}


def agreement(examples: Sequence[Loading], vectors: NDArray[np.float32]) -> Agreement:
    """How far the calls of two examples agree whose sentences say the same: what copying the call of such a one gives."""
    first, second = np.where(np.triu(vectors @ vectors.T, 1) > _TWINS)
    equal: Counter[str] = Counter()
    for one, two in zip(first.tolist(), second.tolist(), strict=True):
        other = examples[two]
        equal.update(_equal(examples[one], other.name, other.nodes, other.links))
    return Agreement(len(first), {part: equal[part] / max(len(first), 1) for part in _OF_A_PAIR})


def _right(loader: GraphLoader, example: Loading, vector: NDArray[np.float32]) -> list[str]:
    found = list(names(example.sentence))
    if not found:
        return []
    name, nodes, links = loader.choose(vector, example.sentence, found)
    right = _equal(example, name.text, nodes.text, links.text)
    if loader.gate.opens(example.text, vector):
        right += ["a call", "whole, with the gate"] if "whole" in right else ["a call"]
    placed = example.place == place_of(example.sentence, name, loader.places)
    return [*right, "place"] if placed else right


def _equal(example: Loading, name: str, nodes: str, links: str) -> list[str]:
    """Which of `PARTS` are those of the example, but for case and blanks."""
    equal = [same(example.name, name), same(example.nodes, nodes), same(example.links, links)]
    pair = equal[1] and equal[2]
    return [part for part, each in zip(_OF_A_PAIR, (*equal, pair, pair and equal[0]), strict=True) if each]
