"""The table of wordings: which calls people ask for of any graph, and how they say it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypeAlias

from lark import Lark, Token, Transformer

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


class _Wording(Transformer[Token, Choice]):
    """What the grammar finds in a wording, as the tree of it."""

    def start(self, found: list[Sequence_]) -> Choice:
        return Choice(tuple(found))

    def sequence(self, found: list[str | Slot | Part | Choice]) -> Sequence_:
        return tuple(found)

    def word(self, found: list[Token]) -> str:
        return str(found[0]).replace("’", "'")

    def slot(self, found: list[Token]) -> Slot:
        return Slot(str(found[0]))

    def part(self, found: list[Token]) -> Part:
        return Part(str(found[0]))

    def optional(self, found: list[Choice]) -> Choice:
        return Choice((*found[0].of, ()))


@cache
def table() -> tuple[tuple[Asks, ...], Mapping[str, Choice]]:
    """All that can be asked, and the parts of wordings."""
    grammar = files(__package__).joinpath("wordings.lark").read_text("utf-8")
    wording = Lark(grammar, parser="lalr", transformer=_Wording())
    asks: list[Asks] = []
    parts: dict[str, Choice] = {}
    calls: list[tuple[Call, str]] = []
    wordings: list[Choice] = []
    for line in files("graphtalk.tools").joinpath("wordings.txt").read_text("utf-8").splitlines():
        if line.startswith("    "):
            wordings.append(wording.parse(line.strip()))  # type: ignore[arg-type]  # what the transformer makes
        elif line.startswith("@"):
            name, _, means = line[1:].partition(" = ")
            parts[name] = wording.parse(means)  # type: ignore[assignment]
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
