"""Prizes, the Steiner tree, and that the part of a graph that is looked at gives the tree of the whole graph."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphtalk.search.links import Links
from graphtalk.search.near import Prizes, narrow
from graphtalk.search.steiner import Problem, edge_prizes, rank_prizes, solve, top


def test_the_best_come_first_and_of_equals_the_first() -> None:
    assert top(np.array([0.1, 0.9, 0.5, 0.9]), 3).tolist() == [1, 3, 2]
    assert top(np.array([0.5, 0.5, 0.5]), 2).tolist() == [0, 1]
    assert top(np.array([0.2, 0.1]), 5).tolist() == [0, 1]
    assert top(np.array([0.2, 0.1]), 0).tolist() == []


def test_prizes_of_nodes_descend_to_one() -> None:
    assert rank_prizes(3, 3).tolist() == [3, 2, 1]
    assert rank_prizes(2, 5).tolist() == [5, 4]


def test_equal_edges_share_a_prize_and_no_prize_exceeds_the_better_one() -> None:
    prizes, cost = edge_prizes(np.array([0.9, 0.8, 0.7, 0.1]), np.array([4, 1, 1, 9]), k=3, cost=0.5)
    assert prizes.tolist() == pytest.approx([3 / 4, 0.75 * 0.99, 0.75 * 0.99 * 0.99, 0])
    assert cost == 0.5


def test_the_cost_lets_at_least_one_edge_pay() -> None:
    prizes, cost = edge_prizes(np.array([0.9]), np.array([100]), k=2, cost=0.5)
    assert prizes.tolist() == [0.02]
    assert cost == pytest.approx(0.02 * 0.995)


def test_texts_that_are_equally_like_are_one_and_those_without_edges_none() -> None:
    prizes, _ = edge_prizes(np.array([0.9, 0.9, 1.0]), np.array([1, 1, 0]), k=2, cost=0.5)
    assert prizes.tolist() == [1, 1, 0]
    none, cost = edge_prizes(np.array([0.9]), np.array([3]), k=0, cost=0.5)
    assert (none.tolist(), cost) == ([0], 0.5)


def by_loop(similarities: list[float], k: int, cost: float) -> tuple[list[float], float]:
    """The rule as one edge after the other would be treated."""
    prizes, last = [0.0] * len(similarities), float("inf")
    for rank, value in enumerate(sorted(set(similarities), reverse=True)[:k]):
        share = min((k - rank) / similarities.count(value), last)
        for i, similarity in enumerate(similarities):
            if similarity == value:
                prizes[i] = share
        last = share * 0.99
    return prizes, min(cost, max(prizes) * 0.995)


@given(st.lists(st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9]), min_size=1, max_size=30), st.integers(1, 6))
def test_prizes_are_those_of_the_plain_loop(similarities: list[float], k: int) -> None:
    values, counts = np.unique(similarities, return_counts=True)
    prizes, cost = edge_prizes(values, counts, k, 0.5)
    wanted, wanted_cost = by_loop(similarities, k, 0.5)
    assert prizes[np.searchsorted(values, similarities)].tolist() == pytest.approx(wanted)
    assert cost == pytest.approx(wanted_cost)


def problem(
    nodes: dict[int, float], edges: list[tuple[int, int]], prized: dict[int, float], size: int
) -> Problem:
    own, prizes = np.zeros(size), np.zeros(len(edges))
    for node, prize in nodes.items():
        own[node] = prize
    for edge, prize in prized.items():
        prizes[edge] = prize
    ends = np.array(edges, np.int64).reshape(-1, 2)
    return Problem(own, ends[:, 0], ends[:, 1], prizes, 0.5)


def test_what_is_worth_the_way_is_joined() -> None:
    path = problem({0: 3, 3: 2}, [(0, 1), (1, 2), (2, 3), (1, 4)], {}, 5)
    nodes, edges = solve(path)
    assert (nodes.tolist(), edges.tolist()) == ([0, 1, 2, 3], [0, 1, 2])
    assert path.objective(nodes, edges) == 3.5


def test_what_is_not_worth_the_way_is_left() -> None:
    nodes, edges = solve(problem({0: 3, 3: 0.6}, [(0, 1), (1, 2), (2, 3)], {}, 4))
    assert (nodes.tolist(), edges.tolist()) == ([0], [])


def test_an_edge_worth_more_than_it_costs_is_taken_with_both_ends() -> None:
    nodes, edges = solve(problem({0: 1}, [(0, 1), (0, 2), (1, 1)], {0: 2.0, 2: 3.0}, 3))
    assert (nodes.tolist(), edges.tolist()) == ([0, 1], [0, 2])


@pytest.mark.parametrize("size", [1, 3])
def test_without_edges_one_node_is_left(size: int) -> None:
    nodes, edges = solve(problem({size - 1: 2.0}, [], {}, size))
    assert (nodes.tolist(), edges.tolist()) == ([size - 1], [])


def best_of_all(p: Problem) -> float:
    """The largest objective of any connected subgraph, by trying all sets of edges."""
    best = float(p.node_prizes.max(initial=0.0))
    count = len(p.source)
    for some in itertools.chain.from_iterable(
        itertools.combinations(range(count), r) for r in range(1, count + 1)
    ):
        edges = np.array(some)
        ends = [{int(p.source[e]), int(p.target[e])} for e in some]
        reached, left = set(ends[0]), ends[1:]
        while joined := [part for part in left if part & reached]:
            reached = reached.union(*joined)
            left = [part for part in left if part not in joined]
        if not left:
            best = max(best, p.objective(np.array(sorted(reached)), edges))
    return best


@given(st.data())
def test_the_objective_is_near_the_best_there_is(data: st.DataObject) -> None:
    ends = data.draw(
        st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=8, unique=True)
    )
    nodes = data.draw(st.dictionaries(st.integers(0, 5), st.floats(0.1, 4), min_size=1, max_size=4))
    prized = data.draw(st.dictionaries(st.integers(0, len(ends) - 1), st.floats(0.0, 3), max_size=3))
    p = problem(nodes, ends, prized, 6)
    found, best = p.objective(*solve(p)), best_of_all(p)
    everything = p.node_prizes.sum() + np.maximum(p.edge_prizes - p.cost, 0).sum()
    assert found <= best + 1e-9
    assert (
        everything - found <= 2 * (everything - best) + 1e-4
    )  # the solver's promise, on what is missed and paid


def links_of(size: int, source: np.ndarray, target: np.ndarray) -> Links:
    rows, ends = np.concatenate([source, target]), np.concatenate([target, source])
    order = np.argsort(rows, kind="stable")
    edges = np.tile(np.arange(len(source)), 2)[order]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=size))])
    return Links(indptr, ends[order], edges, np.array([0, len(source)]))


def drawn(data: st.DataObject) -> tuple[Links, Prizes]:
    """A random graph of up to 150 nodes, few of which have prizes: tied ones, or all different."""
    seed = data.draw(st.integers(0, 2**32 - 1))
    chance = np.random.default_rng(seed)
    size = int(chance.integers(2, 150))
    count = int(chance.integers(1, 3 * size))
    source, target = chance.integers(0, size, (2, count))
    nodes = np.sort(chance.choice(size, min(size, int(chance.integers(1, 5))), replace=False))
    tied = bool(chance.integers(2))
    worth = chance.choice([1.0, 2, 3, 6], len(nodes)) if tied else chance.uniform(0.1, 6, len(nodes))
    edges = np.sort(chance.choice(count, min(count, int(chance.integers(0, 4))), replace=False))
    prizes = chance.uniform(0.51, 4, len(edges))
    return links_of(size, source, target), Prizes(
        nodes, worth, edges, source[edges], target[edges], prizes, 0.5
    )


@settings(max_examples=400)
@given(st.data())
def test_the_part_that_matters_gives_the_tree_of_the_whole_graph(data: st.DataObject) -> None:
    links, prizes = drawn(data)
    part, inside = narrow(links, prizes, most=10**9)
    assert part.complete
    whole = links.whole
    full = prizes.within(whole)
    nodes, edges = solve(inside)
    all_nodes, all_edges = solve(full)
    assert inside.objective(nodes, edges) == pytest.approx(full.objective(all_nodes, all_edges), abs=1e-9)
    if (
        prizes.node_prizes % 1
    ).all():  # else two trees may be as good, and which of them the solver meets first is chance
        assert part.nodes[nodes].tolist() == all_nodes.tolist()
        assert sorted(part.edge[edges].tolist()) == sorted(whole.edge[all_edges].tolist())


def test_the_part_is_small_where_prizes_are_near_and_grows_where_they_are_far() -> None:
    path = links_of(1_000, np.arange(999), np.arange(1, 1_000))
    none = np.empty(0, np.int64)

    def part(*nodes: int) -> int:
        prizes = Prizes(np.array(nodes), np.full(len(nodes), 50.0), none, none, none, np.empty(0), 0.5)
        return len(narrow(path, prizes, 10**9)[0].nodes)

    assert part(500) == 1
    assert part(500, 501) == 2
    assert 20 <= part(500, 520) <= 45
    assert part(300, 700) < 900


def test_a_part_that_would_be_too_large_says_so() -> None:
    star = links_of(1_001, np.zeros(1_000, np.int64), np.arange(1, 1_001))
    none = np.empty(0, np.int64)
    prizes = Prizes(np.array([1, 2]), np.full(2, 9.0), none, none, none, np.empty(0), 0.5)
    part, _ = narrow(star, prizes, most=100)
    assert not part.complete
    assert narrow(star, prizes, most=5_000)[0].complete
