"""A SPARQL endpoint of ours on the loopback, over pyoxigraph, that misbehaves as it is told to.

    with SparqlServer(path_of_triples) as server:
        server.fault = drops
        open_address(server.address)

`server.asked` has the queries that came.
"""

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs

import pyoxigraph

Fault = Callable[["Handler", str, bytes], None]
JSON = "application/sparql-results+json"


class Handler(BaseHTTPRequestHandler):
    """Answers queries that are posted; `fault` of the server may answer instead."""

    server: "_Http"

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        sparql = parse_qs(self.rfile.read(length).decode())["query"][0]
        owner = self.server.owner
        owner.asked.append((self.path, self.headers.get("Authorization", ""), sparql))
        try:
            found = owner.store.query(sparql)
            body = found.serialize(format=pyoxigraph.QueryResultsFormat.JSON)
        except SyntaxError as error:
            return self.reply(400, str(error).encode())
        if owner.fault is not None:
            return owner.fault(self, sparql, body)
        return self.reply(200, body)

    def reply(self, status: int, body: bytes) -> None:
        """A whole reply."""
        self.send_response(status)
        self.send_header("Content-Type", JSON)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


def hangs(handler: Handler, sparql: str, body: bytes) -> None:
    """No reply for long."""
    time.sleep(5)


def drips(handler: Handler, sparql: str, body: bytes) -> None:
    """A reply, letter by letter."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for place in range(len(body)):
        time.sleep(0.2)
        handler.wfile.write(body[place : place + 1])
        handler.wfile.flush()


def drops(handler: Handler, sparql: str, body: bytes) -> None:
    """A reply whose second half never comes."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body) + 1000))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.connection.close()


def says(status: int, body: bytes) -> Fault:
    """The same reply to everything."""
    return lambda handler, sparql, _: handler.reply(status, body)


def million(handler: Handler, sparql: str, body: bytes) -> None:
    """A million rows, whatever limit was asked for."""
    row = b'{"n0":{"type":"uri","value":"http://films.example/person/00"}},'
    rows = row * 1_000_000
    handler.reply(200, b'{"head":{"vars":["n0"]},"results":{"bindings":[' + rows[:-1] + b"]}}")


class _Http(ThreadingHTTPServer):
    owner: "SparqlServer"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up is no error."""


class SparqlServer:
    """The server, running inside its `with` block."""

    def __init__(self, triples: Path) -> None:
        self.store = pyoxigraph.Store()
        self.store.bulk_load(path=str(triples), format=pyoxigraph.RdfFormat.N_TRIPLES)
        self.fault: Fault | None = None
        self.asked: list[tuple[str, str, str]] = []
        self._http = _Http(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._http.owner = self

    @property
    def address(self) -> str:
        """What it is asked by."""
        return f"sparql+http://127.0.0.1:{self._http.server_address[1]}/films"

    def __enter__(self) -> "SparqlServer":
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
