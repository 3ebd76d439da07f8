"""The whole site: the API, the page, health and metrics, behind the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from graphtalk.app.server import ask_routes, graph_routes, health_routes, openai_routes, problems
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.server.conversations import Conversations
from graphtalk.app.server.guard import Guard
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.proxy import Proxied
from graphtalk.app.shelf import Shelf

SMALL = 1_000  # bytes that are not worth compressing
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
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=5)
    app.add_middleware(Guard, settings=settings, clients=clients, metrics=metrics)
    app.add_middleware(Proxied, settings=settings)  # the outermost
    problems.install(app)
    answers, openai = ask_routes.router(desk), openai_routes.router(desk)
    for routes in (graph_routes.router(shelf), answers, openai, health_routes.router(answering, metrics)):
        app.include_router(routes)

    @app.api_route("/v1/{rest:path}", methods=["GET", "POST", "DELETE"], include_in_schema=False)
    async def nowhere(rest: str) -> None:
        raise problems.ProblemError(404, "Nothing is here; /openapi.json says what is.")

    page = files("graphtalk.app") / "web"
    app.mount("/", Page(directory=str(page), html=True, check_dir=False), name="page")
    return app


class Page(StaticFiles):
    """The built page. Its assets are called by what is in them, so that they never change; the rest is asked for anew."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file."""
        found = await super().get_response(path, scope)
        lasts = path.startswith("assets/") and found.status_code == 200
        found.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasts else "no-cache"
        return found
