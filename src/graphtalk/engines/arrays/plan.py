"""What a MATCH asks for, taken apart: nodes, links between them, and conditions with what each needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from graphtalk.calls.query import (
    Apply,
    EdgePattern,
    Entry,
    Match,
    Operation,
    Pattern,
    PatternComprehension,
    Property,
    Quantified,
    Subquery,
    Term,
    Variable,
    parts_of,
)
from graphtalk.engines.arrays.needs import Need
from graphtalk.engines.arrays.scope import names
from graphtalk.engines.patterns import Step, steps
from graphtalk.graphs.schema import Schema


@dataclass(frozen=True)
class Condition:
    """A condition and the keys of this MATCH that it needs. `late`: it has subqueries, and waits for all else."""

    term: Term
    needs: frozenset[str]
    names: frozenset[str]
    late: bool = False

    @cached_property
    def sides(self) -> tuple[frozenset[str], ...]:
        """The names that each operand uses."""
        return (
            tuple([frozenset(names(t)) for t in self.term.operands])
            if isinstance(self.term, Operation)
            else ()
        )


@dataclass(frozen=True)
class Link:
    """An edge pattern between two nodes by their keys, and the ways to follow it from left to right.

    `listed`: the edges that it stands for, or the path that it is part of, are asked for. `inside` are conditions that
    each edge (by the variable `key`) or each node between must fulfil, with `of` telling which.
    """

    key: str
    left: str
    right: str
    edge: EdgePattern
    ways: tuple[Step, ...]
    listed: bool
    pattern: Pattern
    inside: tuple["Inside", ...] = ()

    @property
    def shortest(self) -> str:
        """Whether one, all or some shortest paths are asked for; empty: all paths."""
        return self.pattern.shortest

    @property
    def relations(self) -> frozenset[int]:
        """Positions of the relations that it may follow."""
        return frozenset(s.relation for s in self.ways)

    def apart(self, other: "Link") -> bool:
        """Whether two links must not have an edge in common, and could. What shortestPath finds may be anything."""
        shared = self.relations & other.relations
        return self.key != other.key and bool(shared) and not self.shortest and not other.shortest


_EACH = "\0each"
"""Stands for each edge of a path in the conditions of its pattern."""


@dataclass(frozen=True)
class Inside:
    """A condition on every edge, or on every node, of a path. `variable` stands for that edge or node."""

    of: str
    variable: str
    term: Term


@dataclass(frozen=True)
class Shape:
    """A MATCH taken apart. `nodes`: for each key the types it may be of; `paths`: variables with their keys."""

    nodes: Mapping[str, frozenset[str]]
    links: tuple[Link, ...]
    conditions: tuple[Condition, ...]
    paths: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    named: frozenset[str]

    @classmethod
    def of(cls, clause: Match, schema: Schema, need: Need) -> "Shape":
        """Take a bound MATCH apart."""
        every = frozenset(t.name for t in schema.node_types)
        nodes: dict[str, frozenset[str]] = {}
        drafts: list[tuple[str, str, str, EdgePattern, Pattern]] = []
        terms: list[Term] = []
        paths: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        named: set[str] = set()
        for number, pattern in enumerate(clause.patterns):
            keys = [n.variable or f"\0n{number}.{i}" for i, n in enumerate(pattern.nodes)]
            edge_keys = [e.variable or f"\0e{number}.{i}" for i, e in enumerate(pattern.edges)]
            for key, node in zip(keys, pattern.nodes, strict=True):
                nodes[key] = nodes.get(key, every) & (frozenset(node.labels) or every)
                terms += _equal(key, node.properties)
            for i, (key, edge) in enumerate(zip(edge_keys, pattern.edges, strict=True)):
                drafts.append((key, keys[i], keys[i + 1], edge, pattern))
                if not edge.several:
                    terms += _equal(key, edge.properties)
            if pattern.variable:
                paths[pattern.variable] = (tuple(keys), tuple(edge_keys))
            named |= {name for name in (*(n.variable for n in pattern.nodes), pattern.variable) if name}
            named |= {e.variable for e in pattern.edges if e.variable}
        terms += conjuncts(clause.where)
        own = {*nodes, *(key for key, *_ in drafts), *paths}
        for (
            key,
            _,
            _,
            edge,
            _,
        ) in drafts:  # of each edge of a path; at the end, where that needs another part of the MATCH
            if edge.several:
                equal = _equal(_EACH, edge.properties)
                terms += [Quantified("all", _EACH, Variable(key), t) for t in equal if names(t) & own]
        inner = _inside(terms, drafts, paths)
        terms = [t for t in terms if t not in inner]
        used = {name for t in terms for name in names(t)}
        conditions = []
        for term in terms:
            its = frozenset(names(term))
            needs = {k for name in its & own for k in _expanded(name, paths)}
            late = any(isinstance(p, Subquery | PatternComprehension) for p in parts_of(term))
            conditions.append(Condition(term, frozenset(needs), its, late))
        links = []
        for key, left, right, edge, pattern in drafts:
            listed = any(need.uses(name) for name in (edge.variable, pattern.variable) if name)
            listed |= bool({key, pattern.variable} & used)
            told = [i for _, link, i in inner.values() if link == key]
            if edge.several:
                told += [
                    Inside("edge", _EACH, t) for t in _equal(_EACH, edge.properties) if not names(t) & own
                ]
            ways = steps(schema, edge)
            if not edge.several:
                ways = tuple(w for w in ways if w.source in nodes[left] and w.target in nodes[right])
            links.append(Link(key, left, right, edge, ways, listed, pattern, tuple(told)))
        return cls(nodes, tuple(links), tuple(conditions), paths, frozenset(named))


def conjuncts(where: Term | None) -> list[Term]:
    """The conditions that `where` joins by AND."""
    if where is None:
        return []
    if isinstance(where, Operation) and where.operator == "and":
        return [each for operand in where.operands for each in conjuncts(operand)]
    return [where]


def _equal(key: str, entries: tuple[Entry, ...]) -> list[Term]:
    return [Operation("=", (Property(Variable(key), e.name), e.value)) for e in entries]


def _expanded(name: str, paths: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> tuple[str, ...]:
    """A path needs all its nodes and edges."""
    return (*paths[name][0], *paths[name][1]) if name in paths else (name,)


def _inside(
    terms: list[Term],
    drafts: list[tuple[str, str, str, EdgePattern, Pattern]],
    paths: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]],
) -> dict[Term, tuple[Term, str, Inside]]:
    """Conditions on all edges or nodes of a path of several edges, which are met while it is searched.

    For a shortest path that is what they mean: the shortest of those whose edges all fulfil them.
    """
    found: dict[Term, tuple[Term, str, Inside]] = {}
    for term in terms:
        if not isinstance(term, Quantified) or term.every not in ("all", "none"):
            continue
        source = term.source
        where = term.where if term.every == "all" else Operation("not", (term.where,))
        for key, left, right, edge, pattern in drafts:
            of = ""
            alone = len(pattern.edges) == 1 and edge.several
            if edge.several and edge.variable and source == Variable(edge.variable):
                of = "edge"
            elif (
                alone
                and pattern.variable
                and isinstance(source, Apply)
                and source.arguments == (Variable(pattern.variable),)
            ):
                of = {"relationships": "edge", "rels": "edge", "nodes": "node"}.get(source.function, "")
            inner = names(where) - {term.variable}
            if of and not inner & {key, left, right, *paths, *(d[0] for d in drafts)}:
                found[term] = (term, key, Inside(of, term.variable, where))
                break
    return found
