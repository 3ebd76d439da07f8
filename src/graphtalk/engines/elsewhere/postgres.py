"""PostgreSQL: `postgresql://me@host:5432/films`, tables by their keys or by a mapping. The session only reads.

Arrow's own driver (ADBC) brings columns, not rows.
"""

from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
from sqlglot import exp

from graphtalk.core import UsageError
from graphtalk.engines.elsewhere.mapping import Declared, by_keys, by_recipe
from graphtalk.engines.elsewhere.sql import Tables
from graphtalk.engines.elsewhere.tables import TablesBackend
from graphtalk.graphs.recipe import Recipe, load_recipe

SECONDS = 60
_KEYS = """
SELECT c.conrelid::regclass::text AS name, c.contype::text AS kind, c.confrelid::regclass::text AS other,
       array_to_string(ARRAY(SELECT a.attname FROM unnest(c.conkey) WITH ORDINALITY k(number, place)
                             JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.number ORDER BY place), chr(31)) AS own
FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
WHERE c.contype IN ('p', 'f') AND t.relkind IN ('r', 'p')
  AND t.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')
ORDER BY name, own
"""
"""Primary and foreign keys, and the columns that they are made of."""


class PostgresBackend(TablesBackend):
    """A graph in a PostgreSQL database."""

    engine = "PostgreSQL"

    def __init__(
        self, host: str, database: str, user: str, password: str | None, mapping: Path | None
    ) -> None:
        """Connect. Raises UsageError where the driver is not installed, EngineError where nobody answers."""
        super().__init__()
        try:
            import adbc_driver_postgresql.dbapi as driver
        except ImportError:
            raise UsageError(
                'The driver of PostgreSQL is not installed: python -m pip install "graphtalk[postgres]".'
            ) from None
        self.place = f"postgresql://{host}/{database}"
        self._errors = (driver.Error, OSError)
        self._recipe: Recipe | None = None if mapping is None else load_recipe(mapping)
        who = quote(user, safe="") + (f":{quote(password, safe='')}" if password is not None else "")
        with self._asking():
            address = (
                f"postgresql://{who}@{host}/{quote(database)}"
                if who
                else f"postgresql://{host}/{quote(database)}"
            )
            self._connection = driver.connect(f"{address}?connect_timeout=10", autocommit=True)
            for setting in ("default_transaction_read_only = on", f"statement_timeout = '{SECONDS}s'"):
                self._run(f"SET {setting}")

    def _found(self) -> Tables:
        if self._recipe is not None:
            return by_recipe(self._recipe, self._columns, lambda name: "", self.place)
        rows = self._fetched(_KEYS).to_pylist()
        tables = []
        for name in dict.fromkeys(row["name"] for row in rows):
            keys = [
                (row["kind"], tuple(row["own"].split("\x1f")), row["other"])
                for row in rows
                if row["name"] == name
            ]
            own = next((columns for kind, columns, _ in keys if kind == "p"), ())
            foreign = tuple(
                (columns[0], other) for kind, columns, other in keys if kind == "f" and len(columns) == 1
            )
            tables.append(Declared(name, own, foreign))
        return by_keys(tables, self._columns, "ctid", self.place)

    def _asked(self, query: exp.Select) -> pa.Table:
        return self._fetched(query.sql("postgres"))

    def _fetched(self, sql: str) -> pa.Table:
        with self._asking(), self._connection.cursor() as cursor:
            cursor.execute(sql)
            return _plain(cursor.fetch_arrow_table())

    def _run(self, sql: str) -> None:
        with self._connection.cursor() as cursor:
            cursor.execute(sql)

    def stop(self) -> None:
        """End what runs."""
        self._connection.adbc_cancel()

    def close(self) -> None:
        """Let go of the server."""
        self._connection.close()


def _plain(found: pa.Table) -> pa.Table:
    """Columns of types that Arrow lacks as what they are brought as; a decimal as float64."""
    columns = []
    for column in found.columns:
        if isinstance(column.type, pa.BaseExtensionType):
            decimal = getattr(column.type, "type_name", "") == "numeric"
            column = pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)
            column = column.cast(pa.float64()) if decimal else column
        columns.append(column)
    return pa.table(columns, names=found.column_names)
