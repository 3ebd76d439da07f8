"""The site on a real socket, for tests: `serving(...)` gives its address and stops it afterwards."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from graphtalk.app.serve import configured
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.site import site
from graphtalk.app.shelf import Shelf

BOUNDS = Bounds()


def serving(shelf: Shelf, settings: ServerSettings) -> AbstractContextManager[str]:
    """The address of a server of `shelf`, without a slash at its end."""
    return running(site(shelf, settings), settings.bounds)


@contextmanager
def running(app: ASGIApp, bounds: Bounds = BOUNDS) -> Iterator[str]:
    """The address of a server of an application."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(configured(app, bounds, grace=5))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        until = time.monotonic() + 300
        while not server.started and time.monotonic() < until:
            time.sleep(0.01)
        assert server.started
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()
