"""Databases at an address, as SQLAlchemy has it (`postgresql://me@host/shop`): their tables as nodes, keys as relations.

Tables are read, within limits, and nothing is written. A password stands in the environment of the driver (`PGPASSWORD`), or
in the address, which no message shows.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError, choices
from graphtalk.core.limits import look
from graphtalk.graphs.extras import library
from graphtalk.graphs.formats.containers import Declared, chosen, rows_of_values
from graphtalk.graphs.formats.rows import Rows
from graphtalk.graphs.formats.tables import read_tables
from graphtalk.graphs.formats.tabular import Planned, plan_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import Recipe, TableSpec
from graphtalk.graphs.sources import Database
from graphtalk.graphs.tabular import SourceTable

_CHUNK = 10_000


def planned(database: Database, importing: Importing) -> Planned:
    """How the tables of a database make a graph. Raises SourceError where it cannot be reached or read."""
    return plan_tables(tables(database, importing), importing)


def read_by(recipe: Recipe, database: Database, importing: Importing) -> Graph:
    """The graph that a recipe makes of the tables of a database. Raises SourceError where one is not there."""
    rows = {table.name: table.rows for table in tables(database, importing)}

    def find(spec: TableSpec) -> list[Rows]:
        if spec.table not in rows:
            raise SourceError(
                f"no table {spec.table!r}. {choices(spec.table, rows, most=12)}", database.shown
            )
        return [rows[spec.table]]

    return read_tables(recipe, find, importing)


def tables(database: Database, importing: Importing) -> list[SourceTable]:
    """All tables of a database. Raises SourceError where it cannot be reached or read."""
    sqlalchemy = library("sqlalchemy", "sqlalchemy")
    place = Path(database.shown)
    try:
        engine = sqlalchemy.create_engine(database.url)
        try:
            with engine.connect() as connection:
                return _tables(sqlalchemy, connection, place, importing)
        finally:
            engine.dispose()
    except (sqlalchemy.exc.SQLAlchemyError, ImportError, UnicodeError) as error:
        told = str(getattr(error, "orig", None) or error).splitlines()[0]
        told = told.replace(database.url, database.shown)
        if isinstance(error, ImportError):
            told = f"its driver is not installed: {told}"
        raise SourceError(f"cannot be read ({told}).", database.shown) from None


def _tables(sqlalchemy: Any, connection: Any, place: Path, importing: Importing) -> list[SourceTable]:
    inspector = sqlalchemy.inspect(connection)
    found = []
    for name in chosen(inspector.get_table_names(), None, place):
        columns = [column["name"] for column in inspector.get_columns(name)]
        table = sqlalchemy.table(name, *map(sqlalchemy.column, columns))
        rows = rows_of_values(columns, _rows(connection, sqlalchemy.select(table)), place, importing)
        key = tuple(inspector.get_pk_constraint(name).get("constrained_columns") or ())
        foreign = {
            told["constrained_columns"][0]: (told["referred_table"], told["referred_columns"][0])
            for told in inspector.get_foreign_keys(name)
            if len(told["constrained_columns"]) == 1
        }
        told = Declared(key, foreign)
        found.append(SourceTable(name, place.name, rows, name, told.key, told.foreign))
    return found


def _rows(connection: Any, statement: Any) -> Iterator[tuple[Any, ...]]:
    result = connection.execution_options(stream_results=True, yield_per=_CHUNK).execute(statement)
    for part in result.partitions(_CHUNK):
        look()
        yield from (tuple(row) for row in part)
