"""GraphML, GEXF, GML and node-link JSON, read by networkx."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from graphtalk.core import SourceError
from graphtalk.core.reading import read_json
from graphtalk.graphs.convert import from_networkx_file
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

# What the parsers of networkx raise on files that are not what they should be.
_FAULTS = (SyntaxError, ValueError, LookupError, TypeError, AttributeError, *BROKEN)


def sniff_graphml(path: Path) -> bool:
    """Whether a file is called *.graphml."""
    return plain_name(path).endswith(".graphml")


def sniff_gexf(path: Path) -> bool:
    """Whether a file is called *.gexf."""
    return plain_name(path).endswith(".gexf")


def sniff_gml(path: Path) -> bool:
    """Whether a file is called *.gml."""
    return plain_name(path).endswith(".gml")


def sniff_node_link(path: Path) -> bool:
    """Whether a JSON file begins as networkx writes node-link data."""
    if not plain_name(path).endswith(".json") or not path.is_file():
        return False
    start = head(path)
    return b'"nodes"' in start and (b'"links"' in start or b'"edges"' in start or b'"directed"' in start)


def read_graphml(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GraphML file."""
    import networkx

    return _read(sources, importing, networkx.read_graphml)


def read_gexf(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GEXF file."""
    import networkx

    return _read(sources, importing, networkx.read_gexf)


def read_gml(sources: Sequence[Path], importing: Importing) -> Graph:
    """One GML file. Nodes without a label are called by their number."""
    import networkx

    def load(file: Any) -> Any:
        text = file.read()
        return networkx.parse_gml(text.decode("utf-8"), label="label" if b"label" in text else "id")

    return _read(sources, importing, load)


def read_node_link(sources: Sequence[Path], importing: Importing) -> Graph:
    """One node-link JSON file; its edges are called `links` or `edges`."""
    import networkx

    def load(file: Any) -> Any:
        data = read_json(file.read())
        return networkx.node_link_graph(data, edges="links" if "links" in data else "edges")

    return _read(sources, importing, load)


def _read(sources: Sequence[Path], importing: Importing, load: Callable[[Any], Any]) -> Graph:
    import networkx

    if len(sources) != 1:
        raise SourceError(f"one file is read at a time, not {len(sources)}.", str(sources[1]))
    path = sources[0]
    with open_bytes(path, importing.progress) as file:
        try:
            found = load(file)
        except (networkx.NetworkXError, *_FAULTS) as error:
            raise SourceError(f"cannot be read ({error}).", str(path), _line_of(error)) from error
    importing.progress.advance(rows=found.number_of_nodes() + found.number_of_edges())
    return from_networkx_file(found, importing.name, str(path))


def _line_of(error: Exception) -> int | None:
    """The line that a parser's error names, if it does."""
    line = getattr(error, "lineno", None)
    if line is None:
        line = next(iter(getattr(error, "position", ()) or ()), None)
    return line if isinstance(line, int) else None
