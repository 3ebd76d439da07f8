"""Every card: its own examples, its words, and its answers on hundreds of random graphs beside `algorithms`."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest

from graphtalk import algorithms, vertex
from graphtalk.core import ToolError
from graphtalk.graphs import Graph
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.card import WORDS
from graphtalk.vertex.engines.objects import ObjectExecution
from random_graphs import make_graph, make_networkx

CARDS = list(vertex.library())
GRAPHS = 80


class Objects:
    """Every program on the engine of sets and lists: node after node in plain Python."""

    name = "objects"

    def start(self, bound: Bound) -> ObjectExecution:
        return ObjectExecution(bound)


def keyed(answer: Any) -> Any:
    """An answer as JSON would hold it, with numbers rounded."""
    if isinstance(answer, dict):
        return {str(key): keyed(value) for key, value in answer.items()}
    if isinstance(answer, list):
        return [keyed(value) for value in answer]
    return round(answer, 6) if isinstance(answer, float) and math.isfinite(answer) else answer


@pytest.mark.parametrize("name", CARDS)
def test_the_examples_of_a_card_come_out(name: str) -> None:
    card = vertex.library()[name]
    assert card.examples, "a card needs an example"
    for example in card.examples:
        graph = vertex.small_graph(example.nodes, example.edges, example.directed, example.node_weights)
        for engine in (None, Objects()):
            done = vertex.run(card.program, graph, example.parameters, engine)
            assert keyed(done.answer) == keyed(example.answer)
            states = vertex.plain_states(done.bound, done.states)
            for field, column in example.states.items():
                assert keyed(states[field]) == keyed(column)
            assert example.rounds in (None, done.rounds)


@pytest.mark.parametrize("name", CARDS)
def test_a_card_says_its_six_parts_in_words(name: str) -> None:
    card = vertex.library()[name]
    assert card.name == name
    assert set(card.words) == set(WORDS)
    assert card.summary and card.keywords and card.reference
    assert "### Example of Send" in card.text or name == "diameter"
    assert {m for m in ("state", "message", "send", "update") if f"### {m.capitalize()}" in card.text}


def random_cases(
    seed: int, count: int = GRAPHS, most: int = 11
) -> list[tuple[Graph, nx.MultiGraph, np.random.Generator]]:
    """Directed and undirected, with loops, parallel edges, lone nodes, several components; single nodes too."""
    random = np.random.default_rng(seed)
    cases = []
    for i in range(count):
        nodes = int(random.integers(1, most))
        size = int(random.integers(0, 3 * nodes))
        ends = random.integers(0, nodes, (size, 2)).tolist()
        edges = [(a, b, int(random.integers(0, 10))) for a, b in ends]
        directed = bool(i % 2)
        cases.append((make_graph(nodes, edges, directed), make_networkx(nodes, edges, directed), random))
    return cases


def ran(name: str, graph: Graph, **parameters: Any) -> vertex.Run:
    return vertex.run(vertex.library()[name].program, graph, parameters)


def distances(graph: Graph, random: np.random.Generator, name: str, weight: str | None, field: str) -> None:
    source = int(random.integers(graph.num_nodes))
    expected = algorithms.distances_from(graph, source, weight)
    done = ran(name, graph, source=source)
    np.testing.assert_array_equal(np.asarray(done.states[field]), expected)
    target = int(random.integers(graph.num_nodes))
    to_one = ran(name, graph, source=source, target=target)
    if np.isfinite(expected[target]):
        assert to_one.answer == expected[target]
    else:
        assert to_one.answer is None
        assert "no path" in to_one.outcome.refusal


def check_shortest_path(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    distances(graph, random, "shortest_path", "weight", "distance")


def check_shortest_path_unweighted(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    distances(graph, random, "shortest_path_unweighted", None, "hops")


def check_shortest_path_route(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    source, target = random.integers(graph.num_nodes, size=2).tolist()
    path = ran("shortest_path_route", graph, source=source, target=target).answer
    length = algorithms.shortest_path_length(graph, source, target, "weight")
    if not np.isfinite(length):
        assert path is None
        return
    assert path[0] == source and path[-1] == target
    steps = [
        min(data["weight"] for data in other.get_edge_data(a, b).values())
        for a, b in itertools.pairwise(path)
    ]
    assert sum(steps) == length


def check_connectivity(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    source, target = random.integers(graph.num_nodes, size=2).tolist()
    reached = algorithms.distances_from(graph, source) < np.inf
    assert ran("connectivity", graph, source=source, target=target).answer is bool(reached[target])
    assert ran("connectivity", graph, source=source).answer == np.flatnonzero(reached).tolist()


def check_components(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    labels = algorithms.component_labels(graph)
    lowest = {label: int(np.flatnonzero(labels == label)[0]) for label in set(labels.tolist())}
    assert list(ran("components", graph).answer.values()) == [lowest[label] for label in labels.tolist()]


def check_cycle_detection(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    assert ran("cycle_detection", graph).answer is algorithms.has_cycle(graph)


def check_bipartite_check(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    done = ran("bipartite_check", graph)
    colours = algorithms.bipartite_colouring(graph)
    assert done.answer is (colours is not None)
    if colours is not None:
        np.testing.assert_array_equal(np.asarray(done.states["side"]), colours)


def check_topological_order(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    done = ran("topological_order", graph)
    try:
        assert done.answer == algorithms.topological_order(graph)
    except ToolError:
        assert done.answer is None and done.outcome.refusal


def check_degree(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    assert list(ran("degree", graph).answer.values()) == algorithms.degree(graph).tolist()
    assert ran("degree", graph, target=0).answer == other.degree(0)


def check_pagerank(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    ranks = ran("pagerank", graph).states["rank"]
    np.testing.assert_allclose(np.asarray(ranks), algorithms.pagerank(graph), atol=1e-8)


def check_pagerank_personalised(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    sources = sorted(set(random.integers(graph.num_nodes, size=2).tolist()))
    expected = algorithms.pagerank(graph, personal=dict.fromkeys(sources, 1.0))
    ranks = ran("pagerank_personalised", graph, sources=sources).states["rank"]
    np.testing.assert_allclose(np.asarray(ranks), expected, atol=1e-8)


def check_k_core(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    assert list(ran("k_core", graph).answer.values()) == algorithms.core_numbers(graph).tolist()
    assert ran("k_core", graph, k=2).answer == algorithms.k_core(graph, 2)


def plain(other: nx.MultiGraph) -> nx.Graph:
    found = nx.Graph(other.to_undirected())
    found.remove_edges_from(list(nx.selfloop_edges(found)))
    return found


def check_label_propagation(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    simple = plain(other)
    labels = list(range(graph.num_nodes))
    for _ in range(50):
        new = []
        for node in range(graph.num_nodes):
            near = [labels[v] for v in simple[node]]
            new.append(min(near, key=lambda label: (-near.count(label), label)) if near else labels[node])
        if new == labels:
            break
        labels = new
    assert list(ran("label_propagation", graph).answer.values()) == labels


def check_breadth_first_tree(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    depths = algorithms.distances_from(graph, 0)
    parents = ran("breadth_first_tree", graph, source=0).answer
    assert set(parents) == {v for v in range(graph.num_nodes) if 0 < depths[v] < np.inf}
    assert all(other.has_edge(parent, v) and depths[parent] == depths[v] - 1 for v, parent in parents.items())


def check_spanning_tree(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    tree = nx.Graph(ran("spanning_tree", graph).answer)
    tree.add_nodes_from(range(graph.num_nodes))
    simple = plain(other)
    assert all(simple.has_edge(*edge) for edge in tree.edges)
    assert nx.is_forest(tree)
    assert nx.number_connected_components(tree) == nx.number_connected_components(simple)


def check_maximal_independent_set(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    simple, seed = plain(other), int(random.integers(100))
    inside = set(ran("maximal_independent_set", graph, seed=seed).answer)
    assert not any(a in inside and b in inside for a, b in simple.edges)
    assert all(node in inside or inside & set(simple[node]) for node in simple)


def check_colouring(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    simple = plain(other)
    colours = ran("colouring", graph, seed=int(random.integers(100))).answer
    assert all(colours[a] != colours[b] for a, b in simple.edges)
    assert all(set(range(int(colours[v]))) <= {colours[u] for u in simple[v]} for v in simple)


def check_triangle_count(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    done = ran("triangle_count", graph)
    assert done.answer == algorithms.triangle_count(graph)
    assert list(done.states["triangles"]) == algorithms.triangles(graph).tolist()


def check_maximum_triangle_sum(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    done = ran("maximum_triangle_sum", graph, weight="value")
    best = algorithms.maximum_triangle(graph, "value")
    assert done.answer == (best.weight if best else None)


def check_maximum_flow(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    if graph.num_nodes < 2 or not graph.num_edges:
        return
    source, target = random.choice(graph.num_nodes, 2, replace=False).tolist()
    done = ran("maximum_flow", graph, source=source, target=target, capacity="weight")
    assert done.answer == algorithms.maximum_flow(graph, source, target, "weight").value


def check_eccentricity(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    assert (
        list(ran("eccentricity", graph).answer.values())
        == np.asarray(algorithms.eccentricity(graph)).tolist()
    )


def check_diameter(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    assert ran("diameter", graph).answer == algorithms.diameter(graph)


def check_betweenness(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    found = list(ran("betweenness", graph).answer.values())
    np.testing.assert_allclose(found, algorithms.betweenness(graph), atol=1e-9)


def check_hamiltonian_path(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    path = ran("hamiltonian_path", graph).answer
    if algorithms.hamiltonian_path(graph) is None:
        assert path is None
    else:
        assert sorted(path) == list(range(graph.num_nodes))
        assert all(other.has_edge(a, b) for a, b in itertools.pairwise(path))


def check_subgraph_matching(graph: Graph, other: nx.MultiGraph, random: np.random.Generator) -> None:
    pattern = [(0, 1), (1, 2), (2, 0)] if random.integers(2) else [(0, 1), (1, 2), (1, 3)]
    small = make_graph(
        4 if len({e for p in pattern for e in p}) == 4 else 3, [(a, b, 1) for a, b in pattern], graph.directed
    )
    found = ran("subgraph_matching", graph, pattern=[list(pair) for pair in pattern]).answer
    # The whole graph is known to the lowest node of each component; the card tells of the first.
    if found is not None:
        assert len(set(found)) == small.num_nodes
        assert all(other.has_edge(found[a], found[b]) for a, b in pattern)
    elif algorithms.is_connected(graph):
        assert not algorithms.has_subgraph(graph, small)


CHECKS: dict[str, Callable[..., None]] = {
    name.removeprefix("check_"): check for name, check in list(globals().items()) if name.startswith("check_")
}


def test_every_card_is_checked() -> None:
    assert set(CHECKS) == set(CARDS)


@pytest.mark.parametrize("name", CARDS)
def test_a_card_agrees_with_the_algorithm_on_random_graphs(name: str) -> None:
    for graph, other, random in random_cases(seed=len(name)):
        CHECKS[name](graph, other, random)


@pytest.mark.parametrize("name", CARDS)
def test_arrays_and_objects_give_the_same_states(name: str) -> None:
    card = vertex.library()[name]
    if not card.program.scalar:
        pytest.skip("sets and lists have one engine in memory")
    for graph, _, random in random_cases(seed=100 + len(name), count=20):
        source, target = random.integers(graph.num_nodes, size=2).tolist()
        given = {"source": source, "target": target, "sources": [source], "k": 1}
        parameters = {key: value for key, value in given.items() if key in card.program.parameters}
        one = vertex.run(card.program, graph, parameters)
        other = vertex.run(card.program, graph, parameters, Objects())
        assert (one.rounds, one.messages) == (other.rounds, other.messages)
        for field, column in one.states.items():
            np.testing.assert_allclose(
                np.asarray(column, float), np.asarray(other.states[field], float), rtol=1e-9
            )
