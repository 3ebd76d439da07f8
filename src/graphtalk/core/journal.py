"""A file of JSON objects, one a line, that is written line by line and can be taken up again after a kill.

Lines are flushed one at a time, so what was written is never lost. A line torn by a kill is cut off when the
file is opened again. Every line begins with its `id`, which tells a torn line from a line of some other file.
"""

import fcntl
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TypeAlias

from graphtalk.core.errors import UsageError
from graphtalk.core.files import replacing
from graphtalk.core.reading import read_json
from graphtalk.core.records import JSON

Key: TypeAlias = str | int
BEGINNING = b'{"id": '


def _never(line: Mapping[str, JSON]) -> bool:
    return False


class Journal:
    """The lines of one file, by id. Safe for many threads; other processes are kept out while it is open."""

    def __init__(
        self, path: Path, required: str, again: Callable[[Mapping[str, JSON]], bool] = _never
    ) -> None:
        """Open `path`, or begin it. `required` is a field that every line has.

        A line of which `again` is true counts as not there: another is to come for its id, and `restore_order` drops it.

        Raises UsageError, naming the line, where the file holds anything else, so that no other file is ever
        added to, and where it is open already, here or in another process.
        """
        self.path = path
        self._lock = threading.Lock()
        self._file = _held(path)
        try:
            self.keys = _kept(path, self._file, required, again)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(self, key: Key, line: Mapping[str, JSON]) -> None:
        """Write one line."""
        text = json.dumps({"id": key, **line}, ensure_ascii=False) + "\n"
        with self._lock:
            self._file.write(text.encode())
            self._file.flush()
            self.keys.add(key)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def restore_order(self, order: Iterable[Key]) -> None:
        """Bring the lines into this order of ids, of each the last; unknown ids go last. Nothing can be added afterwards."""
        lines = self.path.read_bytes().splitlines(keepends=True)
        last = {read_json(line)["id"]: line for line in lines}
        place = {key: position for position, key in enumerate(order)}
        ranked = [last[key] for key in sorted(last, key=lambda key: place.get(key, len(place)))]
        if ranked != lines:
            with replacing(self.path) as new:
                new.write_bytes(b"".join(ranked))


def _held(path: Path) -> BinaryIO:
    """The file, open to be read and added to, and locked: the lock goes when the process does."""
    while True:
        try:
            file = path.open("a+b")
        except OSError as error:
            raise UsageError(f"Cannot write {path}: {error.strerror}.") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
            file.close()  # it was put into another order meanwhile: that is a new file
        except BlockingIOError:
            file.close()
            raise UsageError(
                f"{path} is being written by another run. Wait for it, or give --out a new file."
            ) from None


def _kept(path: Path, file: BinaryIO, required: str, again: Callable[[Mapping[str, JSON]], bool]) -> set[Key]:
    """The ids that a file has. Its last line is cut off where it is torn, and ended where only its end is missing."""
    try:
        file.seek(0)
        raw = file.read()
    except OSError as error:
        raise UsageError(f"Cannot read the earlier lines of {path}: {error.strerror}.") from error
    whole = raw[: raw.rfind(b"\n") + 1]
    torn = raw[len(whole) :]
    if not torn.startswith(BEGINNING[: len(torn)]):
        raise _other_file(path, whole.count(b"\n") + 1)
    unended = torn.endswith(b"}") and _is_json(torn)
    lines = (raw if unended else whole).splitlines()
    keys: set[Key] = set()
    for number, line in enumerate(lines, 1):
        key, record = _line(path, number, line, required)
        (keys.discard if again(record) else keys.add)(key)
    try:
        if unended:
            file.write(b"\n")
            file.flush()
        else:
            file.truncate(len(whole))
    except OSError as error:
        raise UsageError(f"Cannot write {path}: {error.strerror}.") from error
    return keys


def _is_json(line: bytes) -> bool:
    try:
        read_json(line)
    except ValueError:
        return False
    return True


def _line(path: Path, number: int, line: bytes, required: str) -> tuple[Key, Mapping[str, JSON]]:
    try:
        record = read_json(line)
        key = record["id"]
        record[required]
    except (ValueError, TypeError, KeyError) as error:
        raise _other_file(path, number) from error
    if not isinstance(key, str | int):
        raise _other_file(path, number)
    return key, record


def _other_file(path: Path, number: int) -> UsageError:
    return UsageError(
        f"{path}:{number}: not an answer of an earlier run. Give --out a new file, or mend this one."
    )
