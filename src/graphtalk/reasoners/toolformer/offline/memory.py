"""How similar sentences were answered: the nearest of those learnt from vote for parts of a call.

Sentences are kept as vectors, and the parts of their calls as hashes: a part can be told again, and not be read.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from graphtalk.search.threads import one_thread

_NEAREST = 60
_SHARP = 10.0  # a sentence that is nearer by 1/10 of the cosine counts e times as much

_STEPS = (0.001, 0.02, 0.04, 0.07, 0.12, 0.2, 0.35, 0.6)


@dataclass(frozen=True)
class Votes:
    """The share of the votes for each part, by its hash. `nearest`: how near the nearest sentence is, in tenths."""

    shares: dict[int, float]
    nearest: int

    def share(self, part: str) -> int:
        """The share of the votes for a part, as the number of the steps of `_STEPS` that it reaches."""
        found = self.shares.get(hash_of(part), 0.0)
        return sum(found >= step for step in _STEPS)


@dataclass(frozen=True)
class Memory:
    """Sentences that were learnt from.

    vectors: their embeddings, each of length 127, shape (sentences, dimensions), int8
    parts: hashes of the parts of their calls and of how each was made, shape (sentences, parts), uint32; 0 is none
    """

    vectors: NDArray[np.int8]
    parts: NDArray[np.uint32]

    def votes(self, vector: NDArray[np.float32], but: int = -1) -> Votes:
        """How the sentences nearest to this embedding of length 1 vote; the one at row `but` has no vote."""
        with one_thread():
            near = self.vectors @ vector.astype(np.float32) / 127
        if but >= 0:
            near[but] = -1.0
        order = np.argsort(-near, kind="stable")[:_NEAREST]
        weights = np.exp(_SHARP * (near[order] - near[order[0]]))
        shares: defaultdict[int, float] = defaultdict(float)
        for row, weight in zip(order, weights / weights.sum(), strict=True):
            for part in set(self.parts[row].tolist()) - {0}:
                shares[part] += float(weight)
        return Votes(dict(shares), int(10 * max(near[order[0]], 0.0)))


def memory_of(vectors: NDArray[np.float32], parts: Iterable[Iterable[str]]) -> Memory:
    """The memory of sentences with these embeddings of length 1, and the parts of their calls; empty is none."""
    hashes = [[hash_of(part) for part in each] for each in parts]
    return Memory(np.round(127 * vectors).astype(np.int8), np.array(hashes, dtype=np.uint32))


def hash_of(part: str) -> int:
    """A part's hash: equal but for case and blanks is equal."""
    return crc32(part.replace(" ", "").lower().encode()) if part else 0
