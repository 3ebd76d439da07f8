"""Time every algorithm beside networkx on one random graph, in one run, and print the ratios.

    python scripts/bench_algorithms.py [--nodes 10000] [--edges 50000] [--seconds 20] [--shape random|scale-free]

What networkx would not finish in `--seconds` is marked `~`: it is timed on a sample of its sources and
scaled up, or (marked `>`) stopped, so that its time is a lower bound. Both sides are given the graph ready
made, and the best of a few runs counts; `first` is our first run on a graph, which also makes its matrices.
"""

import argparse
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import FrameType

import networkx as nx
import numpy as np
import pyarrow as pa

from graphtalk import algorithms as alg
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build

Work = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One algorithm: ours, networkx's, and how networkx's time is scaled up from the share it is given."""

    name: str
    ours: Callable[[Graph], object]
    theirs: Work
    scale: float = 1.0


class OutOfTimeError(Exception):
    """networkx took too long."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Stop what runs inside after so many seconds."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def seconds_of(work: Work) -> float:
    """Wall-clock seconds of one run."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def random_network(shape: str, nodes: int, edges: int, seed: int) -> nx.Graph:
    """A connected undirected graph with whole weights 1 to 20."""
    if shape == "scale-free":
        other = nx.barabasi_albert_graph(nodes, max(1, round(edges / nodes)), seed=seed)
    else:
        other = nx.gnm_random_graph(nodes, edges - nodes + 1, seed=seed)
        nx.add_path(other, np.random.default_rng(seed).permutation(nodes).tolist())
    weigh(other, seed)
    return other


def weigh(other: nx.Graph, seed: int) -> None:
    """Give every edge a weight."""
    random = np.random.default_rng(seed)
    for _, _, data in other.edges(data=True):
        data["weight"] = int(random.integers(1, 21))


def to_graph(other: nx.Graph) -> Graph:
    """The same graph as ours, with the edge feature `weight` and the node feature `value`."""
    ends = np.array(list(other.edges), dtype=np.int64).reshape(-1, 2)
    features = pa.table({"weight": [float(w) for _, _, w in other.edges(data="weight")]})
    count = len(other)
    table = pa.table({"id": [str(n) for n in range(count)], "value": np.arange(count) % 7.0})
    inverse = "" if other.is_directed() else "link"
    link = EdgeTable("link", "node", "node", ends[:, 0], ends[:, 1], features, inverse)
    return build([NodeTable("node", table)], [link])


def some_distances(other: nx.Graph, sources: list[int], weight: str | None = None) -> None:
    """networkx's searches from each source, as its eccentricity and average path length run them."""
    for source in sources:
        if weight is None:
            nx.single_source_shortest_path_length(other, source)
        else:
            nx.single_source_dijkstra_path_length(other, source, weight=weight)


def undirected_rows(other: nx.Graph, seed: int) -> list[Row]:
    """The algorithms on the undirected graph."""
    n = len(other)
    sample = np.random.default_rng(seed).choice(n, min(20, n), replace=False).tolist()
    share = n / len(sample)
    far = max(nx.single_source_shortest_path_length(other, 0).items(), key=lambda item: item[1])[0]

    def all_distances() -> None:
        some_distances(other, sample)

    return [
        Row("eccentricity (all)", alg.eccentricity, all_distances, share),
        Row("radius", alg.radius, all_distances, share),
        Row("diameter", alg.diameter, all_distances, share),
        Row("center", alg.center, all_distances, share),
        Row("periphery", alg.periphery, all_distances, share),
        Row("diameter (weighted)", lambda g: alg.diameter(g, "weight"), lambda: some_distances(other, sample, "weight"), share),
        Row("avg_path_length", alg.avg_path_length, all_distances, share),
        Row("density", alg.density, lambda: nx.density(other)),
        Row("degree", alg.degree, lambda: dict(other.degree)),
        Row("shortest_path", lambda g: alg.shortest_path(g, 0, far), lambda: nx.shortest_path(other, 0, far)),
        Row("shortest_path (weighted)", lambda g: alg.shortest_path(g, 0, far, "weight"), lambda: nx.dijkstra_path(other, 0, far)),
        Row("all_shortest_paths", lambda g: alg.all_shortest_paths(g, 0, far, limit=10**6), lambda: list(nx.all_shortest_paths(other, 0, far))),
        Row("neighbourhood (3 hops)", lambda g: alg.neighbourhood(g, 0, 3), lambda: nx.single_source_shortest_path_length(other, 0, 3)),
        Row("components", alg.components, lambda: list(nx.connected_components(other))),
        Row("bipartite_colouring", alg.bipartite_colouring, lambda: nx.is_bipartite(other)),
        Row("find_cycle", alg.find_cycle, lambda: nx.find_cycle(other)),
        Row("pagerank", lambda g: alg.pagerank(g, tolerance=1e-6), lambda: nx.pagerank(other, weight=None, tol=1e-6 / n)),
        Row("betweenness (100 samples)", lambda g: alg.betweenness(g, samples=100), lambda: nx.betweenness_centrality(other, k=20, seed=seed), 5.0),
        Row("betweenness (exact)", alg.betweenness, lambda: nx.betweenness_centrality(other, k=20, seed=seed), share),
        Row("triangles", alg.triangles, lambda: nx.triangles(other)),
        Row("local_clustering", alg.local_clustering, lambda: nx.clustering(other)),
        Row("transitivity", alg.transitivity, lambda: nx.transitivity(other)),
        Row("maximum_triangle", lambda g: alg.maximum_triangle(g, node_weight="value"), lambda: best_triangle(other)),
        Row("core_numbers", alg.core_numbers, lambda: nx.core_number(other)),
        Row("minimum_spanning_forest", lambda g: alg.minimum_spanning_forest(g, "weight"), lambda: nx.minimum_spanning_tree(other)),
        Row("communities", alg.communities, lambda: nx.community.louvain_communities(other, weight=None, seed=seed)),
        Row("subgraph_isomorphisms (10)", ten_squares, lambda: ten_squares_networkx(other)),
    ]  # fmt: skip


def directed_rows(other: nx.DiGraph, ordered: nx.DiGraph) -> list[Row]:
    """The algorithms on a directed graph, and (marked acyclic) on one without cycles."""
    n = len(other)
    for _, _, data in other.edges(data=True):
        data["capacity"] = data["weight"]
    acyclic = to_graph(ordered)
    return [
        Row("components (strong)", lambda g: alg.components(g, "strong"), lambda: list(nx.strongly_connected_components(other))),
        Row("find_cycle (directed)", alg.find_cycle, lambda: nx.find_cycle(other)),
        Row("maximum_flow", lambda g: alg.maximum_flow(g, 0, n - 1, "weight"), lambda: nx.maximum_flow(other, 0, n - 1)),
        Row("pagerank (directed)", lambda g: alg.pagerank(g, tolerance=1e-6), lambda: nx.pagerank(other, weight=None, tol=1e-6 / n)),
        Row("distances_from (negative)", lambda g: alg.distances_from(acyclic, 0, "weight"), lambda: nx.single_source_bellman_ford_path_length(ordered, 0)),
        Row("find_cycle (acyclic)", lambda g: alg.find_cycle(acyclic), lambda: no_cycle(ordered)),
        Row("topological_order (acyclic)", lambda g: alg.topological_order(acyclic), lambda: list(nx.topological_sort(ordered))),
    ]  # fmt: skip


def bipartite_rows(other: nx.Graph) -> list[Row]:
    """The colouring and the matching, on a bipartite graph."""
    left = [n for n, side in other.nodes(data="bipartite") if side == 0]
    return [
        Row("colouring (bipartite)", alg.bipartite_colouring, lambda: nx.bipartite.color(other)),
        Row("bipartite_matching", alg.bipartite_matching, lambda: nx.bipartite.hopcroft_karp_matching(other, left)),
    ]  # fmt: skip


def best_triangle(other: nx.Graph) -> float:
    """networkx has no such function: every edge's common neighbours."""
    return max(s % 7 + t % 7 + v % 7 for s, t in other.edges for v in nx.common_neighbors(other, s, t))


def no_cycle(other: nx.DiGraph) -> bool:
    """networkx says by an error that there is none."""
    try:
        nx.find_cycle(other)
    except nx.NetworkXNoCycle:
        return True
    return False


def ten_squares(graph: Graph) -> object:
    """Ten cycles of four without chords."""
    square = to_graph(weighted_square())
    return alg.subgraph_isomorphisms(graph, square, alg.Matching(induced=True), limit=10)


def ten_squares_networkx(other: nx.Graph) -> object:
    """The same by networkx."""
    found = nx.algorithms.isomorphism.GraphMatcher(other, weighted_square()).subgraph_isomorphisms_iter()
    return [next(found) for _ in range(10)]


def weighted_square() -> nx.Graph:
    """A cycle of four nodes."""
    square = nx.cycle_graph(4)
    nx.set_edge_attributes(square, 1, "weight")
    return square


def run(rows: list[Row], other: nx.Graph, limit: float) -> None:
    """Time and print the rows."""
    for row in rows:
        graph = to_graph(other)
        work = partial(row.ours, graph)
        first = seconds_of(work)
        ours = min(seconds_of(work) for _ in range(1 if first > 1 else 5))
        mark = "~" if row.scale > 1 else " "
        try:
            with limited(limit):
                theirs = seconds_of(row.theirs) * row.scale
                if theirs < 0.2:
                    theirs = min(theirs, *(seconds_of(row.theirs) for _ in range(4)))
        except OutOfTimeError:
            theirs, mark = limit * row.scale, ">"
        print(
            f"{row.name:28} {first:11.4f} {ours:11.4f} {mark}{theirs:11.4f} {theirs / ours:11.1f}", flush=True
        )


def main() -> None:
    """Read the options, make the graphs, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=20, help="time limit of each of networkx's runs")
    parser.add_argument("--shape", choices=["random", "scale-free"], default="random")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    nodes, edges, seed = options.nodes, options.edges, options.seed
    print(f"{options.shape} graph, {nodes} nodes, {edges} edges; seconds")
    print(f"{'algorithm':28} {'first':>11} {'ours':>11} {'networkx':>12} {'ratio':>11}")
    alg.components(to_graph(weighted_square()))  # imports scipy's parts
    plain = random_network(options.shape, nodes, edges, seed)
    run(undirected_rows(plain, seed), plain, options.seconds)
    one_way = nx.gnm_random_graph(nodes, edges, seed=seed, directed=True)
    weigh(one_way, seed)
    ordered = nx.DiGraph(
        (min(s, t), max(s, t), {"weight": w - 3}) for s, t, w in one_way.edges(data="weight")
    )
    ordered = nx.convert_node_labels_to_integers(ordered, ordering="sorted")
    run(directed_rows(one_way, ordered), one_way, options.seconds)
    sides = nx.bipartite.gnmk_random_graph(nodes // 2, nodes - nodes // 2, edges, seed=seed)
    weigh(sides, seed)
    run(bipartite_rows(sides), sides, options.seconds)


if __name__ == "__main__":
    main()
