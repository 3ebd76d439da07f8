"""What SEG-Bert knows of a set of graphs before it learns (Zhang 2020, sections 3.1 and 3.2).

Every graph is laid out as a row of nodes, and the row is cut into segments of one length. Where nodes stand does not
matter to the model: it sees what each node is (its label, degree and role), and how many edges lie between two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from graphtalk.core import UsageError, choices
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import floats
from graphtalk.graphs.graph_set import GraphSet
from graphtalk.models.wl import Colours, colours

STRATEGIES = ("full-input", "padding", "shifting")
UNSEEN = 0  # the code of what no training graph has


@dataclass(frozen=True, eq=False)
class Nodes:
    """The n nodes of all graphs. Each row of `keys` says what a node is, as hashes: label, degree, roles.

    Shapes: keys (kinds, n), graph_of (n,), hops (n, n) sparse: edges between two nodes, at most `far`.
    """

    keys: Colours
    graph_of: Ints
    hops: csr_array


@dataclass(frozen=True, eq=False)
class Segments:
    """Segments of at most k nodes. Shapes: nodes (segments, k), -1 where there is none; graph_of (segments,)."""

    nodes: Ints
    graph_of: Ints

    def of(self, graphs: Ints) -> "Segments":
        """The segments of some graphs, numbered anew by their places in `graphs`, ascending by them."""
        starts = np.searchsorted(self.graph_of, graphs)
        counts = np.searchsorted(self.graph_of, graphs, "right") - starts
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return Segments(
            self.nodes[np.repeat(starts, counts) + within], np.repeat(np.arange(len(graphs)), counts)
        )


def describe(graphs: GraphSet, label: str, rounds: int, far: int) -> Nodes:
    """What the nodes of a set are. `label` names a feature of nodes ("" for none), `rounds` are those of the roles.

    Raises UsageError where there is no such feature.
    """
    union = graphs.union
    matrix = union.matrix(symmetric=True)
    matrix.data[:] = 1
    labels = _labels(graphs, label)
    degrees = np.diff(matrix.indptr).astype(np.int64)
    kinds = [colours(matrix, values, 0) for values in (labels, degrees)]
    kinds += [colours(matrix, labels, done) for done in range(1, rounds + 1)]
    return Nodes(np.stack(kinds), _graph_of(graphs), _hops(matrix, far))


def _labels(graphs: GraphSet, label: str) -> Ints:
    if not label:
        return np.zeros(graphs.union.num_nodes, np.int64)
    parts = []
    for t in graphs.union.schema.node_types:
        table = graphs.union.columns[t.name]
        valid = [f.name for f in t.features if f.kind in ("number", "boolean")]
        if label not in valid:
            raise UsageError(
                f"{t.name} nodes of {graphs.name} have no number {label!r}. {choices(label, valid)}"
            )
        parts.append(np.nan_to_num(floats(table.column(label)), nan=-1).astype(np.int64))
    return np.concatenate(parts)


def _graph_of(graphs: GraphSet) -> Ints:
    each = [
        np.repeat(np.arange(len(graphs)), np.diff(graphs.offsets[:, t]))
        for t in range(graphs.offsets.shape[1])
    ]
    return np.concatenate(each)


def _hops(matrix: csr_array, far: int) -> csr_array:
    """How many edges lie between two nodes that at most `far` join; 1 more than that, so that 0 says "farther"."""
    count = matrix.shape[0]
    ones = csr_array((np.ones(count, np.int8), (np.arange(count), np.arange(count))), shape=matrix.shape)
    step = csr_array((np.ones(matrix.nnz, np.int8), matrix.indices, matrix.indptr), shape=matrix.shape) + ones
    reach, total = ones, ones.copy()
    for _ in range(far):
        reach = reach @ step
        reach.data[:] = 1  # pairs within so many edges
        total = total + reach
    total.data = (far + 2 - total.data).astype(np.int8)  # a pair at distance d was counted far + 1 - d times
    return total.tocsr()


def cut(nodes: Nodes, graphs: int, strategy: str, size: int) -> Segments:
    """Lay every graph out and cut it, by one of the paper's three strategies.

    `full-input`: one segment as long as the largest graph. `padding`: one segment of `size` nodes, filled up, or cut
    to the nodes of highest degree. `shifting`: segments of `size` nodes that follow each other; near nodes lie
    together (Cuthill and McKee's order). Raises UsageError for another strategy or a size below 1.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f"No strategy {strategy!r} of SEG-Bert. {choices(strategy, STRATEGIES)}")
    if size < 1:
        raise UsageError(f"A segment has at least one node, not {size}.")
    counts = np.bincount(nodes.graph_of, minlength=graphs)
    if strategy == "shifting":
        order = reverse_cuthill_mckee(nodes.hops, symmetric_mode=True).astype(np.int64)
    else:
        order = np.argsort(-np.diff(nodes.hops.indptr), kind="stable")
    order = order[np.argsort(nodes.graph_of[order], kind="stable")]
    place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    if strategy == "full-input":
        size = int(counts.max(initial=1))
    if strategy == "padding":
        order, place = order[place < size], place[place < size]
    each = np.ones_like(counts) if strategy != "shifting" else np.maximum(-(-counts // size), 1)
    first = np.cumsum(each) - each
    laid = np.full((int(each.sum()), size), -1, np.int64)
    laid[first[nodes.graph_of[order]] + place // size, place % size] = order
    return Segments(laid, np.repeat(np.arange(graphs), each))


def between(nodes: Nodes, laid: Ints) -> NDArray[np.int64]:
    """The codes of distance between the nodes of each segment. Shapes (s, k) → (s, k, k)."""
    found = np.zeros((*laid.shape, laid.shape[1]), np.int64)
    segment, place = np.nonzero(laid >= 0)
    there = laid[segment, place]
    row_of = np.full(nodes.hops.shape[0], -1)
    row_of[there] = np.arange(len(there))
    rows = nodes.hops[there]
    at = np.repeat(np.arange(len(there)), np.diff(rows.indptr))
    other = row_of[rows.indices]
    same = (other >= 0) & (segment[other] == segment[at])
    at, other, values = at[same], other[same], rows.data[same]
    found[segment[at], place[at], place[other]] = values
    return found


def vocabulary(nodes: Nodes, graphs: Ints) -> list[Colours]:
    """For each kind of key those that occur in some graphs, sorted."""
    inside = np.isin(nodes.graph_of, graphs)
    return [np.unique(kind[inside]) for kind in nodes.keys]


def codes(nodes: Nodes, known: Sequence[Colours]) -> Ints:
    """Each node's keys as numbers from 1, by vocabulary; `UNSEEN` for others. Shape (kinds, n)."""
    found = []
    for kind, words in zip(nodes.keys, known, strict=True):
        at = np.minimum(np.searchsorted(words, kind), len(words) - 1)
        found.append(np.where(words[at] == kind, at + 1, UNSEEN))
    return np.stack(found)
