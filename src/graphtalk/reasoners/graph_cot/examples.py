"""Expressions of the graph at hand, for the prompt that asks for one: what they look like, on real names."""

from collections.abc import Iterator

from graphtalk.calls.lexer import quote
from graphtalk.graphs import Graph
from graphtalk.graphs.schema import NodeType, View
from graphtalk.reasoners.untrusted import one_line

MOST_LETTERS = 80


def examples(graph: Graph) -> str:
    """A few expressions, a line each, with what they give. Looks at one node of a type and no edges.

    Of a graph without relations or features there are fewer.
    """
    return "\n".join(f"- {words}: {spelling}" for words, spelling in _lines(graph))


def _lines(graph: Graph) -> Iterator[tuple[str, str]]:
    schema = graph.schema
    for t in [t for t in schema.node_types if t.count]:
        features = [f.name for f in t.features if f.name != t.label]
        if features:
            yield f"the {features[0]} of one {t.name}", f'NodeFeature[{_name(graph, t)}, "{features[0]}"]'
            break
    start = _start(graph)
    if start is None:
        return
    t, view = start
    name, hop = _name(graph, t), view.name
    bag = f'NeighbourCheck[{name}, "{hop}"]'
    yield f"the {view.target} nodes that a {t.name} is linked to by {hop}", bag
    yield "how many there are", f'NodeDegree[{name}, "{hop}"]'
    other = _name(graph, t, 1)
    yield "those of two nodes alike", f'Intersect[{bag}, NeighbourCheck[{other}, "{hop}"]]'
    onward = [v for named in schema.views_from(view.target).values() for v in named]
    if onward:
        far = onward[-1]
        yield (
            f"the {far.target} that is reached most often in two steps",
            f'MostFrequent[NeighbourCheck[{bag}, "{far.name}"]]',
        )


def _start(graph: Graph) -> tuple[NodeType, View] | None:
    """The first node type with a relation that leads to another type, else with any."""
    found = None
    for t in [t for t in graph.schema.node_types if t.count]:
        for view in [v for named in graph.schema.views_from(t.name).values() for v in named]:
            if view.target != t.name:
                return t, view
            found = found or (t, view)
    return found


def _name(graph: Graph, t: NodeType, at: int = 0) -> str:
    label = one_line(graph.label(t.first + min(at, t.count - 1)), MOST_LETTERS)
    return quote(label)
