"""CSV of Neo4j: the headers of `neo4j-admin database import` (`:ID`, `:LABEL`, `:START_ID`, …), and what apoc.export.csv writes.

A header may stand in a file of its own (`movies_header.csv` beside `movies.csv`). The first label of a node is its type.
Ids of different spaces (`:ID(Person)`) that two nodes share get the space's name before them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import SourceError
from graphtalk.graphs.formats.files import head_lines, plain_name
from graphtalk.graphs.formats.rows import Dialect, Rows, first_cells, read_rows, rows_at, sniff_dialect
from graphtalk.graphs.formats.tables import read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec, Recipe, TableSpec

_FIELD = re.compile(
    r"^(?P<name>[^:]*)(?::(?P<kind>[A-Za-z_]+)(?:\((?P<space>[^)]*)\))?(?:\{[^}]*\})?(?P<list>\[\])?)?$"
)
_HEADER = re.compile(r"(^|[,;|\t\"])[^,;|\t\"]*:(START_ID|END_ID|ID)\b")
_APOC = ("_id", "_labels", "_start", "_end", "_type")
_KINDS = {"boolean": "boolean"} | dict.fromkeys(("int", "long", "short", "byte", "float", "double"), "number")
_KINDS |= dict.fromkeys(("string", "char", "point", "duration", "time", "localtime"), "text")


@dataclass(frozen=True)
class _Field:
    """A column: its property, its kind or its part (ID, LABEL, …), the space of its ids, and whether it is an array."""

    column: str
    name: str
    kind: str
    space: str
    is_list: bool


@dataclass(frozen=True)
class _Part:
    """A file with the fields of its header."""

    path: Path
    fields: tuple[_Field, ...]
    rows: Rows

    def field(self, kind: str) -> _Field | None:
        """The first field of a kind."""
        return next((f for f in self.fields if f.kind == kind), None)


def sniff(path: Path) -> bool:
    """Whether a file has the header of a Neo4j import."""
    if not is_delimited(path):
        return False
    first = (head_lines(path) or [""])[0]
    return _HEADER.search(first) is not None or _is_apoc(first)


def is_delimited(path: Path) -> bool:
    """Whether a file could hold rows of nodes or relationships."""
    return path.is_file() and plain_name(path).endswith((".csv", ".tsv", ".txt", ".header"))


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files of nodes and of relationships, with their headers."""
    parts, apoc = [], []
    for path, header in _with_headers(sources):
        if _is_apoc(head_lines(header)[0]):
            apoc.append(path)
        else:
            parts.append(_part(path, header, importing))
    nodes = [_nodes(part, parts) for part in parts if part.field("ID")]
    edges = [_edges(part, parts) for part in parts if part.field("START_ID")]
    for path in apoc:
        made = _from_apoc(path, importing)
        nodes.append(made[0])
        edges.append(made[1])
    nodes = [(spec, rows) for spec, rows in nodes if rows.table.num_rows]
    edges = [(spec, rows) for spec, rows in edges if rows.table.num_rows]
    if not nodes:
        raise SourceError("has relationships but no nodes: give the files of the nodes too.", str(sources[0]))
    found = {spec.files[0]: rows for spec, rows in (*nodes, *edges)}

    def find(spec: TableSpec) -> list[Rows]:
        return [found[spec.files[0]]]

    recipe = Recipe(nodes=tuple(spec for spec, _ in nodes), edges=tuple(spec for spec, _ in edges))
    return read_tables(recipe, find, importing)


def _is_apoc(line: str) -> bool:
    cells = {cell.strip('"') for cell in re.split("[,;\t]", line)}
    return {"_id", "_labels"} <= cells or {"_start", "_end", "_type"} <= cells


def _with_headers(sources: Sequence[Path]) -> list[tuple[Path, Path]]:
    """Each file of rows with the one that has its header, which may be itself."""
    headers = {path: _stem(path) for path in sources if sniff(path)}
    alone = {path: stem for path, stem in headers.items() if stem != _plain_stem(path)}
    found: list[tuple[Path, Path]] = []
    for path in sources:
        if path in headers and path not in alone:
            found.append((path, path))
        elif path not in alone:
            fitting = [h for h, stem in alone.items() if stem and _plain_stem(path).startswith(stem)]
            if not fitting:
                raise SourceError(
                    "has no header such as :ID or :START_ID, and no file of one goes with it.", str(path), 1
                )
            found.append((path, max(fitting, key=lambda h: len(alone[h]))))
    used = {header for _, header in found}
    return found + [(path, path) for path in alone if path not in used]


def _plain_stem(path: Path) -> str:
    return plain_name(path).rsplit(".", 1)[0]


def _stem(path: Path) -> str:
    """What the files of rows of a header begin with, where its name says that it is one."""
    return re.sub(r"[-_.]?headers?\b", "", _plain_stem(path))


def _part(path: Path, header: Path, importing: Importing) -> _Part:
    fields = []
    for cell in first_cells(header):
        found = _FIELD.match(cell.strip())
        if found is None:
            raise SourceError(f"{cell!r} is no field of a Neo4j header.", str(header), 1)
        kind = found["kind"] or "string"
        kind = (
            kind.upper()
            if kind.upper() in ("ID", "LABEL", "START_ID", "END_ID", "TYPE", "IGNORE")
            else kind.lower()
        )
        fields.append(_Field(cell, found["name"], kind, found["space"] or "", bool(found["list"])))
    columns = tuple(f"{i}" for i in range(len(fields)))
    dialect: Dialect = sniff_dialect(header, columns)
    if header != path:
        dialect = replace(dialect, skip=0)
    rows = read_rows(path, dialect, importing)
    placed = tuple(replace(f, column=column) for f, column in zip(fields, columns, strict=True))
    return _Part(path, placed, rows)


def _nodes(part: _Part, parts: Sequence[_Part]) -> tuple[NodeSpec, Rows]:
    identity, label = part.field("ID"), part.field("LABEL")
    assert identity is not None
    names, columns, lists, kinds = _properties(part)
    if label is not None:
        names.append("\0type")
        columns.append(_first_label(part.rows.table.column(label.column)))
    table = pa.table([part.rows.table.column(identity.column), *columns], names=["\0id", *names])
    spec = NodeSpec(
        (str(part.path),),
        id="\0id",
        prefix=_prefix(identity.space, parts),
        type="\0type" if label is not None else "",
        node_type="" if label is not None else _plain_stem(part.path),
        label=next((n for n in ("name", "title", "label") if n in names), ""),
        lists=lists,
        kinds=kinds,
    )
    return spec, replace(part.rows, table=table)


def _edges(part: _Part, parts: Sequence[_Part]) -> tuple[EdgeSpec, Rows]:
    source, target, kind = part.field("START_ID"), part.field("END_ID"), part.field("TYPE")
    assert source is not None
    if target is None:
        raise SourceError("has a :START_ID but no :END_ID.", str(part.path), 1)
    names, columns, lists, kinds = _properties(part)
    ends = [part.rows.table.column(f.column) for f in (source, target)]
    if kind is not None:
        names.append("\0relation")
        columns.append(part.rows.table.column(kind.column))
    for name, mark in lists.items():
        place = names.index(name)
        cells = columns[place]
        columns[place] = pc.split_pattern(pc.if_else(pc.equal(cells, ""), None, cells), mark)
    spec = EdgeSpec(
        (str(part.path),),
        source="\0source",
        target="\0target",
        source_prefix=_prefix(source.space, parts),
        target_prefix=_prefix(target.space, parts),
        relation="\0relation" if kind is not None else "",
        relation_name=_plain_stem(part.path),
        kinds=kinds,
    )
    table = pa.table([*ends, *columns], names=["\0source", "\0target", *names])
    return spec, replace(part.rows, table=table)


def _properties(part: _Part) -> tuple[list[str], list[pa.ChunkedArray], dict[str, str], dict[str, str]]:
    """Names, columns, what separates lists, and kinds of the properties of a file."""
    names: list[str] = []
    columns, lists, kinds = [], {}, {}
    for field in part.fields:
        if field.kind.isupper() or not field.name:
            continue
        if field.name in names:
            raise SourceError(f"the property {field.name!r} stands twice in the header.", str(part.path), 1)
        names.append(field.name)
        columns.append(part.rows.table.column(field.column))
        if field.is_list:
            lists[field.name] = ";"
        if field.kind in _KINDS:
            kinds[field.name] = _KINDS[field.kind]
    return names, columns, lists, kinds


def _first_label(cells: pa.ChunkedArray) -> pa.ChunkedArray:
    return pc.replace_substring_regex(pc.utf8_ltrim(cells, ":"), "[;:].*", "")


def _prefix(space: str, parts: Sequence[_Part]) -> str:
    """What goes before the ids of a space: nothing where no other space has any of them."""
    held: dict[str, list[pa.ChunkedArray]] = {}
    for part in parts:
        field = part.field("ID")
        if field is not None:
            held.setdefault(field.space, []).append(part.rows.table.column(field.column))
    if len(held) < 2 or not space:
        return ""
    distinct = [
        pc.unique(pa.chunked_array([c for column in columns for c in column.chunks], pa.string()))
        for columns in held.values()
    ]
    whole = pa.chunked_array(distinct)
    return f"{space}:" if len(pc.unique(whole)) < len(whole) else ""


def _from_apoc(path: Path, importing: Importing) -> tuple[tuple[NodeSpec, Rows], tuple[EdgeSpec, Rows]]:
    """Nodes and relationships of a file that has both, each in rows of their own."""
    rows = read_rows(path, sniff_dialect(path), importing)
    table = rows.table
    empty = pa.chunked_array([pa.repeat(pa.scalar(""), table.num_rows)])
    parts = {name: table.column(name) if name in table.column_names else empty for name in _APOC}
    is_node = pc.not_equal(parts["_id"], "").to_numpy()
    is_edge = pc.not_equal(parts["_start"], "").to_numpy()
    names = [name for name in table.column_names if name not in _APOC]
    held = []
    for chosen, renamed in (
        (is_node, {"\0id": parts["_id"], "\0type": _first_label(parts["_labels"])}),
        (
            is_edge & ~is_node,
            {"\0source": parts["_start"], "\0target": parts["_end"], "\0relation": parts["_type"]},
        ),
    ):
        whole = pa.table([*renamed.values(), *(table.column(n) for n in names)], names=[*renamed, *names])
        held.append(rows_at(replace(rows, table=whole), np.flatnonzero(chosen)))
    label = next((n for n in ("name", "title", "label") if n in names), "")
    nodes = NodeSpec((f"{path} nodes",), id="\0id", type="\0type", label=label)
    edges = EdgeSpec((f"{path} edges",), source="\0source", target="\0target", relation="\0relation")
    return (nodes, held[0]), (edges, held[1])
