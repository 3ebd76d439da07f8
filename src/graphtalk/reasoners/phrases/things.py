"""What phrases speak of: nodes that fulfil conditions, and edges."""

from dataclasses import dataclass

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
