"""Finding the calls that stand in a text: in what a model wrote, or in an annotated statement."""

import re
from dataclasses import dataclass
from itertools import islice

from graphtalk.calls import cypher, json_spelling
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
_START_TOO = re.compile(rf"{_START.pattern}|\b(?P<round>[^\W\d]\w*+)\((?=[^\s)]|\s*+\))", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*\n?(.*?)```", re.DOTALL)
_QUERY = re.compile(r"^[ \t]*(?=(?:OPTIONAL\s+MATCH|MATCH|UNWIND|WITH|RETURN)\b)", re.MULTILINE)
_MOST_QUERIES = 20  # lines of a text that are tried as the beginning of a query


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


def last_call(text: str, vocabulary: Vocabulary) -> FoundCall | None:
    """The call that a text ends with: of what a model wrote, what it means after all that it thought before.

    A query may stand there, in a code fence or not, and functions may have round brackets, `Fn(node="…")`. Where one
    bracket is missing at the end it is put there; `end` is then behind the text. Raises ParseError where the last call is
    broken: what a broken call holds is a part of it, and an earlier one is not what was meant.
    """
    fenced = [inside for inside in _FENCE.findall(text) if inside.strip()]
    text = fenced[-1].strip() if fenced else text
    if (query := _query_in(text, vocabulary)) is not None:
        return query
    finder = _Finder(text, vocabulary, round_too=True)
    found: FoundCall | None = None
    broken: tuple[int, int, ParseError] | None = (
        None  # where it begins, where its paragraph ends, and what is wrong
    )
    at = 0
    while match := _START_TOO.search(text, at):
        if match["round"] and not vocabulary.find(match["round"]):
            at = match.end()
            continue
        call, at = finder.read(match)
        if call is not None and (broken is None or broken[1] <= call.start):
            found, broken = call, None
        elif call is None and broken is None and finder.error is not None:
            broken = match.start(), (text + "\n\n").index("\n\n", match.start()), finder.error
    if found is None and broken is None and (begun := _QUERY.search(text)):
        cypher.parse(text[begun.start() :], vocabulary)  # says what is wrong with it
    if broken is None:
        return found
    start, end, error = broken
    written = text[start:end].rstrip(" \t\n.;`")
    reader = GraphCotReader(written + ("]" if written[_name_end(written)] == "[" else ")"), vocabulary)
    reader.round_too = True
    try:
        mended = reader.call()
        reader.end()
    except ParseError:
        raise error from None
    return FoundCall(start, start + len(written), mended, False)


def _name_end(written: str) -> int:
    return min(at for at in (written.find("["), written.find("(")) if at >= 0)


def _query_in(text: str, vocabulary: Vocabulary) -> FoundCall | None:
    """The query that a text ends with, from the first of its lines from which on all is one."""
    for match in islice(_QUERY.finditer(text), _MOST_QUERIES):
        try:
            return FoundCall(match.start(), len(text), cypher.parse(text[match.start() :], vocabulary), False)
        except ParseError:
            continue
    return None


class _Finder:
    """Reads calls at places of one text, from left to right. `error` says what is wrong with the last that was none."""

    def __init__(self, text: str, vocabulary: Vocabulary, round_too: bool = False) -> None:
        self._text = text
        self._vocabulary = vocabulary
        self._toolformer = ToolformerReader(text, vocabulary)
        self._graph_cot = GraphCotReader(text, vocabulary)
        self._graph_cot.round_too = round_too
        self._ends: dict[int, int | None] = {}
        self.error: ParseError | None = None

    def read(self, match: re.Match[str]) -> tuple[FoundCall | None, int]:
        """The call that begins at `match`, or None, and where to look for the next one."""
        start, self.error = match.start(), None
        if match["json"]:
            return self._read_json(start)
        name = match["name"] or match.groupdict().get("round")
        reader = self._graph_cot if name else self._toolformer
        sure = name is None or is_function(name, self._vocabulary)
        if name and not sure and not name[0].isupper():
            return None, start + 1
        reader.at, reader.depth, inserts = start, 0, False
        try:
            if name:
                call = self._graph_cot.call()
            else:
                call, inserts = self._toolformer.query()
        except ParseError as error:
            self.error = error if sure else None
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
        except ParseError as error:
            self.error = error
            return None, end
