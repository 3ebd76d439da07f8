"""Conditions on dates: a day, and a month or a year as a whole."""

import re
from datetime import date

from graphtalk.calls.ast import Text
from graphtalk.calls.query import Apply, Operation, Operator, Term

_PERIOD = re.compile(r"(\d{4})(?:-(\d\d))?", re.ASCII)


def in_period(own: Term, sign: Operator, written: str) -> Term | None:
    """A date compared with a year or a month as a whole: `> 2001` is from 2002 on. None for any other text."""
    match = _PERIOD.fullmatch(written.strip())
    if match is None:
        return None
    year, month = int(match[1]), int(match[2] or 1)
    try:
        start = date(year, month, 1)
        end = date(year + (month == 12 or not match[2]), month % 12 + 1 if match[2] else 1, 1)
    except ValueError:
        return None
    from_start, from_end = Operation(">=", (own, _day(start))), Operation(">=", (own, _day(end)))
    before_start, before_end = Operation("<", (own, _day(start))), Operation("<", (own, _day(end)))
    during = Operation("and", (from_start, before_end))
    return {
        "<": before_start,
        ">=": from_start,
        ">": from_end,
        "<=": before_end,
        "=": during,
        "<>": Operation("not", (during,)),
    }.get(sign)


def on_day(own: Term, sign: Operator, written: str) -> Term | None:
    """A date compared with a day; None for what is no day of ISO 8601."""
    try:
        return Operation(sign, (own, _day(date.fromisoformat(written.strip()))))
    except ValueError:
        return None


def _day(day: date) -> Term:
    return Apply("date", (Text(day.isoformat()),))
