"""Which nodes and how many edges a text says there are: "numbered from 0 to 7", "8 nodes", "nodes A, B and C"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from graphtalk.core import UsageError
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.nouns import ID, any_of, either, forms, nouns, words

_COUNT = rf"\d[\d,]*|{'|'.join(NUMBER_WORDS)}"


@dataclass(frozen=True)
class Universe:
    """What a text says about its nodes and edges, with the words that say so.

    `names` are listed or numbered nodes; `count` and `edges` numbers that are told (None: none is). `second_names`
    are the nodes of the smaller graph; `groups` have the numbered members of each kind of a story.
    """

    names: tuple[str, ...] = ()
    count: int | None = None
    edges: int | None = None
    names_quote: str = ""
    count_quote: str = ""
    edges_quote: str = ""
    second_names: tuple[str, ...] = ()
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True)
class Range:
    """Nodes that are numbered or lettered in a row: their names, the noun before, and where the row stands in the text."""

    names: tuple[str, ...]
    noun: str
    quote: str
    start: int
    end: int


_ROW = re.compile(
    r"(?<![\w.])(\d+|[A-Za-z])\s*(?:to|through|-|–|until|up to|\.\.+|…)\s*(\d+|[A-Za-z])(?![\w.]*\w)"
)
_NUMBERED = re.compile(
    r"(?:(?P<noun>[a-z]+),? (?:(?:are|is|be|all|of [\w' ]+ are|of [\w' ]+) )*)?(?:numbered|labell?ed|indexed|named|called|identified|"
    r"denoted|numbers|ids|running|ranging|range|run|lettered)(?: (?:as|by|with|using|the|numbers|integers|letters|consecutively|ids?))*"
    r"(?: from)?\s+$",
    re.I,
)
_HOW_MANY = re.compile(r"\b(?:how many|number of|fewest|least|most|few|many|minimum|any)(?: [a-z]+)? $", re.I)
_BEFORE = 90  # letters before a row of numbers that may say what it is


def ranges(text: str) -> list[Range]:
    """What a text says is numbered: "nodes are numbered from 0 to 7"."""
    found = []
    for m in _ROW.finditer(text):
        before = text[max(0, m.start() - _BEFORE) : m.start()]
        if not before.rstrip()[-1:].isalpha():
            continue
        head = _NUMBERED.search(before) or _plural().search(before)
        if head and _HOW_MANY.search(before, 0, head.start()):
            continue
        names = _row(m[1], m[2]) if head else ()
        if names and head:
            start = m.start() - len(before) + head.start()
            quote = " ".join(text[start : m.end()].split())
            found.append(Range(names, (head["noun"] or "").lower(), quote, m.start(), m.end()))
    return found


@cache
def _plurals(kind: str) -> str:
    return any_of(forms(word)[1] for word in nouns()[kind].split())


@cache
def _plural() -> re.Pattern[str]:
    return re.compile(rf"\b(?P<noun>{_plurals('nodes')}),? (?:are |from |are from )?$", re.I)


def _row(low: str, high: str) -> tuple[str, ...]:
    if low.isdigit() and high.isdigit() and int(low) <= int(high):
        return tuple(map(str, range(int(low), int(high) + 1)))
    if low.isalpha() and high.isalpha() and low <= high and low.isupper() == high.isupper():
        return tuple(map(chr, range(ord(low), ord(high) + 1)))
    return ()


def without_ranges(text: str, found: Sequence[Range]) -> str:
    """The text without what says how nodes are numbered, lest "from 0 to 7" be read as an edge."""
    last, pieces = 0, []
    for one in found:
        pieces.append(text[last : one.start])
        last = max(last, one.end)
    return " ".join([*pieces, text[last:]])


def universe(found: Sequence[Range], text: str, two: bool) -> Universe:
    """What ranges and a text say. `two`: the second range of nodes is that of the smaller graph."""
    listed = listed_nodes(text) if not found else None
    count = _count(text, _plurals("nodes"), found)
    edges = _count(text, _plurals("edges"), [])
    first = (found[0].names, found[0].quote) if found else listed
    return Universe(
        first[0] if first else (),
        count[0] if count else None,
        edges[0] if edges else None,
        first[1] if first else "",
        count[1] if count else "",
        edges[1] if edges else "",
        found[1].names if two and len(found) > 1 else (),
        tuple((one.noun, one.names) for one in found if one.noun) if len(found) > 1 and not two else (),
    )


def listed_nodes(text: str) -> tuple[tuple[str, ...], str] | None:
    """`nodes A, B, C and D`, `the nodes are: 0, 1, 2`."""
    pattern = rf"\b(?:{either('nodes')})(?: are| named| called| labell?ed|,? namely)?\s*:?\s*[\[{{(]?((?:{ID}(?:\s*,\s*(?:and )?|\s+and\s+)){{2,}}{ID})[\]}})]?"
    for m in re.finditer(pattern, text):
        before = text[max(0, m.start() - 40) : m.start()]
        if not re.search(r"\b(?:between|from|to|with|path|are)\s*$", before):
            listed = (name.strip("\"'") for name in re.findall(ID, m[1]))
            names = tuple(name for name in listed if name != "and" and name not in words("edges"))
            return names, m[0].strip()
    return None


def _count(text: str, noun: str, ranges: Sequence[object]) -> tuple[int, str] | None:
    """How many of a noun a text says there are: the only number that is told, 2 and 3 in letters left out."""
    pattern = rf"(?<![\w=-])(?P<count>{_COUNT}) (?!and |or |to |is |an? |the )(?:[a-z-]+ )?{noun}\b(?! (?:away|apart|long|is|between|\d))|\b{noun} (?:count|number) ?(?:is|=|:) ?(?P<count2>\d+)\b|\bnumber of {noun}(?: is|:| =) (?P<count3>\d+)"
    found = [
        (_number(m["count"] or m["count2"] or m["count3"]), m[0])
        for m in re.finditer(pattern, text, re.I)
        if not _part(text, m)
    ]
    told = {count for count, _ in found}
    if len(told) > 1 and len(ranges) < 2:
        if _same_noun(found):
            quotes = " and ".join(repr(quote) for _, quote in found[:2])
            raise UsageError(f"The text contradicts itself: it says {quotes}.")
        return None
    return found[0] if found and len(told) == 1 and len(ranges) < 2 else None


def _same_noun(found: Sequence[tuple[int, str]]) -> bool:
    return len({quote.split()[-1].lower() for _, quote in found}) == 1


def _part(text: str, m: re.Match[str]) -> bool:
    """Whether a count is about some of the nodes only: "two nodes", "three interconnected nodes", "each two cities"."""
    before = text[max(0, m.start() - 25) : m.start()].lower()
    spelled = not (m["count"] or m["count2"] or m["count3"]).replace(",", "").isdigit()
    if re.search(
        r"\b(?:graph|network|map|tree|there) (?:has|have|are|is|contains?) (?:exactly|precisely) $", before
    ):
        return False
    few = spelled and _number(m["count"] or "0") <= 3
    if re.search(rf"\b(?:{either('nodes')}|¤)\s*$", before):
        return True
    asked = re.search(
        r"(?:between|any|these|those|of|every|least|most|than|exactly|precisely|within|in|after|top|which|only|the|for) (?:the )?$",
        before,
    )
    return few or bool(asked)


def _number(text: str) -> int:
    low = text.lower()
    return NUMBER_WORDS.index(low) if low in NUMBER_WORDS else int(low.replace(",", ""))
