"""The structured blocks of a text, taken out of it: fenced blocks, code, markup, JSON and Python literals, DOT, blocks of lines."""

import re
from typing import Any

from graphtalk.core import UsageError
from graphtalk.language.told.code import take_code
from graphtalk.language.told.dot import take_dot
from graphtalk.language.told.listing import HEADING, HOLE, Listing, Taken
from graphtalk.language.told.literals import OPENING, value
from graphtalk.language.told.markup import take_markup
from graphtalk.language.told.records import graph_of, speaks_of_links
from graphtalk.language.told.rows import take_rows, yaml_of

_FENCE = re.compile(r"```[ \t]*([\w+-]*)[ \t]*\n(.*?)\n?[ \t]*```", re.S)
_SPOKEN = re.compile(r'["\'](?:nodes|vertices|links|edges)["\']\s*:\s*\[')
_ASSIGNED = re.compile(r"\b\w+\s*=\s*$")
_CALLED_MATRIX = re.compile(r"[\s`]*(?:is|as|being|,)[^.?!\n]{0,40}\bmatrix\b")


def take_blocks(text: str) -> Taken:
    """The text without its structured blocks, a hole for each, and these.

    Raises UsageError for a block that means a graph and cannot be read: as prose it would be read wrongly.
    """
    text, found = _fenced(text)
    text, code = take_code(text)
    text, markup = take_markup(text)
    text, literal = _literals(text)
    text, dot = take_dot(text)
    text, rows = take_rows(text)
    return text, [*found, *code, *markup, *literal, *dot, *rows]


def _fenced(text: str) -> Taken:
    if "```" not in text:
        return text, []
    found: list[Listing] = []

    def inside(m: re.Match[str]) -> str:
        heading, held = text[max(0, m.start() - HEADING) : m.start()], m[2]
        if m[1].lower() in ("yaml", "yml"):
            listing = yaml_of(held, heading)
            if listing is None:
                raise UsageError("The YAML of the graph cannot be read.")
            found.append(listing)
            return f"\n{HOLE}\n"
        return f"\n{held}\n"

    return _FENCE.sub(inside, text), found


def _literals(text: str) -> Taken:
    """JSON and Python literals that are graphs; one reading of each place."""
    kept: list[str] = []
    found: list[Listing] = []
    last = place = 0
    while (opening := OPENING.search(text, place)) is not None:
        start = opening.start()
        heading = text[max(0, start - HEADING) : start]
        data, end, broken = value(text, start)
        if _CALLED_MATRIX.match(text, end):
            heading += " matrix"
        listing = graph_of(data, heading) if data is not None else None
        if listing is None and broken and _SPOKEN.search(text, start, end + 1):
            raise UsageError(f"The JSON of the graph is broken: {broken}.")
        if listing is None or not _is_graph(data, listing, heading):
            passed = not broken if data is None else not isinstance(data, list)
            place = end if passed else start + 1
            continue
        kept += [_ASSIGNED.sub("", text[last:start]), f" {HOLE} "]
        found.append(listing)
        last = place = end
    return ("".join([*kept, text[last:]]), found) if found else (text, [])


def _is_graph(data: Any, listing: Listing, heading: str) -> bool:
    """Whether what was read is to be a graph; a lone list of numbers or a pair is not."""
    if isinstance(data, list | tuple) and not speaks_of_links(data):
        return len(data) > 1 or (len(data) == 1 and "edge" in heading.lower())
    return bool(len(listing.source) or listing.names or listing.values)


_BETWEEN = re.compile(rf"{HOLE}\s*[,;]?\s*(?:and\s+)?([^{HOLE}.?!\n]{{1,60}}?)\s*[,;]?\s*(?={HOLE})")
_BESIDE = re.compile(
    rf"{HOLE}\s*[,;]\s*([(\[{{<][^()\[\]{{}}\n{HOLE}]{{0,60}}[)\]}}>])|([(\[{{<][^()\[\]{{}}\n{HOLE}]{{0,60}}[)\]}}>])\s*[,;]\s*{HOLE}"
)
_SIGNED = re.compile(rf"{HOLE}\s*[,;]?\s*([\w?]{{1,20}}\s?(?:-+>?|–|→|--)\s?[\w?]{{1,20}})\s*(?=[,;.\n]|$)")
_OTHER_GRAPH = re.compile(r"\W*(?:the )?(?:second )?graph \w{1,3}\W*", re.I)  # "Graph 2:"
_EDGE_LIKE = re.compile(r"[()\[\]{}<>|]|->|--|→|\d")


def check_left(text: str) -> None:
    """Raise UsageError for what stands among listed edges and was not read: an edge must not vanish."""
    if (beside := _SIGNED.search(text)) and (
        re.search(r"[?→>]|--", beside[1]) or re.search(r"(?<![^\W\d_])(?:\w|\d+)(?!\w)", beside[1])
    ):
        raise UsageError(f"{beside[1].strip()!r} stands among the edges and cannot be read as one.")
    for pattern in (_BETWEEN, _BESIDE):
        for m in pattern.finditer(text):
            left = next(group for group in m.groups() if group is not None)
            if (
                _EDGE_LIKE.search(left)
                and not _OTHER_GRAPH.fullmatch(left)
                and not re.search(r"[a-z]{3,}.*[a-z]{3,}", left)
            ):
                raise UsageError(f"{left.strip()!r} stands among the edges and cannot be read as one.")
