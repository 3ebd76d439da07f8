"""Files that hold several tables: SQLite and DuckDB databases, workbooks, JSON. Read-only, and nothing in them is run."""

import sqlite3
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError, choices
from graphtalk.core.limits import look
from graphtalk.graphs.columns import check_width, concat, to_array
from graphtalk.graphs.extras import library
from graphtalk.graphs.formats import json_tables
from graphtalk.graphs.formats.files import BROKEN, head, most_unpacked
from graphtalk.graphs.formats.rows import Rows, check_names
from graphtalk.graphs.importing import Importing

_CHUNK = 50_000  # rows that are Python objects at one time
_MOST_TABLES = 2_000
_MOST_BLANK = 1_000  # rows of a sheet after which it is taken to be over


@dataclass(frozen=True)
class Declared:
    """What a database says of a table: its primary key, and the table and column that each foreign key names."""

    key: tuple[str, ...] = ()
    foreign: Mapping[str, tuple[str, str]] = field(default_factory=dict)


Tables: TypeAlias = dict[str, tuple[Rows, Declared]]
Reader: TypeAlias = Callable[[Path, Sequence[str] | None, Importing], Tables]


def reader_of(path: Path) -> Reader | None:
    """What reads a file of several tables, told from its first bytes; None for other files."""
    if not path.is_file():
        return None
    start = head(path, 64)
    if start.startswith(b"SQLite format 3\0"):
        return _sqlite
    if start[8:12] == b"DUCK":
        return _duckdb
    if start.startswith(b"PK") and path.suffix.lower() in (".xlsx", ".xlsm"):
        return _workbook
    return _json if json_tables.fits(path) else None


def read_tables_of(path: Path, importing: Importing, wanted: str = "") -> Tables:
    """All tables of a file by name, or the one that is wanted. Raises SourceError where there is none."""
    reader = reader_of(path)
    if reader is None:
        raise SourceError("is no workbook and no database that can be read.", str(path))
    found = reader(path, [wanted] if wanted else None, importing)
    if not found:
        raise SourceError("has no table with rows and columns.", str(path))
    importing.progress.advance(bytes=path.stat().st_size)
    return found


def rows_of_values(
    names: Sequence[str], values: Iterable[Sequence[Any]], path: Path, importing: Importing
) -> Rows:
    """Rows of Python values, such as those of a cursor; a column of different kinds becomes text."""
    check_names(names, path, 1)
    parts = []
    chunk: list[Sequence[Any]] = []

    def flush() -> None:
        columns = list(zip(*chunk, strict=True)) if chunk else [()] * len(names)
        parts.append(pa.table([to_array(column) for column in columns], names=list(names)))
        importing.progress.advance(rows=len(chunk))
        chunk.clear()

    for row in values:
        chunk.append(row)
        if len(chunk) == _CHUNK:
            look()
            flush()
    if chunk or not parts:
        flush()
    return Rows(concat(parts) if len(parts) > 1 else parts[0], path, textual=False)


def chosen(names: Sequence[str], wanted: Sequence[str] | None, path: Path) -> list[str]:
    """The tables to read. Raises SourceError where one that is wanted is not there, or there are too many."""
    for name in wanted or ():
        if name not in names:
            raise SourceError(f"no table {name!r}. {choices(name, names, most=12)}", str(path))
    if len(names) > _MOST_TABLES:
        raise SourceError(f"has {len(names):,} tables, more than {_MOST_TABLES:,}.", str(path))
    return list(names if wanted is None else wanted)


# SQLite


def _sqlite(path: Path, wanted: Sequence[str] | None, importing: Importing) -> Tables:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.set_progress_handler(look, 1_000_000)
            listed = database.execute(
                "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"
            )
            names = [
                name
                for name, sql in listed
                if not name.startswith("sqlite_") and not (sql or "").upper().startswith("CREATE VIRTUAL")
            ]
            return {
                name: (_sqlite_rows(database, name, path, importing), _sqlite_keys(database, name))
                for name in chosen(names, wanted, path)
            }
    except sqlite3.Error as error:
        raise SourceError(f"cannot be read as SQLite ({error}).", str(path)) from error


def _sqlite_rows(database: sqlite3.Connection, name: str, path: Path, importing: Importing) -> Rows:
    listed = database.execute(f"PRAGMA table_xinfo({_quoted(name)})").fetchall()
    columns = [row[1] for row in listed if row[6] in (0, 2, 3)]
    flags = [row[1] for row in listed if str(row[2]).upper().startswith("BOOL") and row[1] in columns]
    cursor = database.execute(f"SELECT {', '.join(map(_quoted, columns))} FROM {_quoted(name)}")
    rows = rows_of_values(columns, cursor, path, importing)
    table = rows.table
    for flag in flags:  # SQLite keeps 1 and 0 of what is declared BOOLEAN
        column, at = table.column(flag), table.schema.get_field_index(flag)
        if pa.types.is_integer(column.type) and set(column.unique().to_pylist()) <= {0, 1, None}:
            table = table.set_column(at, flag, column.cast(pa.bool_()))
    return replace(rows, table=table, textual=True)  # many a column of texts holds numbers


def _sqlite_keys(database: sqlite3.Connection, name: str) -> Declared:
    key = [(row[5], row[1]) for row in database.execute(f"PRAGMA table_info({_quoted(name)})") if row[5]]
    foreign: dict[int, list[tuple[str, str, str]]] = {}
    for row in database.execute(f"PRAGMA foreign_key_list({_quoted(name)})"):
        foreign.setdefault(row[0], []).append((row[3], row[2], row[4] or ""))
    singles = {part[0][0]: (part[0][1], part[0][2]) for part in foreign.values() if len(part) == 1}
    return Declared(tuple(column for _, column in sorted(key)), singles)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


# DuckDB


def _duckdb(path: Path, wanted: Sequence[str] | None, importing: Importing) -> Tables:
    duckdb = library("duckdb", "duckdb")
    try:
        with duckdb.connect(str(path), read_only=True) as database:
            database.execute("SET enable_external_access = false")
            listed = database.execute(
                "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main' ORDER BY table_oid"
            ).fetchall()
            names = [name for (name,) in listed]
            found: Tables = {}
            for name in chosen(names, wanted, path):
                table = database.sql(f"SELECT * FROM {_quoted(name)}").to_arrow_table()
                importing.progress.advance(rows=table.num_rows)
                found[name] = Rows(table, path, textual=False), _duckdb_keys(database, name)
            return found
    except duckdb.Error as error:
        raise SourceError(f"cannot be read as DuckDB ({str(error).splitlines()[0]}).", str(path)) from error


def _duckdb_keys(database: Any, name: str) -> Declared:
    rows = database.execute(
        "SELECT constraint_type, constraint_column_names, referenced_table, referenced_column_names "
        "FROM duckdb_constraints() WHERE table_name = ? AND schema_name = 'main'",
        [name],
    ).fetchall()
    key = next((tuple(columns) for kind, columns, _, _ in rows if kind == "PRIMARY KEY"), ())
    foreign = {
        columns[0]: (to, by[0])
        for kind, columns, to, by in rows
        if kind == "FOREIGN KEY" and len(columns) == 1
    }
    return Declared(key, foreign)


# JSON


def _json(path: Path, wanted: Sequence[str] | None, importing: Importing) -> Tables:
    objects = json_tables.read_objects(path)
    bare = objects.bare()
    found: Tables = {}
    for name in chosen([name for name in objects.rows if name not in bare], wanted, path):
        rows, keys = (
            objects.rows[name],
            {k: to for k, to in objects.keys.get(name, {}).items() if to not in bare},
        )
        named = any(name in to.values() for to in objects.keys.values())
        for row_id, row in rows.items():
            if named and "id" not in row:
                row["id"] = row_id.strip("\0")
        names = list(dict.fromkeys(member for row in rows.values() for member in row))
        cells = ([_plain(row.get(member)) for member in names] for row in rows.values())
        foreign = {member: (to, "id") for member, to in keys.items()}
        found[name] = rows_of_values(names, cells, path, importing), Declared((), foreign)
    return found


def _plain(value: Any) -> Any:
    """A value without the mark of ids that were made."""
    if isinstance(value, list):
        return [_plain(part) for part in value] or None
    return value.strip("\0") if isinstance(value, str) else value


# workbooks


def _workbook(path: Path, wanted: Sequence[str] | None, importing: Importing) -> Tables:
    openpyxl = library("openpyxl", "excel")
    _check_unpacked(path)
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
        with closing(book):
            sheets = {sheet.title: sheet for sheet in book.worksheets}
            found: Tables = {}
            for name in chosen(list(sheets), wanted, path):
                sheets[name].reset_dimensions()
                rows = _sheet(sheets[name].iter_rows(values_only=True), path, importing)
                if rows is not None:
                    found[name] = rows, Declared()
            return found
    except (openpyxl.utils.exceptions.InvalidFileException, *_BAD_WORKBOOK) as error:
        raise SourceError(
            f"cannot be read as a workbook ({error or type(error).__name__}).", str(path)
        ) from error


# What openpyxl and the parsers under it raise on files that are not what they should be.
_BAD_WORKBOOK = (zipfile.BadZipFile, ValueError, LookupError, TypeError, AttributeError, SyntaxError, *BROKEN)


def _check_unpacked(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(info.file_size for info in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise SourceError(f"cannot be read as a workbook ({error}).", str(path)) from error
    if size > most_unpacked(path.stat().st_size):
        raise SourceError(f"unpacks to more than {most_unpacked(path.stat().st_size):,} bytes.", str(path))


def _sheet(values: Iterator[tuple[Any, ...]], path: Path, importing: Importing) -> Rows | None:
    """The rows of a sheet below its first line that is not blank; None where it has none."""
    above, header = 0, next(values, None)
    while header is not None and all(_empty(cell) for cell in header):
        above, header = above + 1, next(values, None)
        if above > _MOST_BLANK:
            return None
    if header is None:
        return None
    width = max(place for place, cell in enumerate(header) if not _empty(cell)) + 1
    names = [
        f"column {i + 1}" if _empty(cell) else str(cell).strip() for i, cell in enumerate(header[:width])
    ]
    check_width(width, 0)
    numbers: list[int] = []
    table = rows_of_values(names, _cells(values, width, above + 2, numbers), path, importing).table
    return Rows(table, path, textual=False, numbers=np.array(numbers, dtype=np.int64))


def _cells(
    values: Iterator[tuple[Any, ...]], width: int, first: int, numbers: list[int]
) -> Iterator[list[Any]]:
    """The cells of rows that are not blank; the numbers of these rows go into `numbers`."""
    blank = 0
    for number, row in enumerate(values, first):
        cells = [_cell(cell) for cell in row[:width]]
        if all(cell is None for cell in cells):
            blank += 1
            if blank > _MOST_BLANK:
                return
            continue
        blank = 0
        numbers.append(number)
        yield cells + [None] * (width - len(cells))


def _cell(cell: Any) -> Any:
    """A cell's value: whole numbers as such, midnights as days, blanks as none."""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    if hasattr(cell, "hour") and hasattr(cell, "year") and not (cell.hour or cell.minute or cell.second):
        return cell.date()
    return None if _empty(cell) else cell


def _empty(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())
