"""An example of a card: a small graph, and what is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Example:
    """A small graph, what is asked of it, and what comes out. Nodes are numbered from 0.

    `edges` are [from, to] or [from, to, weight]; `states` and `rounds` are checked where they are given.
    """

    nodes: int
    edges: tuple[tuple[float, ...], ...]
    directed: bool
    parameters: Mapping[str, Any]
    answer: Any
    states: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    rounds: int | None = None
    node_weights: tuple[float, ...] = ()
