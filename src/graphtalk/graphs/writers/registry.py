"""The formats that graphs are exported to, by name. Listing them imports none."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from graphtalk.core import UsageError, choices
from graphtalk.core.files import creating
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.scratch import scratch, sync


@dataclass(frozen=True)
class Writer:
    """A format: what it is, the endings of its files' names (none: it is a folder), and where its writer is."""

    name: str
    summary: str
    module: str
    function: str
    endings: tuple[str, ...] = ()

    def write(self, graph: Graph, out: Path) -> None:
        """Write a graph to `out`, where nothing may be. A kill leaves nothing there."""
        write: Callable[[Graph, Any], None] = getattr(
            import_module(f"graphtalk.graphs.writers.{self.module}"), self.function
        )
        if self.endings:
            with creating(out) as new, new.open("wb") as file:
                write(graph, file)
            return
        if out.exists():
            raise UsageError(f"{out} is there already; it is not overwritten. Name a new folder.")
        with scratch(out.parent, f".{out.name}.export-") as place:
            new = place / out.name
            new.mkdir()
            write(graph, new)
            new.rename(out)
        sync(out.parent)


WRITERS: dict[str, Writer] = {
    w.name: w
    for w in (
        Writer("graphml", "GraphML", "xml", "write_graphml", (".graphml",)),
        Writer("gexf", "GEXF, for Gephi", "xml", "write_gexf", (".gexf",)),
        Writer("node-link", "node-link JSON", "node_link", "write_node_link", (".json",)),
        Writer("cypher", "a script of Cypher's CREATE", "statements", "write_cypher", (".cypher", ".cql")),
        Writer("ntriples", "RDF as N-Triples", "statements", "write_ntriples", (".nt",)),
        Writer("svg", "a drawing as SVG", "pictures", "write_svg", (".svg",)),
        Writer("png", "a drawing as PNG", "pictures", "write_png", (".png",)),
        Writer("html", "a drawing as a page that stands alone", "pictures", "write_html", (".html", ".htm")),
        Writer("csv", "a folder with nodes.csv and edges.csv", "tables", "write_csv"),
        Writer("parquet", "a folder with nodes.parquet and edges.parquet", "tables", "write_parquet"),
        Writer("neo4j", "a folder of CSV files for neo4j-admin", "tables", "write_neo4j"),
    )
}


def writer_for(out: Path, format: str = "") -> Writer:
    """The format called `format`, or the one that a file's name says. Raises UsageError with the valid ones."""
    if format:
        if format not in WRITERS:
            raise UsageError(f"No format {format!r}. {choices(format, WRITERS, most=len(WRITERS))}")
        return WRITERS[format]
    found = next((w for w in WRITERS.values() if out.name.lower().endswith(w.endings or "\0")), None)
    if found is None:
        names = ", ".join(WRITERS)
        raise UsageError(f"{out}: its name does not say the format. Say which: --format {names}.")
    return found
