"""What every step of a query may look at: the graph, the limits, the parameters, and the other calls of the language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from graphtalk.calls.ast import Call
from graphtalk.engines.arrays.rows import Scalar
from graphtalk.graphs import Graph


class Meter(Protocol):
    """What a run may use up. Each raises LimitError where it runs out; `look` also where nobody waits any more."""

    def take(self, rows: int, width: int = 40) -> None:
        """Account for rows of `width` bytes, before they are made."""

    def look(self) -> None:
        """Look at the clock."""


@dataclass(frozen=True)
class Frame:
    """What a query runs in. `call` works out another call of the language; `remarks` is what is said beside the rows.

    The query was bound to the graph's schema before (`engines/binding.py`): its names are the schema's.
    """

    graph: Graph
    meter: Meter
    call: Callable[[Call], Scalar]
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
