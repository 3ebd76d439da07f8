"""Looking at a graph: search, a node, its neighbours a page at a time. What the API and the MCP server both give."""

from collections.abc import Sequence

import numpy as np

from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.schemas import (
    Called,
    Hit,
    Hits,
    Names,
    Neighbour,
    Neighbours,
    Node,
    NodeName,
    Sample,
)
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.core import JSON, CheckError
from graphtalk.graphs import Graph, View
from graphtalk.graphs.graph import plain
from graphtalk.graphs.sample import degrees, sample

MOST_AMONG = 5_000  # edges among nodes that are given with them
MOST_FEATURE = 20_000  # characters of one feature's text


def search(shelf: Shelf, name: str, text: str, limit: int) -> Hits:
    """The nodes of a graph whose name, id or text is most like `text`, best first."""
    graph, index = shelf.union(name), shelf.first(name, Choice(lm=OFFLINE)).index
    found = index.retrieve(text, k=limit)
    return Hits(hits=[Hit(**named(graph, hit.node).model_dump(), score=hit.score) for hit in found])


def completed(shelf: Shelf, name: str, text: str, limit: int) -> Hits:
    """The nodes with a name of which some word begins with `text`; where there are none, those that are like it."""
    graph, index = shelf.union(name), shelf.first(name, Choice(lm=OFFLINE)).index
    begun = index.beginning(text, limit)
    hits = [Hit(**named(graph, node).model_dump(), score=1.0) for node in begun]
    return Hits(hits=hits) if hits else search(shelf, name, text, limit)


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


def called_so(graph: Graph, ids: Sequence[str], feature: str = "", edges: bool = False) -> Names:
    """What nodes are called, their degrees, and what they have of a feature; ids that are no node's are left out.

    With `edges` those among them too, up to MOST_AMONG.
    """
    known = [node for id in ids if (node := graph.find(id)) is not None]
    return Names(
        nodes=[
            Called(
                **named(graph, node).model_dump(),
                degree=graph.degree(node),
                value=_cut(plain(graph.features(node).get(feature))) if feature else None,
            )
            for node in known
        ],
        edges=_among(graph, known) if edges else [],
    )


def _among(graph: Graph, nodes: Sequence[int]) -> list[tuple[str, str, str]]:
    inside = np.zeros(graph.num_nodes, bool)
    inside[list(nodes)] = True
    found: list[tuple[str, str, str]] = []
    for position, relation in enumerate(graph.schema.relations):
        source, target = graph.ends(position)
        rows = np.flatnonzero(inside[source] & inside[target])[: MOST_AMONG - len(found)]
        ends = zip(graph.ids(source[rows]), graph.ids(target[rows]), strict=True)
        found += [(one, relation.name, other) for one, other in ends]
    return found


def drawn(graph: Graph, most: int, types: Sequence[str], relations: Sequence[str]) -> Sample:
    """Up to `most` nodes of these types with the edges of these relations among them; of none named, of all."""
    schema = graph.schema
    chosen = sample(graph, most, types or None, relations or None)
    place = np.zeros(graph.num_nodes, np.int64)
    place[chosen.nodes] = np.arange(len(chosen.nodes))
    source, target = graph.ends_of(chosen.edges)
    return Sample(
        types=[t.name for t in schema.node_types],
        relations=[r.name for r in schema.relations],
        id=graph.ids(chosen.nodes),
        label=graph.labels(chosen.nodes),
        type=graph.type_positions(chosen.nodes).tolist(),
        degree=degrees(graph)[chosen.nodes].tolist(),
        source=place[source].tolist(),
        target=place[target].tolist(),
        relation=graph.relation_positions(chosen.edges).tolist(),
        total=sum(t.count for t in schema.node_types if not types or t.name in types),
    )


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
        **named(graph, other).model_dump(),
        degree=graph.degree(other),
        relation=name,
        edge=(graph.id(source), name, graph.id(target)),
    )


def _cut(value: JSON) -> JSON:
    if isinstance(value, str) and len(value) > MOST_FEATURE:
        return value[:MOST_FEATURE] + "…"
    return value[:1_000] if isinstance(value, list) else value
