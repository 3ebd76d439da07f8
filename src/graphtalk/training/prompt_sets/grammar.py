"""Wordings with alternatives: `(In all|Altogether), {whole} has [TBR] {many}.`

`(a|b|)` is one of its alternatives, which may nest; round brackets without a bar are only brackets. `{name}` is a
slot, filled with a value or with another wording.
"""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache

_SLOT = re.compile(r"\{([a-z_]+)\}")
_GROUP = re.compile(r"\(([^()|]*(?:\|[^()|]*)+)\)")


def drawn(wording: str, rng: random.Random) -> str:
    """One text of a wording; its slots are left.

    >>> drawn("a (b|c)", random.Random(1))
    'a b'
    """
    while group := _GROUP.search(wording):
        chosen = rng.choice(group[1].split("|"))
        wording = wording[: group.start()] + chosen + wording[group.end() :]
    return re.sub(r" {2,}", " ", wording)


def count(wording: str) -> int:
    """How many texts a wording has, alternatives alone."""
    group = _GROUP.search(wording)
    if group is None:
        return 1
    before, after = wording[: group.start()], wording[group.end() :]
    return sum(count(before + each + after) for each in group[1].split("|"))


def filled(wording: str, values: Mapping[str, str]) -> str:
    """A wording with its slots filled, once. Raises KeyError for a slot without a value."""
    return _SLOT.sub(lambda slot: values[slot[1]], wording)


@cache
def slots(wording: str) -> frozenset[str]:
    """The names of the slots of a wording."""
    return frozenset(_SLOT.findall(wording))


def words_drawn(
    words: Mapping[str, Sequence[str]], values: Mapping[str, str], rng: random.Random
) -> dict[str, str]:
    """A value for each word, chosen once; slots in them are filled from `values` and from the words before."""
    chosen = dict(values)
    for name, options in words.items():
        fitting = [option for option in options if slots(option) <= chosen.keys()]
        if fitting:
            chosen[name] = filled(rng.choice(fitting), chosen)
    return chosen
