"""Folders that `graphtalk export` wrote as CSV or Parquet: tables of nodes and edges, and the schema beside them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.formats.rows import sniff_dialect
from graphtalk.graphs.formats.tables import inside_of, read_tables
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing
from graphtalk.graphs.note import NOTE_FILE, noted
from graphtalk.graphs.recipe import EdgeSpec, NodeSpec, Recipe

_ENDINGS = (".csv", ".parquet")


def sniff(path: Path) -> bool:
    """Whether a folder has a schema beside tables of nodes, as export writes them."""
    return path.is_dir() and bool(_files(path, "nodes")) and noted([path / NOTE_FILE]) is not None


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One such folder. Its cells are read as they stand: the schema says what they are."""
    if len(sources) != 1 or not sources[0].is_dir():
        raise SourceError("give the one folder that was exported.", str(sources[0]))
    folder = sources[0]
    nodes = tuple(
        NodeSpec((str(path),), type="type", kinds=_texts(path, ("id", "type")))
        for path in _files(folder, "nodes")
    )
    ends = ("source", "relation", "target")
    edges = tuple(
        EdgeSpec((str(path),), relation="relation", kinds=_texts(path, ends))
        for path in _files(folder, "edges")
    )
    return read_tables(
        Recipe(nodes=nodes, edges=edges), lambda spec: [Path(f) for f in spec.files], importing
    )


def _files(folder: Path, what: str) -> list[Path]:
    """`nodes.csv`, `nodes.1.csv`, …: files of one kind, not those that another tool's headers mark."""
    found = [
        inside_of(folder, path)
        for path in sorted(folder.iterdir())
        if path.name.split(".")[0] == what and path.suffix in _ENDINGS
    ]
    return [path for path in found if {"source", "id"} & set(_columns(path))]


def _columns(path: Path) -> Mapping[str, bool]:
    """The columns of a table, and whether each is text."""
    if path.suffix == ".csv":
        return dict.fromkeys(sniff_dialect(path).columns, True)

    return {field.name: pa.types.is_string(field.type) for field in pa.parquet.read_schema(path)}


def _texts(path: Path, without: Sequence[str]) -> dict[str, str]:
    return {name: "text" for name, text in _columns(path).items() if text and name not in without}
