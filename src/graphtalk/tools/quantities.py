"""Functions of numbers."""

import math
from datetime import date
from typing import TypeVar

from graphtalk.core import ToolError
from graphtalk.tools.context import Context
from graphtalk.tools.dates import moment
from graphtalk.tools.registry import tool
from graphtalk.tools.types import Numbers, Ordered, one_of_ordered
from graphtalk.tools.values import Scalar


@tool("Average", toolformer="graph:average", aliases=("Mean",))
def average(at: Context, numbers: Numbers) -> float:
    """The arithmetic mean of numbers; entries without a value are left out.

    numbers: a list, a table or one number
    """
    return math.fsum(_some(numbers).values) / len(numbers.values)


@tool("Sum", toolformer="graph:sum", aliases=("Total",))
def total(at: Context, numbers: Numbers) -> int | float:
    """The sum of numbers, 0 of none.

    numbers: a list, a table or one number
    """
    if all(isinstance(number, int) for number in numbers.values):
        return sum(numbers.values)
    return _whole(math.fsum(numbers.values))


@tool("Minimum", toolformer="graph:minimum", aliases=("Min",), gives=one_of_ordered)
def minimum(at: Context, numbers: Ordered) -> Scalar:
    """The smallest of numbers, or the earliest of dates.

    numbers: a list, a table or one number
    """
    return _plain(min(_some(numbers).values, key=_order))


@tool("Maximum", toolformer="graph:maximum", aliases=("Max",), gives=one_of_ordered)
def maximum(at: Context, numbers: Ordered) -> Scalar:
    """The largest of numbers, or the latest of dates.

    numbers: a list, a table or one number
    """
    return _plain(max(_some(numbers).values, key=_order))


_Amounts = TypeVar("_Amounts", Numbers, Ordered)


def _some(numbers: _Amounts) -> _Amounts:
    if not numbers.values:
        raise ToolError("There are no numbers to take this of.")
    return numbers


def _order(value: float | date) -> float:
    return moment(value) if isinstance(value, date) else value


def _plain(value: float | date) -> Scalar:
    return value if isinstance(value, date) else _whole(value)


def _whole(number: float) -> int | float:
    return int(number) if math.isfinite(number) and number == int(number) else number
