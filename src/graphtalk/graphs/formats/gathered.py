"""Nodes and edges that come one by one, each with its own attributes, gathered as columns: what formats of records end in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphtalk.graphs.assemble import AS_IS, EdgeRows, NodeRows, Rules, assemble
from graphtalk.graphs.convert import check_width, to_array
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import RelationSpec

_LABELS = ("name", "label", "title")
_TOLD = 10_000  # rows after which progress is told


class Columns:
    """Values by name and row, where few rows may have a name."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[list[int], list[Any]]] = {}

    def add(self, row: int, values: Mapping[str, Any]) -> None:
        """The values of a row; None is none."""
        for name, value in values.items():
            if value is None:
                continue
            if name not in self._found:
                check_width(len(self._found) + 1, row + 1)
                self._found[name] = ([], [])
            rows, cells = self._found[name]
            rows.append(row)
            cells.append(value)

    def table(self, count: int) -> pa.Table:
        """All rows: a column a name, null where a row has no value. Columns called `id` get another name."""
        check_width(len(self._found), count)
        columns = {}
        for name, (rows, cells) in self._found.items():
            array = to_array(cells)
            if len(rows) < count or len(array) != count:
                place = np.full(count, -1)
                place[rows] = np.arange(len(rows))
                array = array.take(pa.array(place, mask=place < 0))
            columns[f"{name}_" if name == "id" else name] = array
        return pa.table(columns)


@dataclass
class Gathering:
    """The nodes and edges of one file. `textual`: its values are text that may be numbers."""

    path: Path
    importing: Importing
    textual: bool = False
    labels: tuple[str, ...] = _LABELS
    _ids: list[str] = field(default_factory=list)
    _types: list[str | None] = field(default_factory=list)
    _node_lines: list[int] = field(default_factory=list)
    _features: Columns = field(default_factory=Columns)
    _ends: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    _relations: list[str] = field(default_factory=list)
    _edge_lines: list[int] = field(default_factory=list)
    _edge_features: Columns = field(default_factory=Columns)
    _undirected: dict[str, set[bool]] = field(default_factory=dict)
    _both: list[bool] = field(default_factory=list)

    def node(self, id: str, type: str | None, features: Mapping[str, Any], line: int = 0) -> None:
        """A node, of the type `node` where it has none."""
        self._features.add(len(self._ids), features)
        self._ids.append(id)
        self._types.append(type)
        self._node_lines.append(line)
        self._tell()

    def edge(
        self,
        source: str,
        target: str,
        relation: str | None,
        features: Mapping[str, Any],
        line: int = 0,
        undirected: bool = False,
    ) -> None:
        """An edge, of the relation `edge` where it has none."""
        name = relation or "edge"
        self._edge_features.add(len(self._relations), features)
        self._ends[0].append(source)
        self._ends[1].append(target)
        self._relations.append(name)
        self._edge_lines.append(line)
        self._both.append(undirected)
        self._undirected.setdefault(name, set()).add(undirected)
        self._tell()

    def knows(self) -> bool:
        """Whether there is anything."""
        return bool(self._ids or self._relations)

    def graph(
        self, inverses: Mapping[str, str] | None = None, default_type: str = "node", once: bool = False
    ) -> Graph:
        """The graph of all of them; with `once` an edge that both of its ends give is stored once. A relation whose edges are all undirected is seen from both ends under one name."""
        self.importing.progress.advance(rows=(len(self._ids) + len(self._relations)) % _TOLD)
        self._turn_mixed()
        specs = {name: RelationSpec(name, name) for name, both in self._undirected.items() if both == {True}}
        specs |= {name: RelationSpec(name, inverse) for name, inverse in (inverses or {}).items()}
        rules = Rules(specs, default_type=default_type, once=once)
        nodes = [self._node_rows()] if self._ids else []
        return assemble(nodes, [self._edge_rows()], rules, self.importing.rejects, self.importing.name)

    def _node_rows(self) -> NodeRows:
        features = self._features.table(len(self._ids))
        ids = _texts(self._ids)
        label = next((name for name in self.labels if name in features.column_names), "")
        lines = self._node_lines
        return NodeRows(
            pa.table([ids, *features.columns], names=["id", *features.column_names]),
            ids,
            _texts(self._types),
            str(self.path),
            lambda row: lines[row] or None,
            label,
            self.textual,
            kinds=self._as_is(features),
        )

    def _edge_rows(self) -> EdgeRows:
        lines = self._edge_lines
        features = self._edge_features.table(len(self._relations))
        return EdgeRows(
            _texts(self._ends[0]),
            _texts(self._ends[1]),
            _texts(self._relations),
            features,
            str(self.path),
            lambda row: lines[row] or None,
            textual=self.textual,
            kinds=self._as_is(features),
        )

    def _as_is(self, features: pa.Table) -> Mapping[str, str]:
        """All features, where the file says elsewhere what kinds they are of."""
        return dict.fromkeys(features.column_names, AS_IS) if self.importing.noted else {}

    def _turn_mixed(self) -> None:
        """Store undirected edges of relations that have directed ones too in both directions."""
        mixed = {name for name, both in self._undirected.items() if len(both) > 1}
        if not mixed:
            return
        rows = [
            i
            for i, (name, both) in enumerate(zip(self._relations, self._both, strict=True))
            if both and name in mixed
        ]
        table = self._edge_features.table(len(self._relations))
        again = table.take(pa.array(rows, pa.int64())).to_pylist() if table.num_columns else [{}] * len(rows)
        for row, features in zip(rows, again, strict=True):
            if self._ends[0][row] != self._ends[1][row]:
                ends = self._ends[1][row], self._ends[0][row]
                self.edge(*ends, self._relations[row], features, self._edge_lines[row])
        self.importing.rejects.note(
            f"{self.path.name}: {len(rows):,} edges without a direction, among others that have one, were read as two each."
        )

    def _tell(self) -> None:
        if not (len(self._ids) + len(self._relations)) % _TOLD:
            self.importing.progress.advance(rows=_TOLD)


def _texts(values: list[Any]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.string())])
