"""Dates and times told from text: a whole column at once, only where every cell is one in one form.

ISO 8601 (`2021-03-14`, `2021-03-14T09:30:00.5+01:00`), year first with other signs (`2021/3/14`), months by name
(`14 March 2021`, `Mar 14, 2021`), and `14/03/2021` where some cell of the column shows which number is the day.
Years, months (`2021-03`) and numbers of eight digits are none.
"""

import re
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.graphs.columns import DATETIME, UTC, feature_column

_Ints: TypeAlias = NDArray[np.int64]

_CLOCK = (
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"(?: ?(?P<half>[AaPp][Mm]))?(?: ?(?P<zone>Z|UTC|GMT|[+-][01]\d(?::?[0-5]\d)?))?"
)
_TIME = rf"(?:(?:T|,? ){_CLOCK})?$"
_WEEKDAY = r"^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? )?"
_NUMBERED = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_ISO = r"^(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})" + _TIME
_FORMS = (
    _ISO,
    *(rf"^(?P<year>\d{{4}}){s}(?P<month>\d{{1,2}}){s}(?P<day>\d{{1,2}}){_TIME}" for s in ("-", "/", r"\.")),
    *(rf"^(?P<one>\d{{1,2}}){s}(?P<two>\d{{1,2}}){s}(?P<year>\d{{4}}){_TIME}" for s in ("/", "-", r"\.")),
    rf"{_WEEKDAY}{_NUMBERED}(?: of)?[ -](?P<name>[A-Za-z]{{3,9}})\.?,?[ -](?P<year>\d{{4}}){_TIME}",
    rf"{_WEEKDAY}(?P<name>[A-Za-z]{{3,9}})\.? {_NUMBERED},? (?P<year>\d{{4}}){_TIME}",
    r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})T(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?P<zone>Z)?$",
)
_PATTERNS = tuple(re.compile(form, re.ASCII) for form in _FORMS)
_MONTHS = (
    *("january february march april may june july august september october november december".split()),
    *("jan feb mar apr may jun jul aug sep oct nov dec sept".split()),
)
_LONGEST = 50  # letters of a date in any form
_MINUTE = 60_000_000  # microseconds


class Ambiguous(ValueError):
    """Cells that are dates with the day first and with the month first alike, and other dates."""


def form_of(cells: pa.ChunkedArray) -> str | None:
    """The form of date that all these cells seem to have, by a cheap look; None where they have none."""
    text = next((str(cell) for cell in cells if cell.is_valid), "")
    if not text or len(text) > _LONGEST:
        return None
    for form, pattern in zip(_FORMS, _PATTERNS, strict=True):
        if pattern.match(text):
            matching = pc.all(pc.match_substring_regex(cells, form), min_count=0).as_py()
            if matching is not False:
                return form
    return None


def read_dates(cells: pa.ChunkedArray, form: str) -> pa.ChunkedArray | None:
    """Cells of text as date32, or as timestamps (in UTC where they say their zone); None where one is no date.

    Fractions of a second are cut to six digits. Raises Ambiguous where nothing tells days from months.
    """
    if form == _ISO:
        plain = _iso(cells)
        if plain is not None:
            return plain
    parts = pc.extract_regex(cells.combine_chunks(), form)
    if parts.null_count > cells.null_count:
        return None
    there = parts.is_valid()
    found = _Parts(parts.filter(there))
    days = found.days()
    if days is None:
        return None
    values = pa.array(days.astype(np.int32), pa.int32()).cast(pa.date32())
    if found.timed:
        clock, zoned = found.clock(), found.zoned()
        if clock is None or zoned is None:
            return None
        values = pa.array(days * (24 * 60 * _MINUTE) + clock, pa.int64()).cast(UTC if zoned else DATETIME)
    rows = np.cumsum(there.to_numpy(zero_copy_only=False)) - 1
    placed = values.take(pa.array(rows, mask=~there.to_numpy(zero_copy_only=False)))
    return _within(pa.chunked_array([placed]))


def _iso(cells: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Cells in the commonest forms, which Arrow reads itself; None where these are others, or no dates."""
    longest = pc.min_max(pc.binary_length(cells)).as_py()
    kinds = (pa.date32(),) if longest["max"] == 10 else (DATETIME, UTC) if longest["min"] >= 16 else ()
    for kind in kinds:
        try:
            return _within(cells.cast(kind))
        except pa.ArrowInvalid:
            continue
    return None


def _within(values: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """The values where Python's dates reach all of them."""
    kept = feature_column(values)
    return None if kept.type == pa.string() else kept


class _Parts:
    """What the groups of a form found in every cell: texts, empty where a group is absent."""

    def __init__(self, parts: pa.StructArray) -> None:
        self._parts = parts
        self._names = {field.name for field in parts.type}
        hours = self._texts("hour")
        self.timed = hours is not None and pc.any(pc.not_equal(hours, "")).as_py() is True

    def days(self) -> _Ints | None:
        """Days since 1970-01-01, or None where a cell has no such day. Raises Ambiguous."""
        year = self._numbers("year")
        if "name" in self._names:
            names = pc.index_in(pc.utf8_lower(self._texts("name")), value_set=pa.array(_MONTHS))
            if names.null_count:
                return None
            month = names.to_numpy(zero_copy_only=False).astype(np.int64) % 12 + 1
            month[names.to_numpy(zero_copy_only=False) == len(_MONTHS) - 1] = 9  # sept
            return _days(year, month, self._numbers("day"))
        if "one" not in self._names:
            return _days(year, self._numbers("month"), self._numbers("day"))
        one, two = self._numbers("one"), self._numbers("two")
        day_first, month_first = _days(year, two, one), _days(year, one, two)
        if day_first is not None and month_first is not None and not np.array_equal(day_first, month_first):
            raise Ambiguous
        return day_first if day_first is not None else month_first

    def clock(self) -> _Ints | None:
        """Microseconds since midnight in UTC, or None where a cell has no time, or no such time."""
        if pc.any(pc.equal(self._texts("hour"), "")).as_py():
            return None
        hour, minute, second = self._numbers("hour"), self._numbers("minute"), self._numbers("second")
        half = self._texts("half")
        if half is not None and pc.any(pc.not_equal(half, "")).as_py():
            lower = pc.utf8_lower(half)
            if pc.any(pc.equal(lower, "")).as_py() or not (hour.min() >= 1 and hour.max() <= 12):
                return None
            hour = hour % 12 + np.where(pc.equal(lower, "pm").to_numpy(zero_copy_only=False), 12, 0)
        if not len(hour) or hour.max() > 23 or minute.max() > 59 or second.max() > 59:
            return None
        fraction = self._texts("fraction")
        micro = np.zeros(len(hour), np.int64)
        if fraction is not None:
            digits = pc.utf8_slice_codeunits(pc.utf8_rpad(fraction, 6, "0"), 0, 6)
            micro = digits.cast(pa.int64()).to_numpy()
        found: _Ints = (hour * 60 + minute - self._offset()) * _MINUTE + second * 1_000_000 + micro
        return found

    def zoned(self) -> bool | None:
        """Whether the cells say their zones; None where some do."""
        zones = self._texts("zone")
        said = np.zeros(1, bool) if zones is None else pc.not_equal(zones, "").to_numpy(zero_copy_only=False)
        return bool(said.all()) if said.all() == said.any() else None

    def _offset(self) -> _Ints:
        """Minutes east of Greenwich."""
        zones = self._texts("zone")
        if zones is None:
            return np.zeros(len(self._parts), np.int64)
        distinct = pc.dictionary_encode(zones)
        minutes = []
        for zone in distinct.dictionary.to_pylist():
            digits = zone[1:].replace(":", "").ljust(4, "0") if zone[:1] in ("+", "-") else "0000"
            east = int(digits[:2]) * 60 + int(digits[2:])
            minutes.append(-east if zone.startswith("-") else east)
        offsets: _Ints = np.array([*minutes, 0], np.int64)[distinct.indices.to_numpy()]
        return offsets

    def _texts(self, name: str) -> pa.Array | None:
        return self._parts.field(name) if name in self._names else None

    def _numbers(self, name: str) -> _Ints:
        """A group's numbers, 0 where it is absent."""
        texts = self._texts(name)
        if texts is None:
            return np.zeros(len(self._parts), np.int64)
        filled = pc.if_else(pc.equal(texts, ""), "0", texts)
        numbers: _Ints = filled.cast(pa.int64()).to_numpy()
        return numbers


def _days(year: _Ints, month: _Ints, day: _Ints) -> _Ints | None:
    """Days since 1970-01-01; None where one is not in the calendar."""
    if not len(year) or year.min() < 1 or month.min() < 1 or month.max() > 12 or day.min() < 1:
        return None
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    first = months.astype("datetime64[D]").astype(np.int64)
    after = (months + 1).astype("datetime64[D]").astype(np.int64)
    days: _Ints = first + day - 1
    return days if bool((days < after).all()) else None
