"""The files of a store as they are mapped, and what is checked before anything in them is used.

A file of a store may be damaged, or written by somebody who means harm. So nothing is taken from it before it is known
to fit: an array has the type and the shape that it must have and points nowhere outside; a table has the columns of
its type, and Arrow has looked through all of it. Files of up to 64 MB are compared with their checksums too, when they
are first used; to compare larger ones is left to `graphtalk check`, for it would take longer than most questions.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import DamagedError
from graphtalk.graphs.adjacency import Adjacency, Pointers, Sparse, kept_rows
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.schema import Feature

CHECKED = 64 << 20  # bytes of a file that is compared with its checksum when it is first used
_AGAIN = "Import the graph again."
_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '(?P<kind>[<|][a-z]\d)', 'fortran_order': False, 'shape': \((?P<shape>[\d, ]*)\), \} *\n"
)
_KINDS = frozenset({"<i4", "<i8", "<u8", "|u1", "|i1", "<f4", "<f8"})
T = TypeVar("T")


def damaged(place: Path, what: str) -> DamagedError:
    """The error for a file or a folder of a store that cannot be used."""
    return DamagedError(f"{place} is damaged: {what}. {_AGAIN}")


class Mapped:
    """A file, mapped at once: a newer store may take the place of its own, and this one stays as it was."""

    def __init__(self, path: Path, digest: str = "") -> None:
        """`digest` is the SHA-256 that it must have. Raises DamagedError where there is no such file."""
        self.path = path
        self._digest = digest
        try:
            self._file = pa.memory_map(str(path))
            self._size = self._file.size()
        except FileNotFoundError:
            raise damaged(path, "it is missing") from None
        except (OSError, ValueError) as error:
            raise damaged(path, str(error)) from error

    @cached_property
    def bytes(self) -> pa.Buffer:
        """What it holds. Raises DamagedError where that is not what was written, as far as this is looked at."""
        self._file.seek(0)
        held = self._file.read_buffer(self._size)
        if self._digest and self._size <= CHECKED and hashlib.sha256(held).hexdigest() != self._digest:
            raise damaged(self.path, "it was changed since it was written")
        return held

    def check(self) -> None:
        """Raise DamagedError where it is not what was written."""
        _ = self.bytes

    @cached_property
    def array(self) -> NDArray[Any]:
        """It as an array of numbers, not copied. Raises DamagedError where it is none."""
        return _array(self.path, self.bytes)

    def table(self, first: str, features: Sequence[Feature] | None, rows: int | None = None) -> pa.Table:
        """It as a table: a column of texts `first` (none where that is empty), then these features; None: any.

        Raises DamagedError where it has other columns or another number of rows, or is broken inside.
        """
        try:
            table = pa.ipc.open_file(self.bytes).read_all()
            table.validate(full=True)
            table = feature_table(table)
        except (pa.ArrowException, OSError, ValueError, KeyError, TypeError, OverflowError) as error:
            raise damaged(self.path, " ".join(str(error).split())) from error
        names = table.column_names
        expect(self.path, rows in (None, table.num_rows), f"a table of {rows} rows")
        expect(self.path, len(set(names)) == len(names), "a table whose columns have different names")
        if first:
            texts = names[:1] == [first] and table.schema.field(0).type == pa.string()
            expect(self.path, texts and not table.column(0).null_count, f"a table that begins with {first!r}")
        if features is not None:
            there = features_of(table.drop_columns([first]) if first else table)
            expect(self.path, there == tuple(features), "a table of the features of its type")
        return table


def _array(path: Path, held: pa.Buffer) -> NDArray[Any]:
    """An array as `numpy.save` writes it, of one of the types that stores have, and of the length that it names."""
    start = len(_MAGIC) + 2
    head = held.slice(0, min(start, held.size)).to_pybytes()
    length = int.from_bytes(head[-2:], "little") if head.startswith(_MAGIC) and len(head) == start else 0
    text = held.slice(start, length).to_pybytes() if start + length <= held.size else b""
    found = _HEADER.fullmatch(text)
    kind = found["kind"].decode() if found else ""
    if found is None or kind not in _KINDS:
        raise damaged(path, "it does not begin as an array does")
    shape = tuple(int(part) for part in found["shape"].split(b",") if part.strip())
    size = np.dtype(kind).itemsize
    for part in shape:
        size *= part
    if not shape or start + length + size != held.size:
        raise damaged(path, f"an array of shape {shape} needs {start + length + size} bytes, not {held.size}")
    return np.ndarray(shape, kind, held, start + length)


def expect(path: Path, true: object, what: str) -> None:
    """Raise DamagedError, naming the file and `what` it should be, where that is not so."""
    if not true:
        raise damaged(path, f"it is not {what}")


def within(values: NDArray[Any], low: int, high: int) -> bool:
    """Whether whole numbers are all at least `low` and below `high`."""
    whole = values.dtype.kind == "i" and values.ndim == 1
    return whole and (not values.size or (int(values.min()) >= low and int(values.max()) < high))


def rises(pointers: NDArray[Any], last: int) -> bool:
    """Whether whole numbers begin with 0, never fall, and end with `last`, as pointers to rows do."""
    if pointers.dtype.kind != "i" or pointers.ndim != 1 or not len(pointers):
        return False
    return int(pointers[0]) == 0 and int(pointers[-1]) == last and not (pointers[1:] < pointers[:-1]).any()


def check_adjacency(folder: Path, a: Adjacency, sources: range, targets: range) -> Adjacency:
    """An adjacency whose rows, nodes and edges all exist. Raises DamagedError for any other.

    `sources` and `targets` are the nodes of the relation's two types.
    """
    edges = len(a.indices)
    sound = (
        (_rows_exist(a.indptr), "rows"),
        (_rows_exist(a.back_indptr), "back_rows"),
        (rises(kept_rows(a.indptr)[1], edges), "indptr"),
        (rises(kept_rows(a.back_indptr)[1], edges), "back_indptr"),
        (within(a.indices, targets.start, targets.stop), "indices"),
        (within(a.back_indices, sources.start, sources.stop), "back_indices"),
        (within(a.back_edge, 0, edges), "back_edge"),
    )
    for true, role in sound:
        expect(folder / f"{role}.npy", true, "what a graph of this schema has: it points outside")
    return a


def _rows_exist(pointers: Pointers) -> bool:
    if not isinstance(pointers, Sparse):
        return True
    return within(pointers.rows, 0, pointers.count) and not (pointers.rows[1:] <= pointers.rows[:-1]).any()


class Lazily(Sequence[T]):
    """A sequence whose items are made when first asked for, and kept."""

    def __init__(self, count: int, make: Callable[[int], T]) -> None:
        self._count, self._make = count, make
        self._made: dict[int, T] = {}

    @overload
    def __getitem__(self, position: int) -> T: ...
    @overload
    def __getitem__(self, position: slice) -> list[T]: ...
    def __getitem__(self, position: int | slice) -> T | list[T]:
        if isinstance(position, slice):
            return [self[i] for i in range(self._count)[position]]
        found = self._made.get(position)
        if found is None:
            place = range(self._count)[position]
            found = self._made[position] = self._make(place)
        return found

    def __len__(self) -> int:
        return self._count


def check_schema(data: Any) -> None:
    """Raise ValueError where what a manifest says of a schema is not what a schema can be."""
    first = 0
    names: list[str] = []
    for t in data["node_types"]:
        _texts(t, "name", "label", "description")
        if t["first"] != first or _count(t) < 0:
            raise ValueError(f"the nodes {t['name']!r} do not follow those before them")
        first += t["count"]
        if t["label"] not in ["", "id", *_feature_names(t)]:
            raise ValueError(f"the label of {t['name']!r} is none of its features")
        names.append(t["name"])
    _once(names, "node types")
    for r in data["relations"]:
        _texts(r, "name", "source", "target", "inverse", "description")
        _feature_names(r)
        if r["source"] not in names or r["target"] not in names or _count(r) < 0:
            raise ValueError(f"the edges {r['name']!r} join node types that are not there")


def _texts(part: Any, *names: str) -> None:
    if not all(isinstance(part[name], str) for name in names):
        raise ValueError(f"{', '.join(names)} must be texts")


def _count(part: Any) -> int:
    if type(part["count"]) is not int:
        raise ValueError(f"the count of {part['name']!r} is no whole number")
    return int(part["count"])


def _feature_names(part: Any) -> list[str]:
    for feature in part["features"]:
        _texts(feature, *feature)
    names = [feature["name"] for feature in part["features"]]
    _once(names, f"features of {part['name']!r}")
    return names


def _once(names: Sequence[str], what: str) -> None:
    if len(set(names)) != len(names):
        raise ValueError(f"two {what} have one name")
