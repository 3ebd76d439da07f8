"""How alike a query and names are, as one number from 0 to 1 that means the same for every candidate.

Tversky's index ("Features of similarity", 1977) over weighted trigrams and over weighted words: what the
query has and the name lacks counts fully, what the name has beyond the query counts little, since people
leave words out more often than they add them. A word that is nearly another counts in part.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints
from graphtalk.search.keywords import Weighted

# Set on names of Hetionet and a million synthetic titles with words dropped and letters changed.
_LEFT_OUT = 0.15  # weight of what only the name has
_WORD_SHARE = 0.6  # the rest is the trigrams'
_NEARLY = 0.5  # words less alike than this are different words
_ONE = np.int8(1)
_NEVER = np.int8(64)  # more slips than any two words can have
_LONGEST = 24  # letters of a word that are compared


def likeness(query: Weighted, names: Sequence[str]) -> NDArray[np.float64]:
    """Likeness of each name's normal form to the query. Shape (len(names),)."""
    if not names or not query.words:
        return np.zeros(len(names))
    by_word, by_trigram = _words(query.words, names), _trigrams(query.trigrams, names)
    return _WORD_SHARE * by_word + (1 - _WORD_SHARE) * by_trigram


def word_likeness(words: Sequence[str], others: Sequence[str]) -> NDArray[np.float64]:
    """1 for the same word, else 1 - slips / letters of the longer word; 0 for unlike words.

    Shape (len(words), len(others)).

    >>> word_likeness(["zink", "gene"], ["zinc", "zikn", "cell"])
    array([[0.75, 0.75, 0.  ],
           [0.  , 0.  , 0.  ]])
    """
    lengths, other_lengths = (np.minimum([len(word) for word in part], _LONGEST) for part in (words, others))
    alike = 1 - slips(words, others) / np.maximum(lengths[:, None], other_lengths)
    return np.where(alike >= _NEARLY, alike, 0.0)


def slips(words: Sequence[str], others: Sequence[str]) -> NDArray[np.int8]:
    """How many slips lie between each two words, of their first 24 letters. Shape (len(words), len(others)).

    A slip is a letter more, less, other, or two neighbours swapped (optimal string alignment; Damerau, 1964).

    >>> slips(["abcd"], ["abcd", "abdc", "abc", "wxyz"])
    array([[0, 1, 1, 4]], dtype=int8)
    """
    rows, columns = _letters(words), _letters(others)
    lengths, other_lengths = (np.count_nonzero(part, axis=1) for part in (rows, columns))
    return _slips(rows, lengths, columns, other_lengths)


def _letters(words: Sequence[str]) -> NDArray[np.uint32]:
    """Code points of words, one a row, zeros after their ends. Shape (len(words), longest word)."""
    width = min(_LONGEST, max(map(len, words)))
    return np.array([word[:width] for word in words], f"<U{width}").view(np.uint32).reshape(len(words), -1)


def _slips(
    rows: NDArray[np.uint32], lengths: Ints, columns: NDArray[np.uint32], other_lengths: Ints
) -> NDArray[np.int8]:
    """Edit distances of all pairs at once: the usual table, row by row. Shape (len(rows), len(columns))."""
    steps = np.arange(columns.shape[1] + 1, dtype=np.int8)
    last = before = np.broadcast_to(steps, (len(rows), len(columns), len(steps)))
    slips = np.zeros(last.shape[:2], np.int8)
    differ_before = np.ones((len(rows), *columns.shape), np.int8)
    for i, letters in enumerate(rows.T):
        differ = (letters[:, None, None] != columns).view(np.int8)
        row = np.empty(last.shape, np.int8)
        row[..., 0] = i + 1
        row[..., 1:] = np.minimum(last[..., 1:] + _ONE, last[..., :-1] + differ)
        swap = before[..., :-2] + _ONE + _NEVER * (differ[..., :-1] | differ_before[..., 1:])
        row[..., 2:] = np.minimum(row[..., 2:], swap)
        row = np.minimum.accumulate(row - steps, axis=2) + steps
        ended = np.flatnonzero(lengths == i + 1)
        slips[ended] = row[ended[:, None], np.arange(len(columns)), other_lengths]
        before, last, differ_before = last, row, differ
    return slips


def _words(weights: dict[str, float], names: Sequence[str]) -> NDArray[np.float64]:
    parts = [list(dict.fromkeys(name.split())) for name in names]
    counts = np.array([len(part) for part in parts])
    vocabulary = {word: i for i, word in enumerate(dict.fromkeys(word for part in parts for word in part))}
    alike = word_likeness(list(weights), list(vocabulary))
    places = [vocabulary[word] for part in parts for word in part]
    met = np.maximum.reduceat(alike[:, places], np.cumsum(counts) - counts, axis=1)
    weight = np.array(list(weights.values()))
    extra = np.maximum(counts - met.sum(axis=0), 0) * weight.mean()
    return np.asarray(weight @ met / (weight.sum() + _LEFT_OUT * extra))


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
