"""What a proxy in front of the server says of a request: who asked, by which scheme and host, and under which path."""

from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from graphtalk.app.server.config import PREFIX, ServerSettings


@dataclass(frozen=True)
class Proxied:
    """Passes requests on to `app` as their clients sent them.

    X-Forwarded-For and -Proto are uvicorn's to read. X-Forwarded-Host and -Prefix are believed of the same proxies alone;
    of all others nothing is.
    """

    app: ASGIApp
    settings: ServerSettings
    _in_turn: ProxyHeadersMiddleware = field(init=False, repr=False)

    def __post_init__(self) -> None:
        made = ProxyHeadersMiddleware(self._passed, list(self.settings.proxies))  # type: ignore[arg-type]
        object.__setattr__(self, "_in_turn", made)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "http":
            scope["root_path"] = self.settings.root_path
            if (scope.get("client") or ("",))[0] in self._in_turn.trusted_hosts:
                _show(scope)
        await self._in_turn(scope, receive, send)  # type: ignore[arg-type]

    async def _passed(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


def _show(scope: Scope) -> None:
    """Put a proxy's host and prefix in the place of the connection's."""
    headers = Headers(scope=scope)
    prefix = headers.get("x-forwarded-prefix", "").rstrip("/")
    if PREFIX.fullmatch(prefix):
        scope["root_path"] = prefix
    host = headers.get("x-forwarded-host", "").rpartition(",")[2].strip()
    if host:
        others = [(name, value) for name, value in scope["headers"] if name != b"host"]
        scope["headers"] = [*others, (b"host", host.encode("latin1"))]
