"""The table of wordings: which calls people ask for of any graph, and how they say it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from graphtalk.calls import parse
from graphtalk.calls.ast import Call


@dataclass(frozen=True)
class Slot:
    """What a wording leaves open; the word in braces."""

    kind: str


@dataclass(frozen=True)
class Part:
    """What is defined once for all wordings."""

    name: str


@dataclass(frozen=True)
class Choice:
    """One of several sequences; an empty one where it may be left out."""

    of: "tuple[Sequence_, ...]"


Sequence_: TypeAlias = "tuple[str | Slot | Part | Choice, ...]"


@dataclass(frozen=True)
class Asks:
    """Calls with slots, what each gives in words, and the ways to ask for them."""

    calls: tuple[tuple[Call, str], ...]
    wordings: tuple[Choice, ...]


_CLOSING = {"(": ")", "[": "]"}
_PIECE = re.compile(  # of a wording: a slot, a part, a mark, a word, a bracket or a stroke
    r"""\{(?P<slot>\w+[<>]?)\}|@(?P<part>\w+)|"(?P<mark>[^"\s])"|(?P<word>['’]?\w+|-|:)|(?P<sign>[\[\](|)])|(?P<rest>\S)"""
)


def wording(text: str) -> Choice:
    """A wording as a tree: words, [what may be left out], (one|or another), {slots}, @parts. Raises ValueError for another text."""
    pieces = [(str(m.lastgroup), m[str(m.lastgroup)]) for m in _PIECE.finditer(text)]
    found, end = _choice(pieces, 0)
    if end < len(pieces):
        raise ValueError(f"{pieces[end][1]!r} has no place in the wording {text!r}.")
    return found


def _choice(pieces: Sequence[tuple[str, str]], at: int) -> tuple[Choice, int]:
    """The sequences that begin at a piece, up to a bracket that closes them, and where that is."""
    sequences: list[Sequence_] = []
    items: list[str | Slot | Part | Choice] = []
    while at < len(pieces):
        kind, text = pieces[at]
        if kind == "sign" and text in "([":
            inner, at = _choice(pieces, at + 1)
            if pieces[at : at + 1] != [("sign", _CLOSING[text])]:
                raise ValueError(f"A {text!r} of a wording is not closed.")
            items.append(Choice((*inner.of, ())) if text == "[" else inner)
        elif kind == "sign" and text == "|":
            sequences.append(tuple(items))
            items = []
        elif kind in ("sign", "rest"):
            break
        else:
            items.append(
                Slot(text) if kind == "slot" else Part(text) if kind == "part" else text.replace("’", "'")
            )
        at += 1
    return Choice((*sequences, tuple(items))), at


@cache
def table() -> tuple[tuple[Asks, ...], Mapping[str, Choice]]:
    """All that can be asked, and the parts of wordings."""
    asks: list[Asks] = []
    parts: dict[str, Choice] = {}
    calls: list[tuple[Call, str]] = []
    wordings: list[Choice] = []
    for line in files("graphtalk.tools").joinpath("wordings.txt").read_text("utf-8").splitlines():
        if line.startswith("    "):
            wordings.append(wording(line.strip()))
        elif line.startswith("@"):
            name, _, means = line[1:].partition(" = ")
            parts[name] = wording(means)
        elif wordings and not line:
            asks.append(Asks(tuple(calls), tuple(wordings)))
            calls, wordings = [], []
        elif line and not line.startswith("#"):
            call, _, words = line.partition(" = ")
            calls.append((_template(call), words))
    return (*asks, Asks(tuple(calls), tuple(wordings))), parts


def _template(text: str) -> Call:
    """A call whose slots are texts in braces."""
    return parse(re.sub(r"(?<!\")\{\w+\}", r'"\g<0>"', text))
