"""graph6, sparse6 and digraph6 (McKay): a graph a line, in printable characters of six bits each; as nauty, SageMath and
networkx write them. One graph is a graph, several are a set. Nodes are called by their numbers from 0.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from graphtalk.core import SourceError
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.formats.sets import graph_set
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.graphs.importing import Importing

_ENDINGS = (".g6", ".s6", ".d6", ".graph6", ".sparse6", ".digraph6")
_HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")
_LEAST, _BIAS = 1_000_000, 63


def sniff(path: Path) -> bool:
    """Whether a file is called so, or begins with a header."""
    return path.is_file() and (plain_name(path).endswith(_ENDINGS) or head(path, 11).startswith(_HEADERS))


def read(sources: Sequence[Path], importing: Importing) -> Graph | GraphSet:
    """One file. Raises SourceError with the line."""
    path = one_file(sources)
    with open_bytes(path, importing.progress) as file:
        try:
            lines = file.read().splitlines()
        except BROKEN as error:
            raise SourceError(f"cannot be read ({error}).", str(path)) from error
    sizes: list[int] = []
    parts: list[Ints] = []
    directed: list[bool] = []
    for number, line in enumerate(lines, 1):
        for header in _HEADERS:
            line = line.removeprefix(header)
        if not line.strip():
            continue
        try:
            size, ends = _decoded(line.strip())
        except ValueError as error:
            raise SourceError(f"cannot be read: {error}.", str(path), number) from None
        directed.append(line.startswith(b"&"))
        parts.append(ends + sum(sizes))
        sizes.append(size)
        importing.progress.advance(rows=size)
    if not sizes:
        raise SourceError("cannot be read: it has no graph.", str(path))
    if len(set(directed)) > 1:
        raise SourceError("cannot be read: some of its graphs are directed and others are not.", str(path))
    none = pa.table({})
    found = graph_set(
        np.array(sizes),
        np.concatenate(parts, axis=1),
        none,
        none,
        none,
        undirected=not directed[0],
        name=importing.name,
    )
    return found.union if len(sizes) == 1 else found


def _decoded(line: bytes) -> tuple[int, Ints]:
    """The number of nodes and the ends of the edges, shape (2, edges). Raises ValueError where the line is damaged."""
    kind, body = (line[:1], line[1:]) if line[:1] in (b":", b"&") else (b"", line)
    if line[:1] == b";":
        raise ValueError("a graph that only says how it differs from the one before is not read")
    sixes = np.frombuffer(body, np.uint8).astype(np.int64) - _BIAS
    if not len(sixes) or sixes.min() < 0 or sixes.max() > 63:
        raise ValueError("a character stands outside those from ? to ~")
    begin = 1 if sixes[0] < 63 else 4 if len(sixes) > 1 and sixes[1] < 63 else 8
    digits = sixes[:1] if begin == 1 else sixes[begin // 4 : begin]
    if len(sixes) < begin:
        raise ValueError("the number of nodes is cut off")
    size = int(digits @ 64 ** np.arange(len(digits))[::-1])
    bits = np.unpackbits((sixes[begin:] << 2).astype(np.uint8)[:, None], axis=1)[:, :6].ravel()
    if kind == b":":
        if size > max(_LEAST, 100 * len(line)):
            raise ValueError(f"{size:,} nodes in {len(line):,} bytes")
        return size, _sparse(size, bits)
    needed = size * size if kind else size * (size - 1) // 2
    if len(bits) // 6 != -(-needed // 6):
        raise ValueError(f"{len(bits) // 6:,} characters where {size:,} nodes need {-(-needed // 6):,}")
    ones = np.flatnonzero(bits[:needed])
    if kind:
        return size, np.stack([ones // size, ones % size]) if size else np.empty((2, 0), np.int64)
    starts = np.arange(size + 1) * (np.arange(size + 1) - 1) // 2  # of the columns of the upper triangle
    later = np.searchsorted(starts, ones, "right") - 1
    return size, np.stack([ones - starts[later], later])


def _sparse(size: int, bits: NDArray[np.uint8]) -> Ints:
    """The edges of sparse6: pairs of a bit b and a number x of k bits move a node v on or name one of its neighbours.

    v becomes v + b, and then x where that is more; else there is an edge from x to v. So v less the sum of the bits b is a
    running maximum.
    """
    width = max(1, (size - 1).bit_length())
    count = len(bits) // (width + 1)
    pairs = bits[: count * (width + 1)].reshape(count, width + 1).astype(np.int64)
    moved = np.cumsum(pairs[:, 0])
    named = pairs[:, 1:] @ (1 << np.arange(width)[::-1])
    now = np.maximum(np.maximum.accumulate(named - moved), 0) + moved
    before = np.concatenate([np.zeros(1, np.int64), now[:-1]]) + pairs[:, 0]
    over = np.flatnonzero((named >= size) | (before >= size))
    end = int(over[0]) if len(over) else count  # the rest fills the last character
    edges = np.flatnonzero(named[:end] <= before[:end])
    return np.stack([named[edges], before[edges]])
