"""What the calls of a run showed: nodes and values, and which call showed them.

Names are looked up in the search index and their nodes in sorted arrays, so a result of 100,000 nodes costs no more
than one of ten.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.language.english import tokenize
from graphtalk.search.index import Index
from graphtalk.search.normalise import normalise
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, Plain, Scalar, Table, as_number, labels, spelled
from graphtalk.tools.verify import says

ONE_EACH = ("NodeFeature", "NodeDegree")
"""Tools that give one value for each node that they are asked about."""

_MOST_FOREIGN = 5_000  # nodes of another graph whose names are read, as that graph has no index
_MOST_IN_WORDS = 1_000  # values that are looked for inside a sentence


@dataclass(frozen=True, eq=False)
class Place:
    """Where a value was seen: in which result, and of which node where the call gives one value for each."""

    result: Result
    value: Plain
    node: int | None = None


@dataclass(frozen=True, eq=False)
class Shown:
    """A result that is a bag of nodes of the graph at hand; `nodes` has each once, ascending."""

    result: Result
    nodes: Ints

    @property
    def retrieved(self) -> bool:
        """Whether it is but the node that a name was looked up for."""
        return self.result.trail.spelling.startswith("RetrieveNode[")


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of an answer, with the nodes (ascending) and the values that were seen under this name."""

    text: str
    nodes: Ints
    places: tuple[Place, ...] = ()

    @property
    def supported(self) -> bool:
        """Whether it was seen at all."""
        return bool(len(self.nodes) or self.places)


class Observed:
    """What some results show. `results` are the latest first, `in_order` as they came."""

    def __init__(self, executor: Executor, results: Sequence[Result]) -> None:
        self.executor = executor
        self.in_order = tuple(results)
        self.results = self.in_order[::-1]
        self.graph: Graph = executor.graph if isinstance(executor.graph, Graph) else executor.graph.union

    @cached_property
    def index(self) -> Index:
        """The search index of the graph at hand."""
        known = self.executor.index
        return known if isinstance(known, Index) else Index.open(self.graph)

    @cached_property
    def shown(self) -> tuple[Shown, ...]:
        """The bags of nodes of the graph at hand."""
        return tuple(
            Shown(result, each_once(result.value.nodes))
            for result in self.results
            if isinstance(result.value, Bag) and self._here(result)
        )

    @cached_property
    def nodes(self) -> Ints:
        """Every node that was seen, ascending: those of bags and tables, and those that calls were about."""
        parts = [np.empty(0, np.int64), *(shown.nodes for shown in self.shown)]
        for result in filter(self._here, self.results):
            if isinstance(result.value, Table):
                parts.append(result.value.nodes)
            values = [given.value for ran in result.trail.inside() for given in ran.inputs]
            parts += [value.nodes for value in values if isinstance(value, Bag) and len(value) == 1]
        return each_once(np.concatenate(parts))

    def reached(self, piece: Piece) -> bool:
        """Whether a call led to it, other than one that it was named in."""
        bags = [shown.nodes for shown in self.shown if not shown.retrieved]
        return bool(piece.places) or any(among(piece.nodes, nodes).any() for nodes in bags)

    def knows(self, text: str) -> bool:
        """Whether a node is called so, seen or not, or a text that was seen has these words, two letters at least."""
        words = normalise(text)
        return bool(self.index.exact(text)) or (
            len(words) > 1 and any(f" {words} " in value for value in self._texts)
        )

    @cached_property
    def _texts(self) -> list[str]:
        """The texts that were seen, in their normal form, a blank before and after."""
        texts = [p.value for r in self.results for p in _places(r) if isinstance(p.value, str)][
            :_MOST_IN_WORDS
        ]
        return [f" {normalise(text)} " for text in texts]

    def _here(self, result: Result) -> bool:
        other = result.graph
        return other is self.graph or (bool(other.checksum) and other.checksum == self.graph.checksum)

    def piece(self, text: str) -> Piece:
        """A part of an answer with what was seen under just this name, number or id.

        A feature's value comes before a node that has this text as another name only: an answer of case names is
        not to become one of syllabi.
        """
        nodes, places = self._called(text), self._places(text)
        if places and not any(normalise(self.graph.label(n)) == normalise(text) for n in nodes.tolist()):
            nodes = nodes[:0]
        return Piece(text, nodes, places)

    def _called(self, text: str) -> Ints:
        found = each_once(np.array(self.index.exact(text), dtype=np.int64))
        return found[among(found, self.nodes)]

    def _places(self, text: str) -> tuple[Place, ...]:
        number = as_number(text.strip(" $€£%"))
        exact = self._values.get(_key(text), ())
        if number is None or exact:
            return tuple(exact)
        numbers = (
            p for r in self.results for p in _places(r) if isinstance(p.value, int | float) and p.node is None
        )
        one_value = (p for p in numbers if not isinstance(p.value, bool))
        return tuple(self._values.get(_key(str(number)), ())) or tuple(
            p for p in one_value if says(text, p.value)
        )

    @cached_property
    def _values(self) -> dict[str, list[Place]]:
        table: dict[str, list[Place]] = {}
        for result in self.results:
            foreign = result.value if isinstance(result.value, Bag) and not self._here(result) else None
            names = [] if foreign is None else labels(result.graph, foreign.nodes[:_MOST_FOREIGN])
            for place in (*_places(result), *(Place(result, name) for name in names)):
                table.setdefault(_key(str(place.value)), []).append(place)
        return table

    def mentions(self, text: str) -> tuple[list[Piece], int]:
        """What was seen that a phrase names, in its order, and how many of its words are something else."""
        taken = [False] * len(text)
        found: list[tuple[int, Piece]] = []
        for start, end, piece in (*self._node_mentions(text), *self._value_mentions(text)):
            if not any(taken[start:end]):
                taken[start:end] = [True] * (end - start)
                found.append((start, piece))
        rest = "".join(" " if used else letter for letter, used in zip(text, taken, strict=True))
        return [piece for _, piece in sorted(found, key=lambda f: f[0])], len(rest.split())

    def _node_mentions(self, text: str) -> Iterator[tuple[int, int, Piece]]:
        for m in self.index.mentions(text):
            nodes = each_once(np.array(m.nodes, dtype=np.int64))
            nodes = nodes[among(nodes, self.nodes)]
            written = text[m.start : m.end]
            if len(nodes) and (
                any(t.content for t in tokenize(written)) or written == self.graph.label(int(nodes[0]))
            ):
                yield m.start, m.end, Piece(written, nodes)

    def _value_mentions(self, text: str) -> Iterator[tuple[int, int, Piece]]:
        folded = text.casefold()
        texts = [p for r in self.results for p in _places(r) if isinstance(p.value, str)][:_MOST_IN_WORDS]
        for place in texts:
            value = str(place.value).casefold().strip()
            start = folded.find(value) if len(value) > 2 and len(folded) == len(text) else -1
            if start >= 0 and not (
                folded[start - 1 : start].isalnum() or folded[start + len(value) :][:1].isalnum()
            ):
                yield start, start + len(value), Piece(str(place.value), self.nodes[:0], (place,))


def each_once(nodes: Ints) -> Ints:
    """Each node once, ascending. By sorting: numpy's own way hashes, which took ten times as long."""
    ordered = np.sort(nodes)
    kept: Ints = ordered[np.diff(ordered, prepend=-1) != 0]
    return kept


def among(nodes: Ints, ascending: Ints) -> "np.typing.NDArray[np.bool_]":
    """Which of some nodes stand in an ascending array. Shape as `nodes`."""
    if not len(ascending):
        return np.zeros(len(nodes), bool)
    at = np.minimum(np.searchsorted(ascending, nodes), len(ascending) - 1)
    return np.asarray(ascending[at] == nodes)


def _places(result: Result) -> Iterator[Place]:
    """The values in a result that are no nodes, each with its node where there is one for each."""
    value = result.value
    if isinstance(value, Table):
        yield from (Place(result, number) for number in value.numbers.tolist())
    if isinstance(value, Scalar):
        yield Place(result, spelled(value))
    if not isinstance(value, list):
        return
    given = result.trail.inputs[0].value if result.trail.inputs else None
    one_each = result.trail.spelling.startswith(tuple(f"{tool}[" for tool in ONE_EACH))
    aligned = one_each and isinstance(given, Bag) and len(given) == len(value)
    nodes = given.nodes.tolist() if aligned and isinstance(given, Bag) else [None] * len(value)
    for node, item in zip(nodes, value, strict=True):
        if isinstance(item, list):  # a feature that is itself a list
            yield from (Place(result, spelled(part)) for part in item if isinstance(part, Scalar))
        elif isinstance(item, Scalar):
            yield Place(result, spelled(item), node)


def _key(text: str) -> str:
    """One form for a name and for a number, however they are written."""
    number = as_number(text)
    leading_zero = text.lstrip("-")[:1] == "0" and text.lstrip("-")[1:2].isdigit()
    return normalise(text) if number is None or leading_zero else f"= {number!r}"
