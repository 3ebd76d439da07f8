"""Each tool that is made of operations on rows: its own operations, with its parameters."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias, cast

from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
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
    Part,
    Pattern,
    Projection,
    Property,
    Query,
    SortItem,
    Subquery,
    Term,
    Unwind,
    Variable,
    With,
)
from graphtalk.engines.lower.conditions import compared, number_of, sign_of, text, whole_number
from graphtalk.engines.lower.rows import (
    BagRows,
    Entries,
    NoQueryError,
    Single,
    Types,
    inside,
    may_extend,
    part_of,
    plain,
    renamed,
    same,
)
from graphtalk.engines.lower.steps import kind_of, step_along, views
from graphtalk.engines.naming import pick
from graphtalk.graphs.schema import FeatureKind, Schema

Find: TypeAlias = Callable[[str, str | None], NodePattern]
"""The node that a name means, of a type where one is given, as a pattern that fits this node alone."""
_ONE = Number(1)


class Lowering:
    """Makes one query. The methods of `TOOLS` are tools, with their parameters."""

    def __init__(self, schema: Schema, find: Find) -> None:
        self._schema = schema
        self._find = find
        self._taken: set[str] = set()

    def whole(self, call: Call) -> Query:
        """The query of a whole call."""
        if call.function == "Union" and call.graph is None:
            parameters, _ = TOOLS["Union"]
            bags = [self._bag(each) for each in given(call, parameters).values()]
            return Query(tuple([part_of(bag, bags[0].node) for bag in bags]))
        return Query((part_of(self._made(call)),))

    def _made(self, value: Expression) -> BagRows | Entries | Single:
        """What a call gives. A literal has no query: what it means hangs on what it is given to."""
        if not isinstance(value, Call) or value.graph is not None or value.function not in TOOLS:
            raise NoQueryError
        parameters, method = TOOLS[value.function]
        return cast(BagRows | Entries | Single, method(self, **given(value, parameters)))

    def _bag(self, value: Expression) -> BagRows:
        """The nodes that a call gives or a literal names."""
        made = self._made(value) if isinstance(value, Call) else self._literal(value)
        if not isinstance(made, BagRows):
            raise NoQueryError
        return made

    def _one(self, value: Expression) -> BagRows:
        """A bag that is one node, whatever the graph: a name."""
        if isinstance(value, Text | NodeRef) or (
            isinstance(value, Call) and value.function == "RetrieveNode"
        ):
            return self._bag(value)
        raise NoQueryError

    def _literal(self, value: Expression) -> BagRows:
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
            raise NoQueryError
        if len(set(entries)) != len(found):
            raise NoQueryError
        bag = self._matched(NodePattern("", found[0].labels))
        values = Items(tuple([cast(Expression, entry.value) for entry in entries]))
        return bag.where(Operation("in", (Property(bag.entry, entries[0].name), values)))

    def _matched(self, pattern: NodePattern) -> BagRows:
        node = self._fresh(pattern.labels)
        matched = Match((Pattern((replace(pattern, variable=node),)),))
        return BagRows((matched,), node, pattern.labels or self._all_types, unique=True)

    @property
    def _all_types(self) -> Types:
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

    def retrieve_node(self, keyword: Expression, node_type: Expression | None = None) -> BagRows:
        return self._matched(self._find(text(keyword), None if node_type is None else self._type(node_type)))

    def nodes(self, node_type: Expression) -> BagRows:
        return self._matched(NodePattern("", (self._type(node_type),)))

    def node_feature(self, node: Expression, feature: Expression) -> Entries:
        bag, name = self._bag(node).settled(), text(feature)
        return Entries(
            bag.clauses, Property(bag.entry, name), name, kind_of(self._schema, bag.types, name), gaps=True
        )

    def neighbour_check(self, node: Expression, neighbor_type: Expression) -> BagRows:
        bag = self._bag(node).settled()
        step = step_along(self._schema, bag.types, text(neighbor_type))
        name = self._fresh(step.targets)
        reached = NodePattern(name, step.reached or (step.targets if len(step.targets) == 1 else ()))
        last = bag.clauses[-1]
        if isinstance(last, Match) and may_extend(last, bag.node, step.edge):
            path = last.patterns[0]
            longer = replace(path, nodes=(*path.nodes, reached), edges=(*path.edges, step.edge))
            return BagRows((*bag.clauses[:-1], replace(last, patterns=(longer,))), name, step.targets)
        path = Pattern((NodePattern(bag.node), reached), (step.edge,))
        return BagRows((*bag.clauses, Match((path,))), name, step.targets)

    def node_degree(self, node: Expression, neighbor_type: Expression) -> Entries:
        bag = self._bag(node).settled()
        return Entries(bag.clauses, self._degree(bag, text(neighbor_type)), "degree", "number")

    def neighbourhood(self, node: Expression, hops: Expression = _ONE) -> BagRows:
        bag, name = self._one(node), self._fresh()
        around = EdgePattern("", (), "both", True, 0, whole_number(hops))
        path = Pattern((NodePattern(bag.node), NodePattern(name)), (around,))
        return BagRows((*bag.clauses, Match((path,))), name, self._all_types).taken_once()

    # sets

    def distinct(self, entries: Expression) -> BagRows | Entries:
        made = self._made(entries)
        if isinstance(made, BagRows):
            return made.taken_once()
        if isinstance(made, Single):
            raise NoQueryError
        only = With(Projection((Column(made.entry, made.name),), distinct=True))
        return replace(made, clauses=(*made.clauses, only), entry=Variable(made.name))

    def intersect(self, first: Expression, second: Expression) -> BagRows:
        bag, other = self._bag(first), self._bag(second)
        shared = tuple([t for t in bag.types if t in other.types]) or bag.types
        if other.simple:
            joined = (*bag.clauses, *renamed(other.clauses, other.node, bag.node))
            return BagRows(joined, bag.node, shared).taken_once()
        return replace(bag.where(inside(bag, other)), types=shared).taken_once()

    def union(self, first: Expression, second: Expression) -> BagRows:
        """Inside of another call; a whole call is `… UNION …`."""
        bags = self._bag(first), self._bag(second)
        types = tuple(dict.fromkeys([t for bag in bags for t in bag.types]))
        name = self._fresh(types)
        one, other = (Subquery("collect", Query((part_of(bag),))) for bag in bags)
        return BagRows((Unwind(Operation("+", (one, other)), name),), name, types).taken_once()

    def difference(self, first: Expression, second: Expression) -> BagRows:
        bag = self._bag(first)
        return bag.where(Operation("not", (inside(bag, self._bag(second)),)))

    def contains(self, bag: Expression, node: Expression) -> Single:
        one = self._one(node)
        return Single(one.clauses, inside(one, self._bag(bag)), "contains")

    # choices

    def filter(
        self, nodes: Expression, feature: Expression, comparison: Expression, value: Expression
    ) -> BagRows:
        bag, name = self._bag(nodes), text(feature)
        kind = kind_of(self._schema, bag.types, name)
        return bag.where(compared(Property(bag.entry, name), kind, text(comparison), value))

    def filter_degree(
        self, nodes: Expression, neighbor_type: Expression, comparison: Expression, number: Expression
    ) -> BagRows:
        relation = text(neighbor_type)
        bag = self._able(self._bag(nodes), relation)
        return bag.where(Operation(sign_of(comparison), (self._degree(bag, relation), number_of(number))))

    def frequent(self, bag: Expression, comparison: Expression, number: Expression) -> BagRows | Entries:
        made, times = self._counted(bag)
        last = made.clauses[-1]
        assert isinstance(last, With)
        kept = replace(last, where=Operation(sign_of(comparison), (times, number_of(number))))
        return replace(made, clauses=(*made.clauses[:-1], kept))

    def most_frequent(self, bag: Expression, k: Expression = _ONE) -> BagRows | Entries:
        made, times = self._counted(bag)
        return replace(made, clauses=(*made.clauses, *self._ranked(made.entry, times, k, descending=True)))

    def _counted(self, entries: Expression) -> tuple[BagRows | Entries, Variable]:
        """Each entry once, beside how often it stands there. Empty values go, and lists are taken apart."""
        made = self._made(entries)
        if isinstance(made, Single):
            raise NoQueryError
        if isinstance(made, BagRows):
            made, name = made.settled(), made.node
        elif made.kind == "list":
            name = self._fresh(otherwise=plain(made.name))
            made = Entries((*made.clauses, Unwind(made.entry, name)), Variable(name), name, None)
        else:
            name = self._fresh(otherwise=plain(made.name))
            there = Operation("is not null", (Variable(name),))
            some = With(Projection((Column(made.entry, name),)), there)
            made = Entries((*made.clauses, some), Variable(name), made.name, made.kind)
        times = self._fresh(otherwise="times")
        counted = With(Projection((Column(made.entry, name), Column(Apply("count"), times))))
        made = replace(made, unique=True) if isinstance(made, BagRows) else made
        return replace(made, clauses=(*made.clauses, counted)), Variable(times)

    def top(self, nodes: Expression, feature: Expression, k: Expression = _ONE) -> BagRows:
        return self._extreme(nodes, feature, k, descending=True)

    def bottom(self, nodes: Expression, feature: Expression, k: Expression = _ONE) -> BagRows:
        return self._extreme(nodes, feature, k, descending=False)

    def _extreme(self, nodes: Expression, feature: Expression, k: Expression, descending: bool) -> BagRows:
        bag, name = self._bag(nodes), text(feature)
        if kind_of(self._schema, bag.types, name) not in ("number", "date"):
            raise NoQueryError
        key = Property(bag.entry, name)
        known = bag.where(Operation("is not null", (key,)))
        return known.taken_once().then(*self._ranked(bag.entry, key, k, descending))

    def top_degree(self, nodes: Expression, neighbor_type: Expression, k: Expression = _ONE) -> BagRows:
        return self._extreme_degree(nodes, neighbor_type, k, descending=True)

    def bottom_degree(self, nodes: Expression, neighbor_type: Expression, k: Expression = _ONE) -> BagRows:
        return self._extreme_degree(nodes, neighbor_type, k, descending=False)

    def _extreme_degree(
        self, nodes: Expression, neighbor_type: Expression, k: Expression, descending: bool
    ) -> BagRows:
        bag = self._able(self._bag(nodes), text(neighbor_type)).taken_once()
        return bag.then(*self._ranked(bag.entry, self._degree(bag, text(neighbor_type)), k, descending))

    def _ranked(self, entry: Term, by: Term, k: Expression, descending: bool) -> tuple[Clause, ...]:
        """The first `k` by a key, and all that tie with the last of these, whose key is looked up for that."""
        place = whole_number(k) - 1
        if place < 0 or not isinstance(entry, Variable):
            raise NoQueryError
        names = ("key", "ranked", "each", "least")
        key, ranked, each, least = (Variable(self._fresh(otherwise=name)) for name in names)
        pair = Map((Entry("of", entry), Entry("key", key)))
        ordered = Projection((same(entry), Column(by, key.name)), order=(SortItem(key, descending),))
        last = Column(Property(Element(ranked, Number(place)), "key"), least.name)
        again = (
            Column(Property(each, "of"), entry.name),
            Column(Property(each, "key"), key.name),
            same(least),
        )
        good = Operation(">=" if descending else "<=", (key, least))
        return (
            With(ordered),
            With(Projection((Column(Apply("collect", (pair,)), ranked.name),))),
            With(Projection((same(ranked), last))),
            Unwind(ranked, each.name),
            With(Projection(again), Operation("or", (Operation("is null", (least,)), good))),
        )

    # numbers

    def count(self, entries: Expression) -> Single:
        made = self._made(entries)
        if isinstance(made, BagRows):
            return Single(made.clauses, Apply("count", (made.entry,), made.once), "count")
        if isinstance(made, Single) or made.gaps:
            raise NoQueryError  # the count of one missing value is 0, that of a list with gaps its length
        return Single(made.clauses, Apply("count"), "count")

    def average(self, numbers: Expression) -> Single:
        return self._aggregate("avg", "average", numbers, ("number",))

    def sum(self, numbers: Expression) -> Single:
        return self._aggregate("sum", "sum", numbers, ("number",))

    def minimum(self, numbers: Expression) -> Single:
        return self._aggregate("min", "minimum", numbers, ("number", "date"))

    def maximum(self, numbers: Expression) -> Single:
        return self._aggregate("max", "maximum", numbers, ("number", "date"))

    def _aggregate(
        self, function: str, name: str, numbers: Expression, kinds: tuple[FeatureKind, ...]
    ) -> Single:
        made = self._made(numbers)
        if not isinstance(made, Entries) or made.kind not in kinds:
            raise NoQueryError
        return Single(made.clauses, Apply(function, (made.entry,)), name)

    # paths

    def path(self, first: Expression, second: Expression) -> BagRows:
        clauses, found = self._shortest(first, second, None)
        name = self._fresh()
        return BagRows((*clauses, Unwind(Apply("nodes", (found,)), name)), name, self._all_types)

    def path_length(self, first: Expression, second: Expression) -> Single:
        clauses, found = self._shortest(first, second, None)
        return Single(clauses, Apply("coalesce", (Apply("length", (found,)), Number(float("inf")))), "length")

    def connected(self, first: Expression, second: Expression, max_hops: Expression | None = None) -> Single:
        clauses, found = self._shortest(first, second, None if max_hops is None else whole_number(max_hops))
        return Single(clauses, Operation("is not null", (found,)), "connected")

    def _shortest(
        self, first: Expression, second: Expression, most: int | None
    ) -> tuple[tuple[Clause, ...], Variable]:
        """Two nodes and a shortest path between them, edges followed either way; null where there is none."""
        one, other, path = self._one(first), self._one(second), self._fresh(otherwise="path")
        edge = EdgePattern("", (), "both", True, 0, most)
        pattern = Pattern((NodePattern(one.node), NodePattern(other.node)), (edge,), path, "one")
        return (*one.clauses, *other.clauses, Match((pattern,), optional=True)), Variable(path)

    # the same neighbours

    def share_neighbours(self, node: Expression, neighbor_type: Expression) -> BagRows:
        return self._sharing(node, neighbor_type, exactly=False)

    def same_neighbours(self, node: Expression, neighbor_type: Expression) -> BagRows:
        return self._sharing(node, neighbor_type, exactly=True)

    def _sharing(self, node: Expression, neighbor_type: Expression, exactly: bool) -> BagRows:
        """The others of its type that have all the neighbours of a node; exactly: and have no more."""
        bag = self._one(node)
        if len(bag.types) != 1:
            raise NoQueryError
        step = step_along(self._schema, bag.types, text(neighbor_type))
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
            With(Projection((same(Variable(other)), same(wanted), counted)), kept),
        )
        return BagRows(clauses, other, bag.types, unique=True)

    # names of the schema

    def _type(self, name: Expression) -> str:
        found = pick(text(name), self._all_types)
        if found is None:
            raise NoQueryError
        return found

    def _degree(self, bag: BagRows, relation: str) -> Term:
        """How many neighbours the node of a row has."""
        step = step_along(self._schema, bag.types, relation)
        path = Pattern((NodePattern(bag.node), NodePattern("", step.reached)), (step.edge,))
        return Subquery("count", Query((Part((Match((path,)),)),)))

    def _able(self, bag: BagRows, relation: str) -> BagRows:
        """Only nodes of types that have such neighbours at all."""
        seen = {view.source for view in views(self._schema, bag.types, relation)}
        able = tuple([t for t in bag.types if t in seen])
        if not able:
            raise NoQueryError
        if able == bag.types:
            return bag
        some: Term = Labelled(bag.entry, able[:1])
        for t in able[1:]:
            some = Operation("or", (some, Labelled(bag.entry, (t,))))
        return replace(bag.where(some), types=able)


TOOLS: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "RetrieveNode": ("keyword node_type?", Lowering.retrieve_node),
    "Nodes": ("node_type", Lowering.nodes),
    "NodeFeature": ("node feature", Lowering.node_feature),
    "NeighbourCheck": ("node neighbor_type", Lowering.neighbour_check),
    "NodeDegree": ("node neighbor_type", Lowering.node_degree),
    "Neighbourhood": ("node hops?", Lowering.neighbourhood),
    "Distinct": ("entries", Lowering.distinct),
    "Intersect": ("first second", Lowering.intersect),
    "Union": ("first second", Lowering.union),
    "Difference": ("first second", Lowering.difference),
    "Contains": ("bag node", Lowering.contains),
    "Filter": ("nodes feature comparison value", Lowering.filter),
    "FilterDegree": ("nodes neighbor_type comparison number", Lowering.filter_degree),
    "Frequent": ("bag comparison number", Lowering.frequent),
    "MostFrequent": ("bag k?", Lowering.most_frequent),
    "Top": ("nodes feature k?", Lowering.top),
    "Bottom": ("nodes feature k?", Lowering.bottom),
    "TopDegree": ("nodes neighbor_type k?", Lowering.top_degree),
    "BottomDegree": ("nodes neighbor_type k?", Lowering.bottom_degree),
    "Count": ("entries", Lowering.count),
    "Average": ("numbers", Lowering.average),
    "Sum": ("numbers", Lowering.sum),
    "Minimum": ("numbers", Lowering.minimum),
    "Maximum": ("numbers", Lowering.maximum),
    "Path": ("first second", Lowering.path),
    "PathLength": ("first second", Lowering.path_length),
    "Connected": ("first second max_hops?", Lowering.connected),
    "ShareNeighbours": ("node neighbor_type", Lowering.share_neighbours),
    "SameNeighbours": ("node neighbor_type", Lowering.same_neighbours),
}
"""Each tool that is made of operations on rows, with its parameters; `?` marks those that may be left out."""


def given(call: Call, parameters: str) -> dict[str, Expression]:
    """The arguments of a call by name."""
    names = parameters.replace("?", "").split()
    given = {**dict(zip(names, call.arguments, strict=False)), **dict(call.keywords)}
    needed = [name for name in parameters.split() if not name.endswith("?")]
    if len(call.arguments) > len(names) or not {*needed} <= {*given} <= {*names}:
        raise NoQueryError
    return given
