"""Exact look-up of names and ids by normal form, and of all names that a question mentions."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.checked import expect, within
from graphtalk.graphs.hashing import HashIndex, hash_text
from graphtalk.graphs.schema import Feature, NodeType
from graphtalk.search.arrays import Texts, damaged, load_array
from graphtalk.search.normalise import Word, normalise, variants, words

ALIASES = ("alias", "aliases", "synonym", "synonyms")
# Names of features whose last word is name, title or id: `case_name`, `caseName`, `FULL TITLE`.
_NAMING = re.compile(r"(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?i:name|title|id)[\W_]*$")
_MOST_SHARED = 100  # nodes; a name that more of them share is a property, and slows every look-up
_MARKS = frozenset('"“”„«»')
_QUOTES_AND_STOPS = "\"'“”‘’()[]{},.;:?!"
MAX_WORDS = 4_096  # of a question; the rest is not looked at


@dataclass(frozen=True)
class Mention:
    """A span of a question (character offsets) that is the name or id of some nodes.

    `literal` is false where the name was found only by another number, possessive or order of words.
    """

    start: int
    end: int
    nodes: tuple[int, ...]
    literal: bool = True


@dataclass(frozen=True)
class Keys:
    """Normal forms and whose they are: first all names, then ids, then variants of names.

    `nodes` has the node of each key, shape (len(texts),). Names are `texts[:names]`, ids
    `texts[names:literals]`.
    """

    texts: Texts
    nodes: Ints
    index: HashIndex
    names: int
    literals: int

    @classmethod
    def build(cls, graph: Graph) -> "Keys":
        """The keys of all nodes of a graph."""
        parts = _forms(graph)
        texts = [text for part in parts for text, _ in part]
        nodes = np.array([node for part in parts for _, node in part], dtype=np.int64)
        names, literals = len(parts[0]), len(parts[0]) + len(parts[1])
        return cls(Texts.of(texts), nodes, HashIndex.build(texts), names, literals)

    def save(self, folder: Path) -> None:
        """Write into an index folder."""
        self.texts.save(folder, "keys")
        np.save(folder / "keys.nodes.npy", self.nodes)
        np.save(folder / "keys.hashes.npy", self.index.hashes)
        np.save(folder / "keys.positions.npy", self.index.positions)

    @classmethod
    def load(cls, folder: Path, graph_nodes: int, names: int, literals: int) -> "Keys":
        """Map what `save` wrote for a graph of so many nodes. Raises StoreError where it is damaged."""
        texts = Texts.load(folder, "keys")
        count = len(texts)
        nodes, positions = (
            load_array(folder / f"keys.{part}.npy", "i", count) for part in ("nodes", "positions")
        )
        hashes = load_array(folder / "keys.hashes.npy", "u", count)
        expect(folder / "keys.nodes.npy", within(nodes, 0, graph_nodes), "a node of the graph for every key")
        expect(folder / "keys.positions.npy", within(positions, 0, count), "a key for every hash")
        if not 0 <= names <= literals <= count:
            raise damaged(folder, f"{names} names and {literals} names and ids of {count} keys")
        return cls(texts, nodes, HashIndex(lambda: (hashes, positions)), names, literals)

    def find(self, forms: Sequence[str]) -> list[Ints]:
        """For each normal form the positions of the keys that are it, ascending."""
        wanted = np.array([hash_text(form) for form in forms], dtype=np.uint64)
        low = np.searchsorted(self.index.hashes, wanted, "left")
        high = np.searchsorted(self.index.hashes, wanted, "right")
        found: list[Ints] = [_NONE] * len(forms)
        for i in np.flatnonzero(high > low):
            form = forms[int(i)].encode("utf-8", "replace")
            positions = self.index.positions[low[i] : high[i]]
            found[i] = np.array([p for p in positions if self.texts.bytes(p) == form], dtype=np.int64)
        return found

    def nodes_of(self, positions: Ints) -> tuple[list[int], bool]:
        """The nodes behind keys, each once, and whether a name or id led to them: only then variants do."""
        literal = positions[positions < self.literals]
        chosen = literal if len(literal) else positions
        return list(dict.fromkeys(self.nodes[chosen].tolist())), bool(len(literal))

    def mentions(self, text: str, longest: int) -> list[Mention]:
        """All spans that are a key, longest first; they may overlap.

        A span is up to `longest` whole words, or all words between two quotation marks, however many.
        """
        found = words(text)[:MAX_WORDS]
        spans = [(i, j) for i in range(len(found)) for j in range(i, min(len(found), i + longest))]
        spans += [(i, j) for i, j in _quoted(text, found) if j - i >= longest]
        places = [(found[i].start, found[j].end) for i, j in spans]
        forms = [" ".join(word.form for word in found[i : j + 1]) for i, j in spans]
        asked = dict.fromkeys((*place, form, True) for place, form in zip(places, forms, strict=True))
        for (i, j), place in zip(spans, places, strict=True):
            asked.update(dict.fromkeys((*place, form, False) for form in _inflections(found[i : j + 1])))
        asked.update(dict.fromkeys((start, end, form, True) for start, end, form in _symbols(text)))
        return self._mentions(list(asked))

    def _mentions(self, asked: list[tuple[int, int, str, bool]]) -> list[Mention]:
        best: dict[tuple[int, int], Mention] = {}
        for (start, end, _, unchanged), positions in zip(
            asked, self.find([form for _, _, form, _ in asked]), strict=True
        ):
            if not len(positions):
                continue
            nodes, literal = self.nodes_of(positions)
            mention = Mention(start, end, tuple(nodes), literal and unchanged)
            known = best.get((start, end))
            if known is None or (mention.literal and not known.literal):
                best[start, end] = mention
        return sorted(best.values(), key=lambda m: (m.start - m.end, m.start))


_NONE: Ints = np.empty(0, np.int64)


def _forms(graph: Graph) -> tuple[list[tuple[str, int]], list[tuple[str, int]], list[tuple[str, int]]]:
    """Normal forms and their nodes: names, ids that differ from them, variants."""
    labels = graph.labels()
    aliases = [(node, alias) for node, alias in _aliases(graph) if alias != labels[node]]
    named = [*enumerate(labels), *aliases]
    forms = [normalise(name) for _, name in named]
    names = [(form, node) for form, (node, _) in zip(forms, named, strict=True) if form]
    ids = [
        (form, node)
        for node, (whole, label) in enumerate(zip(graph.ids(), labels, strict=True))
        for node_id in (whole, *_local(whole))
        if node_id != label and (form := normalise(node_id)) and form != forms[node]
    ]
    return names, ids, [(form, node) for node, name in named for form in variants(name) if form]


def same_names(old: Graph, new: Graph) -> bool:
    """Whether the nodes of two graphs are the same, in the same order, and called alike."""
    if len(old.schema.node_types) != len(new.schema.node_types):
        return False
    for one, other in zip(old.schema.node_types, new.schema.node_types, strict=True):
        named = [[f.name for f in t.features if names_nodes(f)] for t in (one, other)]
        if (one.name, one.count, one.label, named[0]) != (other.name, other.count, other.label, named[1]):
            return False
        tables = (old.columns[one.name], new.columns[other.name])
        for name in ("id", *([one.label] if one.label else []), *named[0]):
            if tables[0] is not tables[1] and not tables[0].column(name).equals(tables[1].column(name)):
                return False
    return True


def _local(node_id: str) -> Iterator[str]:
    """What follows the last `::` of an id such as `Symptom::D021501`, unless it is a mere number."""
    _, separator, local = node_id.rpartition("::")
    if separator and any(letter.isalpha() for letter in local):
        yield local


def names_nodes(feature: Feature) -> bool:
    """Whether nodes are found by what a feature says of them, beside their label."""
    if feature.name.casefold() in ALIASES:
        return True
    return feature.kind == "text" and _NAMING.search(feature.name) is not None


def _aliases(graph: Graph) -> Iterator[tuple[int, str]]:
    for node_type in graph.schema.node_types:
        for feature in node_type.features:
            if feature.name == node_type.label or not names_nodes(feature):
                continue
            values = _alias_values(graph.columns[node_type.name].column(feature.name), node_type)
            if feature.name.casefold() in ALIASES:
                yield from values
            else:
                named = list(values)
                shared = Counter(name for _, name in named)
                yield from ((node, name) for node, name in named if shared[name] <= _MOST_SHARED)


def _alias_values(column: pa.ChunkedArray, node_type: NodeType) -> Iterator[tuple[int, str]]:
    for row, value in enumerate(column.to_pylist()):
        for alias in value if isinstance(value, list) else [value]:
            if isinstance(alias, str):
                yield node_type.first + row, alias


def _quoted(text: str, found: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """First and last of the words between each two neighbouring quotation marks."""
    starts = [word.start for word in found]
    marks = [place for place, char in enumerate(text) if char in _MARKS]
    for opening, closing in pairwise(marks):
        first, last = bisect_left(starts, opening), bisect_left(starts, closing) - 1
        if first <= last:
            yield first, last


def _inflections(span: Sequence[Word]) -> Iterator[str]:
    """Normal forms of a span without possessives, and with its last word in the other number."""
    bare = " ".join(word.bare for word in span)
    if bare != " ".join(word.form for word in span):
        yield bare
    head, last = " ".join(word.form for word in span[:-1]), span[-1].bare
    for form in _other_number(last):
        yield f"{head} {form}" if head else form


def _other_number(word: str) -> Iterable[str]:
    if len(word) <= 3 or not word.isalpha():
        return ()
    if not word.endswith("s"):
        return (word[:-1] + "ies", word + "s") if word.endswith("y") else (word + "s", word + "es")
    if word.endswith("ies"):
        return (word[:-3] + "y", word[:-1])
    return (word[:-2], word[:-1]) if word.endswith("es") else (word[:-1],)


def _symbols(text: str) -> Iterator[tuple[int, int, str]]:
    """Places and forms of what is written without any letter or digit, with and without quotes around it."""
    position = 0
    for chunk in text.split():
        start = text.index(chunk, position)
        position = start + len(chunk)
        if words(chunk):
            continue
        yield start, position, normalise(chunk)
        if (inner := chunk.strip(_QUOTES_AND_STOPS)) and inner != chunk:
            begin = start + chunk.index(inner)
            yield begin, begin + len(inner), normalise(inner)
