"""What the annotator's classifier sees of a text: its words, their neighbours, the order of mentions, its meaning."""

import re
from collections.abc import Iterator, Sequence
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphtalk.language.english import stem
from graphtalk.reasoners.toolformer.offline.mentions import SLOT
from graphtalk.search import load_embedder

BUCKETS = 1 << 15
"""Word features are hashed into so many places."""

_ASKING = frozenset("what which who whom whose where when why how whether ?".split())
_AS_WORDS = {
    "<data>": "the network", "<graph>": "the graph", "<slot>": "something", "<paper>": "the paper",
    "<instance>": "the molecule", "<user>": "the user", "<item>": "the item", "<relation>": "the relation",
    "<entity>": "the entity", "<node>": "the node", "<number>": "ten",
}  # fmt: skip
_BREAK = frozenset({",", ";", ".", ":", "and", "which", "while", "but"})


def segment(shape: Sequence[str], slot: int) -> tuple[str, ...]:
    """The part of a shape that tells about one of its slots, given by place: up to the next slot's clause."""
    places = [at for at, mask in enumerate(shape) if mask == SLOT]
    if len(places) < 2:
        return tuple(shape)
    which = places.index(slot)
    start = _boundary(shape, places[which - 1], slot) if which else 0
    end = _boundary(shape, slot, places[which + 1]) if which + 1 < len(places) else len(shape)
    return tuple(shape[start:end])


def _boundary(shape: Sequence[str], first: int, second: int) -> int:
    return next((at for at in range(second - 1, first, -1) if shape[at] in _BREAK), first + 1)


def sentence(shape: Sequence[str]) -> str:
    """A shape as plain English, for the sentence embedder."""
    text = " ".join(_AS_WORDS.get(mask, mask) for mask in shape)
    return re.sub(r"\bthe the\b", "the", text)


def hashed(shape: Sequence[str]) -> NDArray[np.int64]:
    """The places of a shape's word features, sorted, each once."""
    found = {crc32(feature.encode()) % BUCKETS for feature in _features(shape)}
    return np.array(sorted(found), dtype=np.int64)


def word_hashes(words: Sequence[str]) -> NDArray[np.uint32]:
    """A hash for the stem of each word."""
    return np.array([crc32(stem(word).encode()) for word in words], dtype=np.uint32)


def embedded(shapes: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """The meanings of shapes, one row each, from the sentence embedder that ships with the package."""
    return load_embedder("minilm").embed([sentence(shape) for shape in shapes])


def _features(shape: Sequence[str]) -> Iterator[str]:
    words = ["^", *(stem(mask) if mask.isalpha() else mask for mask in shape), "$"]
    for at, word in enumerate(words):
        yield word
        if at + 1 < len(words):
            yield f"{word} {words[at + 1]}"
        if at + 2 < len(words):
            yield f"{word} _ {words[at + 2]}"
            yield f"{word} {words[at + 1]} {words[at + 2]}"
    order = ["?" if mask in _ASKING else mask for mask in shape if mask.startswith("<") or mask in _ASKING]
    yield "order " + " ".join(mask for mask in order if mask not in ("<data>", "<graph>"))
    yield f"slot {SLOT in shape}"
