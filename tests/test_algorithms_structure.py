"""Components, cycles, colourings, orders, triangles and cores, against networkx on random graphs."""

from itertools import combinations, pairwise

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given

import graphtalk as gt
from graphtalk import algorithms as alg
from graphtalk.algorithms import clustering
from graphtalk.core import CheckError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.vertex import library, run
from random_graphs import SHAPES, drawn_ends, make_graph, random_graphs, simple

Pair = tuple[Graph, nx.MultiGraph]


def undirected(other: nx.MultiGraph) -> nx.Graph:
    return nx.Graph(simple(other).to_undirected())


@given(random_graphs(least=0))
def test_components(pair: Pair) -> None:
    graph, other = pair
    weak = nx.weakly_connected_components if other.is_directed() else nx.connected_components
    strong = nx.strongly_connected_components if other.is_directed() else nx.connected_components
    for connection, expected in (("weak", weak(other)), ("strong", strong(other))):
        found = alg.components(graph, connection)
        assert sorted(found) == sorted(sorted(part) for part in expected)
        assert [len(part) for part in found] == sorted((len(part) for part in found), reverse=True)
        labels = alg.component_labels(graph, connection)
        assert all(len(set(labels[part].tolist())) == 1 for part in found)
        assert alg.is_connected(graph, connection) == (len(found) == 1)


def test_components_that_few_neighbours_do_not_join() -> None:
    """Two cliques, joined by an edge between the last nodes of both, which stands last in their rows; and one apart."""
    other = nx.disjoint_union_all([nx.complete_graph(5)] * 3)
    other.add_edge(4, 9)
    graph = gt.from_networkx(other)
    assert alg.components(graph) == [list(range(10)), list(range(10, 15))]


@given(random_graphs(least=0))
def test_bipartite_colouring(pair: Pair) -> None:
    graph, other = pair
    colours = alg.bipartite_colouring(graph)
    assert (colours is not None) == nx.is_bipartite(other) == alg.is_bipartite(graph)
    if colours is not None:
        assert set(colours.tolist()) <= {0, 1}
        assert all(colours[s] != colours[t] for s, t in other.edges())


@given(random_graphs(least=0))
def test_a_cycle_is_found_where_there_is_one(pair: Pair) -> None:
    graph, other = pair
    cycle = alg.find_cycle(graph)
    try:
        nx.find_cycle(other)
    except nx.NetworkXNoCycle:
        assert cycle is None
        return
    assert cycle is not None and len(set(cycle)) == len(cycle)
    assert all(other.has_edge(s, t) for s, t in pairwise([*cycle, cycle[0]]))
    if not other.is_directed() and len(cycle) == 2:
        assert other.number_of_edges(*cycle) > 1
    assert alg.has_cycle(graph)


@given(random_graphs(directed=True, least=0))
def test_topological_order(pair: Pair) -> None:
    graph, other = pair
    if nx.is_directed_acyclic_graph(other):
        order = alg.topological_order(graph)
        assert sorted(order) == list(range(len(other)))
        place = {node: position for position, node in enumerate(order)}
        assert all(place[s] < place[t] for s, t in other.edges())
    else:
        with pytest.raises(ToolError, match="form a cycle"):
            alg.topological_order(graph)


def test_topological_order_of_an_undirected_graph_is_refused() -> None:
    with pytest.raises(ToolError, match="undirected"):
        alg.topological_order(make_graph(2, [(0, 1, 1)], False))


@given(random_graphs(least=0))
def test_triangles_and_clustering(pair: Pair) -> None:
    graph, other = pair
    plain = undirected(other)
    assert alg.triangles(graph).tolist() == [nx.triangles(plain, n) for n in range(len(plain))]
    assert alg.triangle_count(graph) == sum(nx.triangles(plain).values()) // 3
    local = nx.clustering(plain)
    assert alg.local_clustering(graph).tolist() == pytest.approx([local[n] for n in range(len(plain))])
    if len(plain):
        assert alg.average_clustering(graph) == pytest.approx(nx.average_clustering(plain))
    assert alg.transitivity(graph) == pytest.approx(nx.transitivity(plain))


@given(random_graphs(most=9))
def test_maximum_triangle(pair: Pair) -> None:
    graph, other = pair
    plain = undirected(other)
    lightest: dict[frozenset[int], float] = {}
    for s, t, w in other.edges(data="weight"):
        key = frozenset((s, t))
        lightest[key] = min(w, lightest.get(key, np.inf))
    sums: dict[tuple[int, ...], tuple[float, float]] = {}
    for trio in combinations(sorted(plain), 3):
        pairs = [frozenset(p) for p in combinations(trio, 2)]
        if all(plain.has_edge(*p) for p in pairs):
            sums[trio] = sum(n % 7 for n in trio), sum(lightest[p] for p in pairs)
    asks = (("value", None), (None, "weight"), ("value", "weight"))
    totals = [{t: a for t, (a, b) in sums.items()}, {t: b for t, (a, b) in sums.items()}]
    totals.append({t: a + b for t, (a, b) in sums.items()})
    for (at_nodes, along), total in zip(asks, totals, strict=True):
        found = alg.maximum_triangle(graph, at_nodes, along)
        if not sums:
            assert found is None
        else:
            assert found is not None and found.weight == max(total.values())
            assert found.nodes == min(t for t, w in total.items() if w == found.weight)


def test_triangles_must_be_weighed_by_something_that_exists() -> None:
    graph = make_graph(3, [(0, 1, 1), (1, 2, 1), (2, 0, 1)], False)
    with pytest.raises(ToolError, match="Name the node feature"):
        alg.maximum_triangle(graph)
    with pytest.raises(CheckError, match="'worth'"):
        alg.maximum_triangle(graph, node_weight="worth")


@given(random_graphs(least=0))
def test_cores(pair: Pair) -> None:
    graph, other = pair
    expected = nx.core_number(undirected(other))
    assert dict(enumerate(alg.core_numbers(graph).tolist())) == expected
    assert alg.k_core(graph, 2) == sorted(n for n, k in expected.items() if k >= 2)


@pytest.mark.parametrize("part", [1, 1 << 30])
@pytest.mark.parametrize("few", [0, 1 << 30])
@pytest.mark.parametrize("shape", SHAPES)
def test_cores_and_orders_of_many_shapes(
    shape: str, few: int, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether rows are read one by one or together, and what is reached is counted over all nodes or not."""
    monkeypatch.setattr(alg.peel, "_FEW", few)
    monkeypatch.setattr(alg.peel, "_PART", part)
    ends = drawn_ends(shape, 300)
    graph = make_graph(300, [(s, t, 1) for s, t in ends.tolist()], True)
    plain = nx.Graph(ends[ends[:, 0] != ends[:, 1]].tolist())
    plain.add_nodes_from(range(300))
    assert dict(enumerate(alg.core_numbers(graph).tolist())) == nx.core_number(plain)
    upward = np.sort(ends, axis=1)[ends[:, 0] != ends[:, 1]]
    order = alg.topological_order(make_graph(300, [(s, t, 1) for s, t in upward.tolist()], True))
    place = np.argsort(order)
    assert sorted(order) == list(range(300)) and (place[upward[:, 0]] < place[upward[:, 1]]).all()


def test_cores_and_triangles_of_larger_graphs() -> None:
    for other in (nx.gnm_random_graph(500, 4000, seed=1), nx.barabasi_albert_graph(500, 6, seed=1)):
        graph = make_graph(500, [(s, t, 1) for s, t in other.edges], False)
        assert dict(enumerate(alg.core_numbers(graph).tolist())) == nx.core_number(other)
        assert dict(enumerate(alg.triangles(graph).tolist())) == nx.triangles(other)


def test_triangles_among_the_nodes_of_highest_degree_are_counted_by_bits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(1)
    ends = np.unique(np.sort((random.random((30_000, 2)) ** 2 * 1_500).astype(int), axis=1), axis=0)
    graph = make_graph(1_500, [(s, t, 1) for s, t in ends.tolist()], False)
    by_bits = [hubs for hubs in clustering._HUBS if hubs <= 1_500]
    assert clustering._hubs(clustering._Upward.of(clustering.plain_adjacency(graph))) in by_bits
    counted = alg.triangles(graph)
    monkeypatch.setattr(clustering, "_HUBS", ())  # all are listed
    assert (alg.triangles(graph) == counted).all()
    joined = alg.links.adjacency(graph, undirected=True).toarray()
    np.fill_diagonal(joined, 0)
    assert (counted == np.einsum("ij,ji->i", joined @ joined, joined) / 2).all()


def test_a_long_chain_has_an_order() -> None:
    chain = make_graph(300, [(n, n + 1, 1) for n in range(299)], True)
    assert alg.topological_order(chain) == list(range(300))


def test_a_relation_that_both_ends_see_alike_has_no_direction() -> None:
    people = NodeTable("person", pa.table({"id": ["ann", "bob"]}))
    clubs = NodeTable("club", pa.table({"id": ["chess"]}))
    ends = np.array([0, 1]), np.array([0, 0])
    told = {True: EdgeTable("member", "person", "club", *ends, None, "member")}
    told[False] = EdgeTable("member", "person", "club", *ends, None, "members")
    for alike, table in told.items():
        graph = build([people, clubs], [table], "clubs")
        assert graph.directed is not alike
        assert alg.shortest_path(graph, 0, 1) == ([0, 2, 1] if alike else [])
        assert alg.is_connected(graph, "strong") is alike
        assert run(library()["connectivity"].program, graph, {"source": 0, "target": 1}).answer is alike
