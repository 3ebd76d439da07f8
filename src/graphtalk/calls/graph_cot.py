"""Graph-CoT's spelling, `NeighbourCheck[RetrieveNode["Zinc"], "Compound-causes-Side Effect"]` (paper, appendix E).

    call     = name "[" [argument {"," argument}] "]"
    argument = [parameter "="] value            `graph=` names the graph, where it is not the one at hand
    value    = text | number | truth | kind "#" id | "[" values "]" | call | words

Words without quotes may hold commas: where there are more pieces than the function has parameters, the
first argument takes the excess if it has no quotes, else the last one does; a parameter of free text
takes all there are.
"""

import re
from dataclasses import dataclass

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Text
from graphtalk.calls.lexer import (
    IDENTIFIER,
    Reader,
    atom,
    make_call,
    quote,
    show_number,
    show_reference,
    unescape,
)
from graphtalk.calls.query import PARTS, Query
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Function, Vocabulary

_NAME = re.compile(r"([^\W\d][\w.:-]*)\[")
_ROUND_NAME = re.compile(r"([^\W\d][\w.:-]*)\(")
_PLAIN_NAME = re.compile(r"[^\W\d][\w.:-]*")
_CAPITALISED = re.compile(r"[A-Z]\w*")
_CAMEL_CASE = re.compile(r"[A-Z][a-z]+[A-Z]\w*")
_KEYWORD = re.compile(r"([^\W\d][\w-]*)\s*=(?!=)\s*")
_CLOSING = {"[": "]", "{": "}"}


def parse(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Call:
    """The call that `text` spells.

    Raises ParseError, with the position, where it is not one call.
    """
    reader = GraphCotReader(text, vocabulary)
    reader.blanks()
    call = reader.call()
    reader.end()
    return call


def show(call: Call, vocabulary: Vocabulary = NOTHING_KNOWN) -> str:
    """`call` in this spelling; `parse` reads it back exactly."""
    plain = _PLAIN_NAME.fullmatch(call.function)
    return _show_call(call, call.function if plain else quote(call.function), vocabulary)


def is_function(name: str, vocabulary: Vocabulary) -> bool:
    """Whether `name[` begins a call where words could stand too, as `Benzo[a]pyrene` could.

    What the vocabulary has does, and what is written as functions are: `RetreiveNode`.
    """
    written = _CAMEL_CASE if vocabulary.functions else _CAPITALISED
    return bool(name in ("GL", Query.__name__) or vocabulary.find(name) or written.fullmatch(name))


def _show_call(call: Call, name: str, vocabulary: Vocabulary) -> str:
    keywords = call.keywords if call.graph is None else (*call.keywords, ("graph", call.graph))
    known = vocabulary.find(call.function)
    arguments = [_show_value(value, vocabulary) for value in call.arguments]
    arguments += [
        f"{key if _names_argument(key, known) else quote(key)}={_show_value(value, vocabulary)}"
        for key, value in keywords
    ]
    return f"{name}[{', '.join(arguments)}]"


def _show_value(value: Expression, vocabulary: Vocabulary) -> str:
    if isinstance(value, Call):
        plain = _PLAIN_NAME.fullmatch(value.function) and is_function(value.function, vocabulary)
        return _show_call(value, value.function if plain else quote(value.function), vocabulary)
    if isinstance(value, Items):
        return f"[{', '.join([_show_value(each, vocabulary) for each in value.values])}]"
    if isinstance(value, Text):
        return quote(value.value)
    if isinstance(value, NodeRef):
        return show_reference(value)
    if isinstance(value, Boolean):
        return "true" if value.value else "false"
    return show_number(value.value)


def _names_argument(name: str, function: Function | None) -> bool:
    """Whether `name=` names an argument; in free text `E=mc2` is text."""
    if not IDENTIFIER.fullmatch(name):
        return False
    return function is None or not function.free_text or name == "graph" or name in function.parameters


@dataclass(frozen=True)
class _Piece:
    """What stood between two commas: its value, its name if it has one, where, and whether it is mere words."""

    value: Expression
    name: str | None
    start: int
    end: int
    words: bool


class GraphCotReader(Reader):
    """Reads one call by recursive descent. `in_query`: parts of queries are calls too, whose names are common words.

    `round_too`: functions that the vocabulary knows may have round brackets, `Name(…)`, as programmers write them.
    """

    in_query = False
    round_too = False

    def name(self, at: int) -> re.Match[str] | None:
        """The name and the bracket of a call that begins at a place; whether it is one is not looked at."""
        match = _NAME.match(self.text, at)
        if match is None and self.round_too and (match := _ROUND_NAME.match(self.text, at)):
            match = match if self.vocabulary.find(match[1]) else None
        return match

    def call(self) -> Call:
        """`Name[…]`."""
        start = self.at
        raw = self.quoted()
        match = None if raw is not None else self.name(start)
        closing = "]"
        if raw is not None and self.peek() == "[":
            name = unescape(raw)
        elif match:
            self.at = match.end() - 1
            name, closing = match[1], "]" if match[0].endswith("[") else ")"
        else:
            raise self.error("a function and `[`", start)
        self.enter(self.at)
        self.in_query |= name == Query.__name__
        known = self.vocabulary.find(name)
        pieces = self.pieces(known, closing)
        positional = self.joined([piece for piece in pieces if piece.name is None], pieces, known)
        named = [(piece.name, piece.value) for piece in pieces if piece.name is not None]
        made = make_call(known.name if known else name, positional, named, None, start)
        self.leave()
        return made

    def pieces(self, function: Function | None, closing: str = "]") -> list[_Piece]:
        """The arguments up to the closing bracket."""
        pieces: list[_Piece] = []
        self.blanks()
        while self.peek() != closing:
            if pieces:
                self.take(",", f"`,` or `{closing}`")
                self.blanks()
                if self.peek() == closing:
                    break
            name = self.keyword(function)
            self.blanks()
            start = self.at
            value, words = self.value(closing, bool(function and function.free_text))
            pieces.append(_Piece(value, name, start, self.at, words))
            self.blanks()
        self.at += 1
        return pieces

    def joined(
        self, positional: list[_Piece], pieces: list[_Piece], function: Function | None
    ) -> list[Expression]:
        """The arguments by position, with the commas that were in unquoted words put back."""
        values = [piece.value for piece in positional]
        if function is None or len(positional) < 2:
            return values
        named = {piece.name for piece in pieces}
        room = sum(name not in named for name in function.parameters)
        excess = len(positional) - max(room, 1)
        if function.free_text:
            words = [piece.words for piece in positional]
            excess = (words.index(False) if False in words else len(words)) - 1
        if excess <= 0:
            return values
        for run in (slice(0, excess + 1), slice(len(positional) - excess - 1, None)):
            phrase = self.phrase(positional[run])
            if phrase is not None:
                values[run] = [Text(phrase)]
                break
        return values

    def phrase(self, pieces: list[_Piece]) -> str | None:
        """The text of pieces that are one phrase with commas, or None: `3, 4` are two numbers, `3,400` is not."""
        text = self.text[pieces[0].start : pieces[-1].end].strip()
        whole = any(isinstance(piece.value, Text) for piece in pieces) or not any(map(str.isspace, text))
        return text if whole and all(piece.words for piece in pieces) else None

    def keyword(self, function: Function | None) -> str | None:
        """The name that begins an argument given by name, or None."""
        name = self.quoted_keyword()
        if name is not None:
            return name
        match = _KEYWORD.match(self.text, self.at)
        name = (
            self.vocabulary.parameter(function.name, match[1]) if match and function else match and match[1]
        )
        if match is None or name is None or not _names_argument(name, function):
            return None
        self.at = match.end()
        return name

    def value(self, stop: str, verbatim: bool) -> tuple[Expression, bool]:
        """One value, and whether it is mere words; `verbatim` words become a number only where nothing is lost."""
        start = self.at
        if self.peek() in _CLOSING:
            items = self.items(_CLOSING[self.peek()], lambda closing: self.value(closing, False)[0])
            if self.ends_here():
                return items, False
            self.at = start
        raw = self.quoted()
        if raw is not None:
            if self.peek() == "[":
                self.at = start
                return self.call(), False
            if self.peek() == "#":
                self.at += 1
                return NodeRef(unescape(raw), self.reference_id(stop)), False
            return Text(unescape(raw)), False
        match = self.name(start)
        part = self.in_query and match is not None and match[1] in PARTS
        if match and (part or is_function(match[1], self.vocabulary)):
            call = self.call()
            if self.ends_here():
                return call, False
            self.at = start
        reference = self.reference()
        if reference:
            return reference, False
        word = self.bare(stop)
        if not word and not verbatim:
            raise self.error("a value", start)
        value = atom(word)
        if verbatim and not isinstance(value, NodeRef) and _show_value(value, self.vocabulary) != word:
            value = Text(word)
        return value, True
