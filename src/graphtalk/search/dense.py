"""Nearest names by sentence vectors: signs first, then the vectors themselves.

One bit per dimension (its sign; Charikar, 2002) narrows all names down to a shortlist by counting bits that
differ; the shortlist is ranked by int8 vectors. Both are memory-mapped.
"""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.scratch import scratch
from graphtalk.search.arrays import Texts, load_array
from graphtalk.search.embedder import Embedder, Vectors, load_embedder
from graphtalk.search.threads import one_thread

_CHUNK = 16_384  # names handled at once: their vectors stay in the processor's cache
_EMBEDDED = 8_192  # names embedded at once, between two looks at whether anybody still waits
_SHORTLIST = 2_000
_SIGNS, _VECTORS = "dense.signs.npy", "dense.vectors.npy"

# When a store gets vectors; later: when they are first needed.
When: TypeAlias = Literal["later", "now", "never"]


class Dense:
    """Vectors of names by position: int8, each scaled to its largest entry, and their signs.

    Shapes: vectors (n, d), signs (d / 64, n).
    """

    def __init__(self, embedder: str, vectors: NDArray[np.int8], signs: NDArray[np.uint64]) -> None:
        self.embedder = embedder
        self._vectors = vectors
        self._signs = signs

    @classmethod
    def build(
        cls, forms: Sequence[str] | Texts, embedder: str, earlier: "tuple[Dense, Ints] | None" = None
    ) -> "Dense":
        """Embed names with the shipped embedder of this name.

        `earlier` are vectors of the same embedder, and where in them each name stands, -1 for a new one. Shape (names,).
        """
        model = load_embedder(embedder)
        width = _width(model)
        vectors = np.zeros((len(forms), width), dtype=np.int8)
        signs = np.zeros((width // 64, len(forms)), dtype=np.uint64)
        new = np.arange(len(forms))
        if earlier is not None:
            dense, places = earlier
            kept, new = np.flatnonzero(places >= 0), np.flatnonzero(places < 0)
            vectors[kept], signs[:, kept] = dense._vectors[places[kept]], dense._signs[:, places[kept]]
        for start in range(0, len(new), _EMBEDDED):
            look()
            rows = new[start : start + _EMBEDDED]
            chunk = _padded(model.embed([forms[row] for row in rows.tolist()]))
            vectors[rows], signs[:, rows] = _rounded(chunk), _signs(chunk)
        return cls(embedder, vectors, signs)

    def save(self, folder: Path) -> None:
        """Write into an index folder."""
        np.save(folder / _VECTORS, self._vectors)
        np.save(folder / _SIGNS, self._signs)

    def add(self, folder: Path) -> None:
        """Write into the index folder of a store that is in use. Where that fails, the next process makes them again.

        They are written in a folder of the index first: where a newer store has taken its place, that is gone.
        """
        if not os.access(folder, os.W_OK):
            return
        with suppress(OSError), scratch(folder, ".dense-") as place:
            self.save(place)
            for name in (_SIGNS, _VECTORS):  # `stored` looks for the last one
                os.replace(place / name, folder / name)

    @staticmethod
    def stored(folder: Path) -> bool:
        """Whether an index folder has vectors."""
        return (folder / _VECTORS).exists()

    @classmethod
    def load(cls, folder: Path, embedder: str, size: int) -> "Dense":
        """Map what `save` wrote for `size` names. Raises StoreError where it is damaged."""
        dimension = _width(load_embedder(embedder))
        return cls(
            embedder,
            load_array(folder / _VECTORS, "i", size, dimension),
            load_array(folder / _SIGNS, "u", dimension // 64, size),
        )

    def search(self, text: str, limit: int, among: Ints | None = None) -> tuple[Ints, NDArray[np.float64]]:
        """Positions of the `limit` names nearest to a text, nearest first, and their cosines.

        `among` are the positions to choose from, if not all.
        """
        (vector,) = _padded(self._model.embed([text]))
        places = self._shortlist(vector, among)
        rows = self._vectors[places].astype(np.float32)
        lengths = np.linalg.norm(rows, axis=1) + 1e-9
        with one_thread():
            cosines = (rows @ vector / lengths).astype(np.float64)
        best = np.argsort(-cosines, kind="stable")[:limit]
        return places[best], cosines[best]

    @property
    def _model(self) -> Embedder:
        return load_embedder(self.embedder)

    def _shortlist(self, vector: Vectors, among: Ints | None) -> Ints:
        size = len(self._vectors) if among is None else len(among)
        if size <= _SHORTLIST:
            return np.arange(size) if among is None else among
        wanted = _signs(vector[None])
        differing = np.empty(size, dtype=np.uint16)
        for part in (slice(start, start + _CHUNK) for start in range(0, size, _CHUNK)):
            look()
            signs = self._signs[:, part if among is None else among[part]]
            differing[part] = np.bitwise_count(signs ^ wanted).sum(axis=0, dtype=np.uint16)
        reach = np.searchsorted(np.cumsum(np.bincount(differing)), _SHORTLIST)
        near = np.flatnonzero(differing <= reach)
        return near if among is None else among[near]


def _width(model: Embedder) -> int:
    """The length of stored vectors: of a model's, made up to whole words of 64 signs."""
    return -(-model.dimension // 64) * 64


def _padded(vectors: Vectors) -> Vectors:
    """Vectors with zeros behind them, up to whole words of 64 signs."""
    short = -vectors.shape[1] % 64
    return np.pad(vectors, ((0, 0), (0, short))) if short else vectors


def _rounded(vectors: Vectors) -> NDArray[np.int8]:
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    return np.asarray(np.rint(vectors * (127 / np.where(largest > 0, largest, 1))), dtype=np.int8)


def _signs(vectors: Vectors) -> NDArray[np.uint64]:
    return np.ascontiguousarray(np.packbits(vectors > 0, axis=1).view(np.uint64).T)
