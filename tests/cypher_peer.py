"""ladybug, an embedded Cypher engine, as a peer in tests: a graph in its memory, and what it gives for a query."""

from collections.abc import Mapping

import ladybug
import pyarrow as pa

from graphtalk.graphs import Graph

NODE, EDGE = "node_number", "edge_number"
"""Properties that tell every node and every edge by its number in the graph."""

_KINDS = {
    pa.types.is_boolean: "BOOL",
    pa.types.is_integer: "INT64",
    pa.types.is_floating: "DOUBLE",
    pa.types.is_date: "DATE",
    pa.types.is_timestamp: "TIMESTAMP",
}


def _kind(type_: pa.DataType) -> str:
    """What ladybug calls an Arrow type."""
    if pa.types.is_list(type_):
        return _kind(type_.value_type) + "[]"
    return next((name for is_one, name in _KINDS.items() if is_one(type_)), "STRING")


def _columns(schema: pa.Schema) -> str:
    return ", ".join([f"`{field.name}` {_kind(field.type)}" for field in schema])


class Peer:
    """A graph in ladybug. An undirected relation is stored one way there: ask for it without an arrow."""

    def __init__(self, graph: Graph) -> None:
        self._database = ladybug.Database(
            ":memory:", buffer_pool_size=1 << 26, max_db_size=1 << 30, max_num_threads=1
        )
        self._connection = ladybug.Connection(self._database)
        for t in graph.schema.node_types:
            table = graph.columns[t.name].append_column(
                NODE, pa.array(range(t.first, t.first + t.count), pa.int64())
            )
            self._run(f"CREATE NODE TABLE `{t.name}`({_columns(table.schema)}, PRIMARY KEY(`{NODE}`))")
            self._connection.execute(f"COPY `{t.name}` FROM $rows", {"rows": table}) if t.count else None
        first = 0
        tables: dict[str, list[tuple[str, str, pa.Table]]] = {}
        for position, r in enumerate(graph.schema.relations):
            source, target = graph.ends(position)
            table = pa.table(
                {"from": pa.array(source.tolist(), pa.int64()), "to": pa.array(target.tolist(), pa.int64())}
            )
            for name in graph.edge_columns[position].column_names:
                table = table.append_column(name, graph.edge_columns[position].column(name))
            table = table.append_column(EDGE, pa.array(range(first, first + r.count), pa.int64()))
            tables.setdefault(r.name, []).append((r.source, r.target, table))
            first += r.count
        for name, parts in tables.items():
            ends = ", ".join([f"FROM `{source}` TO `{target}`" for source, target, _ in parts])
            columns = _columns(pa.schema([*parts[0][2].schema][2:]))
            self._run(f"CREATE REL TABLE `{name}`({ends}, {columns})")
            for source, target, table in parts:
                if len(table):
                    self._connection.execute(
                        f"COPY `{name}` FROM $rows (from='{source}', to='{target}')", {"rows": table}
                    )

    def _run(self, text: str) -> None:
        self._connection.execute(text)

    def rows(self, cypher: str) -> list[list[object]]:
        """The rows that it gives: nodes and edges as ("node", number) and ("edge", number)."""
        result = self._connection.execute(cypher)
        assert isinstance(result, ladybug.QueryResult)
        return [[plain(value) for value in row] for row in result.get_all()]  # type: ignore[union-attr]

    def close(self) -> None:
        """Let go of its memory."""
        self._connection.close()
        self._database.close()


def plain(value: object) -> object:
    """A value of ladybug with nodes and edges told by their numbers."""
    if isinstance(value, Mapping):
        if NODE in value:
            return ("node", value[NODE])
        if EDGE in value:
            return ("edge", value[EDGE])
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value
