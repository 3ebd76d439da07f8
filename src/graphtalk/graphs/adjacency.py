"""Compressed sparse rows of one relation, forwards and backwards."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.signedinteger]


@dataclass(frozen=True)
class Adjacency:
    """The edges of one relation. Rows are local to the node type; neighbours are graph-wide indices.

    Edge `e` (a position in `indices`) goes from the row that contains it to `indices[e]`. Rows keep the
    order in which edges were given, and parallel edges. `back_edge[p]` is the edge behind `back_indices[p]`.
    Shapes: indptr (sources + 1,), indices (edges,), back_indptr (targets + 1,), back_indices and
    back_edge (edges,).
    """

    indptr: Ints
    indices: Ints
    back_indptr: Ints
    back_indices: Ints
    back_edge: Ints

    @classmethod
    def of(cls, source: Ints, target: Ints, sources: range, targets: range) -> "tuple[Adjacency, Ints]":
        """Build from graph-wide end points, and say in which order the given edges now stand.

        `sources` and `targets` are the index ranges of the two node types. Returns the adjacency and
        `order`, so that edge `e` is the given edge `order[e]`.
        """
        width: type[np.signedinteger] = np.int32 if max(sources.stop, targets.stop) < 2**31 else np.int64
        order = np.argsort(source, kind="stable")
        indices: Ints = target[order].astype(width)
        indptr = _pointers(source, sources)
        back_edge = np.argsort(indices, kind="stable")
        back_indptr = _pointers(target, targets)
        back_indices: Ints = source[order][back_edge].astype(width)
        edge_width: type[np.signedinteger] = np.int32 if len(source) < 2**31 else np.int64
        return cls(indptr, indices, back_indptr, back_indices, back_edge.astype(edge_width)), order


def _pointers(ends: Ints, span: range) -> Ints:
    counts = np.bincount(ends - span.start, minlength=len(span))
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def gather(indptr: Ints, rows: Ints) -> tuple[Ints, Ints]:
    """Positions of all entries of `rows`, row after row, and how many each row has.

    Shapes: rows (k,) → positions (sum of counts,), counts (k,). Work grows with the result only.
    """
    starts = indptr[rows]
    counts = indptr[rows + 1] - starts
    if len(rows) > 1 and rows[-1] - rows[0] == len(rows) - 1 and bool((np.diff(rows) == 1).all()):
        return np.arange(starts[0], starts[-1] + counts[-1], dtype=np.int64), counts  # they lie end to end
    ends = counts.cumsum(dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + (starts - ends + counts).repeat(counts), counts
