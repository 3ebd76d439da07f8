"""Which nodes are still called as they were, after a graph changed: what is known of their names is kept."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.schema import NodeType
from graphtalk.search.names import ALIASES, naming_features, shared_names


def kept_names(old: Graph, new: Graph) -> Ints:
    """For each node of the new graph the node of the old one that has its type, id, label and all other names, or -1.

    Shape (nodes of the new graph,). Linear in the nodes; what no change touched is not looked at.
    """
    kept = np.full(new.num_nodes, -1, np.int64)
    for before, t in zip(old.schema.node_types, new.schema.node_types, strict=False):
        features = naming_features(t)
        if (before.name, before.label, naming_features(before)) == (t.name, t.label, features):
            places = _places(old.columns[t.name], new.columns[t.name], t, features)
            kept[t.first : t.first + t.count] = np.where(places >= 0, before.first + places, -1)
    return kept


def _places(held: pa.Table, table: pa.Table, t: NodeType, features: list[str]) -> Ints:
    """The rows that rows of a type's table were, -1 where they were not or were called otherwise."""
    if table is held:
        return np.arange(len(table))
    import pyarrow.compute as pc  # slow to import, and only updates come here

    ids, known = table.column("id"), held.column("id")
    if ids.slice(0, len(known)).equals(known):
        places = np.where(np.arange(len(ids)) < len(known), np.arange(len(ids)), -1)
    else:
        found = pc.fill_null(pc.index_in(ids, value_set=known), -1)
        places = np.asarray(found.to_numpy(), np.int64)
    for name in dict.fromkeys([t.label or "id", *features]):
        now, was = table.column(name), held.column(name)
        if now is was:
            continue
        there = np.flatnonzero(places >= 0)
        same = _same(now.take(pa.array(there)), was.take(pa.array(places[there])))
        places[there[~same]] = -1
        if name in features and name.casefold() not in ALIASES:
            turned = pa.array(sorted(shared_names(was) ^ shared_names(now)), pa.string())
            places[pc.is_in(now, value_set=turned).to_numpy()] = -1
    return places


def _same(one: pa.ChunkedArray, other: pa.ChunkedArray) -> NDArray[np.bool_]:
    """Which rows of two columns of texts, or of lists of texts, hold the same."""
    import pyarrow.compute as pc

    if one.type != other.type:
        return np.zeros(len(one), bool)
    if pa.types.is_list(one.type) or pa.types.is_large_list(one.type):
        sizes = [pc.fill_null(pc.list_value_length(column), -1) for column in (one, other)]
        same: NDArray[np.bool_] = pc.equal(*sizes).to_numpy().copy()
        rows = np.flatnonzero(same)
        flat = [pc.list_flatten(column.take(pa.array(rows))) for column in (one, other)]
        counts = np.maximum(sizes[0].to_numpy()[rows], 0)
        same[np.repeat(rows, counts)[~_same(*flat)]] = False
        return same
    alike = pc.fill_null(pc.equal(one, other), False)
    return np.asarray(pc.or_(alike, pc.and_(pc.is_null(one), pc.is_null(other))).to_numpy())
