"""Graphs for the tests of phrases, from tables told in the test, and answers without what does not matter there."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

import graphtalk as gt
from graphtalk.core import JSON
from graphtalk.graphs import EdgeTable, NodeTable, build


def imported(tables: Mapping[str, str], folder: Path) -> gt.Session:
    """A session over CSV tables that were written into a folder and imported; `tables`: their texts by their names."""
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    gt.import_graph(folder, folder / "tables.gt")
    return gt.session(gt.open(folder / "tables.gt"))


def joined(
    tables: Mapping[str, Mapping[str, Sequence[object]]],
    ends: Mapping[tuple[str, str, str], str],
    own: Mapping[str, Mapping[str, Sequence[object]]] | None = None,
) -> gt.Session:
    """A session over node tables with `id` and `name`, joined by their ids.

    ends: "a1-b1 a2-b1" by relation, source and target; own: the properties of a relation's edges, in their order
    """
    nodes = [NodeTable(name, pa.table(dict(table)), "name") for name, table in tables.items()]
    places = {name: {key: i for i, key in enumerate(table["id"])} for name, table in tables.items()}
    edges = []
    for (name, source, target), told in ends.items():
        pairs = [end.split("-") for end in told.split()]
        at = np.array([(places[source][a], places[target][b]) for a, b in pairs], dtype=np.int64)
        properties = pa.table(dict(own[name])) if own and name in own else None
        edges.append(EdgeTable(name, source, target, at[:, 0], at[:, 1], properties))
    return gt.session(build(nodes, edges))


def plain(value: JSON) -> object:
    """A value without the names of its columns and, where it is a list, without an order; one entry alone."""
    if not isinstance(value, list):
        return value
    entries = [tuple(e.values()) if isinstance(e, dict) else e for e in value]
    return set(entries) if len(entries) != 1 else entries[0]
