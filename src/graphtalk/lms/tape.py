"""What models replied, kept in one SQLite file. The one file has three uses:

    Taped(lm, Tape.open(path), "cache")      shared by runs: a hit costs no money and counts as a cached call
    Taped(lm, Tape.open(path), "record")     of one run: a hit gives the reply exactly as it was paid for, so that
                                             a run that was killed pays nothing twice and gives the same records
    Replayed(name, Tape.read(path))          no model at all: what was not recorded is an LmError

A reply is found by the model's name and the whole request. Failures are never kept. Requests hold no API keys,
so a tape holds none. Every reply is written at once; a process that is killed leaves a valid tape.
"""

import contextlib
import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from graphtalk.core import LmError, UsageError
from graphtalk.lms.protocol import Layer, Message, Reply, Request, ToolCall, Usage, in_one_piece

Use: TypeAlias = Literal["cache", "record"]

MAGIC = b"SQLite format 3\0"
APPLICATION = 0x67744C4D  # in SQLite's header: tells a tape from every other database ("gtLM")
VERSION = 1  # of the format: the table, the key and both JSON texts
VERSION_AT, APPLICATION_AT, HEADER = 60, 68, 100  # places in SQLite's header, in bytes
BUSY = 30.0  # seconds to wait for another process that writes
PATIENCE = (
    600.0  # seconds to wait for another thread that asks the same: its reader may have left a stream open
)
PAGE = 100  # rows read at a time when a tape is gone through
TABLE = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, lm TEXT, request TEXT, reply TEXT)"


@dataclass(frozen=True)
class Recorded:
    """One reply of a tape: who was asked, what, and what came back."""

    lm: str
    request: Request
    reply: Reply


@dataclass(frozen=True)
class Flight:
    """A request that is being asked: by which thread, and whether it is over."""

    thread: int = field(default_factory=threading.get_ident)
    over: threading.Event = field(default_factory=threading.Event)


class Tape:
    """Replies by key. Safe for many threads of a process, and for many processes that each open it."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.Lock()
        self._flights: dict[str, Flight] = {}

    @classmethod
    def open(cls, path: str | Path) -> "Tape":
        """The tape of a file, or a new one. Raises UsageError, and leaves the file alone, where it is no tape."""
        place = Path(path)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            _check(place)
            connection = _connect(place, "mode=rwc")
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"Cannot open the tape {path}: {error}.") from error
        try:
            _prepare(connection)
        except sqlite3.Error as error:
            connection.close()
            raise UsageError(f"Cannot write the tape {path}: {error}.") from error
        return cls(place, connection)

    @classmethod
    def read(cls, path: str | Path) -> "Tape":
        """The tape of a file, to read only. Raises UsageError where there is none."""
        place = Path(path)
        if not place.is_file():
            raise UsageError(f"There is no recording at {path}.")
        # Without a write-ahead log nobody has it open to write, so it can be read without SQLite's helper files: they
        # would be left behind, and have no place in a folder that cannot be written.
        at_rest = not Path(f"{place}-wal").exists()
        try:
            _check(place)
            return cls(place, _connect(place, "mode=ro&immutable=1" if at_rest else "mode=ro"))
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"Cannot read the tape {path}: {error}.") from error

    def get(self, key: str) -> Reply | None:
        """The reply that is kept under a key. Raises LmError where the file cannot be read."""
        rows = self._run("SELECT reply FROM replies WHERE key = ?", (key,))
        return _to_reply(json.loads(rows[0][0])) if rows else None

    def put(self, key: str, lm: str, request: Request, reply: Reply) -> None:
        """Keep a reply. One that is kept already stays. Raises LmError where the file cannot be written."""
        row = (key, lm, canonical(request), json.dumps(reply, default=_plain))
        self._run("INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)", row)

    def __len__(self) -> int:
        (count,) = self._run("SELECT count(*) FROM replies")[0]
        return int(count)

    def __iter__(self) -> Iterator[Recorded]:
        """What is kept, in the order in which it was kept."""
        last = 0
        query = "SELECT rowid, lm, request, reply FROM replies WHERE rowid > ? ORDER BY rowid LIMIT ?"
        while rows := self._run(query, (last, PAGE)):
            for _, lm, request, reply in rows:
                yield Recorded(lm, _to_request(json.loads(request)), _to_reply(json.loads(reply)))
            last = rows[-1][0]

    @contextlib.contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Inside, no other thread asks under this key. Who waited looks at the tape again."""
        mine = Flight()
        while True:
            with self._lock:
                flight = self._flights.setdefault(key, mine)
            # A thread never waits for itself: it may have left a stream of its own half read.
            if flight.thread == mine.thread or not flight.over.wait(PATIENCE):
                break
        try:
            yield
        finally:
            if flight is mine:
                with self._lock:
                    del self._flights[key]
                mine.over.set()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _run(self, statement: str, values: tuple[str | int, ...] = ()) -> list[Any]:
        try:
            with self._lock:
                return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise LmError(f"The tape {self.path} cannot be used: {error}.") from error


@dataclass(frozen=True)
class Taped(Layer):
    """A model whose replies are kept, and taken from the tape where they are there.

    `scope` sets apart what the model's name does not tell, such as the server's address: models of one name at two
    servers share no cached replies. A recording needs none, for it is of one run.
    """

    tape: Tape
    use: Use = "cache"
    scope: str = ""

    def complete(self, request: Request) -> Reply:
        """The kept reply, or the model's. Threads that ask the same at once ask the model once."""
        key = key_of(self.name, request, self.scope)
        with self.tape.alone(key):
            if (hit := self._kept(key)) is not None:
                return hit
            reply = self.inner.complete(request)
            self.tape.put(key, self.name, request, reply)
            return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The kept reply in one piece; else the model's pieces as they come, kept when the last has come."""
        key = key_of(self.name, request, self.scope)
        with self.tape.alone(key):
            if (hit := self._kept(key)) is not None:
                yield from in_one_piece(hit)
                return
            for piece in self.inner.stream(request):
                if isinstance(piece, Reply):
                    self.tape.put(key, self.name, request, piece)
                yield piece

    def _kept(self, key: str) -> Reply | None:
        reply = self.tape.get(key)
        if reply is None or self.use == "record":
            return reply
        return replace(reply, usage=replace(reply.usage, usd=0.0, cached_calls=reply.usage.calls))


@dataclass(frozen=True)
class Replayed:
    """A recording in place of the model that it is of."""

    name: str
    tape: Tape

    def complete(self, request: Request) -> Reply:
        """The reply that was recorded. Raises LmError where there is none."""
        reply = self.tape.get(key_of(self.name, request))
        if reply is None:
            about = request.messages[-1].content[:80] if request.messages else ""
            raise LmError(
                f"The recording {self.tape.path} has no reply of {self.name} to this request ({about!r}…): "
                "the run was recorded with another model, other settings or another version."
            )
        return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply in one piece."""
        yield from in_one_piece(self.complete(request))


def key_of(lm: str, request: Request, scope: str = "") -> str:
    """What a reply is kept under: SHA-256 of the model's name, the scope if any, and the request."""
    head = json.dumps([lm, scope] if scope else [lm])
    return hashlib.sha256(f"{head}\n{canonical(request)}".encode()).hexdigest()


def canonical(request: Request) -> str:
    """A request as JSON with sorted names: equal requests give equal texts."""
    plain = {**vars(request), "temperature": float(request.temperature)}
    return json.dumps(plain, default=_plain, sort_keys=True)


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else vars(value)


def _to_request(shown: dict[str, Any]) -> Request:
    messages = tuple(Message(**{**m, "tool_calls": _to_calls(m)}) for m in shown["messages"])
    return Request(
        **{**shown, "messages": messages, "stop": tuple(shown["stop"]), "tools": tuple(shown["tools"])}
    )


def _to_reply(shown: dict[str, Any]) -> Reply:
    return Reply(**{**shown, "tool_calls": _to_calls(shown), "usage": Usage(**shown["usage"])})


def _to_calls(shown: dict[str, Any]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(**call) for call in shown["tool_calls"])


def _check(path: Path) -> None:
    """Look at the head of the file without opening it as a database, so that no other program's file is changed."""
    head = b""
    if path.exists():
        with path.open("rb") as file:
            head = file.read(HEADER)
    if not head:
        return
    application = int.from_bytes(head[APPLICATION_AT : APPLICATION_AT + 4])
    version = int.from_bytes(head[VERSION_AT : VERSION_AT + 4])
    if not head.startswith(MAGIC) or application != APPLICATION:
        raise UsageError(f"{path} is not a tape of graphtalk. Name another file, or a new one.")
    if version != VERSION:
        raise UsageError(f"{path} is a tape of format {version}; this version reads format {VERSION}.")


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?{mode}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY, isolation_level=None, check_same_thread=False)


def _prepare(connection: sqlite3.Connection) -> None:
    """Make the table where it is missing, in one transaction: a kill leaves an empty file or a whole tape."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(TABLE)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute("COMMIT")
    # The write-ahead log lets many read while one writes. Who opens the file just then may be turning it on.
    with contextlib.suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
