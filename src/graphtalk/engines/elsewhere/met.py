"""What an engine has given of a graph: nodes by their numbers, edges by numbers given as they came.

The rows of a query stand over this graph: they name few edges of many, and no relation is read for them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa

from graphtalk.engines.arrays.frame import Meter
from graphtalk.engines.elsewhere.graph import Elsewhere
from graphtalk.engines.elsewhere.protocol import (
    TIMES,
    EngineError,
    Wanted,
    Way,
    edge_column,
    node_column,
    value_column,
)
from graphtalk.engines.naming import node_column as node_column_of
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.columns import concat, feature_table
from graphtalk.graphs.graph import Graph, Value
from graphtalk.graphs.schema import NodeType, Relation

VALUE = "\0v"
"""How the names of columns begin that hold features of nodes in the place of the nodes."""


def value_name(key: str, feature: str) -> str:
    """The name of a column of rows that holds a feature of the node `key`."""
    return f"{VALUE}{key}\0{feature}"


@dataclass(frozen=True)
class Given:
    """What an engine gave: numbers of nodes and edges by key, places in `values` by `value_name`, `TIMES`.

    `over`: there were as many rows as were asked for at most.
    """

    numbers: dict[str, Ints]
    over: bool
    values: Mapping[str, pa.ChunkedArray]


@dataclass(frozen=True, eq=False, repr=False)
class Met(Graph):
    """The edges that the engine of `elsewhere` gave, between its nodes. It has no adjacency: the engine has."""

    elsewhere: Elsewhere | None = None
    _books: dict[int, "_Book"] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, graph: Elsewhere) -> "Met":
        """What was given of a graph so far: nothing."""
        met = cls(
            graph.schema,
            graph.columns,
            (),
            (),
            graph.name,
            graph.path,
            graph.ids_index,
            graph.checksum,
            graph,
        )
        object.__setattr__(met, "edge_columns", _Books(len(graph.schema.relations), met._book))
        return met

    @property
    def there(self) -> Elsewhere:
        """The graph."""
        assert self.elsewhere is not None
        return self.elsewhere

    def asked(self, ways: Sequence[Way], wanted: Wanted, meter: Meter) -> "Given":
        """What the engine gives for these ways."""
        values = [value_name(*value) for value in wanted.values]
        keys = (*wanted.nodes, *wanted.edges, *values, *([TIMES] if wanted.counted else []))
        parts: dict[str, list[Ints]] = {key: [np.empty(0, np.int64)] for key in keys}
        dictionaries: dict[str, list[pa.Table]] = {name: [] for name in values}
        left = wanted.most
        for way in ways:
            meter.look()
            resolved = tuple([(key, self._column(way, key, name)) for key, name in wanted.values])
            table = self.there.met(way, replace(wanted, values=resolved, most=left))
            meter.take(table.num_rows, 16 + 32 * len(keys))
            for key, numbers in self._numbered(way, wanted, table).items():
                parts[key].append(numbers)
            for place, name in enumerate(values):
                given = (
                    feature_table(pa.table({"c": table.column(value_column(place))}))
                    .column("c")
                    .combine_chunks()
                )
                coded = given.dictionary_encode(null_encoding="encode")
                before = sum(len(each) for each in dictionaries[name])
                dictionaries[name].append(pa.table({"c": coded.dictionary}))
                parts[name].append(np.asarray(coded.indices.to_numpy(), np.int64) + before)
            left -= table.num_rows
            if left <= 0:
                break
        joined = {key: np.concatenate(part) for key, part in parts.items()}
        cells = {name: concat(each).column("c") for name, each in dictionaries.items() if each}
        return Given(joined, left <= 0, cells)

    def _column(self, way: Way, key: str, name: str) -> str:
        return node_column_of(self.schema.node_type(way.nodes[key]), name) or ""

    def _numbered(self, way: Way, wanted: Wanted, table: pa.Table) -> dict[str, Ints]:
        found = {
            key: self.there.numbers(way.nodes[key], table.column(node_column(place)))
            for place, key in enumerate(wanted.nodes)
        }
        edges = {edge.key: edge for edge in way.edges}
        for place, key in enumerate(wanted.edges):
            edge = edges[key]
            features = [f.name for f in self.schema.relations[edge.relation].features]
            of = {name: table.column(edge_column(place, name)) for name in features}
            told = table.column(edge_column(place))
            places = self._book(edge.relation).add(told, found[edge.source], found[edge.target], of)
            found[key] = self.edge(edge.relation, places)
        if wanted.counted:
            found[TIMES] = np.asarray(table.column(TIMES).to_numpy(), np.int64)
        return found

    def _book(self, relation: int) -> "_Book":
        book = self._books.get(relation)
        if book is None:
            r = self.schema.relations[relation]
            book = self._books[relation] = _Book(self.there.engine, self.there.again, r)
        return book

    def edge_ends(self, relation: int, edges: Ints) -> tuple[Ints, Ints]:
        """Graph-wide source and target of edges of one relation that were given. Shapes as given."""
        book = self._book(relation)
        return book.sources[edges], book.targets[edges]

    def _cell(self, t: NodeType, node: int, column: str) -> Value:
        return self.there._cell(t, node, column)

    def feature_cells(self, t: NodeType, column: str, rows: Ints) -> tuple[pa.ChunkedArray, Ints]:
        """A feature of some nodes of a type: a column, and where in it these rows are."""
        return self.there.feature_cells(t, column, rows)


class _Book:
    """Edges of one relation, in the order in which the engine gave them first."""

    def __init__(self, engine: str, again: str, r: Relation) -> None:
        self._engine, self._again, self._relation = engine, again, r
        self._places: dict[str, int] = {}
        self._parts: list[pa.Table] = []
        self.sources = np.empty(0, np.int64)
        self.targets = np.empty(0, np.int64)

    def add(self, told: pa.ChunkedArray, sources: Ints, targets: Ints, features: Mapping[str, Any]) -> Ints:
        """The places of edges by the engine's ids; those that are new are written down."""
        coded = (told.combine_chunks() if isinstance(told, pa.ChunkedArray) else told).dictionary_encode()
        coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
        indices = np.asarray(coded.indices.to_numpy(), np.int64)
        before = len(self._places)
        places = self._places
        numbers = np.array(
            [places.setdefault(each, len(places)) for each in coded.dictionary.to_pylist()], np.int64
        )
        r = self._relation
        if len(places) > r.count:
            raise EngineError(
                f"{self._engine} gave {len(places):,} {r.name} edges from {r.source} to {r.target}, and said there "
                f"were {r.count:,}. {self._again}"
            )
        new = np.flatnonzero(numbers >= before)
        if len(new):
            first = np.full(len(numbers), len(indices), np.int64)
            np.minimum.at(first, indices, np.arange(len(indices)))
            at = first[new]
            self.sources = np.concatenate([self.sources, sources[at]])
            self.targets = np.concatenate([self.targets, targets[at]])
            part = {name: column.take(pa.array(at)) for name, column in features.items()}
            self._parts.append(feature_table(pa.table(part)) if part else pa.table({}))
        return numbers[indices] if len(indices) else np.empty(0, np.int64)

    def table(self) -> pa.Table:
        """The features of the edges that were given."""
        if len(self._parts) > 1:
            self._parts = [concat(self._parts)]
        none = pa.table({f.name: pa.nulls(0) for f in self._relation.features})
        return self._parts[0] if self._parts else none


class _Books(Sequence[pa.Table]):
    """The features of the edges that were given, by relation."""

    def __init__(self, count: int, book: Callable[[int], _Book]) -> None:
        self._count, self._book = count, book

    def __getitem__(self, relation: Any) -> Any:
        return self._book(range(self._count)[relation]).table()

    def __len__(self) -> int:
        return self._count
