"""What tells two graphs apart: nodes by id, edges by their ends, relation and features."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import JSON
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.edit import find
from graphtalk.graphs.graph import Graph, plain
from graphtalk.graphs.writers.text import edge_batches, json_texts, line

_Edge: TypeAlias = tuple[str, str, str, str]  # source, relation, target, and its features as JSON


@dataclass(frozen=True)
class ChangedNode:
    """A node of both graphs. `features` has what each graph says of those that differ; `types` both types."""

    id: str
    types: tuple[str, str]
    features: dict[str, tuple[JSON, JSON]]


@dataclass(frozen=True)
class Differences:
    """What a second graph has otherwise than a first. `schema` tells, in sentences, what types and relations differ in."""

    schema: tuple[str, ...] = ()
    nodes_added: tuple[tuple[str, str], ...] = ()
    nodes_deleted: tuple[tuple[str, str], ...] = ()
    nodes_changed: tuple[ChangedNode, ...] = ()
    edges_added: tuple[_Edge, ...] = ()
    edges_deleted: tuple[_Edge, ...] = ()
    same: bool = field(init=False)

    def __post_init__(self) -> None:
        nodes = (self.nodes_added, self.nodes_deleted, self.nodes_changed)
        object.__setattr__(self, "same", not any((self.schema, *nodes, self.edges_added, self.edges_deleted)))

    def to_json(self) -> dict[str, JSON]:
        """As `graphtalk diff --json` prints it."""
        return {
            "same": self.same,
            "schema": list(self.schema),
            "nodes": {
                "added": [{"id": node, "type": kind} for node, kind in self.nodes_added],
                "deleted": [{"id": node, "type": kind} for node, kind in self.nodes_deleted],
                "changed": [
                    {
                        "id": n.id,
                        "type": list(n.types),
                        "features": {k: list(v) for k, v in n.features.items()},
                    }
                    for n in self.nodes_changed
                ],
            },
            "edges": {
                "added": [list(edge) for edge in self.edges_added],
                "deleted": [list(edge) for edge in self.edges_deleted],
            },
        }

    def lines(self, most: int) -> list[str]:
        """For people: `-` only in the first, `+` only in the second, `~` in both; `most` of each kind."""
        changed = []
        for n in self.nodes_changed:
            types = [f"type {n.types[0]} → {n.types[1]}"] if n.types[0] != n.types[1] else []
            values = [f"{name} {_shown(old)} → {_shown(new)}" for name, (old, new) in n.features.items()]
            changed.append(f"~ {n.id}: {', '.join([*types, *values])}")
        parts: list[tuple[str, list[str]]] = [
            ("", list(self.schema)),
            ("nodes", [f"- {node} ({kind})" for node, kind in self.nodes_deleted]),
            ("nodes", [f"+ {node} ({kind})" for node, kind in self.nodes_added]),
            ("nodes", changed),
            ("edges", [f"- {_edge(edge)}" for edge in self.edges_deleted]),
            ("edges", [f"+ {_edge(edge)}" for edge in self.edges_added]),
        ]
        found = []
        for what, lines in parts:
            found += lines[:most]
            if len(lines) > most:
                found.append(f"{lines[0][0]} and {len(lines) - most:,} more {what}".strip())
        return found


def _shown(value: JSON) -> str:
    return "nothing" if value is None else repr(value)


def _edge(edge: _Edge) -> str:
    source, relation, target, features = edge
    return f"{source} ─ {relation} → {target}" + (f" {features}" if features != "{}" else "")


def differences(first: Graph, second: Graph) -> Differences:
    """What `second` has otherwise than `first`."""
    places = find(second, first.ids())
    shared = np.flatnonzero(places >= 0)
    missing = np.ones(second.num_nodes, bool)
    missing[places[shared]] = False
    edges, others = _edges(first), _edges(second)
    return Differences(
        tuple(_schema(first, second)),
        tuple((second.id(n), second.node_type(n).name) for n in np.flatnonzero(missing).tolist()),
        tuple((first.id(n), first.node_type(n).name) for n in np.flatnonzero(places < 0).tolist()),
        tuple(_changed(first, second, shared, places[shared])),
        tuple((others - edges).elements()),
        tuple((edges - others).elements()),
    )


def _schema(first: Graph, second: Graph) -> Iterator[str]:
    """Labels, directions and empty types: what no node or edge shows."""
    for one, other, sign in ((first, second, "-"), (second, first, "+")):
        names = {t.name for t in other.schema.node_types}
        yield from (f"{sign} node type {t.name}" for t in one.schema.node_types if t.name not in names)
        keys = {(r.name, r.source, r.target) for r in other.schema.relations}
        for r in one.schema.relations:
            if (r.name, r.source, r.target) not in keys:
                yield f"{sign} relation {r.name} from {r.source} to {r.target}"
    types = {t.name: t for t in second.schema.node_types}
    for t in first.schema.node_types:
        if t.name in types and t.label != types[t.name].label:
            yield f"~ node type {t.name}: its name is {t.label or 'id'!r} → {types[t.name].label or 'id'!r}"
    relations = {(r.name, r.source, r.target): r for r in second.schema.relations}
    for r in first.schema.relations:
        other_r = relations.get((r.name, r.source, r.target))
        if other_r is not None and r.inverse != other_r.inverse:
            yield f"~ relation {r.name}: seen from its target as {r.back!r} → {other_r.back!r}"


def _changed(first: Graph, second: Graph, nodes: Ints, places: Ints) -> Iterator[ChangedNode]:
    """Nodes of both whose type or features differ; compared a column of a pair of types at a time."""
    types, others = first.type_positions(nodes), second.type_positions(places)
    width = max(1, len(second.schema.node_types))
    pairs = types * width + others
    for pair in np.unique(pairs).tolist():
        rows = np.flatnonzero(pairs == pair)
        one, other = first.schema.node_types[pair // width], second.schema.node_types[pair % width]
        differing: dict[int, dict[str, tuple[JSON, JSON]]] = {}
        for name in dict.fromkeys([f.name for f in (*one.features, *other.features)]):
            cells = _cells(first, one.name, name, nodes[rows] - one.first)
            news = _cells(second, other.name, name, places[rows] - other.first)
            texts = [pc.fill_null(json_texts(column), "null") for column in (cells, news)]
            for at in np.flatnonzero(pc.not_equal(*texts).to_numpy(zero_copy_only=False)).tolist():
                old, new = plain(cells[at].as_py()), plain(news[at].as_py())
                if old != new:
                    differing.setdefault(at, {})[name] = (old, new)
        for at in range(len(rows)) if one.name != other.name else sorted(differing):
            node = int(nodes[rows[at]])
            yield ChangedNode(first.id(node), (one.name, other.name), differing.get(at, {}))


def _cells(graph: Graph, node_type: str, feature: str, rows: Ints) -> pa.ChunkedArray:
    table = graph.columns[node_type]
    if feature not in table.column_names:
        return pa.chunked_array([pa.nulls(len(rows), pa.string())])
    return table.column(feature).take(pa.array(rows))


def _edges(graph: Graph) -> Counter[_Edge]:
    """How often each edge stands there; one without a direction by its ends in order."""
    found: Counter[_Edge] = Counter()
    for r, source, target, table in edge_batches(graph):
        features = pa.chunked_array([pa.repeat(pa.scalar("{}"), len(source))])
        if table.num_columns:
            named = sorted(table.column_names)
            parts = [
                pc.fill_null(line(f'"{name}": ', json_texts(table.column(name)), ", "), "") for name in named
            ]
            features = line("{", pc.utf8_rtrim(line(*parts), ", "), "}")
        if r.undirected:
            turned = pc.greater(source, target)
            source, target = pc.if_else(turned, target, source), pc.if_else(turned, source, target)
        keys = zip(source.to_pylist(), target.to_pylist(), features.to_pylist(), strict=True)
        found.update((a, r.name, b, said) for a, b, said in keys)
    return found
