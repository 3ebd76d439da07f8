"""Libraries that only some formats need: where one is missing, the message has the one command that installs it."""

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
