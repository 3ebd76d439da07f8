"""Tables: CSV and Parquet pairs of nodes and edges, and the CSV files that `neo4j-admin database import` takes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

from graphtalk.core import CheckError, UsageError, choices
from graphtalk.graphs.columns import concat
from graphtalk.graphs.note import MARK, NOTE_FILE, column_names, note_of
from graphtalk.graphs.schema import NodeType, Relation
from graphtalk.graphs.writers.text import Column, edge_batches, node_batches, texts

if TYPE_CHECKING:
    from graphtalk.graphs.graph import Graph

_Part: TypeAlias = NodeType | Relation
_NOT_NEO4J = re.compile(r"[:{}(]|^\s|\s$")
_BETWEEN = ";"  # entries of a list in Neo4j's files


def write_csv(graph: "Graph", folder: Path) -> None:
    """`nodes.csv` (id, type, features), `edges.csv` (source, relation, target, features), and the schema as JSON.

    Where types have features of one name and different kinds, each such group of types has a file of its own.
    """
    for name, batches in _tables(graph):
        writer = None
        for table in batches:
            table = pa.table([_csv(c) for c in table.columns], names=table.column_names)
            writer = writer or pa.csv.CSVWriter(str(folder / f"{name}.csv"), table.schema)
            writer.write_table(table)
        if writer is not None:
            writer.close()
    write_note(graph, folder)


def write_parquet(graph: "Graph", folder: Path) -> None:
    """`nodes.parquet` and `edges.parquet`, their columns as those of `write_csv`, and the schema as JSON."""
    for name, batches in _tables(graph):
        writer = None
        for table in batches:
            writer = writer or pa.parquet.ParquetWriter(str(folder / f"{name}.parquet"), table.schema)
            writer.write_table(table)
        if writer is not None:
            writer.close()
    write_note(graph, folder)


def write_neo4j(graph: "Graph", folder: Path) -> None:
    """A file a node type (`id:ID`, features with their types, `:LABEL`) and a relation (`:START_ID`, `:END_ID`, `:TYPE`)."""
    places: dict[str, int] = {}
    unclear = {t.name: _unclear(graph.columns[t.name]) for t in graph.schema.node_types}
    doubtful = dict(zip(graph.schema.relations, map(_unclear, graph.edge_columns), strict=True))
    for t, table in node_batches(graph):
        place = places.setdefault(f"nodes {t.name}", len(places))
        features = _typed(t, table, unclear[t.name])
        columns = {"id:ID": table.column("id"), **features, ":LABEL": _same(t.name, len(table))}
        _append(folder / f"nodes.{place}.csv", columns)
    for r, source, target, table in edge_batches(graph):
        place = places.setdefault(f"edges {r.source} {r.name} {r.target}", len(places))
        ends = {":START_ID": source, ":END_ID": target, ":TYPE": _same(r.name, len(source))}
        _append(folder / f"edges.{place}.csv", ends | _typed(r, table, doubtful[r]))
    write_note(graph, folder)


def write_note(graph: "Graph", folder: Path) -> None:
    """The schema beside the tables, which a folder's import takes up."""
    (folder / NOTE_FILE).write_text(f'{{"{MARK}": {note_of(graph.schema)}\n}}\n', encoding="ascii")


def node_frame(graph: "Graph", node_type: str | None = None) -> pa.Table:
    """All nodes of a type, or of all, as one table: `id`, `type`, features; different kinds become text."""
    types = graph.schema.node_types if node_type is None else (graph.schema.node_type(node_type),)
    return concat(
        [_node_table(t, graph.columns[t.name], {}) for t in types] or [pa.table({"id": [], "type": []})]
    )


def edge_frame(graph: "Graph", relation: str | None = None) -> pa.Table:
    """All edges of relations of a name, or of all, as one table: `source`, `relation`, `target`, features.

    Raises CheckError where no relation is called so.
    """
    names = [r.name for r in graph.schema.relations]
    if relation is not None and relation not in names:
        raise CheckError(f"No relation {relation!r}. {choices(relation, names)}")
    empty = pa.table({name: pa.array([], pa.string()) for name in ("source", "relation", "target")})
    found = [
        _edge_table(r, source, target, table, {})
        for r, source, target, table in edge_batches(graph)
        if relation in (None, r.name)
    ]
    return concat([empty, *found])


def _tables(graph: "Graph") -> Iterator[tuple[str, Iterator[pa.Table]]]:
    """Files of nodes and of edges: their names, and the batches of their rows."""
    schema = graph.schema
    nodes = _groups(schema.node_types, [graph.columns[t.name].schema for t in schema.node_types])
    edges = _groups(schema.relations, [table.schema for table in graph.edge_columns])
    for number, (group, columns) in enumerate(nodes):
        name = "nodes" if len(nodes) == 1 else f"nodes.{number}"
        yield name, (_node_table(t, part, columns) for t, part in node_batches(graph) if t in group)
    for number, (relations, columns) in enumerate(edges):
        name = "edges" if len(edges) == 1 else f"edges.{number}"
        yield (
            name,
            (_edge_table(r, s, t, part, columns) for r, s, t, part in edge_batches(graph) if r in relations),
        )


def _groups(
    parts: Sequence[NodeType | Relation], schemas: Sequence[pa.Schema]
) -> list[tuple[list[NodeType | Relation], dict[str, pa.DataType]]]:
    """Parts that one table can hold, as each of its columns is of one Arrow type; with these columns."""
    groups: list[tuple[list[NodeType | Relation], dict[str, pa.DataType]]] = []
    for part, schema in zip(parts, schemas, strict=True):
        own = {column: schema.field(name).type for name, column in column_names(part.features).items()}
        for group, columns in groups:
            if all(columns.get(name, kind) == kind for name, kind in own.items()):
                group.append(part)
                columns.update(own)
                break
        else:
            groups.append(([part], own))
    return groups


def _node_table(t: NodeType, table: pa.Table, columns: dict[str, pa.DataType]) -> pa.Table:
    return pa.table(
        {
            "id": table.column("id"),
            "type": _same(t.name, len(table)),
            **_columns(t, table, columns, len(table)),
        }
    )


def _edge_table(
    r: Relation, source: Column, target: Column, table: pa.Table, columns: dict[str, pa.DataType]
) -> pa.Table:
    ends = {"source": source, "relation": _same(r.name, len(source)), "target": target}
    return pa.table({**ends, **_columns(r, table, columns, len(source))})


def _columns(part: _Part, table: pa.Table, columns: dict[str, pa.DataType], rows: int) -> dict[str, Column]:
    """The features, and a column without values for each other one of the group."""
    own = {column: table.column(name) for name, column in column_names(part.features).items()}
    return own if not columns else {n: own.get(n, pa.nulls(rows, kind)) for n, kind in columns.items()}


def _same(text: str, count: int) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), count)


def _csv(column: Column) -> Column:
    """What Arrow does not write as CSV, or not in ISO 8601, or not with a point (1.0 as 1), as text."""
    kind = column.type
    as_text = pa.types.is_temporal(kind) or pa.types.is_nested(kind) or pa.types.is_floating(kind)
    return texts(column) if as_text else column


# Neo4j


def _append(path: Path, columns: dict[str, Column]) -> None:
    """Write a table as CSV, after what the file has."""
    there = path.exists()
    with path.open("ab") as file:
        pa.csv.write_csv(pa.table(columns), file, pa.csv.WriteOptions(include_header=not there))


def _typed(part: _Part, table: pa.Table, unclear: set[str]) -> dict[str, Column]:
    """Features with their types in the names of their columns. Raises UsageError for a name that these cannot hold."""
    found = {}
    for feature, column in column_names(part.features).items():
        if _NOT_NEO4J.search(column):
            raise UsageError(
                f"The feature {feature!r} of {part.name} cannot stand in a Neo4j header. Export as csv or parquet instead."
            )
        cells = table.column(feature)
        if pa.types.is_list(cells.type) and feature not in unclear:
            found[f"{column}:{_neo4j_type(cells.type)}"] = _entries(cells)
        else:
            kind = pa.string() if feature in unclear else cells.type
            found[f"{column}:{_neo4j_type(kind)}"] = _csv(cells)
    return found


def _unclear(table: pa.Table) -> set[str]:
    """The lists that a semicolon between their entries would not tell: those are written as JSON, in a text."""
    found = set()
    for name in table.column_names:
        column = table.column(name)
        if not pa.types.is_list(column.type):
            continue
        items = pa.chunked_array([chunk.flatten() for chunk in column.chunks], column.type.value_type)
        empty = pc.any(pc.equal(pc.list_value_length(column), 0)).as_py()
        odd = (
            pa.types.is_string(items.type) and pc.any(pc.match_substring_regex(items, r"^$|[;\s\"]")).as_py()
        )
        if empty or odd or items.null_count:
            found.add(name)
    return found


def _neo4j_type(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"{_neo4j_type(kind.value_type)}[]"
    if pa.types.is_timestamp(kind):
        return "datetime" if kind.tz else "localdatetime"
    if pa.types.is_date(kind):
        return "date"
    if pa.types.is_boolean(kind):
        return "boolean"
    return "long" if pa.types.is_integer(kind) else "double" if pa.types.is_floating(kind) else "string"


def _entries(lists: Column) -> Column:
    """Lists as texts, a semicolon between their entries."""
    found = []
    for chunk in lists.chunks:
        flat = texts(pa.chunked_array([chunk.flatten()])).combine_chunks()
        lengths = pc.fill_null(pc.list_value_length(chunk), 0)
        ends = pa.concat_arrays([pa.array([0], pa.int32()), pc.cumulative_sum(lengths).cast(pa.int32())])
        joined = pc.binary_join(pa.ListArray.from_arrays(ends, flat), _BETWEEN)
        found.append(pc.if_else(chunk.is_null(), None, joined))
    return pa.chunked_array(found, pa.string())
