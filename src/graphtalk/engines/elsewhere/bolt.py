"""Engines that speak Bolt: Neo4j, Memgraph, FalkorDB, Neptune. `bolt://me@host:7687/films`, `neo4j+s://…`.

Sessions are for reading. A node's id is its property `id` where that tells the nodes of its label apart, else what the
engine calls it. What kind a property is of is told from the first nodes that have it.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import pyarrow as pa

from graphtalk.core import JSON, UsageError
from graphtalk.core.limits import look
from graphtalk.engines.elsewhere.classes import NodeClass, node_classes
from graphtalk.engines.elsewhere.cypher import Dialect, Given, Said, in_cypher, quoted, whole_numbers
from graphtalk.engines.elsewhere.names import label_of
from graphtalk.engines.elsewhere.protocol import (
    TIMES,
    EngineError,
    Wanted,
    Way,
    edge_column,
    node_column,
    value_column,
)
from graphtalk.graphs.columns import feature_table, features_of, to_array
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema

CONNECT_SECONDS = 10.0
SECONDS = 60.0
"""For one query, to its last row."""
SAMPLE = 1_000
"""So many nodes of a label, and edges of a type, tell the kinds of its properties."""
ROWS = 10_000_000
"""So many rows one reading of names, features or a relation may have."""
_TICK = 0.05
T = TypeVar("T")


class _Dialect(Dialect):
    """Nodes are told by a property, or by the engine's own ids. `own`: how the engine tells what has no other id."""

    def __init__(self, own: str) -> None:
        self.own = own
        self.keys: dict[
            str, tuple[str, bool]
        ] = {}  # of types with an id of their own: its property, and if it is a number
        self.classes: dict[str, NodeClass] = {}
        self.properties: dict[tuple[str, str], str] = {}  # features that are called otherwise here

    def node(self, variable: str, node_type: str) -> str:
        label = self.classes[node_type].label
        return f"{variable}:{quoted(label)}" if label else variable

    def tests(self, variable: str, node_type: str) -> Sequence[str]:
        c = self.classes[node_type]
        if not c.label:
            return (f"size(labels({variable})) = 0",)
        return tuple([f"NOT {variable}:{quoted(label)}" for label in c.without])

    def node_id(self, variable: str, node_type: str) -> str:
        if node_type in self.keys:
            return f"toString({variable}.{quoted(self.keys[node_type][0])})"
        return self.own.format(variable)

    def edge_id(self, variable: str) -> str:
        return self.own.format(variable)

    def among(self, variable: str, node_type: str, ids: Sequence[str], said: Said) -> str:
        if node_type not in self.keys:
            return f"{self.own.format(variable)} IN {said.value(list(ids))}"
        key, number = self.keys[node_type]
        values: Given = whole_numbers(ids) if number else list(ids)
        return f"{variable}.{quoted(key)} IN {said.value(values)}" if values else "false"

    def property(self, variable: str, name: str, of: str = "") -> str:
        return f"{variable}.{quoted(self.properties.get((of, name), name))}"


class BoltBackend:
    """A graph behind a Bolt server at `url`, without its path. `database` may be empty."""

    engine = "Bolt server"

    def __init__(self, url: str, database: str, user: str, password: str | None) -> None:
        """Connect. Raises UsageError where the driver is not installed, EngineError where nobody answers."""
        try:
            import neo4j
        except ImportError:
            raise UsageError(
                'The Bolt driver is not installed: python -m pip install "graphtalk[bolt]".'
            ) from None
        logging.getLogger("neo4j").setLevel(logging.CRITICAL)  # what goes wrong is raised, and told once
        self._neo4j = neo4j
        self._url, self._database = url, database or None
        self._auth = (user, password or "") if user else None
        self._errors = (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError, OSError)
        self._driver: Any = None
        self._schema = Schema((), ())
        self._dialect = _Dialect("elementId({})")
        with self._asking():
            agent = str(self._patiently(lambda: self._connected().get_server_info().agent))
            self.engine = agent.partition("/")[0] or self.engine

    def _connected(self) -> Any:
        if self._driver is None:
            self._driver = self._neo4j.GraphDatabase.driver(
                self._url,
                auth=self._auth,
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=CONNECT_SECONDS,
                max_transaction_retry_time=0,
                user_agent="graphtalk",
            )
        return self._driver

    # the schema

    def schema(self) -> Schema:
        """Labels are node types, relationship types relations."""
        sets = {
            frozenset(row["labels"]): row["many"]
            for row in self._rows("MATCH (n) RETURN labels(n) AS labels, count(*) AS many")
        }
        classes = [c for c in node_classes(sets, {}) if c.count]
        self._dialect = _Dialect(self._own_ids())
        self._dialect.classes = {c.name: c for c in classes}
        types = [self._type(c) for c in classes]
        first, placed = 0, []
        for t in types:
            placed.append(NodeType(t.name, t.count, first, t.label, t.features))
            first += t.count
        of = {labels: _class_of(labels, classes) for labels in sets}
        counts: dict[tuple[str, str, str], int] = {}
        asked = "MATCH (a)-[r]->(b) RETURN labels(a) AS a, type(r) AS name, labels(b) AS b, count(*) AS many"
        for row in self._rows(asked):
            key = row["name"], of[frozenset(row["a"])], of[frozenset(row["b"])]
            counts[key] = counts.get(key, 0) + row["many"]
        relations = [
            Relation(name, one, other, count, "", self._edge_features(name, one, other))
            for (name, one, other), count in sorted(counts.items())
        ]
        self._schema = Schema(tuple(placed), tuple(relations))
        return self._schema

    def notes(self) -> dict[str, JSON]:
        """How nodes are told, and which labels and properties the names of the schema stand for."""
        held = self._dialect
        return {
            "own": held.own,
            "keys": {name: list(key) for name, key in held.keys.items()},
            "classes": [[c.name, c.label, list(c.without), c.count] for c in held.classes.values()],
            "properties": [[*where, name] for where, name in held.properties.items()],
        }

    def know(self, schema: Schema, notes: Mapping[str, Any]) -> None:
        """Take a schema and notes that were kept for read."""
        self._schema, self._dialect = schema, _Dialect(str(notes["own"]))
        self._dialect.keys = {name: (str(key), bool(number)) for name, (key, number) in notes["keys"].items()}
        classes = [
            NodeClass(name, label, tuple(without), count) for name, label, without, count in notes["classes"]
        ]
        self._dialect.classes = {c.name: c for c in classes}
        self._dialect.properties = {(of, name): key for of, name, key in notes["properties"]}

    def _own_ids(self) -> str:
        """How the engine tells what has no id of its own: by `elementId`, or `id` where that is not known."""
        try:
            self._rows("MATCH (n) RETURN elementId(n) AS id LIMIT 1")
            return "elementId({})"
        except EngineError:
            self._rows("MATCH (n) RETURN id(n) AS id LIMIT 1")
            return "toString(id({}))"

    def _type(self, c: NodeClass) -> NodeType:
        where = self._of(c.name, "n")
        told = self._rows(f"MATCH {where} RETURN count(n.id) AS there, count(DISTINCT n.id) AS different")[0]
        sample = self._rows(f"MATCH {where} RETURN properties(n) AS held LIMIT {SAMPLE}")
        keys = [row["key"] for row in self._rows(f"MATCH {where} UNWIND keys(n) AS key RETURN DISTINCT key")]
        ids = [row["held"].get("id") for row in sample]
        kinds = {type(each) for each in ids}
        if told["there"] == told["different"] == c.count and kinds in ({int}, {str}):
            self._dialect.keys[c.name] = "id", kinds == {int}
            keys = [key for key in keys if key != "id"]
        called = {f"{c.name} id" if key.casefold() == "id" else key: key for key in sorted(keys)}
        self._dialect.properties.update({(c.name, name): key for name, key in called.items() if name != key})
        features = self._features(f"MATCH {where}", "n", called, [row["held"] for row in sample])
        texts = [f.name for f in features if f.kind == "text"]
        return NodeType(c.name, c.count, 0, label_of(texts, texts), features)

    def _edge_features(self, name: str, one: str, other: str) -> tuple[Feature, ...]:
        pattern = self._edge(name, one, other)
        keys = [
            row["key"] for row in self._rows(f"MATCH {pattern} UNWIND keys(r) AS key RETURN DISTINCT key")
        ]
        if not keys:
            return ()
        sample = self._rows(f"MATCH {pattern} RETURN properties(r) AS held LIMIT {SAMPLE}")
        called = {key: key for key in sorted(keys)}
        return self._features(f"MATCH {pattern}", "r", called, [row["held"] for row in sample])

    def _features(
        self, match: str, variable: str, called: Mapping[str, str], sample: Sequence[Mapping[str, Any]]
    ) -> tuple[Feature, ...]:
        """Features by their names, from the first values of the properties that they are called by there."""
        columns = {}
        for name, key in called.items():
            values = [_native(row.get(key)) for row in sample]
            if all(value is None for value in values):  # a rare one: the first that have it
                rows = self._rows(
                    f"{match} WITH {variable}.{quoted(key)} AS held WHERE held IS NOT NULL RETURN held LIMIT {SAMPLE}"
                )
                values = [row["held"] for row in rows]
            columns[name] = features_of(feature_table(pa.table({name: to_array(values)})))[0]
        return tuple(columns.values())

    def _of(self, node_type: str, variable: str) -> str:
        """The pattern and the condition of the nodes of a type."""
        tests = self._dialect.tests(variable, node_type)
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        return f"({self._dialect.node(variable, node_type)}){where}"

    def _edge(self, name: str, one: str, other: str) -> str:
        tests = [*self._dialect.tests("a", one), *self._dialect.tests("b", other)]
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        return (
            f"({self._dialect.node('a', one)})-[r:{quoted(name)}]->({self._dialect.node('b', other)}){where}"
        )

    # what is there

    def nodes(self, t: NodeType, columns: Sequence[str], ids: Sequence[str] | None = None) -> pa.Table:
        """Features of the nodes of a type."""
        known = {f.name: f for f in self._schema.node_type(t.name).features}
        said = Said()
        tests = [*self._dialect.tests("n", t.name)]
        if ids is not None:
            tests.append(self._dialect.among("n", t.name, ids, said))
        given = [f"{self._dialect.property('n', name, t.name)} AS {quoted(name)}" for name in columns]
        given.insert(0, f"{self._dialect.node_id('n', t.name)} AS id")
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        asked = f"MATCH ({self._dialect.node('n', t.name)}){where} RETURN {', '.join(given)}"
        rows = self._rows(asked, said.given)
        found = {"id": _texts(rows, "id")}
        return pa.table({**found, **{name: self._cells(rows, name, known[name], t.name) for name in columns}})

    def edges(self, relation: int) -> pa.Table:
        """The edges of a relation."""
        r = self._schema.relations[relation]
        given = [
            f"{self._dialect.node_id(variable, name)} AS {end}"
            for variable, name, end in (("a", r.source, "source"), ("b", r.target, "target"))
        ]
        given += [f"r.{quoted(f.name)} AS {quoted(f.name)}" for f in r.features]
        rows = self._rows(f"MATCH {self._edge(r.name, r.source, r.target)} RETURN {', '.join(given)}")
        found = {end: _texts(rows, end) for end in ("source", "target")}
        return pa.table({**found, **{f.name: self._cells(rows, f.name, f, r.name) for f in r.features}})

    def matches(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way."""
        said = in_cypher(way, wanted, self._schema, self._dialect)
        rows = self._rows(said.text, said.given, wanted.most)
        found = {node_column(i): _texts(rows, node_column(i)) for i in range(len(wanted.nodes))}
        relations = {e.key: self._schema.relations[e.relation] for e in way.edges}
        for i, key in enumerate(wanted.edges):
            found[edge_column(i)] = _texts(rows, edge_column(i))
            for f in relations[key].features:
                name = edge_column(i, f.name)
                found[name] = self._cells(rows, name, f, relations[key].name)
        for i, (key, name) in enumerate(wanted.values):
            features = {f.name: f for f in self._schema.node_type(way.nodes[key]).features}
            found[value_column(i)] = self._cells(rows, value_column(i), features[name], way.nodes[key])
        if wanted.counted:
            found[TIMES] = pa.array([int(row[TIMES]) for row in rows], pa.int64())
        return pa.table(found)

    def _cells(self, rows: Sequence[Mapping[str, Any]], name: str, feature: Feature, of: str) -> pa.Array:
        """Values as a column of their feature. Raises EngineError where one is of another kind than the first were."""
        column = feature_table(pa.table({"c": to_array([row[name] for row in rows])}))
        held = features_of(column)[0]
        if column.column(0).null_count == len(rows) or (held.kind, held.item) == (feature.kind, feature.item):
            return column.column(0).combine_chunks()
        raise EngineError(
            f"{self.engine}: {feature.name} of {of} is a {feature.kind} in the first {SAMPLE:,} and a {held.kind} in others. "
            "Give it one kind there."
        )

    # asking

    def _rows(
        self, cypher: str, given: Mapping[str, Given] | None = None, most: int = ROWS
    ) -> list[dict[str, Any]]:
        """The rows of a query, at most so many, as native values."""

        def ask() -> list[dict[str, Any]]:
            query = self._neo4j.Query(cypher, timeout=SECONDS)
            read = self._neo4j.READ_ACCESS
            with self._connected().session(database=self._database, default_access_mode=read) as session:
                rows: list[dict[str, Any]] = []
                for record in session.run(query, dict(given or {})):
                    if len(rows) >= most:
                        raise EngineError(
                            f"{self.engine} gave more than the {most:,} rows that were asked for."
                        )
                    rows.append({key: _native(value) for key, value in record.items()})
                return rows

        with self._asking():
            return self._patiently(ask)

    def _patiently(self, work: Callable[[], T]) -> T:
        """What `work` gives in a thread of its own: a driver that waits for ever is left behind, with its connections."""
        given: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

        def run() -> None:
            try:
                given.put((work(), None))
            except (*self._errors, EngineError, ValueError, KeyError, TypeError) as error:
                given.put((None, error))

        threading.Thread(target=run, daemon=True).start()
        until = time.monotonic() + SECONDS
        while True:
            try:
                look()
                found, error = given.get(timeout=_TICK)
            except Empty:
                if time.monotonic() < until:
                    continue
                self._driver = None
                raise EngineError(f"{self._url} did not answer within {SECONDS:g} seconds.") from None
            except BaseException:
                self._driver = None
                raise
            if error is not None:
                raise error
            return found  # type: ignore[return-value]

    def stop(self) -> None:
        """Nothing: whoever waits looks by itself."""

    def close(self) -> None:
        """Let go of the server."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except (*self._errors, ValueError, KeyError, TypeError) as error:
            said = " ".join(str(error).split())[:400] or type(error).__name__
            raise EngineError(f"{self._url}: {said}") from error


def _class_of(labels: frozenset[str], classes: Sequence[NodeClass]) -> str:
    """The type of nodes with these labels."""
    fits = (
        c for c in classes if (c.label in labels or not (c.label or labels)) and labels.isdisjoint(c.without)
    )
    return next(fits).name


def _texts(rows: Sequence[Mapping[str, Any]], name: str) -> pa.Array:
    return pa.array([None if row[name] is None else str(row[name]) for row in rows], pa.string())


def _native(value: Any) -> Any:
    """A value of the driver as Python has it; what Python has no type for as text."""
    if value is None or isinstance(value, bool | int | float | str | date | datetime):
        return value
    if isinstance(value, list):
        return [_native(each) for each in value]
    if isinstance(value, dict):
        return {key: _native(each) for key, each in value.items()}
    if hasattr(value, "to_native"):
        try:
            return value.to_native()
        except ValueError:
            return str(value)
    return value if isinstance(value, frozenset) else str(value)
