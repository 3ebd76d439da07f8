"""Turns at what there is only so much of, shared fairly: clients take them in rotation, however often each asks."""

import asyncio
from collections import Counter, OrderedDict, deque
from dataclasses import dataclass, field

from graphtalk.app.server.problems import ProblemError


@dataclass
class Lane:
    """So many turns at a time. One client has at most all but one of them, so that one is there for somebody else.

    Who waits longer than `patience` seconds is refused. Used by the event loop's thread alone.
    """

    places: int
    patience: float
    _taken: Counter[str] = field(default_factory=Counter)
    _waiting: "OrderedDict[str, deque[asyncio.Future[None]]]" = field(default_factory=OrderedDict)

    async def enter(self, client: str) -> "Turn":
        """A turn, once it is this client's. Raises ProblemError 429 where that takes too long."""
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(mine)
        self._call_next()
        try:
            called, _ = await asyncio.wait({mine}, timeout=self.patience)
        except asyncio.CancelledError:
            self._withdraw(client, mine)
            raise
        if not called:
            self._withdraw(client, mine)
            wait = str(max(1, round(self.patience / 2)))
            raise ProblemError(
                429, f"Too busy: no turn came within {self.patience:g} s.", {"Retry-After": wait}
            )
        return Turn(self, client)

    def enter_now(self, client: str) -> "Turn | None":
        """A turn, where one is free. It is taken from nobody: who waits has no place that this client could have."""
        if not self._has_place(client):
            return None
        self._taken[client] += 1
        return Turn(self, client)

    def _leave(self, client: str) -> None:
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]
        self._call_next()

    def _has_place(self, client: str) -> bool:
        return self._taken.total() < self.places and self._taken[client] < max(1, self.places - 1)

    def _call_next(self) -> None:
        """Give what is free to the clients that wait, one turn each, and then to the end of the line with them."""
        while called := next((client for client in self._waiting if self._has_place(client)), None):
            mine = self._waiting[called].popleft()
            self._waiting.move_to_end(called)
            self._drop_if_empty(called)
            self._taken[called] += 1
            mine.set_result(None)

    def _withdraw(self, client: str, mine: "asyncio.Future[None]") -> None:
        if mine.done():  # called in the very moment that nobody wanted it any more
            self._leave(client)
        else:
            self._waiting[client].remove(mine)
            self._drop_if_empty(client)

    def _drop_if_empty(self, client: str) -> None:
        if not self._waiting[client]:
            del self._waiting[client]


@dataclass
class Turn:
    """A turn in a lane, until it is left."""

    lane: Lane
    client: str

    def leave(self) -> None:
        """Give the turn back."""
        self.lane._leave(self.client)

    def move(self, lane: Lane) -> bool:
        """Change to another lane, where that has a turn free; whether it had."""
        if lane.enter_now(self.client) is None:
            return False
        self.leave()
        self.lane = lane
        return True
