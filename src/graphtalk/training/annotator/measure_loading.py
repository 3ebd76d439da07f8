"""How right graph loading calls are in cross-validation, and how far two annotations of like sentences agree at all."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

from graphtalk.language.english import stem
from graphtalk.reasoners.toolformer.offline.candidates import names
from graphtalk.reasoners.toolformer.offline.loading import GraphLoader
from graphtalk.reasoners.toolformer.offline.placing import place_of
from graphtalk.search import load_embedder
from graphtalk.training.annotator.loading import Loading, learn_loader, same

PARTS = ("name", "nodes", "links", "pair", "whole", "a call", "whole, with the gate", "place")
"""What is counted: each part, nodes and links together, the whole call; whether a call is written, and whether it is the whole
one; and whether it would stand in its place."""
_OF_A_PAIR = PARTS[:5]
MISTAKES = ("words that the text has not", "its words in another form", "other words of the text")
"""What the right part is where another was written: made of words that the text does not have; of the words that were taken, so that
only number, order, ending or brackets are others; or of other words of the text."""
_FORM = frozenset(
    map(
        stem,
        "all related the node link edge connection relation relationship and or of between graph network in to".split(),
    )
)
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
    """The shares of `PARTS` that are right, and of each of `MISTAKES` in name, nodes and links. Like sentences are held out together: whole clusters, never lines."""
    clusters = fcluster(linkage(pdist(vectors, "cosine"), "average"), 1 - _LIKE, "distance")
    fold = np.random.default_rng(0).permutation(clusters.max() + 1)[clusters] % folds
    right: Counter[str] = Counter()
    for held in range(folds):
        kept = np.flatnonzero(fold != held)
        loader = learn_loader([examples[at] for at in kept.tolist()], vectors[kept])
        for at in np.flatnonzero(fold == held).tolist():
            right.update(_right(loader, examples[at], vectors[at]))
        advance()
    wrong = [f"{part}: {mistake}" for part in _OF_A_PAIR[:3] for mistake in MISTAKES]
    return {each: right[each] / len(examples) for each in (*PARTS, *wrong)}


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
        return [f"{part}: {MISTAKES[0]}" for part in _OF_A_PAIR[:3]]
    name, nodes, links = loader.choose(vector, example.sentence, found)
    right = _equal(example, name.text, nodes.text, links.text)
    if loader.gate.opens(example.text, vector):
        right += ["a call", "whole, with the gate"] if "whole" in right else ["a call"]
    for part, wanted, given in zip(
        _OF_A_PAIR,
        (example.name, example.nodes, example.links),
        (name.text, nodes.text, links.text),
        strict=False,
    ):
        if part not in right:
            right.append(f"{part}: {mistake(example.text, wanted, given)}")
    placed = example.place == place_of(example.sentence, name, loader.places)
    return [*right, "place"] if placed else right


def mistake(text: str, wanted: str, given: str) -> str:
    """Which of `MISTAKES` a part is that was written otherwise."""
    said, right, ours = (
        frozenset(map(stem, re.findall(r"[^\W_]+", each.lower()))) for each in (text, wanted, given)
    )
    if right - _FORM - said:
        return MISTAKES[0]
    return MISTAKES[1] if right - _FORM == ours - _FORM else MISTAKES[2]


def _equal(example: Loading, name: str, nodes: str, links: str) -> list[str]:
    """Which of `PARTS` are those of the example, but for case and blanks."""
    equal = [same(example.name, name), same(example.nodes, nodes), same(example.links, links)]
    pair = equal[1] and equal[2]
    return [part for part, each in zip(_OF_A_PAIR, (*equal, pair, pair and equal[0]), strict=True) if each]
