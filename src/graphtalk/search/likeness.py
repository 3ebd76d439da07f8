"""How alike a query and names are, as one number from 0 to 1 that means the same for every candidate.

Tversky's index ("Features of similarity", 1977) over weighted trigrams and over weighted words: what the
query has and the name lacks counts fully, what the name has beyond the query counts little, since people
leave words out more often than they add them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphtalk.search.keywords import Weighted

_LEFT_OUT = 0.15  # weight of what only the name has
_WORD_SHARE = 0.3  # the rest is the trigrams'


def likeness(query: Weighted, names: Sequence[str]) -> NDArray[np.float64]:
    """Likeness of each name's normal form to the query. Shape (len(names),)."""
    if not names or not query.trigrams:
        return np.zeros(len(names))
    by_word = np.array([_words(query.words, name) for name in names])
    return _WORD_SHARE * by_word + (1 - _WORD_SHARE) * _trigrams(query.trigrams, names)


def _words(weights: dict[str, float], name: str) -> float:
    words = set(name.split())
    both = sum(weight for word, weight in weights.items() if word in words)
    extra = len(words - weights.keys()) * sum(weights.values()) / len(weights)
    return both / (sum(weights.values()) + _LEFT_OUT * extra)


def _trigrams(weights: dict[str, float], names: Sequence[str]) -> NDArray[np.float64]:
    known = _codes(_points("".join(weights)).reshape(-1, 3))
    order = np.argsort(known)
    padded = [f" {name} " for name in names]
    points = _points("".join(padded))
    owners = np.repeat(np.arange(len(names)), [len(name) for name in padded])
    inside = owners[:-2] == owners[2:]
    codes = _codes(np.lib.stride_tricks.sliding_window_view(points, 3)[inside])
    owners = owners[:-2][inside]
    places = order[np.minimum(np.searchsorted(known, codes, sorter=order), len(known) - 1)]
    matching = known[places] == codes
    has = np.zeros((len(names), len(known)), dtype=bool)
    has[owners[matching], places[matching]] = True
    extra = np.bincount(owners[~matching], minlength=len(names))
    weight = np.array(list(weights.values()))
    return np.asarray(has @ weight / (weight.sum() + _LEFT_OUT * extra * weight.mean()))


def _points(text: str) -> NDArray[np.int64]:
    return np.frombuffer(text.encode("utf-32-le"), dtype="<u4").astype(np.int64)


def _codes(trigrams: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for each row of three code points."""
    return np.asarray(trigrams @ np.array([1 << 42, 1 << 21, 1]))
