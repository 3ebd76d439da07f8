"""Sentence embedders that ship with the package: no torch, no network.

`minilm` is all-MiniLM-L6-v2 (Wang et al., 2020; sentence-transformers; Apache-2.0) with int8 weights:
it knows paraphrases. `static` is a table of one vector per token distilled from it (model2vec's recipe):
some hundred times faster, and blind to word order. `scripts/make_embedder` makes both.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import as_file, files
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError, choices
from graphtalk.graphs.adjacency import Ints
from graphtalk.language.wordpiece import wordpiece
from graphtalk.search.threads import one_thread
from graphtalk.search.transformer import LAYERS, WIDTH, batches, minilm, states

Vectors: TypeAlias = NDArray[np.float32]

_MAX_CHARACTERS = 8_192  # longer texts are cut before tokenising: the networks read 256 tokens at most
_MAX_TOKENS = 256
_MOST_THREADS = 4
_CHUNK = 65_536
_GROUPS = 128  # summed at a time: few enough to stay in the processor's cache


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """The name by which `load_embedder` knows it."""
        ...

    @property
    def dimension(self) -> int:
        """Length of its vectors."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised vectors of the texts, shape (len(texts), dimension). No tokens: a zero vector."""
        ...


@cache
def load_embedder(name: str = "minilm") -> Embedder:
    """The shipped embedder of this name, or `sentence-transformers:MODEL`, `st:MODEL` for short.

    Raises UsageError for an unknown name.
    """
    if name.startswith(("sentence-transformers:", "st:")):
        from graphtalk.search.st_embedder import StEmbedder  # needs torch

        return StEmbedder(name.partition(":")[2])
    check_embedder(name)
    return _SHIPPED[name]()


def check_embedder(name: str, what: str = "embedder", others: Sequence[str] = ()) -> None:
    """Raises UsageError for a name that no embedder has; `others` stand for something else where `what` is asked for."""
    if name not in _SHIPPED and not name.startswith(("sentence-transformers:", "st:")):
        raise UsageError(f"No {what} {name!r}. {choices(name, [*others, *_SHIPPED, 'st:MODEL'])}")


class MiniLM:
    """all-MiniLM-L6-v2: 384 dimensions, a few milliseconds a sentence."""

    name = "minilm"
    dimension = WIDTH

    def embed(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised vectors, shape (len(texts), 384). Texts of one length are run together, in as many threads as help."""
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
        rows = [_clip(wordpiece().ids(text)) for text in _cut(texts)]
        together, weights = list(batches(rows)), minilm()

        def run(places: list[int]) -> None:
            means = states(np.array([rows[i] for i in places]), weights, "encoder", LAYERS).mean(1)
            vectors[places] = means / np.linalg.norm(means, axis=1, keepdims=True)

        # Threads over batches, none within a product: those of BLAS wait for each other.
        with one_thread(), ThreadPoolExecutor(min(_MOST_THREADS, os.cpu_count() or 1)) as pool:
            list(pool.map(run, together))
        return vectors


class StaticTable:
    """Weighted token vectors, averaged: 256 dimensions, tens of thousands of sentences a second."""

    name = "static"
    dimension = 256

    def embed(self, texts: Sequence[str]) -> Vectors:
        """L2-normalised vectors, shape (len(texts), 256)."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), _CHUNK):
            vectors[start : start + _CHUNK] = self._sums(texts[start : start + _CHUNK])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def _sums(self, texts: Sequence[str]) -> Vectors:
        """Sums of token vectors. Each different word is tokenised once: tokens never span white space."""
        split = [text.split() for text in _cut(texts)]
        places: dict[str, int] = {}
        words = [places.setdefault(word, len(places)) for parts in split for word in parts]
        encoded = [wordpiece().tokens(word) for word in places]
        used, tokens = np.unique(np.fromiter(chain.from_iterable(encoded), np.int64), return_inverse=True)
        vectors, scales = _static_table()
        by_word = _group_sums(vectors[used] * scales[used, None], tokens, list(map(len, encoded)))
        return _group_sums(by_word, np.array(words, np.int64), list(map(len, split)))


def _group_sums(rows: Vectors, picked: Ints, lengths: Sequence[int]) -> Vectors:
    """Sums of the picked rows, group after group: the longest groups first, all groups' n-th rows together.

    Shapes: rows (n, d), picked (sum of lengths,) → (len(lengths), d). By numpy alone: importing scipy.sparse
    takes longer than a short question.
    """
    sizes = np.array(lengths, np.int64)
    starts = np.cumsum(sizes) - sizes
    sums = np.zeros((len(sizes), rows.shape[1]), rows.dtype)
    order = np.argsort(-sizes, kind="stable")
    for at in range(0, len(order), _GROUPS):
        groups = order[at : at + _GROUPS]
        first, shortness = starts[groups], -sizes[groups]
        part = np.zeros((len(groups), rows.shape[1]), rows.dtype)
        for n in range(-shortness[0]):
            longer = np.searchsorted(shortness, -n)
            part[:longer] += rows[picked[first[:longer] + n]]
        sums[groups] = part
    return sums


_SHIPPED: dict[str, Callable[[], Embedder]] = {"minilm": MiniLM, "static": StaticTable}


def _cut(texts: Iterable[str]) -> list[str]:
    """Texts that the tokenizer can take: not too long, and without lone surrogates."""
    return [text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode() for text in texts]


def _clip(ids: list[int]) -> list[int]:
    return ids if len(ids) <= _MAX_TOKENS else [*ids[: _MAX_TOKENS - 1], ids[-1]]


def _model(name: str) -> Path:
    with as_file(files("graphtalk.search") / "models" / name) as path:
        return path


@cache
def _static_table() -> tuple[NDArray[np.int8], Vectors]:
    vectors, scales = (np.load(_model(f"static.{part}.npy"), mmap_mode="r") for part in ("vectors", "scales"))
    return vectors, scales
