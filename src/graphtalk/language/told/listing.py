"""Edges that stand together in a text, however they are written."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.language.nouns import named, words

HOLE = "¤"  # stands in the rest of a text for a list that was taken out
HEADING = 200  # letters before a list that say what it is

Ends: TypeAlias = Sequence[str] | NDArray[np.int64]
Weights: TypeAlias = Sequence[float] | NDArray[np.float64]

_MEASURE = re.compile(r"\s*[€$£]?\s*(-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\s*[a-zA-Z€$£/%]*\s*")


@dataclass(frozen=True)
class Listing:
    """Edges that stand together. `heading` is the text before them.

    `leads` says whether their form shows a direction (None: nothing did); `mirrored` whether both ends of an edge may
    tell of it, as in adjacency lists. `names` are nodes in the order in which the list has them, edges or
    none. `values` has numbers at nodes, by what they are called. `square` and `single` tell a bracket that may be no edge.
    `others` are all columns of numbers at edges where there are several. `led`: the ends are called source and target, from and
    to, or so, which may mean a direction or not. `unnamed`: nodes are only numbered here, as in a matrix without names.
    """

    source: Ends
    target: Ends
    weight: Weights | None
    leads: bool | None
    heading: str = ""
    square: bool = False
    mirrored: bool = False
    single: str = ""
    names: Sequence[str] = ()
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    others: Mapping[str, Sequence[float]] = field(default_factory=dict)
    led: bool = False
    unnamed: bool = False


Taken: TypeAlias = tuple[str, list[Listing]]


def measure(text: str) -> float | None:
    """A number with or without a unit behind it; None where it is no number.

    >>> measure("5 km"), measure("-2.5"), measure("B5")
    (5.0, -2.5, None)
    """
    if text.isdecimal() and text.isascii():
        return float(text)
    found = _MEASURE.fullmatch(text)
    return float(found[1].replace("_", "")) if found else None


def plain_name(text: str) -> str:
    """A name without quotes, marks of emphasis, and the noun of a node before a number or a letter."""
    if text.isalnum():
        return text
    bare = text.strip().strip("`*").strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    noun, name = named(bare)
    return (
        name if not noun or len(name) == 1 or name.isdigit() or bare[: -len(name)].strip().islower() else bare
    )


def called(names: Iterable[str]) -> dict[str, str]:
    """What the names of a list are called, by how they are written there.

    A noun before a number or a letter falls away where all names have one, which is the noun of a node or the same; else it is
    part of the name.

    >>> called(["Stop A", "Stop B"]), called(["Hut A", "Summit"])
    ({'Stop A': 'A', 'Stop B': 'B'}, {'Hut A': 'Hut A', 'Summit': 'Summit'})
    """
    found = {name: plain_name(name) for name in names}
    bare = {
        name: named(name) for name, plain in found.items() if " " in name and plain != name.strip("\"'`* ")
    }
    nouns = {noun for noun, _ in bare.values()}
    others = [name for name in found if name not in bare]
    alike = len(nouns) < 2 or nouns <= words("nodes")
    if (alike and all(len(name) == 1 or name.isdecimal() for name in others)) or nouns <= _KINDS:
        return found if len(set(found.values())) == len(found) else {name: name for name in found}
    return {name: name.strip("\"'`* ") if name in bare else plain for name, plain in found.items()}


_KINDS = frozenset({"node", "vertex"})


def weights_or_none(weights: Sequence[float | None]) -> list[float] | None:
    """Weights with NaN where there is none; None where no edge has one."""
    if all(weight is None for weight in weights):
        return None
    return [np.nan if weight is None else float(weight) for weight in weights]
