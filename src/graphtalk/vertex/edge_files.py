"""A graph's edges and nodes as Parquet, written a piece at a time, for engines that read files."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from graphtalk.vertex.arcs import edge_values, node_column
from graphtalk.vertex.binding import Bound

PIECE = 1 << 20  # edges


def write_edges(bound: Bound, path: Path) -> None:
    """Every edge once: src, dst, undirected, and `a_NAME` for each attribute."""
    names = [attribute.name for attribute in bound.program.edges.attributes]
    schema = pa.schema(
        [("src", pa.int64()), ("dst", pa.int64()), ("undirected", pa.bool_())]
        + [(f"a_{name}", pa.float64()) for name in names]
    )
    with pq.ParquetWriter(path, schema) as writer:
        for piece in _pieces(bound):
            writer.write_table(piece.cast(schema))


def _pieces(bound: Bound) -> Iterator[pa.Table]:
    graph, offset = bound.graph, 0
    attributes = bound.program.edges.attributes
    columns = {f"a_{a.name}": edge_values(graph, a, bound.features[a.name]) for a in attributes}
    for position, relation in enumerate(graph.schema.relations):
        for first in range(0, relation.count, PIECE):
            rows = np.arange(first, min(first + PIECE, relation.count))
            source, target = graph.edge_ends(position, rows)
            undirected = np.full(len(rows), relation.undirected)
            values = {name: column[rows + offset] for name, column in columns.items()}
            yield pa.table({"src": source, "dst": target, "undirected": undirected, **values})
        offset += relation.count


def write_nodes(bound: Bound, path: Path) -> None:
    """Every node: its index as `id` and `c_id`, and `c_NAME` for each attribute."""
    columns = {"id": np.arange(bound.n), "c_id": np.arange(bound.n, dtype=np.float64)}
    for a in bound.program.node_attributes:
        feature = bound.features[a.name]
        columns[f"c_{a.name}"] = node_column(bound.graph, a.name, feature, a.default, feature != a.feature)
    pq.write_table(pa.table(columns), path)
