"""Colours of Weisfeiler and Lehman: codes of structural roles (Graph-Bert, section 3.2; SEG-Bert, section 3.2)."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.graphs.adjacency import Ints

Colours: TypeAlias = NDArray[np.uint64]

_GOLDEN, _FIRST, _SECOND = (
    np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
)


def colours(matrix: csr_array, labels: Ints | None = None, rounds: int = 2) -> Colours:
    """A colour a node after some rounds, from labels (None: all alike). Shape (n,).

    Nodes have one colour exactly if the rounds cannot tell them apart. Colours are 64-bit hashes, so they mean the
    same in every graph.
    """
    found = mixed(np.zeros(matrix.shape[0], np.uint64) if labels is None else labels.astype(np.uint64))
    for _ in range(rounds):
        around = np.append(
            mixed(found)[matrix.indices], np.uint64(0)
        )  # a row without edges may begin at the end
        sums = np.add.reduceat(around, matrix.indptr[:-1]) if len(found) else found
        sums[np.diff(matrix.indptr) == 0] = 0
        found = mixed(found * _GOLDEN + sums)
    return found


def roles(matrix: csr_array, rounds: int = 2) -> Ints:
    """Colours as numbers from 0, the commonest first; of equally common ones, that of the lower node. Shape (n,)."""
    _, first, place, counts = np.unique(
        colours(matrix, None, rounds), return_index=True, return_inverse=True, return_counts=True
    )
    rank = np.empty(len(counts), np.int64)
    rank[np.lexsort((first, -counts))] = np.arange(len(counts))
    return rank[place]


def mixed(values: Colours) -> Colours:
    """Each 64-bit number scattered over all (SplitMix64)."""
    values = values + _GOLDEN
    values = (values ^ (values >> np.uint64(30))) * _FIRST
    values = (values ^ (values >> np.uint64(27))) * _SECOND
    return values ^ (values >> np.uint64(31))
