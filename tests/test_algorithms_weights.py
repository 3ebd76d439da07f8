"""Paths, ranks, flows, matchings and trees, against networkx on random graphs."""

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk import algorithms as alg
from graphtalk.core import CheckError, LimitError, ToolError
from graphtalk.core.limits import limited
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from random_graphs import SHAPES, both_ways, drawn_ends, make_graph, random_graphs, simple

Pair = tuple[Graph, nx.MultiGraph]
WEIGHTS = st.sampled_from([None, "weight"])


def hops(other: nx.MultiGraph, weight: str | None) -> dict[int, dict[int, float]]:
    return dict(nx.all_pairs_dijkstra_path_length(simple(other), weight=weight or (lambda s, t, d: 1)))


@given(random_graphs(), WEIGHTS, st.booleans())
def test_shortest_paths(pair: Pair, weight: str | None, both: bool) -> None:
    graph, other = pair[0], both_ways(pair[1]) if both else pair[1]
    plain, distances, target = simple(other), hops(other, weight), len(other) - 1
    expected = distances[0].get(target, math.inf)
    assert alg.shortest_path_length(graph, 0, target, weight, both) == pytest.approx(expected)
    if not both:
        row = alg.distances_from(graph, 0, weight)
        assert row.tolist() == pytest.approx([distances[0].get(n, math.inf) for n in range(len(other))])
    path = alg.shortest_path(graph, 0, target, weight, both)
    if math.isinf(expected):
        assert path == []
    else:
        assert path[0] == 0 and path[-1] == target
        steps = [1 if weight is None else plain[s][t]["weight"] for s, t in pairwise(path)]
        assert sum(steps) == pytest.approx(expected)


@pytest.mark.parametrize("read", [0, 30, 1 << 30])
@pytest.mark.parametrize("whole", [0, 1 << 30])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_pairs_are_as_far_apart_as_networkx_says(
    shape: str, directed: bool, whole: int, read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether edges are read from a matrix or from the rows of each relation, several between two node types, and whether
    by arrays, over sets for so many edges first, or over sets alone."""
    monkeypatch.setattr(alg.meeting, "_WHOLE", whole)
    monkeypatch.setattr(alg.meeting, "_READ", read)
    monkeypatch.setattr(alg.meeting, "_STEPS", 6 if read < 1 << 30 else 100)
    monkeypatch.setattr(alg.meeting, "_PIECE", 3)
    nodes, first = 80, 50
    ends = drawn_ends(shape, nodes)
    kinds, tables = (range(first), range(first, nodes)), []
    for name, part in enumerate(np.array_split(ends, 2)):
        for source, target in product((0, 1), repeat=2):
            here = part[((part[:, 0] >= first) == source) & ((part[:, 1] >= first) == target)]
            local = (here - [kinds[source].start, kinds[target].start]).T
            table = EdgeTable(f"r{name}", f"t{source}", f"t{target}", *local)
            tables.append(table if directed or source != target else replace(table, inverse=table.name))
    graph = build(
        [NodeTable(f"t{at}", pa.table({"id": [str(n) for n in kind]})) for at, kind in enumerate(kinds)],
        tables,
    )
    for both in (False, True):
        other = nx.DiGraph()
        other.add_nodes_from(range(nodes))
        for s, t in ends.tolist():
            other.add_edge(s, t)
            if both or (not directed and (s < first) == (t < first)):
                other.add_edge(t, s)
        for source in (0, 33, first, nodes - 1):
            far = nx.single_source_shortest_path_length(other, source)
            for target in range(3, nodes, 6):
                path = alg.shortest_path(graph, source, target, both=both)
                assert len(path) - 1 == far.get(target, -1)
                assert not path or (path[0], path[-1]) == (source, target)
                assert all(other.has_edge(*step) for step in pairwise(path))


def test_a_way_on_from_the_last_of_many_nodes_is_found() -> None:
    """The first nodes of a front lead nowhere, so that a sample of it would say that none does."""
    leaves, way = range(1, 40), [0, 40, 41, 42]
    ends = [(0, leaf) for leaf in leaves] + [*pairwise(way)] + [(other, 42) for other in range(43, 90)]
    graph = make_graph(90, [(s, t, 1) for s, t in ends], True)
    assert alg.shortest_path(graph, 0, 42) == way
    assert alg.shortest_path(graph, 1, 42) == []


def test_pairs_searched_in_threads_and_after_a_limit_do_not_disturb_each_other() -> None:
    ends = drawn_ends("random", 2_000)
    graph = make_graph(2_000, [(s, t, 1) for s, t in ends.tolist()], False)
    expected = [len(alg.shortest_path(graph, 0, target)) for target in range(400)]

    def stop() -> None:
        raise LimitError("Enough.", "none")

    with pytest.raises(LimitError), limited(stop):
        alg.shortest_path(graph, 0, 1_000)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda target: len(alg.shortest_path(graph, 0, target)), [*range(400)] * 4)
        assert list(found) == expected * 4


@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("shape", ["grid", "skewed"])
@pytest.mark.parametrize("relaxed", [0, 20_000, 1 << 30])
def test_a_pair_far_apart_is_as_far_as_by_a_search_from_one_end(
    shape: str, directed: bool, least: int, relaxed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the balls around both ends grow by rounds, in C, or by the one and then the other."""
    monkeypatch.setattr(alg.search, "_RELAXED", relaxed)
    random = np.random.default_rng(7)
    if shape == "grid":
        ends = [
            (int(s), int(t)) for s, t in nx.convert_node_labels_to_integers(nx.grid_2d_graph(8, 60)).edges
        ]
    else:  # a few nodes with many edges, and some that nothing reaches
        ends = (480 * random.random((1_500, 2)) ** 3).astype(int).tolist()
    edges = [(s, t, int(w)) for (s, t), w in zip(ends, random.integers(least, 9, len(ends)), strict=True)]
    graph = make_graph(480, edges, directed)
    targets = random.integers(0, 480, 25).tolist()
    for weight in ("weight", None):
        row = alg.distances_from(graph, 3, weight)
        matrix = alg.links.lengths(graph, weight) if weight else alg.links.adjacency(graph)
        for target in targets:
            assert alg.shortest_path_length(graph, 3, target, weight) == row[target]
            path = alg.shortest_path(graph, 3, target, weight)
            assert bool(path) == bool(np.isfinite(row[target])) and len(set(path)) == len(path)
            assert not path or sum(matrix[s, t] for s, t in pairwise(path)) == row[target]


@given(random_graphs(weights=st.integers(1, 4)), WEIGHTS)
def test_all_shortest_paths(pair: Pair, weight: str | None) -> None:
    graph, other = pair
    target = len(other) - 1
    found = alg.all_shortest_paths(graph, 0, target, weight)
    try:
        expected = list(nx.all_shortest_paths(simple(other), 0, target, weight))
    except nx.NetworkXNoPath:
        expected = []
    assert found == sorted(expected)


def test_all_shortest_paths_stop_at_the_limit() -> None:
    edges = [(layer * 2 + a, layer * 2 + 2 + b, 1.0) for layer in range(12) for a in (0, 1) for b in (0, 1)]
    with pytest.raises(LimitError, match="More than 100 shortest paths"):
        alg.all_shortest_paths(make_graph(26, edges, True), 0, 24, limit=100)


@pytest.mark.parametrize("unit", [1e-14, 1.0, 1e6])
def test_ways_are_told_apart_at_any_scale(unit: float) -> None:
    """A tolerance that knows no scale took 2e-14 for 3e-14, and a relative one of 1e-9 a long way for a detour."""
    graph = make_graph(3, [(0, 1, unit), (1, 2, unit), (0, 2, 3 * unit)], True)
    assert alg.all_shortest_paths(graph, 0, 2, "weight") == [[0, 1, 2]]
    far = make_graph(4, [(0, 1, 1e12), (1, 3, 1.0), (0, 2, 1e12), (2, 3, 2.0)], True)
    assert alg.all_shortest_paths(far, 0, 3, "weight") == [[0, 1, 3]]


@given(random_graphs(directed=True, weights=st.integers(-3, 9)))
def test_negative_lengths(pair: Pair) -> None:
    graph, other = pair
    plain = simple(other)
    loops = [(s, t) for s, t, w in other.edges(data="weight") if s == t and w < 0]
    plain.add_weighted_edges_from((s, t, -1) for s, t in loops)
    try:
        expected = nx.single_source_bellman_ford_path_length(plain, 0)
    except nx.NetworkXUnbounded:
        with pytest.raises(ToolError, match="negative length"):
            alg.distances_from(graph, 0, "weight")
        return
    row = alg.distances_from(graph, 0, "weight")
    assert row.tolist() == [expected.get(n, math.inf) for n in range(len(other))]
    path = alg.shortest_path(graph, 0, len(other) - 1, "weight")
    assert sum(plain[s][t]["weight"] for s, t in pairwise(path)) == (row[-1] if path else 0)


@given(random_graphs(), WEIGHTS)
def test_path_lengths(pair: Pair, weight: str | None) -> None:
    graph, other = pair
    distances = hops(other, weight)
    nodes = range(len(other))
    lengths = [distances[s].get(t, math.inf) for s in nodes for t in nodes if s != t]
    assert alg.avg_path_length(graph, weight) == pytest.approx(np.mean(lengths) if lengths else 0)
    assert alg.max_path_length(graph, weight) == pytest.approx(max(lengths, default=0))
    assert alg.min_path_length(graph, weight) == pytest.approx(min(lengths, default=0))


@given(random_graphs(directed=True, least=2, most=8, weights=st.integers(-3, 9)))
def test_the_least_path_length_with_negative_lengths(pair: Pair) -> None:
    graph, other = pair
    loops = any(s == t and w < 0 for s, t, w in other.edges(data="weight"))
    try:
        ways = dict(nx.all_pairs_bellman_ford_path_length(simple(other)))
    except nx.NetworkXUnbounded:
        ways = {}
    if loops or not ways:
        with pytest.raises(ToolError, match="negative length"):
            alg.min_path_length(graph, "weight")
        return
    lengths = [length for s, row in ways.items() for t, length in row.items() if s != t]
    assert alg.min_path_length(graph, "weight") == min(lengths, default=math.inf)


@given(random_graphs(most=9, weights=st.integers(1, 40).map(lambda tenths: tenths / 10)))
def test_the_middle_of_lengths_that_no_float_holds(pair: Pair) -> None:
    """0.1 + 0.2 is as far as 0.3, and rounding must take no node out of the center or the periphery."""
    graph, other = pair
    tenths = simple(other)
    for s, t in tenths.edges:
        tenths[s][t]["weight"] = round(tenths[s][t]["weight"] * 10)
    ways = dict(nx.all_pairs_dijkstra_path_length(tenths))
    far = [max(ways[s].get(t, math.inf) for t in tenths) for s in tenths]
    if math.inf in far:
        far = [math.inf] * len(far)
    assert alg.center(graph, "weight") == [node for node, e in enumerate(far) if e == min(far)]
    assert alg.periphery(graph, "weight") == [node for node, e in enumerate(far) if e == max(far)]


def test_two_nodes_are_the_center_where_one_way_is_rounded() -> None:
    """0 is 0.6 away from 1, and 3 is 0.2 + 0.4 away from 2: as floats, a little more."""
    graph = make_graph(4, [(0, 2, 0.4), (0, 1, 0.6), (0, 3, 0.2), (1, 3, 0.4)], False)
    assert 0.2 + 0.4 != 0.6
    assert alg.center(graph, "weight") == [0, 3]


@given(random_graphs(), st.integers(0, 4), st.booleans())
def test_neighbourhood(pair: Pair, count: int, both: bool) -> None:
    graph, other = pair
    around = other.to_undirected() if both else other
    expected = nx.single_source_shortest_path_length(around, 0, cutoff=count)
    nodes, distances = alg.neighbourhood(graph, 0, count, both)
    assert dict(zip(nodes.tolist(), distances.tolist(), strict=True)) == dict(expected)
    assert len(nodes) == len(expected) and distances.tolist() == sorted(distances.tolist())


@given(random_graphs(), WEIGHTS, st.booleans())
def test_pagerank(pair: Pair, weight: str | None, personal: bool) -> None:
    graph, other = pair
    start = {0: 2.0, len(other) - 1: 1.0} if personal else None
    if weight is None:
        nx.set_edge_attributes(other, 1.0, "weight")
    expected = nx.pagerank(other, personalization=start, tol=1e-12, max_iter=1000)
    found = alg.pagerank(graph, personal=start, weight=weight)
    assert found.sum() == pytest.approx(1)
    assert found.tolist() == pytest.approx([expected[n] for n in range(len(other))], abs=1e-7)


@given(random_graphs(), st.booleans())
def test_betweenness(pair: Pair, normalized: bool) -> None:
    graph, other = pair
    expected = nx.betweenness_centrality(simple(other), normalized=normalized)
    found = alg.betweenness(graph, normalized).tolist()
    assert found == pytest.approx([expected[n] for n in range(len(other))])


@pytest.mark.parametrize("directed", [False, True])
def test_betweenness_of_a_larger_graph_exact_and_sampled(directed: bool) -> None:
    other = nx.gnm_random_graph(300, 900, seed=5, directed=directed)
    graph = make_graph(300, [(s, t, 1) for s, t in other.edges], directed)
    expected = nx.betweenness_centrality(other)
    exact = alg.betweenness(graph)
    assert exact.tolist() == pytest.approx([expected[n] for n in range(300)])
    sampled = alg.betweenness(graph, samples=150, seed=2)
    assert np.corrcoef(exact, sampled)[0, 1] > 0.9
    assert sampled.tolist() == alg.betweenness(graph, samples=150, seed=2).tolist()
    assert alg.betweenness(graph, samples=300).tolist() == pytest.approx(exact.tolist())


CAPACITIES = st.one_of(
    st.integers(0, 9).map(float),
    st.sampled_from([1e-9, 2e-12, 1e-3, 0.1, 0.3, 5.0, 1e15]),
    st.sampled_from([5e-324, 1e-300, 1.0, 1e300]),
)


@given(random_graphs(least=2, weights=CAPACITIES))
def test_maximum_flow(pair: Pair) -> None:
    """Exact at any scale, by whole fractions; what flows in flows on, and no edge carries more than it may."""
    graph, other = pair
    n = len(other)
    plain = nx.DiGraph()
    plain.add_nodes_from(range(n))
    for s, t, w in other.edges(data="weight"):
        for a, b in dict.fromkeys([(s, t)] if other.is_directed() else [(s, t), (t, s)]):
            capacity = plain.get_edge_data(a, b, {"capacity": Fraction(0)})["capacity"]
            plain.add_edge(a, b, capacity=Fraction(float(capacity) + w))
    flow = alg.maximum_flow(graph, 0, n - 1, "weight")
    assert float(flow.value) == float(nx.maximum_flow_value(plain, 0, n - 1))
    amounts = list(zip(flow.source.tolist(), flow.target.tolist(), flow.amount.tolist(), strict=True))
    assert all(0 < amount <= float(plain[s][t]["capacity"]) for s, t, amount in amounts)
    for node in range(n):
        into = math.fsum(amount for _, t, amount in amounts if t == node)
        out = math.fsum(amount for s, _, amount in amounts if s == node)
        wanted = {0: flow.value, n - 1: -flow.value}.get(node, 0.0)
        assert abs(out - into - wanted) <= 1e-15 * n * max(into, out)


def test_no_flow_where_no_way_is() -> None:
    flow = alg.maximum_flow(make_graph(3, [(0, 1, 1e-9), (2, 1, 2e-12)], True), 0, 2, "weight")
    assert (flow.value, len(flow.amount)) == (0, 0)
    mixed = make_graph(3, [(0, 1, 1e15), (1, 2, 1e-3), (0, 2, 2e-12)], True)
    assert alg.maximum_flow(mixed, 0, 2, "weight").value == 1e-3 + 2e-12


def test_a_flow_without_end_is_refused_and_one_that_capacities_end_is_not() -> None:
    endless = make_graph(3, [(0, 1, math.inf), (1, 2, math.inf), (0, 2, 1.0)], True)
    with pytest.raises(ToolError, match="No capacity limits the flow from 0 to 2"):
        alg.maximum_flow(endless, 0, 2, "weight")
    ended = make_graph(3, [(0, 1, math.inf), (1, 2, 2.5), (0, 2, 1.0)], True)
    assert alg.maximum_flow(ended, 0, 2, "weight").value == 3.5


@given(random_graphs(least=0))
def test_bipartite_matching(pair: Pair) -> None:
    graph, other = pair
    if not nx.is_bipartite(other):
        with pytest.raises(ToolError, match="not bipartite"):
            alg.bipartite_matching(graph)
        return
    found = alg.bipartite_matching(graph)
    ends = [node for edge in found for node in edge]
    assert len(set(ends)) == len(ends)
    around = simple(other).to_undirected()
    assert all(around.has_edge(s, t) for s, t in found)
    assert len(found) == len(nx.max_weight_matching(around, maxcardinality=True))


def test_a_matching_between_given_sides() -> None:
    graph = make_graph(4, [(2, 0, 1), (3, 0, 1), (3, 1, 1)], True)
    assert alg.bipartite_matching(graph, left=[2, 3]) == [(2, 0), (3, 1)]
    with pytest.raises(ToolError, match="on one side"):
        alg.bipartite_matching(graph, left=[0, 2])


@given(random_graphs(least=0, weights=st.integers(-3, 5)), WEIGHTS)
def test_minimum_spanning_forest(pair: Pair, weight: str | None) -> None:
    graph, other = pair
    around = both_ways(other)
    if weight is None:
        nx.set_edge_attributes(around, 1, "weight")
    expected = nx.minimum_spanning_tree(around)
    found = alg.minimum_spanning_forest(graph, weight)
    assert found.weight == pytest.approx(expected.size("weight"))
    assert len(found.edges) == expected.number_of_edges() == len(found.weights)
    joined = nx.Graph(found.edges)
    joined.add_nodes_from(range(len(other)))
    assert nx.number_connected_components(joined) == nx.number_connected_components(around)


def test_errors_say_what_was_wrong() -> None:
    graph = make_graph(3, [(0, 1, -2.0), (1, 2, 1)], True)
    with pytest.raises(CheckError, match="both ends are 1"):
        alg.maximum_flow(graph, 1, 1)
    with pytest.raises(ToolError, match=r"the least 'weight' is -2\.0"):
        alg.maximum_flow(graph, 0, 1, "weight")
    with pytest.raises(ToolError, match=r"-2\.0"):
        alg.pagerank(graph, weight="weight")
    with pytest.raises(CheckError, match=r"not 1\.5"):
        alg.pagerank(graph, damping=1.5)
    with pytest.raises(CheckError, match="index 7"):
        alg.pagerank(graph, personal={7: 1.0})
    with pytest.raises(CheckError, match="index 9"):
        alg.shortest_path(graph, 0, 9)
    with pytest.raises(CheckError, match="-1"):
        alg.neighbourhood(graph, 0, -1)
    with pytest.raises(CheckError, match="not 0"):
        alg.betweenness(graph, samples=0)
    for function in (alg.avg_path_length, alg.min_path_length, alg.max_path_length):
        with pytest.raises(ToolError, match="no nodes"):
            function(make_graph(0, [], True))
