"""Calls of the core tools as queries: the same value by operations on rows, for engines that know nothing of tools.

    Count[NeighbourCheck["Zinc", "Compound-causes-Side Effect"]]
    MATCH (node {name: "Zinc"})-[:`Compound-causes-Side Effect`]->(side_effect:`Side Effect`) RETURN count(side_effect)

A bag of nodes becomes rows with a variable for its node, so that repeats stay repeats; the order of a bag is lost but
where the tool ranks. A tool that raises an error for want of numbers becomes a query that gives null. Texts are compared
in lower case, as engines can; the tools also fold `ß` to `ss`.
"""

from graphtalk.calls import cypher
from graphtalk.calls.ast import Call, Text
from graphtalk.calls.cypher.printer import show_query
from graphtalk.calls.query import Entry, NodePattern, Query
from graphtalk.engines.lower.rows import NoQueryError
from graphtalk.engines.lower.tools import Find, Lowering
from graphtalk.graphs.schema import Schema

__all__ = ["Find", "by_name", "in_cypher", "lower"]


def by_name(name: str, node_type: str | None) -> NodePattern:
    """The nodes of this name: for graphs where a name means one node."""
    return NodePattern("", (node_type,) if node_type else (), (Entry("name", Text(name)),))


def lower(call: Call, schema: Schema, find: Find = by_name) -> Query | None:
    """The query that gives the value of `call`; None where it is not made of operations on rows, or nests too deep.

    Nodes and lists come as rows of one column, a single value as one row.
    """
    try:
        query = Lowering(schema, find).whole(call)
    except (NoQueryError, RecursionError):
        return None
    return query if cypher.depth(query) <= cypher.DEEPEST else None


def in_cypher(call: Call, schema: Schema, find: Find = by_name) -> str:
    """`call` as Cypher: in its own operations where it is made of such, else as a function, `RETURN gt.Name(…)`."""
    query = lower(call, schema, find)
    return cypher.show(call) if query is None else show_query(query)
