"""Graph sets: cut out of one union, exactly as they were put in."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import CheckError
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build, builtin, open_graph, write


@st.composite
def small_graphs(draw: st.DrawFn) -> Graph:
    a, b = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    across = draw(
        st.lists(st.tuples(st.integers(0, max(0, a - 1)), st.integers(0, max(0, b - 1))), max_size=6)
    )
    within = draw(
        st.lists(st.tuples(st.integers(0, max(0, b - 1)), st.integers(0, max(0, b - 1))), max_size=6)
    )
    ab = np.array(across if a and b else [], dtype=np.int64).reshape(-1, 2)
    bb = np.array(within if b else [], dtype=np.int64).reshape(-1, 2)
    weights = pa.table({"w": pa.array(range(len(ab)), pa.int64())})
    return build(
        [
            NodeTable("a", pa.table({"id": pa.array([f"a{i}" for i in range(a)], pa.string())})),
            NodeTable("b", pa.table({"id": pa.array([f"b{i}" for i in range(b)], pa.string())})),
        ],
        [
            EdgeTable("ab", "a", "b", ab[:, 0], ab[:, 1], weights, "ba"),
            EdgeTable("bb", "b", "b", bb[:, 0], bb[:, 1], None, "bb"),
        ],
    )


def content(graph: Graph) -> object:
    edges = [
        [
            (*ends, graph.edge_features(r, e))
            for e, ends in enumerate(zip(*map(list, graph.ends(r)), strict=True))
        ]
        for r in range(len(graph.schema.relations))
    ]
    return graph.schema, graph.ids(), edges, [list(graph.neighbours(n)) for n in graph.indices()]


@given(st.lists(small_graphs(), min_size=1, max_size=5))
def test_graphs_come_back(tmp_path_factory: pytest.TempPathFactory, graphs: list[Graph]) -> None:
    names = [f"g{i}" for i in range(len(graphs))]
    labels = pa.table({"label": list(range(len(graphs)))})
    made = GraphSet.of(dict(zip(names, graphs, strict=True)), "some", labels)
    path = tmp_path_factory.mktemp("set") / "s"
    write(made, path)
    opened = open_graph(path)
    assert isinstance(opened, GraphSet)
    for found in (made, opened):
        assert list(found) == names and found.name == "some"
        for position, (name, graph) in enumerate(zip(names, graphs, strict=True)):
            assert content(found[name]) == content(graph)
            assert found[name].name == name
            assert found.features(name) == {"label": position}
            assert [found[name].find(i) for i in graph.ids()] == list(graph.indices())


def test_a_wrong_name_is_named() -> None:
    graphs = builtin.load("gpr")
    assert isinstance(graphs, GraphSet)
    with pytest.raises(CheckError, match=r"No graph 'bul_graph' in gpr\. Did you mean bull_graph"):
        graphs.graph("bul_graph")
    with pytest.raises(KeyError):
        graphs["bul_graph"]
    assert graphs.graph("bull_graph").num_edges == 5


def test_graphs_of_different_schemas_are_refused() -> None:
    one = build([NodeTable("a", pa.table({"id": ["1"]}))], [])
    other = build([NodeTable("b", pa.table({"id": ["1"]}))], [])
    with pytest.raises(CheckError, match="must share"):
        GraphSet.of({"x": one, "y": other})
    with pytest.raises(CheckError, match="at least one"):
        GraphSet.of({})


def test_built_in_graphs_load(tmp_path: Path) -> None:
    assert builtin.names() == ["atlas", "gpr"]
    atlas = builtin.load("atlas")
    assert isinstance(atlas, Graph) and atlas.name == "atlas"
    assert atlas.num_nodes > 600
    france = atlas.node("France")
    assert "Paris" in atlas.labels(atlas.neighbours(france, "capital"))
    assert len({builtin.checksum(name) for name in builtin.names()}) == 2
