"""What a model thinks aloud (`<think>…</think>`) never reaches a reply."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphtalk.core.text import whole
from graphtalk.lms.pieces import Stops, Thinking, without_thinking
from graphtalk.lms.protocol import Layer, Reply, Request, Usage, in_one_piece
from graphtalk.lms.scripted import cut_at

ROOM = 8  # times as many tokens for a model that thought until they were used up


@dataclass
class Habits:
    """What was seen of a model: that a stop once cut its thinking, that its replies lack the opening tag, or that
    it used up all its tokens before it said anything.
    """

    cut_by_stops: bool = False
    headless: bool = False
    long: bool = False


@dataclass(frozen=True)
class Thoughtless(Layer):
    """A model without its thinking.

    A stop such as a newline ends the reply of a model that thinks before it has said anything. Such a model is
    asked again without stops, which are applied to what follows the thinking; from then on it is asked so at once.
    So it is with a model that used up its tokens before it said anything: it gets more.
    """

    habits: Habits = field(default_factory=Habits)

    def complete(self, request: Request) -> Reply:
        """The whole reply. Its usage counts all calls where it took several."""
        asked = self._as_asked(request)
        reply = self.inner.complete(asked)
        if self._is_learnt_from(asked, request, reply):
            return _with_usage(self.complete(request), reply.usage)
        return self._cleaned(request, reply)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces of what is not thinking, then the reply."""
        if self.habits.headless:
            yield from in_one_piece(self.complete(request))
            return
        thinking, stops = Thinking(), Stops(request.stop)
        asked = self._as_asked(request)
        for piece in self.inner.stream(asked):
            if isinstance(piece, str):
                if fresh := stops.feed(thinking.feed(whole(piece))):
                    yield fresh
            elif self._is_learnt_from(asked, request, piece):
                yield from in_one_piece(_with_usage(self.complete(request), piece.usage))
            else:
                if rest := stops.feed(thinking.finish()) + stops.finish():
                    yield rest
                yield self._cleaned(request, piece)

    def _as_asked(self, request: Request) -> Request:
        """The request as the model's habits want it."""
        return replace(
            request,
            stop=() if self.habits.cut_by_stops else request.stop,
            max_tokens=request.max_tokens * (ROOM if self.habits.long else 1),
        )

    def _is_learnt_from(self, asked: Request, request: Request, reply: Reply) -> bool:
        """Whether a silent reply shows a habit that `asked` did not heed yet; remembered, to be asked again.

        A stop ended it in its thinking, or right after it; or it used up its tokens.
        """
        thinking = without_thinking(reply.text)
        silent = not thinking.visible.strip() and not reply.tool_calls
        cut = bool(asked.stop) and silent and thinking.seen and reply.finish == "stop"
        long = asked.max_tokens == request.max_tokens and silent and reply.finish == "length"
        self.habits.cut_by_stops |= cut
        self.habits.long |= long
        return cut or long

    def _cleaned(self, request: Request, reply: Reply) -> Reply:
        thinking = without_thinking(whole(reply.text))
        self.habits.headless |= thinking.headless
        self.habits.cut_by_stops |= thinking.headless
        return replace(reply, text=cut_at(thinking.visible, request.stop))


def _with_usage(reply: Reply, more: Usage) -> Reply:
    return replace(reply, usage=more + reply.usage)
