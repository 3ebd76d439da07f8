"""Finding the calls that stand in a text: in what a model wrote, or in an annotated statement."""

import re
from dataclasses import dataclass

from graphtalk.calls import json_spelling
from graphtalk.calls.ast import Call
from graphtalk.calls.graph_cot import GraphCotReader, is_function
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


def begins_call(text: str) -> bool:
    """Whether `text` begins as a call does, leaving aside whether it is one."""
    return _START.match(text.lstrip()) is not None


def find_calls(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> list[FoundCall]:
    """The calls that stand in `text`, in any spelling, in order; not those inside of other calls.

    What begins like a call and is none is passed over, as far as it could be read. `Name[` begins one
    where the vocabulary has the name, or it is written as functions are, in capitalised parts
    (`RetrieveNode`), or has calls for arguments. Time grows with the length of the text.
    """
    finder = _Finder(text, vocabulary)
    found: list[FoundCall] = []
    at = 0
    while match := _START.search(text, at):
        call, at = finder.read(match)
        if call:
            found.append(call)
    return found


class _Finder:
    """Reads calls at places of one text, from left to right."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._toolformer = ToolformerReader(text, vocabulary)
        self._graph_cot = GraphCotReader(text, vocabulary)
        self._ends: dict[int, int | None] = {}

    def read(self, match: re.Match[str]) -> tuple[FoundCall | None, int]:
        """The call that begins at `match`, or None, and where to look for the next one."""
        start = match.start()
        if match["json"]:
            return self._read_json(start)
        reader = self._graph_cot if match["graph_cot"] else self._toolformer
        sure = match["graph_cot"] is None or is_function(match["name"], self._vocabulary)
        if not sure and not match["name"][0].isupper():
            return None, start + 1
        reader.at, reader.depth, inserts = start, 0, False
        try:
            if match["graph_cot"]:
                call = self._graph_cot.call()
            else:
                call, inserts = self._toolformer.query()
        except ParseError:
            # A query whose own brackets are amiss may still hold a whole call.
            return None, start + 1 if self._text[start] == "[" else max(reader.at, start + 1)
        if not sure and not any(isinstance(value, Call) for value in call.arguments):
            return None, match.end()
        return FoundCall(start, reader.at, call, inserts), reader.at

    def _read_json(self, start: int) -> tuple[FoundCall | None, int]:
        end = json_spelling.end_of(self._text, start, self._ends)
        if end is None:
            return None, start + 1
        try:
            return FoundCall(
                start, end, json_spelling.read(self._text, start, end, self._vocabulary), False
            ), end
        except ParseError:
            return None, end
