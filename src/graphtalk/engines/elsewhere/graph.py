"""A graph that lives in an engine elsewhere: its schema, ids and names are here, all else comes when it is asked for.

Nodes have the numbers of the graph of names that was read once (`names.py`). Queries are met by the engine (`match.py`). What
no engine can do runs over features and relations that are read from it when something looks at them, each within a limit.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import LimitError
from graphtalk.core.limits import holding, interrupting, look
from graphtalk.engines.elsewhere.protocol import (
    Backend,
    Between,
    EngineError,
    Wanted,
    Way,
    node_column,
)
from graphtalk.graphs.adjacency import Adjacency, Ints
from graphtalk.graphs.checked import Lazily
from graphtalk.graphs.columns import concat, feature_table
from graphtalk.graphs.graph import Graph, Value
from graphtalk.graphs.schema import NodeType, Schema, View

MOST_READ = 2_000_000
"""So many edges of a relation are read, to work with them here."""
_WHOLE = 5_000
"""A feature of so few nodes is read at once."""
_CHUNK = 1_000
_FEW_NAMES = 2_000


@dataclass(frozen=True, eq=False, repr=False)
class Elsewhere(Graph):
    """A graph in an engine. `backend` asks it; ids of the types `prefixed` begin with their type, as other types have the same.

    Its features and relations are read from the engine when something looks at them. `touched`: the relations that were
    looked at since somebody emptied it. `address` is how people name it, without a password.
    """

    backend: Backend | None = None
    prefixed: frozenset[str] = frozenset()
    address: str = ""
    touched: set[int] = field(default_factory=set, repr=False)
    _lock: Any = field(default_factory=threading.RLock, repr=False)
    _read: dict[tuple[str, str], pa.ChunkedArray] = field(default_factory=dict, repr=False)
    _some: dict[tuple[str, str], "_Some"] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls, names: Graph, backend: Backend, schema: Schema, prefixed: frozenset[str], address: str
    ) -> "Elsewhere":
        """The graph of an engine, with the nodes of `names` and the counts and features of `schema`."""
        graph = cls(
            schema,
            {},
            (),
            (),
            names.name,
            names.path,
            names.ids_index,
            names.checksum,
            backend,
            prefixed,
            address,
        )
        known = {(t.name, name): names.columns[t.name].column(name) for t in names.schema.node_types
                 for name in names.columns[t.name].column_names}  # fmt: skip
        graph._read.update(known)
        tables = {t.name: _LazyTable(graph, t) for t in schema.node_types}
        object.__setattr__(graph, "columns", tables)
        read = Lazily(len(schema.relations), graph._relation)
        object.__setattr__(graph, "adjacencies", _ByRelation(graph, lambda r: read[r][0]))
        edges = [_LazyEdges(graph, place, read) for place in range(len(schema.relations))]
        object.__setattr__(graph, "edge_columns", edges)
        return graph

    @property
    def engine(self) -> str:
        """What people call the engine."""
        return self.there.engine

    @property
    def again(self) -> str:
        """What to do where the engine has something else than what was read of it."""
        return f"Read what it has again: graphtalk info {self.address} --refresh."

    @property
    def there(self) -> Backend:
        """What asks the engine."""
        assert self.backend is not None
        return self.backend

    def _repr_html_(self) -> str:
        """As the other graphs; without the drawing, for which relations would be read, where they are large."""
        if self.num_edges <= _WHOLE:
            return super()._repr_html_()
        return f"<pre>{escape(repr(self))}</pre>"

    # asking

    def met(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way, whose ids are those of this graph; at most `wanted.most`."""
        among = {
            key: tuple([self.key_of(way.nodes[key], node_id) for node_id in ids])
            for key, ids in way.among.items()
        }
        with holding(self._lock), interrupting(self.there.stop):
            table = self.there.matches(replace(way, among=among), wanted)
        if table.num_rows > wanted.most:
            raise EngineError(
                f"{self.engine} gave {table.num_rows:,} rows where {wanted.most:,} were asked for."
            )
        return table

    def has_edge(self, node: int, view: View) -> bool:
        """Whether a node has an edge along a view."""
        if self.schema.relations[view.relation].count <= _WHOLE:
            return super().has_edge(node, view)
        ends = ("a", "b") if view.direction != "in" else ("b", "a")
        among = {"a": (self.id(node),)}
        nodes = {"a": view.source, "b": view.target}
        ways = [Way(nodes, (Between("e", view.relation, *ends),), (), among)]
        if view.direction == "both":
            ways.append(Way(nodes, (Between("e", view.relation, "b", "a"),), (), among))
        return any(self.met(way, Wanted(("a",), most=1)).num_rows for way in ways)

    def first_edge(self, relation: int) -> tuple[int, int] | None:
        """The source and the target of some edge of a relation; None where there is none."""
        r = self.schema.relations[relation]
        way = Way({"a": r.source, "b": r.target}, (Between("e", relation, "a", "b"),))
        table = self.met(way, Wanted(("a", "b"), most=1))
        if not table.num_rows:
            return None
        ends = [
            self.numbers(name, table.column(node_column(i))) for i, name in enumerate((r.source, r.target))
        ]
        return int(ends[0][0]), int(ends[1][0])

    # ids and numbers

    def key_of(self, node_type: str, node_id: str) -> str:
        """What the engine calls a node of a type."""
        return node_id[len(node_type) + 1 :] if node_type in self.prefixed else node_id

    def numbers(self, node_type: str, keys: pa.ChunkedArray) -> Ints:
        """The nodes of a type with these ids of the engine. Raises EngineError for one that was not there before."""
        if not len(keys):
            return np.empty(0, np.int64)
        t = self.schema.node_type(node_type)
        coded = (keys.combine_chunks() if isinstance(keys, pa.ChunkedArray) else keys).dictionary_encode()
        coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
        texts = coded.dictionary
        if texts.null_count or coded.null_count:
            raise EngineError(f"{self.engine} gave a {node_type} node without an id.")
        if node_type in self.prefixed:
            texts = pc.binary_join_element_wise(node_type, texts, ":")
        if len(texts) <= _FEW_NAMES:
            found = np.array([self._known(t, text) for text in texts.to_pylist()], np.int64)
        else:
            look()
            places = pc.index_in(texts, value_set=self._read[node_type, "id"].combine_chunks())
            if places.null_count:
                self._changed(t, texts.filter(pc.is_null(places))[0].as_py())
            found = np.asarray(places.to_numpy(), np.int64) + t.first
        return np.asarray(found[np.asarray(coded.indices.to_numpy())], np.int64)

    def _known(self, t: NodeType, node_id: str) -> int:
        for position in self.id_index.find(node_id):
            place = int(position) - t.first
            if 0 <= place < t.count and self._read[t.name, "id"][place].as_py() == node_id:
                return int(position)
        return self._changed(t, node_id)

    def _changed(self, t: NodeType, node_id: object) -> int:
        raise EngineError(
            f"{self.engine} has a {t.name} node {str(node_id)[:80]!r} that was not there when the names of "
            f"{self.name} were read. {self.again}"
        )

    # features

    def _cell(self, t: NodeType, node: int, column: str) -> Value:
        cells, rows = self.feature_cells(t, column, np.array([node - t.first]))
        value: Value = cells[int(rows[0])].as_py()
        return value

    def feature_cells(self, t: NodeType, column: str, rows: Ints) -> tuple[pa.ChunkedArray, Ints]:
        """A feature of some nodes of a type: a column, and where in it these rows are."""
        if (t.name, column) in self._read:
            return self._read[t.name, column], rows
        wanted = np.unique(rows)
        if t.count <= _WHOLE or len(wanted) > t.count // 4:
            return self.column(t, column), rows
        some = self._some.setdefault((t.name, column), _Some())
        missing = some.missing(wanted)
        for start in range(0, len(missing), _CHUNK):
            part = missing[start : start + _CHUNK]
            some.add(part, self._cells_of(t, column, part))
        return some.cells, some.places(rows)

    def column(self, t: NodeType, name: str) -> pa.ChunkedArray:
        """A whole feature: of as many nodes as have their names here."""
        if (t.name, name) not in self._read:
            self._read[t.name, name] = self._cells_of(t, name, None)
        return self._read[t.name, name]

    def _cells_of(self, t: NodeType, name: str, rows: Ints | None) -> pa.ChunkedArray:
        """A feature of the nodes of these rows, or of all, in their order."""
        ids = self._read[t.name, "id"]
        asked = ids if rows is None else ids.take(pa.array(rows))
        keys = None if rows is None else [self.key_of(t.name, each) for each in asked.to_pylist()]
        with holding(self._lock), interrupting(self.there.stop):
            table = feature_table(self.there.nodes(t, [name], keys))
        given = table.column("id")
        if t.name in self.prefixed:
            given = pc.binary_join_element_wise(t.name, given, ":")
        places = pc.index_in(
            asked, value_set=given.combine_chunks() if isinstance(given, pa.ChunkedArray) else given
        )
        if places.null_count:
            raise EngineError(
                f"{places.null_count:,} {t.name} nodes are not in {self.engine} any more. {self.again}"
            )
        return table.column(name).take(places)

    # relations

    def _relation(self, position: int) -> tuple[Adjacency, pa.Table]:
        """A relation with all its edges, read now."""
        r = self.schema.relations[position]
        if r.count > MOST_READ:
            raise LimitError(
                f"{self.name} has {r.count:,} {r.name} edges in {self.engine}; at most {MOST_READ:,} are read here."
            )
        with holding(self._lock), interrupting(self.there.stop):
            table = self.there.edges(position)
        if table.num_rows != r.count:
            raise EngineError(
                f"{self.engine} has {table.num_rows:,} {r.name} edges, and said {r.count:,} when {self.name} was "
                f"read. {self.again}"
            )
        source, target = (
            self.numbers(name, table.column(end))
            for name, end in ((r.source, "source"), (r.target, "target"))
        )
        features = feature_table(table.drop_columns(["source", "target"]))
        order = np.lexsort((target, source))
        made, kept = Adjacency.of(
            source[order], target[order], self.indices(r.source), self.indices(r.target)
        )
        return made, features.take(pa.array(order[kept])) if features.num_columns else pa.table({})


class _LazyEdges:
    """The features of a relation's edges: what a schema says of them is here, all else reads the relation."""

    def __init__(self, graph: Elsewhere, relation: int, read: Sequence[tuple[Adjacency, pa.Table]]) -> None:
        r = graph.schema.relations[relation]
        self.column_names = [f.name for f in r.features]
        self.num_columns, self.num_rows = len(r.features), r.count
        self._graph, self._relation, self._all = graph, relation, read

    def __len__(self) -> int:
        return self.num_rows

    def __getattr__(self, name: str) -> Any:
        self._graph.touched.add(self._relation)
        return getattr(self._all[self._relation][1], name)


class _LazyTable:
    """The table of a node type: a column is read when it is asked for; whatever else a table can do reads all of them."""

    def __init__(self, graph: Elsewhere, t: NodeType) -> None:
        self._graph, self._type = graph, t
        self.column_names = ["id", *(f.name for f in t.features)]
        self.num_rows = t.count

    def column(self, name: str) -> pa.ChunkedArray:
        """One column."""
        return self._graph.column(self._type, name)

    def select(self, names: Sequence[str]) -> pa.Table:
        """A table of these columns."""
        return pa.table({name: self.column(name) for name in names})

    def __len__(self) -> int:
        return self.num_rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self.select(self.column_names), name)


@dataclass
class _Some:
    """Cells of some rows of a column, as they were read."""

    rows: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    cells: pa.ChunkedArray = None
    _order: Ints = field(default_factory=lambda: np.empty(0, np.int64))

    def missing(self, wanted: Ints) -> Ints:
        """Which of these rows are not there."""
        return np.setdiff1d(wanted, self.rows)

    def add(self, rows: Ints, cells: pa.ChunkedArray) -> None:
        """Keep the cells of more rows."""
        self.rows = np.concatenate([self.rows, rows])
        self._order = np.argsort(self.rows)
        if self.cells is not None:
            cells = concat([pa.table({"c": self.cells}), pa.table({"c": cells})]).column("c")
        self.cells = cells

    def places(self, rows: Ints) -> Ints:
        """Where rows that are there have their cells."""
        return np.asarray(self._order[np.searchsorted(self.rows, rows, sorter=self._order)], np.int64)


class _ByRelation(Sequence[Any]):
    """What there is of each relation of a graph, read when it is looked at; the graph notes what is."""

    def __init__(self, graph: Elsewhere, of: Callable[[int], Any]) -> None:
        self._graph, self._of = graph, of

    def __getitem__(self, position: Any) -> Any:
        relation = range(len(self))[position]
        if isinstance(relation, range):
            return [self[r] for r in relation]
        self._graph.touched.add(relation)
        return self._of(relation)

    def __len__(self) -> int:
        return len(self._graph.schema.relations)
