"""What the graphs are: lists, schemas, search, nodes and neighbours, a page at a time."""

from typing import Annotated

import numpy as np
from fastapi import APIRouter, Depends, Query, Request, Response

from graphtalk import __version__
from graphtalk.app import about
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.server.problems import NotModifiedError, ProblemError
from graphtalk.app.server.schemas import (
    GraphPage,
    Graphs,
    GraphSummary,
    Hit,
    Hits,
    Names,
    NamesRequest,
    Neighbour,
    Neighbours,
    Node,
    NodeName,
)
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.core import JSON, CheckError
from graphtalk.graphs import Graph, GraphSet, View
from graphtalk.graphs.graph import plain

MOST_FEATURE = 20_000  # characters of one feature's text

Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1 << 40)]


def router(shelf: Shelf) -> APIRouter:
    """The routes about graphs."""
    routes = APIRouter(tags=["graphs"])
    pages: dict[str, GraphPage] = {}

    def fresh(name: str, request: Request, response: Response) -> None:
        """What is said of a graph stays as long as the graph does: clients keep it, and ask whether it still holds."""
        tag = f'W/"{shelf.union(name).checksum}-{__version__}"'
        response.headers["ETag"] = tag
        response.headers["Cache-Control"] = "private, no-cache"
        if tag in request.headers.get("if-none-match", ""):
            raise NotModifiedError(tag)

    kept = [Depends(fresh)]

    @routes.get("/v1/graphs")
    def graphs() -> Graphs:
        """The graphs that can be asked about, and the models and reasoners that answer."""
        return Graphs(
            graphs=[_summary(name, shelf) for name in shelf.names()],
            lms=list(shelf.lms()),
            reasoners={lm: list(shelf.reasoners(lm)) for lm in shelf.lms()},
            default={"lm": shelf.settings.lm, "reasoner": shelf.settings.reasoner},
        )

    @routes.get("/v1/graphs/{name}", dependencies=kept)
    def graph(name: str) -> GraphPage:
        """A graph's schema in words and as data, its counts, and questions to try."""
        if name not in pages:
            shown = about.to_json(shelf.graph(name))
            pages[name] = GraphPage.model_validate({**shown, "name": name})
        return pages[name]

    @routes.get("/v1/graphs/{name}/search", dependencies=kept)
    def search(name: str, q: Annotated[str, Query(min_length=1, max_length=500)], limit: Limit = 10) -> Hits:
        """The nodes whose name, id or text is most like `q`."""
        graph, index = shelf.union(name), shelf.first(name, Choice(lm=OFFLINE)).index
        found = index.retrieve(q, k=limit)
        return Hits(hits=[Hit(**_named(graph, hit.node).model_dump(), score=hit.score) for hit in found])

    @routes.post("/v1/graphs/{name}/names")
    def names(name: str, asked: NamesRequest) -> Names:
        """What the nodes of an answer's evidence are called."""
        graph = shelf.union(name)
        found = (graph.find(id) for id in asked.ids)
        return Names(nodes=[_named(graph, node) for node in found if node is not None])

    @routes.get("/v1/graphs/{name}/nodes/{id:path}/neighbours", dependencies=kept)
    def neighbours(
        name: str,
        id: str,
        relation: Annotated[str, Query(max_length=500)] = "",
        limit: Limit = 50,
        offset: Offset = 0,
    ) -> Neighbours:
        """A page of a node's neighbours, by one relation as named from its side, or by all."""
        graph = shelf.union(name)
        return _neighbours(graph, _found(graph, id), relation, limit, offset)

    @routes.get("/v1/graphs/{name}/nodes/{id:path}", dependencies=kept)
    def node(name: str, id: str) -> Node:
        """A node: what it is called, its features, and how many neighbours it has."""
        graph = shelf.union(name)
        found = _found(graph, id)
        features = {key: _cut(plain(value)) for key, value in graph.features(found).items()}
        degrees = {named: graph.degree(found, named) for named in _view_names(graph, found)}
        return Node(**_named(graph, found).model_dump(), features=features, relations=degrees)

    return routes


def _summary(name: str, shelf: Shelf) -> GraphSummary:
    graph, union = shelf.graph(name), shelf.union(name)
    count = len(graph) if isinstance(graph, GraphSet) else 1
    return GraphSummary(name=name, nodes=union.num_nodes, edges=union.num_edges, graphs=count)


def _named(graph: Graph, node: int) -> NodeName:
    return NodeName(id=graph.id(node), label=graph.label(node), type=graph.node_type(node).name)


def _found(graph: Graph, id: str) -> int:
    found = graph.find(id)
    if found is None:
        raise ProblemError(404, f"No node {id[:200]!r} in this graph. Search finds ids by name.")
    return found


def _view_names(graph: Graph, node: int) -> tuple[str, ...]:
    return tuple(graph.schema.views_from(graph.node_type(node).name))


def _views(graph: Graph, node: int, relation: str) -> list[View]:
    """The views from a node by one name, or all. Raises ProblemError for an unknown name."""
    node_type = graph.node_type(node).name
    if relation:
        try:
            return list(graph.schema.view(node_type, relation))
        except CheckError as error:
            raise ProblemError(404, str(error)) from None
    return [view for views in graph.schema.views_from(node_type).values() for view in views]


def _neighbours(graph: Graph, node: int, relation: str, limit: int, offset: int) -> Neighbours:
    """The work grows with the number of a node's neighbours, and the names only with the page."""
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
        **_named(graph, other).model_dump(), relation=name, edge=(graph.id(source), name, graph.id(target))
    )


def _cut(value: JSON) -> JSON:
    if isinstance(value, str) and len(value) > MOST_FEATURE:
        return value[:MOST_FEATURE] + "…"
    return value[:1_000] if isinstance(value, list) else value
