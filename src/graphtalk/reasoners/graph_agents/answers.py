"""Answers: the sentence and the value of each task, made of what the calls gave (master summarization, section 4)."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.reasoners.graph_agents.described import Described, Problem, number
from graphtalk.reasoners.graph_agents.ways import asks_degree
from graphtalk.reasoners.graph_agents.wording import joined, node, nodes_of, path_of, times
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, Table, Value, to_json

_TOP = 5  # scores that are told


class NoAnswer(UsageError):
    """The problem was read and has no answer, such as a path between parts that are not joined."""


@dataclass(frozen=True)
class ToldAnswer:
    """An answer: its value and the sentence that tells it."""

    value: JSON
    text: str


@dataclass(frozen=True)
class Case:
    """A problem with what its calls gave: `core` by the call that solves it, `result` by the whole."""

    problem: Problem
    core: Value
    result: Result

    @property
    def d(self) -> Described:
        """The graph as it is told."""
        return self.problem.described

    @property
    def value(self) -> Value:
        """What the whole call gave."""
        return self.result.value

    def inner(self, function: str) -> Value:
        """What the call of that function gave, inside the whole or itself; None where there is none."""
        for ran in self.result.trail.inside():
            if ran.spelling.startswith(f"{function}["):
                return ran.value
        return None

    def name(self, place: int = 0) -> str:
        """A node that the problem is about, in a sentence."""
        return node(self.d, self.problem.nodes[place])

    @property
    def ends(self) -> str:
        """`from node 0 to node 3`"""
        return f"from {self.name()} to {self.name(1)}"

    def listed(self, value: Value) -> str:
        """The nodes of a bag in a sentence."""
        return nodes_of(self.d, places(value)) or "none"


def told(case: Case) -> ToldAnswer:
    """The answer to a problem. Raises NoAnswer where it has none."""
    text = TELLINGS[case.problem.task](case)
    special = _VALUES.get(case.problem.task)
    return ToldAnswer(special(case) if special else shown_value(case.d, case.value), text)


def shown_value(d: Described, value: Value) -> JSON:
    """What a call gave, as the value of an answer: nodes as the text names them, null where a number is missing."""
    if isinstance(value, Bag):
        return [d.shown(place) for place in value.nodes.tolist()]
    if isinstance(value, Table):
        pairs = zip(value.nodes.tolist(), value.numbers.tolist(), strict=True)
        return {d.names[place]: None if math.isnan(n) else number(n) for place, n in pairs}
    if isinstance(value, list):
        return [shown_value(d, item) for item in value]
    if isinstance(value, float) and math.isfinite(value):
        return number(value)
    return to_json(value, d.graph)


def places(value: Value) -> list[int]:
    """The nodes of a bag, none where it is no bag."""
    return value.nodes.tolist() if isinstance(value, Bag) else []


def _groups(value: Value) -> list[list[int]]:
    return [places(item) for item in value] if isinstance(value, list) else []


def _around(nodes: Sequence[int]) -> list[int]:
    """A cycle with its first node at both ends."""
    return [*nodes, *nodes[:1]]


def _measured(value: Value) -> float:
    assert isinstance(value, int | float)
    return value


# tellings


def _shortest_path(case: Case) -> str:
    path = places(case.core)
    if not path:
        raise NoAnswer(f"There is no path {case.ends}: they are not connected.")
    said = "a total weight of" if case.d.weight is not None else "a length of"
    length = number(_measured(case.inner("TotalWeight")))
    return f"The shortest path {case.ends} is {path_of(case.d, path)} with {said} {length}."


def _distances(case: Case) -> str:
    found = shown_value(case.d, case.value)
    assert isinstance(found, dict)
    shown = ", ".join(
        f"{node(case.d, place)}: {'no path' if v is None else v}" for place, v in enumerate(found.values())
    )
    return f"The shortest distances from {case.name()} are: {shown}."


def _connectivity(case: Case) -> str:
    if not case.value:
        return f"No, there is no path {case.ends}."
    return f"Yes, there is a path {case.ends}: {path_of(case.d, places(case.inner('Route')))}."


def _cycle(case: Case) -> str:
    found = places(case.inner("Cycle"))
    word = "Yes" if case.value else "No"
    if not found:
        return "Yes, the graph is acyclic." if case.problem.negated else "No, there is no cycle in the graph."
    return f"{word}, there is a cycle in the graph: {path_of(case.d, _around(found))}."


def _bipartite(case: Case) -> str:
    if not case.value:
        return "No, the graph is not bipartite: it has a cycle of odd length."
    groups = " and ".join(nodes_of(case.d, side) or "none" for side in _groups(case.inner("Sides")))
    return f"Yes, the graph is bipartite: the groups are {groups}."


def _order(case: Case) -> str:
    order = places(case.core)
    truth = case.problem.wants == "truth"
    if not order and case.d.num_nodes:
        around = path_of(case.d, _around(places(case.inner("Cycle"))))
        why = f"here is no such order, for there is a cycle: {around}."
        if truth:
            return f"No, t{why}"
        raise NoAnswer(f"T{why}")
    listed = ", ".join(case.d.names[place] for place in order)
    return f"Yes, for example in the order {listed}." if truth else f"One such order is: {listed}."


def _triangle(case: Case) -> str:
    three = case.listed(case.inner("HeaviestTriangle"))
    total = number(_measured(case.value))
    return f"The maximum sum of the weights of a triangle is {total}, of the nodes {three}."


def _hamilton(what: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        path = places(case.core)
        if not path:
            return f"No, there is no Hamiltonian {what}: no {what} visits every node exactly once."
        return f"Yes. The {what} can be: {','.join(case.d.names[place] for place in path)}."

    return text


def _subgraph(case: Case) -> str:
    match, pattern = places(case.core), case.problem.pattern
    if not match or pattern is None:
        return "No, the smaller graph does not occur in the larger one."
    pairs = zip(pattern.names, match, strict=True)
    shown = ", ".join(f"{name} is {case.d.names[place]}" for name, place in pairs)
    return f"Yes, the smaller graph occurs in the larger one: {shown}."


def _matching(case: Case) -> str:
    d, pairs = case.d, _groups(case.core)
    lines = [f"{d.names[a]}: {d.names[b]}" for a, b in pairs]
    kind = d.kinds[0] if d.kinds[0] != "left" else "node"
    other = d.kinds[-1] if d.kinds[-1] != "right" else "node"
    lines.append(f"{times(len(pairs), kind)} can get the {other} they are interested in.")
    return "\n".join(lines)


def _convolution(case: Case) -> str:
    rows = shown_value(case.d, case.value)
    assert isinstance(rows, list)
    lines = [
        f"node {name}: [{','.join(map(str, row))}]"
        for name, row in zip(case.d.names, rows, strict=True)
        if isinstance(row, list)
    ]
    return "The answer is:\n" + "\n".join(lines)


def _spanning(case: Case) -> str:
    pairs = _groups(case.core)
    if len(pairs) < case.d.num_nodes - 1:
        raise NoAnswer("There is no spanning tree: the graph is not connected.")
    edges = ", ".join(f"({case.d.names[a]},{case.d.names[b]})" for a, b in pairs)
    inner = case.inner("TotalWeight")
    total = number(_measured(case.value if inner is None else inner))
    return f"The minimum spanning tree has a total weight of {total}: {edges}."


def _neighbours(case: Case) -> str:
    found = places(case.core)
    if case.problem.wants == "number":
        return f"{case.name()} has {times(len(found), 'neighbour')}: {nodes_of(case.d, found)}."
    return f"The neighbours of {case.name()} are {case.listed(case.core)}."


def _reachable(case: Case) -> str:
    count = times(len(places(case.core)), "node")
    return f"From {case.name()} {count} can be reached: {case.listed(case.core)}."


def _common(case: Case) -> str:
    count = times(len(places(case.core)), "common neighbour")
    return f"{case.name()} and {case.name(1)} have {count}: {case.listed(case.core)}."


def _edge_exists(case: Case) -> str:
    ends = case.ends if case.d.directed else f"between {case.name()} and {case.name(1)}"
    return f"{'Yes' if case.value else 'No'}, there is {'an' if case.value else 'no'} edge {ends}."


def _node_exists(case: Case) -> str:
    if shown_value(case.d, case.value) is not True:
        return f"No, there is no node {case.problem.unknown[0]} in the graph."
    said = case.name() if case.problem.nodes else f"node {case.problem.unknown[0]}"
    return f"Yes, {said} is in the graph."


def _connected(case: Case) -> str:
    if case.value:
        return "Yes, the graph is connected."
    return f"No, the graph is not connected: it has {case.inner('Count')} components."


def _strongly(case: Case) -> str:
    if case.value:
        return "Yes, every node can be reached from every other."
    return "No, not every node can be reached from every other."


def _parts(what: str, beginning: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        groups = _groups(case.core)
        listed = "; ".join(nodes_of(case.d, group) for group in groups)
        return f"{beginning} {times(len(groups), what)}: {listed}."

    return text


def _number(what: str) -> Callable[[Case], str]:
    """`The diameter of the graph is 3.`"""
    return lambda case: f"The {what} {number(_measured(case.value))}."


def _of_node(what: str) -> Callable[[Case], str]:
    return lambda case: f"The {what} of {case.name()} is {number(_measured(case.value))}."


def _distance_of_all(what: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        if not math.isfinite(_measured(case.value)):
            raise NoAnswer(f"The {what} is infinite: the graph is not connected.")
        return _number(f"{what} of the graph is")(case)

    return text


def _eccentricity(case: Case) -> str:
    if not math.isfinite(_measured(case.value)):
        raise NoAnswer(f"Not every node can be reached from {case.name()}.")
    return _of_node("eccentricity")(case)


def _farthest(case: Case) -> str:
    table = case.core
    assert isinstance(table, Table)
    if np.isnan(table.numbers).any():
        raise NoAnswer(f"Not every node can be reached from {case.name()}.")
    return (
        f"The farthest from {case.name()} is {case.listed(case.value)}: {number(float(table.numbers.max()))}."
    )


def _ranked(what: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        table = case.core
        assert isinstance(table, Table)
        scores = dict(zip(table.nodes.tolist(), table.numbers.tolist(), strict=True))
        order = sorted(scores, key=lambda place: (-scores[place], place))
        top = ", ".join(f"{case.d.names[place]} ({scores[place]:.4f})" for place in order[:_TOP])
        best = places(case.value) or order[:1]
        first = node(case.d, best[0]) if len(best) == 1 else nodes_of(case.d, best)
        verb = "is" if len(best) == 1 else "are"
        return f"By {what} {first} {verb} the most important; the highest scores: {top}."

    return text


def _most_connected(case: Case) -> str:
    degrees = case.core
    assert isinstance(degrees, Table)
    top = int(degrees.numbers.max())
    found = degrees.nodes[degrees.numbers == top].tolist()
    listed = nodes_of(case.d, found)
    if asks_degree(case.problem):
        return f"The highest degree is {top}: {listed}."
    return f"{listed} {'has' if len(found) == 1 else 'have'} the most edges: {top}."


def _clustering(case: Case) -> str:
    value = _measured(case.value)
    if case.problem.nodes:
        return f"The clustering coefficient of {case.name()} is {value:.4g}."
    return f"The average clustering coefficient of the graph is {value:.4g}."


def _core(case: Case) -> str:
    k = case.problem.number
    if case.problem.nodes:
        return f"The core number of {case.name()} is {case.value}."
    if isinstance(case.value, Table):
        pairs = zip(case.value.nodes.tolist(), case.value.numbers.tolist(), strict=True)
        return f"The core numbers are {joined([f'{case.d.names[n]}: {core:g}' for n, core in pairs])}."
    count = times(len(places(case.value)), "node")
    return f"The {int(k or 0)}-core has {count}: {case.listed(case.value)}."


def _count(noun: str) -> Callable[[Case], str]:
    return lambda case: f"The graph has {times(int(_measured(case.value)), noun)}."


def _yes(yes: str, no: str) -> Callable[[Case], str]:
    return lambda case: f"Yes, {yes}." if case.value else f"No, {no}."


def _listing(what: str, noun: str = "node") -> Callable[[Case], str]:
    """`The articulation points are 1 and 2.`, or how many there are, with them behind."""

    def text(case: Case) -> str:
        found = places(case.core)
        if case.problem.wants == "number":
            return f"{times(len(found), noun)} {'is' if len(found) == 1 else 'are'} {what}: {case.listed(case.core)}."
        return f"What is {what}: {case.listed(case.core)}."

    return text


def _edge_listing(what: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        pairs = _groups(case.core)
        listed = ", ".join(f"({case.d.names[a]},{case.d.names[b]})" for a, b in pairs) or "none"
        return f"{times(len(pairs), 'edge')} {'is' if len(pairs) == 1 else 'are'} {what}: {listed}."

    return text


def _table(what: str) -> Callable[[Case], str]:
    def text(case: Case) -> str:
        table = shown_value(case.d, case.value)
        if isinstance(table, list):
            return f"{what}: {', '.join(map(str, table))}."
        assert isinstance(table, dict)
        return f"{what}: {', '.join(f'{name}: {value}' for name, value in table.items())}."

    return text


def _longest(case: Case) -> str:
    return f"A longest path is {path_of(case.d, places(case.core))}, of length {number(_measured(case.inner('TotalWeight')))}."


def _least_connected(case: Case) -> str:
    degrees = case.core
    assert isinstance(degrees, Table)
    least = int(degrees.numbers.min())
    return (
        f"The least degree is {least}: {nodes_of(case.d, degrees.nodes[degrees.numbers == least].tolist())}."
    )


def _edge_weight(case: Case) -> str:
    if isinstance(case.value, bool):
        raise NoAnswer(f"There is no edge {case.ends}.")
    return f"The edge {case.ends} has {number(_measured(case.value))}."


def _paths(case: Case) -> str:
    return f"{times(int(_measured(case.value)), 'path')} lead {case.ends}."


def _of_neighbours(what: str) -> Callable[[Case], str]:
    return lambda case: f"The {what} over the neighbours of {case.name()} is {number(_measured(case.value))}."


def _hop_count(case: Case) -> str:
    if not math.isfinite(_measured(case.value)):
        raise NoAnswer(f"There is no path {case.ends}: they are not connected.")
    return f"The fewest edges {case.ends} are {number(_measured(case.value))}."


Telling: TypeAlias = Callable[[Case], str]

TELLINGS: Mapping[str, Telling] = {
    "euler_circuit": _yes(
        "a closed walk uses every edge exactly once", "no closed walk uses every edge exactly once"
    ),
    "euler_path": _yes("a walk uses every edge exactly once", "no walk uses every edge exactly once"),
    "k_colourable": lambda case: (
        f"{'Yes' if case.value else 'No'}, {int(case.problem.number or 2)} colours are {'enough' if case.value else 'not enough'}."
    ),
    "chromatic_number": lambda case: _number("chromatic number is")(case),
    "fewest_colours": _table("A colouring with as few colours as possible"),
    "colouring": _table("A colouring"),
    "vertex_cover": _listing("in a smallest vertex cover"),
    "maximal_independent_set": _listing("in a maximal independent set"),
    "independent_set": _listing("in a largest independent set"),
    "clique": _listing("in a largest clique"),
    "maximum_matching": _edge_listing("in a largest matching"),
    "bridges": _edge_listing("bridges"),
    "articulation": _listing("an articulation point"),
    "path_count": _paths,
    "longest_path": _longest,
    "is_tree": _yes("the graph is a tree", "the graph is not a tree"),
    "breadth_first_tree": _table("In the breadth-first tree, the node before each"),
    "any_spanning_tree": _edge_listing("in a spanning tree"),
    "no_neighbours": _listing("without edges"),
    "sinks": _listing("without outgoing edges"),
    "sources": _listing("without incoming edges"),
    "sum_of_degrees": lambda case: _number("sum of all degrees is")(case),
    "average_degree": lambda case: _number("average degree is")(case),
    "nodes_of_degree": lambda case: _listing(
        f"of degree {case.problem.comparison} {int(case.problem.number or 0)}".replace(" = ", " ")
    )(case),
    "least_connected": _least_connected,
    "degrees": _table("The degrees are"),
    "sum_over_neighbours": _of_neighbours("sum"),
    "mean_over_neighbours": _of_neighbours("mean"),
    "most_over_neighbours": _of_neighbours("largest number"),
    "least_over_neighbours": _of_neighbours("smallest number"),
    "best_neighbour": lambda case: (
        f"Of the neighbours of {case.name()}, {case.listed(case.value)} has the largest number."
    ),
    "total_weight": lambda case: _number("sum over all edges is")(case),
    "heaviest_edge": _edge_listing("the largest"),
    "lightest_edge": _edge_listing("the smallest"),
    "edge_weight": _edge_weight,
    "average_path": lambda case: _distance_of_all("average length of shortest paths")(case),
    "triangles_of_node": lambda case: f"{case.name()} is in {times(int(_measured(case.value)), 'triangle')}.",
    "hops_exactly": lambda case: _listing(f"{int(case.problem.number or 2)} edges from {case.name()}")(case),
    "hops_within": lambda case: _listing(f"within {int(case.problem.number or 1)} edges of {case.name()}")(
        case
    ),
    "center": _listing("in the center"),
    "periphery": _listing("in the periphery"),
    "hops": _hop_count,
    "not_neighbours": lambda case: _listing(f"no neighbour of {case.name()}")(case),
    "pagerank_from": _table("The ranks are"),
    "pagerank_of_node": lambda case: _of_node("PageRank")(case),
    "betweenness_of_node": lambda case: _of_node("betweenness")(case),
    "closeness_of_node": lambda case: _of_node("closeness")(case),
    "degree_centrality_of_node": lambda case: _of_node("degree centrality")(case),
    "closeness": lambda case: _ranked("closeness")(case),
    "transitivity": lambda case: _number("transitivity is")(case),
    "highest_clustering": lambda case: _ranked("clustering")(case),
    "component_of_each": _table("The lowest node of each node's component"),
    "label_propagation": _table("The group of each node, by one of its nodes"),
    "degeneracy": lambda case: _number("degeneracy is")(case),
    "most_entered": lambda case: _most_connected(case),
    "most_left": lambda case: _most_connected(case),
    "shortest_path": _shortest_path,
    "distances": _distances,
    "connectivity": _connectivity,
    "cycle": _cycle,
    "bipartite": _bipartite,
    "topological_order": _order,
    "maximum_flow": lambda case: _number(f"maximum flow {case.ends} is")(case),
    "triangle_sum": _triangle,
    "triangle_count": _count("triangle"),
    "hamilton": _hamilton("path"),
    "hamilton_cycle": _hamilton("cycle"),
    "subgraph": _subgraph,
    "matching": _matching,
    "graph_convolution": _convolution,
    "spanning_tree": _spanning,
    "degree": _of_node("degree"),
    "in_degree": _of_node("in-degree"),
    "out_degree": _of_node("out-degree"),
    "neighbours": _neighbours,
    "unreachable": lambda case: _listing(f"not reached from {case.name()}")(case),
    "in_neighbours": lambda case: _listing(f"with an edge to {case.name()}")(case),
    "reachable": _reachable,
    "common_neighbours": _common,
    "edge_exists": _edge_exists,
    "node_exists": _node_exists,
    "edge_count": _count("edge"),
    "node_count": _count("node"),
    "connected": _connected,
    "strongly_connected": _strongly,
    "components": _parts("component", "The graph has"),
    "strong_components": _parts("component", "The graph has"),
    "largest_component": lambda case: (
        f"The largest component has {times(len(places(case.core)), 'node')}: {case.listed(case.core)}."
    ),
    "diameter": _distance_of_all("diameter"),
    "radius": _distance_of_all("radius"),
    "eccentricity": _eccentricity,
    "farthest": _farthest,
    "pagerank": _ranked("PageRank"),
    "betweenness": _ranked("betweenness"),
    "most_connected": _most_connected,
    "density": lambda case: f"The density of the graph is {_measured(case.value):.4g}.",
    "clustering": _clustering,
    "core": _core,
    "communities": _parts("community", "There are"),
}


# values that are more than what the call gives


def _one_or_all(case: Case) -> JSON:
    """A node by itself where there is one."""
    found = shown_value(case.d, case.value)
    return found[0] if isinstance(found, list) and len(found) == 1 else found


def _who_gets_what(case: Case) -> JSON:
    """Numbers and names without the kind of the node before them."""
    d = case.d
    if not isinstance(case.value, list):
        return shown_value(d, case.value)
    bare = [[d.names[n].removeprefix(f"{d.kinds[n]} ") for n in pair] for pair in _groups(case.value)]
    return {one: int(other) if other.isdecimal() else other for one, other in bare}


def _by_name(case: Case) -> JSON:
    rows = shown_value(case.d, case.value)
    assert isinstance(rows, list)
    return dict(zip(case.d.names, rows, strict=True))


_VALUES: Mapping[str, Callable[[Case], JSON]] = {
    "least_connected": _one_or_all,
    "most_entered": _one_or_all,
    "most_left": _one_or_all,
    "best_neighbour": _one_or_all,
    "closeness": _one_or_all,
    "highest_clustering": _one_or_all,
    "pagerank": _one_or_all,
    "betweenness": _one_or_all,
    "most_connected": _one_or_all,
    "matching": _who_gets_what,
    "graph_convolution": _by_name,
}
