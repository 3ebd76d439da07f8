"""Rows of a delimited or Parquet file, as an Arrow table, with the line that each row came from.

The fast path is pyarrow's CSV reader. Where it fails, the file is read again line by line: to name the first
bad line, or to leave the bad lines out.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from numpy.typing import NDArray

from graphtalk.core import SourceError, choices
from graphtalk.graphs.columns import check_width
from graphtalk.graphs.formats.files import (
    BROKEN,
    is_compressed,
    line_at,
    marked_encoding,
    most_unpacked,
    open_bytes,
    open_stream,
    plain_name,
    too_large,
)
from graphtalk.graphs.importing import Importing, Silent
from graphtalk.graphs.spill import BATCH

_BLOCK = 8 << 20
# Of a Parquet file, in which a column of one value takes a few bytes.
_MOST_CELLS, _CELLS_A_BYTE = 1 << 28, 200
_QUOTED = r'^"([^"]|"")*"$'
_DOUBLED = r'^".*"".*"$'


@dataclass(frozen=True)
class Dialect:
    """How a delimited file is laid out. `columns` are the names; `skip` counts the lines above the rows.

    `guessed`: nobody said that there is no quoting, and the rows may show that there is.
    """

    separator: str
    quote: bool
    columns: tuple[str, ...]
    skip: int
    guessed: bool = False
    encoding: str = ""


@dataclass(frozen=True)
class Rows:
    """The rows of one file. Text columns hold the cells exactly as they stand in the file.

    `textual` says that numbers are still text. `numbers`: the line of each row where known beforehand.
    """

    table: pa.Table
    path: Path
    textual: bool = True
    dialect: Dialect | None = None
    numbers: NDArray[np.int64] | None = None

    def line(self, row: int) -> int:
        """The line of a row, counted from 1. The first use reads the file again."""
        if row >= len(self._lines):  # where line ends are mixed, Arrow counts more rows than there are lines
            return row + 1 + (self.dialect.skip if self.dialect else 0)
        return int(self._lines[row])

    @property
    def top(self) -> int:
        """The line that names the columns; 1 where none does."""
        return self.dialect.skip if self.dialect is not None and self.dialect.skip else 1

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each column stands, by name."""
        return {name: place for place, name in enumerate(self.table.column_names)}

    @cached_property
    def _lines(self) -> NDArray[np.int64]:
        if self.numbers is not None:
            return self.numbers
        if self.dialect is None:
            return np.arange(1, self.table.num_rows + 1)
        lines = (line for line, _, fault in scan(self.path, self.dialect) if not fault)
        return np.fromiter(lines, dtype=np.int64)


@dataclass(frozen=True)
class _Chosen(Rows):
    """Some rows of others; lines are those of the others' file."""

    whole: Rows | None = None
    at: NDArray[np.int64] | None = None

    def line(self, row: int) -> int:
        assert self.whole is not None and self.at is not None
        return self.whole.line(int(self.at[row]))


def rows_at(rows: Rows, at: NDArray[np.int64]) -> Rows:
    """Some of the rows, by their positions."""
    table = rows.table.take(pa.array(at))
    return _Chosen(table, rows.path, rows.textual, rows.dialect, rows.numbers, whole=rows, at=at)


def sniff_dialect(
    path: Path,
    columns: Sequence[str] = (),
    header: bool = True,
    separator: str = "",
    quote: bool | None = None,
    skip: int = 0,
    encoding: str = "",
) -> Dialect:
    """The layout of a file: what is not said is derived from its name and first lines.

    Commas separate with quoting. Tabs separate without, so that a quotation mark in a name stays, unless the
    header is quoted, or the rows are only right with quoting (see `read_rows`).
    `columns` name the columns of a file without header. Raises SourceError for a bad header.
    """
    first = line_at(path, skip, encoding)
    separator = separator or _separator(path, first)
    quoted = _is_quoted(first, separator) if quote is None else quote
    guessed = quote is None and not quoted
    names = tuple(_split(first, separator, quoted, path))
    if not header:
        numbered = tuple(f"column {i + 1}" for i in range(len(names)))
        return Dialect(separator, quoted, tuple(columns) or numbered, skip, guessed, encoding)
    stripped = tuple(name.strip() or f"column {i + 1}" for i, name in enumerate(names))
    names = stripped if len(set(stripped)) == len(set(names)) else names
    check_names(names, path, skip + 1)
    return Dialect(separator, quoted, tuple(columns) or names, skip + 1, guessed, encoding)


def check_names(names: Sequence[str], path: Path, line: int) -> None:
    """Raise SourceError where a name of a column stands twice, or there are more than can be held."""
    check_width(len(names), 0)
    if len(set(names)) < len(names):
        repeated = Counter(names).most_common(1)[0][0]
        raise SourceError(f"the column {repeated!r} stands twice in the header.", str(path), line)


def first_cells(path: Path, skip: int = 0) -> list[str]:
    """The cells of the first line after `skip` others."""
    return split_line(line_at(path, skip, marked_encoding(path)), path)


def split_line(line: str, path: Path) -> list[str]:
    """The cells of a line, by what it shows itself."""
    separator = _separator(path, line)
    return _split(line, separator, _is_quoted(line, separator), path)


def parquet_columns(path: Path) -> list[str]:
    """The column names of a Parquet file."""
    from pyarrow import parquet

    try:
        return [str(name) for name in parquet.read_schema(path).names]
    except (pa.ArrowInvalid, OSError) as error:
        raise SourceError(f"cannot be read as Parquet ({error}).", str(path)) from error


def _separator(path: Path, line: str) -> str:
    if plain_name(path).endswith(".csv") and any(s in line for s in ",;|\t"):
        return max(",;|\t", key=line.count)
    return next((s for s in "\t,; |" if s in line), "\t")


def _is_quoted(line: str, separator: str) -> bool:
    """Whether cells are quoted by what the first line shows: commas separate, or every cell is in quotation marks."""
    cells = line.split(separator)
    return separator in ",;|" or all(len(c) > 1 and c[0] == c[-1] == '"' for c in cells)


def _split(line: str, separator: str, quoted: bool, path: Path) -> list[str]:
    if not quoted:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator), [""])
    except csv.Error as error:
        raise SourceError(f"the first line cannot be read ({error}).", str(path)) from error


def read_rows(path: Path, dialect: Dialect, importing: Importing) -> Rows:
    """All rows of a delimited file, cells as text. Raises SourceError with the line of a bad row.

    Where quoting is guessed, the rows are read with it if without it some are bad, or if every cell that begins
    with a quotation mark is quoted as CSV has it, some with a doubled mark inside.
    """
    quoted = replace(dialect, quote=True, guessed=False)
    try:
        table = _read_fast(path, dialect, importing)
    except (pa.ArrowInvalid, *BROKEN) as error:
        if dialect.guessed and _quoting_mends(path, dialect, quoted, importing):
            return read_rows(path, quoted, replace(importing, progress=Silent()))
        return _read_slowly(path, dialect, importing, error)
    if dialect.guessed and _shows_quoting(table):
        return Rows(_unquoted_cells(table), path, dialect=quoted)
    return Rows(table, path, dialect=dialect)


def _quoting_mends(path: Path, plain: Dialect, quoted: Dialect, importing: Importing) -> bool:
    """Whether a file that is bad without quoting is good with it, or less bad where bad rows are left out."""
    try:
        _read_fast(path, quoted, replace(importing, progress=Silent()))
        return True
    except (pa.ArrowInvalid, *BROKEN):
        if not importing.rejects.skip:
            return False
    faults = [sum(1 for *_, fault in scan(path, dialect) if fault) for dialect in (plain, quoted)]
    return faults[1] < faults[0]


def _shows_quoting(table: pa.Table) -> bool:
    doubled = False
    for column in table.columns:
        opened = column.filter(pc.starts_with(column, '"'))
        if len(opened) and not pc.all(pc.match_substring_regex(opened, _QUOTED)).as_py():
            return False
        doubled |= bool(pc.any(pc.match_substring_regex(opened, _DOUBLED)).as_py())
    return doubled


def _unquoted_cells(table: pa.Table) -> pa.Table:
    columns = [
        pc.if_else(
            pc.starts_with(column, '"'),
            pc.replace_substring(pc.utf8_slice_codeunits(column, 1, -1), '""', '"'),
            column,
        )
        for column in table.columns
    ]
    return pa.table(columns, names=table.column_names)


def read_parquet(path: Path, importing: Importing) -> Rows:
    """All rows of a Parquet file. Columns keep their types."""
    from pyarrow import parquet

    try:
        about = parquet.read_metadata(path)
        cells, most = about.num_rows * about.num_columns, _MOST_CELLS + _CELLS_A_BYTE * path.stat().st_size
        if cells > most:
            raise SourceError(f"says that it has {cells:,} cells, more than {most:,}.", str(path))
        if importing.spill is None:
            table = parquet.read_table(path)
        else:
            with parquet.ParquetFile(path) as file:
                plain = pa.schema([f.with_type(_plain_type(f.type)) for f in file.schema_arrow])
                read = (pa.Table.from_batches([batch]).cast(plain) for batch in file.iter_batches(BATCH))
                table = importing.spill.table(plain, (batch for part in read for batch in part.to_batches()))
    except (pa.ArrowInvalid, OSError) as error:
        raise SourceError(f"cannot be read as Parquet ({error}).", str(path)) from error
    check_names(table.column_names, path, 1)
    importing.progress.advance(rows=table.num_rows, bytes=path.stat().st_size)
    return Rows(table, path, textual=False)


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of a column without its dictionary, which differs from batch to batch."""
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def column(rows: Rows, name: str) -> pa.ChunkedArray:
    """A column of rows. Raises SourceError with the names of those that there are."""
    if name not in rows.places:
        raise SourceError(
            f"no column {name!r}. {choices(name, rows.places, most=12)}", str(rows.path), rows.top
        )
    return rows.table.column(rows.places[name])


def text_column(rows: Rows, name: str) -> pa.ChunkedArray:
    """A column as text, an absent cell as an empty one."""
    cells = pc.cast(column(rows, name), pa.string())
    return pc.fill_null(cells, "") if cells.null_count else cells


def name_column(rows: Rows, name: str) -> pa.ChunkedArray:
    """A column that names nodes, as text; where its different values were looked up, as numbers of these."""
    cells = column(rows, name)
    return cells if rows.textual and pa.types.is_dictionary(cells.type) else text_column(rows, name)


def _read_fast(path: Path, dialect: Dialect, importing: Importing) -> pa.Table:
    """The rows by Arrow's reader. Raises pa.ArrowInvalid, and what `BROKEN` lists."""
    if (
        dialect.quote and _quotes(path, dialect.encoding) % 2
    ):  # the reader takes all after an open quotation mark for one cell
        raise pa.ArrowInvalid("a quotation mark is not closed")
    schema = pa.schema([(name, pa.string()) for name in dialect.columns])
    with open_stream(path, dialect.encoding) as stream:
        try:
            reader = pyarrow.csv.open_csv(
                stream,
                pyarrow.csv.ReadOptions(
                    column_names=list(dialect.columns), block_size=_BLOCK, skip_rows=dialect.skip
                ),
                pyarrow.csv.ParseOptions(
                    delimiter=dialect.separator,
                    quote_char='"' if dialect.quote else False,
                    newlines_in_values=dialect.quote,
                ),
                pyarrow.csv.ConvertOptions(column_types=schema, strings_can_be_null=False),
            )
        except pa.ArrowInvalid as error:
            if str(error) == "Empty CSV file":
                return schema.empty_table()
            raise
        batches = _watched(reader, path, importing)
        spill = importing.spill
        return pa.Table.from_batches(batches, schema) if spill is None else spill.table(schema, batches)


def _watched(batches: Iterable[pa.RecordBatch], path: Path, importing: Importing) -> Iterator[pa.RecordBatch]:
    """The batches of a file, which are told as progress. Raises SourceError where a small file unpacks to too much."""
    size = path.stat().st_size
    left, most = size, most_unpacked(size)
    for batch in batches:
        yield batch
        read, most = min(batch.nbytes, left), most - batch.nbytes
        left -= read
        importing.progress.advance(rows=batch.num_rows, bytes=read)
        if most < 0 and is_compressed(path):
            raise too_large(path)
    importing.progress.advance(bytes=left)


def _quotes(path: Path, encoding: str) -> int:
    """How many quotation marks a file has."""
    with open_bytes(path, encoding=encoding) as file:
        return sum(piece.count(b'"') for piece in iter(lambda: file.read(_BLOCK), b""))


def _read_slowly(path: Path, dialect: Dialect, importing: Importing, error: BaseException) -> Rows:
    lines: list[int] = []
    cells: list[list[str]] = []
    for line, fields, fault in scan(path, dialect):
        if fault:
            importing.rejects.reject(fault.split(" (")[0], fault, str(path), line)
        else:
            lines.append(line)
            cells.append(fields)
    if not importing.rejects.skip:
        words = f"a row is longer than {_BLOCK:,} bytes" if "straddling" in str(error) else str(error)
        raise SourceError(f"cannot be read ({words}).", str(path)) from error
    columns = list(zip(*cells, strict=True)) or [()] * len(dialect.columns)
    arrays = [pa.array(column, pa.string()) for column in columns]
    table = pa.table(arrays, names=list(dialect.columns))
    return Rows(table, path, dialect=dialect, numbers=np.array(lines, dtype=np.int64))


def scan(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str], str]]:
    """Line number, cells and fault (empty if none) of every row that is not blank."""
    width = len(dialect.columns)
    for line, fields, fault in _quoted(path, dialect) if dialect.quote else _unquoted(path, dialect):
        if not fault and not _is_whole(fields):
            fault = "not UTF-8 (save the file in that encoding, or name its own in a recipe)"
        if not fault and len(fields) != width:
            fault = f"wrong number of cells ({len(fields)} where there are {width} columns)"
        yield line, fields, fault


def _unquoted(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str], str]]:
    for line, text, fault in _lines(path, dialect.skip, dialect.encoding):
        content = text.rstrip("\r\n")
        if content or fault:
            yield line, content.split(dialect.separator), fault


def _quoted(path: Path, dialect: Dialect) -> Iterator[tuple[int, list[str], str]]:
    csv.field_size_limit(2**31 - 1)
    broken: list[tuple[int, str]] = []

    def texts() -> Iterator[str]:
        for line, text, fault in _lines(path, dialect.skip, dialect.encoding):
            if fault:
                broken.append((line, fault))
            else:
                yield text

    reader = csv.reader(texts(), delimiter=dialect.separator, strict=True)
    while True:
        start = reader.line_num + dialect.skip + 1
        try:
            fields = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            yield start, [], f"bad quoting ({error})"
            continue
        if fields:
            yield start, fields, ""
    for line, fault in broken:
        yield line, [], fault


def _lines(path: Path, skip: int, encoding: str) -> Iterator[tuple[int, str, str]]:
    number = 0
    with open_bytes(path, encoding=encoding) as file:
        try:
            while line := file.readline(_BLOCK + 1):
                number += 1
                fault = ""
                if len(line) > _BLOCK:
                    fault = f"the line is longer than {_BLOCK:,} bytes"
                    while line and not line.endswith(b"\n"):
                        line = file.readline(_BLOCK)
                    line = b""
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if number > skip:
                    yield number, line.decode("utf-8", "surrogateescape"), fault
        except BROKEN as error:
            yield number + 1, "", f"the compressed file is cut short or damaged ({error})"


def _is_whole(fields: Sequence[str]) -> bool:
    """Whether there is no byte in cells that could not be decoded."""
    try:
        for field in fields:
            field.encode()
    except UnicodeEncodeError:
        return False
    return True
