"""JSON that is no graph: lists of objects, one in each line or all in one, objects in one another, as tables with keys.

An object within another is a row of a table called by its member, and that member names it by its `id`; where it has
none, and stands alone, its members are the outer object's (`address.city`).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from graphtalk.core import SourceError
from graphtalk.core.limits import look
from graphtalk.core.reading import in_words, read_json
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name

ENDINGS = (".json", ".jsonl", ".ndjson")
_LONGEST = 1 << 26  # bytes of a line
_OFTEN = 10_000  # objects after which limits are looked at

Row: TypeAlias = dict[str, Any]


def fits(path: Path) -> bool:
    """Whether a file is called as JSON is and begins as lists and objects do."""
    return plain_name(path).endswith(ENDINGS) and head(path, 64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (
        b"[",
        b"{",
    )


class Objects:
    """The rows of all tables that a file's objects are, by table and id; `keys`: which members name rows of which."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Row]] = {}
        self.keys: dict[str, dict[str, str]] = {}

    def add(self, table: str, record: Mapping[str, Any], key: str = "") -> str:
        """Add an object to a table, or to the row of its id; `key` is its id where its outer object says it."""
        rows = self.rows.setdefault(table, {})
        given = record.get("id", record.get("_id", key or None))
        known = isinstance(given, str | int) and not isinstance(given, bool)
        row_id = str(given) if known else f"\0{len(rows)}"
        row = rows.setdefault(row_id, {"id": given} if known and "_id" not in record else {})
        self._members(table, row, record, "")
        if not len(rows) % _OFTEN:
            look()
        return row_id

    def _members(self, table: str, row: Row, record: Mapping[str, Any], before: str) -> None:
        for name, value in record.items():
            called = before + name
            if isinstance(value, dict) and "id" not in value:
                self._members(table, row, value, f"{called}.")
            elif isinstance(value, dict):
                row[called] = self._inner(table, called, value)
            elif isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
                row[called] = [self._inner(table, called, part) for part in value]
            else:
                row[called] = value

    def bare(self) -> set[str]:
        """The tables of objects of nothing but an id that another table has: they are no rows, but name some."""
        found: set[str] = set()
        for name, rows in self.rows.items():
            others = [
                held.keys() for other, held in self.rows.items() if other != name and other not in found
            ]
            if all(row.keys() == {"id"} for row in rows.values()) and any(
                rows.keys() <= held for held in others
            ):
                found.add(name)
        return found

    def _inner(self, table: str, member: str, record: Mapping[str, Any]) -> str:
        self.keys.setdefault(table, {})[member] = member
        return self.add(member, record)


def read_objects(path: Path) -> Objects:
    """The objects of a file. Raises SourceError with the line where it is damaged, or where there are no objects."""
    found, name = Objects(), path.name.split(".")[0]
    value = _value(path)
    if isinstance(value, dict) and value and all(_is_list(part) for part in value.values()):
        for table, records in value.items():
            for record in records:
                found.add(table, record)
    elif (
        isinstance(value, dict) and len(value) > 1 and all(isinstance(part, dict) for part in value.values())
    ):
        for key, record in value.items():  # objects by their ids
            found.add(name, record, key)
    else:
        records = value if isinstance(value, list) else _only_list(value, path)
        if not records or not all(isinstance(record, dict) for record in records):
            raise SourceError(
                'holds no list of objects, such as [{"id": 1, "name": "Ann"}], and no graph of nodes and links.',
                str(path),
            )
        for record in records:
            found.add(name, record)
    return found


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(part, dict) for part in value)


def _only_list(value: Any, path: Path) -> list[Any]:
    """The one list of objects among an object's members, such as an answer's `results`."""
    lists = [part for part in value.values() if _is_list(part)]
    return lists[0] if len(lists) == 1 and "id" not in value else [value]


def _value(path: Path) -> Any:
    """The value of a file, or the list of the values in its lines."""
    is_lines = not plain_name(path).endswith(".json")
    with open_bytes(path) as file:
        try:
            if not is_lines:
                text = file.read()
                try:
                    return read_json(text)
                except ValueError:
                    if b"}\n{" not in text.replace(b"\r", b""):
                        raise
                file.seek(0)
            values, number = [], 0
            while line := file.readline(_LONGEST + 1):
                number += 1
                if len(line) > _LONGEST:
                    raise SourceError(f"the line is longer than {_LONGEST:,} bytes.", str(path), number)
                if line.strip():
                    values.append(_line(line, path, number))
            return values
        except (ValueError, *BROKEN) as error:
            raise SourceError(
                f"cannot be read ({in_words(error)}).", str(path), getattr(error, "lineno", None)
            ) from error


def _line(line: bytes, path: Path, number: int) -> Any:
    try:
        return read_json(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line)
    except ValueError as error:
        raise SourceError(f"cannot be read ({in_words(error)}).", str(path), number) from error
