"""The edges of all relations in their order, as they come by batches: row pointers, neighbours and features, in files."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from graphtalk.graphs.adjacency import Ints, Pointers, pointers_of
from graphtalk.graphs.schema import NodeType
from graphtalk.graphs.spill import Spill


@dataclass(frozen=True)
class Stored:
    """What is known of the relations before their edges come: how many edges, and between which types."""

    node_types: Sequence[NodeType]
    counts: Sequence[int]
    kinds: Sequence[tuple[int, int]]

    def cut(self, numbers: Ints) -> list[Ints]:
        """An array of all relations' edges, one after the other, cut to those of each."""
        return np.split(numbers, np.cumsum(self.counts)[:-1]) if self.counts else []


class Side:
    """One side of the adjacencies of all relations, on its way: rows ascend within a relation."""

    def __init__(self, stored: Stored, side: int, spill: Spill) -> None:
        self._stored, self._side, self._spill = stored, side, spill
        last = stored.node_types[-1] if stored.node_types else None
        nodes = last.first + last.count if last else 0
        self._others = spill.numbers(np.int32 if nodes < 2**31 else np.int64)
        self._rows: list[list[Ints]] = [[] for _ in stored.counts]
        self._sizes: list[list[Ints]] = [[] for _ in stored.counts]
        self._seen = np.zeros(len(stored.counts), np.int64)

    def add(self, batch: pa.RecordBatch) -> Ints:
        """More edges. Returns the position of each among those of its relation. Shape (edges,)."""
        kind, here = (batch.column(name).to_numpy().astype(np.int64) for name in ("kind", "here"))
        self._others.add(batch.column("there").to_numpy())
        cuts = np.flatnonzero((np.diff(kind) != 0) | (np.diff(here) != 0)) + 1
        starts = np.concatenate([np.zeros(1, np.int64), cuts])
        sizes = np.diff(np.append(starts, len(kind)))
        edge = np.empty(len(kind), np.int64)
        for code in np.unique(kind).tolist():
            own = kind[starts] == code
            self._rows[code].append(here[starts[own]])
            self._sizes[code].append(sizes[own])
            low, high = np.searchsorted(kind, [code, code + 1])
            edge[low:high] = self._seen[code] + np.arange(high - low)
            self._seen[code] += high - low
        return edge

    def parts(self) -> list[tuple[Pointers, Ints]]:
        """Row pointers and neighbours of each relation."""
        others = self._stored.cut(self._others.done())
        found = []
        for code, ends in enumerate(others):
            t = self._stored.node_types[self._stored.kinds[code][self._side]]
            rows, sizes = np.concatenate(self._rows[code]), np.concatenate(self._sizes[code])
            new = np.append(True, rows[1:] != rows[:-1])  # a row may go on in the next batch
            sizes = np.add.reduceat(sizes, np.flatnonzero(new))
            found.append((pointers_of(rows[new] - t.first, sizes, t.count), ends))
        return found


class EdgeFeatures:
    """The features of all edges, in their order, on their way."""

    def __init__(self, schema: pa.Schema, spill: Spill) -> None:
        self._schema, self._columns = schema, [f"f{i}" for i in range(len(schema))]
        self._path = spill.file(".arrow")
        self._spill = spill
        self._writer = pa.ipc.new_file(str(self._path), schema)

    def add(self, batch: pa.RecordBatch) -> None:
        """More of them."""
        if self._columns:
            cells = [batch.column(c).cast(f.type) for c, f in zip(self._columns, self._schema, strict=True)]
            self._writer.write_batch(pa.record_batch(cells, schema=self._schema))

    def cut(self, counts: Sequence[int]) -> list[pa.Table]:
        """Those of each relation, which has so many edges, without columns that have no value there."""
        self._writer.close()
        if not self._columns:
            return [pa.table({}) for _ in counts]
        table, start, found = self._spill.mapped(self._path), 0, []
        for count in counts:
            own = table.slice(start, count)
            found.append(own.select([i for i, c in enumerate(own.columns) if c.null_count < count]))
            start += count
        return found
