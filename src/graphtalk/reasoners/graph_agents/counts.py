"""Which nodes and how many edges a text says there are: "numbered from 0 to 7", "8 nodes", "nodes A, B and C"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.lexicon import ID, either

_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split()
_COUNT = rf"\d[\d,]*|{'|'.join(_SMALL)}"


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


def without_ranges(text: str) -> str:
    """The text without what says how nodes are numbered, lest "from 0 to 7" be read as an edge."""
    return _range_pattern().sub(" ", text)


def universe(text: str, two: bool) -> Universe:
    """What a text says. `two`: the second range of nodes is that of the smaller graph."""
    ranges = _ranges(text)
    listed = _listed(text) if not ranges else None
    count = _count(text, f"(?:{either('nodes')})", ranges)
    edges = _count(text, f"(?:{either('edges')})", [])
    first = ranges[0] if ranges else listed
    return Universe(
        first[0] if first else (),
        count[0] if count else None,
        edges[0] if edges else None,
        first[1] if first else "",
        count[1] if count else "",
        edges[1] if edges else "",
        ranges[1][0] if two and len(ranges) > 1 else (),
        tuple((kind, names) for names, _, kind in ranges if kind) if len(ranges) > 1 and not two else (),
    )


_RANGE = (
    r"(?:(?P<noun>[a-z]+)s?,? (?:(?:are|is|be|all|of [\w' ]+ are|of [\w' ]+) )*)?"
    r"(?:numbered|labell?ed|indexed|named|called|identified|denoted|numbers|ids|running|ranging|range|run|lettered)(?: (?:as|by|with|using|the|numbers|integers|letters|consecutively|ids?))*"
    r"(?: from)? (?P<low>\d+|[A-Za-z])\s*(?:to|through|-|–|until|up to|\.\.+|…)\s*(?P<high>\d+|[A-Za-z])\b"
    r"|\b(?P<noun2>{nodes}) (?:from )?(?P<low2>\d+|[A-Z])\s*(?:to|through|-|–|\.\.+|…)\s*(?P<high2>\d+|[A-Z])\b"
)


@cache
def _range_pattern() -> re.Pattern[str]:
    return re.compile(_RANGE.replace("{nodes}", either("nodes")), re.I)


def _ranges(text: str) -> list[tuple[tuple[str, ...], str, str]]:
    found = []
    for m in _range_pattern().finditer(text):
        low, high = m["low"] or m["low2"], m["high"] or m["high2"]
        noun = (m["noun"] or m["noun2"] or "").lower()
        if low.isdigit() and high.isdigit() and int(low) <= int(high):
            names = tuple(map(str, range(int(low), int(high) + 1)))
        elif not low.isdigit() and not high.isdigit() and low <= high:
            names = tuple(map(chr, range(ord(low), ord(high) + 1)))
        else:
            continue
        found.append((names, m[0].strip(), noun))
    return found


def _listed(text: str) -> tuple[tuple[str, ...], str] | None:
    """`nodes A, B, C and D`, `the nodes are: 0, 1, 2`."""
    pattern = rf"\b(?:{either('nodes')})(?: are| named| called| labell?ed|,? namely)?\s*:?\s*[\[{{(]?((?:{ID}(?:\s*,\s*(?:and )?|\s+and\s+)){{2,}}{ID})[\]}})]?"
    for m in re.finditer(pattern, text):
        before = text[max(0, m.start() - 40) : m.start()]
        if not re.search(r"\b(?:between|from|to|with|path|are)\s*$", before):
            names = tuple(name.strip("\"'") for name in re.findall(ID, m[1]) if name != "and")
            return names, m[0].strip()
    return None


def _count(text: str, noun: str, ranges: Sequence[object]) -> tuple[int, str] | None:
    """How many of a noun a text says there are: the only number that is told, 2 and 3 in letters left out."""
    pattern = rf"(?<![\w=-])(?P<count>{_COUNT}) (?!and |or |to |is )(?:[a-z-]+ )?{noun}\b(?! (?:away|apart|long|is|between|\d))|\b{noun} (?:count|number) ?(?:is|=|:) ?(?P<count2>\d+)\b|\bnumber of {noun}(?: is|:| =) (?P<count3>\d+)"
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
    few = spelled and _number(m["count"] or "0") <= 3
    if re.search(rf"\b(?:{either('nodes')}|¤)\s*$", before):
        return True
    asked = re.search(
        r"(?:between|any|these|those|of|every|least|most|than|exactly|within|in|after|top|which|only|the|for) (?:the )?$",
        before,
    )
    return few or bool(asked)


def _number(text: str) -> int:
    low = text.lower()
    return _SMALL.index(low) if low in _SMALL else int(low.replace(",", ""))
