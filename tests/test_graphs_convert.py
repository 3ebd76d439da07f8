"""Graphs from Python objects and back."""

from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.core import SourceError
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.graphs.convert import from_networkx, from_pandas, from_pyg, from_triples
from graphtalk.graphs.objects import to_networkx


def content(graph: Graph) -> object:
    """What a graph says, whatever the order of its parts."""
    nodes = {
        graph.id(n): (graph.node_type(n).name, graph.label(n), graph.features(n)) for n in graph.indices()
    }
    edges = []
    for position, r in enumerate(graph.schema.relations):
        for e, (a, b) in enumerate(zip(*graph.ends(position), strict=True)):
            ends = (graph.id(a), graph.id(b))
            features = graph.edge_features(position, e)
            edges.append(
                (r.name, r.back, tuple(sorted(ends)) if r.undirected else ends, str(sorted(features.items())))
            )
    return nodes, sorted(edges)


@st.composite
def typed_graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 5))
    people = pa.table({"id": [f"p{i}" for i in range(count)], "name": [f"P {i}" for i in range(count)]})
    towns = pa.table({"id": ["007", "t"], "size": [1.5, None], "tags": [["a", "b"], None]})
    ends = st.integers(0, count - 1)
    knows = np.array(draw(st.lists(st.tuples(ends, ends), max_size=8)), dtype=np.int64).reshape(-1, 2)
    lives = np.array(draw(st.lists(st.tuples(ends, st.integers(0, 1)), max_size=8)), dtype=np.int64).reshape(
        -1, 2
    )
    since = pa.table(
        {
            "since": pa.array(
                draw(st.lists(st.integers(1900, 2000), min_size=len(knows), max_size=len(knows))), pa.int64()
            )
        }
    )
    inverse = draw(st.sampled_from(["", "knows", "known by"]))
    return build(
        [NodeTable("person", people, "name"), NodeTable("town", towns)],
        [
            EdgeTable("knows", "person", "person", knows[:, 0], knows[:, 1], since, inverse),
            EdgeTable("lives in", "person", "town", lives[:, 0], lives[:, 1], None, draw(st.sampled_from(["", "lives in"]))),
        ],
    )  # fmt: skip


@given(typed_graphs())
def test_networkx_round_trip(graph: Graph) -> None:
    if not graph.num_edges:
        return
    assert content(from_networkx(graph.to_networkx())) == content(graph)


def test_networkx_sees_undirected_edges_from_both_ends() -> None:
    table = pa.table({"id": ["a", "b", "c"]})
    likes = EdgeTable("likes", "n", "n", np.array([0]), np.array([1]), None, "likes")
    leads = EdgeTable("leads", "n", "n", np.array([1]), np.array([2]))
    mixed = to_networkx(build([NodeTable("n", table)], [likes, leads]))
    assert sorted(mixed.edges()) == [("a", "b"), ("b", "a"), ("b", "c")]
    plain = to_networkx(build([NodeTable("n", table)], [likes]))
    assert not plain.is_directed() and list(plain.edges()) == [("a", "b")]


def test_any_networkx_graph() -> None:
    graph = nx.karate_club_graph()
    made = from_networkx(graph)
    assert (made.num_nodes, made.num_edges) == (34, 78)
    assert made.schema.relations[0].undirected
    assert sorted(made.ids(made.neighbours(made.node("0")))) == sorted(str(n) for n in graph[0])
    assert made.feature(made.node("33"), "club") == "Officer"
    odd = nx.MultiDiGraph()
    odd.add_node((1, 2), label="x", id="kept", extra={"a": 1})
    odd.add_edge((1, 2), 3, key="k", weight=2)
    odd.add_edge((1, 2), 3)
    made = from_networkx(odd)
    assert made.ids() == ["(1, 2)", "3"]
    assert made.features(0) == {"label": "x", "id_": "kept", "extra": '{"a": 1}'}
    assert [made.edge_features(0, e) for e in (0, 1)] == [{"weight": 2}, {}]
    with pytest.raises(SourceError, match="the id '1' stands twice"):
        from_networkx(nx.Graph([(1, "1")]))


def test_empty_graphs() -> None:
    assert from_networkx(nx.Graph()).num_nodes == 0
    assert from_triples([]).num_nodes == 0
    alone = from_networkx(nx.empty_graph(3))
    assert (alone.num_nodes, alone.num_edges) == (3, 0)


def test_triples() -> None:
    graph = from_triples([("Zinc", "treats", "cold"), (7, "treats", "cold")], name="kg")
    assert graph.name == "kg"
    assert set(graph.ids(graph.neighbours(graph.node("cold"), "^treats"))) == {"Zinc", "7"}


def test_data_frames() -> None:
    nodes = pd.DataFrame(
        {"id": ["007", "7"], "name": ["Bond", None], "age": [40.0, None], "kind": ["agent", "no"]}
    )
    edges = pd.DataFrame({"source": ["007"], "target": ["7"], "relation": ["likes"], "code": ["01"]})
    graph = from_pandas(nodes, edges)
    assert graph.features(graph.node("007")) == {"name": "Bond", "age": 40.0}
    assert graph.label(graph.node("7")) == "7"
    assert graph.edge_features(0, 0) == {"code": "01"}
    assert graph.schema.relations[0].source == "agent"
    assert from_pandas(None, edges).num_nodes == 2
    assert from_pandas(nodes).num_edges == 0
    numbered = from_pandas(pd.DataFrame({"id": [1, 2]}), pd.DataFrame({"source": [1], "target": [2]}))
    assert numbered.ids() == ["1", "2"]
    assert from_pandas(pd.DataFrame({"key": [1]})).ids() == ["1"]
    with pytest.raises(SourceError, match="edges, line 1: 'p', 'q': none of these are called as the ends"):
        from_pandas(None, pd.DataFrame({"p": [1], "q": [2.5]}))
    with pytest.raises(SourceError, match="edges, line 2: target 'x' is not a node"):
        from_pandas(nodes, pd.DataFrame({"source": ["7", "7"], "target": ["007", "x"]}))


class Tensor:
    """Behaves like a torch tensor as far as the conversion goes."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)
        self.shape = self._values.shape

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> np.ndarray[Any, Any]:
        return self._values


class Store(dict[str, Any]):
    @property
    def num_nodes(self) -> int:
        return int(self["x"].shape[0])


@dataclass
class Hetero:
    stores: dict[Any, Store]

    @property
    def node_types(self) -> list[str]:
        return [key for key in self.stores if isinstance(key, str)]

    @property
    def edge_types(self) -> list[tuple[str, str, str]]:
        return [key for key in self.stores if not isinstance(key, str)]

    def __getitem__(self, key: Any) -> Store:
        return self.stores[key]


def test_pyg_data() -> None:
    data = Store(
        x=Tensor([[1.0, 0.0], [0.5, 2.0], [0.0, 0.0]]),
        y=Tensor([0, 1, 1]),
        train_mask=Tensor([True, False, False]),
        edge_index=Tensor([[0, 1, 1, 2], [1, 0, 2, 1]]),
        edge_attr=Tensor([5, 5, 6, 6]),
    )
    graph = from_pyg(data)
    assert (graph.ids(), graph.num_edges) == (["0", "1", "2"], 2)
    assert graph.schema.relations[0].undirected
    assert graph.features(1) == {"x": [0.5, 2.0], "y": 1, "train_mask": False}
    assert [graph.edge_features(0, e) for e in (0, 1)] == [{"edge_attr": 5}, {"edge_attr": 6}]


def test_pyg_hetero_data() -> None:
    data = Hetero(
        {
            "paper": Store(x=Tensor([[1.0], [2.0]])),
            "author": Store(x=Tensor([[3.0]])),
            ("author", "writes", "paper"): Store(
                edge_index=Tensor([[0, 0], [1, 0]]), edge_attr=Tensor([[1, 2], [3, 4]])
            ),
        }
    )
    graph = from_pyg(data)
    assert graph.ids() == ["paper 0", "paper 1", "author 0"]
    author = graph.node("author 0")
    assert graph.ids(graph.neighbours(author, "writes")) == ["paper 1", "paper 0"]
    assert graph.edge_features(0, 0) == {"edge_attr": [1, 2]}
