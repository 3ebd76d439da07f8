"""A design in words: the paper's six parts (section 4), made a program whose fields have types and whose steps are text."""

import re
from collections.abc import Mapping
from typing import Any

from graphtalk.core import CheckError
from graphtalk.vertex.card import WORDS
from graphtalk.vertex.language.types import parse_type

_HEAD = re.compile(rf"^[\s#*\d.)-]*({'|'.join(WORDS)})\b[\s*]*(?::[\s*]*|$)", re.I | re.M)
_FIELD = re.compile(r"(?:^|\n|;)\s*(?:\d+[.)]|[-*])?\s*`?([A-Za-z][\w ]{0,40}?)`?\s*(?:\(([^()\n]*)\))?\s*:")
_ROUNDS = re.compile(r"\b(\d+)\s+(?:rounds|iterations|steps)\b")
_TRUTHS = re.compile(r"\b(?:whether|true|false|boolean|bool|flag)\b", re.I)
_MANY = re.compile(r"\b(?:set|list|sequence) of\b", re.I)
_BESIDE = ("state", "message", "edges", "termination", "answer")
_NODES = frozenset({"source", "target", "start", "goal", "root"})


def parts_in(text: str) -> dict[str, str]:
    """The six parts of a text with a heading for each; empty where one is missing.

    >>> parts_in("State: 1. best: the best yet")
    {}
    """
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = {head[1].lower(): text[head.end() : end].strip() for head, end in zip(heads, ends, strict=True)}
    return found if all(map(found.get, WORDS)) else {}


def parts_of(told: Mapping[str, Any]) -> dict[str, str]:
    """The six parts of a JSON object, in any case of letters; empty where one is missing or is no text."""
    given = {str(name).lower(): part for name, part in told.items()}
    found = {part: _text(given.get(part)) for part in WORDS}
    return found if all(found.values()) else {}


def program_in_words(
    words: Mapping[str, str], parameters: Mapping[str, Any], weighted: bool, told: Mapping[str, Any]
) -> dict[str, Any]:
    """The program of six parts in words. Fields are those that State and Message list; `best (number): …` has its type.

    It ends where neither states nor messages change any more, or after as many rounds as Termination says. Raises
    CheckError where State lists no field. Parts of a program that stand beside the words, as tables, count before them.
    """
    beside = {part: told[part] for part in _BESIDE if isinstance(told.get(part), dict | list)}
    state = beside.get("state") or _fields(words["state"])
    if not state:
        raise CheckError('state: it lists no field; write each as "1. best (number): what it is".')
    program: dict[str, Any] = {"state": state, "message": _fields(words["message"]), "words": dict(words)}
    if parameters:
        program["parameters"] = {name: {"type": _type_of(name, value)} for name, value in parameters.items()}
    if weighted:
        program["edges"] = {"weight": {"feature": "weight", "default": 1}}
    rounds = _ROUNDS.search(words["termination"])
    if rounds:
        program["termination"] = {"until": f"changes == 0 or round >= {rounds[1]}", "most": rounds[1]}
    return program | beside


def _text(part: Any) -> str:
    if isinstance(part, list):
        return "\n".join(map(str, part))
    return part.strip() if isinstance(part, str) else ""


def _fields(text: str) -> dict[str, str]:
    """The fields that a part lists, with their types; a field whose words say nothing of its type is a number."""
    found = {}
    matches = list(_FIELD.finditer(text))
    for place, match in enumerate(matches):
        said = text[match.end() : matches[place + 1].start() if place + 1 < len(matches) else len(text)]
        found[re.sub(r"\W+", "_", match[1].strip().lower())] = _type_in(match[2] or "", said)
    return found


def _type_in(brackets: str, said: str) -> str:
    try:
        return str(parse_type(brackets))
    except CheckError:
        words = f"{brackets} {said}"
    if many := _MANY.search(words):
        return "list[node]" if re.match(r"\s*(?:\w+ )?nodes?\b", words[many.end() :]) else "list[number]"
    return "bool" if _TRUTHS.search(words) else "number"


def _type_of(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "list[number]"
    return "bool" if isinstance(value, bool) else "node" if name in _NODES else "number"
