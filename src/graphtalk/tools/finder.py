"""From what people write to nodes: ids, exact names, and search where a graph has an index."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graphtalk.core import ToolError, choices
from graphtalk.graphs import Graph


@dataclass(frozen=True)
class LabelFinder:
    """Finds nodes by id and by exact label, without regard to case; for graphs that have no index."""

    graph: Graph

    @cached_property
    def _by_label(self) -> dict[str, list[int]]:
        table: dict[str, list[int]] = {}
        for node, label in enumerate(self.graph.labels()):
            table.setdefault(plain(label), []).append(node)
        return table

    def find(self, text: str, node_types: Sequence[str] = ()) -> int:
        """The node with this id, or this label. Raises ToolError, naming the nearest."""
        node = find_id(self.graph, text, node_types)
        if node is not None:
            return node
        for candidate in self._by_label.get(plain(text), ()):
            if not node_types or self.graph.node_type(candidate).name in node_types:
                return candidate
        spans = self.graph.labels() if self.graph.num_nodes <= 20_000 else []
        raise ToolError(nothing_called(text, node_types) + (f" {choices(text, spans)}" if spans else ""))


def nothing_called(text: str, node_types: Sequence[str]) -> str:
    """The beginning of an error message."""
    what = f"{' or '.join(node_types[:4])} node" if node_types else "node"
    return f"No {what} is called {text!r}."


def plain(text: str) -> str:
    """The form in which names are compared: lower case, one blank between words."""
    return " ".join(text.casefold().split())


def find_id(graph: Graph, text: str, node_types: Sequence[str] = ()) -> int | None:
    """The node of these types whose external id is `text`, which may be written `kind#id`, or None."""
    forms = [text]
    found = re.fullmatch(r"\s*\w+\s*#\s*(\S.*)", text)
    if found:
        forms.append(found[1].strip())
    for form in forms:
        node = graph.find(form)
        if node is not None and (not node_types or graph.node_type(node).name in node_types):
            return node
    return None
