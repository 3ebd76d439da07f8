"""A graph that was exported, made what it was, by the schema that its file notes (`note.py`)."""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.columns import ARROW, as_texts, check_width, features_of
from graphtalk.graphs.formats.kinds import as_kind
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.note import IRI, column_names
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema


def restored(graph: Graph, schema: Schema) -> Graph:
    """The graph with features, labels, directions and order as the schema says, where it has what they are of."""
    types = {t.name: t for t in schema.node_types}
    nodes = {t.name: _restored_nodes(graph, t, types.get(t.name)) for t in graph.schema.node_types}
    for t in schema.node_types:
        empty = pa.table({"id": pa.array([], pa.string())})
        nodes.setdefault(t.name, NodeTable(t.name, _columns(empty, t.features), t.label, t.description))
    named = {(r.name, r.source, r.target): r for r in schema.relations}
    edges = {}
    for position, r in enumerate(graph.schema.relations):
        key = (r.name, r.source, r.target)
        edges[key] = _restored_edges(graph, position, named.get(key))
    none: Ints = pa.array([], pa.int64()).to_numpy()
    for key, r in named.items():
        table = _columns(pa.table({}), r.features) if r.features else None
        edges.setdefault(key, EdgeTable(*key, none, none, table, r.inverse, r.description))
    ordered = [nodes[name] for name in dict.fromkeys([*types, *nodes])]
    return build(ordered, [edges[key] for key in dict.fromkeys([*named, *edges])], graph.name)


def _restored_nodes(graph: Graph, t: NodeType, known: NodeType | None) -> NodeTable:
    table = graph.columns[t.name]
    if known is None:
        return NodeTable(t.name, table, t.label, t.description)
    table = _columns(_without_iris(table), known.features)
    shown = known.label or "id"
    if "label" in table.column_names and all(f.name != "label" for f in known.features):
        said = table.column("label")  # what a file says beside the features, for programs that show it
        if pc.all(
            pc.equal(as_texts(said), pc.coalesce(as_texts(table.column(shown)), table.column("id")))
        ).as_py():
            table = table.drop_columns(["label"])
    return NodeTable(t.name, table, known.label, known.description)


def _without_iris(table: pa.Table) -> pa.Table:
    """The table with the ids that stand in the IRIs of RDF."""
    ids, start = table.column("id"), f"{IRI}node:"
    if not len(ids) or not pc.all(pc.starts_with(ids, start)).as_py():
        return table
    plain = [unquote(text.removeprefix(start)) for text in ids.to_pylist()]
    return table.set_column(0, "id", pa.chunked_array([plain], pa.string()))


def _restored_edges(graph: Graph, position: int, known: Relation | None) -> EdgeTable:
    r = graph.schema.relations[position]
    table = graph.edge_columns[position]
    if known is not None:
        r = replace(r, inverse=known.inverse, description=known.description)
        table = _columns(table, known.features, r.count)
    ends = graph.ends(position)
    firsts = [graph.schema.node_type(name).first for name in (r.source, r.target)]
    source, target = (end - first for end, first in zip(ends, firsts, strict=True))
    features = table if table.num_columns else None
    return EdgeTable(r.name, r.source, r.target, source, target, features, r.inverse, r.description)


def _columns(table: pa.Table, features: Sequence[Feature], rows: int | None = None) -> pa.Table:
    """The table with these features first, of their kinds; what else it has follows."""
    rows = table.num_rows if rows is None else rows
    check_width(len(features), rows)
    kept = dict(zip(table.column_names, table.columns, strict=True))
    found: dict[str, pa.ChunkedArray] = {"id": kept.pop("id")} if "id" in kept else {}
    for feature, column in zip(features, column_names(features).values(), strict=True):
        cells = kept.pop(column, None)
        found[feature.name] = _empty(feature, rows) if cells is None else of_feature(cells, feature)
    return pa.table({**found, **kept})


def _empty(feature: Feature, rows: int) -> pa.ChunkedArray:
    return pa.chunked_array([pa.nulls(rows, ARROW.get(feature.kind) or pa.list_(ARROW[feature.item]))])


def of_feature(cells: pa.ChunkedArray, feature: Feature) -> pa.ChunkedArray:
    """Cells as a feature's kind; as they are where some cell cannot be that."""
    if features_of(pa.table([cells], names=[feature.name])) == (feature,):
        return cells
    try:
        if feature.kind in ("list", "vector"):
            return _lists(
                cells if pa.types.is_list(cells.type) else _parsed(as_texts(cells), feature), feature
            )
        if feature.kind == "text":
            return as_texts(cells)
        found, wrong = as_kind(as_texts(cells), feature.kind)
        return cells if wrong.any() else found
    except (pa.ArrowException, ValueError):
        return cells


def _parsed(cells: pa.ChunkedArray, feature: Feature) -> pa.ChunkedArray:
    """Texts of JSON as lists; null where the text is."""
    whole = pc.binary_join_element_wise('{"v": ', pc.fill_null(cells, "null"), "}\n", "")
    text = "".join(whole.to_pylist()).encode()
    known = pa.schema([("v", pa.list_(ARROW[feature.item]))]) if feature.item != "number" else None
    options = pa.json.ReadOptions(block_size=len(text) + 1)
    reading = pa.json.ParseOptions(explicit_schema=known)
    return pa.json.read_json(pa.BufferReader(text), options, reading).column("v")


def _lists(column: pa.ChunkedArray, feature: Feature) -> pa.ChunkedArray:
    if feature.kind == "list":
        empty = pa.types.is_null(column.type.value_type)
        return column.cast(pa.list_(ARROW[feature.item])) if empty else column
    lengths = pc.drop_null(pc.unique(pc.list_value_length(column))).to_pylist()
    if len(lengths) != 1:
        raise ValueError("vectors of different lengths")
    return column.cast(pa.list_(pa.float64(), lengths[0]))
