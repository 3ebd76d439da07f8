"""All engines give the same states, rounds and messages; what an engine cannot run it refuses."""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from random_graphs import make_graph

from graphtalk import vertex
from graphtalk.core import CheckError, LimitError, UsageError
from graphtalk.graphs import Graph
from graphtalk.vertex.engines.duckdb import DuckdbEngine
from graphtalk.vertex.engines.memory import MemoryEngine

CARDS = [name for name, card in vertex.library().items() if card.program.scalar]


def random_graphs(seed: int, count: int, most: int = 9) -> list[tuple[Graph, np.random.Generator]]:
    random = np.random.default_rng(seed)
    found = []
    for i in range(count):
        nodes = int(random.integers(1, most))
        ends = random.integers(0, nodes, (int(random.integers(0, 3 * nodes)), 2)).tolist()
        found.append(
            (make_graph(nodes, [(a, b, int(random.integers(10))) for a, b in ends], bool(i % 2)), random)
        )
    return found


def parameters_of(card: vertex.Card, graph: Graph, random: np.random.Generator) -> dict[str, Any]:
    source, target = random.integers(graph.num_nodes, size=2).tolist()
    given = {"source": source, "target": target, "sources": [source], "k": 1, "tolerance": 1e-4}
    found = {name: value for name, value in given.items() if name in card.program.parameters}
    if card.name == "maximum_flow" and graph.num_edges:
        found |= {"capacity": "weight", "opposite": "weight"}
    return found


def compare(card: vertex.Card, graph: Graph, parameters: dict[str, Any], engine: vertex.Engine) -> None:
    one = vertex.run(card.program, graph, parameters)
    other = vertex.run(card.program, graph, parameters, engine)
    assert (one.rounds, one.messages) == (other.rounds, other.messages)
    assert one.states.keys() == other.states.keys()
    for name, column in one.states.items():
        np.testing.assert_allclose(
            np.asarray(column, float), np.asarray(other.states[name], float), rtol=1e-9, atol=1e-12
        )
    assert one.outcome.refusal == other.outcome.refusal


@pytest.mark.parametrize("name", CARDS)
def test_duckdb_gives_the_states_of_memory(name: str) -> None:
    pytest.importorskip("duckdb")
    card = vertex.library()[name]
    for graph, random in random_graphs(len(name), 6):
        compare(card, graph, parameters_of(card, graph, random), DuckdbEngine())
