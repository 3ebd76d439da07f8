"""`graphtalk serve`: open the graphs, and serve them until stopped."""

import json
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from graphtalk.app import console, stores
from graphtalk.app.commands import opened
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import UsageError

GRACE = 30  # seconds that answers under way have to finish when the server is stopped
_EXTRA = 'The server is not installed: python -m pip install "graphtalk[server]".'


def shelf_of(names: Sequence[str], settings: Settings) -> Shelf:
    """The graphs called so, opened once."""
    return Shelf.of([opened(name) for name in names], settings)


def serve(
    names: Sequence[str],
    settings: Settings,
    host: str,
    port: int,
    token_file: Path | None,
    hosts: Sequence[str],
    origins: Sequence[str],
    keep: Path | None,
    client_usd: float,
) -> None:
    """Serve until SIGINT or SIGTERM; answers under way are finished first. Raises UsageError for wrong settings."""
    try:
        import uvicorn

        from graphtalk.app.server.config import Bounds, ServerSettings, tokens
        from graphtalk.app.server.site import site
    except ImportError as error:
        raise UsageError(f"{_EXTRA} ({error})") from error
    bounds = Bounds(client_usd=client_usd)
    place = keep or stores.cache_folder() / "conversations.sqlite"
    chosen = ServerSettings(host, port, tokens(token_file), tuple(hosts), tuple(origins), place, bounds)
    app = site(shelf_of(names, settings), chosen)
    _log_as_json()
    console.say(f"serving {', '.join(names)} at http://{f'[{host}]' if ':' in host else host}:{port}")
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        http="h11",
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE,
        h11_max_incomplete_event_size=16_384,
        backlog=4_096,
    )
    uvicorn.Server(config).run()


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
