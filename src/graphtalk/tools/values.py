"""The typed values that calls take and give, and how they are written as JSON and for people."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.calls.lexer import quote
from graphtalk.core import JSON
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.graphs import Adjacency, Graph, GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import cells, plain
from graphtalk.graphs.schema import NodeType

Numbers: TypeAlias = NDArray[np.float64] | NDArray[np.int64]
Plain: TypeAlias = bool | int | float | str
Scalar: TypeAlias = Plain | date


@dataclass(frozen=True, eq=False)
class Bag:
    """Nodes in order, with repeats: a node that two paths reach stands twice. Shape (entries,), int64."""

    nodes: Ints

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bag) and np.array_equal(self.nodes, other.nodes)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def of(cls, nodes: Sequence[int] | range | Ints) -> "Bag":
        """A bag of these graph-wide node indices."""
        if isinstance(nodes, range):
            return cls(np.arange(nodes.start, nodes.stop, nodes.step, dtype=np.int64))
        return cls(np.asarray(nodes, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class Table:
    """A number for each of some nodes. Shapes: nodes (n,), numbers (n,)."""

    nodes: Ints
    numbers: Numbers

    def __len__(self) -> int:
        return len(self.nodes)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Table)
            and np.array_equal(self.nodes, other.nodes)
            and np.array_equal(self.numbers, other.numbers)
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Record:
    """What is known of one thing: values by name, in order. Each name stands once."""

    entries: "Mapping[str, Item | Record]"

    def __len__(self) -> int:
        return len(self.entries)


Item: TypeAlias = "Scalar | Bag | list[Item] | None"
Entries: TypeAlias = Bag | list[Item]
Value: TypeAlias = Scalar | Bag | Table | Record | ResultSet | list[Item] | Graph | GraphSet | None


def labels(graph: Graph, nodes: Ints) -> list[str]:
    """What people call these nodes, in order. Reads a whole column at once."""
    return _texts(graph, nodes, lambda t: t.label or "id")


def ids(graph: Graph, nodes: Ints) -> list[str]:
    """The external ids of these nodes, in order. Reads a whole column at once."""
    return _texts(graph, nodes, lambda t: "id")


def _texts(graph: Graph, nodes: Ints, column: Callable[[NodeType], str]) -> list[str]:
    found: list[str] = [""] * len(nodes)
    types = graph.type_positions(nodes)
    for position in graph.types_of(nodes):
        t = graph.schema.node_types[position]
        places = np.flatnonzero(types == position)
        rows = nodes[places] - t.first
        texts = cells(graph.columns[t.name].column(column(t)), rows)
        for place, row, text in zip(places.tolist(), rows.tolist(), texts, strict=True):
            found[place] = str(plain(text)) if text else graph.id(row + t.first)
    return found


def to_json(value: Value, graph: Graph) -> JSON:
    """The value as JSON: nodes by label, a table as {label: number}, infinity and dates as text.

    What a query gives is its one value where it only aggregates into one column, else the list of its column, or
    of its rows as {column: value}.
    """
    if isinstance(value, ResultSet):
        return _rows_to_json(value)
    if isinstance(value, Bag):
        return list(labels(graph, value.nodes))
    if isinstance(value, Table):
        numbers = [_number(n) for n in value.numbers.tolist()]
        return dict(zip(labels(graph, value.nodes), numbers, strict=True))
    if isinstance(value, Record):
        return {name: to_json(entry, graph) for name, entry in value.entries.items()}
    if isinstance(value, list):
        return [to_json(item, graph) for item in value]
    if isinstance(value, GraphSet):
        return {"graph set": value.name, "graphs": len(value)}
    if isinstance(value, Graph):
        return {"graph": value.name, "nodes": value.num_nodes, "edges": value.num_edges}
    return _number(value) if isinstance(value, float) else plain(value)


def _rows_to_json(found: ResultSet) -> JSON:
    rows = found.records()
    if len(found.names) > 1:
        return [dict(zip(found.names, row, strict=True)) for row in rows]
    return next(rows, (None,))[0] if found.single else [row[0] for row in rows]


def spelled(value: Scalar) -> Plain:
    """The value as answers and JSON have it: a date as ISO 8601 text."""
    return value.isoformat() if isinstance(value, date) else value


def _number(number: float) -> JSON:
    if isinstance(number, float) and not math.isfinite(number):
        return None if math.isnan(number) else "infinite" if number > 0 else "-infinite"
    return number


def cut_json(value: Value, graph: Graph, most: int = 50) -> JSON:
    """As `to_json`; of more than `most` entries only the first, and how many there are."""
    if isinstance(value, Bag | Table | ResultSet | list) and len(value) > most:
        return {"count": len(value), "first": to_json(_first(value, most), graph)}
    return to_json(value, graph)


def _first(value: Bag | Table | ResultSet | list[Item], most: int) -> Value:
    if isinstance(value, ResultSet):
        return value.first(most)
    if isinstance(value, Bag):
        return Bag(value.nodes[:most])
    if isinstance(value, Table):
        return Table(value.nodes[:most], value.numbers[:most])
    return value[:most]


def show(value: Value, graph: Graph, most: int = 50, quoted: bool = False) -> str:
    """The value for people, as in table 5 of the Graph-ToolFormer paper: `[5, 6]`, `{0: 1, 1: 2}`, `4`.

    Of more than `most` entries the first are written, and how many more there are. `quoted`: entries whose own signs could
    be taken for those of the list stand in double quotes.
    """
    if isinstance(value, Bag | Table | list) or (isinstance(value, ResultSet) and not value.single):
        more = f", … {len(value) - most} more" if len(value) > most else ""
        plain = to_json(_first(value, most), graph)
        if isinstance(plain, dict):
            rows = [f"{_text(name, quoted)}: {_text(number, quoted)}" for name, number in plain.items()]
            return "{" + ", ".join(rows) + more + "}"
        entries = plain if isinstance(plain, list) else [plain]
        return "[" + ", ".join(_text(entry, quoted) for entry in entries) + more + "]"
    if isinstance(value, Record):
        return "\n".join(
            f"{name}: {show(entry, graph, most, quoted)}" for name, entry in value.entries.items()
        )
    if isinstance(value, GraphSet):
        return f"the graph set {value.name}: {len(value)} graphs"
    if isinstance(value, Graph):
        return f"the graph {value.name}: {value.num_nodes} nodes, {value.num_edges} edges"
    return _text(to_json(value, graph))


def _text(value: JSON, quoted: bool = False) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(_text(item, quoted) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_text(item, quoted)}" for name, item in value.items()) + "}"
    return quote(str(value)) if quoted and _UNCLEAR.search(str(value)) else str(value)


_UNCLEAR = re.compile(r"[,\[\]{}]")  # in an entry: it could be taken for the end of it


def as_number(value: Value) -> float | None:
    """The number that a value is or spells, else None. `1,234` spells a number, `nan` does not."""
    if isinstance(value, bool | int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        number = float(value.replace(",", ""))
    except ValueError:
        return None
    return None if math.isnan(number) else number


def has_nodes(items: list[Item]) -> bool:
    """Whether nodes may stand in a list: told by the kinds of its entries, without a look at each."""
    return not {*map(type, items)}.isdisjoint((Bag, Table, list))


def size_of(value: Value) -> int:
    """About how many bytes a value holds."""
    if isinstance(value, Bag):
        return value.nodes.nbytes
    if isinstance(value, Table):
        return value.nodes.nbytes + value.numbers.nbytes
    if isinstance(value, ResultSet):
        return value.nbytes
    if isinstance(value, str):
        return 50 + len(value)
    if isinstance(value, Record):
        return 64 + sum(50 + len(name) + size_of(entry) for name, entry in value.entries.items())
    if isinstance(value, list):
        if has_nodes(value):
            return 56 + sum(8 + size_of(item) for item in value)
        some = value[:: max(1, len(value) // 1000)]
        return 56 + 8 * len(value) + len(value) * sum(map(size_of, some)) // max(1, len(some))
    if isinstance(value, Graph) and value.path is None:
        tables: int = sum(table.nbytes for table in value.columns.values())
        return tables + sum(_arrays(a) for a in value.adjacencies)
    return 64


def _arrays(a: Adjacency) -> int:
    return sum(int(part.nbytes) for part in (a.indptr, a.indices, a.back_indptr, a.back_indices, a.back_edge))
