"""The kind of thing that a question asks for."""

import re
from calendar import month_abbr, month_name
from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from graphtalk.core import JSON
from graphtalk.language.people import is_person

Kind: TypeAlias = Literal["", "truth", "number", "things"]

_TRUTH = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had)\b(?!.*\bor\b)|^\s*(?:is it true|tell me whether)\b",
    re.I,
)
_NUMBER = re.compile(
    r"^\s*(?:how many|how much|(?:what is |what's |give |tell me |count )?(?:the )?(?:total |overall )?"
    r"(?:number|count|average|mean|sum) of|count)\b",
    re.I,
)
_THINGS = re.compile(r"^\s*(?:who|whom|whose|which|list|name)\b", re.I)


def asked_kind(question: str) -> Kind:
    """What the first words of a question ask for: whether something is so, a number, or things; empty: that is open.

    >>> asked_kind("Is Peru in Asia?"), asked_kind("How many are there?"), asked_kind("Who knows Bob?")
    ('truth', 'number', 'things')
    """
    if _TRUTH.search(question):
        return "truth"
    if _NUMBER.search(question):
        return "number"
    return "things" if _THINGS.search(question) else ""


_ASKS = (
    ("who", re.compile(r"^\s*(?:by |with |to |for |from )?whom?\b", re.I)),
    (
        "or",
        re.compile(
            r"^\W*(?:is|are|was|were|do|does|did|has|have|had)\b.*\b(more|fewer|less) .+\bor (?:\w+ )?\1\b",
            re.I,
        ),
    ),
    ("whether", _TRUTH),
    (
        "what",
        re.compile(  # no "what was Night Bus's"
            r"^\s*what (?:was|were|is|are|has been|have been) (?-i:[a-z]+(?:ed|ne|en|wn|ght|lt))\b(?!['’])",
            re.I,
        ),
    ),
    ("why", re.compile(r"^\W*(?:why|how come)\b", re.I)),
    ("where", re.compile(r"^\s*where\b", re.I)),
    ("does", re.compile(r"^\s*when (?:do|does)\b", re.I)),
    ("when", re.compile(r"^\s*(?:since )?when\b", re.I)),
    (
        "hours",
        re.compile(
            r"^\W*(?:[\w']+ ){0,4}?(?:opening|closing|business|office|visiting|working) (?:hours?|times?)\b",
            re.I,
        ),
    ),
    (
        "which",
        re.compile(
            r"^\W*(?:in |on |at |for |by |with |from |to )?(?:which|what)\b(?!(?: is| was| are| were|['’]s) )",
            re.I,
        ),
    ),
    ("how", re.compile(r"^\s*how (?:many|much|often|long|far|tall|high|deep|wide|heavy|fast)\b", re.I)),
)
_PARTS = re.compile(
    r"^\W*(?:in |since |from |during )?(?:which|what) (?:calendar )?(?P<part>year|month)\b", re.I
)
_YEARS = range(1000, 2200)
_DATE = re.compile(r"\d{4}-\d\d(?:-\d\d.*)?|\d\d?:\d\d.*")
_YEAR = re.compile(r"[12]\d{3}(?:\.0)?")
_MONTH = re.compile(
    rf"(?:\d{{4}}-)?(?:0?[1-9]|1[0-2])|(?:{'|'.join((*month_name[1:], *month_abbr[1:]))})\.?(?: \d{{4}})?",
    re.I,
)
_MOMENT = re.compile(
    r"\b\d{4}\b|\d[-:/]\d|\d\.\d+\.\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:spring|summer|autumn|fall|winter|morning|noon|afternoon|evening|night"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)\b",
    re.I,
)


def asked_part(question: str) -> str:
    """The part of a date that a question asks for by its first words, as it is written: what is given has to be one (`misfit`).

    >>> asked_part("In which year was it cast?"), asked_part("Which years are missing?")
    ('year', '')
    """
    asked = _PARTS.match(question)
    return asked["part"] if asked else ""


def misfit(question: str, entries: Iterable[JSON], types: Collection[str] = ()) -> str:
    """The first words of a question that what is given does not answer; empty where it may. Entries are texts and values,
    `types` of what nodes they are, where they are nodes.

    Nobody is called 1834 or 2017-02-24, nothing lies in 12 or in somebody, and "when" asks for no name and no version 2.1.

    >>> misfit("Who founded Acme?", [1834]), misfit("When was Acme founded?", [1834]), misfit("When did Bob join?", ["Acme"])
    ('who', '', 'when')
    >>> misfit("Which items are decorated?", [True, False]), misfit("What was decided on case 2?", ["2024-01-02"])
    ('which', 'what')
    >>> misfit("In which year was it cast?", [1931]), misfit("In which year was it cast?", ["1931-05-02"]), misfit("Which month?", ["May"])
    ('', 'year', '')
    >>> misfit("Were there more gulls or more terns?", [True]), misfit("Where is the fern?", ["Ann"], ["gardeners"])
    ('or', 'where')
    """
    part = asked_part(question).lower()
    asked = part or next((word for word, pattern in _ASKS if pattern.search(question)), "")
    if not asked:
        return ""
    if types and (asked == "why" or (asked == "where" and all(map(is_person, types)))):
        return asked  # no thing is a reason
    cells = [cell for entry in entries for cell in (entry.values() if isinstance(entry, dict) else [entry])]
    known = [cell for cell in cells if cell is not None]
    return asked if known and not any(_may_be(asked, cell) for cell in known) else ""


def _may_be(asked: str, cell: JSON) -> bool:
    number = isinstance(cell, int | float) and not isinstance(cell, bool)
    match asked:
        case "who" | "where":
            return isinstance(cell, str | list) and not _DATE.fullmatch(str(cell))
        case "or" | "which":  # more of the one or more of the other is not yes, nor is one of several
            return not isinstance(cell, bool)
        case "whether":
            return not number
        case "what":  # what was decided on is no day
            return not _DATE.fullmatch(str(cell))
        case "why":
            return isinstance(cell, str) and not _DATE.fullmatch(cell)
        case "does":  # a year is no hour
            return not number and _MOMENT.search(str(cell)) is not None
        case "when":
            # A year, if an early one; no percentage.
            whole = (
                isinstance(cell, int | float) and float(cell).is_integer() and number and not 0 <= cell < 100
            )
            return whole or _MOMENT.search(str(cell)) is not None
        case "year":
            return _YEAR.fullmatch(str(cell)) is not None
        case "month":
            return _MONTH.fullmatch(str(cell)) is not None
        case "hours":
            return not (number and cell in _YEARS) and not _DATE.fullmatch(str(cell))
    return number or (str(cell)[:1].isdigit() and not _DATE.fullmatch(str(cell)))
