"""A question's textual graph as a graph like any other, so that every reasoner can be asked about it."""

import numpy as np
import pyarrow as pa

from graphtalk.graphs import Graph
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.training.text_graphs import TextGraph

NODE, NAME = "node", "name"


def stored(graph: TextGraph, name: str) -> Graph:
    """The graph with one node type and a relation for each different edge text. Ids are the numbers of the nodes."""
    numbers = range(len(graph.nodes)) if graph.numbers is None else graph.numbers.tolist()
    table = pa.table({"id": [str(n) for n in numbers], NAME: pa.array(graph.nodes, pa.string())})
    texts = np.array(graph.edges, dtype=object)
    source, target = graph.ends
    edges = [
        EdgeTable(text, NODE, NODE, source[texts == text], target[texts == text])
        for text in dict.fromkeys(graph.edges)
    ]
    return build([NodeTable(NODE, table, label=NAME)], edges, name)
