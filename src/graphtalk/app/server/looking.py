"""Looking at a graph: search, a node, its neighbours a page at a time. What the API and the MCP server both give."""

import numpy as np

from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import Hit, Hits, Neighbour, Neighbours, Node, NodeName
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.core import JSON, CheckError
from graphtalk.graphs import Graph, View
from graphtalk.graphs.graph import plain

MOST_FEATURE = 20_000  # characters of one feature's text


def search(shelf: Shelf, name: str, text: str, limit: int) -> Hits:
    """The nodes of a graph whose name, id or text is most like `text`, best first."""
    graph, index = shelf.union(name), shelf.first(name, Choice(lm=OFFLINE)).index
    found = index.retrieve(text, k=limit)
    return Hits(hits=[Hit(**named(graph, hit.node).model_dump(), score=hit.score) for hit in found])


def found(graph: Graph, id: str) -> int:
    """A node by its id. Raises ProblemError where there is none."""
    node = graph.find(id)
    if node is None:
        raise ProblemError(404, f"No node {id[:200]!r} in this graph. Search finds ids by name.")
    return node


def called(shelf: Shelf, name: str, text: str) -> int:
    """A node by its id, else by a name that it alone has. Raises ProblemError."""
    graph = shelf.union(name)
    node = graph.find(text)
    if node is not None:
        return node
    same = shelf.first(name, Choice(lm=OFFLINE)).index.exact(text)
    if len(same) == 1:
        return same[0]
    if same:
        shown = ", ".join(f"{graph.id(one)!r} ({graph.node_type(one).name})" for one in same[:10])
        raise ProblemError(
            404, f"{len(same)} nodes are called {text[:200]!r}: name one by its id, such as {shown}."
        )
    raise ProblemError(404, f"No node is called {text[:200]!r} in this graph. Search finds what is like it.")


def named(graph: Graph, node: int) -> NodeName:
    """A node by its id, with what it is called."""
    return NodeName(id=graph.id(node), label=graph.label(node), type=graph.node_type(node).name)


def node(graph: Graph, node: int) -> Node:
    """A node: what it is called, its features, and how many neighbours it has by each relation."""
    features = {key: _cut(plain(value)) for key, value in graph.features(node).items()}
    degrees = {view: graph.degree(node, view) for view in graph.schema.views_from(graph.node_type(node).name)}
    return Node(**named(graph, node).model_dump(), features=features, relations=degrees)


def _views(graph: Graph, node: int, relation: str) -> list[View]:
    """The views from a node by one name, or all. Raises ProblemError for an unknown name."""
    node_type = graph.node_type(node).name
    if relation:
        try:
            return list(graph.schema.view(node_type, relation))
        except CheckError as error:
            raise ProblemError(404, str(error)) from None
    return [view for views in graph.schema.views_from(node_type).values() for view in views]


def neighbours(graph: Graph, node: int, relation: str, limit: int, offset: int) -> Neighbours:
    """A page of a node's neighbours, by one relation as named from its side, or by all.

    The work grows with the number of a node's neighbours, and the names only with the page. Raises ProblemError.
    """
    total = 0
    page: list[Neighbour] = []
    for view in _views(graph, node, relation):
        found = graph.expand(np.array([node]), view)
        start = max(0, offset - total)
        total += len(found.nodes)
        for at in range(start, min(len(found.nodes), start + limit - len(page))):
            page.append(_neighbour(graph, node, int(found.nodes[at]), view, bool(found.forward[at])))
    return Neighbours(total=total, limit=limit, offset=offset, neighbours=page)


def _neighbour(graph: Graph, node: int, other: int, view: View, forward: bool) -> Neighbour:
    name = graph.schema.relations[view.relation].name
    source, target = (node, other) if forward else (other, node)
    return Neighbour(
        **named(graph, other).model_dump(), relation=name, edge=(graph.id(source), name, graph.id(target))
    )


def _cut(value: JSON) -> JSON:
    if isinstance(value, str) and len(value) > MOST_FEATURE:
        return value[:MOST_FEATURE] + "…"
    return value[:1_000] if isinstance(value, list) else value
