"""A text with calls in it, read into its parts (section 4.7.2).

    place    = "[" query {"," query} "]"            sequential calls share a place (equation 5)
    query    = call ["-->" name]                     see `calls/toolformer.py`

`-->r` says that the result is to stand in the text; a call without it is run, and its result only kept. Any other
name, as in `[GL("gpr", {"bull_graph"})-->G]`, names the result for calls further on: `GR(G, "toolx:order")`. Where it is
no graph and no call speaks of it, it is a result that was written out, as in the paper's tables: `-->Agents`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphtalk.calls import Vocabulary
from graphtalk.calls.ast import Call, Expression, Items, Text, walk
from graphtalk.calls.toolformer import ToolformerReader
from graphtalk.core import ParseError
from graphtalk.core.text import whole

SLOT = "[TBR]"
MOST_CHARACTERS = 20_000  # of an annotated text

_OPENING = re.compile(r"\[\s*(?=G[RL]\s*\()|\b(?P<bare>G[RL])\s*\(\s*(?=G[RL]\s*\(|[\"'“”{])", re.IGNORECASE)
_NEXT = re.compile(r"\s*,\s*(?=G[RL]\s*\()", re.IGNORECASE)
_CLOSING = re.compile(r"\s*\]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_NAME = re.compile(r"(?:[-–—]+\s*[>¿]|→|\\to\b)\s*(\w*)\s*$")
_LOADS = "GL"
_RESULT = frozenset({"", "r"})


@dataclass(frozen=True)
class Placed:
    """A call of a place. `inserts`: its result stands in the text. `names`: what calls further on call its result."""

    call: Call
    inserts: bool
    names: str = ""


@dataclass(frozen=True)
class Place:
    """`text[start:end]` of an annotated text, with the calls that stand there."""

    start: int
    end: int
    calls: tuple[Placed, ...]


@dataclass(frozen=True)
class Statement:
    """An annotated text and its places, in order."""

    text: str
    places: tuple[Place, ...]

    @property
    def calls(self) -> tuple[Placed, ...]:
        """All calls of the text, in order."""
        return tuple(placed for place in self.places for placed in place.calls)


def read_statement(text: str, vocabulary: Vocabulary) -> Statement:
    """The parts of an annotated text. Names of results are put in for what they name.

    Raises ParseError, with the position, at a bracket that begins a call and is none, a call without brackets, a
    control character, half a character, or a text beyond MOST_CHARACTERS.
    """
    _check_characters(text)
    places: list[Place] = []
    at = 0
    while opening := _OPENING.search(text, at):
        if opening["bare"]:
            raise ParseError(
                f"The call at position {opening.start()} stands in no brackets.", opening.start()
            )
        places.append(_place(text, opening.start(), opening.end(), vocabulary))
        at = places[-1].end
    return Statement(text, _with_names(places))


def _check_characters(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        many = f"The annotated text has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read."
        raise ParseError(many, MOST_CHARACTERS)
    if bad := _CONTROL.search(text):
        raise ParseError(f"A control character, {bad[0]!r}, at position {bad.start()}.", bad.start())
    if whole(text) != text:
        raise ParseError("The annotated text is not valid UTF-8 text.")


def _place(text: str, start: int, inside: int, vocabulary: Vocabulary) -> Place:
    """The place whose bracket is at `start` and whose first call is at `inside`."""
    reader = ToolformerReader(text, vocabulary, inside)
    calls: list[Placed] = []
    while True:
        begun = reader.at
        call, inserts = reader.query()
        name = _NAME.search(text[begun : reader.at])
        named = name[1] if name and name[1] not in _RESULT else ""
        calls.append(Placed(call, inserts and not named, named))
        more = _NEXT.match(text, reader.at)
        if more is None:
            break
        reader.at = more.end()
    closing = _CLOSING.match(text, reader.at)
    if closing:
        return Place(start, closing.end(), tuple(calls))
    if len(calls) > 1:
        raise reader.error("`,` and another call, or `]`")
    # One call whose result was written out, `-->Neural Networks]`, as the paper's tables do.
    reader = ToolformerReader(text, vocabulary, start)
    call, inserts = reader.query()
    return Place(start, reader.at, (Placed(call, inserts),))


def _with_names(places: Sequence[Place]) -> tuple[Place, ...]:
    known: dict[str, Call] = {}
    every = [placed.call for place in places for placed in place.calls]
    spoken_of = {part.value for call in every for part in walk(call) if isinstance(part, Text)}
    resolved = []
    for place in places:
        calls = []
        for placed in place.calls:
            call = _resolved(placed.call, known)
            if placed.names and (call.function == _LOADS or placed.names in spoken_of):
                known[placed.names] = call
            elif placed.names:
                placed = replace(placed, inserts=True, names="")
            calls.append(replace(placed, call=call))
        resolved.append(replace(place, calls=tuple(calls)))
    return tuple(resolved)


def _resolved(call: Call, known: dict[str, Call]) -> Call:
    """The call with what names of results stand for; a graph's name wins over nothing but itself."""

    def value(given: Expression) -> Expression:
        if isinstance(given, Text):
            return known.get(given.value, given)
        if isinstance(given, Items):
            return Items(tuple(value(each) for each in given.values))
        return _resolved(given, known) if isinstance(given, Call) else given

    if not known:
        return call
    return replace(
        call,
        graph=None if call.graph is None else value(call.graph),
        arguments=tuple(value(each) for each in call.arguments),
        keywords=tuple((name, value(each)) for name, each in call.keywords),
    )
