"""Vectors of everything that a graph says: one for each node, one for each different text of edges.

Kept as int8, each row scaled to its largest entry, and memory-mapped. Cosines are exact for these rows: all of them are
looked at, some thousand at a time, so that they stay in the processor's cache.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import StoreError
from graphtalk.core.limits import look
from graphtalk.core.reading import read_json
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.checked import expect, within
from graphtalk.search import texts
from graphtalk.search.arrays import damaged, load_array
from graphtalk.search.embedder import Embedder, Vectors, load_embedder

VERSION = 1
ABOUT = "retrieval.json"
_ROWS = 1_024  # multiplied at once
_EMBEDDED = 65_536  # nodes whose vectors are held at once
_REMEMBERED = 200_000  # different edge texts that are known again; the rest may stand twice


@dataclass(frozen=True, eq=False)
class Rows:
    """Vectors as int8 rows, and the length of each row. Shapes: (n, d), (n,)."""

    values: NDArray[np.int8]
    lengths: Vectors

    def cosines(self, vector: Vectors, among: Ints | None = None) -> NDArray[np.float64]:
        """The cosine with a vector of each row, or of some; 0 where either has no length. Shape (rows,)."""
        size = len(self.values) if among is None else len(among)
        found = np.empty(size, np.float32)
        room = np.empty((min(_ROWS, size), self.values.shape[1]), np.float32)
        for start in range(0, size, _ROWS):
            look()
            span = slice(start, start + _ROWS)
            part = self.values[span if among is None else among[span]]
            rows = room[: len(part)]
            np.copyto(rows, part)
            np.dot(rows, vector, out=found[span])
        lengths = self.lengths if among is None else self.lengths[among]
        length = float(np.linalg.norm(vector)) or 1.0
        return np.asarray(found / (np.where(lengths > 0, lengths, 1.0) * length), np.float64)


@dataclass(frozen=True, eq=False)
class GraphVectors:
    """The vectors of a graph's nodes and of the texts of its edges.

    `text_of` has the text of each edge (numbered through all relations), `counts` how many edges have each text.
    Shapes: nodes (n, d), texts (t, d), text_of (m,), counts (t,).
    """

    embedder: Embedder
    nodes: Rows
    texts: Rows
    text_of: Ints
    counts: Ints

    @classmethod
    def build(
        cls,
        graph: Graph,
        embedder: Embedder,
        folder: Path,
        earlier: "tuple[Graph, GraphVectors] | None" = None,
    ) -> None:
        """Embed a graph into files of a folder. Needs memory for some ten thousand texts at a time.

        `earlier` is what the graph was before it changed, with its vectors: what says the same keeps its vector.
        """
        nodes = _Writer(folder, "nodes", embedder.dimension)
        if earlier is None:
            for block in texts.node_blocks(graph):
                nodes.add(embedder.embed(block))
        else:
            old, vectors = earlier
            embedder = Remembering.of(old, vectors)
            same = texts.unchanged(old, graph)
            for start in range(0, len(same), _EMBEDDED):
                rows = same[start : start + _EMBEDDED]
                new = np.flatnonzero(rows < 0)
                kept = np.flatnonzero(rows >= 0)
                found = np.zeros((len(rows), embedder.dimension), np.int8)
                lengths = np.zeros(len(rows), np.float32)
                found[kept], lengths[kept] = (
                    vectors.nodes.values[rows[kept]],
                    vectors.nodes.lengths[rows[kept]],
                )
                if len(new):
                    found[new], lengths[new] = _rounded(embedder.embed(texts.node_texts(graph, start + new)))
                nodes.keep(found, lengths)
        nodes.close()
        count = _write_edges(graph, embedder, folder)
        about = {
            "version": VERSION,
            "embedder": embedder.name,
            "dimension": embedder.dimension,
            "nodes": graph.num_nodes,
            "edges": graph.num_edges,
            "texts": count,
        }
        (folder / ABOUT).write_text(json.dumps(about))

    @classmethod
    def load(cls, folder: Path, graph: Graph) -> "GraphVectors":
        """Map what `build` wrote. Raises StoreError where it is damaged, of another graph, or of another embedder."""
        about = _read_about(folder)
        if (about.nodes, about.edges) != (graph.num_nodes, graph.num_edges):
            raise damaged(folder, f"it covers {about.nodes} nodes and {about.edges} edges of another graph")
        embedder = load_embedder(about.embedder)
        if embedder.dimension != about.dimension:
            raise StoreError(
                f"{folder}: the vectors have {about.dimension} dimensions, but the embedder {about.embedder!r} "
                f"now gives {embedder.dimension}. Import the graph again."
            )
        nodes = _load_rows(folder, "nodes", (about.nodes, about.dimension))
        rows = _load_rows(folder, "texts", (about.texts, about.dimension))
        text_of = load_array(folder / "edges.text.npy", "i", about.edges)
        counts = load_array(folder / "texts.counts.npy", "i", about.texts)
        expect(folder / "edges.text.npy", within(text_of, 0, about.texts), "a text for every edge")
        expect(folder / "texts.counts.npy", counts.sum() == about.edges, "how many edges have each text")
        return cls(embedder, nodes, rows, text_of, counts)


@dataclass(frozen=True)
class Remembering:
    """An embedder that gives texts of edges which were embedded before the rows that they have.

    A row is scaled to its largest entry, so that it is the same when it is rounded again. Satisfies Embedder.
    """

    embedder: Embedder
    known: Mapping[str, NDArray[np.int8]]

    @classmethod
    def of(cls, graph: Graph, vectors: GraphVectors) -> "Remembering":
        """All that was embedded of a graph's edges."""
        known: dict[str, NDArray[np.int8]] = {}
        at = 0
        for block in _edge_blocks(graph):
            lines, count = ([block[0]], block[1]) if isinstance(block, tuple) else (block, len(block))
            rows = vectors.texts.values[vectors.text_of[at : at + len(lines)]]
            known.update(zip(lines, rows, strict=True))
            at += count
        return cls(vectors.embedder, known)

    @property
    def name(self) -> str:
        """The name of the embedder."""
        return self.embedder.name

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self.embedder.dimension

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension)."""
        found = np.empty((len(texts), self.dimension), np.float32)
        new = [i for i, text in enumerate(texts) if text not in self.known]
        for i, text in enumerate(texts):
            if (row := self.known.get(text)) is not None:
                found[i] = row
        if new:
            found[new] = self.embedder.embed([texts[i] for i in new])
        return found


@dataclass(frozen=True)
class _About:
    embedder: str
    dimension: int
    nodes: int
    edges: int
    texts: int


def _read_about(folder: Path) -> _About:
    try:
        about = read_json((folder / ABOUT).read_text())
        version = int(about["version"])
        found = _About(
            str(about["embedder"]), *(int(about[name]) for name in ("dimension", "nodes", "edges", "texts"))
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise damaged(folder, f"{ABOUT}: {error!r}") from error
    if version != VERSION:
        raise StoreError(f"{folder}: vectors of version {version}, not {VERSION}. Import the graph again.")
    return found


def _write_edges(graph: Graph, embedder: Embedder, folder: Path) -> int:
    """Embed each different text of the edges once, and write which edge has which. How many texts there are."""
    rows = _Writer(folder, "texts", embedder.dimension)
    text_of = np.empty(graph.num_edges, np.int32)
    known: dict[str, int] = {}
    at = 0
    for block in _edge_blocks(graph):
        if isinstance(block, tuple):
            said, count = block
            text_of[at : at + count] = _numbers([said], known, rows, embedder)[0]
        else:
            count = len(block)
            text_of[at : at + count] = _numbers(block, known, rows, embedder)
        at += count
    rows.close()
    np.save(folder / "edges.text.npy", text_of)
    np.save(folder / "texts.counts.npy", np.bincount(text_of, minlength=rows.count))
    return rows.count


def _edge_blocks(graph: Graph) -> Iterator[list[str] | tuple[str, int]]:
    """The texts of all edges in their order: a block of them, or one text and how many edges have it."""
    for position, relation in enumerate(graph.schema.relations):
        if texts.embedded(relation):
            yield from texts.edge_blocks(graph, position)
        elif relation.count:
            yield texts.one_line(relation.name), relation.count


def _numbers(said: Sequence[str], known: dict[str, int], rows: "_Writer", embedder: Embedder) -> Ints:
    """The number of each text; new ones are embedded."""
    if len(known) > _REMEMBERED:
        known.clear()  # equal texts have equal vectors, and what is equally similar shares a prize all the same
    new = list(dict.fromkeys(text for text in said if text not in known))
    known.update({text: rows.count + i for i, text in enumerate(new)})
    rows.add(embedder.embed(new))
    return np.fromiter((known[text] for text in said), np.int64, len(said))


def _rounded(vectors: Vectors) -> tuple[NDArray[np.int8], Vectors]:
    """Vectors as int8, each scaled to its largest entry, and the lengths of these rows. Shapes: (n, d), (n,)."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    rows = np.rint(vectors * (127 / np.where(largest > 0, largest, 1))).astype(np.int8)
    return rows, np.linalg.norm(rows.astype(np.float32), axis=1)


class _Writer:
    """Writes rows to `NAME.vectors.npy` and `NAME.lengths.npy` as they come: their number is known at the end only."""

    def __init__(self, folder: Path, name: str, dimension: int) -> None:
        self.count = 0
        self._dimension = dimension
        self._lengths: list[Vectors] = []
        self._path = folder / f"{name}.vectors.npy"
        self._lengths_path = folder / f"{name}.lengths.npy"
        self._file = self._path.open("wb")
        self._header()

    def add(self, vectors: Vectors) -> None:
        """Append vectors, shape (any, dimension)."""
        look()
        if len(vectors):
            self.keep(*_rounded(vectors))

    def keep(self, rows: NDArray[np.int8], lengths: Vectors) -> None:
        """Append rows as they are, with their lengths. Shapes: (any, dimension), (any,)."""
        rows.tofile(self._file)
        self._lengths.append(lengths)
        self.count += len(rows)

    def close(self) -> None:
        """Write how many there are, and their lengths."""
        self._file.flush()
        self._file.seek(0)
        self._header()
        self._file.close()
        np.save(self._lengths_path, np.concatenate([np.empty(0, np.float32), *self._lengths]))

    def _header(self) -> None:
        shape = (self.count, self._dimension)
        header = {"descr": "|i1", "fortran_order": False, "shape": shape}
        self._file.seek(0)
        np.lib.format.write_array_header_1_0(self._file, header)  # padded: the count may grow in place


def _load_rows(folder: Path, name: str, shape: tuple[int, int]) -> Rows:
    values = load_array(folder / f"{name}.vectors.npy", "i", *shape)
    lengths = load_array(folder / f"{name}.lengths.npy", "f", shape[0])
    return Rows(values, lengths)
