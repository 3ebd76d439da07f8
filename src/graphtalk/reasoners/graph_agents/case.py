"""A problem with the shorthands that solvers use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from graphtalk.core import JSON
from graphtalk.reasoners.graph_agents.answers import Found
from graphtalk.reasoners.graph_agents.described import WEIGHT, Described, Problem
from graphtalk.reasoners.graph_agents.wording import node


@dataclass(frozen=True)
class Case:
    """A problem with the shorthands that solvers use."""

    problem: Problem

    @property
    def d(self) -> Described:
        return self.problem.described

    @cached_property
    def weight(self) -> str | None:
        return WEIGHT if self.d.weight is not None else None

    def name(self, position: int) -> str:
        return node(self.d, position)

    def names(self, positions: Sequence[int]) -> list[JSON]:
        return [self.d.shown(position) for position in positions]

    def mapping(self, values: Sequence[JSON]) -> dict[str, JSON]:
        return dict(zip(self.d.names, values, strict=True))


Solver: TypeAlias = Callable[[Case], Found]
