"""Communities by the Leiden algorithm (Traag, Waltman and van Eck 2019): of high modularity, each connected.

It runs in `graspologic-native` where that is installed; see `graphtalk.algorithms.communities` for what is always there.
"""

import time
from dataclasses import asdict, dataclass

import numpy as np

from graphtalk.algorithms import modularity
from graphtalk.algorithms.links import adjacency
from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.models.communities import CommunityModel
from graphtalk.models.progress import Progress, silent

NAME = "leiden"
_CITATION = (
    "Vincent Traag, Ludo Waltman, Nees Jan van Eck: From Louvain to Leiden: guaranteeing well-connected communities. "
    "Scientific Reports 9, 2019."
)


class LeidenModel(CommunityModel):
    """Communities that were found by this module."""

    name = NAME


@dataclass(frozen=True)
class LeidenConfig:
    """`resolution` above 1 makes more and smaller communities. The best of `trials` runs is taken."""

    resolution: float = 1.0
    trials: int = 4


def suits(graph: Graph) -> None:
    """Every graph has communities, be they single nodes."""


def fit(
    graph: Graph,
    config: LeidenConfig | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> LeidenModel:
    """Communities of all nodes; direction is ignored. The same for the same seed.

    Raises UsageError where the library is not installed, or for a resolution that is not above 0.
    """
    try:
        from graspologic_native import leiden_csr
    except ImportError:
        raise UsageError('Leiden needs graspologic-native: pip install "graphtalk[models]".') from None
    config, began = config or LeidenConfig(), time.perf_counter()
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
    found = LeidenModel.of(labels, modularity(graph, labels))
    return found.fitted(graph, asdict(config), seed, began, _CITATION)
