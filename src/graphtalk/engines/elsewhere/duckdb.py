"""DuckDB, embedded: `duckdb:///films.duckdb`, or `duckdb:///films.toml`, a mapping of Parquet files. Opened for reading only."""

from pathlib import Path
from typing import Any

import pyarrow as pa
from sqlglot import exp

from graphtalk.core import UsageError
from graphtalk.engines.elsewhere.mapping import Declared, by_keys, by_recipe
from graphtalk.engines.elsewhere.sql import Tables, view_name
from graphtalk.engines.elsewhere.tables import TablesBackend, parquet_files
from graphtalk.graphs.recipe import Recipe, load_recipe


class DuckdbBackend(TablesBackend):
    """A graph in a DuckDB database, or in Parquet files that DuckDB reads where they are."""

    engine = "DuckDB"

    def __init__(self, path: Path, mapping: Path | None = None, folder: str = "") -> None:
        """Open `path`, read as `mapping` says; the files of a mapping lie in `folder`, or beside it.

        Raises UsageError where DuckDB is not installed or there is no such file."""
        super().__init__()
        try:
            import duckdb
        except ImportError:
            raise UsageError('DuckDB is not installed: python -m pip install "graphtalk[duckdb]".') from None
        if not path.exists():
            raise UsageError(f"duckdb:///{path}: there is no such file.")
        alone = path.suffix == ".toml"
        named = path if alone else mapping
        self.place = str(path)
        self._errors = duckdb.Error
        self._recipe: Recipe | None = None if named is None else load_recipe(named)
        with self._asking():
            self._connection = duckdb.connect() if alone else duckdb.connect(str(path), read_only=True)
            for name in parquet_files(self._recipe) if self._recipe and alone else ():
                assert named is not None
                where = f"{folder or named.parent}/{name}"
                self._connection.sql(f"SELECT * FROM read_parquet({_text(where)})").create_view(
                    view_name(name)
                )

    def _found(self) -> Tables:
        if self._recipe is not None:
            return by_recipe(self._recipe, self._columns, self._row, self.place)
        rows = self._rows(
            "SELECT schema_name, table_name, constraint_type, constraint_column_names AS own, referenced_table AS other "
            "FROM duckdb_constraints() WHERE NOT table_name LIKE 'sqlite_%'"
        )
        names = [
            row["table_name"]
            for row in self._rows("SELECT table_name FROM duckdb_tables() ORDER BY table_name")
        ]
        tables = []
        for name in names:
            own = [row for row in rows if row["table_name"] == name]
            keys = [tuple(row["own"]) for row in own if row["constraint_type"] == "PRIMARY KEY"]
            foreign = tuple(
                (row["own"][0], row["other"])
                for row in own
                if row["constraint_type"] == "FOREIGN KEY" and len(row["own"]) == 1
            )
            tables.append(Declared(name, keys[0] if keys else (), foreign))
        return by_keys(tables, self._columns, "rowid", self.place)

    def _row(self, name: str) -> str:
        """The column that tells the rows of a table apart: views have none."""
        found = self._rows(f"SELECT 1 AS one FROM duckdb_tables() WHERE table_name = {_text(name)}")
        return "rowid" if found else ""

    def _asked(self, query: exp.Select) -> pa.Table:
        with self._asking():
            return self._connection.sql(query.sql("duckdb")).to_arrow_table()

    def _rows(self, sql: str) -> list[dict[str, Any]]:
        with self._asking():
            found: list[dict[str, Any]] = self._connection.sql(sql).to_arrow_table().to_pylist()
            return found

    def stop(self) -> None:
        """End what runs."""
        self._connection.interrupt()

    def close(self) -> None:
        """Let go of the database."""
        self._connection.close()


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
