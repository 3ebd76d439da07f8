"""Node-link JSON, as networkx and D3 read it: one object with `nodes` and `links`, one of them a line."""

import json
from typing import BinaryIO

import pyarrow as pa

from graphtalk.graphs.graph import Graph
from graphtalk.graphs.note import MARK, column_names, note_of
from graphtalk.graphs.schema import NodeType, Relation
from graphtalk.graphs.writers.text import (
    Column,
    edge_batches,
    json_texts,
    line,
    node_batches,
    optional,
    write_lines,
)


def write_node_link(graph: Graph, file: BinaryIO) -> None:
    """Types, relations and features as members; dates as text."""
    relations = graph.schema.relations
    both = bool(relations) and all(r.undirected and r.source == r.target for r in relations)
    about = f'"directed": {json.dumps(not both)}, "multigraph": true, "graph": {{"name": {json.dumps(graph.name)}}}'
    file.write(f'{{"{MARK}": {note_of(graph.schema)},\n{about},\n"nodes": ['.encode())
    before = "\n"
    for t, table in node_batches(graph):
        start = ('{"id": ', json_texts(table.column("id")), f', "type": {json.dumps(t.name)}')
        _write(file, before, line(*start, *_members(t, table), "}"))
        before = ",\n"
    file.write(b'],\n"links": [')
    before = "\n"
    for r, source, target, table in edge_batches(graph):
        ends = ('{"source": ', json_texts(source), ', "target": ', json_texts(target))
        of = f', "relation": {json.dumps(r.name)}'
        _write(file, before, line(*ends, of, *_members(r, table), "}"))
        before = ",\n"
    file.write(b"]}\n")


def _write(file: BinaryIO, before: str, lines: Column) -> None:
    """Objects, each after a comma but the first of all, before which stands `before`."""
    file.write(before.encode())
    write_lines(file, lines.slice(0, 1))
    write_lines(file, line(",\n", lines.slice(1)))


def _members(part: NodeType | Relation, table: pa.Table) -> list[Column]:
    found = []
    for feature, column in column_names(part.features).items():
        found.append(optional(f", {json.dumps(column)}: ", json_texts(table.column(feature))))
    return found
