"""Candidates by keyword: BM25 over words and over character trigrams (tantivy).

Words find what is spelt right, trigrams what is not. Only the rarest of a query's words and trigrams are
looked up, as many as a budget of postings allows: they find the same names as all of them, in a quarter of
the time, and the time no longer grows with the length of the query or with its commonest word.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.checked import expect, within
from graphtalk.search.arrays import Texts, damaged, load_array

if TYPE_CHECKING:
    import tantivy

_POSITIONS = "positions.npy"  # of an index that followed changes: where each document's form stands now
_GONE = 16  # where more than one of so many is gone, the index is made anew
_LOCK = ".tantivy-meta.lock"
_MOST_TERMS = 16
_LEAST_TERMS = 6
_POSTINGS = 400_000  # read for one query, if more than the least number of terms
_HEAP = 256 << 20  # bytes; an index of a million names then has one segment per thread
_THREADS = 2


@dataclass(frozen=True)
class Weighted:
    """A query's words and trigrams, each with its inverse document frequency."""

    words: dict[str, float]
    trigrams: dict[str, float]


class Keywords:
    """An inverted index of normal forms, each with the position of its type."""

    def __init__(
        self,
        index: "tantivy.Index",
        size: int,
        links: TemporaryDirectory[str] | None = None,
        positions: Ints | None = None,
    ) -> None:
        self._index = index
        self._links = links  # removed with this object
        self._positions = positions
        self.size = size

    @classmethod
    def build(cls, forms: Iterable[str], types: Iterable[int], folder: Path | None = None) -> "Keywords":
        """Index normal forms by their position, in a folder (made here) or in memory."""
        import tantivy

        fields = tantivy.SchemaBuilder()
        fields.add_integer_field("position", fast=True)
        fields.add_text_field("type", tokenizer_name="raw", index_option="basic")
        fields.add_text_field("words", tokenizer_name="spaced", index_option="freq")
        fields.add_text_field("trigrams", tokenizer_name="trigrams", index_option="basic")
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        index = tantivy.Index(fields.build(), path=str(folder) if folder is not None else None)
        size = _add(index, forms, types, 0)
        if folder is not None:
            _unlock(folder)
        return cls(index, size)

    def follow(self, own: Path, folder: Path, forms: Texts, types: Ints, places: Ints) -> bool:
        """Make the index of changed forms in a folder (made here) from this one, whose folder is `own`, by adding what is new.

        `places` says where each form stands here, -1 for new ones. What is gone stays in the index, is found no more, and
        counts a little in how rare a word is: false, and nothing is written, where that is more than a sixteenth of it.
        """
        import tantivy

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
            index, chosen = tantivy.Index.open(str(folder)), new.tolist()
            _add(index, (forms[i] for i in chosen), (types[i] for i in chosen), len(stay))
            _unlock(folder)
        np.save(folder / _POSITIONS, np.concatenate([stay, new]))
        return True

    @classmethod
    def open(cls, folder: Path, size: int) -> "Keywords":
        """Open what `build` or `follow` wrote for `size` forms. Raises StoreError where it is damaged."""
        import tantivy

        try:
            links = None if os.access(folder / _LOCK, os.W_OK) else _links(folder)
            found = cls(tantivy.Index.open(links.name if links else str(folder)), size, links)
            held = found._searcher.num_docs
        except (ValueError, OSError) as error:
            raise damaged(folder, str(error)) from error
        if (folder / _POSITIONS).exists():
            found._positions = load_array(folder / _POSITIONS, "i", held)  # of each document
            held = np.count_nonzero(found._positions >= 0)
            expect(
                folder / _POSITIONS, within(found._positions, -1, size), "a name for each that was indexed"
            )
        if held != size:
            raise damaged(folder, f"{held} names where there were {size}")
        return found

    @cached_property
    def _searcher(self) -> "tantivy.Searcher":
        return self._index.searcher()

    def weigh(self, form: str) -> Weighted:
        """The words and trigrams of a normal form with their weights."""
        return Weighted(self._weights("words", _words(form)), self._weights("trigrams", _trigrams(form)))

    def _weights(self, field: str, terms: Sequence[str]) -> dict[str, float]:
        found = {term: self._searcher.doc_freq(field, term) for term in terms}
        return {term: log(1 + (self.size + 0.5) / (count + 0.5)) for term, count in found.items()}

    def _terms(self, form: str) -> list[tuple[str, str]]:
        """Field and text of what to look up for a normal form: the rarest, within the budget."""
        terms = [("words", word) for word in _words(form)] + [("trigrams", t) for t in _trigrams(form)]
        counted = sorted((self._searcher.doc_freq(*term), term) for term in terms)
        known = [(count, term) for count, term in counted if count][:_MOST_TERMS]
        spent = accumulate(count for count, _ in known)
        return [
            term
            for i, ((_, term), total) in enumerate(zip(known, spent, strict=True))
            if i < _LEAST_TERMS or total <= _POSTINGS
        ]

    def names_with(self, word: str) -> int:
        """How many names have a word."""
        return int(self._searcher.doc_freq("words", word))

    def knows(self, word: str) -> bool:
        """Whether any name has this word."""
        return bool(self._searcher.doc_freq("words", word))

    def search(self, form: str, kind: int | None, limit: int) -> list[int]:
        """Positions of the best `limit` names for a normal form by BM25, of one type if asked."""
        import tantivy

        spare = 0  # more that are looked for, as some of the best are gone
        fields = self._index.schema
        parts = self._terms(form)
        if not parts:
            return []
        should = tantivy.Query.boolean_query(
            [
                (tantivy.Occur.Should, tantivy.Query.term_query(fields, field, term, "freq"))
                for field, term in parts
            ]
        )
        if kind is not None:
            of_type = tantivy.Query.const_score_query(
                tantivy.Query.term_query(fields, "type", str(kind), "basic"), 0.0
            )
            must = tantivy.Occur.Must
            should = tantivy.Query.boolean_query([(must, should), (must, of_type)])
        while True:
            hits = self._searcher.search(should, limit + spare, count=False).hits
            found = self._searcher.fast_field_values("position", [place for _, place in hits])
            if self._positions is None:
                return [int(place) for place in found]
            there = self._positions[np.array(found, np.int64)]
            there = there[there >= 0][:limit]
            if len(there) == limit or len(hits) < limit + spare:
                return [int(place) for place in there]
            spare = 2 * (limit + spare)


def _add(index: "tantivy.Index", forms: Iterable[str], types: Iterable[int], size: int) -> int:
    """Add normal forms to an index that has so many; returns how many it has then."""
    import tantivy

    index.register_tokenizer("spaced", _analyser(tantivy.Tokenizer.whitespace()))
    index.register_tokenizer("trigrams", _analyser(tantivy.Tokenizer.ngram(3, 3)))
    writer = index.writer(_HEAP, _THREADS)
    for form, kind in zip(forms, types, strict=True):
        document = tantivy.Document()
        document.add_integer("position", size)
        document.add_text("type", str(kind))
        document.add_text("words", form)
        document.add_text("trigrams", f" {form} ")
        writer.add_document(document)
        size += 1
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return size


def _unlock(folder: Path) -> None:
    """Let all read the files of an index: tantivy makes some readable by their owner alone."""
    for file in folder.iterdir():
        shutil.copymode(folder / _LOCK, file)


def _links(folder: Path) -> TemporaryDirectory[str]:
    """A folder of links to an index that only others may write: tantivy locks even what it only reads."""
    links = TemporaryDirectory(prefix="graphtalk-")
    for file in folder.iterdir():
        if file.suffix != ".lock":
            os.symlink(file.resolve(), Path(links.name) / file.name)
    return links


def _words(form: str) -> list[str]:
    return list(dict.fromkeys(form.split()))


def _trigrams(form: str) -> list[str]:
    padded = f" {form} "
    return list(dict.fromkeys(padded[i : i + 3] for i in range(len(padded) - 2)))


def _analyser(tokenizer: "tantivy.Tokenizer") -> "tantivy.TextAnalyzer":
    import tantivy

    return tantivy.TextAnalyzerBuilder(tokenizer).build()
