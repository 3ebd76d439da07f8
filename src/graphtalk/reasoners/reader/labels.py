"""Queries read as readings, for labels: what somebody wrote in Cypher for a question, in the reader's normal form.

Only what the normal form says is kept: which columns are told beside the first, whether rows repeat and what columns
are called is the writer's taste. What it cannot say raises Unread, with the reason.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graphtalk.calls.ast import Boolean, Items, Number, Text
from graphtalk.calls.query import (
    Apply,
    EdgePattern,
    Labelled,
    Match,
    NodePattern,
    Operation,
    Pattern,
    Projection,
    Property,
    Query,
    Return,
    Subquery,
    Term,
    Variable,
    With,
)
from graphtalk.calls.query import (
    Column as QueryColumn,
)
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.querying import without_ties
from graphtalk.reasoners.reader.reading import (
    Best,
    Column,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Other,
    Reading,
    Span,
    Test,
    Value,
    canonical,
    grouped,
    written,
)
from graphtalk.reasoners.reader.shape import NAMING, Shape, Step, spoken

FUNCTIONS = {"avg": "AVG", "sum": "SUM", "min": "MIN", "max": "MAX"}
TESTS = {
    "=": "EQ",
    "<>": "NE",
    "<": "LT",
    "<=": "LE",
    ">": "GT",
    ">=": "GE",
    "contains": "HAS",
    "starts with": "STARTS",
    "ends with": "ENDS",
}
TURNED = {"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "EQ": "EQ", "NE": "NE"}
PLAIN = (
    "tolower",
    "toupper",
    "trim",
    "tostring",
    "tointeger",
    "tofloat",
    "date",
    "datetime",
    "localdatetime",
    "coalesce",
    "size",
)

_BOUND_OF_YEAR = re.compile(r"(?:-01-01|-12-31)?(?:t.*)?")  # where a year begins or ends
_BOUND_OF_MONTH = re.compile(r"(?:-01|-2[89]|-3[01])?(?:t.*)?")


class Unread(ValueError):
    """What the normal form cannot say."""


@dataclass
class _Node:
    variable: str
    labels: tuple[str, ...] = ()
    type: str = ""
    items: list[Item] = field(default_factory=list)


@dataclass
class _Edge:
    variable: str
    source: str
    target: str
    pattern: EdgePattern
    step: Step | None = None  # seen from `source`
    items: list[Item] = field(default_factory=list)


def reading_of(query: Query, shape: Shape, values: Sequence[Linked]) -> Reading:
    """The reading of a query over a schema, its values those of the question. Raises Unread."""
    if len(query.parts) != 1:
        raise Unread("a union")
    reading = canonical(_Reader(shape, values).read(without_ties(query.parts[0].clauses)), shape)
    try:
        written(reading)
    except KeyError:
        raise Unread("a node that belongs to a measure is told too") from None
    return reading


class _Reader:
    def __init__(self, shape: Shape, values: Sequence[Linked], outer: "_Reader | None" = None) -> None:
        self.shape = shape
        self.values = values
        self.nodes: dict[str, _Node] = dict(outer.nodes) if outer else {}
        self.edges: list[_Edge] = []
        self.outer = outer
        self.root: str = outer.root if outer else ""
        self.conditions: list[Term] = []
        self.aliases: dict[str, Term] = {}
        self.alone: set[str] = set()  # nodes that others are compared with, by name
        self.counted_of: frozenset[str] = frozenset()  # nodes for each of which a WITH counts or adds up
        # What is unnamed inside is another than what is unnamed outside.
        self._unnamed: int = outer._unnamed if outer else 0

    # Gathering

    def gather(self, match: Match) -> None:
        """The nodes, edges and conditions of a Match."""
        for pattern in match.patterns:
            self._pattern(pattern)
        if match.where is not None:
            self.conditions += _conjuncts(match.where)

    def _pattern(self, pattern: Pattern) -> None:
        if pattern.shortest:
            raise Unread("a shortest path")
        names = [self._node(n) for n in pattern.nodes]
        for i, edge in enumerate(pattern.edges):
            a, b = names[i], names[i + 1]
            if edge.way == "in":
                a, b = b, a
            name = edge.variable or self._fresh()
            self.edges.append(_Edge(name, a, b, edge))
            self.conditions += [
                Operation("=", (Property(Variable(name), e.name), e.value)) for e in edge.properties
            ]

    def _fresh(self) -> str:
        self._unnamed += 1
        return f" {self._unnamed}"

    def _node(self, node: NodePattern) -> str:
        name = node.variable or self._fresh()
        known = self.nodes.setdefault(name, _Node(name))
        if node.labels and not known.labels:
            known.labels = node.labels
        self.conditions += [
            Operation("=", (Property(Variable(name), e.name), e.value)) for e in node.properties
        ]
        return name

    def _settle(self) -> None:
        """The types of all nodes and the links of all edges."""
        for node in self.nodes.values():
            if node.labels and not node.type:
                if len(node.labels) > 1 or node.labels[0] not in self.shape.types:
                    raise Unread(f"the labels {node.labels}")
                node.type = node.labels[0]
        for _ in range(len(self.edges) + 1):
            for edge in self.edges:
                self._settle_edge(edge)
        for node in self.nodes.values():
            if not node.type:
                raise Unread("a node of no type")

    def _settle_edge(self, edge: _Edge) -> None:
        if edge.step is not None:
            return
        a, b = self.nodes[edge.source], self.nodes[edge.target]
        relations = edge.pattern.relations
        if len(relations) > 1:
            raise Unread("one of several relations")
        fit = [
            s
            for s in self.shape.steps.values()
            if (not relations or s.link.name == relations[0])
            and (not a.type or s.source == a.type)
            and (not b.type or s.target == b.type)
            and (s.out or edge.pattern.way == "both")
        ]
        if not fit:
            raise Unread(f"no relation {relations} from {a.type} to {b.type}")
        fit = [s for s in fit if s.out] or fit
        if (
            len(fit) == 1
            or (a.type and b.type)
            or all(s.source == fit[0].source and s.target == fit[0].target for s in fit)
        ) or ((a.type or b.type) and relations):
            edge.step = fit[0]
            a.type, b.type = fit[0].source, fit[0].target

    # Reading

    def read(self, clauses: Sequence[object]) -> Reading:
        last = clauses[-1]
        if not isinstance(last, Return):
            raise Unread("no answer")
        having: list[Term] = []
        cut: Projection | None = None
        bests: list[tuple[Projection, bool]] = []
        for at, clause in enumerate(clauses[:-1]):
            match clause:
                case Match():
                    self.gather(clause)
                case With():
                    named = [c.value.name for c in clause.projection.columns if isinstance(c.value, Variable)]
                    if any(_aggregate(_bare(self._open(c.value))) for c in clause.projection.columns):
                        self.counted_of = frozenset(named)
                    if (
                        clause.projection.limit is not None
                        or clause.projection.order
                        or clause.projection.skip
                    ):
                        if any(isinstance(c, Match) for c in clauses[at:]):
                            bests.append((clause.projection, bool(having)))
                        elif cut is not None:
                            raise Unread("a part that is cut twice")
                        else:
                            cut = clause.projection
                    self.aliases.update({c.name: self._open(c.value) for c in clause.projection.columns})
                    if clause.where is not None:
                        having += _conjuncts(clause.where)
                case _:
                    raise Unread(type(clause).__name__)
        projection = last.projection
        if projection.everything or projection.skip is not None:
            raise Unread("all columns")
        columns = [replace(c, value=self._open(c.value)) for c in projection.columns]
        order = [(self._open(self._named(o.by, columns)), o.descending) for o in projection.order]
        limit = projection.limit
        if cut is not None:
            limit = limit if limit is not None else cut.limit
            order = order or [(self._open(self._named(o.by, cut.columns)), o.descending) for o in cut.order]
        self._settle()
        self.root = self._root(columns)
        self._conditions(self._periods([self._open(c) for c in (*self.conditions, *having)]))
        for projection, conditional in bests:
            self._best(projection, conditional)
        return self._tree(columns, order, limit)

    def _best(self, cut: Projection, conditional: bool) -> None:
        """A part that is cut before the question goes on: its node is the best by one of its properties."""
        if conditional or cut.skip is not None or len(cut.order) != 1:
            raise Unread("a part that is cut")
        by = self._open(self._named(cut.order[0].by, cut.columns))
        if _aggregate(_bare(by)):
            raise Unread("a part that is cut by a number of others")
        where, held = self._held(by)
        kept = {c.value.name for c in cut.columns if isinstance(c.value, Variable)}
        if where not in self.nodes or (kept & set(self.nodes)) - {where}:
            raise Unread("a part that is cut")
        limit = None if cut.limit == Number(1) else self._limit(cut.limit)
        best = Best(cut.order[0].descending, Measure("PROPERTY", held), limit)
        self.nodes[where].items.append(best)

    def _open(self, term: Term) -> Term:
        """A term with the aliases of WITH put in."""
        match term:
            case Variable():
                found = self.aliases.get(term.name)
                return term if found is None or found == term else found
            case Property():
                return Property(self._open(term.of), term.name)
            case Operation():
                return Operation(term.operator, tuple(map(self._open, term.operands)))
            case Apply():
                return Apply(term.function, tuple(map(self._open, term.arguments)), term.distinct)
            case _:
                return term

    def _named(self, by: Term, columns: Sequence[QueryColumn]) -> Term:
        if isinstance(by, Variable):
            return next((c.value for c in columns if c.name == by.name), by)
        return by

    def _conditions(self, terms: Sequence[Term]) -> None:
        self.counted: list[Operation] = []
        for term in terms:
            if isinstance(term, Operation) and any(_aggregate(_bare(o)) for o in term.operands):
                self.counted.append(term)
                continue
            placed = self._condition(term)
            if placed is None:
                continue
            where, item = placed
            holder = self.nodes.get(where) or next(e for e in self.edges if e.variable == where)
            holder.items.append(item)

    def _periods(self, terms: Sequence[Term]) -> list[Term]:
        """Bounds of the year or the decade that the question names, as that year or decade."""
        bounds: dict[Term, dict[str, float]] = {}
        for term in terms:
            if (
                isinstance(term, Operation)
                and term.operator in (">=", ">", "<", "<=")
                and len(term.operands) == 2
            ):
                bound = _bound(_bare(term.operands[1]), term.operator)
                if bound is not None:
                    bounds.setdefault(term.operands[0], {})[term.operator[0]] = bound
        years = {v.number: v.years for v in self.values if v.number is not None}
        periods = {
            of: Number(int(b[">"]))
            for of, b in bounds.items()
            if len(b) == 2 and b["<"] - b[">"] == years.get(b[">"])
        }
        kept = [
            t for t in terms if not (isinstance(t, Operation) and t.operands and t.operands[0] in periods)
        ]
        return [*kept, *(Operation("=", (of, start)) for of, start in periods.items())]

    def _condition(self, term: Term) -> tuple[str, Item] | None:
        """A condition and the variable that it is about; None for what says nothing."""
        match term:
            case Apply("coalesce", (inner, Boolean(False))):  # false of what has no such value
                return self._condition(inner)
            case Operation("not", (inner,)):
                placed = self._condition(inner)
                if placed is None:
                    return None
                where, item = placed
                if isinstance(item, Test) and item.operator in ("YES", "NO"):
                    return where, replace(item, operator="NO" if item.operator == "YES" else "YES")
                if isinstance(item, Test) and item.operator == "EQ" and len(item.values) == 1:
                    return where, replace(item, operator="NE")
                if isinstance(item, Test) and item.operator in ("NULL", "NOTNULL"):
                    return where, replace(item, operator="NULL" if item.operator == "NOTNULL" else "NOTNULL")
                return where, Not(item)
            case Operation("or", (first, second)):
                a, b = self._condition(first), self._condition(second)
                if a is None or b is None or a[0] != b[0]:
                    raise Unread("or over two nodes")
                return a[0], Either(a[1], b[1])
            case Operation("is not null" | "is null", (of,)):
                where, held = self._held(of)
                return where, Test(held, "NOTNULL" if term.operator == "is not null" else "NULL")
            case Operation("in", (left, Items() as right)):
                where, held = self._held(left)
                return where, Test(held, "EQ", tuple(self._value(v) for v in right.values))
            case Operation("in", (Text() | Number() as left, right)):
                where, held = self._held(right)
                return where, Test(held, "HAS", (self._value(left),))
            case Operation(operator, (left, right)) if operator in TESTS:
                return self._compared(TESTS[operator], left, right)
            case Property():
                where, held = self._held(term)
                return where, Test(held, "YES")
            case Subquery("exists" | "count"):
                return self._exists(term)
            case Labelled():
                name = term.of.name if isinstance(term.of, Variable) else ""
                if self.nodes.get(name) and self.nodes[name].type == term.labels[0]:
                    return None
                raise Unread("a label as a condition")
            case _:
                raise Unread(
                    f"the condition {type(term).__name__} {getattr(term, 'operator', getattr(term, 'function', ''))}"
                )

    def _compared(self, operator: str, left: Term, right: Term) -> tuple[str, Item] | None:
        left, right = _bare(left), _bare(right)
        if isinstance(left, Variable) and isinstance(right, Variable):
            return None  # two nodes that differ: they do anyway
        if isinstance(right, Property) and not isinstance(left, Property) and operator in TURNED:
            left, right, operator = right, left, TURNED[operator]
        if isinstance(left, Apply) and left.function == "id":
            return None
        if isinstance(left, Subquery):
            where, item = self._exists(left)
            if not isinstance(item, Hop):
                raise Unread("a count")
            return where, Compared(Measure("CNT", "", item), operator, self._value(right))
        where, held = self._held(left)
        if isinstance(right, Boolean):
            return where, Test(held, "YES" if right.value == (operator == "EQ") else "NO")
        if isinstance(right, Property):
            other, more = self._held(right)
            if (named := self._named_alone(other)) is not None and operator in TURNED:
                self.alone.add(other)
                return where, Test(held, operator, (named,))
            if other not in self.nodes or where not in self.nodes or operator not in TURNED:
                raise Unread("compared with an edge")
            if where == self.root:  # what is referred to stands before
                where, held, other, more, operator = other, more, where, held, TURNED[operator]
            return where, Test(held, operator, (Other(self._reference(other), more),))
        return where, Test(held, operator, (self._value(right),))

    def _named_alone(self, name: str) -> Span | None:
        """The value that names a node which stands in no pattern with others: it is there to be compared with."""
        if (
            name == self.root
            or name not in self.nodes
            or any(name in (e.source, e.target) for e in self.edges)
        ):
            return None
        for term in self.conditions:
            if isinstance(term, Operation) and term.operator == "=":
                of, value = term.operands
                if isinstance(of, Property) and of.of == Variable(name):
                    said = self._value(value)
                    return replace(said, than=True) if isinstance(said, Span) else None
        return None

    def _exists(self, term: Subquery) -> tuple[str, Item]:
        inner = _Reader(self.shape, self.values, self)
        for clause in term.query.parts[0].clauses:
            if not isinstance(clause, Match):
                raise Unread("a subquery with more")
            inner.gather(clause)
        inner._settle()
        inner._conditions(inner.conditions)
        start = next(
            (
                e.source if e.source in self.nodes else e.target
                for e in inner.edges
                if {e.source, e.target} & set(self.nodes)
            ),
            None,
        )
        if start is None or not inner.edges:
            raise Unread("a subquery apart")
        hops = inner._grown(start, set(self.nodes), {})
        if len(hops) != 1:
            raise Unread("a subquery with several ways")
        return start, hops[0]

    def _held(self, term: Term) -> tuple[str, str]:
        """The variable and the property that a term is."""
        term = _bare(term)
        if isinstance(term, Property) and term.name == "year" and isinstance(term.of, Property):
            term = term.of
        if not (isinstance(term, Property) and isinstance(term.of, Variable)):
            raise Unread(f"the value of {type(term).__name__}")
        name = term.of.name
        if name in self.nodes:
            action = self._of_type(self.nodes[name].type, term.name)
        else:
            edge = next(
                (e for e in [*self.edges, *(self.outer.edges if self.outer else [])] if e.variable == name),
                None,
            )
            if edge is None or edge.step is None:
                raise Unread(f"the variable {name}")
            action = f"E:{edge.step.link.key}.{term.name}"
        if action not in self.shape.properties:
            raise Unread(f"the property {action}")
        return name, action

    def _of_type(self, node_type: str, name: str) -> str:
        """A property; where the graph calls titles and the like `name`, that."""
        action = f"P:{node_type}.{name}"
        if action not in self.shape.properties and spoken(name) in NAMING:
            own = f"P:{node_type}.{node_type.lower()} {name}"
            return own if own in self.shape.properties else self.shape.name_of(node_type) or action
        return action

    def _value(self, term: Term) -> Value:
        """Where the question says a literal."""
        term = _bare(term)
        if (
            isinstance(term, Operation)
            and term.operator == "negative"
            and isinstance(term.operands[0], Number)
        ):
            term = Number(-term.operands[0].value)
        if isinstance(term, Number):
            for i, v in enumerate(self.values):
                if v.number is not None and abs(v.number - float(term.value)) < 1e-9:
                    return Span(i)
            for i, v in enumerate(self.values):
                if v.text == str(term.value):
                    return Span(i)
            if term.value in (0, 1, 2):
                return Constant(int(term.value))
        if isinstance(term, Text):
            wanted = term.value.strip().lower()
            for i, v in enumerate(self.values):
                spelt = {s.lower() for _, spellings in v.found for s in spellings}
                if v.text.lower() == wanted or wanted in spelt:
                    return Span(i)
            for i, v in enumerate(self.values):
                year = v.text.isdigit() and len(v.text) == 4
                bound = _BOUND_OF_YEAR if year else _BOUND_OF_MONTH
                if (
                    (v.kind == "date" or year)
                    and wanted.startswith(v.text)
                    and bound.fullmatch(wanted, len(v.text))
                ):
                    return Span(i)
        raise Unread(f"the value {getattr(term, 'value', type(term).__name__)!r} is not in the question")

    # The tree

    def _tree(
        self, columns: Sequence[QueryColumn], order: Sequence[tuple[Term, bool]], limit: Term | None
    ) -> Reading:
        root = self.root
        names: dict[str, str] = {}
        hops = self._grown(root, {root}, names)
        if set(self.nodes) - {root} - set(names) - self.alone:
            raise Unread("patterns apart")
        items: list[Item] = [*self.nodes[root].items, *hops]
        if len(order) > 1:
            order = order[:1]
        told: list[Column] = []
        taken: set[str] = set()  # variables whose hop belongs to a measure
        for c in columns:
            told.append(self._column(c.value, root, items, taken))
        if root in self.counted_of and grouped(Reading("", columns=tuple(told))):
            told.insert(0, Column("NODE"))
        best = None
        if order:
            term, down = order[0]
            best = Best(down, self._measure(term, root, items, taken, True))
            if best.measure.path is None and best.measure.kind != "PROPERTY":
                keys = [c for c in told if c.kind == "NODE"]
                if not keys or Column("NODE") in keys:
                    raise Unread("an order of one number")
        for term in self.counted:
            if len(term.operands) != 2:
                raise Unread("a condition on a group")
            left, right = map(_bare, term.operands)
            operator = TESTS.get(term.operator, "")
            if not _aggregate(left):
                left, right, operator = right, left, TURNED.get(operator, "")
            if not operator:
                raise Unread("a condition on a group")
            items.append(Compared(self._measure(left, root, items, taken), operator, self._value(right)))
        items = [i for i in items if not (isinstance(i, Hop) and i.name in taken)]
        used = _used([*items, *([best] if best else [])])
        items = [
            i
            for i in items
            if not (
                isinstance(i, Test)
                and i.operator == "NOTNULL"
                and (used.count(i.held) > 1 or any(c.held == i.held for c in told))
            )
        ]
        return Reading(
            self.nodes[root].type,
            tuple(items),
            "RETURN",
            self._kept(told, best, items, root),
            best,
            self._limit(limit),
        )

    def _reference(self, name: str) -> str:
        return "V0" if name == self.root else name

    def _root(self, columns: Sequence[QueryColumn]) -> str:
        for plain in (True, False):
            for c in columns:
                value = _bare(c.value)
                if _aggregate(value):
                    if plain:
                        continue
                    value = (
                        _bare(value.arguments[0])
                        if isinstance(value, Apply) and value.arguments
                        else Variable(next(iter(self.nodes)))
                    )
                name = (
                    value.name
                    if isinstance(value, Variable)
                    else value.of.name
                    if isinstance(value, Property) and isinstance(value.of, Variable)
                    else ""
                )
                if name in self.nodes:
                    return name
                edge = next((e for e in self.edges if e.variable == name), None)
                if edge is not None:
                    return edge.source
        raise Unread("no node is told")

    def _grown(self, start: str, seen: set[str], names: dict[str, str]) -> list[Hop]:
        """The hops from a node over edges not gone yet."""
        hops: list[Hop] = []
        for edge in self.edges:
            if (
                edge.step is None
                or edge.variable in names.values()
                or start not in (edge.source, edge.target)
            ):
                continue
            out = edge.source == start
            far = edge.target if out else edge.source
            step = Step(edge.step.link, edge.step.out if out else not edge.step.out)
            action = step.action if step.action in self.shape.steps else Step(edge.step.link, True).action
            star = edge.pattern.several
            if star and not (
                edge.pattern.fewest <= 1 and (edge.pattern.most is None or edge.pattern.most > 1)
            ):
                raise Unread("a path of fixed length")
            if far in seen:
                names[f" {edge.variable}"] = edge.variable
                hops.append(Hop(action, (), star, self._reference(far), ""))
                continue
            names[far] = edge.variable
            seen.add(far)
            inner = self._grown(far, seen, names)
            node = self.nodes[far]
            hops.append(Hop(action, (*node.items, *edge.items, *inner), star, "", far))
        return hops

    def _column(self, term: Term, root: str, items: list[Item], taken: set[str]) -> Column:
        term = _bare(term)
        if isinstance(term, Variable):
            if term.name not in self.nodes:
                raise Unread("an edge or a path is told")
            return Column("NODE", "", None, "V0" if term.name == root else term.name)
        if isinstance(term, Property):
            where, held = self._held(term)
            if where not in self.nodes:
                edge = next(e for e in self.edges if e.variable == where)
                far = edge.target if edge.source == root else edge.source
                return Column("NODE", held, None, far)
            if self.shape.properties[held].naming:
                held = ""
            return Column("NODE", held, None, "V0" if where == root else where)
        if isinstance(term, Apply) and term.function == "collect" and len(term.arguments) == 1:
            return self._column(term.arguments[0], root, items, taken)  # a row each rather than a list
        if _aggregate(term) or isinstance(term, Subquery):
            measure = self._measure(term, root, items, taken, True)
            if measure.kind == "PROPERTY":
                raise Unread("a column")
            return Column(measure.kind, measure.held, measure.path, "V0", measure.beyond)
        raise Unread(
            f"the column {type(term).__name__} {getattr(term, 'operator', getattr(term, 'function', ''))}"
        )

    def _measure(
        self, term: Term, root: str, items: list[Item], taken: set[str], own: bool = False
    ) -> Measure:
        term = _bare(term)
        if isinstance(term, Subquery) and term.keeps == "count":
            where, item = self._exists(term)
            if where != root or not isinstance(item, Hop):
                raise Unread("a count of another node's")
            return Measure("CNT", "", item)
        if not _aggregate(term):
            where, held = self._held(term)
            if where == root:
                return Measure("PROPERTY", held)
            if where not in self.nodes:
                edge = next(e for e in self.edges if e.variable == where)
                where = edge.target if edge.source == root else edge.source
            return Measure("PROPERTY", held, None, where)
        assert isinstance(term, Apply)
        function, argument = term.function, _bare(term.arguments[0]) if term.arguments else None
        if function == "collect" and own:
            raise Unread("a list of each group")
        if function == "count":
            name = _variable(argument) if argument is not None else ""
            counted = next((e for e in self.edges if e.variable == name), None)
            if counted is not None:
                name = counted.target if counted.source == root else counted.source
            if argument is None:
                name = next((i.name for i in items if isinstance(i, Hop) and i.name), "") or root
            held = ""
            if isinstance(argument, Property) and argument.of == Variable(name):
                _, held = self._held(argument)
                held = "" if self.shape.properties[held].naming or not term.distinct else held
            if name == root:
                if own:
                    return Measure("VALUES", held) if held else Measure("COUNT")
                raise Unread("a condition on a count of groups")
            if not held and (two := self._two_branches(name, items, taken)) is not None:
                return Measure("VALUES", "", two[0], "", two[1])
            return Measure("VALUES" if held else "CNT", held, self._branch(name, items, taken))
        if function not in FUNCTIONS or argument is None:
            raise Unread(f"the function {function}")
        where, held = self._held(argument)
        if where == root:
            if own:
                return Measure(FUNCTIONS[function], held)
            raise Unread("a condition on an aggregate of groups")
        if where not in self.nodes:
            edge = next(e for e in self.edges if e.variable == where)
            where = edge.target if edge.source == root else edge.source
        if (two := self._two_branches(where, items, taken)) is not None:
            return Measure(FUNCTIONS[function], held, two[0], "", two[1])
        return Measure(FUNCTIONS[function], held, self._branch(where, items, taken))

    def _two_branches(self, name: str, items: list[Item], taken: set[str]) -> tuple[Hop, Hop] | None:
        """The root's hop on the way to a node two hops off, and the hop from there."""
        for hop in items:
            for far in hop.items if isinstance(hop, Hop) else ():
                if isinstance(hop, Hop) and isinstance(far, Hop) and far.name == name:
                    taken.add(hop.name)
                    return replace(hop, items=tuple(i for i in hop.items if i is not far)), far
        return None

    def _branch(self, name: str, items: list[Item], taken: set[str]) -> Hop:
        """The root's hop to a node; deeper ones cannot be measured."""
        hop = next((i for i in items if isinstance(i, Hop) and i.name == name), None)
        if hop is None:
            raise Unread("a measure over two hops")
        taken.add(name)
        return hop

    def _kept(
        self, told: Sequence[Column], best: Best | None, items: Sequence[Item], root: str
    ) -> tuple[Column, ...]:
        """The columns that say what is asked for: not what is compared or ordered by anyway."""
        tested = set(_used(items))
        keys = tuple(c for c in told if c.kind == "NODE" and c.held not in tested)
        if best is not None and best.measure.kind != "PROPERTY" and keys and root not in self.counted_of:
            m = best.measure
            by = (*keys, Column(m.kind, m.held, m.path, "V0", m.beyond))
            if m.path is None or grouped(Reading("", columns=by)):
                return by
        kept: list[Column] = []
        for i, c in enumerate(told):
            again = best is not None and (c.kind, c.held, c.path, c.beyond) == (
                best.measure.kind.replace("PROPERTY", "NODE"),
                best.measure.held,
                best.measure.path,
                best.measure.beyond,
            )
            if i and (again or (c.held and c.held in tested) or c in kept):
                continue
            kept.append(c)
        if len(kept) > 1 and kept[0].kind == "CNT" and best is not None and kept[0].path == best.measure.path:
            kept = kept[1:]
        return tuple(kept)

    def _limit(self, limit: Term | None) -> Value | None:
        if limit is None:
            return None
        try:
            return self._value(limit)
        except Unread:
            return None


def _conjuncts(term: Term) -> list[Term]:
    if isinstance(term, Operation) and term.operator == "and":
        return [c for each in term.operands for c in _conjuncts(each)]
    return [term]


def _bound(term: Term, operator: str) -> float | None:
    """The year from which, or before which, a comparison with a number or a date lets values through."""
    after = operator in (">", "<=")
    if isinstance(term, Number):
        return float(term.value) + after
    if isinstance(term, Text) and (day := re.match(r"(\d{4})-(01-01|12-31)", term.value)):
        return int(day[1]) + (day[2] == "12-31")
    return None


def _bare(term: Term) -> Term:
    """A term without the functions that only change how it is written."""
    while (
        isinstance(term, Apply)
        and term.function in PLAIN
        and len(term.arguments) in (1, 2)
        and term.function != "size"
    ):
        term = term.arguments[0]
    return term


def _aggregate(term: Term) -> bool:
    return isinstance(term, Apply) and term.function in ("count", "collect", *FUNCTIONS)


def _variable(term: Term) -> str:
    match term:
        case Variable():
            return term.name
        case Property(Variable() as of):
            return of.name
        case _:
            raise Unread("a count of something made")


def _used(items: Sequence[Item]) -> list[str]:
    """The properties that conditions and measures name."""
    found: list[str] = []
    for item in items:
        match item:
            case Test():
                found.append(item.held)
            case Hop():
                found += _used(item.items)
            case Not():
                found += _used([item.item])
            case Either():
                found += _used([item.first, item.second])
            case Compared() | Best():
                found += [item.measure.held] if item.measure.held else []
                found += _used([item.measure.path]) if item.measure.path else []
    return found
