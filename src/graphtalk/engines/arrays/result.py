"""What a query gives: rows with named columns, as arrays and as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from graphtalk.core import JSON
from graphtalk.engines.arrays.rows import Column, Rows, Support
from graphtalk.graphs import Graph


@dataclass(frozen=True, eq=False)
class ResultSet:
    """What a query gives: rows with named columns, and where they came from (`rows.origins`, `supports`).

    `single`: it is the one row of aggregates over everything, so that its one column holds the one value.
    """

    rows: Rows
    graph: Graph
    single: bool = False
    supports: tuple[Support, ...] = field(default=(), repr=False)

    @property
    def names(self) -> list[str]:
        """The names of the columns, in order."""
        return list(self.rows.columns)

    @property
    def columns(self) -> list[Column]:
        """The columns, in order."""
        return list(self.rows.columns.values())

    def __len__(self) -> int:
        return self.rows.size

    def records(self) -> Iterator[list[JSON]]:
        """Each row as values that JSON has: see `plain_value`."""
        from graphtalk.engines.arrays.columns import values_of
        from graphtalk.engines.arrays.plain import (
            plain_value,  # slow to import, and few results are shown whole
        )

        columns = [values_of(column) for column in self.columns]
        for at in range(self.rows.size):
            yield [plain_value(column[at], self.graph) for column in columns]

    def first(self, most: int) -> "ResultSet":
        """The first rows, at most so many."""
        if most >= len(self):
            return self
        return ResultSet(self.rows.take(np.arange(most)), self.graph, self.single, self.supports)

    @property
    def nbytes(self) -> int:
        """About how many bytes the columns hold; what the rows came from is not counted."""
        return 64 + 16 * self.rows.size * max(1, len(self.rows.columns))
