"""Writing files in one step, and never over anybody else's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
