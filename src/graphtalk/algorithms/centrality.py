"""Which nodes matter: PageRank and betweenness."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import csr_array, diags_array

from graphtalk.algorithms.links import Floats, adjacency, check_nodes, reversed_adjacency, strengths
from graphtalk.algorithms.named import number_each
from graphtalk.algorithms.search import hops_from
from graphtalk.core import CheckError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_TOGETHER = 64  # sources of one batch: a row of their path counts is 512 bytes
_WORK = 1 << 28  # edges times sources of one batch, at most: a level of it takes a fraction of a second


@number_each()
def pagerank(
    graph: Graph,
    damping: float = 0.85,
    personal: Mapping[int, float] | None = None,
    weight: str | None = None,
    tolerance: float = 1e-10,
    most_rounds: int = 1000,
) -> Floats:
    """The share of time a random surfer spends at each node. Shape (n,), sums to 1.

    With chance 1 - `damping`, and at nodes without a way on, the surfer jumps: anywhere, or to nodes in
    proportion to `personal`. Parallel edges add up; `weight` names an edge feature that makes edges
    likelier. Stops where a round changes less than `tolerance` in total. Raises CheckError for an unknown
    node or a damping outside [0, 1), ToolError for negative weights or where it does not settle. Source:
    Page, Brin, Motwani and Winograd 1999.
    """
    if not 0 <= damping < 1:
        raise CheckError(f"The damping must be at least 0 and below 1, not {damping}.")
    n = graph.num_nodes
    if n == 0:
        return np.empty(0)
    matrix = strengths(graph, weight)
    if matrix.nnz and float(matrix.data.min()) < 0:
        raise ToolError(f"PageRank needs weights of 0 or more; the least {weight!r} is {matrix.data.min()}.")
    jump = _jump(graph, personal)
    out = np.asarray(matrix.sum(axis=1)).ravel()
    stuck = out == 0
    share = np.divide(1.0, out, out=np.zeros(n), where=~stuck)
    spread = csr_array(matrix.T @ diags_array(share))
    rank = jump.copy()
    for _ in range(most_rounds):
        look()
        new: Floats = damping * (spread @ rank + rank[stuck].sum() * jump) + (1 - damping) * jump
        new /= new.sum()
        if np.abs(new - rank).sum() < tolerance:
            return new
        rank = new
    raise ToolError(f"PageRank did not settle to {tolerance} within {most_rounds} rounds.")


def _jump(graph: Graph, personal: Mapping[int, float] | None) -> Floats:
    n = graph.num_nodes
    if personal is None:
        return np.full(n, 1.0 / n)
    jump = np.zeros(n)
    jump[check_nodes(graph, list(personal))] = list(personal.values())
    if (jump < 0).any() or not jump.sum() > 0:
        raise CheckError("Personal weights must be 0 or more, and not all 0.")
    jump /= jump.sum()
    return jump


@number_each()
def closeness(graph: Graph) -> Floats:
    """How near each node is to those that reach it: their share of all nodes over their mean distance. Shape (n,).

    Distances are in edges along their direction; 0 for a node that none reaches. Source: Freeman 1979, for graphs
    in parts as Wasserman and Faust 1994.
    """
    n = graph.num_nodes
    found = np.zeros(n)
    towards = reversed_adjacency(graph)
    for node in range(n):
        look()
        hops = hops_from(towards, node)
        near = hops[np.isfinite(hops)]
        total = float(near.sum())
        found[node] = (len(near) - 1) ** 2 / (total * (n - 1)) if total else 0.0
    return found


@number_each()
def betweenness(graph: Graph, normalized: bool = True, samples: int | None = None, seed: int = 0) -> Floats:
    """How many shortest paths between other nodes lead through each node, in shares. Shape (n,).

    Exact by default; with `samples`, estimated from that many random sources (Brandes and Pich 2007) by
    `seed`. `normalized` divides by the number of pairs. Parallel edges are one way. Source: Brandes 2001,
    level by level for many sources at once.
    """
    n = graph.num_nodes
    sources = _sources(n, samples, seed)
    matrix = adjacency(graph)
    total = np.zeros(n)
    together = max(1, min(_TOGETHER, _WORK // max(matrix.nnz, n, 1)))
    for first in range(0, len(sources), together):
        total += _dependencies(matrix, sources[first : first + together])
    if not len(sources):
        return total
    total *= n / len(sources)
    if normalized:
        return total / ((n - 1) * (n - 2)) if n > 2 else total
    return total if graph.directed else total / 2


def _sources(n: int, samples: int | None, seed: int) -> Ints:
    if samples is None or samples >= n:
        return np.arange(n)
    if samples < 1:
        raise CheckError(f"The number of samples must be 1 or more, not {samples}.")
    return np.random.default_rng(seed).choice(n, samples, replace=False)


def _dependencies(matrix: csr_array, sources: Sequence[int] | Ints) -> Floats:
    """Brandes' dependencies on every node, summed over the sources. Shape (n,).

    `paths[v, s]` counts the shortest paths from source s to v, `depth[v, s]` is their length. Each level
    keeps the rows that lead on and a compact matrix of their edges for the way back.
    """
    n, k = matrix.shape[0], len(sources)
    paths, depth = np.zeros((n, k)), np.full((n, k), -1, np.int32)
    paths[sources, np.arange(k)], depth[sources, np.arange(k)] = 1.0, 0
    place = np.empty(n, np.int64)
    front = np.unique(np.asarray(sources, dtype=np.int64))
    levels: list[tuple[Ints, Ints, csr_array]] = []
    while len(front):
        look()
        out, reached = _edges_from(matrix, front, place)
        count = out.T @ (paths[front] * (depth[front] == len(levels)))
        new = (count > 0) & (depth[reached] < 0)
        levels.append((front, reached, out))
        depth[reached] = np.where(new, len(levels), depth[reached])
        paths[reached] += count * new
        front = reached[new.any(axis=1)]
    lean = np.zeros((n, k))
    for level in range(len(levels) - 1, -1, -1):
        look()
        front, reached, out = levels[level]
        found = depth[reached] == level + 1
        share = np.divide(1.0 + lean[reached], paths[reached], out=np.zeros(found.shape), where=found)
        lean[front] += (depth[front] == level) * paths[front] * (out @ share)
    lean[sources, np.arange(k)] = 0.0
    total: Floats = lean.sum(axis=1)
    return total


def _edges_from(matrix: csr_array, rows: Ints, place: Ints) -> tuple[csr_array, Ints]:
    """The edges that leave `rows`, with the columns renumbered to those that are reached.

    `place`, shape (n,), is room to work in. Returns shape (rows, reached), and the reached nodes.
    """
    part = matrix[rows]
    mark = np.zeros(matrix.shape[0], np.bool_)
    mark[part.indices] = True
    reached = np.flatnonzero(mark)
    place[reached] = np.arange(len(reached))
    columns = place[part.indices].astype(part.indices.dtype)
    return csr_array((part.data, columns, part.indptr), shape=(len(rows), len(reached))), reached
