"""Edges that change: which of those that are there rows mean, and what becomes of the others."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import UsageError
from graphtalk.graphs.adjacency import Adjacency, Ints, Pointers, Sparse
from graphtalk.graphs.columns import as_texts
from graphtalk.graphs.restoring import of_feature
from graphtalk.graphs.schema import NodeType, Relation

Key: TypeAlias = tuple[str, str, str]  # a relation: name, source type, target type
NONE: Ints = np.empty(0, np.int64)


def grown(a: Adjacency, source: tuple[NodeType, range], target: tuple[NodeType, range]) -> Adjacency:
    """The same edges where nodes were added behind those of their types, and types may begin elsewhere."""
    (old_source, sources), (old_target, targets) = source, target

    def longer(pointers: Pointers, rows: int) -> Pointers:
        if isinstance(pointers, Sparse):
            return replace(pointers, count=rows)
        more = rows + 1 - len(pointers)
        return np.concatenate([pointers, np.full(more, pointers[-1])]) if more else pointers

    def shifted(nodes: Ints, by: int) -> Ints:
        if not by:
            return nodes
        wide = np.int32 if max(sources.stop, targets.stop) < 2**31 else np.int64
        return (nodes.astype(np.int64) + by).astype(wide)

    return Adjacency(
        longer(a.indptr, len(sources)),
        shifted(a.indices, targets.start - old_target.first),
        longer(a.back_indptr, len(targets)),
        shifted(a.back_indices, sources.start - old_source.first),
        a.back_edge,
    )


def by_types(name: str, types: Sequence[NodeType], source: Ints, target: Ints) -> list[tuple[Key, Ints]]:
    """Edges of one name by the types of their ends: the relation, and which they are."""
    firsts = [t.first for t in types]
    codes = [np.searchsorted(firsts, end, "right") - 1 for end in (source, target)]
    pairs = codes[0] * len(types) + codes[1]
    found = []
    for pair in dict.fromkeys(pairs.tolist()):
        one, other = divmod(pair, len(types))
        found.append(((name, types[one].name, types[other].name), np.flatnonzero(pairs == pair)))
    return found


def matched(own: Ints, keys: Ints) -> Ints:
    """For each of `keys` the position of its equal in `own`: of the first the first, and so on; -1 where none is left."""
    among = np.flatnonzero(np.isin(own, keys))
    _, codes = np.unique(np.concatenate([own[among], keys]), return_inverse=True)
    wide = len(among) + len(keys) + 1
    ranked = [part * wide + _ranks(part) for part in (codes[: len(among)], codes[len(among) :])]
    order = np.argsort(ranked[0])
    place = np.searchsorted(ranked[0], ranked[1], sorter=order)
    found = np.full(len(keys), -1, np.int64)
    inside = np.flatnonzero(place < len(order))
    hit = inside[ranked[0][order[place[inside]]] == ranked[1][inside]]
    found[hit] = among[order[place[hit]]]
    return found


def _ranks(codes: Ints) -> Ints:
    """How many equal ones stand before each. Shape as given."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(codes) else NONE
    ranks = np.empty(len(codes), np.int64)
    ranks[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(np.append(starts, len(codes))))
    return ranks


def with_features(own: Ints, table: pa.Table, keys: Ints, wanted: pa.Table, r: Relation) -> tuple[Ints, Ints]:
    """The keys of edges told apart by the features that `wanted` has, too."""
    names = wanted.column_names
    if odd := [name for name in names if name not in table.column_names]:
        raise UsageError(f"Edges {r.name} have no feature {odd[0]!r}, so none can be deleted by it.")
    kinds = [of_feature(wanted.column(name), f) for name in names for f in r.features if f.name == name]
    cells = [
        pc.binary_join_element_wise(*(pc.fill_null(as_texts(c), "\0") for c in columns), "\1")
        for columns in ([table.column(name) for name in names], kinds)
    ]
    joined = [
        pc.binary_join_element_wise(pa.array(part).cast(pa.string()), text.combine_chunks(), "\2")
        for part, text in zip((own, keys), cells, strict=True)
    ]
    codes = pa.concat_arrays(joined).dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes[: len(own)], codes[len(own) :]
