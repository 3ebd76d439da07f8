"""What Graph-Bert knows of a graph before it learns (Zhang et al. 2020, sections 3.1 and 3.2).

For each node its context: the nodes most intimate with it, how intimate they are, and how many edges away; and for
each node a code of its structural role. All is computed once, from the structure alone.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, eye_array

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.models.wl import roles

Floats: TypeAlias = NDArray[np.float32]

_ROWS = 512  # nodes whose intimacy and distances are held densely at a time
_FAINT = 3e-5  # intimacy below this is dropped between steps: it would never be among the largest


@dataclass(frozen=True, eq=False)
class Context:
    """The contexts of n nodes: each the node itself, then up to k others, the most intimate first.

        Shapes: nodes, intimacy, hops (n, k + 1), roles (n,). Where a node has fewer others, its own index stands with
    X"""

    nodes: Ints
    intimacy: Floats
    hops: Ints
    roles: Ints


def contexts(matrix: csr_array, size: int, restart: float, far: int) -> Context:
    """The contexts in a graph of adjacency `matrix`, shape (n, n), symmetric.

    `size` is k; `restart` how often PageRank's walk goes back to where it began (the paper: 0.15).
    """
    count = matrix.shape[0]
    nodes = np.empty((count, size + 1), np.int64)
    intimacy = np.empty((count, size + 1), np.float32)
    hops = np.empty((count, size + 1), np.int64)
    walk, degrees = _walk(matrix), matrix.sum(axis=1)
    for first in range(0, count, _ROWS):
        look()
        rows = np.arange(first, min(first + _ROWS, count))
        scores, apart = page_ranks(walk, rows, restart, far)
        nodes[rows], shares = _largest(scores, rows, size)
        ratio = (1 + degrees[rows])[:, None] / (1 + degrees[nodes[rows]])
        intimacy[rows] = shares / shares.sum(axis=1, keepdims=True) * np.sqrt(ratio)
        hops[rows] = np.take_along_axis(apart, nodes[rows], axis=1)
    return Context(nodes, intimacy, hops, roles(matrix))


def page_ranks(walk: csr_array, rows: Ints, restart: float, far: int) -> tuple[Floats, NDArray[np.int8]]:
    """Personalised PageRank of all nodes, seen from each of `rows`, and their distances. Shapes (rows, n).

    By sparse products: the walk after t steps counts `restart (1 - restart)^t`, and first reaches what lies t edges
    away. What becomes faint is dropped, so that a step costs what is near, not the whole graph; what was never
    reached lies `far` away.
    """
    here: csr_array = csr_array(eye_array(walk.shape[0], dtype=np.float32, format="csr")[rows]) * np.float32(
        restart
    )
    total: Floats = here.toarray()
    apart = np.where(total > 0, 0, far).astype(np.int8)
    steps = 0
    while here.nnz:
        steps += 1
        here = csr_array(here @ walk) * np.float32(1 - restart)
        here.data[here.data < _FAINT] = 0
        here.eliminate_zeros()
        now = here.toarray()
        if steps < far:
            apart[(now > 0) & (total == 0)] = steps
        total += now
    return total, apart


def _walk(matrix: csr_array) -> csr_array:
    """One step of a walk that goes along an edge at random; from a node without edges it stays. Shape (n, n)."""
    degrees = matrix.sum(axis=1)
    stays = matrix + diags_array((degrees == 0).astype(np.float64), format="csr")
    step: csr_array = (
        diags_array(1 / np.maximum(degrees, 1e-12) * (degrees > 0) + (degrees == 0)) @ stays
    ).tocsr()
    return step.astype(np.float32)


def _largest(scores: Floats, rows: Ints, size: int) -> tuple[Ints, Floats]:
    """Each row's node, then its `size` best others. Ties go to the lower index."""
    local = np.arange(len(rows))
    own = scores[local, rows]
    others = scores.copy()
    others[local, rows] = 0
    kept = min(size, scores.shape[1])
    best = np.argsort(-others, axis=1, kind="stable")[:, :kept]
    values = np.take_along_axis(others, best, axis=1)
    best = np.where(values > 0, best, rows[:, None])
    short = size - kept
    best = np.concatenate([rows[:, None], best, np.repeat(rows[:, None], short, axis=1)], axis=1)
    values = np.concatenate([own[:, None], values, np.zeros((len(rows), short), np.float32)], axis=1)
    return best, values
