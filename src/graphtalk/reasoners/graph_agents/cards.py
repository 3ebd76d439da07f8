"""Which vertex program does which task, with which parameters, and how its final states become the answer.

What the master does offline (Hu et al. 2024, section 4): take the card that fits, adapt it to the problem, run it, and
sum up the states that carry the answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphtalk import algorithms as exact
from graphtalk.core import LimitError
from graphtalk.reasoners.graph_agents import answers, solvers
from graphtalk.reasoners.graph_agents.answers import Found, NoAnswer
from graphtalk.reasoners.graph_agents.described import WEIGHT, Problem
from graphtalk.reasoners.graph_agents.wording import node, times
from graphtalk.vertex import Engine, Library, Run, run
from graphtalk.vertex.run import OnRound

MOST_HELD = 1_500  # nodes times edges up to which a program with sets and lists is run

Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """The card for a task; `parameters` of a problem (None: the card does not fit it); `read` gives the answer."""

    card: str
    read: Callable[[Problem, Run], Found]
    parameters: Callable[[Problem], Parameters | None] = lambda _: {}


def plan_for(problem: Problem, cards: Library) -> tuple[Plan, Parameters] | None:
    """The plan and its parameters; None where no card in the library does the task."""
    for plan in PLANS.get(problem.task, ()):
        if plan.card in cards:
            parameters = plan.parameters(problem)
            if parameters is not None:
                return plan, parameters
    return None


def solve_by_card(
    problem: Problem, cards: Library, engine: Engine | None = None, on_round: OnRound | None = None
) -> Found | None:
    """The answer by the vertex program that fits; None where there is none, or where it would take too long.

    Raises NoAnswer where there is no answer, UsageError for weights that will not do.
    """
    planned = plan_for(problem, cards)
    if planned is None:
        return None
    plan, parameters = planned
    program = cards[plan.card].program
    d = problem.described
    if engine is None and not program.scalar and d.num_nodes * max(d.num_edges, 1) > MOST_HELD:
        return None
    solvers.check_weights(problem)
    try:
        done = run(program, d.graph, parameters, engine, on_round=on_round)
        found = plan.read(problem, done)
    except LimitError as error:
        if "negative" in str(error):
            raise NoAnswer(
                "There is no shortest path: a cycle of edges has a negative total weight."
            ) from error
        return None
    return replace(found, algorithm=plan.card, rounds=done.rounds, messages=done.messages)


def _source(problem: Problem) -> Parameters:
    return {"source": problem.nodes[0]}


def _both_ends(problem: Problem) -> Parameters | None:
    if len(problem.nodes) < 2:
        return None
    return {"source": problem.nodes[0], "target": problem.nodes[1]}


def _column(done: Run, name: str) -> list[Any]:
    values = done.states[name]
    return values.tolist() if hasattr(values, "tolist") else list(values)


def _route(problem: Problem, done: Run) -> Found:
    source, target = problem.nodes
    distance = _column(done, "distance")
    if not np.isfinite(distance[target]):
        ends = f"from node {problem.described.names[source]} to node {problem.described.names[target]}"
        raise NoAnswer(f"There is no path {ends}: they are not connected.")
    return answers.path_answer(problem, [int(v) for v in done.answer], distance[target])


def _distances(problem: Problem, done: Run) -> Found:
    return answers.distances_answer(problem, _column(done, "distance"))


def _connectivity(problem: Problem, done: Run) -> Found:
    """Whether the flood came, and a path that shows it."""
    source, target = problem.nodes
    path = exact.shortest_path(problem.described.graph, source, target) if done.answer else []
    return answers.connectivity_answer(problem, path)


def _cycle(problem: Problem, done: Run) -> Found:
    """Whether nodes are left when those on no cycle are gone; the cycle is read off among them."""
    if not done.answer:
        return answers.cycle_answer(problem, False)
    return answers.cycle_answer(problem, _around(problem, _column(done, "removed")))


def _around(problem: Problem, removed: list[bool]) -> list[int] | bool:
    """A cycle among nodes of which each has an edge on to another, or true where edges are parallel."""
    d = problem.described
    out: dict[int, list[int]] = {}
    for edge, (a, b) in enumerate(zip(d.source.tolist(), d.target.tolist(), strict=True)):
        for here, there in ((a, b),) if d.directed else ((a, b), (b, a)):
            if not removed[here] and not removed[there]:
                out.setdefault(there if d.directed else here, []).append(edge)
    if not out:
        return True
    first = min(out)
    path, place, last = [first], {first: 0}, -1
    while any(edge != last for edge in out[path[-1]]):
        edge = next(e for e in out[path[-1]] if e != last)
        a, b = int(d.source[edge]), int(d.target[edge])
        step = a if d.directed or b == path[-1] else b
        if step in place:
            found = path[place[step] :]
            return found[::-1] if d.directed else found
        place[step] = len(path)
        path.append(step)
        last = edge
    return True


def _bipartite(problem: Problem, done: Run) -> Found:
    return answers.bipartite_answer(problem, [int(v) for v in _column(done, "side")] if done.answer else None)


def _order(problem: Problem, done: Run) -> Found:
    if done.outcome.refusal:
        return solvers.solve_exactly(problem)  # which names the cycle
    return answers.order_answer(problem, done.answer)


def _flow(problem: Problem, done: Run) -> Found:
    return answers.flow_answer(problem, float(done.answer))


def _triangle(problem: Problem, done: Run) -> Found:
    if done.outcome.refusal:
        raise NoAnswer("No three nodes are all joined: the graph has no triangle.")
    best = _column(done, "best")
    top = max(best)
    return answers.triangle_answer(
        problem, top, _three(problem, top, [v for v, b in enumerate(best) if b == top])
    )


def _three(problem: Problem, top: float, nodes: list[int]) -> list[int]:
    """Three joined nodes of that sum among those that are in one."""
    d = problem.described
    assert d.node_weight is not None
    matrix = d.graph.matrix(symmetric=True).todok()
    for a in nodes:
        for b in nodes:
            if a < b and (a, b) in matrix:
                for c in nodes:
                    if (
                        b < c
                        and (a, c) in matrix
                        and (b, c) in matrix
                        and d.node_weight[[a, b, c]].sum() == top
                    ):
                        return [a, b, c]
    return []


def _triangle_parameters(problem: Problem) -> Parameters | None:
    return {} if problem.described.node_weight is not None else None


def _triangles(problem: Problem, done: Run) -> Found:
    count = int(done.answer)
    return Found(count, f"The graph has {times(count, 'triangle')}.")


def _hamilton(problem: Problem, done: Run) -> Found:
    path = [] if done.outcome.refusal else [int(v) for v in done.answer]
    return answers.hamilton_answer(problem, path)


def _match(problem: Problem, done: Run) -> Found:
    return answers.subgraph_answer(problem, None if done.outcome.refusal else [int(v) for v in done.answer])


def _pattern(problem: Problem) -> Parameters | None:
    pattern = problem.pattern
    if pattern is None or "induced" in problem.text.lower():
        return None
    if not exact.is_connected(problem.described.graph):
        return None  # the card's leader hears of its own component only
    ends = np.stack([pattern.source, pattern.target], axis=1).tolist()
    return {"pattern": ends} if len({end for pair in ends for end in pair}) == pattern.num_nodes else None


def _degree(problem: Problem, done: Run) -> Found:
    place, count = problem.nodes[0], int(done.answer)
    return Found(count, f"The degree of {node(problem.described, place)} is {count}.")


def _ranks(problem: Problem, done: Run) -> Found:
    return answers.ranked_answer(problem, _column(done, "rank"), "PageRank")


def _damping(problem: Problem) -> Parameters:
    return {"damping": problem.number} if problem.number else {}


def _unless_weighted(problem: Problem) -> Parameters | None:
    return {} if problem.described.weight is None else None


def _capacity(problem: Problem) -> Parameters | None:
    ends = _both_ends(problem)
    if ends is None or ends["source"] == ends["target"]:
        return None
    weighted = problem.described.weight is not None
    return {**ends, **({"capacity": WEIGHT, "opposite": WEIGHT} if weighted else {})}


def _diameter(problem: Problem, done: Run) -> Found:
    if not np.isfinite(done.answer):
        raise NoAnswer("The diameter is infinite: the graph is not connected.")
    return Found(int(done.answer), f"The diameter of the graph is {int(done.answer)}.")


def _connected(problem: Problem, done: Run) -> Found:
    count = len(set(_column(done, "component")))
    if count == 1:
        return Found(True, "Yes, the graph is connected.")
    return Found(False, f"No, the graph is not connected: it has {count} components.")


PLANS: Mapping[str, tuple[Plan, ...]] = {
    "shortest_path": (Plan("shortest_path_route", _route, _both_ends),),
    "distances": (Plan("shortest_path", _distances, _source),),
    "connectivity": (Plan("connectivity", _connectivity, _both_ends),),
    "cycle": (Plan("cycle_detection", _cycle),),
    "bipartite": (Plan("bipartite_check", _bipartite),),
    "topological_order": (Plan("topological_order", _order),),
    "maximum_flow": (Plan("maximum_flow", _flow, _capacity),),
    "triangle_sum": (Plan("maximum_triangle_sum", _triangle, _triangle_parameters),),
    "triangle_count": (Plan("triangle_count", _triangles),),
    "hamilton": (Plan("hamiltonian_path", _hamilton),),
    "subgraph": (Plan("subgraph_matching", _match, _pattern),),
    "degree": (Plan("degree", _degree, lambda problem: {"target": problem.nodes[0]}),),
    "pagerank": (Plan("pagerank", _ranks, _damping),),
    "diameter": (Plan("diameter", _diameter, _unless_weighted),),
    "connected": (Plan("components", _connected),),
}
