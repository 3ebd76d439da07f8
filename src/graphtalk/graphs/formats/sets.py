"""From arrays to a graph set: what every format of many small graphs ends in."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.graph_set import GraphSet


def graph_set(
    sizes: NDArray[np.int64],
    ends: NDArray[np.int64],
    nodes: pa.Table,
    edges: pa.Table,
    graphs: pa.Table,
    undirected: bool,
    name: str,
) -> GraphSet:
    """A set of graphs with nodes of type `node` and the relation `edge`.

    `sizes` are the graphs' numbers of nodes, `ends` index the nodes of all graphs end to end, shape
    (2, edges). The tables are features of nodes, edges and graphs; they may have no column. Graphs and nodes
    are called by their positions from 0.
    """
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])
    local = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    ids = pa.array(local).cast(pa.string())
    node_table = pa.table([ids, *nodes.columns], names=["id", *nodes.column_names])
    features = edges if edges.num_columns else None
    inverse = "edge" if undirected else ""
    relation = EdgeTable("edge", "node", "node", ends[0], ends[1], features, inverse)
    union = build([NodeTable("node", node_table)], [relation], name)
    names = pa.array(np.arange(len(sizes))).cast(pa.string())
    table = pa.table([names, *graphs.columns], names=["name", *graphs.column_names])
    return GraphSet(union, table, offsets[:, None])
