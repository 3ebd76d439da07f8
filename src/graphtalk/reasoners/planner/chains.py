"""Chains of up to three hops from a node type, and a first score of all of them at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphtalk.graphs import Schema, View
from graphtalk.reasoners.planner.lexis import Floats, Lexis, Match

Indices: TypeAlias = NDArray[np.int64]

MOST_HOPS = 3
MOST_CHAINS = 30_000  # beyond this, only the views that the question's words support are chained


@dataclass(frozen=True)
class Chains:
    """Chains from one node type: `hops` (chains, 3) holds positions in `schema.views`, -1 past the end."""

    start: str
    hops: Indices

    @property
    def lengths(self) -> Indices:
        """Number of hops of each chain. Shape (chains,)."""
        return np.asarray(np.sum(self.hops >= 0, axis=1))


class ChainSpace:
    """All chains of a schema, listed once per start type."""

    def __init__(self, schema: Schema, lexis: Lexis) -> None:
        self.views: Sequence[View] = schema.views
        self._position = {view: i for i, view in enumerate(schema.views)}
        self.view_terms = np.array([lexis.views[v.source, v.name] for v in schema.views], dtype=np.int64)
        self.target_terms = np.array([lexis.types[v.target] for v in schema.views], dtype=np.int64)
        self._by_source = {
            t.name: [i for i, v in enumerate(schema.views) if v.source == t.name] for t in schema.node_types
        }
        between: dict[tuple[str, str], int] = {}
        for v in schema.views:
            between[v.source, v.target] = between.get((v.source, v.target), 0) + 1
        self.only = np.array([between[v.source, v.target] == 1 for v in schema.views], dtype=bool)
        self.prior = _priors(schema)
        self.names_target = np.array([_names_target(v, schema) for v in schema.views], dtype=bool)
        self._cache: dict[str, Chains] = {}

    def from_type(self, node_type: str) -> Sequence[int]:
        """Positions of the views from a node type."""
        return self._by_source[node_type]

    def prior_of(self, view: View) -> float:
        """How usual a view is: the logarithm of its share in the edges of its name."""
        return float(self.prior[self._position[view]])

    def can_name_target(self, view: View) -> bool:
        """Whether the view's name may say what it leads to."""
        return bool(self.names_target[self._position[view]])

    def supported(self, view: View, whole: Floats) -> float:
        """How well a question's words support a hop along a view."""
        position = self._position[view]
        relation, target = float(whole[self.view_terms[position]]), float(whole[self.target_terms[position]])
        value = 0.55 * relation + 0.45 * target
        return max(value, 0.9 * target) if self.only[position] else value

    def chains(self, start: str, match: Match) -> Chains:
        """All chains from a node type, or where they are too many, those over the best supported views."""
        if start not in self._cache:
            if self._count(start) > MOST_CHAINS:
                return self._list(start, self._supported(match))
            self._cache[start] = self._list(start, None)
        return self._cache[start]

    def _count(self, start: str) -> int:
        reach, total = {start: 1}, 0
        for _ in range(MOST_HOPS):
            step: dict[str, int] = {}
            for source, ways in reach.items():
                for i in self._by_source[source]:
                    step[self.views[i].target] = step.get(self.views[i].target, 0) + ways
            reach, total = step, total + sum(step.values())
        return total

    def _supported(self, match: Match, most: int = 24) -> set[int]:
        support = match.whole[self.view_terms] + 0.3 * match.whole[self.target_terms]
        return set(np.argsort(-support)[:most].tolist())

    def _list(self, start: str, allowed: set[int] | None) -> Chains:
        rows: list[tuple[int, ...]] = []
        ends: list[tuple[tuple[int, ...], str]] = [((), start)]
        for _ in range(MOST_HOPS):
            ends = [
                ((*hops, i), self.views[i].target)
                for hops, end in ends
                for i in self._by_source[end]
                if allowed is None or i in allowed
            ]
            rows += [(*hops, *[-1] * (MOST_HOPS - len(hops))) for hops, _ in ends]
        return Chains(start, np.array(rows, dtype=np.int64).reshape(-1, MOST_HOPS))

    def token_cover(self, hops: Indices, match: Match) -> Floats:
        """How well each chain explains each token of the question. Shape (tokens, chains)."""
        by_view = np.maximum(match.tokens[:, self.view_terms], match.tokens[:, self.target_terms])
        by_view = np.concatenate([by_view, np.zeros((len(by_view), 1))], axis=1)  # column -1: no hop
        return np.asarray(np.maximum.reduce([by_view[:, hops[:, k]] for k in range(MOST_HOPS)]))

    def priors(self, hops: Indices) -> Floats:
        """How usual the views of each chain are, 0 or less. Shape (chains,)."""
        return np.asarray(np.append(self.prior, 0.0)[hops].sum(axis=1))

    def support(self, hops: Indices, match: Match) -> Floats:
        """How well the question supports the hops of each chain, on average. Shape (chains,)."""
        relation, target = match.whole[self.view_terms], match.whole[self.target_terms]
        single = np.where(
            self.only,
            np.maximum(0.55 * relation + 0.45 * target, 0.9 * target),
            0.55 * relation + 0.45 * target,
        )
        padded = np.append(single, 0.0)
        return np.asarray(np.sum(padded[hops], axis=1) / np.maximum(1, np.sum(hops >= 0, axis=1)))


def _names_target(view: View, schema: Schema) -> bool:
    """Whether a view's name may say what it leads to ("starred actors"), not what it comes from."""
    relation = schema.relations[view.relation]
    return view.direction != "in" or bool(relation.inverse and relation.inverse != relation.name)


def _priors(schema: Schema) -> Floats:
    """The logarithm (base 10) of each view's share in the edges of its name, not below -4. Shape (views,).

    A handful of film → film edges among thousands of film → person edges says that they are odd ones.
    """
    total: dict[str, int] = {}
    for r in schema.relations:
        total[r.name] = total.get(r.name, 0) + r.count
    relations = [schema.relations[v.relation] for v in schema.views]
    return np.array([np.log10(max(r.count / max(total[r.name], 1), 1e-4)) for r in relations])
