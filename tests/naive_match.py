"""A reference for MATCH: every assignment is tried, one edge after another, in plain Python. For small graphs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from graphtalk.calls.query import (
    EdgePattern,
    Match,
    NodePattern,
    Operation,
    Pattern,
    Property,
    Term,
    Variable,
)
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

Row = dict[str, Any]

RELATIONS = (
    ("r", "A", "A", ""),
    ("s", "A", "B", "t"),
    ("u", "A", "A", "u"),
    ("x", "A", "B", "x"),
    ("v", "B", "A", ""),
)
"""Name, source, target and inverse: one way, named from both ends, undirected, alike from both ends, the other way."""


def small_graph(counts: tuple[int, int], edges: list[list[tuple[int, int, int]]], nums: list[int]) -> Graph:
    """Nodes of the types A and B with a feature `num`; edges of each relation (source, target, weight)."""
    tables, first = [], 0
    for name, count in zip("AB", counts, strict=True):
        table = {
            "id": [f"{name}{i}" for i in range(count)],
            "num": [nums[(first + i) % len(nums)] for i in range(count)],
        }
        tables.append(NodeTable(name, pa.table(table)))
        first += count
    parts = []
    for (name, source, target, inverse), given in zip(RELATIONS, edges, strict=True):
        sizes = counts["AB".index(source)], counts["AB".index(target)]
        kept = [(s % sizes[0], t % sizes[1], w) for s, t, w in given]
        ends = np.array([e[:2] for e in kept], np.int64).reshape(-1, 2)
        weights = pa.table({"w": pa.array([e[2] for e in kept], pa.int64())})
        parts.append(EdgeTable(name, source, target, ends[:, 0], ends[:, 1], weights, inverse))
    return build(tables, parts)


@st.composite
def graphs(draw: st.DrawFn, most: int = 5) -> Graph:
    """Random graphs with loops, parallel edges and lone nodes."""
    counts = draw(st.integers(1, most)), draw(st.integers(1, most))
    ends = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 2))
    edges = [draw(st.lists(ends, max_size=most)) for _ in RELATIONS]
    return small_graph(counts, edges, draw(st.lists(st.integers(0, 2), min_size=1, max_size=5)))


@dataclass
class Naive:
    """Matches by trying everything."""

    graph: Graph

    def __post_init__(self) -> None:
        g = self.graph
        self.edges: list[tuple[int, int, int]] = []  # relation, source, target, in the order of their numbers
        self.weights: list[int] = []
        for position, table in enumerate(g.edge_columns):
            sources, targets = g.ends(position)
            self.edges += [(position, int(s), int(t)) for s, t in zip(sources, targets, strict=True)]
            self.weights += table.column("w").to_pylist()

    def match(self, clause: Match, row: Row) -> list[Row]:
        """All rows that `clause` makes of one. Nodes and edges stand as ("node", number), a path as a pair of lists."""
        found = []
        for got in self._patterns(list(clause.patterns), dict(row), frozenset()):
            got = {k: v for k, v in got.items() if not k.startswith("\0")}
            if clause.where is None or self.value(clause.where, got) is True:
                found.append(got)
        names = [n.variable for p in clause.patterns for n in p.nodes]
        names += [e.variable for p in clause.patterns for e in p.edges] + [
            p.variable for p in clause.patterns
        ]
        if clause.optional and not found:
            return [{**{name: None for name in names if name}, **row}]
        return found

    def _patterns(self, patterns: list[Pattern], row: Row, used: frozenset[int]) -> Iterator[Row]:
        if not patterns:
            yield row
            return
        first, *rest = patterns
        for start in self._starts(first.nodes[0], row):
            begun = self._with(first.nodes[0], start, row)
            for got, nodes, edges, taken in self._edges(first, 0, start, begun, [start], [], used):
                if first.variable:
                    got = {**got, first.variable: (tuple(nodes), tuple(edges))}
                yield from self._patterns(rest, got, taken)

    def _starts(self, node: NodePattern, row: Row) -> Iterator[int]:
        for n in range(self.graph.num_nodes):
            if self._fits(node, n, row):
                yield n

    def _fits(self, node: NodePattern, n: int, row: Row) -> bool:
        if node.variable in row and row[node.variable] != ("node", n):
            return False
        if node.labels and self.graph.node_type(n).name not in node.labels:
            return False
        return all(self.graph.feature(n, e.name) == e.value.value for e in node.properties)  # type: ignore[union-attr]

    def _with(self, node: NodePattern, n: int, row: Row) -> Row:
        return {**row, node.variable: ("node", n)} if node.variable else row

    def steps(self, edge: EdgePattern, node: int) -> Iterator[tuple[int, int]]:
        """Each edge that may be followed from a node, and where it leads."""
        for number, (relation, source, target) in enumerate(self.edges):
            name, _, _, inverse = RELATIONS[relation]
            back = inverse or f"^{name}"
            along = not edge.relations or bool({name, f"^{back}"} & set(edge.relations))
            against = bool({back, f"^{name}"} & set(edge.relations))
            if inverse == name or edge.way == "both":
                along = against = along or against
            elif edge.way == "in":
                along, against = against, along
            if any(self.weights[number] != e.value.value for e in edge.properties):  # type: ignore[union-attr]
                continue
            if along and source == node:
                yield number, target
            if against and target == node and not (along and source == target):
                yield number, source

    def _edges(
        self,
        p: Pattern,
        at: int,
        node: int,
        row: Row,
        nodes: list[int],
        edges: list[int],
        used: frozenset[int],
    ) -> Iterator[tuple[Row, list[int], list[int], frozenset[int]]]:
        if at == len(p.edges):
            yield row, nodes, edges, used
            return
        edge, after = p.edges[at], p.nodes[at + 1]
        if p.shortest:
            ways = list(self._shortest(edge, node, after, row, p.shortest))
        elif edge.several:
            ways = list(self._trails(edge, node, used))
        else:
            ways = [([e], [n]) for e, n in self.steps(edge, node) if e not in used]
        for path, passed in ways:
            end = passed[-1] if passed else node
            got = row
            if edge.variable:
                named = [("edge", e) for e in path] if edge.several else ("edge", path[0])
                if edge.variable in row and row[edge.variable] != named:
                    continue
                got = {**row, edge.variable: named}
            if self._fits(after, end, got):
                grown = self._with(after, end, got)
                taken = used if p.shortest else used | set(path)
                yield from self._edges(p, at + 1, end, grown, [*nodes, *passed], [*edges, *path], taken)

    def _trails(
        self, edge: EdgePattern, node: int, used: frozenset[int]
    ) -> Iterator[tuple[list[int], list[int]]]:
        stack: list[tuple[int, list[int], list[int]]] = [(node, [], [])]
        while stack:
            at, path, passed = stack.pop()
            if len(path) >= edge.fewest:
                yield path, passed
            if edge.most is None or len(path) < edge.most:
                stack += [
                    (n, [*path, e], [*passed, n])
                    for e, n in self.steps(edge, at)
                    if e not in used and e not in path
                ]

    def _shortest(
        self, edge: EdgePattern, node: int, after: NodePattern, row: Row, which: str
    ) -> Iterator[tuple[list[int], list[int]]]:
        for end in self._starts(after, row):
            if end == node:
                if edge.fewest == 0:
                    yield [], []
                continue
            found = [(p, n) for p, n in self._trails(edge, node, frozenset()) if n and n[-1] == end]
            least = min((len(p) for p, _ in found), default=0)
            best = [(p, n) for p, n in found if len(p) == least]
            yield from best[:1] if which == "one" else best

    def value(self, term: Term, row: Row) -> Any:
        """The few terms that these tests use."""
        if isinstance(term, Variable):
            return row[term.name]
        if isinstance(term, Property):
            of = self.value(term.of, row)
            if of is None:
                return None
            return self.graph.feature(of[1], term.name) if of[0] == "node" else self.weights[of[1]]
        if isinstance(term, Operation):
            one, other = (self.value(t, row) for t in term.operands)
            if term.operator == "and":
                return one is True and other is True
            if one is None or other is None:
                return None
            return {"=": one == other, "<>": one != other, "<": term.operator == "<" and one < other}[
                term.operator
            ]
        return term.value  # type: ignore[union-attr]
