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
        if request.stop and self.habits.cut_by_stops:
            return self._without_stops(request)
        reply = self.inner.complete(request)
        if self._was_cut(request, reply):
            return _with_usage(self._without_stops(request), reply.usage)
        return self._cleaned(reply, ())

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of what is not thinking, then the reply."""
        if self.habits.headless:
            yield from in_one_piece(self.complete(request))
            return
        stops = request.stop if self.habits.cut_by_stops else ()
        asked = replace(request, stop=()) if stops else request
        filtered, cut = Thinking(), Stops(stops)
        for piece in self.inner.stream(asked):
            if isinstance(piece, str):
                if fresh := cut.feed(filtered.feed(piece)):
                    yield fresh
                continue
            if not stops and not filtered.visible.strip() and self._was_cut(request, piece):
                again = self._without_stops(request)
                yield from in_one_piece(_with_usage(again, piece.usage))
                return
            if rest := cut.feed(filtered.finish()) + cut.finish():
                yield rest
            yield self._cleaned(piece, stops)

    def _without_stops(self, request: Request) -> Reply:
        return self._cleaned(self.inner.complete(replace(request, stop=())), request.stop)

    def _was_cut(self, request: Request, reply: Reply) -> bool:
        """Whether a stop ended the reply within its thinking; remembered."""
        thinking = without_thinking(reply.text)
        cut = bool(request.stop) and thinking.inside and reply.finish == "stop" and not reply.tool_calls
        self.habits.cut_by_stops |= cut
        return cut

    def _cleaned(self, reply: Reply, stops: tuple[str, ...]) -> Reply:
        thinking = without_thinking(reply.text)
        self.habits.headless |= thinking.headless
        self.habits.cut_by_stops |= thinking.headless
        return replace(reply, text=cut_at(thinking.visible, stops))


def _with_usage(reply: Reply, more: Usage) -> Reply:
    return replace(reply, usage=more + reply.usage)
