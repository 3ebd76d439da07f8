"""The schema of a graph, written into what is exported of it, so that nothing is lost on the way back.

Most formats have no dates, lists or vectors, no relations that are seen from both ends, no types without nodes. So a
writer puts the schema at the head of its file, where other programs pass it over: a processing instruction in XML, a
comment in statements, a member of an object in JSON, a file beside tables. Whatever reads the rest of the file,
`restored` makes the graph what it was, as far as the file still holds it.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from graphtalk.core import SourceError
from graphtalk.core.reading import read_json
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.checked import check_schema
from graphtalk.graphs.columns import DATETIME, as_texts, features_of
from graphtalk.graphs.convert import check_width
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema, schema_from_json, schema_to_json

MARK = "graphtalk-schema"
IRI = "urn:graphtalk:"  # what the names of nodes, types, relations and features begin with in RDF
NOTE_FILE = "schema.json"  # beside tables, which have no place for a note
RESERVED = (
    "id",
    "type",
    "relation",
    "reversed",
    "source",
    "target",
    "key",
)  # columns that have a meaning in files
_HEAD = 4 << 20  # bytes of a file in which the note begins and ends


def note_of(schema: Schema) -> str:
    """The schema as one line of ASCII without question marks, which ends no comment and no instruction."""
    return json.dumps(schema_to_json(schema)).replace("?", "\\u003f")


def column_names(features: Sequence[Feature]) -> dict[str, str]:
    """What the columns of features are called in files: by their names, with `_` after those that mean something else."""
    found: dict[str, str] = {}
    taken = {f.name for f in features}
    for f in features:
        name = f.name
        while name in RESERVED or (name != f.name and name in taken):
            name += "_"
        taken.add(name)
        found[f.name] = name
    return found


def note_in(text: str) -> Schema | None:
    """The schema that a note says; None where it says none, or was altered so that it cannot be one."""
    try:
        data = read_json(text)
        check_schema(data)
        schema = schema_from_json(data)
        parts: list[NodeType | Relation] = [*schema.node_types, *schema.relations]
        features = [f for part in parts for f in part.features]
        known = all(f.kind in (*_ARROW, "list") and f.item in _ARROW for f in features)
        return schema if known else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def noted(files: Sequence[Path]) -> Schema | None:
    """The schema that stands at the head of one of these files."""
    for path in files:
        if path.is_file() and (found := _noted(path)) is not None:
            return found
    return None


def _noted(path: Path) -> Schema | None:
    from graphtalk.graphs.formats.files import BROKEN, open_bytes  # which only imports need

    with suppress(SourceError, *BROKEN), open_bytes(path) as file:
        head = file.read(2048)
        start = head.find(MARK.encode())
        if start < 0:
            return None
        rest = head[start + len(MARK) :]
        if b"\n" not in rest:
            rest += file.read(_HEAD)
        text = rest.split(b"\n", 1)[0].decode("ascii", "replace")
        return note_in(text[text.find("{") : text.rfind("}") + 1])
    return None


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
    return pa.chunked_array([pa.nulls(rows, _ARROW.get(feature.kind) or pa.list_(_ARROW[feature.item]))])


_ARROW: Mapping[str, pa.DataType] = {
    "text": pa.string(),
    "number": pa.int64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "datetime": DATETIME,
    "vector": pa.list_(pa.float64(), 1),
}


def of_feature(cells: pa.ChunkedArray, feature: Feature) -> pa.ChunkedArray:
    """Cells as a feature's kind; as they are where some cell cannot be that."""
    from graphtalk.graphs.formats.kinds import as_kind

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
    known = pa.schema([("v", pa.list_(_ARROW[feature.item]))]) if feature.item != "number" else None
    options = pa.json.ReadOptions(block_size=len(text) + 1)
    reading = pa.json.ParseOptions(explicit_schema=known)
    return pa.json.read_json(pa.BufferReader(text), options, reading).column("v")


def _lists(column: pa.ChunkedArray, feature: Feature) -> pa.ChunkedArray:
    if feature.kind == "list":
        empty = pa.types.is_null(column.type.value_type)
        return column.cast(pa.list_(_ARROW[feature.item])) if empty else column
    lengths = pc.drop_null(pc.unique(pc.list_value_length(column))).to_pylist()
    if len(lengths) != 1:
        raise ValueError("vectors of different lengths")
    return column.cast(pa.list_(pa.float64(), lengths[0]))
