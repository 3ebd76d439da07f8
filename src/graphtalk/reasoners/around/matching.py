"""Matches the words of a question with wordings, and gives what their slots are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.graphs import Graph, GraphSet
from graphtalk.reasoners.around.names import TOKEN, Names, agents, begun, patients, root
from graphtalk.reasoners.around.table import Choice, Part, Sequence_, Slot
from graphtalk.search.index import Index

Bound: TypeAlias = Mapping[str, Expression]

_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»"}
_GRAPH = "graph network dataset database net data".split()
_THIS = frozenset("the this my our your that whole entire given knowledge social data full".split())
_NODES = "node nodes vertex vertices entity entities".split()
_ONE = "node vertex entity one thing person member individual element item actor".split()
_EDGES = "edge edges link links arc arcs connection connections tie ties relationship relationships".split()
_TYPES = ("node types", "node type", "types", "entity types", "labels", "node labels", "categories")
_RELATIONS = (
    "relations", "relation types", "relationship types", "relationships", "edge types", "link types", "kinds of relations",
    "kinds of relationships", "types of relations", "types of relationships", "predicates", "edge labels",
)  # fmt: skip
_EITHER_WAY = frozenset(
    "connected linked joined tied coupled wired".split()
)  # nodes are that from either end of an edge
_THEM = frozenset({"them", "those", "these", "they"})
_NUMBERS = {w: n for n, w in enumerate(NUMBER_WORDS)}
_NOUNS: Mapping[str, Sequence[tuple[str, ...]]] = {
    kind: tuple(tuple(noun.split()) for noun in nouns)
    for kind, nouns in {
        "nodes": _NODES,
        "one": _ONE,
        "near": ("neighbours", "neighbors", "neighbour", "neighbor"),
        "beside": ("next to", "adjacent to"),
        "edges": _EDGES,
        "types": _TYPES,
        "relations": _RELATIONS,
    }.items()
}


@dataclass(frozen=True)
class Said:
    """A question as words, with where names of the graph, its types and its relations stand: by first word, each with the word after it."""

    words: tuple[str, ...]
    nodes: Mapping[int, Sequence[tuple[int, int, int]]]
    types: Mapping[int, Sequence[tuple[int, str]]]
    features: Mapping[int, Sequence[tuple[int, str]]]
    graphs: Mapping[int, Sequence[tuple[int, str]]]


@dataclass(frozen=True)
class Match:
    """Matches wordings with the words of a question, in all ways.

    `told` and `kinds` are the names and types of the nodes that calls were made to name.
    """

    graph: Graph | GraphSet
    names: Names
    index: Index
    said: Said
    parts: Mapping[str, Choice]
    them: Call | None = None
    told: dict[Expression, str] = field(default_factory=dict)
    kinds: dict[Expression, str] = field(default_factory=dict)

    def ends(self, sequence: Sequence_, at: int, bound: Bound) -> Iterator[tuple[int, Bound]]:
        """Where a sequence that begins at a word may end, each with what its slots are then."""
        if not sequence:
            yield at, bound
            return
        for end, more in self._item(sequence[0], at, bound):
            yield from self.ends(sequence[1:], end, more)

    def _item(self, item: str | Slot | Part | Choice, at: int, bound: Bound) -> Iterator[tuple[int, Bound]]:
        words = self.said.words
        if isinstance(item, Choice):
            for each in item.of:
                yield from self.ends(each, at, bound)
        elif isinstance(item, Part):
            yield from self._item(self.parts[item.name], at, bound)
        elif isinstance(item, Slot):
            for end, value in self._slot(item.kind, at):
                name = "r" if item.kind[-1] in "<>" else item.kind
                if value is None:
                    yield end, bound
                elif bound.get(name, value) == value:
                    yield end, {**bound, name: value}
        elif at < len(words) and (words[at] == item or (item == "'s" and words[at] == "'")):
            yield at + 1, bound

    def _slot(self, kind: str, at: int) -> Iterator[tuple[int, Expression | None]]:
        if kind in ("x", "y"):
            yield from self._node(at)
        elif kind == "xs":
            yield from self._nodes(at)
        elif kind == "t":
            yield from ((end, Text(name)) for end, name in self.said.types.get(at, ()))
        elif kind == "them":
            if self.them is not None and at < len(self.said.words) and self.said.words[at] in _THEM:
                yield at + 1, self.them
        elif kind == "said":
            if self.them is not None:
                yield at, None
        elif kind == "f":
            yield from ((end, Text(name)) for end, name in self.said.features.get(at, ()))
        elif kind == "g":
            yield from self._graph(at)
        elif kind == "n":
            word = self.said.words[at] if at < len(self.said.words) else ""
            number = int(word) if word.isdecimal() else _NUMBERS.get(word, 0)
            if number:
                yield at + 1, Number(number)
        elif kind[-1] in "<>":
            yield from self._relation(kind, at)
        elif kind not in ("near", "beside") or not (
            self.names.has_neighbours or (kind == "beside" and self.names.has_types)
        ):  # a room is next to rooms, not to what takes place in it
            for noun in _NOUNS[kind]:
                end = at + len(noun)
                if self.said.words[at:end] == noun and " ".join(map(root, noun)) not in self.names.called:
                    yield end, None

    def _node(self, at: int, literal: bool = False) -> Iterator[tuple[int, Expression]]:
        """A node by its name, which may stand in quotes, after "the", and after its type or "node"."""
        words = self.said.words
        if isinstance(self.graph, GraphSet):
            begin = at + 1 + (words[at + 1 : at + 2] == ("#",)) if words[at : at + 1] == ("node",) else at
            if begin < len(words) and words[begin].isdecimal():
                yield begin + 1, NodeRef("node", words[begin])
            return
        begins: list[tuple[int, str]] = [(at, "")]
        the = at + 1 if words[at : at + 1] == ("the",) else at
        begins += [(the, "")] if the > at else []
        begins += self.said.types.get(the, ())
        begins += [(the + 1, "")] if words[the : the + 1] in (("node",), ("vertex",), ("entity",)) else []
        for begin, node_type in dict.fromkeys(begins):
            mark = begin + 1 if words[begin : begin + 1] == ("#",) else begin
            quote = _QUOTES.get(words[mark], "") if mark < len(words) else ""
            for end, node, namesakes in self.said.nodes.get(mark + bool(quote), ()):
                fits = not node_type or self.graph.node_type(node).name == node_type
                closed = not quote or words[end : end + 1] == (quote,)
                if fits and closed:
                    yield end + bool(quote), self._named(node, namesakes, literal)

    def _nodes(self, at: int) -> Iterator[tuple[int, Expression]]:
        """Two nodes or more: X and Y; X, Y and Z."""

        def more(at: int, found: tuple[Expression, ...], last: bool) -> Iterator[tuple[int, Expression]]:
            for end, node in self._node(at, literal=True):
                nodes = (*found, node)
                if node in found:
                    continue
                if last:
                    yield end, Items(nodes)
                    continue
                words = self.said.words[end : end + 2]
                if words[:1] == ("and",):
                    yield from more(end + 1, nodes, last=True)
                    yield from more(end + 1, nodes, last=False)
                elif words == (",", "and"):
                    yield from more(end + 2, nodes, last=True)
                elif words[:1] == (",",):
                    yield from more(end + 1, nodes, last=False)

        yield from more(at, (), last=False)

    def _graph(self, at: int) -> Iterator[tuple[int, Expression | None]]:
        """The graph: by a noun, where nothing in it is called so; one of a set by its name."""
        words = self.said.words
        the = at
        while the < len(words) and words[the] in _THIS:
            the += 1
        for end, name in self.said.graphs.get(the, ()):
            yield end + (words[end : end + 1] == ("graph",)), Text(name)
        if isinstance(self.graph, GraphSet):
            return
        noun = words[the] if the < len(words) else ""
        if noun in _GRAPH and self._is_free((noun,), the):
            yield the + 1, None
        own = tuple([m.group().casefold() for m in TOKEN.finditer(self.graph.name)])
        end = the + len(own)
        if own and words[the:end] == own and self._is_free(own, the):
            yield end, None
            if words[end : end + 1] in (("graph",), ("network",)):
                yield end + 1, None

    def _is_free(self, noun: Sequence[str], at: int) -> bool:
        """Whether a noun may speak of the graph: no node, and no type or relation of several, is called so."""
        return at not in self.said.nodes and " ".join(map(root, noun)) not in self.names.called

    def _relation(self, kind: str, at: int) -> Iterator[tuple[int, Expression]]:
        """A relation by its name, as it is seen from the node."""
        words = self.said.words
        one = words[at] if at < len(words) else ""
        if kind in ("agent<", "patient>"):
            roots = agents(one) if kind == "agent<" else patients(one)
            spans = [(at + 1, n) for root in roots for n in self.names.relations["doing"].get((root,), ())]
        elif kind.startswith(("verb", "deed")):
            spans = begun(tuple(map(root, words)), at, self.names.relations[kind[:-1]])
        else:
            spans = begun(words, at, self.names.relations[kind])
        for end, name in spans:
            views = (name, self.names.back(name))
            for seen in views if one in _EITHER_WAY else views[:1] if kind.endswith(">") else views[1:]:
                if seen is not None:
                    yield end, Text(seen)

    def _named(self, node: int, namesakes: int, literal: bool) -> Expression:
        """A node as a call names it, by its name where no other of its type has it; a list takes literals alone.

        How it is told is kept, with its type and id where others are called so too.
        """
        graph = self.graph
        assert isinstance(graph, Graph)
        t, label, node_id = graph.node_type(node), graph.label(node), graph.id(node)
        alone = [n for n in self.index.exact(label) if graph.node_type(n) is t] == [node]
        by_name = not literal and (alone or graph.find(node_id) != node)
        called = Call("RetrieveNode", (Text(label), Text(t.name))) if by_name else NodeRef(t.name, node_id)
        kind = f" ({t.name} {node_id})" if namesakes > 1 else ""
        self.told[called], self.kinds[called] = f"{label}{kind}", t.name
        return called
