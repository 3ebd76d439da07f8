"""Tables of any layout: folders of CSV files with keys to one another, workbooks, databases.

What is nodes and what is edges is told from what the columns hold (`graphs/tabular`).
"""

import glob
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import SourceError
from graphtalk.graphs.columns import concat
from graphtalk.graphs.formats.containers import read_tables_of, reader_of
from graphtalk.graphs.formats.files import COMPRESSIONS, guess_encoding, head_lines, plain_name
from graphtalk.graphs.formats.layout import bare_spec, layout, names_columns
from graphtalk.graphs.formats.rows import Rows, read_parquet, read_rows, sniff_dialect, split_line
from graphtalk.graphs.formats.tables import PARQUET, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import TableSpec
from graphtalk.graphs.tabular import Plan, SourceTable, plan
from graphtalk.graphs.tabular.words import stem, words

_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".dat", *PARQUET)


@dataclass(frozen=True)
class Planned:
    """A plan for sources, and their tables as they were read."""

    plan: Plan
    tables: tuple[SourceTable, ...]

    def graph(self, importing: Importing) -> Graph:
        """The graph that the plan makes of the tables."""
        for fault in self.plan.faults:
            raise fault
        for note in self.plan.notes:
            importing.rejects.note(note)
        rows = {(table.file, table.table): table.rows for table in self.tables}
        if importing.spill is None:
            ends = {name for spec in self.plan.recipe.edges for name in (spec.source, spec.target)}
            rows = {key: _with_codes(table, ends) for key, table in zip(rows, self.tables, strict=True)}
        for table in self.tables:
            vars(table).pop("columns", None)  # what was looked at to make the plan is as large as the tables

        def find(spec: TableSpec) -> list[Rows]:
            return [rows[file, spec.table] for file in spec.files]

        return read_tables(self.plan.recipe, find, importing)


def _with_codes(table: SourceTable, names: Collection[str]) -> Rows:
    """The rows of a table, its columns of these names as numbers of their different values, as far as these were looked up."""
    cells = table.rows.table
    for name, column in table.columns.items():
        if name in names and "coded" in vars(column):
            cells = cells.set_column(table.rows.places[name], name, column.coded)
    return replace(table.rows, table=cells)


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
    """Whether any of the tables in files has columns with names, so that a recipe can say what each is."""
    return any(map(_names_columns, files))


def _names_columns(path: Path) -> bool:
    return sniff(path) or sniff_named(path) or names_columns(path)


def planned(sources: Sequence[Path], importing: Importing) -> Planned:
    """How the tables in files make a graph. Raises SourceError where they cannot be read."""
    bare = [path for path in sources if not _names_columns(path)]
    tables: list[SourceTable] = []
    for path in (*(path for path in sources if path not in bare), *bare):
        tables += _tables(path, sources, tables, importing)
    return plan_tables(_whole(tables), importing)


def _whole(tables: Sequence[SourceTable]) -> list[SourceTable]:
    """The tables, those that are parts of one (`nodes/part-00000.parquet`) joined, and called as their folder."""
    found: dict[Path, list[SourceTable]] = {}
    whole = []
    for table in tables:
        if table.rows.path.name.startswith("part-"):
            found.setdefault(table.rows.path.parent, []).append(table)
        else:
            whole.append(table)
    return [*whole, *(_joined(folder.name, parts) for folder, parts in found.items())]


def _joined(name: str, parts: Sequence[SourceTable]) -> SourceTable:
    rows = replace(parts[0].rows, table=concat([part.rows.table for part in parts]))
    return replace(parts[0], name=name, file=f"{glob.escape(name)}/part-*", rows=rows)


def plan_tables(tables: Sequence[SourceTable], importing: Importing) -> Planned:
    """How these tables make a graph. Tables without rows or columns are left out, and said."""
    for table in tables:
        if not table.height:
            importing.rejects.note(f"{table.rows.path.name}: {table.name!r} has no rows.")
    kept = _named_apart([table for table in tables if table.height])
    if not kept:
        raise SourceError(
            "has no table with rows and columns: nothing stands below its header.",
            str(tables[0].rows.path) if tables else "",
        )
    return Planned(plan(kept, importing.name, importing.types), tuple(kept))


def _tables(
    path: Path, sources: Sequence[Path], known: Sequence[SourceTable], importing: Importing
) -> list[SourceTable]:
    same = sum(other.name == path.name for other in sources) > 1
    file = glob.escape(str(path) if same else path.name)
    if reader_of(path) is not None or sniff_named(path):
        held = read_tables_of(path, importing)
        return [
            SourceTable(name, file, rows, name, told.key, told.foreign) for name, (rows, told) in held.items()
        ]
    if plain_name(path).endswith(PARQUET):
        return [SourceTable(table_name(path), file, read_parquet(path, importing))]
    header = _names_columns(path) or _first_line_names(path, known)
    return [SourceTable(table_name(path), file, _rows(path, header, importing), header=header)]


def _first_line_names(path: Path, known: Sequence[SourceTable]) -> bool:
    """Whether the first line of a file names its columns.

    It is called as other tables are, or these know what stands below it, but not what it says.
    """
    skip, cells = layout(path)
    tables = {words(table.name) for table in known}
    if all(any(stem(cell)[-len(name) :] == name for name in tables if name) for cell in cells[:2]):
        return True
    rows = [split_line(line, path) for line in head_lines(path, skip + 50)[skip + 1 :] if line]
    said = pa.array([*cells[:2], *(cell for row in rows for cell in row[:2])], pa.string())
    found = np.zeros(len(said), bool)
    for column in (c for table in known for c in table.columns.values() if c.unique or c.kind == "text"):
        found |= pc.is_in(said, value_set=column.distinct).to_numpy(zero_copy_only=False)
    return not found[:2].any() and found[2:].mean() > 0.5 if rows else False


def _rows(path: Path, header: bool, importing: Importing) -> Rows:
    encoding = guess_encoding(path)
    if encoding:
        importing.rejects.note(f"{path.name} is not in UTF-8; it was read as {encoding}.")
    if header:
        dialect = sniff_dialect(path, skip=layout(path)[0], encoding=encoding)
    else:
        spec = bare_spec(path)
        dialect = sniff_dialect(path, spec.columns, header=False, skip=spec.skip, encoding=encoding)
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
