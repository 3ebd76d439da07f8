"""From a question to candidate readings: link its values, encode, decode with a beam, run, judge.

    reader = load_reader().over(graph, index)
    for candidate in reader.read("Which films did Ada direct?", run):
        candidate.query, candidate.probability, candidate.told

`run` gives what a query gives as rows of plain values, or None where it cannot be run.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from graphtalk.calls.query import Query
from graphtalk.core import StoreError
from graphtalk.graphs import Graph
from graphtalk.reasoners.reader.confidence import Facts, Judge, features, unused_operators
from graphtalk.reasoners.reader.decoding import Guess, decode
from graphtalk.reasoners.reader.encoding import Items, encode_items, encode_question
from graphtalk.reasoners.reader.grammar import Grammar
from graphtalk.reasoners.reader.graph_shape import GraphTexts, shape_of
from graphtalk.reasoners.reader.linking import Linked, LookUp, link
from graphtalk.reasoners.reader.network import Floats, Network, load_weights
from graphtalk.reasoners.reader.querying import Unsaid, query_of
from graphtalk.reasoners.reader.reading import Reading, canonical, parsed, repeats, written
from graphtalk.reasoners.reader.shape import Shape
from graphtalk.reasoners.reader.telling import told
from graphtalk.search.index import Index

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Rows: TypeAlias = Sequence[Sequence[object]]
Run: TypeAlias = Callable[[Query], Rows | None]

BEAMS = 8


@dataclass(frozen=True)
class Candidate:
    """One reading of a question. `probability`: how likely it is right, 0 to 1; `ignored`: words that would change
    the meaning and that it does not use. `query` is None where the question asks for nothing that is in the graph."""

    reading: Reading | None
    query: Query | None
    probability: float
    told: str
    ignored: tuple[str, ...]
    rows: Rows | None
    features: tuple[float, ...] = ()


class Judging(Protocol):
    """From features, shape (n, features), to probabilities, shape (n,)."""

    def __call__(self, x: "np.ndarray") -> "np.ndarray":
        """The probabilities."""
        ...


class Reader:
    """The network, its tokenizer and its judge: one for all graphs."""

    def __init__(self, network: Network, tokenizer: "Tokenizer", judge: Judging) -> None:
        self.network, self.tokenizer, self.judge = network, tokenizer, judge

    def over(self, graph: Graph, index: Index) -> "GraphReader":
        """The reader of one graph. What grows with the graph's schema and its short texts is done here, once."""
        shape = shape_of(graph)
        texts = GraphTexts(graph, index, shape)
        return self.of(shape, texts, texts.free)

    def of(self, shape: Shape, look_up: LookUp, free: Collection[str] = ()) -> "GraphReader":
        """The reader of a schema. `free`: properties of whose texts `look_up` does not know."""
        items = encode_items(shape, self.tokenizer)
        return GraphReader(self, items, self.network.items(items), look_up, free)


class GraphReader:
    """Reads questions about one schema."""

    def __init__(
        self, reader: Reader, items: Items, states: Floats, look_up: LookUp, free: Collection[str]
    ) -> None:
        self._reader, self._items, self._states = reader, items, states
        self._look_up, self._free = look_up, free

    @property
    def shape(self) -> Shape:
        """The schema as the reader knows it."""
        return self._items.shape

    def link(self, question: str) -> list[Linked]:
        """The values of a question."""
        return link(question, self._look_up, frozenset(s for stems in self._items.stems for s in stems))

    def guess(self, question: str, values: Sequence[Linked], beams: int = BEAMS) -> list[Guess]:
        """The likeliest readings, before any is run."""
        spans = [(v.start, v.end, v.kind, v.owners) for v in values]
        asked = encode_question(question, spans, self._items, self._reader.tokenizer)
        kinds = {f"S:{i}": v.kind for i, v in enumerate(values)}
        owners = {f"S:{i}": v.owners for i, v in enumerate(values)}
        grammar = Grammar(self.shape, kinds, owners, self._free)
        return decode(self._reader.network, asked, self._states, grammar, beams)

    def read(self, question: str, run: Run, beams: int = BEAMS) -> list[Candidate]:
        """Candidates, the likeliest to be right first. What cannot be run is left out."""
        values = self.link(question)
        found = self._different(self.guess(question, values, beams), values)
        none = next((float(np.exp(g.log)) for g, reading, _ in found if reading is None), 0.0)
        ran = [(g, reading, query, None if query is None else run(query)) for g, reading, query in found]
        ran = [each for each in ran if each[1] is None or each[3] is not None]
        if not ran:
            return []
        logs = np.array([g.log for g, *_ in ran])
        shares = np.exp(logs - logs.max())
        shares /= shares.sum()
        results = [_result(rows) for *_, rows in ran]
        made = []
        for i, (g, reading, query, rows) in enumerate(ran):
            others = np.delete(logs, i)
            facts = Facts(
                g.log,
                g.least,
                float(shares[i]),
                float(g.log - others.max()) if len(others) else 8.0,
                float(sum(s for s, r in zip(shares, results, strict=True) if r == results[i])),
                None if rows is None else len(rows),
                float(i > 0),
                none,
            )
            made.append((reading, query, rows, features(question, reading, self.shape, values, facts)))
        sure = self._reader.judge(np.stack([f for *_, f in made]))
        candidates = [
            Candidate(
                reading,
                query,
                float(p),
                "nothing that is in this graph" if reading is None else told(reading, self.shape, values),
                () if reading is None else tuple(unused_operators(question, reading, self.shape, values)),
                rows,
                tuple(map(float, f)),
            )
            for (reading, query, rows, f), p in zip(made, sure, strict=True)
        ]
        return sorted(candidates, key=lambda c: -c.probability)

    def _different(
        self, guesses: Sequence[Guess], values: Sequence[Linked]
    ) -> list[tuple[Guess, Reading | None, Query | None]]:
        """Guesses that mean something, each meaning once: those of one meaning add up."""
        found: dict[tuple[str, ...], tuple[Guess, Reading | None, Query | None]] = {}
        for g in guesses:
            try:
                reading = parsed(g.actions, self.shape)
                if reading is not None:
                    reading = canonical(reading, self.shape)
                    if repeats(reading):
                        continue
                form = tuple(written(reading))
                query = None if reading is None else query_of(reading, self.shape, values)
            except (ValueError, KeyError, Unsaid):
                continue
            known = found.get(form)
            if known is not None:
                g = Guess(
                    known[0].actions, float(np.logaddexp(known[0].log, g.log)), max(known[0].least, g.least)
                )
            found[form] = (g, reading, query)
        return sorted(found.values(), key=lambda each: -each[0].log)


def _result(rows: Rows | None) -> object:
    return None if rows is None else tuple(sorted(repr(r[0]) for r in rows))


@cache
def load_reader() -> Reader:
    """The reader that ships with the package. Raises StoreError where its weights are not there."""
    from tokenizers import Tokenizer

    with as_file(files("graphtalk.reasoners.reader") / "weights") as folder:
        parts = sorted(folder.glob("*.npz"))
        if not parts:
            raise StoreError(f"The reader's weights are not in {folder}.")
        network = Network(load_weights(parts))
        judge = Judge.load((folder / "judge.json").read_text("utf-8"))
    with as_file(files("graphtalk.search") / "models" / "tokenizer.json") as path:
        tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Reader(network, tokenizer, judge)
