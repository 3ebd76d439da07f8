"""Edges of many relations between many types, told apart: turned round, stored once, one table a relation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.build import EdgeTable
from graphtalk.graphs.recipe import RelationSpec


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
        features = pa.concat_tables(tables, promote_options="permissive").drop_columns([_ROW])
    return Edges(
        np.concatenate([p.source for p in parts]),
        np.concatenate([p.target for p in parts]),
        np.concatenate(relation),
        names,
        features,
        any(p.distinct for p in parts),
    )


def edge_tables(
    edges: Edges, types: Ints, type_names: Sequence[str], place: Ints, specs: Mapping[str, RelationSpec]
) -> list[EdgeTable]:
    """One table a relation and pair of types, in order of appearance.

    `types` and `place` give each node's type and its row there. `specs` are by the names in `edges`.
    """
    edges, named = _renamed(edges, specs)
    edges, turned = _turned(edges, named, types, type_names)
    edges = _once(edges, named, turned)
    width = len(type_names)
    keys = (edges.relation * width + types[edges.source]) * width + types[edges.target]
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


def _renamed(edges: Edges, specs: Mapping[str, RelationSpec]) -> tuple[Edges, dict[str, RelationSpec]]:
    """Edges by the final names of their relations, and the specs by those names."""
    named = {spec.name or name: spec for name, spec in specs.items()}
    final = [(specs[n].name or n) if n in specs else n for n in edges.names]
    names = list(dict.fromkeys(final))
    code = np.array([names.index(n) for n in final] + [0], dtype=np.int64)
    return replace(edges, relation=code[edges.relation], names=names), named


def _turned(
    edges: Edges, named: Mapping[str, RelationSpec], types: Ints, type_names: Sequence[str]
) -> tuple[Edges, set[int]]:
    """Edges given from their target's end turned round, and the relations that have such."""
    source, target, relation = edges.source.copy(), edges.target.copy(), edges.relation.copy()
    turned: set[int] = set()
    absorbed: set[str] = set()
    for name, spec in named.items():
        if not spec.inverse or name not in edges.names or name in absorbed:
            continue
        code = edges.names.index(name)
        if spec.inverse == name:
            backwards = (edges.relation == code) & _reversed(edges, spec, types, type_names)
        elif spec.inverse in edges.names:
            absorbed.add(spec.inverse)
            backwards = edges.relation == edges.names.index(spec.inverse)
        else:
            continue
        turned.add(code)
        source[backwards], target[backwards] = edges.target[backwards], edges.source[backwards]
        relation[backwards] = code
    return replace(edges, source=source, target=target, relation=relation), turned


def _reversed(edges: Edges, spec: RelationSpec, types: Ints, type_names: Sequence[str]) -> NDArray[np.bool_]:
    """Which edges run from the relation's target type to its source type."""
    if spec.source == spec.target or spec.source not in type_names or spec.target not in type_names:
        return np.zeros(len(edges.source), dtype=bool)
    first, second = type_names.index(spec.source), type_names.index(spec.target)
    backwards: NDArray[np.bool_] = (types[edges.source] == second) & (types[edges.target] == first)
    return backwards


def _once(edges: Edges, named: Mapping[str, RelationSpec], turned: set[int]) -> Edges:
    """Edges of relations that are seen from both ends, and all where `distinct`, each kept once.

    Edges with features are all kept: they may differ in these.
    """
    if edges.features.num_columns or not (turned or edges.distinct) or not len(edges.source):
        return edges
    both = [
        name in named and named[name].inverse == name and named[name].source == named[name].target
        for name in edges.names
    ]
    flip = np.array(both, dtype=bool)[edges.relation] & (edges.source > edges.target)
    low, high = np.where(flip, edges.target, edges.source), np.where(flip, edges.source, edges.target)
    size = int(max(edges.source.max(), edges.target.max())) + 1
    keys = (edges.relation * size + low) * size + high
    first = np.unique(keys, return_index=True)[1]
    keep = np.zeros(len(keys), dtype=bool)
    keep[first] = True
    if not edges.distinct:
        keep |= ~np.isin(edges.relation, list(turned))
    return replace(edges, source=edges.source[keep], target=edges.target[keep], relation=edges.relation[keep])


def _split(keys: Ints) -> list[tuple[int, Ints]]:
    """Each different key with the rows that have it, in order of first appearance."""
    found, first, codes = np.unique(keys, return_index=True, return_inverse=True)
    small = codes.astype(np.uint16) if len(found) < 2**16 else codes  # radix sort
    order = np.argsort(small, kind="stable")
    ends = np.cumsum(np.bincount(codes, minlength=len(found))) if len(found) else np.empty(0, np.int64)
    rows = np.split(order, ends[:-1]) if len(found) else []
    return [(int(found[i]), rows[i]) for i in np.argsort(first)]


_ROW = "\0row"


def _no_features(count: int) -> pa.Table:
    return pa.table({_ROW: pa.nulls(count)})


def _features(table: pa.Table, rows: Ints) -> pa.Table | None:
    if not table.num_columns:
        return None
    chosen = table.take(pa.array(rows))
    return chosen.select([n for n in chosen.column_names if chosen.column(n).null_count < len(chosen)])
