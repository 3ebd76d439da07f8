"""`graphtalk export`: its options. What it does is in `app/exporting.py`."""

from pathlib import Path
from typing import Annotated

import typer

from graphtalk.app.options import AsJson, Store


def export(
    store: Store,
    out: Annotated[
        Path, typer.Option("-o", "--out", metavar="FILE", help="What to write; a new file or folder.")
    ],
    format: Annotated[
        str,
        typer.Option(
            metavar="F",
            help="graphml, gexf, node-link, cypher, ntriples, svg, png, html; csv, parquet, neo4j (folders). "
            "Told from the file's name if not given.",
        ),
    ] = "",
    type: Annotated[
        list[str] | None,
        typer.Option(metavar="T", help="Only this node type, and edges among it; repeatable."),
    ] = None,
    query: Annotated[
        str, typer.Option(metavar="CYPHER", help="Only the nodes and edges that a query's rows rest on.")
    ] = "",
    answer: Annotated[
        Path | None, typer.Option(metavar="ANSWER.json", help="Only the evidence of what ask --json printed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a graph as a file of another format, or draw it.

    What is exported imports back as the same graph. Nothing that is there already is overwritten.

    \b
    Examples:
      graphtalk export mine.gt -o mine.graphml
      graphtalk export mine.gt -o mine --format csv             # a folder with nodes.csv and edges.csv
      graphtalk export atlas -o countries.json --type country
      graphtalk export atlas -o part.gexf --query "MATCH (c:country)-[b:borders]-(d) WHERE c.name = 'Peru' RETURN c, b, d"
      graphtalk export atlas -o answer.svg --answer answer.json
    """
    from graphtalk.app import exporting

    exporting.command(store, out, format, type or [], query, answer, as_json)
