"""Rows as columns, and how each came from the rows before it, which is what evidence is read from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
import pyarrow as pa

from graphtalk.graphs.adjacency import Ints

MISSING = -1
"""What stands in a column of nodes or edges where there is none."""


@dataclass(frozen=True)
class NodeValue:
    """A node inside a list, a map or a column of mixed values: its index in the graph."""

    node: int


@dataclass(frozen=True)
class EdgeValue:
    """An edge inside a list, a map or a column of mixed values: its index over all relations."""

    edge: int


@dataclass(frozen=True)
class PathValue:
    """A path: its nodes in order, and its edges, one fewer."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]


Scalar: TypeAlias = object
"""A value of one row: None, bool, int, float, str, date, datetime, time, Duration (`temporal.py`), NodeValue, EdgeValue,
PathValue, or a list or a dict of these."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """A column of nodes. Shape (rows,), int64; MISSING where there is none.

    `span`: they follow one another in one type, and are all there.
    """

    nodes: Ints
    span: bool = False

    def __len__(self) -> int:
        return len(self.nodes)

    def take(self, at: Ints) -> "Nodes":
        """The entries at these places, in order."""
        return Nodes(self.nodes[at])


@dataclass(frozen=True, eq=False)
class Edges:
    """A column of edges by their index over all relations. Shape (rows,), int64; MISSING where there is none."""

    edges: Ints

    def __len__(self) -> int:
        return len(self.edges)

    def take(self, at: Ints) -> "Edges":
        """The entries at these places, in order."""
        return Edges(self.edges[at])


@dataclass(frozen=True, eq=False)
class Values:
    """A column of values of one kind: bool, int64, double, string, date32, timestamp[us], that in UTC, or null.

    Null where there is none.
    """

    array: pa.Array

    def __len__(self) -> int:
        return len(self.array)

    def take(self, at: Ints) -> "Values":
        """The entries at these places, in order."""
        return Values(self.array.take(pa.array(at)))


@dataclass(frozen=True, eq=False)
class Lists:
    """A column of lists, each a stretch of `items`: the list of row i is `items[starts[i]:stops[i]]`.

    Shape of `starts` and `stops`: (rows,); both are MISSING where there is no list. Rows may share a stretch, so a
    long list that stands in many rows costs no more than one.
    """

    starts: Ints
    stops: Ints
    items: "Column"

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, at: Ints) -> "Lists":
        """The entries at these places, in order."""
        return Lists(self.starts[at], self.stops[at], self.items)


@dataclass(frozen=True, eq=False)
class Mixed:
    """A column of values that none of the others holds: paths, maps, times, durations, numbers beside texts."""

    values: list[Scalar]

    def __len__(self) -> int:
        return len(self.values)

    def take(self, at: Ints) -> "Mixed":
        """The entries at these places, in order."""
        return Mixed([self.values[i] for i in at.tolist()])


Column: TypeAlias = Nodes | Edges | Values | Lists | Mixed


@runtime_checkable
class Unmade(Protocol):
    """Nodes and edges that were only counted, or known to be there: they are made when evidence asks for them."""

    def take(self, at: Ints) -> "Unmade":
        """Those of the rows at these places."""

    def made(self, most: int) -> tuple[Ints, Ints, bool]:
        """The nodes and edges, about `most` edges where there are more, and whether these are all."""


@dataclass(frozen=True, eq=False)
class Origin:
    """Where rows came from. `at`: for each row the row of `before` it was made of (MISSING: of another origin's).

    Where rows were put together (by an aggregate, by DISTINCT), `at` is None and `group` says for each row of
    `before` which row it went into (MISSING: none).
    """

    before: "Rows"
    at: Ints | None = None
    group: Ints | None = None


@dataclass(frozen=True, eq=False)
class Rows:
    """Named columns of one length, in order. `size` is that length, where there are no columns too.

    `hidden` are nodes and edges that a pattern passed through without a name, or whose name nothing uses: evidence,
    not columns.
    """

    size: int
    columns: Mapping[str, Column] = field(default_factory=dict)
    origins: tuple[Origin, ...] = ()
    hidden: tuple[Column | Unmade, ...] = ()

    def take(self, at: Ints) -> "Rows":
        """The rows at these places, in order."""
        taken = {name: column.take(at) for name, column in self.columns.items()}
        return Rows(len(at), taken, (Origin(self, at),))

    def keep(self, mask: np.ndarray) -> "Rows":
        """The rows where the mask is true. Shape of `mask`: (size,), bool."""
        return self if bool(mask.all()) else self.take(np.flatnonzero(mask))


@dataclass(frozen=True, eq=False)
class Support:
    """What a subquery in a term found: evidence for the rows that the term was worked out for.

    `of`: for each row of `inner` the row of `outer`, shape (inner.size,); None: each row of `inner` is for all.
    """

    outer: Rows
    inner: Rows
    of: Ints | None = None


OUTER = "\0row"
"""The column of a subquery's rows that says which row each is for. A query that names a column so is refused."""

TIMES = "\0times"
"""The column that says how often each row is there, where that was asked for (`needs.Need.counted`). int64, from 1."""

ONE = Rows(1)
"""What a query begins with: one row without columns."""
