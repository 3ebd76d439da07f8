"""How dates compare with what a call says: a day, a moment, or a year alone, which means all of it."""

import re
from calendar import isleap, monthrange
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

import pyarrow as pa

from graphtalk.core import CheckError
from graphtalk.tools.types import Comparison
from graphtalk.tools.values import Scalar

_YEAR = re.compile(r"[12]\d{3}", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


@dataclass(frozen=True)
class Span:
    """From one moment to before another, in microseconds of the calendar (see `moment`)."""

    start: int
    end: int

    def holds(self, found: date, comparison: Comparison) -> bool:
        """Whether a date compares so with the span: `<` is before all of it, `>` after all of it."""
        at = moment(found)
        if comparison in ("=", "!="):
            return (self.start <= at < self.end) == (comparison == "=")
        if comparison in ("<", ">="):
            return (at < self.start) == (comparison == "<")
        return (at < self.end) == (comparison == "<=")


def moment(found: date) -> int:
    """Microseconds from the beginning of the calendar to a date's first moment, or to a datetime (in UTC)."""
    if not isinstance(found, datetime):
        return found.toordinal() * _MICROSECONDS
    local = found.astimezone(UTC) if found.tzinfo else found
    clock = timedelta(
        hours=local.hour, minutes=local.minute, seconds=local.second, microseconds=local.microsecond
    )
    return local.toordinal() * _MICROSECONDS + clock // timedelta(microseconds=1)


_MICROSECONDS = timedelta(days=1) // timedelta(microseconds=1)


@lru_cache(maxsize=1024)
def span_of(value: Scalar) -> Span:
    """The time that a value names. Raises CheckError where it names none."""
    if isinstance(value, datetime):
        return Span(moment(value), moment(value) + 1)
    if isinstance(value, date):
        return Span(moment(value), moment(value) + _MICROSECONDS)
    text = str(int(value) if isinstance(value, float) and value.is_integer() else value).strip()
    month = _MONTH.fullmatch(text)
    if _YEAR.fullmatch(text):
        first = date(int(text), 1, 1).toordinal()
        return Span(first * _MICROSECONDS, (first + 365 + isleap(int(text))) * _MICROSECONDS)
    if month and int(month[1]):
        first = date(int(month[1]), int(month[2]), 1).toordinal()
        days = monthrange(int(month[1]), int(month[2]))[1]
        return Span(first * _MICROSECONDS, (first + days) * _MICROSECONDS)
    found = _read(text)
    if found is None:
        raise CheckError(f"{value!r} is no date to compare with. Write 2021-03-14, 2021-03 or 2021.")
    return span_of(found)


def _read(text: str) -> date | None:
    """The date or datetime that a text says, None where it says none."""
    if _DAY.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    from graphtalk.graphs.formats.dates import Ambiguous, form_of, read_dates  # imports pyarrow.compute

    cells = pa.chunked_array([pa.array([text])])
    form = form_of(cells)
    try:
        told = read_dates(cells, form) if form else None
    except Ambiguous:
        raise CheckError(f"{text!r} could have the day or the month first: write it as 2021-03-14.") from None
    found: date | None = told[0].as_py() if told is not None else None
    return found
