"""What a function of queries is, and how it reads an argument."""

from collections.abc import Callable
from dataclasses import dataclass

from graphtalk.core import ToolError
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.rows import Scalar
from graphtalk.engines.arrays.scalars import describe, text_of


@dataclass(frozen=True)
class Function:
    """A function, how many arguments it takes, and whether it is null where any of them is."""

    apply: Callable[..., Scalar]
    least: int = 1
    most: int = 1
    strict: bool = True

    def __call__(self, *values: Scalar) -> Scalar:
        """The value for one row; the frame comes last."""
        if self.strict and None in values:
            return None
        return self.apply(*values)


def text_argument(value: Scalar, doing: str, frame: Frame) -> str:
    """A text, or what a number or a date is written as. Raises ToolError for anything else."""
    text = text_of(value, frame)
    if text is None:
        raise ToolError(f"{doing}() needs a text, not {describe(value, frame)}.")
    return text
