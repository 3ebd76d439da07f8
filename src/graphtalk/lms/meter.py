"""What one run asks of a model, added up."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphtalk.lms.protocol import LanguageModel, Reply, Request, Usage


@dataclass
class Meter:
    """A model whose `usage` says what was asked through it since it was made, by however many threads."""

    inner: LanguageModel
    usage: Usage = field(default_factory=Usage)
    _adding: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the model inside."""
        return self.inner.name

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        reply = self.inner.complete(request)
        self._add(reply)
        return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes."""
        for piece in self.inner.stream(request):
            if isinstance(piece, Reply):
                self._add(piece)
            yield piece

    def _add(self, reply: Reply) -> None:
        with self._adding:
            self.usage += reply.usage
