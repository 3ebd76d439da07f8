"""Adagrad on rows of a table of vectors (Duchi, Hazan and Singer 2011): only the rows that a batch used are touched."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphtalk.graphs.adjacency import Ints

Vectors: TypeAlias = NDArray[np.float32]


class Adagrad:
    """Vectors that are being learnt, shape (n, d), and the sums of their squared slopes, which begin at `sums`.

    Where they begin at next to nothing, the first step of each number is as long as the rate, however small its slope.
    """

    def __init__(self, vectors: Vectors, rate: float, sums: float = 1e-6) -> None:
        self.vectors = vectors
        self.rate = rate
        self._sums = np.full_like(vectors, sums)

    def climb(self, rows: Ints, slopes: Vectors, shrink: float = 0.0, share: float = 1.0) -> None:
        """Move each row along the sum of its slopes (upwards), and `shrink` of itself a use towards 0.

        `share` is the part of the first rate that is still used. Shapes: rows (b,), slopes (b, d).
        """
        once, place = np.unique(rows, return_inverse=True)
        ones = np.ones(len(rows), np.float32)
        member = csr_array((ones, (place, np.arange(len(rows)))), shape=(len(once), len(rows)))
        slope = member @ slopes
        if shrink:
            slope -= shrink * np.bincount(place)[:, None].astype(np.float32) * self.vectors[once]
        self._sums[once] += slope**2
        self.vectors[once] += np.float32(self.rate * share) * slope / np.sqrt(self._sums[once])
