"""The single graphs of Graph-ToolFormer (Zhang 2023, appendix A.2): a pickled dictionary.

    {"data_profile": {"name": …, "order": …, "size": …, "is_directed": …},
     "nodes": {id: {"features": …, "label": …}}, "links": {(id, id): {"features": …, "label": …}}}

Read without running code (`pickles.py`). Labels are kept; of features only those that are numbers of one length.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.formats.pickles import load_pickle
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing


def read_graph(path: Path, node_type: str, relation: str, inverse: str, importing: Importing) -> Graph:
    """The graph in a file, its nodes and links named as given; where the file says so, links go both ways."""
    nodes, links, directed = _parts(path, importing)
    names = [str(node) for node in nodes]
    rows = {node: row for row, node in enumerate(nodes)}
    try:
        pairs = [(rows[a], rows[b]) for a, b in links]
    except (KeyError, TypeError, ValueError) as error:
        raise SourceError(f"a link is no pair of nodes ({error}).", str(path)) from None
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    importing.progress.advance(rows=len(names) + len(pairs))
    table = pa.table({"id": pa.array(names, pa.string()), **_columns(nodes.values())})
    features = _columns(links.values())
    way_back = inverse if directed else relation
    edges = EdgeTable(
        relation, node_type, node_type, ends[0], ends[1], pa.table(features) if features else None, way_back
    )
    return build([NodeTable(node_type, table)], [edges], importing.name)


def _parts(path: Path, importing: Importing) -> tuple[Mapping[Any, Any], Mapping[Any, Any], bool]:
    found = load_pickle(path, importing)
    if not isinstance(found, Mapping):
        raise SourceError("holds no dictionary of nodes and links.", str(path))
    profile = found.get("data_profile", {})
    for key in ("nodes", "links"):
        if not isinstance(found.get(key), Mapping):
            raise SourceError(f"has no dictionary {key!r}.", str(path))
    directed = isinstance(profile, Mapping) and bool(profile.get("is_directed", False))
    return found["nodes"], found["links"], directed


def _columns(records: Iterable[Any]) -> dict[str, pa.Array]:
    """The labels and features of nodes or links, as far as all have them."""
    dictionaries = [record if isinstance(record, Mapping) else {} for record in records]
    columns: dict[str, pa.Array] = {}
    labels = [record.get("label") for record in dictionaries]
    if any(label is not None for label in labels):
        columns["label"] = pa.array([None if label is None else str(label) for label in labels], pa.string())
    vectors = [record.get("features") for record in dictionaries]
    if vectors and all(isinstance(vector, list | np.ndarray) for vector in vectors):
        matrix = _matrix(vectors)
        if matrix is not None:
            columns["features"] = pa.FixedSizeListArray.from_arrays(pa.array(matrix.ravel()), matrix.shape[1])
    return columns


def _matrix(vectors: list[Any]) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]] | None":
    try:
        matrix = np.array(vectors, dtype=np.float32)
    except (TypeError, ValueError):
        return None
    return matrix if matrix.ndim == 2 and matrix.shape[1] else None
