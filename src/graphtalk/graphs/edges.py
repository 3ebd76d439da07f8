"""Edges of many relations between many types, told apart: turned round, stored once, one table a relation."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable
from graphtalk.graphs.columns import concat
from graphtalk.graphs.recipe import RelationSpec
from graphtalk.graphs.tabular.words import is_mutual


@dataclass(frozen=True)
class Edges:
    """Edges by the positions of their ends among all nodes; `relation` indexes `names`. Shape (edges,).

    `features` has a row an edge, or no column. Where `distinct`, equal edges are kept once.
    """

    source: Ints
    target: Ints
    relation: Ints
    names: list[str]
    features: pa.Table
    distinct: bool = False


def join_edges(parts: Sequence[Edges]) -> Edges:
    """All edges end to end."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        none = np.empty(0, np.int64)
        return Edges(none, none, none, [], pa.table({}))
    names = list(dict.fromkeys(name for part in parts for name in part.names))
    position = {name: i for i, name in enumerate(names)}
    relation = [np.array([position[n] for n in p.names] + [0], dtype=np.int64)[p.relation] for p in parts]
    tables = [p.features if p.features.num_columns else _no_features(len(p.source)) for p in parts]
    features = pa.table({})
    if any(p.features.num_columns for p in parts):
        features = concat(tables)
        features = features.select([name for name in features.column_names if name != _ROW])
    return Edges(
        np.concatenate([p.source for p in parts]),
        np.concatenate([p.target for p in parts]),
        np.concatenate(relation),
        names,
        features,
        any(p.distinct for p in parts),
    )


def edge_tables(
    edges: Edges,
    types: Ints,
    type_names: Sequence[str],
    place: Ints,
    specs: Mapping[str, RelationSpec],
    once: bool = True,
) -> list[EdgeTable]:
    """One table a relation and pair of types, in order of appearance.

    `types` and `place` give each node's type and its row there. `specs` are by the names in `edges`.
    With `once`, an edge that both of its ends give is kept once: of parallel edges as many as one end gives. What is called as what
    goes both ways ("married to") does, unless its spec says otherwise.
    """
    specs = {**{name: RelationSpec(inverse=name) for name in edges.names if is_mutual(name)}, **specs}
    edges, named = _renamed(edges, specs)
    edges, turned, backwards = _turned(edges, named, types, type_names)
    edges = _once(edges, named, turned if once else set(), backwards)
    width = len(type_names)
    short: type[np.signedinteger] = np.int32 if (len(edges.names) + 1) * width**2 < 2**31 else np.int64
    codes = types.astype(short)
    keys = (edges.relation.astype(short) * width + codes[edges.source]) * width + codes[edges.target]
    tables = []
    for key, rows in _split(keys):
        code, ends = divmod(key, width**2)
        spec = named.get(edges.names[code], RelationSpec())
        tables.append(
            EdgeTable(
                edges.names[code],
                type_names[ends // width],
                type_names[ends % width],
                place[edges.source[rows]],
                place[edges.target[rows]],
                _features(edges.features, rows),
                spec.inverse,
                spec.description,
            )
        )
    return tables


def is_mirror(one: Ints, other: Ints | None = None) -> bool:
    """Whether `other` (or `one` itself) has exactly the edges of `one`, turned round. Shapes (2, edges)."""
    other = one if other is None else other
    return one.shape == other.shape and bool(np.array_equal(_sorted(one), _sorted(other[::-1])))


def _sorted(ends: Ints) -> Ints:
    return ends[:, np.lexsort(ends)]


def fold_mirrors(tables: Sequence[EdgeTable]) -> list[EdgeTable]:
    """Relations that hold the same edges from both ends made one, the first keeping its name and direction.

    A relation that is its own mirror becomes undirected. Those with features or an inverse stay.
    """
    found: list[EdgeTable] = []
    absorbed: set[int] = set()
    ends = [np.stack([t.source, t.target]) for t in tables]
    alike: dict[object, list[int]] = {}  # tables without features by their ends and types, the last first
    for i in reversed(range(len(tables))):
        if tables[i].features is None and not tables[i].inverse:
            alike.setdefault(_sign(tables[i], ends[i]), []).append(i)
    for i, table in enumerate(tables):
        if i in absorbed:
            continue
        if table.features is not None or table.inverse:
            found.append(table)
        elif table.source_type == table.target_type and is_mirror(ends[i]):
            once = ends[i][0] <= ends[i][1]
            kept = replace(table, source=table.source[once], target=table.target[once])
            found.append(replace(kept, inverse=table.name))
        else:
            turned = replace(table, source_type=table.target_type, target_type=table.source_type)
            rest = [j for j in alike.get(_sign(turned, ends[i][::-1]), ()) if j > i and j not in absorbed]
            if not rest:
                found.append(table)
                continue
            absorbed.add(rest[-1])
            found.append(replace(table, inverse=tables[rest[-1]].name))
    return found


def _sign(table: EdgeTable, ends: Ints) -> object:
    """What two tables share where they join the same types by the same edges."""
    return table.source_type, table.target_type, hashlib.sha256(_sorted(ends).tobytes()).digest()


def _renamed(edges: Edges, specs: Mapping[str, RelationSpec]) -> tuple[Edges, dict[str, RelationSpec]]:
    """Edges by the final names of their relations, and the specs by those names."""
    names, code, named = renaming(edges.names, specs)
    return replace(edges, relation=code[edges.relation], names=names), named


def renaming(
    given: Sequence[str], specs: Mapping[str, RelationSpec]
) -> tuple[list[str], Ints, dict[str, RelationSpec]]:
    """The final names of relations, for each given one (and one more) which of them it has, and the specs by these."""
    final = [(specs[n].name or n) if n in specs else n for n in given]
    names = list(dict.fromkeys(final))
    place = {name: i for i, name in enumerate(names)}
    code = np.array([place[n] for n in final] + [0], dtype=np.int32)
    return names, code, {spec.name or name: spec for name, spec in specs.items()}


def _turned(
    edges: Edges, named: Mapping[str, RelationSpec], types: Ints, type_names: Sequence[str]
) -> tuple[Edges, set[int], NDArray[np.bool_]]:
    """Edges given from their target's end turned round, the relations that may have such, and which edges were."""
    becomes, first, second, turned = turning(edges.names, named, type_names)
    relation = becomes[edges.relation]
    backwards = relation != edges.relation
    if (first >= 0).any():
        backwards |= (types[edges.source] == second[relation]) & (types[edges.target] == first[relation])
    if not backwards.any():
        return edges, turned, backwards
    source = np.where(backwards, edges.target, edges.source)
    target = np.where(backwards, edges.source, edges.target)
    return replace(edges, source=source, target=target, relation=relation), turned, backwards


def turning(
    names: Sequence[str], named: Mapping[str, RelationSpec], type_names: Sequence[str]
) -> tuple[Ints, Ints, Ints, set[int]]:
    """What becomes of relations that others are the inverse of.

    For each relation (and one place more) which one its edges are stored under, and the positions of the types of its two
    ends where edges between these may be given from either, else -1; and the relations that may have edges turned round.
    """
    becomes = np.arange(len(names) + 1, dtype=np.int32)
    first, second = np.full((2, len(becomes)), -1)
    turned: set[int] = set()
    codes = {name: code for code, name in enumerate(names)}
    for name, spec in named.items():
        code = codes.get(name, -1)
        if code < 0 or not spec.inverse or becomes[code] != code:
            continue
        if spec.inverse == name:
            if spec.source != spec.target and {spec.source, spec.target} <= set(type_names):
                first[code], second[code] = type_names.index(spec.source), type_names.index(spec.target)
        elif spec.inverse in codes:
            becomes[codes[spec.inverse]] = code
        else:
            continue
        turned.add(code)
    return becomes, first, second, turned


def _once(
    edges: Edges, named: Mapping[str, RelationSpec], turned: set[int], backwards: NDArray[np.bool_]
) -> Edges:
    """Edges that both of their ends give kept once, and where `distinct` all equal edges.

    Parallel edges stay: the second from one end is the second from the other. Edges with features are all kept: they
    may differ in these.
    """
    if edges.features.num_columns or not (turned or edges.distinct) or not len(edges.source):
        return edges
    both = [either_way(name, named) for name in edges.names]
    chosen = np.arange(len(edges.source))
    if not edges.distinct:
        may = np.zeros(len(edges.names), dtype=bool)
        may[list(turned)] = True
        chosen = np.flatnonzero(may[edges.relation])
    source, target, relation = edges.source[chosen], edges.target[chosen], edges.relation[chosen]
    flip = np.array(both, dtype=bool)[relation] & (source > target)
    low, high = np.where(flip, target, source), np.where(flip, source, target)
    size = int(max(edges.source.max(), edges.target.max())) + 1
    keep = np.ones(len(edges.source), dtype=bool)
    keys = (relation.astype(np.int64) * size + low) * size + high
    if not edges.distinct:
        end = backwards[chosen] | flip
        turn = _turn_of_each(2 * keys + end)
        turn[source == target] = 0  # a loop has one end
        keys = np.unique(keys, return_inverse=True)[1] * (int(turn.max(initial=0)) + 1) + turn
    keep[chosen] = _first_of_each(keys)
    return replace(edges, source=edges.source[keep], target=edges.target[keep], relation=edges.relation[keep])


def either_way(name: str, named: Mapping[str, RelationSpec]) -> bool:
    """Whether a relation is its own inverse and joins nodes of one kind, so that its ends may be swapped."""
    spec = named.get(name)
    return spec is not None and spec.inverse == name and spec.source == spec.target


def _turn_of_each(keys: Ints) -> Ints:
    """How many equal keys stand before each."""
    order = np.argsort(keys, kind="stable")
    inside = keys[order]
    first = np.flatnonzero(np.diff(inside, prepend=inside[:1] - 1))
    turn = np.empty(len(keys), np.int64)
    turn[order] = np.arange(len(keys)) - np.repeat(first, np.diff(np.append(first, len(keys))))
    return turn


def _first_of_each(keys: Ints) -> NDArray[np.bool_]:
    """Marks the first of equal keys."""
    order = np.argsort(keys, kind="stable")
    first = np.ones(len(keys), dtype=bool)
    first[order[1:]] = keys[order[1:]] != keys[order[:-1]]
    return first


def _split(keys: Ints) -> list[tuple[int, Ints | slice]]:
    """Each different key with the rows that have it, in order of first appearance; all rows, where they share one."""
    if len(keys) and keys.min() == keys.max():
        return [(int(keys[0]), slice(None))]
    encoded = pa.array(keys).dictionary_encode()
    codes = encoded.indices.to_numpy()
    small = codes.astype(np.uint16) if len(encoded.dictionary) < 2**16 else codes  # radix sort
    ends = np.cumsum(np.bincount(codes, minlength=len(encoded.dictionary)))
    rows = np.split(np.argsort(small, kind="stable"), ends[:-1])
    return list(zip(encoded.dictionary.to_pylist(), rows, strict=False))


_ROW = "\0row"


def _no_features(count: int) -> pa.Table:
    return pa.table({_ROW: pa.nulls(count)})


def _features(table: pa.Table, rows: Ints | slice) -> pa.Table | None:
    if not table.num_columns:
        return None
    chosen = table if isinstance(rows, slice) else table.take(pa.array(rows))
    return chosen.select([i for i, column in enumerate(chosen.columns) if column.null_count < len(chosen)])
