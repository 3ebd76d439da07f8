"""The exact answer of each task, by `graphtalk.algorithms`: what is used where no vertex program does the task.

A solver takes a problem and gives a value in plain Python (nodes as people name them) and the sentence that tells it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from graphtalk import algorithms as exact
from graphtalk.core import JSON, CallError, ToolError, UsageError
from graphtalk.reasoners.graph_agents.described import WEIGHT, Described, Problem, number
from graphtalk.reasoners.graph_agents.wording import joined, node, nodes_of, path_of, times

MOST_STEPS = 2_000_000  # partial solutions of a search that has no quick way


@dataclass(frozen=True)
class Found:
    """An answer: its value, the sentence, and the algorithm that found it. `answered` is false where there is none."""

    value: JSON
    text: str
    algorithm: str = ""
    rounds: int | None = None
    messages: int | None = None
    answered: bool = True


class NoAnswer(UsageError):
    """The problem was read and has no answer, such as a path between parts that are not joined."""


@dataclass(frozen=True)
class _Case:
    """A problem with the shorthands that solvers use."""

    problem: Problem

    @property
    def d(self) -> Described:
        return self.problem.described

    @cached_property
    def weight(self) -> str | None:
        return WEIGHT if self.d.weight is not None else None

    def name(self, position: int) -> str:
        return node(self.d, position)

    def names(self, positions: Sequence[int]) -> list[JSON]:
        return [self.d.shown(position) for position in positions]

    def mapping(self, values: Sequence[JSON]) -> dict[str, JSON]:
        return dict(zip(self.d.names, values, strict=True))


def solve_exactly(problem: Problem) -> Found:
    """The answer by exact algorithms. Raises NoAnswer where there is none, UsageError for weights that will not do."""
    check_weights(problem)
    algorithm, solver = SOLVERS[problem.task]
    try:
        found = solver(_Case(problem))
    except ToolError as error:
        raise NoAnswer(str(error)) from error
    except CallError as error:
        raise UsageError(str(error)) from error
    return replace(found, algorithm=found.algorithm or algorithm)


def check_weights(problem: Problem) -> None:
    """Raise UsageError, quoting the edge, where a negative weight makes the problem have no answer."""
    d = problem.described
    if d.weight is None or not (d.weight < 0).any():
        return
    place = int(np.flatnonzero(d.weight < 0)[0])
    if problem.task == "maximum_flow":
        raise UsageError(f"A capacity cannot be negative: {d.quote(place)}.")
    if problem.task in ("shortest_path", "distances") and not d.directed:
        raise UsageError(
            f"The edge {d.quote(place)} has a negative weight: going back and forth over it makes any path shorter, so none is shortest."
        )


def _shortest_path(case: _Case) -> Found:
    source, target = case.problem.nodes
    graph = case.d.graph
    path = exact.shortest_path(graph, source, target, case.weight)
    if not path:
        raise NoAnswer(
            f"There is no path from {case.name(source)} to {case.name(target)}: they are not connected."
        )
    length = number(exact.shortest_path_length(graph, source, target, case.weight))
    return path_answer(case.problem, path, length)


def path_answer(problem: Problem, path: Sequence[int], length: float) -> Found:
    """A shortest path and its length as the question wants it."""
    d = problem.described
    said = "a total weight of" if d.weight is not None else "a length of"
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    text = f"The shortest path {ends} is {path_of(d, path)} with {said} {number(length)}."
    return Found([d.shown(v) for v in path] if problem.wants == "path" else number(length), text)


def _distances(case: _Case) -> Found:
    values = exact.distances_from(case.d.graph, case.problem.nodes[0], case.weight)
    return distances_answer(case.problem, values.tolist())


def distances_answer(problem: Problem, values: Sequence[float]) -> Found:
    """Distances to all nodes; null where there is no path."""
    d, source = problem.described, problem.nodes[0]
    found = {name: number(v) if np.isfinite(v) else None for name, v in zip(d.names, values, strict=True)}
    shown = ", ".join(
        f"{node(d, place)}: {'no path' if v is None else v}" for place, v in enumerate(found.values())
    )
    return Found(dict(found), f"The shortest distances from {node(d, source)} are: {shown}.")


def _connectivity(case: _Case) -> Found:
    source, target = case.problem.nodes
    return connectivity_answer(case.problem, exact.shortest_path(case.d.graph, source, target))


def connectivity_answer(problem: Problem, path: Sequence[int]) -> Found:
    """Whether there is a path, and one that shows it."""
    d = problem.described
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    if path:
        return Found(True, f"Yes, there is a path {ends}: {path_of(d, path)}.")
    return Found(False, f"No, there is no path {ends}.")


def _cycle(case: _Case) -> Found:
    found = exact.find_cycle(case.d.graph)
    return cycle_answer(case.problem, found)


def cycle_answer(problem: Problem, found: Sequence[int] | bool | None) -> Found:
    """Whether there is a cycle, or none where that is the question."""
    there = bool(found)
    value = there != problem.negated
    word = "Yes" if value else "No"
    shown = (
        f": {path_of(problem.described, [*found, found[0]])}"
        if there and not isinstance(found, bool) and found
        else ""
    )
    said = f"there is a cycle in the graph{shown}" if there else "there is no cycle in the graph"
    return Found(value, f"{word}, {said}.")


def _bipartite(case: _Case) -> Found:
    colours = exact.bipartite_colouring(case.d.graph)
    return bipartite_answer(case.problem, None if colours is None else colours.tolist())


def bipartite_answer(problem: Problem, colours: Sequence[int] | None) -> Found:
    """Whether there are two groups, and which."""
    if colours is None:
        return Found(False, "No, the graph is not bipartite: it has a cycle of odd length.")
    sides = [[place for place, colour in enumerate(colours) if colour == side] for side in (0, 1)]
    groups = " and ".join(nodes_of(problem.described, side) or "none" for side in sides)
    return Found(True, f"Yes, the graph is bipartite: the groups are {groups}.")


def _topological(case: _Case) -> Found:
    try:
        order = exact.topological_order(case.d.graph)
    except ToolError as error:
        cycle = exact.find_cycle(case.d.graph) or []
        around = path_of(case.d, [*cycle, *cycle[:1]])
        if case.problem.wants == "truth":
            return Found(False, f"No, there is no such order, for there is a cycle: {around}.")
        raise NoAnswer(f"There is no such order, for there is a cycle: {around}.") from error
    return order_answer(case.problem, order)


def order_answer(problem: Problem, order: Sequence[int]) -> Found:
    """An order of all nodes."""
    d = problem.described
    listed = ", ".join(d.names[place] for place in order)
    if problem.wants == "truth":
        return Found(True, f"Yes, for example in the order {listed}.")
    return Found([d.shown(place) for place in order], f"One such order is: {listed}.")


def _flow(case: _Case) -> Found:
    source, sink = case.problem.nodes
    if source == sink:
        raise UsageError(f"A flow needs two different nodes; both ends are {case.name(source)}.")
    flow = exact.maximum_flow(case.d.graph, source, sink, case.weight)
    return flow_answer(case.problem, flow.value)


def flow_answer(problem: Problem, value: float) -> Found:
    """The value of a maximum flow."""
    d = problem.described
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    return Found(number(value), f"The maximum flow {ends} is {number(value)}.")


def _triangle_sum(case: _Case) -> Found:
    weighted = WEIGHT if case.d.node_weight is not None else None
    found = exact.maximum_triangle(case.d.graph, weighted, None if weighted else case.weight)
    if found is None:
        raise NoAnswer("No three nodes are all joined: the graph has no triangle.")
    return triangle_answer(case.problem, found.weight, found.nodes)


def triangle_answer(problem: Problem, weight: float, three: Sequence[int] = ()) -> Found:
    """The largest sum of a triangle, and the triangle."""
    of = f", of the nodes {nodes_of(problem.described, three)}" if three else ""
    return Found(number(weight), f"The maximum sum of the weights of a triangle is {number(weight)}{of}.")


def _triangle_count(case: _Case) -> Found:
    count = exact.triangle_count(case.d.graph)
    return Found(count, f"The graph has {times(count, 'triangle')}.")


def _hamilton(case: _Case) -> Found:
    return hamilton_answer(case.problem, exact.hamiltonian_path(case.d.graph, max_steps=MOST_STEPS))


def hamilton_answer(problem: Problem, path: Sequence[int] | None, what: str = "path") -> Found:
    """Whether there is a Hamiltonian path, and one."""
    d = problem.described
    if not path:
        return Found(False, f"No, there is no Hamiltonian {what}: no {what} visits every node exactly once.")
    text = f"Yes. The {what} can be: {','.join(d.names[place] for place in path)}."
    return Found([d.shown(place) for place in path] if problem.wants == "path" else True, text)


def _hamilton_cycle(case: _Case) -> Found:
    graph, d = case.d.graph, case.d
    back = (
        d.source[d.target == 0]
        if d.directed
        else np.concatenate([d.source[d.target == 0], d.target[d.source == 0]])
    ).tolist()
    for last in sorted(set(back)):
        path = exact.hamiltonian_path(graph, 0, last, MOST_STEPS) if d.num_nodes > 2 and last else None
        if path:
            return hamilton_answer(case.problem, [*path, path[0]], "cycle")
    return hamilton_answer(case.problem, None, "cycle")


def _subgraph(case: _Case) -> Found:
    pattern = case.problem.pattern
    assert pattern is not None
    induced = exact.Matching(induced=bool("induced" in case.problem.text.lower()))
    found = exact.subgraph_isomorphisms(case.d.graph, pattern.graph, induced, 1, MOST_STEPS)
    return subgraph_answer(case.problem, found[0] if found else None)


def subgraph_answer(problem: Problem, match: Sequence[int] | None) -> Found:
    """Whether the smaller graph occurs, and where."""
    if match is None:
        return Found(False, "No, the smaller graph does not occur in the larger one.")
    assert problem.pattern is not None
    pairs = zip(problem.pattern.names, match, strict=True)
    shown = ", ".join(f"{name} is {problem.described.names[place]}" for name, place in pairs)
    return Found(True, f"Yes, the smaller graph occurs in the larger one: {shown}.")


def _matching(case: _Case) -> Found:
    d = case.d
    left = [place for place, kind in enumerate(d.kinds) if kind == d.kinds[0]]
    pairs = exact.bipartite_matching(d.graph, left)
    return matching_answer(case.problem, pairs)


def matching_answer(problem: Problem, pairs: Sequence[tuple[int, int]]) -> Found:
    """Who gets what, and how many get something."""
    d = problem.described
    lines = [f"{d.names[a]}: {d.names[b]}" for a, b in pairs]
    kind = d.kinds[0] if d.kinds[0] != "left" else "node"
    other = d.kinds[-1] if d.kinds[-1] != "right" else "node"
    lines.append(f"{times(len(pairs), kind)} can get the {other} they are interested in.")
    value: JSON = len(pairs) if problem.wants == "number" else {_bare(d, a): _value(d, b) for a, b in pairs}
    return Found(value, "\n".join(lines))


def _bare(d: Described, place: int) -> str:
    return d.names[place].removeprefix(f"{d.kinds[place]} ")


def _value(d: Described, place: int) -> int | str:
    bare = _bare(d, place)
    return int(bare) if bare.isdecimal() else bare


def _convolution(case: _Case) -> Found:
    d = case.d
    assert d.embeddings is not None
    layers = int(case.problem.number or 1)
    values = d.embeddings
    matrix = d.graph.matrix()
    back = matrix.T
    mean = any(word in case.problem.text.lower() for word in ("average of", "mean of", "averag"))
    with_self = any(
        word in case.problem.text.lower()
        for word in ("its own embedding and", "and its own", "including itself", "self-loop")
    )
    for _ in range(layers):
        summed = back @ values + (values if with_self else 0)
        counts = np.maximum(np.asarray(back.sum(axis=1)).ravel() + with_self, 1)
        values = summed / counts[:, None] if mean else summed
    rows: list[JSON] = [[number(entry) for entry in row] for row in values.tolist()]
    lines = [f"node {name}: [{','.join(map(str, row))}]" for name, row in zip(d.names, rows, strict=True)]  # type: ignore[arg-type]
    return Found(case.mapping(rows), "The answer is:\n" + "\n".join(lines))


def _degree(kind: str) -> "Solver":
    def solver(case: _Case) -> Found:
        place = case.problem.nodes[0]
        count = int(exact.degree(case.d.graph, [place], kind)[0])  # type: ignore[arg-type]
        said = {"all": "degree", "in": "in-degree", "out": "out-degree"}[kind]
        return Found(count, f"The {said} of {case.name(place)} is {count}.")

    return solver


def _neighbours(case: _Case) -> Found:
    place = case.problem.nodes[0]
    row = case.d.graph.matrix()[[place]].indices
    found = sorted({int(v) for v in row})
    listed = nodes_of(case.d, found)
    if case.problem.wants == "number":
        return Found(len(found), f"{case.name(place)} has {times(len(found), 'neighbour')}: {listed}.")
    return Found(case.names(found), f"The neighbours of {case.name(place)} are {listed or 'none'}.")


def _reachable(case: _Case) -> Found:
    place = case.problem.nodes[0]
    away = exact.distances_from(case.d.graph, place)
    found = [int(v) for v in np.flatnonzero(np.isfinite(away)) if v != place]
    listed = nodes_of(case.d, found)
    value: JSON = len(found) if case.problem.wants == "number" else case.names(found)
    return Found(
        value, f"From {case.name(place)} {times(len(found), 'node')} can be reached: {listed or 'none'}."
    )


def _common(case: _Case) -> Found:
    one, other = case.problem.nodes
    matrix = case.d.graph.matrix()
    found = sorted(set(matrix[[one]].indices.tolist()) & set(matrix[[other]].indices.tolist()))
    value: JSON = len(found) if case.problem.wants == "number" else case.names(found)
    return Found(
        value,
        f"{case.name(one)} and {case.name(other)} have {times(len(found), 'common neighbour')}: {nodes_of(case.d, found) or 'none'}.",
    )


def _edge_exists(case: _Case) -> Found:
    one, other = case.problem.nodes
    d = case.d
    there = bool(((d.source == one) & (d.target == other)).any())
    there = there or (not d.directed and bool(((d.source == other) & (d.target == one)).any()))
    ends = (
        f"from {case.name(one)} to {case.name(other)}"
        if d.directed
        else f"between {case.name(one)} and {case.name(other)}"
    )
    return Found(there, f"{'Yes' if there else 'No'}, there is {'an' if there else 'no'} edge {ends}.")


def _node_exists(case: _Case) -> Found:
    if case.problem.unknown and not case.problem.nodes:
        return Found(False, f"No, there is no node {case.problem.unknown[0]} in the graph.")
    return Found(True, f"Yes, {case.name(case.problem.nodes[0])} is in the graph.")


def _edge_count(case: _Case) -> Found:
    count = case.d.num_edges
    return Found(count, f"The graph has {times(count, 'edge')}.")


def _node_count(case: _Case) -> Found:
    count = case.d.num_nodes
    return Found(count, f"The graph has {times(count, 'node')}.")


def _connected(case: _Case) -> Found:
    parts = exact.components(case.d.graph)
    if len(parts) == 1:
        return Found(True, "Yes, the graph is connected.")
    return Found(False, f"No, the graph is not connected: it has {len(parts)} components.")


def _strongly(case: _Case) -> Found:
    yes = exact.is_connected(case.d.graph, "strong")
    return Found(
        yes,
        "Yes, every node can be reached from every other."
        if yes
        else "No, not every node can be reached from every other.",
    )


def _components(connection: str) -> "Solver":
    def solver(case: _Case) -> Found:
        parts = exact.components(case.d.graph, connection)  # type: ignore[arg-type]
        listed = "; ".join(nodes_of(case.d, part) for part in parts)
        value: JSON = len(parts) if case.problem.wants != "nodes" else [case.names(part) for part in parts]
        return Found(value, f"The graph has {times(len(parts), 'component')}: {listed}.")

    return solver


def _largest(case: _Case) -> Found:
    part = exact.components(case.d.graph)[0]
    listed = nodes_of(case.d, part)
    asks = any(word in case.problem.query for word in ("which", "list", "who", "members"))
    return Found(
        case.names(part) if asks else len(part),
        f"The largest component has {times(len(part), 'node')}: {listed}.",
    )


def _spanning(case: _Case) -> Found:
    forest = exact.minimum_spanning_forest(case.d.graph, case.weight)
    if len(exact.components(case.d.graph)) > 1:
        raise NoAnswer("There is no spanning tree: the graph is not connected.")
    edges = ", ".join(f"({case.d.names[a]},{case.d.names[b]})" for a, b in forest.edges)
    return Found(
        number(forest.weight),
        f"The minimum spanning tree has a total weight of {number(forest.weight)}: {edges}.",
    )


def _measure(what: str, measure: Callable[..., float]) -> "Solver":
    def solver(case: _Case) -> Found:
        value = measure(case.d.graph, case.weight)
        if not np.isfinite(value):
            raise NoAnswer(f"The {what} is infinite: the graph is not connected.")
        return Found(number(value), f"The {what} of the graph is {number(value)}.")

    return solver


def _eccentricity(case: _Case) -> Found:
    place = case.problem.nodes[0]
    value = float(exact.eccentricity(case.d.graph, [place], case.weight)[0])
    if not np.isfinite(value):
        raise NoAnswer(f"Not every node can be reached from {case.name(place)}.")
    return Found(number(value), f"The eccentricity of {case.name(place)} is {number(value)}.")


def _pagerank(case: _Case) -> Found:
    values = exact.pagerank(case.d.graph, case.problem.number or 0.85)
    return ranked_answer(case.problem, values.tolist(), "PageRank")


def ranked_answer(problem: Problem, values: Sequence[float], what: str) -> Found:
    """The scores of all nodes, or the node with the highest."""
    d = problem.described
    order = sorted(range(d.num_nodes), key=lambda place: (-values[place], place))
    top = ", ".join(f"{d.names[place]} ({values[place]:.4f})" for place in order[:5])
    text = f"By {what} {node(d, order[0])} is the most important; the highest scores: {top}."
    if problem.wants == "nodes":
        return Found(d.shown(order[0]), text)
    return Found({name: round(value, 6) for name, value in zip(d.names, values, strict=True)}, text)


def _betweenness(case: _Case) -> Found:
    return ranked_answer(
        replace(case.problem, wants=case.problem.wants or "nodes"),
        exact.betweenness(case.d.graph).tolist(),
        "betweenness",
    )


def _most_connected(case: _Case) -> Found:
    values = exact.degree(case.d.graph)
    top = int(values.max())
    found = np.flatnonzero(values == top).tolist()
    listed = nodes_of(case.d, found)
    if "degree" in case.problem.query and not any(word in case.problem.query for word in ("which", "who")):
        return Found(top, f"The highest degree is {top}: {listed}.")
    value: JSON = case.d.shown(found[0]) if len(found) == 1 else case.names(found)
    return Found(value, f"{listed} {'has' if len(found) == 1 else 'have'} the most edges: {top}.")


def _density(case: _Case) -> Found:
    value = exact.density(case.d.graph)
    return Found(round(value, 6), f"The density of the graph is {value:.4g}.")


def _clustering(case: _Case) -> Found:
    if case.problem.nodes:
        place = case.problem.nodes[0]
        value = float(exact.local_clustering(case.d.graph)[place])
        return Found(round(value, 6), f"The clustering coefficient of {case.name(place)} is {value:.4g}.")
    value = exact.average_clustering(case.d.graph)
    return Found(round(value, 6), f"The average clustering coefficient of the graph is {value:.4g}.")


def _core(case: _Case) -> Found:
    cores = exact.core_numbers(case.d.graph)
    if case.problem.nodes:
        place = case.problem.nodes[0]
        return Found(int(cores[place]), f"The core number of {case.name(place)} is {cores[place]}.")
    if case.problem.number is None:
        return Found(
            case.mapping(cores.tolist()),
            f"The core numbers are {joined([f'{n}: {c}' for n, c in zip(case.d.names, cores, strict=True)])}.",
        )
    found = exact.k_core(case.d.graph, int(case.problem.number))
    return Found(
        case.names(found),
        f"The {int(case.problem.number)}-core has {times(len(found), 'node')}: {nodes_of(case.d, found) or 'none'}.",
    )


def _communities(case: _Case) -> Found:
    groups = exact.communities(case.d.graph).groups
    value: JSON = len(groups) if case.problem.wants == "number" else [case.names(group) for group in groups]
    return Found(
        value,
        f"There are {times(len(groups), 'community')}: {'; '.join(nodes_of(case.d, group) for group in groups)}.",
    )


Solver = Callable[[_Case], Found]

SOLVERS: dict[str, tuple[str, Solver]] = {
    "shortest_path": ("shortest_path", _shortest_path),
    "distances": ("shortest_path", _distances),
    "connectivity": ("connectivity", _connectivity),
    "cycle": ("cycle_detection", _cycle),
    "bipartite": ("bipartite_check", _bipartite),
    "topological_order": ("topological_order", _topological),
    "maximum_flow": ("maximum_flow", _flow),
    "triangle_sum": ("maximum_triangle_sum", _triangle_sum),
    "triangle_count": ("triangle_count", _triangle_count),
    "hamilton": ("hamiltonian_path", _hamilton),
    "hamilton_cycle": ("hamiltonian_path", _hamilton_cycle),
    "subgraph": ("subgraph_matching", _subgraph),
    "matching": ("bipartite_matching", _matching),
    "graph_convolution": ("graph_convolution", _convolution),
    "degree": ("degree", _degree("all")),
    "in_degree": ("degree", _degree("in")),
    "out_degree": ("degree", _degree("out")),
    "neighbours": ("neighbours", _neighbours),
    "reachable": ("connectivity", _reachable),
    "common_neighbours": ("neighbours", _common),
    "edge_exists": ("edge_exists", _edge_exists),
    "node_exists": ("node_exists", _node_exists),
    "edge_count": ("edge_count", _edge_count),
    "node_count": ("node_count", _node_count),
    "connected": ("connectivity", _connected),
    "strongly_connected": ("connectivity", _strongly),
    "components": ("connectivity", _components("weak")),
    "strong_components": ("connectivity", _components("strong")),
    "largest_component": ("connectivity", _largest),
    "spanning_tree": ("minimum_spanning_tree", _spanning),
    "diameter": ("diameter", _measure("diameter", exact.diameter)),
    "radius": ("radius", _measure("radius", exact.radius)),
    "eccentricity": ("eccentricity", _eccentricity),
    "pagerank": ("pagerank", _pagerank),
    "betweenness": ("betweenness", _betweenness),
    "most_connected": ("degree", _most_connected),
    "density": ("density", _density),
    "clustering": ("clustering", _clustering),
    "core": ("k_core", _core),
    "communities": ("communities", _communities),
}
