"""What a node and an edge say as text: what is embedded for them, and what stands in a textual graph.

A node is its label, or `label: …; feature: …` where it has more to say, as in the attributes of GraphQA (He et al.,
2024, table 9). An edge is the name of its relation, likewise with its features. Texts are one line each.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Value, cells, plain
from graphtalk.graphs.schema import Feature, NodeType, Relation
from graphtalk.graphs.writers.text import json_texts

MOST_LETTERS = 4_000  # of one text
_BLOCK = 16_384  # nodes whose features are read at once
_SHOWN = frozenset(
    {"text", "number", "boolean", "date", "datetime", "list"}
)  # kinds of features that can be read


def node_blocks(graph: Graph) -> Iterator[list[str]]:
    """The texts of all nodes in their order, some ten thousand at a time."""
    for t in graph.schema.node_types:
        table = graph.columns[t.name].select(_columns(t))
        for batch in table.to_batches(max_chunksize=_BLOCK):
            columns = [column.to_pylist() for column in batch.columns]
            yield _node_texts(t, columns)


def node_texts(graph: Graph, nodes: Ints) -> list[str]:
    """The texts of these nodes, in order."""
    found = [""] * len(nodes)
    types = graph.type_positions(nodes)
    for position, t in enumerate(graph.schema.node_types):
        places = (types == position).nonzero()[0]
        if not len(places):
            continue
        table = graph.columns[t.name]
        columns = [cells(table.column(name), nodes[places] - t.first) for name in _columns(t)]
        for place, text in zip(places.tolist(), _node_texts(t, columns), strict=True):
            found[place] = text
    return found


def unchanged(old: Graph, new: Graph) -> Ints:
    """For each node of `new` the node of `old` that says the same, -1 where there is none. Shape (nodes of new,)."""
    import pyarrow.compute as pc  # slow to import, and only updates come here

    found = np.full(new.num_nodes, -1, np.int64)
    types = {t.name: t for t in old.schema.node_types}
    for t in new.schema.node_types:
        was = types.get(t.name)
        if was is None or was.label != t.label:
            continue
        span = slice(t.first, t.first + t.count)
        table, before = new.columns[t.name], old.columns[t.name]
        if table is before:
            found[span] = np.arange(was.first, was.first + was.count)
            continue
        shared = [
            [name for name in _columns(one) if name in _columns(other)] for one, other in ((t, was), (was, t))
        ]
        if shared[0] != shared[1]:  # what is said stands in another order
            continue
        places = pc.index_in(table.column("id"), value_set=before.column("id"))
        alike = places.is_valid()
        for name in dict.fromkeys([*_columns(t), *_columns(was)]):
            says = json_texts(table.column(name)) if name in table.column_names else _nothing(t.count)
            said = (
                json_texts(before.column(name)).take(places)
                if name in before.column_names
                else _nothing(t.count)
            )
            alike = pc.and_(alike, pc.equal(pc.fill_null(says, ""), pc.fill_null(said, "")))
        rows = pc.if_else(alike, pc.add(places.cast(pa.int64()), was.first), -1)
        found[span] = rows.to_numpy()
    return found


def _nothing(rows: int) -> pa.ChunkedArray:
    return pa.chunked_array([pa.nulls(rows, pa.string())])


def edge_blocks(graph: Graph, relation: int) -> Iterator[list[str]]:
    """What is embedded for the edges of a relation that has readable features, some ten thousand at a time."""
    r = graph.schema.relations[relation]
    names = [f.name for f in embedded(r)]
    for batch in graph.edge_columns[relation].select(names).to_batches(max_chunksize=_BLOCK):
        columns = [column.to_pylist() for column in batch.columns]
        yield _edge_texts(r, names, columns)


def edge_texts(graph: Graph, relation: int, edges: Ints) -> list[str]:
    """The texts of these edges of one relation, in order, with all their features."""
    r = graph.schema.relations[relation]
    names = [f.name for f in _shown(r.features)]
    if not names:
        return [one_line(r.name)] * len(edges)
    table = graph.edge_columns[relation]
    return _edge_texts(r, names, [cells(table.column(name), edges) for name in names])


def embedded(relation: Relation) -> list[Feature]:
    """The features of a relation's edges that are embedded: those of words. Numbers would make every text another."""
    return [f for f in relation.features if f.kind in ("text", "list")]


def one_line(text: str) -> str:
    """The text without line breaks, at most 4,000 letters of it."""
    return " ".join(text[: 2 * MOST_LETTERS].split())[:MOST_LETTERS]


def _shown(features: Sequence[Feature]) -> list[Feature]:
    return [f for f in features if f.kind in _SHOWN]


def _columns(t: NodeType) -> list[str]:
    """The id, the label, and the other features that can be read."""
    others = [f.name for f in _shown(t.features) if f.name != t.label]
    return ["id", *([t.label] if t.label else []), *others]


def _node_texts(t: NodeType, columns: Sequence[Sequence[Value]]) -> list[str]:
    ids, rest = columns[0], columns[1:]
    labels, others = (rest[0], rest[1:]) if t.label else (ids, rest)
    names = [f.name for f in _shown(t.features) if f.name != t.label]
    heads = [
        label if label is not None and label != "" else id_ for label, id_ in zip(labels, ids, strict=True)
    ]
    return _joined(t.label or "id", heads, names, others)


def _edge_texts(r: Relation, names: Sequence[str], columns: Sequence[Sequence[Value]]) -> list[str]:
    return _joined("name", [r.name] * len(columns[0]), names, columns)


def _joined(
    head: str, heads: Sequence[Value], names: Sequence[str], columns: Sequence[Sequence[Value]]
) -> list[str]:
    """`head: …; name: value; …` for each row; the head alone where it has no other values."""
    texts = []
    rows = zip(*columns, strict=True) if columns else ((),) * len(heads)
    for value, row in zip(heads, rows, strict=True):
        parts = [
            f"{name}: {_said(v)}" for name, v in zip(names, row, strict=True) if v is not None and v != []
        ]
        texts.append(one_line("; ".join([f"{head}: {value}", *parts]) if parts else str(value)))
    return texts


def _said(value: Value) -> str:
    if isinstance(value, list):
        return ", ".join(_said(v) for v in value if v is not None)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(plain(value))
