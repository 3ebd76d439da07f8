"""Readings in good English: what is told of a schema's names word by word, inflected as people would write it."""

import re
from functools import lru_cache

from graphtalk.graphs import Schema
from graphtalk.language.nouns import forms, plural, singular
from graphtalk.language.relating import plain

_QUOTED = re.compile(r"(“[^”]*”)")
_SLIPS = (
    (re.compile(r"\bwa (?=\w+ (?:at|by|in|on|to|with)\b)"), "were "),
    (re.compile(r"\b(?:largest (highest)|smallest (lowest))\b"), r"\1\2"),
)


def inflected(told: str, schema: Schema) -> str:
    """A reading with the names of the schema's types and relations as English has them. What is quoted stays.

    A type may be called by a plural (`cuisines`) or by a noun whose plural is odd (`person`), a relation by a past tense (`seconded`).
    """
    types = tuple(plain(t.name) for t in schema.node_types)
    relations = tuple(plain(r.name) for r in schema.relations)
    parts = _QUOTED.split(told)
    for pattern, right in (*_patterns(types, relations), *_SLIPS):
        parts[::2] = [pattern.sub(right, part) for part in parts[::2]]
    return "".join(parts)


@lru_cache(maxsize=64)
def _patterns(types: tuple[str, ...], relations: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for name in dict.fromkeys(types):
        head, _, last = name.rpartition(" ")
        noun = "person" if last == "people" else singular(last)
        one, many = (f"{head} {form}".strip() for form in forms(noun))
        said = f"(?:{re.escape(plural(name))}|{re.escape(name)})"
        found += [
            (rf"\b(each|the same) {said}\b", rf"\1 {one}"),
            (rf"\b{re.escape(plural(name))}\b", many),
            (rf"\bthat ((?:the )?{re.escape(many)}\b(?:(?! was | that ).)*) was ", r"that \1 were "),
        ]
    for name in dict.fromkeys(relations):
        if name.split()[0].endswith("ed") and not name.endswith((" by", " of")):
            done = re.escape(name)
            found += [
                (rf"\bthat are {re.escape(plural(name))} of\b", f"that were {name} by"),
                (rf"\b{re.escape(plural(name))} of\b", f"things {name} by"),
                (rf"\bwhose {done} is\b", f"that {name}"),
            ]
    return tuple((re.compile(pattern), right) for pattern, right in found)
