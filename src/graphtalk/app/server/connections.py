"""Connections under uvicorn, with what it has no options for: how long a client may take, and how many it may have open."""

import asyncio
import json
import socket
from dataclasses import dataclass, field
from functools import partial
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from graphtalk.app.server.clients import address
from graphtalk.app.server.config import Bounds
from graphtalk.app.server.problems import body


def _last_word(status: int, phrase: str, detail: str, more: str = "") -> bytes:
    """A problem as it is said to who is no longer listened to."""
    said = json.dumps(body(status, detail))
    head = f"Connection: close\r\n{more}Content-Type: application/problem+json\r\nContent-Length: {len(said)}"
    return f"HTTP/1.1 {status} {phrase}\r\n{head}\r\n\r\n{said}".encode()


_TOO_SLOW = _last_word(408, "Request Timeout", "No whole request came in time.")
_TOO_MANY = _last_word(429, "Too Many Requests", "Too many connections are open here.", "Retry-After: 5\r\n")


def protocol(bounds: Bounds) -> type[asyncio.Protocol]:
    """What uvicorn calls for each connection of one server; it asks for a class, and any callable does."""
    return cast("type[asyncio.Protocol]", partial(Connection, Connections(bounds)))


@dataclass
class Connections:
    """The open connections of a server, the oldest first. Used by the event loop's thread alone.

    One more than a client may have, or than there may be, takes the place of the oldest that waits for a request. So
    whoever opens many and asks nothing closes their own, and still can ask.
    """

    bounds: Bounds
    _all: "dict[Connection, None]" = field(default_factory=dict)
    _of: "dict[str, dict[Connection, None]]" = field(default_factory=dict)

    def add(self, one: "Connection", client: str) -> None:
        """Take a connection in."""
        theirs = self._of.setdefault(client, {})
        theirs[one] = self._all[one] = None
        for among, most in ((theirs, self.bounds.client_connections), (self._all, self.bounds.connections)):
            if len(among) > most:
                next(other for other in among if other.waits).end(_TOO_MANY)

    def drop(self, one: "Connection", client: str) -> None:
        """Forget a connection; once is enough."""
        self._all.pop(one, None)
        theirs = self._of.get(client, {})
        theirs.pop(one, None)
        if not theirs:
            self._of.pop(client, None)


class Connection(H11Protocol):
    """A connection whose client sends heads, and takes what it is sent, in a bounded time.

    A head is whole `head_seconds` after it could begin: after the connection was made, or the last response sent. A body
    is the guard's to time.
    """

    def __init__(self, connections: Connections, **given: Any) -> None:  # what uvicorn gives, passed on
        super().__init__(**given)
        self._open = connections
        self._bounds = connections.bounds
        self._client = ""
        self._head: asyncio.TimerHandle | None = None
        self._taking: asyncio.TimerHandle | None = None

    @property
    def waits(self) -> bool:
        """Whether no request is under way."""
        return self.conn.their_state is h11.IDLE

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head. What is sent is sent at once: uvicorn leaves Nagle's delay to the socket."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client = address(self.client[0] if self.client else "")
        self._time_head()
        self._open.add(self, self._client)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._time_head()

    def on_response_complete(self) -> None:
        """Begin to wait for the next head."""
        super().on_response_complete()
        self._time_head()

    def pause_writing(self) -> None:
        """The client does not take what it is sent."""
        super().pause_writing()
        self._taking = self.loop.call_later(
            self._bounds.write_seconds, self._check_taking, self.transport.get_write_buffer_size()
        )

    def resume_writing(self) -> None:
        """The client has taken it."""
        super().resume_writing()
        _cancel(self._taking)

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more comes."""
        self._open.drop(self, self._client)
        _cancel(self._head)
        _cancel(self._taking)
        super().connection_lost(exc)

    def end(self, said: bytes) -> None:
        """Say a last word to a client that waits for no response, and close."""
        self._open.drop(self, self._client)
        self.transport.write(said)
        self.transport.close()

    def _time_head(self) -> None:
        if not self.waits:
            _cancel(self._head)
            self._head = None
        elif self._head is None:
            self._head = self.loop.call_later(self._bounds.head_seconds, self.end, _TOO_SLOW)

    def _check_taking(self, before: int) -> None:
        """End a connection that has taken nothing for so long; a slow one goes on."""
        left = self.transport.get_write_buffer_size()
        if left >= before:
            self.transport.abort()
        else:
            self._taking = self.loop.call_later(self._bounds.write_seconds, self._check_taking, left)


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
