"""The time that a question is about: "who led Acme as of March 2015?" is a question, and a month."""

import re
from calendar import month_abbr, month_name, monthrange
from datetime import date
from typing import NamedTuple

_MONTHS = {
    name.lower(): number for names in (month_name, month_abbr) for number, name in enumerate(names) if name
}
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_YEAR = r"(?P<year>[12]\d{3})"
_TIMES = tuple(
    re.compile(
        rf"(?:the\s+)?(?:(?P<edge>start|beginning|end)\s+of\s+)?(?:the\s+)?(?:year\s+)?{form}(?![\w-]|[.,]\d)",
        re.IGNORECASE | re.ASCII,
    )
    for form in (
        r"(?P<iso>[12]\d{3}-\d{2}(?:-\d{2})?)",
        rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\s+{_YEAR}",
        rf"{_MONTH}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+{_YEAR}",
        rf"{_MONTH},?\s+{_YEAR}",
        _YEAR,
        "(?P<now>now|today)",
    )
)
_AS_OF = re.compile(
    r"(?P<before>^|[\s,(])as\s+(?:of|at|(?:it|they|things|matters)\s+(?:was|were|stood)\s+(?:in|on|at))\s+", re.IGNORECASE
)  # fmt: skip

_NOW = re.compile(
    r"^(?:now|today|currently|presently|nowadays|at present|at the moment),?\s+"
    r"|,?\s+(?:(?:right|just|as it is) now|now|today|currently|presently|nowadays|these days|at present|at the moment)(?=\s+[a-z]|\s*[?.!]?\s*$)",
    re.ASCII,
)


class AsOf(NamedTuple):
    """A question without the time that it is about, and that time: `2015`, `2015-03` or `2015-03-01`; "" where it is not understood."""

    question: str
    period: str


def without_moment(question: str) -> AsOf | None:
    """The question and the time that it says it is about; None where it says none.

    >>> without_moment("Who led Acme as of March 2015?")
    AsOf(question='Who led Acme?', period='2015-03')
    >>> without_moment("As of 2015, how many people work at Acme?")
    AsOf(question='How many people work at Acme?', period='2015')
    >>> without_moment("Who leads Acme as of late?")
    AsOf(question='Who leads Acme as of late?', period='')
    >>> without_moment("Who works as a guide?")
    """
    unclear = None
    for said in _AS_OF.finditer(question):
        for form in _TIMES:
            time = form.match(question, said.end())
            if time is not None:
                before = question[: said.start()].rstrip(" ,")
                after = question[time.end() :].lstrip(" ,)" if not before or said["before"] == "(" else " ,")
                rest = f"{before} {after}" if before and after[:1].isalnum() else before + after
                return AsOf(rest[:1].upper() + rest[1:], _period(time.groupdict()))
        unclear = AsOf(question, "")
    return unclear


def without_now(question: str) -> AsOf | None:
    """The question without a word for today, and the day that it is; None where it has no such word.

    >>> without_now("Who works at Acme now?").question
    'Who works at Acme?'
    >>> without_now("Who currently leads Acme?").question
    'Who leads Acme?'
    >>> without_now("Who acted in Apocalypse Now?")
    """
    rest = _NOW.sub("", question[:1].lower() + question[1:], count=1)
    if len(rest) == len(question):
        return None
    return AsOf(rest[:1].upper() + rest[1:], date.today().isoformat())


def _period(parts: dict[str, str | None]) -> str:
    if parts.get("now"):
        return date.today().isoformat()
    month, day = parts.get("month"), parts.get("day")
    named = [f"{_MONTHS[month.lower()]:02}"] if month else []
    told = parts.get("iso") or "-".join([str(parts["year"]), *named, *([f"{int(day):02}"] if day else [])])
    year, *rest = map(int, told.split("-"))
    if not parts.get("edge") or len(rest) == 2 or not all(1 <= m <= 12 for m in rest):
        return told
    if parts["edge"] == "end":
        last = rest[0] if rest else 12
        return f"{year}-{last:02}-{monthrange(year, last)[1]}"
    return f"{year}-{rest[0] if rest else 1:02}-01"
