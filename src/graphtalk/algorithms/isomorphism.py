"""Where a small pattern occurs in a graph: exact subgraph isomorphism with labels."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Bools, adjacency, reversed_adjacency
from graphtalk.core import LimitError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph, Value

Label: TypeAlias = tuple[str | None, Value]


@dataclass(frozen=True)
class Matching:
    """What must agree: node types and relation names (`typed`), a node feature, an edge feature.

    `induced`: nodes that the pattern does not join must not be joined in the graph either.
    """

    typed: bool = False
    node_label: str | None = None
    edge_label: str | None = None
    induced: bool = False


def subgraph_isomorphisms(
    graph: Graph,
    pattern: Graph,
    matching: Matching | None = None,
    limit: int | None = None,
    max_steps: int = 1_000_000,
) -> list[list[int]]:
    """Occurrences of `pattern`: for each, the graph's node for every node of the pattern, no node twice.

    At most `limit` of them (None: all); symmetric patterns occur once a symmetry. Parallel edges with one
    label count once. Raises LimitError after `max_steps` partial matches, ToolError where one graph is
    directed and the other not. Source: VF2 (Cordella et al. 2004), with candidates from the rows of
    neighbours already matched (Ullmann 1976 for the first sift by degree).
    """
    if pattern.num_edges and graph.directed != pattern.directed:
        ways = {True: "directed", False: "undirected"}
        raise ToolError(f"The pattern is {ways[pattern.directed]}, but the graph {ways[graph.directed]}.")
    if pattern.num_nodes == 0 or pattern.num_nodes > graph.num_nodes:
        return [[]] if pattern.num_nodes == 0 else []
    found: list[list[int]] = []
    for occurrence in _Matcher(graph, pattern, matching or Matching(), max_steps).occurrences():
        found.append(occurrence)
        if len(found) == limit:
            break
    return found


def has_subgraph(
    graph: Graph, pattern: Graph, matching: Matching | None = None, max_steps: int = 1_000_000
) -> bool:
    """Whether `pattern` occurs in the graph. Errors as for `subgraph_isomorphisms`."""
    return bool(subgraph_isomorphisms(graph, pattern, matching, 1, max_steps))


class _Matcher:
    """`links[label]` has the graph's edges with that label, forwards and backwards."""

    def __init__(self, graph: Graph, pattern: Graph, matching: Matching, max_steps: int) -> None:
        self._graph, self._pattern, self._matching = graph, pattern, matching
        self._max_steps = max_steps
        self._arcs = _labelled_arcs(pattern, matching)
        labels = dict.fromkeys(label for _, _, label in self._arcs)
        forwards = {label: _edges_with(graph, label, matching.edge_label) for label in labels}
        self._links = {label: (matrix, csr_array(matrix.T)) for label, matrix in forwards.items()}
        self._fits = [self._candidates(node) for node in range(pattern.num_nodes)]
        self._order = self._plan()
        self._joins, self._gaps = self._constraints()
        self._rows: dict[tuple[int, Label | None, int], frozenset[int]] = {}

    def _candidates(self, node: int) -> Bools:
        """Graph nodes with the label of a pattern node and enough edges of each label."""
        fits = _nodes_like(self._graph, self._pattern, node, self._matching)
        loop = False
        for label, sides in self._links.items():
            for side, matrix in enumerate(sides):
                needed = {arc[1 - side] for arc in self._arcs if arc[side] == node and arc[2] == label}
                fits &= np.diff(matrix.indptr) >= len(needed)
            if (node, node, label) in self._arcs:
                loop = True
                fits &= sides[0].diagonal() > 0
        if self._matching.induced and not loop:
            fits &= adjacency(self._graph).diagonal() == 0
        return fits

    def _plan(self) -> list[int]:
        """Pattern nodes: the one with the fewest candidates first, then always one joined to those before."""
        size = self._pattern.num_nodes
        counts = [int(fits.sum()) for fits in self._fits]
        joined: list[set[int]] = [set() for _ in range(size)]
        for source, target, _ in self._arcs:
            joined[source].add(target)
            joined[target].add(source)
        order: list[int] = []
        while len(order) < size:
            rest = [node for node in range(size) if node not in order]
            order.append(min(rest, key=lambda node: (-len(joined[node] & set(order)), counts[node], node)))
        return order

    def _constraints(self) -> tuple[list[list[tuple[int, Label, int]]], list[list[tuple[int, int]]]]:
        """For each pattern node the nodes it must be joined to, and (if induced) those it must not be.

        Side 0 of another node's row has the nodes that it leads to, side 1 those that lead to it; in an
        undirected pattern one of them says all.
        """
        size, both = self._pattern.num_nodes, self._pattern.directed
        joins: list[list[tuple[int, Label, int]]] = [[] for _ in range(size)]
        for source, target, label in self._arcs:
            joins[target].append((source, label, 0))
            if both:
                joins[source].append((target, label, 1))
        gaps: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        if self._matching.induced:
            arcs = {(source, target) for source, target, _ in self._arcs}
            for node in range(size):
                gaps[node] = [(other, 0) for other in range(size) if (other, node) not in arcs]
                gaps[node] += [(other, 1) for other in range(size) if (node, other) not in arcs]
        return joins, gaps

    def occurrences(self) -> Iterator[list[int]]:
        """All occurrences, without recursion."""
        size = self._pattern.num_nodes
        chosen: dict[int, int] = {}
        choices = [iter(self._options(chosen))]
        steps = found = 0
        while choices:
            node = next(choices[-1], None)
            if node is None:
                choices.pop()
                chosen.pop(self._order[len(choices) - 1], None)
                continue
            steps += 1
            look()
            if steps > self._max_steps:
                raise LimitError(f"More than {self._max_steps} partial matches.", f"{found} occurrences")
            chosen[self._order[len(choices) - 1]] = node
            if len(choices) == size:
                found += 1
                yield [chosen[n] for n in range(size)]
                del chosen[self._order[-1]]
            else:
                choices.append(iter(self._options(chosen)))

    def _options(self, chosen: dict[int, int]) -> list[int]:
        """Graph nodes that can stand for the next pattern node, ascending."""
        node = self._order[len(chosen)]
        rows = [
            self._neighbours(chosen[other], label, side)
            for other, label, side in self._joins[node]
            if other in chosen
        ]
        fits = self._fits[node]
        if not rows and not chosen:
            found: list[int] = np.flatnonzero(fits).tolist()
            return found
        rows = rows or [frozenset(np.flatnonzero(fits).tolist())]
        rows.sort(key=len)
        options = {option for option in rows[0].intersection(*rows[1:]) if fits[option]}
        options.difference_update(chosen.values())
        for other, side in self._gaps[node]:
            if other in chosen and options:
                options -= self._neighbours(chosen[other], None, side)
        return sorted(options)

    def _neighbours(self, node: int, label: Label | None, side: int) -> frozenset[int]:
        """Neighbours of a graph node along edges with a label (None: any), forwards or backwards."""
        key = (node, label, side)
        if key not in self._rows:
            if label is None:
                matrix = adjacency(self._graph) if side == 0 else reversed_adjacency(self._graph)
            else:
                matrix = self._links[label][side]
            row = matrix.indices[matrix.indptr[node] : matrix.indptr[node + 1]]
            self._rows[key] = frozenset(row.tolist())
        return self._rows[key]


def _labelled_arcs(pattern: Graph, matching: Matching) -> list[tuple[int, int, Label]]:
    """The pattern's edges as (source, target, label), undirected ones both ways, each once."""
    arcs: dict[tuple[int, int, Label], None] = {}
    for position, relation in enumerate(pattern.schema.relations):
        source, target = pattern.ends(position)
        values: list[Value] = [None] * relation.count
        if matching.edge_label is not None:
            values = _column(pattern.edge_columns[position], matching.edge_label, relation.name).to_pylist()
        for s, t, value in zip(source.tolist(), target.tolist(), values, strict=True):
            label = (relation.name if matching.typed else None, value)
            arcs[s, t, label] = None
            if relation.undirected:
                arcs[t, s, label] = None
    return list(arcs)


def _edges_with(graph: Graph, label: Label, feature: str | None) -> csr_array:
    """Adjacency of the edges that have a label, shape (n, n), rows sorted."""
    name, value = label
    if name is None and feature is None:
        return adjacency(graph)
    ends: list[tuple[Ints, Ints]] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for position, relation in enumerate(graph.schema.relations):
        if name is not None and relation.name != name:
            continue
        source, target = graph.ends(position)
        if feature is not None:
            kept = _equal(_column(graph.edge_columns[position], feature, relation.name), value)
            source, target = source[kept], target[kept]
        ends.append((source, target))
        if relation.undirected:
            ends.append((target, source))
    rows, columns = (np.concatenate([pair[side] for pair in ends]) for side in (0, 1))
    shape = (graph.num_nodes, graph.num_nodes)
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
    matrix.sum_duplicates()
    return matrix


def _nodes_like(graph: Graph, pattern: Graph, node: int, matching: Matching) -> Bools:
    """Graph nodes with the type and the feature of a pattern node, as far as those must agree. Shape (n,)."""
    fits = np.ones(graph.num_nodes, np.bool_)
    for t in graph.schema.node_types:
        span = slice(t.first, t.first + t.count)
        if matching.typed and t.name != pattern.node_type(node).name:
            fits[span] = False
        elif matching.node_label is not None:
            column = _column(graph.columns[t.name], matching.node_label, t.name)
            fits[span] = _equal(column, pattern.feature(node, matching.node_label))
    return fits


def _column(table: pa.Table, name: str, owner: str) -> pa.ChunkedArray:
    if name not in table.column_names:
        raise ToolError(f"{owner!r} has no feature {name!r}, so it cannot be compared by it.")
    return table.column(name)


def _equal(column: pa.ChunkedArray, value: Value) -> Bools:
    import pyarrow.compute as pc

    same = pc.is_null(column) if value is None else pc.fill_null(pc.equal(column, value), False)
    return np.asarray(same.to_numpy(zero_copy_only=False) if isinstance(same, pa.Array) else same.to_numpy())
