"""Writing files in one step, and never over anybody else's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphtalk.core.errors import UsageError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new, empty file beside `path`, to be written; it takes the place of `path` at the end.

    A kill leaves the older file, or none; an error too, and takes the new one away. Raises OSError.
    """
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    new.open("xb").close()
    try:
        yield new
        os.replace(new, path)
    finally:
        new.unlink(missing_ok=True)


@contextmanager
def creating(path: Path) -> Iterator[Path]:
    """A new, empty file beside `path`, to be written; it becomes `path` at the end, where nothing may be.

    A kill leaves nothing at `path`; an error takes the new file away. Raises UsageError where there is something.
    """
    taken = UsageError(f"{path} is there already; it is not overwritten. Name a new file.")
    if path.exists():
        raise taken
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    new.open("xb").close()
    try:
        yield new
        try:
            os.link(new, path)  # unlike a renaming, never over what came there meanwhile
        except FileExistsError:
            raise taken from None
    finally:
        new.unlink(missing_ok=True)
