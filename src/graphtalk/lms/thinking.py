"""What a model thinks aloud (`<think>…</think>`) never reaches a reply."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphtalk.lms.pieces import Stops, Thinking, without_thinking
from graphtalk.lms.protocol import Layer, Reply, Request, Usage, in_one_piece
from graphtalk.lms.scripted import cut_at


@dataclass
class Habits:
    """What was seen of a model: that a stop once cut its thinking, or that its replies lack the opening tag."""

    cut_by_stops: bool = False
    headless: bool = False


@dataclass(frozen=True)
class Thoughtless(Layer):
    """A model without its thinking.

    A stop such as a newline ends the reply of a model that thinks before it has said anything. Such a model is
    asked again without stops, which are applied to what follows the thinking; from then on it is asked so at once.
    """

    habits: Habits = field(default_factory=Habits)

    def complete(self, request: Request) -> Reply:
        """The whole reply. Its usage counts both calls where it took two."""
        reply = self.inner.complete(self._as_asked(request))
        if self._was_cut(request, reply):
            return _with_usage(self.complete(request), reply.usage)
        return self._cleaned(request, reply)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of what is not thinking, then the reply."""
        if self.habits.headless:
            yield from in_one_piece(self.complete(request))
            return
        thinking, stops = Thinking(), Stops(request.stop)
        for piece in self.inner.stream(self._as_asked(request)):
            if isinstance(piece, str):
                if fresh := stops.feed(thinking.feed(piece)):
                    yield fresh
            elif self._was_cut(request, piece):
                yield from in_one_piece(_with_usage(self.complete(request), piece.usage))
            else:
                if rest := stops.feed(thinking.finish()) + stops.finish():
                    yield rest
                yield self._cleaned(request, piece)

    def _as_asked(self, request: Request) -> Request:
        return replace(request, stop=()) if self.habits.cut_by_stops else request

    def _was_cut(self, request: Request, reply: Reply) -> bool:
        """Whether a stop ended the reply in its thinking, or right after it; remembered."""
        thinking = without_thinking(reply.text)
        silent = thinking.seen and not thinking.visible and not reply.tool_calls
        cut = bool(request.stop) and not self.habits.cut_by_stops and silent and reply.finish == "stop"
        self.habits.cut_by_stops |= cut
        return cut

    def _cleaned(self, request: Request, reply: Reply) -> Reply:
        thinking = without_thinking(reply.text)
        self.habits.headless |= thinking.headless
        self.habits.cut_by_stops |= thinking.headless
        return replace(reply, text=cut_at(thinking.visible, request.stop))


def _with_usage(reply: Reply, more: Usage) -> Reply:
    return replace(reply, usage=more + reply.usage)
