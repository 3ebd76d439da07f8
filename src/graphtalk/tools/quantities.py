"""Functions of numbers."""

import math

from graphtalk.core import ToolError
from graphtalk.tools.context import Context
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Numbers


@tool("Average", toolformer="graph:average", aliases=("Mean",))
def average(at: Context, numbers: Numbers) -> float:
    """The arithmetic mean of numbers; entries without a value are left out.

    numbers: a list, a table or one number
    """
    return math.fsum(_some(numbers)) / len(numbers.values)


@tool("Sum", toolformer="graph:sum", aliases=("Total",))
def total(at: Context, numbers: Numbers) -> int | float:
    """The sum of numbers, 0 of none.

    numbers: a list, a table or one number
    """
    if all(isinstance(number, int) for number in numbers.values):
        return sum(numbers.values)
    return _whole(math.fsum(numbers.values))


@tool("Minimum", toolformer="graph:minimum", aliases=("Min",))
def minimum(at: Context, numbers: Numbers) -> int | float:
    """The smallest of numbers.

    numbers: a list, a table or one number
    """
    return _whole(min(_some(numbers)))


@tool("Maximum", toolformer="graph:maximum", aliases=("Max",))
def maximum(at: Context, numbers: Numbers) -> int | float:
    """The largest of numbers.

    numbers: a list, a table or one number
    """
    return _whole(max(_some(numbers)))


def _some(numbers: Numbers) -> tuple[int | float, ...]:
    if not numbers.values:
        raise ToolError("There are no numbers to take this of.")
    return numbers.values


def _whole(number: float) -> int | float:
    return int(number) if math.isfinite(number) and number == int(number) else number
