"""The whole site: the API, the page, health and metrics, behind the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Security
from fastapi.security import HTTPBearer
from starlette._utils import get_route_path
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from graphtalk.app.server import ask_routes, graph_routes, health_routes, problems, uploads
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.server.conversations import Conversations
from graphtalk.app.server.guard import Guard
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.openai import chat, completions, embeddings, responses
from graphtalk.app.server.proxy import Proxied
from graphtalk.app.server.schemas import PROBLEMS
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
        generate_unique_id_function=lambda route: route.name,  # what clients that are generated call it
        redirect_slashes=False,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(GZipMiddleware, minimum_size=SMALL, compresslevel=5)
    app.add_middleware(Guard, settings=settings, clients=clients, metrics=metrics)
    app.add_middleware(Proxied, settings=settings)  # the outermost
    problems.install(app)
    locked = [Security(HTTPBearer(auto_error=False, scheme_name="token"))] if settings.tokens else []
    open_to_all = health_routes.router(answering, metrics)
    in_openai_form = [kind.router(desk) for kind in (chat, completions, responses, embeddings)]
    taking = []
    if settings.uploads is not None:
        taking = [uploads.router(uploads.Uploads(settings.uploads, shelf, answering.workers))]
    most = settings.bounds.upload if taking else 0
    routers = [
        *taking,
        graph_routes.router(shelf, most),
        ask_routes.router(desk),
        *in_openai_form,
        open_to_all,
    ]
    for router in routers:
        app.include_router(router, responses=PROBLEMS, dependencies=None if router is open_to_all else locked)

    async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
        """What is asked for in another way than it is given, and what is not there: the page has the other paths."""
        fits = [route for router in routers for route in router.routes if isinstance(route, Route)]
        allowed = {
            m for route in fits if route.matches(scope)[0] is Match.PARTIAL for m in route.methods or ()
        }
        if allowed:
            given = ", ".join(sorted(allowed))
            raise problems.ProblemError(405, f"This is for {given}, not {scope['method']}.", {"Allow": given})
        if get_route_path(scope).startswith("/v1/"):
            raise problems.ProblemError(404, "Nothing is here; /openapi.json says what is.")
        await page(scope, receive, send)

    page = Page(directory=str(files("graphtalk.app") / "web"), html=True, check_dir=False)
    app.mount("/", nowhere, name="page")
    _describe(app)
    return app


def _describe(app: FastAPI) -> None:
    """Have /openapi.json say that problems come as such alone: FastAPI adds its own kind of answer to each."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        shown = made()
        for given in (how["responses"] for path in shown["paths"].values() for how in path.values()):
            for status in PROBLEMS:
                given.get(status, {"content": {}})["content"].pop("application/json", None)
        return shown

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's documentation has it


class Page(StaticFiles):
    """The built page. Its assets are called by what is in them, so that they never change; the rest is asked for anew."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file."""
        found = await super().get_response(path, scope)
        lasts = path.startswith("assets/") and found.status_code == 200
        found.headers["Cache-Control"] = "public, max-age=31536000, immutable" if lasts else "no-cache"
        return found
