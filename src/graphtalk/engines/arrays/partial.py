"""Matches in the making: for each row of the input the nodes, edges and paths that were found for it so far."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from graphtalk.engines.arrays.trails import Bools, Trails, joined
from graphtalk.graphs.adjacency import Ints

Held: TypeAlias = Ints | Trails


@dataclass(frozen=True, eq=False)
class Partial:
    """Matches so far. `at`: the row that each was made of; `held`: its nodes, edges and paths by key.

    `done`: what of the MATCH is in it, by the keys of its links and the places of its conditions.
    """

    at: Ints
    held: dict[str, Held]
    done: frozenset[str | int] = frozenset()

    def __len__(self) -> int:
        return len(self.at)

    def take(self, places: Ints) -> "Partial":
        """The matches at these places, in order."""
        return replace(
            self,
            at=self.at[places],
            held={k: h.take(places) if isinstance(h, Trails) else h[places] for k, h in self.held.items()},
        )

    def keep(self, mask: Bools) -> "Partial":
        """The matches where the mask is true."""
        return self if bool(mask.all()) else self.take(np.flatnonzero(mask))

    def plus(self, held: dict[str, Held], *done: str | int) -> "Partial":
        """The same with more held, and more of the MATCH done."""
        return replace(self, held={**self.held, **held}, done=self.done | set(done))


def ints(held: Held) -> Ints:
    """Nodes or edges that are held, which are no paths."""
    assert not isinstance(held, Trails)
    return held


def trails_of(held: Held) -> Trails:
    """Paths that are held."""
    assert isinstance(held, Trails)
    return held


def together(parts: Sequence[Partial]) -> Partial:
    """Matches from several parts, one after the other."""
    parts = [p for p in parts if len(p)] or parts[:1]
    if len(parts) == 1:
        return parts[0]
    held: dict[str, Held] = {}
    for key, first in parts[0].held.items():
        if isinstance(first, Trails):
            held[key] = joined([trails_of(p.held[key]) for p in parts])
        else:
            held[key] = np.concatenate([ints(p.held[key]) for p in parts])
    return replace(parts[0], at=np.concatenate([p.at for p in parts]), held=held)
