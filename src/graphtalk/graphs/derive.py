"""Features that a recipe makes from others: a word from the id `dog.n.01`."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa

from graphtalk.core import UsageError, choices
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.recipe import DerivedSpec
from graphtalk.graphs.schema import Feature, Schema


def derive(graph: Graph, specs: Sequence[DerivedSpec]) -> Graph:
    """The graph with the derived features. Raises UsageError for a node type or feature that it lacks."""
    for spec in specs:
        graph = _derived(graph, spec)
    return graph


def _derived(graph: Graph, spec: DerivedSpec) -> Graph:
    if spec.node_type not in graph.columns:
        raise UsageError(
            f"derived: no node type {spec.node_type!r}. {choices(spec.node_type, graph.columns)}"
        )
    table = graph.columns[spec.node_type]
    if spec.source not in table.column_names or spec.feature in table.column_names:
        valid = choices(spec.source, table.column_names)
        raise UsageError(f"derived: {spec.feature!r} cannot be made from {spec.source!r}. {valid}")
    pattern = re.compile(spec.pattern)
    blanks = str.maketrans(dict.fromkeys(spec.blanks, " "))
    found = (
        pattern.search(str(text)) if text is not None else None
        for text in table.column(spec.source).to_pylist()
    )
    values = [m[1].translate(blanks) if m else None for m in found]
    columns = dict(graph.columns) | {
        spec.node_type: table.append_column(spec.feature, pa.array(values, pa.string()))
    }
    types = tuple(
        replace(t, features=(*t.features, Feature(spec.feature, "text"))) if t.name == spec.node_type else t
        for t in graph.schema.node_types
    )
    return replace(graph, schema=Schema(types, graph.schema.relations), columns=columns)
