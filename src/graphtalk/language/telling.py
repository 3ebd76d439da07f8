"""Values told in English."""

import re
from collections.abc import Mapping, Sequence

from graphtalk.core import JSON

_READ_AS = re.compile(
    r"(?P<open>['\"])[\w'’ …-]{1,80}(?P=open) is read as (?P<as>['\"])[\w'’ -]{1,120}(?P=as)\."
)


def answer_in_words(value: JSON, reading: str, remarks: Sequence[str] = ()) -> str:
    """An answer as a sentence: the value, then what was taken to be asked, then what is to be said beside it.

    What is known of a thing stands below what was taken to be asked, a line each; so do groups.
    """
    if isinstance(value, list) and len(value) > 1 and all(isinstance(each, list) for each in value):
        head = f"{len(value):,}: {reading}"
        return "\n".join([head, *(f"  {value_in_words(each)}" for each in value), *remarks])
    if isinstance(value, dict) and not all(isinstance(v, int | float | None) for v in value.values()):
        return "\n".join([f"{reading[:1].upper()}{reading[1:]}", *_lines(value), *remarks])
    return " ".join(
        [f"{value_in_words(value)} ({reading})", *(_ended(r) for r in remarks[:-1]), *remarks[-1:]]
    )


def read_as(written: str, meant: str) -> str:
    """The remark that a word of a question is read as another."""
    return f"{written!r} is read as {meant!r}."


def is_of_reading(remark: str) -> bool:
    """Whether a remark says how a word of the question was read: no call says that.

    >>> is_of_reading(read_as("licence", "license")), is_of_reading("A model predicts it.")
    (True, False)
    """
    return _READ_AS.fullmatch(remark) is not None


def _ended(remark: str) -> str:
    return remark if remark.endswith((".", "!", "?")) else f"{remark};"


def value_in_words(value: JSON) -> str:
    """A value as people write it: `Spain and Italy`, `12,000`, `Yes`, `Not known`."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if value is None:
        return "Not known"
    if isinstance(value, list):
        names = [
            _row_in_words(v) if isinstance(v, dict) else value_in_words(v) for v in value if v is not None
        ]
        if not names:
            return "None found"
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    if isinstance(value, dict):
        return ", ".join(f"{k}: {value_in_words(v)}" for k, v in value.items())
    return number_in_words(value) if isinstance(value, int | float) else str(value)


def _row_in_words(row: Mapping[str, JSON]) -> str:
    """A row of several columns: of two, the first heads the second; of more, each is named."""
    if len(row) == 2:
        head, cell = map(value_in_words, row.values())
        return f"{head}: {cell}"
    return f"({value_in_words(dict(row))})"


def _lines(value: Mapping[str, JSON]) -> list[str]:
    """A line for each entry, their values below one another."""
    width = max(len(name) for name in value)
    return [f"  {name:<{width}}  {value_in_words(entry)}" for name, entry in value.items()]


def number_in_words(value: float) -> str:
    """A number as people write it: 12,500, 2012, 0.5."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"  # no comma in 2012: it may be a year
