"""From the result of a call to a gold answer, written as GRBench writes its own."""

from graphtalk.benchmarks.task import Gold
from graphtalk.core import JSON
from graphtalk.graphs import Graph
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, to_json


def gold_of(result: Result) -> Gold | None:
    """The gold answer that a call gave; None where it gave nothing, or a node without a name.

    Names are joined by ", " and each stands once; numbers are rounded to two digits after the point, as the
    published ones are.
    """
    value = result.value
    if isinstance(value, Bag) and not all(node_name(result.graph, node) for node in value.nodes.tolist()):
        return None
    plain = to_json(value, result.graph)
    if isinstance(plain, list):
        names = tuple(dict.fromkeys(_text(item) for item in plain))
        return Gold(", ".join(names), names) if names and all(names) else None
    text = _text(plain)
    return Gold(text) if text else None


def node_name(graph: Graph, node: int) -> str:
    """What people call a node; empty where it has a label that is blank, so that only its id is left."""
    label = graph.node_type(node).label
    return str(graph.feature(node, label) or "").strip() if label else graph.id(node)


def _text(value: JSON) -> str:
    """A value as text; empty for what is none, or infinite."""
    if isinstance(value, bool | int):
        return str(value)
    if isinstance(value, float):
        rounded = round(value, 2)
        return str(int(rounded) if rounded.is_integer() else rounded)
    return value.strip() if isinstance(value, str) and value != "infinite" else ""
