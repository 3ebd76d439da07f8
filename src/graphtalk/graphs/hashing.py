"""Look-up of texts by 64-bit hash: sorted arrays that can be memory-mapped.

A text's UTF-8 bytes are mixed eight at a time, those of many texts at once: h = (h ^ eight bytes) * M, h ^= h >> 32, beginning
with the number of bytes times another odd number; in the end the high bits, by which hashes are put in order, are mixed once
more. Long texts, which would take many turns, have BLAKE2b. Who wants texts of one hash can make them: whoever finds texts
compares them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs.spill import Room

_SHARE_BITS = 5
_SHARES = 1 << _SHARE_BITS
_LONG = 256  # bytes
_MIXER, _LAST = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
"""2^64 by the golden ratio, as in Fibonacci hashing (Knuth 1973, section 6.4); and another odd number."""
_WHOLE = (1 << 64) - 1
_ENDS = np.array([(1 << 8 * left) - 1 for left in range(9)], np.uint64)  # the bytes that a text still has

Hashes: TypeAlias = NDArray[np.uint64]
Bytes: TypeAlias = NDArray[np.uint8]


def hash_text(text: str) -> int:
    """A 64-bit hash of `text`, the same on every machine."""
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _LONG:
        return _hash_long(data)
    mixed = len(data) * _LAST & _WHOLE
    for start in range(0, len(data), 8):
        mixed = (mixed ^ int.from_bytes(data[start : start + 8], "little")) * _MIXER & _WHOLE
        mixed ^= mixed >> 32
    mixed = mixed * _LAST & _WHOLE
    return mixed ^ mixed >> 29


def _hash_long(data: bytes) -> int:
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")


def hash_texts(texts: Sequence[str]) -> Hashes:
    """Hashes of many texts. Shape (len(texts),)."""
    return hash_column(pa.array(texts, pa.string()))


def hash_column(texts: pa.Array) -> Hashes:
    """The hash of each text of a column; of none that of the empty one. Shape (len(texts),)."""
    return hash_spans(*spans_of(texts))


def spans_of(texts: pa.Array) -> tuple[Bytes, NDArray[np.int64]]:
    """The UTF-8 bytes of a column of texts, not copied, and where each begins in them, and then their end. Shapes: (bytes,), (texts + 1,)."""
    if not len(texts):
        return np.empty(0, np.uint8), np.zeros(1, np.int64)
    _, offsets, data = texts.buffers()
    width = np.int64 if pa.types.is_large_string(texts.type) else np.int32
    starts = np.frombuffer(offsets, width)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    return np.frombuffer(data or b"", np.uint8)[starts[0] : starts[-1]], starts - starts[0]


def hash_spans(data: Bytes, starts: NDArray[np.int64]) -> Hashes:
    """Hashes of texts that are given as `spans_of` gives them. Shape (texts,)."""
    lengths = np.diff(starts)
    padded = np.append(data, np.zeros(8, np.uint8))
    eight = np.ndarray(len(data) + 1, "<u8", padded, strides=(1,))  # the eight bytes from each place on
    mixed = lengths.astype(np.uint64) * np.uint64(_LAST)
    short = lengths <= _LONG
    for done in range(0, int(lengths[short].max(initial=0)), 8):
        rows = np.flatnonzero(short & (lengths > done))
        here = eight[starts[rows] + done] & _ENDS[np.minimum(lengths[rows] - done, 8)]
        here = (mixed[rows] ^ here) * np.uint64(_MIXER)
        mixed[rows] = here ^ here >> np.uint64(32)
    mixed *= np.uint64(_LAST)
    mixed ^= mixed >> np.uint64(29)
    for row in np.flatnonzero(~short).tolist():
        mixed[row] = _hash_long(data[starts[row] : starts[row + 1]].tobytes())
    return mixed


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
