"""How long a client may take on the wire, and how much of it may be its: all over real sockets."""

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx2
import pytest

import graphtalk as gt
from graphtalk.app.serve import listening
from graphtalk.app.server.clients import address
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.tokens import Tokens
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import UsageError
from site_server import serving

HALF = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
SECRET = "a-secret-of-enough-letters"


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf.of([gt.open("atlas")], Settings())


@pytest.fixture(scope="module")
def url(shelf: Shelf) -> Iterator[str]:
    bounds = Bounds(head_seconds=1.0, write_seconds=0.5, client_connections=20, client_rate=100_000)
    with serving(shelf, ServerSettings(bounds=bounds)) as url:
        yield url


def connected(url: str) -> socket.socket:
    host, port = url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=60)


def heard(line: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    found = b""
    try:
        while piece := line.recv(65_536):
            found += piece
    except ConnectionResetError:
        pass
    return found


def test_a_head_that_does_not_end_is_given_up(url: str) -> None:
    with connected(url) as line:
        line.sendall(HALF)
        assert heard(line).startswith(b"HTTP/1.1 408")


def test_a_head_that_comes_drop_by_drop_is_given_up_as_soon(url: str) -> None:
    with connected(url) as line, pytest.raises(OSError):
        line.sendall(HALF)
        for _ in range(100):
            time.sleep(0.1)
            line.sendall(b"x")


def test_a_second_head_is_timed_like_the_first(url: str) -> None:
    with connected(url) as line:
        line.sendall(WHOLE)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")
        line.sendall(HALF)
        assert b"HTTP/1.1 408" in heard(line)


def test_a_connection_that_says_nothing_is_closed(url: str) -> None:
    with connected(url) as line:
        assert b"408" in heard(line)


def test_who_opens_many_connections_closes_their_own_and_the_server_stays_reachable() -> None:
    bounds = Bounds(client_connections=20)
    with serving(Shelf.of([gt.open("atlas")], Settings()), ServerSettings(bounds=bounds)) as url:
        lines = [connected(url) for _ in range(260)]
        for line in lines:
            line.settimeout(0.01)
            with suppress(OSError):  # closed already, for later ones took its place
                line.sendall(HALF)
        assert httpx2.get(f"{url}/healthz", timeout=300).status_code == 200
        until = time.monotonic() + 300
        while (still := sum(map(_is_open, lines))) >= 20 and time.monotonic() < until:
            pass  # the server is closing them
        assert still < 20
        for line in lines:
            line.close()


def test_who_has_too_many_connections_is_told_so_with_a_time_to_wait() -> None:
    with serving(
        Shelf.of([gt.open("atlas")], Settings()), ServerSettings(bounds=Bounds(client_connections=2))
    ) as url:
        lines = [connected(url) for _ in range(3)]
        head, _, said = heard(lines[0]).partition(b"\r\n\r\n")
        for line in lines:
            line.close()
    assert head.startswith(b"HTTP/1.1 429 ") and b"Retry-After: " in head
    assert json.loads(said)["status"] == 429


def _is_open(line: socket.socket) -> bool:
    try:
        return bool(line.recv(10)) and False
    except TimeoutError:
        return True
    except OSError:
        return False


def test_all_connections_together_are_bounded_and_those_at_work_are_left_alone() -> None:
    bounds = Bounds(connections=10)
    asked = {"graph": "atlas", "question": "What is the capital of Japan?"}
    with (
        serving(Shelf.of([gt.open("atlas")], Settings()), ServerSettings(bounds=bounds)) as url,
        httpx2.Client(base_url=url, timeout=300) as client,
        ThreadPoolExecutor(4) as threads,
    ):
        replies = [threads.submit(client.post, "/v1/ask", json=asked, timeout=300) for _ in range(4)]
        time.sleep(1)  # they are at work now, or done
        lines = [connected(url) for _ in range(30)]
        assert [reply.result().status_code for reply in replies] == [200] * 4
        for line in lines:
            line.close()


def test_who_takes_nothing_of_a_long_answer_is_cut_off(url: str) -> None:
    with connected(url) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        line.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 200)
        time.sleep(3)
        with pytest.raises(OSError):
            for _ in range(100):
                line.sendall(b"x" * 65_536)
                time.sleep(0.01)


def test_what_is_sent_is_sent_at_once(shelf: Shelf) -> None:
    """Answers on one connection: without TCP_NODELAY each waits 40 ms for the other end's acknowledgement."""
    with serving(shelf, ServerSettings()) as url, httpx2.Client(base_url=url, timeout=300) as client:
        client.get("/healthz")

        def seconds() -> float:
            started = time.perf_counter()
            client.get("/healthz")
            return time.perf_counter() - started

        assert any(seconds() < 0.03 for _ in range(500))  # on a busy machine not each, but some


def test_a_host_is_heard_at_all_its_addresses() -> None:
    for host in ("localhost", "127.0.0.1", "::1"):
        listeners = listening(host, 0)
        try:
            assert all(listener.getsockname()[1] for listener in listeners)
        finally:
            for listener in listeners:
                listener.close()
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UsageError, match="--port"):
        listening("127.0.0.1", taken.getsockname()[1])
    with pytest.raises(UsageError, match="Cannot listen"):
        listening("192.0.2.1", 0)


def test_one_person_of_many_addresses_is_one_client() -> None:
    assert address("2001:db8:1:2::1") == address("2001:db8:1:2:ffff::9") != address("2001:db8:1:3::1")
    assert address("::ffff:192.0.2.7") == "192.0.2.7" and address("fe80::1%eth0") == "fe80::"


def test_guessing_tokens_is_slow_and_disturbs_nobody_who_has_one() -> None:
    now = [0.0]
    tokens = Tokens(((SECRET, "me"), (SECRET[::-1], "you")), wrong_a_minute=3, clock=lambda: now[0])
    right, other = f"Bearer {SECRET}", f"Bearer {SECRET[::-1]}"
    assert tokens.client("a", right) == "me"

    def status(address: str, given: str) -> int:
        with pytest.raises(ProblemError) as refused:
            tokens.client(address, given)
        return refused.value.status_code

    assert [status("a", f"Bearer guess {n}") for n in range(5)] == [401] * 3 + [429] * 2
    assert status("a", other) == 429, "a right guess looks like a wrong one"
    assert tokens.client("a", right) == "me"
    assert tokens.client("b", other) == "you"
    assert [status("c", "") for _ in range(5)] == [401] * 5, "no token is no guess"
    now[0] = 20.0
    assert tokens.client("a", other) == "you"
    assert status("a", "Bearer guess") == 401 and status("a", "Basic guess") == 429


def test_wrong_tokens_are_slowed_down_over_the_wire(shelf: Shelf) -> None:
    bounds = Bounds(wrong_tokens=5)
    settings = ServerSettings(tokens=((SECRET, "me"),), bounds=bounds)
    with serving(shelf, settings) as url, httpx2.Client(base_url=url, timeout=300) as client:
        statuses = [client.get("/v1/graphs", headers={"Authorization": f"Bearer wrong{n}"}) for n in range(8)]
        assert [reply.status_code for reply in statuses] == [401] * 5 + [429] * 3
        assert int(statuses[-1].headers["retry-after"]) > 0
