"""Row pointers that keep only rows with edges: the same as those of all rows, in what they give; and small."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.graphs import EdgeTable, Graph, NodeTable, adjacency, build
from graphtalk.graphs.adjacency import Adjacency, Sparse, gather, kept_rows, row_of, rows_of_all
from graphtalk.graphs.store import open_graph, write
from graphtalk.search.links import Links
from sealing import seal


def sides(edges: list[tuple[int, int]], count: int) -> tuple[Adjacency, Adjacency]:
    """The adjacency with sparse pointers, and with those of all rows."""
    source, target = (np.array([edge[i] for edge in edges], np.int64) for i in (0, 1))
    made = []
    for most in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(adjacency, "SPARSE", most)
            made.append(Adjacency.of(source, target, range(count), range(count))[0])
    return made[0], made[1]


@given(data=st.data(), count=st.integers(1, 40))
def test_sparse_pointers_give_what_those_of_all_rows_give(data: st.DataObject, count: int) -> None:
    node = st.integers(0, count - 1)
    edges = data.draw(st.lists(st.tuples(node, node), max_size=30))
    few, all_rows = sides(edges, count)
    nodes = np.array(data.draw(st.lists(node, max_size=20)), np.int64)
    for sparse, dense in ((few.indptr, all_rows.indptr), (few.back_indptr, all_rows.back_indptr)):
        if edges:
            assert isinstance(sparse, Sparse) and isinstance(dense, np.ndarray)
        assert np.asarray(sparse).tolist() == np.asarray(dense).tolist() and len(sparse) == len(dense)
        assert [int(sparse[i]) for i in range(-1, count + 1)] == [int(dense[i]) for i in range(-1, count + 1)]
        assert sparse[1:count].tolist() == dense[1:count].tolist()
        for mine, theirs in zip(gather(sparse, nodes), gather(dense, nodes), strict=True):
            assert mine.tolist() == theirs.tolist()
        positions = np.arange(len(edges))
        assert row_of(sparse, positions).tolist() == row_of(dense, positions).tolist()
        assert rows_of_all(sparse).tolist() == rows_of_all(dense).tolist()
        counts = np.zeros((2, count), np.int64)
        for made, pointers in zip(counts, (sparse, dense), strict=True):
            rows, starts = kept_rows(pointers)
            made[rows] += np.diff(starts)
        assert counts[0].tolist() == counts[1].tolist()


def many_relations(nodes: int, relations: int, edges: int) -> Graph:
    rng = np.random.default_rng(0)
    tables = [
        EdgeTable(f"r{r}", "n", "n", rng.integers(0, nodes, edges), rng.integers(0, nodes, edges))
        for r in range(relations)
    ]
    return build([NodeTable("n", pa.table({"id": [str(n) for n in range(nodes)]}))], tables, "many")


def test_a_store_grows_with_its_edges_and_not_with_relations_times_nodes(tmp_path: Path) -> None:
    write(many_relations(20_000, 200, 10), tmp_path / "s")
    arrays = sum(p.stat().st_size for p in (tmp_path / "s").glob("*.npy"))
    assert arrays < 1_000_000  # 20,000 ids take 320,000; the pointers of all rows took 64,000,000


def test_links_and_neighbours_are_those_of_pointers_of_all_rows(tmp_path: Path) -> None:
    few = many_relations(60, 12, 5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adjacency, "SPARSE", 10**9)
        dense = many_relations(60, 12, 5)
    write(few, tmp_path / "s")
    stored = open_graph(tmp_path / "s")
    assert isinstance(stored, Graph) and isinstance(stored.adjacencies[3].indptr, Sparse)
    for graph in (few, stored):
        for node in range(60):
            assert graph.neighbours(node).tolist() == dense.neighbours(node).tolist()
        for relation in range(12):
            for mine, theirs in zip(graph.ends(relation), dense.ends(relation), strict=True):
                assert mine.tolist() == theirs.tolist()
        mine, theirs = Links.build(graph), Links.build(dense)
        assert (mine.indptr == theirs.indptr).all() and (mine.edges == theirs.edges).all()


def test_neighbours_by_many_relations_are_found_by_those_that_a_node_has() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphtalk.graphs.graph.MANY_VIEWS", 10**9)
        dull = many_relations(60, 40, 5)
        expected = [dull.neighbours(node).tolist() for node in range(60)]
    graph = many_relations(60, 40, 5)
    assert [graph.neighbours(node).tolist() for node in range(60)] == expected


def test_stores_of_version_1_open(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(adjacency, "SPARSE", 10**9)
        graph = many_relations(60, 12, 5)
    place = tmp_path / "s"
    write(graph, place)
    files = json.loads((place / "manifest.json").read_text())["files"]
    for name in ("sparse.npy", "rows.npy", "back_rows.npy"):
        (place / name).unlink()
        del files[name]
    seal(place, version=1, files=files)
    older = open_graph(place)
    assert isinstance(older, Graph)
    assert [older.neighbours(n).tolist() for n in range(60)] == [
        graph.neighbours(n).tolist() for n in range(60)
    ]
    shutil.rmtree(place)
