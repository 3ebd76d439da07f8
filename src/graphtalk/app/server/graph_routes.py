"""What the graphs are: lists, schemas, search, nodes and neighbours, a page at a time."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from graphtalk import __version__
from graphtalk.app import about
from graphtalk.app.server import looking
from graphtalk.app.server.problems import NotModifiedError
from graphtalk.app.server.schemas import (
    GraphPage,
    Graphs,
    GraphSummary,
    Hits,
    Names,
    NamesRequest,
    Neighbours,
    Node,
    Sample,
)
from graphtalk.app.shelf import Shelf
from graphtalk.graphs import GraphSet

MOST_DRAWN = 100_000  # nodes of a sample
Limit = Annotated[int, Query(ge=1, le=500)]
Offset = Annotated[int, Query(ge=0, le=1 << 40)]


def router(shelf: Shelf, upload: int = 0) -> APIRouter:
    """The routes about graphs. `upload`: bytes of the largest file that may become one; 0: none may."""
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
            upload=upload,
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
    def search(
        name: str,
        q: Annotated[str, Query(min_length=1, max_length=500)],
        limit: Limit = 10,
        begins: bool = False,
    ) -> Hits:
        """The nodes whose name, id or text is most like `q`; with `begins` first those whose name begins with it."""
        return (looking.completed if begins else looking.search)(shelf, name, q, limit)

    @routes.post("/v1/graphs/{name}/names")
    def names(name: str, asked: NamesRequest) -> Names:
        """What the nodes of an answer's evidence are called, how many edges they have, and one feature of them."""
        return looking.called_so(shelf.union(name), asked.ids, asked.feature, asked.edges)

    @routes.get("/v1/graphs/{name}/sample", dependencies=kept)
    def sample(
        name: str,
        limit: Annotated[int, Query(ge=1, le=MOST_DRAWN)] = 60,
        types: Annotated[list[str], Query(max_length=100)] = [],  # noqa: B006  FastAPI copies it
        relations: Annotated[list[str], Query(max_length=100)] = [],  # noqa: B006
    ) -> Sample:
        """Some nodes and edges that show what a graph is like: those with most edges, of every relation."""
        return looking.drawn(shelf.union(name), limit, types, relations)

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
        return looking.neighbours(graph, looking.found(graph, id), relation, limit, offset)

    @routes.get("/v1/graphs/{name}/nodes/{id:path}", dependencies=kept)
    def node(name: str, id: str) -> Node:
        """A node: what it is called, its features, and how many neighbours it has."""
        graph = shelf.union(name)
        return looking.node(graph, looking.found(graph, id))

    return routes


def _summary(name: str, shelf: Shelf) -> GraphSummary:
    graph, union = shelf.graph(name), shelf.union(name)
    count = len(graph) if isinstance(graph, GraphSet) else 1
    return GraphSummary(name=name, nodes=union.num_nodes, edges=union.num_edges, graphs=count)
