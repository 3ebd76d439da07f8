"""Dates, times and durations of queries: reading, parts, differences, and cutting them short (openCypher's CIP 2015-08-06).

Dates are Python's: the proleptic Gregorian calendar from year 1 to 9999, microseconds. A time with a zone is compared
and subtracted as UTC; one without a zone is taken for UTC where it meets one that has one.
"""

import calendar
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import TypeVar
from zoneinfo import ZoneInfo

from graphtalk.core import ToolError, choices

SECOND = 1_000_000
DAY = 86_400 * SECOND
_MONTH_DAYS = 30.436875  # what a month counts where durations are ordered: a 4800th of 400 years


@dataclass(frozen=True)
class Duration:
    """A length of time in three parts that do not convert into each other: a month is no fixed number of days."""

    months: int = 0
    days: int = 0
    microseconds: int = 0

    def plus(self, other: "Duration", sign: int = 1) -> "Duration":
        """The sum, or with `sign` -1 the difference."""
        return Duration(
            self.months + sign * other.months,
            self.days + sign * other.days,
            self.microseconds + sign * other.microseconds,
        )

    def times(self, factor: float) -> "Duration":
        """So many times this; a part of a month becomes days, a part of a day microseconds."""
        months = self.months * factor
        days = self.days * factor + (months - int(months)) * _MONTH_DAYS
        return Duration(int(months), int(days), round(self.microseconds * factor + (days - int(days)) * DAY))

    @property
    def length(self) -> float:
        """Microseconds, a month taken as its mean length: what durations are ordered by."""
        return (self.months * _MONTH_DAYS + self.days) * DAY + self.microseconds

    def __str__(self) -> str:
        """ISO 8601, such as `P1Y2M3DT4H5M6.5S`."""
        years, months = _cut(self.months, 12)
        minutes, rest = _cut(self.microseconds, 60 * SECOND)
        hours, minutes = _cut(minutes, 60)
        seconds = f"{rest / SECOND:.6f}".rstrip("0").rstrip(".") if rest else ""
        days = "".join(f"{n}{u}" for n, u in zip((years, months, self.days), "YMD", strict=True) if n)
        clock = "".join(f"{n}{u}" for n, u in zip((hours, minutes, seconds), "HMS", strict=True) if n)
        return f"P{days}T{clock}" if clock else f"P{days or 'T0S'}"


def _cut(whole: int, unit: int) -> tuple[int, int]:
    """How many whole units, and the rest, both with the sign of `whole`."""
    sign = -1 if whole < 0 else 1
    return sign * (abs(whole) // unit), sign * (abs(whole) % unit)


# reading


def read_date(text: str) -> date:
    """A date of ISO 8601: a day, a week, a month (its first day) or a year. Raises ValueError."""
    text = text.strip()
    if re.fullmatch(r"\d{4}", text):
        return date(int(text), 1, 1)
    if month := re.fullmatch(r"(\d{4})-?(\d\d)", text):
        return date(int(month[1]), int(month[2]), 1)
    if day := re.fullmatch(r"(\d{4})-?(\d{3})", text):
        return _ordinal(int(day[1]), int(day[2]))
    return date.fromisoformat(text)


def read_datetime(text: str) -> datetime:
    """A date and time of ISO 8601, with or without a zone; a date alone is its midnight. Raises ValueError."""
    stamp, _, zone = text.strip().partition("[")
    if "T" not in stamp and " " not in stamp:
        return datetime.combine(read_date(stamp), time())
    day, _, clock = stamp.replace(" ", "T", 1).partition("T")
    read = datetime.combine(read_date(day), read_time(clock))
    return read.replace(tzinfo=_zone(zone.rstrip("]"))) if zone and read.tzinfo is None else read


def read_time(text: str) -> time:
    """A time of day of ISO 8601. Raises ValueError."""
    text = re.sub(r"(\.\d{6})\d+", r"\1", text.strip())  # nanoseconds are cut off
    return time.fromisoformat(text)


_DURATION = re.compile(
    r"(-?)P(?:(-?[\d.]+)Y)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)W)?(?:(-?[\d.]+)D)?"
    r"(?:T(?:(-?[\d.]+)H)?(?:(-?[\d.]+)M)?(?:(-?[\d.]+)S)?)?"
)
_UNITS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds")


def read_duration(text: str) -> Duration:
    """A duration of ISO 8601, such as `P3DT4H`. Raises ValueError."""
    found = _DURATION.fullmatch(text.strip())
    if found is None or not any(found.groups()[1:]):
        raise ValueError(text)
    parts = {unit: float(n) for unit, n in zip(_UNITS, found.groups()[1:], strict=True) if n}
    return duration_of({unit: -n if found[1] else n for unit, n in parts.items()})


_LENGTHS: Mapping[str, tuple[str, float]] = {
    "years": ("months", 12),
    "quarters": ("months", 3),
    "months": ("months", 1),
    "weeks": ("days", 7),
    "days": ("days", 1),
    "hours": ("microseconds", 3600 * SECOND),
    "minutes": ("microseconds", 60 * SECOND),
    "seconds": ("microseconds", SECOND),
    "milliseconds": ("microseconds", 1000),
    "microseconds": ("microseconds", 1),
    "nanoseconds": ("microseconds", 0.001),
}


def duration_of(parts: Mapping[str, float]) -> Duration:
    """`duration({days: 3})`. Part of a month becomes days, part of a day microseconds."""
    sums = {"months": 0.0, "days": 0.0, "microseconds": 0.0}
    for name, number in parts.items():
        if name not in _LENGTHS:
            raise ToolError(f"A duration has no {name!r}. {choices(name, _LENGTHS)}")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise ToolError(f"duration(): {name} must be a number, not {number!r}.")
        kind, unit = _LENGTHS[name]
        sums[kind] += number * unit
    months = int(sums["months"])
    days = sums["days"] + (sums["months"] - months) * _MONTH_DAYS
    return Duration(months, int(days), round(sums["microseconds"] + (days - int(days)) * DAY))


_DATE_PARTS = ("year", "quarter", "month", "week", "day", "dayofweek", "ordinalday", "dayofquarter", "date")
_TIME_PARTS = ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond", "time")
_OTHER_PARTS = ("timezone", "datetime", "epochseconds", "epochmillis")


def date_of(parts: Mapping[str, object]) -> date:
    """`date({year: 1984, month: 10, day: 11})`, by week, quarter or day of the year; `date` gives what is left out."""
    known = {name.lower(): value for name, value in parts.items()}
    unknown = next((n for n in known if n not in _DATE_PARTS + _TIME_PARTS + _OTHER_PARTS), None)
    if unknown is not None:
        raise ToolError(f"A date has no {unknown!r}. {choices(unknown, _DATE_PARTS)}")
    base = known.get("date", known.get("datetime"))
    if base is not None and not isinstance(base, date):
        raise ToolError(f"date(): {base!r} is no date.")
    if base is None and "year" not in known:
        raise ToolError("date(): the year is missing.")
    whole = {n: v for n, v in known.items() if n in _DATE_PARTS and n != "date"}
    wrong = next((n for n, v in whole.items() if isinstance(v, bool) or not isinstance(v, int)), None)
    if wrong is not None:
        raise ToolError(f"date(): {wrong} must be a whole number, not {whole[wrong]!r}.")
    number = {n: v for n, v in whole.items() if isinstance(v, int)}
    year = number.get("year", base.year if base else 1)
    if "week" in number:
        weekday = base.isoweekday() if base else 1
        return date.fromisocalendar(year, number["week"], number.get("dayofweek", weekday))
    if "ordinalday" in number:
        return _ordinal(year, number["ordinalday"])
    if "quarter" in number:
        first = date(year, 3 * number["quarter"] - 2, 1)
        return first + timedelta(days=number.get("dayofquarter", 1) - 1)
    return date(
        year, number.get("month", base.month if base else 1), number.get("day", base.day if base else 1)
    )


def time_of(parts: Mapping[str, object], zone: bool) -> time:
    """`time({hour: 12, minute: 31})`; `time` gives what is left out. `zone`: UTC where none is said."""
    known = {name.lower(): value for name, value in parts.items()}
    base = known.get("time", known.get("datetime"))
    base = base.timetz() if isinstance(base, datetime) else base if isinstance(base, time) else time()
    number = {}
    for name in _TIME_PARTS[:-1]:
        value = known.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int):
            raise ToolError(f"time(): {name} must be a whole number, not {value!r}.")
        number[name] = value
    small = [number["millisecond"] * 1000, number["microsecond"], number["nanosecond"] // 1000]
    named = known.get("timezone")
    if "microsecond" in known and "millisecond" in known and number["microsecond"] >= 1000:
        small[0] = 0
    return time(
        known_or(known, number, "hour", base.hour),
        known_or(known, number, "minute", base.minute),
        known_or(known, number, "second", base.second),
        sum(small) if any(n in known for n in _TIME_PARTS[3:6]) else base.microsecond,
        _zone(str(named)) if named is not None else base.tzinfo or (UTC if zone else None),
    )


def known_or(known: Mapping[str, object], numbers: Mapping[str, int], name: str, otherwise: int) -> int:
    """A part that was given, or what stands for it."""
    return numbers[name] if name in known else otherwise


def datetime_of(parts: Mapping[str, object], zone: bool) -> datetime:
    """`datetime({year: 1984, hour: 12})`, `datetime({epochSeconds: 0})`. `zone`: UTC where none is said."""
    known = {name.lower(): value for name, value in parts.items()}
    for name, unit in (("epochseconds", SECOND), ("epochmillis", 1000)):
        value = known.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(0, UTC) + timedelta(microseconds=value * unit)
    return datetime.combine(date_of(parts), time_of(parts, zone))


def _ordinal(year: int, day: int) -> date:
    if not 1 <= day <= 365 + calendar.isleap(year):
        raise ValueError(f"{year} has no day {day}")
    return date(year, 1, 1) + timedelta(days=day - 1)


def _zone(name: str) -> timezone | ZoneInfo:
    if name in ("Z", "UTC"):
        return UTC
    if offset := re.fullmatch(r"([+-])(\d\d):?(\d\d)?", name):
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as e:
        raise ToolError(f"No time zone {name!r}; write an offset such as '+01:00'.") from e


# parts

_PARTS: Mapping[str, Callable[[date], int]] = {
    "year": lambda d: d.year,
    "quarter": lambda d: (d.month + 2) // 3,
    "month": lambda d: d.month,
    "week": lambda d: d.isocalendar().week,
    "weekyear": lambda d: d.isocalendar().year,
    "day": lambda d: d.day,
    "dayofweek": lambda d: d.isoweekday(),
    "weekday": lambda d: d.isoweekday(),
    "ordinalday": lambda d: d.timetuple().tm_yday,
    "dayofyear": lambda d: d.timetuple().tm_yday,
    "dayofquarter": lambda d: (d - date(d.year, 3 * ((d.month + 2) // 3) - 2, 1)).days + 1,
}
_CLOCK: Mapping[str, Callable[[datetime | time], int]] = {
    "hour": lambda t: t.hour,
    "minute": lambda t: t.minute,
    "second": lambda t: t.second,
    "millisecond": lambda t: t.microsecond // 1000,
    "microsecond": lambda t: t.microsecond,
    "nanosecond": lambda t: t.microsecond * 1000,
}
_EPOCH: Mapping[str, Callable[[datetime], int]] = {
    "epochseconds": lambda t: instant(t) // SECOND,
    "epochmillis": lambda t: instant(t) // 1000,
}
_LASTS: Mapping[str, Callable[[Duration], int]] = {
    "years": lambda d: _cut(d.months, 12)[0],
    "quarters": lambda d: _cut(d.months, 3)[0],
    "months": lambda d: d.months,
    "weeks": lambda d: _cut(d.days, 7)[0],
    "days": lambda d: d.days,
    "hours": lambda d: _cut(d.microseconds, 3600 * SECOND)[0],
    "minutes": lambda d: _cut(d.microseconds, 60 * SECOND)[0],
    "seconds": lambda d: _cut(d.microseconds, SECOND)[0],
    "milliseconds": lambda d: _cut(d.microseconds, 1000)[0],
    "microseconds": lambda d: d.microseconds,
    "nanoseconds": lambda d: d.microseconds * 1000,
    "quartersofyear": lambda d: _cut(_cut(d.months, 12)[1], 3)[0],
    "monthsofyear": lambda d: _cut(d.months, 12)[1],
    "monthsofquarter": lambda d: _cut(d.months, 3)[1],
    "daysofweek": lambda d: _cut(d.days, 7)[1],
    "minutesofhour": lambda d: _cut(_cut(d.microseconds, 60 * SECOND)[0], 60)[1],
    "secondsofminute": lambda d: _cut(_cut(d.microseconds, SECOND)[0], 60)[1],
    "millisecondsofsecond": lambda d: _cut(_cut(d.microseconds, 1000)[0], 1000)[1],
    "microsecondsofsecond": lambda d: _cut(d.microseconds, SECOND)[1],
    "nanosecondsofsecond": lambda d: _cut(d.microseconds, SECOND)[1] * 1000,
}


def part(value: date | time | Duration, name: str) -> object:
    """`value.year`, `value.hours`: a part by its openCypher name, in any case. Raises CheckError for others."""
    named = name.lower()
    tables: list[Mapping[str, Callable[..., int]]] = [_LASTS]
    if not isinstance(value, Duration):
        tables = [_PARTS] if isinstance(value, date) else []
        tables += [_CLOCK] if isinstance(value, datetime | time) else []
        tables += [_EPOCH] if isinstance(value, datetime) else []
    for table in tables:
        if named in table:
            return table[named](value)
    if named in ("timezone", "offset") and isinstance(value, datetime | time) and value.tzinfo is not None:
        return write(value)[-6:] if not write(value).endswith("Z") else "Z"
    what = "duration" if isinstance(value, Duration) else "date" if type(value) is date else "time"
    raise ToolError(f"A {what} has no part {name!r}. {choices(name, [n for t in tables for n in t], 20)}")


def instant(moment: datetime) -> int:
    """Microseconds since 1970 in UTC."""
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - datetime.fromtimestamp(0, UTC)
    return (since.days * 86_400 + since.seconds) * SECOND + since.microseconds


def write(value: date | time) -> str:
    """ISO 8601, UTC as `Z`."""
    return value.isoformat().replace("+00:00", "Z")


# arithmetic


def shift(value: date | time, by: Duration, sign: int = 1) -> date | time:
    """A date or time so much later (`sign` -1: earlier). A day that the month lacks becomes its last.

    A date moves by whole days only, and a time of day goes round the clock, as in openCypher.
    """
    if isinstance(value, time):
        at = datetime.combine(date(2000, 1, 1), value) + timedelta(microseconds=sign * by.microseconds % DAY)
        return at.timetz()
    try:
        moved = _later(value, sign * by.months)
        if not isinstance(moved, datetime):
            return moved + timedelta(days=sign * by.days + _cut(sign * by.microseconds, DAY)[0])
        return moved + timedelta(days=sign * by.days, microseconds=sign * by.microseconds)
    except (OverflowError, ValueError) as e:
        raise ToolError(
            f"{write(value)} and {by}: the result is no date between the years 1 and 9999."
        ) from e


Day = TypeVar("Day", bound=date)


def _later(value: Day, months: int) -> Day:
    year, month = divmod(value.year * 12 + value.month - 1 + months, 12)
    return value.replace(
        year=year, month=month + 1, day=min(value.day, calendar.monthrange(year, month + 1)[1])
    )


def between(start: date | time, end: date | time) -> Duration:
    """From `start` to `end` in whole months, then whole days, then the rest, all of one sign."""
    if isinstance(start, time) or isinstance(end, time):
        return in_seconds(start, end)
    first, last = _alike(start, end)
    sign = 1 if first <= last else -1
    months = (last.year - first.year) * 12 + last.month - first.month
    while months and (_later(first, months) - last) * sign > timedelta(0):
        months -= sign
    rest = last - _later(first, months)
    days, micros = _cut((rest.days * 86_400 + rest.seconds) * SECOND + rest.microseconds, DAY)
    return Duration(months, days, micros)


def in_months(start: date | time, end: date | time) -> Duration:
    """The whole months from `start` to `end`."""
    return Duration(months=between(start, end).months)


def in_days(start: date | time, end: date | time) -> Duration:
    """The whole days from `start` to `end`."""
    return Duration(days=_cut(in_seconds(start, end).microseconds, DAY)[0])


def in_seconds(start: date | time, end: date | time) -> Duration:
    """All that lies between `start` and `end`, as time; a time of day is on the other's day."""
    if isinstance(start, time) or isinstance(end, time):
        day = next((d for d in (start, end) if isinstance(d, date)), date(2000, 1, 1))
        start, end = (datetime.combine(day, v) if isinstance(v, time) else v for v in (start, end))
    first, last = _alike(start, end)
    return Duration(microseconds=instant(last) - instant(first))


def _alike(*values: date) -> tuple[datetime, ...]:
    """Both as moments, in UTC where one has a zone."""
    moments = [moment(value) for value in values]
    if len({m.tzinfo is None for m in moments}) > 1:
        moments = [m if m.tzinfo else m.replace(tzinfo=UTC) for m in moments]
    return tuple(moments)


def moment(value: date) -> datetime:
    """A date as its midnight; a datetime as it is."""
    return value if isinstance(value, datetime) else datetime.combine(value, time())


_STARTS: Mapping[str, Callable[[date], date]] = {
    "millennium": lambda d: date(max(d.year - d.year % 1000, 1), 1, 1),
    "century": lambda d: date(max(d.year - d.year % 100, 1), 1, 1),
    "decade": lambda d: date(max(d.year - d.year % 10, 1), 1, 1),
    "year": lambda d: date(d.year, 1, 1),
    "weekyear": lambda d: date.fromisocalendar(d.isocalendar().year, 1, 1),
    "quarter": lambda d: date(d.year, 3 * ((d.month + 2) // 3) - 2, 1),
    "month": lambda d: date(d.year, d.month, 1),
    "week": lambda d: d - timedelta(days=d.weekday()),
    "day": lambda d: d,
}
_CLOCK_STARTS: Mapping[str, int] = {
    "hour": 3600 * SECOND,
    "minute": 60 * SECOND,
    "second": SECOND,
    "millisecond": 1000,
    "microsecond": 1,
}


def truncate(unit: str, value: date) -> datetime:
    """The first moment of the unit that `value` lies in."""
    at = moment(value)
    named = unit.lower()
    if named in _STARTS:
        start = _STARTS[named](date(at.year, at.month, at.day))
        return datetime.combine(start, time(tzinfo=at.tzinfo))
    if named in _CLOCK_STARTS:
        since = at - datetime.combine(date(at.year, at.month, at.day), time(tzinfo=at.tzinfo))
        micros = since.seconds * SECOND + since.microseconds
        return at - timedelta(microseconds=micros % _CLOCK_STARTS[named])
    raise ToolError(f"truncate(): no unit {unit!r}. {choices(unit, [*_STARTS, *_CLOCK_STARTS], 14)}")
