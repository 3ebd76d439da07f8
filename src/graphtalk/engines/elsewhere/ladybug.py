"""ladybug, an embedded engine that speaks Cypher: `ladybug:///path/to/graph.lbug`. Opened for reading only."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from graphtalk.core import JSON, UsageError
from graphtalk.engines.elsewhere.cypher import Dialect, Given, Said, in_cypher, quoted, whole_numbers
from graphtalk.engines.elsewhere.names import label_of
from graphtalk.engines.elsewhere.protocol import EngineError, Wanted, Way
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema

_ROWS = 50_000  # of a chunk that is handed over
_POOL = 256 << 20  # bytes of its page cache


class _Dialect(Dialect):
    """Ids are primary keys, numbers or texts."""

    def __init__(self) -> None:
        self.keys: dict[
            str, tuple[str, bool]
        ] = {}  # of each type: its primary key, and whether it is a number

    def node_id(self, variable: str, node_type: str) -> str:
        return f"CAST({self.property(variable, self.keys[node_type][0])} AS STRING)"

    def edge_id(self, variable: str) -> str:
        return f"CAST(id({variable}) AS STRING)"

    def among(self, variable: str, node_type: str, ids: Sequence[str], said: Said) -> str:
        key, number = self.keys[node_type]
        values: Given = whole_numbers(ids) if number else list(ids)
        return f"{self.property(variable, key)} IN {said.value(values)}" if values else "false"


class LadybugBackend:
    """A graph in a ladybug database."""

    engine = "ladybug"

    def __init__(self, path: Path) -> None:
        """Open `path`. Raises UsageError where ladybug is not installed or there is no such database."""
        try:
            import ladybug
        except ImportError:
            raise UsageError(
                'ladybug is not installed: python -m pip install "graphtalk[ladybug]".'
            ) from None
        if not path.exists():
            raise UsageError(f"ladybug:///{path}: there is no such file.")
        self._path = path
        self._dialect = _Dialect()
        self._schema = Schema((), ())
        with self._asking():
            self._database = ladybug.Database(str(path), read_only=True, buffer_pool_size=_POOL)
            self._connection = ladybug.Connection(self._database)

    def schema(self) -> Schema:
        """Node tables are types, relationship tables relations."""
        types: list[NodeType] = []
        relations: list[Relation] = []
        tables = self._rows("CALL show_tables() RETURN name, type")
        for name in sorted(row["name"] for row in tables if row["type"] == "NODE"):
            properties = self._rows(f"CALL table_info({_text(name)}) RETURN *")
            key = next(row for row in properties if row["primary key"])
            self._dialect.keys[name] = key["name"], not key["type"].startswith("STRING")
            features = self._features(
                f"(x:{quoted(name)})", [row["name"] for row in properties if row["name"] != "id"]
            )
            label = label_of([f.name for f in features], [f.name for f in features if f.kind == "text"])
            count = self._count(f"(x:{quoted(name)})")
            types.append(NodeType(name, count, sum(t.count for t in types), label, features))
        for name in sorted(row["name"] for row in tables if row["type"] == "REL"):
            names = [row["name"] for row in self._rows(f"CALL table_info({_text(name)}) RETURN *")]
            for ends in self._rows(f"CALL show_connection({_text(name)}) RETURN *"):
                source, target = ends["source table name"], ends["destination table name"]
                pattern = f"(:{quoted(source)})-[x:{quoted(name)}]->(:{quoted(target)})"
                relations.append(
                    Relation(name, source, target, self._count(pattern), "", self._features(pattern, names))
                )
        self._schema = Schema(tuple(types), tuple(relations))
        return self._schema

    def notes(self) -> dict[str, JSON]:
        """The primary key of each type, and whether it is a number."""
        return {name: list(key) for name, key in self._dialect.keys.items()}

    def know(self, schema: Schema, notes: Mapping[str, Any]) -> None:
        """Take a schema and notes that were kept for read."""
        self._schema = schema
        self._dialect.keys = {name: (str(key), bool(number)) for name, (key, number) in notes.items()}

    def _features(self, pattern: str, names: Sequence[str]) -> tuple[Feature, ...]:
        if not names:
            return ()
        columns = ", ".join([f"x.{quoted(name)} AS {quoted(name)}" for name in names])
        return features_of(feature_table(self._asked(f"MATCH {pattern} RETURN {columns} LIMIT 0")))

    def _count(self, pattern: str) -> int:
        return int(self._rows(f"MATCH {pattern} RETURN count(*) AS many")[0]["many"])

    def nodes(self, t: NodeType, columns: Sequence[str], ids: Sequence[str] | None = None) -> pa.Table:
        """Features of the nodes of a type."""
        said = Said()
        where = "" if ids is None else f" WHERE {self._dialect.among('x', t.name, ids, said)}"
        given = [f"x.{quoted(name)} AS {quoted(name)}" for name in columns]
        given.insert(0, f"{self._dialect.node_id('x', t.name)} AS id")
        return self._asked(f"MATCH (x:{quoted(t.name)}){where} RETURN {', '.join(given)}", said.given)

    def edges(self, relation: int) -> pa.Table:
        """The edges of a relation."""
        r = self._schema.relations[relation]
        given = [f"x.{quoted(f.name)} AS {quoted(f.name)}" for f in r.features]
        ends = [
            f"{self._dialect.node_id(variable, name)} AS {column}"
            for variable, name, column in (("a", r.source, "source"), ("b", r.target, "target"))
        ]
        pattern = f"(a:{quoted(r.source)})-[x:{quoted(r.name)}]->(b:{quoted(r.target)})"
        return self._asked(f"MATCH {pattern} RETURN {', '.join([*ends, *given])}")

    def matches(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way."""
        said = in_cypher(way, wanted, self._schema, self._dialect)
        return self._asked(said.text, said.given)

    def stop(self) -> None:
        """End what runs."""
        self._connection.interrupt()

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()
        self._database.close()

    def _rows(self, cypher: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._asked(cypher).to_pylist()
        return found

    def _asked(self, cypher: str, given: Mapping[str, Given] | None = None) -> pa.Table:
        with self._asking():
            found = self._connection.execute(cypher, dict(given or {}))
            result = found[0] if isinstance(found, list) else found
            return result.get_as_arrow(_ROWS)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        try:
            yield
        except (RuntimeError, ValueError, IndexError) as error:
            raise EngineError(f"ladybug, {self._path}: {' '.join(str(error).split())[:500]}") from error


def _text(name: str) -> str:
    return "'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'"
