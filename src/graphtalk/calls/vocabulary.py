"""What a spelling must know of the functions it names: their aliases and the order of their parameters."""

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Function:
    """A function's names: `name` (canonical), `toolformer` (its `domain:function`), its parameters in order.

    Where `free_text` is true, the first parameter takes any words: written without quotes it runs to the
    closing bracket, commas and all, as in `RetrieveNode[Purpura, Schoenlein-Henoch]`. `called` has what parameters may
    be called besides, each with the parameter.
    """

    name: str
    toolformer: str
    parameters: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    free_text: bool = False
    called: tuple[tuple[str, str], ...] = ()

    def parameter(self, name: str) -> str:
        """The parameter that `name` means (`is-directed`: `is_directed`, `file-path`: `name`), or `name` itself."""
        named = ((own, own) for own in self.parameters)
        return next((own for other, own in (*named, *self.called) if fold(other) == fold(name)), name)


FINISH = Function("Finish", "graph:finish", ("answer",), free_text=True)
"""What ends a Graph-CoT run, `Finish[answer]`: part of the language, so every vocabulary knows it."""

UNANSWERABLE = Function("Unanswerable", "graph:unanswerable", ("why",), free_text=True)
"""What ends a run where a graph cannot tell, `Unanswerable[why]`: part of the language as `Finish` is."""


def fold(name: str) -> str:
    """The form in which names are compared: lower case, hyphens as underscores, no blanks."""
    return "".join(name.split()).casefold().replace("-", "_")


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The functions that a parser knows, each vocabulary itself alone. A name that is not here is kept as it was written.

    A canonical name wins over a Toolformer name, that over an alias, with its domain or not, and that over a Toolformer name
    without its domain (`order` for `toolx:order`), which counts only where one function has it.
    """

    functions: tuple[Function, ...] = ()
    _by_name: dict[str, Function] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        functions = (*self.functions, FINISH, UNANSWERABLE)
        short: dict[str, list[Function]] = {}
        for function in functions:
            short.setdefault(function.toolformer.rpartition(":")[2], []).append(function)
        named = [(function.name, function) for function in functions]
        named += [(function.toolformer, function) for function in functions]
        for function in functions:
            domain = function.toolformer.rpartition(":")[0]
            named += [(alias, function) for alias in function.aliases]
            named += [
                (f"{domain}:{alias}", function) for alias in function.aliases if domain and ":" not in alias
            ]
        named += [(name, owners[0]) for name, owners in short.items() if len(owners) == 1]
        table: dict[str, Function] = {}
        for name, function in named:
            if name:
                table.setdefault(fold(name), function)
        object.__setattr__(self, "_by_name", table)

    def find(self, name: str) -> Function | None:
        """The function called `name` in any spelling, or None."""
        return self._by_name.get(fold(name))

    def canonical(self, name: str) -> str:
        """The canonical name of `name`, or `name` itself where it is unknown."""
        function = self.find(name)
        return function.name if function else name

    def parameter(self, function: str, name: str) -> str:
        """The parameter of `function` that `name` means, or `name` itself."""
        known = self.find(function)
        return known.parameter(name) if known else name

    @classmethod
    def of(cls, functions: Iterable[Function]) -> "Vocabulary":
        """A vocabulary of the given functions."""
        return cls(tuple(functions))


NOTHING_KNOWN = Vocabulary()
"""No functions: every name is kept as it was written."""
