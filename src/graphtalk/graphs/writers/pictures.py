"""Drawings of a graph, or of some of a large one: SVG, PNG, and HTML that stands alone."""

from collections.abc import Collection
from pathlib import Path
from typing import BinaryIO

from graphtalk.core import UsageError
from graphtalk.core.files import creating
from graphtalk.graphs.drawing import Drawing, draw_graph, graph_html, page, to_svg
from graphtalk.graphs.graph import Graph

MOST_NODES = 150
ENDINGS = (".svg", ".png", ".html")


def write_svg(graph: Graph, file: BinaryIO) -> None:
    """SVG."""
    file.write(to_svg(draw_graph(graph, MOST_NODES)).encode())


def write_png(graph: Graph, file: BinaryIO) -> None:
    """PNG; needs Pillow."""
    from graphtalk.graphs.raster import to_png

    file.write(to_png(draw_graph(graph, MOST_NODES)))


def write_html(graph: Graph, file: BinaryIO) -> None:
    """HTML with the types, the relations and a drawing."""
    file.write(page(graph_html(graph, MOST_NODES), graph.name).encode())


def check_picture(out: Path) -> None:
    """Raise UsageError where a file cannot become a picture: by its name, or because something is there."""
    if out.suffix.lower() not in ENDINGS:
        raise UsageError(f"{out}: a drawing is a file that ends in {', '.join(ENDINGS)}.")
    if out.exists():
        raise UsageError(f"{out} is there already; it is not overwritten. Name a new file.")
    if out.suffix.lower() == ".png":
        from graphtalk.graphs.raster import check_installed

        check_installed()


def write_picture(out: Path, drawing: Drawing, highlighted: Collection[str], body: str, title: str) -> None:
    """Write a drawing as its file's name says. HTML shows `body`, in which the drawing is, under a title."""
    check_picture(out)
    with creating(out) as new:
        if out.suffix.lower() == ".png":
            from graphtalk.graphs.raster import to_png

            new.write_bytes(to_png(drawing, frozenset(highlighted)))
        elif out.suffix.lower() == ".svg":
            new.write_text(to_svg(drawing, frozenset(highlighted)), encoding="utf-8")
        else:
            new.write_text(page(body, title), encoding="utf-8")
