"""The sparse matrices that algorithms run on, made once per graph, and the checks they share."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.core import CheckError, ToolError, choices
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import Graph, floats

Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
T = TypeVar("T")

_made: WeakKeyDictionary[Graph, dict[tuple[object, ...], Any]] = WeakKeyDictionary()


def once(graph: Graph, key: tuple[object, ...], make: Callable[[], T]) -> T:
    """What `make` gives, made the first time and kept as long as the graph is."""
    kept = _made.setdefault(graph, {})
    if key not in kept:
        kept[key] = make()
    found: T = kept[key]
    return found


def adjacency(graph: Graph, undirected: bool = False) -> csr_array:
    """Which node leads to which, shape (n, n): 1 where there is an edge, parallel edges once, rows sorted.

    `undirected` adds every edge's reverse; without it only undirected relations lead both ways. Read only.
    """

    def make() -> csr_array:
        matrix = graph.matrix(symmetric=True if undirected else None)
        matrix.sum_duplicates()
        matrix.data[:] = 1.0
        return matrix

    return once(graph, ("adjacency", undirected or not graph.directed), make)


def reversed_adjacency(graph: Graph) -> csr_array:
    """`adjacency` with every edge turned round, shape (n, n). Read only."""
    if not graph.directed:
        return adjacency(graph)
    return once(graph, ("reversed",), lambda: csr_array(adjacency(graph).T))


def lengths(graph: Graph, weight: str, undirected: bool = False) -> csr_array:
    """Edge lengths by the numeric edge feature `weight`, shape (n, n): of parallel edges the shortest.

    Zeros are stored. Raises CheckError where no relation has the feature, ToolError where edges lack it.
    """

    def make() -> csr_array:
        source, target, value = arcs(graph, weight, undirected)
        shape = (graph.num_nodes, graph.num_nodes)
        width: type[np.signedinteger] = np.int32 if max(len(source), graph.num_nodes) < 2**31 else np.int64
        matrix = csr_array((value, (source.astype(width), target.astype(width))), shape=shape)
        if matrix.nnz == len(value):  # no parallel edges were summed
            return matrix
        order = np.lexsort((value, target, source))
        source, target, value = source[order], target[order], value[order]
        first = np.ones(len(source), dtype=np.bool_)
        first[1:] = (source[1:] != source[:-1]) | (target[1:] != target[:-1])
        indptr = np.zeros(graph.num_nodes + 1, np.int64)
        np.cumsum(np.bincount(source[first], minlength=graph.num_nodes), out=indptr[1:])
        return csr_array((value[first], target[first].astype(width), indptr.astype(width)), shape=shape)

    return once(graph, ("lengths", weight, undirected or not graph.directed), make)


def reversed_lengths(graph: Graph, weight: str, undirected: bool = False) -> csr_array:
    """`lengths` with every edge turned round, shape (n, n). Errors as above. Read only."""
    if undirected or not graph.directed:
        return lengths(graph, weight, undirected)
    return once(graph, ("reversed", weight), lambda: csr_array(lengths(graph, weight).T))


def least_length(graph: Graph, weight: str) -> float:
    """The shortest of `lengths`, infinite without edges. Errors as above."""
    return once(graph, ("least", weight), lambda: float(lengths(graph, weight).data.min(initial=np.inf)))


def strengths(graph: Graph, weight: str | None = None, undirected: bool = False) -> csr_array:
    """Edge weights, shape (n, n): parallel edges summed; without `weight` each counts 1. Read only."""

    def make() -> csr_array:
        if weight is not None:
            edges(graph, weight)
        matrix = graph.matrix(weight=weight, symmetric=True if undirected else None)
        matrix.sum_duplicates()
        return matrix

    return once(graph, ("strengths", weight, undirected or not graph.directed), make)


def edges(graph: Graph, weight: str | None = None) -> tuple[Ints, Ints, Floats]:
    """Source, target and weight of every edge, each once, relation after relation. Shapes (edges,).

    Raises CheckError where `weight` is no numeric edge feature, ToolError where an edge has no value.
    """
    count = range(len(graph.schema.relations))
    ends = [graph.ends(position) for position in count]
    if not ends:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    values = [_values(graph, position, weight) for position in count]
    source, target = (np.concatenate([end[side] for end in ends]).astype(np.int64) for side in (0, 1))
    return source, target, np.concatenate(values)


def arcs(graph: Graph, weight: str | None = None, undirected: bool = False) -> tuple[Ints, Ints, Floats]:
    """Like `edges`, with the reverse of every edge that can be followed backwards (self-loops once)."""
    source, target, value = edges(graph, weight)
    relations = graph.schema.relations
    back = np.repeat([undirected or r.undirected for r in relations], [r.count for r in relations])
    back = back.astype(np.bool_) & (source != target)
    return (
        np.concatenate([source, target[back]]),
        np.concatenate([target, source[back]]),
        np.concatenate([value, value[back]]),
    )


def _values(graph: Graph, position: int, weight: str | None) -> Floats:
    relation = graph.schema.relations[position]
    if weight is None:
        return np.ones(relation.count)
    names = [f.name for r in graph.schema.relations for f in r.features if f.kind == "number"]
    if weight not in names:
        raise CheckError(f"Edges have no numeric feature {weight!r}. {choices(weight, names)}")
    if weight not in [f.name for f in relation.features if f.kind == "number"]:
        raise ToolError(f"Edges {relation.name!r} have no feature {weight!r}, so they have no weight.")
    column = graph.edge_columns[position].column(weight)
    values = floats(column)
    if column.null_count or np.isnan(values).any():
        missing = int(np.isnan(values).sum())
        raise ToolError(f"{missing} edges {relation.name!r} have no value of {weight!r}.")
    return values


def node_values(graph: Graph, feature: str) -> Floats:
    """A numeric feature of every node. Shape (n,). Raises CheckError or ToolError where it is missing."""
    names = [f.name for t in graph.schema.node_types for f in t.features if f.kind == "number"]
    if feature not in names:
        raise CheckError(f"Nodes have no numeric feature {feature!r}. {choices(feature, names)}")
    parts: list[Floats] = []
    for t in graph.schema.node_types:
        if not any(f.name == feature and f.kind == "number" for f in t.features):
            raise ToolError(f"{t.name} nodes have no numeric feature {feature!r}.")
        parts.append(floats(graph.columns[t.name].column(feature)))
    values = np.concatenate(parts)
    if np.isnan(values).any():
        raise ToolError(f"{int(np.isnan(values).sum())} nodes have no value of {feature!r}.")
    return values


def check_nodes(graph: Graph, nodes: Sequence[int] | Ints) -> Ints:
    """The nodes as an array. Raises CheckError for an index that the graph does not have."""
    if len(nodes) <= 2 and all(0 <= node < graph.num_nodes for node in nodes):
        return np.array(nodes, np.int64)
    asked = np.asarray(nodes, dtype=np.int64)
    outside = asked[(asked < 0) | (asked >= graph.num_nodes)]
    if len(outside):
        raise CheckError(f"No node with index {outside[0]}: the graph has {graph.num_nodes}.")
    return asked


def check_not_empty(graph: Graph, what: str) -> None:
    """Raises ToolError where the graph has no nodes, so that it has no `what`."""
    if graph.num_nodes == 0:
        raise ToolError(f"The graph has no nodes, so it has no {what}.")


def neighbours_of(matrix: csr_array, nodes: Ints) -> tuple[Ints, Ints]:
    """All neighbours of `nodes` in a matrix, row after row, and how many each node has.

    Shapes: nodes (k,) → neighbours (sum of counts,), counts (k,).
    """
    if not len(nodes):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    positions, counts = gather(matrix.indptr, nodes)
    return matrix.indices[positions], counts
