"""Reading what strangers wrote: what parsers raise on text that is damaged or made to harm, said in one place.

`read_json` and `read_toml` raise ValueError alone, whatever the text; `refusing` turns what else a parser may raise
into one error of ours.
"""

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from graphtalk.core.errors import GraphtalkError

MOST_DEPTH = 100  # lists and objects in one another
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKET = re.compile(rb"[\[\]{}]")
_FAULTS = (RecursionError, MemoryError, UnicodeError, OverflowError)


def faults(*others: type[Exception]) -> tuple[type[Exception], ...]:
    """What parsers raise on hostile input beside errors of syntax (Arrow's where it is loaded), and `others`."""
    arrow = sys.modules.get("pyarrow")
    return (*others, *_FAULTS, *([arrow.ArrowException] if arrow is not None else []))


def in_words(error: BaseException) -> str:
    """What the input did, without a full stop."""
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, MemoryError):
        return "more than memory holds"
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 text at byte {error.start:,}"
    if isinstance(error, UnicodeError):
        return "half a character (a lone surrogate)"
    if isinstance(error, OverflowError):
        return "a number that is too large"
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")


@contextmanager
def refusing(refused: Callable[[str], GraphtalkError]) -> Iterator[None]:
    """Turn `faults` into the error that `refused` makes of the words for them."""
    try:
        yield
    except faults() as error:
        raise refused(in_words(error)) from error


def read_json(
    text: str | bytes,
    strict: bool = True,
    pairs: Callable[[list[tuple[str, Any]]], Any] | None = None,
    deepest: int = MOST_DEPTH,
) -> Any:
    """The value of a JSON text, as `json.loads`. Raises ValueError for all that is none, or nests too deeply.

    `pairs` makes objects of their members; `deepest` is how many lists and objects may stand in one another.
    """
    try:
        value = json.loads(text, strict=strict, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError(in_words(RecursionError())) from None
    if _nesting(text, deepest) > deepest:
        raise ValueError(in_words(RecursionError()))
    return value


def read_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises ValueError for all that is none, or nests too deeply."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(in_words(RecursionError())) from None


def _nesting(text: str | bytes, deepest: int) -> int:
    """How deeply a JSON text nests; 0 where it has too few brackets to nest deeper than `deepest`."""
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if raw.count(b"[") + raw.count(b"{") <= deepest:
        return 0
    depth = found = 0
    for bracket in _BRACKET.findall(_STRING.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        found = max(found, depth)
    return found
