"""A budget of tokens, US dollars and seconds that many threads share, and that a call can hardly overshoot."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from time import monotonic

from graphtalk.core import BudgetError
from graphtalk.lms.counting import prompt_text
from graphtalk.lms.prices import Price
from graphtalk.lms.protocol import Layer, Reply, Request, Usage

SLICE = 1.0  # seconds between two looks at the clock while waiting for other threads
LETTERS = 3  # a token of a prompt, at least so many on average: an upper estimate before the call


@dataclass(frozen=True)
class Budget:
    """What may be spent; 0 is no limit. Seconds are those of the clock, since the ledger was opened."""

    usd: float = 0.0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Hold:
    """What a call that is under way may cost at most, and which thread makes it."""

    tokens: int
    usd: float
    thread: int


@dataclass
class Ledger:
    """What of a budget is spent. One ledger may serve several models and any number of threads."""

    budget: Budget
    spent: Usage = field(default_factory=Usage)
    clock: Callable[[], float] = monotonic
    _holds: list[Hold] = field(default_factory=list)
    _changed: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _opened: float = field(init=False)

    def __post_init__(self) -> None:
        self._opened = self.clock()

    @contextmanager
    def held(self, tokens: int, usd: float) -> Iterator[None]:
        """While inside, so much is set aside. Raises BudgetError where it cannot be.

        Where other calls under way hold what is left, waits until they have cost less than they might.
        """
        hold = Hold(tokens, usd, threading.get_ident())
        with self._changed:
            while not self._fits(hold):
                if all(other.thread == hold.thread for other in self._holds):
                    raise BudgetError(self._message(hold))
                self._changed.wait(SLICE)
            self._holds.append(hold)
        try:
            yield
        finally:
            with self._changed:
                self._holds.remove(hold)
                self._changed.notify_all()

    def add(self, usage: Usage) -> None:
        """Note what a call cost."""
        with self._changed:
            self.spent += usage

    def _fits(self, hold: Hold) -> bool:
        """Whether the call can be afforded with all that are under way. Raises BudgetError once time is up."""
        budget = self.budget
        if budget.seconds and self.clock() - self._opened >= budget.seconds:
            raise BudgetError(f"The budget of {budget.seconds:g} seconds is spent, in {self._calls()}.")
        holds = [*self._holds, hold]
        tokens = self._tokens() + sum(h.tokens for h in holds)
        usd = self.spent.usd + sum(h.usd for h in holds)
        return not (budget.tokens and tokens > budget.tokens) and not (budget.usd and usd > budget.usd)

    def _message(self, hold: Hold) -> str:
        limit, spent, more = f"${self.budget.usd:g}", f"${self.spent.usd:.3g}", f"${hold.usd:.3g}"
        if self.budget.tokens and self._tokens() + hold.tokens > self.budget.tokens:
            limit, spent, more = f"{self.budget.tokens} tokens", f"{self._tokens()}", f"{hold.tokens} tokens"
        if not self.spent.calls:
            return f"The budget of {limit} is too small: one call may cost {more}."
        return f"The budget of {limit} is spent: {spent} in {self._calls()}. The next may cost {more}."

    def _tokens(self) -> int:
        return self.spent.input_tokens + self.spent.output_tokens

    def _calls(self) -> str:
        return f"{self.spent.calls} call{'' if self.spent.calls == 1 else 's'}"


@dataclass(frozen=True)
class Budgeted(Layer):
    """A model that is asked only while the ledger allows it. Several models may share the ledger."""

    ledger: Ledger
    price: Price

    def complete(self, request: Request) -> Reply:
        """The whole reply. Raises BudgetError where it cannot be afforded."""
        with self._held(request):
            reply = self.inner.complete(request)
            self.ledger.add(reply.usage)
            return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes. Raises BudgetError before the first piece."""
        with self._held(request):
            for piece in self.inner.stream(request):
                if isinstance(piece, Reply):
                    self.ledger.add(piece.usage)
                yield piece

    def _held(self, request: Request) -> AbstractContextManager[None]:
        prompt = -(-len(prompt_text(request)) // LETTERS)
        return self.ledger.held(prompt + request.max_tokens, self.price.usd(prompt, request.max_tokens))
