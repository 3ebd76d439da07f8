"""Calls of the core tools as queries: the same value by operations on rows, for engines that know nothing of tools.

    Count[NeighbourCheck["Zinc", "Compound-causes-Side Effect"]]
    MATCH (node {name: "Zinc"})-[:`Compound-causes-Side Effect`]->(side_effect:`Side Effect`) RETURN count(side_effect)

A bag of nodes becomes rows with a variable for its node, so that repeats stay repeats; the order of a bag is lost but
where the tool ranks. A tool that raises an error for want of numbers becomes a query that gives null. Texts are compared
in lower case, as engines can; the tools also fold `ß` to `ss`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import date
from typing import Any, TypeAlias, TypeVar, cast

from graphtalk.calls import cypher
from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.cypher.printer import show_query
from graphtalk.calls.query import (
    Apply,
    Clause,
    Column,
    EdgePattern,
    Element,
    Entry,
    Labelled,
    Map,
    Match,
    NodePattern,
    Operation,
    Operator,
    Part,
    Pattern,
    Projection,
    Property,
    Quantified,
    Query,
    Return,
    SortItem,
    Subquery,
    Term,
    Unwind,
    Variable,
    Way,
    With,
)
from graphtalk.engines.naming import pick
from graphtalk.graphs.schema import FeatureKind, Schema

Find: TypeAlias = Callable[[str, str | None], NodePattern]
"""The node that a name means, of a type where one is given, as a pattern that fits this node alone."""
_Types: TypeAlias = tuple[str, ...]
_P = TypeVar("_P")

_SIGNS: Mapping[str, Operator] = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_ONE = Number(1)
_PERIOD = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", re.ASCII)


def by_name(name: str, node_type: str | None) -> NodePattern:
    """The nodes of this name: for graphs where a name means one node."""
    return NodePattern("", (node_type,) if node_type else (), (Entry("name", Text(name)),))


def lower(call: Call, schema: Schema, find: Find = by_name) -> Query | None:
    """The query that gives the value of `call`; None where it is not made of operations on rows.

    Nodes and lists come as rows of one column, a single value as one row.
    """
    try:
        return _Lowering(schema, find).whole(call)
    except _NoQueryError:
        return None


def in_cypher(call: Call, schema: Schema, find: Find = by_name) -> str:
    """`call` as Cypher: in its own operations where it is made of such, else as a function, `RETURN gt.Name(…)`."""
    query = lower(call, schema, find)
    return cypher.show(call) if query is None else show_query(query)


class _NoQueryError(Exception):
    """A call that has no query; never leaves this module."""


@dataclass(frozen=True)
class _Bag:
    """Rows, one for each node of a bag: `node` is its variable.

    `unique`: no node stands twice. `once`: each is still to be taken once.
    """

    clauses: tuple[Clause, ...]
    node: str
    types: _Types
    unique: bool = False
    once: bool = False

    @property
    def entry(self) -> Term:
        return Variable(self.node)

    @property
    def simple(self) -> bool:
        """Whether it is patterns and nothing else."""
        return all(isinstance(clause, Match) for clause in self.clauses)

    def taken_once(self) -> "_Bag":
        """Each node once."""
        return replace(self, unique=True, once=self.once or not self.unique)

    def settled(self) -> "_Bag":
        """With each node taken once where that was still to be done."""
        if not self.once:
            return self
        distinct = With(Projection((Column(self.entry, self.node),), distinct=True))
        return replace(self, clauses=(*self.clauses, distinct), once=False)

    def then(self, *clauses: Clause) -> "_Bag":
        """With more clauses, after which `node` still has the node."""
        settled = self.settled()
        return replace(settled, clauses=(*settled.clauses, *clauses))

    def where(self, condition: Term) -> "_Bag":
        """The rows for which a condition on the node holds."""
        last = self.clauses[-1]
        if isinstance(last, Match | With):
            both = condition if last.where is None else Operation("and", (last.where, condition))
            return replace(self, clauses=(*self.clauses[:-1], replace(last, where=both)))
        only = With(Projection((Column(self.entry, self.node),)), condition)
        return replace(self, clauses=(*self.clauses, only))


@dataclass(frozen=True)
class _List:
    """Rows, one for each entry of a list. `kind`: that of the feature; `gaps`: some may be null."""

    clauses: tuple[Clause, ...]
    entry: Term
    name: str
    kind: FeatureKind | None
    gaps: bool = False


@dataclass(frozen=True)
class _Value:
    """One row, whose `entry` is the value."""

    clauses: tuple[Clause, ...]
    entry: Term
    name: str


@dataclass(frozen=True)
class _Step:
    """An edge to the neighbours of a kind. `reached`: the labels without which it would lead to others too."""

    edge: EdgePattern
    targets: _Types
    reached: _Types


class _Lowering:
    """Makes one query. The methods of `_TOOLS` are tools, with their parameters."""

    def __init__(self, schema: Schema, find: Find) -> None:
        self._schema = schema
        self._find = find
        self._taken: set[str] = set()

    def whole(self, call: Call) -> Query:
        """The query of a whole call."""
        if call.function == "Union" and call.graph is None:
            parameters, _ = _TOOLS["Union"]
            bags = [self._bag(each) for each in _given(call, parameters).values()]
            return Query(tuple([_part(bag, bags[0].node) for bag in bags]))
        return Query((_part(self._made(call)),))

    def _made(self, value: Expression) -> _Bag | _List | _Value:
        """What a call gives. A literal has no query: what it means hangs on what it is given to."""
        if not isinstance(value, Call) or value.graph is not None or value.function not in _TOOLS:
            raise _NoQueryError
        parameters, method = _TOOLS[value.function]
        return cast(_Bag | _List | _Value, method(self, **_given(value, parameters)))

    def _bag(self, value: Expression) -> _Bag:
        """The nodes that a call gives or a literal names."""
        made = self._made(value) if isinstance(value, Call) else self._literal(value)
        if not isinstance(made, _Bag):
            raise _NoQueryError
        return made

    def _one(self, value: Expression) -> _Bag:
        """A bag that is one node, whatever the graph: a name."""
        if isinstance(value, Text | NodeRef) or (
            isinstance(value, Call) and value.function == "RetrieveNode"
        ):
            return self._bag(value)
        raise _NoQueryError

    def _literal(self, value: Expression) -> _Bag:
        """The node that a name means, or some nodes by their names."""
        if isinstance(value, Text | NodeRef):
            return self._matched(self._find(value.value if isinstance(value, Text) else value.id, None))
        names = (
            [each.value for each in value.values if isinstance(each, Text)]
            if isinstance(value, Items)
            else []
        )
        found = [self._find(name, None) for name in names]
        entries = [entry for each in found for entry in each.properties]
        keys = {(each.labels, tuple([entry.name for entry in each.properties])) for each in found}
        # One condition says them all where each is told by one value of the same property, and none stands twice.
        if not isinstance(value, Items) or len(found) < len(value.values) or len(keys) != 1:
            raise _NoQueryError
        if len(set(entries)) != len(found):
            raise _NoQueryError
        bag = self._matched(NodePattern("", found[0].labels))
        values = Items(tuple([cast(Expression, entry.value) for entry in entries]))
        return bag.where(Operation("in", (Property(bag.entry, entries[0].name), values)))

    def _matched(self, pattern: NodePattern) -> _Bag:
        node = self._fresh(pattern.labels)
        matched = Match((Pattern((replace(pattern, variable=node),)),))
        return _Bag((matched,), node, pattern.labels or self._all_types, unique=True)

    @property
    def _all_types(self) -> _Types:
        return tuple([t.name for t in self._schema.node_types])

    def _fresh(self, types: Iterable[str] = (), otherwise: str = "node") -> str:
        """A new variable, called after the one type that its nodes have."""
        types = [*types]
        name = re.sub(r"\W+", "_", types[0]).strip("_").lower() if len(types) == 1 else otherwise
        name = otherwise if not name or name[0].isdigit() else name
        numbered = (name if number == 1 else f"{name}{number}" for number in range(1, len(self._taken) + 2))
        fresh = next(each for each in numbered if each not in self._taken)
        self._taken.add(fresh)
        return fresh

    # nodes and their neighbours

    def retrieve_node(self, keyword: Expression, node_type: Expression | None = None) -> _Bag:
        return self._matched(self._find(_text(keyword), None if node_type is None else self._type(node_type)))

    def nodes(self, node_type: Expression) -> _Bag:
        return self._matched(NodePattern("", (self._type(node_type),)))

    def node_feature(self, node: Expression, feature: Expression) -> _List:
        bag, name = self._bag(node).settled(), _text(feature)
        return _List(bag.clauses, Property(bag.entry, name), name, self._kind(bag, name), gaps=True)

    def neighbour_check(self, node: Expression, neighbor_type: Expression) -> _Bag:
        bag = self._bag(node).settled()
        step = self._step(bag.types, _text(neighbor_type))
        name = self._fresh(step.targets)
        reached = NodePattern(name, step.reached or (step.targets if len(step.targets) == 1 else ()))
        last = bag.clauses[-1]
        if isinstance(last, Match) and _may_extend(last, bag.node, step.edge):
            path = last.patterns[0]
            longer = replace(path, nodes=(*path.nodes, reached), edges=(*path.edges, step.edge))
            return _Bag((*bag.clauses[:-1], replace(last, patterns=(longer,))), name, step.targets)
        path = Pattern((NodePattern(bag.node), reached), (step.edge,))
        return _Bag((*bag.clauses, Match((path,))), name, step.targets)

    def node_degree(self, node: Expression, neighbor_type: Expression) -> _List:
        bag = self._bag(node).settled()
        return _List(bag.clauses, self._degree(bag, _text(neighbor_type)), "degree", "number")

    def neighbourhood(self, node: Expression, hops: Expression = _ONE) -> _Bag:
        bag, name = self._one(node), self._fresh()
        around = EdgePattern("", (), "both", True, 0, _whole(hops))
        path = Pattern((NodePattern(bag.node), NodePattern(name)), (around,))
        return _Bag((*bag.clauses, Match((path,))), name, self._all_types).taken_once()

    # sets

    def distinct(self, entries: Expression) -> _Bag | _List:
        made = self._made(entries)
        if isinstance(made, _Bag):
            return made.taken_once()
        if isinstance(made, _Value):
            raise _NoQueryError
        only = With(Projection((Column(made.entry, made.name),), distinct=True))
        return replace(made, clauses=(*made.clauses, only), entry=Variable(made.name))

    def intersect(self, first: Expression, second: Expression) -> _Bag:
        bag, other = self._bag(first), self._bag(second)
        shared = tuple([t for t in bag.types if t in other.types]) or bag.types
        if other.simple:
            joined = (*bag.clauses, *_renamed(other.clauses, other.node, bag.node))
            return _Bag(joined, bag.node, shared).taken_once()
        return replace(bag.where(_inside(bag, other)), types=shared).taken_once()

    def union(self, first: Expression, second: Expression) -> _Bag:
        """Inside of another call; a whole call is `… UNION …`."""
        bags = self._bag(first), self._bag(second)
        types = tuple(dict.fromkeys([t for bag in bags for t in bag.types]))
        name = self._fresh(types)
        one, other = (Subquery("collect", Query((_part(bag),))) for bag in bags)
        return _Bag((Unwind(Operation("+", (one, other)), name),), name, types).taken_once()

    def difference(self, first: Expression, second: Expression) -> _Bag:
        bag = self._bag(first)
        return bag.where(Operation("not", (_inside(bag, self._bag(second)),)))

    def contains(self, bag: Expression, node: Expression) -> _Value:
        one = self._one(node)
        return _Value(one.clauses, _inside(one, self._bag(bag)), "contains")

    # choices

    def filter(
        self, nodes: Expression, feature: Expression, comparison: Expression, value: Expression
    ) -> _Bag:
        bag, name = self._bag(nodes), _text(feature)
        kind = self._kind(bag, name)
        return bag.where(_compared(Property(bag.entry, name), kind, _text(comparison), value))

    def filter_degree(
        self, nodes: Expression, neighbor_type: Expression, comparison: Expression, number: Expression
    ) -> _Bag:
        relation = _text(neighbor_type)
        bag = self._able(self._bag(nodes), relation)
        return bag.where(Operation(_sign(comparison), (self._degree(bag, relation), _number(number))))

    def frequent(self, bag: Expression, comparison: Expression, number: Expression) -> _Bag | _List:
        made, times = self._counted(bag)
        last = made.clauses[-1]
        assert isinstance(last, With)
        kept = replace(last, where=Operation(_sign(comparison), (times, _number(number))))
        return replace(made, clauses=(*made.clauses[:-1], kept))

    def most_frequent(self, bag: Expression, k: Expression = _ONE) -> _Bag | _List:
        made, times = self._counted(bag)
        return replace(made, clauses=(*made.clauses, *self._ranked(made.entry, times, k, descending=True)))

    def _counted(self, entries: Expression) -> tuple[_Bag | _List, Variable]:
        """Each entry once, beside how often it stands there. Empty values go, and lists are taken apart."""
        made = self._made(entries)
        if isinstance(made, _Value):
            raise _NoQueryError
        if isinstance(made, _Bag):
            made, name = made.settled(), made.node
        elif made.kind == "list":
            name = self._fresh(otherwise=_plain(made.name))
            made = _List((*made.clauses, Unwind(made.entry, name)), Variable(name), name, None)
        else:
            name = self._fresh(otherwise=_plain(made.name))
            there = Operation("is not null", (Variable(name),))
            some = With(Projection((Column(made.entry, name),)), there)
            made = _List((*made.clauses, some), Variable(name), made.name, made.kind)
        times = self._fresh(otherwise="times")
        counted = With(Projection((Column(made.entry, name), Column(Apply("count"), times))))
        made = replace(made, unique=True) if isinstance(made, _Bag) else made
        return replace(made, clauses=(*made.clauses, counted)), Variable(times)

    def top(self, nodes: Expression, feature: Expression, k: Expression = _ONE) -> _Bag:
        return self._extreme(nodes, feature, k, descending=True)

    def bottom(self, nodes: Expression, feature: Expression, k: Expression = _ONE) -> _Bag:
        return self._extreme(nodes, feature, k, descending=False)

    def _extreme(self, nodes: Expression, feature: Expression, k: Expression, descending: bool) -> _Bag:
        bag, name = self._bag(nodes), _text(feature)
        if self._kind(bag, name) not in ("number", "date"):
            raise _NoQueryError
        key = Property(bag.entry, name)
        known = bag.where(Operation("is not null", (key,)))
        return known.taken_once().then(*self._ranked(bag.entry, key, k, descending))

    def top_degree(self, nodes: Expression, neighbor_type: Expression, k: Expression = _ONE) -> _Bag:
        return self._extreme_degree(nodes, neighbor_type, k, descending=True)

    def bottom_degree(self, nodes: Expression, neighbor_type: Expression, k: Expression = _ONE) -> _Bag:
        return self._extreme_degree(nodes, neighbor_type, k, descending=False)

    def _extreme_degree(
        self, nodes: Expression, neighbor_type: Expression, k: Expression, descending: bool
    ) -> _Bag:
        bag = self._able(self._bag(nodes), _text(neighbor_type)).taken_once()
        return bag.then(*self._ranked(bag.entry, self._degree(bag, _text(neighbor_type)), k, descending))

    def _ranked(self, entry: Term, by: Term, k: Expression, descending: bool) -> tuple[Clause, ...]:
        """The first `k` by a key, and all that tie with the last of these, whose key is looked up for that."""
        place = _whole(k) - 1
        if place < 0 or not isinstance(entry, Variable):
            raise _NoQueryError
        names = ("key", "ranked", "each", "least")
        key, ranked, each, least = (Variable(self._fresh(otherwise=name)) for name in names)
        pair = Map((Entry("of", entry), Entry("key", key)))
        ordered = Projection((_same(entry), Column(by, key.name)), order=(SortItem(key, descending),))
        last = Column(Property(Element(ranked, Number(place)), "key"), least.name)
        again = (
            Column(Property(each, "of"), entry.name),
            Column(Property(each, "key"), key.name),
            _same(least),
        )
        good = Operation(">=" if descending else "<=", (key, least))
        return (
            With(ordered),
            With(Projection((Column(Apply("collect", (pair,)), ranked.name),))),
            With(Projection((_same(ranked), last))),
            Unwind(ranked, each.name),
            With(Projection(again), Operation("or", (Operation("is null", (least,)), good))),
        )

    # numbers

    def count(self, entries: Expression) -> _Value:
        made = self._made(entries)
        if isinstance(made, _Bag):
            return _Value(made.clauses, Apply("count", (made.entry,), made.once), "count")
        if isinstance(made, _Value) or made.gaps:
            raise _NoQueryError  # the count of one missing value is 0, that of a list with gaps its length
        return _Value(made.clauses, Apply("count"), "count")

    def average(self, numbers: Expression) -> _Value:
        return self._aggregate("avg", "average", numbers, ("number",))

    def sum(self, numbers: Expression) -> _Value:
        return self._aggregate("sum", "sum", numbers, ("number",))

    def minimum(self, numbers: Expression) -> _Value:
        return self._aggregate("min", "minimum", numbers, ("number", "date"))

    def maximum(self, numbers: Expression) -> _Value:
        return self._aggregate("max", "maximum", numbers, ("number", "date"))

    def _aggregate(
        self, function: str, name: str, numbers: Expression, kinds: tuple[FeatureKind, ...]
    ) -> _Value:
        made = self._made(numbers)
        if not isinstance(made, _List) or made.kind not in kinds:
            raise _NoQueryError
        return _Value(made.clauses, Apply(function, (made.entry,)), name)

    # paths

    def path(self, first: Expression, second: Expression) -> _Bag:
        clauses, found = self._shortest(first, second, None)
        name = self._fresh()
        return _Bag((*clauses, Unwind(Apply("nodes", (found,)), name)), name, self._all_types)

    def path_length(self, first: Expression, second: Expression) -> _Value:
        clauses, found = self._shortest(first, second, None)
        return _Value(clauses, Apply("coalesce", (Apply("length", (found,)), Number(float("inf")))), "length")

    def connected(self, first: Expression, second: Expression, max_hops: Expression | None = None) -> _Value:
        clauses, found = self._shortest(first, second, None if max_hops is None else _whole(max_hops))
        return _Value(clauses, Operation("is not null", (found,)), "connected")

    def _shortest(
        self, first: Expression, second: Expression, most: int | None
    ) -> tuple[tuple[Clause, ...], Variable]:
        """Two nodes and a shortest path between them, edges followed either way; null where there is none."""
        one, other, path = self._one(first), self._one(second), self._fresh(otherwise="path")
        edge = EdgePattern("", (), "both", True, 0, most)
        pattern = Pattern((NodePattern(one.node), NodePattern(other.node)), (edge,), path, "one")
        return (*one.clauses, *other.clauses, Match((pattern,), optional=True)), Variable(path)

    # the same neighbours

    def share_neighbours(self, node: Expression, neighbor_type: Expression) -> _Bag:
        return self._sharing(node, neighbor_type, exactly=False)

    def same_neighbours(self, node: Expression, neighbor_type: Expression) -> _Bag:
        return self._sharing(node, neighbor_type, exactly=True)

    def _sharing(self, node: Expression, neighbor_type: Expression, exactly: bool) -> _Bag:
        """The others of its type that have all the neighbours of a node; exactly: and have no more."""
        bag = self._one(node)
        if len(bag.types) != 1:
            raise _NoQueryError
        step = self._step(bag.types, _text(neighbor_type))
        shared, other, more = self._fresh(step.targets), self._fresh(bag.types), self._fresh(step.targets)
        wanted, found = (Variable(self._fresh(otherwise=name)) for name in ("wanted", "found"))

        def path(start: NodePattern, end: str) -> Pattern:
            return Pattern((start, NodePattern(end, step.reached)), (step.edge,))

        kept: Term = Operation("=", (found, Apply("size", (wanted,))))
        if exactly:
            others = Operation("not", (Operation("in", (Variable(more), wanted)),))
            beyond = Subquery("exists", Query((Part((Match((path(NodePattern(other), more),), others),)),)))
            kept = Operation("and", (kept, Operation("not", (beyond,))))
        each = (Variable(shared),)
        collected = Column(Apply("collect", each, distinct=True), wanted.name)
        counted = Column(Apply("count", each, distinct=True), found.name)
        clauses: tuple[Clause, ...] = (
            *bag.clauses,
            Match((path(NodePattern(bag.node), shared),)),
            With(Projection((Column(bag.entry, bag.node), collected))),
            Unwind(wanted, shared),
            Match(
                (path(NodePattern(other, bag.types), shared),), Operation("<>", (Variable(other), bag.entry))
            ),
            With(Projection((_same(Variable(other)), _same(wanted), counted)), kept),
        )
        return _Bag(clauses, other, bag.types, unique=True)

    # names of the schema

    def _type(self, name: Expression) -> str:
        found = pick(_text(name), self._all_types)
        if found is None:
            raise _NoQueryError
        return found

    def _step(self, types: _Types, name: str) -> _Step:
        """The edges that lead from nodes of these types to their neighbours of a kind, and to no others."""
        views = [view for t in types for view in self._schema.views_from(t).get(name, ())]
        relations = tuple(dict.fromkeys([self._schema.relations[view.relation].name for view in views]))
        targets = tuple(dict.fromkeys([view.target for view in views]))
        ways = {view.direction for view in views}
        way: Way = ways.pop() if len(ways) == 1 else "both"
        wanted = {(view.relation, view.source, view.direction) for view in views}
        for reached in ((), targets):
            followed = {
                (view.relation, view.source, view.direction)
                for view in self._schema.views
                if view.source in types
                and self._schema.relations[view.relation].name in relations
                and (way == "both" or view.direction in (way, "both"))
                and (not reached or view.target in reached)
            }
            if wanted and wanted == followed:
                return _Step(EdgePattern("", relations, way), targets, reached)
        raise _NoQueryError

    def _degree(self, bag: _Bag, relation: str) -> Term:
        """How many neighbours the node of a row has."""
        step = self._step(bag.types, relation)
        path = Pattern((NodePattern(bag.node), NodePattern("", step.reached)), (step.edge,))
        return Subquery("count", Query((Part((Match((path,)),)),)))

    def _able(self, bag: _Bag, relation: str) -> _Bag:
        """Only nodes of types that have such neighbours at all."""
        able = tuple([t for t in bag.types if relation in self._schema.views_from(t)])
        if not able:
            raise _NoQueryError
        if able == bag.types:
            return bag
        some: Term = Labelled(bag.entry, able[:1])
        for t in able[1:]:
            some = Operation("or", (some, Labelled(bag.entry, (t,))))
        return replace(bag.where(some), types=able)

    def _kind(self, bag: _Bag, feature: str) -> FeatureKind | None:
        """The kind of a feature where all types that have it agree."""
        kinds = {f.kind for t in bag.types for f in self._schema.node_type(t).features if f.name == feature}
        return kinds.pop() if len(kinds) == 1 else None


_TOOLS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "RetrieveNode": ("keyword node_type?", _Lowering.retrieve_node),
    "Nodes": ("node_type", _Lowering.nodes),
    "NodeFeature": ("node feature", _Lowering.node_feature),
    "NeighbourCheck": ("node neighbor_type", _Lowering.neighbour_check),
    "NodeDegree": ("node neighbor_type", _Lowering.node_degree),
    "Neighbourhood": ("node hops?", _Lowering.neighbourhood),
    "Distinct": ("entries", _Lowering.distinct),
    "Intersect": ("first second", _Lowering.intersect),
    "Union": ("first second", _Lowering.union),
    "Difference": ("first second", _Lowering.difference),
    "Contains": ("bag node", _Lowering.contains),
    "Filter": ("nodes feature comparison value", _Lowering.filter),
    "FilterDegree": ("nodes neighbor_type comparison number", _Lowering.filter_degree),
    "Frequent": ("bag comparison number", _Lowering.frequent),
    "MostFrequent": ("bag k?", _Lowering.most_frequent),
    "Top": ("nodes feature k?", _Lowering.top),
    "Bottom": ("nodes feature k?", _Lowering.bottom),
    "TopDegree": ("nodes neighbor_type k?", _Lowering.top_degree),
    "BottomDegree": ("nodes neighbor_type k?", _Lowering.bottom_degree),
    "Count": ("entries", _Lowering.count),
    "Average": ("numbers", _Lowering.average),
    "Sum": ("numbers", _Lowering.sum),
    "Minimum": ("numbers", _Lowering.minimum),
    "Maximum": ("numbers", _Lowering.maximum),
    "Path": ("first second", _Lowering.path),
    "PathLength": ("first second", _Lowering.path_length),
    "Connected": ("first second max_hops?", _Lowering.connected),
    "ShareNeighbours": ("node neighbor_type", _Lowering.share_neighbours),
    "SameNeighbours": ("node neighbor_type", _Lowering.same_neighbours),
}
"""Each tool that is made of operations on rows, with its parameters; `?` marks those that may be left out."""


def _given(call: Call, parameters: str) -> dict[str, Expression]:
    """The arguments of a call by name."""
    names = parameters.replace("?", "").split()
    given = {**dict(zip(names, call.arguments, strict=False)), **dict(call.keywords)}
    needed = [name for name in parameters.split() if not name.endswith("?")]
    if len(call.arguments) > len(names) or not {*needed} <= {*given} <= {*names}:
        raise _NoQueryError
    return given


def _part(made: _Bag | _List | _Value, name: str = "") -> Part:
    """A whole part of a query, which gives what was made."""
    own = made.node if isinstance(made, _Bag) else made.name
    once = isinstance(made, _Bag) and made.once
    return Part((*made.clauses, Return(Projection((Column(made.entry, name or own),), distinct=once))))


def _inside(bag: _Bag, other: _Bag) -> Term:
    """Whether the node of a row is in another bag: a pattern that ends in it, where that bag is one."""
    if other.simple:
        return Subquery("exists", Query((Part(_renamed(other.clauses, other.node, bag.node)),)))
    return Operation("in", (bag.entry, Subquery("collect", Query((_part(other),)))))


def _renamed(part: _P, old: str, new: str) -> _P:
    """A part of a query with another name for a variable of its nodes."""
    if isinstance(part, tuple):
        return cast(_P, tuple([_renamed(each, old, new) for each in part]))
    if isinstance(part, Variable):
        return cast(_P, Variable(new) if part.name == old else part)
    if not is_dataclass(part) or isinstance(part, Text | Call):
        return part
    changed = {f.name: _renamed(getattr(part, f.name), old, new) for f in fields(part)}
    if isinstance(part, NodePattern) and part.variable == old:
        changed["variable"] = new
    return replace(part, **changed)  # type: ignore[type-var]


def _may_extend(match: Match, node: str, edge: EdgePattern) -> bool:
    """Whether a pattern that ends in a node may go on by an edge: edges of one MATCH must differ, those of two need not."""
    path = match.patterns[0]
    plain = len(match.patterns) == 1 and not (match.optional or path.shortest)
    used = {name for each in path.edges for name in each.relations}
    several = any(each.several for each in path.edges)
    return plain and not several and path.nodes[-1].variable == node and used.isdisjoint(edge.relations)


def _same(variable: Variable) -> Column:
    return Column(variable, variable.name)


def _plain(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").lower() or "value"


def _text(value: Expression) -> str:
    if isinstance(value, Text):
        return value.value
    raise _NoQueryError


def _whole(value: Expression) -> int:
    if isinstance(value, Number) and float(value.value).is_integer():
        return int(value.value)
    raise _NoQueryError


def _number(value: Expression) -> Number:
    if isinstance(value, Number):
        return value
    raise _NoQueryError


def _sign(comparison: Expression) -> Operator:
    sign = _SIGNS.get(_text(comparison))
    if sign is None:
        raise _NoQueryError
    return sign


def _spelled(value: Expression) -> float | int | None:
    """The number that a literal is or spells."""
    if isinstance(value, Number):
        return value.value
    try:
        return float(value.value.replace(",", "")) if isinstance(value, Text) else None
    except ValueError:
        return None


def _compared(own: Term, kind: FeatureKind | None, comparison: str, value: Expression) -> Term:
    """The condition of `Filter` for a feature of a kind: texts in lower case, years and months as a whole."""
    number = _spelled(value)
    sign = _SIGNS.get(comparison)
    if kind == "number" and number is not None and sign is not None:
        return Operation(sign, (own, Number(number)))
    if kind == "boolean" and isinstance(value, Boolean) and sign in ("=", "<>"):
        return Operation(sign, (own, value))
    if kind == "date" and sign is not None and isinstance(value, Text | Number):
        return _in_time(own, sign, str(value.value))
    if not isinstance(value, Text) or number is not None:
        raise _NoQueryError
    lowered = Text(value.value.lower())
    if kind == "text":
        return Operation(sign or "contains", (Apply("tolower", (own,)), lowered))
    if kind == "list" and comparison in ("=", "!=", "contains"):
        same = Operation("=", (Apply("tolower", (Apply("tostring", (Variable("each"),)),)), lowered))
        any_of = Quantified("any", "each", own, same)
        return Operation("not", (any_of,)) if comparison == "!=" else any_of
    raise _NoQueryError


def _in_time(own: Term, sign: Operator, written: str) -> Term:
    """A date compared with a day, or with a month or a year as a whole: `> 2001` is from 2002 on."""
    match = _PERIOD.fullmatch(written.strip())
    if match is None:
        raise _NoQueryError
    year, month, day = int(match[1]), int(match[2] or 1), int(match[3] or 1)
    try:
        start = date(year, month, day)
        if match[3]:
            return Operation(sign, (own, _day(start)))
        end = date(year + (month == 12 or not match[2]), month % 12 + 1 if match[2] else 1, 1)
    except ValueError:
        raise _NoQueryError from None
    from_start, before_end = Operation(">=", (own, _day(start))), Operation("<", (own, _day(end)))
    if sign in ("<", ">="):
        return from_start if sign == ">=" else Operation("<", (own, _day(start)))
    if sign in (">", "<="):
        return before_end if sign == "<=" else Operation(">=", (own, _day(end)))
    during = Operation("and", (from_start, before_end))
    return during if sign == "=" else Operation("not", (during,))


def _day(day: date) -> Term:
    return Apply("date", (Text(day.isoformat()),))
