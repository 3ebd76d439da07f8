"""The values of JSON and Python literals in a text, and where their brackets close."""

import ast
import json
import re
from collections import deque
from itertools import islice
from typing import Any

OPENING = re.compile(r"[\[{]")
_MARKS = re.compile(r"[\[\](){}\"']")
_CLOSING = {"[": "]", "{": "}", "(": ")"}
_MOST_DEEP = 12
_MOST_LITERAL = 200_000  # letters of a Python literal; its tree takes a hundred times as much
_AS_JSON = str.maketrans("()'", '[]"')
_AS_LISTS = str.maketrans("(){}'", '[][]"')  # sets of sets too


def value(text: str, start: int) -> tuple[Any, int, str]:
    """The value of a literal, the place behind it, and what is wrong where there is none.

    Of what is nested too deep to be a graph, only the place up to which nothing else can begin.
    """
    try:
        data, end = json.JSONDecoder().raw_decode(text, start)
        return data, end, ""
    except RecursionError:
        return None, _deep_in(text, start), ""
    except json.JSONDecodeError as error:
        place, why = max(start + 1, error.pos), str(error)
    close = closing(text, start)
    if close is None:
        return None, place, why
    end, held = close, text[start:close]
    if '"' not in held or "'" not in held:  # JSON in all but brackets and quotes, read much faster
        try:
            return json.loads(held.translate(_AS_JSON if ":" in held else _AS_LISTS)), end, ""
        except (json.JSONDecodeError, RecursionError):
            pass
    if len(held) > _MOST_LITERAL:
        return None, place, why
    try:
        data = ast.literal_eval(held)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None, place, why
    return (data, end, "") if isinstance(data, list | dict | set | tuple) else (None, place, why)


def _deep_in(text: str, start: int, brackets: int = 100) -> int:
    """The place of a bracket some way into what is nested: all between is inside too."""
    found = islice(OPENING.finditer(text, start + 1), brackets)
    return deque((m.start() for m in found), maxlen=1).pop()


def closing(text: str, start: int) -> int | None:
    """The place behind the bracket that closes the one here; None where brackets do not match."""
    open_: list[str] = []
    quote = ""
    for m in _MARKS.finditer(text, start):
        mark = m[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        elif mark in _CLOSING:
            open_.append(_CLOSING[mark])
            if len(open_) > _MOST_DEEP:
                return None
        elif not open_ or open_.pop() != mark:
            return None
        elif not open_:
            return m.end()
    return None
