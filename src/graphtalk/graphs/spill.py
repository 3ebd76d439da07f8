"""Tables that are too large for memory, kept in files and read by batches.

What an import holds of large sources lies in a scratch folder, as uncompressed Arrow files and plain arrays that are mapped.
Mapped pages are the system's to take back; `Spill.batches` gives back those that were gone through, so that a process
that goes through a table holds some batches of it.
"""

import mmap
import os
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import UsageError
from graphtalk.core.limits import look

BATCH = 1 << 17  # rows
_RELEASED = 64 << 20  # bytes that are gone through before their pages are given back
_NEEDED = 6  # bytes of memory that reading takes for each byte of a file of text
_PACKED = 4  # bytes of text that a byte of a compressed file or of Parquet stands for
_LEAST = (
    64 << 20
)  # bytes that an import takes in any case: a smaller bound, or a number without a unit, is a slip
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_CGROUP = Path("/sys/fs/cgroup/memory.max")


def quarter_of_machine() -> int:
    """A quarter of the memory of this machine, or of what its container may use, in bytes."""
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # no container, or one without a bound
        whole = min(whole, int(_CGROUP.read_text()))
    return whole // 4


def bytes_of(text: str) -> int:
    """A size such as `2GB`, `512M` or `1.5 GiB` in bytes; of nothing, a quarter of the machine.

    Raises UsageError where that is no size, or less than 64 MB.
    """
    told = text.strip().lower().removesuffix("b").removesuffix("i").strip()
    if not told:
        return quarter_of_machine()
    unit = told[-1] if told[-1] in _UNITS else ""
    try:
        size = int(float(told.removesuffix(unit)) * _UNITS[unit])
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise UsageError(f"{text!r} is no size of memory. Write it as 500MB or 2GB.")
    if size < _LEAST:
        raise UsageError(
            f"{text!r} is too little memory: give {_LEAST >> 20}MB or more, such as 500MB or 2GB."
        )
    return size


def needed(files: Iterable[Path], packed: Iterable[str]) -> int:
    """About how many bytes of memory it takes to read files at once; `packed` are the endings of compressed ones."""
    endings = tuple(packed)
    return sum(
        p.stat().st_size * _NEEDED * (_PACKED if p.name.lower().endswith(endings) else 1)
        for file in files
        for p in ([file] if file.is_file() else file.rglob("*"))
        if p.is_file()
    )


class Growing(Protocol):
    """An array of numbers that is written from its beginning on."""

    def add(self, numbers: NDArray[Any]) -> None:
        """More of it."""

    def done(self) -> NDArray[Any]:
        """All of it."""


class Room(Protocol):
    """Where arrays are made: in memory, or in files."""

    def numbers(self, kind: Any) -> Growing:
        """A new array of numbers of a type."""

    def release(self) -> None:
        """Give back to the system what can be read again."""


class Memory:
    """Arrays are made in memory."""

    def numbers(self, kind: Any) -> Growing:
        """A new array of numbers of a type."""
        return _Held(np.dtype(kind))

    def release(self) -> None:
        """Nothing."""


class _Held:
    """An array in memory, on its way."""

    def __init__(self, kind: "np.dtype[Any]") -> None:
        self._parts: list[NDArray[Any]] = [np.empty(0, kind)]

    def add(self, numbers: NDArray[Any]) -> None:
        """More of it."""
        self._parts.append(numbers.astype(self._parts[0].dtype, copy=False))

    def done(self) -> NDArray[Any]:
        """All of it."""
        self._parts = [np.concatenate(self._parts)]
        return self._parts[0]


class Spill:
    """Files of a scratch folder that stand for memory, of which `memory` bytes may be used."""

    def __init__(self, folder: Path, memory: int) -> None:
        self.folder, self.memory = folder, memory
        self._mapped: list[mmap.mmap] = []
        self._count = 0

    def file(self, ending: str) -> Path:
        """A name for a new file."""
        self._count += 1
        return self.folder / f"{self._count}{ending}"

    def table(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
        """A table of these batches, mapped from a file."""
        path = self.file(".arrow")
        with pa.ipc.new_file(str(path), schema) as writer:
            for batch in batches:
                look()
                writer.write_batch(batch)
        return self.mapped(path)

    def mapped(self, path: Path) -> pa.Table:
        """The table of an Arrow file, mapped."""
        return pa.ipc.open_file(pa.BufferReader(pa.py_buffer(self.map(path)))).read_all()

    def column(self, kind: pa.DataType, chunks: Iterable[pa.Array]) -> pa.ChunkedArray:
        """A column of these chunks, mapped from a file."""
        schema = pa.schema([("cells", kind)])
        batches = (pa.record_batch([chunk], schema=schema) for chunk in chunks)
        return self.table(schema, batches).column(0)

    def numbers(self, kind: Any) -> Growing:
        """A new array of numbers of a type."""
        return _Numbers(self, np.dtype(kind))

    def batches(self, table: pa.Table) -> Iterator[pa.Table]:
        """The rows of a table, some at a time. What was gone through is given back to the system."""
        read = 0
        for start in range(0, max(table.num_rows, 1), BATCH):
            look()
            part = table.slice(start, BATCH)
            yield part
            read += part.nbytes
            if read > min(_RELEASED, self.memory):
                read = 0
                self.release()

    def release(self) -> None:
        """Give back what is mapped; it is read again where it is needed."""
        for held in self._mapped:
            held.madvise(mmap.MADV_DONTNEED)

    def map(self, path: Path) -> mmap.mmap:
        """A file that is not empty, mapped."""
        with path.open("rb") as file:
            held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._mapped.append(held)
        return held


class _Numbers:
    """An array on its way into a file."""

    def __init__(self, spill: Spill, kind: "np.dtype[Any]") -> None:
        self._spill, self._kind = spill, kind
        self._path = spill.file(".numbers")
        self._file: IO[bytes] = self._path.open("wb")

    def add(self, numbers: NDArray[Any]) -> None:
        """More of it."""
        np.ascontiguousarray(numbers, dtype=self._kind).tofile(self._file)

    def done(self) -> NDArray[Any]:
        """All of it, mapped."""
        with closing(self._file):
            pass
        if not self._path.stat().st_size:
            return np.empty(0, self._kind)
        return np.frombuffer(self._spill.map(self._path), self._kind)
