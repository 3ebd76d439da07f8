"""From rows with external ids to a graph: ids resolved, types and relations told apart, edges stored once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from graphtalk.core import SourceError
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import NodeTable, build
from graphtalk.graphs.columns import concat
from graphtalk.graphs.edges import Edges, edge_tables, fold_mirrors, join_edges
from graphtalk.graphs.formats.dates import Ambiguous
from graphtalk.graphs.formats.kinds import Telling, as_kind, infer_table
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Rejects
from graphtalk.graphs.recipe import RelationSpec

WAY_ON = "--missing skip leaves such edges out, --missing add makes the nodes"
AS_IS = ""  # the kind of a column whose cells are not looked at
STUB = "\0known"  # the type of nodes that rows only name: the graph that they change has them
Lines: TypeAlias = Callable[[int], int | None]


def no_line(row: int) -> int | None:
    """For rows that stand in no line of a file."""
    return None


@dataclass(frozen=True)
class NodeRows:
    """Nodes of one file. `table` has `id` (text) and features; `keys` are what edges call them by.

    `types` has a type for each row, null where it is not known. Where `distinct`, a second row of an id is
    left out. `kinds` are of features whose kind is not to be told from their cells.
    """

    table: pa.Table
    keys: pa.ChunkedArray
    types: pa.ChunkedArray
    file: str
    line: Lines
    label: str = ""
    textual: bool = True
    distinct: bool = False
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class EdgeRows:
    """Edges of one file: names of their ends, relation (text) and features, row by row."""

    source: pa.ChunkedArray
    target: pa.ChunkedArray
    relation: pa.ChunkedArray
    features: pa.Table
    file: str
    line: Lines
    distinct: bool = False
    textual: bool = True
    kinds: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Rules:
    """What relations are called and how nodes without a type get one; see `graphs/recipe.py`.

    With `once`, an edge that both of its ends give is stored once; parallel edges stay. With `mirrors`, relations that hold the same edges from both ends become one.
    """

    relations: Mapping[str, RelationSpec] = field(default_factory=dict)
    roles: Sequence[str] = ()
    default_type: str = "node"
    once: bool = True
    mirrors: bool = False


def assemble(
    nodes: Sequence[NodeRows], edges: list[EdgeRows], rules: Rules, rejects: Rejects, name: str = "graph"
) -> Graph:
    """A graph of these rows. Bad rows go to `rejects`. The list of edges is emptied: the names of their ends, which take
    more memory than all else, are let go as soon as they are looked up.

    Nodes that only edges name are created where no nodes were given at all, where rules give them a type
    by their role, or where `rejects.missing` says so; otherwise such an edge is dangling. Where rows change a graph, its
    nodes are known.
    """
    checked: list[NodeRows] = []
    for part in nodes:
        checked.append(_unique_ids(part, checked, rejects))
    if rejects.known is not None:
        checked += _named(checked, edges, rejects.known)
    if (rejects.known is None and (not nodes or rules.roles)) or rejects.missing == "add":
        checked += _created(checked, edges)
    keys = _joined([part.keys for part in checked])
    telling = telling_of([part.textual for part in edges], "edges", rejects)
    known = [name for part in edges for name in part.kinds]
    resolved = []
    while edges:
        resolved.append(_resolve(edges.pop(0), keys, rejects))
    bundle = join_edges(resolved)
    del resolved
    bundle = replace(bundle, features=infer_table(bundle.features, telling, known))
    types, type_names = _types(checked, bundle, rules)
    tables, place = _node_tables(checked, types, type_names, rejects)
    parts = edge_tables(bundle, types, type_names, place, rules.relations, rules.once)
    return build(tables, fold_mirrors(parts) if rules.mirrors else parts, name)


def same_text(text: str | None, count: int) -> pa.ChunkedArray:
    """A column of one text (None: of nulls), in four bytes a row."""
    codes = pa.array(np.zeros(count, dtype=np.int32), mask=np.full(count, text is None))
    return pa.chunked_array([pa.DictionaryArray.from_arrays(codes, pa.array([text or ""]))])


def telling_of(textual: Sequence[bool], whose: str, rejects: Rejects) -> Telling:
    """How kinds are told in files, of which some hold nothing but text (`textual`)."""

    def doubt(column: str, what: str) -> None:
        hint = f'Where it is a date, a recipe says so: kinds = {{ {column} = "%d/%m/%Y" }}.'
        rejects.note(f"{column!r} of {whose} stays text: {what}. {hint}")

    return Telling(any(textual), doubt)


def _joined(parts: Sequence[pa.ChunkedArray]) -> pa.ChunkedArray:
    return pa.chunked_array([chunk for part in parts for chunk in part.chunks], pa.string())


def _encoded(parts: Sequence[pa.ChunkedArray]) -> pa.DictionaryArray:
    chunks = [chunk.dictionary_encode() for part in parts for chunk in part.chunks]
    kind = pa.dictionary(pa.int32(), pa.string())
    return pa.chunked_array(chunks, kind).unify_dictionaries().combine_chunks()


# nodes


def _unique_ids(part: NodeRows, earlier: Sequence[NodeRows], rejects: Rejects) -> NodeRows:
    """The part without rows whose id is empty or was there before."""
    ids = part.table.column("id").combine_chunks()
    before = _joined([p.table.column("id") for p in earlier])
    table, wrong = _of_kinds(part.table, len(ids), part, rejects)
    bad = np.zeros(len(ids), dtype=bool)
    bad |= pc.equal(ids, "").to_numpy(zero_copy_only=False)
    if len(before):
        bad |= pc.is_in(ids, value_set=before).to_numpy(zero_copy_only=False)
    if len(pc.unique(ids)) < len(ids):
        codes = ids.dictionary_encode().indices.to_numpy()
        first = np.unique(codes, return_index=True)[1]
        again = np.ones(len(ids), dtype=bool)
        again[first] = False
        bad |= again
    if not (bad | wrong).any():
        return replace(part, table=table)
    for row in np.flatnonzero(bad & ~wrong).tolist():
        text = ids[row].as_py()
        if text and not part.distinct:
            rejects.reject("duplicate id", f"the id {text!r} stands twice.", part.file, part.line(row))
        elif not text:
            rejects.reject("empty id", "the id is empty.", part.file, part.line(row))
    keep = np.flatnonzero(~(bad | wrong))
    rows = pa.array(keep)
    return replace(
        part,
        table=table.take(rows),
        keys=part.keys.take(rows),
        types=part.types.take(rows),
        line=lambda row: part.line(int(keep[row])),
    )


def _of_kinds(
    table: pa.Table, count: int, part: NodeRows | EdgeRows, rejects: Rejects
) -> tuple[pa.Table, NDArray[np.bool_]]:
    """The table with its columns of the kinds that are named for them, and which of its `count` rows have no such value."""
    wrong = np.zeros(count, dtype=bool)
    for name, kind in part.kinds.items():
        if kind == AS_IS:
            continue
        place = table.column_names.index(name)
        cells = table.column(place)
        try:
            column, bad = as_kind(cells, kind)
        except Ambiguous:
            doubt = f"{name!r}: nothing says whether the day or the month is first. Name the form: "
            raise SourceError(f'{doubt}kinds = {{ {name} = "%d/%m/%Y" }}', part.file) from None
        for row in np.flatnonzero(bad & ~wrong).tolist():
            message = f"{cells[row].as_py()!r} in {name!r} is no {kind}."
            rejects.reject("wrong kind", message, part.file, part.line(row))
        table, wrong = table.set_column(place, name, column), wrong | bad
    return table, wrong


def _created(nodes: Sequence[NodeRows], edges: Sequence[EdgeRows]) -> list[NodeRows]:
    """Nodes that only the edges name, in order of appearance."""
    found = _named_by(edges)
    known = _joined([part.keys for part in nodes])
    new = found.filter(pc.and_(pc.invert(pc.is_in(found, value_set=known)), pc.not_equal(found, "")))
    keys = pa.chunked_array([new], pa.string())
    types = pa.chunked_array([pa.nulls(len(new), pa.string())])
    return [NodeRows(pa.table({"id": keys}), keys, types, "", no_line, textual=False)] if len(new) else []


def _named(nodes: Sequence[NodeRows], edges: Sequence[EdgeRows], known: pa.ChunkedArray) -> list[NodeRows]:
    """Those of the known nodes that edges name and that are not among the rows."""
    found = _named_by(edges)
    given = pc.is_in(found, value_set=_joined([part.keys for part in nodes]))
    new = found.filter(pc.and_(pc.is_in(found, value_set=known), pc.invert(given)))
    keys = pa.chunked_array([new], pa.string())
    stub = same_text(STUB, len(new)).cast(pa.string())
    return [NodeRows(pa.table({"id": keys}), keys, stub, "", no_line, textual=False)] if len(new) else []


def _named_by(edges: Sequence[EdgeRows]) -> pa.Array:
    """The different names of ends, in order of appearance."""
    found = [pc.unique(ends) for part in edges for ends in (part.source, part.target)]
    texts = [each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in found]
    return pc.unique(pa.chunked_array(texts, pa.string()))


def _types(nodes: Sequence[NodeRows], edges: Edges, rules: Rules) -> tuple[Ints, list[str]]:
    """For each node the position of its type in the list of type names. Roles come first in that list."""
    given = _encoded([part.types for part in nodes])
    names: list[str] = list(dict.fromkeys([*rules.roles, *given.dictionary.to_pylist(), rules.default_type]))
    code_of = {name: code for code, name in enumerate(names)}
    codes = np.array([code_of[n] for n in given.dictionary.to_pylist()] + [-1], dtype=np.int64)
    types = codes[pc.fill_null(given.indices, -1).to_numpy(zero_copy_only=False)]
    untyped = types < 0
    for role in reversed(rules.roles):
        for ends, side in ((edges.source, "source"), (edges.target, "target")):
            specs = [rules.relations.get(n, RelationSpec()) for n in edges.names]
            has = np.array([getattr(spec, side) == role for spec in specs], dtype=bool)
            found = ends[has[edges.relation]]
            types[found[untyped[found]]] = names.index(role)
    types[types < 0] = names.index(rules.default_type)
    used = np.unique(types)
    return np.searchsorted(used, types), [names[code] for code in used]


def _node_tables(
    nodes: Sequence[NodeRows], types: Ints, type_names: Sequence[str], rejects: Rejects
) -> tuple[list[NodeTable], Ints]:
    """A table a type, and for each node its row there."""
    width: type[np.signedinteger] = np.int32 if len(types) < 2**31 else np.int64
    place: Ints = np.empty(len(types), width)
    tables = []
    for code, type_name in enumerate(type_names):
        place[types == code] = np.arange(int((types == code).sum()))
        parts, label, start = [], "", 0
        for part in nodes:
            rows = np.flatnonzero(types[start : start + part.table.num_rows] == code)
            start += part.table.num_rows
            if len(rows):
                chosen = part.table if len(rows) == part.table.num_rows else part.table.take(pa.array(rows))
                parts.append(chosen)
                label = label or part.label
        telling = telling_of([part.textual for part in nodes], f"{type_name} nodes", rejects)
        known = [name for part in nodes for name in part.kinds]
        table = tidy(infer_table(concat(parts), telling, ["id", *known], label))
        tables.append(NodeTable(type_name, table, label if label in table.column_names else ""))
    return tables, place


def tidy(table: pa.Table) -> pa.Table:
    """The table without columns that have no value."""
    columns = zip(table.column_names, table.columns, strict=True)
    return table.select(
        [i for i, (name, c) in enumerate(columns) if name == "id" or c.null_count < len(table)]
    )


# edges


def _places(names: pa.ChunkedArray, keys: pa.ChunkedArray) -> Ints:
    """The position of each name among keys, -1 where it is none. Shape (names,)."""
    if not pa.types.is_dictionary(names.type):
        found: Ints = pc.fill_null(pc.index_in(names, value_set=keys), -1).to_numpy()
        return found
    coded = names.unify_dictionaries().combine_chunks()
    of_each: Ints = _places(coded.dictionary, keys)[coded.indices.to_numpy()]
    return of_each


def _resolve(part: EdgeRows, keys: pa.ChunkedArray, rejects: Rejects) -> Edges:
    ends = [_places(cells, keys) for cells in (part.source, part.target)]
    encoded = _encoded([part.relation])
    relation = encoded.indices.to_numpy(zero_copy_only=False)
    features, wrong = _of_kinds(part.features, len(part.source), part, rejects)
    bad = (ends[0] < 0) | (ends[1] < 0)
    if (bad | wrong).any():
        left_out = bad & ~wrong if rejects.missing == "skip" else np.zeros(len(bad), bool)
        if left_out.any():
            count, first = int(left_out.sum()), int(np.flatnonzero(left_out)[0])
            line = part.line(first)
            rejects.note(
                f"{part.file}: {count:,} edges were left out: an end of theirs is not a node (the first"
                f"{f' in line {line}' if line else ''})."
            )
        for row in np.flatnonzero(bad & ~wrong & ~left_out).tolist():
            side, cells = ("source", part.source) if ends[0][row] < 0 else ("target", part.target)
            message = f"{side} {cells[row].as_py()!r} is not a node. {WAY_ON}."
            rejects.reject("dangling edge", message, part.file, part.line(row))
        keep = np.flatnonzero(~(bad | wrong))
        ends, relation = [e[keep] for e in ends], relation[keep]
        features = features.take(pa.array(keep)) if features.num_columns else features
    return Edges(ends[0], ends[1], relation, encoded.dictionary.to_pylist(), features, part.distinct)
