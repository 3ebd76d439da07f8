"""Candidates by keyword: BM25 over words and over character trigrams (tantivy).

Words find what is spelt right, trigrams what is not. Only the rarest trigrams of a query are looked up:
they find the same names as all of them, in a quarter of the time.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.search.arrays import damaged

if TYPE_CHECKING:
    import tantivy

_TRIGRAMS = 16
_WORDS = 24
_HEAP = 256 << 20  # bytes; an index of a million names then has one segment per thread
_THREADS = 2


@dataclass(frozen=True)
class Weighted:
    """A query's words and trigrams with their inverse document frequencies, rarest first."""

    words: dict[str, float]
    trigrams: dict[str, float]


class Keywords:
    """An inverted index of normal forms, each with the position of its type."""

    def __init__(self, index: "tantivy.Index", size: int) -> None:
        self._index = index
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
        index.register_tokenizer("spaced", _analyser(tantivy.Tokenizer.whitespace()))
        index.register_tokenizer("trigrams", _analyser(tantivy.Tokenizer.ngram(3, 3)))
        writer = index.writer(_HEAP, _THREADS)
        size = 0
        for size, (form, kind) in enumerate(zip(forms, types, strict=True), start=1):
            document = tantivy.Document()
            document.add_integer("position", size - 1)
            document.add_text("type", str(kind))
            document.add_text("words", form)
            document.add_text("trigrams", f" {form} ")
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return cls(index, size)

    @classmethod
    def open(cls, folder: Path, size: int) -> "Keywords":
        """Open what `build` wrote for `size` forms. Raises StoreError where it is damaged."""
        import tantivy

        try:
            found = cls(tantivy.Index.open(str(folder)), size)
            held = found._searcher.num_docs
        except (ValueError, OSError) as error:
            raise damaged(folder, str(error)) from error
        if held != size:
            raise damaged(folder, f"{held} names where there were {size}")
        return found

    @cached_property
    def _searcher(self) -> "tantivy.Searcher":
        return self._index.searcher()

    def weigh(self, form: str) -> Weighted:
        """The words and trigrams of a normal form with their weights."""
        padded = f" {form} "
        trigrams = {padded[i : i + 3] for i in range(len(padded) - 2)}
        return Weighted(self._weights("words", set(form.split())), self._weights("trigrams", trigrams))

    def _weights(self, field: str, terms: set[str]) -> dict[str, float]:
        weighted = {t: log(1 + (self.size + 0.5) / (self._searcher.doc_freq(field, t) + 0.5)) for t in terms}
        return dict(sorted(weighted.items(), key=lambda item: (-item[1], item[0])))

    def search(self, query: Weighted, kind: int | None, limit: int) -> list[int]:
        """Positions of the best `limit` forms by BM25, of one type if asked."""
        import tantivy

        fields = self._index.schema
        known = [t for t in query.trigrams if self._searcher.doc_freq("trigrams", t)]
        parts = [(("words", word)) for word in list(query.words)[:_WORDS]]
        parts += [("trigrams", trigram) for trigram in known[:_TRIGRAMS]]
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
        hits = self._searcher.search(should, limit, count=False).hits
        return [int(p) for p in self._searcher.fast_field_values("position", [place for _, place in hits])]


def _analyser(tokenizer: "tantivy.Tokenizer") -> "tantivy.TextAnalyzer":
    import tantivy

    return tantivy.TextAnalyzerBuilder(tokenizer).build()
