"""Which rows of a column hold a value: keys of 64 bits in order, made once for a column that is asked often."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.hashing import Hashes, hash_column

_FEW = 8


@dataclass(frozen=True, eq=False)
class Lookup:
    """A column of texts or of whole numbers with its rows in the order of their keys. Shapes: all (rows,)."""

    cells: pa.Array
    keys: Hashes
    order: Ints

    @classmethod
    def of(cls, column: pa.ChunkedArray) -> "Lookup | None":
        """The look-up of a column; None of a kind that it does not serve."""
        if not (pa.types.is_integer(column.type) or pa.types.is_string(column.type)):
            return None
        cells = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        keys = _keys(cells)
        order = np.argsort(keys, kind="stable")
        return cls(cells, keys[order], order)

    def find(self, values: Sequence[str | int]) -> Ints | None:
        """The rows that hold any of these values, in ascending order. None where a value is of another kind."""
        kind = str if pa.types.is_string(self.cells.type) else int
        if any(type(value) is not kind for value in values):
            return None
        try:
            wanted = pa.array(list(dict.fromkeys(values)), self.cells.type)
        except (pa.ArrowInvalid, OverflowError):
            return None  # such as a number that the column's kind cannot hold
        keys = np.unique(_keys(wanted))  # different texts may share one
        low, high = self.keys.searchsorted(keys, "left"), self.keys.searchsorted(keys, "right")
        near = np.concatenate(
            [np.empty(0, np.int64), *(self.order[a:b] for a, b in zip(low, high, strict=True))]
        )
        near.sort()
        if len(near) <= _FEW:
            return near[[self.cells[row].as_py() in values for row in near.tolist()]]
        from pyarrow.compute import is_in  # slow to import, and few processes come here

        held = is_in(self.cells.take(pa.array(near)), wanted)
        found: Ints = near[held.to_numpy(zero_copy_only=False)]
        return found


def _keys(cells: pa.Array) -> Hashes:
    """A key for each cell, the same for equal ones; any where there is none."""
    if pa.types.is_integer(cells.type):
        whole: Ints = cells.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
        return whole.view(np.uint64)
    return hash_column(cells)
