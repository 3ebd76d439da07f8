"""Queries among the calls: bound to the schema before anything runs, run over arrays, with what they rest on."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from graphtalk.calls.ast import Call, Text
from graphtalk.core import JSON, CheckError
from graphtalk.engines.arrays.result import ResultSet
from graphtalk.engines.arrays.rows import MISSING, Column, Nodes, NodeValue, Scalar
from graphtalk.graphs import Graph, GraphSet
from graphtalk.tools.limits import Budget
from graphtalk.tools.types import ANY, BOOLEAN, NUMBER, TEXT, Type
from graphtalk.tools.values import Bag, Item, Table, Value

if TYPE_CHECKING:
    from graphtalk.engines.binding import Bound

QUERY = "Query"
"""The function that a query is a call of: `Query[parts=…]`, or Cypher."""

_HERE = frozenset({"RetrieveNode", "Nodes", "Top", "Bottom", "MostFrequent", "Frequent", "Contains"})
"""Tools that need no engine, or choose among what one gave: then their evidence is what they chose."""

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
    bound: "Bound", graph: Graph, budget: Budget, given: Mapping[Call, Value], parameters: Mapping[str, JSON]
) -> tuple[ResultSet, tuple[str, ...]]:
    """What a bound query gives, and what is to be said beside it. `given` is what the other calls in it gave."""
    from graphtalk.engines.arrays.frame import Frame
    from graphtalk.engines.arrays.run import run  # slow to import, and only queries need it

    frame = Frame(
        graph, budget, lambda call: _scalar(given[call]), parameters, list(bound.remarks), plans=bound.plans
    )
    if is_elsewhere(graph):
        from graphtalk.engines.elsewhere.run import run as run_elsewhere

        return run_elsewhere(bound.query, frame), tuple(frame.remarks)
    return run(bound.query, frame), tuple(frame.remarks)


def is_elsewhere(graph: Graph | GraphSet) -> bool:
    """Whether a graph lives in an engine elsewhere; imports nothing where it does not."""
    return isinstance(graph, Graph) and type(graph) is not Graph


def begin_here(graph: Graph | GraphSet) -> None:
    """Take note from now on of what is looked at of a graph elsewhere."""
    if is_elsewhere(graph):
        vars(graph)["touched"].clear()


def ran_here(tool: str, graph: Graph | GraphSet) -> tuple[str, ...]:
    """What is to be said of a tool that ran here over edges of a graph elsewhere (see `begin_here`)."""
    if not is_elsewhere(graph):
        return ()
    from graphtalk.engines.elsewhere.graph import Elsewhere
    from graphtalk.engines.elsewhere.run import over

    assert isinstance(graph, Elsewhere)
    return (f"{tool} was worked out here{over(graph)}.",) if graph.touched else ()


def lowered(call: Call, graph: Graph, find: Callable[[str, Sequence[str]], int]) -> Call | None:
    """A call as a query, for a graph elsewhere: its engine does what it can. None where it has none.

    `find` gives the node of a name. Nodes alone need no engine: their names are here.
    """
    from graphtalk.calls.query import Entry, NodePattern, query_call
    from graphtalk.engines.lower import lower
    from graphtalk.engines.lower.rows import NoQueryError
    from graphtalk.engines.naming import node_column

    def pattern(name: str, node_type: str | None) -> NodePattern:
        node = find(name, (node_type,) if node_type else ())
        t = graph.node_type(node)
        if node_column(t, "id") != "id":
            raise NoQueryError
        return NodePattern("", (t.name,), (Entry("id", Text(graph.id(node))),))

    if call.function in _HERE or call.graph is not None:
        return None
    query = lower(call, graph.schema, pattern)
    return None if query is None else query_call(query)


def as_value(found: ResultSet, wanted: Type) -> Value:
    """What a lowered call gives: its rows as the tool gives them; None where it has to say why there is nothing."""
    value = as_argument(found)
    if wanted.kind in ("nodes", "list"):
        return value
    return value[0] if isinstance(value, list) and value else None


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
