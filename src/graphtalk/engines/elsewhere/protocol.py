"""What an engine elsewhere is asked, and what a backend for one has to do. A backend only ever reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import pyarrow as pa

from graphtalk.calls.query import Term
from graphtalk.core import JSON, ToolError
from graphtalk.graphs.schema import NodeType, Schema

TIMES = "times"
"""The column that says how often a row was found."""


class EngineError(ToolError):
    """An engine could not be asked, or what it gave cannot be. Never holds a password."""


class UnsaidError(Exception):
    """What cannot be said in an engine's language so that it means the same; never leaves this room."""


@dataclass(frozen=True)
class Between:
    """An edge of a pattern, the way it is stored: `relation` is its position in the schema, the ends are keys of nodes.

    `straight`: its ends are different nodes.
    """

    key: str
    relation: int
    source: str
    target: str
    straight: bool = False


@dataclass(frozen=True)
class Way:
    """One way to meet a MATCH: each node, by its key, of one type, and each edge of one relation.

    `tests` are conditions that engines can check, whose properties are columns of these types (`conditions`).
    `among` says of which ids a node must be; `apart` are pairs of edges that must differ.
    """

    nodes: Mapping[str, str]
    edges: tuple[Between, ...] = ()
    tests: tuple[Term, ...] = ()
    among: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    apart: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What is wanted of the matches: the ids of these nodes and edges (by key), and all features of the edges.

    `values`: features of nodes, as the key of the node and the feature; of lists never. `counted`: each different row once, with how often it was found in the column `times`. `ordered`: in the order of the
    ids. At most `most` rows.
    """

    nodes: tuple[str, ...]
    edges: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    counted: bool = False
    ordered: bool = False
    most: int = 0


def node_column(place: int) -> str:
    """The column of the node at this place of `Wanted.nodes`."""
    return f"n{place}"


def edge_column(place: int, feature: str = "") -> str:
    """The column of the edge at this place of `Wanted.edges`, or of a feature of it."""
    return f"e{place}.{feature}" if feature else f"e{place}"


def value_column(place: int) -> str:
    """The column of the feature at this place of `Wanted.values`."""
    return f"v{place}"


class Backend(Protocol):
    """An engine that holds a graph. Ids are texts and tell a node within its type; every method raises EngineError.

    Whoever calls sees to the limits: a method may be ended by `stop`, from another thread.
    """

    @property
    def engine(self) -> str:
        """What people call the engine: "Neo4j"."""

    def schema(self) -> Schema:
        """Node types, features, relations and their counts, read now."""

    def notes(self) -> dict[str, JSON]:
        """What it knows beside the schema after reading it: what the names stand for there. Kept with the schema."""

    def know(self, schema: Schema, notes: Mapping[str, Any]) -> None:
        """Take a schema and notes that were kept for read. Raises KeyError, TypeError or ValueError for others."""

    def nodes(self, t: NodeType, columns: Sequence[str], ids: Sequence[str] | None = None) -> pa.Table:
        """The column `id` and these features of all nodes of a type, or of those with these ids, in any order."""

    def edges(self, relation: int) -> pa.Table:
        """All edges of a relation: `source` and `target` (ids), and its features."""

    def matches(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way, in the columns `n0`, …, `e0`, …, `e0.<feature>`, `v0`, …, `times`; ids as texts.

        Raises UnsaidError where its language cannot say a test.
        """

    def stop(self) -> None:
        """End what runs."""

    def close(self) -> None:
        """Let go of the engine."""
