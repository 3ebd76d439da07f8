"""What each client may still ask for: requests a minute, answers at a time, money."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from graphtalk.app.server.config import Bounds
from graphtalk.app.server.problems import ProblemError


def address(host: str) -> str:
    """The client that an address stands for: of IPv6 the network of 64 bits, of which one person has all addresses.

    >>> address("::ffff:192.0.2.7"), address("2001:db8::1:2"), address("192.0.2.7")
    ('192.0.2.7', '2001:db8::', '192.0.2.7')
    """
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host or "local"
    if isinstance(found, ipaddress.IPv4Address):
        return host
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(found) if found.is_loopback else str(ipaddress.IPv6Address(int(found) >> 64 << 64))


@dataclass
class Client:
    """One client's account: requests that it has left, when they were counted, answers under way, US dollars spent."""

    left: float
    counted: float
    running: int = 0
    usd: float = 0.0


@dataclass
class Clients:
    """The accounts of all clients that came lately. Used by the event loop's thread alone."""

    bounds: Bounds
    clock: Callable[[], float] = time.monotonic
    _known: "OrderedDict[str, Client]" = field(default_factory=OrderedDict)

    def request(self, name: str) -> None:
        """Count a request. Raises ProblemError 429 where a client asks too often; the allowance refills steadily."""
        client, now = self._client(name), self.clock()
        refill = (now - client.counted) * self.bounds.client_rate / 60
        client.left = min(self.bounds.client_rate, client.left + refill)
        client.counted = now
        if client.left < 1:
            wait = max(1, round((1 - client.left) * 60 / self.bounds.client_rate))
            raise ProblemError(
                429, f"More than {self.bounds.client_rate} requests a minute.", {"Retry-After": str(wait)}
            )
        client.left -= 1

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        """Count an answer that is under way. Raises ProblemError where there are too many, or the money is spent."""
        client = self._client(name)
        if self.bounds.client_usd and client.usd >= self.bounds.client_usd:
            raise ProblemError(
                402, f"Your budget of ${self.bounds.client_usd:g} is spent: ${client.usd:.3g}."
            )
        if client.running >= self.bounds.client_running:
            raise ProblemError(
                429,
                f"{client.running} of your requests are under way, the most at a time.",
                {"Retry-After": "1"},
            )
        client.running += 1
        try:
            yield
        finally:
            client.running -= 1

    def spent(self, name: str, usd: float) -> None:
        """Note what an answer cost."""
        self._client(name).usd += usd

    def _client(self, name: str) -> Client:
        found = self._known.pop(name, None) or Client(self.bounds.client_rate, self.clock())
        self._known[name] = found
        while len(self._known) > self.bounds.clients:
            idle = next((n for n, c in self._known.items() if not c.running and n != name), None)
            if idle is None:
                break
            del self._known[idle]
        return found
