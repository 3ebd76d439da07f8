"""A real HTTP server of files, with parts (Range), versions (ETag), and the faults that downloads meet."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Files:
    """What a server serves, how it misbehaves, and what it was asked for.

    `cut` closes the connection after so many bytes of each answer, `cuts` times in all. `drip` waits so many seconds
    after each kilobyte. `fail` answers so many requests with `status` first, `down_after` all after so many. `ranges`: whether it gives parts.
    """

    content: dict[str, bytes]
    cut: int = 0
    cuts: int = 0
    drip: float = 0.0
    fail: int = 0
    down_after: int | None = None
    status: int = 503
    ranges: bool = True
    sized: bool = True
    version: str = "1"
    asked: list[tuple[str, str]] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(files: Files) -> Iterator[Files]:
    """Serve `files` on a free port of this machine."""

    class Handler(_Handler):
        served = files

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    files.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield files
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Files
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        files = self.served
        wanted = self.headers.get("Range", "")
        files.asked.append((self.path, wanted))
        if files.fail or (files.down_after is not None and len(files.asked) > files.down_after):
            files.fail = max(0, files.fail - 1)
            self._head(files.status, 0)
            return
        if self.path not in files.content:
            self._head(404, 0)
            return
        content, start = files.content[self.path], 0
        part = re.fullmatch(r"bytes=(\d+)-", wanted)
        if part and files.ranges and self.headers.get("If-Range") == f'"{files.version}"':
            start = int(part[1])
            if start >= len(content):
                self._head(416, 0)
                return
            self._head(206, len(content) - start, f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self._head(200, len(content))
        self._body(content[start:])

    def _head(self, status: int, length: int, part: str = "") -> None:
        self.send_response(status)
        self.send_header("ETag", f'"{self.served.version}"')
        if part:
            self.send_header("Content-Range", part)
        if self.served.sized:
            self.send_header("Content-Length", str(length))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = not self.served.sized

    def _body(self, content: bytes) -> None:
        files = self.served
        if files.cuts:
            files.cuts -= 1
            content = content[: files.cut]
            self.close_connection = True
        try:
            for start in range(0, len(content), 1024):
                self.wfile.write(content[start : start + 1024])
                time.sleep(files.drip)
        except OSError:  # the client went away
            self.close_connection = True

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing: tests look at `asked`."""
