"""Binds a query to a schema: its names become the schema's, its variables get kinds, and mistakes are told.

What a query leaves with: labels are node types (also those that follow from the edges of a pattern), relations are
names of views, properties are features, `name` or `id`. Terms look the last two up by `naming.node_column`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeAlias, cast

from graphtalk.calls.ast import Boolean, Call, Items, NodeRef, Number, Text
from graphtalk.calls.query import (
    Apply,
    Branch,
    Case,
    Clause,
    Column,
    Comprehension,
    EdgePattern,
    Element,
    Entry,
    Labelled,
    List,
    Map,
    Match,
    NodePattern,
    Null,
    Operation,
    Operator,
    Parameter,
    Part,
    Pattern,
    PatternComprehension,
    Projection,
    Property,
    Quantified,
    Query,
    Reduce,
    Return,
    Slice,
    SortItem,
    Subquery,
    Term,
    Unwind,
    Variable,
    With,
)
from graphtalk.core import CheckError, choices
from graphtalk.engines.arrays.frame import Plans
from graphtalk.engines.arrays.functions import AGGREGATES, check
from graphtalk.engines.arrays.scope import aggregates, names
from graphtalk.engines.dates import in_period
from graphtalk.engines.kinds import ANY, Kind, common, of_arithmetic, of_function
from graphtalk.engines.meaning import Names
from graphtalk.engines.patterns import Joint, narrow, steps
from graphtalk.graphs.schema import Schema

Scope: TypeAlias = Mapping[str, Kind]
_PLAIN = {"number", "text", "boolean", "date", "datetime", "time", "duration", "map"}
_THINGS = {"node", "edge", "path"}


@dataclass(frozen=True)
class Bound:
    """A query with the schema's names. `columns`: what it gives, by name and kind; `remarks`: what was understood.

    `dated` are the parameters that dates are compared with, whose values say how. `plans` keeps what is worked out of its parts from run to run.
    """

    query: Query
    columns: tuple[tuple[str, Kind], ...]
    remarks: tuple[str, ...] = ()
    dated: frozenset[str] = frozenset()
    plans: Plans = field(default_factory=Plans, compare=False, repr=False)


def bind(query: Query, schema: Schema, parameters: Mapping[str, object] | None = None) -> Bound:
    """The query bound to `schema`. `parameters` are those given with it; None: they are not known yet.

    Raises CheckError that names what is wrong and what would be right.
    """
    binder = _Binder(schema, parameters)
    bound, columns = binder.query(query, {})
    if columns is None:
        raise CheckError("A query ends with RETURN, which says what it gives.")
    return Bound(bound, tuple(columns.items()), tuple(dict.fromkeys(binder.remarks)), frozenset(binder.dated))


@dataclass
class _Binder:
    schema: Schema
    parameters: Mapping[str, object] | None
    remarks: list[str] = field(default_factory=list)
    dated: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.names = Names(self.schema, self.remarks)

    # queries and clauses

    def query(self, query: Query, scope: Scope) -> tuple[Query, dict[str, Kind] | None]:
        """The bound query and its columns; None where it has no RETURN (which only subqueries may lack)."""
        bound = [self.part(part, scope) for part in query.parts]
        if not bound:
            raise CheckError("A query without clauses.")
        first = bound[0][1]
        for _, columns in bound[1:]:
            if first is None or columns is None or list(first) != list(columns):
                one, other = ([] if c is None else list(c) for c in (first, columns))
                raise CheckError(
                    f"The parts of a UNION give columns of the same names: {', '.join(one)} are not "
                    f"{', '.join(other)}."
                )
        kinds = first and {name: common([c[name] for _, c in bound if c]) for name in first}
        return replace(query, parts=tuple(part for part, _ in bound)), kinds

    def part(self, part: Part, scope: Scope) -> tuple[Part, dict[str, Kind] | None]:
        clauses: list[Clause] = []
        now: dict[str, Kind] = dict(scope)
        for place, clause in enumerate(part.clauses):
            last = place == len(part.clauses) - 1
            if isinstance(clause, Match):
                bound, now = self.match(clause, now)
                clauses.append(bound)
            elif isinstance(clause, Unwind):
                value, kind = self.term(clause.value, now, "UNWIND")
                self._new(clause.variable, now)
                now = {**now, clause.variable: (kind.item or ANY) if kind.name == "list" else ANY}
                clauses.append(Unwind(value, clause.variable))
            elif isinstance(clause, With):
                if last:
                    raise CheckError("A query cannot end with WITH: RETURN says what it gives.")
                made, now = self.with_where(clause, now)
                clauses += made
            else:
                if not last:
                    raise CheckError("RETURN is the last clause of a query.")
                projection, columns = self.projection(clause.projection, now)
                return Part((*clauses, Return(projection))), columns
        return Part(tuple(clauses)), None

    def with_where(self, clause: With, scope: Scope) -> tuple[list[Clause], dict[str, Kind]]:
        """A WITH bound. Its WHERE may use what a column gives by that, and what was there before and is not grouped.

        What is there no longer is passed on for the condition, and dropped after it.
        """
        p = clause.projection
        projection, given = self.projection(p, scope)
        if clause.where is None:
            return [With(projection)], given
        bound = self.condition(clause.where, {**scope, **given})
        where = cast(Term, _replaced(bound, _by_column(projection.columns, given)))
        more = [n for n in scope if n in names(where) and n not in given]
        if more and (self._grouped(p) or p.skip is not None or p.limit is not None):
            raise CheckError(f"No variable {more[0]!r} here. {choices(more[0], given)}")
        if not more:
            return [With(projection, where)], given
        wider = (*projection.columns, *(Column(Variable(n), n) for n in more))
        kept = Projection(tuple(Column(Variable(n), n) for n in given))
        return [With(replace(projection, columns=wider), where), With(kept)], given

    @staticmethod
    def _grouped(p: Projection) -> bool:
        return p.distinct or any(aggregates(c.value) for c in p.columns)

    def condition(self, where: Term, scope: Scope) -> Term:
        return self.term(where, scope, "WHERE")[0]

    def projection(self, p: Projection, scope: Scope) -> tuple[Projection, dict[str, Kind]]:
        given: dict[str, Kind] = {}
        if p.everything:
            given.update({name: kind for name, kind in scope.items() if not name.startswith("\0")})
            if not given and not p.columns:
                raise CheckError("RETURN * gives all variables, and there are none.")
        columns = []
        for column in p.columns:
            value, kind = self.term(column.value, scope)
            if column.name in given:
                raise CheckError(f"Two columns are called {column.name!r}: give one another name with AS.")
            given[column.name] = kind
            columns.append(Column(value, column.name))
        grouped = self._grouped(p)
        order = tuple(self._order(o, columns, scope, given, grouped) for o in p.order)
        skip, limit = (t and self.term(t, {}, "SKIP and LIMIT")[0] for t in (p.skip, p.limit))
        for term in skip, limit:
            if isinstance(term, Number) and (isinstance(term.value, float) or term.value < 0):
                raise CheckError(f"SKIP and LIMIT take whole numbers from 0, not {term.value}.")
            if isinstance(term, Text | Boolean | Null):
                raise CheckError("SKIP and LIMIT take whole numbers from 0.")
        return Projection(tuple(columns), p.everything, p.distinct, order, skip, limit), given

    def _order(
        self, order: SortItem, columns: Sequence[Column], scope: Scope, given: Scope, grouped: bool
    ) -> SortItem:
        """A key of an order. What a column gives is named by the column: after grouping nothing else is left."""
        named = _by_column(columns, given)
        seen = given if grouped else {**scope, **given}
        shown = cast(Term, _replaced(order.by, named))
        try:
            by = self.term(shown, seen)[0]
        except CheckError:
            bound = self.term(order.by, {**given, **scope})[0]
            by = cast(Term, _replaced(bound, named))
            missing = names(by) - set(seen)
            if missing:
                raise CheckError(
                    f"ORDER BY {sorted(missing)[0]}: after grouping, rows are ordered by their columns: "
                    f"{', '.join(given)}."
                ) from None
        for a in aggregates(by):
            raise CheckError(
                f"ORDER BY {a.function}(): rows are ordered by their columns, so return it as one."
            )
        return SortItem(by, order.descending)

    # patterns

    def match(self, clause: Match, scope: Scope) -> tuple[Match, dict[str, Kind]]:
        patterns, found = self.patterns(clause.patterns, scope)
        where = None if clause.where is None else self.condition(clause.where, found)
        after = {**found, **scope} if clause.optional else found
        return Match(patterns, where, clause.optional), after

    def patterns(
        self, patterns: Sequence[Pattern], scope: Scope
    ) -> tuple[tuple[Pattern, ...], dict[str, Kind]]:
        """Patterns bound, and the scope with their variables."""
        every = tuple(t.name for t in self.schema.node_types)
        now: dict[str, Kind] = dict(scope)
        types: dict[str, frozenset[str]] = {}
        joints: list[Joint] = []
        keys: list[list[str]] = []
        own: set[str] = set()  # edges and paths named in these patterns
        nowhere: set[str] = set()  # nodes whose labels exclude each other
        for number, pattern in enumerate(patterns):
            if len(pattern.nodes) != len(pattern.edges) + 1:
                raise CheckError("A pattern has one node more than edges.")
            if (pattern.shortest or pattern.acyclic) and len(pattern.edges) != 1:
                raise CheckError(
                    "Shortest paths and ACYCLIC take a pattern of one edge, such as (a)-[*]-(b)."
                )
            if pattern.weight and pattern.edges[0].several and pattern.edges[0].most is not None:
                raise CheckError(
                    f"Paths measured by {pattern.weight} take no bound on their edges: leave out the "
                    f"{pattern.edges[0].most} behind *."
                )
            keys.append([node.variable or f"\0{number}.{i}" for i, node in enumerate(pattern.nodes)])
            for key, node in zip(keys[-1], pattern.nodes, strict=True):
                known = now.get(key)
                if known is not None and known.name not in ("node", "any", "null"):
                    raise CheckError(f"{key} is {known}, and cannot be a node of a pattern.")
                labels = tuple(self.names.label(label) for label in node.labels)
                allowed = types.get(key, frozenset(known.of if known and known.of else every))
                if labels:
                    common = allowed & set(labels)
                    if not common:
                        nowhere.add(key)
                        self.remarks.append(
                            f"No node is of the types {' and '.join(sorted(allowed))} and {' or '.join(labels)} "
                            "at once: the pattern finds nothing."
                        )
                    allowed = common or frozenset(labels)
                types[key] = allowed
                if node.variable:
                    now[key] = Kind("node", tuple(t for t in every if t in allowed))
            for i, edge in enumerate(pattern.edges):
                edge = replace(edge, relations=tuple(self.names.relation(name) for name in edge.relations))
                joints.append(Joint(edge, keys[-1][i], keys[-1][i + 1], steps(self.schema, edge)))
                self._edge_variable(edge, joints[-1], now, own)
        types, impossible = narrow(types, joints)
        if impossible is not None:
            self.remarks.append(self._no_such_edge(impossible, types))
        for key, allowed in types.items():
            if not key.startswith("\0"):
                now[key] = Kind("node", tuple(t for t in every if t in allowed))
        for pattern in patterns:
            if pattern.variable:
                self._new(pattern.variable, now)
                now[pattern.variable] = Kind("path")
        edges = iter(joints)
        bound = []
        for pattern, own_keys in zip(patterns, keys, strict=True):
            nodes = tuple(
                self._node(node, types[key], now, key in nowhere)
                for node, key in zip(pattern.nodes, own_keys, strict=True)
            )
            own_joints = [next(edges) for _ in pattern.edges]
            own_edges = tuple(self._edge(joint, now) for joint in own_joints)
            weight = self._weight(pattern.weight, own_joints[0]) if pattern.weight else ""
            bound.append(replace(pattern, nodes=nodes, edges=own_edges, weight=weight))
        return tuple(bound), now

    def _edge_variable(self, edge: EdgePattern, joint: Joint, now: dict[str, Kind], own: set[str]) -> None:
        name = edge.variable
        if edge.several and edge.most is not None and edge.most < edge.fewest:
            raise CheckError(
                f"A path of {edge.fewest} to {edge.most} edges: the first number is the smaller one."
            )
        if not name:
            return
        known = now.get(name)
        if name in own or (known is not None and (edge.several or known.name not in ("edge", "any", "null"))):
            raise CheckError(
                f"{name} stands for something else already, and cannot be an edge of this pattern too."
            )
        own.add(name)
        relations = tuple(dict.fromkeys(self.schema.relations[s.relation].name for s in joint.ways))
        kind = Kind("edge", relations)
        now[name] = Kind("list", item=kind) if edge.several else kind

    def _node(
        self, node: NodePattern, allowed: frozenset[str], scope: Scope, as_written: bool
    ) -> NodePattern:
        every = tuple(t.name for t in self.schema.node_types)
        labels = () if len(allowed) == len(every) else tuple(t for t in every if t in allowed)
        if as_written:
            labels = tuple(self.names.label(label) for label in node.labels)
        kind = Kind("node", tuple(t for t in every if t in allowed))
        return NodePattern(node.variable, labels, self._entries(node.properties, kind, scope))

    def _edge(self, joint: Joint, scope: Scope) -> EdgePattern:
        relations = tuple(dict.fromkeys(self.schema.relations[s.relation].name for s in joint.ways))
        entries = self._entries(joint.edge.properties, Kind("edge", relations), scope)
        return replace(joint.edge, properties=entries)

    def _weight(self, name: str, joint: Joint) -> str:
        """The feature of edges that paths are measured by."""
        relations = tuple(dict.fromkeys(self.schema.relations[s.relation].name for s in joint.ways))
        found, kind = self.names.property(Kind("edge", relations), name, "")
        if kind.name != "number":
            raise CheckError(
                f"BY {name}: paths are measured by a number of their edges, and {name} is {kind}."
            )
        return found

    def _entries(self, entries: Sequence[Entry], kind: Kind, scope: Scope) -> tuple[Entry, ...]:
        found = []
        for entry in entries:
            name, holds = self.names.property(kind, entry.name, "")
            value, given = self.term(entry.value, scope, "a pattern")
            self._comparable("=", entry.name, holds, "the value", given)
            same = Operation("=", (Property(Variable("n"), name), value))
            if self._with_period(same, (holds, given)) is not same:
                said = value.value if isinstance(value, Text | Number) else ""
                raise CheckError(
                    f"{entry.name} is {holds}, and {said} a whole year or month: write WHERE ….{name} = {said!r}."
                )
            found.append(Entry(name, value))
        return tuple(found)

    def _no_such_edge(self, joint: Joint, types: Mapping[str, frozenset[str]]) -> str:
        relations = [self.schema.relations[s.relation] for s in joint.ways]
        name = "|".join(joint.edge.relations) or "any relation"
        left, right = (" or ".join(sorted(types[key])[:3]) for key in (joint.left, joint.right))
        start, end = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}[joint.edge.way]
        ways = dict.fromkeys(f"{r.name} leads from {r.source} to {r.target}" for r in relations)
        said = f": {', '.join(list(ways)[:3])}" if ways else ""
        return (
            f"The graph has no edge ({left}){start}[{name}]{end}({right}){said}. The pattern finds nothing."
        )

    def _new(self, name: str, scope: Scope) -> None:
        if name in scope:
            raise CheckError(f"{name} stands for something else already.")

    # terms

    def term(self, term: Term, scope: Scope, place: str = "") -> tuple[Term, Kind]:
        """A term bound, and its kind. `place`: where it stands, if no aggregate may."""
        if place:
            for a in aggregates(term):
                raise CheckError(
                    f"{a.function}() sums rows up, and cannot stand in {place}: give it a name with WITH first."
                )
        return self._term(term, scope)

    def _term(self, term: Term, scope: Scope) -> tuple[Term, Kind]:
        match term:
            case Null():
                return term, Kind("null")
            case Text():
                return term, Kind("text")
            case Number():
                return term, Kind("number")
            case Boolean():
                return term, Kind("boolean")
            case NodeRef():
                return term, Kind("node")
            case Items(values):
                return term, Kind("list", item=common([self._term(cast(Term, v), scope)[1] for v in values]))
            case Call():
                return term, ANY
            case Parameter(name):
                if self.parameters is not None and name not in self.parameters:
                    raise CheckError(f"No value is given for ${name}. {choices(name, self.parameters)}")
                return term, ANY
            case Variable(name):
                if name not in scope:
                    valid = [n for n in scope if not n.startswith("\0")]
                    raise CheckError(f"No variable {name!r} here. {choices(name, valid)}")
                return term, scope[name]
            case Property(of, name):
                return self._property(of, name, scope)
            case Operation():
                return self._operation(term, scope)
            case Apply():
                return self._apply(term, scope)
            case Labelled(of, labels):
                value, kind = self._term(of, scope)
                if kind.name not in ("node", "edge", "any", "null"):
                    raise CheckError(f"{_said(of)} is {kind}, and has no label.")
                named = tuple(
                    (self.names.relation if kind.name == "edge" else self.names.label)(each)
                    for each in labels
                )
                return Labelled(value, named), Kind("boolean")
            case Element(of, at):
                value, kind = self._term(of, scope)
                place, _ = self._term(at, scope)
                if kind.name in ("node", "edge") and isinstance(place, Text):
                    return self._property(of, place.value, scope)
                return Element(value, place), (kind.item or ANY) if kind.name == "list" else ANY
            case Slice(of, start, end):
                value, kind = self._term(of, scope)
                ends = [None if t is None else self._term(t, scope)[0] for t in (start, end)]
                return Slice(value, *ends), kind
            case Case():
                return self._case(term, scope)
            case Map(entries):
                bound = tuple(Entry(e.name, self._term(e.value, scope)[0]) for e in entries)
                return Map(bound), Kind("map")
            case List(values):
                items = [self._term(v, scope) for v in values]
                return List(tuple(v for v, _ in items)), Kind("list", item=common([k for _, k in items]))
            case Comprehension(variable, source, where, gives):
                listed, inner = self._inner(variable, source, scope)
                kept = None if where is None else self.condition(where, inner)
                made, kind = (None, inner[variable]) if gives is None else self.term(gives, inner, "a list")
                return Comprehension(variable, listed, kept, made), Kind("list", item=kind)
            case Quantified(every, variable, source, where):
                listed, inner = self._inner(variable, source, scope)
                return Quantified(every, variable, listed, self.condition(where, inner)), Kind("boolean")
            case Reduce(total, start, variable, source, step):
                begin, kind = self._term(start, scope)
                listed, inner = self._inner(variable, source, scope)
                made = self.term(step, {**inner, total: ANY}, "reduce()")[0]
                return Reduce(total, begin, variable, listed, made), kind
            case PatternComprehension(pattern, gives, where):
                patterns, inner = self.patterns((pattern,), scope)
                kept = None if where is None else self.condition(where, inner)
                made, kind = self.term(gives, inner, "a list")
                return PatternComprehension(patterns[0], made, kept), Kind("list", item=kind)
            case Subquery(keeps, query):
                return self._subquery(keeps, query, scope)

    def _property(self, of: Term, name: str, scope: Scope) -> tuple[Term, Kind]:
        value, kind = self._term(of, scope)
        if kind.name in ("node", "edge"):
            found, holds = self.names.property(kind, name, _said(of))
            return Property(value, found), holds
        if kind.name in ("number", "text", "boolean", "list", "path"):
            raise CheckError(f"{_said(of)} is {kind}, and has no {name!r}.")
        return Property(value, name), Kind("number") if kind.name in ("date", "datetime", "time") else ANY

    def _operation(self, term: Operation, scope: Scope) -> tuple[Term, Kind]:
        bound = [self._term(each, scope) for each in term.operands]
        operands, kinds = tuple(t for t, _ in bound), [k for _, k in bound]
        made = Operation(term.operator, operands)
        wanted = 1 if term.operator in ("not", "negative", "is null", "is not null") else 2
        if len(operands) != wanted:
            raise CheckError(f"{term.operator.upper()} takes {wanted} operands, not {len(operands)}.")
        said = [_said(t) for t in term.operands]
        if term.operator in ("=", "<>", "<", "<=", ">", ">="):
            self._comparable(term.operator, said[0], kinds[0], said[1], kinds[1])
            return self._with_period(made, kinds), Kind("boolean")
        if term.operator == "in":
            if kinds[1].name in _PLAIN | _THINGS:
                raise CheckError(f"{said[1]} is {kinds[1]}, not a list that something can be IN.")
            if kinds[1].item is not None:
                self._comparable("IN", said[0], kinds[0], f"an entry of {said[1]}", kinds[1].item)
            return made, Kind("boolean")
        if term.operator in ("+", "-", "*", "/", "%", "^", "negative"):
            lists = term.operator == "+" and any(k.name == "list" for k in kinds)
            for text, kind in zip(said, kinds, strict=True):
                if kind.name in _THINGS and not lists:
                    raise CheckError(
                        f"{text} is {kind}: {term.operator} takes its features, such as {text}.name."
                    )
            return made, of_arithmetic(term.operator, kinds)
        for text, kind in zip(said, kinds, strict=True):
            if kind.name in _THINGS and term.operator not in ("is null", "is not null"):
                raise CheckError(f"{text} is {kind}: {term.operator.upper()} takes one of its features.")
        return made, Kind("boolean")

    def _with_period(self, made: Operation, kinds: Sequence[Kind]) -> Term:
        """A date compared with a year or a month: with the whole of it, as `Filter` does."""
        turned: dict[str, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
        operator = turned.get(made.operator, made.operator)
        for place, sign in enumerate((made.operator, operator)):
            one, other = made.operands[place], made.operands[1 - place]
            if kinds[place].name not in ("date", "datetime"):
                continue
            if isinstance(other, Parameter):
                self.dated.add(other.name)
            compared = in_period(one, sign, str(other.value)) if isinstance(other, Text | Number) else None
            if compared is not None and isinstance(other, Text | Number):
                self.remarks.append(f"{other.value} beside a date was taken as the whole of it.")
                return compared
        return made

    def _comparable(self, operator: str, one: str, first: Kind, other: str, second: Kind) -> None:
        """Raise CheckError where a node, an edge or a path is compared with a plain value."""
        for text, kind, against in ((one, first, second), (other, second, first)):
            if kind.name in _THINGS and against.name in _PLAIN:
                raise CheckError(
                    f"{text} is {kind}, which is not comparable ({operator}) with {against}: compare one of its "
                    f"features, such as {text}.name."
                )

    def _apply(self, term: Apply, scope: Scope) -> tuple[Term, Kind]:
        check(term.function, len(term.arguments))
        if term.function in AGGREGATES:
            for inner in aggregates(term.arguments):
                raise CheckError(
                    f"{inner.function}() inside {term.function}(): give it a name with WITH first."
                )
            if term.distinct and not term.arguments:
                raise CheckError("count(DISTINCT *) counts nothing in particular: name what is counted.")
        elif term.distinct:
            raise CheckError(f"DISTINCT stands in aggregates, which {term.function}() is not.")
        bound = [self._term(each, scope) for each in term.arguments]
        kinds = [k for _, k in bound]
        if term.function in ("sum", "avg", "median", "stdev", "stdevp") and kinds[0].name in _THINGS:
            said = _said(term.arguments[0])
            raise CheckError(f"{said} is {kinds[0]}: {term.function}() takes one of its features.")
        kind = of_function(term.function, kinds)
        return Apply(term.function, tuple(t for t, _ in bound), term.distinct), kind

    def _case(self, term: Case, scope: Scope) -> tuple[Term, Kind]:
        subject = None if term.subject is None else self._term(term.subject, scope)[0]
        tests = [self._term(b.test, scope)[0] for b in term.branches]
        values = [self._term(b.value, scope) for b in term.branches]
        otherwise = None if term.otherwise is None else self._term(term.otherwise, scope)
        branches = tuple(Branch(test, value) for test, (value, _) in zip(tests, values, strict=True))
        kinds = [k for _, k in values] + ([otherwise[1]] if otherwise else [])
        return Case(branches, subject, otherwise[0] if otherwise else None), common(kinds)

    def _inner(self, variable: str, source: Term, scope: Scope) -> tuple[Term, dict[str, Kind]]:
        listed, kind = self._term(source, scope)
        if kind.name in _PLAIN - {"map"} | _THINGS:
            raise CheckError(f"{_said(source)} is {kind}, not a list.")
        return listed, {**scope, variable: (kind.item or ANY) if kind.name == "list" else ANY}

    def _subquery(self, keeps: Any, query: Query, scope: Scope) -> tuple[Term, Kind]:
        bound, columns = self.query(query, scope)
        if keeps != "collect":
            return Subquery(keeps, bound), Kind("boolean" if keeps == "exists" else "number")
        if columns is None or len(columns) != 1:
            raise CheckError("COLLECT takes a query that returns one column.")
        return Subquery(keeps, bound), Kind("list", item=next(iter(columns.values())))


def _by_column(columns: Sequence[Column], given: Scope) -> dict[Term, Term]:
    """What each column gives as that column, but where a name in it stands for another column now."""
    kept = {c.name for c in columns if c.value == Variable(c.name)}
    hidden = given.keys() - kept
    return {c.value: Variable(c.name) for c in columns if not names(c.value) & hidden}


def _replaced(part: Any, by: Mapping[Any, Any]) -> Any:
    """A part of a query with some of its terms replaced."""
    if is_dataclass(part) and not isinstance(part, type):
        if isinstance(part, Text | Number | Boolean):
            return part
        if part in by:
            return by[part]
        if isinstance(part, Variable):
            return part
        return replace(part, **{f.name: _replaced(getattr(part, f.name), by) for f in fields(part)})
    return tuple(_replaced(each, by) for each in part) if isinstance(part, tuple) else part


def _said(term: Term) -> str:
    """A term in a few words, for messages."""
    match term:
        case Variable(name):
            return name
        case Property(of, name):
            return f"{_said(of)}.{name}"
        case Text(value) | Number(value) | Boolean(value):
            return repr(value)
        case Parameter(name):
            return f"${name}"
        case Apply(function, _):
            return f"{function}()"
    return "what stands there"
