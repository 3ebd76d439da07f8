"""The engine on DuckDB: one machine, tables on disk, within a given memory. Needs `pip install graphtalk[duckdb]`."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphtalk.core import UsageError
from graphtalk.core.limits import interrupting
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.edge_files import write_edges, write_nodes
from graphtalk.vertex.engine import Execution
from graphtalk.vertex.engines.relational import RelationalExecution
from graphtalk.vertex.language.sql import Dialect

if TYPE_CHECKING:
    import duckdb


class DuckdbDialect(Dialect):
    """Structs in braces, list comprehensions."""

    def pair(self, key: str, value: str) -> str:
        """A struct with the fields k and v, ordered by k, then v."""
        return f"{{'k': {key}, 'v': {value}}}"

    def mode(self, value: str, condition: str) -> str:
        """The most frequent value, of several the least."""
        counts = f"map_entries(histogram({value}){condition})"
        return f"list_min([{{'k': -CAST(entry.value AS DOUBLE), 'v': entry.key}} for entry in {counts}]).v"

    def least_missing(self, value: str, condition: str) -> str:
        """The least whole number from 0 that is not among the values."""
        taken = f"list({value}){condition}"
        numbers = f"range(0, len({taken}) + 1)"
        return f"list_min([CAST(i AS DOUBLE) for i in {numbers} if NOT list_contains({taken}, CAST(i AS DOUBLE))])"


@dataclass(frozen=True)
class DuckdbEngine:
    """`memory` is DuckDB's own limit, such as "2GB" (None: its default); `folder` takes the tables while it runs."""

    memory: str | None = None
    folder: Path | None = None
    name: str = "duckdb"

    def start(self, bound: Bound) -> Execution:
        """Make ready to run. Raises UsageError where DuckDB is not installed."""
        try:
            import duckdb
        except ImportError:
            raise UsageError("The engine duckdb is not installed: pip install 'graphtalk[duckdb]'.") from None
        folder = Path(tempfile.mkdtemp(prefix="graphtalk-vertex-", dir=self.folder))
        connection = duckdb.connect(str(folder / "run.duckdb"))
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SET temp_directory = ?", [str(folder / "spill")])
        if self.memory is not None:
            connection.execute("SET memory_limit = ?", [self.memory])
        return DuckdbExecution(bound, connection, folder)


class DuckdbExecution(RelationalExecution):
    """A run in a database file of its own, which is removed at the end."""

    def __init__(self, bound: Bound, connection: "duckdb.DuckDBPyConnection", folder: Path) -> None:
        super().__init__(bound, DuckdbDialect())
        self._connection, self._folder = connection, folder

    def initialise(self) -> None:
        """Write the graph down, and give every node and edge its first state."""
        for name, write in (("edges", write_edges), ("nodes", write_nodes)):
            path = self._folder / f"{name}.parquet"
            write(self._bound, path)
            quoted = str(path).replace("'", "''")
            self._connection.execute(
                f"CREATE OR REPLACE VIEW {name} AS SELECT * FROM read_parquet('{quoted}')"
            )
        super().initialise()

    def close(self) -> None:
        """Remove the database."""
        self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _replace(self, table: str, query: str) -> None:
        self._execute(f"CREATE OR REPLACE TABLE {table}_made AS {query}")
        self._connection.execute(f"DROP TABLE IF EXISTS {table}")
        self._connection.execute(f"ALTER TABLE {table}_made RENAME TO {table}")

    def _row(self, query: str) -> Sequence[Any]:
        row: Sequence[Any] = self._execute(query).fetchone()
        return row

    def _column(self, query: str) -> Sequence[Sequence[Any]]:
        return list(self._execute(query).fetchnumpy().values())

    def _execute(self, query: str) -> "duckdb.DuckDBPyConnection":
        with interrupting(self._connection.interrupt):
            return self._connection.execute(query)

    def _checkpoint(self, tables: Sequence[str]) -> None:
        self._connection.execute("CHECKPOINT")
