"""What backends over tables share: queries are made by `sql`, and run by whatever engine a subclass asks."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyarrow as pa
from sqlglot import exp

from graphtalk.core import JSON, UsageError
from graphtalk.engines.elsewhere.protocol import EngineError, Wanted, Way
from graphtalk.engines.elsewhere.sql import PARQUET, Tables, table
from graphtalk.graphs.recipe import Recipe
from graphtalk.graphs.schema import NodeType, Schema


def parquet_files(recipe: Recipe) -> list[str]:
    """The Parquet files that a mapping names."""
    names = (spec.files[0] for spec in (*recipe.nodes, *recipe.edges) if spec.files)
    return list(dict.fromkeys(name for name in names if name.endswith(PARQUET)))


class TablesBackend(ABC):
    """A graph in tables. Subclasses ask; what their engine raises on a query is one of `_errors`."""

    engine = ""
    place = ""
    _errors: type[Exception] | tuple[type[Exception], ...] = ()

    def __init__(self) -> None:
        self._known: Tables | None = None

    @abstractmethod
    def _asked(self, query: exp.Select) -> pa.Table:
        """What a query gives. Raises EngineError."""

    @abstractmethod
    def _found(self) -> Tables:
        """The tables that hold the graph, without counts."""

    @abstractmethod
    def stop(self) -> None:
        """End what runs."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the engine."""

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Tell what the engine raises as EngineError."""
        try:
            yield
        except self._errors as error:
            raise EngineError(f"{self.engine}, {self.place}: {' '.join(str(error).split())[:500]}") from error

    def _columns(self, name: str) -> pa.Schema:
        """The columns of a table. Raises UsageError where there is none of this name."""
        try:
            return self._asked(exp.select("*").from_(table(name, "a")).limit(0)).schema
        except EngineError as error:
            raise UsageError(f"{self.place}: the table {name!r} cannot be read ({error}).") from error

    def schema(self) -> Schema:
        """Node types, relations and their counts, read now."""
        found = self._found()
        first, types = 0, []
        for t in found.schema.node_types:
            rows = found.nodes[t.name]
            counted = exp.select(exp.alias_(exp.Count(this=exp.Star()), "many")).from_(table(rows.table, "a"))
            count = int(self._asked(counted).column("many")[0].as_py())
            types.append(replace(t, count=count, first=first))
            first += count
        relations = []
        for place, r in enumerate(found.schema.relations):
            row = self._asked(found.count_edges(place)).to_pylist()[0]
            if row["many"] != row["different"]:
                raise UsageError(
                    f"{self.place}, {found.edges[place].table}: {row['many']:,} {r.name} edges, and {row['different']:,} "
                    f"different by {', '.join(found.edges[place].told)}. Name the column that tells them apart: "
                    'key = "…" in the mapping (docs/backends.md).'
                )
            if r.undirected and self._asked(found.turned_edges(place)).num_rows:
                raise UsageError(
                    f"{self.place}, {found.edges[place].table}: {r.name} has no direction, and yet some edges are there from "
                    "both ends. Make a view that has each once."
                )
            relations.append(replace(r, count=int(row["many"])))
        schema = Schema(tuple(types), tuple(relations))
        self._known = replace(found, schema=schema)
        return schema

    def notes(self) -> dict[str, JSON]:
        """Nothing: which tables there are is asked for at once."""
        return {}

    def know(self, schema: Schema, notes: Mapping[str, Any]) -> None:
        """Take a schema that was kept for read."""
        self._known = replace(self._found(), schema=schema)

    @property
    def _held(self) -> Tables:
        assert self._known is not None  # after `schema` or `know`
        return self._known

    def nodes(self, t: NodeType, columns: Sequence[str], ids: Sequence[str] | None = None) -> pa.Table:
        """Features of the nodes of a type."""
        return self._asked(self._held.features(t.name, columns, ids))

    def edges(self, relation: int) -> pa.Table:
        """The edges of a relation."""
        return self._asked(self._held.ends(relation))

    def matches(self, way: Way, wanted: Wanted) -> pa.Table:
        """The matches of a way."""
        return self._asked(self._held.matches(way, wanted))
