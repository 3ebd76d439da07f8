"""Patterns in SQL, over tables of nodes and edges. sqlglot writes what is built here in each engine's dialect.

Every edge joins the tables of its two nodes, so that a key to a row that is not there is no edge. Numbers are compared
as float64, as here, unless both are whole; NaN, which engines hold for the largest number, is greater than nothing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sqlglot import exp

from graphtalk.calls.ast import Items, Number, Text
from graphtalk.calls.query import Apply, Operation, Property, Term, Variable
from graphtalk.engines.elsewhere.cypher import given_of, whole_numbers
from graphtalk.engines.elsewhere.protocol import (
    TIMES,
    UnsaidError,
    Wanted,
    Way,
    edge_column,
    node_column,
    value_column,
)
from graphtalk.graphs.schema import Schema

Sql: TypeAlias = exp.Expr
PARQUET = ".parquet"
_COMPARED = {"=": exp.EQ, "<>": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}


@dataclass(frozen=True)
class NodeRows:
    """The table of a node type. `key`: the column that tells its rows apart; `whole`: it holds whole numbers.

    `columns`: the column of each feature; `integers`: features that hold whole numbers.
    """

    table: str
    key: str
    whole: bool
    columns: Mapping[str, str]
    integers: frozenset[str]


@dataclass(frozen=True)
class EdgeRows:
    """The table of a relation: the columns with the keys of its ends, of what tells edges apart, and of features."""

    table: str
    source: str
    target: str
    told: tuple[str, ...]
    columns: Mapping[str, str]
    integers: frozenset[str]


@dataclass(frozen=True)
class Tables:
    """Which tables hold a graph: those of node types by name, those of relations in the order of the schema."""

    nodes: Mapping[str, NodeRows]
    edges: Sequence[EdgeRows]
    schema: Schema

    # what is asked for beside patterns

    def features(self, node_type: str, columns: Sequence[str], ids: Sequence[str] | None) -> exp.Select:
        """Ids and features of the nodes of a type."""
        rows = self.nodes[node_type]
        given = [exp.alias_(_text(_column("a", rows.key)), "id", quoted=True)]
        given += [exp.alias_(_column("a", rows.columns[name]), name, quoted=True) for name in columns]
        found = exp.select(*given).from_(table(rows.table, "a"))
        return found if ids is None else found.where(self._among("a", node_type, ids))

    def ends(self, relation: int) -> exp.Select:
        """The ends and the features of all edges of a relation."""
        r, rows = self.schema.relations[relation], self.edges[relation]
        given = [
            exp.alias_(_text(_column(alias, self.nodes[name].key)), end, quoted=True)
            for alias, name, end in (("a", r.source, "source"), ("b", r.target, "target"))
        ]
        given += [
            exp.alias_(_column("r", column), name, quoted=True) for name, column in rows.columns.items()
        ]
        return self._edge(exp.select(*given), relation)

    def count_edges(self, relation: int) -> exp.Select:
        """How many edges a relation has, and how many different ones."""
        told = self._told("r", relation)
        different = exp.Count(this=exp.Distinct(expressions=[told]))
        return self._edge(
            exp.select(exp.alias_(exp.Count(this=exp.Star()), "many"), exp.alias_(different, "different")),
            relation,
        )

    def turned_edges(self, relation: int) -> exp.Select:
        """An edge of a relation that is there the other way round too."""
        rows = self.edges[relation]
        own = table(rows.table, "r")
        found = (
            exp.select(exp.alias_(exp.convert(1), "one"))
            .from_(own)
            .join(table(rows.table, "s"), join_type="cross")
        )
        ends = [(rows.source, rows.target), (rows.target, rows.source)]
        tests = [_column("r", one).eq(_column("s", other)) for one, other in ends]
        return found.where(*tests, _column("r", rows.source).neq(_column("r", rows.target))).limit(1)

    def _edge(self, found: exp.Select, relation: int) -> exp.Select:
        r, rows = self.schema.relations[relation], self.edges[relation]
        found = found.from_(table(rows.table, "r"))
        for alias, name, end in (("a", r.source, rows.source), ("b", r.target, rows.target)):
            node = self.nodes[name]
            found = found.join(table(node.table, alias), on=_column("r", end).eq(_column(alias, node.key)))
        return found

    # patterns

    def matches(self, way: Way, wanted: Wanted) -> exp.Select:
        """The query that finds the matches of a way. Raises UnsaidError."""
        aliases = {key: f"a{i}" for i, key in enumerate(way.nodes)}
        aliases.update({edge.key: f"r{i}" for i, edge in enumerate(way.edges)})
        relation = {edge.key: edge.relation for edge in way.edges}
        ids = [_text(_column(aliases[key], self.nodes[way.nodes[key]].key)) for key in wanted.nodes]
        names = [node_column(i) for i in range(len(ids))]
        ids += [self._told(aliases[key], relation[key]) for key in wanted.edges]
        names += [edge_column(i) for i in range(len(wanted.edges))]
        given = [exp.alias_(each, name, quoted=True) for each, name in zip(ids, names, strict=True)]
        for i, key in enumerate(wanted.edges):
            for name, column in self.edges[relation[key]].columns.items():
                given.append(exp.alias_(_column(aliases[key], column), edge_column(i, name), quoted=True))
        values = [
            _column(aliases[key], self.nodes[way.nodes[key]].columns[name]) for key, name in wanted.values
        ]
        given += [exp.alias_(each, value_column(i), quoted=True) for i, each in enumerate(values)]
        if wanted.counted:
            given.append(exp.alias_(exp.Count(this=exp.Star()), TIMES))
        found = exp.select(*given)
        tests: list[Sql] = []
        for place, (key, name) in enumerate(way.nodes.items()):
            own = table(self.nodes[name].table, aliases[key])
            found = found.join(own, join_type="cross") if place else found.from_(own)
        for edge in way.edges:
            rows, alias = self.edges[edge.relation], aliases[edge.key]
            found = found.join(table(rows.table, alias), join_type="cross")
            for end, column in ((edge.source, rows.source), (edge.target, rows.target)):
                tests.append(_column(alias, column).eq(_column(aliases[end], self.nodes[way.nodes[end]].key)))
            if edge.straight:
                tests.append(_column(alias, rows.source).neq(_column(alias, rows.target)))
        tests += [self._test(each, way, aliases, relation) for each in way.tests]
        tests += [self._among(aliases[key], way.nodes[key], among) for key, among in way.among.items()]
        tests += [
            self._told(aliases[one], relation[one]).neq(self._told(aliases[other], relation[other]))
            for one, other in way.apart
        ]
        found = found.where(*tests)
        if wanted.counted and (ids or values):
            found = found.group_by(*[each.copy() for each in (*ids, *values)])
        if wanted.ordered and names:
            found = found.order_by(*[exp.column(name, quoted=True) for name in names])
        return found.limit(wanted.most)

    def _told(self, alias: str, relation: int) -> Sql:
        """What tells an edge of a relation apart, as a text."""
        parts: list[Sql] = []
        for column in self.edges[relation].told:
            parts += (
                [exp.convert("|"), _text(_column(alias, column))]
                if parts
                else [_text(_column(alias, column))]
            )
        return parts[0] if len(parts) == 1 else exp.func("concat", *parts)

    def _among(self, alias: str, node_type: str, ids: Sequence[str]) -> Sql:
        rows = self.nodes[node_type]
        values: Sequence[int | str] = whole_numbers(ids) if rows.whole else ids
        if not values:
            return exp.false()
        return _column(alias, rows.key).isin(*[exp.convert(value) for value in values])

    def _test(self, term: Term, way: Way, aliases: Mapping[str, str], relation: Mapping[str, int]) -> Sql:
        """A condition of the forms that `conditions.test_of` gives."""
        if not isinstance(term, Operation):
            raise UnsaidError("a condition")
        operator, operands = term.operator, term.operands
        if operator in ("and", "or"):
            join = exp.and_ if operator == "and" else exp.or_
            return exp.paren(join(*[self._test(each, way, aliases, relation) for each in operands]))
        if operator == "not":
            return exp.not_(exp.paren(self._test(operands[0], way, aliases, relation)))
        one = operands[0]
        if isinstance(one, Variable):
            assert isinstance(operands[1], Variable)
            keys = [_column(aliases[v.name], self.nodes[way.nodes[v.name]].key) for v in (one, operands[1])]
            return _COMPARED[operator](this=keys[0], expression=keys[1])
        lowered = isinstance(one, Apply)
        of = one.arguments[0] if isinstance(one, Apply) else one
        if not isinstance(of, Property) or not isinstance(of.of, Variable):
            raise UnsaidError("a condition")
        key = of.of.name
        rows = self.nodes[way.nodes[key]] if key in way.nodes else self.edges[relation[key]]
        if key in way.nodes and of.name == "id" and "id" not in rows.columns:
            if operator in ("=", "in"):
                value = given_of(operands[1])
                ids = [str(each) for each in value] if isinstance(value, list) else [str(value)]
                return self._among(aliases[key], way.nodes[key], ids)
            column, whole = _text(_column(aliases[key], self.nodes[way.nodes[key]].key)), False
        else:
            column, whole = _column(aliases[key], rows.columns[of.name]), of.name in rows.integers
        if lowered:
            column = exp.Lower(this=column)
        if operator in ("is null", "is not null"):
            null = exp.Is(this=column, expression=exp.null())
            return null if operator == "is null" else exp.not_(null)
        return _compared(operator, column, operands[1], whole)


def view_name(file: str) -> str:
    """What the view over a Parquet file is called."""
    return re.sub(r"\W", "_", file)


def table(name: str, alias: str) -> exp.Table:
    """A table, whose name may have parts: `films.person`; that of a file is one name."""
    parts = [view_name(name)] if name.endswith(PARQUET) else name.split(".")
    named = [exp.to_identifier(part, quoted=True) for part in reversed(parts)]
    made = exp.Table(**dict(zip(("this", "db", "catalog"), named, strict=False)))
    made.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
    return made


def _column(alias: str, name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=exp.to_identifier(alias, quoted=True))


def _text(of: Sql) -> Sql:
    return exp.cast(of, "text")


def _compared(operator: str, column: Sql, value: Term, whole: bool) -> Sql:
    if operator == "in":
        assert isinstance(value, Items)
        tests = [_compared("=", column.copy(), each, whole) for each in value.values]
        return exp.paren(exp.or_(*tests))
    if operator in ("starts with", "ends with", "contains"):
        assert isinstance(value, Text)
        text = exp.convert(value.value)
        if operator == "contains":
            return exp.GT(this=exp.StrPosition(this=column, substr=text), expression=exp.convert(0))
        end = (exp.Left if operator == "starts with" else exp.Right)(
            this=column, expression=exp.convert(len(value.value))
        )
        return exp.EQ(this=end, expression=text)
    if not isinstance(value, Number):
        return _COMPARED[operator](this=column, expression=exp.convert(given_of(value)))
    if whole and float(value.value).is_integer():
        return _COMPARED[operator](this=column, expression=exp.convert(int(value.value)))
    wide = exp.cast(column, "double")
    made = _COMPARED[operator](
        this=wide, expression=exp.cast(exp.convert(repr(float(value.value))), "double")
    )
    if whole or operator not in (">", ">="):
        return made
    largest = exp.cast(exp.convert("Infinity"), "double")
    return exp.paren(exp.and_(made, exp.LTE(this=wide.copy(), expression=largest)))
