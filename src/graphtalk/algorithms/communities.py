"""Communities: groups of nodes with more edges inside than chance would put there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Floats, neighbours_of, strengths
from graphtalk.core import CheckError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints
from graphtalk.graphs.graph import Graph

_SHARES = 16  # a sweep decides for this share of the nodes at once, so that few neighbours move together
_SWEEPS = 100
_GAIN = 1e-5  # of modularity, for which another sweep is made
_RESTART_GAIN = 1e-3  # for which all is started again from what was found


@dataclass(frozen=True)
class Communities:
    """A partition: the community of each node, shape (n,), the largest community 0; and its modularity."""

    labels: Ints
    modularity: float

    @property
    def groups(self) -> list[list[int]]:
        """The communities, each as its nodes in ascending order, the largest first."""
        order = np.argsort(self.labels, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(self.labels))[:-1]) if len(order) else []
        return [part.tolist() for part in parts]


def communities(
    graph: Graph, weight: str | None = None, resolution: float = 1.0, seed: int = 0
) -> Communities:
    """Communities of high modularity; each is connected. Direction is ignored; the same for the same seed.

    `resolution` above 1 makes more and smaller ones. Raises ToolError for negative weights, CheckError for
    an unknown feature. Source: Louvain (Blondel, Guillaume, Lambiotte and Lefebvre 2008), a share of the
    nodes moving at once; started again from what it found, and disconnected communities split, as in Traag,
    Waltman and van Eck 2019.
    """
    n = graph.num_nodes
    matrix = _symmetric(graph, weight)
    random = np.random.default_rng(seed)
    labels, best = np.arange(n), -np.inf
    while n:
        found = _split(matrix, _louvain(matrix, labels, resolution, random))
        quality = _modularity(matrix, found, resolution)
        gain = quality - best
        if gain > 0:
            labels, best = found, quality
        if gain < _RESTART_GAIN:
            break
    sizes = np.bincount(labels)
    rank = np.empty(len(sizes), np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return Communities(rank[labels], best if n else 0.0)


def modularity(
    graph: Graph, labels: Sequence[int] | Ints, weight: str | None = None, resolution: float = 1.0
) -> float:
    """Share of edges inside communities less what chance would put there; 0 without edges.

    `labels` has the community of each node, shape (n,). Raises CheckError where it has another length.
    Source: Newman and Girvan 2004; resolution: Reichardt and Bornholdt 2006.
    """
    found = np.asarray(labels, dtype=np.int64)
    if found.shape != (graph.num_nodes,):
        raise CheckError(f"One label a node is needed: {graph.num_nodes}, not {len(found)}.")
    return _modularity(_symmetric(graph, weight), np.unique(found, return_inverse=True)[1], resolution)


def _symmetric(graph: Graph, weight: str | None) -> csr_array:
    """Weights both ways, self-loops doubled, so that rows sum to degrees."""
    matrix = strengths(graph, weight, undirected=True)
    if matrix.nnz and float(matrix.data.min()) < 0:
        raise ToolError(
            f"Communities need weights of 0 or more; the least {weight!r} is {matrix.data.min()}."
        )
    loops = matrix.diagonal()
    if loops.any():
        matrix = csr_array(matrix + csr_array((loops, (np.arange(len(loops)),) * 2), shape=matrix.shape))
    return matrix


def _degrees(matrix: csr_array) -> Floats:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).ravel()


def _modularity(matrix: csr_array, labels: Ints, resolution: float) -> float:
    degrees = _degrees(matrix)
    total = float(degrees.sum())
    if total == 0:
        return 0.0
    source = np.repeat(labels, np.diff(matrix.indptr))
    inside = float(matrix.data[source == labels[matrix.indices]].sum())
    shares = np.bincount(labels, degrees) / total
    return inside / total - resolution * float((shares**2).sum())


def _louvain(matrix: csr_array, labels: Ints, resolution: float, random: np.random.Generator) -> Ints:
    """Move nodes, then make each community a node, until nothing moves. Labels are numbered from 0."""
    n = len(labels)
    labels = np.unique(_move(matrix, labels.copy(), resolution, random), return_inverse=True)[1]
    while True:
        count = int(labels.max()) + 1
        member = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, count))
        small = csr_array(member.T @ matrix @ member)
        above = np.unique(_move(small, np.arange(count), resolution, random), return_inverse=True)[1]
        if int(above.max()) + 1 == count:
            return labels
        labels = above[labels]


def _move(matrix: csr_array, labels: Ints, resolution: float, random: np.random.Generator) -> Ints:
    """Let nodes join the neighbouring community that gains most, until no sweep gains. Changes `labels`."""
    degrees = _degrees(matrix)
    total = float(degrees.sum())
    if total == 0:
        return labels
    source = np.repeat(np.arange(len(labels), dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    apart = (source != matrix.indices) & (matrix.data > 0)
    others = csr_array((matrix.data[apart], (source[apart], matrix.indices[apart])), shape=matrix.shape)
    totals = np.bincount(labels, degrees, minlength=len(labels)).astype(np.float64)
    active = np.flatnonzero(np.diff(others.indptr))
    best, quality = labels.copy(), _modularity(matrix, labels, resolution)
    for _ in range(_SWEEPS):
        moved: list[Ints] = []
        for nodes in np.array_split(random.permutation(active), _SHARES):
            if len(nodes):
                look()
                moved.append(_join_best(others, nodes, labels, totals, degrees, resolution / total))
        changed = np.concatenate(moved) if moved else active[:0]
        reached = _modularity(matrix, labels, resolution)
        if reached > quality:
            best = labels.copy()
        if not len(changed) or reached <= quality + _GAIN:
            break
        quality = reached
        near = np.zeros(len(labels), np.bool_)
        near[neighbours_of(others, changed)[0]] = True
        active = np.flatnonzero(near)
    labels[:] = best
    return labels


def _join_best(
    others: csr_array, nodes: Ints, labels: Ints, totals: Floats, degrees: Floats, scale: float
) -> Ints:
    """Let `nodes` move together; each has an entry in `others`. Changes `labels` and `totals`; returns the nodes that moved."""
    n = len(labels)
    member = csr_array((np.ones(n), labels.astype(others.indices.dtype), np.arange(n + 1)), shape=(n, n))
    ties = others[nodes] @ member  # how strongly each node is tied to each community that it borders on
    starts, near = ties.indptr[:-1], ties.indices
    row = np.repeat(np.arange(len(nodes)), np.diff(ties.indptr))
    node = nodes[row]
    own = near == labels[node]
    gain = ties.data - scale * degrees[node] * (totals[near] - own * degrees[node])
    stay = -scale * degrees[nodes] * (totals[labels[nodes]] - degrees[nodes])
    stay[row[own]] = gain[own]
    top = np.maximum.reduceat(gain, starts)
    chosen = np.minimum.reduceat(np.where(gain == top[row], near, n), starts)  # of equals the lowest
    better = top > stay + 1e-12
    moving: Ints = nodes[better]
    to = chosen[better]
    np.subtract.at(totals, labels[moving], degrees[moving])
    np.add.at(totals, to, degrees[moving])
    labels[moving] = to
    return moving


def _split(matrix: csr_array, labels: Ints) -> Ints:
    """Communities that are not connected fall into their components: that can only raise modularity."""
    from scipy.sparse.csgraph import connected_components

    source = np.repeat(np.arange(len(labels)), np.diff(matrix.indptr))
    inside = labels[source] == labels[matrix.indices]
    within = csr_array(
        (np.ones(int(inside.sum())), (source[inside], matrix.indices[inside])), shape=matrix.shape
    )
    return np.asarray(connected_components(within, directed=False)[1], dtype=np.int64)
