"""Counts, eccentricities and what follows from them, against networkx on random graphs."""

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk import algorithms as alg
from graphtalk.core import CheckError, ToolError
from graphtalk.graphs import Graph
from random_graphs import make_graph, random_graphs, simple


def expected_eccentricity(other: nx.MultiGraph, weight: str | None) -> list[float]:
    plain = simple(other)
    reach = dict(nx.all_pairs_dijkstra_path_length(plain, weight=weight or (lambda s, t, d: 1)))
    return [max(reach[n].get(m, math.inf) for m in plain) if len(plain) else 0 for n in plain]


def disconnected(other: nx.MultiGraph) -> bool:
    return not (nx.is_strongly_connected(other) if other.is_directed() else nx.is_connected(other))


@given(random_graphs(), st.sampled_from([None, "weight"]))
def test_eccentricity_and_its_extremes(pair: tuple[Graph, nx.MultiGraph], weight: str | None) -> None:
    graph, other = pair
    expected = expected_eccentricity(other, weight)
    if disconnected(other):
        expected = [math.inf] * len(other)
    assert alg.eccentricity(graph, weight=weight).tolist() == pytest.approx(expected)
    assert alg.eccentricity(graph, [0], weight=weight).tolist() == pytest.approx(expected[:1])
    assert alg.radius(graph, weight) == pytest.approx(min(expected))
    assert alg.diameter(graph, weight) == pytest.approx(max(expected))
    assert alg.center(graph, weight) == [n for n, e in enumerate(expected) if e == min(expected)]
    assert alg.periphery(graph, weight) == [n for n, e in enumerate(expected) if e == max(expected)]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("nodes", "links"), [(400, 2400), (300, 5000)])
def test_eccentricity_of_larger_graphs_that_need_many_searches(
    nodes: int, links: int, directed: bool
) -> None:
    other = nx.gnm_random_graph(nodes, links, seed=3, directed=directed)
    nx.add_cycle(other, range(nodes))
    graph = make_graph(nodes, [(s, t, 1) for s, t in other.edges], directed)
    expected = nx.eccentricity(other)
    assert dict(enumerate(alg.eccentricity(graph).tolist())) == expected
    assert alg.center(graph) == sorted(nx.center(other, e=expected))
    assert alg.periphery(graph) == sorted(nx.periphery(other, e=expected))
    assert alg.radius(graph) == min(expected.values())
    assert alg.diameter(graph) == max(expected.values())
    assert alg.avg_path_length(graph) == pytest.approx(nx.average_shortest_path_length(other))


@pytest.mark.parametrize("other", [nx.path_graph(150), nx.star_graph(200), nx.grid_2d_graph(12, 13)])
def test_eccentricity_of_special_shapes(other: nx.Graph) -> None:
    plain = nx.convert_node_labels_to_integers(other)
    graph = make_graph(len(plain), [(s, t, 1) for s, t in plain.edges], False)
    assert dict(enumerate(alg.eccentricity(graph).tolist())) == nx.eccentricity(plain)
    assert alg.diameter(graph) == nx.diameter(plain)


@given(random_graphs(least=0), st.sampled_from([None, True, False]))
def test_counts(pair: tuple[Graph, nx.MultiGraph], is_directed: bool | None) -> None:
    graph, other = pair
    assert alg.order(graph) == len(other)
    assert alg.size(graph) == other.size()
    if is_directed is None:
        assert alg.density(graph) == pytest.approx(nx.density(other))
    else:
        n, m = len(other), other.size()
        expected = 0 if n < 2 else m / (n * (n - 1)) * (1 if is_directed else 2)
        assert alg.density(graph, is_directed) == pytest.approx(expected)
    assert alg.degree(graph).tolist() == [d for _, d in sorted(other.degree)]
    if other.is_directed():
        assert alg.degree(graph, kind="out").tolist() == [d for _, d in sorted(other.out_degree)]
        assert alg.degree(graph, kind="in").tolist() == [d for _, d in sorted(other.in_degree)]


def test_results_are_whole_numbers_where_edges_are_counted() -> None:
    graph = make_graph(3, [(0, 1, 2.5), (1, 2, 2.5)], False)
    assert isinstance(alg.diameter(graph), int)
    assert alg.diameter(graph, "weight") == 5.0


def test_a_graph_without_nodes_has_no_extremes() -> None:
    graph = make_graph(0, [], False)
    assert alg.eccentricity(graph).tolist() == []
    for function in (alg.radius, alg.diameter, alg.center, alg.periphery):
        with pytest.raises(ToolError, match="no nodes"):
            function(graph)


def test_unknown_nodes_and_features_are_named() -> None:
    graph = make_graph(3, [(0, 1, 1), (1, 2, 1)], False)
    with pytest.raises(CheckError, match="index 3: the graph has 3"):
        alg.eccentricity(graph, [3])
    with pytest.raises(CheckError, match=r"'wight'.*Did you mean weight"):
        alg.diameter(graph, "wight")
    with pytest.raises(CheckError, match="index -1"):
        alg.degree(graph, np.array([-1]))
