"""The graph: typed, text-attributed, directed multigraph over arrays that may be memory-mapped.

Its methods store and report; algorithms are functions that take the graph.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import JSON, CheckError, choices
from graphtalk.core.text import visible
from graphtalk.graphs.adjacency import Adjacency, Ints, Pointers, gather, row_of, rows_of_all, view_rows
from graphtalk.graphs.hashing import Hashes, HashIndex, hash_column
from graphtalk.graphs.lookup import Lookup
from graphtalk.graphs.schema import NodeType, Schema, View
from graphtalk.graphs.spill import Memory

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import polars
    from scipy.sparse import csr_array

    from graphtalk.graphs.edit_rows import Edit

Value: TypeAlias = str | int | float | bool | date | list[Any] | None
"""The value of a feature. A datetime is a date too (as in Python), in UTC where its data said a zone."""
_FEW = 200
_BLOCK = 65_536  # ids that are Python's at a time
SCANS = 32
"""Making a look-up of a column costs about as much as going through it so often."""
MOST_LOOKUPS = 16
"""Columns with a look-up: each takes twelve bytes a row or more."""
MANY_VIEWS = 32  # from this on it is worth knowing along which of its type's views a node has edges


@dataclass(frozen=True)
class Neighbours:
    """Neighbours of a bag of nodes: for each, the neighbour, where it was reached from, and by which edge.

    Arrays have one entry a neighbour, in the order of the asked nodes. `reached_from` indexes the asked
    bag; `relation` and `edge` name the edge; `forward` is false where it was followed backwards.
    """

    nodes: Ints
    reached_from: Ints
    relation: Ints
    edge: Ints
    forward: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Graph:
    """A graph in memory or memory-mapped from a store.

    `columns[t]` is the Arrow table of node type t: `id` first, then its features. `edge_columns[r]` holds
    the features of relation r's edges in the order of `adjacency[r]`. `path` is the store's folder, if any.
    """

    schema: Schema
    columns: Mapping[str, pa.Table]
    adjacencies: Sequence[Adjacency]
    edge_columns: Sequence[pa.Table]
    name: str = "graph"
    path: Path | None = None
    ids_index: HashIndex | None = None
    checksum: str = ""
    _cells: dict[tuple[str, str], pa.ChunkedArray] = field(init=False, repr=False, default_factory=dict)
    _lookups: dict[tuple[str, str], Lookup | None] = field(init=False, repr=False, default_factory=dict)
    _scans: dict[tuple[str, str], int] = field(init=False, repr=False, default_factory=dict)
    _view_rows: dict[str, tuple[Pointers, Ints]] = field(init=False, repr=False, default_factory=dict)

    # counts

    @cached_property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return sum(t.count for t in self.schema.node_types)

    @property
    def num_edges(self) -> int:
        """Number of edges, each counted once (an undirected edge too)."""
        return sum(r.count for r in self.schema.relations)

    @property
    def directed(self) -> bool:
        """Whether any relation goes one way only."""
        return any(not r.undirected for r in self.schema.relations)

    # nodes

    def indices(self, node_type: str | None = None) -> range:
        """Indices of all nodes, or of one type."""
        if node_type is None:
            return range(self.num_nodes)
        t = self.schema.node_type(node_type)
        return range(t.first, t.first + t.count)

    def node_type(self, node: int) -> NodeType:
        """The type of a node."""
        if not 0 <= node < self.num_nodes:
            raise CheckError(f"No node with index {node}: the graph has {self.num_nodes}.")
        return self.schema.node_types[bisect_right(self._firsts, node) - 1]

    @cached_property
    def _firsts(self) -> list[int]:
        return [t.first for t in self.schema.node_types]

    def type_positions(self, nodes: Ints) -> Ints:
        """For each node the position of its type in `schema.node_types`. Shape as given."""
        return np.searchsorted(self._firsts, nodes, "right") - 1

    def types_of(self, nodes: Ints) -> list[int]:
        """The positions in `schema.node_types` of the types that nodes have, each once, in order."""
        return np.flatnonzero(np.bincount(self.type_positions(nodes))).tolist()

    def node(self, node_id: str) -> int:
        """The index of the node with this external id. Raises CheckError where there is none."""
        found = self.find(node_id)
        if found is None:
            raise CheckError(f"No node {node_id!r} in {self.name}.")
        return found

    def find(self, node_id: str) -> int | None:
        """The index of the node with this external id, or None."""
        for position in self.id_index.find(node_id):
            if self.id(int(position)) == node_id:
                return int(position)
        return None

    @cached_property
    def id_index(self) -> HashIndex:
        """From external ids to indices; made when first asked for where the store did not bring it."""
        if self.ids_index is not None:
            return self.ids_index
        return HashIndex.made_in(Memory(), self.id_hashes())

    def id_hashes(self) -> Iterator[Hashes]:
        """The hashes of all external ids in order, some ten thousand at a time."""
        for t in self.schema.node_types:
            ids = self.columns[t.name].select(["id"])
            for block in ids.to_batches(max_chunksize=_BLOCK):
                yield hash_column(block.column(0))

    def id(self, node: int) -> str:
        """The external id of a node."""
        return str(self._cell(self.node_type(node), node, "id"))

    def ids(self, nodes: Iterable[int] | None = None) -> list[str]:
        """External ids of nodes, in order; of all nodes if none are given."""
        if isinstance(nodes, np.ndarray) and len(nodes) > _FEW:
            texts = [""] * len(nodes)
            types = self.type_positions(nodes)
            for position in np.unique(types).tolist():
                t, places = self.schema.node_types[position], np.flatnonzero(types == position)
                found = cells(self.columns[t.name].column("id"), nodes[places] - t.first)
                for place, text in zip(places.tolist(), found, strict=True):
                    texts[place] = str(text)
            return texts
        if nodes is not None:
            return [self.id(int(n)) for n in nodes]
        return [
            text for t in self.schema.node_types for text in self.columns[t.name].column("id").to_pylist()
        ]

    def label(self, node: int) -> str:
        """What people call a node: its label feature, or its id where it has none."""
        t = self.node_type(node)
        return str((plain(self._cell(t, node, t.label)) if t.label else None) or self._cell(t, node, "id"))

    def labels(self, nodes: Iterable[int] | None = None) -> list[str]:
        """Labels of nodes, in order; of all nodes if none are given."""
        if nodes is not None:
            return [self.label(int(n)) for n in nodes]
        texts: list[str] = []
        for t in self.schema.node_types:
            ids = self.columns[t.name].column("id").to_pylist()
            named = self.columns[t.name].column(t.label or "id").to_pylist()
            texts += [str(label or node_id) for label, node_id in zip(named, ids, strict=True)]
        return texts

    def features(self, node: int) -> dict[str, Value]:
        """All features of a node by name; absent ones are left out."""
        t = self.node_type(node)
        values = {f.name: self._cell(t, node, f.name) for f in t.features}
        return {name: value for name, value in values.items() if value is not None}

    def feature(self, node: int, name: str) -> Value:
        """One feature of a node, None where it has no value. Raises CheckError for an unknown name."""
        t = self.node_type(node)
        names = [f.name for f in t.features]
        if name not in names and name != "id":
            raise CheckError(f"{t.name} nodes have no feature {name!r}. {choices(name, names)}")
        return self._cell(t, node, name)

    def feature_cells(self, t: NodeType, column: str, rows: Ints) -> tuple[pa.ChunkedArray, Ints]:
        """A feature of some nodes of a type, given by their rows there: a column, and where in it these rows are."""
        return self.columns[t.name].column(column), rows

    def _cell(self, t: NodeType, node: int, column: str) -> Value:
        cells = self._cells.get((t.name, column))
        if cells is None:
            cells = self._cells[t.name, column] = self.columns[t.name].column(column)
        value: Value = cells[node - t.first].as_py()
        return value

    def lookup(self, node_type: str, column: str) -> Lookup | None:
        """Which nodes of a type hold a value, where that was asked often enough to be worth the making: see `scanned`."""
        return self._lookups.get((node_type, column))

    def scanned(self, node_type: str, column: str) -> None:
        """Say that a column was gone through for the nodes that hold a value. After `SCANS` of these it gets a look-up."""
        key = node_type, column
        self._scans[key] = self._scans.get(key, 0) + 1
        if self._scans[key] == SCANS:
            while len(self._lookups) >= MOST_LOOKUPS:
                forgotten = next(iter(self._lookups))
                del self._lookups[forgotten], self._scans[forgotten]
            self._lookups[key] = Lookup.of(self.columns[node_type].column(column))

    # edges

    def neighbours(self, node: int, name: str | None = None) -> Ints:
        """Neighbours of one node by one view name, or by all. Order and repeats as stored."""
        t = self.node_type(node)
        row = node - t.first
        views = self.schema.view(t.name, name) if name is not None else self._views_with_edges(t, row)
        parts = [part for view in views for part in self._row(view, row, node)]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _views_with_edges(self, t: NodeType, row: int) -> Sequence[View]:
        """The views from a node along which it may have edges, in the order of the schema."""
        views = [view for views in self.schema.views_from(t.name).values() for view in views]
        if len(views) <= MANY_VIEWS:
            return views
        if t.name not in self._view_rows:
            self._view_rows[t.name] = view_rows([self._pointers(view) for view in views], t.count)
        pointers, places = self._view_rows[t.name]
        return [views[place] for place in places[pointers[row] : pointers[row + 1]].tolist()]

    def _pointers(self, view: View) -> list[Pointers]:
        a = self.adjacencies[view.relation]
        ways = {"out": [a.indptr], "in": [a.back_indptr], "both": [a.indptr, a.back_indptr]}
        return ways[view.direction]

    def _row(self, view: View, row: int, node: int) -> list[Ints]:
        a = self.adjacencies[view.relation]
        parts = []
        if view.direction != "in":
            parts.append(a.indices[a.indptr[row] : a.indptr[row + 1]])
        if view.direction != "out":
            back = a.back_indices[a.back_indptr[row] : a.back_indptr[row + 1]]
            parts.append(back[back != node] if view.direction == "both" else back)
        return parts

    def degree(self, node: int, name: str | None = None) -> int:
        """Number of neighbours of one node by one view name, or by all."""
        return len(self.neighbours(node, name))

    def has_edge(self, node: int, view: View) -> bool:
        """Whether a node of the view's source type has an edge along it."""
        a = self.adjacencies[view.relation]
        row = node - self.schema.node_type(view.source).first
        out = view.direction != "in" and a.indptr[row + 1] > a.indptr[row]
        back = view.direction != "out" and a.back_indptr[row + 1] > a.back_indptr[row]
        return bool(out or back)

    def first_edge(self, relation: int) -> tuple[int, int] | None:
        """The source and the target of the first edge of a relation; None where it has none."""
        if not self.schema.relations[relation].count:
            return None
        source, target = self.edge_ends(relation, np.array([0]))
        return int(source[0]), int(target[0])

    def expand(self, nodes: Ints, view: View) -> Neighbours:
        """Neighbours of a bag of nodes, all of the view's source type, along one view. Vectorised."""
        rows = np.asarray(nodes, dtype=np.int64) - self.schema.node_type(view.source).first
        a = self.adjacencies[view.relation]
        parts = []
        if view.direction != "in":
            positions, counts = gather(a.indptr, rows)
            parts.append((a.indices[positions], counts, positions, True))
        if view.direction != "out":
            positions, counts = gather(a.back_indptr, rows)
            parts.append((a.back_indices[positions], counts, a.back_edge[positions], False))
        found = [_neighbours(view, len(rows), *part) for part in parts]
        return found[0] if len(found) == 1 else _merge(found[0], found[1], nodes)

    @cached_property
    def edge_offsets(self) -> Ints:
        """Where each relation's edges begin in the numbering through all relations. Shape (relations + 1,)."""
        return np.cumsum([0, *(r.count for r in self.schema.relations)], dtype=np.int64)

    def relation_positions(self, edges: Ints) -> Ints:
        """For each edge, numbered through all relations, the position of its relation. Shape as given."""
        return np.searchsorted(self.edge_offsets, edges, "right") - 1

    def edge(self, relation: int, position: Ints | int) -> Ints:
        """The numbers, through all relations, of edges at these positions of one relation. Shape as given."""
        return np.asarray(self.edge_offsets[relation] + position, dtype=np.int64)

    def edge_places(self, edges: Ints) -> list[tuple[int, Ints, Ints]]:
        """Edges numbered through all relations, by relation: which, positions in it, and places in `edges`.

        Raises CheckError for a number that no edge has.
        """
        if len(edges) and not 0 <= int(edges.min()) <= int(edges.max()) < self.num_edges:
            raise CheckError(f"No edge with such a number: the graph has {self.num_edges} edges.")
        relations = self.relation_positions(edges)
        found = []
        for relation in np.unique(relations).tolist():
            places = np.flatnonzero(relations == relation)
            found.append((relation, edges[places] - self.edge_offsets[relation], places))
        return found

    def ends_of(self, edges: Ints) -> tuple[Ints, Ints]:
        """Graph-wide source and target of edges numbered through all relations. Shapes as given."""
        sources, targets = np.empty(len(edges), np.int64), np.empty(len(edges), np.int64)
        for relation, positions, places in self.edge_places(edges):
            sources[places], targets[places] = self.edge_ends(relation, positions)
        return sources, targets

    def edge_cells(self, edges: Ints, name: str) -> list[Value]:
        """One feature of edges numbered through all relations, in order; None where an edge has none.

        Raises CheckError where no relation of the graph has such a feature.
        """
        valid = [f.name for r in self.schema.relations for f in r.features]
        if name not in valid:
            raise CheckError(f"Edges have no feature {name!r}. {choices(name, valid)}")
        found: list[Value] = [None] * len(edges)
        for relation, positions, places in self.edge_places(edges):
            table = self.edge_columns[relation]
            if name in table.column_names:
                values = cells(table.column(name), positions)
                for place, value in zip(places.tolist(), values, strict=True):
                    found[place] = value
        return found

    def edge_ends(self, relation: int, edges: Ints) -> tuple[Ints, Ints]:
        """Graph-wide source and target of edges of one relation. Shapes as given."""
        a = self.adjacencies[relation]
        first = self.schema.node_type(self.schema.relations[relation].source).first
        return row_of(a.indptr, edges) + first, a.indices[edges].astype(np.int64)

    def edge_features(self, relation: int, edge: int) -> dict[str, Value]:
        """Features of one edge by name; absent ones are left out."""
        row = self.edge_columns[relation].slice(edge, 1).to_pylist()
        return {k: v for k, v in (row[0] if row else {}).items() if v is not None}

    def ends(self, relation: int) -> tuple[Ints, Ints]:
        """Graph-wide sources and targets of all edges of one relation, in stored order."""
        a = self.adjacencies[relation]
        first = self.schema.node_type(self.schema.relations[relation].source).first
        return rows_of_all(a.indptr) + first, a.indices

    def matrix(
        self, relations: Sequence[int] | None = None, weight: str | None = None, symmetric: bool | None = None
    ) -> "csr_array":
        """Adjacency as scipy CSR, shape (num_nodes, num_nodes), float64; parallel edges summed.

        `relations` are positions in the schema (None: all). `weight` names a numeric edge feature; without
        it every edge weighs 1. `symmetric` adds each edge's reverse; None does so for undirected relations.
        """
        from scipy.sparse import csr_array  # slow to import, and no question needs it

        parts: list[tuple[Ints, Ints, NDArray[np.float64]]] = []
        for position in range(len(self.adjacencies)) if relations is None else relations:
            source, target = self.ends(position)
            values = self._weights(position, weight)
            parts.append((source, target, values))
            if symmetric or (symmetric is None and self.schema.relations[position].undirected):
                once = source != target
                parts.append((target[once], source[once], values[once]))
        shape = (self.num_nodes, self.num_nodes)
        if not parts:
            return csr_array(shape, dtype=np.float64)
        rows, columns, data = (np.concatenate(part) for part in zip(*parts, strict=True))
        # scipy's searches turn wider indices into 32 bits at each call
        width = np.int32 if max(self.num_nodes, len(rows)) < 2**31 else np.int64
        return csr_array((data, (rows.astype(width), columns.astype(width))), shape=shape)

    def edit(self) -> "Edit":
        """Changes to this graph: `with g.edit() as e: e.add_node("c", "person", name="Cy")`; then `e.graph` is a new one.

        This graph, and the store that it came from, stay as they are; `gt.edit` changes a store.
        """
        from graphtalk.graphs.edit_rows import Edit

        return Edit(self)

    # as others have it

    def __repr__(self) -> str:
        """Three lines: how much, which node types, which relations."""
        types = [f"{t.name} ({t.count:,})" for t in self.schema.node_types]
        relations = [
            f"{r.name} ({r.source} {'–' if r.undirected else '→'} {r.target}, {r.count:,})"
            for r in self.schema.relations
        ]
        head = f"{self.name}: {self.num_nodes:,} nodes, {self.num_edges:,} edges"
        lines = (head, f"  nodes: {_first(types)}", f"  edges: {_first(relations)}")
        return visible("\n".join(line.replace("\n", " ") for line in lines))

    def _repr_html_(self) -> str:
        from graphtalk.graphs.drawing import graph_html

        return graph_html(self)

    def nodes(self, node_type: str | None = None) -> "pandas.DataFrame":
        """The nodes of a type, or all, as a data frame: `id`, `type`, features. `indices` has their numbers."""
        from graphtalk.graphs.objects import nodes_frame

        return nodes_frame(self, node_type)

    def edges(self, relation: str | None = None) -> "pandas.DataFrame":
        """The edges of a relation, or all, as a data frame: `source`, `relation`, `target`, features."""
        from graphtalk.graphs.objects import edges_frame

        return edges_frame(self, relation)

    def to_networkx(self) -> "networkx.Graph":
        """This graph as a networkx multigraph; see `graphtalk.graphs.objects.to_networkx`."""
        from graphtalk.graphs.objects import to_networkx

        return to_networkx(self)

    def to_pandas(self) -> "tuple[pandas.DataFrame, pandas.DataFrame]":
        """All nodes and all edges as data frames of pandas."""
        from graphtalk.graphs.objects import to_pandas

        return to_pandas(self)

    def to_polars(self) -> "tuple[polars.DataFrame, polars.DataFrame]":
        """All nodes and all edges as data frames of polars."""
        from graphtalk.graphs.objects import to_polars

        return to_polars(self)

    def to_igraph(self) -> "igraph.Graph":
        """This graph as an igraph graph; see `graphtalk.graphs.objects.to_igraph`."""
        from graphtalk.graphs.objects import to_igraph

        return to_igraph(self)

    def to_pyg(self) -> Any:
        """This graph as PyTorch Geometric's Data or HeteroData; see `graphtalk.graphs.objects.to_pyg`."""
        from graphtalk.graphs.objects import to_pyg

        return to_pyg(self)

    def _weights(self, relation: int, weight: str | None) -> NDArray[np.float64]:
        count = self.schema.relations[relation].count
        if weight is None or weight not in self.edge_columns[relation].column_names:
            return np.ones(count)
        return np.asarray(self.edge_columns[relation].column(weight).to_numpy(), dtype=np.float64)


def _first(names: Sequence[str], most: int = 8) -> str:
    """The first of some names, and how many more there are."""
    more = f", and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "none"


def _neighbours(view: View, asked: int, nodes: Ints, counts: Ints, edges: Ints, forward: bool) -> Neighbours:
    size = len(nodes)
    return Neighbours(
        nodes.astype(np.int64),
        np.repeat(np.arange(asked), counts),
        np.full(size, view.relation),
        edges.astype(np.int64),
        np.full(size, forward),
    )


def _merge(out: Neighbours, back: Neighbours, asked: Ints) -> Neighbours:
    keep = back.nodes != np.asarray(asked)[back.reached_from]  # a self-loop was already followed forwards
    both = [
        np.concatenate([getattr(out, f), getattr(back, f)[keep]]) for f in Neighbours.__dataclass_fields__
    ]
    order = np.argsort(both[1], kind="stable")
    return Neighbours(*(part[order] for part in both))


def plain(value: Value) -> JSON:
    """The value of a feature as JSON has it: a date or a datetime as ISO 8601 text."""
    if isinstance(value, date):
        return value.isoformat()
    return [plain(item) for item in value] if isinstance(value, list) else value


def cells(column: pa.ChunkedArray, rows: Ints) -> list[Value]:
    """The cells of a column in these rows, in order."""
    # The first `take` of a process imports pyarrow.compute, and pandas with it where that is installed: 0.2 s
    # that one answer with a few names would pay.
    if len(rows) <= _FEW:
        return [column[row].as_py() for row in rows.tolist()]
    return column.take(pa.array(rows)).to_pylist()  # type: ignore[no-any-return]


def floats(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """A column of numbers as an array, NaN where a value is missing. Shape (rows,).

    `to_numpy` would import pandas where that is installed: half a second of a short process.
    """
    parts = [
        np.array([np.nan if value is None else value for value in chunk.to_pylist()], dtype=np.float64)
        if chunk.null_count
        else np.from_dlpack(chunk).astype(np.float64)
        for chunk in column.chunks
        if len(chunk)
    ]
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty(0)
