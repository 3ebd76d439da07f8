"""Queries among the calls: bound to the schema before anything runs, run over arrays, with what they rest on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphtalk.calls.ast import Call
from graphtalk.core import JSON, CheckError
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import MISSING, Column, Nodes, NodeValue, Scalar
from graphtalk.graphs import Graph
from graphtalk.tools.limits import Budget
from graphtalk.tools.types import ANY, BOOLEAN, NUMBER, TEXT, Type
from graphtalk.tools.values import Bag, Item, Table, Value

if TYPE_CHECKING:
    from graphtalk.engines.binding import Bound

QUERY = "Query"
"""The function that a query is a call of: `Query[parts=…]`, or Cypher."""

_KINDS: Mapping[str, Type] = {"number": NUMBER, "text": TEXT, "boolean": BOOLEAN}


def type_of(bound: "Bound") -> Type:
    """The type of what a query gives: of one column that of a bag or a list, of several rows."""
    if len(bound.columns) != 1:
        return Type("rows")
    kind = bound.columns[0][1]
    if kind.name == "node":
        return Type("nodes", kind.of)
    return Type("list", item=_KINDS.get(kind.name, ANY).kind)


def run_query(
    bound: "Bound", graph: Graph, budget: Budget, given: Mapping[Call, Value]
) -> tuple[ResultSet, tuple[str, ...]]:
    """What a bound query gives, and what is to be said beside it. `given` is what the other calls in it gave."""
    from graphtalk.engines.arrays.frame import Frame
    from graphtalk.engines.arrays.run import run  # slow to import, and only queries need it

    frame = Frame(graph, budget, lambda call: _scalar(given[call]), remarks=list(bound.remarks))
    return run(bound.query, frame), tuple(frame.remarks)


def _scalar(value: Value) -> Scalar:
    """What a call gave, as a value of a row: nodes and the nodes of a table as a list."""
    if isinstance(value, Bag | Table):
        return [NodeValue(node) for node in value.nodes.tolist()]
    if isinstance(value, list):
        return [_scalar(item) for item in value]
    return value


def as_argument(found: ResultSet) -> Value:
    """What another call takes a query for: its one column, as a bag of nodes or a list of values."""
    if len(found.columns) != 1:
        raise CheckError(f"Only a query with one column can stand in a call; this has {len(found.columns)}.")
    column: Column = found.columns[0]
    if isinstance(column, Nodes):
        return Bag(column.nodes[column.nodes != MISSING])
    return [_item(row[0]) for row in found.records()]


def _item(value: JSON) -> Item:
    if isinstance(value, dict):
        raise CheckError("Edges and maps cannot stand in a call: let the query give one of their features.")
    return [_item(each) for each in value] if isinstance(value, list) else value
