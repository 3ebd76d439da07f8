"""Harder questions made of ExplaGraphs': several graphs side by side, the stance of one, and a node to look up in it."""

from collections.abc import Iterator, Sequence

import numpy as np

from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.training.text_graphs import TextGraph
from look_ups import LOOK_UP, QUESTION, named_once

LOOKED_UP = "-look-up"  # ends the ids of questions about a node


def joined(splits: Splits, graphs: int) -> Splits:
    """Two questions about each so many graphs side by side: the stance of one of them, and the number of a node."""
    parts = (
        tuple(_joined(part, graphs, np.random.default_rng(seed)))
        for seed, part in enumerate((splits.train, splits.validation, splits.test))
    )
    return Splits(*parts)


def _joined(
    part: Sequence[GraphQuestion], graphs: int, noise: np.random.Generator
) -> Iterator[GraphQuestion]:
    for place, question in enumerate(part):
        others = noise.choice(len(part) - 1, graphs - 1, replace=False)
        together = [question.graph, *(part[other].graph for other in others + (others >= place))]
        graph = side_by_side([together[at] for at in noise.permutation(graphs)])
        yield GraphQuestion(question.asked, graph, question.prompt)
        if alone := named_once(graph):
            node = int(noise.choice(alone))
            asked = Asked(
                question.asked.id + LOOKED_UP, QUESTION.format(node=graph.nodes[node]), Gold(str(node))
            )
            yield GraphQuestion(asked, graph, LOOK_UP.format(node=graph.nodes[node]))


def side_by_side(graphs: Sequence[TextGraph]) -> TextGraph:
    """One graph of several, with no edge between them."""
    firsts = np.cumsum([0, *(len(graph.nodes) for graph in graphs[:-1])])
    return TextGraph(
        tuple(node for graph in graphs for node in graph.nodes),
        tuple(edge for graph in graphs for edge in graph.edges),
        np.concatenate([graph.ends + first for graph, first in zip(graphs, firsts, strict=True)], axis=1),
    )
