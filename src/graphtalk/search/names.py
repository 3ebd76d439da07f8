"""Exact look-up of names and ids by normal form, and of all names that a question mentions."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from graphtalk.core.limits import look
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.checked import expect, within
from graphtalk.graphs.hashing import Hashes, HashIndex, hash_text
from graphtalk.graphs.schema import Feature, NodeType
from graphtalk.graphs.spill import Memory, Room
from graphtalk.search.arrays import Texts, damaged, load_array
from graphtalk.search.normalise import Word, may_vary, normalise, normalise_all, variants, words

ALIASES = ("alias", "aliases", "synonym", "synonyms")
# Names of features whose last word is name, title or id: `case_name`, `caseName`, `FULL TITLE`.
_NAMING = re.compile(r"(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?i:name|title|id)[\W_]*$")
_MOST_SHARED = 100  # nodes; a name that more of them share is a property, and slows every look-up
_BLOCK = 65_536  # nodes whose names are Python's at a time
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
    def build(cls, graph: Graph, room: Room | None = None) -> "Keys":
        """The keys of all nodes of a graph, made of some ten thousand of them at a time; in memory, or in another room."""
        room = room or Memory()
        parts = [_Growing(room) for _ in range(3)]
        passed = _passed(graph)
        for start in range(0, max(graph.num_nodes, 1), _BLOCK):
            look()
            block = np.arange(start, min(start + _BLOCK, graph.num_nodes))
            for part, (texts, nodes) in zip(parts, _forms(graph, block, passed), strict=True):
                part.add(texts, nodes)
        joined = _Growing(room)
        hashes = HashIndex.made_in(room, (block for part in parts for block in joined.take(part)))
        counts = [part.count for part in parts]
        return cls(joined.texts(), joined.nodes.done(), hashes, counts[0], counts[0] + counts[1])

    def follow(self, graph: Graph, kept: Ints) -> "tuple[Keys, Ints]":
        """The keys of what a graph became, the same as `build` gives, and where each of its names stands in these, or -1.

        `kept` says of each node which one it was and is still called as, -1 for others (see `followed.kept_names`).
        """
        there = np.flatnonzero(kept >= 0)
        became = np.full(max(int(self.nodes.max(initial=-1)), int(kept.max(initial=-1))) + 1, -1, np.int64)
        became[kept[there]] = there
        bounds = (0, self.names, self.literals, len(self.texts))
        more: list[Texts] = []
        places, owners, added = [], [], len(self.texts)
        new = _forms(graph, np.flatnonzero(kept < 0), _passed(graph))
        for (texts, nodes), (start, end) in zip(new, pairwise(bounds), strict=True):
            stay = became[self.nodes[start:end]]
            own = np.concatenate([stay[stay >= 0], nodes])
            order = np.argsort(own, kind="stable")
            old = start + np.flatnonzero(stay >= 0)
            places.append(np.concatenate([old, added + np.arange(len(texts))])[order])
            owners.append(own[order])
            more.append(texts)
            added += len(texts)
        where = np.concatenate(places)
        hashes = np.empty(len(self.texts), np.uint64)
        hashes[self.index.positions] = self.index.hashes
        keys = Keys(
            Texts.joined([self.texts, *more]).take(where),
            np.concatenate(owners),
            HashIndex.of(np.concatenate([hashes, *(texts.hashes() for texts in more)])[where]),
            len(places[0]),
            len(places[0]) + len(places[1]),
        )
        return keys, np.where(places[0] < len(self.texts), places[0], -1)

    def save(self, folder: Path) -> None:
        """Write into an index folder."""
        self.texts.save(folder, "keys")
        np.save(folder / "keys.nodes.npy", self.nodes)
        np.save(folder / "keys.hashes.npy", self.index.hashes)
        np.save(folder / "keys.positions.npy", self.index.positions)

    @classmethod
    def load(cls, folder: Path, graph_nodes: int, names: int, literals: int, hashed: bool = True) -> "Keys":
        """Map what `save` wrote for a graph of so many nodes. Raises StoreError where it is damaged.

        Unless `hashed`, its hashes are others than ours: they are made anew.
        """
        texts = Texts.load(folder, "keys")
        count = len(texts)
        nodes = load_array(folder / "keys.nodes.npy", "i", count)
        expect(folder / "keys.nodes.npy", within(nodes, 0, graph_nodes), "a node of the graph for every key")
        if not 0 <= names <= literals <= count:
            raise damaged(folder, f"{names} names and {literals} names and ids of {count} keys")
        if not hashed:
            return cls(texts, nodes, HashIndex.of(texts.hashes()), names, literals)
        hashes = load_array(folder / "keys.hashes.npy", "u", count)
        positions = load_array(folder / "keys.positions.npy", "i", count)
        expect(folder / "keys.positions.npy", within(positions, 0, count), "a key for every hash")
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

    def beginning(self, form: str, most: int) -> list[int]:
        """Nodes with a name of which some word begins so, each once: names that begin so first, then the shorter ones.

        Looks through all names once.
        """
        names = self.texts.column(self.names)
        import pyarrow.compute as pc  # slow to import, and only boxes that complete names come here

        starts = pc.starts_with(names, form).to_numpy(zero_copy_only=False)
        inside = pc.match_substring(names, f" {form}").to_numpy(zero_copy_only=False)
        found = np.flatnonzero(starts | inside)
        order = np.lexsort((np.diff(self.texts.starts)[found], ~starts[found]))
        return list(dict.fromkeys(self.nodes[found[order]].tolist()))[:most]

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


class _Growing:
    """Keys on their way: their texts, nodes and hashes."""

    def __init__(self, room: Room) -> None:
        self.count, self._bytes, self._room = 0, 0, room
        self._letters, self._starts = room.numbers(np.uint8), room.numbers(np.int64)
        self.nodes, self._hashes = room.numbers(np.int64), room.numbers(np.uint64)

    def add(self, texts: Texts, nodes: Ints) -> None:
        """More of them."""
        self._add(texts, nodes)
        self._hashes.add(texts.hashes())

    def _add(self, texts: Texts, nodes: Ints) -> None:
        self._letters.add(texts.data)
        self._starts.add(texts.starts[:-1] + self._bytes)
        self.nodes.add(nodes)
        self.count += len(texts)
        self._bytes += len(texts.data)

    def take(self, other: "_Growing") -> Iterator[Hashes]:
        """All of others behind these. Yields their hashes, block by block."""
        texts, nodes, hashes = other.texts(), other.nodes.done(), other._hashes.done()
        for start in range(0, other.count, _BLOCK):
            self._add(texts.part(start, min(start + _BLOCK, other.count)), nodes[start : start + _BLOCK])
            yield hashes[start : start + _BLOCK]
            self._room.release()

    def texts(self) -> Texts:
        """Their texts."""
        self._starts.add(np.array([self._bytes]))
        return Texts(self._letters.done(), self._starts.done())


def _passed(graph: Graph) -> dict[tuple[str, str], frozenset[str]]:
    """Texts of naming features that too many nodes of a type share, by type and feature."""
    return {
        (t.name, feature): shared_names(graph.columns[t.name].column(feature))
        for t in graph.schema.node_types
        for feature in naming_features(t)
        if feature.casefold() not in ALIASES
    }


_Forms: TypeAlias = tuple[Texts, Ints]  # normal forms, and whose they are, in the order of nodes


def _forms(graph: Graph, nodes: Ints, passed: Mapping[tuple[str, str], frozenset[str]]) -> list[_Forms]:
    """Normal forms and their nodes: names, ids that differ from them, variants. `nodes` ascend."""
    parts: list[list[_Forms]] = [[], [], []]
    for t in graph.schema.node_types:
        rows = nodes[(nodes >= t.first) & (nodes < t.first + t.count)] - t.first
        if len(rows):
            shared = {f: passed.get((t.name, f), frozenset()) for f in naming_features(t)}
            for part, found in zip(parts, _forms_of(t, graph.columns[t.name], rows, shared), strict=True):
                part.append(found)
    return [
        (Texts.joined([texts for texts, _ in part]), np.concatenate([_NONE, *(own for _, own in part)]))
        for part in parts
    ]


def _forms_of(
    t: NodeType, whole: pa.Table, rows: Ints, shared: Mapping[str, frozenset[str]]
) -> Iterator[_Forms]:
    """As `_forms`, of these rows of one type. `shared` are the texts of each naming feature that are no names."""
    label, every = t.label or "id", np.arange(len(rows))
    table = whole.select(list(dict.fromkeys(["id", label, *shared])))
    in_a_row = int(rows[-1] - rows[0]) == len(rows) - 1
    table = table.slice(int(rows[0]), len(rows)) if in_a_row else table.take(pa.array(rows))
    ids = Texts.of_column(table.column("id"))
    labels = ids if label == "id" else _said(table.column(label))
    if (unnamed := np.diff(labels.starts) == 0).any():
        labels = Texts.joined([labels, ids]).take(np.where(unnamed, len(rows) + every, every))
    named = [(labels, every)]
    for feature, common in shared.items():
        texts, own = _aliases(table.column(feature), common)
        new = ~texts.same_as(labels.take(own))
        named.append((texts.take(np.flatnonzero(new)), own[new]))
    names, owners = _by_row(named)
    others, others_owners = _by_row([(ids, every), _locals(ids)])
    forms, other_forms = normalise_all(names), normalise_all(others)
    labelled = forms if len(names) == len(labels) else normalise_all(labels)
    known = others.same_as(labels.take(others_owners)) | other_forms.same_as(labelled.take(others_owners))
    varied = [(form, name) for name in may_vary(names).tolist() for form in variants(names[name])]
    for texts, own, chosen in (
        (forms, owners, True),
        (other_forms, others_owners, ~known),
        (Texts.of([form for form, _ in varied]), owners[[name for _, name in varied]], True),
    ):
        at = np.flatnonzero((np.diff(texts.starts) > 0) & chosen)
        yield texts.take(at), rows[own[at]] + t.first


def _by_row(parts: Sequence[tuple[Texts, Ints]]) -> tuple[Texts, Ints]:
    """Texts and the rows that they are of, row by row, and of one row in their order."""
    owners = np.concatenate([own for _, own in parts])
    texts = Texts.joined([texts for texts, _ in parts])
    if len(owners) == len(parts[0][1]):
        return texts, owners
    order = np.argsort(owners, kind="stable")
    return texts.take(order), owners[order]


def _said(column: pa.ChunkedArray) -> Texts:
    """The cells of a column as texts, empty where they say nothing."""
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return Texts.of_column(column)
    return Texts.of([str(cell or "") for cell in column.to_pylist()])


def names_nodes(feature: Feature) -> bool:
    """Whether nodes are found by what a feature says of them, beside their label."""
    if feature.name.casefold() in ALIASES:
        return True
    return feature.kind == "text" and _NAMING.search(feature.name) is not None


def naming_features(t: NodeType) -> list[str]:
    """What nodes of a type are found by beside their label."""
    return [f.name for f in t.features if f.name != t.label and names_nodes(f)]


def shared_names(column: pa.ChunkedArray) -> frozenset[str]:
    """Texts of a column that stand in too many rows to be names."""
    if len(column) <= _MOST_SHARED:
        return frozenset()
    import pyarrow.compute as pc  # slow to import, and few graphs come here

    counted = pc.value_counts(column)
    often = pc.greater(counted.field("counts"), _MOST_SHARED)
    return frozenset(text for text in counted.field("values").filter(often).to_pylist() if text is not None)


def _aliases(column: pa.ChunkedArray, shared: frozenset[str]) -> tuple[Texts, Ints]:
    """The texts of a column, or in its lists, that are not `shared`; and the rows that they are of."""
    if pa.types.is_list(column.type):
        lists = [chunk for chunk in column.chunks if pa.types.is_string(chunk.type.value_type)]
        before = np.cumsum([0, *(len(chunk) for chunk in lists)])
        parents = [
            chunk.value_parent_indices().to_numpy() + at for chunk, at in zip(lists, before, strict=False)
        ]
        owners = np.concatenate([_NONE, *parents])
        texts = Texts.of_column(pa.chunked_array([chunk.flatten() for chunk in lists], pa.string()))
    elif pa.types.is_string(column.type):
        texts, owners = Texts.of_column(column), np.arange(len(column))
    else:
        return Texts.of([]), _NONE
    if shared:
        own = np.array([text not in shared for text in texts], np.bool_)
        texts, owners = texts.take(np.flatnonzero(own)), owners[own]
    return texts, owners


def _locals(ids: Texts) -> tuple[Texts, Ints]:
    """What follows the last `::` of an id such as `Symptom::D021501`, unless it is a mere number; and the rows of these."""
    found = [(ids[row].rpartition("::")[2], row) for row in ids.with_piece("::").tolist()]
    worded = [(local, row) for local, row in found if any(letter.isalpha() for letter in local)]
    return Texts.of([local for local, _ in worded]), np.array([row for _, row in worded], np.int64)


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
