"""The arcs of a program: every way along which one node sends to another, in both orders, with attributes.

Made once for a graph and a program's wishes. An undirected edge is two arcs, a self-loop one.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from graphtalk.algorithms.links import edges as graph_edges
from graphtalk.algorithms.links import node_values
from graphtalk.core import CheckError, choices
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints, by_number, gather
from graphtalk.vertex.language.arrays import Groups
from graphtalk.vertex.program import Along, EdgeAttribute, Edges

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array: TypeAlias = NDArray[Any]
Floats: TypeAlias = NDArray[np.float64]

BLOCK = 1 << 17  # arcs
_made: WeakKeyDictionary[Graph, dict[Hashable, "Arcs"]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Arcs:
    """All arcs, ordered by sender; and which of them stand where when ordered by receiver.

    Shapes: sender_ptr and receiver_ptr (n + 1,); receivers, senders, order and each attribute (arcs,).
    `receivers` and the attributes are in the order of senders, `senders` in that of receivers; arc `q` in the
    order of receivers is arc `order[q]` in that of senders.
    """

    n: int
    sender_ptr: Ints
    receivers: Ints
    receiver_ptr: Ints
    senders: Ints
    order: Ints
    attributes: Mapping[str, Floats]

    @property
    def count(self) -> int:
        """Number of arcs."""
        return len(self.receivers)

    @cached_property
    def out_degrees(self) -> Ints:
        """Arcs that leave each node. Shape (n,)."""
        return np.diff(self.sender_ptr)

    @cached_property
    def in_degrees(self) -> Ints:
        """Arcs that reach each node. Shape (n,)."""
        return np.diff(self.receiver_ptr)

    @cached_property
    def places(self) -> Ints:
        """Where each arc, in the order of senders, stands in that of receivers: the inverse of `order`."""
        found = np.empty_like(self.order)
        found[self.order] = np.arange(len(found), dtype=found.dtype)
        return found

    @cached_property
    def owners(self) -> Ints:
        """The sender of each arc, in the order of senders."""
        return np.repeat(np.arange(self.n, dtype=np.int32), self.out_degrees)

    @cached_property
    def receivers_by_receiver(self) -> Ints:
        """The receiver of each arc, in the order of receivers."""
        return np.repeat(np.arange(self.n, dtype=np.int32), self.in_degrees)

    @cached_property
    def receiving(self) -> tuple[Ints, Groups]:
        """The nodes that any arc reaches, ascending, and the arcs of each in the order of receivers."""
        nodes = np.flatnonzero(self.in_degrees)
        return nodes, Groups(self.receiver_ptr[:-1][nodes], self.count)

    @cached_property
    def blocks(self) -> list[tuple[slice, slice]]:
        """The receivers and their arcs, in the order of receivers, in pieces that fit a processor's cache."""
        starts = self.receiving[1].starts
        if not len(starts):
            return []
        firsts = np.unique(np.searchsorted(starts, np.arange(0, self.count, BLOCK), "right") - 1)
        lasts = np.append(firsts[1:], len(starts))
        rows = np.append(starts[firsts], self.count)
        return [
            (slice(int(first), int(last)), slice(int(rows[i]), int(rows[i + 1])))
            for i, (first, last) in enumerate(zip(firsts, lasts, strict=True))
        ]

    @cached_property
    def sums(self) -> "csr_array":
        """The matrix by which a number of every node is summed up over the arcs to each. Shape (n, n)."""
        from scipy.sparse import csr_array  # slow to import, and only needed where all nodes send

        ones = np.ones(self.count)
        return csr_array((ones, self.senders, self.receiver_ptr), shape=(self.n, self.n))

    @cached_property
    def _by_receiver(self) -> dict[str, Floats]:
        return {}

    def by_receiver(self, name: str) -> Floats:
        """An attribute in the order of receivers, made when first asked for."""
        if name not in self._by_receiver:
            self._by_receiver[name] = self.attributes[name][self.order]
        return self._by_receiver[name]

    def from_nodes(self, nodes: Ints) -> tuple[Ints, Ints]:
        """Arcs that leave `nodes`, row after row, in the order of senders; and how many each has."""
        return gather(self.sender_ptr, nodes)

    def reversed(self) -> "Arcs":
        """The same arcs turned round, without copying."""
        turned = {name: self.by_receiver(name) for name in self.attributes}
        return Arcs(
            self.n, self.receiver_ptr, self.senders, self.sender_ptr, self.receivers, self.places, turned
        )


def arcs_of(graph: Graph, along: Along, edges: Edges, features: Mapping[str, str]) -> Arcs:
    """The arcs along which a program's nodes send, made once. `features` names the feature of each attribute.

    Raises CheckError where the graph's edges lack a feature that has no default.
    """
    way: Along = along if graph.directed or edges.sided else "out"
    key = (way, edges, tuple(sorted(features.items())))
    return _once(graph, key, lambda: _make(graph, way, edges, features))


def _once(graph: Graph, key: Hashable, make: Callable[[], Arcs]) -> Arcs:
    kept = _made.setdefault(graph, {})
    if key not in kept:
        kept[key] = make()
    return kept[key]


def _make(graph: Graph, along: Along, edges: Edges, features: Mapping[str, str]) -> Arcs:
    if along == "in":
        return arcs_of(graph, "out", edges, features).reversed()
    if along == "out" and edges.parallel == "keep" and edges.loops == "keep" and not edges.sided:
        stored = _stored(graph, edges, features)
        if stored is not None:
            return stored
    source, target, values = _listed(graph, along, edges, features)
    if edges.loops == "drop":
        between = source != target
        source, target = source[between], target[between]
        values = [value[between] for value in values]
    if edges.parallel == "merge":
        source, target, values = _merged(source, target, values, edges.attributes, graph.num_nodes)
        order = None
    else:
        order = by_number(source, graph.num_nodes)
    return _ordered(graph.num_nodes, source, target, dict(zip(features, values, strict=True)), order)


def _stored(graph: Graph, edges: Edges, features: Mapping[str, str]) -> Arcs | None:
    """The graph's own arrays, where they are what is wanted: one directed relation on one type of nodes."""
    if len(graph.schema.node_types) != 1 or len(graph.schema.relations) != 1 or not graph.directed:
        return None
    a = graph.adjacencies[0]
    values = {e.name: edge_values(graph, e, features[e.name]) for e in edges.attributes}
    indptr, back_indptr = np.asarray(a.indptr), np.asarray(a.back_indptr)
    return Arcs(graph.num_nodes, indptr, a.indices, back_indptr, a.back_indices, a.back_edge, values)


@dataclass(frozen=True)
class Layer:
    """Arcs that a kind of edges gives: all, undirected or directed ones; turned round or not; `forward` says
    whether they go the edge's own way, so that attributes that count forward stand on them."""

    which: Literal["all", "undirected", "directed"]
    turned: bool
    forward: bool


def layers(along: Along, edges: Edges) -> list[Layer]:
    """What arcs the edges of a graph give. A self-loop gives an arc in the first only."""
    if along == "in":
        return [Layer(layer.which, not layer.turned, layer.forward) for layer in layers("out", edges)]
    found = [Layer("all", False, True), Layer("undirected", True, True)]
    if along == "both" and not edges.sided:
        found.append(Layer("directed", True, False))
    elif along == "both":
        found += [Layer("all", True, False), Layer("undirected", False, False)]
    return found


def _listed(
    graph: Graph, along: Along, edges: Edges, features: Mapping[str, str]
) -> tuple[Ints, Ints, list[Floats]]:
    """Senders, receivers and attributes of all arcs, in no order."""
    source, target, _ = graph_edges(graph)
    values = {e.name: edge_values(graph, e, features[e.name]) for e in edges.attributes}
    relations = graph.schema.relations
    undirected = np.repeat([r.undirected for r in relations], [r.count for r in relations]).astype(np.bool_)
    apart = source != target
    kinds = {"all": np.ones(len(source), np.bool_), "undirected": undirected, "directed": ~undirected}
    made = layers(along, edges)
    first = made[0]
    chosen = [kinds[layer.which] if layer is first else kinds[layer.which] & apart for layer in made]
    senders = [(target if layer.turned else source)[c] for layer, c in zip(made, chosen, strict=True)]
    receivers = [(source if layer.turned else target)[c] for layer, c in zip(made, chosen, strict=True)]
    found = []
    for e in edges.attributes:
        parts = [
            values[e.name][c] if e.stands(layer.forward) else np.zeros(int(c.sum()))
            for layer, c in zip(made, chosen, strict=True)
        ]
        found.append(np.concatenate(parts))
    return np.concatenate(senders), np.concatenate(receivers), found


def _merged(
    source: Ints, target: Ints, values: Sequence[Floats], attributes: Sequence[EdgeAttribute], n: int
) -> tuple[Ints, Ints, list[Floats]]:
    """One arc for each pair, ordered by sender and receiver."""
    order = by_number(target, n)
    order = order[by_number(source[order], n)]
    source, target = source[order], target[order]
    first = np.flatnonzero((np.diff(source, prepend=-1) != 0) | (np.diff(target, prepend=-1) != 0))
    reduce = {"min": np.minimum, "max": np.maximum, "sum": np.add}
    merged = [
        reduce[e.merge].reduceat(value[order], first) if len(first) else value
        for e, value in zip(attributes, values, strict=True)
    ]
    return source[first], target[first], merged


def _ordered(n: int, source: Ints, target: Ints, values: Mapping[str, Floats], order: Ints | None) -> Arcs:
    width = np.int32 if max(n, len(source)) < 2**31 else np.int64
    if order is not None:
        source, target = source[order], target[order]
        values = {name: value[order] for name, value in values.items()}
    back: Ints = by_number(target, n).astype(width)
    return Arcs(
        n,
        _pointers(source, n),
        target.astype(width),
        _pointers(target, n),
        source[back].astype(width),
        back,
        dict(values),
    )


def _pointers(ends: Ints, n: int) -> Ints:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(np.bincount(ends, minlength=n), dtype=np.int64)])


def edge_values(graph: Graph, attribute: EdgeAttribute, feature: str) -> Floats:
    """The attribute of every edge, relation after relation; its default where no edge has such a feature.

    Raises CheckError where there is no default or a value is too low, ToolError where an edge has no value.
    """
    names = [f.name for r in graph.schema.relations for f in r.features if f.kind == "number"]
    if feature in names:
        values = graph_edges(graph, feature)[2]
        if len(values) and values.min() < attribute.least:
            low = f"the least {feature!r} of an edge is {values.min():g}"
            raise CheckError(f"{attribute.name} must be {attribute.least:g} or more, but {low}.")
        return values
    if feature != attribute.feature or attribute.default is None:
        raise CheckError(
            f"Edges have no numeric feature {feature!r} ({attribute.name}). {choices(feature, names)}"
        )
    return np.full(graph.num_edges, attribute.default)


def node_column(graph: Graph, name: str, feature: str, default: float | None, chosen: bool) -> Floats:
    """A numeric feature of every node, or its default where no node has it. Shape (n,).

    `chosen` says that a person named the feature, so that it must be there. Raises CheckError.
    """
    names = [f.name for t in graph.schema.node_types for f in t.features if f.kind == "number"]
    if feature in names:
        return node_values(graph, feature)
    if chosen or default is None:
        raise CheckError(f"Nodes have no numeric feature {feature!r} ({name}). {choices(feature, names)}")
    return np.full(graph.num_nodes, default)
