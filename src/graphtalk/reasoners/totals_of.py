"""Totals and averages of what several nodes share: the rated power of turbines is that of their models, once for each turbine.

A reading that takes each model once, or models that no turbine is of, adds up something else.
"""

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np

from graphtalk.core import LimitError
from graphtalk.graphs import Graph
from graphtalk.reasoners.joined import type_nouns

_ASKED = re.compile(r"\b(?P<kind>average|mean|total|sum|combined|overall)\b", re.I)
_IN_QUERY = re.compile(r"\b(?:avg|sum)\((?:DISTINCT )?\w+\.`?(\w+)`?\)", re.I)
_IN_CALL = re.compile(r'\b(?:Average|Sum)\[NodeFeature\[.*, "(\w+)"\]\]')


class TotalsOf:
    """Whose numbers the totals and averages of readings about one graph are."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def shared(self, question: str, spelled: str) -> Iterator[str]:
        """The "total" or "average" of nodes, where a reading adds up a number that is no property of theirs, each node of another type once.

        `spelled`: the call as it is shown. Where each of those has one of these nodes at most, no number is left out or counted twice.
        """
        asked = _ASKED.search(question)
        of = self._of.search(question, asked.end()) if asked else None
        if asked is None or of is None:
            return
        named = {self._types[m["type"].lower()] for m in self._noun.finditer(question)}
        for name in (*_IN_QUERY.findall(spelled), *_IN_CALL.findall(spelled)):
            owners = self._owners.get(name, frozenset())
            if (
                owners
                and named.isdisjoint(owners)
                and not self._one_each(self._types[of["type"].lower()], owners)
            ):
                yield repr(asked["kind"])

    def _one_each(self, node_type: str, owners: frozenset[str]) -> bool:
        """Whether one relation joins nodes of a type to those of another, of which each has one of the type at most."""
        for i, relation in enumerate(self._graph.schema.relations):
            for at, (near, far) in enumerate(
                ((relation.source, relation.target), (relation.target, relation.source))
            ):
                if near == node_type and far in owners:
                    try:
                        ends = self._graph.ends(i)[1 - at]
                    except LimitError:  # edges of a graph elsewhere, more than are read here
                        return False
                    if len(np.unique(ends)) == len(ends):
                        return True
        return False

    @cached_property
    def _types(self) -> dict[str, str]:
        return type_nouns(self._graph.schema)

    @cached_property
    def _noun(self) -> re.Pattern[str]:
        """The longest noun of a type."""
        nouns = "|".join(map(re.escape, self._types))
        return re.compile(rf"\b(?P<type>{nouns or '(?!)'})\b", re.I)

    @cached_property
    def _of(self) -> re.Pattern[str]:
        """What a total is of: "of the turbines", "across all turbines"."""
        return re.compile(
            rf"\b(?:of|for|across|among|over)(?: all)?(?: of)?(?: the| our| these)? {self._noun.pattern}",
            re.I,
        )

    @cached_property
    def _owners(self) -> dict[str, frozenset[str]]:
        """The types whose nodes have a property, or are ends of edges that do, by its name."""
        found: dict[str, frozenset[str]] = {}
        schema = self._graph.schema
        owned = [(f.name, {t.name}) for t in schema.node_types for f in t.features]
        owned += [(f.name, {r.source, r.target}) for r in schema.relations for f in r.features]
        for name, owners in owned:
            found[name] = found.get(name, frozenset()) | owners
        return found
