"""Tables of nodes and edges as a recipe describes them: what every delimited format ends in."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import SourceError, choices
from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, assemble, same_text
from graphtalk.graphs.formats.containers import read_tables_of, reader_of
from graphtalk.graphs.formats.files import plain_name
from graphtalk.graphs.formats.links import Lookup, NodeTableRows, check_links
from graphtalk.graphs.formats.rows import (
    Rows,
    column,
    name_column,
    read_parquet,
    read_rows,
    sniff_dialect,
    text_column,
)
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.outside import Part, assemble_outside, goes_outside
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec, Recipe, RelationSpec, TableSpec
from graphtalk.graphs.spill import Spill

PARQUET = (".parquet", ".pq")

Source: TypeAlias = Path | Rows  # a file, or its rows where they were read before
Finder: TypeAlias = Callable[[TableSpec], Sequence[Source]]


def read_recipe(recipe: Recipe, sources: Sequence[Path], importing: Importing) -> Graph:
    """The graph that `recipe` describes. Its globs are looked up in folders and among files in `sources`."""
    return read_tables(recipe, lambda spec: _find_all(spec, sources), importing)


def read_tables(recipe: Recipe, find: Finder, importing: Importing) -> Graph:
    """The graph that `recipe` describes; `find` says which files a table has."""
    if importing.spill is not None and _goes_outside(recipe, importing):
        return _outside(recipe, find, importing, importing.spill)
    tables = []
    for spec in recipe.nodes:
        for source in find(spec):
            rows = _joined_rows(spec, source, find, importing)
            tables.append(NodeTableRows(spec, rows, node_rows(spec, rows, recipe.default_type)))
            check_links(tables[-1])
    lookup = Lookup(tables, importing.rejects)
    codes = _relation_names(recipe, find, importing)
    edges = []
    for edge_spec in recipe.edges:
        for source in find(edge_spec):
            edges.append(_edges_in(edge_spec, source, lookup, codes, importing))
    edges += [lookup.edges(table, link) for table in tables for link in table.spec.links]
    nodes = [table.nodes for table in tables] + lookup.added()
    rules = Rules(_specs(recipe, codes), recipe.roles, recipe.default_type)
    return assemble(nodes, edges, rules, importing.rejects, importing.name)


def _goes_outside(recipe: Recipe, importing: Importing) -> bool:
    """Whether a recipe's tables can be gone through by batches. What looks at other rows too is read into memory."""
    whole = recipe.roles or any(
        not spec.id or spec.key or spec.kinds or spec.links or spec.join for spec in recipe.nodes
    )
    whole = whole or any(spec.source_type or spec.target_type or spec.kinds for spec in recipe.edges)
    what = "tables with keys, joins, roles, or kinds that a recipe names,"
    return goes_outside(importing.rejects, what if whole else "")


def _outside(recipe: Recipe, find: Finder, importing: Importing, spill: Spill) -> Graph:
    """The graph that `recipe` describes, its rows gone through by batches."""
    codes = _relation_names(recipe, find, importing)
    nodes = [
        Part(str(rows.path), rows.line, partial(_node_batches, spec, rows, recipe.default_type, spill))
        for spec in recipe.nodes
        for rows in (read_table(spec, source, importing) for source in find(spec))
    ]
    edges = [
        Part(str(rows.path), rows.line, partial(_edge_batches, edge_spec, rows, codes, spill))
        for edge_spec in recipe.edges
        for rows in (read_table(edge_spec, source, importing) for source in find(edge_spec))
    ]
    rules = Rules(_specs(recipe, codes), default_type=recipe.default_type)
    return assemble_outside(nodes, edges, rules, importing.rejects, importing.name, spill)


def _node_batches(spec: NodeSpec, rows: Rows, default_type: str, spill: Spill) -> Iterator[NodeRows]:
    return (node_rows(spec, replace(rows, table=t), default_type) for t in spill.batches(rows.table))


def _edge_batches(spec: EdgeSpec, rows: Rows, codes: Mapping[str, str], spill: Spill) -> Iterator[EdgeRows]:
    return (edge_rows(spec, replace(rows, table=t), codes) for t in spill.batches(rows.table))


def _edges_in(
    spec: EdgeSpec, source: Source, lookup: Lookup, codes: Mapping[str, str], importing: Importing
) -> EdgeRows:
    """The edges of a file; nothing here keeps its rows."""
    rows = read_table(spec, source, importing)
    return lookup.ends(spec, rows, edge_rows(spec, rows, codes))


def files_of(recipe: Recipe, sources: Sequence[Path]) -> list[Path]:
    """Every file that the recipe reads."""
    joins = [table for spec in recipe.nodes for table in spec.join]
    names = [recipe.relation_names] if recipe.relation_names else []
    specs: list[TableSpec] = [*recipe.nodes, *joins, *names, *recipe.edges]
    return [path for spec in specs for path in _find_all(spec, sources)]


def _find_all(spec: TableSpec, sources: Sequence[Path]) -> list[Path]:
    return [path for pattern in spec.files for path in _find(pattern, sources)]


def _find(pattern: str, sources: Sequence[Path]) -> list[Path]:
    found: list[Path] = []
    for source in sources:
        if source.is_dir():
            found += [inside_of(source, p) for p in sorted(source.glob(pattern)) if p.is_file()]
        elif fnmatch(source.name, Path(pattern).name):
            found.append(source)
    if not found:
        places = ", ".join(str(source) for source in sources)
        raise SourceError(f"no file {pattern!r} in {places}, though the recipe names it.")
    return found


def inside_of(folder: Path, file: Path) -> Path:
    """A file that was found in a folder. Raises SourceError where a link leads out of it.

    Whoever made the folder could else have any file of the reader's imported, and shown.
    """
    if not file.resolve().is_relative_to(folder.resolve()):
        raise SourceError(f"leads out of {folder}. If that is meant, give the file itself.", str(file))
    return file


def read_table(spec: TableSpec, path: Source, importing: Importing) -> Rows:
    """The rows of one file of a recipe's table."""
    if isinstance(path, Rows):
        return path
    if reader_of(path) is not None:
        held = read_tables_of(path, importing, spec.table)
        if len(held) > 1:
            raise SourceError(
                f"has several tables; a recipe names one: table. {choices('', held)}", str(path)
            )
        return next(iter(held.values()))[0]
    if plain_name(path).endswith(PARQUET):
        return read_parquet(path, importing)
    dialect = sniff_dialect(
        path, spec.columns, spec.header, spec.separator, spec.quote, spec.skip, spec.encoding
    )
    return read_rows(path, dialect, importing)


def frame_rows(table: pa.Table, name: str) -> Rows:
    """The rows of a table in memory; its columns keep their types."""
    return Rows(table, Path(name), textual=False)


def _joined_rows(spec: NodeSpec, path: Source, find: Finder, importing: Importing) -> Rows:
    rows = read_table(spec, path, importing)
    for table in spec.join:
        for file in find(table):
            rows = _joined(rows, read_table(table, file, importing), spec.id)
    return rows


def node_rows(spec: NodeSpec, rows: Rows, default_type: str) -> NodeRows:
    """Rows of nodes, their columns told apart as `spec` says."""
    ids = _prefixed(spec.prefix, text_column(rows, spec.id) if spec.id else _numbers(rows))
    keys = text_column(rows, spec.key) if spec.key else ids
    flags = {name: _flagged(rows, columns) for name, columns in spec.flags.items()}
    chosen = {
        spec.id,
        spec.key,
        spec.type,
        *(column for columns in spec.flags.values() for column in columns),
        *(link.column for link in spec.links),
    }
    named = {spec.label: text_column(rows, spec.label)} if spec.label and spec.label == spec.id else {}
    names = [*named, *_features(rows, spec.features, chosen), *flags, *spec.joined]
    lists = (
        named
        | flags
        | {name: _together(rows, columns) for name, columns in spec.joined.items()}
        | {name: _lists(rows, name, separator) for name, separator in spec.lists.items()}
    )
    features = [lists[name] if name in lists else _feature(rows, name) for name in names]
    label = names.index(spec.label) if spec.label in names else None
    free = "name" if label is not None and names[label] == "id" and "name" not in names else "id_"
    names = [free if name == "id" else name for name in names]
    types = _node_types(spec, rows, default_type)
    table = pa.table([ids, *features], names=["id", *names])
    kinds = dict(_kinds(spec, names, rows))
    if named and label is not None:
        kinds[names[label]] = "text"  # a key of numbers measures nothing
    return NodeRows(
        table,
        keys,
        types,
        str(rows.path),
        rows.line,
        "" if label is None else names[label],
        rows.textual,
        spec.distinct,
        kinds,
    )


def _node_types(spec: NodeSpec, rows: Rows, default_type: str) -> pa.ChunkedArray:
    if not spec.type:
        return same_text(spec.node_type or None, rows.table.num_rows)
    cells = text_column(rows, spec.type)
    if spec.types:
        cells = _mapped(cells, spec.types)
    return pc.if_else(pc.equal(cells, ""), default_type, cells)


def edge_rows(spec: EdgeSpec, rows: Rows, codes: Mapping[str, str]) -> EdgeRows:
    """Rows of edges, their columns told apart as `spec` says; `codes` are names of relations."""
    source = _prefixed(spec.source_prefix, name_column(rows, spec.source))
    target = _prefixed(spec.target_prefix, name_column(rows, spec.target))
    if spec.relation:
        relation = (
            _mapped(text_column(rows, spec.relation), codes) if codes else text_column(rows, spec.relation)
        )
    else:
        relation = same_text(spec.relation_name or "edge", rows.table.num_rows)
    names = _features(rows, spec.features, {spec.source, spec.target, spec.relation})
    same = [pa.array([value]).take(np.zeros(rows.table.num_rows, np.int64)) for value in spec.values.values()]
    features = pa.table([*(_feature(rows, name) for name in names), *same], names=[*names, *spec.values])
    kinds = _kinds(spec, names, rows)
    return EdgeRows(
        source, target, relation, features, str(rows.path), rows.line, spec.distinct, rows.textual, kinds
    )


def _relation_names(recipe: Recipe, find: Finder, importing: Importing) -> dict[str, str]:
    if recipe.relation_names is None:
        return {}
    spec = recipe.relation_names
    names: dict[str, str] = {}
    for path in find(spec):
        rows = read_table(spec, path, importing)
        names |= dict(
            zip(text_column(rows, "code").to_pylist(), text_column(rows, "name").to_pylist(), strict=True)
        )
    return names


def _specs(recipe: Recipe, codes: dict[str, str]) -> dict[str, RelationSpec]:
    return {codes.get(name, name): spec for name, spec in recipe.relations.items()}


# columns


def _feature(rows: Rows, name: str) -> pa.ChunkedArray:
    cells = column(rows, name)
    if rows.textual or not (pa.types.is_dictionary(cells.type) or pa.types.is_large_string(cells.type)):
        return cells
    return pc.cast(cells, pa.string())


def _lists(rows: Rows, name: str, separator: str) -> pa.ChunkedArray:
    """Cells cut at the separator; null where they are empty."""
    cells = text_column(rows, name)
    return pc.split_pattern(pc.if_else(pc.equal(cells, ""), None, cells), separator)


def _prefixed(prefix: str, cells: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.binary_join_element_wise(prefix, pc.cast(cells, pa.string()), "") if prefix else cells


def _numbers(rows: Rows) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(np.arange(1, rows.table.num_rows + 1)).cast(pa.string())])


def _together(rows: Rows, columns: Sequence[str]) -> pa.ChunkedArray:
    """The cells of several columns as one text, with blanks between."""
    cells = [pc.utf8_trim_whitespace(text_column(rows, name)) for name in columns]
    return pc.utf8_trim_whitespace(pc.binary_join_element_wise(*cells, " "))


def _flagged(rows: Rows, columns: Sequence[str]) -> pa.ChunkedArray:
    """For each row the names of those of its columns that say 1, as a list."""
    marks = np.stack([pc.equal(text_column(rows, name), "1").to_numpy() for name in columns], axis=1)
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(marks.sum(axis=1), dtype=np.int32)])
    return pa.chunked_array([pa.ListArray.from_arrays(ends, pa.array(columns).take(np.nonzero(marks)[1]))])


def _features(rows: Rows, chosen: tuple[str, ...] | None, taken: set[str]) -> list[str]:
    if chosen is not None:
        return list(chosen)
    return [name for name in rows.table.column_names if name not in taken]


def _kinds(spec: NodeSpec | EdgeSpec, names: Sequence[str], rows: Rows) -> Mapping[str, str]:
    """The kinds that the recipe says. Raises SourceError where it names no feature."""
    for name in spec.kinds:
        if name not in names:
            raise SourceError(f"kinds: no feature {name!r}. {choices(name, names, most=12)}", str(rows.path))
    return spec.kinds


def _mapped(cells: pa.ChunkedArray, names: Mapping[str, str]) -> pa.ChunkedArray:
    """Cells that stand in `names` replaced by what they stand for."""
    found = pc.index_in(cells, value_set=pa.array(list(names), pa.string()))
    return pc.coalesce(pa.chunked_array([list(names.values())], pa.string()).take(found), cells)


def _joined(rows: Rows, more: Rows, key: str) -> Rows:
    """The rows with the columns of `more` beside them, by the key column; the first match counts."""
    found = pc.index_in(text_column(rows, key), value_set=text_column(more, key))
    table = rows.table
    added = [name for name in more.places if name != key]
    columns = [column(more, name).take(found) for name in added]
    table = pa.table([*table.columns, *columns], names=[*table.column_names, *added])
    return Rows(table, rows.path, rows.textual, rows.dialect, rows.numbers)
