"""A server of ours that speaks Bolt 5.0 on the loopback: what it is asked in Cypher runs over a graph of ours.

    with BoltServer(graph) as server:
        open_address(server.address)

`server.asked` has the queries and the modes of their sessions; `server.fault` may answer instead of it.
"""

import contextlib
import re
import socketserver
import struct
import threading
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from types import TracebackType
from typing import Any

from graphtalk.app.ask import session
from graphtalk.app.querying import run
from graphtalk.core import GraphtalkError
from graphtalk.engines.arrays.columns import values_of
from graphtalk.graphs import Graph

Fault = Callable[["Handler"], None]
HELLO, GOODBYE, RESET, RUN, PULL, BEGIN, COMMIT, ROLLBACK = 0x01, 0x02, 0x0F, 0x10, 0x3F, 0x11, 0x12, 0x13
SUCCESS, RECORD, IGNORED, FAILURE = 0x70, 0x71, 0x7E, 0x7F
EPOCH = date(1970, 1, 1)


def packed(value: Any) -> bytes:
    """A value in PackStream."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return b"\xcb" + struct.pack(">q", value)
    if isinstance(value, float):
        return b"\xc1" + struct.pack(">d", value)
    if isinstance(value, date):
        return b"\xb1\x44" + packed((value - EPOCH).days)
    if isinstance(value, str):
        text = value.encode()
        return b"\xd2" + struct.pack(">I", len(text)) + text
    if isinstance(value, list):
        return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
    assert isinstance(value, dict), value
    pairs = b"".join([packed(key) + packed(each) for key, each in value.items()])
    return b"\xda" + struct.pack(">I", len(value)) + pairs


def unpacked(data: bytes) -> tuple[int, list[Any]]:
    """A message: its tag and its fields."""
    fields = _values(data[2:], data[0] & 0x0F)
    return data[1], fields


def _values(data: bytes, count: int) -> list[Any]:
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    def value() -> Any:
        mark = take(1)[0]
        if mark < 0x80:
            return mark
        if mark >= 0xF0:
            return mark - 0x100
        small, kind = mark & 0x0F, mark & 0xF0
        if kind == 0x80:
            return take(small).decode()
        if kind == 0x90:
            return [value() for _ in range(small)]
        if kind == 0xA0:
            return {value(): value() for _ in range(small)}
        if kind == 0xB0:
            tag = take(1)[0]
            inside = [value() for _ in range(small)]
            assert tag == 0x44, tag
            return EPOCH + timedelta(inside[0])
        if mark in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[mark]
        if mark == 0xC1:
            return struct.unpack(">d", take(8))[0]
        sizes = {0xC8: "b", 0xC9: "h", 0xCA: "i", 0xCB: "q"}
        if mark in sizes:
            form = sizes[mark]
            return struct.unpack(f">{form}", take(struct.calcsize(form)))[0]
        width = {0: "B", 1: "H", 2: "I"}[(mark & 0x0F) % 4]
        size = struct.unpack(f">{width}", take(struct.calcsize(width)))[0]
        if kind == 0xD0 and mark < 0xD4:
            return take(size).decode()
        return [value() for _ in range(size)] if mark < 0xD8 else {value(): value() for _ in range(size)}

    return [value() for _ in range(count)]


class Handler(socketserver.BaseRequestHandler):
    """One connection."""

    server: "_Tcp"

    def handle(self) -> None:
        with contextlib.suppress(ConnectionError, EOFError):
            self._talk()

    def _talk(self) -> None:
        owner = self.server.owner
        assert self._exactly(4) == b"\x60\x60\xb0\x17"
        self._exactly(16)
        self.request.sendall(b"\x00\x00\x00\x05")
        rows: Iterator[list[Any]] = iter(())
        for tag, fields in self._messages():
            if tag == HELLO:
                owner.hellos.append(fields[0])
                self.say(SUCCESS, {"server": "Films/1.0", "connection_id": "bolt-1"})
            elif tag == RUN:
                owner.asked.append((fields[0], fields[2].get("mode", "w")))
                if owner.fault is not None:
                    owner.fault(self)
                try:
                    names, rows = owner.run(fields[0], fields[1])
                except GraphtalkError as error:
                    self.say(
                        FAILURE, {"code": "Neo.ClientError.Statement.SyntaxError", "message": str(error)}
                    )
                    continue
                self.say(SUCCESS, {"fields": names, "t_first": 0})
            elif tag == PULL:
                many = fields[0].get("n", -1)
                more = False
                for sent, row in enumerate(rows, 1):
                    self.say(RECORD, row)
                    if sent == many:
                        more = True
                        break
                self.say(SUCCESS, {"has_more": True} if more else {"type": "r", "t_last": 0})
            elif tag == GOODBYE:
                return
            else:
                self.say(SUCCESS, {})

    def say(self, tag: int, field: Any) -> None:
        """A message, in one chunk or several."""
        data = bytes([0xB1, tag]) + packed(field)
        for start in range(0, len(data), 0xFFFF):
            part = data[start : start + 0xFFFF]
            self.request.sendall(struct.pack(">H", len(part)) + part)
        self.request.sendall(b"\x00\x00")

    def _messages(self) -> Iterator[tuple[int, list[Any]]]:
        while True:
            data = b""
            while size := struct.unpack(">H", self._exactly(2))[0]:
                data += self._exactly(size)
            if data:
                yield unpacked(data)

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self.request.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data


class _Tcp(socketserver.ThreadingTCPServer):
    owner: "BoltServer"
    daemon_threads = True
    allow_reuse_address = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no error."""


class BoltServer:
    """The server, running inside its `with` block."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.fault: Fault | None = None
        self.asked: list[tuple[str, str]] = []
        self.hellos: list[dict[str, Any]] = []
        self._tcp = _Tcp(("127.0.0.1", 0), Handler)
        self._tcp.owner = self

    @property
    def address(self) -> str:
        """What it is asked by."""
        return f"bolt://127.0.0.1:{self._tcp.server_address[1]}"

    def run(self, cypher: str, given: dict[str, Any]) -> tuple[list[str], Iterator[list[Any]]]:
        """The names and the rows of a query. Dates among the parameters are written out."""
        for name, value in given.items():
            if isinstance(value, date):
                cypher = re.sub(rf"\${name}\b", f"date('{value}')", cypher)
        rest = {name: value for name, value in given.items() if not isinstance(value, date)}
        found = run(session(self.graph), cypher, rest)
        columns = [values_of(column) for column in found.table.columns]
        return found.columns, iter([list(row) for row in zip(*columns, strict=True)])

    def __enter__(self) -> "BoltServer":
        threading.Thread(target=self._tcp.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tcp.shutdown()
        self._tcp.server_close()
