"""Which calls solve which task: a vertex program where one fits (Hu et al. 2024, section 4), else an exact algorithm.

What the master does offline: take the card that fits, adapt it to the problem, run it, and sum up. The last call gives
the value of the answer; what shows that it is right, such as a path, stands in it (`Shown`) and is evidence.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from graphtalk.calls import Boolean, Call, Expression, Items, NodeRef, Number, Text, parse
from graphtalk.reasoners.graph_agents.described import EMBEDDING, INVERSE, KIND, WEIGHT, Described, Problem
from graphtalk.tools.values import Bag, Value
from graphtalk.vertex import Card, Library
from graphtalk.vertex.language.types import NODE, Type

MOST_HELD = 1_500  # nodes times edges up to which a program with sets and lists is run
_MOST_EXACT = 5_000  # nodes from which betweenness is computed exactly only where that is insisted on

Parameters: TypeAlias = Mapping[str, Any]
Exact: TypeAlias = Callable[[Problem], Call]


@dataclass(frozen=True)
class Way:
    """How a task is solved: by the program called `card` with the `parameters` of a problem (None: it does not fit
    it), else by the call `exact`, which is called `name` in answers.

    `around` makes of that call, and what it gave, the call that gives the value. Where `unsure`, a program that finds
    nothing has not shown that there is nothing.
    """

    name: str
    exact: Exact
    card: str = ""
    parameters: Callable[[Problem], Parameters | None] = lambda _: {}
    around: Callable[[Problem, Call, Value], Call] = lambda problem, core, found: core
    unsure: bool = False


def call(function: str, *arguments: Expression | None, **keywords: Expression | None) -> Call:
    """A call; arguments that are None are left out, of those in order all that follow too."""
    given = tuple(argument for argument in arguments if argument is not None)
    return Call(function, given, tuple((k, v) for k, v in keywords.items() if v is not None))


def planned(problem: Problem, cards: Library) -> tuple[Card, Parameters] | None:
    """The program for a problem and its parameters; None where no card in the library does the task."""
    way = WAYS.get(problem.task)
    parameters = way.parameters(problem) if way is not None and way.card in cards else None
    return None if way is None or parameters is None else (cards[way.card], parameters)


def program_call(described: Described, card: str, types: Mapping[str, Type], parameters: Parameters) -> Call:
    """A vertex program as a call. `card` is its name, or itself as JSON; `types` has the types of its parameters."""
    keywords: dict[str, Expression] = {}
    settings = []
    for name, value in parameters.items():
        if name in ("source", "target") and types.get(name) == NODE:
            keywords[name] = NodeRef("node", _id(described, value))
        else:
            settings.append(Text(f"{name}={_setting(described, value, types.get(name))}"))
    if settings:
        keywords["settings"] = Items(tuple(settings))
    return call("Program", Text(card), **keywords)


def placed(described: Described, expression: Call) -> Call:
    """A call on the part of the stored graph that a problem is about, where it is about a part."""
    if described.within is None:
        return expression

    def of(part: Expression) -> Expression:
        if isinstance(part, Items):
            return Items(tuple(map(of, part.values)))
        return placed(described, part) if isinstance(part, Call) else part

    arguments = tuple(map(of, expression.arguments))
    keywords = tuple((name, of(value)) for name, value in expression.keywords)
    return Call(expression.function, arguments, keywords, expression.graph or described.within)


def _id(described: Described, node: object) -> str:
    """A node's id; a whole number is its index, as programs take it."""
    inside = isinstance(node, int) and 0 <= node < described.num_nodes
    return described.graph.id(int(node)) if inside else str(node)  # type: ignore[call-overload]


def _setting(described: Described, value: object, type: Type | None, between: str = ",") -> str:
    """A parameter as `graphtalk vertex run --set` takes it: `0.85`, `3,4,5`, `0-1,1-2` for pairs."""
    if type == NODE:
        return _id(described, value)
    if isinstance(value, list | tuple):
        item = type.item if type is not None and type.kind in ("set", "list") else None
        return between.join(_setting(described, each, item, "-") for each in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


# arguments


def _ref(problem: Problem, place: int = 0) -> NodeRef:
    return NodeRef("node", problem.described.graph.id(problem.nodes[place]))


def _weight(problem: Problem) -> Text | None:
    return Text(WEIGHT) if problem.described.weight is not None and not problem.unweighted else None


def _pattern_text(problem: Problem) -> str:
    assert problem.pattern is not None
    ends = zip(problem.pattern.source.tolist(), problem.pattern.target.tolist(), strict=True)
    return ",".join(f"{one}-{other}" for one, other in ends)


def _source(problem: Problem) -> Parameters:
    return {"source": problem.nodes[0]}


def _both_ends(problem: Problem) -> Parameters | None:
    if len(problem.nodes) < 2:
        return None
    return {"source": problem.nodes[0], "target": problem.nodes[1]}


def _capacity(problem: Problem) -> Parameters | None:
    ends = _both_ends(problem)
    if ends is None or ends["source"] == ends["target"]:
        return None
    weighted = problem.described.weight is not None
    return {**ends, **({"capacity": WEIGHT, "opposite": WEIGHT} if weighted else {})}


def _unless_weighted(problem: Problem) -> Parameters | None:
    return {} if problem.described.weight is None or problem.unweighted else None


def _target_unless_weighted(problem: Problem) -> Parameters | None:
    return None if _unless_weighted(problem) is None else {"target": problem.nodes[0]}


def _hops(problem: Problem) -> Parameters:
    return {"source": problem.nodes[0], "target": problem.nodes[1]}


def _of_nodes(problem: Problem) -> Parameters | None:
    return {} if problem.described.node_weight is not None else None


def _pattern(problem: Problem) -> Parameters | None:
    """A pattern whose nodes all have edges; a program finds it among any that are joined so."""
    pattern = problem.pattern
    if pattern is None or _induced(problem) or pattern.directed != problem.described.directed:
        return None
    ends = list(zip(pattern.source.tolist(), pattern.target.tolist(), strict=True))
    return {"pattern": ends} if len({end for pair in ends for end in pair}) == pattern.num_nodes else None


def _induced(problem: Problem) -> bool:
    return "induced" in problem.text.lower()


# what stands around the call that solves a task


def _counted(problem: Problem, core: Call, found: Value) -> Call:
    """The number of entries where a number is wanted."""
    return call("Count", core) if problem.wants == "number" else core


def _parts(problem: Problem, core: Call, found: Value) -> Call:
    """The number of components, unless they themselves are wanted."""
    return core if problem.wants == "nodes" else call("Count", core)


def _route(problem: Problem, core: Call, found: Value) -> Call:
    length = call("TotalWeight", core, _weight(problem))
    return call("Shown", core, length) if problem.wants == "path" else length


def _joined(problem: Problem, core: Call, found: Value) -> Call:
    return call("Shown", core, call("Route", _ref(problem), _ref(problem, 1)))


def _cycle(problem: Problem, core: Call, found: Value) -> Call:
    return call("Shown", call("Not", core) if problem.negated else core, call("Cycle"))


def _order(problem: Problem, core: Call, found: Value) -> Call:
    return call("Shown", call("Exists", core) if problem.wants == "truth" else core, call("Cycle"))


def _there(problem: Problem, core: Call, found: Value) -> Call:
    """The way where one is asked for and found, else whether there is one."""
    wanted = problem.wants == "path" and isinstance(found, Bag) and len(found) > 0
    return core if wanted else call("Exists", core)


def _triangle(problem: Problem, core: Call, found: Value) -> Call:
    return call("Shown", core, call("HeaviestTriangle", **_weighed(problem)))


def _weighed(problem: Problem) -> dict[str, Expression | None]:
    by_nodes = problem.described.node_weight is not None
    return {"feature": Text(WEIGHT) if by_nodes else None, "weight": None if by_nodes else _weight(problem)}


def _ranked(problem: Problem, core: Call, found: Value) -> Call:
    return call("Highest", core) if problem.wants == "nodes" else core


def _most_connected(problem: Problem, core: Call, found: Value) -> Call:
    return call("Maximum" if asks_degree(problem) else "Highest", core)


def asks_degree(problem: Problem) -> bool:
    """Whether of the nodes with the most edges their number is wanted."""
    query = problem.query.lower()
    return "degree" in query and not any(
        word in query for word in ("which", "who", "name ", "find the node", "list")
    )


def _largest(problem: Problem, core: Call, found: Value) -> Call:
    lists = any(word in problem.query.lower() for word in ("which", "list", "who", "members"))
    return core if lists else call("Count", core)


# exact calls


def _one_node(function: str, **keywords: Expression) -> Exact:
    return lambda problem: call(function, _ref(problem), **keywords)


def _two_nodes(function: str) -> Exact:
    return lambda problem: call(function, _ref(problem), _ref(problem, 1), _weight(problem))


def _whole(function: str, *arguments: Expression, **keywords: Expression) -> Exact:
    return lambda _: call(function, *arguments, **keywords)


def _lengths(function: str) -> Exact:
    return lambda problem: call(function, weight=_weight(problem))


def _node_exists(problem: Problem) -> Call:
    """Whether a node has the name."""
    label = problem.described.graph.label
    name = label(problem.nodes[0]) if problem.nodes else problem.unknown[0]
    return parse(
        f"MATCH (n) WHERE n.name = {json.dumps(name, ensure_ascii=False)} RETURN count(n) > 0 AS there"
    )


def _matching(problem: Problem) -> Call:
    """One side of the pairs is the kind that the text names first."""
    kinds = problem.described.kinds
    left = call("Filter", call("Nodes", Text("node")), Text(KIND), Text("="), Text(kinds[0]))
    return call("Matching", left)


def _subgraph(problem: Problem) -> Call:
    pattern = problem.pattern
    assert pattern is not None
    return call(
        "SubgraphMatch",
        Text(_pattern_text(problem)),
        Number(pattern.num_nodes),
        induced=Boolean(True) if _induced(problem) else None,
        is_directed=Boolean(pattern.directed),
    )


def _convolution(problem: Problem) -> Call:
    words = problem.text.lower()
    mean = any(word in words for word in ("average of", "mean of", "averag"))
    own = ("its own embedding and", "and its own", "including itself", "self-loop")
    return call(
        "GraphConvolution",
        Text(EMBEDDING),
        Number(int(problem.number or 1)),
        average=Boolean(True) if mean else None,
        itself=Boolean(True) if any(word in words for word in own) else None,
    )


def _the_core(problem: Problem) -> Parameters | None:
    if problem.nodes:
        return None
    return {} if problem.number is None else {"k": int(problem.number)}


def _betweenness(problem: Problem) -> Call:
    n = problem.described.num_nodes
    return call("Betweenness", Number(n) if n > _MOST_EXACT else None)


def _core(problem: Problem) -> Call:
    if problem.nodes:
        return call("CoreNumber", _ref(problem))
    return call("CoreNumber") if problem.number is None else call("Core", Number(int(problem.number)))


def _degrees(direction: str = "all") -> Call:
    return call("Degree") if direction == "all" else call("Degree", direction=Text(direction))


def _where(table: Call, comparison: str, number: float) -> Call:
    return call("FilterTable", table, Text(comparison), Number(int(number)))


def _of_degree(direction: str = "all") -> Exact:
    return lambda p: _where(_degrees(direction), p.comparison, p.number or 0)


def _at_distance(problem: Problem) -> Call:
    return _where(call("Distances", _ref(problem)), "=", problem.number or 2)


def _within(problem: Problem) -> Call:
    near = _where(call("Distances", _ref(problem)), "<=", problem.number or 1)
    return call("Difference", near, _ref(problem))


def _not_joined(problem: Problem) -> Call:
    others = call("Difference", call("Nodes", Text("node")), call("Successors", _ref(problem)))
    return call("Difference", others, _ref(problem))


def _not_reached(problem: Problem) -> Call:
    others = call("Difference", call("Nodes", Text("node")), call("Reachable", _ref(problem)))
    return call("Difference", others, _ref(problem))


def _numbers_beside(problem: Problem) -> Call:
    """The numbers of the neighbours of a node."""
    return call("NodeFeature", call("Successors", _ref(problem)), Text(WEIGHT))


def _over_neighbours(function: str) -> Exact:
    return lambda p: call(function, _numbers_beside(p))


def _at_node(function: str) -> Exact:
    return lambda p: call(function, node=_ref(p))


def _ranked_most(problem: Problem, core: Call, found: Value) -> Call:
    return call("Highest", core)


def _path_or_length(problem: Problem, core: Call, found: Value) -> Call:
    length = call("TotalWeight", core, _weight(problem))
    return call("Shown", core, length) if problem.wants == "path" else length


def _spanned(problem: Problem, core: Call, found: Value) -> Call:
    total = call("TotalWeight", core, _weight(problem))
    return call("Shown", core, total) if problem.wants == "nodes" else total


def _extreme_degree(problem: Problem, core: Call, found: Value) -> Call:
    return call("Minimum" if asks_degree(problem) else "Lowest", core)


WAYS: Mapping[str, Way] = {
    "euler_circuit": Way("eulerian_circuit", lambda p: call("IsEulerian")),
    "euler_path": Way("eulerian_path", lambda p: call("IsEulerian", closed=Boolean(False))),
    "k_colourable": Way("exact_colouring", lambda p: call("IsColourable", Number(int(p.number or 2)))),
    "chromatic_number": Way("exact_colouring", _whole("ChromaticNumber")),
    "fewest_colours": Way("exact_colouring", _whole("Colouring")),
    "colouring": Way("exact_colouring", _whole("Colouring"), "colouring"),
    "vertex_cover": Way("vertex_cover", _whole("VertexCover"), around=_counted),
    "maximal_independent_set": Way(
        "maximum_independent_set", _whole("LargestIndependentSet"), "maximal_independent_set"
    ),
    "independent_set": Way("maximum_independent_set", _whole("LargestIndependentSet"), around=_counted),
    "clique": Way("maximum_clique", _whole("LargestClique"), around=_counted),
    "maximum_matching": Way("maximum_matching", _whole("MaximumMatching"), around=_counted),
    "bridges": Way("bridges", _whole("Bridges"), around=_counted),
    "articulation": Way("articulation_points", _whole("ArticulationPoints"), around=_counted),
    "path_count": Way("path_count", lambda p: call("PathCount", _ref(p), _ref(p, 1))),
    "longest_path": Way("longest_path", _lengths("LongestPath"), around=_path_or_length),
    "is_tree": Way("tree_check", _whole("IsTree")),
    "breadth_first_tree": Way(
        "shortest_path", lambda p: call("Distances", _ref(p)), "breadth_first_tree", _source
    ),
    "any_spanning_tree": Way(
        "minimum_spanning_tree", _whole("SpanningTree"), "spanning_tree", around=_counted
    ),
    "no_neighbours": Way("degree", _of_degree(), around=_counted),
    "sinks": Way("degree", _of_degree("out"), around=_counted),
    "sources": Way("degree", _of_degree("in"), around=_counted),
    "sum_of_degrees": Way("degree", lambda p: call("Sum", _degrees())),
    "average_degree": Way("degree", lambda p: call("Average", _degrees())),
    "nodes_of_degree": Way("degree", _of_degree(), around=_counted),
    "least_connected": Way("degree", lambda p: _degrees(), around=_extreme_degree),
    "most_entered": Way("degree", lambda p: _degrees("in"), around=_most_connected),
    "most_left": Way("degree", lambda p: _degrees("out"), around=_most_connected),
    "degrees": Way("degree", lambda p: _degrees(), "degree"),
    "sum_over_neighbours": Way("neighbours", _over_neighbours("Sum")),
    "mean_over_neighbours": Way("neighbours", _over_neighbours("Average")),
    "most_over_neighbours": Way("neighbours", _over_neighbours("Maximum")),
    "least_over_neighbours": Way("neighbours", _over_neighbours("Minimum")),
    "best_neighbour": Way("neighbours", lambda p: call("Top", call("Successors", _ref(p)), Text(WEIGHT))),
    "total_weight": Way("total_weight", lambda p: call("TotalWeight", call("Edges"), _weight(p))),
    "heaviest_edge": Way("heaviest_edge", lambda p: call("TopEdges", _weight(p))),
    "lightest_edge": Way("lightest_edge", lambda p: call("TopEdges", _weight(p), Boolean(True))),
    "edge_weight": Way(
        "edge_weight",
        lambda p: call("Contains", call("Successors", _ref(p)), _ref(p, 1)),
        around=lambda p, core, found: (
            call("TotalWeight", call("Union", _ref(p), _ref(p, 1)), _weight(p)) if found else core
        ),
    ),
    "average_path": Way("average_path_length", _lengths("AveragePathLength")),
    "triangles_of_node": Way("triangle_count", lambda p: call("Triangles", _ref(p))),
    "hops_exactly": Way("breadth_first_search", _at_distance, around=_counted),
    "hops_within": Way("breadth_first_search", _within, around=_counted),
    "center": Way("center", _lengths("Center"), around=_counted),
    "periphery": Way("periphery", _lengths("Periphery"), around=_counted),
    "hops": Way("breadth_first_search", _two_nodes("ShortestPath"), "shortest_path_unweighted", _hops),
    "not_neighbours": Way("neighbours", _not_joined, around=_counted),
    "pagerank_from": Way(
        "personalised_pagerank",
        lambda p: call("PageRank"),
        "pagerank_personalised",
        lambda p: {"sources": [p.nodes[0]]},
    ),
    "pagerank_of_node": Way("pagerank", _at_node("PageRank")),
    "betweenness_of_node": Way("betweenness", _at_node("Betweenness")),
    "closeness_of_node": Way("closeness", _at_node("Closeness")),
    "degree_centrality_of_node": Way("degree_centrality", _at_node("DegreeCentrality")),
    "closeness": Way("closeness", _whole("Closeness"), around=_ranked_most),
    "transitivity": Way("transitivity", _whole("Transitivity")),
    "highest_clustering": Way("clustering", _whole("Clustering"), around=_ranked_most),
    "degeneracy": Way("k_core", lambda p: call("Maximum", call("CoreNumber"))),
    "shortest_path": Way("shortest_path", _two_nodes("Route"), "shortest_path_route", _both_ends, _route),
    "distances": Way(
        "shortest_path", lambda p: call("Distances", _ref(p), _weight(p)), "shortest_path", _source
    ),
    "connectivity": Way(
        "connectivity",
        lambda p: call("Exists", call("Route", _ref(p), _ref(p, 1))),
        "connectivity",
        _both_ends,
        _joined,
    ),
    "cycle": Way("cycle_detection", _whole("HasCycle"), "cycle_detection", around=_cycle),
    "bipartite": Way(
        "bipartite_check",
        _whole("IsBipartite"),
        "bipartite_check",
        around=lambda p, core, found: call("Shown", core, call("Sides")),
    ),
    "topological_order": Way(
        "topological_order", _whole("TopologicalOrder"), "topological_order", around=_order
    ),
    "maximum_flow": Way("maximum_flow", _two_nodes("MaximumFlow"), "maximum_flow", _capacity),
    "triangle_sum": Way(
        "maximum_triangle_sum",
        lambda p: call("MaximumTriangle", **_weighed(p)),
        "maximum_triangle_sum",
        _of_nodes,
        _triangle,
    ),
    "triangle_count": Way("triangle_count", _whole("Triangles"), "triangle_count"),
    "hamilton": Way("hamiltonian_path", _whole("HamiltonianPath"), "hamiltonian_path", around=_there),
    "hamilton_cycle": Way("hamiltonian_path", _whole("HamiltonianCycle"), around=_there),
    "subgraph": Way(
        "subgraph_matching",
        _subgraph,
        "subgraph_matching",
        _pattern,
        lambda p, core, found: call("Exists", core),
        unsure=True,
    ),
    "matching": Way("bipartite_matching", _matching, around=_counted),
    "graph_convolution": Way("graph_convolution", _convolution),
    "spanning_tree": Way(
        "minimum_spanning_tree",
        _lengths("SpanningTree"),
        around=_spanned,
    ),
    "degree": Way("degree", _one_node("Degree"), "degree", lambda p: {"target": p.nodes[0]}),
    "unreachable": Way("connectivity", _not_reached, around=_counted),
    "farthest": Way(
        "eccentricity",
        lambda p: call("Distances", _ref(p), _weight(p)),
        around=lambda p, core, found: call("Highest", core),
    ),
    "in_neighbours": Way("in_neighbours", lambda p: call("NeighbourCheck", _ref(p), Text(INVERSE))),
    "in_degree": Way("degree", _one_node("Degree", direction=Text("in"))),
    "out_degree": Way("degree", _one_node("Degree", direction=Text("out"))),
    "neighbours": Way("neighbours", _one_node("Successors"), around=_counted),
    "reachable": Way("connectivity", _one_node("Reachable"), around=_counted),
    "common_neighbours": Way(
        "neighbours",
        lambda p: call("Intersect", call("Successors", _ref(p)), call("Successors", _ref(p, 1))),
        around=_counted,
    ),
    "edge_exists": Way("edge_exists", lambda p: call("Contains", call("Successors", _ref(p)), _ref(p, 1))),
    "node_exists": Way("node_exists", _node_exists),
    "edge_count": Way("edge_count", _whole("Size")),
    "node_count": Way("node_count", _whole("Order")),
    "connected": Way(
        "connectivity", lambda _: call("Shown", call("IsConnected"), call("Count", call("Components")))
    ),
    "strongly_connected": Way("connectivity", _whole("IsConnected", Text("strong"))),
    "components": Way("connectivity", _whole("Components"), around=_parts),
    "strong_components": Way("connectivity", _whole("Components", Text("strong")), around=_parts),
    "largest_component": Way("connectivity", _whole("LargestComponent"), around=_largest),
    "diameter": Way("diameter", _lengths("Diameter"), "diameter", _unless_weighted),
    "radius": Way("radius", _lengths("Radius")),
    "eccentricity": Way(
        "eccentricity",
        lambda p: call("Eccentricity", _ref(p), _weight(p)),
        "eccentricity",
        _target_unless_weighted,
    ),
    "pagerank": Way(
        "pagerank",
        lambda p: call("PageRank", Number(p.number) if p.number else None),
        "pagerank",
        lambda p: {"damping": p.number} if p.number else {},
        _ranked,
    ),
    "betweenness": Way("betweenness", _betweenness, "betweenness", around=_ranked_most),
    "most_connected": Way("degree", _whole("Degree"), around=_most_connected),
    "density": Way("density", _whole("Density")),
    "clustering": Way(
        "clustering", lambda p: call("Clustering", _ref(p)) if p.nodes else call("AverageClustering")
    ),
    "core": Way("k_core", _core, "k_core", _the_core),
    "component_of_each": Way("components", _whole("Components"), "components"),
    "label_propagation": Way("communities", _whole("Communities"), "label_propagation"),
    "communities": Way("communities", _whole("Communities"), around=_counted),
}
