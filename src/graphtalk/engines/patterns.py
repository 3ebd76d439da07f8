"""How the edges of a pattern may be followed in a schema, and which types its nodes can therefore be of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphtalk.calls.query import EdgePattern
from graphtalk.graphs.schema import Relation, Schema


@dataclass(frozen=True)
class Step:
    """One way from the left node of an edge pattern to the right one.

    `relation` is the position in the schema; `forward` is false where its edges are followed from their target.
    `source` and `target` are the types of the left and of the right node.
    """

    relation: int
    forward: bool
    source: str
    target: str


def alike(r: Relation) -> bool:
    """Whether both ends see a relation under one name, so that its direction says nothing."""
    return r.inverse == r.name


def steps(schema: Schema, edge: EdgePattern) -> tuple[Step, ...]:
    """All ways to follow an edge pattern from left to right. Its relations are names of views, or `^` and such a name."""
    found: dict[Step, None] = {}
    for position, r in enumerate(schema.relations):
        along, against = {r.name, f"^{r.back}"}, {r.back, f"^{r.name}"}
        names = set(edge.relations) if edge.relations else {r.name}
        onward = bool(names & along) or (alike(r) and bool(names & against))
        backward = bool(names & against) or (alike(r) and bool(names & along))
        if edge.way == "both":
            onward = backward = onward or backward
        elif edge.way == "in":
            onward, backward = backward, onward
        if onward:
            found[Step(position, True, r.source, r.target)] = None
        if backward:
            found[Step(position, False, r.target, r.source)] = None
    return tuple(found)


def turned(ways: Sequence[Step]) -> tuple[Step, ...]:
    """The same ways from right to left."""
    return tuple(Step(s.relation, not s.forward, s.target, s.source) for s in ways)


@dataclass(frozen=True)
class Joint:
    """An edge pattern between two nodes of patterns, named by keys, and the ways to follow it."""

    edge: EdgePattern
    left: str
    right: str
    ways: tuple[Step, ...]


def narrow(
    types: Mapping[str, frozenset[str]], joints: Sequence[Joint]
) -> tuple[dict[str, frozenset[str]], Joint | None]:
    """The types that each node can be of, given those of all others, and an edge that cannot be, if any."""
    now = dict(types)
    changed = True
    while changed:
        changed = False
        for j in joints:
            if j.edge.several and j.edge.fewest == 0:
                continue
            ways = [s for s in j.ways if s.source in now[j.left] and s.target in now[j.right]]
            if j.edge.several and j.edge.most != 1:  # what lies between is free
                ways = list(j.ways)
            left = now[j.left] & {s.source for s in ways}
            now, before = {**now, j.left: left}, now
            right = now[j.right] & {s.target for s in ways}
            now = {**now, j.right: right}
            if not left or not right:
                return dict(types), j
            changed |= now != before
    return now, None
