"""Communities by k-means and by Leiden: planted ones are found, the functions of the paper agree, nothing is lost."""

import builtins
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.algorithms import modularity
from graphtalk.algorithms.links import adjacency
from graphtalk.core import CheckError, UsageError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.models import kmeans, leiden
from graphtalk.models.communities import CommunityModel

SIZES = (40, 30, 25, 20)


def network(pairs: np.ndarray, count: int) -> Graph:
    users = NodeTable("user", pa.table({"id": [f"u{i}" for i in range(count)]}))
    friends = EdgeTable("friend", "user", "user", pairs[:, 0], pairs[:, 1], None, "friend")
    return build([users], [friends], "friends")


def planted(inside: float = 0.4, across: float = 0.02) -> tuple[Graph, np.ndarray]:
    """Communities of different sizes, numbered by size, and their graph."""
    groups = np.repeat(np.arange(len(SIZES)), SIZES)
    chance = np.where(groups[:, None] == groups, inside, across)
    joined = np.random.default_rng(5).random(chance.shape) < chance
    return network(np.argwhere(np.triu(joined, 1)), len(groups)), groups


FITS = [pytest.param(kmeans.fit, id="kmeans"), pytest.param(leiden.fit, id="leiden")]


@pytest.mark.parametrize("fit", FITS)
def test_planted_communities_are_found_without_being_told_how_many(fit) -> None:
    graph, groups = planted()
    assert fit(graph, seed=1).labels.tolist() == groups.tolist()


def test_plain_counts_of_common_neighbours_find_them_too() -> None:
    graph, groups = planted(0.5, 0.005)
    model = kmeans.fit(graph, kmeans.KMeansConfig(count=4, affinity="counts"))
    assert model.labels.tolist() == groups.tolist()


def test_rows_of_plain_counts_are_as_far_apart_as_those_of_the_matrix_that_is_never_formed() -> None:
    graph, _ = planted()
    matrix = adjacency(graph, undirected=True).toarray()
    config = kmeans.KMeansConfig(affinity="counts", dimensions=graph.num_nodes)
    rows = kmeans.affinity_rows(adjacency(graph, undirected=True), config, np.random.default_rng(0))
    common = matrix @ matrix
    apart = np.linalg.norm(rows[:5, None] - rows[None], axis=2)
    assert np.allclose(apart, np.linalg.norm(common[:5, None] - common[None], axis=2))


def test_directions_of_a_large_network_are_nearly_those_of_an_exact_solver(monkeypatch) -> None:
    graph, _ = planted()
    matrix = adjacency(graph, undirected=True)
    config = kmeans.KMeansConfig(affinity="counts", dimensions=4)
    exact = kmeans.affinity_rows(matrix, config, np.random.default_rng(0))
    monkeypatch.setattr(kmeans, "_DENSE", 10)
    found = kmeans.affinity_rows(matrix, config, np.random.default_rng(0))
    near, true = found @ found.T, exact @ exact.T
    assert np.linalg.norm(near - true) < 0.005 * np.linalg.norm(true)


@pytest.mark.parametrize("fit", FITS)
def test_the_functions_of_the_paper_agree_with_the_labels(fit) -> None:
    graph, _ = planted()
    model = fit(graph)
    sizes = np.bincount(model.labels)
    assert model.community_count() == len(sizes) == 4
    assert model.community_max_size() == 40 and model.community_avg_size() == 115 / 4
    assert [model.community_size(node) for node in (0, 114)] == [40, 20]
    assert model.common_community_check(0, 39) and not model.common_community_check(39, 40)
    assert model.modularity == pytest.approx(modularity(graph, model.labels))


@pytest.mark.parametrize("fit", FITS)
def test_the_same_seed_gives_the_same(fit) -> None:
    graph, _ = planted(0.2, 0.1)
    assert np.array_equal(fit(graph, seed=3).labels, fit(graph, seed=3).labels)


def test_communities_are_numbered_by_size() -> None:
    assert CommunityModel.of(np.array([7, 2, 2, 9, 2, 9]), 0.0).labels.tolist() == [2, 0, 0, 1, 0, 1]


@pytest.mark.parametrize("fit", FITS)
def test_saved_and_loaded_it_is_the_same(fit, tmp_path: Path) -> None:
    graph = replace(planted()[0], checksum="abc")
    fitted = fit(graph, seed=4)
    fitted.save(tmp_path / "m")
    again = type(fitted).load(tmp_path / "m", graph)
    assert np.array_equal(again.labels, fitted.labels) and again.modularity == fitted.modularity
    assert again.card.scores == {"modularity": fitted.modularity, "communities": 4.0} and again.card.seed == 4
    with pytest.raises(UsageError, match="another version of friends"):
        type(fitted).load(tmp_path / "m", replace(graph, checksum="xyz"))


@pytest.mark.parametrize("fit", FITS)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_networks_without_friends_have_communities_too(fit, count: int) -> None:
    model = fit(network(np.empty((0, 2), np.int64), count))
    assert len(model.labels) == count and model.modularity == 0


def test_a_node_that_was_not_there_is_refused() -> None:
    model = kmeans.fit(planted()[0])
    with pytest.raises(CheckError, match="No community for node 115: there are 115 nodes"):
        model.community(115)


@pytest.mark.parametrize("count", [0, 116])
def test_a_count_that_cannot_be_is_refused(count: int) -> None:
    with pytest.raises(UsageError, match=f"has 115 nodes: it cannot have {count} communities"):
        kmeans.fit(planted()[0], kmeans.KMeansConfig(count=count))


def test_progress_reaches_the_end_or_stops_early() -> None:
    told: list[tuple[int, int]] = []
    kmeans.fit(planted()[0], progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1)) and told[-1][0] <= told[-1][1]


def test_without_its_library_leiden_says_what_to_install(monkeypatch) -> None:
    found = builtins.__import__

    def refuse(name: str, *rest: object, **options: object) -> object:
        if name == "graspologic_native":
            raise ImportError(name)
        return found(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(UsageError, match=r'pip install "graphtalk\[models\]"'):
        leiden.fit(planted()[0])
