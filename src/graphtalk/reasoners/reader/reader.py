"""From a question to readings of it: link its values, encode, decode with a beam; none is run here.

reader = load_reader().over(graph, index)
asked = reader.ask("Which films did Ada direct?")
for read in asked.guesses():
    read.query, read.log, read.told
"""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from graphtalk.calls.query import Query
from graphtalk.core import StoreError
from graphtalk.graphs import Graph
from graphtalk.language.wordpiece import WordPiece, wordpiece
from graphtalk.reasoners.reader.decoding import Guess, decode, likelihood
from graphtalk.reasoners.reader.encoding import Asked, Items, encode_items, encode_question
from graphtalk.reasoners.reader.grammar import Grammar
from graphtalk.reasoners.reader.graph_shape import GraphTexts, shape_of
from graphtalk.reasoners.reader.labels import Unread, reading_of
from graphtalk.reasoners.reader.linking import Linked, LookUp, link, link_schema_words
from graphtalk.reasoners.reader.network import Memory, Network
from graphtalk.reasoners.reader.querying import Unsaid, query_of
from graphtalk.reasoners.reader.reading import (
    Reading,
    canonical,
    grouped,
    parsed,
    repeats,
    senseless,
    written,
)
from graphtalk.reasoners.reader.shape import Shape, spoken
from graphtalk.reasoners.reader.telling import told
from graphtalk.search.index import Index
from graphtalk.search.transformer import Floats, load_weights, minilm

BEAMS = 8
MOST_TOKENS = 128  # of a question and a reading together


@dataclass(frozen=True)
class Read:
    """A reading of a question, and how likely the network holds it: the logarithm of its probability, `least` that of
    its least sure step. `reading` and `query` are None where the question asks for nothing that is in the graph."""

    reading: Reading | None
    query: Query | None
    told: str
    log: float
    least: float


class Reader:
    """The network and its tokenizer: one for all graphs."""

    def __init__(self, network: Network, tokenizer: WordPiece) -> None:
        self.network, self.tokenizer = network, tokenizer

    def over(self, graph: Graph, index: Index) -> "GraphReader":
        """The reader of one graph. What grows with the graph's schema and its short texts is done here, once."""
        shape = shape_of(graph)
        texts = GraphTexts(graph, index, shape)
        return self.of(shape, texts, texts.free)

    def of(self, shape: Shape, look_up: LookUp, free: Collection[str] = ()) -> "GraphReader":
        """The reader of a schema. `free`: properties of whose texts `look_up` does not know."""
        items = encode_items(shape, self.tokenizer)
        return GraphReader(self, items, look_up, free)


class GraphReader:
    """Reads questions about one schema."""

    def __init__(self, reader: Reader, items: Items, look_up: LookUp, free: Collection[str]) -> None:
        self._reader, self._items = reader, items
        self._look_up, self._free = look_up, free

    @property
    def shape(self) -> Shape:
        """The schema as the reader knows it."""
        return self._items.shape

    def link(self, question: str) -> list[Linked]:
        """The values of a question."""
        return link(question, self._look_up, self._words, self._nouns)

    @cached_property
    def _states(self) -> Floats:
        """The pooled states of the schema's items: many questions are read without."""
        return self._reader.network.items(self._items)

    @cached_property
    def _words(self) -> frozenset[str]:
        """The stems of the words of the schema."""
        return frozenset(s for stems in self._items.stems for s in stems)

    @cached_property
    def _nouns(self) -> dict[str, str]:
        """What types are called, each with the property of their names."""
        named = {spoken(t): self.shape.name_of(t) for t in self.shape.types}
        return {noun: naming for noun, naming in named.items() if naming}

    def ask(self, question: str) -> "AskedReader":
        """A question, encoded once for all its readings."""
        values = self.link(question)
        spans = [(v.start, v.end, v.kind, v.owners) for v in values]
        asked = encode_question(question, spans, self._items, self._reader.tokenizer)
        kinds = {f"S:{i}": v.kind for i, v in enumerate(values)}
        owners = {f"S:{i}": v.owners for i, v in enumerate(values)}
        grammar = Grammar(self.shape, kinds, owners, self._free)
        also = link_schema_words(question, self._look_up, self._words)
        kinds_of = [
            replace(v, found=tuple((a, texts) for a, texts in v.found if not self.shape.properties[a].naming))
            for v in also
        ]
        told = tuple(v for v in kinds_of if v.found)
        return AskedReader(self._reader.network, asked, lambda: self._states, grammar, tuple(values), told)

    def rank(self, question: str, words: str) -> float:
        """How well a reading told in words fits a question: 0 where it is as likely right as wrong; NaN without weights for it."""
        if not self._reader.network.ranks:
            return math.nan
        return self._reader.network.rank(self._reader.tokenizer.ids(question, words)[:MOST_TOKENS])


@dataclass(frozen=True)
class AskedReader:
    """Reads one question. `states` are those of the schema's items, `values` are those that it names; `doubtful` are words of the schema that some property has for a value too."""

    network: Network
    asked: Asked
    states: Callable[[], Floats]
    grammar: Grammar
    values: tuple[Linked, ...]
    doubtful: tuple[Linked, ...] = ()

    @property
    def shape(self) -> Shape:
        """The schema."""
        return self.grammar.shape

    @cached_property
    def _memory(self) -> Memory:
        return self.network.memory(self.asked, self.states())

    def guesses(self, beams: int = BEAMS) -> list[Read]:
        """The likeliest readings that mean something, each meaning once: guesses of one meaning add up."""
        found: dict[tuple[str, ...], Read] = {}
        for guess in decode(self.network, self._memory, self.asked, self.grammar, beams):
            read = self._meant(guess)
            if read is None:
                continue
            form = tuple(written(read.reading))
            known = found.get(form)
            if known is not None:
                read = replace(
                    known, log=float(np.logaddexp(known.log, read.log)), least=max(known.least, read.least)
                )
            found[form] = read
        return sorted(found.values(), key=lambda read: -read.log)

    def likely(self, query: Query) -> Read | None:
        """A query that another wrote for the question, read and weighed; None where the normal form cannot say it."""
        try:
            reading = reading_of(query, self.shape, self.values)
            guess = likelihood(self.network, self._memory, self.asked, self.grammar, written(reading))
            given = answering(reading)
            again = query_of(given, self.shape, self.values)
        except (ValueError, KeyError, Unread, Unsaid):
            return None
        return Read(reading, again, told(given, self.shape, self.values), guess.log, guess.least)

    def _meant(self, guess: Guess) -> Read | None:
        try:
            reading = parsed(guess.actions, self.shape)
            if reading is None:
                return Read(None, None, "nothing that is in this graph", guess.log, guess.least)
            reading = canonical(reading, self.shape)
            written(reading)
            if repeats(reading) or senseless(reading, self.shape):
                return None
            given = answering(reading)
            query = query_of(given, self.shape, self.values)
        except (ValueError, KeyError, Unsaid):
            return None
        return Read(reading, query, told(given, self.shape, self.values), guess.log, guess.least)


def answering(reading: Reading) -> Reading:
    """The reading with the columns that answer: what it is ordered by or compared with is no part of the answer."""
    first, *others = reading.columns or (None,)
    numbers = [c for c in others if c is not None and c.kind != "NODE"]
    if first is None or not others or (numbers and reading.order is None) or grouped(reading):
        return reading
    return replace(reading, columns=(first,))


@cache
def load_reader() -> Reader:
    """The reader that ships with the package. Raises StoreError where its weights are not there."""
    with as_file(files("graphtalk.reasoners.reader") / "weights") as folder:
        parts: Sequence[Path] = sorted(folder.glob("*.npz")) if folder.is_dir() else []
        if not parts:
            raise StoreError(
                f"The weights of the learnt reader are not in {folder}: install graphtalk again, or export them "
                "(docs/reading.md)."
            )
        return Reader(Network(minilm() | load_weights(parts)), wordpiece())
