"""Cuts, acyclic graphs, and problems without a quick way, beside networkx or every possibility."""

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphtalk import algorithms
from graphtalk.core import LimitError, ToolError
from graphtalk.graphs import Graph
from random_graphs import both_ways, make_graph, random_graphs, simple

Case = tuple[Graph, nx.MultiGraph]


def plain(other: nx.MultiGraph) -> nx.Graph:
    return simple(both_ways(other))


@given(random_graphs())
def test_bridges_and_articulation_points(case: Case) -> None:
    graph, other = case
    double = {frozenset(pair) for pair in other.edges() if both_ways(other).number_of_edges(*pair) > 1}
    wanted = {frozenset(pair) for pair in nx.bridges(plain(other))} - double
    assert {frozenset(pair) for pair in algorithms.bridges(graph)} == wanted
    assert algorithms.articulation_points(graph) == sorted(nx.articulation_points(plain(other)))


@given(random_graphs())
def test_eulerian(case: Case) -> None:
    graph, other = case
    kept = other.copy()
    kept.remove_nodes_from(list(nx.isolates(other)))
    if len(kept):
        assert algorithms.is_eulerian(graph) == nx.is_eulerian(kept)
        assert algorithms.is_eulerian(graph, closed=False) == (
            nx.is_eulerian(kept) or nx.has_eulerian_path(kept)
        )


@given(random_graphs(directed=True))
def test_longest_paths_and_their_number(case: Case) -> None:
    graph, other = case
    one_way = [(min(s, t), max(s, t), w) for s, t, w in other.edges(data="weight") if s != t]
    graph = make_graph(len(other), one_way, True)
    acyclic = nx.DiGraph((s, t) for s, t, _ in one_way)
    acyclic.add_nodes_from(other)
    path = algorithms.longest_path(graph)
    assert len(path) - 1 == nx.dag_longest_path_length(acyclic, weight="none", default_weight=1)
    assert all(acyclic.has_edge(a, b) for a, b in itertools.pairwise(path))
    last = len(other) - 1
    if last:
        assert algorithms.path_count(graph, 0, last) == sum(1 for _ in nx.all_simple_paths(acyclic, 0, last))


@given(random_graphs(most=7))
def test_paths_are_counted_in_any_graph(case: Case) -> None:
    graph, other = case
    last = len(other) - 1
    expected = sum(1 for _ in nx.all_simple_paths(simple(other), 0, last)) if last else 1
    assert algorithms.path_count(graph, 0, last) == expected


def test_counting_paths_ends() -> None:
    everyone = make_graph(20, [(a, b, 1.0) for a, b in itertools.combinations(range(20), 2)], False)
    with pytest.raises(LimitError):
        algorithms.path_count(everyone, 0, 19)


def test_longest_paths_need_a_graph_without_cycles() -> None:
    for graph in (make_graph(2, [(0, 1, 1.0), (1, 0, 1.0)], True), make_graph(2, [(0, 1, 1.0)], False)):
        with pytest.raises(ToolError):
            algorithms.longest_path(graph)


@given(random_graphs(most=9))
def test_cliques_independent_sets_colours_and_matchings(case: Case) -> None:
    graph, other = case
    near = plain(other)
    cliques = max(map(len, nx.find_cliques(near)), default=0)
    clique = algorithms.largest_clique(graph)
    assert len(clique) == cliques and all(near.has_edge(*pair) for pair in itertools.combinations(clique, 2))
    alone = algorithms.largest_independent_set(graph)
    assert len(alone) == max(map(len, nx.find_cliques(nx.complement(near))), default=0)
    assert not any(near.has_edge(*pair) for pair in itertools.combinations(alone, 2))
    colours = algorithms.colouring(graph)
    assert all(colours[a] != colours[b] for a, b in near.edges())
    fewest = len(set(colours))
    assert fewest >= cliques
    if fewest > max(cliques, 1):
        assert not any(
            all(tried[a] != tried[b] for a, b in near.edges())
            for tried in itertools.product(range(fewest - 1), repeat=len(near))
        )
    pairs = algorithms.maximum_matching(graph)
    assert len({end for pair in pairs for end in pair}) == 2 * len(pairs)
    assert all(near.has_edge(*pair) for pair in pairs)
    assert len(pairs) == len(nx.max_weight_matching(near, maxcardinality=True, weight="none"))


@given(random_graphs())
def test_closeness(case: Case) -> None:
    graph, other = case
    kept = nx.DiGraph(other) if other.is_directed() else nx.Graph(other)
    wanted = nx.closeness_centrality(kept)
    assert np.allclose(algorithms.closeness(graph), [wanted[n] for n in range(len(kept))])


def test_searches_end_at_their_limit() -> None:
    rng = np.random.default_rng(1)
    pairs = [(a, b, 1.0) for a in range(120) for b in range(a) if rng.random() < 0.5]
    graph = make_graph(120, pairs, False)
    for work in (algorithms.largest_clique, algorithms.largest_independent_set, algorithms.colouring):
        with pytest.raises(LimitError):
            work(graph, max_steps=50)


def test_long_paths_do_not_end_the_search() -> None:
    line = make_graph(50_000, [(n, n + 1, 1.0) for n in range(49_999)], False)
    assert len(algorithms.bridges(line)) == 49_999 and len(algorithms.articulation_points(line)) == 49_998


@given(random_graphs())
def test_edge_connectivity_beside_cuts_of_networkx(case: Case) -> None:
    graph, other = case
    summed = nx.Graph()
    summed.add_nodes_from(other)
    for a, b in other.edges():
        if a != b:
            summed.add_edge(a, b, weight=1 + summed.get_edge_data(a, b, {"weight": 0})["weight"])
    joined = len(summed) > 1 and nx.is_connected(summed)
    assert algorithms.edge_connectivity(graph) == (nx.stoer_wagner(summed)[0] if joined else 0)


@given(random_graphs())
def test_girth(case: Case) -> None:
    graph, other = case
    kept = simple(other) if graph.directed else plain(other)
    kept.remove_edges_from(list(nx.selfloop_edges(kept)))
    least = min(map(len, nx.simple_cycles(kept)), default=np.inf)
    assert algorithms.girth(graph) == least


@given(random_graphs())
def test_no_smaller_set_dominates(case: Case) -> None:
    graph, other = case
    near = plain(other)
    found = algorithms.dominating_set(graph)
    assert nx.is_dominating_set(near, found) or not len(near)
    assert (
        not any(
            nx.is_dominating_set(near, few) for few in itertools.combinations(near, max(len(found) - 1, 0))
        )
        or not found
    )


@given(random_graphs())
def test_ancestors_and_heaviest_spanning_trees(case: Case) -> None:
    graph, other = case
    for node in other:
        wanted = (
            nx.ancestors(other, node) if graph.directed else nx.node_connected_component(other, node) - {node}
        )
        assert list(algorithms.ancestors(graph, node)[0]) == sorted(wanted)
    heaviest = nx.maximum_spanning_edges(both_ways(other), data=True)
    assert algorithms.minimum_spanning_forest(graph, "weight", heaviest=True).weight == sum(
        d["weight"] for *_, d in heaviest
    )
