"""How the server is: whether it is up, whether it can answer, and what it counts."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from graphtalk.app.server.answering import Answering
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.problems import ProblemError


def router(answering: Answering, metrics: Metrics) -> APIRouter:
    """The routes for whoever runs the server."""
    routes = APIRouter(tags=["server"])

    @routes.get("/healthz")
    async def health() -> dict[str, str]:
        """Whether the server is up."""
        return {"status": "ok"}

    @routes.get("/readyz")
    async def ready() -> dict[str, str]:
        """Whether questions are answered at once: its graphs are open, and processes wait for work."""
        if not answering.ready:
            raise ProblemError(503, "The graphs are being opened.", {"Retry-After": "1"})
        return {"status": "ready"}

    @routes.get("/metrics", response_class=PlainTextResponse)
    async def counters() -> PlainTextResponse:
        """What the server counts, for Prometheus."""
        return PlainTextResponse(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return routes
