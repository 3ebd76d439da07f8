"""The card of a model that was just fitted."""

import time
from collections.abc import Mapping

from graphtalk.core import JSON
from graphtalk.graphs import Graph
from graphtalk.models.saved import ModelCard

UNFITTED = ModelCard("", "", "", {}, 0)
"""The card of a model that was learnt from arrays, not fitted on a graph."""


def new_card(
    model: str,
    graph: Graph,
    config: Mapping[str, JSON],
    seed: int,
    scores: Mapping[str, float],
    began: float,
    citation: str,
) -> ModelCard:
    """The card of a model fitted on this graph since `began`, by `time.perf_counter`."""
    return ModelCard(
        model=model,
        dataset=graph.name,
        graph=graph.checksum,
        config=config,
        seed=seed,
        scores=scores,
        seconds=round(time.perf_counter() - began, 2),
        source="fitted by graphtalk",
        licence="Apache-2.0; that of the data set applies to what was learnt from it",
        citation=citation,
    )
