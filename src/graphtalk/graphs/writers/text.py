"""Lines of text made of whole columns: what every writer of a text format is put together from.

Columns become texts, texts are escaped, and the parts of a line are joined, all by Arrow: no Python runs for each
node or edge. Where a cell is null, so is what is made of it, until `optional` leaves it out.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import UsageError
from graphtalk.core.limits import look
from graphtalk.graphs.schema import NodeType, Relation

if TYPE_CHECKING:
    from graphtalk.graphs.graph import Graph

Column: TypeAlias = pa.ChunkedArray

_BATCH = 65_536  # rows whose text is held at once
_WHOLE = r"^-?[0-9]+$"
_CONTROLS = "[\x00-\x1f]"
_NO_XML = "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"  # characters that XML 1.0 cannot hold, escaped or not
_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_JSON = {"\\": "\\\\", '"': '\\"'} | {chr(code): f"\\u{code:04x}" for code in range(32)}


def node_batches(graph: "Graph") -> Iterator[tuple[NodeType, pa.Table]]:
    """All nodes, some tens of thousands of one type at a time: their ids and features."""
    for t in graph.schema.node_types:
        for start in range(0, t.count, _BATCH):
            look()
            yield t, graph.columns[t.name].slice(start, _BATCH)


def edge_batches(graph: "Graph") -> Iterator[tuple[Relation, Column, Column, pa.Table]]:
    """All edges, some tens of thousands of one relation at a time: the ids of both ends, and their features."""
    ids = pa.chunked_array(
        [chunk for t in graph.schema.node_types for chunk in graph.columns[t.name].column("id").chunks],
        pa.string(),
    )
    for position, r in enumerate(graph.schema.relations):
        for start in range(0, r.count, _BATCH):
            look()
            edges = np.arange(start, min(start + _BATCH, r.count))
            ends = [ids.take(pa.array(end)) for end in graph.edge_ends(position, edges)]
            yield r, ends[0], ends[1], graph.edge_columns[position].slice(start, len(edges))


def write_lines(file: BinaryIO, lines: Column) -> None:
    """Write texts, which end their lines themselves, one after the other."""
    for chunk in lines.chunks:
        whole = pa.ListArray.from_arrays(pa.array([0, len(chunk)], pa.int32()), chunk)
        file.write(pc.binary_join(whole, "")[0].as_buffer())


def line(*parts: str | Column) -> Column:
    """Each row's parts joined; null where one of them is."""
    return pc.binary_join_element_wise(*parts, "")


def optional(*parts: str | Column) -> Column:
    """Each row's parts joined; nothing where one of them is null."""
    return pc.fill_null(line(*parts), "")


def texts(column: Column) -> Column:
    """Cells as text: dates in ISO 8601, numbers that are no whole ones with a point, lists as JSON."""
    kind = column.type
    if pa.types.is_string(kind):
        return column
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return json_texts(column)
    found = column.cast(pa.string())
    if pa.types.is_floating(kind):
        whole = pc.match_substring_regex(found, _WHOLE)
        return pc.if_else(whole, line(found, ".0"), found)
    return pc.replace_substring(found, " ", "T") if pa.types.is_timestamp(kind) else found


def json_texts(column: Column) -> Column:
    """Cells as JSON; what is not a number (NaN) as null."""
    kind = column.type
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.chunked_array([_json_lists(chunk) for chunk in column.chunks], pa.string())
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_nan(column), None, column)
        found = texts(column)
        endless = pc.is_inf(column)
        huge = pc.if_else(pc.greater(column, 0), "1e999", "-1e999")
        return pc.if_else(endless, huge, found) if pc.any(endless).as_py() else found
    if pa.types.is_string(kind):
        return line('"', json_escaped(column), '"')
    return line('"', texts(column), '"') if pa.types.is_temporal(kind) else texts(column)


def _json_lists(lists: pa.Array) -> pa.Array:
    items = pc.fill_null(json_texts(pa.chunked_array([lists.flatten()])), "null").combine_chunks()
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    ends = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(ends), items), ", ")
    return pc.if_else(lists.is_null(), None, pc.binary_join_element_wise("[", joined, "]", ""))


def json_escaped(column: Column) -> Column:
    """Texts as they stand between the quotation marks of JSON."""
    controls = pc.any(pc.match_substring_regex(column, _CONTROLS)).as_py()
    return replaced(column, _JSON if controls else {key: _JSON[key] for key in '\\"'})


def xml_escaped(column: Column, what: str) -> Column:
    """Texts as they stand in XML, between tags or quotation marks.

    Raises UsageError, naming `what` the texts are, for a character that XML cannot hold.
    """
    bad = pc.match_substring_regex(column, _NO_XML)
    if pc.any(bad).as_py():
        cell = column.filter(bad)[0].as_py()
        raise UsageError(
            f"{what} {cell!r} has a character that XML cannot hold. Export as node-link, csv or parquet instead."
        )
    return replaced(column, _XML)


def xml_escape(text: str, what: str) -> str:
    """One text as it stands in XML; raises as `xml_escaped`."""
    return str(xml_escaped(pa.chunked_array([[text]], pa.string()), what)[0].as_py())


def replaced(column: Column, pairs: Mapping[str, str]) -> Column:
    """Texts in which each of these stands for another, in this order."""
    for old, new in pairs.items():
        if pc.any(pc.match_substring(column, old)).as_py():
            column = pc.replace_substring(column, old, new)
    return column


def labels(t: NodeType, table: pa.Table) -> Column:
    """What people call these nodes of a type."""
    ids = table.column("id")
    if not t.label:
        return ids
    named = texts(table.column(t.label))
    return pc.if_else(pc.fill_null(pc.equal(named, ""), True), ids, named)
