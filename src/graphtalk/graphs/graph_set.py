"""A set of many small graphs (molecules, classic graphs) over one disjoint union."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from graphtalk.core import CheckError, choices
from graphtalk.graphs.adjacency import Adjacency, Ints, Pointers
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.checked import check_adjacency
from graphtalk.graphs.graph import Graph, Value
from graphtalk.graphs.schema import NodeType, Relation, Schema


@dataclass(frozen=True, eq=False)
class GraphSet(Mapping[str, Graph]):
    """Graphs by name, in order. They share a schema, and are cut out of `union` when asked for.

    `table` has a row a graph: its `name`, then its features. `offsets[g, t]` is where graph g's nodes of
    node type t begin within that type. Shape (graphs + 1, node types). The ids in `union` are those of each
    graph, so they repeat.
    """

    union: Graph
    table: pa.Table
    offsets: Ints

    @classmethod
    def of(
        cls, graphs: Mapping[str, Graph], name: str = "graphs", features: pa.Table | None = None
    ) -> "GraphSet":
        """A set of these graphs. `features` has a row a graph, in their order."""
        first = next(iter(graphs.values()), None)
        parts = list(graphs.values())
        schemas = [_names(g.schema) for g in parts]
        if first is None or any(s != schemas[0] for s in schemas):
            raise CheckError("The graphs of a set must share node types and relations, and be at least one.")
        sizes = np.array([[t.count for t in g.schema.node_types] for g in parts], dtype=np.int64)
        offsets = np.concatenate([np.zeros((1, sizes.shape[1]), np.int64), np.cumsum(sizes, axis=0)])
        nodes = [
            NodeTable(t.name, _stacked([g.columns[t.name] for g in parts]), t.label, t.description)
            for t in first.schema.node_types
        ]
        edges = [_union_edges(parts, offsets, r) for r in range(len(first.schema.relations))]
        table = pa.table({"name": pa.array(list(graphs), pa.string())})
        if features is not None:
            table = pa.table([table.column(0), *features.columns], names=["name", *features.column_names])
        return cls(build(nodes, edges, name), table, offsets)

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.union.name

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the graphs, in order."""
        return tuple(self.table.column("name").to_pylist())

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> Graph:
        """The graph called `name`. Raises KeyError, as mappings do; see `graph` for a CheckError."""
        return self.at(self._positions[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return self.table.num_rows  # type: ignore[no-any-return]

    def graph(self, name: str) -> Graph:
        """The graph called `name`. Raises CheckError with the valid names."""
        if name not in self._positions:
            raise CheckError(f"No graph {name!r} in {self.name}. {choices(name, self.names)}")
        return self[name]

    def features(self, name: str) -> dict[str, Value]:
        """Features of a graph by name; absent ones are left out."""
        row: dict[str, Value] = self.table.slice(self._positions[name], 1).to_pylist()[0]
        return {key: value for key, value in row.items() if key != "name" and value is not None}

    def at(self, position: int) -> Graph:
        """The graph at a position of `names`. Work grows with that graph only."""
        starts, stops = self.offsets[position].tolist(), self.offsets[position + 1].tolist()
        types, columns, first = [], {}, 0
        shift: dict[str, int] = {}
        for t, start, stop in zip(self.union.schema.node_types, starts, stops, strict=True):
            types.append(replace(t, count=stop - start, first=first))
            columns[t.name] = self.union.columns[t.name].slice(start, stop - start)
            shift[t.name] = t.first + start - first
            first += stop - start
        spans = {t.name: slice(a, b) for t, a, b in zip(types, starts, stops, strict=True)}
        relations, adjacencies, tables = [], [], []
        for position_r, r in enumerate(self.union.schema.relations):
            part, edges = _cut(
                self.union.adjacencies[position_r],
                spans[r.source],
                spans[r.target],
                shift[r.source],
                shift[r.target],
            )
            if self.union.path is not None:  # what a store says is not believed
                check_adjacency(
                    self.union.path, part, *(range(t.first, t.first + t.count) for t in _ends(types, r))
                )
            count = edges.stop - edges.start
            relations.append(replace(r, count=count))
            adjacencies.append(part)
            tables.append(self.union.edge_columns[position_r].slice(edges.start, count))
        schema = Schema(tuple(types), tuple(relations))
        checksum = f"{self.union.checksum}#{position}" if self.union.checksum else ""
        return Graph(schema, columns, adjacencies, tables, self.names[position], None, None, checksum)


def _ends(types: Sequence[NodeType], relation: Relation) -> tuple[NodeType, NodeType]:
    by_name = {t.name: t for t in types}
    return by_name[relation.source], by_name[relation.target]


def _names(schema: Schema) -> object:
    return [t.name for t in schema.node_types], [(r.name, r.source, r.target) for r in schema.relations]


def _stacked(tables: Sequence[pa.Table]) -> pa.Table:
    return pa.concat_tables(tables, promote_options="permissive").combine_chunks()


def _union_edges(parts: Sequence[Graph], offsets: Ints, relation: int) -> EdgeTable:
    r = parts[0].schema.relations[relation]
    names = [t.name for t in parts[0].schema.node_types]
    s, t = names.index(r.source), names.index(r.target)
    sources, targets = [], []
    for g, graph in enumerate(parts):
        source, target = graph.ends(relation)
        sources.append(source - graph.schema.node_types[s].first + offsets[g, s])
        targets.append(target - graph.schema.node_types[t].first + offsets[g, t])
    features = _stacked([g.edge_columns[relation] for g in parts]) if r.features else None
    source, target = np.concatenate(sources), np.concatenate(targets)
    return EdgeTable(r.name, r.source, r.target, source, target, features, r.inverse, r.description)


def _cut(
    a: Adjacency, sources: slice, targets: slice, source_shift: int, target_shift: int
) -> tuple[Adjacency, slice]:
    """One graph's part of a relation. Edges are sorted by source, so they lie together both ways."""
    indptr, edges = _rows(a.indptr, sources)
    back_indptr, back = _rows(a.back_indptr, targets)
    part = Adjacency(
        indptr,
        a.indices[edges] - target_shift,
        back_indptr,
        a.back_indices[back] - source_shift,
        a.back_edge[back] - edges.start,
    )
    return part, edges


def _rows(indptr: Pointers, rows: slice) -> tuple[Ints, slice]:
    part = indptr[rows.start : rows.stop + 1]
    return part - part[0], slice(int(part[0]), int(part[-1]))


Loaded: TypeAlias = Graph | GraphSet
"""What a name, a file or an address gives."""
