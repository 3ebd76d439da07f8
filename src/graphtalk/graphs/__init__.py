"""The graph, its schema and its store."""

from graphtalk.graphs.adjacency import Adjacency
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.describe import describe
from graphtalk.graphs.graph import Graph, Neighbours
from graphtalk.graphs.graph_set import GraphSet, Loaded
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema, View
from graphtalk.graphs.store import damage, open_graph, write

__all__ = [
    "Adjacency",
    "EdgeTable",
    "Feature",
    "Graph",
    "GraphSet",
    "Loaded",
    "Neighbours",
    "NodeTable",
    "NodeType",
    "Relation",
    "Schema",
    "View",
    "build",
    "damage",
    "describe",
    "open_graph",
    "write",
]
