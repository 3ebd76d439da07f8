"""Which functions a model is told of: those that every question of a graph may need, and those that words of a text speak of."""

import re
from collections.abc import Sequence
from functools import cache

from graphtalk.graphs import Schema
from graphtalk.graphs.schema import FeatureKind
from graphtalk.language.english import stem, tokenize
from graphtalk.language.identifiers import split_name
from graphtalk.reasoners.prompting import prompt
from graphtalk.tools.registry import Tool

MOST_SPOKEN_OF = 8
_ORDERED: tuple[FeatureKind, ...] = ("number", "date", "datetime")
_OF_FEATURES = frozenset({"Filter", "NodeFeature"})
_OF_ORDER = frozenset({"Top", "Bottom"})
_VAGUE = frozenset(map(stem, "graph node nodes edge edges number check give given whole same find".split()))


@cache
def glosses() -> dict[str, str]:
    """The functions that every question may need, in the order of the registry, each with what its name does not say."""
    lines = prompt("graph_cot_plan_functions").splitlines()
    return {name: gloss.strip() for name, _, gloss in (line.partition(":") for line in lines)}


def core(tools: Sequence[Tool], schema: Schema) -> list[Tool]:
    """Of some functions those on nodes and bags that the features of a graph let run."""
    kinds = {f.kind for t in schema.node_types for f in t.features if f.name != t.label}
    without = (frozenset() if kinds else _OF_FEATURES) | (
        frozenset() if kinds.intersection(_ORDERED) else _OF_ORDER
    )
    return [t for t in tools if t.name in glosses() and t.name not in without]


def spoken_of(text: str, tools: Sequence[Tool]) -> list[Tool]:
    """Of some functions those that words of a text speak of, those of most words first."""
    asked = {token.stem for token in tokenize(text) if token.content} - _VAGUE
    found = []
    for tool in tools:
        named = {stem(word) for name in (tool.name, *tool.aliases) for word in split_name(name)}
        words = {stem(word) for word in re.findall(r"[a-z]{5,}", tool.summary.lower())} - _VAGUE
        found.append((2 * len(asked & named) + len(asked & words), tool))
    best = sorted(found, key=lambda pair: -pair[0])[:MOST_SPOKEN_OF]
    return [tool for score, tool in best if score > 1]
