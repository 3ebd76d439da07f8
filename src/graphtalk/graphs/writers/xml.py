"""GraphML and GEXF."""

from collections.abc import Iterable, Mapping
from typing import BinaryIO, TypeAlias

import pyarrow as pa

from graphtalk.graphs.graph import Graph
from graphtalk.graphs.note import MARK, column_names, note_of
from graphtalk.graphs.schema import NodeType, Relation
from graphtalk.graphs.writers.text import (
    Column,
    edge_batches,
    labels,
    line,
    node_batches,
    optional,
    texts,
    write_lines,
    xml_escape,
    xml_escaped,
)

_Keys: TypeAlias = Mapping[tuple[str, str], int]  # the number of each column's declaration, by name and type
_Part: TypeAlias = NodeType | Relation


def write_graphml(graph: Graph, file: BinaryIO) -> None:
    """GraphML (Brandes et al., 2001): types, relations and features as data; dates and lists as text."""
    _say(file, f'{_head(graph)}<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    node_keys, edge_keys = _all_keys(graph)
    for what, first, keys in (("node", "type", node_keys), ("edge", "relation", edge_keys)):
        _say(file, f'<key id="{what}" for="{what}" attr.name="{first}" attr.type="string"/>\n')
        for (name, kind), number in keys.items():
            shown = xml_escape(name, "The feature")
            _say(file, f'<key id="{what}{number}" for="{what}" attr.name="{shown}" attr.type="{kind}"/>\n')
    name = xml_escape(graph.name, "The name")
    _say(file, f'<graph id="{name}" edgedefault="{_direction(graph)}">\n')
    for t, table in node_batches(graph):
        of = xml_escape(t.name, "The node type")
        ids = xml_escaped(table.column("id"), "The id")
        cells = _cells(t, table, node_keys, '<data key="node{}">', "</data>")
        write_lines(file, line('<node id="', ids, f'"><data key="node">{of}</data>', *cells, "</node>\n"))
    for r, source, target, table in edge_batches(graph):
        of = xml_escape(r.name, "The relation")
        ends = ('<edge source="', xml_escaped(source, "The id"), '" target="', xml_escaped(target, "The id"))
        cells = _cells(r, table, edge_keys, '<data key="edge{}">', "</data>")
        write_lines(file, line(*ends, f'"><data key="edge">{of}</data>', *cells, "</edge>\n"))
    _say(file, "</graph>\n</graphml>\n")


def write_gexf(graph: Graph, file: BinaryIO) -> None:
    """GEXF 1.3, as Gephi reads it: names as labels; types, relations and features as attributes."""
    _say(file, f'{_head(graph)}<gexf xmlns="http://gexf.net/1.3" version="1.3">\n')
    name = xml_escape(graph.name, "The name")
    _say(file, f'<graph defaultedgetype="{_direction(graph)}" mode="static" name="{name}">\n')
    node_keys, edge_keys = _all_keys(graph)
    for what, first, keys in (("node", "type", node_keys), ("edge", "relation", edge_keys)):
        _say(file, f'<attributes class="{what}" mode="static">\n')
        _say(file, f'<attribute id="of" title="{first}" type="string"/>\n')
        for (column, kind), number in keys.items():
            shown = xml_escape(column, "The feature")
            _say(file, f'<attribute id="{number}" title="{shown}" type="{kind}"/>\n')
        _say(file, "</attributes>\n")
    _say(file, "<nodes>\n")
    for t, table in node_batches(graph):
        of = xml_escape(t.name, "The node type")
        ids, names = xml_escaped(table.column("id"), "The id"), xml_escaped(labels(t, table), "The name")
        start = ('<node id="', ids, '" label="', names, f'"><attvalues><attvalue for="of" value="{of}"/>')
        cells = _cells(t, table, node_keys, '<attvalue for="{}" value="', '"/>')
        write_lines(file, line(*start, *cells, "</attvalues></node>\n"))
    _say(file, "</nodes>\n<edges>\n")
    for r, source, target, table in edge_batches(graph):
        of = xml_escape(r.name, "The relation")
        ends = ('<edge source="', xml_escaped(source, "The id"), '" target="', xml_escaped(target, "The id"))
        cells = _cells(r, table, edge_keys, '<attvalue for="{}" value="', '"/>')
        start = (*ends, f'"><attvalues><attvalue for="of" value="{of}"/>')
        write_lines(file, line(*start, *cells, "</attvalues></edge>\n"))
    _say(file, "</edges>\n</graph>\n</gexf>\n")


def _head(graph: Graph) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<?{MARK} {note_of(graph.schema)}?>\n'


def _say(file: BinaryIO, text: str) -> None:
    file.write(text.encode())


def _direction(graph: Graph) -> str:
    """Undirected where every edge is seen alike from both ends; tools take one direction for a whole file."""
    relations = graph.schema.relations
    both = bool(relations) and all(r.undirected and r.source == r.target for r in relations)
    return "undirected" if both else "directed"


def _all_keys(graph: Graph) -> tuple[_Keys, _Keys]:
    schema = graph.schema
    return (
        _keys((t, graph.columns[t.name]) for t in schema.node_types),
        _keys(zip(schema.relations, graph.edge_columns, strict=True)),
    )


def _keys(parts: Iterable[tuple[_Part, pa.Table]]) -> _Keys:
    found: dict[tuple[str, str], int] = {}
    for part, table in parts:
        for feature, column in column_names(part.features).items():
            found.setdefault((column, _type(table.schema.field(feature).type)), len(found))
    return found


def _type(kind: pa.DataType) -> str:
    if pa.types.is_boolean(kind):
        return "boolean"
    if pa.types.is_integer(kind):
        return "long"
    return "double" if pa.types.is_floating(kind) else "string"


def _cells(part: _Part, table: pa.Table, keys: _Keys, start: str, end: str) -> list[Column]:
    """What each row says of each feature, between `start`, which has room for the key, and `end`."""
    found = []
    for feature, column in column_names(part.features).items():
        cells = table.column(feature)
        key = keys[column, _type(cells.type)]
        found.append(optional(start.format(key), xml_escaped(texts(cells), "The value"), end))
    return found
