"""Columns of features that get more cells, or other ones: each keeps the kind that it has."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.graph import Value
from graphtalk.graphs.restoring import of_feature
from graphtalk.graphs.schema import Feature


def appended(table: pa.Table, part: pa.Table, owner: str, counts: tuple[int, int] | None = None) -> pa.Table:
    """The table with more rows. `counts` are the rows of both, which a table without columns does not know."""
    one, other = counts or (len(table), len(part))
    columns = {}
    for name in dict.fromkeys([*table.column_names, *part.column_names]):
        old = table.column(name) if name in table.column_names else None
        new = part.column(name) if name in part.column_names else None
        if old is None:
            assert new is not None
            old = pa.chunked_array([pa.nulls(one, new.type)])
        elif new is None or new.null_count == len(new):
            new = pa.chunked_array([pa.nulls(other, old.type)])
        columns[name] = _joined(old, new, owner, name)
    return pa.table(columns)


def _joined(old: pa.ChunkedArray, new: pa.ChunkedArray, owner: str, name: str) -> pa.ChunkedArray:
    """Cells end to end, the new ones as of the kind of the old."""
    if name == "id":
        return pa.chunked_array([*old.chunks, *new.chunks], pa.string())
    if old.null_count == len(old):
        old = pa.chunked_array([pa.nulls(len(old), new.type)])
    new = _as_of(new, old, owner, name)
    kind = pa.float64() if old.type != new.type else old.type  # numbers, some of them whole
    return pa.chunked_array([*old.cast(kind).chunks, *new.cast(kind).chunks], kind)


def _as_of(new: pa.ChunkedArray, old: pa.ChunkedArray, owner: str, name: str) -> pa.ChunkedArray:
    (wanted,) = features_of(pa.table([old], names=[name]))
    found = of_feature(feature_table(pa.table([new], names=[name])).column(0), wanted)
    same = old.type == found.type or (wanted.kind == "number" and _kind(found, name) == wanted)
    if not same:
        cells = [cell for cell in new.to_pylist() if cell is not None]
        what = f"a {wanted.kind}" if wanted.kind != "vector" else f"a vector of {old.type.list_size} numbers"
        raise SourceError(f"{name!r} of {owner} is {what}, and {cells[0]!r} among the new values is none.")
    return found


def _kind(cells: pa.ChunkedArray, name: str) -> Feature:
    return features_of(pa.table([cells], names=[name]))[0]


def overlaid(
    table: pa.Table,
    places: Ints,
    part: pa.Table,
    owner: str,
    touched: NDArray[np.bool_],
    clears: bool = False,
) -> pa.Table:
    """The table with the cells of `part` in these rows; an empty cell leaves what is there, unless it `clears`.

    Marks in `touched`, a row each, what is another value now.
    """
    columns = dict(zip(table.column_names, table.columns, strict=True))
    for name in part.column_names:
        new = part.column(name)
        given = np.arange(len(new)) if clears else np.flatnonzero(new.is_valid().to_numpy())
        if name == "id" or not len(given):
            continue
        new = new.take(pa.array(given))
        at = places[given]
        old = columns.get(name, pa.chunked_array([pa.nulls(len(touched), new.type)]))
        if new.null_count == len(new):
            new = pa.chunked_array([pa.nulls(len(new), old.type)])
        order = np.arange(len(touched))
        order[at] = len(touched) + np.arange(len(at))
        was = old.take(pa.array(at)).to_pylist()
        joined = _joined(old, new, owner, name).take(pa.array(order))
        now = joined.take(pa.array(at)).to_pylist()
        touched[at[[a != b for a, b in zip(was, now, strict=True)]]] = True
        columns[name] = joined
    return pa.table(columns)


def cell(feature: str, value: Value, table: pa.Table) -> pa.Table:
    """One value as a row."""
    if feature == "id":
        raise UsageError("An id cannot be changed: delete the node, and add another.")
    if value is None and feature not in table.column_names:
        return pa.table({})
    return pa.table(
        [pa.array([value], table.schema.field(feature).type if value is None else None)], names=[feature]
    )
