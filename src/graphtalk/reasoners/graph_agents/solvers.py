"""The exact answer of each task, by `graphtalk.algorithms`: what is used where no vertex program does the task.

A solver takes a problem and gives a value in plain Python (nodes as people name them) and the sentence that tells it.
Here are the tasks of the benchmarks; `measures.py` has those about nodes, parts and the whole graph.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from graphtalk import algorithms as exact
from graphtalk.core import JSON, CallError, ToolError, UsageError
from graphtalk.reasoners.graph_agents.answers import (
    Found,
    NoAnswer,
    bipartite_answer,
    connectivity_answer,
    cycle_answer,
    distances_answer,
    flow_answer,
    hamilton_answer,
    matching_answer,
    order_answer,
    path_answer,
    subgraph_answer,
    triangle_answer,
)
from graphtalk.reasoners.graph_agents.case import Case, Solver
from graphtalk.reasoners.graph_agents.described import WEIGHT, Problem, number
from graphtalk.reasoners.graph_agents.measures import MEASURES
from graphtalk.reasoners.graph_agents.wording import path_of, times

MOST_STEPS = 2_000_000  # partial solutions of a search that has no quick way  # partial solutions of a search that has no quick way


def solve_exactly(problem: Problem) -> Found:
    """The answer by exact algorithms. Raises NoAnswer where there is none, UsageError for weights that will not do."""
    check_weights(problem)
    algorithm, solver = SOLVERS[problem.task]
    try:
        found = solver(Case(problem))
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


def _shortest_path(case: Case) -> Found:
    source, target = case.problem.nodes
    graph = case.d.graph
    path = exact.shortest_path(graph, source, target, case.weight)
    if not path:
        raise NoAnswer(
            f"There is no path from {case.name(source)} to {case.name(target)}: they are not connected."
        )
    length = number(exact.shortest_path_length(graph, source, target, case.weight))
    return path_answer(case.problem, path, length)


def _distances(case: Case) -> Found:
    values = exact.distances_from(case.d.graph, case.problem.nodes[0], case.weight)
    return distances_answer(case.problem, values.tolist())


def _connectivity(case: Case) -> Found:
    source, target = case.problem.nodes
    return connectivity_answer(case.problem, exact.shortest_path(case.d.graph, source, target))


def _cycle(case: Case) -> Found:
    found = exact.find_cycle(case.d.graph)
    return cycle_answer(case.problem, found)


def _bipartite(case: Case) -> Found:
    colours = exact.bipartite_colouring(case.d.graph)
    return bipartite_answer(case.problem, None if colours is None else colours.tolist())


def _topological(case: Case) -> Found:
    try:
        order = exact.topological_order(case.d.graph)
    except ToolError as error:
        cycle = exact.find_cycle(case.d.graph) or []
        around = path_of(case.d, [*cycle, *cycle[:1]])
        if case.problem.wants == "truth":
            return Found(False, f"No, there is no such order, for there is a cycle: {around}.")
        raise NoAnswer(f"There is no such order, for there is a cycle: {around}.") from error
    return order_answer(case.problem, order)


def _flow(case: Case) -> Found:
    source, sink = case.problem.nodes
    if source == sink:
        raise UsageError(f"A flow needs two different nodes; both ends are {case.name(source)}.")
    flow = exact.maximum_flow(case.d.graph, source, sink, case.weight)
    return flow_answer(case.problem, flow.value)


def _triangle_sum(case: Case) -> Found:
    weighted = WEIGHT if case.d.node_weight is not None else None
    found = exact.maximum_triangle(case.d.graph, weighted, None if weighted else case.weight)
    if found is None:
        raise NoAnswer("No three nodes are all joined: the graph has no triangle.")
    return triangle_answer(case.problem, found.weight, found.nodes)


def _triangle_count(case: Case) -> Found:
    count = exact.triangle_count(case.d.graph)
    return Found(count, f"The graph has {times(count, 'triangle')}.")


def _hamilton(case: Case) -> Found:
    return hamilton_answer(case.problem, exact.hamiltonian_path(case.d.graph, max_steps=MOST_STEPS))


def _hamilton_cycle(case: Case) -> Found:
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


def _subgraph(case: Case) -> Found:
    pattern = case.problem.pattern
    assert pattern is not None
    induced = exact.Matching(induced=bool("induced" in case.problem.text.lower()))
    found = exact.subgraph_isomorphisms(case.d.graph, pattern.graph, induced, 1, MOST_STEPS)
    return subgraph_answer(case.problem, found[0] if found else None)


def _matching(case: Case) -> Found:
    d = case.d
    left = [place for place, kind in enumerate(d.kinds) if kind == d.kinds[0]]
    pairs = exact.bipartite_matching(d.graph, left)
    return matching_answer(case.problem, pairs)


def _convolution(case: Case) -> Found:
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


def _spanning(case: Case) -> Found:
    forest = exact.minimum_spanning_forest(case.d.graph, case.weight)
    if len(exact.components(case.d.graph)) > 1:
        raise NoAnswer("There is no spanning tree: the graph is not connected.")
    edges = ", ".join(f"({case.d.names[a]},{case.d.names[b]})" for a, b in forest.edges)
    return Found(
        number(forest.weight),
        f"The minimum spanning tree has a total weight of {number(forest.weight)}: {edges}.",
    )


SOLVERS: Mapping[str, tuple[str, Solver]] = {
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
    "spanning_tree": ("minimum_spanning_tree", _spanning),
    **MEASURES,
}
