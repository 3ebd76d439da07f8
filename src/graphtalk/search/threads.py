"""Products of small matrices in one thread.

BLAS shares a product among threads that wait for each other in a loop. For products as small as a question needs that gains
little, and where other processes want the processor each product waits until all its threads had their turn: a question
took 25 s instead of 0.7 s on two busy cores.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """While a thread holds it, BLAS uses one thread. That is of the whole process: of several, the first decides."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> "ThreadpoolController":
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
