"""Who asks, by the token of a request. Guessing is slow."""

import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from graphtalk.app.server.problems import ProblemError

MOST_ADDRESSES = 10_000  # whose wrong tokens are remembered


@dataclass
class _Guesses:
    """Wrong tokens that an address may still give, when they were counted, and the clients that it was right about."""

    left: float
    counted: float
    known: set[str] = field(default_factory=set)


@dataclass
class Tokens:
    """The tokens of a server, each with the client that it stands for.

    An address may give so many wrong ones a minute. Then it is not told whether a token is right, except for one that it
    has used before: others at the same address, behind a proxy say, go on.
    """

    tokens: Sequence[tuple[str, str]]
    wrong_a_minute: int
    clock: Callable[[], float] = time.monotonic
    _known: "OrderedDict[str, _Guesses]" = field(default_factory=OrderedDict)

    def client(self, address: str, authorization: str) -> str:
        """The client of a token. Raises ProblemError 401 for a wrong one, 429 after too many."""
        scheme, _, given = authorization.partition(" ")
        found = self._named(given.strip()) if scheme.casefold() == "bearer" else ""
        guesses = self._guesses(address)
        if found and found in guesses.known:
            return found
        if authorization and guesses.left < 1:
            wait = str(max(1, round((1 - guesses.left) * 60 / self.wrong_a_minute)))
            raise ProblemError(429, "Too many wrong tokens from your address.", {"Retry-After": wait})
        if not found:
            guesses.left -= 1 if authorization else 0
            raise ProblemError(
                401, "A token is needed: Authorization: Bearer TOKEN.", {"WWW-Authenticate": "Bearer"}
            )
        guesses.known.add(found)
        return found

    def _named(self, given: str) -> str:
        found = ""
        for token, name in self.tokens:  # all of them: how long it takes tells nothing
            if hmac.compare_digest(_hash(given), _hash(token)):
                found = name
        return found

    def _guesses(self, address: str) -> _Guesses:
        now, most = self.clock(), self.wrong_a_minute
        found = self._known.pop(address, None) or _Guesses(most, now)
        found.left = min(most, found.left + (now - found.counted) * most / 60)
        found.counted = now
        self._known[address] = found
        if len(self._known) > MOST_ADDRESSES:
            self._known.popitem(last=False)
        return found


def _hash(text: str) -> bytes:
    """A digest, so that texts of any length compare in the same time."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
