"""Exact answers about nodes, parts and the whole graph: degrees, neighbours, components, distances, ranks, cores."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from graphtalk import algorithms as exact
from graphtalk.core import JSON
from graphtalk.reasoners.graph_agents.answers import Found, NoAnswer, ranked_answer
from graphtalk.reasoners.graph_agents.case import Case, Solver
from graphtalk.reasoners.graph_agents.described import number
from graphtalk.reasoners.graph_agents.wording import joined, nodes_of, times


def _degree(kind: str) -> Solver:
    def solver(case: Case) -> Found:
        place = case.problem.nodes[0]
        count = int(exact.degree(case.d.graph, [place], kind)[0])  # type: ignore[arg-type]
        said = {"all": "degree", "in": "in-degree", "out": "out-degree"}[kind]
        return Found(count, f"The {said} of {case.name(place)} is {count}.")

    return solver


def _neighbours(case: Case) -> Found:
    place = case.problem.nodes[0]
    row = case.d.graph.matrix()[[place]].indices
    found = sorted({int(v) for v in row})
    listed = nodes_of(case.d, found)
    if case.problem.wants == "number":
        return Found(len(found), f"{case.name(place)} has {times(len(found), 'neighbour')}: {listed}.")
    return Found(case.names(found), f"The neighbours of {case.name(place)} are {listed or 'none'}.")


def _reachable(case: Case) -> Found:
    place = case.problem.nodes[0]
    away = exact.distances_from(case.d.graph, place)
    found = [int(v) for v in np.flatnonzero(np.isfinite(away)) if v != place]
    listed = nodes_of(case.d, found)
    value: JSON = len(found) if case.problem.wants == "number" else case.names(found)
    return Found(
        value, f"From {case.name(place)} {times(len(found), 'node')} can be reached: {listed or 'none'}."
    )


def _common(case: Case) -> Found:
    one, other = case.problem.nodes
    matrix = case.d.graph.matrix()
    found = sorted(set(matrix[[one]].indices.tolist()) & set(matrix[[other]].indices.tolist()))
    value: JSON = len(found) if case.problem.wants == "number" else case.names(found)
    return Found(
        value,
        f"{case.name(one)} and {case.name(other)} have {times(len(found), 'common neighbour')}: {nodes_of(case.d, found) or 'none'}.",
    )


def _edge_exists(case: Case) -> Found:
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


def _node_exists(case: Case) -> Found:
    if case.problem.unknown and not case.problem.nodes:
        return Found(False, f"No, there is no node {case.problem.unknown[0]} in the graph.")
    return Found(True, f"Yes, {case.name(case.problem.nodes[0])} is in the graph.")


def _edge_count(case: Case) -> Found:
    count = case.d.num_edges
    return Found(count, f"The graph has {times(count, 'edge')}.")


def _node_count(case: Case) -> Found:
    count = case.d.num_nodes
    return Found(count, f"The graph has {times(count, 'node')}.")


def _connected(case: Case) -> Found:
    parts = exact.components(case.d.graph)
    if len(parts) == 1:
        return Found(True, "Yes, the graph is connected.")
    return Found(False, f"No, the graph is not connected: it has {len(parts)} components.")


def _strongly(case: Case) -> Found:
    yes = exact.is_connected(case.d.graph, "strong")
    return Found(
        yes,
        "Yes, every node can be reached from every other."
        if yes
        else "No, not every node can be reached from every other.",
    )


def _components(connection: str) -> Solver:
    def solver(case: Case) -> Found:
        parts = exact.components(case.d.graph, connection)  # type: ignore[arg-type]
        listed = "; ".join(nodes_of(case.d, part) for part in parts)
        value: JSON = len(parts) if case.problem.wants != "nodes" else [case.names(part) for part in parts]
        return Found(value, f"The graph has {times(len(parts), 'component')}: {listed}.")

    return solver


def _largest(case: Case) -> Found:
    part = exact.components(case.d.graph)[0]
    listed = nodes_of(case.d, part)
    asks = any(word in case.problem.query.lower() for word in ("which", "list", "who", "members"))
    return Found(
        case.names(part) if asks else len(part),
        f"The largest component has {times(len(part), 'node')}: {listed}.",
    )


def _measure(what: str, measure: Callable[..., float]) -> Solver:
    def solver(case: Case) -> Found:
        value = measure(case.d.graph, case.weight)
        if not np.isfinite(value):
            raise NoAnswer(f"The {what} is infinite: the graph is not connected.")
        return Found(number(value), f"The {what} of the graph is {number(value)}.")

    return solver


def _eccentricity(case: Case) -> Found:
    place = case.problem.nodes[0]
    value = float(exact.eccentricity(case.d.graph, [place], case.weight)[0])
    if not np.isfinite(value):
        raise NoAnswer(f"Not every node can be reached from {case.name(place)}.")
    return Found(number(value), f"The eccentricity of {case.name(place)} is {number(value)}.")


def _pagerank(case: Case) -> Found:
    values = exact.pagerank(case.d.graph, case.problem.number or 0.85)
    return ranked_answer(case.problem, values.tolist(), "PageRank")


def _betweenness(case: Case) -> Found:
    return ranked_answer(
        replace(case.problem, wants=case.problem.wants or "nodes"),
        exact.betweenness(case.d.graph).tolist(),
        "betweenness",
    )


def _most_connected(case: Case) -> Found:
    query = case.problem.query.lower()
    values = exact.degree(case.d.graph)
    top = int(values.max())
    found = np.flatnonzero(values == top).tolist()
    listed = nodes_of(case.d, found)
    if "degree" in query and not any(word in query for word in ("which", "who")):
        return Found(top, f"The highest degree is {top}: {listed}.")
    value: JSON = case.d.shown(found[0]) if len(found) == 1 else case.names(found)
    return Found(value, f"{listed} {'has' if len(found) == 1 else 'have'} the most edges: {top}.")


def _density(case: Case) -> Found:
    value = exact.density(case.d.graph)
    return Found(round(value, 6), f"The density of the graph is {value:.4g}.")


def _clustering(case: Case) -> Found:
    if case.problem.nodes:
        place = case.problem.nodes[0]
        value = float(exact.local_clustering(case.d.graph)[place])
        return Found(round(value, 6), f"The clustering coefficient of {case.name(place)} is {value:.4g}.")
    value = exact.average_clustering(case.d.graph)
    return Found(round(value, 6), f"The average clustering coefficient of the graph is {value:.4g}.")


def _core(case: Case) -> Found:
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


def _communities(case: Case) -> Found:
    groups = exact.communities(case.d.graph).groups
    value: JSON = len(groups) if case.problem.wants == "number" else [case.names(group) for group in groups]
    return Found(
        value,
        f"There are {times(len(groups), 'community')}: {'; '.join(nodes_of(case.d, group) for group in groups)}.",
    )


MEASURES: Mapping[str, tuple[str, Solver]] = {
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
