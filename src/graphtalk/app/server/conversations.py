"""Conversations on disk: what was asked and answered, kept over reloads, restarts and crashes."""

import json
import secrets
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from graphtalk.core import JSON, UsageError
from graphtalk.graphs.scratch import cache_folder, data_folder, private

_TABLES = """
CREATE TABLE IF NOT EXISTS conversation (
    id TEXT PRIMARY KEY, client TEXT NOT NULL, graph TEXT NOT NULL, title TEXT NOT NULL, changed REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS turn (
    conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE, position INTEGER NOT NULL,
    asked TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (conversation, position)
);
CREATE INDEX IF NOT EXISTS latest ON conversation (client, changed);
"""
MOST_TURNS = 200  # of one conversation
MOST_KEPT = 500  # conversations of one client


@dataclass(frozen=True)
class Turn:
    """What was asked, and the answer's object as it was sent."""

    asked: str
    answer: dict[str, JSON]


@dataclass(frozen=True)
class About:
    """A conversation: its id, its graph, its title (the first question, until it is renamed), and when it was last changed (seconds since 1970)."""

    id: str
    graph: str
    title: str
    changed: float


def kept_by_default() -> Path:
    """The file where conversations are kept if none is named; one of earlier versions, in the cache, is moved there."""
    file, older = (folder / "conversations.sqlite" for folder in (data_folder(), cache_folder()))
    if older.is_file() and not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        for ending in ("-wal", "-shm", ""):  # the file itself last: a move that is broken off begins again
            part = older.with_name(older.name + ending)
            if part.exists():
                shutil.move(part, file.with_name(file.name + ending))
    return file


def _make_private(file: Path) -> None:
    """Have the file, for its owner alone; SQLite gives the files beside it the same rights."""
    private(file)
    for ending in ("-wal", "-shm"):
        part = file.with_name(file.name + ending)
        if part.exists():
            part.chmod(0o600)


class Conversations:
    """All conversations of a server, in one SQLite file, or in memory without one. A turn is kept once it is added."""

    def __init__(self, file: Path | None) -> None:
        """Raises UsageError where the file cannot be opened or is something else."""
        self._lock = Lock()
        self._file = file
        try:
            if file is not None:
                _make_private(file)
            self._db = sqlite3.connect(file or ":memory:", check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise UsageError(f"The file of conversations {file} cannot be used: {error}.") from error

    def add(self, client: str, id: str, graph: str, turn: Turn) -> str:
        """Keep a turn, of a new conversation where `id` is empty; gives the conversation's id."""
        id = id or secrets.token_urlsafe(16)
        with self._changing() as db:
            count = db.execute("SELECT count(*) FROM turn WHERE conversation = ?", (id,)).fetchone()[0]
            db.execute(
                "INSERT INTO conversation VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET changed = excluded.changed",
                (id, client, graph, turn.asked[:200], time.time()),
            )
            last = db.execute(
                "SELECT coalesce(max(position), 0) FROM turn WHERE conversation = ?", (id,)
            ).fetchone()[0]
            db.execute(
                "INSERT INTO turn VALUES (?, ?, ?, ?)", (id, last + 1, turn.asked, json.dumps(turn.answer))
            )
            if count >= MOST_TURNS:
                db.execute(
                    "DELETE FROM turn WHERE conversation = ? AND position <= ?", (id, last + 1 - MOST_TURNS)
                )
            db.execute(
                "DELETE FROM conversation WHERE client = ? AND id NOT IN "
                "(SELECT id FROM conversation WHERE client = ? ORDER BY changed DESC LIMIT ?)",
                (client, client, MOST_KEPT),
            )
        return id

    def turns(self, client: str, id: str) -> tuple[About, list[Turn]] | None:
        """A conversation of this client with its turns in order; None where there is none."""
        with self._lock, closing(self._db.cursor()) as db:
            row = db.execute(
                "SELECT id, graph, title, changed FROM conversation WHERE id = ? AND client = ?", (id, client)
            ).fetchone()
            if row is None:
                return None
            rows = db.execute(
                "SELECT asked, answer FROM turn WHERE conversation = ? ORDER BY position", (id,)
            ).fetchall()
        return About(*row), [Turn(asked, json.loads(answer)) for asked, answer in rows]

    def latest(self, client: str, most: int = 50) -> list[About]:
        """The conversations of this client, the last changed first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT id, graph, title, changed FROM conversation WHERE client = ? ORDER BY changed DESC LIMIT ?",
                (client, most),
            ).fetchall()
        return [About(*row) for row in rows]

    def rename(self, client: str, id: str, title: str) -> bool:
        """Call a conversation of this client otherwise; whether there was one."""
        with self._changing() as db:
            named = "UPDATE conversation SET title = ? WHERE id = ? AND client = ?"
            return db.execute(named, (title, id, client)).rowcount > 0

    def note(self, said: dict[str, JSON]) -> bool:
        """Keep what was said of an answer as a line of `feedback.jsonl` beside the conversations; whether it is kept."""
        if self._file is None:
            return False
        line = {"id": secrets.token_urlsafe(8), **said, "time": round(time.time())}
        with self._lock:
            place = self._file.with_name("feedback.jsonl")
            private(place)
            with place.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        return True

    def forget(self, client: str, id: str) -> bool:
        """Delete a conversation of this client; whether there was one."""
        with self._changing() as db:
            return (
                db.execute("DELETE FROM conversation WHERE id = ? AND client = ?", (id, client)).rowcount > 0
            )

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Cursor]:
        with self._lock, closing(self._db.cursor()) as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")
