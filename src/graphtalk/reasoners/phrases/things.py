"""What phrases speak of: nodes that fulfil conditions, and edges."""

from dataclasses import dataclass
from typing import TypeAlias

from graphtalk.reasoners.reader.reading import Item
from graphtalk.reasoners.reader.shape import Held, Step


@dataclass(frozen=True)
class Things:
    """Nodes of a type that fulfil conditions; `one`: a name says which; `many`: the noun is a plural. `of`: in words that nobody said, a value's noun."""

    type: str
    items: tuple[Item, ...] = ()
    one: bool = False
    many: bool = False


@dataclass(frozen=True)
class Ways:
    """Edges of a relation: of what source and target, with what properties of their own, the best of them by one."""

    step: Step
    source: tuple[Item, ...] = ()
    target: tuple[Item, ...] = ()
    own: tuple[Item, ...] = ()
    best: tuple[bool, Held] | None = None


Rows: TypeAlias = Things | Ways
"""What is counted, added up or grouped: nodes, or edges."""


@dataclass(frozen=True)
class Key:
    """What rows are grouped by: themselves, or what steps lead to, or a property of that; `end`: from which end of an edge (`V0`, `V1`, `eV1`)."""

    steps: tuple[Step, ...] = ()
    held: Held | None = None
    end: str = "V0"
