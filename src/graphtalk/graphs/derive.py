"""Features that a recipe makes from others: a word from the id `dog.n.01`.

Patterns are run by RE2 (in Arrow), whose time is linear in the text whatever a recipe says.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from graphtalk.core import UsageError, choices
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.recipe import DerivedSpec
from graphtalk.graphs.schema import Feature, Schema

# What begins a group, beside what only looks so: escaped letters and sets of letters.
_GROUP = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w+>|\((?!\?)", re.DOTALL)


def derive(graph: Graph, specs: Sequence[DerivedSpec]) -> Graph:
    """The graph with the derived features. Raises UsageError for a node type or feature that it lacks."""
    for spec in specs:
        graph = _derived(graph, spec)
    return graph


def _named(part: "re.Match[str]") -> str:
    return "(?P<value>" if part[0].startswith("(") else part[0]


def _derived(graph: Graph, spec: DerivedSpec) -> Graph:
    if spec.node_type not in graph.columns:
        raise UsageError(
            f"derived: no node type {spec.node_type!r}. {choices(spec.node_type, graph.columns)}"
        )
    table = graph.columns[spec.node_type]
    if spec.source not in table.column_names or spec.feature in table.column_names:
        valid = choices(spec.source, table.column_names)
        raise UsageError(f"derived: {spec.feature!r} cannot be made from {spec.source!r}. {valid}")
    try:
        texts = pc.cast(table.column(spec.source), pa.string())
        values = pc.struct_field(pc.extract_regex(texts, pattern=_GROUP.sub(_named, spec.pattern)), "value")
    except pa.ArrowInvalid as error:
        raise UsageError(f"derived: the pattern {spec.pattern!r} cannot be used ({error}).") from error
    for blank in spec.blanks:
        values = pc.replace_substring(values, blank, " ")
    columns = dict(graph.columns) | {spec.node_type: table.append_column(spec.feature, values)}
    types = tuple(
        replace(t, features=(*t.features, Feature(spec.feature, "text"))) if t.name == spec.node_type else t
        for t in graph.schema.node_types
    )
    return replace(graph, schema=Schema(types, graph.schema.relations), columns=columns)
