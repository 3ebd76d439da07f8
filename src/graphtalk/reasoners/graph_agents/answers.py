"""Answers: the value of each task and the sentence that tells it, made from what an algorithm or final states gave."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.reasoners.graph_agents.described import Described, Problem, number
from graphtalk.reasoners.graph_agents.wording import node, nodes_of, path_of, times


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


def path_answer(problem: Problem, path: Sequence[int], length: float) -> Found:
    """A shortest path and its length as the question wants it."""
    d = problem.described
    said = "a total weight of" if d.weight is not None else "a length of"
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    text = f"The shortest path {ends} is {path_of(d, path)} with {said} {number(length)}."
    return Found([d.shown(v) for v in path] if problem.wants == "path" else number(length), text)


def distances_answer(problem: Problem, values: Sequence[float]) -> Found:
    """Distances to all nodes; null where there is no path."""
    d, source = problem.described, problem.nodes[0]
    found = {name: number(v) if np.isfinite(v) else None for name, v in zip(d.names, values, strict=True)}
    shown = ", ".join(
        f"{node(d, place)}: {'no path' if v is None else v}" for place, v in enumerate(found.values())
    )
    return Found(dict(found), f"The shortest distances from {node(d, source)} are: {shown}.")


def connectivity_answer(problem: Problem, path: Sequence[int]) -> Found:
    """Whether there is a path, and one that shows it."""
    d = problem.described
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    if path:
        return Found(True, f"Yes, there is a path {ends}: {path_of(d, path)}.")
    return Found(False, f"No, there is no path {ends}.")


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


def bipartite_answer(problem: Problem, colours: Sequence[int] | None) -> Found:
    """Whether there are two groups, and which."""
    if colours is None:
        return Found(False, "No, the graph is not bipartite: it has a cycle of odd length.")
    sides = [[place for place, colour in enumerate(colours) if colour == side] for side in (0, 1)]
    groups = " and ".join(nodes_of(problem.described, side) or "none" for side in sides)
    return Found(True, f"Yes, the graph is bipartite: the groups are {groups}.")


def order_answer(problem: Problem, order: Sequence[int]) -> Found:
    """An order of all nodes."""
    d = problem.described
    listed = ", ".join(d.names[place] for place in order)
    if problem.wants == "truth":
        return Found(True, f"Yes, for example in the order {listed}.")
    return Found([d.shown(place) for place in order], f"One such order is: {listed}.")


def flow_answer(problem: Problem, value: float) -> Found:
    """The value of a maximum flow."""
    d = problem.described
    ends = f"from {node(d, problem.nodes[0])} to {node(d, problem.nodes[1])}"
    return Found(number(value), f"The maximum flow {ends} is {number(value)}.")


def triangle_answer(problem: Problem, weight: float, three: Sequence[int] = ()) -> Found:
    """The largest sum of a triangle, and the triangle."""
    of = f", of the nodes {nodes_of(problem.described, three)}" if three else ""
    return Found(number(weight), f"The maximum sum of the weights of a triangle is {number(weight)}{of}.")


def hamilton_answer(problem: Problem, path: Sequence[int] | None, what: str = "path") -> Found:
    """Whether there is a Hamiltonian path, and one."""
    d = problem.described
    if not path:
        return Found(False, f"No, there is no Hamiltonian {what}: no {what} visits every node exactly once.")
    text = f"Yes. The {what} can be: {','.join(d.names[place] for place in path)}."
    return Found([d.shown(place) for place in path] if problem.wants == "path" else True, text)


def subgraph_answer(problem: Problem, match: Sequence[int] | None) -> Found:
    """Whether the smaller graph occurs, and where."""
    if match is None:
        return Found(False, "No, the smaller graph does not occur in the larger one.")
    assert problem.pattern is not None
    pairs = zip(problem.pattern.names, match, strict=True)
    shown = ", ".join(f"{name} is {problem.described.names[place]}" for name, place in pairs)
    return Found(True, f"Yes, the smaller graph occurs in the larger one: {shown}.")


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


def ranked_answer(problem: Problem, values: Sequence[float], what: str) -> Found:
    """The scores of all nodes, or the node with the highest."""
    d = problem.described
    order = sorted(range(d.num_nodes), key=lambda place: (-values[place], place))
    top = ", ".join(f"{d.names[place]} ({values[place]:.4f})" for place in order[:5])
    text = f"By {what} {node(d, order[0])} is the most important; the highest scores: {top}."
    if problem.wants == "nodes":
        return Found(d.shown(order[0]), text)
    return Found({name: round(value, 6) for name, value in zip(d.names, values, strict=True)}, text)
