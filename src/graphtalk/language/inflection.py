"""Readings in good English: what is told of a schema's names word by word, inflected as people would write it."""

import re
from functools import lru_cache

from graphtalk.graphs import Schema
from graphtalk.language.nouns import forms, is_plural, plural, singular
from graphtalk.language.relating import plain

_QUOTED = re.compile(r"(“[^”]*”)")
_SLIPS = (
    (re.compile(r"\b(?:largest (highest)|smallest (lowest))\b"), r"\1\2"),
    (re.compile(r" and (?=except those )"), ", "),
    (re.compile(r"^([\w ]+?),? (\w+) of them (?=with the )"), r"the \2 \1 "),
)


def inflected(told: str, schema: Schema) -> str:
    """A reading with the names of the schema's types as English has them. What is quoted stays.

    A type may be called by a plural (`cuisines`) or by a noun whose plural is odd (`person`).
    What is counted is more or fewer, not larger or smaller: "the largest pages" are the most pages.
    """
    types = tuple(plain(t.name) for t in schema.node_types)
    features = tuple(plain(f.name) for t in schema.node_types for f in t.features)
    parts = _QUOTED.split(told)
    for pattern, right in (*_patterns(types), *_amounts(features), *_SLIPS):
        parts[::2] = [pattern.sub(right, part) for part in parts[::2]]
    return "".join(parts)


@lru_cache(maxsize=64)
def _patterns(types: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    found = []
    for name in dict.fromkeys(types):
        head, _, last = name.rpartition(" ")
        noun = "person" if last == "people" else singular(last)
        one, many = (f"{head} {form}".strip() for form in forms(noun))
        said = f"(?:{re.escape(plural(name))}|{re.escape(name)})"
        found += [
            (rf"\b(each|the same) {said}\b", rf"\1 {one}"),
            (
                rf"^((?:number|average|total) of .*|(?:average|total) .*)(?<!ed) by {said}(?=$| and )",
                rf"\1 by {one}",
            ),
            (rf"\b{re.escape(plural(name))}\b", many),
        ]
    return tuple((re.compile(pattern), right) for pattern, right in found)


_AMOUNTS = {"largest": "most", "smallest": "fewest", "larger": "more", "smaller": "fewer"}


@lru_cache(maxsize=64)
def _amounts(features: tuple[str, ...]) -> tuple[tuple[re.Pattern[str], str], ...]:
    """How much of something counted: "the largest number of pages" and "the largest pages" are "the most pages"."""
    counted = "|".join(re.escape(name) for name in dict.fromkeys(features) if is_plural(name))
    what = rf"(?:number of |(?=(?:{counted})\b))" if counted else "number of "
    return tuple(
        (
            re.compile(rf"\b(the |a |){size} {what}(?!different )"),
            ("" if size in ("larger", "smaller") else r"\1") + amount + " ",
        )
        for size, amount in _AMOUNTS.items()
    )
