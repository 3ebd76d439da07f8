"""A MATCH as patterns in which each node has one type and each edge one relation: what any engine can be asked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from graphtalk.calls.query import Term
from graphtalk.engines.arrays.plan import Link, Shape
from graphtalk.engines.elsewhere.conditions import FALSE, TRUE, Typed, test_of
from graphtalk.engines.elsewhere.protocol import Between, UnsaidError, Way
from graphtalk.engines.patterns import Step
from graphtalk.graphs.schema import Schema

MOST_WAYS = 200
"""So many patterns are asked for one MATCH."""


@dataclass(frozen=True)
class Ways:
    """The ways to meet a MATCH. `checked`: the places of its conditions that the engine checks exactly, in all of them."""

    ways: tuple[Way, ...]
    checked: frozenset[int]


def ways_of(shape: Shape, schema: Schema) -> Ways:
    """All ways to meet a MATCH in a schema.

    Raises UnsaidError where it has paths of several edges, or there are too many ways.
    """
    if any(link.edge.several or link.shortest for link in shape.links):
        raise UnsaidError("a path of several edges")
    free = shape.nodes.keys() - {k for link in shape.links for k in (link.left, link.right)}
    found: list[Way] = []
    checked = {i for i, c in enumerate(shape.conditions) if not c.late}
    count = 1
    for link in shape.links:
        count *= max(1, len(link.ways))
    for key in free:
        count *= len(shape.nodes[key])
    if count > 20 * MOST_WAYS:
        raise UnsaidError(f"{count:,} ways to meet the pattern by types and relations")
    for steps in product(*(link.ways for link in shape.links)):
        for nodes in _typed(shape, steps, sorted(free)):
            edges = tuple(_between(link, step) for link, step in zip(shape.links, steps, strict=True))
            typed = Typed(schema, nodes, {e.key: e.relation for e in edges})
            tests: list[Term] = []
            never = False
            for place, condition in enumerate(shape.conditions):
                test = None if condition.late else test_of(condition.term, typed)
                if test is None or not test.exact:
                    checked.discard(place)
                if test is not None and test.term == FALSE:
                    never = True
                elif test is not None and test.term != TRUE:
                    tests.append(test.term)
            if not never:
                found.append(Way(nodes, edges, tuple(tests), {}, _apart(edges)))
            if len(found) > MOST_WAYS:
                raise UnsaidError(f"more than {MOST_WAYS} ways to meet the pattern by types and relations")
    return Ways(tuple(found), frozenset(checked))


def _typed(shape: Shape, steps: Sequence[Step], free: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """The types of all nodes, where the steps agree on them."""
    nodes: dict[str, str] = {}
    for link, step in zip(shape.links, steps, strict=True):
        for key, name in ((link.left, step.source), (link.right, step.target)):
            if nodes.setdefault(key, name) != name or name not in shape.nodes[key]:
                return
    for types in product(*(sorted(shape.nodes[key]) for key in free)):
        yield {**nodes, **dict(zip(free, types, strict=True))}


def _between(link: Link, step: Step) -> Between:
    """An edge as it is stored. One that may be followed both ways leads from a node to itself only once."""
    both = any(s.relation == step.relation and s.forward for s in link.ways)
    if step.forward:
        return Between(link.key, step.relation, link.left, link.right)
    return Between(link.key, step.relation, link.right, link.left, straight=both)


def _apart(edges: Sequence[Between]) -> tuple[tuple[str, str], ...]:
    """Pairs of edges that could be the same one."""
    return tuple(
        (one.key, other.key)
        for one, other in combinations(edges, 2)
        if one.relation == other.relation and one.key != other.key
    )
