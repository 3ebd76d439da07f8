"""Communities by k-means on common-neighbour affinity (Graph-ToolFormer, sections 4.3 and 5.2, appendix C.4).

Two users are near where they have many neighbours in common. With adjacency A the counts are A Aᵀ; a user's row of
it says how near all others are, and k-means runs on the rows. The matrix is never formed: its main directions are
those of A, found by a sparse eigensolver, and k-means runs on the rows seen along them.
"""

import time
from dataclasses import asdict, dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, diags_array, eye_array

from graphtalk.algorithms import modularity
from graphtalk.algorithms.links import adjacency
from graphtalk.core import UsageError
from graphtalk.core.limits import look
from graphtalk.graphs import Graph
from graphtalk.graphs.adjacency import Ints
from graphtalk.models.communities import CommunityModel
from graphtalk.models.progress import Progress, silent

Floats: TypeAlias = NDArray[np.float64]
NAME = "kmeans"
_CITATION = (
    "James MacQueen: Some methods for classification and analysis of multivariate observations. Fifth Berkeley "
    "Symposium, 1967."
)
_DENSE = 200  # up to so many nodes all eigenvectors are found at once
_SPARE = 8  # directions beyond those asked for, which make these more exact
_PASSES = 12
_PATIENCE = 3
_SETTLED = 1e-4  # a round that gains a smaller share than this is the last


class KMeansModel(CommunityModel):
    """Communities that were found by this module."""

    name = NAME


@dataclass(frozen=True)
class KMeansConfig:
    """How communities are found.

    `count` is k; None tries k = 2, 3, 4, 6, 8, 12, … up to the square root of the nodes, until three in a row were
    no better, and takes the k whose communities have the highest modularity. `affinity` is how common neighbours are counted. `counts` is the paper's
    plain number, by which the best connected users are far from all others. `shares` lets a common neighbour with d
    neighbours count 1/d (resource allocation: Zhou, Lü and Zhang 2009), divides by the geometric mean of the two
    users' degrees, and counts each user among its own neighbours. `restarts` are runs of k-means, the tightest of
    which is taken, each of at most `rounds` rounds.
    """

    count: int | None = None
    affinity: Literal["shares", "counts"] = "shares"
    dimensions: int = 32
    restarts: int = 2
    rounds: int = 20


def suits(graph: Graph) -> None:
    """Every graph has communities, be they single nodes."""


def fit(
    graph: Graph,
    config: KMeansConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> KMeansModel:
    """Communities of all nodes; direction is ignored. The same for the same seed.

    Raises UsageError for a count below 1 or above the number of nodes.
    """
    config, began = config or KMeansConfig(), time.perf_counter()
    n = graph.num_nodes
    if config.count is not None and not 1 <= config.count <= n:
        raise UsageError(f"{graph.name} has {n} nodes: it cannot have {config.count} communities.")
    random = np.random.default_rng(seed)
    rows = affinity_rows(adjacency(graph, undirected=True), config, random)
    best = KMeansModel.of(np.zeros(n, np.int64), modularity(graph, np.zeros(n, np.int64)))
    counts = [config.count] if config.count is not None else candidate_counts(n)
    since = 0
    for done, count in enumerate(counts, start=1):
        labels = cluster(rows, count, config, random)
        found = KMeansModel.of(labels, modularity(graph, labels))
        if config.count is not None or found.modularity > best.modularity:
            best, since = found, 0
        else:
            since += 1
        progress(done, len(counts))
        if since == _PATIENCE:
            break
    return best.fitted(graph, asdict(config), seed, began, _CITATION)


def candidate_counts(nodes: int) -> list[int]:
    """The numbers of communities that are tried: 2, 3, 4, 6, 8, 12, … up to the square root of the nodes."""
    most = int(np.sqrt(nodes))
    every = sorted({2 << i for i in range(32)} | {3 << i for i in range(32)})
    return [count for count in every if count <= most]


def affinity_rows(matrix: csr_array, config: KMeansConfig, random: np.random.Generator) -> Floats:
    """The rows of the affinity matrix along its main directions. Shape (n, at most `dimensions`).

    `matrix` is the symmetric adjacency. With `shares` rows are scaled to length 1, so that only what a user's
    neighbours are counts, not how many.
    """
    n = matrix.shape[0]
    if config.affinity == "counts":
        values, vectors = _main_directions(matrix, config.dimensions, random)
        return np.asarray(vectors * values**2)
    closed = csr_array(matrix + eye_array(n))
    degrees = np.asarray(closed.sum(axis=1)).ravel()
    scale = diags_array(1 / np.sqrt(degrees))
    values, vectors = _main_directions(csr_array(scale @ closed @ scale), config.dimensions, random)
    rows = vectors * values**2
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1))


def _main_directions(
    matrix: csr_array, dimensions: int, random: np.random.Generator
) -> tuple[Floats, Floats]:
    """Eigenvalues largest in size, and their vectors. The square of `matrix` has the same vectors.

    Of large matrices nearly so, by subspace iteration from a random start (Halko, Martinsson and Tropp 2011):
    an exact solver took minutes on trees such as WordNet, whose eigenvalues lie close together.
    """
    n = matrix.shape[0]
    if n <= _DENSE:
        values, vectors = np.linalg.eigh(matrix.toarray())
    else:
        basis = random.standard_normal((n, min(n, dimensions + _SPARE)))
        for _ in range(_PASSES):
            basis = np.linalg.qr(matrix @ basis)[0]
        values, inner = np.linalg.eigh(basis.T @ (matrix @ basis))
        vectors = basis @ inner
    main = np.argsort(-np.abs(values), kind="stable")[:dimensions]
    return values[main], vectors[:, main]


def cluster(rows: Floats, count: int, config: KMeansConfig, random: np.random.Generator) -> Ints:
    """Labels by k-means from k-means++ starts, the tightest of the restarts. Shapes (n, d) → (n,).

    One product of matrices a round: scipy's `kmeans2` was ten times slower at 41,000 rows and 32 centres.
    """
    best, tightest = np.zeros(len(rows), np.int64), np.inf
    for _ in range(config.restarts):
        centres = _spread_centres(rows, count, random)
        labels, spread = _nearest(rows, centres)
        for _ in range(config.rounds):
            look()
            member = csr_array(
                (np.ones(len(rows)), labels, np.arange(len(rows) + 1)), shape=(len(rows), count)
            )
            sizes = np.bincount(labels, minlength=count)[:, None]
            centres = np.where(sizes > 0, (member.T @ rows) / np.maximum(sizes, 1), centres)
            before, (labels, spread) = spread, _nearest(rows, centres)
            if spread >= before * (1 - _SETTLED):
                break
        if spread < tightest:
            best, tightest = labels, spread
    return best


def _spread_centres(rows: Floats, count: int, random: np.random.Generator) -> Floats:
    """k-means++ (Arthur and Vassilvitskii 2007): each centre a row, drawn by its squared distance to those before."""
    chosen = [int(random.integers(len(rows)))]
    apart = np.full(len(rows), np.inf)
    while len(chosen) < count:
        apart = np.minimum(apart, ((rows - rows[chosen[-1]]) ** 2).sum(axis=1))
        reached = np.cumsum(apart)
        drawn = int(np.searchsorted(reached, random.random() * reached[-1], "right"))
        chosen.append(min(drawn, len(rows) - 1))
    return rows[chosen]


def _nearest(rows: Floats, centres: Floats) -> tuple[Ints, float]:
    """The nearest centre of each row, shape (n,), and the sum of the squared distances."""
    shorter = (centres**2).sum(axis=1) - 2 * (rows @ centres.T)
    labels = shorter.argmin(axis=1)
    return labels, float((rows**2).sum() + shorter[np.arange(len(rows)), labels].sum())
