"""Graphs as files: `graphtalk export` and `gt.export`; and the drawings of `ask` and `retrieve`."""

import time
from collections.abc import Sequence
from pathlib import Path

from graphtalk.app import console, render
from graphtalk.app.ask import open, session
from graphtalk.app.notebook import highlighted_names, to_html
from graphtalk.app.querying import run
from graphtalk.core import Answer, CheckError, Evidence, ParseError, UsageError
from graphtalk.graphs import Graph, GraphSet, Loaded
from graphtalk.graphs.drawing import draw
from graphtalk.graphs.part import part_of_evidence, part_of_types
from graphtalk.graphs.writers.registry import writer_for

_MOST = 10_000_000  # nodes and edges of a query's result


def export(
    graph: Loaded | str | Path,
    out: str | Path,
    *,
    format: str = "",
    types: Sequence[str] = (),
    query: str = "",
    evidence: Evidence | None = None,
) -> Graph:
    """Write a graph, or a part of it, to a new file or folder at `out`; returns what was written.

    - `format`: graphml, gexf, node-link, cypher, ntriples, svg, png, html; csv, parquet and neo4j are folders. Inferred from the
      name if empty.
    - `types`: only these node types, and the edges among them.
    - `query`: only what the rows of this Cypher query rest on.
    - `evidence`: only the evidence of an answer.

    Raises UsageError for a format that is unknown or cannot hold a text of the graph, CheckError for types, nodes and edges that the
    graph does not have.
    """
    place = Path(out).expanduser()
    writer = writer_for(place, format)
    if place.exists():
        raise UsageError(f"{place} is there already; it is not overwritten. Name a new one.")
    whole = graph if isinstance(graph, Graph | GraphSet) else open(graph)
    if sum((bool(types), bool(query), evidence is not None)) > 1:
        raise UsageError("Types, a query, an answer: choose one part of the graph.")
    if isinstance(whole, GraphSet):
        if len(whole) > 1:
            raise UsageError(f"{whole.name} is a set of {len(whole):,} graphs; export one of them.")
        whole = whole.at(0)
    if types:
        whole = part_of_types(whole, types)
    elif query:
        whole = part_of_evidence(whole, run(session(whole), query, {}).result.evidence(_MOST))
    elif evidence is not None:
        whole = part_of_evidence(whole, evidence)
    writer.write(whole, place)
    return whole


def command(
    store: str,
    out: Path,
    format: str,
    types: Sequence[str],
    query: str,
    answer: Path | None,
    as_json: bool,
) -> None:
    """`graphtalk export`: write, and say what was written."""
    from graphtalk.app.asking import opened

    writer = writer_for(out, format)
    started = time.perf_counter()
    try:
        evidence = None if answer is None else _evidence(answer)
        written = export(opened(store), out, format=format, types=types, query=query, evidence=evidence)
    except (CheckError, ParseError) as error:
        raise UsageError(str(error)) from error
    seconds = time.perf_counter() - started
    if as_json:
        said = {
            "out": str(out),
            "format": writer.name,
            "nodes": written.num_nodes,
            "edges": written.num_edges,
        }
        console.write(render.dumps({**said, "seconds": seconds}))
    else:
        counts = f"{written.num_nodes:,} nodes and {written.num_edges:,} edges"
        console.write(f"{counts} written as {writer.name}, {render.duration(seconds)}: {out}")


def _evidence(path: Path) -> Evidence:
    from graphtalk.app.asking import read_answer

    return render.answer_from_json(read_answer(str(path)), str(path)).evidence


def draw_answer(answer: Answer, graph: Graph, out: Path) -> None:
    """Draw what an answer rests on; as HTML the whole answer."""
    from graphtalk.graphs.writers.pictures import write_picture

    drawing = draw(answer.evidence, graph)
    if not drawing.labels and out.suffix.lower() != ".html":
        raise UsageError("The answer rests on no node or edge that could be drawn.")
    write_picture(out, drawing, highlighted_names(answer.value), to_html(answer, graph), answer.text)
