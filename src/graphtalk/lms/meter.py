"""What one run asks of a model, added up."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from graphtalk.lms.protocol import LanguageModel, Reply, Request, Usage


@dataclass
class Meter:
    """A model whose `usage` says what was asked through it since it was made."""

    inner: LanguageModel
    usage: Usage = field(default_factory=Usage)

    @property
    def name(self) -> str:
        """The name of the model inside."""
        return self.inner.name

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        reply = self.inner.complete(request)
        self.usage += reply.usage
        return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes."""
        for piece in self.inner.stream(request):
            if isinstance(piece, Reply):
                self.usage += piece.usage
            yield piece
