"""From tables to a recipe: which are nodes, which are edges, and what each column is, with the reason for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import SourceError, choices
from graphtalk.graphs.formats.columns_by_name import RELATION, SOURCE, TARGET, TYPE, first_of
from graphtalk.graphs.recipe import EdgeSpec, LinkSpec, NodeSpec, Recipe
from graphtalk.graphs.tabular.keys import Id, Key, id_of, keys_of, label_of
from graphtalk.graphs.tabular.profile import Column, SourceTable
from graphtalk.graphs.tabular.words import words

Role: TypeAlias = Literal["nodes", "edges"]
_GENERIC = frozenset("node vertex vertice data table sheet n v item row record".split())
_STRONG_ENDS = {("source", "target"), ("src", "dst")}


@dataclass(frozen=True)
class Reason:
    """How a column is read, and why."""

    column: str
    read_as: str
    why: str


@dataclass(frozen=True)
class TablePlan:
    """What a table is read as. `name` is the node type or the relation."""

    table: SourceTable
    role: Role
    name: str
    why: str
    columns: tuple[Reason, ...]
    spec: NodeSpec | EdgeSpec


@dataclass(frozen=True)
class Plan:
    """A recipe for tables, with the reasons; `notes` say what is in doubt."""

    recipe: Recipe
    tables: tuple[TablePlan, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Ends:
    source: str
    target: str
    why: str


def plan(tables: Sequence[SourceTable], name: str = "graph") -> Plan:
    """How tables make a graph. Raises SourceError where a table's columns are neither of nodes nor of edges."""
    notes: list[str] = []
    ids = {table.name: id_of(table, tables) for table in tables}
    for table in tables:
        if _is_edges_by_ends(table, tables, ids) is not None:
            ids[table.name] = None  # none names its rows
    keys = {table.name: keys_of(table, tables, ids, notes) for table in tables}
    named = {key.to for found in keys.values() for key in found}
    roles = {t.name: _role(t, tables, ids, keys[t.name], named) for t in tables}
    nodes = [t for t in tables if roles[t.name][0] == "nodes"]
    prefixes = _prefixes(nodes, ids)
    kinds = {t.name: _type_column(t, keys[t.name]) if len(nodes) == 1 else "" for t in nodes}
    types = {t.name: "node" if kinds[t.name] or set(words(t.name)) <= _GENERIC else t.name for t in nodes}
    keys = {name: [replace(key, to=types[key.to]) for key in found] for name, found in keys.items()}
    plans = []
    for table in tables:
        role, why, ends = roles[table.name]
        plans.append(
            _node_plan(
                table,
                ids[table.name],
                keys[table.name],
                prefixes[table.name],
                why,
                kinds[table.name],
                types[table.name],
            )
            if role == "nodes"
            else _edge_plan(table, keys[table.name], ends, nodes, ids, prefixes, types, why)
        )
        notes += [
            f'{table.rows.path.name}: {c.name!r} stays text: {c.doubt}. A recipe says which: kinds = {{ {c.name} = "1,234.5" }}.'
            for c in table.columns.values()
            if c.doubt
        ]
    recipe = Recipe(
        name,
        nodes=tuple(p.spec for p in plans if isinstance(p.spec, NodeSpec)),
        edges=tuple(p.spec for p in plans if isinstance(p.spec, EdgeSpec)),
    )
    return Plan(recipe, tuple(plans), tuple(notes))


def _role(
    table: SourceTable,
    tables: Sequence[SourceTable],
    ids: Mapping[str, Id | None],
    keys: Sequence[Key],
    named: set[str],
) -> tuple[Role, str, _Ends | None]:
    ends = _is_edges_by_ends(table, tables, ids)
    if ends is not None:
        return "edges", ends.why, ends
    own = ids[table.name]
    pair = [key for key in keys if not key.split]
    is_pair = len(pair) == 2 and len(keys) == 2
    if own is not None and own.strong:
        label, _ = label_of(table, own, keys)
        if is_pair and table.name not in named and not label:
            return (
                "edges",
                "two keys, no name of its own, and no table that names its rows",
                _Ends(pair[0].column, pair[1].column, ""),
            )
        return "nodes", f"it has an id, {own.column!r}", None
    if is_pair and table.name not in named:
        return "edges", "two keys and no id", _Ends(pair[0].column, pair[1].column, "")
    if own is not None:
        return "nodes", f"{own.column!r} tells its rows apart", None
    return "nodes", "no column tells its rows apart: they are numbered", None


def _is_edges_by_ends(
    table: SourceTable, tables: Sequence[SourceTable], ids: Mapping[str, Id | None]
) -> _Ends | None:
    """The columns called as ends of edges are, where what they hold says that they are; else None."""
    names = list(table.columns)
    source, target = first_of(names, SOURCE), first_of(names, TARGET)
    if not source or not target or table.foreign:
        return None
    columns = [table.columns[source], table.columns[target]]
    if any(c.kind not in ("integer", "text") or c.form for c in columns):
        return None
    others = [(t, ids[t.name]) for t in tables if t is not table and ids[t.name] is not None]
    known = [t.columns[i.column].distinct for t, i in others if i is not None]
    if known:
        held = pa.concat_arrays([pc.cast(k, pa.string()) for k in known])
        shares = [
            pc.mean(pc.is_in(c.distinct, value_set=held).cast(pa.float64())).as_py() or 0 for c in columns
        ]
        if min(shares) >= 0.5:
            return _Ends(source, target, f"{source!r} and {target!r} are ids of other tables")
        if max(shares) > 0 and (source.casefold(), target.casefold()) in _STRONG_ENDS:
            return _Ends(source, target, f"it has {source!r} and {target!r}")
        return None
    own = id_of(table, tables)
    is_named = own is not None and own.column not in (source, target) and own.strong
    label = first_of(names, ("name", "title", "label"))
    if (source.casefold(), target.casefold()) in _STRONG_ENDS:
        return _Ends(source, target, f"it has {source!r} and {target!r}")
    shared = pc.any(pc.is_in(columns[0].distinct, value_set=columns[1].distinct)).as_py()
    texts = all(c.kind == "text" for c in columns)
    if (label or is_named) and not (shared and texts):
        return None
    return _Ends(source, target, f"it has {source!r} and {target!r}, and no table of nodes is given")


def _prefixes(nodes: Sequence[SourceTable], ids: Mapping[str, Id | None]) -> dict[str, str]:
    """What goes before the ids of each table, where others have the same ids, or it has none."""
    lists = [(t, i) for t in nodes if (i := ids[t.name]) is not None]
    values = [t.columns[i.column].distinct for t, i in lists]
    clash: set[int] = set()
    if len(values) > 1:
        codes = pa.chunked_array(values).combine_chunks().dictionary_encode().indices.to_numpy()
        owner = np.repeat(np.arange(len(values)), [len(v) for v in values])
        often = np.bincount(codes) > 1
        clash = set(owner[often[codes]].tolist())
    found = {t.name: f"{t.name}:" if place in clash else "" for place, (t, _) in enumerate(lists)}
    return {t.name: found.get(t.name, f"{t.name}:") for t in nodes}


def _type_column(table: SourceTable, keys: Sequence[Key]) -> str:
    """The column that says each row's type; "" for none."""
    column = first_of(list(table.columns), TYPE)
    plain = column and table.columns[column].kind == "text" and column not in {key.column for key in keys}
    return column if plain else ""


def _node_plan(
    table: SourceTable,
    own: Id | None,
    keys: Sequence[Key],
    prefix: str,
    why: str,
    kind: str,
    node_type: str,
) -> TablePlan:
    label, parts = label_of(table, own, keys)
    chosen = {key.column for key in keys} | {own.column if own else "", kind}
    plain = [c for c in table.columns.values() if c.name not in chosen]
    lists = {c.name: c.split for c in plain if c.split and c.name != label}
    spec = NodeSpec(
        (table.file,),
        table=table.table,
        separator=table.separator,
        encoding=table.encoding,
        id=own.column if own else "",
        prefix=prefix,
        type=kind,
        node_type=node_type,
        label=label,
        lists=lists,
        kinds={c.name: c.form for c in plain if c.form},
        joined={label: parts} if parts else {},
        links=tuple(LinkSpec(k.column, k.to, k.by, k.relation, k.split) for k in keys),
    )
    reasons = []
    by_key = {key.column: key for key in keys}
    for column in table.columns.values():
        if own is not None and column.name == own.column and column.name not in by_key:
            told = Reason(column.name, f"id, after {prefix!r}" if prefix else "id", own.why)
        elif column.name in by_key:
            told = _key_reason(by_key[column.name], column)
        elif column.name == kind:
            told = Reason(column.name, "type of node", "called so, and the only table of nodes")
        elif column.name == label or column.name in parts:
            told = Reason(column.name, "name", "tells rows to people")
        else:
            told = _feature_reason(column)
        reasons.append(told)
    return TablePlan(table, "nodes", node_type, why, tuple(reasons), spec)


def _edge_plan(
    table: SourceTable,
    keys: Sequence[Key],
    ends: _Ends | None,
    nodes: Sequence[SourceTable],
    ids: Mapping[str, Id | None],
    prefixes: Mapping[str, str],
    types: Mapping[str, str],
    why: str,
) -> TablePlan:
    assert ends is not None
    by_key = {key.column: key for key in keys}
    sides = []
    for end in (ends.source, ends.target):
        key = by_key.get(end)
        sides.append((key.to, key.by) if key else (_home(table, end, nodes, ids, prefixes, types), ""))
    names = list(table.columns)
    relation = first_of(names, RELATION)
    if relation in (ends.source, ends.target) or (relation and table.columns[relation].kind != "text"):
        relation = ""
    plain = [c for c in table.columns.values() if c.name not in (ends.source, ends.target, relation)]
    generic = {"edge", "link", "relation", "relationship", "e", "arc"} | _GENERIC
    relation_name = "" if relation else "edge" if set(words(table.name)) <= generic else table.name
    spec = EdgeSpec(
        (table.file,),
        table=table.table,
        separator=table.separator,
        encoding=table.encoding,
        source=ends.source,
        target=ends.target,
        source_type=sides[0][0],
        target_type=sides[1][0],
        source_by=sides[0][1],
        target_by=sides[1][1],
        relation=relation,
        relation_name=relation_name,
        kinds={c.name: c.form for c in plain if c.form},
    )
    reasons = []
    for column in table.columns.values():
        if column.name in (ends.source, ends.target):
            end, (to, _) = ("source", sides[0]) if column.name == ends.source else ("target", sides[1])
            key = by_key.get(column.name)
            told = Reason(
                column.name, f"{end}: {to or 'any node'}", (key.why if key else why) + _blanks(column)
            )
        elif column.name == relation:
            told = Reason(column.name, "relation", "called so")
        else:
            told = _feature_reason(column)
        reasons.append(told)
    return TablePlan(table, "edges", relation_name or "(by column)", why, tuple(reasons), spec)


def _home(
    table: SourceTable,
    column: str,
    nodes: Sequence[SourceTable],
    ids: Mapping[str, Id | None],
    prefixes: Mapping[str, str],
    types: Mapping[str, str],
) -> str:
    """The type of the nodes that an end of edges names; "" for any, where ids are those of one table alone.

    Raises SourceError where several tables have the same ids, and nothing says which are meant.
    """
    values = table.columns[column].distinct
    held = []
    for node in nodes:
        own = ids[node.name]
        if own is not None:
            share = pc.mean(
                pc.is_in(values, value_set=node.columns[own.column].distinct).cast(pa.float64())
            ).as_py()
            held.append((share or 0.0, node.name))
    if not any(prefixes[name] for _, name in held):
        return ""
    best = [name for share, name in held if share == max(held)[0]]
    if len(best) == 1:
        return types[best[0]]
    raise SourceError(
        f"{column!r} could name rows of {' or '.join(best)}: they have the same ids. "
        f"A recipe says which: source_type, target_type (--explain writes one). {choices(column, best)}",
        str(table.rows.path),
        1,
    )


def _key_reason(key: Key, column: Column) -> Reason:
    by = key.by or "id"
    listed = f", split at {key.split!r}" if key.split else ""
    return Reason(column.name, f"{key.relation!r}: key to {key.to} ({by}){listed}", key.why + _blanks(column))


def _blanks(column: Column) -> str:
    return f"; {column.blanks:,} blank: no edge" if column.blanks else ""


def _feature_reason(column: Column) -> Reason:
    if column.kind == "empty":
        return Reason(column.name, "nothing", "every cell is blank")
    blank = f"; {column.blanks:,} blank" if column.blanks else ""
    if column.doubt:
        return Reason(column.name, "text", column.doubt + blank)
    if column.split:
        return Reason(column.name, f"list, split at {column.split!r}", f"entries recur{blank}")
    if column.form:
        return Reason(column.name, f"number, written as {column.form}", f"every cell is one{blank}")
    kind = "number" if column.kind == "integer" else column.kind
    every = "every cell is one" if kind != "text" else "not all cells are of another kind"
    return Reason(column.name, kind, every + blank)
