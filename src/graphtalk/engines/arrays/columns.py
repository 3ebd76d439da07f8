"""What can be done with any column: to values and back, put end to end, compared for grouping and for an order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import (
    MISSING,
    Column,
    Edges,
    EdgeValue,
    Lists,
    Mixed,
    Nodes,
    NodeValue,
    Rows,
    Scalar,
    Values,
)
from graphtalk.engines.arrays.scalars import identity, order
from graphtalk.graphs.adjacency import Ints

Mask = NDArray[np.bool_]
DATETIME, MOMENT = pa.timestamp("us"), pa.timestamp("us", tz="UTC")
EXACT = 2**53
"""Up to here whole numbers are exact as real ones."""
LAST = np.iinfo(np.int64).max
"""The sort key of null, the largest."""
_ARROW: dict[type, pa.DataType] = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    date: pa.date32(),
}


@dataclass(frozen=True, eq=False)
class Same:
    """One value in each of `size` rows: what a term without variables gives. Only inside the evaluation of terms."""

    value: Scalar
    size: int

    def __len__(self) -> int:
        return self.size


def spread(column: Column | Same) -> Column:
    """A column with an entry of its own for each row."""
    if not isinstance(column, Same):
        return column
    one = column_of([column.value])
    if isinstance(one, Values):
        return Values(pa.repeat(one.array[0], column.size))
    return one.take(np.zeros(column.size, np.int64))


# values


def values_of(column: Column | Same) -> list[Scalar]:
    """The values of a column, in order."""
    if isinstance(column, Same):
        return [column.value] * column.size
    if isinstance(column, Nodes):
        return [None if n == MISSING else NodeValue(n) for n in column.nodes.tolist()]
    if isinstance(column, Edges):
        return [None if e == MISSING else EdgeValue(e) for e in column.edges.tolist()]
    if isinstance(column, Values):
        return column.array.to_pylist()  # type: ignore[no-any-return]
    if isinstance(column, Lists):
        items = values_of(column.items)
        spans = zip(column.starts.tolist(), column.stops.tolist(), strict=True)
        return [None if start == MISSING else items[start:stop] for start, stop in spans]
    return column.values


def column_of(values: Sequence[Scalar]) -> Column:
    """The column of these values; always the same kind of column for the same values."""
    kinds = {_kind_of(v) for v in values}
    kinds.discard(type(None))
    if not kinds:
        return Values(pa.nulls(len(values)))
    if len(kinds) > 1:
        return Mixed(list(values))
    kind = kinds.pop()
    if kind is NodeValue:
        return Nodes(np.array([v.node if isinstance(v, NodeValue) else MISSING for v in values], np.int64))
    if kind is EdgeValue:
        return Edges(np.array([v.edge if isinstance(v, EdgeValue) else MISSING for v in values], np.int64))
    if kind is list:
        return _lists_of(values)
    if isinstance(kind, pa.DataType):
        return Values(pa.array(values, kind))
    return Values(pa.array(values, _ARROW[kind])) if kind in _ARROW else Mixed(list(values))


def _kind_of(value: Scalar) -> type | pa.DataType:
    if type(value) is datetime:
        return DATETIME if value.tzinfo is None else MOMENT if str(value.tzinfo) == "UTC" else datetime
    return type(value)


def _lists_of(values: Sequence[Scalar]) -> Lists:
    lengths = np.array([len(v) if isinstance(v, list) else 0 for v in values], np.int64)
    items = column_of([item for v in values if isinstance(v, list) for item in v])
    return lists(lengths, items, np.array([v is None for v in values], np.bool_))


def lists(lengths: Ints, items: Column, missing: Mask | None = None) -> Lists:
    """Lists end to end, from how long each is. `missing`: where there is none."""
    stops = lengths.cumsum(dtype=np.int64)
    starts = stops - lengths
    if missing is not None and missing.any():
        starts, stops = np.where(missing, MISSING, starts), np.where(missing, MISSING, stops)
    return Lists(starts, stops, items)


def column_of_array(array: pa.Array | pa.ChunkedArray) -> Column:
    """The column of an Arrow array; of lists and vectors, a column of lists."""
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks == 1 else array.combine_chunks()
    kind = array.type
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)):
        return Values(array)
    lengths = np.asarray(pc.fill_null(pc.list_value_length(array), 0)).astype(np.int64)
    return lists(lengths, column_of_array(pc.list_flatten(array)), _np(pc.is_null(array)))


def entry(column: Column | Same, row: int) -> Scalar:
    """The value of one row."""
    if isinstance(column, Same):
        return column.value
    return values_of(column.take(np.array([row], np.int64)))[0]


def missing(column: Column | Same) -> Mask:
    """Where a column has no value. Shape (rows,)."""
    if isinstance(column, Same):
        return np.full(column.size, column.value is None)
    if isinstance(column, Nodes):
        return np.asarray(column.nodes == MISSING)
    if isinstance(column, Edges):
        return np.asarray(column.edges == MISSING)
    if isinstance(column, Lists):
        return np.asarray(column.starts == MISSING)
    if isinstance(column, Values):
        if not column.array.null_count:
            return np.zeros(len(column), np.bool_)
        return _np(pc.is_null(column.array))
    return np.array([v is None for v in column.values], np.bool_)


def booleans(mask: Mask, null: Mask | None = None) -> Values:
    """A column of booleans; `null` says where there is none."""
    return Values(pa.array(mask, pa.bool_(), mask=null if null is not None and null.any() else None))


def integers(numbers: Ints, null: Mask | None = None) -> Values:
    """A column of whole numbers; `null` says where there is none."""
    return Values(pa.array(numbers, pa.int64(), mask=null if null is not None and null.any() else None))


def _np(array: pa.Array) -> Mask:
    return np.asarray(array.to_numpy(zero_copy_only=False), np.bool_)


def plain(array: pa.Array) -> np.ndarray:
    """Numbers, dates or times as numpy's numbers, with anything where there is none."""
    kind = array.type
    if pa.types.is_null(kind):
        return np.zeros(len(array), np.int64)
    if pa.types.is_date32(kind):
        array = array.view(pa.int32())
    elif pa.types.is_timestamp(kind):
        array = array.view(pa.int64())
    if array.null_count:
        array = pc.fill_null(array, False if pa.types.is_boolean(kind) else 0)
    if pa.types.is_boolean(kind) and len(array):
        first, last = array.offset, array.offset + len(array)
        bits = np.frombuffer(array.buffers()[1], np.uint8)[first // 8 : (last + 7) // 8]
        return np.unpackbits(bits, bitorder="little")[first % 8 :][: len(array)].view(np.bool_)
    return np.asarray(array.to_numpy(zero_copy_only=False))


def reals(column: Mixed) -> pa.Array | None:
    """Whole and real numbers beside each other, all as real ones; None for other values, and where one would lose by it."""
    if {*map(type, column.values)} - {type(None)} != {int, float}:
        return None
    array = pa.array([None if v is None else float(v) for v in column.values], pa.float64())  # type: ignore[arg-type]
    large = np.abs(plain(array)) > EXACT
    return None if large.any() and any(type(v) is int and abs(v) > EXACT for v in column.values) else array


# lists


def flat(column: Lists, frame: Frame) -> tuple[Column, Ints]:
    """All items of all rows' lists, and for each the row that it is of."""
    lengths = column.stops - column.starts
    total = int(lengths.sum())
    frame.meter.take(total, 16)
    rows = np.repeat(np.arange(len(column)), lengths)
    stops = lengths.cumsum(dtype=np.int64)
    places = np.arange(total) + np.repeat(column.starts - stops + lengths, lengths)
    if total == len(column.items) and bool((np.diff(column.starts) >= 0).all()):
        return column.items, rows
    return column.items.take(places), rows


def as_lists(column: Column | Same) -> Lists | None:
    """The column as lists, where each value is one or null; else None."""
    column = spread(column)
    if isinstance(column, Lists):
        return column
    if bool(missing(column).all()):
        nowhere = np.full(len(column), MISSING)
        return Lists(nowhere, nowhere, Values(pa.nulls(0)))
    return None


# putting together


def concat(columns: Sequence[Column]) -> Column:
    """Columns end to end."""
    known = [c for c in columns if len(c)]
    if len(known) < 2:
        return known[0] if known else columns[0]
    with_values = [c for c in known if not _empty(c)]
    kinds = {type(c) for c in with_values}
    if not with_values:
        return Values(pa.nulls(sum(map(len, known))))
    if kinds == {Nodes}:
        return Nodes(np.concatenate([c.nodes if isinstance(c, Nodes) else _nowhere(c) for c in known]))
    if kinds == {Edges}:
        return Edges(np.concatenate([c.edges if isinstance(c, Edges) else _nowhere(c) for c in known]))
    if kinds == {Lists}:
        return _concat_lists(known)
    arrays = [c.array for c in with_values if isinstance(c, Values)]
    if kinds == {Values} and len({a.type for a in arrays}) == 1:
        return Values(
            pa.concat_arrays(
                [
                    c.array if isinstance(c, Values) and not _empty(c) else pa.nulls(len(c), arrays[0].type)
                    for c in known
                ]
            )
        )
    return column_of([v for c in known for v in values_of(c)])


def _empty(column: Column) -> bool:
    """Whether nothing but null stands in it."""
    if isinstance(column, Values):
        return bool(column.array.null_count == len(column))
    return bool(missing(column).all())


def entries(column: Column) -> int:
    """How many entries the lists of a column have, those of lists inside them included."""
    return len(column.items) + entries(column.items) if isinstance(column, Lists) else 0


def _nowhere(column: Column) -> Ints:
    return np.full(len(column), MISSING, np.int64)


def _concat_lists(columns: Sequence[Column]) -> Lists:
    starts, stops, items, offset = [], [], [], 0
    for c in columns:
        if not isinstance(c, Lists):
            starts.append(_nowhere(c))
            stops.append(_nowhere(c))
            continue
        there = c.starts != MISSING
        starts.append(np.where(there, c.starts + offset, MISSING))
        stops.append(np.where(there, c.stops + offset, MISSING))
        items.append(c.items)
        offset += len(c.items)
    return Lists(np.concatenate(starts), np.concatenate(stops), concat(items))


def placed(size: int, parts: Iterable[tuple[Ints, Column]]) -> Column:
    """A column of `size` rows from parts and the rows that each stands in; null in all other rows."""
    given = list(parts)
    where = np.full(size, MISSING, np.int64)
    offset = 0
    for at, column in given:
        where[at] = np.arange(len(column)) + offset
        offset += len(column)
    return pick(concat([column for _, column in given]), where) if given else Values(pa.nulls(size))


def pick(column: Column, at: Ints) -> Column:
    """The entries at these places, null where the place is MISSING."""
    gone = at == MISSING
    if not gone.any():
        return column.take(at)
    if not len(column):
        return Values(pa.nulls(len(at)))
    if isinstance(column, Values):
        return Values(column.array.take(pa.array(at, pa.int64(), mask=gone)))
    taken = column.take(np.where(gone, 0, at))
    if isinstance(taken, Nodes):
        return Nodes(np.where(gone, MISSING, taken.nodes))
    if isinstance(taken, Edges):
        return Edges(np.where(gone, MISSING, taken.edges))
    if isinstance(taken, Lists):
        return Lists(np.where(gone, MISSING, taken.starts), np.where(gone, MISSING, taken.stops), taken.items)
    assert isinstance(taken, Mixed)
    return Mixed([None if g else v for g, v in zip(gone.tolist(), taken.values, strict=True)])


# grouping and order


def codes(column: Column) -> tuple[Ints, int]:
    """For each row a number that rows of the same value share, from 0 in the order of first appearance, and how many.

    Null is a value here, and 1 is the same as 1.0, as for `DISTINCT`.
    """
    if isinstance(column, Nodes | Edges):
        return _dense(column.nodes if isinstance(column, Nodes) else column.edges)
    if isinstance(column, Values):
        array = column.array
        if not array.null_count and (pa.types.is_integer(array.type) or pa.types.is_date32(array.type)):
            return _dense(plain(array).astype(np.int64, copy=False))
        if pa.types.is_floating(array.type):
            array = pc.add(array, 0.0)  # minus zero is zero
        if pa.types.is_null(array.type):
            return np.zeros(len(array), np.int64), min(1, len(array))
        return _encoded(array)
    if isinstance(column, Lists):
        return _list_codes(column)
    numbers = reals(column)
    return _hashed([identity(v) for v in column.values]) if numbers is None else codes(Values(numbers))


def _encoded(array: pa.Array) -> tuple[Ints, int]:
    found = pc.dictionary_encode(array, null_encoding="encode")
    return np.asarray(found.indices).astype(np.int64, copy=False), len(found.dictionary)


def _dense(numbers: Ints) -> tuple[Ints, int]:
    """The codes of whole numbers: by their place in a table, after sorting where they do not lie close together."""
    if bool((numbers[1:] > numbers[:-1]).all()):  # as the nodes of a scan
        return np.arange(len(numbers)), len(numbers)
    least, most = int(numbers.min()), int(numbers.max())
    if most - least > 4 * len(numbers) + 1024:  # of many numbers, numpy sorts faster than Arrow hashes
        order = np.argsort(numbers)
        inside = numbers[order]
        ranks = np.empty(len(numbers), np.int64)
        ranks[order] = np.cumsum(np.diff(inside, prepend=inside[:1]) != 0)
        return _dense(ranks)
    places = numbers - least
    first = np.full(most - least + 1, MISSING)
    first[places[::-1]] = np.arange(len(places) - 1, -1, -1)  # of several, the last that is written stays
    there = np.flatnonzero(first != MISSING)
    rank = np.empty(len(first), np.int64)
    rank[there[np.argsort(first[there])]] = np.arange(len(there))
    return rank[places], len(there)


def _hashed(keys: Sequence[object]) -> tuple[Ints, int]:
    known: dict[object, int] = {}
    found = np.array([known.setdefault(key, len(known)) for key in keys], np.int64)
    return found, len(known)


def _list_codes(column: Lists) -> tuple[Ints, int]:
    """Lists that share a stretch are the same at once; of the others, the codes of their items are compared."""
    stretches, size = joint([codes(Values(pa.array(a))) for a in (column.starts, column.stops)], len(column))
    firsts = first_rows(stretches, size)
    inside, _ = codes(column.items)
    keys = [
        None if start == MISSING else inside[start:stop].tobytes()
        for start, stop in zip(column.starts[firsts].tolist(), column.stops[firsts].tolist(), strict=True)
    ]
    found, count = _hashed(keys)
    return found[stretches], count


def joint(each: Sequence[tuple[Ints, int]], size: int) -> tuple[Ints, int]:
    """The codes of several columns as codes of their combinations."""
    if not each:
        return np.zeros(size, np.int64), min(size, 1)
    found, count = each[0]
    for more, of in each[1:]:
        found, count = _dense(found * of + more)
    return found, count


def first_rows(found: Ints, count: int) -> Ints:
    """The first row of each code. Shape (count,)."""
    first = np.empty(count, np.int64)
    first[found[::-1]] = np.arange(len(found) - 1, -1, -1)  # of several, the last that is written stays
    return first


def sort_key(column: Column) -> Ints:
    """Whole numbers in the order of the values, `LAST` for null. Their complement (`~`) is the order backwards."""
    if isinstance(column, Nodes | Edges):
        numbers = column.nodes if isinstance(column, Nodes) else column.edges
        return np.where(numbers == MISSING, LAST, numbers)
    if isinstance(column, Values):
        array = column.array
        kind = array.type
        if pa.types.is_null(kind):
            return np.full(len(array), LAST)
        if pa.types.is_string(kind):
            return _ranks(array)
        key = _bits(plain(array)) if pa.types.is_floating(kind) else plain(array).astype(np.int64, copy=False)
        return np.where(missing(column), LAST, key) if array.null_count else key
    real = reals(column) if isinstance(column, Mixed) else None
    if real is not None:
        return sort_key(Values(real))
    values = values_of(column)
    keys = [order(v) for v in values]
    ranks = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    none = order(None)
    return np.array([LAST if key == none else ranks[key] for key in keys], np.int64)


def _ranks(array: pa.Array) -> Ints:
    found = pc.dictionary_encode(array)
    sorting = np.asarray(pc.sort_indices(found.dictionary))
    ranks = np.empty(len(sorting), np.int64)
    ranks[sorting] = np.arange(len(sorting))
    indices = found.indices
    if indices.null_count:
        ranks, indices = np.append(ranks, LAST), pc.fill_null(indices, len(ranks))
    found_ranks: Ints = ranks[np.asarray(indices)]
    return found_ranks


def _bits(numbers: NDArray[np.float64]) -> Ints:
    """Whole numbers in the order of real ones, NaN after infinity."""
    real = np.where(np.isnan(numbers), np.nan, numbers + 0.0)  # one NaN, and no minus zero
    bits = real.view(np.int64)
    return np.where(bits < 0, bits ^ LAST, bits)


@dataclass(frozen=True, eq=False)
class Shared:
    """A column in which many rows share a value: `places` says for each row which of `values` is its own.

    None: each row has its own, in order.
    """

    values: Column
    places: Ints | None = None

    def __len__(self) -> int:
        return len(self.values) if self.places is None else len(self.places)

    def take(self, at: Ints) -> "Shared":
        """The entries at these places, in order."""
        return Shared(self.values.take(at)) if self.places is None else Shared(self.values, self.places[at])

    @property
    def column(self) -> Column:
        """The same with a value of its own for each row."""
        return self.values if self.places is None else self.values.take(self.places)

    def missing(self) -> Mask:
        """Where there is no value. Shape (rows,)."""
        found = missing(self.values)
        return found if self.places is None else found[self.places]

    def codes(self) -> tuple[Ints, int]:
        """See `codes`; where rows share values, in the order of these."""
        found, count = codes(self.values)
        if self.places is None:
            return found, count
        found = found[self.places]
        used = np.zeros(count, np.bool_)
        used[found] = True
        return (found, count) if used.all() else _dense(found)

    def sort_key(self) -> Ints:
        """See `sort_key`."""
        found = sort_key(self.values)
        return found if self.places is None else found[self.places]


# each row on its own


def each(function: object, columns: Sequence[Column | Same], size: int, frame: Frame) -> Column | Same:
    """A function of values for each row of some columns. Where only one column varies, once for each of its values."""
    assert callable(function)
    if all(isinstance(c, Same) for c in columns) and size:
        return Same(function(*(c.value for c in columns if isinstance(c, Same)), frame), size)
    varying = [i for i, c in enumerate(columns) if not isinstance(c, Same)]
    if len(varying) == 1 and size > 64:
        column = columns[varying[0]]
        if isinstance(column, Values) and not pa.types.is_floating(column.array.type):
            found, count = codes(column)
            if count < size // 2:
                fewer: list[Column | Same] = [
                    replace(c, size=count) if isinstance(c, Same) else c for c in columns
                ]
                fewer[varying[0]] = column.take(first_rows(found, count))
                return spread(each(function, fewer, count, frame)).take(found)
    given = [values_of(c) for c in columns]
    results: list[Scalar] = []
    weight = 0
    for row, operands in enumerate(zip(*given, strict=True)):
        if not row & 1023 or weight > 1_000_000:
            frame.meter.take(0 if not weight else 1, weight)
            weight = 0
        result = function(*operands, frame)
        if isinstance(result, str | list):
            weight += len(result) if isinstance(result, str) else 8 * len(result)
        results.append(result)
    frame.meter.take(0 if not weight else 1, weight)
    return column_of(results)


def repeated(rows: Rows, at: Ints, names: Iterable[str]) -> Rows:
    """Some columns of some rows, without a history: what a term is worked out in."""
    return Rows(len(at), {n: rows.columns[n].take(at) for n in names if n in rows.columns})
