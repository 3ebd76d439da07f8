"""How far a fit is: called with what is done and with how much there is. The application draws the bar."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Tell nobody."""
