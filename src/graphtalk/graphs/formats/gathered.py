"""Nodes and edges that come one by one, each with its own attributes, gathered as columns: what formats of records end in."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphtalk.graphs.assemble import AS_IS, EdgeRows, NodeRows, Rules, assemble, same_text
from graphtalk.graphs.columns import check_width, to_array
from graphtalk.graphs.formats.columns_by_name import RELATION, TYPE, first_of
from graphtalk.graphs.formats.kinds import are_kinds, is_number
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import RelationSpec

_EDGE = "edge"  # the relation of edges that have none
_LABELS = ("name", "label", "title")
_MOST_RELATIONS = 100
_LONGEST_RELATION = 60  # letters
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

    @property
    def names(self) -> list[str]:
        """The names that some row has a value of."""
        return list(self._found)

    def cells(self, name: str) -> list[Any]:
        """The values of a name, in the order of their rows."""
        return self._found[name][1] if name in self._found else []

    def rows(self, count: int) -> list[dict[str, Any]]:
        """The values of each row."""
        found: list[dict[str, Any]] = [{} for _ in range(count)]
        for name, (rows, cells) in self._found.items():
            for row, cell in zip(rows, cells, strict=True):
                found[row][name] = cell
        return found

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


def are_relations(said: Collection[str]) -> bool:
    """Whether texts of edges say what relation each is of, and not what each is like: few and short ones, none a number."""
    few = 0 < len(said) <= _MOST_RELATIONS and not any(map(is_number, said))
    return few and max(map(len, said)) <= _LONGEST_RELATION


class _Part:
    """Nodes of one type or edges of one relation. `names`: ids, or the two ends."""

    def __init__(self) -> None:
        self.names: tuple[list[str], list[str]] = ([], [])
        self.lines: list[int] = []
        self.features = Columns()
        self.undirected: list[bool] = []

    def add(self, names: tuple[str, ...], features: Mapping[str, Any], line: int) -> None:
        """One more."""
        self.features.add(len(self.lines), features)
        for held, name in zip(self.names, names, strict=False):
            held.append(name)
        self.lines.append(line)

    def by(self, name: str) -> "dict[str | None, _Part]":
        """The same nodes or edges by what a feature says, where each has one of few short texts, which most share; else nothing."""
        said = self.features.cells(name)
        texts = {text for text in said if isinstance(text, str) and text.strip()}
        if len(said) < len(self.lines) or any(text not in texts for text in said) or not are_relations(texts):
            return {}
        found: dict[str | None, _Part] = {text: _Part() for text in said}
        for row, values in enumerate(self.features.rows(len(said))):
            part = found[values.pop(name)]
            part.add(tuple(names[row] for names in self.names if names), values, self.lines[row])
            part.undirected += self.undirected[row : row + 1]
        return found

    def line(self, row: int) -> int | None:
        """The line of one, where that is known."""
        return self.lines[row] or None


@dataclass
class Gathering:
    """The nodes and edges of one file. `textual`: its values are text that may be numbers."""

    path: Path
    importing: Importing
    textual: bool = False
    labels: tuple[str, ...] = _LABELS
    _nodes: dict[str | None, _Part] = field(default_factory=dict)
    _edges: dict[str, _Part] = field(default_factory=dict)
    _count: int = 0

    def node(self, id: str, type: str | None, features: Mapping[str, Any], line: int = 0) -> None:
        """A node, of the default type where it has none."""
        self._nodes.setdefault(type, _Part()).add((id,), features, line)
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
        part = self._edges.setdefault(relation or _EDGE, _Part())
        part.add((source, target), features, line)
        part.undirected.append(undirected)
        self._tell()

    def knows(self) -> bool:
        """Whether there is anything."""
        return self._count > 0

    def graph(
        self, inverses: Mapping[str, str] | None = None, default_type: str = "node", once: bool = False
    ) -> Graph:
        """The graph of all of them; with `once` an edge that both of its ends give is stored once.

        A relation whose edges are all undirected is seen from both ends under one name.
        """
        self.importing.progress.advance(rows=self._count % _TOLD)
        self._tell_apart()
        for name, part in self._edges.items():
            if any(part.undirected) and not all(part.undirected):
                self._turn(name, part)
        specs = {name: RelationSpec(name, name) for name, part in self._edges.items() if all(part.undirected)}
        specs |= {name: RelationSpec(name, inverse) for name, inverse in (inverses or {}).items()}
        return assemble(
            [self._node_rows(kind, part) for kind, part in self._nodes.items()],
            [self._edge_rows(name, part) for name, part in self._edges.items()],
            Rules(specs, default_type=default_type, once=once),
            self.importing.rejects,
            self.importing.name,
        )

    def _tell_apart(self) -> None:
        """Take types and relations from the feature that is called as they are, where the format has no other place for them."""
        if list(self._edges) == [_EDGE]:
            part = self._edges[_EDGE]
            name = first_of(part.features.names, ("label", *RELATION))
            self._edges = {str(text): of for text, of in part.by(name).items()} or self._edges
        if list(self._nodes) == [None] and not self.importing.noted:
            part = self._nodes[None]
            name, count = first_of(part.features.names, TYPE), len(part.lines)
            found = part.by(name) if name else {}
            label = first_of(part.features.names, ("label",)) if not found and self.labels == _LABELS else ""
            if label and are_kinds(len(set(map(str, part.features.cells(label)))), count):
                found = part.by(label)
            self._nodes = found if 0 < len(found) < count else self._nodes

    def _node_rows(self, kind: str | None, part: _Part) -> NodeRows:
        ids, features = _texts(part.names[0]), part.features.table(len(part.lines))
        label = next((name for name in self.labels if name in features.column_names), "")
        table = pa.table([ids, *features.columns], names=["id", *features.column_names])
        types = same_text(kind, len(ids))
        kinds = self._as_is(features)
        return NodeRows(table, ids, types, str(self.path), part.line, label, self.textual, kinds=kinds)

    def _edge_rows(self, name: str, part: _Part) -> EdgeRows:
        source, target = (_texts(ends) for ends in part.names)
        features = part.features.table(len(part.lines))
        relation = same_text(name, len(source))
        kinds, place = self._as_is(features), str(self.path)
        return EdgeRows(
            source, target, relation, features, place, part.line, textual=self.textual, kinds=kinds
        )

    def _as_is(self, features: pa.Table) -> Mapping[str, str]:
        """All features, where the file says elsewhere what kinds they are of."""
        return dict.fromkeys(features.column_names, AS_IS) if self.importing.noted else {}

    def _turn(self, name: str, part: _Part) -> None:
        """Store edges without a direction of a relation that has others too in both directions."""
        count = len(part.lines)
        rows = [row for row in range(count) if part.undirected[row]]
        table = part.features.table(count)
        again = table.take(pa.array(rows, pa.int64())).to_pylist() if table.num_columns else [{}] * len(rows)
        for row, features in zip(rows, again, strict=True):
            source, target = (ends[row] for ends in part.names)
            if source != target:
                part.add((target, source), features, part.lines[row])
        part.undirected = [False] * len(part.lines)
        self.importing.rejects.note(
            f"{self.path.name}: {len(rows):,} edges {name} without a direction, among others that have one, "
            "were read as two each."
        )

    def _tell(self) -> None:
        self._count += 1
        if not self._count % _TOLD:
            self.importing.progress.advance(rows=_TOLD)


def _texts(values: list[str]) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(values, pa.string())])
