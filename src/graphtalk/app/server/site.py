"""The whole site: the API, the page, health and metrics, behind the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from starlette.staticfiles import StaticFiles

from graphtalk.app.server import ask_routes, graph_routes, openai_routes, problems
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.server.conversations import Conversations
from graphtalk.app.server.guard import Guard
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.shelf import Shelf

ABOUT = "Ask graphs in plain language. Answers carry evidence that exists, and the calls that gave it."


def site(shelf: Shelf, settings: ServerSettings) -> FastAPI:
    """The application, ready for any ASGI server. Raises UsageError where the conversations cannot be kept."""
    clients, metrics = Clients(settings.bounds), Metrics()
    conversations = Conversations(settings.keep)
    answering = Answering(shelf, settings.bounds, clients)
    desk = ask_routes.Desk(shelf, answering, conversations, metrics)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with answering.open():
            yield
        conversations.close()

    from graphtalk import __version__

    app = FastAPI(
        title="graphtalk",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redirect_slashes=False,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(Guard, settings=settings, clients=clients, metrics=metrics)
    problems.install(app)
    for routes in (graph_routes.router(shelf), ask_routes.router(desk), openai_routes.router(desk)):
        app.include_router(routes)

    @app.get("/healthz", tags=["server"])
    async def health() -> dict[str, str]:
        """Whether the server is up."""
        return {"status": "ok"}

    @app.get("/metrics", tags=["server"], response_class=PlainTextResponse)
    async def counters() -> PlainTextResponse:
        """What the server counts, for Prometheus."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.api_route("/v1/{rest:path}", methods=["GET", "POST", "DELETE"], include_in_schema=False)
    async def nowhere(rest: str) -> None:
        raise problems.ProblemError(404, "Nothing is here; /openapi.json says what is.")

    page = files("graphtalk.app") / "web"
    app.mount("/", StaticFiles(directory=str(page), html=True, check_dir=False), name="page")
    return app
