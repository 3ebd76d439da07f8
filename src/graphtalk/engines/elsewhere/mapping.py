"""Which tables are nodes and which are edges: from keys that a database declares, or from a mapping.

A mapping is a recipe (`graphs/recipe.py`) whose `files` are tables, or Parquet files beside it:

    [[nodes]]
    files = ["person"]
    node_type = "person"
    id = "id"
    label = "name"

    [[edges]]
    files = ["knows"]
    relation_name = "knows"
    source = "who"
    target = "whom"
    source_type = "person"           # types of the ends, where there are several types
    target_type = "person"
    key = "number"                   # tells parallel edges apart

    [relations.knows]
    inverse = "knows"                # no direction; or the name as seen from the target
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields

import pyarrow as pa

from graphtalk.core import UsageError
from graphtalk.engines.elsewhere.names import label_of
from graphtalk.engines.elsewhere.sql import EdgeRows, NodeRows, Tables
from graphtalk.graphs.columns import feature_table, features_of
from graphtalk.graphs.recipe import EdgeSpec, LinkSpec, NodeSpec, Recipe, RelationSpec
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema

Columns = Callable[[str], pa.Schema]
"""The columns of a table by name, with their Arrow types. Raises UsageError where there is no such table."""


@dataclass(frozen=True)
class Declared:
    """A table of a database: its primary key, and its foreign keys as column, table there."""

    name: str
    key: tuple[str, ...]
    foreign: tuple[tuple[str, str], ...]


def by_keys(tables: Sequence[Declared], columns: Columns, row: str, place: str) -> Tables:
    """Tables with a primary key of one column are types of nodes, their foreign keys relations; tables of two foreign keys
    are relations too. `row`: the column that tells rows of any table apart, if the engine has one.

    Raises UsageError where no table declares a key.
    """
    nodes = {t.name: t for t in tables if len(t.key) == 1 and not _joins(t)}
    if not nodes:
        raise UsageError(
            f"{place}: no table declares a primary key, so nothing says which are nodes and which are edges. "
            "Name a mapping: …?mapping=FILE.toml (docs/backends.md)."
        )
    made: list[tuple[Relation, EdgeRows]] = []
    held: dict[str, NodeRows] = {}
    types: list[NodeType] = []
    for name, t in sorted(nodes.items()):
        foreign = [column for column, _ in t.foreign]
        rows, features, label = _node(name, t.key[0], columns(name), leave=foreign)
        held[name] = rows
        types.append(NodeType(_last(name), 0, 0, label, features))
        for column, other in t.foreign:
            if other in nodes:
                relation = Relation(_without_id(column), _last(name), _last(other), 0)
                made.append((relation, EdgeRows(name, t.key[0], column, (t.key[0],), {}, frozenset())))
    for t in tables:
        if t.name in nodes or not _joins(t) or not {other for _, other in t.foreign} <= nodes.keys():
            continue
        (source, one), (target, other) = t.foreign
        known = columns(t.name)
        told = (row,) if row else t.key or (source, target)
        features, names, integers = _features(
            known, leave=(source, target, *(t.key if len(t.key) == 1 else ()))
        )
        relation = Relation(_last(t.name), _last(one), _last(other), 0, "", features)
        made.append((relation, EdgeRows(t.name, source, target, told, names, integers)))
    schema = Schema(tuple(types), tuple(relation for relation, _ in made))
    return Tables({_last(name): rows for name, rows in held.items()}, [rows for _, rows in made], schema)


def by_recipe(recipe: Recipe, columns: Columns, row: Callable[[str], str], place: str) -> Tables:
    """The tables that a mapping names. Raises UsageError for what a mapping cannot say of tables elsewhere."""
    types: list[NodeType] = []
    held: dict[str, NodeRows] = {}
    for spec in recipe.nodes:
        name = _table(spec, place)
        of = spec.node_type or _last(name)
        _only(spec, ("files", "table", "node_type", "id", "label", "features", "links"), place)
        if of in held:
            raise UsageError(f"{place}: two tables hold {of} nodes. Make a view of both, or name two types.")
        leave = [link.column for link in spec.links]
        rows, features, label = _node(name, spec.id, columns(name), spec.features, leave, spec.label)
        held[of] = rows
        types.append(NodeType(of, 0, 0, label, features))
    made = [_linked(spec, link, list(held), columns, place) for spec in recipe.nodes for link in spec.links]
    made += [_relation(recipe, spec, list(held), columns, row, place) for spec in recipe.edges]
    names = [relation.name for relation, _ in made]
    for relation, _ in made:
        if relation.inverse in names and not relation.undirected:
            raise UsageError(
                f"{place}: {relation.name} is {relation.inverse} seen from the other end. Leave out the table of one."
            )
    schema = Schema(tuple(types), tuple(relation for relation, _ in made))
    return Tables(held, [rows for _, rows in made], schema)


def _linked(
    spec: NodeSpec, link: LinkSpec, types: Sequence[str], columns: Columns, place: str
) -> tuple[Relation, EdgeRows]:
    """The relation of a column that names nodes."""
    name = _table(spec, place)
    if link.by or link.split:
        raise UsageError(
            f"{place}, {name}, {link.column}: a link elsewhere names nodes by their id, one in a cell."
        )
    if link.to not in types:
        raise UsageError(
            f"{place}, {name}, {link.column}: no table holds {link.to!r} nodes, but {', '.join(types)}."
        )
    _there(link.column, columns(name), name, place)
    relation = Relation(link.relation or link.column, spec.node_type or _last(name), link.to, 0)
    return relation, EdgeRows(name, spec.id, link.column, (spec.id,), {}, frozenset())


def _relation(
    recipe: Recipe,
    spec: EdgeSpec,
    types: Sequence[str],
    columns: Columns,
    row: Callable[[str], str],
    place: str,
) -> tuple[Relation, EdgeRows]:
    table = _table(spec, place)
    name = spec.relation_name or _last(table)
    allowed = (
        "files",
        "table",
        "relation_name",
        "source",
        "target",
        "source_type",
        "target_type",
        "key",
        "features",
    )
    _only(spec, allowed, place)
    said = recipe.relations.get(name, RelationSpec())
    ends = []
    for end, of in (("source", spec.source_type or said.source), ("target", spec.target_type or said.target)):
        if not of and len(types) == 1:
            of = types[0]
        if of not in types:
            raise UsageError(
                f"{place}, {table}: {end}_type must be the type of the nodes there, one of {', '.join(types)}."
            )
        ends.append(of)
    known = columns(table)
    for column in (spec.source, spec.target, spec.key or spec.source):
        _there(column, known, table, place)
    told = (spec.key,) if spec.key else (found,) if (found := row(table)) else (spec.source, spec.target)
    leave = (spec.source, spec.target, *([spec.key] if spec.key else []))
    features, names, integers = _features(known, spec.features, leave)
    relation = Relation(said.name or name, ends[0], ends[1], 0, said.inverse, features, said.description)
    return relation, EdgeRows(table, spec.source, spec.target, told, names, integers)


def _only(spec: NodeSpec | EdgeSpec, allowed: Sequence[str], place: str) -> None:
    """Raise UsageError where a mapping says what only an import can do."""
    for f in fields(spec):
        default = (
            f.default_factory() if f.default is MISSING and f.default_factory is not MISSING else f.default
        )
        if f.name not in allowed and getattr(spec, f.name) != default:
            raise UsageError(
                f"{place}, {_table(spec, place)}: {f.name!r} needs an import. Of tables elsewhere a mapping says "
                f"{', '.join(allowed)}."
            )


def _node(
    table: str,
    key: str,
    known: pa.Schema,
    only: Sequence[str] | None = None,
    leave: Sequence[str] = (),
    label: str = "",
) -> tuple[NodeRows, tuple[Feature, ...], str]:
    _there(key, known, table, "mapping")
    features, names, integers = _features(known, only, [*leave, *([key] if key.casefold() == "id" else [])])
    texts = [f.name for f in features if f.kind == "text"]
    if label and label not in names:
        _there(label, known, table, "mapping")
    whole = pa.types.is_integer(known.field(key).type)
    return NodeRows(table, key, whole, names, integers), features, label or label_of(list(names), texts)


def _features(
    known: pa.Schema, only: Sequence[str] | None = None, leave: Sequence[str] = ()
) -> tuple[tuple[Feature, ...], Mapping[str, str], frozenset[str]]:
    """The features of a table's columns, the column of each, and which hold whole numbers."""
    names = [
        name for name in known.names if (only is None or name in only) and name not in leave and name != "id"
    ]
    table = feature_table(known.empty_table().select(names))
    integers = frozenset(name for name in names if pa.types.is_integer(known.field(name).type))
    return features_of(table), {name: name for name in names}, integers


def _there(column: str, known: pa.Schema, table: str, place: str) -> None:
    if column not in known.names:
        raise UsageError(f"{place}, {table}: there is no column {column!r}; it has {', '.join(known.names)}.")


def _table(spec: NodeSpec | EdgeSpec, place: str) -> str:
    if spec.table:
        return spec.table
    if len(spec.files) != 1:
        raise UsageError(f'{place}: a table elsewhere is named alone: files = ["{spec.files[0]}"].')
    return spec.files[0]


def _joins(t: Declared) -> bool:
    """Whether a table only joins two others: two foreign keys, and no key that others could name it by."""
    return len(t.foreign) == 2 and (len(t.key) != 1 or t.key[0] in [column for column, _ in t.foreign])


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _without_id(column: str) -> str:
    """`director_id` is a director."""
    folded = column.casefold()
    return column[:-3] if folded.endswith("_id") and len(column) > 3 else column
