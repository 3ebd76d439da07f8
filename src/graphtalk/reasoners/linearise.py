"""A node and what is around it as lines of text, for models that read a graph instead of walking it (paper, 5.4).

    paper Deep Water: year 1999; pages 120
    Deep Water, author (2): Ada Byron; Jo Park
    author Ada Byron: organization Lund University

All of it is read by calls, and every line is data in one line. Lines come nearest first, and in a limited space the
relations of a node share fairly, so a node of 100,000 neighbours by one relation does not crowd out the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, zip_longest

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Text
from graphtalk.core import CallError
from graphtalk.graphs import Graph
from graphtalk.reasoners.untrusted import one_line
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, show

MOST_NEIGHBOURS = 20  # of each type of neighbour, as in the paper's code
MOST_NAME = 200  # letters
MOST_VALUE = 300  # letters of a feature, but of the node in the middle


@dataclass
class EgoGraph:
    """What is around a node up to `hops` edges away, in at most `letters` letters. `results` are the calls made."""

    executor: Executor
    graph: Graph
    node: int
    hops: int
    letters: int
    results: list[Result] = field(default_factory=list)

    def text(self) -> str:
        """The lines that there is room for; the last may be cut."""
        lines: list[str] = []
        room = self.letters
        for line in self._lines():
            if room <= 1:
                break
            lines.append(one_line(line, room))
            room -= len(lines[-1]) + 1
        return "\n".join(lines)

    def _lines(self) -> Iterator[str]:
        """Level by level: the features of its nodes, then whom they are linked to."""
        level, met = [self.node], {self.node}
        for distance in range(self.hops + 1):
            yield from self._features(
                level, self.letters // 2 if distance == 0 and self.hops else self.letters
            )
            if distance == self.hops:
                return
            following: list[Sequence[int]] = []
            for node in level:
                linked = self._neighbours(node)
                yield from self._links(node, linked, self.letters // 2)
                following += [neighbours.nodes for neighbours in linked]
            # The first neighbour by each relation, then the second, so that each relation has its share.
            ordered = [
                n for n in chain.from_iterable(zip_longest(*following)) if n is not None and n not in met
            ]
            level = list(dict.fromkeys(ordered))
            met.update(level)

    def _features(self, nodes: Sequence[int], room: int) -> Iterator[str]:
        """A line for each node with its features, read by one call for each feature of each type."""
        cells: dict[int, dict[str, str]] = {node: {} for node in nodes}
        for t in self.graph.schema.node_types:
            own = [node for node in nodes if t.first <= node < t.first + t.count]
            for feature in [f.name for f in t.features if own and f.name != t.label]:
                result = self._run(Call("NodeFeature", (self._references(own), Text(feature))))
                if result is None:
                    continue
                values = result.value if isinstance(result.value, list) and len(own) > 1 else [result.value]
                for node, value in zip(own, values, strict=False):
                    if value is not None and value != []:
                        cells[node][feature] = show(value, self.graph)
        for node in nodes:
            most = (
                fair_share([len(text) for text in cells[node].values()], room)
                if node == self.node
                else MOST_VALUE
            )
            said = "; ".join(f"{name} {one_line(text, most)}" for name, text in cells[node].items())
            if said or node == self.node:  # the others were named already
                yield f"{self.graph.node_type(node).name} {self._name(node)}{': ' if said else ''}{said}"

    def _neighbours(self, node: int) -> "list[_Linked]":
        """Whom a node is linked to, by each relation that it has."""
        found = []
        for name in self.graph.schema.views_from(self.graph.node_type(node).name):
            result = self._run(Call("NeighbourCheck", (self._references([node]), Text(name))))
            if result is not None and isinstance(result.value, Bag) and len(result.value):
                first = result.value.nodes[:MOST_NEIGHBOURS].tolist()
                found.append(_Linked(name, len(result.value), first, [self._name(n) for n in first]))
        return found

    def _links(self, node: int, linked: "Sequence[_Linked]", room: int) -> Iterator[str]:
        """A line for each relation of a node, each with as many names as fit into its share of the room."""
        most = fair_share([sum(map(len, neighbours.names)) for neighbours in linked], room)
        for neighbours in linked:
            shown, used = 0, 0
            while shown < len(neighbours.names) and (
                not shown or used + len(neighbours.names[shown]) <= most
            ):
                used += len(neighbours.names[shown])
                shown += 1
            part = f", the first {shown}" if shown < neighbours.count else ""
            names = "; ".join(neighbours.names[:shown])
            yield f"{self._name(node)}, {neighbours.relation} ({neighbours.count:,}{part}): {names}"

    def _name(self, node: int) -> str:
        return one_line(self.graph.label(node), MOST_NAME)

    def _references(self, nodes: Sequence[int]) -> Expression:
        references = tuple(NodeRef("node", node_id) for node_id in self.graph.ids(nodes))
        return references[0] if len(references) == 1 else Items(references)

    def _run(self, call: Call) -> Result | None:
        """What a call gives; nothing where it hits a limit."""
        try:
            result = self.executor.run(call)
        except CallError:
            return None
        self.results.append(result)
        return result


@dataclass(frozen=True)
class _Linked:
    """The neighbours of a node by one relation: how many, and the first of them with their names."""

    relation: str
    count: int
    nodes: Sequence[int]
    names: Sequence[str]


def fair_share(sizes: Sequence[int], room: int) -> int:
    """The most that each may take, so that all fit into the room: small ones whole, large ones alike.

    >>> fair_share([10, 500, 900], 410)
    200
    """
    left = len(sizes)
    for size in sorted(sizes):
        if size * left > room:
            return room // left
        room -= size
        left -= 1
    return max(sizes, default=0)
