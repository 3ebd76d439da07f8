"""A whole query: its clauses one after another, each a step from rows to rows; and the table that comes of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, time

import numpy as np

from graphtalk.calls.query import Apply, Match, Query, Return, Unwind, With
from graphtalk.core import CheckError, LimitError
from graphtalk.engines.arrays import functions
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.match import match
from graphtalk.engines.arrays.needs import ALL, Need, bare, needs
from graphtalk.engines.arrays.projection import project, union, unwind
from graphtalk.engines.arrays.rows import ONE, OUTER, Column, EdgeValue, NodeValue, PathValue, Rows, Scalar
from graphtalk.engines.arrays.scalars import to_text
from graphtalk.engines.arrays.scope import parts
from graphtalk.engines.arrays.temporal import Duration
from graphtalk.engines.arrays.terms import truth
from graphtalk.graphs import Graph


@dataclass(frozen=True, eq=False)
class Table:
    """What a query gives: rows with named columns, and where they came from (`rows.origins`)."""

    rows: Rows
    graph: Graph

    @property
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.rows.columns)

    @property
    def columns(self) -> list[Column]:
        """The columns, in order."""
        return list(self.rows.columns.values())

    def __len__(self) -> int:
        return self.rows.size

    def records(self) -> Iterator[list[object]]:
        """Each row as values that JSON has: see `plain_value`."""
        columns = [values_of(column) for column in self.columns]
        for at in range(self.rows.size):
            yield [plain_value(column[at], self.graph) for column in columns]


def plain_value(value: Scalar, graph: Graph) -> object:
    """A value as JSON has it.

    A node is its label; an edge `{"source", "relation", "target", "features"}`, without features where it has none; a
    path the labels of its nodes; a date, time or duration ISO 8601; a number that JSON lacks its name.
    """
    if isinstance(value, NodeValue):
        return graph.label(value.node)
    if isinstance(value, EdgeValue):
        relation, place = functions.relation_of(graph, value.edge)
        source, target = functions.ends(graph, value.edge)
        edge = {
            "source": graph.label(source),
            "relation": graph.schema.relations[relation].name,
            "target": graph.label(target),
        }
        features = {k: plain_value(v, graph) for k, v in graph.edge_features(relation, place).items()}
        return {**edge, "features": features} if features else edge
    if isinstance(value, PathValue):
        return graph.labels(value.nodes)
    if isinstance(value, list):
        return [plain_value(v, graph) for v in value]
    if isinstance(value, dict):
        return {k: plain_value(v, graph) for k, v in value.items()}
    if isinstance(value, date | time | Duration) or (isinstance(value, float) and not np.isfinite(value)):
        return to_text(value)
    return value


def run(query: Query, frame: Frame) -> Table:
    """The table that a query gives.

    Raises CheckError for a name that is not there, ToolError for a value that cannot be, LimitError where the frame's
    meter runs out.
    """
    for part in parts(query):
        if isinstance(part, Apply):
            functions.check(part.function, len(part.arguments))
    for one in query.parts:
        if not one.clauses or not isinstance(one.clauses[-1], Return):
            raise CheckError("A query ends with RETURN.")
    try:
        return Table(run_parts(query, ONE, frame), frame.graph)
    except RecursionError as e:
        raise LimitError("The query nests too deeply.") from e


def run_parts(query: Query, start: Rows, frame: Frame, need: Need = ALL) -> Rows:
    """The rows of a query that begins with `start`. In a subquery a part may end without a RETURN.

    `need` is what is asked of the rows.
    """
    found = []
    for part in query.parts:
        rows = start
        union_once = len(query.parts) > 1 and not query.repeats
        after = needs(part, replace(need, repeats=False) if union_once else need)
        for clause, wanted in zip(part.clauses, after, strict=True):
            frame.meter.look()
            if isinstance(clause, Match):
                rows = match(clause, rows, frame, wanted if frame.outer is None else bare(wanted))
            elif isinstance(clause, Unwind):
                rows = unwind(clause, rows, frame)
            else:
                rows = project(clause.projection, rows, frame)
                if isinstance(clause, With) and clause.where is not None:
                    rows = rows.keep(truth(clause.where, rows, frame))
        found.append(rows)
    if len(found) > 1 and not all(isinstance(part.clauses[-1], Return) for part in query.parts):
        found = [Rows(rows.size, {OUTER: rows.columns[OUTER]}, rows.origins) for rows in found]
        return union(found, True, frame)
    return union(found, query.repeats, frame)
