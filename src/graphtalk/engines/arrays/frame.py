"""What every step of a query may look at: the graph, the limits, the parameters, and the other calls of the language."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from graphtalk.calls.ast import Call
from graphtalk.engines.arrays.rows import Rows, Scalar, Support
from graphtalk.graphs import Graph

if TYPE_CHECKING:
    from graphtalk.calls.query import Match, Query
    from graphtalk.engines.arrays.needs import Need

Made = TypeVar("Made")


class Meter(Protocol):
    """What a run may use up. Each raises LimitError where it runs out; `look` also where nobody waits any more."""

    def take(self, rows: int, width: int = 40) -> None:
        """Account for rows of `width` bytes, before they are made."""

    def look(self) -> None:
        """Look at the clock."""


class Matching(Protocol):
    """The rows that a bound MATCH makes of others, of which later clauses need so much."""

    def __call__(self, clause: "Match", rows: Rows, frame: "Frame", need: "Need") -> Rows:
        """The rows."""


class Running(Protocol):
    """The rows that a query makes of others, of which so much is needed."""

    def __call__(self, query: "Query", start: Rows, frame: "Frame", need: "Need") -> Rows:
        """The rows."""


@dataclass(frozen=True)
class Plans:
    """What is worked out of parts of a query alone, kept by the part itself: a query that is run again has it at hand."""

    _kept: dict[tuple[int, Hashable], tuple[object, Any]] = field(default_factory=dict)

    def once(self, part: object, kind: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives for a part, made once. `kind` tells several things of one part apart."""
        found = self._kept.get((id(part), kind))
        if found is None or found[0] is not part:
            self._kept[id(part), kind] = found = (
                part,
                make(),
            )  # the part is held, so that its id stays its own
        made: Made = found[1]
        return made


@dataclass(frozen=True)
class Frame:
    """What a query runs in. `call` works out another call of the language; `remarks` is what is said beside the rows.

    `supports` is what the subqueries in terms found, for the evidence. In a subquery `outer` is the number of rows
    that it runs for, and each of its rows says in the column `OUTER` for which; the steps keep that column. `match`
    meets a MATCH in another way than over the arrays of the graph (`arrays.match`). `subquery` runs a query that stands in a
    term of another; whoever runs the whole query sets it.

    The query was bound to the graph's schema before (`engines/binding.py`): its names are the schema's.
    """

    graph: Graph
    meter: Meter
    call: Callable[[Call], Scalar]
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    supports: list[Support] = field(default_factory=list)
    outer: int | None = None
    match: "Matching | None" = None
    subquery: "Running | None" = None
    plans: Plans = field(default_factory=Plans)

    def remark(self, text: str) -> None:
        """Say something beside the rows, once."""
        if text not in self.remarks:
            self.remarks.append(text)
