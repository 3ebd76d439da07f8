"""The JSON spelling, `{"name": "NodeDegree", "arguments": {"node": …, "neighbor_type": "Gene"}}`.

    call  = {"name": text, "arguments": {parameter: value, …} | [value, …], "keywords"?: {…}, "graph"?: value}
    value = text | number | truth | [value, …] | {"kind": text, "id": text} | {"number": "inf"} | call

The arguments are an object where the vocabulary has the names of their parameters, else a list, with
arguments given by name in `keywords`. Tool calls as language models return them are read too:
`{"function": {"name": …, "arguments": "<JSON text>"}}`, alone or as the one element of a list.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.lexer import MAX_DEPTH, make_call
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Vocabulary
from graphtalk.core.errors import ParseError
from graphtalk.core.reading import read_json
from graphtalk.core.records import JSON

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_MOST_BRACKETS = 2 * MAX_DEPTH + 4


@dataclass(frozen=True)
class _Object:
    """A JSON object with its members in order, repeated names and all."""

    members: tuple[tuple[str, object], ...]

    def get(self, name: str) -> object:
        """The first member called `name`, or None."""
        return next((value for key, value in self.members if key == name), None)


def parse(text: str | dict[str, JSON], vocabulary: Vocabulary = NOTHING_KNOWN) -> Call:
    """The call that a JSON text, or a tool call that was already decoded, stands for.

    Raises ParseError, with the position where there is one, where it is not one call.
    """
    if not isinstance(text, str):
        text = json.dumps(text)
    return read(text, len(text) - len(text.lstrip()), len(text), vocabulary)


def read(text: str, start: int, end: int, vocabulary: Vocabulary) -> Call:
    """The call that is spelled by `text[start:end]`."""
    value = _decode(text[start:end], start)
    return _call(value, vocabulary, start, 1)


def end_of(text: str, start: int, ends: dict[int, int | None]) -> int | None:
    """Where the bracket at `start` is closed, or None where it never is, or nests too deep.

    `ends` collects the answers for all brackets that were passed, so that none is searched for twice.
    """
    if start in ends:
        return ends[start]
    opened: list[int] = []
    for match in _TOKEN.finditer(text, start):
        if match[0] in "[{":
            opened.append(match.start())
            if len(opened) > _MOST_BRACKETS:
                break
        elif match[0] in "]}" and opened:
            ends[opened.pop()] = match.end()
        if not opened:
            return ends.get(start)
    ends.update(dict.fromkeys(opened))
    return None


def show(call: Call, vocabulary: Vocabulary = NOTHING_KNOWN) -> str:
    """`call` in this spelling; `parse` reads it back exactly."""
    return json.dumps(to_json(call, vocabulary), ensure_ascii=False)


def to_json(value: Expression, vocabulary: Vocabulary = NOTHING_KNOWN) -> JSON:
    """An expression as JSON values."""
    if isinstance(value, Text | Boolean):
        return value.value
    if isinstance(value, Number):
        return value.value if abs(value.value) < math.inf else {"number": repr(value.value)}
    if isinstance(value, NodeRef):
        return {"kind": value.kind, "id": value.id}
    if isinstance(value, Items):
        return [to_json(each, vocabulary) for each in value.values]
    written: dict[str, JSON] = {"name": value.function}
    arguments = _by_name(value, vocabulary)
    if arguments is not None:
        written["arguments"] = {name: to_json(each, vocabulary) for name, each in arguments}
    else:
        written["arguments"] = [to_json(each, vocabulary) for each in value.arguments]
        if value.keywords:
            written["keywords"] = {name: to_json(each, vocabulary) for name, each in value.keywords}
    if value.graph is not None:
        written["graph"] = to_json(value.graph, vocabulary)
    return written


def _by_name(call: Call, vocabulary: Vocabulary) -> list[tuple[str, Expression]] | None:
    """All arguments with their names, where these are known and lead back to the same call."""
    known = vocabulary.find(call.function)
    if known is None or len(call.arguments) > len(known.parameters):
        return None
    named = [*zip(known.parameters, call.arguments, strict=False), *call.keywords]
    if len(dict(named)) < len(named):  # a parameter that is given twice
        return None
    same = _by_position(named, call.function, vocabulary) == (call.arguments, call.keywords)
    return named if same else None


def _by_position(
    named: Sequence[tuple[str, Expression]], function: str, vocabulary: Vocabulary
) -> tuple[tuple[Expression, ...], tuple[tuple[str, Expression], ...]]:
    """Arguments by position as far as the first parameters are given, then the others by name."""
    known = vocabulary.find(function)
    rest = [(vocabulary.parameter(function, name), value) for name, value in named]
    arguments = []
    for parameter in known.parameters if known else ():
        at = next((i for i, (name, _) in enumerate(rest) if name == parameter), None)
        if at is None:
            break
        arguments.append(rest.pop(at)[1])
    return tuple(arguments), tuple(rest)


def _decode(text: str, at: int) -> object:
    """The JSON value that `text` spells; `at` is where it stands, for errors."""
    if text.lstrip()[:1] in ("{", "[") and end_of(text, len(text) - len(text.lstrip()), {}) is None:
        raise ParseError(f"Not JSON at position {at}: brackets that are not closed, or too many.", at)
    try:
        return read_json(text, strict=False, pairs=_pairs, deepest=4 * MAX_DEPTH)
    except json.JSONDecodeError as error:
        raise ParseError(f"Not JSON at position {at + error.pos}: {error.msg}.", at + error.pos) from None
    except ValueError as error:
        raise ParseError(f"Not JSON that can be read, at position {at}: {error}.", at) from None


def _pairs(members: list[tuple[str, object]]) -> _Object:
    return _Object(tuple(members))


def _value(value: object, vocabulary: Vocabulary, at: int, depth: int) -> Expression:
    """The expression that a decoded JSON value stands for; `at` is where the text began, for errors."""
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, int) or (isinstance(value, float) and not math.isnan(value)):
        return Number(value)
    if depth > MAX_DEPTH:
        raise ParseError(f"More than {MAX_DEPTH} calls and lists in one another at position {at}.", at)
    if isinstance(value, list):
        values: list[Expression] = []
        for each in value:
            values.append(_value(each, vocabulary, at, depth + 1))
        return Items(tuple(values))
    if isinstance(value, _Object):
        kind, id, number = value.get("kind"), value.get("id"), value.get("number")
        if isinstance(kind, str) and isinstance(id, str):
            return NodeRef(kind, id)
        if number in ("inf", "-inf"):
            return Number(float(str(number)))
        return _call(value, vocabulary, at, depth)
    raise ParseError(f"The call at position {at} holds {value!r}, which is no value.", at)


def _call(value: object, vocabulary: Vocabulary, at: int, depth: int) -> Call:
    if isinstance(value, list) and len(value) == 1 and depth == 1:
        value = value[0]
    if isinstance(value, _Object) and isinstance(inner := value.get("function"), _Object):
        value = inner
    name = value.get("name") if isinstance(value, _Object) else None
    if not isinstance(value, _Object) or not isinstance(name, str):
        raise ParseError(f'Not a call at position {at}: expected {{"name": …, "arguments": …}}.', at)
    name = vocabulary.canonical(name)
    given, named, ordered = _arguments(value, name, at)
    arguments: list[Expression] = []
    for each in given:
        arguments.append(_value(each, vocabulary, at, depth + 1))
    keywords: list[tuple[str, Expression]] = []
    for key, each in named:
        if each is not None:  # null is how models leave an argument out
            keywords.append((key, _value(each, vocabulary, at, depth + 1)))
    if not ordered:
        return make_call(name, *_by_position(keywords, name, vocabulary), None, at)
    return make_call(name, arguments, keywords, None, at)


def _arguments(value: _Object, function: str, at: int) -> tuple[list[object], list[tuple[str, object]], bool]:
    """What a call is given: by position, by name, and whether those by name are to stay so."""
    given = value.get("arguments")
    if isinstance(given, str):
        given = _decode(given, at) if given.strip() else None
    extra = value.get("keywords")
    named = list(extra.members) if isinstance(extra, _Object) else []
    named.append(("graph", value.get("graph")))
    if isinstance(given, list):
        return given, named, True
    if isinstance(given, _Object):
        return [], [*given.members, *named], False
    if given is None:
        return [], named, True
    raise ParseError(f"The arguments of {function} at position {at} are neither an object nor a list.", at)
