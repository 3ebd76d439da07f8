"""What a spelling must know of the functions it names: their aliases and the order of their parameters."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Function:
    """A function's names: `name` (canonical), `toolformer` (its `domain:function`), its parameters in order."""

    name: str
    toolformer: str
    parameters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


def fold(name: str) -> str:
    """The form in which function names are compared: lower case, hyphens as underscores, no blanks."""
    return "".join(name.split()).casefold().replace("-", "_")


@dataclass(frozen=True)
class Vocabulary:
    """The functions that a parser knows. A name that is not here is kept as it was written."""

    functions: tuple[Function, ...] = ()
    _by_name: dict[str, Function] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        table: dict[str, Function] = {}
        for function in self.functions:
            for name in (function.name, function.toolformer, *function.aliases):
                table.setdefault(fold(name), function)
        object.__setattr__(self, "_by_name", table)

    def find(self, name: str) -> Function | None:
        """The function called `name` in any spelling, or None."""
        return self._by_name.get(fold(name))

    def canonical(self, name: str) -> str:
        """The canonical name of `name`, or `name` itself where it is unknown."""
        function = self.find(name)
        return function.name if function else name

    @classmethod
    def of(cls, functions: Iterable[Function]) -> "Vocabulary":
        """A vocabulary of the given functions."""
        return cls(tuple(functions))
