"""Answers: the sentence and the value of each task, made of what the calls gave (master summarization, section 4)."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.core import JSON, UsageError
from graphtalk.reasoners.graph_agents.described import Described, Problem, number
from graphtalk.reasoners.graph_agents.ways import ways
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

    @property
    def holds(self) -> bool:
        """Whether what is asked about is so, also where the question is if it is not."""
        return bool(self.value) != self.problem.negated

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
    task = case.problem.task
    text = _SPECIAL[task](case) if task in _SPECIAL else _told(case, ways()[task].telling)
    if case.problem.negated:
        said = "Yes" if text.startswith("Yes") else "No"
        text = ("No" if said == "Yes" else "Yes") + text.removeprefix(said)
    special = _VALUES.get(task)
    return ToldAnswer(special(case) if special else shown_value(case.d, case.value), text)


def _told(case: Case, telling: Mapping[str, str]) -> str:
    """A sentence as `words/solving.toml` has it. Raises NoAnswer where the value is infinite and may not be."""
    if "infinite" in telling and not math.isfinite(_measured(case.value)):
        raise NoAnswer(telling["infinite"].format_map(_Said(case)))
    if "told" in telling:
        sentence = telling["told"] if case.holds or "untold" not in telling else telling["untold"]
        return sentence.format_map(_Said(case))
    if "table" in telling:
        return _table(case, telling["table"])
    if "ranked" in telling:
        return _ranked(case, telling["ranked"])
    if "groups" in telling:
        listed = "; ".join(nodes_of(case.d, group) for group in _groups(case.core))
        return f"{telling['groups'].format_map(_Said(case))}: {listed}."
    if "edges" in telling:
        pairs = _groups(case.core)
        listed = ", ".join(f"({case.d.names[a]},{case.d.names[b]})" for a, b in pairs) or "none"
        return (
            f"{times(len(pairs), 'edge')} {'is' if len(pairs) == 1 else 'are'} {telling['edges']}: {listed}."
        )
    what, found = telling["listing"].format_map(_Said(case)), case.listed(case.core)
    if case.problem.wants != "number":
        return f"What is {what}: {found}."
    count = len(places(case.core))
    return f"{times(count, 'node')} {'is' if count == 1 else 'are'} {what}: {found}."


def _table(case: Case, what: str) -> str:
    table = _mapping(case)
    return f"{what}: {', '.join(f'{name}: {value}' for name, value in table.items())}."


def _ranked(case: Case, what: str) -> str:
    table = case.core
    assert isinstance(table, Table)
    scores = dict(zip(table.nodes.tolist(), table.numbers.tolist(), strict=True))
    order = sorted(scores, key=lambda place: (-scores[place], place))
    top = ", ".join(f"{case.d.names[place]} ({scores[place]:.4f})" for place in order[:_TOP])
    best = places(case.value) or order[:1]
    first = node(case.d, best[0]) if len(best) == 1 else nodes_of(case.d, best)
    verb = "is" if len(best) == 1 else "are"
    return f"By {what} {first} {verb} the most important; the highest scores: {top}."


class _Amount(float):
    """A number in a sentence: without a needless point, or as the count of a noun, `{value:edge}`."""

    def __format__(self, spec: str) -> str:
        if spec[:1].isalpha():
            return times(int(self), spec)
        return super().__format__(spec) if spec else str(number(self))


class _Said(dict[str, object]):
    """What may stand in a sentence about a case, by name; only what stands there is looked up."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self._case = case

    def __missing__(self, name: str) -> object:
        case = self._case
        match name:
            case "value":
                return _Amount(_measured(case.value))
            case "number":
                return _Amount(case.problem.number or ways()[case.problem.task].default or 0)
            case "compared":
                return f"{case.problem.comparison} {self['number']}".removeprefix("= ")
            case "first" | "second":
                return case.name(int(name == "second"))
            case "between":
                return case.ends if case.d.directed else f"between {case.name()} and {case.name(1)}"
            case "count":
                return _Amount(len(places(case.core)))
            case "groups":
                return _Amount(len(_groups(case.core)))
            case "nodes":
                return case.listed(case.core)
            case "found":
                return case.listed(case.value)
            case "path":
                return path_of(case.d, places(case.core))
            case "length":
                return _Amount(_measured(case.inner("TotalWeight")))
            case "of_length":  # where the nodes were not counted
                inner = case.inner("TotalWeight")
                return (
                    "" if inner is None and case.problem.wants == "nodes" else f", of length {self['length']}"
                )
            case "route":
                return path_of(case.d, places(case.inner("Route")))
            case "sides":
                return " and ".join(nodes_of(case.d, side) or "none" for side in _groups(case.inner("Sides")))
            case "triangle":
                return case.listed(case.inner("HeaviestTriangle"))
            case "parts":
                return case.inner("Count")
        return getattr(case, name)


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


def _cycle(case: Case) -> str:
    found = places(case.inner("Cycle"))
    if not found:
        return "No, there is no cycle in the graph."
    return f"Yes, there is a cycle in the graph: {path_of(case.d, _around(found))}."


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


def _node_exists(case: Case) -> str:
    if shown_value(case.d, case.value) is not True:
        return f"No, there is no node {case.problem.unknown[0]} in the graph."
    said = case.name() if case.problem.nodes else f"node {case.problem.unknown[0]}"
    return f"Yes, {said} is in the graph."


def _farthest(case: Case) -> str:
    table = case.core
    assert isinstance(table, Table)
    if np.isnan(table.numbers).any():
        raise NoAnswer(f"Not every node can be reached from {case.name()}.")
    return (
        f"The farthest from {case.name()} is {case.listed(case.value)}: {number(float(table.numbers.max()))}."
    )


def _most_connected(case: Case) -> str:
    degrees = case.core
    assert isinstance(degrees, Table)
    top = int(degrees.numbers.max())
    found = degrees.nodes[degrees.numbers == top].tolist()
    listed = nodes_of(case.d, found)
    if case.problem.wants == "number":
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


_SPECIAL: Mapping[str, Callable[[Case], str]] = {
    "least_connected": _least_connected,
    "edge_weight": _edge_weight,
    "most_entered": _most_connected,
    "most_left": _most_connected,
    "most_connected": _most_connected,
    "shortest_path": _shortest_path,
    "distances": _distances,
    "cycle": _cycle,
    "topological_order": _order,
    "hamilton": _hamilton("path"),
    "hamilton_cycle": _hamilton("cycle"),
    "subgraph": _subgraph,
    "matching": _matching,
    "graph_convolution": _convolution,
    "spanning_tree": _spanning,
    "neighbours": _neighbours,
    "node_exists": _node_exists,
    "farthest": _farthest,
    "clustering": _clustering,
    "core": _core,
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


def _mapping(case: Case) -> dict[str, JSON]:
    """A table, or pairs of a node and what it has, by the names of nodes."""
    table = shown_value(case.d, case.value)
    if isinstance(table, list):
        return {case.d.names[pair[0]]: case.d.shown(pair[1]) for pair in _groups(case.value)}
    assert isinstance(table, dict)
    return table


def _by_name(case: Case) -> JSON:
    rows = shown_value(case.d, case.value)
    assert isinstance(rows, list)
    return dict(zip(case.d.names, rows, strict=True))


def _largest(case: Case) -> JSON:
    """The nodes of the largest group, or how many they are. Raises NoAnswer where two are as large."""
    groups = sorted(_groups(case.core), key=len, reverse=True)
    if case.problem.wants == "number":
        return len(groups[0]) if groups else 0
    if len(groups) > 1 and len(groups[0]) == len(groups[1]):
        raise NoAnswer(f"There is no largest one: several have {times(len(groups[0]), 'node')}.")
    return [case.d.shown(place) for place in groups[0]] if groups else []


_VALUES: Mapping[str, Callable[[Case], JSON]] = {
    "breadth_first_tree": _mapping,
    "component_of_each": _mapping,
    "most_in_common": _one_or_all,
    "largest_strong_component": _largest,
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
