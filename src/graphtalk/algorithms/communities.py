"""Communities: groups of nodes with more edges inside than chance would put there."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from graphtalk.algorithms.links import Floats, neighbours_of, strengths
from graphtalk.core import CheckError, ToolError
from graphtalk.core.limits import look
from graphtalk.graphs.adjacency import Ints, gather
from graphtalk.graphs.graph import Graph

_SHARES = 16  # a sweep decides for this share of all nodes at once, so that few neighbours move together
_LEAST_SHARES = 4
_SWEEPS = 100
_FEW = 6  # neighbours a node, on average
_COARSE = 3e-3  # of modularity, for which another sweep is made before communities are made nodes
_FINE = 3e-5  # and when they are taken apart again


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
    nodes moving at once and only those near a change again; refined on every level (Rotta and Noack 2011);
    disconnected communities split, as in Traag, Waltman and van Eck 2019.
    """
    n = graph.num_nodes
    matrix = _symmetric(graph, weight)
    random = np.random.default_rng(seed)
    labels = _split(matrix, _louvain(matrix, np.arange(n), resolution, random)) if n else np.arange(n)
    sizes = np.bincount(labels)
    rank = np.empty(len(sizes), np.int64)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return Communities(rank[labels], _modularity(matrix, labels, resolution))


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
    """Move nodes, then make each community a node, until nothing moves; on the way back move the nodes of each level again.

    Labels are numbered from 0. Shapes (n,).
    """
    n = len(labels)
    labels = np.unique(_move(matrix, labels, resolution, random, _COARSE), return_inverse=True)[1]
    count = int(labels.max()) + 1
    if count == n:
        return labels
    member = csr_array((np.ones(n), labels, np.arange(n + 1)), shape=(n, count))
    small = csr_array(member.T @ matrix @ member)
    above = _louvain(small, np.arange(count), resolution, random)[labels]
    return np.unique(_move(matrix, above, resolution, random, _FINE), return_inverse=True)[1]


def _move(
    matrix: csr_array, labels: Ints, resolution: float, random: np.random.Generator, least: float
) -> Ints:
    """Let nodes join the neighbouring community that gains most, until a sweep gains less modularity than `least`. Shapes (n,)."""
    n = len(labels)
    degrees = _degrees(matrix)
    total = float(degrees.sum())
    if total == 0:
        return labels
    others = _apart(matrix)
    width = others.indices.dtype
    member = csr_array((np.ones(n), labels.astype(width), np.arange(n + 1, dtype=width)), shape=(n, n))
    totals = np.bincount(labels, degrees, minlength=n).astype(np.float64)
    source = np.repeat(np.arange(n), np.diff(others.indptr))
    border = np.zeros(n, np.bool_)  # nodes inside their community have nowhere to go
    border[source[labels[source] != labels[others.indices]]] = True
    active = np.flatnonzero(border)
    for _ in range(_SWEEPS):
        gained, near = 0.0, np.zeros(n, np.bool_)
        shares = max(_LEAST_SHARES, -(-_SHARES * len(active) // n))
        for nodes in np.array_split(random.permutation(active), shares):
            if len(nodes):
                look()
                moved, gain = _join_best(others, nodes, member, totals, degrees, resolution / total)
                near[neighbours_of(others, moved)[0]] = True
                gained += gain
        if 2 * gained <= least * total:
            break
        active = np.flatnonzero(near)
    return np.asarray(member.indices, np.int64)


def _apart(matrix: csr_array) -> csr_array:
    """The matrix without self-loops and zeros. Shape (n, n)."""
    source = np.repeat(np.arange(matrix.shape[0], dtype=matrix.indices.dtype), np.diff(matrix.indptr))
    apart = (source != matrix.indices) & (matrix.data > 0)
    if apart.all():
        return matrix
    return csr_array((matrix.data[apart], (source[apart], matrix.indices[apart])), shape=matrix.shape)


def _join_best(
    others: csr_array, nodes: Ints, member: csr_array, totals: Floats, degrees: Floats, scale: float
) -> tuple[Ints, float]:
    """Let `nodes` move together; each has an entry in `others`. Changes `totals` and `member`, whose indices are the labels.

    Returns the nodes that moved and the weight that they gain, each for itself.
    """
    labels = member.indices
    ties = _ties(others, nodes, member)
    starts, near, counts = ties.indptr[:-1], ties.indices, np.diff(ties.indptr)
    expected = scale * degrees[nodes]
    gain = ties.data - np.repeat(expected, counts) * totals[near]
    own = np.flatnonzero(near == np.repeat(labels[nodes], counts))
    stay = expected * (degrees[nodes] - totals[labels[nodes]])
    stay[np.searchsorted(starts, own, "right") - 1] += ties.data[own]
    gain[own] = -np.inf
    top = np.maximum.reduceat(gain, starts)
    better = top > stay + 1e-12
    best = np.flatnonzero(gain == np.repeat(np.where(better, top, np.nan), counts))
    moving: Ints = nodes[better]
    to = near[best]
    if len(to) > len(moving):  # of equals the lowest
        to = np.minimum.reduceat(to, np.searchsorted(best, starts[better]))
    np.subtract.at(totals, labels[moving], degrees[moving])
    np.add.at(totals, to, degrees[moving])
    labels[moving] = to
    return moving, float((top - stay)[better].sum())


def _ties(others: csr_array, nodes: Ints, member: csr_array) -> csr_array:
    """How strongly each of `nodes` is tied to each community that it borders on, shape (k, n).

    By a product with the communities; where nodes have few neighbours, these are sorted by community, which is faster.
    """
    if others.nnz > _FEW * others.shape[0]:
        return csr_array(others[nodes] @ member)
    at, counts = gather(others.indptr, nodes)
    ends = np.append(0, np.cumsum(counts)).astype(others.indptr.dtype)
    labels = member.indices[others.indices[at]]
    ties = csr_array((others.data[at], labels, ends), shape=(len(nodes), others.shape[1]))
    ties.sum_duplicates()
    return ties


def _split(matrix: csr_array, labels: Ints) -> Ints:
    """Communities that are not connected fall into their components: that can only raise modularity."""
    from scipy.sparse.csgraph import connected_components

    source = np.repeat(np.arange(len(labels)), np.diff(matrix.indptr))
    inside = labels[source] == labels[matrix.indices]
    within = csr_array(
        (np.ones(int(inside.sum())), (source[inside], matrix.indices[inside])), shape=matrix.shape
    )
    return np.asarray(connected_components(within, directed=False)[1], dtype=np.int64)
