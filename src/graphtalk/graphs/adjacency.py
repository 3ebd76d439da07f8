"""Compressed sparse rows of one relation, forwards and backwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger]
SPARSE = 4  # rows there are for each that has edges, from which on only those that have any are kept


@dataclass(frozen=True, eq=False)
class Sparse:
    """Row pointers of which only those of rows with entries are kept; used as the array of all of them is.

    `rows` are the rows that have entries, ascending, shape (k,); `starts` where each begins, and then their end, shape
    (k + 1,); `count` is the number of all rows. A look-up is a binary search: what a relation takes grows with its edges,
    not with the nodes of its types.
    """

    rows: Ints
    starts: Ints
    count: int

    @overload
    def __getitem__(self, row: int | np.signedinteger) -> np.signedinteger: ...
    @overload
    def __getitem__(self, row: Ints | slice) -> Ints: ...
    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            row = np.arange(len(self))[row]
        elif not isinstance(row, np.ndarray) and row < 0:
            row += len(self)
        return self.starts[np.searchsorted(self.rows, row)]

    def __len__(self) -> int:
        return self.count + 1

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        made = self[:]
        return made if dtype is None else made.astype(dtype)

    @property
    def nbytes(self) -> int:
        """Bytes that it takes."""
        return int(self.rows.nbytes + self.starts.nbytes)


Pointers: TypeAlias = Ints | Sparse


@dataclass(frozen=True)
class Adjacency:
    """The edges of one relation. Rows are local to the node type; neighbours are graph-wide indices.

    Edge `e` (a position in `indices`) goes from the row that contains it to `indices[e]`. Rows keep the
    order in which edges were given, and parallel edges. `back_edge[p]` is the edge behind `back_indices[p]`.
    Shapes: indptr (sources + 1,), indices (edges,), back_indptr (targets + 1,), back_indices and
    back_edge (edges,). Where few rows have edges the pointers are `Sparse`.
    """

    indptr: Pointers
    indices: Ints
    back_indptr: Pointers
    back_indices: Ints
    back_edge: Ints

    @classmethod
    def of(cls, source: Ints, target: Ints, sources: range, targets: range) -> "tuple[Adjacency, Ints]":
        """Build from graph-wide end points, and say in which order the given edges now stand.

        `sources` and `targets` are the index ranges of the two node types. Returns the adjacency and
        `order`, so that edge `e` is the given edge `order[e]`.
        """
        width: type[np.signedinteger] = np.int32 if max(sources.stop, targets.stop) < 2**31 else np.int64
        order = by_number(source - sources.start, len(sources))
        indices: Ints = target[order].astype(width)
        indptr = _pointers(source[order] - sources.start, len(sources))
        back_edge = by_number(indices - targets.start, len(targets))
        back_indptr = _pointers(indices[back_edge] - targets.start, len(targets))
        back_indices: Ints = source[order][back_edge].astype(width)
        edge_width: type[np.signedinteger] = np.int32 if len(source) < 2**31 else np.int64
        return cls(indptr, indices, back_indptr, back_indices, back_edge.astype(edge_width)), order


def by_number(numbers: Ints, count: int) -> Ints:
    """The positions of numbers from 0 to `count` - 1, the lowest first, equal ones in their order. Shapes (k,)."""
    if count <= 1:
        return np.arange(len(numbers))
    low = np.argsort(
        (numbers & 0xFFFF).astype(np.uint16), kind="stable"
    )  # numpy sorts 16 bits in linear time
    if count <= 2**16:
        return np.asarray(low)
    high = (numbers >> 16)[low]
    return low[np.argsort(high.astype(np.uint16) if count <= 2**32 else high, kind="stable")]


def _pointers(rows: Ints, count: int) -> Pointers:
    """Where each of `count` rows begins in `rows`, the row of each entry, ascending."""
    width: type[np.signedinteger] = np.int32 if len(rows) < 2**31 else np.int64
    if len(rows) * SPARSE >= count:
        counts = np.bincount(rows, minlength=count)
        if np.count_nonzero(counts) * SPARSE >= count:
            return np.concatenate([np.zeros(1, width), np.cumsum(counts, dtype=width)])
    some, counts = np.unique(rows, return_counts=True)
    return pointers_of(some, counts, count)


def pointers_of(rows: Ints, counts: Ints, count: int) -> Pointers:
    """Row pointers where `rows`, ascending, have `counts` entries each, and the others of `count` rows none. Shapes (k,)."""
    total = int(counts.sum())
    width: type[np.signedinteger] = np.int32 if total < 2**31 else np.int64
    if total * SPARSE >= count and len(rows) * SPARSE >= count:
        every = np.zeros(count + 1, width)
        every[rows + 1] = counts
        return np.cumsum(every, out=every)
    row_width: type[np.signedinteger] = np.int32 if count < 2**31 else np.int64
    return Sparse(rows.astype(row_width), np.append(0, np.cumsum(counts)).astype(width), count)


def kept_rows(indptr: Pointers) -> tuple[slice | Ints, Ints]:
    """The rows that are kept, k of them, and where each begins in the entries, and then their end. Shape (k + 1,)."""
    if isinstance(indptr, Sparse):
        return indptr.rows, indptr.starts
    return slice(0, len(indptr) - 1), indptr


def row_of(indptr: Pointers, positions: Ints) -> Ints:
    """The row in which each position lies. Shape as given."""
    if isinstance(indptr, Sparse):
        return indptr.rows[np.searchsorted(indptr.starts, positions, "right") - 1].astype(np.int64)
    return np.searchsorted(indptr, positions, "right") - 1


def rows_of_all(indptr: Pointers) -> Ints:
    """The row of every entry, in order. Shape (entries,)."""
    if isinstance(indptr, Sparse):
        return np.repeat(indptr.rows.astype(np.int64), np.diff(indptr.starts))
    return np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))


def view_rows(views: Sequence[Sequence[Pointers]], count: int) -> tuple[Pointers, Ints]:
    """Which of many views have entries in each of `count` rows: pointers, and the views' positions, ascending by row.

    A view has one or two sets of pointers. The work grows with the rows that have entries.
    """
    rows: list[Ints] = []
    places: list[Ints] = []
    for place, view in enumerate(views):
        for pointers in view:
            kept, starts = kept_rows(pointers)
            some = np.asarray(
                kept if isinstance(kept, np.ndarray) else np.flatnonzero(np.diff(starts)), np.int64
            )
            rows.append(some)
            places.append(np.full(len(some), place, np.int32))
    row, place_of = np.concatenate(rows), np.concatenate(places)
    keys = np.unique(row * len(views) + place_of)  # once, where both sets of a view have entries
    return _pointers(keys // len(views), count), (keys % len(views)).astype(np.int32)


def gather(indptr: Pointers, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of all entries of `rows`, row after row, and how many each row has.

    Shapes: rows (k,) → positions (sum of counts,), counts (k,). Work grows with the result only.
    """
    starts = indptr[rows]
    counts = indptr[rows + 1] - starts
    if len(rows) > 1 and rows[-1] - rows[0] == len(rows) - 1 and bool((np.diff(rows) == 1).all()):
        return np.arange(starts[0], starts[-1] + counts[-1], dtype=np.int64), counts  # they lie end to end
    return spans(starts, counts), counts


def spans(starts: Ints, counts: Ints) -> Ints:
    """The numbers from each start on, as many as its count, one after the other. Shapes (k,), (k,) → (sum of counts,)."""
    ends = counts.cumsum(dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    found: Ints = np.arange(total, dtype=np.int64) + (starts - ends + counts).repeat(counts)
    return found
