"""Hamiltonian paths, patterns and communities, against brute force and networkx."""

from importlib import import_module
from itertools import pairwise, permutations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher, categorical_node_match

from graphtalk import algorithms as alg
from graphtalk.core import CheckError, LimitError, ToolError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from random_graphs import both_ways, make_graph, random_graphs

Pair = tuple[Graph, nx.MultiGraph]


@given(random_graphs(most=6), st.booleans(), st.booleans())
def test_hamiltonian_path(pair: Pair, from_first: bool, to_last: bool) -> None:
    graph, other = pair
    last = len(other) - 1
    start, end = (0 if from_first else None), (last if to_last else None)
    paths = [
        path
        for path in permutations(other)
        if all(other.has_edge(s, t) for s, t in pairwise(path))
        and (start is None or path[0] == start)
        and (end is None or path[-1] == end)
    ]
    found = alg.hamiltonian_path(graph, start, end)
    assert (found is not None) == bool(paths)
    assert found is None or tuple(found) in paths


def test_hamiltonian_path_of_a_knight() -> None:
    squares = [(r, c) for r in range(6) for c in range(6)]
    jumps = [(a, b) for a in range(36) for b in range(a) if _knight(squares[a], squares[b])]
    found = alg.hamiltonian_path(make_graph(36, [(a, b, 1) for a, b in jumps], False))
    assert found is not None and sorted(found) == list(range(36))
    assert all((max(s, t), min(s, t)) in set(jumps) for s, t in pairwise(found))


def _knight(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def test_hamiltonian_path_gives_up_at_the_limit() -> None:
    other = nx.complete_bipartite_graph(10, 12)
    graph = make_graph(22, [(s, t, 1) for s, t in other.edges], False)
    with pytest.raises(LimitError, match=r"within 500 partial paths.*a path through"):
        alg.hamiltonian_path(graph, max_steps=500)


@given(random_graphs(most=7), random_graphs(most=4), st.booleans(), st.booleans())
def test_subgraph_isomorphism(pair: Pair, small: Pair, labelled: bool, induced: bool) -> None:
    (graph, other), (pattern, motif) = pair, small
    matching = alg.Matching(node_label="value" if labelled else None, induced=induced)
    if graph.directed != pattern.directed and pattern.num_edges:
        with pytest.raises(ToolError, match="directed"):
            alg.subgraph_isomorphisms(graph, pattern, matching)
        return
    expected = _brute_force(other, motif, labelled, induced)
    found = alg.subgraph_isomorphisms(graph, pattern, matching)
    assert sorted(found) == expected
    assert alg.has_subgraph(graph, pattern, matching) == bool(expected)


def _brute_force(
    other: nx.MultiGraph, motif: nx.MultiGraph, labelled: bool, induced: bool
) -> list[list[int]]:
    size = range(len(motif))

    def fits(nodes: tuple[int, ...]) -> bool:
        if labelled and any(nodes[n] % 7 != n % 7 for n in size):
            return False
        pairs = [(motif.has_edge(s, t), other.has_edge(nodes[s], nodes[t])) for s in size for t in size]
        return all(there == here if induced else here or not there for there, here in pairs)

    return sorted(list(nodes) for nodes in permutations(other, len(motif)) if fits(nodes))


@pytest.mark.parametrize("directed", [False, True])
def test_subgraph_isomorphism_as_networkx_counts_it(directed: bool) -> None:
    other = nx.gnm_random_graph(40, 120, seed=4, directed=directed)
    motif = nx.cycle_graph(4, create_using=type(other))
    for node in other:
        other.nodes[node]["value"] = float(node % 7)
    for node in motif:
        motif.nodes[node]["value"] = float(node % 7)
    graph = make_graph(40, [(s, t, 1) for s, t in other.edges], directed)
    pattern = make_graph(4, [(s, t, 1) for s, t in motif.edges], directed)
    matcher = DiGraphMatcher if directed else GraphMatcher
    same = categorical_node_match("value", None)
    assert len(alg.subgraph_isomorphisms(graph, pattern, alg.Matching(induced=True))) == sum(
        1 for _ in matcher(other, motif).subgraph_isomorphisms_iter()
    )
    assert len(alg.subgraph_isomorphisms(graph, pattern, alg.Matching(node_label="value"))) == sum(
        1 for _ in matcher(other, motif, same).subgraph_monomorphisms_iter()
    )


def test_patterns_agree_in_types_relations_and_edge_labels() -> None:
    graph = _typed([("knows", 0, 1), ("knows", 1, 2), ("likes", 2, 0)], 3)
    pattern = _typed([("knows", 0, 1), ("likes", 1, 2)], 3)
    assert alg.subgraph_isomorphisms(graph, pattern, alg.Matching(typed=True)) == [[1, 2, 0]]
    assert len(alg.subgraph_isomorphisms(graph, pattern)) == 3
    weighted = make_graph(3, [(0, 1, 1.0), (1, 2, 2.0), (2, 0, 1.0)], False)
    heavy = make_graph(2, [(0, 1, 2.0)], False)
    found = alg.subgraph_isomorphisms(weighted, heavy, alg.Matching(edge_label="weight"))
    assert sorted(found) == [[1, 2], [2, 1]]
    assert len(alg.subgraph_isomorphisms(weighted, heavy, limit=1)) == 1
    with pytest.raises(ToolError, match="'colour'"):
        alg.subgraph_isomorphisms(weighted, heavy, alg.Matching(edge_label="colour"))
    with pytest.raises(LimitError, match="More than 3 partial matches"):
        alg.subgraph_isomorphisms(weighted, heavy, max_steps=3)


def _typed(edges: list[tuple[str, int, int]], nodes: int) -> Graph:
    names = list(dict.fromkeys(name for name, _, _ in edges))
    tables = []
    for name in names:
        ends = [(s, t) for relation, s, t in edges if relation == name]
        source, target = (np.array([end[side] for end in ends]) for side in (0, 1))
        tables.append(EdgeTable(name, "person", "person", source, target))
    return build([NodeTable("person", pa.table({"id": [str(n) for n in range(nodes)]}))], tables)


@given(random_graphs(least=0), st.sampled_from([None, "weight"]), st.sampled_from([0.5, 1.0, 2.0]))
def test_modularity_and_connected_communities(pair: Pair, weight: str | None, resolution: float) -> None:
    graph, other = pair
    found = alg.communities(graph, weight, resolution)
    groups = found.groups
    assert sorted(node for group in groups for node in group) == list(range(len(other)))
    assert [len(g) for g in groups] == sorted((len(g) for g in groups), reverse=True)
    around = both_ways(other)
    if weight is None:
        nx.set_edge_attributes(around, 1, "weight")
    if around.size("weight"):
        expected = nx.community.modularity(around, groups, "weight", resolution)
        assert found.modularity == pytest.approx(expected)
        singles = nx.community.modularity(around, [{n} for n in around], "weight", resolution)
        assert found.modularity >= singles - 1e-9
        assert alg.modularity(graph, found.labels, weight, resolution) == pytest.approx(expected)
    linked = nx.Graph(around if weight is None else [(s, t) for s, t, w in around.edges(data="weight") if w])
    linked.add_nodes_from(around)
    assert all(len(group) == 1 or nx.is_connected(linked.subgraph(group)) for group in groups)


@pytest.mark.parametrize(
    "other",
    [
        nx.karate_club_graph(),
        nx.connected_caveman_graph(20, 8),
        nx.planted_partition_graph(10, 30, 0.3, 0.01, seed=1),
        nx.gnm_random_graph(500, 2500, seed=1),
        nx.barabasi_albert_graph(500, 3, seed=1),
        nx.convert_node_labels_to_integers(nx.grid_2d_graph(30, 30)),
    ],
)
def test_communities_are_as_good_as_those_of_networkx(other: nx.Graph) -> None:
    graph = make_graph(len(other), [(s, t, 1) for s, t in other.edges], False)
    found = alg.communities(graph, seed=1)
    expected = nx.community.modularity(other, nx.community.louvain_communities(other, None, seed=1), None)
    assert found.modularity >= 0.98 * expected
    assert found.labels.tolist() == alg.communities(graph, seed=1).labels.tolist()


@pytest.mark.parametrize(
    "other", [nx.grid_2d_graph(9, 9), nx.gnm_random_graph(60, 90, 1), nx.karate_club_graph()]
)
def test_communities_are_the_same_however_ties_are_added_up(
    other: nx.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbered = nx.convert_node_labels_to_integers(other)
    graph = make_graph(len(numbered), [(s, t, 1) for s, t in numbered.edges], False)
    found = []
    for few in (0, 1_000):
        monkeypatch.setattr(import_module("graphtalk.algorithms.communities"), "_FEW", few)
        found.append(alg.communities(graph, seed=2).labels.tolist())
    assert found[0] == found[1]


def test_communities_need_weights_that_are_not_negative() -> None:
    graph = make_graph(2, [(0, 1, -1.0)], False)
    with pytest.raises(ToolError, match=r"-1\.0"):
        alg.communities(graph, "weight")
    with pytest.raises(CheckError, match="One label a node is needed: 2, not 3"):
        alg.modularity(graph, [0, 0, 1])
