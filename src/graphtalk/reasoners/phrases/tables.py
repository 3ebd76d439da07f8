"""Tables over edges and groups, as queries and in words: a number for each key, the key with the most, the best of each."""

from collections.abc import Sequence
from dataclasses import replace

from graphtalk.calls.ast import Number
from graphtalk.calls.query import (
    Apply,
    Branch,
    Case,
    Clause,
    EdgePattern,
    Match,
    NodePattern,
    Operation,
    Part,
    Pattern,
    Projection,
    Query,
    Return,
    Term,
    Unwind,
    Variable,
    Way,
    With,
    query_call,
)
from graphtalk.calls.query import Column as QueryColumn
from graphtalk.language.nouns import plural
from graphtalk.reasoners.phrases.asked import Asked, Compiler, counts_of
from graphtalk.reasoners.phrases.things import Key, Rows, Things, Ways
from graphtalk.reasoners.reader.querying import (
    OPERATORS,
    Unsaid,
    all_of,
    best_only,
    condition_of,
    edges_of,
    query_of,
    worth,
)
from graphtalk.reasoners.reader.reading import Column, Hop, Item, Reading, Span
from graphtalk.reasoners.reader.shape import Held, Step, spoken
from graphtalk.reasoners.reader.telling import COUNTED, MEASURED, told


class Tables(Compiler):
    """Makes calls that tell something of edges, or of each group of nodes or edges."""

    def table(
        self,
        rows: Rows,
        key: Key,
        kind: str = "COUNT",
        held: Held | None = None,
        top: bool | None = None,
        having: Sequence[tuple[str, Span]] = (),
        part: tuple[Item, ...] = (),
    ) -> Asked:
        """How many rows, or an aggregate of a property of theirs, for each key.

        `top`: only the keys with the most (or least) of it; `having`: those for which it fulfils comparisons. Where nodes are counted by others, those that have none are told too.
        `part`: which share (or percentage, by `kind`) of the rows fulfils conditions.
        """
        patterns, where, name = self._grouped(rows, key)
        counting = isinstance(rows, Things)
        value: Term
        if part:
            value = self._shared(rows, part, kind)
        elif held is not None:
            value = Apply(kind.lower(), (worth("V0" if counting else "eV1", held),))
        else:
            value = Apply("count", (Variable("V0" if counting else "eV1"),), True)
        group = Variable(name) if key.held is None else worth(name, key.held)
        clauses: list[Clause] = []
        if held is None and key.held is None and not part:
            node_type = key.steps[-1].target if key.steps else self._end_type(rows, key.end)
            clauses.append(Match((Pattern((NodePattern(name, (node_type,)),)),)))
            clauses.append(Match(patterns, all_of(where), optional=True))
        else:
            clauses.append(Match(patterns, all_of([*where, Operation("is not null", (group,))])))
        titles = [self._key_told(rows, key), kind if part else self._measure_told(rows, kind, held)]
        columns = [QueryColumn(group, titles[0]), QueryColumn(value, titles[1])]
        if top is not None or having:
            bounds = [
                Operation(OPERATORS[operator], (Variable("k1"), Number(self.values[span.index].number or 0)))
                for operator, span in having
            ]
            named = Projection((QueryColumn(group, "k0"), QueryColumn(value, "k1")))
            clauses.append(With(named, all_of(bounds)))
            clauses += best_only(Variable("k1"), top, ("k0", "k1")) if top is not None else []
            columns = [QueryColumn(Variable("k0"), titles[0])]
        clauses.append(Return(Projection(tuple(columns))))
        most = "" if top is None else f", the {'most' if top else 'fewest'}"
        most += "".join(f", {COUNTED[operator]} {self.values[span.index].text}" for operator, span in having)
        whole = f"{titles[1]} by {titles[0]}"
        whole += f" of {self._called_so(rows, part)}" if part else ""
        limits = self._limits(rows)
        return Asked(query_call(Query((Part(tuple(clauses)),))), f"{whole}{limits}{most}")

    def total(self, rows: Rows, kind: str, held: Held) -> Asked:
        """An aggregate of a property of all rows."""
        rows = _of_same_edges(rows)
        pattern, where = self._rows(rows)
        of = worth("V0" if isinstance(rows, Things) else "eV1", held)
        title = self._measure_told(rows, kind, held)
        column = Return(Projection((QueryColumn(Apply(kind.lower(), (of,)), title),)))
        call = query_call(Query((Part((Match((pattern,), all_of(where)), column)),)))
        return Asked(call, f"{title}{self._limits(rows)}")

    def share_of_edges(self, ways: Ways, test: Item, name: str) -> Asked:
        """How many edges of a hundred, or of one, a condition is true of."""
        pattern, where = self._rows(ways)
        column = Return(Projection((QueryColumn(self._shared(ways, (test,), name), name),)))
        call = query_call(Query((Part((Match((pattern,), all_of(where)), column)),)))
        return Asked(call, f"the {name} that {self._called_so(ways, (test,))} is of: {self.edges_told(ways)}")

    def _shared(self, rows: Rows, part: tuple[Item, ...], name: str) -> Term:
        """Which part of rows fulfils conditions: of a hundred where that is a `percentage`, else of one."""
        end, row = ("V0", "V0") if isinstance(rows, Things) else ("V1", "eV1")
        edge = row if row != end else ""
        condition = all_of([condition_of(item, end, edge, self.shape, self.values) for item in part])
        assert condition is not None
        fulfilling = Apply("sum", (Case((Branch(condition, Number(1)),), None, Number(0)),))
        most = Number(100.0 if name == "percentage" else 1.0)
        return Operation("/", (Operation("*", (most, fulfilling)), Apply("count", (Variable(row),))))

    def _called_so(self, rows: Rows, part: tuple[Item, ...]) -> str:
        """Rows that fulfil more conditions, in words."""
        if isinstance(rows, Ways):
            return self.edges_told(replace(rows, own=(*rows.own, *part)))
        return self._told(Reading(rows.type, (*rows.items, *part), columns=(Column("NODE"),)))

    def _rows(self, rows: Rows) -> tuple[Pattern, list[Term]]:
        """The pattern of rows and their conditions. Edges of "the parts used in X" are those of X."""
        rows = _of_same_edges(rows)
        if isinstance(rows, Things):
            where = [condition_of(item, "V0", "", self.shape, self.values) for item in rows.items]
            return Pattern((NodePattern("V0", (rows.type,)),)), where
        link = rows.step.link
        if link.over is not None:
            raise Unsaid("the edges of what is no relation")
        way: Way = "both" if link.undirected else "out"
        ends = (NodePattern("V0", (link.source,)), NodePattern("V1", (link.target,)))
        where = [
            condition_of(item, name, "eV1", self.shape, self.values)
            for name, items in (("V0", rows.source), ("V1", (*rows.target, *rows.own)))
            for item in items
        ]
        return Pattern(ends, (EdgePattern("eV1", link.relations, way),)), where

    def _grouped(self, rows: Rows, key: Key) -> tuple[tuple[Pattern, ...], list[Term], str]:
        """The patterns of rows with the way to what they are grouped by, their conditions, and what that is called."""
        pattern, where = self._rows(rows)
        nodes, edges = [NodePattern(key.end)], list[EdgePattern]()
        for i, step in enumerate(key.steps):
            between, own = edges_of(step, "")
            edges += own
            nodes += [*between, NodePattern(f"g{i}", (step.target,))]
        if not edges:
            return (pattern,), where, key.end
        if isinstance(rows, Things):
            return (Pattern((*pattern.nodes, *nodes[1:]), tuple(edges)),), where, nodes[-1].variable
        return (pattern, Pattern(tuple(nodes), tuple(edges))), where, nodes[-1].variable

    def _end_type(self, rows: Rows, end: str) -> str:
        if isinstance(rows, Things):
            return rows.type
        return rows.step.source if end == "V0" else rows.step.target

    def _noun(self, rows: Rows) -> str:
        return spoken(rows.type if isinstance(rows, Things) else rows.step.link.name)

    def _measure_told(self, rows: Rows, kind: str, held: Held | None) -> str:
        if held is None:
            return f"number of {plural(self._noun(rows))}"
        return f"{MEASURED.get(kind, kind.lower())} {spoken(held.name)}"

    def _key_told(self, rows: Rows, key: Key) -> str:
        node_type = key.steps[-1].target if key.steps else self._end_type(rows, key.end)
        if key.held is None:
            return spoken(node_type)
        return f"{spoken(node_type)} {spoken(key.held.name)}" if key.steps else spoken(key.held.name)

    def _limits(self, rows: Rows) -> str:
        """What is said of rows, where it is not all of them that are told of."""
        if isinstance(rows, Things):
            plain = not rows.items
            said = self._told(Reading(rows.type, rows.items, columns=(Column("NODE"),)))
        else:
            plain, said = not (rows.source or rows.target or rows.own), self.edges_told(rows)
        return "" if plain else f", of: {said}"

    def edges(self, ways: Ways, columns: Sequence[tuple[str, str, Held | None]]) -> Asked:
        """Columns over edges: each an aggregate or none, the end or edge (`V0`, `V1`, `eV1`), and a property of it."""
        matched = self._matched(ways)
        told_columns = [
            QueryColumn(_worth(kind, name, held), self._called(ways, kind, name, held))
            for kind, name, held in columns
        ]
        grouped = any(kind for kind, _, _ in columns)
        clauses: list[Clause] = [matched]
        if ways.best is not None:
            key = worth("eV1", ways.best[1])
            clauses += best_only(key, ways.best[0], ("V0", "V1", "eV1"))
        clauses.append(Return(Projection(tuple(told_columns), distinct=not grouped)))
        return Asked(
            query_call(Query((Part(tuple(clauses)),))),
            f"{' and '.join(c.name for c in told_columns)} of: {self.edges_told(ways)}",
        )

    def any_edge(self, ways: Ways) -> Asked:
        """Whether there is such an edge."""
        some = Operation(">", (Apply("count", (Variable("eV1"),)), Number(0)))
        told_ = Return(Projection((QueryColumn(some, "answer"),)))
        query = query_call(Query((Part((self._matched(ways), told_)),)))
        return Asked(query, f"whether there are any: {self.edges_told(ways)}")

    def _matched(self, ways: Ways) -> Match:
        pattern, where = self._rows(ways)
        return Match((pattern,), all_of(where))

    def edges_told(self, ways: Ways) -> str:
        """Edges in words."""
        far: tuple[Item, ...] = (*ways.target, *ways.own)
        reading = Reading(
            ways.step.source, (*ways.source, Hop(ways.step.action, far)), columns=(Column("NODE"),)
        )
        best = (
            ""
            if ways.best is None
            else f", the {'largest' if ways.best[0] else 'smallest'} {spoken(ways.best[1].name)}"
        )
        return f"{told(reading, self.shape, self.values)}{best}"

    def _called(self, ways: Ways, kind: str, name: str, held: Held | None) -> str:
        if held is not None:
            return f"{MEASURED[kind]} {spoken(held.name)}" if kind else spoken(held.name)
        ends = {"V0": ways.step.source, "V1": ways.step.target}
        if kind:
            return f"number of {spoken(ways.step.link.name)}"
        same = ways.step.source == ways.step.target
        return f"{'from' if name == 'V0' else 'to'} {spoken(ends[name])}" if same else spoken(ends[name])

    def best_of_each(self, key: Key, things: Things, held: Held, top: bool) -> Asked:
        """For each group the things with the most of a property."""
        patterns, where, name = self._grouped(things, key)
        of = worth("V0", held)
        group = Variable(name) if key.held is None else worth(name, key.held)
        best = QueryColumn(Apply("max" if top else "min", (of,)), "best")
        each = QueryColumn(Apply("collect", (Variable("V0"),)), "ns")
        title = self._key_told(things, key)
        told_ = (QueryColumn(Variable("k"), title), QueryColumn(Variable("V0"), spoken(things.type)))
        clauses: tuple[Clause, ...] = (
            Match(patterns, all_of([*where, Operation("is not null", (of,))])),
            With(Projection((QueryColumn(group, "k"), best, each))),
            Unwind(Variable("ns"), "V0"),
            With(Projection(everything=True), Operation("=", (of, Variable("best")))),
            Return(Projection(told_, distinct=True)),
        )
        words = self._told(Reading(things.type, things.items, columns=(Column("NODE"),)))
        most = f"the {'largest' if top else 'smallest'} {spoken(held.name)}"
        return Asked(query_call(Query((Part(clauses),))), f"for each {title}: {words} with {most}")

    def median(self, things: Things, held: Held) -> Asked:
        """The median of a number that nodes have."""
        return self.total(things, "MEDIAN", held)

    def average_count(self, group: Things, hop: Hop, any_: bool) -> Asked:
        """How many neighbours nodes have on average: all, or with `any_` those that have one."""
        items = (*group.items, hop) if any_ else group.items
        each = Reading(group.type, items, columns=(Column("NODE"), Column("CNT", "", hop)))
        counts = query_of(each, self.shape, self.values)
        numbers = QueryColumn(Apply("avg", (counts_of(counts),)), "average")
        words = f"the average {self._told(replace(each, columns=each.columns[1:]))}"
        clauses = (*counts.parts[0].clauses[:-1], Return(Projection((numbers,))))
        return Asked(query_call(Query((Part(clauses),))), words)


def _worth(kind: str, name: str, held: Held | None) -> Term:
    of: Term = Variable(name) if held is None else worth(name, held)
    return Apply(kind.lower(), (of,)) if kind else of


def _of_same_edges(rows: Rows) -> Rows:
    """Edges whose one end is told by an edge of the same relation: it is that edge which is meant."""
    if isinstance(rows, Things):
        return rows
    back, there = Step(rows.step.link, not rows.step.out).action, rows.step.action
    match rows.source, rows.target:
        case (), (Hop() as hop,) if hop.view == back and not hop.star:
            return replace(rows, source=hop.items, target=())
        case (Hop() as hop,), () if hop.view == there and not hop.star:
            return replace(rows, source=(), target=hop.items)
    return rows
