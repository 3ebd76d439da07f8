"""What the indexes keep on disk: arrays and lists of texts that are memory-mapped, never parsed."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import DamagedError
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.checked import Mapped, expect, rises
from graphtalk.graphs.hashing import Hashes, hash_spans, spans_of

Bools: TypeAlias = NDArray[np.bool_]

_BLOCK = 65_536  # texts that are Python's at a time


class Texts:
    """A list of texts as one array of UTF-8 bytes and where each begins. Shapes: (bytes,), (texts + 1,)."""

    def __init__(self, data: NDArray[np.uint8], starts: Ints) -> None:
        self.data = data
        self.starts = starts

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """Join texts."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        starts = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(part) for part in encoded], out=starts[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), starts)

    @classmethod
    def of_column(cls, column: pa.ChunkedArray) -> "Texts":
        """The cells of a column of texts, an empty one where there is none. The bytes of a column in one piece are not copied."""
        return cls.joined([cls(*spans_of(chunk)) for chunk in column.chunks])

    @classmethod
    def joined(cls, parts: Sequence["Texts"]) -> "Texts":
        """The texts of one list after those of another."""
        if len(parts) == 1:
            return parts[0]
        lengths = [np.diff(part.starts) for part in parts]
        starts = np.cumsum(np.concatenate([np.zeros(1, np.int64), *lengths]))
        return cls(np.concatenate([np.empty(0, np.uint8), *(part.data for part in parts)]), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def bytes(self, position: int) -> bytes:
        """The UTF-8 bytes of one text."""
        return self.data[int(self.starts[position]) : int(self.starts[position + 1])].tobytes()

    def __getitem__(self, position: int) -> str:
        return self.bytes(position).decode("utf-8", "replace")

    def __iter__(self) -> Iterator[str]:
        every = self.column(len(self))
        for start in range(0, len(self), _BLOCK):
            yield from every.slice(start, _BLOCK).to_pylist()

    def first(self, count: int) -> "Texts":
        """The first so many texts, not copied."""
        return Texts(self.data, self.starts[: count + 1])

    def part(self, start: int, end: int) -> "Texts":
        """The texts from one position to another."""
        starts = self.starts[start : end + 1]
        return Texts(self.data[starts[0] : starts[-1]], starts - starts[0])

    def column(self, count: int) -> pa.Array:
        """The first so many texts as an Arrow array, not copied."""
        buffers = [None, pa.py_buffer(np.asarray(self.starts, np.int64)), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_string(), count, buffers)

    def take(self, places: Ints) -> "Texts":
        """The texts at these places, in their order."""
        positions, lengths = gather(self.starts, places)
        return Texts(self.data[positions], np.append(0, np.cumsum(lengths)))

    def with_piece(self, text: str) -> Ints:
        """The places of texts that have this one in them, ascending."""
        piece = text.encode()
        found = np.flatnonzero(self.data == piece[0])
        for place in range(1, len(piece)):
            found = found[found + place < len(self.data)]
            found = found[self.data[found + place] == piece[place]]
        text_of = np.searchsorted(self.starts, found, "right") - 1
        return np.unique(text_of[found + len(piece) <= self.starts[text_of + 1]])

    def same_as(self, other: "Texts") -> Bools:
        """Whether the texts of two lists of one length are equal, one by one. Shape (texts,)."""
        same: Bools = np.diff(self.starts) == np.diff(other.starts)
        both = np.flatnonzero(same)
        mine, theirs = self.take(both), other.take(both)
        differ = np.flatnonzero(mine.data != theirs.data)
        same[both[np.searchsorted(mine.starts, differ, "right") - 1]] = False
        return same

    def hashes(self) -> Hashes:
        """Their hashes. Shape (texts,)."""
        return hash_spans(self.data, self.starts)

    def save(self, folder: Path, name: str) -> None:
        """Write as `name.text.npy` and `name.starts.npy`."""
        np.save(folder / f"{name}.text.npy", self.data)
        np.save(folder / f"{name}.starts.npy", self.starts)

    @classmethod
    def load(cls, folder: Path, name: str) -> "Texts":
        """Map what `save` wrote. Raises StoreError where it is missing or damaged."""
        data = load_array(folder / f"{name}.text.npy", "u", -1)
        starts = load_array(folder / f"{name}.starts.npy", "i", -1)
        expect(folder / f"{name}.starts.npy", rises(starts, len(data)), "where the texts begin")
        return cls(data, starts)


def load_array(path: Path, kind: str, *shape: int) -> NDArray[Any]:
    """Map an array of numbers of a kind ("i" whole, "u" from 0, "f") and of this shape; -1 stands for any length.

    Raises DamagedError where the file is missing or holds anything else.
    """
    array = Mapped(path).array
    fits = array.ndim == len(shape) and all(
        want in (-1, is_) for want, is_ in zip(shape, array.shape, strict=True)
    )
    expect(path, fits and array.dtype.kind == kind, f"an array of kind {kind!r} and shape {shape}")
    return array


def damaged(folder: Path, what: str) -> DamagedError:
    """The error for a search index that cannot be read."""
    return DamagedError(f"{folder}: the search index is damaged ({what}). Import the graph again.")
