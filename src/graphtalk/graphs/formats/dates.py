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
_Mask: TypeAlias = NDArray[np.bool_]

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
    *(rf"^(?P<year>\d{{4}}){s}(?P<month>\d{{1,2}}){s}(?P<day>\d{{1,2}}){_TIME}" for s in "-/"),
    rf"^(?P<year>\d{{4}})\.(?P<month>\d{{2}})\.(?P<day>\d{{2}}){_TIME}",  # 2021.3.14 is a version
    *(rf"^(?P<one>\d{{1,2}}){s}(?P<two>\d{{1,2}}){s}(?P<year>\d{{4}}){_TIME}" for s in ("/", "-", r"\.")),
    rf"{_WEEKDAY}{_NUMBERED}(?: of)?[ -](?P<name>[A-Za-z]{{3,9}})\.?,?[ -](?P<year>\d{{4}}){_TIME}",
    rf"{_WEEKDAY}(?P<name>[A-Za-z]{{3,9}})\.? {_NUMBERED},? (?P<year>\d{{4}}){_TIME}",
    r"^(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})T(?P<hour>\d{2})(?P<minute>\d{2})(?P<second>\d{2})?(?P<zone>Z)?$",
)
_PATTERNS = tuple(re.compile(form, re.ASCII) for form in _FORMS)
_NAMES = "january february march april may june july august september october november december".split()
_MONTHS = {part: i + 1 for i, name in enumerate(_NAMES) for part in (name, name[:3])} | {"sept": 9}
_ZONE = re.compile(r"(Z|[+-]\d{2}(:?\d{2})?)$", re.ASCII)
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


def read_dates(cells: pa.ChunkedArray, form: str) -> pa.ChunkedArray:
    """Cells of text as date32, or as timestamps (in UTC where they say their zone); null where one is no date.

    Where some say a time, or a zone, all others are none. Fractions of a second are cut to six digits. Raises
    Ambiguous where nothing tells days from months.
    """
    if form == _ISO:
        plain = _iso(cells)
        if plain is not None:
            return plain
    encoded = cells.combine_chunks().dictionary_encode()  # many cells, few days
    parts = pc.extract_regex(encoded.dictionary, form)
    there = parts.is_valid().to_numpy(zero_copy_only=False)
    found = _Parts(parts.drop_null())
    days, valid = found.days()
    if found.timed:
        clock, told = found.clock()
        moments = days * (24 * 60 * _MINUTE) + clock
        kind, values, valid = (UTC if found.zoned else DATETIME), moments, valid & told & _reached(moments)
        values = pa.array(values, pa.int64(), mask=~valid)
    else:
        kind, values = pa.date32(), pa.array(days.astype(np.int32), pa.int32(), mask=~valid)
    places = pa.array(np.cumsum(there) - 1, mask=~there)  # of the distinct cells among those that match
    return pa.chunked_array([values.cast(kind).take(places.take(encoded.indices))])


def _iso(cells: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Cells in the commonest forms, which Arrow reads itself; None where these are others, or no dates."""
    letters = pc.min_max(pc.binary_length(cells)).as_py()
    if letters["max"] != 10 and letters["min"] < 16:
        return None
    zoned = _ZONE.search(next(str(cell) for cell in cells if cell.is_valid))
    kind = pa.date32() if letters["max"] == 10 else UTC if zoned else DATETIME
    try:
        column = feature_column(cells.cast(kind))
    except pa.ArrowInvalid:
        return None
    return column if column.type == kind else None  # text where Python's dates do not reach


class _Parts:
    """What the groups of a form found in every cell: texts, empty where a group is absent."""

    def __init__(self, parts: pa.StructArray) -> None:
        self._parts = parts
        self._names = {field.name for field in parts.type}
        self._there = {
            name: pc.not_equal(parts.field(name), "").to_numpy(zero_copy_only=False) for name in self._names
        }
        self.timed = self._any("hour")
        self.zoned = self._any("zone")

    def days(self) -> tuple[_Ints, _Mask]:
        """Days since 1970-01-01, and which cells are in the calendar. Raises Ambiguous."""
        year = self._numbers("year")
        if "name" in self._names:
            names = pc.index_in(pc.utf8_lower(self._parts.field("name")), value_set=pa.array(list(_MONTHS)))
            month = np.array([*_MONTHS.values(), 0])[pc.fill_null(names, -1).to_numpy()]
            return _days(year, month, self._numbers("day"))
        if "one" not in self._names:
            return _days(year, self._numbers("month"), self._numbers("day"))
        one, two = self._numbers("one"), self._numbers("two")
        day_first, month_first = _days(year, two, one), _days(year, one, two)
        if day_first[1].sum() == month_first[1].sum() and not np.array_equal(day_first[0], month_first[0]):
            raise Ambiguous
        return day_first if day_first[1].sum() >= month_first[1].sum() else month_first

    def clock(self) -> tuple[_Ints, _Mask]:
        """Microseconds since midnight in UTC, and which cells say a time, and their zone where others do."""
        hour, minute, second = self._numbers("hour"), self._numbers("minute"), self._numbers("second")
        valid = self._there["hour"] & (hour < 24) & (minute < 60) & (second < 60)
        if self.zoned:
            valid &= self._there["zone"]
        if self._any("half"):
            halved = self._there["half"]
            late = pc.equal(pc.utf8_lower(self._parts.field("half")), "pm").to_numpy(zero_copy_only=False)
            valid &= ~halved | ((hour >= 1) & (hour <= 12))
            hour = np.where(halved, hour % 12 + np.where(late, 12, 0), hour)
        micro = np.zeros(len(hour), np.int64)
        if "fraction" in self._names:
            digits = pc.utf8_slice_codeunits(pc.utf8_rpad(self._parts.field("fraction"), 6, "0"), 0, 6)
            micro = digits.cast(pa.int64()).to_numpy()
        return (hour * 60 + minute - self._offset()) * _MINUTE + second * 1_000_000 + micro, valid

    def _offset(self) -> _Ints:
        """Minutes east of Greenwich."""
        if not self.zoned:
            return np.zeros(len(self._parts), np.int64)
        distinct = pc.dictionary_encode(self._parts.field("zone"))
        minutes = []
        for zone in distinct.dictionary.to_pylist():
            digits = zone[1:].replace(":", "").ljust(4, "0") if zone[:1] in ("+", "-") else "0000"
            east = int(digits[:2]) * 60 + int(digits[2:])
            minutes.append(-east if zone.startswith("-") else east)
        offsets: _Ints = np.array(minutes, np.int64)[distinct.indices.to_numpy()]
        return offsets

    def _any(self, name: str) -> bool:
        return name in self._names and bool(self._there[name].any())

    def _numbers(self, name: str) -> _Ints:
        """A group's numbers, 0 where it is absent."""
        if name not in self._names:
            return np.zeros(len(self._parts), np.int64)
        texts = self._parts.field(name)
        numbers: _Ints = pc.if_else(pc.equal(texts, ""), "0", texts).cast(pa.int64()).to_numpy()
        return numbers


def _days(year: _Ints, month: _Ints, day: _Ints) -> tuple[_Ints, _Mask]:
    """Days since 1970-01-01, and which are in the calendar; 0 where one is not."""
    valid = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1)
    months = ((np.where(valid, year, 1970) - 1970) * 12 + np.where(valid, month, 1) - 1).astype(
        "datetime64[M]"
    )
    first = months.astype("datetime64[D]").astype(np.int64)
    valid &= first + day - 1 < (months + 1).astype("datetime64[D]").astype(np.int64)
    return np.where(valid, first + day - 1, 0), valid


def _reached(moments: _Ints) -> _Mask:
    """Which microseconds since 1970 are of the years 1 to 9999, which Python's dates reach."""
    first, after = (np.datetime64(day, "us").astype(np.int64) for day in ("0001-01-01", "10000-01-01"))
    reached: _Mask = (first <= moments) & (moments < after)
    return reached
