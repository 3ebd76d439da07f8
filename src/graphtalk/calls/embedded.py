"""Finding the calls that stand in a text: in what a model wrote, or in an annotated statement."""

import re
from dataclasses import dataclass

from graphtalk.calls import json_spelling
from graphtalk.calls.ast import Call
from graphtalk.calls.graph_cot import GraphCotReader, is_function
from graphtalk.calls.lexer import Reader
from graphtalk.calls.toolformer import ToolformerReader
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Vocabulary
from graphtalk.core.errors import ParseError

_START = re.compile(
    r"(?P<toolformer>\[\s*+(?=(?:GR|GL)\s*\()|\b(?:GR|GL)\s*+\()"
    r"|(?P<graph_cot>\b(?P<name>[^\W\d]\w*+)\[)"
    r'|(?P<json>\{\s*+"(?:name|function|type|id)"\s*+:)',
    re.IGNORECASE,
)


@dataclass(frozen=True)
class FoundCall:
    """A call at `text[start:end]`. `inserts`: its result is to stand in its place (`-->r`)."""

    start: int
    end: int
    call: Call
    inserts: bool


def find_calls(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> list[FoundCall]:
    """The calls that stand in `text`, in any spelling, in order; not those inside of other calls.

    What begins like a call and is none is passed over. `Name[` begins one where the vocabulary has the
    name, or it is written as functions are, in capitalised parts (`RetrieveNode`). Time grows with the
    length of the text.
    """
    finder = _Finder(text, vocabulary)
    found: list[FoundCall] = []
    at = 0
    while match := _START.search(text, at):
        call = finder.read(match)
        if call:
            found.append(call)
        at = call.end if call else match.start() + 1
    return found


class _Finder:
    """Reads calls at places of one text, and none twice: `_dead` has where no call can be read."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._toolformer = ToolformerReader(text, vocabulary)
        self._graph_cot = GraphCotReader(text, vocabulary)
        self._dead: set[int] = set()
        self._ends: dict[int, int | None] = {}

    def read(self, match: re.Match[str]) -> FoundCall | None:
        """The call that begins at `match`, or None."""
        start = match.start()
        if match["json"]:
            return self._read_json(start)
        if match["graph_cot"] and not is_function(match["name"], self._vocabulary):
            return None
        reader = self._graph_cot if match["graph_cot"] else self._toolformer
        if start in self._dead:
            return None
        reader.at = start
        reader.open.clear()
        try:
            if match["graph_cot"]:
                return FoundCall(start, *self._after(reader, self._graph_cot.call(), False))
            return FoundCall(start, *self._after(reader, *self._toolformer.query()))
        except ParseError:
            self._dead.update(reader.open)
            return None

    def _after(self, reader: Reader, call: Call, inserts: bool) -> tuple[int, Call, bool]:
        return reader.at, call, inserts

    def _read_json(self, start: int) -> FoundCall | None:
        end = json_spelling.end_of(self._text, start, self._ends)
        if end is None:
            return None
        try:
            return FoundCall(start, end, json_spelling.read(self._text, start, end, self._vocabulary), False)
        except ParseError:
            return None
