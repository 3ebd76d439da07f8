"""The graph, its schema and its store."""

from graphtalk.graphs.adjacency import Adjacency
from graphtalk.graphs.build import EdgeTable, NodeTable, build
from graphtalk.graphs.graph import Graph, Neighbours
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema, View

__all__ = [
    "Adjacency",
    "EdgeTable",
    "Feature",
    "Graph",
    "Neighbours",
    "NodeTable",
    "NodeType",
    "Relation",
    "Schema",
    "View",
    "build",
]
