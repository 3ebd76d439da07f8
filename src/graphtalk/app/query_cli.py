"""`graphtalk query`: its options. What it does is in `app/querying.py`."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import AsJson, Store
from graphtalk.core import UsageError


def query(
    store: Store,
    cypher: Annotated[
        str | None, typer.Argument(metavar="CYPHER", help="A query that reads; - for stdin.")
    ] = None,
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A value for $NAME: JSON, or text.")
    ] = None,
    file: Annotated[Path | None, typer.Option(help='Queries: {"id", "cypher"} per line.')] = None,
    out: Annotated[
        Path | None, typer.Option(help="What --file gives, one line each; resumed if there.")
    ] = None,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV with a header.")] = False,
) -> None:
    """Run a Cypher query that reads, and print its rows.

    Labels are node types, relationship types are relations, properties are features of nodes and edges; `name` is a
    node's name and `id` its id. What writes is refused. With --file every line gets a line in --out: its id, columns,
    rows, and the error of a query that failed.

    \b
    Examples:
      graphtalk query atlas "MATCH (c:country)-[:borders]-(d:country {name: 'Portugal'}) RETURN c.name AS name"
      graphtalk query atlas 'MATCH (c:country) RETURN c.name, c.population ORDER BY c.population DESC LIMIT 5' --csv
      graphtalk query atlas 'MATCH (c:country {name: $name}) RETURN c.population' --param name=Japan --json
      graphtalk query mine.gt --file queries.jsonl --out rows.jsonl
    """
    from graphtalk.app import querying

    if file is not None and cypher is None:
        if out is None:
            raise UsageError("--file needs --out: where the rows go.")
        code = querying.file(store, file, out)
    elif cypher is not None and file is None:
        if out is not None:
            raise UsageError("--out goes with --file; use > to keep the rows of one query.")
        if as_json and as_csv:
            raise UsageError("--json and --csv: choose one.")
        text = typer.get_text_stream("stdin").read() if cypher == "-" else cypher
        code = querying.one(store, text, param or [], "json" if as_json else "csv" if as_csv else "table")
    else:
        raise UsageError("Give one CYPHER query, or --file with queries.")
    raise typer.Exit(code)
