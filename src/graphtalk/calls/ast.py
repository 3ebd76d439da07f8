"""The abstract syntax of the call language: what all spellings are parsed to and printed from."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Text:
    """A text literal, such as `"Zinc"`."""

    value: str


@dataclass(frozen=True)
class Number:
    """A number literal; whole numbers stay whole."""

    value: int | float


@dataclass(frozen=True)
class Boolean:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True)
class NodeRef:
    """A reference by kind and id: `paper#83826`, `node#25`, `relation#_hyponym`, `entity#/m/027rn`."""

    kind: str
    id: str


@dataclass(frozen=True)
class Items:
    """A list of expressions: `["a", "b"]`, and the braces of `{"bull_graph"}`."""

    values: "tuple[Expression, ...]"


@dataclass(frozen=True)
class Call:
    """A function applied to arguments, in order and by name, on `graph` (None: the graph at hand).

    `GR(GL("gpr", {"bull_graph"}), "toolx:order")` is
    `Call("toolx:order", graph=Call("GL", (Text("gpr"), Items((Text("bull_graph"),)))))`.
    Each keyword is given once, and none is called `graph`: that is the field.
    """

    function: str
    arguments: "tuple[Expression, ...]" = ()
    keywords: "tuple[tuple[str, Expression], ...]" = ()
    graph: "Expression | None" = None

    def __post_init__(self) -> None:
        if self.keywords:
            names = [name for name, _ in self.keywords]
            if "graph" in names or len(set(names)) < len(names):
                raise ValueError(f"keywords of {self.function} must differ, and none be `graph`: {names}")


Expression: TypeAlias = Text | Number | Boolean | NodeRef | Items | Call


def parts(expression: Expression) -> tuple[Expression, ...]:
    """What an expression is made of: the entries of a list; the graph of a call, its arguments in order and by name."""
    if isinstance(expression, Items):
        return expression.values
    if isinstance(expression, Call):
        graph = () if expression.graph is None else (expression.graph,)
        return (*graph, *expression.arguments, *(value for _, value in expression.keywords))
    return ()


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and all that is in it, each before its own parts. Does not recurse.

    >>> [part.function for part in walk(Call("Count", (Call("Union", (Text("a"), Call("Nodes"))),))) if isinstance(part, Call)]
    ['Count', 'Union', 'Nodes']
    """
    left = [expression]
    while left:
        yield (first := left.pop())
        left += reversed(parts(first))
