"""Random graphs for problems, and how their edges are written."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from graphtalk.graphs import EdgeTable, Graph, NodeTable, build


@dataclass(frozen=True)
class Network:
    """Nodes 0 to n - 1 and edges; weights of edges and of nodes where there are any. `first` is the number of node 0."""

    n: int
    directed: bool
    pairs: tuple[tuple[int, int], ...]
    weights: tuple[int, ...] = ()
    node_weights: tuple[int, ...] = ()
    first: int = 0

    @cached_property
    def graph(self) -> Graph:
        """The same as a graph, whose feature is `weight`."""
        ends = np.array(self.pairs, np.int64).reshape(-1, 2)
        nodes = {"id": pa.array([str(node + self.first) for node in range(self.n)], pa.string())}
        if self.node_weights:
            nodes["weight"] = pa.array(self.node_weights)
        features = pa.table({"weight": pa.array(self.weights)}) if self.weights else None
        inverse = "" if self.directed else "edge"
        edges = EdgeTable("edge", "node", "node", ends[:, 0], ends[:, 1], features, inverse)
        return build([NodeTable("node", pa.table(nodes))], [edges], "drawn")

    def only(self, kept: Callable[[int, int], bool]) -> "Network":
        """Without the edges that are not kept. For graphs without weights."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if kept(*pair)))

    def weighed(self, rng: random.Random, most: int) -> "Network":
        """With weights of nodes from 1 to `most`."""
        return replace(self, node_weights=tuple(rng.randint(1, most) for _ in range(self.n)))

    def numbered_from(self, first: int) -> "Network":
        """With nodes numbered from `first`."""
        return replace(self, first=first)

    def edge_list(self) -> str:
        """`(0,1) (1,2)`, `(0->1,5)`"""
        arrow, first = "->" if self.directed else ",", self.first
        if self.weights:
            return " ".join(
                f"({a + first}{arrow}{b + first},{w})"
                for (a, b), w in zip(self.pairs, self.weights, strict=True)
            )
        return " ".join(f"({a + first}{arrow}{b + first})" for a, b in self.pairs)

    def told(self) -> str:
        """Nodes, their weights and the edges."""
        text = f"The nodes are numbered from {self.first} to {self.n - 1 + self.first}, "
        if self.node_weights:
            listed = " ".join(f"[{node}, {weight}]" for node, weight in enumerate(self.node_weights))
            text += f"weights of nodes are: {listed}, "
        return f"{text}and the edges are: {self.edge_list()}."

    def form(self) -> str:
        """How edges are written, in words."""
        sign, way = (
            ("i->j", "from node i to node j") if self.directed else ("i,j", "between node i and node j")
        )
        kind = "a directed" if self.directed else "an undirected"
        weight = (",k", " with weight k") if self.weights else ("", "")
        node = "[i, k] means that node i has the weight k. " if self.node_weights else ""
        return f"{node}({sign}{weight[0]}) means that there is {kind} edge {way}{weight[1]}."


def drawn(rng: random.Random, n: int, directed: bool, density: float, most: int = 0) -> Network:
    """Every pair is joined with chance `density`; at least one is. Weights from 1 to `most`, if any."""
    places = np.random.default_rng(rng.getrandbits(32)).random((n, n)) < density
    ends = np.argwhere(places)
    pairs = [(int(a), int(b)) for a, b in ends if (a != b if directed else a < b)]
    if not pairs:
        a, b = rng.sample(range(n), 2)
        pairs = [(a, b)]
    return Network(n, directed, tuple(pairs), tuple(rng.randint(1, most) for _ in pairs) if most else ())


def drawn_dag(rng: random.Random, n: int, density: float) -> Network:
    """A directed graph without cycles, its nodes in any order."""
    rank = list(range(n))
    rng.shuffle(rank)
    network = drawn(rng, n, True, density)
    pairs = {(a, b) if rank[a] < rank[b] else (b, a) for a, b in network.pairs}
    return Network(n, True, tuple(sorted(pairs)))


def sparse(rng: random.Random, n: int, directed: bool, degree: int = 3, most: int = 10) -> Network:
    """A large graph of about `degree` edges a node, drawn by numpy."""
    random_numbers = np.random.default_rng(rng.getrandbits(32))
    ends = random_numbers.integers(0, n, (n * degree, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    ends = np.unique(ends if directed else np.sort(ends, axis=1), axis=0)
    weights = random_numbers.integers(1, most + 1, len(ends))
    return Network(n, directed, tuple(map(tuple, ends.tolist())), tuple(weights.tolist()))


def lettered(network: Network) -> str:
    """The edges of a small graph whose nodes are letters: `(a->b)`"""
    return " ".join(f"({chr(97 + a)}->{chr(97 + b)})" for a, b in network.pairs)
