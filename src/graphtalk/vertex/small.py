"""Small graphs of numbered nodes, as examples have them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build


def small_graph(
    nodes: int,
    edges: Sequence[Sequence[float]],
    directed: bool,
    node_weights: Sequence[float] = (),
    feature: str = "weight",
) -> Graph:
    """A graph of nodes 0 to `nodes` - 1. Edges are (from, to) or (from, to, number); the number is `feature`."""
    ends = np.array([edge[:2] for edge in edges], dtype=np.int64).reshape(-1, 2)
    weighted = bool(edges) and all(len(edge) > 2 for edge in edges)
    features = (
        pa.table({feature: pa.array([float(edge[2]) for edge in edges], pa.float64())}) if weighted else None
    )
    columns: dict[str, list[object]] = {"id": [str(node) for node in range(nodes)]}
    if node_weights:
        columns["weight"] = [float(weight) for weight in node_weights]
    inverse = "" if directed else "edge"
    table = EdgeTable("edge", "node", "node", ends[:, 0], ends[:, 1], features, inverse)
    return build([NodeTable("node", pa.table(columns))], [table], "numbers")
