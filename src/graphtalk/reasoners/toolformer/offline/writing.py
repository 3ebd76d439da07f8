"""An annotated text is written from pieces: tokens of the text, words that are new, and calls."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.toolformer import show
from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue, DataSet
from graphtalk.reasoners.toolformer.offline.mentions import DATA, NUMBER, WORD, Token, TokenText
from graphtalk.reasoners.toolformer.offline.subsets import written_arguments


@dataclass(frozen=True)
class Insert:
    """A call to be written. `arguments`: places of tokens, or numbers as text. `inserts`: its result is (`-->r`)."""

    function: str
    arguments: tuple[int | str, ...] = ()
    inserts: bool = True


Piece: TypeAlias = int | str | Insert
"""The place of a token, a new word, or a call."""


def write(pieces: Sequence[Piece], reading: TokenText, catalogue: Catalogue) -> str:
    """The text of pieces, begun with a capital letter."""
    parts: list[str] = []
    for piece in pieces:
        text, glued = _text(piece, reading, catalogue, first=not parts)
        parts.append(text if glued or not parts else f" {text}")
    return "".join(parts)


def spelled_call(insert: Insert, reading: TokenText, catalogue: Catalogue) -> str:
    """A call as it stands in a text, with its brackets. Its graph is what the reading names."""
    kinds = catalogue.takes.get(insert.function, ())
    arguments = [_argument(place, reading, kinds, at) for at, place in enumerate(insert.arguments)]
    of_one = reading.data is not None and catalogue.of_one_molecule(insert.function, reading.data.family)
    graph = _graph(reading, arguments.pop(0) if of_one else None)
    if not kinds and insert.function.startswith(
        "toolx:"
    ):  # of the part that the text writes: {0, 1, 2}, (C=O)
        graph = replace(graph, arguments=(*graph.arguments, *written_arguments(reading.text)))
    call = Call(insert.function, tuple(arguments), graph=graph)
    return f"[{show(call)}{'-->r' if insert.inserts else ''}]"


def _text(piece: Piece, reading: TokenText, catalogue: Catalogue, first: bool) -> tuple[str, bool]:
    if isinstance(piece, Insert):
        return spelled_call(piece, reading, catalogue), False
    if isinstance(piece, str):
        return (piece[:1].upper() + piece[1:] if first else piece), not piece[:1].isalnum()
    token = reading.tokens[piece]
    text = token.text
    if first and text[0].islower() and token.kind != DATA:
        text = text[0].upper() + text[1:]
    elif piece == 0 and not first and token.kind == WORD and text[1:].islower():
        text = text[0].lower() + text[1:]
    return text, token.glued


def _argument(place: int | str, reading: TokenText, kinds: Sequence[str], at: int) -> Expression:
    if isinstance(place, str):
        return Number(int(place))
    token = reading.tokens[place]
    if token.place:
        return _nth(token, reading)
    if token.kind == NUMBER:
        return Number(int(token.value))
    return NodeRef(_kind(token, reading.data), token.value)


def _nth(token: Token, reading: TokenText) -> Expression:
    """What is told by its place; molecules of a set are numbered from 0."""
    if token.kind == "instance" and token.place > 0:
        return NodeRef(token.kind, str(token.place - 1))
    return Call("graph:nth", (Text(_kind(token, reading.data)), Number(token.place)))


def _kind(token: Token, data: DataSet | None) -> str:
    return data.item if token.kind == "item" and data else token.kind


def _graph(reading: TokenText, instance: Expression | None) -> Call:
    """The graph that a call is about; of a set of molecules one, where functions of one graph are asked of it."""
    if reading.data and instance is not None:
        return Call("GL", (Text(reading.data.name), Items((instance,))))
    if reading.member:
        return Call("GL", (Text("gpr"), Items((Text(reading.member),))))
    return Call("GL", (Text(reading.data.name if reading.data else ""),))
