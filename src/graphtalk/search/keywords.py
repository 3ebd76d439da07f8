"""Candidates by keyword: BM25 over the words and the character trigrams of names.

Words find what is spelt right, trigrams what is not. Only the rarest of a query's words and trigrams are
looked up, as many as a budget of postings allows: they find the same names as all of them, in a quarter of
the time, and the time no longer grows with the length of the query or with its commonest word.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.checked import expect, rises, within
from graphtalk.graphs.hashing import Hashes, hash_spans, hash_text
from graphtalk.search.arrays import Bools, Texts, damaged, load_array

_POSITIONS = "positions.npy"  # of an index that followed changes: where each of its names stands now
_SIZES = "sizes.npy"
_GONE = 16  # where more than one of so many is gone, the index is made anew
_SEGMENT = 1 << 20  # names that are indexed together, in a few hundred bytes of memory each
_MOST_TERMS = 16
_LEAST_TERMS = 6
_POSTINGS = 400_000  # read for one query, if more than the least number of terms
_FEW = 16  # where postings are fewer than one in so many names, they are put in order instead of counted into all
_WORD = np.uint64(1 << 63)  # tells words from trigrams
_SATURATION, _BY_LENGTH = 1.2, 0.75  # k1 and b of BM25 (Robertson and Zaragoza 2009)


@dataclass(frozen=True)
class Weighted:
    """A query's words and trigrams, each with its inverse document frequency."""

    words: dict[str, float]
    trigrams: dict[str, float]


@dataclass(frozen=True)
class _Segment:
    """The names that have each word and trigram. Shapes: terms (k,), ascending; starts (k + 1,); places (starts[-1],).

    A trigram is its three letters of 21 bits each, a word a hash.
    """

    terms: Hashes
    starts: Ints
    places: Ints

    @classmethod
    def of(cls, forms: Texts) -> "_Segment":
        """The segment of normal forms."""
        terms, places = (
            np.concatenate(both) for both in zip(_trigrams_of(forms), _words_of(forms), strict=True)
        )
        encoded = pa.array(terms).dictionary_encode()
        found = encoded.dictionary.to_numpy()
        order = np.argsort(found)
        rank = np.empty(len(found), np.int64)
        rank[order] = np.arange(len(found))
        keys = np.sort(rank[encoded.indices.to_numpy()] << 32 | places)
        keys = keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]]  # a name has each once
        starts = np.searchsorted(keys, np.arange(len(found) + 1) << 32).astype(np.int32)
        return cls(found[order], starts, (keys & 0xFFFFFFFF).astype(np.int32))

    def save(self, folder: Path, number: int) -> None:
        """Write as one of the segments of an index."""
        for part in ("terms", "starts", "places"):
            np.save(folder / f"{number}.{part}.npy", getattr(self, part))

    @classmethod
    def load(cls, folder: Path, number: int, size: int) -> "_Segment":
        """Map what `save` wrote of so many names. Raises StoreError where it is damaged."""
        terms = load_array(folder / f"{number}.terms.npy", "u", -1)
        starts = load_array(folder / f"{number}.starts.npy", "i", len(terms) + 1)
        places = load_array(folder / f"{number}.places.npy", "i", -1)
        expect(folder / f"{number}.terms.npy", terms.dtype == np.uint64, "terms of 64 bits")
        expect(folder / f"{number}.starts.npy", rises(starts, len(places)), "where the names of terms begin")
        expect(folder / f"{number}.places.npy", within(places, 0, size), "a name for each place")
        return cls(terms, starts, places)

    def find(self, terms: Hashes) -> tuple[Ints, Ints]:
        """Where the places of each term begin and end. Shapes (terms,)."""
        at = np.searchsorted(self.terms, terms)
        at[at == len(self.terms)] = 0
        there = self.terms[at] == terms if len(self.terms) else np.zeros(len(terms), np.bool_)
        return np.where(there, self.starts[at], 0), np.where(there, self.starts[at + there], 0)


class Keywords:
    """An inverted index of normal forms."""

    def __init__(
        self, forms: Texts, segments: Sequence[_Segment], sizes: Sequence[int], positions: Ints | None = None
    ) -> None:
        self._forms = forms
        self._segments = segments
        self._sizes = list(sizes)
        self._positions = positions
        self.size = sum(self._sizes)
        self._mean = max(1.0, len(forms.data) / max(1, len(forms)))

    @classmethod
    def build(cls, forms: Texts, folder: Path | None = None) -> "Keywords":
        """Index normal forms by their position, in a folder (made here) or in memory."""
        if folder is None:
            segments = list(_segments(forms))
            return cls(forms, [segment for segment, _ in segments], [size for _, size in segments])
        folder.mkdir(parents=True, exist_ok=True)
        _save(folder, forms, [])
        return cls.open(folder, forms)

    def follow(self, own: Path, folder: Path, forms: Texts, places: Ints) -> bool:
        """Make the index of changed forms in a folder (made here) from this one, whose folder is `own`, by adding what is new.

        `places` says where each form stands here, -1 for new ones. What is gone stays in the index, is found no more, and
        counts a little in how rare a word is: false, and nothing is written, where that is more than a sixteenth of it.
        """
        held = np.arange(self.size) if self._positions is None else self._positions
        became = np.full(self.size, -1, np.int64)
        became[places[places >= 0]] = np.flatnonzero(places >= 0)
        stay = np.where(held >= 0, became[held], -1)
        new = np.flatnonzero(places < 0)
        if np.count_nonzero(stay < 0) * _GONE > len(forms):
            return False
        folder.mkdir()
        for file in own.iterdir():
            shutil.copyfile(file, folder / file.name)
        if len(new):
            _save(folder, forms.take(new), self._sizes)
        np.save(folder / _POSITIONS, np.concatenate([stay, new]))
        return True

    @classmethod
    def open(cls, folder: Path, forms: Texts) -> "Keywords":
        """Open what `build` or `follow` wrote for these forms. Raises StoreError where it is damaged."""
        sizes = load_array(folder / _SIZES, "i", -1)
        expect(folder / _SIZES, within(sizes, 0, 1 << 32), "how many names each part has")
        held, positions = int(sizes.sum()), None
        if (folder / _POSITIONS).exists():
            positions = load_array(folder / _POSITIONS, "i", held)
            held = int(np.count_nonzero(positions >= 0))
            expect(folder / _POSITIONS, within(positions, -1, len(forms)), "a name for each that was indexed")
        if held != len(forms):
            raise damaged(folder, f"{held} names where there were {len(forms)}")
        segments = [_Segment.load(folder, number, size) for number, size in enumerate(sizes.tolist())]
        return cls(forms, segments, sizes.tolist(), positions)

    def _counts(self, terms: Sequence[int]) -> Ints:
        """How many names have each term."""
        wanted = np.array(terms, np.uint64)
        ends = [segment.find(wanted) for segment in self._segments]
        return np.asarray(np.sum([end - start for start, end in ends], axis=0, dtype=np.int64))

    def weigh(self, form: str) -> Weighted:
        """The words and trigrams of a normal form with their weights."""
        words, trigrams = _words(form), _trigrams(form)
        counts = self._counts([*map(_word, words), *map(_trigram, trigrams)])
        rarity = np.log(1 + (self.size + 0.5) / (counts + 0.5)).tolist()
        return Weighted(
            dict(zip(words, rarity, strict=False)), dict(zip(trigrams, rarity[len(words) :], strict=True))
        )

    def _terms(self, form: str) -> tuple[Hashes, NDArray[np.float64]]:
        """What to look up for a normal form, the rarest within the budget, and what each weighs."""
        terms = np.array([*map(_word, _words(form)), *map(_trigram, _trigrams(form))], np.uint64)
        counts = self._counts(terms.tolist())
        order = [i for i in np.argsort(counts, kind="stable").tolist() if counts[i]][:_MOST_TERMS]
        spent = accumulate(int(counts[i]) for i in order)
        chosen = [
            i
            for turn, (i, total) in enumerate(zip(order, spent, strict=True))
            if turn < _LEAST_TERMS or total <= _POSTINGS
        ]
        count = counts[chosen]
        return terms[chosen], np.log(1 + (self.size - count + 0.5) / (count + 0.5))

    def names_with(self, word: str) -> int:
        """How many names have a word."""
        return int(self._counts([_word(word)])[0])

    def knows(self, word: str) -> bool:
        """Whether any name has this word."""
        return self.names_with(word) > 0

    def search(self, form: str, limit: int, chosen: Callable[[Ints], Bools] | None = None) -> list[int]:
        """Positions of the best `limit` names for a normal form by BM25, of those that are `chosen`, if asked."""
        terms, weights = self._terms(form)
        if not len(terms):
            return []
        found, scores, first = [], [], 0
        for segment, size in zip(self._segments, self._sizes, strict=True):
            places, sums = _summed(segment, terms, weights, size)
            places = places + first
            first += size
            if self._positions is not None:
                places = self._positions[places]
                places, sums = places[places >= 0], sums[places >= 0]
            if chosen is not None:
                kept = chosen(places)
                places, sums = places[kept], sums[kept]
            lengths = (self._forms.starts[places + 1] - self._forms.starts[places]) / self._mean
            found.append(places)
            scores.append(sums / (1 + _SATURATION * (1 - _BY_LENGTH + _BY_LENGTH * lengths)))
        every, score = np.concatenate(found), np.concatenate(scores)
        if len(every) > limit:
            best = np.argpartition(-score, limit)[:limit]
            every, score = every[best], score[best]
        return [int(place) for place in every[np.lexsort((every, -score))]]


def _summed(
    segment: _Segment, terms: Hashes, weights: NDArray[np.float64], size: int
) -> tuple[Ints, NDArray[np.float64]]:
    """The places of a segment that have any of the terms, ascending, and the sum of the weights of those that each has."""
    begins, ends = segment.find(terms)
    postings = np.concatenate(
        [segment.places[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
    )
    each = np.repeat(weights, ends - begins)
    if len(postings) * _FEW < size:
        places, which = np.unique(postings, return_inverse=True)
        return places.astype(np.int64), np.bincount(which, each, len(places)).astype(np.float64, copy=False)
    sums = np.bincount(postings, each, 1).astype(np.float64, copy=False)
    places = np.flatnonzero(sums)
    return places, sums[places]


def _segments(forms: Texts) -> Iterator[tuple[_Segment, int]]:
    """The segments of normal forms, and how many each has."""
    for start in range(0, max(len(forms), 1), _SEGMENT):
        look()
        part = forms.part(start, min(start + _SEGMENT, len(forms)))
        yield _Segment.of(part), len(part)


def _save(folder: Path, forms: Texts, sizes: Sequence[int]) -> None:
    """Write the segments of forms behind those of these sizes."""
    sizes = list(sizes)
    for segment, size in _segments(forms):
        segment.save(folder, len(sizes))
        sizes.append(size)
    np.save(folder / _SIZES, np.array(sizes, np.int64))


def _trigrams_of(forms: Texts) -> tuple[Hashes, Ints]:
    """All trigrams of texts, a blank before and behind each, and which text each is of."""
    letters = np.frombuffer(forms.data.tobytes().decode().encode("utf-32-le"), "<u4").astype(np.uint64)
    before = np.append(0, np.cumsum((forms.data & 0xC0) != 0x80))  # of each byte, how many letters
    owner = np.repeat(np.arange(len(forms)), np.diff(before[forms.starts]))
    at = np.arange(len(letters)) + 2 * owner
    padded = np.full(len(letters) + 2 * len(forms), ord(" "), np.uint64)
    padded[at + 1] = letters
    return padded[at] << 42 | padded[at + 1] << 21 | padded[at + 2], owner


def _words_of(forms: Texts) -> tuple[Hashes, Ints]:
    """All words of texts, and which text each is of."""
    letter = forms.data != ord(" ")
    begins = np.zeros(len(forms.data) + 1, np.bool_)
    begins[forms.starts] = True
    begins[1:] |= ~letter
    at = np.flatnonzero(begins[:-1] & letter)
    before = np.append(0, np.cumsum(letter))
    hashes = hash_spans(forms.data[letter], before[np.append(at, len(letter))])
    return hashes | _WORD, np.searchsorted(forms.starts, at, "right") - 1


def _words(form: str) -> list[str]:
    return list(dict.fromkeys(form.split()))


def _trigrams(form: str) -> list[str]:
    padded = f" {form} "
    return list(dict.fromkeys(padded[i : i + 3] for i in range(len(padded) - 2)))


def _word(text: str) -> int:
    return hash_text(text) | int(_WORD)


def _trigram(text: str) -> int:
    first, second, third = map(ord, text)
    return first << 42 | second << 21 | third
