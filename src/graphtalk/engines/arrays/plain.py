"""Values of rows as JSON has them."""

from datetime import date, time

import numpy as np

from graphtalk.core import JSON
from graphtalk.engines.arrays import functions
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue, PathValue, Scalar
from graphtalk.engines.arrays.scalars import to_text
from graphtalk.engines.arrays.temporal import Duration
from graphtalk.graphs import Graph


def plain_value(value: Scalar, graph: Graph) -> JSON:
    """A value as JSON has it.

    A node is its label; an edge `{"source", "relation", "target", "features"}`, without features where it has none; a
    path the labels of its nodes; a date, time or duration ISO 8601; a number that JSON lacks its name.
    """
    if isinstance(value, NodeValue):
        return graph.label(value.node)
    if isinstance(value, EdgeValue):
        relation, place = functions.relation_of(graph, value.edge)
        source, target = functions.ends(graph, value.edge)
        edge: dict[str, JSON] = {
            "source": graph.label(source),
            "relation": graph.schema.relations[relation].name,
            "target": graph.label(target),
        }
        features = {k: plain_value(v, graph) for k, v in graph.edge_features(relation, place).items()}
        return {**edge, "features": features} if features else edge
    if isinstance(value, PathValue):
        return list(graph.labels(value.nodes))
    if isinstance(value, list):
        return [plain_value(v, graph) for v in value]
    if isinstance(value, dict):
        return {k: plain_value(v, graph) for k, v in value.items()}
    if isinstance(value, date | time | Duration) or (isinstance(value, float) and not np.isfinite(value)):
        return to_text(value)
    return value  # type: ignore[return-value]  # what is left is a truth, a number, a text, or nothing
