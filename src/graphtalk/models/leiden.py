"""Communities by the Leiden algorithm (Traag, Waltman and van Eck 2019): of high modularity, each connected.

It runs in `graspologic-native` where that is installed; see `graphtalk.algorithms.communities` for what is always there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from graphtalk.algorithms import modularity
from graphtalk.algorithms.links import adjacency
from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.models.communities import CommunityModel, community_scores, load_communities

NAME = "leiden"
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True)
class LeidenConfig:
    """`resolution` above 1 makes more and smaller communities. The best of `trials` runs is taken."""

    resolution: float = 1.0
    trials: int = 4


def fit(
    graph: Graph,
    config: LeidenConfig | None = None,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> CommunityModel:
    """Communities of all nodes; direction is ignored. The same for the same seed.

    Raises UsageError where the library is not installed, or for a resolution that is not above 0.
    """
    try:
        from graspologic_native import leiden_csr
    except ImportError:
        raise UsageError('Leiden needs graspologic-native: pip install "graphtalk[models]".') from None
    config = config or LeidenConfig()
    if config.resolution <= 0:
        raise UsageError(f"The resolution must be above 0, not {config.resolution:g}.")
    matrix = adjacency(graph, undirected=True)
    labels = np.arange(graph.num_nodes)
    if matrix.nnz:
        _, found = leiden_csr(
            matrix.indptr.astype(np.int64),
            matrix.indices.astype(np.int32),
            matrix.data,
            graph.num_nodes,
            resolution=config.resolution,
            seed=seed,
            trials=config.trials,
        )
        placed = np.fromiter(found, np.int64, len(found))
        labels[placed] = graph.num_nodes + np.fromiter(found.values(), np.int64, len(found))
    progress(1, 1)
    return CommunityModel.of(labels, modularity(graph, labels))


def load(folder: Path, graph: str = "") -> CommunityModel:
    """A model that was saved. Raises UsageError as `saved.load`."""
    return load_communities(folder, NAME, graph)


def scores(model: CommunityModel, graph: Graph, config: LeidenConfig, seed: int) -> dict[str, float]:
    """What the card says of a partition of this graph."""
    return community_scores(model)


def expected_seconds(graph: Graph) -> float:
    """About how long fitting takes on one CPU core."""
    return 0.1 + 2e-5 * graph.num_edges
