"""From what an answer claims to one call whose result is just that, so that the answer can be verified.

The calls are made of those that were observed: one of them as it is, some nodes cut out of one, several joined, a
feature of just the nodes that are meant, or a count. Where no such call exists the claim is the model's own inference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from graphtalk.calls import parse
from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Text
from graphtalk.core import CallError
from graphtalk.graphs.adjacency import Ints
from graphtalk.reasoners.support.observed import ONE_EACH, Observed, Piece, Place, Shown, among, each_once
from graphtalk.tools.bags import unique_in_order
from graphtalk.tools.executor import Result
from graphtalk.tools.values import Bag, Plain, Scalar, Table, spelled
from graphtalk.tools.verify import same

MOST_JOINED = 30  # bags in one union


def prove_nodes(pieces: Sequence[Piece], seen: Observed) -> tuple[Result, list[str]] | None:
    """A call that gives just the nodes of all pieces, and their names in the order of the pieces."""
    call = _nodes_call([piece.nodes for piece in pieces], seen)
    result = _run(call, seen)
    if result is None or not isinstance(result.value, Bag):
        return None
    given = each_once(result.value.nodes)
    meant = [piece.nodes[among(piece.nodes, given)] for piece in pieces]
    if any(not len(nodes) for nodes in meant) or len(each_once(np.concatenate(meant))) < len(given):
        return None
    names = seen.graph.labels(unique_in_order(np.concatenate(meant)).tolist())
    return result, list(dict.fromkeys(names))


def _nodes_call(groups: Sequence[Ints], seen: Observed) -> Call | None:
    """A call for some of the nodes of every group: from one bag that was shown, or joined from several."""
    wanted = each_once(np.concatenate([*groups, np.empty(0, np.int64)]))
    whole = [s for s in seen.shown if all(among(nodes, s.nodes).any() for nodes in groups)]
    if whole:
        return _part(min(whole, key=lambda s: _rank(s, wanted)), wanted, seen)
    joined: Call | None = None
    left = list(groups)
    for _ in range(MOST_JOINED):
        reach = [sum(bool(among(nodes, s.nodes).any()) for nodes in left) for s in seen.shown]
        if not left or not any(reach):
            break
        best = min(zip(reach, seen.shown, strict=True), key=lambda pair: (-pair[0], _rank(pair[1], wanted)))[
            1
        ]
        mine = [nodes for nodes in left if among(nodes, best.nodes).any()]
        left = [nodes for nodes in left if not among(nodes, best.nodes).any()]
        part = _part(best, each_once(np.concatenate(mine)), seen)
        joined = part if joined is None else Call("Union", (joined, part))
    return None if left else joined


def _rank(shown: Shown, wanted: Ints) -> tuple[bool, bool, int]:
    """Which bag to take: one that was reached over edges, with nothing but what is wanted, else the smallest."""
    return shown.retrieved, not bool(among(shown.nodes, wanted).all()), len(shown.nodes)


def _part(shown: Shown, wanted: Ints, seen: Observed) -> Call:
    """The call that gave a bag; where there is more in it than what is wanted, only that of it."""
    call = _call(shown.result, seen)
    inside = among(shown.nodes, wanted)
    return (
        call
        if inside.all()
        else Call("Intersect", (call, _references(shown.nodes[inside], seen)), graph=call.graph)
    )


def _references(nodes: Ints, seen: Observed) -> Items:
    """Nodes by their ids, which no name can be mistaken for."""
    return Items(tuple(NodeRef("node", node_id) for node_id in seen.graph.ids(nodes.tolist())))


def prove_values(pieces: Sequence[Piece], seen: Observed) -> tuple[Result, list[Plain]] | None:
    """A call that gives just the values that the pieces say, and these in the order of the pieces."""
    for call, places in _value_calls(pieces, seen):
        result = _run(call, seen)
        values = list(dict.fromkeys(place.value for place in places))
        if result is not None and same_values(result, values):
            return result, values
    return None


def _value_calls(pieces: Sequence[Piece], seen: Observed) -> Iterator[tuple[Call, list[Place]]]:
    """Calls that may give the values, the plainest first."""
    for result in seen.results:  # one that was made
        own = [next((p for p in piece.places if p.result is result), None) for piece in pieces]
        places = [place for place in own if place is not None]
        if len(places) == len(pieces):
            yield _call(result, seen), places
    for kind in dict.fromkeys(
        kind for piece in pieces for place in piece.places if (kind := _asked(place, seen))
    ):
        own = [next((p for p in piece.places if _asked(p, seen) == kind), None) for piece in pieces]
        places = [place for place in own if place is not None]
        if len(places) == len(pieces):  # a feature of just those nodes
            yield Call(kind[0], (_of_nodes(places, seen), Text(kind[1]))), places


def _of_nodes(places: Sequence[Place], seen: Observed) -> Expression:
    """The nodes whose values these are: from a bag that was shown where there is one, else by their ids."""
    nodes = unique_in_order(np.array([_node(place) for place in places], dtype=np.int64))
    call = _nodes_call([nodes[i : i + 1] for i in range(len(nodes))], seen)
    return _references(nodes, seen) if call is None else call


def _asked(place: Place, seen: Observed) -> tuple[str, str] | None:
    """The tool and the name that it was asked for, where the value is that of one node of the graph at hand."""
    call = _call(place.result, seen)
    name = call.arguments[1] if call.function in ONE_EACH and len(call.arguments) == 2 else None
    if not isinstance(name, Text) or call.graph is not None or _node(place) is None:
        return None
    return call.function, name.value


def _node(place: Place) -> int | None:
    if place.node is not None:
        return place.node
    given = place.result.trail.inputs[0].value if place.result.trail.inputs else None
    return int(given.nodes[0]) if isinstance(given, Bag) and len(given) == 1 else None


def prove_count(number: float, seen: Observed) -> Result | None:
    """A call that counts what was shown, or what was shown of different entries, where there are so many."""
    for result in seen.results:
        if isinstance(result.value, Bag | Table | list):
            call = _call(result, seen)
            different = Call("Distinct", (replace(call, graph=None),))
            for counted in (replace(call, graph=None), different):
                found = _run(Call("Count", (counted,), graph=call.graph), seen)
                if found is not None and found.value == number:
                    return found
    return None


def prove_truth(truth: bool, seen: Observed) -> Result | None:
    """The latest call that gave true or false, where it gave this."""
    given = next((result for result in seen.results if isinstance(result.value, bool)), None)
    return given if given is not None and given.value is truth else None


def same_values(result: Result, values: Sequence[Plain]) -> bool:
    """Whether a result has just these values, repeats aside."""
    value = result.value
    if isinstance(value, Scalar):
        return len(values) == 1 and same(spelled(value), values[0])
    if isinstance(value, Bag):  # of another graph, whose nodes are known by name alone
        return len(value) <= 4 * len(values) + 50 and set(result.graph.labels(value.nodes.tolist())) == set(
            values
        )
    return isinstance(value, list) and {
        repr(spelled(item) if isinstance(item, Scalar) else item) for item in value
    } == set(map(repr, values))


def _call(result: Result, seen: Observed) -> Call:
    return parse(result.trail.spelling, seen.executor.registry.vocabulary)


def _run(call: Call | None, seen: Observed) -> Result | None:
    if call is None:
        return None
    try:
        return seen.executor.run(call)
    except CallError:
        return None
