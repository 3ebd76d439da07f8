"""From tables to a recipe: which are nodes, which are edges, and what each column is, with the reason for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.formats.columns_by_name import RELATION, SOURCE, TARGET, TYPE, first_of
from graphtalk.graphs.recipe import EdgeSpec, LinkSpec, NodeSpec, Recipe, RelationSpec
from graphtalk.graphs.recipe_text import spec_text
from graphtalk.graphs.tabular.ends import Doubt, End, Ends, find_ends
from graphtalk.graphs.tabular.keys import Id, Key, id_of, keys_of, label_of
from graphtalk.graphs.tabular.profile import Column, SourceTable, is_kind
from graphtalk.graphs.tabular.words import KEY_WORDS, converse, is_generic, is_mutual, stem, thing_of, words

Role: TypeAlias = Literal["nodes", "edges"]
# What makes a noun for what joins people of one for who is joined: friendship, rivalry.
_STATES = ("ship", "hood", "ry", "y")
_DIRECTIONS = {"directed", "undirected"}


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
    """A recipe for tables, with the reasons. `notes` say what is in doubt; where there are `faults`, it makes no graph."""

    recipe: Recipe
    tables: tuple[TablePlan, ...]
    notes: tuple[str, ...]
    faults: tuple[SourceError, ...] = ()


def plan(
    tables: Sequence[SourceTable], name: str = "graph", known_types: Sequence[str] | None = None
) -> Plan:
    """How tables make a graph. Where they change one, tables are called as one of its types, or say none."""
    notes: list[str] = []
    ids = {table.name: id_of(table, tables) for table in tables}
    ends, doubts = find_ends(tables, ids)
    ids |= dict.fromkeys(ends)  # none names its rows
    keys = {t.name: [] if t.name in ends else keys_of(t, tables, ids, notes) for t in tables}
    named = {key.to for found in keys.values() for key in found}
    named |= {end.to for pair in ends.values() for end in (pair.source, pair.target)}
    for table in tables:
        pair = _keyed_ends(table, ids[table.name], keys[table.name])
        if table.name not in named and pair is not None:
            ends[table.name], ids[table.name] = pair, None
    nodes = [t for t in tables if t.name not in ends]
    prefixes = _prefixes(nodes, ids)
    kinds = {t.name: _type_column(t, ids[t.name], keys[t.name], len(nodes) == 1) for t in nodes}
    types = {t.name: "node" if kinds[t.name] or is_generic(t.name) else thing_of(t.name) for t in nodes}
    if known_types is not None:
        called = {words(name): name for name in known_types}
        types = {table: called.get(words(name), "node") for table, name in types.items()}
    plans = []
    for table in tables:
        if table.name in ends:
            plans.append(_edge_plan(table, ends[table.name], any(prefixes.values()), types))
        else:
            own = ids[table.name]
            found = [replace(key, to=types[key.to]) for key in keys[table.name]]
            why = _why_nodes(own)
            plans.append(
                _node_plan(table, own, found, prefixes[table.name], why, kinds[table.name], types[table.name])
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
        relations={
            **{
                name: RelationSpec(inverse=other)
                for p in plans
                for name in _named(p)
                if (other := converse(name))
            },
            **{name: RelationSpec(inverse=name) for p in plans for name in _both_ways(p)},
        },
    )
    notes += [
        f"{name!r} goes both ways, as it is called; without its inverse in a recipe it goes one way."
        for name in filter(is_mutual, recipe.relations)
    ]
    faults = [
        SourceError(pair.doubt, str(table.rows.path), table.rows.top)
        for table in tables
        if (pair := ends.get(table.name)) is not None and pair.doubt
    ]
    is_joined = bool(ends) or any(keys.values())
    for doubt in doubts:
        error = SourceError(
            f"{doubt.told} {_way_on(doubt, types)}", str(doubt.table.rows.path), doubt.table.rows.top
        )
        if doubt.plain or not is_joined:
            faults.append(error)
        else:
            notes.append(str(error))
    if not is_joined:
        notes.append(
            "No column names rows of a table: the graph has no edges. Where one does, a recipe says which (--explain writes one)."
        )
    return Plan(recipe, tuple(plans), tuple(notes), tuple(faults))


def _way_on(doubt: Doubt, types: Mapping[str, str]) -> str:
    """What a recipe says where a table in doubt is edges."""
    if doubt.ends is None:
        said = f'[[edges]] with files = ["{doubt.table.file}"], source = "…" and target = "…"'
    else:
        lines = spec_text(_edge_plan(doubt.table, doubt.ends, True, types).spec).split("\n")
        said = f"{lines[0]} with {', '.join(lines[1:])}"
    return f"Or say so in a recipe (--explain writes one), in place of its [[nodes]]: {said}."


def _why_nodes(own: Id | None) -> str:
    if own is None:
        return "no column tells its rows apart: they are numbered"
    return f"it has an id, {own.column!r}" if own.strong else f"{own.column!r} tells its rows apart"


_OF_ITS_OWN = 2  # properties of rows with an id that make them things: comments have a date and a text


def _keyed_ends(table: SourceTable, own: Id | None, keys: Sequence[Key]) -> Ends | None:
    """The two keys of a table that has nothing else to tell its rows by, as the ends of edges."""
    if len(keys) != 2 or any(key.split or table.columns[key.column].listed for key in keys):
        return None
    is_own = own is not None and own.column not in {key.column for key in keys}
    if own is not None and is_own and (label_of(table, own, keys)[0] or not own.strong):
        return None
    if is_own and len(table.columns) - len(keys) - 1 >= _OF_ITS_OWN:
        return None
    why = "two keys, no name of its own, and no table that names its rows" if is_own else "two keys and no id"
    source, target = (End(key.column, key.to, key.by, why=key.why) for key in keys)
    return Ends(source, target, why)


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


def _type_column(table: SourceTable, own: Id | None, keys: Sequence[Key], alone: bool) -> str:
    """The column that says each row's type; "" for none.

    A table has one where its name says no type, where it is the only one, or where all rows say what its name does.
    """
    taken = {key.column for key in keys} | {own.column if own else ""}
    names = [
        c.name for c in table.columns.values() if c.kind == "text" and c.name not in taken and not c.split
    ]
    column = first_of(names, TYPE)
    if not alone and not is_generic(table.name):
        return column if column and _repeats_name(table, table.columns[column]) else ""
    if column:
        return column
    label = first_of(names, ("label",))
    return label if label and is_kind(table.columns[label]) else ""


def _repeats_name(table: SourceTable, column: Column) -> bool:
    """Whether a column has one text in all rows, which the table's name has too: `Person` in `nodes_Person`."""
    texts = column.distinct.to_pylist() if len(column.distinct) == 1 and not column.blanks else []
    return any(set(words(text)) <= set(words(table.name)) for text in texts if words(text))


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
    by_key = {key.column: key for key in keys}
    if (
        own is not None
        and not label
        and own.column not in by_key
        and (prefix or not KEY_WORDS.issuperset(words(own.column)))
    ):
        label = (
            own.column
        )  # as people know it: "template code", and without what tells it from the ids of other tables
    chosen = {key.column for key in keys} | {own.column if own else "", kind}
    plain = [c for c in table.columns.values() if c.name not in chosen]
    lists = {c.name: c.split for c in plain if c.split and c.name != label}
    named = {c.name: "text" for c in plain if c.name == label and c.kind == "integer"}
    spec = NodeSpec(
        *table.layout,
        id=own.column if own else "",
        prefix=prefix,
        type=kind,
        node_type=node_type,
        label=label,
        lists=lists,
        kinds={c.name: c.form for c in plain if c.form} | named,
        joined={label: parts} if parts else {},
        links=tuple(LinkSpec(k.column, k.to, k.by, k.relation, k.split) for k in keys),
    )
    reasons = []
    for column in table.columns.values():
        if own is not None and column.name == own.column and column.name not in by_key:
            what = "id and name" if column.name == label else "id"
            told = Reason(column.name, f"{what}, after {prefix!r}" if prefix else what, own.why)
        elif column.name in by_key:
            told = _key_reason(by_key[column.name], column)
        elif column.name == kind:
            told = Reason(column.name, "type of node", "called so")
        elif column.name == label or column.name in parts:
            told = Reason(column.name, "name", "tells rows to people")
        else:
            told = _feature_reason(column)
        reasons.append(told)
    return TablePlan(table, "nodes", node_type, why, tuple(reasons), spec)


def _edge_plan(table: SourceTable, ends: Ends, prefixed: bool, types: Mapping[str, str]) -> TablePlan:
    sides = {}
    for end in (ends.source, ends.target):
        column = table.columns[end.column]
        plain = not (end.by or prefixed or column.blanks) and (column.kind != "number" or not column.whole)
        sides[end.column] = ("", "") if plain or not end.to else (types[end.to], end.by)
    relation = _relation_column(table, ends, alone=len(types) < 2)
    plain_ones = [
        c for c in table.columns.values() if c.name not in (*ends.columns, relation) and not _is_direction(c)
    ]
    relation_name = (
        "" if relation else "edge" if is_generic(table.name, edges=True) else _relation_of(table, ends)
    )
    (source_type, source_by), (target_type, target_by) = (sides[c] for c in ends.columns)
    spec = EdgeSpec(
        *table.layout,
        source=ends.source.column,
        target=ends.target.column,
        source_type=source_type,
        target_type=target_type,
        source_by=source_by,
        target_by=target_by,
        relation=relation,
        relation_name=relation_name,
        features=None
        if len(plain_ones) + 2 + bool(relation) == len(table.columns)
        else tuple(c.name for c in plain_ones),
        kinds={c.name: c.form for c in plain_ones if c.form},
    )
    reasons = []
    for column in table.columns.values():
        if column.name in ends.columns:
            side, end = (
                ("source", ends.source) if column.name == ends.source.column else ("target", ends.target)
            )
            to = types.get(end.to, "") or "any node"
            by = f" ({end.by})" if end.by else ""
            told = Reason(column.name, f"{side}: {to}{by}", (end.why or ends.why) + _blanks(column))
        elif column.name == relation:
            told = Reason(column.name, "relation", "called so")
        elif _is_direction(column):
            told = Reason(column.name, "whether edges have a direction", "called so by Gephi")
        else:
            told = _feature_reason(column)
        reasons.append(told)
    return TablePlan(table, "edges", relation_name or "(by column)", ends.why, tuple(reasons), spec)


def _relation_of(table: SourceTable, ends: Ends) -> str:
    """What the edges of a table are called: as it is, and where it joins rows of one table and is called as one end is, which end that is.

    In `companions` with `plant_id` and `companion_id` the second is a companion of the first, in `mentors` with `mentor_id` and
    `pupil_id` the first is a mentor of the second, and in `rivalries` with `firm_id` and `rival_id` both are rivals.
    """
    name = thing_of(table.name)
    if ends.source.to != ends.target.to:
        return name
    noun, source, target = words(name), stem(ends.source.column), stem(ends.target.column)
    if not (noun and source and target):
        return name
    at_source, at_target = (
        noun[-1] in (side[-1], *(side[-1] + s for s in _STATES)) for side in (source, target)
    )
    if at_source == at_target:
        return name
    return "_".join((*noun[:-1], source[-1], "of") if at_source else (*noun[:-1], target[-1]))


def _relation_column(table: SourceTable, ends: Ends, alone: bool) -> str:
    """The column that says each edge's relation; "" for none. `alone`: there is no more than one table of nodes.

    Among several tables `type` and `kind` say it only where nothing else does: edges of `depends_on` by `package_id` and `dependency_id`
    are called as their table is.
    """
    names = [
        c.name
        for c in table.columns.values()
        if c.kind == "text" and c.name not in ends.columns and not c.form
    ]
    plain = any(words(end)[:1] == (side,) for end in ends.columns for side in (*SOURCE, *TARGET))
    called = not (alone or plain or is_generic(table.name, edges=True))
    wanted = [name for name in RELATION if not (called and name in TYPE)]
    column = first_of([name for name in names if not _is_direction(table.columns[name])], wanted)
    if column:
        return column
    label = first_of(names, ("label",))
    return label if label and is_kind(table.columns[label]) else ""


def _both_ways(plan: TablePlan) -> list[str]:
    """The relations of a table of edges that have no direction: as a column says of all edges, or as they are called."""
    if not isinstance(plan.spec, EdgeSpec):
        return []
    return [plan.name] if _is_undirected(plan) else list(filter(is_mutual, _named(plan)))


def _named(plan: TablePlan) -> list[str]:
    """What the relations of a table of edges are called; of one of nodes none."""
    if not isinstance(plan.spec, EdgeSpec):
        return []
    column = plan.table.columns.get(plan.spec.relation)
    return [plan.spec.relation_name] if column is None else column.distinct.to_pylist()


def _is_undirected(plan: TablePlan) -> bool:
    """Whether a column says of all edges of one relation that they have no direction."""
    told = (c for c in plan.table.columns.values() if _is_direction(c))
    return (
        isinstance(plan.spec, EdgeSpec)
        and bool(plan.spec.relation_name)
        and any({v.lower() for v in c.distinct.to_pylist()} == {"undirected"} for c in told)
    )


def _is_direction(column: Column) -> bool:
    """Whether a column says of each edge whether it has a direction, as Gephi's `Type` does."""
    return bool(len(column.distinct)) and {v.lower() for v in column.distinct[:3].to_pylist()} <= _DIRECTIONS


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
