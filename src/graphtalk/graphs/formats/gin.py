"""Graph sets in one text file, as GIN (Xu et al., 2019) and DGCNN have them.

The first line is the number of graphs. Each graph is a line `nodes label`, then a line a node:
`label degree neighbours…`. Graphs and nodes are called by their positions from 0.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from graphtalk.core import SourceError
from graphtalk.graphs.edges import is_mirror
from graphtalk.graphs.formats.files import BROKEN, head_lines, open_bytes, plain_name
from graphtalk.graphs.formats.sets import graph_set
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing


def sniff(path: Path) -> bool:
    """Whether a text file begins with a number, a line of two numbers, and a node whose degree is right."""
    if not plain_name(path).endswith(".txt") or not path.is_file():
        return False
    lines = [line.split() for line in head_lines(path, 3)]
    if [len(line) for line in lines[:2]] != [1, 2] or len(lines) < 3 or len(lines[2]) < 2:
        return False
    cells = [cell for line in lines for cell in line]
    return all(cell.lstrip("-").isdigit() for cell in cells) and len(lines[2]) == int(lines[2][1]) + 2


def read(sources: Sequence[Path], importing: Importing) -> GraphSet:
    """One file. The labels become features `label` of graphs and nodes. Raises SourceError with the line."""
    path = sources[0]
    lines = _Lines(path, importing)
    sizes, labels, node_labels, pairs = [], [], [], []
    first = 0
    count = lines.numbers(1)[0]
    if count < 0:
        raise SourceError(f"a file of {count} graphs.", str(path), lines.at)
    for _ in range(count):
        size, label = lines.numbers(2)[:2]
        if size < 0:
            raise SourceError(f"a graph of {size} nodes.", str(path), lines.at)
        sizes.append(size)
        labels.append(label)
        for node in range(size):
            numbers = lines.numbers(2)
            neighbours = numbers[2 : 2 + numbers[1]]
            if len(neighbours) != numbers[1] or not all(0 <= n < size for n in neighbours):
                raise SourceError(f"not {numbers[1]} neighbours below {size}.", str(path), lines.at)
            node_labels.append(numbers[0])
            pairs += [(first + node, first + n) for n in neighbours]
        first += size
        importing.progress.advance(rows=size)
    lines.end(count)
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    undirected = is_mirror(ends)
    if undirected:
        ends = ends[:, ends[0] <= ends[1]]
    nodes = pa.table({"label": pa.array(node_labels, pa.int64())})
    graphs = pa.table({"label": pa.array(labels, pa.int64())})
    return graph_set(
        np.array(sizes, dtype=np.int64), ends, nodes, pa.table({}), graphs, undirected, importing.name
    )


class _Lines:
    """The lines of a file as numbers; `at` is the line read last, from 1."""

    def __init__(self, path: Path, importing: Importing) -> None:
        self._path = path
        self.at = 0
        with open_bytes(path, importing.progress) as file:
            try:
                self._lines = file.read().decode("ascii", "replace").splitlines()
            except BROKEN as error:
                raise SourceError(f"cannot be read ({error}).", str(path)) from error

    def end(self, count: int) -> None:
        """Raise SourceError where there are more lines."""
        if any(line.strip() for line in self._lines[self.at : self.at + 2]):
            raise SourceError(f"goes on after its {count:,} graphs.", str(self._path), self.at + 1)

    def numbers(self, least: int) -> list[int]:
        """The numbers of the next line, at least so many."""
        if self.at >= len(self._lines):
            raise SourceError("the file ends too early.", str(self._path), self.at + 1)
        text = self._lines[self.at]
        self.at += 1
        try:
            found = [int(float(cell)) for cell in text.split()]
        except (ValueError, OverflowError):
            raise SourceError(f"{text[:80]!r} is not a line of numbers.", str(self._path), self.at) from None
        if any(abs(number) >= 2**63 for number in found):
            raise SourceError(f"{text[:80]!r} has a number beyond 64 bits.", str(self._path), self.at)
        if len(found) < least:
            raise SourceError(f"{len(found)} numbers where {least} are needed.", str(self._path), self.at)
        return found
