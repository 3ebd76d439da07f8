"""`graphtalk serve` and `graphtalk mcp`: open the graphs, and serve them until stopped."""

import errno
import json
import logging
import os
import re
import resource
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import console
from graphtalk.app.asking import opened
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import UsageError
from graphtalk.core.text import escaped
from graphtalk.graphs import Loaded
from graphtalk.graphs.scratch import data_folder

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from graphtalk.app.server.config import Bounds, ServerSettings

BACKLOG = 4_096  # connections that may wait to be taken
NAME = re.compile(r"[\w.-]{1,100}")  # of `NAME=STORE`
GRACE = 30  # seconds that answers under way have to finish when the server is stopped
_EXTRA = 'The server is not installed: python -m pip install "graphtalk[server]".'


def shelf_of(names: Sequence[str], settings: Settings, allow: Sequence[str]) -> Shelf:
    """The graphs called so, opened once, and those that calls may load beside them. `a=one.gt` is to be called "a"."""
    return Shelf.of([_called(name) for name in names], settings, [_called(name) for name in allow])


def _called(given: str) -> tuple[str, Loaded]:
    """A graph with the name that it is served under. Raises UsageError where there is none."""
    name, equals, place = given.partition("=")
    if equals and NAME.fullmatch(name) and not Path(given).exists():
        return name, opened(place)
    graph = opened(given)
    return graph.name, graph


@dataclass(frozen=True)
class Place:
    """Where to listen, whom to let in, and how much each may ask for (see `Bounds`); no `workers` are one for each core."""

    host: str
    port: int
    token_file: Path | None = None
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    client_usd: float = 0.0
    client_rate: int = 600
    client_running: int = 32
    client_connections: int = 128
    proxies: tuple[str, ...] = ()
    root_path: str = ""
    workers: int = 0
    upload: int = 0

    def settings(self, keep: Path | None = None, uploads: Path | None = None) -> "ServerSettings":
        """The settings of a server here. Raises UsageError where another machine could come in without a token."""
        from graphtalk.app.server.config import Bounds, ServerSettings, tokens

        workers = self.workers or len(os.sched_getaffinity(0))
        bounds = Bounds(
            client_usd=self.client_usd,
            client_rate=self.client_rate,
            client_running=self.client_running,
            client_connections=self.client_connections,
            connections=_most_connections(),
            workers=workers,
            running=max(Bounds.running, workers + 1),
            upload=self.upload,
        )
        return ServerSettings(
            self.host,
            self.port,
            tokens(self.token_file),
            self.names,
            self.origins,
            keep,
            bounds,
            self.proxies,
            self.root_path.rstrip("/"),
            uploads=uploads if self.upload else None,
        )


def serve(
    stores_named: Sequence[str],
    settings: Settings,
    place: Place,
    keep: Path | None = None,
    allow: Sequence[str] = (),
) -> None:
    """Serve until SIGINT or SIGTERM; answers under way are finished first. Raises UsageError for wrong settings.

    `keep` is the file of conversations; `allow` names graphs that calls may load though they are not served.
    """
    _check_installed()
    from graphtalk.app.server.conversations import kept_by_default
    from graphtalk.app.server.site import site

    chosen = place.settings(keep or kept_by_default(), data_folder() / "uploads")
    shelf = shelf_of(stores_named, settings, allow)
    for store in sorted(chosen.uploads.glob("*.gt")) if chosen.uploads else ():
        if not shelf.offers(store.stem):
            shelf.add(store.stem, opened(str(store)))
    _run(site(shelf, chosen), place, chosen.bounds, shelf.names())


def serve_mcp(
    stores_named: Sequence[str],
    settings: Settings,
    place: Place | None,
    allow: Sequence[str] = (),
    tools: Sequence[str] = (),
) -> None:
    """Serve an MCP client over HTTP at `place`, else at standard input and output. Raises UsageError as `serve` does."""
    _check_installed()
    from graphtalk.app import mcp

    if place is None:
        mcp.run_stdio(shelf_of(stores_named, settings, allow), tools)
        return
    chosen = place.settings()
    _run(mcp.site(shelf_of(stores_named, settings, allow), chosen, tools), place, chosen.bounds, stores_named)


def _most_connections() -> int:
    """How many connections this process can have: half of the files that it may open, for graphs are files too."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most // 2 if 0 < most < 2**20 else 2**19


def _check_installed() -> None:
    missing = [name for name in ("uvicorn", "fastapi", "mcp", "prometheus_client") if find_spec(name) is None]
    if missing:
        raise UsageError(f"{_EXTRA} Missing: {', '.join(missing)}.")


def _run(app: "ASGIApp", place: Place, bounds: "Bounds", names: Sequence[str]) -> None:
    import uvicorn

    log_as_json()
    listeners = listening(place.host, place.port)
    host = f"[{place.host}]" if ":" in place.host else place.host
    console.say(f"serving {', '.join(names)} at http://{host}:{place.port}")
    uvicorn.Server(configured(app, bounds)).run(sockets=listeners)


def configured(app: "ASGIApp", bounds: "Bounds", grace: int = GRACE) -> "uvicorn.Config":
    """How uvicorn serves an application: answers under way have `grace` seconds to finish at the end."""
    import uvicorn

    from graphtalk.app.server.connections import protocol

    return uvicorn.Config(
        app,
        http=protocol(bounds),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=grace,
        h11_max_incomplete_event_size=16_384,
        backlog=BACKLOG,
    )


def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets at all addresses of a host, IPv4 and IPv6, that this machine has. Raises UsageError where it has none."""
    found: list[socket.socket] = []
    try:
        places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, address in dict.fromkeys((family, str(place[0])) for family, _, _, _, place in places):
            both = address == "::" and socket.has_dualstack_ipv6()
            try:
                found.append(
                    socket.create_server((address, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)
                )
            except OSError as error:
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                    raise
                absent = error
        if not found:
            raise absent
    except OSError as error:
        for listener in found:
            listener.close()
        raise UsageError(
            f"Cannot listen at {host}, port {port}: {error.strerror}. --port names another port."
        ) from None
    return found


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
        return escaped(json.dumps(shown, ensure_ascii=False))


class _ToStandardError(logging.Handler):
    """Writes to what standard error is now: who calls the command from Python may have put another in its place, and closed it since."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(f"{self.format(record)}\n")
            sys.stderr.flush()
        except Exception:  # noqa: BLE001  # as each handler of logging does
            self.handleError(record)


def log_as_json() -> None:
    """Write the log of the server as JSON lines to standard error."""
    handler = _ToStandardError()
    handler.setFormatter(_AsJson())
    for name in ("graphtalk.server", "uvicorn.error"):
        log = logging.getLogger(name)
        log.handlers, log.propagate = [handler], False
        log.setLevel(
            os.environ.get("GRAPHTALK_LOG", "info" if name == "graphtalk.server" else "warning").upper()
        )
