"""A whole query: its clauses one after another, each a step from rows to rows; and the table that comes of it."""

from dataclasses import replace

from graphtalk.calls.query import Apply, Match, Part, Query, Return, Unwind, With, parts_of
from graphtalk.core import CheckError, LimitError
from graphtalk.engines.arrays import functions
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.match import match
from graphtalk.engines.arrays.needs import ALL, Need, bare, needs, simplified
from graphtalk.engines.arrays.projection import project, union, unwind
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import ONE, OUTER, Rows
from graphtalk.engines.arrays.scope import aggregates
from graphtalk.engines.arrays.terms import truth


def run(query: Query, frame: Frame) -> ResultSet:
    """What a query gives.

    Raises CheckError for a name that is not there, ToolError for a value that cannot be, LimitError where the frame's
    meter runs out.
    """
    single = frame.plans.once(query, "checked", lambda: _checked(query))
    try:
        rows = run_parts(query, ONE, frame)
    except RecursionError as e:
        raise LimitError("The query nests too deeply.") from e
    return ResultSet(rows, frame.graph, single, tuple(frame.supports))


def _checked(query: Query) -> bool:
    """Look over a whole query, and say whether it gives a single value."""
    for part in parts_of(query):
        if isinstance(part, Apply):
            functions.check(part.function, len(part.arguments))
    for one in query.parts:
        if not one.clauses or not isinstance(one.clauses[-1], Return):
            raise CheckError("A query ends with RETURN.")
    return _single(query)


def _single(query: Query) -> bool:
    """Whether a query gives one row whatever there is: one column of its last clause, made of aggregates alone."""
    last = query.parts[-1].clauses[-1]
    if len(query.parts) > 1 or not isinstance(last, Return) or last.projection.everything:
        return False
    columns = last.projection.columns
    return len(columns) == 1 and bool(aggregates(columns[0].value))


def _planned(part: Part, need: Need) -> tuple[Part, list[Need]]:
    """A part, and what is needed of the rows of each of its clauses."""
    part = simplified(part)
    return part, needs(part, need)


def run_parts(query: Query, start: Rows, frame: Frame, need: Need = ALL) -> Rows:
    """The rows of a query that begins with `start`. In a subquery a part may end without a RETURN.

    `need` is what is asked of the rows.
    """
    frame = frame if frame.subquery else replace(frame, subquery=run_parts)
    found = []
    for part in query.parts:
        rows = start
        if len(query.parts) > 1:
            need = replace(need, counted=False, repeats=need.repeats and query.repeats)
        part, after = frame.plans.once(part, need, lambda part=part, need=need: _planned(part, need))  # type: ignore[misc]
        for clause, wanted in zip(part.clauses, after, strict=True):
            frame.meter.look()
            if isinstance(clause, Match):
                rows = (frame.match or match)(
                    clause, rows, frame, wanted if frame.outer is None else bare(wanted)
                )
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
