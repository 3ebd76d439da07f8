"""Graphs that tests ask what people ask of any graph, each as networkx has it and as graphtalk imports it."""

from collections.abc import Callable, Mapping
from pathlib import Path

import networkx as nx

import graphtalk as gt
from graphtalk.graphs import Graph, GraphSet
from planner_graphs import make

PEOPLE = "Ann Bob Cyd Dan Eve Fay Gus Hal".split()
NODES = {
    "person": PEOPLE,
    "company": ["Acme", "Zenith", "Orion", "Mercury"],
    "product": ["Anvil", "Rocket", "Mercury"],
    "city": ["Paris", "Oslo", "Trinidad and Tobago"],
}
EDGES = {
    (
        "works for",
        "person",
        "company",
    ): "Ann-Acme Bob-Acme Cyd-Zenith Dan-Zenith Eve-Zenith Fay-Orion Gus-Orion",
    ("knows", "person", "person"): "Ann-Bob Bob-Cyd Cyd-Ann Eve-Ann Fay-Gus",
    ("manages", "person", "person"): "Ann-Bob Cyd-Dan Cyd-Eve Fay-Gus",
    ("supplies", "company", "company"): "Zenith-Acme Orion-Acme Acme-Mercury",
    ("makes", "company", "product"): "Acme-Anvil Acme-Rocket Zenith-Anvil",
    ("located in", "company", "city"): "Acme-Paris Zenith-Paris Orion-Oslo Mercury-Trinidad_and_Tobago",
}
FOLLOWS = (
    "ann-bob bob-cyd cyd-dan dan-ann dan-eve eve-fay fay-gus gus-eve ann-cyd hub-ann hub-bob hub-cyd hub-eve"
)
ROADS = "A-B-2 B-C-2 C-D-2 A-D-9 D-E-1 E-F-1 F-D-1"
TRIPLES = """
Ann knows Bob
Ann knows Cyd
Bob knows Cyd
Cyd works_for Acme
Ann works_for Acme
Bob works_for Zeta
Acme has_supplier Zeta
Acme has_supplier Yara
Zeta has_supplier Xeno
Bob parent_of Dan
Ann parent_of Dan
hub has port
hub has lamp
engine part_of car
wheel part_of car
Acme owned_by Omni
"""


def company() -> tuple[nx.MultiDiGraph, Graph]:
    """People, companies, products and cities; a company and a product have one name."""
    known = nx.MultiDiGraph()
    columns = {}
    ids: dict[tuple[str, str], str] = {}
    for kind, names in NODES.items():
        for place, name in enumerate(names):
            ids[kind, name] = f"{kind[:2]}{place}"
            known.add_node(ids[kind, name], name=name, kind=kind)
        columns[kind] = {"id": [ids[kind, name] for name in names], "name": names}
    ages = [41, 35, 35, 52, 29, 60, 35, 47]
    columns["person"]["age"] = ages  # type: ignore[assignment]  # numbers beside texts
    edges = []
    for (name, source, target), pairs in EDGES.items():
        ends = [pair.replace("_", " ").split("-") for pair in pairs.split()]
        rows = [(ids[source, a], ids[target, b]) for a, b in ends]
        for a, b in rows:
            known.add_edge(a, b, relation=name)
        edges.append((name, source, target, rows))
    return known, make(columns, edges)


def social(folder: Path) -> tuple[nx.MultiDiGraph, Graph]:
    """Who follows whom, as a file of pairs of names."""
    rows = [pair.split("-") for pair in FOLLOWS.split()]
    file = folder / "social.txt"
    file.write_text("".join(f"{a} {b}\n" for a, b in rows))
    known = nx.MultiDiGraph()
    known.add_edges_from(rows, relation="edge")
    graph = gt.open(str(file))
    assert isinstance(graph, Graph)
    return _named(known), graph


def roads() -> tuple[nx.MultiGraph, Graph]:
    """Places and roads of some length, both ways."""
    plain = nx.Graph()
    for row in ROADS.split():
        a, b, length = row.split("-")
        plain.add_edge(a, b, length=int(length))
    graph = gt.from_networkx(plain)
    known = nx.MultiGraph(plain)
    nx.set_edge_attributes(known, "edge", "relation")
    return _named(known), graph


def triples(folder: Path) -> tuple[nx.MultiDiGraph, Graph]:
    """Subject, predicate, object: nodes without types."""
    rows = [line.split() for line in TRIPLES.strip().splitlines()]
    file = folder / "facts.csv"
    file.write_text("subject,predicate,object\n" + "".join(f"{','.join(row)}\n" for row in rows))
    known = nx.MultiDiGraph()
    for subject, relation, thing in rows:
        known.add_edge(subject, thing, relation=relation)
    graph = gt.open(str(file))
    assert isinstance(graph, Graph)
    return _named(known), graph


def molecules() -> tuple[dict[str, nx.MultiGraph], GraphSet]:
    """Atoms and bonds of three molecules, without hydrogen."""
    plain = {
        "benzene": nx.cycle_graph(6),
        "ethanol": nx.path_graph(3),
        "toluene": nx.Graph([*nx.cycle_graph(6).edges, (0, 6)]),
    }
    together = GraphSet.of({name: gt.from_networkx(graph) for name, graph in plain.items()}, "molecules")
    return {name: _named(nx.MultiGraph(graph)) for name, graph in plain.items()}, together


def _named(known: nx.MultiGraph) -> nx.MultiGraph:
    for node in known:
        known.nodes[node].update(name=str(node), kind="node")
    return known


class Known:
    """What is right, worked out by networkx alone: `right("near: Ann")`."""

    def __init__(self, graph: nx.MultiGraph) -> None:
        self.graph = graph
        self.name = dict(graph.nodes(data="name"))
        self.plain = nx.Graph(graph)
        self.one_way = nx.DiGraph(graph) if graph.is_directed() else self.plain

    def nodes(self, name: str) -> list[object]:
        return [node for node, other in self.name.items() if other == name]

    def names(self, nodes: object) -> frozenset[object]:
        return frozenset(self.name[node] for node in nodes)  # type: ignore[attr-defined]

    def near(self, name: str) -> frozenset[object]:
        """The neighbours of a node, either way."""
        return self.names(self.plain[self.nodes(name)[0]])

    def out(self, name: str, relation: str) -> frozenset[object]:
        """What a relation leads to from a node."""
        [node] = self.nodes(name)[:1]
        return self.names(b for _, b, r in self.graph.edges(node, data="relation") if r == relation)

    def back(self, name: str, relation: str) -> frozenset[object]:
        """What a relation leads from to a node."""
        [node] = self.nodes(name)[:1]
        return self.names(a for a, _, r in self.graph.in_edges(node, data="relation") if r == relation)

    def kind(self, kind: str) -> frozenset[object]:
        """The nodes of a type."""
        return self.names(n for n, k in self.graph.nodes(data="kind") if k == kind)

    def common(self, *names: str) -> frozenset[object]:
        """What several nodes are joined to by the same relation and in the same direction."""
        relations = {r for _, _, r in self.graph.edges(data="relation")}
        ways = [self.out, self.back] if self.graph.is_directed() else [self.out]
        shared = [frozenset.intersection(*(way(n, r) for n in names)) for way in ways for r in relations]
        return frozenset().union(*shared) - set(names)

    def ranked(self, numbers: Mapping[object, float], last: bool = False) -> frozenset[object]:
        """The nodes with the largest number, or with the smallest."""
        best = min(numbers.values()) if last else max(numbers.values())
        return self.names(n for n, number in numbers.items() if abs(number - best) < 1e-9)


MEASURES: Mapping[str, Callable[[Known], object]] = {
    "order": lambda k: k.graph.number_of_nodes(),
    "size": lambda k: k.graph.number_of_edges(),
    "density": lambda k: nx.density(k.graph),
    "diameter": lambda k: nx.diameter(k.one_way),
    "radius": lambda k: nx.radius(k.one_way),
    "center": lambda k: k.names(nx.center(k.one_way)),
    "periphery": lambda k: k.names(nx.periphery(k.one_way)),
    "path length": lambda k: nx.average_shortest_path_length(k.one_way),
    "components": lambda k: frozenset(k.names(c) for c in nx.connected_components(k.plain)),
    "clustering": lambda k: nx.average_clustering(k.plain),
    "transitivity": lambda k: nx.transitivity(k.plain),
    "triangles": lambda k: sum(nx.triangles(k.plain).values()) // 3,
    "largest": lambda k: k.names(max(nx.connected_components(k.plain), key=len)),
    "connected": lambda k: nx.is_connected(k.plain),
    "bipartite": lambda k: nx.is_bipartite(k.plain),
    "tree": lambda k: nx.is_tree(k.plain),
    "cycle": lambda k: (
        not (nx.is_directed_acyclic_graph(k.one_way) if k.graph.is_directed() else nx.is_forest(k.plain))
    ),
    "degree": lambda k: sum(d for _, d in k.graph.degree) / len(k.graph),
    "top degree": lambda k: max(d for _, d in k.graph.degree),
    "most connected": lambda k: k.ranked(dict(k.graph.degree)),
    "least connected": lambda k: k.ranked(dict(k.graph.degree), last=True),
    "pagerank": lambda k: k.ranked(nx.pagerank(k.one_way)),
    "closeness": lambda k: k.ranked(nx.closeness_centrality(k.one_way)),
    "betweenness": lambda k: k.ranked(nx.betweenness_centrality(k.one_way)),
    "bridges": lambda k: frozenset(k.names(pair) for pair in nx.bridges(k.plain)),
    "cuts": lambda k: k.names(nx.articulation_points(k.plain)),
    "strong": lambda k: frozenset(k.names(c) for c in nx.strongly_connected_components(k.one_way)),
    "directed": lambda k: k.graph.is_directed(),
    "dag": lambda k: nx.is_directed_acyclic_graph(k.one_way),
    "isolated": lambda k: k.names(nx.isolates(k.plain)),
}


def right(known: Known, told: str) -> object:
    """What is right: a measure, `near: Ann`, `out: Ann, knows`, `count near: Ann`, or a value as it is written.

    Of names a set; of a way its length (`way: A, B`); `has: A, B` what a description has.
    """
    if told.startswith("count "):
        found = right(known, told.removeprefix("count "))
        assert isinstance(found, frozenset)
        return len(found)
    what, _, rest = told.partition(": ")
    given = [part.strip() for part in rest.split(",")] if rest else []
    if what in MEASURES:
        return MEASURES[what](known)
    if what in ("near", "out", "back", "kind", "common"):
        return getattr(known, what)(*given)
    if what in ("way", "far", "far along"):
        graph = known.one_way if what == "far along" else known.plain
        length = nx.shortest_path_length(graph, known.nodes(given[0])[0], known.nodes(given[1])[0])
        return length + 1 if what == "way" else length
    if what == "degree of":
        return known.graph.degree[known.nodes(given[0])[0]]
    if what in ("names", "has"):
        return frozenset(given)
    return {"yes": True, "no": False}[told] if told in ("yes", "no") else float(told)


def said(value: object) -> object:
    """The value of an answer, to be compared: names as a set, groups as a set of sets."""
    if isinstance(value, list):
        return frozenset(said(each) for each in value)
    return value


def is_right(known: Known, told: str, value: object) -> bool:
    """Whether an answer's value is what is right."""
    wanted = right(known, told)
    if told.startswith("way: "):
        return isinstance(value, list) and len(value) == wanted and f"way: {value[0]}, {value[-1]}" == told
    if told.startswith("has: "):
        assert isinstance(wanted, frozenset)
        parts = value.items() if isinstance(value, dict) else ()
        flat = {str(x) for k, v in parts for x in (k, *(v if isinstance(v, list) else [v]))}
        return wanted <= flat
    if isinstance(wanted, float) and isinstance(value, int | float) and not isinstance(value, bool):
        return abs(value - wanted) < 1e-6
    return said(value) == wanted and isinstance(value, bool) == isinstance(wanted, bool)
