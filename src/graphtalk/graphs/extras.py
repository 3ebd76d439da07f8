"""Libraries that only some formats need: where one is missing, the message has the one command that installs it."""

import sys
from importlib import import_module
from typing import Any

from graphtalk.core import UsageError


def library(name: str, extra: str) -> Any:
    """The library `name`. Raises UsageError with the command that installs graphtalk's extra that has it."""
    try:
        return import_module(name)
    except ImportError:
        command = f'python -m pip install "graphtalk[{extra}]"'
        raise UsageError(f"This needs {name}, which is not installed: {command}.") from None


class _Absent:
    """Finds no pandas."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """None of any module; raises ModuleNotFoundError for pandas."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def spare_pandas() -> None:
    """Have Arrow do without pandas until something asks it for frames.

    Where pandas is installed, Arrow imports it with the first array that it makes, to see whether the values are pandas': a
    third of a second of a process that answers one question. What it did not find then, it looks for again where it needs it.
    """
    import pyarrow as pa

    if "pandas" in sys.modules:
        return
    absent = _Absent()
    sys.meta_path.insert(0, absent)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(absent)
