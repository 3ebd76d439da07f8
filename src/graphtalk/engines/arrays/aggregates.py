"""Aggregates of rows by group, by counting and sorting whole columns."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.calls.query import Apply
from graphtalk.core import ToolError
from graphtalk.engines.arrays.columns import (
    EXACT,
    LAST,
    Shared,
    column_of,
    first_rows,
    integers,
    joint,
    lists,
    pick,
    plain,
    reals,
    values_of,
)
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import MISSING, TIMES, Column, Mixed, Rows, Scalar, Values
from graphtalk.engines.arrays.scalars import add, describe, numeric, whole
from graphtalk.engines.arrays.temporal import Duration
from graphtalk.engines.arrays.terms import evaluate, shared
from graphtalk.graphs.adjacency import Ints, by_number

Reals = NDArray[np.float64]
_TABLE = 4  # of so many cells for each row a table of groups and values is faster than to sort their pairs


def aggregate(term: Apply, rows: Rows, groups: Ints, count: int, frame: Frame) -> Column:
    """An aggregate of the rows of each group. Shapes: `groups` (rows,), from 0 below `count`; the result (count,).

    Null values are left out. Raises ToolError for a value that cannot be summed.
    """
    if not term.arguments:
        times = rows.columns.get(TIMES)
        if isinstance(times, Values):
            return integers(np.bincount(groups, plain(times.array), count).astype(np.int64))
        return integers(np.bincount(groups, minlength=count))
    ranked = term.distinct or term.function in ("min", "max")
    asked = term.arguments[0]
    found = shared(asked, rows, frame) if ranked else Shared(evaluate(asked, rows, frame))
    there = ~found.missing()
    if not there.all():
        found, groups = found.take(np.flatnonzero(there)), groups[there]
    if term.distinct and term.function == "count":
        inside, of = found.codes()
        if count * of <= _TABLE * len(groups):
            has = np.zeros((count, of), np.bool_)
            has[groups, inside] = True
            return integers(np.count_nonzero(has, axis=1))
        pairs = np.sort(groups * of + inside)
        return integers(np.bincount(pairs[np.diff(pairs, prepend=-1) != 0] // max(of, 1), minlength=count))
    if term.distinct:
        pairs, different = joint([(groups, count), found.codes()], len(groups))
        first = first_rows(pairs, different)
        found, groups = found.take(first), groups[first]
    if term.function == "count":
        return integers(np.bincount(groups, minlength=count))
    if term.function in ("min", "max"):
        return _extreme(found, groups, count, term.function == "max")
    values = found.column
    if term.function == "collect":
        frame.meter.take(len(groups), 8)
        return lists(np.bincount(groups, minlength=count), values.take(by_number(groups, count)))
    if term.function in ("sum", "avg"):
        return _sums(term.function, values, groups, count, frame)
    numbers = _reals(values, term.function, frame)
    if term.function in ("stdev", "stdevp"):
        return Values(pa.array(_deviation(numbers, groups, count, term.function == "stdev")))
    share = 0.5 if term.function == "median" else _share(term, rows, frame)
    return _percentile(values, numbers, groups, count, share, term.function == "percentiledisc")


def _extreme(values: Shared, groups: Ints, count: int, largest: bool) -> Column:
    """The least or largest value of each group, in the order of `ORDER BY`."""
    array = values.values.array if isinstance(values.values, Values) else None
    if count == 1 and array is not None and values.places is None and not pa.types.is_floating(array.type):
        return Values(pa.array([pc.min_max(array)["max" if largest else "min"].as_py()], array.type))
    key = values.sort_key()
    best = np.full(count, -LAST - 1 if largest else LAST)
    (np.maximum if largest else np.minimum).at(best, groups, key)
    at = np.full(count, MISSING, np.int64)
    winners = np.flatnonzero(key == best[groups])[::-1]
    at[groups[winners]] = winners
    if values.places is not None:
        at = np.append(values.places, MISSING)[at]
    return pick(values.values, at)


def _sums(function: str, values: Column, groups: Ints, count: int, frame: Frame) -> Column:
    counts = np.bincount(groups, minlength=count)
    numbers = reals(values) if isinstance(values, Mixed) else None
    if numbers is not None and isinstance(values, Mixed):
        if function == "avg":
            values = Values(numbers)
        elif float(np.abs(plain(numbers)).sum()) < EXACT:
            real = np.bincount(groups[[type(v) is float for v in values.values]], minlength=count) > 0
            totals = np.bincount(groups, weights=plain(numbers), minlength=count).tolist()
            pairs = zip(real.tolist(), totals, strict=True)
            return column_of([total if is_real else int(total) for is_real, total in pairs])
    if not (isinstance(values, Values) and _is_number(values.array)):
        read = [_summand(v, function, frame) for v in values_of(values)]
        if any(isinstance(v, Duration) for v in read):
            return _added(function, read, groups, counts, frame)
        values = column_of(read)
    if not isinstance(values, Values) or not len(values):
        return _added(function, values_of(values), groups, counts, frame)
    numbers = plain(values.array)
    if np.issubdtype(numbers.dtype, np.floating):
        sums: np.ndarray = np.bincount(groups, weights=numbers, minlength=count)
    elif int(max(-int(numbers.min()), int(numbers.max()), 1)) * len(numbers) > LAST:
        return _added(function, values_of(values), groups, counts, frame)
    else:
        sums = np.zeros(count, np.int64)
        np.add.at(sums, groups, numbers)
    if function == "sum":
        return Values(pa.array(sums))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Values(pa.array(sums / counts, mask=counts == 0))


def _is_number(array: pa.Array) -> bool:
    return bool(pa.types.is_integer(array.type) or pa.types.is_floating(array.type))


def _summand(value: Scalar, function: str, frame: Frame) -> Scalar:
    return value if isinstance(value, Duration) else numeric(value, frame, f"{function}()")


def _added(function: str, values: list[Scalar], groups: Ints, counts: Ints, frame: Frame) -> Column:
    """One after another: durations, whole numbers beside others, and sums that 64 bits may not hold."""
    sums: list[Scalar] = [None] * len(counts)
    for group, value in zip(groups.tolist(), values, strict=True):
        before = sums[group]
        if isinstance(before, int) and isinstance(value, int):
            sums[group] = before + value
        else:
            sums[group] = value if before is None else add(before, value, frame)
    if function == "sum":
        return column_of([0 if s is None else whole(s) if isinstance(s, int) else s for s in sums])
    return column_of([_mean(s, n) for s, n in zip(sums, counts.tolist(), strict=True)])


def _mean(total: Scalar, count: int) -> Scalar:
    if isinstance(total, Duration):
        return total.times(1 / count)
    return total / count if isinstance(total, int | float) else None


def _reals(values: Column, function: str, frame: Frame) -> Reals:
    if isinstance(values, Values) and _is_number(values.array):
        return plain(values.array).astype(np.float64)
    if isinstance(values, Mixed) and (told := reals(values)) is not None:
        return plain(told).astype(np.float64)
    return np.array([numeric(v, frame, f"{function}()") for v in values_of(values)], np.float64)


def _deviation(numbers: Reals, groups: Ints, count: int, sample: bool) -> Reals:
    """The standard deviation of a sample or of a whole population; 0 where there are too few numbers."""
    counts = np.bincount(groups, minlength=count)
    means = np.bincount(groups, weights=numbers, minlength=count) / np.maximum(counts, 1)
    squares = np.bincount(groups, weights=(numbers - means[groups]) ** 2, minlength=count)
    below = counts - sample
    return np.where(below > 0, np.sqrt(squares / np.maximum(below, 1)), 0.0)


def _share(term: Apply, rows: Rows, frame: Frame) -> float:
    given = values_of(evaluate(term.arguments[1], rows.take(np.arange(min(1, rows.size))), frame))
    share = given[0] if given else 0.5
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise ToolError(f"{term.function}() needs a share from 0 to 1, not {describe(share, frame)}.")
    return float(share)


def _percentile(
    values: Column, numbers: Reals, groups: Ints, count: int, share: float, discrete: bool
) -> Column:
    """The value below which that share of each group lies: one of them, or between the two nearest, in proportion."""
    counts = np.bincount(groups, minlength=count)
    order = np.lexsort((numbers, groups))
    starts = counts.cumsum() - counts
    empty = counts == 0
    if discrete:
        place = np.maximum(np.ceil(share * counts).astype(np.int64) - 1, 0)
        return pick(
            values,
            np.where(empty, MISSING, order[np.minimum(starts + place, max(len(order) - 1, 0))])
            if len(order)
            else np.full(count, MISSING),
        )
    if not len(order):
        return Values(pa.nulls(count, pa.float64()))
    place = share * np.maximum(counts - 1, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(counts - 1, 0))
    ordered = numbers[order]
    last = len(ordered) - 1
    low, high = ordered[np.minimum(starts + below, last)], ordered[np.minimum(starts + above, last)]
    found = np.where(low == high, low, low + (high - low) * (place - below))
    return Values(pa.array(found, pa.float64(), mask=empty))
