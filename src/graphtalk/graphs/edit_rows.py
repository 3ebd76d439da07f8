"""Changes to a graph as people give them: files of rows, values, and calls in Python."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs.assemble import EdgeRows, NodeRows, Rules, assemble, no_line
from graphtalk.graphs.columns import to_array
from graphtalk.graphs.edit import Changes, Report, apply
from graphtalk.graphs.formats.delimited import sniff as is_delimited
from graphtalk.graphs.formats.files import plain_name
from graphtalk.graphs.formats.layout import edge_spec, node_spec
from graphtalk.graphs.formats.rows import parquet_columns, sniff_dialect
from graphtalk.graphs.formats.tables import PARQUET
from graphtalk.graphs.graph import Graph, Value
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Rejects
from graphtalk.graphs.read import read_graph
from graphtalk.graphs.recipe import KINDS, EdgeSpec, NodeSpec, Recipe
from graphtalk.graphs.restoring import of_feature
from graphtalk.graphs.schema import NodeType, Relation

Change: TypeAlias = Callable[[Graph], Changes]


def all_ids(graph: Graph) -> pa.ChunkedArray:
    """The ids of all nodes."""
    tables = [graph.columns[t.name] for t in graph.schema.node_types]
    return pa.chunked_array([chunk for table in tables for chunk in table.column("id").chunks], pa.string())


def run(graph: Graph, changes: Iterable[Change]) -> tuple[Graph, Report]:
    """The graph after changes, each made for what those before it left; and how much they changed."""
    report = Report()
    for change in changes:
        graph, part = apply(graph, change(graph))
        report += part
    return graph, report


# from files


def rows_of_files(sources: Sequence[Path]) -> Change:
    """Rows to add or change, in files of any format that can be imported."""
    return lambda graph: Changes(rows=_read(graph, sources))


def rows_of_tables(nodes: Sequence[Path], edges: Sequence[Path]) -> Change:
    """Rows to add or change, in tables of nodes and of edges. What is known as a feature is read as of its kind."""
    return lambda graph: Changes(rows=_tables(graph, nodes, edges))


def gone_rows(nodes: Sequence[Path], edges: Sequence[Path]) -> Change:
    """Rows to delete: nodes by `id`; edges by `source`, `target`, `relation` and what else a table has."""

    def change(graph: Graph) -> Changes:
        named = _tables(graph, nodes, ()) if nodes else None
        joined = _tables(graph, (), edges) if edges else None
        return Changes(gone_nodes=tuple(named.ids()) if named else (), gone_edges=joined)

    return change


def values_of(settings: Sequence[str]) -> Change:
    """Values that are set by texts `ID.FEATURE=VALUE`; the name of one node alone does for its id. No value: it goes."""

    def change(graph: Graph) -> Changes:
        return Changes(values=tuple(_setting(graph, text) for text in settings))

    return change


def _one(graph: Graph | GraphSet) -> Graph:
    if isinstance(graph, GraphSet):
        raise UsageError("A set of graphs is no rows to change a graph by.")
    return graph


def _read(graph: Graph, sources: Sequence[Path], recipe: Recipe | None = None) -> Graph:
    types = [t.name for t in graph.schema.node_types]
    return _one(read_graph(sources, recipe=recipe, known=all_ids(graph), known_types=types))


def _tables(graph: Graph, nodes: Sequence[Path], edges: Sequence[Path]) -> Graph:
    for path in (*nodes, *edges):
        if not path.exists():
            raise SourceError("no such file.", str(path))
    if not all(is_delimited(path) for path in (*nodes, *edges)):
        return _read(graph, [*nodes, *edges])
    recipe = Recipe(
        nodes=tuple(_node_spec(graph, path) for path in nodes),
        edges=tuple(_edge_spec(graph, path) for path in edges),
    )
    return _read(graph, [*nodes, *edges], recipe)


def _header(path: Path) -> Sequence[str]:
    return parquet_columns(path) if plain_name(path).endswith(PARQUET) else sniff_dialect(path).columns


def _node_spec(graph: Graph, path: Path) -> NodeSpec:
    header = _header(path)
    spec = replace(node_spec(header, str(path)), files=(path.name,))
    features = [name for name in header if name not in (spec.id, spec.type)]
    return replace(spec, kinds=_kinds(graph.schema.node_types, features))


def _edge_spec(graph: Graph, path: Path) -> EdgeSpec:
    header = _header(path)
    spec = replace(edge_spec(header, str(path)), files=(path.name,))
    features = [name for name in header if name not in (spec.source, spec.target, spec.relation)]
    return replace(spec, kinds=_kinds(graph.schema.relations, features))


def _kinds(parts: Sequence[NodeType | Relation], names: Sequence[str]) -> dict[str, str]:
    """The kinds of the features of these names that are of one kind wherever they are; lists are read from text."""
    found: dict[str, str] = {}
    for name in names:
        kinds = {f.kind for part in parts for f in part.features if f.name == name}
        if len(kinds) == 1:
            kind = kinds.pop()
            found[name] = kind if kind in KINDS else "text"
    return found


def _setting(graph: Graph, text: str) -> tuple[str, str, Value]:
    for place in (i for i, letter in enumerate(text) if letter == "="):
        node_id, dot, feature = text[:place].rpartition(".")
        node = _called(graph, node_id) if dot and feature else None
        if node is not None:
            return graph.id(node), feature, _value(graph, node, feature, text[place + 1 :])
    raise UsageError(
        f"--set {text!r}: give ID.FEATURE=VALUE, with the id or the name of a node that is there."
    )


def _called(graph: Graph, name: str) -> int | None:
    node = graph.find(name)
    if node is not None:
        return node
    found = [n for t in graph.schema.node_types if t.label for n in _labelled(graph, t, name)]
    return found[0] if len(found) == 1 else None


def _labelled(graph: Graph, t: NodeType, name: str) -> list[int]:
    import pyarrow.compute as pc

    column = graph.columns[t.name].column(t.label)
    if not pa.types.is_string(column.type):
        return []
    return [t.first + int(row) for row in pc.indices_nonzero(pc.equal(column, name)).to_pylist()]


def _value(graph: Graph, node: int, feature: str, text: str) -> Value:
    if not text:
        return None
    known = next((f for f in graph.node_type(node).features if f.name == feature), None)
    if known is not None:
        cells = of_feature(pa.chunked_array([[text]], pa.string()), known)
        value: Value = cells[0].as_py()
        if known.kind != "text" and isinstance(value, str):
            raise UsageError(
                f"{feature!r} of {graph.node_type(node).name} is a {known.kind}, and {text!r} is none."
            )
        return value
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if isinstance(value, dict) or value is None else value


# from Python


@dataclass
class Edit:
    """Changes to a graph, collected by calls and made at the end of a `with` block; `graph` is then what they gave.

    Changes are made in the order of the calls. Where the block ends in an error, none is.
    """

    graph: Graph
    finish: Callable[[Sequence[Change]], tuple[Graph, Report]] | None = None
    report: Report = field(default_factory=Report)
    _changes: list[Change] = field(default_factory=list)
    _nodes: list[dict[str, Any]] = field(default_factory=list)
    _edges: list[dict[str, Any]] = field(default_factory=list)
    _values: list[tuple[str, str, Value]] = field(default_factory=list)

    def __enter__(self) -> "Edit":
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is not None:
            return
        self._flush()
        finish = self.finish or (lambda changes: run(self.graph, changes))
        self.graph, self.report = finish(self._changes)
        self._changes = []

    def add_node(self, id: str, type: str = "", **features: Value) -> None:
        """Add a node, or change the features that are given of the one that is there."""
        if self._edges or self._values:
            self._flush()
        self._nodes.append({**features, "\0id": str(id), "\0type": type or None})

    def add_edge(self, source: str, relation: str, target: str, **features: Value) -> None:
        """Add an edge. Where such an edge is there, its features change; another call in a row adds a parallel one."""
        if self._values:
            self._flush()
        ends = {"\0source": str(source), "\0relation": relation, "\0target": str(target)}
        self._edges.append({**features, **ends})

    def set(self, id: str, **features: Value) -> None:
        """Set features of a node; None takes a value away."""
        if self._nodes or self._edges:
            self._flush()
        self._values += [(str(id), name, value) for name, value in features.items()]

    def delete_node(self, *ids: str) -> None:
        """Delete nodes, and the edges at them."""
        self._do(lambda graph: Changes(gone_nodes=tuple(map(str, ids))))

    def delete_edge(self, source: str, relation: str, target: str, **features: Value) -> None:
        """Delete all edges of a relation between two nodes; with features, those that have these."""
        row = {**features, "\0source": str(source), "\0relation": relation, "\0target": str(target)}
        self._do(lambda graph: Changes(gone_edges=_assembled(graph, [], [row])))

    def delete_type(self, *names: str) -> None:
        """Delete all nodes of types."""
        self._do(lambda graph: Changes(types=names))

    def delete_relation(self, *names: str) -> None:
        """Delete all edges of relations."""
        self._do(lambda graph: Changes(relations=names))

    def delete_feature(self, owner: str, *names: str) -> None:
        """Delete features of a node type or a relation."""
        self._do(lambda graph: Changes(features=tuple((owner, name) for name in names)))

    def add_rows(self, *, nodes: Any = None, edges: Any = None) -> None:
        """Add or change the rows of data frames: nodes by `id` and `type`, edges by `source`, `relation` and `target`."""
        from graphtalk.graphs.convert import changing_rows

        self._do(lambda graph: Changes(rows=changing_rows(nodes, edges, all_ids(graph))))

    def _do(self, change: Change) -> None:
        self._flush()
        self._changes.append(change)

    def _flush(self) -> None:
        """What was collected, as one change."""
        nodes, edges, values = self._nodes, self._edges, tuple(self._values)
        self._nodes, self._edges, self._values = [], [], []
        if nodes or edges:
            self._changes.append(lambda graph: Changes(rows=_assembled(graph, nodes, edges)))
        if values:
            self._changes.append(lambda graph: Changes(values=values))


def _assembled(graph: Graph, nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> Graph:
    """Rows as a graph. Of several rows of a node the last value of each feature counts."""
    merged: dict[str, dict[str, Any]] = {}
    for row in nodes:
        given = {name: value for name, value in row.items() if value is not None}
        merged.setdefault(row["\0id"], {}).update(given)
    rows = list(merged.values())
    ids = pa.chunked_array([pa.array(list(merged), pa.string())])
    types = pa.chunked_array([pa.array([row.get("\0type", "node") for row in rows], pa.string())])
    table = _features(rows)
    label = next((name for name in ("name", "label", "title") if name in table.column_names), "")
    table = pa.table([ids, *table.columns], names=["id", *table.column_names])
    kinds = {
        name: "text"
        for name, kind in zip(table.column_names, table.schema.types, strict=True)
        if name != "id" and pa.types.is_string(kind)
    }
    found = [NodeRows(table, ids, types, "", no_line, label, textual=False, kinds=kinds)] if rows else []
    joined = []
    if edges:
        ends = {
            side: pa.chunked_array([pa.array([row[f"\0{side}"] for row in edges], pa.string())])
            for side in _SIDES
        }
        joined = [EdgeRows(**ends, features=_features(edges), file="", line=no_line, textual=False)]
    return assemble(found, joined, Rules(once=False), Rejects(known=all_ids(graph)))


_SIDES = ("source", "target", "relation")


def _features(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    names = [
        name for name in dict.fromkeys(name for row in rows for name in row) if not name.startswith("\0")
    ]
    if "id" in names:
        raise UsageError("A feature cannot be called 'id'.")
    return pa.table([to_array([row.get(name) for row in rows]) for name in names], names=names)
