"""Changes to a graph: rows added, changed and deleted. The result is a new graph; the old one stays as it is.

What no change touches is shared with the old graph: the tables of other types, the adjacency of other relations. Nodes
keep their order and new ones follow, so that a graph after any number of changes is the one that its rows give at once.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.core import SourceError, UsageError, choices
from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.assemble import STUB
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.edit_columns import appended, cell, overlaid
from graphtalk.graphs.edit_edges import NONE, Key, by_types, grown, matched, with_features
from graphtalk.graphs.graph import Graph, Value
from graphtalk.graphs.hashing import HashIndex, hash_column
from graphtalk.graphs.schema import NodeType, Relation, Schema

_FEW = 20_000  # ids that are looked up one by one


@dataclass(frozen=True)
class Changes:
    """What is to be changed, in this order: parts dropped, edges and nodes deleted, rows added or changed, values set.

    `rows` are nodes and edges as a graph of their own, in which nodes of the type STUB are only named: the graph that is
    changed has them. A row of a node that is there changes the values that it has; so does the row of an edge, the
    first row of some ends and relation the first such edge, and so on. `gone_edges` are rows too: each deletes all edges
    of its ends and relation, with its features where it has any. In `values`, None takes a value away.
    """

    types: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    features: tuple[tuple[str, str], ...] = ()
    gone_nodes: tuple[str, ...] = ()
    gone_edges: Graph | None = None
    rows: Graph | None = None
    values: tuple[tuple[str, str, Value], ...] = ()


@dataclass
class Report:
    """How many nodes and edges were added, changed and deleted."""

    nodes_added: int = 0
    nodes_changed: int = 0
    nodes_deleted: int = 0
    edges_added: int = 0
    edges_changed: int = 0
    edges_deleted: int = 0

    def __add__(self, other: "Report") -> "Report":
        return Report(*(a + b for a, b in zip(vars(self).values(), vars(other).values(), strict=True)))


def apply(graph: Graph, changes: Changes) -> tuple[Graph, Report]:
    """The changed graph, and how much was changed.

    Raises UsageError for what is to be deleted or set and is not there, SourceError for a row of a type or kind that
    does not fit; then nothing is changed.
    """
    return _Draft(_without_parts(graph, changes), changes).result()


def _without_parts(graph: Graph, changes: Changes) -> Graph:
    """The graph without the features that are dropped. Types and relations go with their nodes and edges."""
    schema = graph.schema
    wanted: dict[str, set[str]] = {}
    for owner, name in changes.features:
        everything: list[NodeType | Relation] = [*schema.node_types, *schema.relations]
        parts = [p for p in everything if p.name == owner]
        if not parts:
            valid = [p.name for p in everything]
            raise UsageError(f"No node type or relation {owner!r}. {choices(owner, valid)}")
        features = [f.name for p in parts for f in p.features]
        if name not in features:
            raise UsageError(f"{owner} has no feature {name!r}. {choices(name, features)}")
        wanted.setdefault(owner, set()).add(name)
    if not wanted:
        return graph
    columns = {t.name: _dropped(graph.columns[t.name], wanted.get(t.name)) for t in schema.node_types}
    tables = [_dropped(graph.edge_columns[i], wanted.get(r.name)) for i, r in enumerate(schema.relations)]
    types = tuple(_node_type(t, columns[t.name], t.first) for t in schema.node_types)
    relations = tuple(
        replace(r, features=features_of(table)) for r, table in zip(schema.relations, tables, strict=True)
    )
    return Graph(
        Schema(types, relations), columns, graph.adjacencies, tables, graph.name, None, graph.id_index
    )


def _dropped(table: pa.Table, names: set[str] | None) -> pa.Table:
    return table.drop_columns([n for n in table.column_names if n in names]) if names else table


def _node_type(t: NodeType, table: pa.Table, first: int) -> NodeType:
    label = t.label if t.label in table.column_names else ""
    return replace(t, count=len(table), first=first, label=label, features=features_of(table))


@dataclass(frozen=True)
class _Edges:
    """Edges of one relation while they change: ends by new indices, shape (edges,)."""

    relation: Relation
    source: Ints
    target: Ints
    table: pa.Table

    def with_more(self, source: Ints, target: Ints, table: pa.Table) -> "_Edges":
        """These, and other edges behind them."""
        counts = (len(self.source), len(source))
        return replace(
            self,
            source=np.concatenate([self.source, source]),
            target=np.concatenate([self.target, target]),
            table=appended(self.table, table, self.relation.name, counts),
        )


@dataclass
class _Draft:
    """The graph while it changes. `alive` and `type_of` are of its nodes; codes of types index `names`."""

    graph: Graph
    changes: Changes
    report: Report = field(default_factory=Report)

    def __post_init__(self) -> None:
        types = self.graph.schema.node_types
        self.names = [t.name for t in types]
        self.alive = np.ones(self.graph.num_nodes, bool)
        self.type_of = np.repeat(np.arange(len(types)), [t.count for t in types])

    def result(self) -> tuple[Graph, Report]:
        """The changed graph."""
        gone = self._gone_edges()  # before its nodes go
        self._delete_nodes()
        rows = self.changes.rows
        ids, given, known = (
            self._rows(rows) if rows is not None else ([], np.empty(0, np.int64), np.empty(0, np.int64))
        )
        tables, index, row_index = self._tables(rows, ids, given, known)
        columns, types = self._columns(tables)
        edges = self._edges(types, index, gone, rows, row_index)
        return self._graph(types, columns, edges, index), self.report

    # nodes

    def _delete_nodes(self) -> None:
        for name in self.changes.types:
            if name not in self.names:
                raise UsageError(f"No node type {name!r}. {choices(name, self.names)}")
            self.alive[self.graph.indices(name)] = False
        found = find(self.graph, self.changes.gone_nodes)
        for node_id, node in zip(self.changes.gone_nodes, found.tolist(), strict=True):
            if node < 0:
                raise UsageError(f"No node {node_id!r} in {self.graph.name}, so it cannot be deleted.")
        self.alive[found] = False
        self.report.nodes_deleted = int((~self.alive).sum())

    def _rows(self, rows: Graph) -> tuple[list[str], Ints, Ints]:
        """Of the nodes in the rows: their ids, the codes of their types, and which node of the graph each is, or -1."""
        ids = rows.ids()
        known = find(self.graph, ids)
        there = np.flatnonzero(known >= 0)
        known[there[~self.alive[known[there]]]] = -1
        given = np.empty(len(ids), np.int64)
        for t in rows.schema.node_types:
            span = slice(t.first, t.first + t.count)
            code = self._code(t.name)
            given[span] = code
            if code < 0:
                own = t.first + np.flatnonzero(known[span] >= 0)
                given[own] = self.type_of[known[own]]
            lost = np.flatnonzero((known[span] < 0) & (given[span] < 0))
            if len(lost):
                node_id = ids[t.first + int(lost[0])]
                if t.name == STUB:
                    raise UsageError(f"An edge names {node_id!r}, which is deleted by the same change.")
                valid = ", ".join(self.names)
                raise SourceError(
                    f"{node_id!r} is a new node without a type. A column `type` says it: {valid}."
                )
        there = np.flatnonzero(known >= 0)
        self.type_of[known[there]] = given[there]
        return ids, given, known

    def _code(self, name: str) -> int:
        """The code of a type that rows name; -1 where they say none, and the graph does not tell it."""
        if name in self.names:
            return self.names.index(name)
        known = len(self.graph.schema.node_types)
        if name == STUB or (name == "node" and known):
            return 0 if known == 1 and name != STUB else -1
        self.names.append(name)
        return len(self.names) - 1

    def _tables(
        self, rows: Graph | None, ids: list[str], given: Ints, known: Ints
    ) -> tuple[dict[str, pa.Table], Ints, Ints]:
        """The table of each type, the new index of each node of the graph (-1: gone), and of each node in the rows."""
        own = np.repeat(
            np.arange(len(self.graph.schema.node_types)), [t.count for t in self.graph.schema.node_types]
        )
        index, row_index = np.full(len(own), -1, np.int64), np.full(len(ids), -1, np.int64)
        tables: dict[str, pa.Table] = {}
        values = self._values()
        first = 0
        for code, name in enumerate(self.names):
            stayed = np.flatnonzero(self.alive & (own == code) & (self.type_of == code))
            moved = np.flatnonzero(self.alive & (own != code) & (self.type_of == code))
            new = np.flatnonzero((given == code) & (known < 0))
            old = self.graph.columns[name] if code < len(self.graph.schema.node_types) else _NO_NODES
            table = old if len(stayed) == len(old) else old.take(pa.array(stayed - self._first(code)))
            parts = [self._part(moved[own[moved] == c], c) for c in np.unique(own[moved])]
            if rows is not None and len(new):
                parts += _rows_of(rows, new)
            for part in parts:
                table = appended(table, part, name)
            nodes = np.concatenate([stayed, *(moved[own[moved] == c] for c in np.unique(own[moved]))])
            index[nodes] = first + np.arange(len(nodes))
            row_index[new] = first + len(nodes) + np.arange(len(new))
            changed = np.flatnonzero((given == code) & (known >= 0))
            row_index[changed] = index[known[changed]]
            touched = np.zeros(len(table), bool)
            if rows is not None and len(changed):
                for part, at in _split_rows(rows, changed):
                    table = overlaid(table, row_index[at] - first, part, name, touched)
            for node_id, feature, value in values.get(code, ()):
                place = self._row(node_id, ids, index, row_index) - first
                table = overlaid(
                    table, np.array([place]), cell(feature, value, table), name, touched, clears=True
                )
            self.report.nodes_added += len(new)
            touched[index[moved] - first] = True
            self.report.nodes_changed += int(touched[: len(nodes)].sum())
            tables[name] = table
            first += len(table)
        return tables, index, row_index

    def _first(self, code: int) -> int:
        return self.graph.schema.node_types[code].first

    def _part(self, nodes: Ints, code: int) -> pa.Table:
        t = self.graph.schema.node_types[code]
        return self.graph.columns[t.name].take(pa.array(nodes - t.first))

    def _values(self) -> dict[int, list[tuple[str, str, Value]]]:
        """The values to set, by the code of the type of their node."""
        rows = self.changes.rows
        found: dict[int, list[tuple[str, str, Value]]] = {}
        for node_id, feature, value in self.changes.values:
            node = self.graph.find(node_id)
            if node is not None and self.alive[node]:
                code = int(self.type_of[node])
            elif rows is not None and (row := rows.find(node_id)) is not None:
                code = self._code(rows.node_type(row).name)
            else:
                raise UsageError(
                    f"No node {node_id!r} in {self.graph.name}, so its {feature!r} cannot be set."
                )
            found.setdefault(code, []).append((node_id, feature, value))
        return found

    def _row(self, node_id: str, ids: list[str], index: Ints, row_index: Ints) -> int:
        node = self.graph.find(node_id)
        if node is not None and index[node] >= 0:
            return int(index[node])
        return int(row_index[ids.index(node_id)])

    def _columns(self, tables: Mapping[str, pa.Table]) -> tuple[dict[str, pa.Table], list[NodeType]]:
        """Tables and types; a type that lost its last node goes, and so does a feature that lost its last value."""
        columns, types, first = {}, [], 0
        labels = {t.name: t.label for t in self.changes.rows.schema.node_types} if self.changes.rows else {}
        for code, name in enumerate(self.names):
            known = self.graph.schema.node_types[code] if code < len(self.graph.schema.node_types) else None
            table = tables[name]
            if not len(table) and (known is None or known.count or name in self.changes.types):
                continue
            if known is None or table is not self.graph.columns[name]:
                table = feature_table(table)
                table = table.select(
                    [n for n in table.column_names if n == "id" or table.column(n).null_count < len(table)]
                )
            columns[name] = table
            types.append(_node_type(known or NodeType(name, 0, 0, labels.get(name, "")), table, first))
            first += len(table)
        return columns, types

    # edges

    def _gone_edges(self) -> list[NDArray[np.bool_]]:
        """For each relation, which of its edges are deleted."""
        schema, gone = self.graph.schema, []
        names = [r.name for r in schema.relations]
        for name in self.changes.relations:
            if name not in names:
                raise UsageError(f"No relation {name!r}. {choices(name, names)}")
        for r in schema.relations:
            gone.append(np.full(r.count, r.name in self.changes.relations))
        rows = self.changes.gone_edges
        if rows is None:
            return gone
        nodes = find(self.graph, rows.ids())
        for position, asked in enumerate(rows.schema.relations):
            ends = [nodes[end] for end in rows.ends(position)]
            table = rows.edge_columns[position]
            found = np.zeros(asked.count, bool)
            for at, r in enumerate(schema.relations):
                if asked.name not in (r.name, r.inverse):
                    continue
                source, target = ends if asked.name == r.name else ends[::-1]
                own, keys = self._keys(r, *self.graph.ends(at)), self._keys(r, source, target)
                hits = np.isin(own, keys)
                if table.num_columns:
                    own, keys = with_features(own, self.graph.edge_columns[at], keys, table, r)
                    hits = np.isin(own, keys)
                found |= np.isin(keys, own)
                gone[at] |= hits
            if not found.all():
                lost = int(np.flatnonzero(~found)[0])
                pair = [rows.id(int(end[lost])) for end in rows.ends(position)]
                raise UsageError(
                    f"No edge {pair[0]!r} {asked.name} {pair[1]!r} in {self.graph.name}, so it cannot be deleted."
                )
        return gone

    def _keys(self, r: Relation, source: Ints, target: Ints, size: int = 0) -> Ints:
        """A number for each pair of ends, the same either way where the relation has no direction. Shape (edges,)."""
        size = size or self.graph.num_nodes
        source, target = np.asarray(source, np.int64), np.asarray(target, np.int64)
        if r.undirected:
            source, target = np.minimum(source, target), np.maximum(source, target)
        return source * size + target

    def _edges(
        self,
        types: Sequence[NodeType],
        index: Ints,
        gone: Sequence[NDArray[np.bool_]],
        rows: Graph | None,
        row_index: Ints,
    ) -> "dict[Key, _Edges | int]":
        """The edges of each relation; of one that no change touches, its position."""
        found: dict[Key, _Edges | int] = {}
        turned: list[tuple[Relation, Ints, Ints, pa.Table]] = []  # edges of nodes that have another type now
        for position, r in enumerate(self.graph.schema.relations):
            source, target = self.graph.ends(position)
            lost = gone[position] | (index[source] < 0) | (index[target] < 0)
            codes = [self.names.index(name) for name in (r.source, r.target)]
            moved = ~lost & ((self.type_of[source] != codes[0]) | (self.type_of[target] != codes[1]))
            self.report.edges_deleted += int(lost.sum())
            stay = ~(lost | moved)
            found[r.name, r.source, r.target] = position if stay.all() else self._own(position, index, stay)
            if moved.any():
                part = self._own(position, index, moved)
                turned.append((r, part.source, part.target, part.table))
        for r, source, target, table in turned:
            for key, chosen in by_types(r.name, types, source, target):
                edges = self._opened(found, key, r, index)
                part_table = table.take(pa.array(chosen)) if table.num_columns else table
                found[key] = edges.with_more(source[chosen], target[chosen], part_table)
        for position, asked in enumerate(rows.schema.relations if rows is not None else ()):
            assert rows is not None
            source, target = (row_index[end] for end in rows.ends(position))
            for key, chosen in by_types(asked.name, types, source, target):
                part_table = rows.edge_columns[position]
                part_table = part_table.take(pa.array(chosen)) if part_table.num_columns else part_table
                self._upsert(found, key, asked, source[chosen], target[chosen], part_table, index)
        return found

    def _own(self, position: int, index: Ints, chosen: NDArray[np.bool_] | None = None) -> "_Edges":
        """Edges that a relation of the graph has, those `chosen` of them, by new indices."""
        source, target = (index[end] for end in self.graph.ends(position))
        table = self.graph.edge_columns[position]
        if chosen is not None:
            source, target = source[chosen], target[chosen]
            table = table.take(pa.array(np.flatnonzero(chosen))) if table.num_columns else table
        return _Edges(self.graph.schema.relations[position], source, target, table)

    def _opened(self, found: "Mapping[Key, _Edges | int]", key: Key, like: Relation, index: Ints) -> "_Edges":
        """The edges of a relation that is to be changed; of a new one, which has the inverse of those of its name."""
        edges = found.get(key)
        if isinstance(edges, int):
            return self._own(edges, index)
        if edges is not None:
            return edges
        same = [r for r in self.graph.schema.relations if r.name == key[0]]
        inverse = same[0].inverse if same else like.inverse
        return _Edges(Relation(*key, 0, inverse), NONE, NONE, pa.table({}))

    def _upsert(
        self,
        found: "dict[Key, _Edges | int]",
        key: Key,
        asked: Relation,
        source: Ints,
        target: Ints,
        table: pa.Table,
        index: Ints,
    ) -> None:
        """Change the edges that are there and add the others."""
        key, turn = self._known_as(found, key)
        edges = self._opened(found, key, asked, index)
        source, target = (target, source) if turn else (source, target)
        size = int(max(index.max(initial=0), source.max(initial=0), target.max(initial=0))) + 1
        own, keys = (
            self._keys(edges.relation, *ends, size)
            for ends in ((edges.source, edges.target), (source, target))
        )
        at = matched(own, keys)
        there, new = np.flatnonzero(at >= 0), np.flatnonzero(at < 0)
        touched = np.zeros(len(own), bool)
        if len(there) and table.num_columns:
            changed = overlaid(edges.table, at[there], table.take(pa.array(there)), key[0], touched)
            edges = replace(edges, table=changed)
        self.report.edges_changed += int(touched.sum())
        self.report.edges_added += len(new)
        if touched.any() or len(new):
            part = table.take(pa.array(new)) if table.num_columns else table
            found[key] = edges.with_more(source[new], target[new], part)

    def _known_as(self, found: "Mapping[Key, _Edges | int]", key: Key) -> tuple[Key, bool]:
        """The relation that a row means, and whether it names it from its other end."""
        name, source, target = key
        if key in found:
            return key, False
        for r in self.graph.schema.relations:
            if (r.source, r.target) == (target, source) and name == r.inverse:
                return (r.name, r.source, r.target), True
        names = {r.name for r in self.graph.schema.relations}
        if (
            name == "edge" and len(names) == 1 and name not in names
        ):  # the rows say no relation, and there is but one
            return self._known_as(found, (names.pop(), source, target))
        return key, False

    def _graph(
        self,
        types: Sequence[NodeType],
        columns: Mapping[str, pa.Table],
        edges: "Mapping[Key, _Edges | int]",
        index: Ints,
    ) -> Graph:
        spans = {t.name: range(t.first, t.first + t.count) for t in types}
        relations, adjacencies, tables = [], [], []
        old = self.graph.schema
        for part in edges.values():
            r = old.relations[part] if isinstance(part, int) else part.relation
            if r.source not in spans or r.target not in spans or r.name in self.changes.relations:
                continue
            if isinstance(part, int) and all(self._only_grew(name) for name in (r.source, r.target)):
                ends = [(old.node_type(name), spans[name]) for name in (r.source, r.target)]
                adjacencies.append(grown(self.graph.adjacencies[part], *ends))
                tables.append(self.graph.edge_columns[part])
                relations.append(r)
                continue
            made = self._own(part, index) if isinstance(part, int) else part
            if not len(made.source) and (r.count or not isinstance(part, int)):
                continue
            adjacency, order = Adjacency.of(made.source, made.target, spans[r.source], spans[r.target])
            table = feature_table(made.table).take(pa.array(order)) if made.table.num_columns else made.table
            kept = [name for name in table.column_names if table.column(name).null_count < len(table)]
            table = table.select(kept) if kept else pa.table({})
            adjacencies.append(adjacency)
            tables.append(table)
            relations.append(replace(r, count=len(made.source), features=features_of(table)))
        schema = Schema(tuple(types), tuple(relations))
        return Graph(
            schema, columns, adjacencies, tables, self.graph.name, ids_index=self._ids(types, columns, index)
        )

    def _ids(
        self, types: Sequence[NodeType], columns: Mapping[str, pa.Table], index: Ints
    ) -> HashIndex | None:
        """The look-up of ids, in which only new ones are hashed."""
        size = sum(t.count for t in types)
        stay = np.flatnonzero(index >= 0)
        if np.array_equal(index, np.arange(size)):
            return self.graph.id_index
        known = np.empty(len(index), np.uint64)
        known[self.graph.id_index.positions] = self.graph.id_index.hashes
        hashes, new = np.empty(size, np.uint64), np.ones(size, bool)
        hashes[index[stay]], new[index[stay]] = known[stay], False
        own = [columns[t.name].column("id").filter(pa.array(new[t.first : t.first + t.count])) for t in types]
        texts = pa.chunked_array([chunk for column in own for chunk in column.chunks], pa.string())
        hashes[new] = hash_column(texts.combine_chunks())
        return HashIndex.of(hashes)

    def _only_grew(self, name: str) -> bool:
        """Whether a type kept all its nodes, so that new ones only follow them."""
        t = self.graph.schema.node_type(name)
        span = slice(t.first, t.first + t.count)
        return bool((self.alive[span] & (self.type_of[span] == self.names.index(name))).all())


_NO_NODES = pa.table({"id": pa.array([], pa.string())})


def find(graph: Graph, ids: Sequence[str]) -> Ints:
    """The nodes with these ids, -1 where there is none. Shape (len(ids),)."""
    if len(ids) <= _FEW:
        found = [graph.find(node_id) for node_id in ids]
        return np.array([-1 if node is None else node for node in found], np.int64)
    own = pa.chunked_array(
        [chunk for t in graph.schema.node_types for chunk in graph.columns[t.name].column("id").chunks],
        pa.string(),
    )
    places = pc.fill_null(pc.index_in(pa.array(ids, pa.string()), value_set=own), -1)
    return np.asarray(places.to_numpy(zero_copy_only=False), np.int64)


def _rows_of(rows: Graph, nodes: Ints) -> list[pa.Table]:
    return [part for part, _ in _split_rows(rows, nodes)]


def _split_rows(rows: Graph, nodes: Ints) -> list[tuple[pa.Table, Ints]]:
    """These nodes of the rows by their type there: their table, and which they are."""
    found = []
    for t in rows.schema.node_types:
        chosen = nodes[(nodes >= t.first) & (nodes < t.first + t.count)]
        if len(chosen):
            found.append((rows.columns[t.name].take(pa.array(chosen - t.first)), chosen))
    return found
