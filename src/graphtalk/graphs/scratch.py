"""Temporary folders that no crash leaves behind for long, folders that replace each other atomically, and the cache.

What graphtalk did not write it neither overwrites nor removes: a folder goes only where every file in it is known.
"""

import ctypes
import fcntl
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from graphtalk.core import UsageError

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_RANDOM = "[a-z0-9_]{8}"  # what mkdtemp puts after a prefix


def cache_folder() -> Path:
    """Where imported graphs are kept: `$GRAPHTALK_CACHE`, or the platform's place for caches."""
    named = os.environ.get("GRAPHTALK_CACHE")
    if named:
        return Path(named).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphtalk"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphtalk"


def data_folder() -> Path:
    """Where what people want to keep is kept: `$XDG_DATA_HOME`, or the platform's place for data."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "graphtalk"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "graphtalk"


def private(file: Path) -> None:
    """Have a file, empty if it was not there, that its owner alone can read. Raises OSError."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    file.chmod(0o600)


@contextmanager
def alone(lock: Path, variable: str = "GRAPHTALK_CACHE") -> Iterator[None]:
    """Wait until no other process holds `lock`. The lock goes when its process does.

    Raises UsageError where its folder cannot be written; `variable` names another place.
    """
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError as error:
        raise UsageError(
            f"The cache {lock.parent} cannot be written: {error.strerror}. {variable} names another place."
        ) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def scratch(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder `parent/prefix*`, removed at the end.

    Its owner holds a lock on it. Folders of the same prefix whose owner died are removed first.
    """
    parent.mkdir(parents=True, exist_ok=True)
    _sweep(parent, prefix)
    folder, descriptor = _locked(parent, prefix)
    try:
        yield folder
    finally:
        os.close(descriptor)
        shutil.rmtree(folder, ignore_errors=True)


def _locked(parent: Path, prefix: str) -> tuple[Path, int]:
    """A new folder, and the open descriptor that holds its lock."""
    while True:
        folder = Path(mkdtemp(prefix=prefix, dir=parent))
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another process swept it before it was locked
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if folder.exists():
            return folder, descriptor
        os.close(descriptor)


def _sweep(parent: Path, prefix: str) -> None:
    made = re.compile(re.escape(prefix) + _RANDOM)
    for left in parent.iterdir():
        if not made.fullmatch(left.name) or left.is_symlink() or not left.is_dir():
            continue
        try:
            descriptor = os.open(left, os.O_RDONLY)
        except OSError:
            continue  # gone meanwhile, or another person's
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            continue
        else:
            shutil.rmtree(left, ignore_errors=True)
        finally:
            os.close(descriptor)


def stranger(folder: Path, is_own: Callable[[str], bool]) -> str:
    """The first file or link in a folder, by its name from there, that `is_own` does not know; "" if there is none.

    A link is nobody's own: what it leads to may be anything.
    """
    for parent, folders, files in os.walk(folder):
        for name in sorted([*files, *(f for f in folders if os.path.islink(os.path.join(parent, f)))]):
            path = Path(parent, name)
            told = path.relative_to(folder).as_posix()
            if path.is_symlink() or not is_own(told):
                return told
    return ""


def replace_folder(new: Path, place: Path, check: Callable[[Path], None]) -> None:
    """Put folder `new` at `place`. An older folder there stays whole until then, and is removed.

    `check` raises where what is at `place` must stay. It is asked at the last moment: much may have been put there
    while `new` was made.
    """
    check(place)
    if not place.exists():
        os.rename(new, place)
    elif _exchange(new, place):
        shutil.rmtree(new, ignore_errors=True)
    else:
        aside = new.with_name(f"{new.name}-old")
        os.rename(place, aside)
        os.rename(new, place)
        shutil.rmtree(aside, ignore_errors=True)
    sync(place.parent)


def _exchange(one: Path, other: Path) -> bool:
    """Swap two folders in one step (renameat2, Linux; renamex_np, macOS); false where the system cannot."""
    system = ctypes.CDLL(None, use_errno=True)
    renameat2, renamex = (getattr(system, name, None) for name in ("renameat2", "renamex_np"))
    if renameat2 is None:
        return renamex is not None and bool(renamex(bytes(one), bytes(other), _RENAME_SWAP) == 0)
    return bool(renameat2(_AT_FDCWD, bytes(one), _AT_FDCWD, bytes(other), _RENAME_EXCHANGE) == 0)


def sync(path: Path) -> None:
    """Wait until a file or a folder's entries are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
