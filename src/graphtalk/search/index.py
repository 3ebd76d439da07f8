"""The search index of a graph: from text to nodes, exactly where possible, by likeness where not."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import StoreError
from graphtalk.core.reading import read_json
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.scratch import scratch
from graphtalk.graphs.spill import Memory, Spill, quarter_of_machine
from graphtalk.graphs.store import INDEX, index_files
from graphtalk.language.wordpiece import is_word
from graphtalk.search.arrays import Bools, Texts, damaged
from graphtalk.search.dense import Dense, When
from graphtalk.search.embedder import check_embedder, load_embedder
from graphtalk.search.followed import kept_names
from graphtalk.search.keywords import Keywords
from graphtalk.search.likeness import likeness
from graphtalk.search.names import MAX_WORDS, Keys, Mention
from graphtalk.search.normalise import normalise, words

VERSION = 3
READ = (
    1,
    2,
    VERSION,
)  # in 1 keys were hashed by BLAKE2b; in both tantivy had the keywords, which are made anew
MOST_AT_ONCE = 500_000
"""So many names get their vectors while a question waits, in some ten seconds; more of them where an import makes them."""
_CANDIDATES = 64
_NEAR_WORDS = 4  # of a span that may be a misspelt name
_NEAR_LETTERS = 4  # at least; shorter words are near too many
_NEAR_SPANS = 40  # searched for one question
_SURE = 0.65  # a name this like the query needs no second opinion from the vectors
_DENSE = {"minilm": 0.7, "static": 0.5}  # the likeness that a cosine of 1 stands for
_IN_MEMORY = 200_000  # nodes whose keys are put in order in memory; of more in files
_FEW = 2_000  # names that the better but slower embedder can take at import, in about two seconds
_NEAR_IN_MEANING = 0.55
"""The cosine from which a name is near to words in meaning; unlike names of the atlas have 0.5 at most."""
_BY_CHANCE = 0.05  # cosines that differ by less say little of which name is nearer
KEYWORD = "keyword"
_MAX_CHARACTERS = 400  # of a query; of a longer one only an exact name is found whole


@dataclass(frozen=True)
class Hit:
    """A node that fits a query, how well (0 to 1), and what found it."""

    node: int
    score: float
    how: Literal["exact", "id", "fused", "meaning"]


class Index:
    """Finds the nodes of one graph by name, id or likeness. Its parts are opened when first used."""

    def __init__(
        self,
        graph: Graph,
        keys: Keys,
        folder: Path | None = None,
        embedder: str = "",
        by_meaning: bool = True,
        early: bool = False,
    ) -> None:
        self.by_meaning = by_meaning  # false: the graph was imported without vectors, and gets none
        self._graph = graph
        self._keys = keys
        self._folder = folder
        self._embedder = embedder or _embedder(keys)
        self._meaning_alone = False
        self._early = early  # the index is of a version whose keywords are not read: they are made anew

    @classmethod
    def rebuilt(cls, earlier: Graph) -> "Callable[[Graph, Path], None]":
        """An indexer for a store that a changed graph goes to.

        The index is taken over where all names stay; else what is known of names that stay is, and others are added.
        """
        if earlier.path is None or not (earlier.path / INDEX / "index.json").exists():
            return cls.build

        def build(graph: Graph, folder: Path) -> None:
            kept = kept_names(earlier, graph)
            if len(kept) == earlier.num_nodes and np.array_equal(kept, np.arange(len(kept))):
                with index_files(earlier, "index.json", "keys.", "keywords/", "dense.") as there:
                    _copy(there, folder)
            else:
                cls.open(earlier)._follow(graph, kept, folder)

        return build

    @classmethod
    def build(cls, graph: Graph, folder: Path, vectors: When = "later") -> None:
        """Write the index of a graph into a folder: an indexer for the store.

        Vectors of names are the slowest part, and few questions need them: `vectors` says when they are made.
        """
        with scratch(folder, ".keys-") as place:
            room = Spill(place, quarter_of_machine()) if graph.num_nodes > _IN_MEMORY else Memory()
            keys = Keys.build(graph, room)
            forms = _forms(keys)
            Keywords.build(forms, folder / "keywords")
            dense = Dense.build(forms, _embedder(keys)) if vectors == "now" else None
            _write(folder, graph, keys, dense, vectors != "never")

    def _follow(self, graph: Graph, kept: Ints, folder: Path) -> None:
        """Write the index of what the graph became into a folder. `kept` is of `kept_names`."""
        assert self._folder is not None
        keys, places = self._keys.follow(graph, kept)
        forms = _forms(keys)
        with index_files(self._graph, "keywords/") as there:
            own = there / "keywords"
            if self._early or not self._keywords.follow(own, folder / "keywords", forms, places):
                Keywords.build(forms, folder / "keywords")
        dense = None
        if self.by_meaning and Dense.stored(self._folder):
            # what a network gives for a name depends on the names beside it, a little
            same = self._embedder == _embedder(keys) == "static"
            dense = Dense.build(forms, _embedder(keys), (self._dense, places) if same else None)
        _write(folder, graph, keys, dense, self.by_meaning)

    @classmethod
    def open(cls, graph: Graph) -> "Index":
        """The index in a graph's store; one in memory where the graph has no store or its store no index.

        Raises StoreError where the index is damaged or the store was replaced since the graph was opened.
        """
        if graph.path is None or not (graph.path / INDEX / "index.json").exists():
            return cls(graph, Keys.build(graph))
        with index_files(graph, "index.json", "keys.") as folder:
            version, names, literals, embedder, by_meaning = _read_about(folder, graph)
            keys = Keys.load(folder, graph.num_nodes, names, literals, hashed=version > 1)
        return cls(graph, keys, folder, embedder, by_meaning, version < VERSION)

    def retrieving(self, retriever: str) -> "Index":
        """This index with another way to find what is not called exactly so: `keyword`, or the name of an embedder.

        By an embedder names are found by meaning alone. "" is this index. Raises UsageError for an unknown one.
        """
        if not retriever:
            return self
        if retriever == KEYWORD:
            return Index(self._graph, self._keys, self._folder, self._embedder, False, self._early)
        check_embedder(retriever, "retriever", (KEYWORD,))
        embedder = load_embedder(retriever).name
        folder = self._folder if embedder == self._embedder else None
        found = Index(self._graph, self._keys, folder, embedder, early=self._early)
        found._meaning_alone = True
        return found

    @property
    def graph(self) -> Graph:
        """The graph whose nodes it finds."""
        return self._graph

    @cached_property
    def _keywords(self) -> Keywords:
        if self._folder is not None and not self._early:
            with index_files(self._graph, "keywords/") as folder:
                return Keywords.open(folder / "keywords", _forms(self._keys))
        return Keywords.build(_forms(self._keys))

    @cached_property
    def _dense(self) -> Dense:
        if self._folder is None:
            return Dense.build(_forms(self._keys), self._embedder)
        with index_files(self._graph, "dense.") as folder:
            if Dense.stored(folder):
                return Dense.load(folder, self._embedder, self._keys.names)
            dense = Dense.build(_forms(self._keys), self._embedder)
            dense.add(folder)
            return dense

    def _finds_by_meaning(self) -> bool:
        """Whether names have vectors, or few enough of them lack some for a question to wait for."""
        stored = self._folder is not None and Dense.stored(self._folder)
        return self.by_meaning and (stored or self._keys.names <= MOST_AT_ONCE)

    def exact(self, text: str) -> list[int]:
        """Nodes whose name or id is exactly this text, up to case, accents and punctuation.

        Where there are none: nodes whose name is this text but for a possessive or an inversion
        ("Schoenlein-Henoch Purpura"). Those written letter for letter as `text` come first.
        """
        form = normalise(text)
        if not form:
            return []
        nodes, _ = self._keys.nodes_of(self._keys.find([form])[0])
        if len(nodes) > 1:
            written = text.strip()
            nodes.sort(key=lambda node: written not in (self._graph.label(node), self._graph.id(node)))
        return nodes

    def mentions(self, text: str, longest: int = 12) -> list[Mention]:
        """Spans of up to `longest` whole words of a question that are a node's name or id.

        What stands in double quotes is looked up whole, however long. Longest first, overlapping ones too. Singular, plural and possessive count as the same name, but
        such mentions are not `literal`.
        """
        return self._keys.mentions(text, longest)

    def near_mentions(self, text: str, least: float = 0.6) -> list[Mention]:
        """Spans of a question that are nearly a node's name, at least this like it (0 to 1), likest first.

        Only spans of up to four words of which some word stands in no name are looked at, as such a word may
        be misspelt. Costs a search for each: for questions without useful mentions.
        """
        if not self._keys.names:
            return []
        found = words(text)[:MAX_WORDS]
        strange = [not self._keywords.knows(word.form) for word in found]
        spans = [
            (i, j)
            for i in range(len(found))
            for j in range(i, min(i + _NEAR_WORDS, len(found)))
            if any(strange[i : j + 1]) and found[j].end - found[i].start >= _NEAR_LETTERS
        ]
        scored = []
        for i, j in spans[:_NEAR_SPANS]:
            best = self._by_keyword(" ".join(word.bare for word in found[i : j + 1]), None, _CANDIDATES)
            top = max(best.values(), default=0.0)
            if top >= least:
                nodes = tuple(node for node, score in best.items() if score == top)
                scored.append((top, Mention(found[i].start, found[j].end, nodes, literal=False)))
        return [mention for _, mention in sorted(scored, key=lambda pair: -pair[0])]

    def has_word(self, word: str) -> bool:
        """Whether any name or id of the graph has this word, in lower case."""
        return bool(self._keys.names) and self._keywords.knows(word)

    def only_with(self, text: str) -> int | None:
        """The one node whose name has these words in a row and more: Heathrow for London Heathrow Airport; none where others may."""
        form = normalise(text[:_MAX_CHARACTERS])
        if not form or not any(self._keywords.names_with(word) == 1 for word in form.split()):
            return None
        near = self._keywords.search(form, _CANDIDATES)
        having = [p for p in near if f" {form} " in f" {self._keys.texts[p]} "]
        nodes = self._keys.nodes_of(np.array(having, np.int64))[0]
        return nodes[0] if len(nodes) == 1 else None

    def beginning(self, text: str, k: int = 10) -> list[int]:
        """Up to `k` nodes with a name of which some word begins with a text, as people write it letter by letter."""
        form = normalise(text[:_MAX_CHARACTERS])
        return self._keys.beginning(form, k) if form else []

    def retrieve(self, text: str, node_type: str | None = None, k: int = 10) -> list[Hit]:
        """The `k` nodes that fit a text best, best first, of one type if given.

        Raises CheckError for an unknown node type.
        """
        span = self._graph.indices(node_type)
        exact = [node for node in self.exact(text) if node in span]
        hits = [Hit(node, 1.0, self._how(node, text)) for node in exact[:k]]
        if hits:
            return hits
        form = normalise(text[:_MAX_CHARACTERS])
        return self._alike(form, node_type, k) if form and k > 0 and self._keys.names else []

    def _how(self, node: int, text: str) -> Literal["exact", "id"]:
        is_id = normalise(self._graph.id(node)) == normalise(text) != normalise(self._graph.label(node))
        return "id" if is_id else "exact"

    def _alike(self, form: str, node_type: str | None, k: int) -> list[Hit]:
        """Candidates by keyword under one likeness; by meaning too where none of them is surely meant."""
        kinds = [t.name for t in self._graph.schema.node_types]
        kind = kinds.index(node_type) if node_type is not None and len(kinds) > 1 else None
        limit = max(_CANDIDATES, 2 * k)
        if self._meaning_alone:
            return self._near_in_meaning(form, kind, k)
        best = self._by_keyword(form, kind, limit)
        if self._finds_by_meaning() and max(best.values(), default=0.0) < _SURE:
            near, cosines = self._dense.search(form, limit, None if kind is None else self._named(kind))
            for node, score in self._best(near, cosines * _DENSE[self._embedder]).items():
                best[node] = max(score, best.get(node, 0.0))
        ranked = sorted(best.items(), key=lambda item: -item[1])
        return [Hit(node, score, "fused") for node, score in ranked[:k]]

    def near_in_meaning(self, text: str, node_type: str | None = None, k: int = 1) -> list[Hit]:
        """The `k` nodes whose names are nearest in meaning to some words; their scores are cosines.

        None where a word is none of English, whose vector says nothing, or nothing is near.
        """
        form = normalise(text[:_MAX_CHARACTERS])
        kinds = [t.name for t in self._graph.schema.node_types]
        kind = kinds.index(node_type) if node_type is not None and len(kinds) > 1 else None
        if not (self.by_meaning and form and self._keys.names) or not all(map(is_word, form.split())):
            return []
        hits = [h for h in self._near_in_meaning(form, kind, k + _CANDIDATES) if h.score >= _NEAR_IN_MEANING]
        return self._told_by(form, hits)[:k]

    def _told_by(self, form: str, hits: list[Hit]) -> list[Hit]:
        """The hits, first what has an edge with the node that a text says them to be of: Paris before France for "capitol of france".

        Only what is as near as the best, but for chance: "republic of france" is France.
        """
        ends = [m for m in self.mentions(form) if m.end == len(form) and form[: m.start].endswith(" of ")]
        of = [node for m in ends[:1] for node in m.nodes]
        if not of or not hits:
            return hits
        beside = np.unique(np.concatenate([self._graph.neighbours(node) for node in of]))
        level = [h for h in hits if h.score >= hits[0].score - _BY_CHANCE and h.node in beside]
        return [*level, *(h for h in hits if h not in level)]

    def _near_in_meaning(self, form: str, kind: int | None, k: int) -> list[Hit]:
        near, cosines = self._dense.search(
            form, max(_CANDIDATES, 2 * k), None if kind is None else self._named(kind)
        )
        best = self._best(near, cosines)
        return [Hit(node, score, "meaning") for node, score in list(best.items())[:k]]

    def _by_keyword(self, form: str, kind: int | None, limit: int) -> dict[int, float]:
        """Nodes whose names share words or trigrams with a normal form, and their likeness, likest first."""
        positions = self._keywords.search(form, limit, None if kind is None else partial(self._is_of, kind))
        names = [self._keys.texts[position] for position in positions]
        return self._best(positions, likeness(self._keywords.weigh(form), names))

    def _best(self, positions: Sequence[int] | Ints, scores: NDArray[np.float64]) -> dict[int, float]:
        """Each node's best score, best first."""
        best: dict[int, float] = {}
        for i in np.argsort(-scores, kind="stable"):
            if scores[i] > 0:
                best.setdefault(int(self._keys.nodes[positions[i]]), min(1.0, float(scores[i])))
        return best

    def _named(self, kind: int) -> Ints:
        """Positions of the names of one type's nodes."""
        return np.flatnonzero(self._is_of(kind, slice(self._keys.names)))

    def _is_of(self, kind: int, positions: Ints | slice) -> Bools:
        """Whether each of these names is of a node of one type."""
        t, owners = self._graph.schema.node_types[kind], self._keys.nodes[positions]
        return np.asarray((owners >= t.first) & (owners < t.first + t.count), np.bool_)


def _write(folder: Path, graph: Graph, keys: Keys, dense: Dense | None, by_meaning: bool) -> None:
    """Write an index but for its keywords."""
    keys.save(folder)
    if dense is not None:
        dense.save(folder)
    about = {
        "version": VERSION,
        "nodes": graph.num_nodes,
        "names": keys.names,
        "literals": keys.literals,
        "embedder": _embedder(keys),
        "vectors": by_meaning,
    }
    (folder / "index.json").write_text(json.dumps(about))


def _copy(there: Path, folder: Path) -> None:
    """Copy an index into another folder."""
    shutil.copytree(there / "keywords", folder / "keywords")
    for file in there.iterdir():
        if file.name == "index.json" or file.name.startswith(("keys.", "dense.")):
            shutil.copy(file, folder / file.name)


def _embedder(keys: Keys) -> str:
    return "minilm" if keys.names <= _FEW else "static"


def _forms(keys: Keys) -> Texts:
    return keys.texts.first(keys.names)


def _read_about(folder: Path, graph: Graph) -> tuple[int, int, int, str, bool]:
    try:
        about = read_json((folder / "index.json").read_text())
        version, nodes, names, literals = (
            int(about[key]) for key in ("version", "nodes", "names", "literals")
        )
        embedder = str(about["embedder"])
        by_meaning = bool(about.get("vectors", True))  # an older index says nothing, and has them
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(folder, f"index.json: {error!r}") from error
    if version not in READ:
        raise StoreError(
            f"{folder}: search index of version {version}, not {VERSION}. Import the graph again."
        )
    if embedder not in _DENSE:
        raise damaged(folder, f"index.json: unknown embedder {embedder!r}")
    if nodes != graph.num_nodes:
        raise damaged(folder, f"it covers {nodes} nodes where the graph has {graph.num_nodes}")
    return version, names, literals, embedder, by_meaning
