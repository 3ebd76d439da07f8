"""What a server is set to: where it listens, whom it lets in, and how much each may ask for."""

import hashlib
import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from graphtalk.core import UsageError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]", "::1")
TOKEN = "GRAPHTALK_TOKEN"
SHORTEST_TOKEN = 16
PREFIX = re.compile(r"(/[\w.~-]{1,100}){1,10}", re.ASCII)  # a path under which a proxy shows a server


@dataclass(frozen=True)
class Bounds:
    """How much is taken and given. Sizes in bytes and entries, times in seconds, rates per client and minute.

    Without a model, `workers` answers of one client are made at a time, one more of others, and beside them `running` that have
    taken more than `quick` seconds; none takes more than `seconds`. With a model, which mostly waits, `running_lm`. `waiting` requests may
    wait for their turn, each for `patience` seconds.

    A client has `client_connections` open at a time, all together `connections`; each sends a request's head within `head_seconds` and its body within
    `body_seconds`, and takes what it is sent within `write_seconds`. `client_usd` is what one client may spend as long as
    the server runs; 0 is no bound. Answers of `kept` bytes together are kept for who asks the same again. An address may give `wrong_tokens` a minute. `upload` is the most that a file
    to import may have, which has `upload_seconds` to come; 0: none is taken.
    """

    body: int = 1 << 20
    head_seconds: float = 10.0
    body_seconds: float = 10.0
    write_seconds: float = 60.0
    entries: int = 10_000
    workers: int = 2
    quick: float = 1.0
    running: int = 4
    seconds: float = 300.0
    running_lm: int = 32
    waiting: int = 2_000
    patience: float = 30.0
    connections: int = 8_192
    client_connections: int = 128
    client_running: int = 32
    client_rate: int = 600
    client_usd: float = 0.0
    clients: int = 10_000
    wrong_tokens: int = 10
    kept: int = 64 << 20
    upload: int = 0
    upload_seconds: float = 120.0
    heartbeat: float = 10.0


@dataclass(frozen=True)
class ServerSettings:
    """A server. `tokens` maps each secret to the client that it stands for; none: everybody on this machine.

    `names` are the hosts it answers for, beside those of this machine; `origins` the other sites whose pages may
    ask it. `keep` is the file of conversations, `uploads` the folder of graphs that were uploaded. `proxies` are addresses and networks whose X-Forwarded headers are
    believed; `root_path` is the path under which a proxy shows the server.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    tokens: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    keep: Path | None = None
    bounds: Bounds = Bounds()
    proxies: tuple[str, ...] = ()
    root_path: str = ""
    uploads: Path | None = None

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and not self.tokens:
            raise UsageError(
                f"--host {self.host} can be reached by other machines: set {TOKEN}, or name a file of tokens with "
                "--token-file."
            )
        if self.root_path and not PREFIX.fullmatch(self.root_path):
            raise UsageError(f"--root-path is a path such as /graphs, not {self.root_path!r}.")
        for proxy in self.proxies:
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise UsageError(
                    f"--trust-proxy is an address or a network, such as 10.0.0.7 or 10.0.0.0/24, not {proxy!r}."
                ) from None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches `host`."""
    if host.casefold() in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def tokens(file: Path | None) -> tuple[tuple[str, str], ...]:
    """The tokens of the environment and of a file, one a line, each with what its client is known by.

    Raises UsageError for a file that cannot be read, and for a token that could be guessed.
    """
    found = [(value, "token") for value in [os.environ.get(TOKEN, "").strip()] if value]
    if file is not None:
        try:
            lines = [line.strip() for line in file.read_text(encoding="utf-8").splitlines()]
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"--token-file {file} cannot be read: {error}.") from None
        found += [(line, f"token {n}") for n, line in enumerate(lines, 1) if line]
        if not any(lines):
            raise UsageError(f"--token-file {file} has no token.")
    for token, name in found:
        if len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
            raise UsageError(
                f"The {name} is too easily guessed: use {SHORTEST_TOKEN} characters or more, such as "
                "python -c 'import secrets; print(secrets.token_urlsafe(32))' prints."
            )
    return tuple((token, f"token-{hashlib.sha256(token.encode()).hexdigest()[:12]}") for token, _ in found)
