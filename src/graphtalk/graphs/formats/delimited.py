"""Delimited files: triples (head, relation, tail) and edge lists (source, target, optional weight) without a header, or tables.

Where any file names its columns, what the columns hold says how all are read (`formats/tabular.py`).
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from graphtalk.graphs.formats import tabular
from graphtalk.graphs.formats.files import plain_name
from graphtalk.graphs.formats.layout import bare_spec, edge_list, names_columns, triples
from graphtalk.graphs.formats.tables import PARQUET, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.recipe import EdgeSpec, Recipe

SUFFIXES = (".tsv", ".tab", ".csv", ".txt", ".sif", ".edges", ".edgelist", ".dat", *PARQUET)


def sniff(path: Path) -> bool:
    """Whether a file could be a delimited one."""
    return plain_name(path).endswith(SUFFIXES)


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """Triples or edge lists where no file names its columns; else tables, whose columns say what they hold."""
    if not any(names_columns(path) for path in sources):
        return _read(sources, importing, bare_spec)
    return tabular.read(sources, importing)


def read_triples(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files of triples without a header: head, relation, tail."""
    return _read(sources, importing, triples)


def read_edge_list(sources: Sequence[Path], importing: Importing) -> Graph:
    """Files without a header: source, target and, if there is a third column, weight."""
    return _read(sources, importing, edge_list)


def _read(sources: Sequence[Path], importing: Importing, spec_of: Callable[[Path], EdgeSpec]) -> Graph:
    recipe = Recipe(edges=tuple(spec_of(path) for path in sources))
    return read_tables(recipe, lambda spec: [Path(file) for file in spec.files], importing)
