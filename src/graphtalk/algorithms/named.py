"""What algorithms give, by name: numbers of all nodes, and lists of nodes, that know their graph.

    algorithms.pagerank(g).top(3)                     # [("China", 0.011), …]
    algorithms.pagerank(g)["Japan"]
    algorithms.shortest_path(g, "Peru", "Brazil").names

They are numpy arrays and lists of internal indices all the same; what is made of them is plain.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import BoundArguments, signature
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from graphtalk.core import CheckError
from graphtalk.core.text import visible
from graphtalk.graphs.graph import Graph

if TYPE_CHECKING:
    import pandas

P = ParamSpec("P")
T = TypeVar("T")
_SHOWN = 10


class NodeValues(np.ndarray[Any, np.dtype[Any]]):
    """A number for each node, in the order of indices. Shape (n,)."""

    graph: Graph | None

    @classmethod
    def of(cls, graph: Graph, values: np.ndarray[Any, Any]) -> "NodeValues":
        """The same numbers, which know their graph."""
        found = values.view(cls)
        found.graph = graph
        return found

    def __array_finalize__(self, made_from: Any) -> None:
        self.graph = None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return np.asarray(array)[()] if return_scalar else np.asarray(array)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str) and self.graph is not None:
            return np.asarray(self)[called(self.graph, key)]
        return np.asarray(self)[key]

    def top(self, k: int = 10) -> list[tuple[str, float]]:
        """The `k` nodes with the largest numbers, largest first: their names and the numbers."""
        return self._first(np.argsort(-self._sortable(), kind="stable")[: max(0, k)])

    def bottom(self, k: int = 10) -> list[tuple[str, float]]:
        """The `k` nodes with the smallest numbers, smallest first: their names and the numbers."""
        return self._first(np.argsort(self._sortable(), kind="stable")[: max(0, k)])

    def to_pandas(self) -> "pandas.Series[Any]":
        """All numbers, largest first, by name; needs pandas."""
        from graphtalk.graphs.extras import library

        order = np.argsort(-self._sortable(), kind="stable")
        names = [name for name, _ in self._first(order)]
        return library("pandas", "pandas").Series(np.asarray(self)[order], index=names)

    def _sortable(self) -> np.ndarray[Any, Any]:
        plain = np.asarray(self)
        return plain.astype(np.int64) if plain.dtype.kind in "bui" else plain

    def _first(self, nodes: Iterable[int]) -> list[tuple[str, float]]:
        chosen = [int(node) for node in nodes]
        names = self.graph.labels(chosen) if self.graph is not None else [str(node) for node in chosen]
        return list(zip(names, np.asarray(self)[chosen].tolist(), strict=True))

    def __repr__(self) -> str:
        if self.graph is None:
            return repr(np.asarray(self))
        rows = ", ".join(f"{name}: {value:.6g}" for name, value in self.top(_SHOWN))
        more = f", … {len(self) - _SHOWN:,} more" if len(self) > _SHOWN else ""
        return visible(f"{{{rows}{more}}}")

    __str__ = __repr__


class NodeList(list[int]):
    """Nodes by their indices, in order."""

    def __init__(self, graph: Graph, nodes: Iterable[int] = ()) -> None:
        super().__init__(nodes)
        self.graph = graph

    @property
    def names(self) -> list[str]:
        """What people call these nodes, in order."""
        return self.graph.labels(self)


def called(graph: Graph, name: str) -> int:
    """The node with this id, or the one node of this name. Raises CheckError where that is none or several."""
    found = graph.find(name)
    if found is not None:
        return found
    alike = [node for node, label in enumerate(graph.labels()) if label == name]
    if len(alike) != 1:
        what = "No node is called so" if not alike else f"{len(alike):,} nodes are called so; give an id"
        raise CheckError(f"{name!r}: {what}, in {graph.name}.")
    return alike[0]


def number_each(
    *nodes: str,
) -> Callable[[Callable[Concatenate[Graph, P], Any]], Callable[Concatenate[Graph, P], NodeValues]]:
    """For functions that give a number for each node. The parameters `nodes` may be names of nodes.

    Where such a function is asked for some nodes alone (its parameter `nodes`), what it gives is a plain array.
    """

    def decorate(function: Any) -> Any:
        parameters = signature(function)

        @wraps(function)
        def run(graph: Graph, *given: Any, **named: Any) -> Any:
            bound = _called_by_name(parameters.bind(graph, *given, **named), nodes)
            found = function(*bound.args, **bound.kwargs)
            return found if bound.arguments.get("nodes") is not None else NodeValues.of(graph, found)

        return run

    return decorate


def nodes_by_name(
    *nodes: str,
) -> Callable[[Callable[Concatenate[Graph, P], T]], Callable[Concatenate[Graph, P], T]]:
    """For functions whose parameters `nodes` may be names of nodes."""

    def decorate(function: Any) -> Any:
        parameters = signature(function)

        @wraps(function)
        def run(graph: Graph, *given: Any, **named: Any) -> Any:
            if any(isinstance(value, str | list | tuple) for value in (*given, *named.values())):
                bound = _called_by_name(parameters.bind(graph, *given, **named), nodes)
                given, named = bound.args[1:], bound.kwargs
            return function(graph, *given, **named)

        return run

    return decorate


def nodes_listed(
    *nodes: str,
) -> Callable[[Callable[Concatenate[Graph, P], list[int]]], Callable[Concatenate[Graph, P], NodeList]]:
    """For functions that give a list of nodes. The parameters `nodes` may be names of nodes."""

    def decorate(function: Any) -> Any:
        by_name = nodes_by_name(*nodes)(function)

        @wraps(function)
        def run(graph: Graph, *given: Any, **named: Any) -> Any:
            return NodeList(graph, by_name(graph, *given, **named))

        return run

    return decorate


def _called_by_name(bound: BoundArguments, nodes: tuple[str, ...]) -> BoundArguments:
    """The arguments with nodes for the names of nodes."""
    graph = bound.arguments["graph"]
    for name in nodes:
        value = bound.arguments.get(name)
        if isinstance(value, str):
            bound.arguments[name] = called(graph, value)
        elif isinstance(value, list | tuple) and any(isinstance(part, str) for part in value):
            bound.arguments[name] = [called(graph, part) if isinstance(part, str) else part for part in value]
    return bound
