"""Graphs in the notation of sets, `G = (V, E)` with `E = {{a, b}, {b, c}}`, as plain lists of edges."""

import re

_NAMED = re.compile(r"\bG\s*=\s*\(\s*V\s*,\s*E\s*(?:,\s*w\s*)?\)\s*(?:,|where|with|in which)?\s*")
_EDGES = re.compile(r"\bE(?:\(G\))?\s*(?:=|:=|is)\s*(?=[\[{]\s*[\[({<])")
_CLOSING = {"[": "]", "{": "}", "(": ")", "<": ">"}


def without_set_notation(text: str) -> str:
    """The text with the bracket around the edges of `E = {…}` taken off; as it is where that does not close.

    >>> without_set_notation("G=(V,E) with E={{a,b},{b,c}}.")
    'edges: {a,b},{b,c} .'
    """
    for m in reversed(list(_EDGES.finditer(text))):
        end = _end(text, m.end())
        if end is not None:
            text = f"{text[: m.start()]}edges: {text[m.end() + 1 : end - 1]} {text[end:]}"
    return _NAMED.sub("", text)


def _end(text: str, start: int) -> int | None:
    """The place behind the bracket that closes the one here."""
    deep = 0
    for place in range(start, len(text)):
        if text[place] == text[start]:
            deep += 1
        elif text[place] == _CLOSING[text[start]]:
            deep -= 1
        if not deep:
            return place + 1
    return None
