"""Random read-only queries over random graphs give here what ladybug, an embedded Cypher engine, gives for them.

Where that engine departs from openCypher, queries are not drawn so that it shows:

- one edge may stand twice in one MATCH there (walks, not trails): the edges of one MATCH are of different relations;
- an edge from a node to itself fits a pattern without an arrow twice there: relations with such edges get an arrow;
- `sum` of nothing is null there, and 0 in openCypher: sums stand in `coalesce(…, 0)`;
- `COUNT { … }` may drop the rows for which it is 0 there, and subqueries inside of CASE fail: they stand in conditions
  alone, and counts are compared with more than 0;
- texts that are both null may be joined to an empty one there: what is joined is there;
- an OPTIONAL MATCH of nothing new filters there, and one that is joined to nothing loses groups of DISTINCT aggregates: here
  it is a hop from a node at hand;
- a condition of an OPTIONAL MATCH that asks for nothing new loses rows there: it names what is new;
- `n:Label` as a condition, shortestPath and comprehensions have other spellings there: they are not drawn;
- after a WITH with ORDER BY and LIMIT, WHERE filters before the limit there, and aggregates take other rows: RETURN alone
  has a limit;
- -0.0 stands before all other numbers there: numbers that are not whole are added and subtracted, not multiplied;
- a circle of edges is passed once there however many edges lie side by side: a hop ends in a new node;
- `CONTAINS ''` is false there: no text is empty;
- DISTINCT of constants leaves every row there: one column is none;
- UNION of a column that stands twice crashes that engine: the test after this one says what it gives;
- a whole number divided by zero raises there; here too, but not on the same rows: divisors are literals.
"""

import math
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from cypher_peer import Peer
from graphtalk.calls import query as q
from graphtalk.calls.ast import Boolean, Items, Number, Text
from graphtalk.calls.cypher import parse_query
from graphtalk.calls.cypher.printer import show_query
from graphtalk.engines.arrays.columns import values_of
from graphtalk.engines.arrays.rows import EdgeValue, NodeValue
from graphtalk.engines.arrays.run import run
from graphtalk.engines.arrays.scope import names
from graphtalk.engines.binding import bind
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from query_runs import frame

RELATIONS = {"r": ("A", "A"), "s": ("A", "B"), "t": ("B", "B"), "v": ("B", "A"), "u": ("A", "A")}
LOOPS = "rt"
"""Relations that have edges from a node to itself; `u` joins nodes of one type without such edges."""
EXAMPLES = int(os.environ.get("GRAPHTALK_EXAMPLES", "100"))
"""The same 300 queries each time, so that no quirk of the other engine fails a build; more, and others, where asked for."""
WORDS = ["Ann", "ann", "Bo", "boat", "é"]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Two node types, five relations, parallel edges, loops, missing values."""
    counts = {"A": draw(st.integers(1, 5)), "B": draw(st.integers(1, 4))}

    def some(values: list[object], kind: pa.DataType, count: int) -> pa.Array:
        return pa.array([draw(st.sampled_from([None, *values, *values])) for _ in range(count)], kind)

    tables = []
    for name, count in counts.items():
        columns = {"id": [f"{name}{i}" for i in range(count)], "num": some([-2, 0, 1, 3], pa.int64(), count)}
        columns |= {
            "size": some([0.5, 1.0, -2.25], pa.float64(), count),
            "word": some(WORDS, pa.string(), count),
        }
        columns |= {"alive": some([True, False], pa.bool_(), count)}
        columns |= {"day": some([date(2001, 1, 1), date(2020, 2, 29)], pa.date32(), count)}
        tables.append(NodeTable(name, pa.table(columns)))
    parts = []
    for name, (source, target) in RELATIONS.items():
        ends = st.tuples(st.integers(0, counts[source] - 1), st.integers(0, counts[target] - 1))
        pairs = (
            draw(
                st.lists(ends if name != "u" else ends.filter(lambda p: p[0] != p[1]), min_size=1, max_size=7)
            )
            if name != "u" or counts["A"] > 1
            else []
        )
        joined = np.array(pairs, np.int64).reshape(-1, 2)
        weights = pa.table({"w": some([0, 1, 5], pa.int64(), len(pairs))})
        parts.append(EdgeTable(name, source, target, joined[:, 0], joined[:, 1], weights))
    return build(tables, parts)


@dataclass
class Scope:
    """The variables at hand: what each is. `made`: how many names were made."""

    kinds: dict[str, str] = field(default_factory=dict)
    made: int = 0

    def of(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.kinds.items() if kind in kinds]

    def new(self, kind: str) -> str:
        self.made += 1
        self.kinds[f"{kind.lower()}{self.made}"] = kind
        return f"{kind.lower()}{self.made}"


FEATURES = {"num": "num", "size": "float", "word": "text", "alive": "bool", "day": "date"}
NODES = ("A", "B", "AB")


class Maker:
    """Draws one query. Every term has a kind, so that no engine has to guess at types."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.scope = Scope()
        self.condition = False

    def pick(self, *choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    # terms

    def term(self, kind: str, depth: int = 2) -> q.Term:
        """A term of a kind."""
        known = [q.Variable(name) for name in self.scope.of(kind)]
        known += [
            q.Property(q.Variable(name), f)
            for name in self.scope.of(*NODES)
            for f, k in FEATURES.items()
            if k == kind
        ]
        if kind == "num":
            known += [q.Property(q.Variable(name), "w") for name in self.scope.of(*RELATIONS)]
        if known and self.draw(st.integers(0, 3)):
            return self.pick(*known)
        return getattr(self, f"_{kind}")(depth) if depth else self.literal(kind)

    def literal(self, kind: str) -> q.Term:
        values = {
            "num": [Number(n) for n in (-3, 0, 1, 2)],
            "float": [Number(0.5), Number(-1.25)],
            "text": [Text(word) for word in WORDS],
            "bool": [Boolean(True), Boolean(False)],
            "date": [q.Apply("date", (Text("2010-05-05"),)), q.Apply("date", (Text("2020-02-29"),))],
        }
        return self.pick(*values[kind])

    def _num(self, depth: int) -> q.Term:
        how = self.pick("literal", "sum", "mod", "negative", "case", "coalesce", "abs", "size")
        if how == "sum":
            return q.Operation(
                self.pick("+", "-", "*"), (self.term("num", depth - 1), self.term("num", depth - 1))
            )
        if how == "mod":
            return q.Operation(
                self.pick("%", "/"), (self.term("num", depth - 1), self.pick(Number(2), Number(-3)))
            )
        if how == "negative":
            return q.Operation("negative", (self.term("num", depth - 1),))
        if how == "abs":
            return q.Apply("abs", (self.term("num", depth - 1),))
        if how == "size":
            return q.Apply("size", (self.term("text", depth - 1),))
        return self.other("num", how, depth)

    def _float(self, depth: int) -> q.Term:
        if self.draw(st.booleans()):
            return q.Operation(
                self.pick("+", "-"), (self.term("float", depth - 1), self.term("num", depth - 1))
            )
        return self.other("float", self.pick("literal", "case", "coalesce"), depth)

    def _text(self, depth: int) -> q.Term:
        how = self.pick("literal", "+", "lower", "case", "coalesce", "left")
        if how == "+":
            one, other = (q.Apply("coalesce", (self.term("text", depth - 1), Text("z"))) for _ in "ab")
            return q.Operation("+", (one, other))
        if how == "lower":
            return q.Apply(self.pick("tolower", "toupper"), (self.term("text", depth - 1),))
        if how == "left":
            return q.Apply("left", (self.term("text", depth - 1), Number(2)))
        return self.other("text", how, depth)

    def _date(self, depth: int) -> q.Term:
        return self.other("date", self.pick("literal", "case", "coalesce"), depth)

    def other(self, kind: str, how: str, depth: int) -> q.Term:
        """What there is for each kind: a literal, CASE, coalesce."""
        if how == "case":
            self.condition = False
            branch = q.Branch(self.term("bool", depth - 1), self.term(kind, depth - 1))
            return q.Case((branch,), None, self.pick(None, self.term(kind, depth - 1)))
        if how == "coalesce":
            return q.Apply("coalesce", (self.term(kind, depth - 1), self.literal(kind)))
        return self.literal(kind)

    def _bool(self, depth: int) -> q.Term:
        how = self.pick(
            "literal",
            "compared",
            "compared",
            "compared",
            "joined",
            "not",
            "null",
            "in",
            "words",
            "exists",
            "count",
            "same",
        )
        things, ends = self.scope.of(*NODES), self.scope.of(*NODES[:2])
        if how == "joined":
            return q.Operation(
                self.pick("and", "or", "xor"), (self.term("bool", depth - 1), self.term("bool", depth - 1))
            )
        if how == "not":
            return q.Operation("not", (self.term("bool", depth - 1),))
        if how == "null":
            return q.Operation(
                self.pick("is null", "is not null"), (self.term(self.pick(*FEATURES.values()), depth - 1),)
            )
        if how == "in":
            return q.Operation("in", (self.term("num", depth - 1), Items((Number(1), Number(3)))))
        if how == "words":
            return q.Operation(
                self.pick("starts with", "ends with", "contains"),
                (self.term("text", depth - 1), self.term("text", depth - 1)),
            )
        if how in ("exists", "count") and ends and self.condition:
            found = self.beside(self.pick(*ends), depth)
            inside = q.Subquery("exists" if how == "exists" else "count", q.Query((q.Part((found,)),)))
            return (
                inside
                if how == "exists"
                else q.Operation(self.pick(">", "=", ">="), (inside, Number(self.pick(1, 2))))
            )
        if how == "same" and len(things) > 1:
            return q.Operation(
                self.pick("=", "<>"), (q.Variable(self.pick(*things)), q.Variable(self.pick(*things)))
            )
        if how == "compared":
            kind = self.pick("num", "float", "text", "date")
            return q.Operation(
                self.pick("=", "<>", "<", "<=", ">", ">="),
                (self.term(kind, depth - 1), self.term(kind, depth - 1)),
            )
        return self.literal("bool")

    def where(self) -> q.Term | None:
        """A condition, or none."""
        self.condition = True
        found = self.term("bool") if self.draw(st.booleans()) else None
        self.condition = False
        return found

    # patterns

    def beside(self, name: str, depth: int) -> q.Match:
        """A MATCH of one hop from a node, with a condition on its other end."""
        before = dict(self.scope.kinds)
        found = self.path([*RELATIONS], start=name, hops=1)
        where = self.term("bool", depth - 1) if self.draw(st.booleans()) else None
        self.scope.kinds = before
        return q.Match((found,), where)

    def path(self, left: list[str], start: str = "", hops: int | None = None) -> q.Pattern:
        """A path over relations of `left`, which it takes from there; it may begin at a node at hand."""
        nodes, edges = [], []
        kinds = NODES if hops is None else NODES[:2]
        at = start or self.pick("", *self.scope.of(*kinds))
        kind = self.scope.kinds[at] if at else self.pick(*kinds)
        nodes.append(self.node(at, kind))
        for _ in range(self.pick(0, 1, 1, 2) if hops is None else hops):
            steps = [
                (name, way) for name in left for way in ("out", "in", "both") if self.fits(name, way, kind)
            ]
            if not steps:
                break
            name, way = self.pick(*steps)
            left.remove(name)
            source, target = RELATIONS[name]
            kind = target if way == "out" else source if way == "in" else target if kind == source else source
            named = self.scope.new(name) if not start and self.draw(st.booleans()) else ""
            properties = (q.Entry("w", Number(1)),) if not self.draw(st.integers(0, 5)) else ()
            edges.append(q.EdgePattern(named, (name,), way, properties=properties))
            nodes.append(self.node("", kind))
        return q.Pattern(tuple(nodes), tuple(edges))

    def fits(self, relation: str, way: str, kind: str) -> bool:
        """Whether a relation goes this way from nodes of a kind; loops want an arrow."""
        source, target = RELATIONS[relation]
        if way == "both":
            return relation not in LOOPS and kind in (source, target)
        return kind == (source if way == "out" else target)

    def node(self, name: str, kind: str) -> q.NodePattern:
        """A node: one at hand, or a new one, which mostly gets a name."""
        properties = (q.Entry("num", Number(1)),) if not self.draw(st.integers(0, 7)) else ()
        if name:
            return q.NodePattern(name, (), properties)
        labels = () if kind == "AB" else (kind,)
        return q.NodePattern(self.scope.new(kind) if self.draw(st.integers(0, 4)) else "", labels, properties)

    # clauses

    def match(self) -> q.Match:
        left = [*RELATIONS]
        patterns = tuple([self.path(left) for _ in range(self.pick(1, 1, 2))])
        return q.Match(patterns, self.where())

    def optional_match(self) -> q.Match:
        """One hop from a node at hand."""
        starts = self.scope.of(*NODES[:2])
        if not starts:
            return self.match()
        known = {*self.scope.kinds}
        found = self.path([*RELATIONS], self.pick(*starts), hops=1)
        where = self.where()
        return q.Match((found,), where if names(where) - known else None, optional=True)

    def unwind(self) -> q.Unwind:
        values = Items(tuple([Number(n) for n in self.draw(st.lists(st.integers(0, 2), max_size=3))]))
        return q.Unwind(values if values.values else Items((Number(7),)), self.scope.new("num"))

    def projection(self) -> q.Projection:
        """Some terms and things; with aggregates or without; its columns are what the scope is after it."""
        columns: list[tuple[q.Term, str]] = []
        for _ in range(self.pick(1, 2, 3)):
            kind = self.pick(*FEATURES.values())
            columns.append((self.term(kind), kind))
        things = self.scope.of(*NODES, *RELATIONS)
        if things and self.draw(st.booleans()):
            name = self.pick(*things)
            columns.append((q.Variable(name), self.scope.kinds[name]))
        if self.draw(st.booleans()):
            columns = columns[: self.pick(0, 1, 2)]
            columns += [self.aggregate() for _ in range(self.pick(1, 2))]
        self.scope.kinds = {}
        named = tuple([q.Column(value, self.scope.new(kind)) for value, kind in columns])
        varied = any("Variable(" in repr(term) for term, _ in columns)
        distinct = varied and not self.draw(st.integers(0, 3))
        made = q.Projection(named, distinct=distinct)
        orderly = all(kind in FEATURES.values() for _, kind in columns)
        if orderly and self.draw(st.booleans()):
            order = tuple([q.SortItem(q.Variable(column.name), self.draw(st.booleans())) for column in named])
            made = replace(
                made, order=order, limit=Number(self.pick(1, 2, 5)), skip=self.pick(None, Number(1))
            )
        return made

    def aggregate(self) -> tuple[q.Term, str]:
        how = self.pick("count", "count(*)", "sum", "min", "max", "avg", "collect")
        kind = self.pick("num", "text", "date") if how in ("min", "max") else "num"
        if how == "count(*)":
            return q.Apply("count"), "num"
        value, distinct = self.term(kind), how in ("count", "sum", "collect") and self.draw(st.booleans())
        made = q.Apply(how, (value,), distinct)
        if how == "sum":
            return q.Apply("coalesce", (made, Number(0))), "num"
        return made, {"count": "num", "avg": "float", "collect": "list"}.get(how, kind)

    def part(self) -> q.Part:
        clauses: list[q.Clause] = [self.match()]
        for _ in range(self.pick(0, 0, 1, 1, 2)):
            how = self.pick("match", "optional", "unwind", "with")
            if how == "with":
                made = replace(self.projection(), order=(), skip=None, limit=None)
                clauses.append(q.With(made, self.where()))
            elif how == "unwind":
                clauses.append(self.unwind())
            else:
                clauses.append(self.match() if how == "match" else self.optional_match())
        return q.Part((*clauses, q.Return(self.projection())))


@st.composite
def queries(draw: st.DrawFn) -> q.Query:
    """A query of one part."""
    return q.Query((Maker(draw).part(),))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[q.Query, q.Query]:
    """Two queries with the same columns."""
    maker = Maker(draw)
    first, kinds = maker.part(), maker.scope.kinds
    other = Maker(draw)
    match = other.match()
    values = [other.term(kind if kind in FEATURES.values() else "num") for kind in kinds.values()]
    columns = tuple([q.Column(value, name) for name, value in zip(kinds, values, strict=True)])
    return q.Query((first,)), q.Query((q.Part((match, q.Return(q.Projection(columns)))),))


@contextmanager
def peer_of(graph: Graph) -> Iterator[Peer]:
    peer = Peer(graph)
    try:
        yield peer
    finally:
        peer.close()


def key(value: object) -> object:
    """A value as a key for comparison: numbers to nine places, lists in any order."""
    if isinstance(value, NodeValue):
        return ("node", value.node)
    if isinstance(value, EdgeValue):
        return ("edge", value.edge)
    if isinstance(value, list):
        return tuple(sorted([key(each) for each in value], key=repr))
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return round(float(value), 9)
    return value


def ours(query: q.Query, graph: Graph) -> list[tuple[object, ...]]:
    """The rows that the array engine gives."""
    table = run(bind(query, graph.schema).query, frame(graph))
    columns = [values_of(column) for column in table.columns]
    return [tuple([key(column[at]) for column in columns]) for at in range(len(table))]


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES == 100)
@given(graphs(), queries())
def test_columns_are_equal_as_bags(graph: Graph, query: q.Query) -> None:
    text = show_query(query)
    with peer_of(graph) as peer:
        try:
            theirs = [tuple([key(value) for value in row]) for row in peer.rows(text)]
        except RuntimeError as error:
            assert "unordered_map::at" in str(error), text  # that engine's own failure
            return
    assert Counter(ours(parse_query(text), graph)) == Counter(theirs), text


@given(graphs(), pairs())
def test_a_union_is_what_its_parts_give(graph: Graph, two: tuple[q.Query, q.Query]) -> None:
    rows = [row for query in two for row in ours(query, graph)]
    both = q.Query((*two[0].parts, *two[1].parts), repeats=True)
    assert Counter(ours(both, graph)) == Counter(rows)
    assert Counter(ours(replace(both, repeats=False), graph)) == Counter({*rows})
