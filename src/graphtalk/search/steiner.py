"""Prizes, and the prize-collecting Steiner tree that they make (G-Retriever: He et al., 2024, section 5.3).

Nodes and edges have prizes, edges a cost. Wanted is a connected subgraph of which prizes less costs are largest:

    objective = prizes of its nodes + prizes of its edges - cost x number of its edges

`pcst_fast` (Hegde et al., 2015) solves it for node prizes. An edge whose prize is at most the cost costs so much
less; one whose prize is larger becomes a node between its ends that has the rest as its prize, joined for nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError
from graphtalk.graphs.adjacency import Ints

Floats = NDArray[np.float64]

LESS = 0.01
"""Of two edge prizes in a row the smaller is at least this part smaller, and half of it decides the least cost."""

SLIGHTLY = 1e-7
"""The part of its cost by which an edge may cost more than another, to decide between trees that are as good."""


@dataclass(frozen=True)
class Problem:
    """Nodes 0 to `len(node_prizes) - 1` and the edges between them. `cost` is that of every edge.

    `numbers` of the edges, where given, decide between trees that are as good, by a difference in cost that is too small
    to matter otherwise: then the solver mostly finds the same tree in a whole graph and in the part that matters, and always one
    that is as good.
    Shapes: node_prizes (n,); source, target, edge_prizes and numbers (e,).
    """

    node_prizes: Floats
    source: Ints
    target: Ints
    edge_prizes: Floats
    cost: float
    numbers: Ints | None = None

    def objective(self, nodes: Ints, edges: Ints) -> float:
        """Prizes less costs of some nodes and edges."""
        prizes = self.node_prizes[nodes].sum() + self.edge_prizes[edges].sum()
        return float(prizes - self.cost * len(edges))


def top(similarities: Floats, k: int) -> Ints:
    """The `k` largest, largest first; of equals the first. Shape (at most k,)."""
    size = len(similarities)
    if k >= size:
        return np.argsort(-similarities, kind="stable")
    if k <= 0:
        return np.empty(0, np.int64)
    least = np.partition(similarities, size - k)[size - k]
    found = np.flatnonzero(similarities >= least)
    return found[np.argsort(-similarities[found], kind="stable")[:k]]


def rank_prizes(count: int, k: int) -> Floats:
    """The prizes of the best `count` nodes of `k` asked for: k, k - 1, … (paper, equation 6)."""
    return np.arange(k, k - count, -1, dtype=np.float64)


def edge_prizes(similarities: Floats, counts: Ints, k: int, cost: float) -> tuple[Floats, float]:
    """The prize of each edge text, and the cost of an edge.

    `counts` says how many edges have each text. The k largest different similarities get k, k - 1, …, 1, which all
    edges of that similarity share; none gets more than 0.99 times what the next better has. The cost is never more
    than 0.995 times the largest prize, so that at least one edge pays (the paper's code). Shapes: all (texts,).
    """
    prizes = np.zeros(len(similarities))
    best = np.unique(similarities[counts > 0])[::-1][:k]
    last = np.inf
    for rank, value in enumerate(best.tolist()):
        of_value = (similarities == value) & (counts > 0)
        prize = min((k - rank) / int(counts[of_value].sum()), last)
        prizes[of_value] = prize
        last = prize * (1 - LESS)
    largest = prizes.max(initial=0.0)
    return prizes, min(cost, largest * (1 - LESS / 2)) if largest > 0 else cost


def solve(problem: Problem) -> tuple[Ints, Ints]:
    """The nodes and edges of the subgraph, ascending: those of the tree, and the ends of its edges.

    Unrooted, one cluster, pruning `gw`, as in the paper's code.
    """
    size, cost = len(problem.node_prizes), problem.cost
    dear = problem.edge_prizes > cost
    plain = np.flatnonzero(~dear & (problem.source != problem.target))
    virtual = np.flatnonzero(dear)
    middles = np.arange(size, size + len(virtual))
    starts = np.concatenate([problem.source[plain], problem.source[virtual], middles])
    stops = np.concatenate([problem.target[plain], middles, problem.target[virtual]])
    ends = np.stack([starts, stops], axis=1).astype(np.int64, order="C")  # pcst_fast knows no other order
    paid = cost - problem.edge_prizes[plain]
    if problem.numbers is not None:
        paid = paid * (1 + SLIGHTLY * _scattered(problem.numbers[plain]))
    costs = np.concatenate([paid, np.zeros(2 * len(virtual))])
    prizes = np.concatenate([problem.node_prizes, problem.edge_prizes[virtual] - cost])
    if not len(ends):
        return np.flatnonzero(problem.node_prizes == problem.node_prizes.max(initial=0.0))[:1], plain
    vertices, chosen = (np.asarray(part, np.int64) for part in solver()(ends, prizes, costs, -1, 1, "gw", 0))
    edges = np.concatenate([plain[chosen[chosen < len(plain)]], virtual[vertices[vertices >= size] - size]])
    nodes = np.concatenate([vertices[vertices < size], problem.source[edges], problem.target[edges]])
    return np.unique(nodes), np.sort(edges)


def _scattered(numbers: Ints) -> Floats:
    """A number from 0 to 1 for each, near ones far from each other (Fibonacci hashing; Knuth, 6.4)."""
    return (numbers.astype(np.uint64) * np.uint64(11400714819323198485)) / 2.0**64


@cache
def solver() -> Callable[..., tuple[Ints, Ints]]:
    """The solver, once it has solved what is known. Raises UsageError where it is broken.

    `pcst-fast` up to 1.0.10 gives its first node again and again under NumPy 2.
    """
    from pcst_fast import pcst_fast

    nodes, edges = pcst_fast(
        np.array([[0, 1], [1, 2]]), np.array([1.0, 0.0, 2.0]), np.full(2, 0.1), -1, 1, "gw", 0
    )
    if (sorted(nodes.tolist()), sorted(edges.tolist())) != ([0, 1, 2], [0, 1]):
        raise UsageError(
            "The installed pcst-fast gives wrong results with this NumPy. Put pcst-fast2 in its place: "
            "pip uninstall pcst-fast; pip install pcst-fast2"
        )
    return pcst_fast  # type: ignore[no-any-return]
