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
    yield from _of_features(graph)
    start = _start(graph)
    if start is None:
        return
    t, view = start
    name, other, hop = _name(graph, t), _name(graph, t, 1), view.name
    bag = f'NeighbourCheck[{name}, "{hop}"]'
    yield f"{view.target} that {name} is linked to by {hop}", bag
    yield "how many", f'NodeDegree[{name}, "{hop}"]'
    yield f"those of {name} that {other} has too", f'Intersect[{bag}, NeighbourCheck[{other}, "{hop}"]]'
    onward = [v for named in graph.schema.views_from(view.target).values() for v in named]
    if onward:
        far = f'MostFrequent[NeighbourCheck[{bag}, "{onward[-1].name}"]]'
        yield f"the {onward[-1].target} that most of those are linked to", far
    relation = graph.schema.relations[view.relation].name
    edge, ends = f"-[r:{_ticked(relation)}]-", f"(a:{_ticked(t.name)}){{}}(b:{_ticked(view.target)})"
    each = f"MATCH {ends.format(edge)} RETURN b.name, count(a) AS n ORDER BY n DESC LIMIT 3"
    yield f"the 3 {view.target} with most {t.name}, and how many each has", each
    yield from _of_edges(graph)
    way = f"shortestPath((a {{name: {name}}})-[:{_ticked(relation)}*..8]-(b {{name: {other}}}))"
    yield (
        f"a way from {name} to {other} over {relation} alone",
        f"MATCH p = {way} UNWIND nodes(p) AS n RETURN n.name",
    )


def _of_features(graph: Graph) -> Iterator[tuple[str, str]]:
    """A feature of a node, the largest of a number, and a comparison of a date, where a graph has them."""
    kept: dict[str, tuple[NodeType, str]] = {}
    for t in [t for t in graph.schema.node_types if t.count]:
        for f in t.features:
            if f.name != t.label:
                kept.setdefault(f.kind, (t, f.name))
    if kept:
        t, feature = next(iter(kept.values()))
        yield f"the {feature} of {_name(graph, t)}", f'NodeFeature[{_name(graph, t)}, "{feature}"]'
    if "number" in kept:
        t, feature = kept["number"]
        yield f"the 3 {t.name} with the largest {feature}", f'Top[Nodes["{t.name}"], "{feature}", 3]'
    if dated := kept.get("date") or kept.get("datetime"):
        t, feature = dated
        yield f"{t.name} with {feature} since 2001", f'Filter[Nodes["{t.name}"], "{feature}", ">=", "2001"]'


def _of_edges(graph: Graph) -> Iterator[tuple[str, str]]:
    """A feature of the edges at a node, where a graph has edges with features."""
    for r in graph.schema.relations:
        if r.features and r.count:
            feature = r.features[0].name
            start, edge = (
                f"(a:{_ticked(r.source)} {{name: {_name(graph, graph.schema.node_type(r.source))}}})",
                _ticked(r.name),
            )
            yield (
                f"what a {r.source} is linked to by {r.name}, each with the {feature} of the edge",
                f"MATCH {start}-[r:{edge}]->(b) RETURN b.name, r.{_ticked(feature)}",
            )
            return


def _ticked(name: str) -> str:
    """A name as Cypher has it, in backquotes where it needs them."""
    return name if name.isidentifier() else "`" + name.replace("`", "``") + "`"


def _start(graph: Graph) -> tuple[NodeType, View] | None:
    """A node type with a relation to begin from: to another type, of which nodes have several neighbours; else the first."""
    found: list[tuple[bool, bool, int, NodeType, View]] = []
    for t in [t for t in graph.schema.node_types if t.count]:
        for view in [v for named in graph.schema.views_from(t.name).values() for v in named]:
            several = graph.schema.relations[view.relation].count >= 2 * t.count
            found.append((view.target == t.name, not several, len(found), t, view))
    return min(found)[3:] if found else None


def _name(graph: Graph, t: NodeType, at: int = 0) -> str:
    label = one_line(graph.label(t.first + min(at, t.count - 1)), MOST_LETTERS)
    return quote(label)
