"""From rows with external ids to a graph, as `assemble` makes it, of tables that are too large for memory.

Rows go through by batches; names are looked up and edges put in order by DuckDB, within a bound of memory and on the disk
beyond it. What comes out is a graph whose arrays and tables are mapped from files of the `Spill`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.assemble import WAY_ON, EdgeRows, Lines, NodeRows, Rules, telling_of, tidy
from graphtalk.graphs.columns import concat, feature_column, features_of
from graphtalk.graphs.edges import either_way, renaming, turning
from graphtalk.graphs.extras import library
from graphtalk.graphs.formats.kinds import infer_by_chunk
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.hashing import HashIndex
from graphtalk.graphs.importing import Rejects
from graphtalk.graphs.outside_edges import EdgeFeatures, Side, Stored
from graphtalk.graphs.recipe import RelationSpec
from graphtalk.graphs.schema import NodeType, Relation, Schema
from graphtalk.graphs.spill import BATCH, Spill

_LEAST = 128 << 20  # bytes that DuckDB is given at least: with fewer it refuses to sort
_SHARE = 0.4  # of the memory, that it may use
_IDS = pa.field("id", pa.string())
_BACK = pa.schema([(name, pa.int64()) for name in ("kind", "here", "there", "edge")])
_ENDS = [("row", pa.int64()), ("source", pa.string()), ("target", pa.string()), ("relation", pa.int32())]
R = TypeVar("R", NodeRows, EdgeRows)


@dataclass(frozen=True)
class Part(Generic[R]):
    """Nodes or edges of one file: `batches` goes through them, some rows at a time."""

    file: str
    line: Lines
    batches: Callable[[], Iterable[R]]


@dataclass
class _Nodes:
    """Nodes of one part, mapped: ids and features, and the code of each one's type, -1 for the default one."""

    table: pa.Table
    kinds: Ints
    first: int
    label: str = ""
    textual: bool = True
    distinct: bool = False


@dataclass
class _Codes:
    """Texts numbered in the order of their first appearance."""

    of: dict[str, int] = field(default_factory=dict)

    def __call__(self, cells: pa.ChunkedArray) -> Ints:
        """The number of each text, -1 where there is none."""
        encoded = cells.combine_chunks()
        if not pa.types.is_dictionary(encoded.type):
            encoded = encoded.dictionary_encode()
        texts = encoded.dictionary.to_pylist()
        used = pc.unique(encoded.indices).drop_null().to_pylist()
        for place in used:
            self.of.setdefault(texts[place], len(self.of))
        codes = np.array([self.of.get(text, -1) for text in texts] + [-1], np.int32)
        found: Ints = codes[pc.fill_null(encoded.indices, len(texts)).to_numpy(zero_copy_only=False)]
        return found


def assemble_outside(
    nodes: Sequence[Part[NodeRows]],
    edges: Sequence[Part[EdgeRows]],
    rules: Rules,
    rejects: Rejects,
    name: str,
    spill: Spill,
) -> Graph:
    """The graph that `assemble` makes of these rows, mapped. No rule may give nodes types by their roles."""
    with connected(spill) as connection:
        return _Assembling(connection, rules, rejects, spill).graph(nodes, edges, name)


@contextmanager
def connected(spill: Spill) -> Iterator[Any]:
    """A new database of DuckDB, which keeps to its share of the memory."""
    duckdb = library("duckdb", "duckdb")
    with duckdb.connect(str(spill.file(".duckdb"))) as connection:
        # How much it spills is bounded by the disk alone; rows carry their numbers, and need not stay in order.
        connection.execute(f"SET memory_limit = '{max(_LEAST, int(spill.memory * _SHARE)) >> 20}MiB'")
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("SET temp_directory = ?", [str(spill.folder)])
        yield connection


def goes_outside(rejects: Rejects, whole: str = "") -> bool:
    """Whether an import can go by batches; else it is noted why not. `whole`: what in it is not read by batches, if anything."""
    why = f"{whole} are not read by batches." if whole else ""
    if find_spec("duckdb") is None:
        why = 'reading by batches needs duckdb, which is not installed: python -m pip install "graphtalk[duckdb]".'
    if why:
        rejects.note(f"All is read into memory, which may take more than the bound: {why}")
    return not why and rejects.known is None


class _Assembling:
    """One graph on its way, with the tables that DuckDB has of it.

    node (id, pos, kind)       all nodes; `pos` counts them as they were read, `kind` is the code of their type's name
    place (id, spot, kind)     the same without bad ones: the index in the graph, the position of the type
    given (row, source, target, relation, f0 …)  all edges as they were read, with the names of their ends
    edge (row, source, target, skind, tkind, relation, f0 …)  those between nodes, with the indices and types of their ends
    straight, turned           the same from the relation's own end, and once
    """

    def __init__(self, connection: Any, rules: Rules, rejects: Rejects, spill: Spill) -> None:
        self._connection, self._rules, self._rejects, self._spill = connection, rules, rejects, spill
        self._kinds, self._relations = _Codes(), _Codes()
        self._features = pa.schema([])  # of edges
        self._distinct = False  # whether equal edges are one

    def graph(self, nodes: Sequence[Part[NodeRows]], edges: Sequence[Part[EdgeRows]], name: str) -> Graph:
        """The graph of these rows."""
        self._run("CREATE TABLE node (id VARCHAR, pos BIGINT, kind INTEGER)")
        held: list[_Nodes] = []
        for part in nodes:
            held.append(self._stage_nodes(part, held))
        bad = self._bad_nodes(nodes, held)
        given, starts = self._stage_edges(edges)
        if not nodes or self._rejects.missing == "add":
            held += self._created(given, starts, held)
        types = self._place(held)
        self._resolve(given, starts, edges)
        tables = [self._node_table(code, kind, held, bad) for code, kind in enumerate(types)]
        node_types, first = [], 0
        for kind, (table, label) in zip(types, tables, strict=True):
            node_types.append(NodeType(kind, len(table), first, label, features_of(table)))
            first += len(table)
        relations, adjacencies, columns = self._adjacencies(node_types)
        made = Graph(
            Schema(tuple(node_types), tuple(relations)),
            {t.name: table for t, (table, _) in zip(node_types, tables, strict=True)},
            adjacencies,
            columns,
            name,
        )
        return replace(made, ids_index=HashIndex.made_in(self._spill, made.id_hashes()))

    def _run(self, sql: str, **tables: pa.Table) -> Any:
        for name, table in tables.items():
            self._connection.register(name, table)
        try:
            return self._connection.execute(sql)
        finally:
            self._spill.release()

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self._run(sql).fetchall()  # type: ignore[no-any-return]

    def _stream(self, sql: str, **tables: pa.Table) -> Iterator[pa.RecordBatch]:
        for name, table in tables.items():
            self._connection.register(name, table)
        yield from self._connection.sql(sql).to_arrow_reader(BATCH)
        self._spill.release()

    # nodes

    def _stage_nodes(self, part: Part[NodeRows], earlier: Sequence[_Nodes]) -> _Nodes:
        first = sum(len(p.table) for p in earlier)
        kinds = self._spill.numbers(np.int32)
        seen: list[NodeRows] = []

        def tables() -> Iterator[pa.Table]:
            for rows in part.batches():
                seen[:] = [rows]
                kinds.add(self._kinds(rows.types))
                yield rows.table

        table = _kept(tables(), self._spill)
        held = _Nodes(table, kinds.done(), first, seen[0].label, seen[0].textual, seen[0].distinct)
        self._number(held)
        return held

    def _number(self, held: _Nodes) -> None:
        """Have DuckDB know nodes by their ids."""
        position = pa.array(np.arange(held.first, held.first + len(held.table)))
        ids = pa.table({"id": held.table.column("id"), "pos": position, "kind": held.kinds})
        self._run("INSERT INTO node SELECT id, pos, kind FROM ids", ids=ids)

    def _bad_nodes(self, nodes: Sequence[Part[NodeRows]], held: Sequence[_Nodes]) -> Ints:
        """The positions of nodes without an id, or with one that was there before; they are refused and left out."""
        twice = "SELECT id FROM node GROUP BY id HAVING count(*) > 1 OR id = '' LIMIT 1"
        if not self._rows(twice):
            return np.empty(0, np.int64)
        ordered = "SELECT id, pos, row_number() OVER (PARTITION BY id ORDER BY pos) AS turn FROM node"
        found = self._rows(f"SELECT id, pos FROM ({ordered}) WHERE turn > 1 OR id = '' ORDER BY pos")
        ends = np.cumsum([len(p.table) for p in held])
        for text, position in found:
            place = int(np.searchsorted(ends, position, "right"))
            part, line = nodes[place], nodes[place].line(position - held[place].first)
            if not text:
                self._rejects.reject("empty id", "the id is empty.", part.file, line)
            elif not held[place].distinct:
                self._rejects.reject("duplicate id", f"the id {text!r} stands twice.", part.file, line)
        bad = np.array([position for _, position in found], np.int64)
        self._run("DELETE FROM node WHERE pos IN (SELECT pos FROM bad)", bad=pa.table({"pos": bad}))
        return bad

    def _created(self, given: pa.Table, starts: Sequence[int], held: Sequence[_Nodes]) -> list[_Nodes]:
        """Nodes that only edges name, in the order in which these do: file by file, all sources before all targets."""
        self._connection.register("starts", pa.table({"part": np.arange(len(starts)), "start": starts}))
        self._connection.register("given", given)
        ends = " UNION ALL ".join(
            f"SELECT {end} AS id, 2 * part + {side} AS side, row FROM given ASOF JOIN starts ON row >= start"
            for side, end in enumerate(("source", "target"))
        )
        new = (
            f"SELECT id FROM ({ends}) WHERE id <> '' AND id NOT IN (SELECT id FROM node) "
            "GROUP BY id ORDER BY min(side * 1000000000000 + row)"
        )
        table = self._spill.table(pa.schema([_IDS]), self._stream(new))
        if not len(table):
            return []
        kinds = np.full(len(table), -1, np.int32)
        made = _Nodes(table, kinds, sum(len(p.table) for p in held), textual=False)
        self._number(made)
        return [made]

    def _place(self, held: Sequence[_Nodes]) -> list[str]:
        """Give nodes their places in the graph. Returns the names of the types that have any, in order."""
        default = self._kinds.of.setdefault(self._rules.default_type, len(self._kinds.of))
        self._run(f"UPDATE node SET kind = {default} WHERE kind < 0")
        codes = [code for (code,) in self._rows("SELECT DISTINCT kind FROM node ORDER BY kind")]
        becomes = np.full(len(self._kinds.of) + 1, -1, np.int32)
        becomes[codes] = np.arange(len(codes))
        becomes[-1] = becomes[default]
        for part in held:
            part.kinds = becomes[part.kinds]
        self._run(
            "CREATE TABLE place AS SELECT id, becomes.kind, row_number() OVER (ORDER BY becomes.kind, pos) - 1 AS spot "
            "FROM node JOIN becomes ON node.kind = becomes.code",
            becomes=pa.table({"code": codes, "kind": np.arange(len(codes))}),
        )
        names = list(self._kinds.of)
        return [names[code] for code in codes]

    def _node_table(self, code: int, kind: str, held: Sequence[_Nodes], bad: Ints) -> tuple[pa.Table, str]:
        """The table of one type's nodes, and which of its columns names them."""
        tables, label = [], ""
        for part in held:
            chosen = part.kinds == code
            chosen[bad[(bad >= part.first) & (bad < part.first + len(chosen))] - part.first] = False
            if chosen.any():
                label = label or part.label
                tables.append(part.table if chosen.all() else _filtered(part.table, chosen, self._spill))
        table = concat(tables)
        telling = telling_of([part.textual for part in held], f"{kind} nodes", self._rejects)
        columns = []
        for name, cells in zip(table.column_names, table.columns, strict=True):
            told = cells
            if name != "id":
                told = infer_by_chunk(cells, telling, name, name != label, self._spill.column)
            columns.append(self._as_feature(told))
            self._spill.release()
        found = tidy(pa.table(columns, names=table.column_names))
        return found, label if label in found.column_names else ""

    def _as_feature(self, cells: pa.ChunkedArray) -> pa.ChunkedArray:
        """A column as features of its kind are kept, chunk by chunk where that gives all of them one type."""

        def chunks() -> Iterator[pa.ChunkedArray]:
            return (feature_column(pa.chunked_array([chunk])) for chunk in cells.chunks)

        kinds = {chunk.type for chunk in chunks()}
        if kinds <= {cells.type}:
            return cells
        if len(kinds) == 1:
            return self._spill.column(kinds.pop(), (c for part in chunks() for c in part.chunks))
        whole = feature_column(cells)
        return self._spill.column(whole.type, whole.chunks)

    # edges

    def _stage_edges(self, edges: Sequence[Part[EdgeRows]]) -> tuple[pa.Table, list[int]]:
        """All edges in one mapped table, their features of their kinds; and where those of each part begin."""
        parts: list[pa.Table] = []
        starts, textual, count = [], [], 0
        for part in edges:
            starts.append(count)
            seen: list[EdgeRows] = []

            def tables(part: Part[EdgeRows] = part, seen: list[EdgeRows] = seen) -> Iterator[pa.Table]:
                row = starts[-1]
                for rows in part.batches():
                    seen[:] = [rows]
                    size = len(rows.source)
                    relation = pa.array(self._relations(rows.relation))
                    ends = [pa.array(np.arange(row, row + size)), rows.source, rows.target, relation]
                    row += size
                    yield pa.table(
                        [*ends, *rows.features.columns],
                        names=[*(name for name, _ in _ENDS), *(f" {n}" for n in rows.features.column_names)],
                    )

            parts.append(_kept(tables(), self._spill))
            textual.append(seen[0].textual)
            self._distinct |= seen[0].distinct
            count += len(parts[-1])
        table = concat(parts) if parts else pa.schema(_ENDS).empty_table()
        telling = telling_of(textual, "edges", self._rejects)
        names, columns = table.column_names[len(_ENDS) :], table.columns
        for place, cells in enumerate(columns[len(_ENDS) :], len(_ENDS)):
            told = infer_by_chunk(cells, telling, table.column_names[place][1:], True, self._spill.column)
            columns[place] = self._as_feature(told)
            self._spill.release()
        self._features = pa.schema(
            [(name[1:], c.type) for name, c in zip(names, columns[len(_ENDS) :], strict=True)]
        )
        numbered = [*(name for name, _ in _ENDS), *(f"f{i}" for i in range(len(names)))]
        return pa.table(columns, names=numbered), starts

    def _chosen(self, table: str) -> str:
        """The columns of features of a table, after others."""
        return "".join(f", {table}.f{i}" for i in range(len(self._features)))

    def _resolve(self, given: pa.Table, starts: Sequence[int], edges: Sequence[Part[EdgeRows]]) -> None:
        """Find the nodes at the ends of edges; those that have none are refused or left out."""
        self._run(
            "CREATE TABLE edge AS SELECT given.row, s.spot AS source, t.spot AS target, s.kind AS skind, "
            f"t.kind AS tkind, given.relation{self._chosen('given')} FROM given "
            "LEFT JOIN place s ON given.source = s.id LEFT JOIN place t ON given.target = t.id",
            given=given,
        )
        lost = "FROM edge WHERE source IS NULL OR target IS NULL"
        ends = [*starts[1:], len(given)]
        if self._rejects.missing == "skip":
            for part, start, end in zip(edges, starts, ends, strict=True):
                count, row = self._rows(
                    f"SELECT count(*), min(row) {lost} AND row >= {start} AND row < {end}"
                )[0]
                if count:
                    line = part.line(row - start)
                    told = f" (the first in line {line})" if line else " (the first)"
                    self._rejects.note(
                        f"{part.file}: {count:,} edges were left out: an end of theirs is not a node{told}."
                    )
        else:
            found = self._rows(f"SELECT row, source IS NULL {lost} ORDER BY row")
            for row, is_source in found:
                place = int(np.searchsorted(ends, row, "right"))
                side = "source" if is_source else "target"
                message = f"{side} {given.column(side)[row].as_py()!r} is not a node. {WAY_ON}."
                line = edges[place].line(row - starts[place])
                self._rejects.reject("dangling edge", message, edges[place].file, line)
        self._run(f"DELETE {lost}")

    def _adjacencies(
        self, node_types: Sequence[NodeType]
    ) -> tuple[list[Relation], list[Adjacency], list[pa.Table]]:
        """The relations, the edges of each in order, and their features."""
        names, specs = self._turn([t.name for t in node_types])
        groups = self._rows(
            "SELECT relation, skind, tkind, count(*) FROM turned GROUP BY relation, skind, tkind ORDER BY min(row)"
        )
        columns = {name: [g[i] for g in groups] for i, name in enumerate(("relation", "skind", "tkind"))}
        orders = pa.table(columns | {"kind": np.arange(len(groups))})
        stored = Stored(node_types, [g[3] for g in groups], [g[1:3] for g in groups])
        forward = self._stream(
            f"SELECT orders.kind, source AS here, target AS there{self._chosen('turned')} FROM turned "
            "JOIN orders USING (relation, skind, tkind) ORDER BY orders.kind, source, row",
            orders=orders,
        )
        ahead, behind = Side(stored, 0, self._spill), Side(stored, 1, self._spill)
        features = EdgeFeatures(self._features, self._spill)
        back = self._spill.table(_BACK, self._turned_round(forward, ahead, features))
        edge_of = self._spill.numbers(np.int32 if max(stored.counts, default=0) < 2**31 else np.int64)
        by_target = "SELECT kind, here, there, edge FROM back ORDER BY kind, here, edge"
        for batch in self._stream(by_target, back=back):
            behind.add(batch)
            edge_of.add(batch.column("edge").to_numpy())
        parts = zip(ahead.parts(), behind.parts(), stored.cut(edge_of.done()), strict=True)
        adjacencies = [Adjacency(*forwards, *backwards, edge) for forwards, backwards, edge in parts]
        tables = features.cut(stored.counts)
        relations = []
        for (code, one, two, count), table in zip(groups, tables, strict=True):
            spec = specs.get(names[code], RelationSpec())
            ends = node_types[one].name, node_types[two].name
            about = features_of(table)
            relations.append(Relation(names[code], *ends, count, spec.inverse, about, spec.description))
        return relations, adjacencies, tables

    def _turned_round(
        self, forward: Iterable[pa.RecordBatch], ahead: Side, features: EdgeFeatures
    ) -> Iterator[pa.RecordBatch]:
        """The edges as their targets see them, as they come; what their sources see of them is kept."""
        for batch in forward:
            edge = ahead.add(batch)
            features.add(batch)
            columns = [batch.column("kind"), batch.column("there"), batch.column("here"), pa.array(edge)]
            yield pa.record_batch([c.cast(pa.int64()) for c in columns], schema=_BACK)

    def _turn(self, type_names: Sequence[str]) -> tuple[list[str], Mapping[str, RelationSpec]]:
        """Make `turned`: edges under the final names of their relations, turned round and stored once as `edge_tables` does."""
        names, code, named = renaming(list(self._relations.of), self._rules.relations)
        becomes, first, second, may = turning(names, named, type_names)
        final = becomes[code[:-1]]
        about = {
            "relation": np.arange(len(final)),
            "final_relation": final,
            "other_end": final != code[:-1],
            "first_kind": first[final],
            "second_kind": second[final],
            "either_way": [either_way(names[c], named) for c in final.tolist()],
            "may_turn": [c in may for c in final.tolist()],
        }
        back = "(other_end OR (skind = second_kind AND tkind = first_kind))"
        pairs = (("source", "target"), ("target", "source"), ("skind", "tkind"), ("tkind", "skind"))
        swapped = ", ".join(f"CASE WHEN {back} THEN {b} ELSE {a} END AS {a}" for a, b in pairs)
        straight = (
            f"SELECT row, final_relation AS relation, {swapped}, {back} AS turned_round, either_way, may_turn"
            f"{self._chosen('edge')} FROM edge JOIN renamed ON edge.relation = renamed.relation"
        )
        self._run(f"CREATE TABLE straight AS {straight}", renamed=pa.table(about))
        if len(self._features) or not (self._distinct or (self._rules.once and may)):
            self._run("CREATE VIEW turned AS SELECT * FROM straight")
            return names, named
        flip = "(either_way AND source > target)"
        pair = f"relation, CASE WHEN {flip} THEN target ELSE source END, CASE WHEN {flip} THEN source ELSE target END"
        nth = f"row_number() OVER (PARTITION BY {pair}, turned_round OR {flip} ORDER BY row)"
        turn = "0" if self._distinct else f"CASE WHEN source = target THEN 0 ELSE {nth} END"
        others = "false" if self._distinct else "NOT may_turn"
        self._run(
            f"CREATE TABLE turned AS SELECT * FROM (SELECT *, {turn} AS turn FROM straight) "
            f"QUALIFY {others} OR row_number() OVER (PARTITION BY {pair}, turn ORDER BY row) = 1"
        )
        return names, named


def _kept(tables: Iterator[pa.Table], spill: Spill) -> pa.Table:
    """Tables of one schema as one, mapped."""
    first = next(tables)

    def batches() -> Iterator[pa.RecordBatch]:
        yield from first.combine_chunks().to_batches()
        for table in tables:
            yield from table.cast(first.schema).combine_chunks().to_batches()

    return spill.table(first.schema, batches())


def _filtered(table: pa.Table, chosen: Any, spill: Spill) -> pa.Table:
    start = 0

    def tables() -> Iterator[pa.Table]:
        nonlocal start
        for part in spill.batches(table):
            yield part.filter(pa.array(chosen[start : start + len(part)]))
            start += len(part)

    return _kept(tables(), spill)
