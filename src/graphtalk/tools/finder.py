"""From what people write to nodes: ids, exact names, and search where a graph has an index."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from graphtalk.core import ToolError, choices
from graphtalk.graphs import Graph
from graphtalk.tools.context import FoundNode
from graphtalk.tools.names import same_name

FLOOR = 0.5
"""Likeness (0 to 1) below which a node does not count as what was meant."""

_NEARLY = 0.15
"""By so much may a name that stands whole in a text be less like it than one that shares words with it."""

_MOST_SUGGESTED_FROM = 20_000


class NodeIndex(Protocol):
    """What is needed of a search index; `search.Index` is one."""

    def exact(self, text: str) -> Sequence[int]:
        """Nodes that are called exactly so."""

    def retrieve(self, text: str, node_type: str | None = None, k: int = 10) -> Sequence[FoundNode]:
        """The `k` nodes that fit best, best first, of one type if given."""

    def near_in_meaning(self, text: str, node_type: str | None = None, k: int = 1) -> Sequence[FoundNode]:
        """The `k` nodes whose names are nearest in meaning; none where none is near."""


@dataclass(frozen=True)
class IndexFinder:
    """Finds nodes by id, by exact name, and by likeness down to a floor."""

    graph: Graph
    index: NodeIndex
    floor: float = FLOOR

    def named(self, text: str, node_types: Sequence[str] = ()) -> int | None:
        """The node of these types that is called so, or has that id; a name comes before an id."""
        exact = _of_types(self.graph, self.index.exact(text), node_types)
        if exact:
            return min(exact, key=lambda node: _plain(self.graph.label(node)) != _plain(text))
        return find_id(self.graph, text, node_types)

    def find(self, text: str, node_types: Sequence[str] = ()) -> int:
        """The node of these types that is called so, else that fits best. Raises ToolError, naming the nearest."""
        node = self.named(text, node_types)
        if node is not None:
            return node
        near = self._near(text, node_types)
        if near and near[0].score >= self.floor:
            return near[0].node
        names = ", ".join(dict.fromkeys(self.graph.label(hit.node) for hit in near[:5]))
        raise ToolError(nothing_called(text, node_types) + (f" The nearest: {names}." if names else ""))

    def _near(self, text: str, node_types: Sequence[str]) -> list[FoundNode]:
        hits: list[FoundNode] = []
        for node_type in node_types or (None,):
            hits += self.index.retrieve(text, node_type)
        hits.sort(key=lambda hit: -hit.score)
        whole = [
            hit
            for hit in hits
            if hit.score >= max(self.floor, hits[0].score - _NEARLY)
            and f" {_plain(self.graph.label(hit.node))} " in f" {_plain(text)} "
        ]  # "kingdom of Spain" has all of Spain, and half of Port of Spain
        return [*whole, *(hit for hit in hits if hit not in whole)]

    def near_in_meaning(self, text: str, node_types: Sequence[str] = ()) -> FoundNode | None:
        """The node whose name is nearest in meaning to some words; None where none is near."""
        hits = [hit for t in node_types or (None,) for hit in self.index.near_in_meaning(text, t)]
        return max(hits, key=lambda hit: hit.score, default=None)


@dataclass(frozen=True)
class LabelFinder:
    """Finds nodes by id and by exact label, without regard to case; for graphs that have no index."""

    graph: Graph

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = {}
        for node, label in enumerate(self.graph.labels()):
            table.setdefault(_plain(label), []).append(node)
        return table

    def named(self, text: str, node_types: Sequence[str] = ()) -> int | None:
        """The node of these types with this label, or this id."""
        labelled = _of_types(self.graph, self._by_label.get(_plain(text), ()), node_types)
        return labelled[0] if labelled else find_id(self.graph, text, node_types)

    def find(self, text: str, node_types: Sequence[str] = ()) -> int:
        """The node of these types with this label, or this id. Raises ToolError, naming the nearest."""
        node = self.named(text, node_types)
        if node is not None:
            return node
        few = self.graph.num_nodes <= _MOST_SUGGESTED_FROM
        raise ToolError(
            nothing_called(text, node_types) + (f" {choices(text, self.graph.labels())}" if few else "")
        )

    def near_in_meaning(self, text: str, node_types: Sequence[str] = ()) -> FoundNode | None:
        """None: without an index there are no vectors of names."""
        return None


def nothing_called(text: str, node_types: Sequence[str]) -> str:
    """The beginning of an error message."""
    what = f"{' or '.join(node_types[:4])} node" if node_types else "node"
    return f"No {what} is called {text!r}."


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _of_types(graph: Graph, nodes: Iterable[int], node_types: Sequence[str]) -> list[int]:
    return [node for node in nodes if not node_types or graph.node_type(node).name in node_types]


_NUMBERED = re.compile(r"([^\W\d_]+[_-]?)\d+")


def find_numbered(graph: Graph, kind: str, number: str) -> int | None:
    """The node of a graph that numbers its nodes by kind, `u196` and `i251`, as a bare number of that kind: `user#196`."""
    known = same_name(kind, [t.name for t in graph.schema.node_types])
    of_kind = [graph.schema.node_type(known)] if known else graph.schema.node_types
    found = []
    for each in of_kind:
        begins = _NUMBERED.fullmatch(graph.id(each.first)) if each.count else None
        if begins and (known or kind[:1].casefold() == begins[1].casefold()):
            node = graph.find(begins[1] + number)
            found += [node] if node is not None and each.first <= node < each.first + each.count else []
    return found[0] if len(found) == 1 else None


def find_id(graph: Graph, text: str, node_types: Sequence[str] = ()) -> int | None:
    """The node of these types whose external id is `text`, which may be written `kind#id`, or None."""
    forms = [text]
    reference = re.fullmatch(r"\s*[\w-]+\s*#\s*(\S.*?)\s*", text)
    if reference:
        forms.append(reference[1])
    found = [node for form in forms if (node := graph.find(form)) is not None]
    return next(iter(_of_types(graph, found, node_types)), None)
