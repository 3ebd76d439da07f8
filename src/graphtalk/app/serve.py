"""`graphtalk serve` and `graphtalk mcp`: open the graphs, and serve them until stopped."""

import json
import logging
import os
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import console, stores
from graphtalk.app.commands import opened
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import UsageError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from graphtalk.app.server.config import ServerSettings

BACKLOG = 4_096  # connections that may wait to be taken
GRACE = 30  # seconds that answers under way have to finish when the server is stopped
_EXTRA = 'The server is not installed: python -m pip install "graphtalk[server]".'


def shelf_of(names: Sequence[str], settings: Settings) -> Shelf:
    """The graphs called so, opened once."""
    return Shelf.of([opened(name) for name in names], settings)


@dataclass(frozen=True)
class Place:
    """Where to listen, whom to let in, and how much each may ask for (see `Bounds`)."""

    host: str
    port: int
    token_file: Path | None = None
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    client_usd: float = 0.0
    client_rate: int = 600
    client_running: int = 32

    def settings(self, keep: Path | None = None) -> "ServerSettings":
        """The settings of a server here. Raises UsageError where another machine could come in without a token."""
        from graphtalk.app.server.config import Bounds, ServerSettings, tokens

        bounds = Bounds(
            client_usd=self.client_usd, client_rate=self.client_rate, client_running=self.client_running
        )
        return ServerSettings(
            self.host, self.port, tokens(self.token_file), self.names, self.origins, keep, bounds
        )


def serve(stores_named: Sequence[str], settings: Settings, place: Place, keep: Path | None) -> None:
    """Serve until SIGINT or SIGTERM; answers under way are finished first. Raises UsageError for wrong settings."""
    _check_installed()
    from graphtalk.app.server.site import site

    chosen = place.settings(keep or stores.cache_folder() / "conversations.sqlite")
    _run(site(shelf_of(stores_named, settings), chosen), place, stores_named)


def serve_mcp(stores_named: Sequence[str], settings: Settings, place: Place | None) -> None:
    """Serve an MCP client over HTTP at `place`, else at standard input and output. Raises UsageError as `serve` does."""
    _check_installed()
    from graphtalk.app import mcp

    if place is None:
        mcp.run_stdio(shelf_of(stores_named, settings))
        return
    chosen = place.settings()
    _run(mcp.site(shelf_of(stores_named, settings), chosen), place, stores_named)


def _check_installed() -> None:
    missing = [name for name in ("uvicorn", "fastapi", "mcp", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise UsageError(f"{_EXTRA} Missing: {', '.join(missing)}.")


def _run(app: "ASGIApp", place: Place, names: Sequence[str]) -> None:
    import uvicorn

    _log_as_json()
    listener = _listening(place)
    host = f"[{place.host}]" if ":" in place.host else place.host
    console.say(f"serving {', '.join(names)} at http://{host}:{place.port}")
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=16_384,
        backlog=BACKLOG,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listening(place: Place) -> socket.socket:
    """A socket at `place`. Raises UsageError where it cannot be had."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    try:
        return socket.create_server((place.host, place.port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise UsageError(
            f"Cannot listen at {place.host}, port {place.port}: {error.strerror}. --port names another port."
        ) from None


class _AsJson(logging.Formatter):
    """One JSON object a line: when, what, and the request's id."""

    def format(self, record: logging.LogRecord) -> str:
        from graphtalk.app.server.guard import request_id

        shown = {
            "time": self.formatTime(record),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        shown["request"] = request_id.get()
        shown |= {
            name: vars(record)[name]
            for name in ("method", "route", "status", "seconds")
            if name in vars(record)
        }
        if record.exc_info:
            shown["error"] = self.formatException(record.exc_info)
        return json.dumps(shown, ensure_ascii=False)


def _log_as_json() -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_AsJson())
    for name in ("graphtalk.server", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [handler], False
        log.setLevel(
            os.environ.get("GRAPHTALK_LOG", "info" if name == "graphtalk.server" else "warning").upper()
        )
