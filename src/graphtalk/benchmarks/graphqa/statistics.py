"""Statistics of a data set, as table 2 of the G-Retriever paper gives them."""

from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.benchmarks.graphqa.questions import GraphQuestion

PAPER = {  # table 2: graphs, nodes and edges of one on average
    "graphqa-explagraphs": (2_766, 5.17, 4.25),
    "graphqa-scenegraphs": (100_000, 19.13, 68.44),
    "graphqa-webqsp": (4_737, 1370.89, 4252.37),
}


@dataclass(frozen=True)
class Statistics:
    """How many graphs, and how many nodes and edges one has on average."""

    graphs: int
    nodes: float
    edges: float


def statistics(questions: Sequence[GraphQuestion]) -> Statistics:
    """The statistics of these questions. A graph that several ask about counts for each, as in the paper."""
    count = len(questions)
    nodes = sum(len(question.graph.nodes) for question in questions)
    edges = sum(len(question.graph.edges) for question in questions)
    return Statistics(count, nodes / max(count, 1), edges / max(count, 1))
