"""Who may come in, and with how much: hosts, origins, tokens, rates, sizes, and headers for the browser.

One ASGI middleware in front of everything, so that no route can forget it.
"""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette._utils import get_route_path
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphtalk.app.server.clients import Clients, address
from graphtalk.app.server.config import LOOPBACK, ServerSettings
from graphtalk.app.server.metrics import Metrics
from graphtalk.app.server.problems import ProblemError, problem
from graphtalk.app.server.tokens import Tokens

log = logging.getLogger("graphtalk.server")
request_id: ContextVar[str] = ContextVar("request_id", default="-")

GUARDED = ("/v1/", "/metrics", "/mcp")  # everything else is the page, which has no secrets
MOST_HEAD = 32_768  # bytes of headers
METHODS = ("GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS")
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Guard:
    """Lets a request pass to `app`, or answers with a problem."""

    app: ASGIApp
    settings: ServerSettings
    clients: Clients
    metrics: Metrics
    tokens: Tokens = field(init=False)

    def __post_init__(self) -> None:
        wrong = self.settings.bounds.wrong_tokens
        object.__setattr__(self, "tokens", Tokens(self.settings.tokens, wrong))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return  # websockets are not spoken here
        given = Headers(scope=scope).get("x-request-id", "")
        name = given if _GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
        request_id.set(name)
        path = get_route_path(scope)
        answer = _Watched(send, name, self._shared_with(scope), path.startswith("/v1/"))
        asked = (
            {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        )  # uvicorn leaves the body out
        started = time.perf_counter()
        try:
            with self.metrics.open():
                await self._admit(asked, path, receive, answer)
        except ProblemError as refused:
            if not answer.status:
                said = problem(refused.status_code, refused.detail, refused.headers, path)
                await said(scope, receive, answer)
        finally:
            self._note(scope["method"], asked, answer.status, time.perf_counter() - started)

    async def _admit(self, scope: Scope, path: str, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        bounds = self.settings.bounds
        uploading = bounds.upload and scope["method"] == "POST" and path == "/v1/graphs"
        most, seconds = (
            (bounds.upload, bounds.upload_seconds) if uploading else (bounds.body, bounds.body_seconds)
        )
        self._check_shape(headers, most)
        self._check_host(headers)
        self._check_origin(headers)
        if scope["method"] == "OPTIONS" and headers.get("access-control-request-method"):
            await _preflight(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        if path.startswith(GUARDED):
            state["client"] = client = self._client(scope, headers)
            self.clients.request(client)
        state["left"] = left = asyncio.Event()
        receive = _Bounded(receive, most, seconds, left)
        await self.app(scope, receive, send)

    def _check_shape(self, headers: Headers, most: int) -> None:
        """Refuse what two servers in a row could read in two ways, and what is too large from the start."""
        lengths = headers.getlist("content-length")
        if sum(len(name) + len(value) for name, value in headers.raw) > MOST_HEAD:
            raise ProblemError(431, f"The headers are larger than {MOST_HEAD:,} bytes.")
        if len(headers.getlist("host")) != 1:
            raise ProblemError(400, "A request has one Host header.")
        if len(lengths) > 1 or (lengths and "transfer-encoding" in headers):
            raise ProblemError(400, "A request has one length: Content-Length or Transfer-Encoding.")
        if lengths and (not lengths[0].isdecimal() or int(lengths[0]) > most):
            raise ProblemError(413, f"The body is larger than {most:,} bytes.")

    def _check_host(self, headers: Headers) -> None:
        """Refuse names that are not ours: a page elsewhere could have had its name point here (DNS rebinding)."""
        host = _name(f"//{headers['host']}")
        if host not in (*LOOPBACK, self.settings.host, *self.settings.names):
            raise ProblemError(403, f"This server does not answer for the host {host!r}. --name adds one.")

    def _check_origin(self, headers: Headers) -> None:
        origin = headers.get("origin")
        if origin is None or self._allows(origin, headers["host"]):
            return
        raise ProblemError(403, f"Pages of {origin} may not ask here. --origin adds one.")

    def _allows(self, origin: str, host: str) -> bool:
        return origin in self.settings.origins or origin in (f"http://{host}", f"https://{host}")

    def _shared_with(self, scope: Scope) -> str:
        """The origin of another site that may read the answer, if the request comes from one."""
        origin = Headers(scope=scope).get("origin", "")
        return origin if origin in self.settings.origins else ""

    def _client(self, scope: Scope, headers: Headers) -> str:
        """Who asks: by the token where tokens are needed, else by address. Raises ProblemError 401 or 429."""
        from_ = address((scope.get("client") or ("",))[0])
        return self.tokens.client(from_, headers.get("authorization", "")) if self.tokens.tokens else from_

    def _note(self, asked: str, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or "other"
        method = asked if asked in METHODS else "other"
        self.metrics.request(method, route, status, seconds)
        log.info(
            "request",
            extra={"method": method, "route": route, "status": status, "seconds": round(seconds, 4)},
        )


@dataclass
class _Watched:
    """Sends on, with the headers that every response has, and remembers the status.

    What is `private` to a client is kept by no cache unless its route says otherwise.
    """

    send: Send
    id: str
    origin: str
    private: bool
    status: int = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in self._added().items():
                headers.setdefault(name, value)
        await self.send(message)

    def _added(self) -> Mapping[str, str]:
        added = {**HEADERS, "X-Request-Id": self.id}
        if self.private:
            added["Cache-Control"] = "no-store"
        if self.origin:
            added |= {
                "Access-Control-Allow-Origin": self.origin,
                "Access-Control-Expose-Headers": "X-Request-Id, Retry-After",
                "Cross-Origin-Resource-Policy": "cross-origin",
                "Vary": "Origin",
            }
        return added


@dataclass
class _Bounded:
    """Receives a body of at most so many bytes within so many seconds, and notes when the client has `left`.

    Raises ProblemError beyond.
    """

    receive: Receive
    most: int
    seconds: float
    left: asyncio.Event
    taken: int = 0
    done: bool = False

    async def __call__(self) -> Message:
        if self.done:
            message = await self.receive()  # nothing but a disconnection comes now
            self.left.set()
            return message
        started = time.monotonic()
        try:
            message = await asyncio.wait_for(self.receive(), self.seconds)
        except TimeoutError:
            raise ProblemError(408, "The body took too long to come.", {"Connection": "close"}) from None
        self.seconds -= time.monotonic() - started
        if message["type"] == "http.request":
            self.taken += len(message.get("body", b""))
            self.done = not message.get("more_body", False)
        if self.taken > self.most:
            raise ProblemError(413, f"The body is larger than {self.most:,} bytes.", {"Connection": "close"})
        return message


async def _preflight(scope: Scope, receive: Receive, send: Send) -> None:
    from starlette.responses import Response

    allowed = {
        "Access-Control-Allow-Methods": "GET, POST, PATCH, DELETE",
        # Clients in a browser send headers of their own (OpenAI's: x-stainless-*). An origin that may ask may send
        # any: there are no cookies here, and the token is not the browser's to add.
        "Access-Control-Allow-Headers": Headers(scope=scope).get(
            "access-control-request-headers", "Authorization, Content-Type"
        ),
        "Access-Control-Max-Age": "600",
    }
    await Response(status_code=204, headers=allowed)(scope, receive, send)


def _name(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").casefold()
    except ValueError:
        return ""
