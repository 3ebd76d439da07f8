"""Opening source files: compressed or not, counted for progress, with their faults named."""

import bz2
import gzip
import io
import lzma
import zlib
from pathlib import Path
from typing import IO

import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.importing import Progress, Silent

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)  # what a damaged compressed file raises


def plain_name(path: Path) -> str:
    """The file name without a compression suffix, in lower case."""
    name = path.name.lower()
    return name.rsplit(".", 1)[0] if name.endswith(COMPRESSIONS) else name


def open_bytes(path: Path, progress: Progress | None = None) -> IO[bytes]:
    """The decompressed bytes of a file. Raises SourceError where it cannot be opened or is empty."""
    try:
        raw = path.open("rb")
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror}).", str(path)) from None
    if not raw.peek(1):
        raw.close()
        raise SourceError("the file is empty.", str(path))
    counted = io.BufferedReader(_Counting(raw, progress or Silent()), 1 << 20)
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile(fileobj=counted)  # type: ignore[return-value]
    if suffix == ".xz":
        return lzma.LZMAFile(counted)
    if suffix == ".bz2":
        return bz2.BZ2File(counted)
    if suffix == ".zst":
        return io.BufferedReader(pa.CompressedInputStream(pa.PythonFile(counted, "r"), "zstd"))
    return counted


def head(path: Path, size: int = 1 << 16) -> bytes:
    """The first bytes of a file, decompressed; fewer where the file is cut short or cannot be read."""
    data = b""
    try:
        with open_bytes(path) as file:
            while len(data) < size and (more := file.read(1024)):
                data += more
    except (*BROKEN, SourceError):
        return data
    return data


def head_lines(path: Path, count: int = 1) -> list[str]:
    """The first lines of a file, as they stand but without line ends; badly encoded bytes are replaced."""
    text = head(path).decode("utf-8-sig", "replace")
    return [line.rstrip("\r") for line in text.split("\n")[:count]]


class _Counting(io.RawIOBase):
    """A raw file that tells how many of its bytes were read."""

    def __init__(self, raw: IO[bytes], progress: Progress) -> None:
        self._raw = raw
        self._progress = progress

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._raw.read(len(buffer))
        buffer[: len(data)] = data
        self._progress.advance(bytes=len(data))
        return len(data)

    def close(self) -> None:
        self._raw.close()
        super().close()
