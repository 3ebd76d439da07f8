"""Random graphs for property tests, each as a Graph and as the same networkx multigraph."""

import networkx as nx
import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

Edge = tuple[int, int, float]
SHAPES = ["random", "grid", "skewed", "parts", "parallel"]


def make_graph(nodes: int, edges: list[Edge], directed: bool) -> Graph:
    """A graph of one node type and one relation; edges are (source, target, weight)."""
    source, target = (np.array([e[side] for e in edges], dtype=np.int64) for side in (0, 1))
    features = pa.table({"weight": pa.array([float(e[2]) for e in edges], pa.float64())})
    table = pa.table({"id": [str(n) for n in range(nodes)], "value": [float(n % 7) for n in range(nodes)]})
    link = EdgeTable("link", "node", "node", source, target, features, "" if directed else "link")
    return build([NodeTable("node", table)], [link])


def make_networkx(nodes: int, edges: list[Edge], directed: bool) -> nx.MultiGraph:
    """The same graph for networkx."""
    other = nx.MultiDiGraph() if directed else nx.MultiGraph()
    other.add_nodes_from(range(nodes))
    other.add_edges_from((s, t, {"weight": w}) for s, t, w in edges)
    return other


def simple(other: nx.MultiGraph) -> nx.Graph:
    """Without parallel edges (the shortest kept) and without self-loops."""
    plain = nx.DiGraph() if other.is_directed() else nx.Graph()
    plain.add_nodes_from(other)
    for s, t, w in other.edges(data="weight"):
        if s != t:
            known = plain.get_edge_data(s, t, {"weight": np.inf})["weight"]
            plain.add_edge(s, t, weight=min(w, known))
    return plain


def both_ways(other: nx.MultiGraph) -> nx.MultiGraph:
    """Without directions, every edge kept."""
    around = nx.MultiGraph()
    around.add_nodes_from(other)
    around.add_edges_from((s, t, {"weight": w}) for s, t, w in other.edges(data="weight"))
    return around


@st.composite
def random_graphs(
    draw: st.DrawFn,
    directed: bool | None = None,
    least: int = 1,
    most: int = 12,
    weights: st.SearchStrategy[float] | None = None,
) -> tuple[Graph, nx.MultiGraph]:
    """Graphs with self-loops, parallel edges, lone nodes and several components."""
    nodes = draw(st.integers(least, most))
    goes_one_way = draw(st.booleans()) if directed is None else directed
    node = st.integers(0, nodes - 1) if nodes else st.nothing()
    weight = weights if weights is not None else st.integers(0, 9)
    edges = draw(st.lists(st.tuples(node, node, weight), max_size=3 * nodes)) if nodes else []
    return make_graph(nodes, edges, goes_one_way), make_networkx(nodes, edges, goes_one_way)


def drawn_ends(shape: str, nodes: int) -> np.ndarray:
    """Edges of a graph of one shape, in no order. Shape (edges, 2)."""
    random = np.random.default_rng(11)
    match shape:
        case "random":
            ends = random.integers(0, nodes, (4 * nodes, 2))
        case "grid":
            grid = nx.convert_node_labels_to_integers(nx.grid_2d_graph(nodes // 10, 10))
            ends = np.array(grid.edges)
        case "skewed":
            ends = (nodes * random.random((3 * nodes, 2)) ** 3).astype(int)
        case "parts":  # that nothing joins
            ends = random.integers(0, nodes // 4, (nodes, 2)) + nodes // 4 * random.integers(0, 4, (nodes, 1))
        case _:  # a chain of parallel edges with self-loops
            chain = np.stack([np.arange(nodes - 1), np.arange(1, nodes)], 1)
            ends = np.concatenate([chain, chain, chain[:, ::-1], chain[:, [0, 0]]])
    return np.asarray(random.permutation(ends))
