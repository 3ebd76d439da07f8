"""Times that a question names by their place in the calendar: a quarter, a half, a month of any year, a day of the week."""

import re
from calendar import day_name, month_name
from typing import NamedTuple

from graphtalk.core.text import NUMBER_WORDS

_MONTHS = {name.lower(): number for number, name in enumerate(month_name) if name}
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_PLACES = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": 0,
}
_YEAR = r"(?P<year>[12]\d{3})"
_FORMS = tuple(
    re.compile(rf"(?<![\w-])(?:{form})(?![\w-])", re.IGNORECASE)
    for form in (
        rf"(?P<place>{'|'.join(_PLACES)}) (?P<part>quarter|half) of {_YEAR}",
        rf"(?P<side>first|last) (?P<several>[2-9]|1[01]|{'|'.join(NUMBER_WORDS[2:12])}) months of {_YEAR}",
        rf"(?P<letter>[QH])(?P<number>[1-4]),?(?: of)? {_YEAR}|{_YEAR.replace('year', 'before')}[ -]?(?P<sign>[QH])(?P<digit>[1-4])",
        rf"{_MONTH}(?= (?:and|to|through|until|till) (?:{'|'.join(_MONTHS)}),? (?P<year>[12]\d{{3}})(?!\w))",
        r"(?P<hour>1[0-2]|0?[1-9])(?:[:.](?P<minute>[0-5]\d))? ?(?P<noon>[ap])\.?m\b\.?|(?P<hours>[01]?\d|2[0-3]):(?P<minutes>[0-5]\d)(?! ?[ap]m)",
        rf"(?<=in ){_MONTH}(?!,? (?:\d|and|to|or))",
        rf"(?<=on )(?:an? )?(?P<day>{'|'.join(day_name)}|weekend)s?",
        r"(?<=at )(?:the |a )?(?P<day>weekend)s?|(?<=on the )(?P<on>weekend)s?",
    )
)  # fmt: skip
_OF_YEAR = {"q": 4, "h": 2}
PERIODICAL = {  # what "per hour" is in the name of a rate, in short forms too
    "hour": ("hourly", "hr", "ph"),
    "night": ("nightly",),
    "day": ("daily", "pd"),
    "week": ("weekly", "wk", "pw"),
    "month": ("monthly", "mth", "pm", "pcm"),
    "quarter": ("quarterly",),
    "year": ("yearly", "annual", "annually", "yr", "pa"),
}


class Period(NamedTuple):
    """`2023-Q1`, `2023-H2`, `2023-03`, `2023-01/2023-05`; of any year `--03`, of any day `22:00`, of any week `Monday` or `weekend`; and where it stands."""

    text: str
    start: int
    end: int


def periods(question: str) -> list[Period]:
    """The times that a question names so.

    >>> [p.text for p in periods("in the first quarter of 2023, between March and June 2024, on Mondays")]
    ['2023-Q1', '2024-03', 'Monday']
    >>> periods("Which may march?")
    []
    """
    found = []
    for form in _FORMS:
        for match in form.finditer(question):
            text = _text({name: part for name, part in match.groupdict().items() if part})
            if text:
                found.append(Period(text, match.start(), match.end()))
    return found


def _text(parts: dict[str, str]) -> str:
    """A period in short; nothing where a year has no such part."""
    if "on" in parts:
        return parts["on"].lower()
    if "day" in parts:
        return parts["day"].lower() if parts["day"].lower() == "weekend" else parts["day"].capitalize()
    if "month" in parts:
        return f"{parts.get('year', '-')}-{_MONTHS[parts['month'].lower()]:02}"
    if "hours" in parts:
        return f"{int(parts['hours']):02}:{parts['minutes']}"
    if "hour" in parts:
        hour = int(parts["hour"]) % 12 + 12 * (parts["noon"].lower() == "p")
        return f"{hour:02}:{parts.get('minute', '00')}"
    if "several" in parts:
        said, year = parts["several"].lower(), parts["year"]
        months = int(said) if said.isdigit() else NUMBER_WORDS.index(said)
        ends = (1, months) if parts["side"].lower() == "first" else (13 - months, 12)
        return "/".join(f"{year}-{month:02}" for month in ends)
    sign = (parts.get("part") or parts.get("letter") or parts["sign"])[0].lower()
    kind = "q" if sign == "q" else "h"
    number = (
        int(parts.get("number") or parts.get("digit") or _PLACES[parts["place"].lower()]) or _OF_YEAR[kind]
    )
    year = parts.get("year") or parts["before"]
    return f"{year}-{kind.upper()}{number}" if number <= _OF_YEAR[kind] else ""
