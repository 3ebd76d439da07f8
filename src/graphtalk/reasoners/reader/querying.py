"""A reading as a query: what it means, exactly.

A hop that nothing else refers to is a condition (`exists`), so it never repeats a row; a hop that a column, an order or
another condition names is matched. A measure over a path is worked out for each node before anything is told. Where one
is the best and no number was said, all that share its measure are told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from graphtalk.calls.ast import Boolean, Items, Number, Text
from graphtalk.calls.query import (
    Apply,
    Branch,
    Case,
    Clause,
    EdgePattern,
    Element,
    List,
    Match,
    NodePattern,
    Operation,
    Operator,
    Part,
    Pattern,
    Projection,
    Property,
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
from graphtalk.calls.query import (
    Column as QueryColumn,
)
from graphtalk.reasoners.reader.linking import Linked, NodeId, years_of
from graphtalk.reasoners.reader.reading import (
    ITSELF,
    All,
    Best,
    Column,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Mean,
    Measure,
    Not,
    Other,
    Reading,
    Span,
    Test,
    Value,
    of_groups,
)
from graphtalk.reasoners.reader.shape import Held, Shape, Step, spoken
from graphtalk.reasoners.reader.telling import column_names

OPERATORS: dict[str, Operator] = {
    "EQ": "=",
    "NE": "<>",
    "LT": "<",
    "LE": "<=",
    "GT": ">",
    "GE": ">=",
    "STARTS": "starts with",
    "ENDS": "ends with",
    "HAS": "contains",
}

_FIRST_YEAR = 1000  # what is below is no year, but an age
_OF_LIVES = frozenset("birth born death died founded built".split())  # of years, where these are numbers
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Unsaid(ValueError):
    """A reading that no query says."""


def query_of(reading: Reading, shape: Shape, values: Sequence[Linked]) -> Query:
    """The query of a reading whose spans are `values`. Raises Unsaid."""
    return _Asker(reading, shape, values).query()


def condition_of(item: Item, node: str, edge: str, shape: Shape, values: Sequence[Linked]) -> Term:
    """A condition on a node, or on the edge that led there, by their names in a query. Raises Unsaid."""
    asker = _Asker(Reading(""), shape, values)
    return asker.condition(node, edge, item)


@dataclass
class _Asker:
    reading: Reading
    shape: Shape
    values: Sequence[Linked]
    _named: set[str] = field(default_factory=set)
    _fresh: int = 0
    _carried: list[str] = field(default_factory=list)

    def query(self) -> Query:
        r = self.reading
        self._named = {c.node for c in r.columns} | _references([*r.items, *([r.order] if r.order else [])])
        before, items = self._bests(r.items)
        clauses: list[Clause] = [*before]
        worked_out = [i for i in items if isinstance(i, Compared) and i.measure.kind != "CNT"]
        patterns, where = self._matched("V0", r.type, [i for i in items if i not in worked_out])
        clauses.append(Match(tuple(patterns), all_of(where)))
        for compared in worked_out:
            clauses += self._having(compared)
        own = [i for i in items if isinstance(i, Best)]
        for best in own:
            clauses += self._cut(best)
        if r.asks == "ASK":
            clauses.append(
                _told([QueryColumn(Operation(">", (Apply("count", (Variable("V0"),)), Number(0))), "answer")])
            )
        elif r.asks == "SHARE":
            clauses = self._share(where, before)
        else:
            clauses += self._columns()
        return Query((Part(tuple(clauses)),))

    # Conditions

    def _matched(self, name: str, node_type: str, items: Sequence[Item]) -> tuple[list[Pattern], list[Term]]:
        """The patterns and conditions of a node and of the hops from it that something names."""
        patterns = [Pattern((NodePattern(name, (node_type,)),))]
        where: list[Term] = []
        for item in items:
            if isinstance(item, Best):
                continue
            if isinstance(item, Hop) and (item.name in self._named or _names_inside(item) & self._named):
                more, conditions = self._hop(name, item)
                patterns += more
                where += conditions
            else:
                where.append(self.condition(name, "", item))
        return patterns, where

    def _hop(self, name: str, hop: Hop) -> tuple[list[Pattern], list[Term]]:
        """A hop as patterns and conditions; its end gets a name if it has none, for what follows starts there."""
        far = name if hop.same == ITSELF else hop.same or hop.name or self._next()
        step = self.shape.steps[hop.view]
        edge = f"e{hop.name or self._next()}"
        inner = [self.shape.steps[i.view].link.over for i in hop.items if isinstance(i, Hop)]
        if any(over is not None and over[0] == step.source for over in inner):
            raise Unsaid(
                "a line by what the others of its event are of"
            )  # the lamp's quantity is on its line
        labels = () if hop.same else (step.target,)
        between, edges = edges_of(step, "" if hop.star else edge, hop.star)
        patterns = [Pattern((NodePattern(name), *between, NodePattern(far, labels)), edges)]
        where: list[Term] = []
        for item in hop.items:
            named = isinstance(item, Hop) and (item.name in self._named or _names_inside(item) & self._named)
            if isinstance(item, Hop) and (named or self._back(hop, item)):
                more, conditions = self._hop(far, item)
                patterns += more
                where += conditions
            else:
                where.append(self.condition(far, edge, item))
        return patterns, where

    def _back(self, hop: Hop, item: Hop) -> bool:
        """Whether a hop goes back over the relation that led there: to others ("in the same city as X"), over another edge."""
        there, back = self.shape.steps[hop.view], self.shape.steps[item.view]
        return (
            not item.anew
            and there.link == back.link
            and (there.out != back.out or there.link.undirected)
            and not item.same
        )

    def _having(self, compared: Compared) -> list[Clause]:
        """A condition on what must be worked out for each node."""
        if self._named - {"V0", ""} or compared.measure.path is None:
            raise Unsaid("a condition on an aggregate there")
        clauses, key = self._measured(compared.measure, "V0")
        test = Operation(OPERATORS[compared.operator], (key, self._against(compared, "V0")))
        return [*clauses, With(Projection(everything=True), test)]

    def _next(self) -> str:
        self._fresh += 1
        return f"x{self._fresh}"

    def condition(self, name: str, edge: str, item: Item) -> Term:
        """A condition on a node, or on the edge that led there."""
        match item:
            case Test():
                return self._test(edge if self.shape.properties[item.held].edge else name, item)
            case Hop():
                return Subquery("exists", self._sub(name, item))
            case Not():
                return Operation("not", (self._certain(self.condition(name, edge, item.item), item.item),))
            case Either():
                return Operation(
                    "or", (self.condition(name, edge, item.first), self.condition(name, edge, item.second))
                )
            case All():
                return self._every(name, item.hop)
            case Compared():
                if item.measure.kind != "CNT" or item.measure.path is None:
                    raise Unsaid("a condition on an aggregate")
                count = Subquery("count", self._sub(name, item.measure.path))
                return Operation(OPERATORS[item.operator], (count, self._against(item, name)))
            case _:
                raise Unsaid("a superlative there")

    def _every(self, name: str, hop: Hop) -> Term:
        """That a node is joined to all that fulfil a hop's conditions: to one at least, and there is none that it is not joined to."""
        step, far = self.shape.steps[hop.view], self._next()
        of_edge = [i for i in hop.items if isinstance(i, Test) and self.shape.properties[i.held].edge]
        own = [i for i in hop.items if i not in of_edge]
        if hop.star or any(isinstance(i, Best) for i in own) or step.link.undirected:
            raise Unsaid("every one there")
        joined = self._sub(name, Hop(hop.view, tuple(of_edge), same=far))
        patterns, where = self._matched(far, step.target, own)
        missing = all_of([*where, Operation("not", (Subquery("exists", joined),))])
        none = Subquery("exists", Query((Part((Match(tuple(patterns), missing),)),)))
        return Operation("and", (Subquery("exists", self._sub(name, hop)), Operation("not", (none,))))

    def _certain(self, condition: Term, item: Item) -> Term:
        """A condition that is false, not unknown, of what has no such value: what was never calibrated was not calibrated in 2024."""
        unsure = isinstance(item, Test) and item.operator not in ("NULL", "NOTNULL")
        return Apply("coalesce", (condition, Boolean(False))) if unsure else condition

    def _sub(self, name: str, hop: Hop) -> Query:
        if any(isinstance(i, Best) for i in hop.items):
            raise Unsaid("a superlative there")
        patterns, where = self._hop(name, hop)
        return Query((Part((Match(tuple(patterns), all_of(where)),)),))

    def _test(self, holder: str, test: Test) -> Term:
        held = self.shape.properties[test.held]
        of = worth(holder, held)
        match test.operator:
            case "NULL":
                return Operation("is null", (of,))
            case "NOTNULL":
                return Operation("is not null", (of,))
            case "YES" | "NO":
                so = test.operator == "YES"
                said: Term = Boolean(so)
                if held.stored == "text":
                    said = Text(held.examples[0 if so else 1])
                elif held.stored == "number":
                    said = Number(int(so))
                return Operation("=", (of, said))
        own = [replace(v, node=holder) if isinstance(v, Other) and not v.node else v for v in test.values]
        terms = [self._compared(of, held, test.operator, v) for v in own]
        joined = terms[0]
        for term in terms[1:]:
            joined = Operation("and" if test.operator == "NE" else "or", (joined, term))
        return joined

    def _compared(self, of: Term, held: Held, operator: str, value: Value) -> Term:
        if isinstance(value, Other):
            return Operation(
                OPERATORS[operator],
                (of, worth(value.node, self.shape.properties[value.held])),
            )
        if isinstance(value, Mean):
            return Operation(OPERATORS[operator], (of, self._mean(self.shape.properties[value.held])))
        if isinstance(value, Span) and value.than:
            return self._than(of, held, operator, value)
        decade = isinstance(value, Span) and self.values[value.index].decade
        if held.kind == "number":
            number = _whole(self._number(value, held))
            if number < _FIRST_YEAR and not held.part and not _OF_LIVES.isdisjoint(spoken(held.name).split()):
                raise Unsaid(f"the year {number}")
            if decade:
                return _ranged(of, operator, Number(number), Number(number + years_of(int(number))))
            return Operation(OPERATORS[operator], (of, Number(number)))
        if not isinstance(value, Span):
            raise Unsaid("a text of no words")
        linked = self.values[value.index]
        if held.kind == "date":
            said = f"{linked.number:.0f}s" if decade else linked.text
            return _dated(of, operator, said, held.stored)
        spelt = [s for action, spellings in linked.found if action == held.action for s in spellings]
        if held.kind == "list":
            return Operation("in", (Text(spelt[0] if spelt else linked.text), of))
        if operator in ("EQ", "NE"):
            if spelt:
                if isinstance(of, Property) and all(isinstance(s, NodeId) for s in spelt):
                    of = replace(of, name="id")
                right: Term = Text(str(spelt[0])) if len(spelt) == 1 else Items(tuple(map(Text, spelt)))
                equal = Operation("=" if len(spelt) == 1 else "in", (of, right))
            else:
                equal = Operation("=", (Apply("tolower", (of,)), Text(linked.text.lower())))
            return equal if operator == "EQ" else Operation("not", (equal,))
        if operator in ("HAS", "STARTS", "ENDS"):
            return Operation(OPERATORS[operator], (Apply("tolower", (of,)), Text(linked.text.lower())))
        return Operation(OPERATORS[operator], (of, Text(linked.text)))

    def _mean(self, held: Held) -> Term:
        """The average of a property of all nodes."""
        column = QueryColumn(Apply("avg", (worth("x", held),)), "average")
        pattern = Pattern((NodePattern("x", (held.owner,)),))
        if held.edge:
            link = next(link for link in self.shape.links if link.key == held.owner)
            ends = (NodePattern("", (link.source,)), NodePattern("", (link.target,)))
            pattern = Pattern(ends, (EdgePattern("x", link.relations, "out"),))
        match = Match((pattern,))
        query = Query((Part((match, Return(Projection((column,))))),))
        return Apply("head", (Subquery("collect", query),))

    def _against(self, compared: Compared, name: str) -> Term:
        """What a measure of a node is compared with."""
        match compared.value:
            case Measure() as measure:
                before, term = self._measured(measure, name)
                if before:
                    raise Unsaid("compared with an aggregate")
                return term
            case Span(than=True) as other:
                path = compared.measure.path
                assert path is not None
                match, far = self._named_node(self.shape.steps[path.view].source, other)
                clauses, key = self._measured(compared.measure, far)
                told = Return(Projection((QueryColumn(key, "theirs"),)))
                query = Query((Part((match, *clauses, told)),))
                return Apply("head", (Subquery("collect", query),))
            case value:
                return Number(_whole(self._number(value)))

    def _named_node(self, node_type: str, value: Span) -> tuple[Match, str]:
        """The node of a type that has a name, and what it is called in the query."""
        action = self.shape.name_of(node_type)
        if action is None:
            raise Unsaid("compared with what has no name")
        named, other = self.shape.properties[action], self._next()
        same = self._compared(worth(other, named), named, "EQ", Span(value.index))
        return Match((Pattern((NodePattern(other, (node_type,)),)),), same), other

    def _than(self, of: Term, held: Held, operator: str, value: Span) -> Term:
        """Compared with the same property of the node of that name."""
        if held.edge:
            raise Unsaid("compared with what has no name")
        match, other = self._named_node(held.owner, value)
        others = worth(other, held)
        if held.kind == "list":  # the same as the only one of another's
            one = Operation("=", (Apply("size", (others,)), Number(1)))
            compared = Operation("and", (one, Operation("in", (Apply("head", (others,)), of))))
        else:
            compared = Operation(OPERATORS[operator], (of, others))
        assert match.where is not None
        both = Operation("and", (match.where, compared))
        return Subquery("exists", Query((Part((replace(match, where=both),)),)))

    def _number(self, value: Value, held: Held | None = None) -> float:
        """What a value is worth, in the unit of a property that it is compared with."""
        if isinstance(value, Constant):
            return value.number
        linked = self.values[value.index] if isinstance(value, Span) else None
        if linked is None or linked.number is None or linked.ordinal:
            raise Unsaid("a number that is none")
        amount = linked.amount(held.name) if held is not None else linked.number
        if amount is None:
            raise Unsaid("a number in another unit")
        return amount

    def _rank(self, limit: Value | None) -> int:
        """The one place that a superlative keeps, 1 for the best; 0 where it keeps several."""
        if limit is None or limit == Constant(1):
            return 1
        linked = self.values[limit.index] if isinstance(limit, Span) else None
        return int(linked.number or 0) if linked is not None and linked.ordinal else 0

    # Superlatives inside conditions

    def _bests(self, items: Sequence[Item]) -> tuple[list[Clause], list[Item]]:
        """A superlative behind hops is worked out first: its node is then there by name."""
        clauses: list[Clause] = []
        kept: list[Item] = []
        for item in items:
            if isinstance(item, Hop) and any(isinstance(i, Best) for i in item.items):
                step = self.shape.steps[item.view]
                edge_items = [
                    i for i in item.items if isinstance(i, Test) and self.shape.properties[i.held].edge
                ]
                own = [i for i in item.items if i not in edge_items]
                patterns, where = self._matched(
                    item.name, step.target, [i for i in own if not isinstance(i, Best)]
                )
                clauses.append(Match(tuple(patterns), all_of(where)))
                for best in own:
                    if isinstance(best, Best):
                        clauses += self._cut(best, item.name)
                self._carried.append(item.name)
                self._named.add(item.name)
                kept.append(Hop(item.view, tuple(edge_items), item.star, item.same, item.name))
            elif isinstance(item, Hop):
                before, inner = self._bests(item.items)
                clauses += before
                kept.append(replace(item, items=tuple(inner)))
            else:
                kept.append(item)
        return clauses, kept

    def _cut(self, best: Best, name: str = "V0") -> list[Clause]:
        """Keeps the best of a node's matches: one with all its equals, or as many as said."""
        clauses, key = self._measured(best.measure, name)
        names = list(dict.fromkeys([*self._carried, name]))
        rank = self._rank(best.limit)
        if rank:
            return [*clauses, *best_only(key, best.top, names, rank)]
        assert best.limit is not None
        limit = Number(_whole(self._number(best.limit)))
        columns = tuple(QueryColumn(Variable(v), v) for v in names)
        known = With(
            Projection((*columns, QueryColumn(key, "best"))), Operation("is not null", (Variable("best"),))
        )
        cut = With(Projection(columns, order=(SortItem(Variable("best"), best.top),), limit=limit))
        return [*clauses, known, cut]

    def _measured(self, measure: Measure, name: str, kept: Sequence[str] = ()) -> tuple[list[Clause], Term]:
        """What must come before, and the term of a measure of a node."""
        if measure.path is None:
            if measure.kind != "PROPERTY":
                raise Unsaid("a number of groups there")
            held = self.shape.properties[measure.held]
            holder = measure.node or name
            if held.edge:
                holder = f"e{measure.node}"
            return [], worth(holder, held)
        if measure.kind == "CNT":
            return [], Subquery("count", self._sub(name, measure.path))
        return self._aggregated(measure, measure.path, name, kept)

    def _aggregated(
        self, measure: Measure | Column, path: Hop, name: str, kept: Sequence[str]
    ) -> tuple[list[Clause], Variable]:
        match, far = self._match(path, measure.beyond, name)
        carried = [QueryColumn(Variable(v), v) for v in dict.fromkeys([*self._carried, name, *kept])]
        worked_out = self._next()
        term = QueryColumn(self._number_of(measure, far), worked_out)
        return [match, With(Projection((*carried, term)))], Variable(worked_out)

    def _match(self, path: Hop, beyond: Hop | None, name: str) -> tuple[Match, str]:
        """The way from a node over a path, and over the one beyond it; what the node at its end is called."""
        far = self._next()
        patterns, where = self._hop(name, Hop(path.view, path.items, path.star, "", far))
        if beyond is not None:
            between, far = far, self._next()
            more, conditions = self._hop(between, Hop(beyond.view, beyond.items, beyond.star, "", far))
            patterns, where = [*patterns, *more], [*where, *conditions]
        return Match(tuple(patterns), all_of(where)), far

    def _names(self, test: Test) -> bool:
        """Whether a condition names the one node that is meant."""
        return test.operator == "EQ" and len(test.values) == 1 and self.shape.properties[test.held].naming

    # What is told

    def _groups(self) -> list[Clause]:
        """A row for each group of nodes that have the same properties, with what is counted or added up over all of them."""
        r = self.reading
        numbers: list[Column | Measure] = [c for c in r.columns if c.kind != "NODE"]
        if r.order is not None and r.order.measure.kind != "PROPERTY":
            numbers.append(r.order.measure)
        if len({(_plain(n.path), _plain(n.beyond)) for n in numbers}) != 1 or self._carried:
            raise Unsaid("numbers of several things for each group")
        keys = [c for c in r.columns if c.kind == "NODE"]
        if not keys or Column("NODE") in keys:
            raise Unsaid("groups of one")
        clauses: list[Clause] = []
        far = "V0"
        if numbers[0].path is not None:
            match, far = self._match(numbers[0].path, numbers[0].beyond, "V0")
            clauses.append(match)
        cells = {
            (c.kind, c.held, c.node): self._column(c) if c.kind == "NODE" else self._number_of(c, far)
            for c in r.columns
        }
        key = ("", "", "")
        if r.order is not None:
            m = r.order.measure
            key = (m.kind.replace("PROPERTY", "NODE"), m.held, m.node or "V0")
            if key not in cells:
                if m.kind == "PROPERTY":
                    raise Unsaid("an order of groups by what they are not told by")
                cells[key] = self._number_of(m, far)
        names = {cell: f"c{i}" for i, cell in enumerate(cells)}
        clauses.append(With(Projection(tuple(map(QueryColumn, cells.values(), names.values())))))
        best = r.order is not None and r.limit is not None
        told = tuple(
            QueryColumn(Variable(names[c.kind, c.held, c.node]), name)
            for c, name in zip(r.columns, column_names(r, self.shape), strict=True)
            if c.kind == "NODE" or not best  # which group has the most: its number says no more
        )
        limit = Number(_whole(self._number(r.limit))) if r.limit is not None else None
        if r.order is None:
            return [*clauses, Return(Projection(told, limit=limit))]
        known = [Operation("is not null", (Variable(names[cell]),)) for cell in cells if cell[0] == "NODE"]
        clauses.append(With(Projection(everything=True), all_of(known)))
        number = Variable(names[key])
        if rank := self._rank(r.limit) if r.limit is not None else 0:
            clauses += best_only(number, r.order.top, list(names.values()), rank)
            return [*clauses, Return(Projection(told))]
        return [*clauses, Return(Projection(told, order=(SortItem(number, r.order.top),), limit=limit))]

    def _number_of(self, number: Column | Measure, far: str) -> Term:
        """A count of what stands in a group's rows under a name, or an aggregate of it."""
        if not number.held:
            return Apply("count", (Variable(far),), True)
        held = self.shape.properties[number.held]
        of = worth(f"e{far}" if held.edge else far, held)
        return Apply("count", (of,), True) if number.kind == "VALUES" else Apply(number.kind.lower(), (of,))

    def _columns(self) -> list[Clause]:
        r = self.reading
        if of_groups(r) and not any(isinstance(i, Test) and self._names(i) for i in r.items):
            return self._groups()
        clauses: list[Clause] = []
        told: list[QueryColumn] = []
        worked_out: list[str] = []
        for c, name in zip(r.columns, column_names(r, self.shape), strict=True):
            if c.path is not None and c.kind != "CNT":
                before, term = self._aggregated(c, c.path, "V0", worked_out)
                clauses += before
                worked_out.append(term.name)
                told.append(QueryColumn(term, name))
            else:
                told.append(QueryColumn(self._column(c), name))
        order: tuple[SortItem, ...] = ()
        rank = self._rank(r.limit) if r.order is not None and r.limit is not None else 0
        if r.order is not None:
            m = r.order.measure
            same = next(
                (
                    i
                    for i, c in enumerate(r.columns)
                    if m.path
                    and (c.kind, c.held, _plain(c.path), _plain(c.beyond))
                    == (m.kind, m.held, _plain(m.path), _plain(m.beyond))
                ),
                None,
            )
            if same is not None:
                key: Term = told[same].value
            else:
                before, key = self._measured(m, "V0", worked_out)
                clauses += before
            if rank:
                held = [c for c in r.columns if c.kind == "NODE"]
                edges = [f"e{c.node}" for c in held if c.held and self.shape.properties[c.held].edge]
                names = list(dict.fromkeys(["V0", *(c.node for c in held), *edges, *worked_out]))
                clauses += best_only(key, r.order.top, names, rank)
            else:
                if r.order.measure.path is None:
                    clauses.append(With(Projection(everything=True), Operation("is not null", (key,))))
                order = (SortItem(key, r.order.top),)
        aggregate = any(c.path is None and c.kind != "NODE" for c in r.columns)
        limit = Number(_whole(self._number(r.limit))) if r.limit is not None and not rank else None
        distinct = not aggregate and not order
        clauses.append(Return(Projection(tuple(told), False, distinct, order, None, limit)))
        return clauses

    def _column(self, c: Column) -> Term:
        if c.kind == "NODE":
            if not c.held:
                return Variable(c.node)
            held = self.shape.properties[c.held]
            return worth(f"e{c.node}" if held.edge else c.node, held)
        if c.kind == "COUNT":
            return Apply("count", (Variable("V0"),), True)
        if c.kind == "CNT":
            assert c.path is not None
            return Subquery("count", self._sub("V0", c.path))
        argument = worth("V0", self.shape.properties[c.held])
        return Apply("count", (argument,), True) if c.kind == "VALUES" else Apply(c.kind.lower(), (argument,))

    def _share(self, where: Sequence[Term], before: Sequence[Clause]) -> list[Clause]:
        """Per cent of all nodes of the type."""
        if before or not where:
            raise Unsaid("a share of that")
        condition = all_of(where)
        assert condition is not None
        part = Apply("sum", (Case((Branch(condition, Number(1)),), None, Number(0)),))
        per_cent = Operation("/", (Operation("*", (Number(100.0), part)), Apply("count", (Variable("V0"),))))
        match = Match((Pattern((NodePattern("V0", (self.reading.type,)),)),))
        return [match, _told([QueryColumn(per_cent, "per cent")])]


def edges_of(
    step: Step, edge: str, star: bool = False
) -> tuple[tuple[NodePattern, ...], tuple[EdgePattern, ...]]:
    """The node that stands between the ends of a step, if one does, and the edges; `edge` is what that or the edge is called."""
    if step.link.over is not None:
        line, *ends = step.link.over
        near, beyond = ends if step.out else reversed(ends)
        return (NodePattern(edge, (line,)),), (
            EdgePattern("", (near,), "in"),
            EdgePattern("", (beyond,), "out"),
        )
    way: Way = "both" if step.link.undirected else "out" if step.out else "in"
    return (), (EdgePattern(edge, step.link.relations, way, star),)


def worth(name: str, held: Held) -> Term:
    """A property of a node or an edge, by its name in a query; what is worked out of dates, as that."""
    if held.part == "id":  # without what tells it from the ids of other tables
        return Apply("replace", (Apply("id", (Variable(name),)), Text(f"{held.owner}:"), Text("")))
    if held.via is not None:
        return Apply("head", (Subquery("collect", _there(name, held)),))
    if not held.of:
        return Property(Variable(name), held.name)
    dates = [_as_date(worth(name, date), date.stored) for date in held.of]
    if held.part in ("days", "span"):
        return Property(Apply("duration.indays", tuple(dates)), "days")
    if held.part == "age":
        return Property(Apply("duration.between", tuple(dates)), "years")
    if held.part == "years":
        return Operation("/", (Property(Apply("duration.indays", tuple(dates)), "days"), Number(365.2425)))
    if held.part == "minutes":
        seconds = Property(Apply("duration.inseconds", tuple(dates)), "seconds")
        return Operation("/", (seconds, Number(60)))
    year = Property(dates[0], "year")
    match held.part:
        case "year":
            return year
        case "month" | "day":
            letters = Number(7 if held.part == "month" else 10)
            return Apply("substring", (Apply("tostring", (dates[0],)), Number(0), letters))
        case "quarter":
            return Operation("+", (Operation("+", (year, Text("-Q"))), Property(dates[0], "quarter")))
        case "week":
            week = Operation("+", (Property(dates[0], "weekYear"), Text("-W")))
            return Operation("+", (week, Property(dates[0], "week")))
        case _:
            day = Operation("-", (Property(dates[0], "dayOfWeek"), Number(1)))
            return Element(List(tuple(map(Text, WEEKDAYS))), day)


def _there(name: str, held: Held) -> Query:
    """The property of the node that a step leads to."""
    assert held.via is not None
    way: Way = "out" if held.via.out else "in"
    far = f"{name}_{held.via.link.name}"
    ends = (NodePattern(name), NodePattern(far, (held.via.target,)))
    match = Match((Pattern(ends, (EdgePattern("", (held.via.link.name,), way),)),))
    column = QueryColumn(worth(far, held.of[0]), held.name)
    return Query((Part((match, Return(Projection((column,))))),))


def _as_date(of: Term, stored: str) -> Term:
    return of if stored in ("date", "datetime") else Apply("date", (of,))


def best_only(key: Term, top: bool, names: Sequence[str], rank: int = 1) -> list[Clause]:
    """Keeps, of rows of these variables, those with the largest (or smallest) key: all of them where several have it.

    `rank`: 2 for those with the second largest, and so on; keys that several rows have take one place.
    """
    row, best = Variable("row"), Variable("best")
    cells = List((*map(Variable, names), best))
    rows = QueryColumn(Apply("collect", (cells,)), "rows")
    most = QueryColumn(Apply("max" if top else "min", (best,)), "most")
    own = Element(row, Number(len(names)))
    kept: list[Clause] = [With(Projection((rows, most)))]
    if rank > 1:
        order = (SortItem(Variable("most"), top),)
        keys = QueryColumn(Apply("collect", (best,), True), "keys")
        place = Projection((), True, False, order, Number(rank - 1), Number(1))
        kept = [With(Projection((rows, keys))), Unwind(Variable("keys"), "most"), With(place)]
    return [
        With(
            Projection((QueryColumn(key, "best"),), everything=True),
            Operation("is not null", (best,)),
        ),
        *kept,
        Unwind(Variable("rows"), "row"),
        With(Projection(everything=True), Operation("=", (own, Variable("most")))),
        With(Projection(tuple(QueryColumn(Element(row, Number(i)), name) for i, name in enumerate(names)))),
    ]


def without_ties(clauses: Sequence[Clause]) -> list[Clause]:
    """The same with the first row alone wherever `best_only` keeps all that have the best key: as people write it."""
    found, at = list[Clause](), 0
    while at < len(clauses):
        match list(clauses[at : at + 5]):
            case [
                With(projection=Projection(columns=(QueryColumn(value=key, name="best"),))),
                With(projection=Projection(columns=(_, QueryColumn(value=Apply(function=most))))),
                Unwind(),
                With(),
                With(projection=Projection(columns=columns)),
            ] as kept if kept == best_only(key, most == "max", names := [c.name for c in columns]):
                rows = tuple(QueryColumn(Variable(name), name) for name in names)
                order = (SortItem(key, most == "max"),)
                found.append(With(Projection(rows, order=order, limit=Number(1))))
                at += 5
            case _:
                found.append(clauses[at])
                at += 1
    return found


def _told(columns: Sequence[QueryColumn]) -> Return:
    return Return(Projection(tuple(columns)))


def all_of(where: Sequence[Term]) -> Term | None:
    """All of some conditions as one; None of none."""
    if not where:
        return None
    joined = where[0]
    for term in where[1:]:
        joined = Operation("and", (joined, term))
    return joined


def _whole(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def _plain(path: Hop | None) -> Hop | None:
    """A path without the names of its nodes, which differ from place to place."""
    if path is None:
        return None
    return replace(path, name="", items=tuple(_plain(i) if isinstance(i, Hop) else i for i in path.items))  # type: ignore[misc]


def _names_inside(hop: Hop) -> set[str]:
    found: set[str] = set()
    for item in hop.items:
        if isinstance(item, Hop):
            found |= {item.name} | _names_inside(item)
    return found


def _references(items: Sequence[Item]) -> set[str]:
    """The nodes that conditions and orders name."""
    found = set[str]()
    for item in items:
        match item:
            case Test():
                found |= {v.node for v in item.values if isinstance(v, Other) and v.node}
            case Hop():
                found |= {item.same} | _references(item.items)
            case Not():
                found |= _references([item.item])
            case Either():
                found |= _references([item.first, item.second])
            case Compared() | Best():
                found |= {item.measure.node} | (
                    _references([item.measure.path]) if item.measure.path else set()
                )
    return found - {""}


def _dated(of: Term, operator: str, text: str, stored: str) -> Term:
    """A date compared with a year, a month or a day: all of it before, in or after."""
    if operator not in OPERATORS or operator in ("HAS", "STARTS", "ENDS"):
        return Operation("contains", (Apply("tostring", (of,)), Text(text)))
    if text in (*WEEKDAYS, "weekend") or text.startswith("--"):
        return _recurring(of, operator, text, stored)
    if text[2:3] == ":":
        if stored != "datetime":
            raise Unsaid(f"the time of day of a date: {text}")
        clock = Apply("substring", (Apply("tostring", (of,)), Number(11), Number(5)))
        return Operation(OPERATORS[operator], (clock, Text(text)))
    start, end = (_as_stored(day, stored) for day in _bounds(text))
    return _ranged(of, operator, start, end)


def _recurring(of: Term, operator: str, text: str, stored: str) -> Term:
    """In a month of any year (`--03`), on a day of any week."""
    if operator != "EQ":
        raise Unsaid(f"{operator} {text}")
    if text.startswith("--"):
        return Operation("=", (Property(_as_date(of, stored), "month"), Number(int(text[2:]))))
    day = Property(_as_date(of, stored), "dayOfWeek")
    if text == "weekend":
        return Operation(">=", (day, Number(6)))
    return Operation("=", (day, Number(WEEKDAYS.index(text) + 1)))


def _ranged(of: Term, operator: str, start: Term, end: Term) -> Term:
    """Compared with all that is from a start on and before an end."""
    first, after = Operation(">=", (of, start)), Operation(">=", (of, end))
    before = Operation("<", (of, start))
    within = Operation("and", (first, Operation("<", (of, end))))
    match operator:
        case "EQ":
            return within
        case "NE":
            return Operation("not", (within,))
        case "GT":
            return after
        case "GE":
            return first
        case "LT":
            return before
        case _:
            return Operation("<", (of, end))


def _as_stored(day: str, stored: str) -> Term:
    if stored == "datetime":
        return Apply("localdatetime", (Text(f"{day}T00:00:00"),))
    return Apply("date", (Text(day),)) if stored == "date" else Text(day)


def _bounds(text: str) -> tuple[str, str]:
    """The first day of a year, month or day, and the first after it, as ISO 8601 says them."""
    if text.endswith("s"):  # a decade
        start = int(text[:4])
        return f"{start:04}-01-01", f"{start + years_of(start):04}-01-01"
    if "/" in text:
        first, last = text.split("/")
        return _bounds(first)[0], _bounds(last)[1]
    if text[5:6] in ("Q", "H"):
        months, place = (3 if text[5] == "Q" else 6), int(text[6:])
        first, last = (f"{text[:4]}-{month:02}" for month in (months * (place - 1) + 1, months * place))
        return _bounds(first)[0], _bounds(last)[1]
    parts = text[:10].split("-")
    try:
        numbers = [int(p) for p in parts]
        if len(numbers) == 1 and numbers[0] < _FIRST_YEAR:
            raise Unsaid(f"the year {text}")  # nobody is older than 85 who was born after the year 85
        if len(numbers) == 1:
            return f"{numbers[0]:04}-01-01", f"{numbers[0] + 1:04}-01-01"
        if len(numbers) == 2:
            year, month = numbers
            following = (year + 1, 1) if month == 12 else (year, month + 1)
            return f"{year:04}-{month:02}-01", f"{following[0]:04}-{following[1]:02}-01"
        day = date(*numbers)
        return day.isoformat(), (day + timedelta(days=1)).isoformat()
    except ValueError:
        raise Unsaid(f"the date {text}") from None
