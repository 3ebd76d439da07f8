"""Looking words up in the text of a graph: the questions, and exercises in graphs drawn from many others' triples."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from graphtalk.benchmarks.graphqa.questions import GraphQuestion
from graphtalk.training.text_graphs import TextGraph

Triple: TypeAlias = tuple[str, str, str]
Turns: TypeAlias = list[tuple[str, str]]
"""A conversation: prompts with their answers."""

QUESTION = "Which number has {node}?"
LOOK_UP = "Answer with the number of this node: {node}"


def triples_of(questions: Sequence[GraphQuestion]) -> list[Triple]:
    """All triples of their graphs."""
    return [
        (q.graph.nodes[source], relation, q.graph.nodes[target])
        for q in questions
        for source, relation, target in zip(q.graph.ends[0], q.graph.edges, q.graph.ends[1], strict=True)
    ]


def named_once(graph: TextGraph) -> list[int]:
    """The nodes whose text no other node has."""
    counts = Counter(graph.nodes)
    return [place for place, text in enumerate(graph.nodes) if counts[text] == 1]


def exercise(pool: Sequence[Triple], triples: int, turns: int, noise: np.random.Generator) -> Turns:
    """Nodes to look up in a graph of triples drawn from a pool: too many graphs to be learnt by heart."""
    graph = TextGraph.of_triples([pool[place] for place in noise.integers(len(pool), size=triples)])
    asked = noise.integers(len(graph.nodes), size=turns).tolist()
    prompts = [LOOK_UP.format(node=graph.nodes[node]) for node in asked]
    return [
        (graph.as_csv() + prompt if turn == 0 else prompt, str(node))
        for turn, (prompt, node) in enumerate(zip(prompts, asked, strict=True))
    ]
