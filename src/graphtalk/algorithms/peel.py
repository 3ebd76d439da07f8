"""Taking nodes away round by round: what topological orders and cores have in common."""

import numpy as np
from scipy.sparse import csr_array

from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints

_FEW = 16  # nodes whose rows are read one by one: faster than whole-array steps
_PART = 8  # where so large a part of the nodes is reached, all are counted
_GONE = (1 << 63) - 1  # the count of a node taken away,
TAKEN = 1 << 62  # which is no less after all that may be subtracted from it


def peel(matrix: csr_array, counts: Ints, start: Ints, limit: int) -> Ints:
    """Take `start` away, and after it every node whose count falls to `limit`, in the order taken.

    Each node taken lowers the counts of its neighbours in `matrix` by one; `counts`, 64 bits, shape (n,), is changed
    in place. `start` must be all nodes at or below the limit that are left. Returns shape (taken,).
    """
    counts[start] = _GONE
    rounds = [start.astype(np.int64)]
    while len(rounds[-1]):
        look()
        rounds.append(_round(matrix, counts, rounds[-1], limit))
    return np.concatenate(rounds)


def _round(matrix: csr_array, counts: Ints, taken: Ints, limit: int) -> Ints:
    indptr, indices = matrix.indptr, matrix.indices
    if len(taken) > _FEW:
        ends = indptr[taken + 1]
        sizes = ends - indptr[taken]
        upto = sizes.cumsum()
        entries = np.arange(upto[-1])
        entries += (ends - upto).repeat(sizes)
        reached = indices[entries]
    else:
        reached = np.concatenate([indices[indptr[node] : indptr[node + 1]] for node in taken.tolist()])
    if len(reached) * _PART > len(counts):
        counts -= np.bincount(reached, minlength=len(counts))
        fallen: Ints = (counts <= limit).nonzero()[0]
        counts[fallen] = _GONE
        return fallen
    reached = reached.astype(np.int64)  # what indexes fastest
    np.subtract.at(counts, reached, 1)
    fallen = reached[counts[reached] <= limit]
    if len(fallen) > 1:
        turn = np.arange(_GONE - len(fallen), _GONE)
        counts[fallen] = turn
        fallen = fallen[counts[fallen] == turn]  # each once
        fallen.sort()
    else:
        counts[fallen] = _GONE
    return fallen
