"""Widgets for notebooks: an answer or a graph, drawn so that it can be moved, pressed and sorted. Needs anywidget."""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from graphtalk.app.notebook import GraphAnswer, highlighted_names
from graphtalk.core import JSON, UsageError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.extras import library
from graphtalk.graphs.sample import degrees, sample

MOST_DRAWN = 300  # nodes
MOST_NEIGHBOURS = 25  # that are drawn when a node is pressed


def widget(shown: GraphAnswer | Graph | GraphSet, most: int = MOST_DRAWN) -> Any:
    """An answer as a table and a drawing of its evidence, or a graph as a drawing of up to `most` nodes.

    A node that is pressed is joined by its neighbours, MOST_NEIGHBOURS of them at most. Raises UsageError without
    anywidget, and for an answer whose graph is not known.
    """
    graph = shown.graph if isinstance(shown, GraphAnswer) else shown
    union = graph.union if isinstance(graph, GraphSet) else graph
    if union is None:
        raise UsageError("This answer does not know its graph. Ask with gt.ask, and show what that gives.")
    made = _kind()(undirected=[r.name for r in union.schema.relations if r.undirected])
    weights = degrees(union)
    if isinstance(shown, GraphAnswer):
        made.columns, made.rows = _table(shown.value)
        ends = [end for source, _, target in shown.evidence.edges for end in (source, target)]
        found = [union.find(id) for id in dict.fromkeys([*ends, *shown.evidence.nodes])]
        nodes = [node for node in found if node is not None][:most]
        names = highlighted_names(shown.value)
        made.marked = [union.id(node) for node in nodes if union.label(node) in names]
        made.edges = [list(edge) for edge in shown.evidence.edges]
    else:
        some = sample(union, most)
        nodes = some.nodes.tolist()
        made.edges = _edges(union, some.edges)
    made.nodes = [_node(union, node, weights) for node in nodes]
    made.observe(lambda change: _join(made, union, weights, change["new"]), "pressed")
    return made


def _join(made: Any, graph: Graph, weights: "np.ndarray[Any, Any]", pressed: str) -> None:
    """Draw the neighbours of the node that was pressed."""
    node = graph.find(pressed)
    if node is None:
        return
    known = {shown["id"] for shown in made.nodes}
    found = list(dict.fromkeys(graph.neighbours(node).tolist()))[:MOST_NEIGHBOURS]
    inside = np.zeros(graph.num_nodes, bool)
    inside[[node, *found]] = True
    edges = []
    for position in range(len(graph.schema.relations)):
        source, target = graph.ends(position)
        rows = np.flatnonzero(inside[source] & inside[target] & ((source == node) | (target == node)))
        edges += _edges(graph, graph.edge(position, rows))
    made.edges = [*made.edges, *edges]
    made.nodes = [*made.nodes, *(_node(graph, n, weights) for n in found if graph.id(n) not in known)]


def _node(graph: Graph, node: int, weights: "np.ndarray[Any, Any]") -> dict[str, JSON]:
    kind = graph.node_type(node).name
    return {"id": graph.id(node), "label": graph.label(node), "type": kind, "degree": int(weights[node])}


def _edges(graph: Graph, edges: "np.ndarray[Any, Any]") -> list[list[str]]:
    sources, targets = (graph.ids(end) for end in graph.ends_of(edges))
    names = [graph.schema.relations[r].name for r in graph.relation_positions(edges).tolist()]
    return [list(edge) for edge in zip(sources, names, targets, strict=True)]


def _table(value: JSON) -> tuple[list[str], list[list[JSON]]]:
    """The columns and rows of a value: of a list of rows theirs, of any other list one; none of what is no list."""
    if not isinstance(value, list):
        return [], []
    if all(isinstance(row, dict) for row in value):
        columns = list(dict.fromkeys(name for row in value if isinstance(row, dict) for name in row))
        return columns, [[row.get(name) for name in columns] for row in value if isinstance(row, dict)]
    return ["answer"], [[each] for each in value]


@cache
def _kind() -> Any:
    """The class of the widgets: made when one is first shown, for anywidget is an extra."""
    anywidget, traitlets = library("anywidget", "widget"), library("traitlets", "widget")
    folder = files("graphtalk.app") / "web" / "widget"
    synced = {
        name: traitlets.List([]).tag(sync=True)
        for name in ("nodes", "edges", "marked", "columns", "rows", "undirected")
    }
    fields = {
        "_esm": (folder / "widget.js").read_text("utf-8"),
        "_css": (folder / "widget.css").read_text("utf-8"),
    }
    return type(
        "GraphtalkWidget",
        (anywidget.AnyWidget,),
        {**fields, **synced, "pressed": traitlets.Unicode("").tag(sync=True)},
    )
