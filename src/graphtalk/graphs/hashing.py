"""Look-up of strings by 64-bit hash: sorted arrays that can be memory-mapped."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs.spill import Room

_SHARE_BITS = 5
_SHARES = 1 << _SHARE_BITS

Hashes: TypeAlias = NDArray[np.uint64]


def hash_text(text: str) -> int:
    """A 64-bit hash of `text`, the same on every machine (BLAKE2b)."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Hashes of many texts. Shape (len(texts),)."""
    digests = b"".join(
        blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest() for text in texts
    )
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


class HashIndex:
    """Which positions a text may stand at: `hashes` sorted, `positions` beside them. Collisions are the
    caller's to rule out by comparing the texts."""

    def __init__(self, arrays: Callable[[], tuple[Hashes, NDArray[np.int64]]]) -> None:
        """`arrays` gives both when they are first asked for."""
        self._arrays = arrays

    @cached_property
    def _pair(self) -> tuple[Hashes, NDArray[np.int64]]:
        return self._arrays()

    @property
    def hashes(self) -> Hashes:
        """The hashes, ascending."""
        return self._pair[0]

    @property
    def positions(self) -> NDArray[np.int64]:
        """Where the texts with these hashes stand."""
        return self._pair[1]

    @classmethod
    def build(cls, texts: Sequence[str]) -> "HashIndex":
        """Index `texts` by their position."""
        return cls.of(hash_texts(texts))

    @classmethod
    def of(cls, hashes: Hashes) -> "HashIndex":
        """Index the hashes of texts by their position."""
        order = np.argsort(hashes, kind="stable")
        return cls(lambda: (hashes[order], order))

    @classmethod
    def made_in(cls, room: Room, blocks: Iterable[Hashes]) -> "HashIndex":
        """Index the hashes of texts, which come in blocks, by their position.

        Hashes are spread evenly: those that begin alike are put in order together, a share of all at a time.
        """
        shares = [(room.numbers(np.uint64), room.numbers(np.int64)) for _ in range(_SHARES)]
        start = 0
        for hashes in blocks:
            share = (hashes >> np.uint64(64 - _SHARE_BITS)).astype(np.uint8)
            rows = np.argsort(share, kind="stable")
            ends = np.cumsum(np.bincount(share, minlength=_SHARES))
            for (own, positions), some in zip(shares, np.split(rows, ends[:-1]), strict=True):
                own.add(hashes[some])
                positions.add(start + some)
            start += len(hashes)
        every, places = room.numbers(np.uint64), room.numbers(np.int64)
        for own, positions in shares:
            hashes, where = own.done(), positions.done()
            order = np.argsort(hashes, kind="stable")
            every.add(hashes[order])
            places.add(where[order])
        pair = every.done(), places.done()
        return cls(lambda: pair)

    def find(self, text: str) -> NDArray[np.int64]:
        """Positions whose hash is that of `text`, in ascending order."""
        key = np.uint64(hash_text(text))
        low, high = self.hashes.searchsorted(key, "left"), self.hashes.searchsorted(key, "right")
        return self.positions[low:high]
