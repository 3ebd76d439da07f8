"""How many requests may be under way at once."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

from graphtalk.lms.protocol import Layer, Reply, Request


@dataclass(frozen=True)
class Limited(Layer):
    """A model that is asked by as many threads at once as `slots` has room for; others wait."""

    slots: threading.BoundedSemaphore

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        with self.slots:
            return self.inner.complete(request)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes. The slot is free again when the stream ends or is dropped."""
        with self.slots:
            yield from self.inner.stream(request)
