"""Tables of any layout: folders of CSV files with keys to one another, workbooks, databases.

What is nodes and what is edges is told from what the columns hold (`graphs/tabular`).
"""

import glob
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.graphs.formats import delimited
from graphtalk.graphs.formats.containers import read_tables_of, reader_of
from graphtalk.graphs.formats.files import COMPRESSIONS, guess_encoding, plain_name
from graphtalk.graphs.formats.rows import Rows, read_parquet, read_rows, sniff_dialect
from graphtalk.graphs.formats.tables import PARQUET, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import TableSpec
from graphtalk.graphs.tabular import Plan, SourceTable, plan

_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".dat", *PARQUET)


@dataclass(frozen=True)
class Planned:
    """A plan for sources, and their tables as they were read."""

    plan: Plan
    tables: tuple[SourceTable, ...]

    def graph(self, importing: Importing) -> Graph:
        """The graph that the plan makes of the tables."""
        for note in self.plan.notes:
            importing.rejects.note(note)
        rows = {(table.file, table.table): table.rows for table in self.tables}

        def find(spec: TableSpec) -> list[Rows]:
            return [rows[file, spec.table] for file in spec.files]

        return read_tables(self.plan.recipe, find, importing)


def sniff(path: Path) -> bool:
    """Whether a file holds several tables: a workbook or a database."""
    return reader_of(path) is not None


def sniff_named(path: Path) -> bool:
    """Whether a file is called as workbooks and databases are, whatever it holds."""
    return path.is_file() and path.suffix.lower() in (".xlsx", ".xlsm")


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """The graph of files of tables: delimited, Parquet, workbooks, databases."""
    return planned(sources, importing).graph(importing)


def without_prose(files: Sequence[Path]) -> list[Path]:
    """The files without those that are more likely texts about the others than tables beside them."""
    tables = [path for path in files if not plain_name(path).endswith((".txt", ".dat"))]
    return tables or list(files)


def has_headers(files: Sequence[Path]) -> bool:
    """Whether the tables in files have columns with names, so that a recipe can say what each is."""
    return all(sniff(path) or sniff_named(path) or delimited.names_columns(path) for path in files)


def planned(sources: Sequence[Path], importing: Importing) -> Planned:
    """How the tables in files make a graph. Raises SourceError where they cannot be read."""
    tables: list[SourceTable] = []
    for path in sources:
        tables += _tables(path, sources, importing)
    return plan_tables(tables, importing)


def plan_tables(tables: Sequence[SourceTable], importing: Importing) -> Planned:
    """How these tables make a graph. Tables without rows or columns are left out, and said."""
    for table in tables:
        if not table.height:
            importing.rejects.note(f"{table.rows.path.name}: {table.name!r} has no rows.")
    kept = _named_apart([table for table in tables if table.height])
    if not kept:
        raise SourceError("has no table with rows and columns.", str(tables[0].rows.path) if tables else "")
    return Planned(plan(kept, importing.name), tuple(kept))


def _tables(path: Path, sources: Sequence[Path], importing: Importing) -> list[SourceTable]:
    same = sum(other.name == path.name for other in sources) > 1
    file = glob.escape(str(path) if same else path.name)
    if reader_of(path) is not None or sniff_named(path):
        held = read_tables_of(path, importing)
        return [
            SourceTable(name, file, rows, name, told.key, told.foreign) for name, (rows, told) in held.items()
        ]
    return [SourceTable(table_name(path), file, _rows(path, importing))]


def _rows(path: Path, importing: Importing) -> Rows:
    if plain_name(path).endswith(PARQUET):
        return read_parquet(path, importing)
    encoding = guess_encoding(path)
    if encoding:
        importing.rejects.note(f"{path.name} is not in UTF-8; it was read as {encoding}.")
    dialect = sniff_dialect(path, encoding=encoding)
    return read_rows(path, dialect, importing)


def table_name(path: Path) -> str:
    """What a file's table is called: the file's name without its endings."""
    name = path.name
    for ending in (*COMPRESSIONS, *_ENDINGS):
        if name.lower().endswith(ending) and len(name) > len(ending):
            name = name[: -len(ending)]
    return name


def _named_apart(tables: Sequence[SourceTable]) -> list[SourceTable]:
    """The tables with names of their own: the file's goes before one that several have."""
    names = [table.name for table in tables]
    found, taken = [], set()
    for table in tables:
        name = table.name
        if names.count(name) > 1:
            name = f"{table.rows.path.stem} {name}" if table.table else table.rows.path.name
        while name in taken:
            name += "_"
        taken.add(name)
        found.append(replace(table, name=name))
    return found
