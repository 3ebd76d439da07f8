"""Opening source files: compressed or not, counted for progress, with their faults named."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.importing import Progress, Silent

COMPRESSIONS = (".gz", ".xz", ".bz2", ".zst")
_CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}  # that Arrow has
_SMALL, _RATIO = 256 << 20, 200
_LONGEST = 16 << 20  # bytes of a header
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}")
_NOT_1252 = re.compile(rb"[\x00\x81\x8d\x8f\x90\x9d]")
BROKEN = (EOFError, OSError, zlib.error, lzma.LZMAError)  # what a damaged compressed file raises


def plain_name(path: Path) -> str:
    """The file name without a compression suffix, in lower case."""
    name = path.name.lower()
    return name.rsplit(".", 1)[0] if name.endswith(COMPRESSIONS) else name


def open_bytes(path: Path, progress: Progress | None = None, encoding: str = "") -> IO[bytes]:
    """The decompressed bytes of a file, in UTF-8 where another `encoding` is named.

    Raises SourceError where it cannot be opened, is empty or is not in that encoding.
    """
    try:
        raw = path.open("rb")
    except OSError as error:
        raise SourceError(f"cannot be read ({error.strerror}).", str(path)) from None
    if not raw.peek(1):
        raw.close()
        raise SourceError("the file is empty.", str(path))
    counted = io.BufferedReader(_Counting(raw, progress or Silent()), 1 << 20)
    opened = _OPENERS.get(path.suffix.lower())
    plain = counted if opened is None else io.BufferedReader(_Bounded(opened(counted), path), 1 << 16)
    if not encoding:
        return plain
    with plain:
        try:
            return io.BytesIO(plain.read().decode(encoding).encode())
        except (LookupError, UnicodeError) as error:
            raise SourceError(f"is not in the encoding {encoding!r} ({error}).", str(path)) from None


def marked_encoding(path: Path) -> str:
    """`utf-16` where a file begins with its mark, else empty."""
    return "utf-16" if head(path, 2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else ""


def guess_encoding(path: Path) -> str:
    """The encoding of a text file that is not in UTF-8: `utf-16`, `cp1252`, or empty where none is to be told.

    A file with some characters of UTF-8 and some bytes that are none is damaged rather than in another encoding.
    """
    if marked_encoding(path):
        return "utf-16"
    decoder, spoilt, many = codecs.getincrementaldecoder("utf-8")(), False, False
    with open_bytes(path) as file:
        try:
            piece = file.read(1 << 20)
            while piece:
                ascii_alone = (
                    piece.isascii()
                )  # which the other two looks take a hundred times as long to find
                if not spoilt and not (ascii_alone and not decoder.getstate()[0]):
                    try:
                        decoder.decode(piece)
                    except UnicodeDecodeError:
                        spoilt = True
                many |= not ascii_alone and _MULTIBYTE.search(piece) is not None
                if spoilt and (many or _NOT_1252.search(piece)):
                    return ""
                piece = file.read(1 << 20)
        except BROKEN:
            return ""
    return "cp1252" if spoilt else ""


def open_stream(path: Path, encoding: str = "") -> pa.NativeFile:
    """The decompressed bytes of a file, for Arrow's readers. Raises as `open_bytes`; `most_unpacked` is theirs to hold.

    Nothing of Python is in it: these read in a thread of their own, and a process that ends while that thread still
    holds anything of Python is aborted.
    """
    codec = _CODECS.get(path.suffix.lower())
    with open_bytes(path, encoding=encoding) as file:
        if encoding or (is_compressed(path) and codec is None):
            copied = pa.BufferOutputStream()
            while piece := file.read(1 << 20):
                copied.write(piece)
            return pa.BufferReader(copied.getvalue())
    raw = pa.OSFile(str(path))
    return pa.CompressedInputStream(raw, codec) if codec else raw


def is_compressed(path: Path) -> bool:
    """Whether a file's name says that it is compressed."""
    return path.name.lower().endswith(COMPRESSIONS)


def too_large(path: Path) -> SourceError:
    """The error of a file that holds more than `most_unpacked`."""
    most = most_unpacked(path.stat().st_size)
    return SourceError(f"unpacks to more than {most:,} bytes. Unpack it first if it may.", str(path))


def most_unpacked(size: int) -> int:
    """How many bytes may come out of so many compressed ones: far more than data gives, and no bomb."""
    return _SMALL + _RATIO * size


_OPENERS: Mapping[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".xz": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
    ".zst": lambda file: pa.CompressedInputStream(pa.PythonFile(file, "r"), "zstd"),
}


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
    text = head(path).decode(marked_encoding(path) or "utf-8-sig", "replace")
    return [line.rstrip("\r") for line in text.split("\n")[:count]]


def line_at(path: Path, number: int, encoding: str = "") -> str:
    """A line of a file, from 0, without its end; "" where there are fewer. Badly encoded bytes are replaced.

    Raises SourceError where the line is longer than any header, or the file is damaged before.
    """
    with open_bytes(path, encoding=encoding) as file:
        try:
            skip_lines(file, number)
            line = file.readline(_LONGEST + 1)
        except BROKEN as error:
            raise SourceError(f"cannot be read ({error}).", str(path)) from error
    if len(line) > _LONGEST:
        raise SourceError(f"the line is longer than {_LONGEST:,} bytes.", str(path), number + 1)
    return line.decode("utf-8" if number else "utf-8-sig", "replace").rstrip("\r\n")


def skip_lines(file: IO[bytes], count: int) -> None:
    """Read so many lines, or to the end."""
    for _ in range(count):
        if not file.readline():
            return


class _Bounded(io.RawIOBase):
    """The content of a compressed file. Raises SourceError where it is larger than it may be."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file = file
        self._path = path
        self._left = most_unpacked(path.stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._file.read1(len(buffer))  # not all at once: what stands before a cut is kept
        self._left -= len(data)
        if self._left < 0:
            raise too_large(self._path)
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


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
