"""Queries over a graph: `graphtalk query`, `gt.query`, and the server's `/v1/query` give what is made here."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphtalk.app import batch, console, render
from graphtalk.app.ask import session
from graphtalk.calls.cypher import parse_query
from graphtalk.core import JSON, CallError, Evidence, ParseError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.text import visible
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.graphs import Loaded
from graphtalk.graphs.extras import library
from graphtalk.tools.executor import Result

if TYPE_CHECKING:
    import pandas

    from graphtalk.app.session import Session

PRINTED = 20  # rows that the interpreter prints
WIDEST = 40  # letters of a cell there
MOST_SHOWN = 100  # rows that a terminal or a notebook shows


@dataclass(frozen=True, eq=False)
class QueryResult:
    """The result of a query.

    - `columns`, `rows`: named columns and their rows, of JSON values: a node by its name, an edge as an object of its ends, relation
      and features, a path as the list of its names, a date as ISO text.
    - `evidence`: the nodes and edges that the rows rest on.
    - `remarks`: what was assumed, and which limits cut the result.
    """

    result: Result

    @property
    def table(self) -> ResultSet:
        """The columns as arrays."""
        value = self.result.value
        assert isinstance(value, ResultSet)
        return value

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.table.names)

    @cached_property
    def rows(self) -> list[list[JSON]]:
        """The rows, each with one value for each column."""
        return list(self.table.records())

    @cached_property
    def evidence(self) -> Evidence:
        """The nodes and edges that the rows rest on."""
        return self.result.evidence()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said beside the rows: how names were understood, that a limit cut ties."""
        return self.result.remarks

    def __len__(self) -> int:
        return len(self.table)

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a pandas data frame; needs pandas."""
        return library("pandas", "pandas").DataFrame(self.rows, columns=self.columns)

    def to_json(self, most: int | None = None) -> dict[str, JSON]:
        """The object that `graphtalk query --json` prints; with `most`, that many rows and entries of evidence."""
        rows = self.table if most is None else self.table.first(most)
        remarks = list(self.remarks)
        if len(rows) < len(self):
            remarks.append(f"The first {len(rows):,} of {len(self):,} rows are shown.")
        return {
            "columns": list(self.columns),
            "rows": list(rows.records()),
            "evidence": render.evidence_to_json(
                self.evidence if most is None else self.result.evidence(most)
            ),
            "remarks": list(remarks),
            "call": self.result.trail.spelling,
            "seconds": sum(call.seconds for call in self.result.calls),
        }

    def to_csv(self) -> str:
        """The rows as CSV, with a header."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([[_cell(value) for value in row] for row in self.rows])
        return text.getvalue()

    def __repr__(self) -> str:
        """The rows as a table in plain text, at most PRINTED of them."""
        head = [
            self.columns,
            *([_cell(value) for value in row] for row in self.table.first(PRINTED).records()),
        ]
        widths = [min(max(map(len, column)), WIDEST) for column in zip(*head, strict=True)]
        lines = [
            "  ".join(_fitted(cell, w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in head
        ]
        left = len(self) - PRINTED
        more = [f"… {left:,} more rows"] if left > 0 else []
        return visible("\n".join([*lines, *more, f"({counted(len(self))})"]))

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in row)}</tr>"
            for row in self.rows[:MOST_SHOWN]
        )
        left = len(self) - MOST_SHOWN
        more = f"<p>… {left:,} more rows</p>" if left > 0 else ""
        said = "".join(f"<p>{escape(remark)}</p>" for remark in self.remarks)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}{said}"


def counted(rows: int) -> str:
    """How many rows there are, in words."""
    return "1 row" if rows == 1 else f"{rows:,} rows"


def _fitted(text: str, width: int) -> str:
    """A text in so many columns, cut where it is longer."""
    line = " ".join(text.split())
    return line.ljust(width) if len(line) <= width else f"{line[: width - 1]}…"


def _cell(value: JSON) -> str:
    """A value as a cell of a table: text as it is, nothing as nothing, all else as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def query(
    graph: Loaded | str | Path, cypher: str, parameters: Mapping[str, JSON] | None = None
) -> QueryResult:
    """Run a read-only Cypher query on a graph: `gt.query(g, "MATCH (c:country) RETURN c.name, c.population")`.

    `parameters` are the values of `$name` in it. Raises ParseError, with line and column, for what is no reading
    query, CheckError for names that the graph does not have, and LimitError where a limit runs out.
    """
    return run(session(graph), cypher, parameters or {})


def run(asked: "Session", cypher: str, parameters: Mapping[str, JSON]) -> QueryResult:
    """Run a query in a session."""
    read = parse_query(cypher, asked.executor.registry.vocabulary)
    return QueryResult(asked.executor.query(read, parameters))


def one(store: str, cypher: str, given: Sequence[str], form: Literal["table", "json", "csv"]) -> int:
    """Run one query and print its rows. What is no query that reads is wrong usage."""
    from graphtalk.app.asking import session_of

    try:
        found = run(session_of(store), cypher, parameters_of(given))
    except ParseError as error:
        raise UsageError(str(error)) from error
    if form == "json":
        console.write(render.dumps(found.to_json()))
    elif form == "csv":
        console.write(found.to_csv(), end="")
    else:
        _print(found)
    return 0


def _print(found: QueryResult) -> None:
    out = console.stdout()
    shown = found.rows if not out.is_terminal else found.rows[:MOST_SHOWN]
    render.print_table(out, found.columns, [[_cell(value) for value in row] for row in shown])
    for remark in found.remarks:
        console.say(remark)
    left = len(found) - len(shown)
    more = f"; {left:,} are not shown, --json and --csv give all" if left else ""
    console.say(
        f"{counted(len(found))}{more}, {render.duration(sum(call.seconds for call in found.result.calls))}"
    )


def parameters_of(given: Sequence[str]) -> dict[str, JSON]:
    """`name=value` pairs as values: JSON where it is JSON, else text. Raises UsageError for anything else."""
    found: dict[str, JSON] = {}
    for pair in given:
        name, separator, value = pair.partition("=")
        if not separator or not name.isidentifier():
            raise UsageError(f"--param {pair!r}: a parameter is given as NAME=VALUE.")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found


def file(store: str, queries: Path, out: Path) -> int:
    """Run a file of queries into another, in order, keeping what is there; 1 where a line was broken."""
    from graphtalk.app.asking import session_of

    if queries.resolve() == out.resolve():
        raise UsageError(f"Queries and rows cannot be the same file: {queries}.")
    lines = list(batch.read_questions(queries, "cypher"))
    asked = session_of(store)
    failed = 0
    with (
        Journal(out, required="columns") as journal,
        console.progress("running", "queries", len(lines)) as advance,
    ):
        kept = len(journal.keys)
        for line in lines:
            if not line.complaint and line.key not in journal.keys:
                row = _answered(asked, line.question)
                failed += row["error"] is not None
                journal.add(line.key, row)
            advance(1)
    journal.restore_order(line.key for line in lines if not line.complaint)
    broken = [line for line in lines if line.complaint]
    for line in broken:
        console.say(f"{queries}:{line.number}: {line.complaint}")
    console.say(
        f"{len(lines) - len(broken) - kept:,} run, {failed:,} failed, {kept:,} kept from before: {out}"
    )
    return 1 if broken else 0


def _answered(asked: "Session", cypher: str) -> dict[str, JSON]:
    try:
        found = run(asked, cypher, {})
    except CallError as error:
        return {"columns": [], "rows": [], "error": str(error)}
    return {"columns": list(found.columns), "rows": list(found.rows), "error": None}
