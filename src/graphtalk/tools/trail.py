"""The trail of a run: each call with its result, its inputs and the edges it followed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools.context import Note
from graphtalk.tools.values import Value, size_of


@dataclass(frozen=True, eq=False)
class Input:
    """An argument that a call was given, and the call that it came from, if any."""

    parameter: str
    value: Value
    origin: "Ran | None" = None


@dataclass(frozen=True, eq=False)
class Ran:
    """A call that has run. `needed` says of which arguments only some nodes matter to the result.

    `told` is its canonical text, or what writes that when it is asked for.
    """

    told: str | Callable[[], str]
    value: Value
    graph: Graph
    inputs: tuple[Input, ...] = ()
    notes: tuple[Note, ...] = ()
    needed: Mapping[str, Ints] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0

    @cached_property
    def spelling(self) -> str:
        """The canonical text of the call."""
        return self.told if isinstance(self.told, str) else self.told()

    @property
    def size(self) -> int:
        """About how many bytes the result and its notes hold; what came before it is not counted."""
        return (
            200
            + (len(self.told) if isinstance(self.told, str) else 500)
            + size_of(self.value)
            + sum(note.size for note in self.notes)
        )

    def inside(self) -> "Iterator[Ran]":
        """The calls inside this one, innermost first, each once; itself last."""
        seen: set[int] = set()
        stack: list[tuple[Ran, bool]] = [(self, False)]
        while stack:
            ran, visited = stack.pop()
            if visited:
                yield ran
            elif id(ran) not in seen:
                seen.add(id(ran))
                stack.append((ran, True))
                stack += [(i.origin, False) for i in reversed(ran.inputs) if i.origin is not None]
