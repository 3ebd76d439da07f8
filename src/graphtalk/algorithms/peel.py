"""Taking nodes away round by round: what topological orders and cores have in common."""

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import neighbours_of
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints

_FEW = 8
_PART = 16  # where so large a part of the nodes is reached, all are counted rather than those put in order


def peel(matrix: csr_array, counts: Ints, start: Ints, limit: int) -> Ints:
    """Take `start` away, and after it every node whose count falls to `limit`, in the order taken.

    Each node taken lowers the counts of its neighbours in `matrix` by one; `counts`, shape (n,), is changed
    in place. `start` must be all nodes at or below the limit. Returns shape (taken,).
    """
    rounds = [start.astype(np.int64)]
    while len(rounds[-1]):
        look()
        rounds.append(_round(matrix, counts, rounds[-1], limit))
    return np.concatenate(rounds)


def _round(matrix: csr_array, counts: Ints, taken: Ints, limit: int) -> Ints:
    if len(taken) > _FEW:
        reached, _ = neighbours_of(matrix, taken)
        if len(reached) * _PART > len(counts):
            stood = counts > limit
            counts -= np.bincount(reached, minlength=len(counts))
            return np.flatnonzero(stood & (counts <= limit))
        reached = reached[counts[reached] > limit]
        np.subtract.at(counts, reached, 1)
        found: Ints = np.sort(reached[counts[reached] <= limit]).astype(np.int64)
        once: Ints = found[np.append(True, found[1:] != found[:-1])[: len(found)]]
        return once
    fallen = []
    for node in taken.tolist():
        row = matrix.indices[matrix.indptr[node] : matrix.indptr[node + 1]]
        counts[row] -= 1
        fallen.append(row[counts[row] == limit])
    return np.sort(np.concatenate(fallen)).astype(np.int64)
