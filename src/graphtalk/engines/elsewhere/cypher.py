"""Patterns in Cypher, for engines that speak it. Every value is a parameter: no text of a query becomes Cypher."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeAlias

from graphtalk.calls.ast import Boolean, Items, Number, Text
from graphtalk.calls.query import Apply, Operation, Property, Term, Variable
from graphtalk.engines.elsewhere.conditions import Connectives, day_of, put_together
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

Given: TypeAlias = bool | int | float | str | date | list[int] | list[str] | list[float]
_CONNECTIVES = Connectives(" AND ", " OR ", "NOT ")
_WORDS = {"starts with": "STARTS WITH", "ends with": "ENDS WITH", "contains": "CONTAINS"}


class Dialect(ABC):
    """How one engine tells nodes and edges."""

    lower = "toLower"

    def node(self, variable: str, node_type: str) -> str:
        """The inside of the brackets of a node of a type."""
        return f"{variable}:{quoted(node_type)}"

    def tests(self, variable: str, node_type: str) -> Sequence[str]:
        """What is to be tested of a node of a type beside its label."""
        return ()

    def edge(self, variable: str, relation: str) -> str:
        """The inside of the brackets of an edge of a relation."""
        return f"{variable}:{quoted(relation)}"

    @abstractmethod
    def node_id(self, variable: str, node_type: str) -> str:
        """A node's id as a text."""

    @abstractmethod
    def edge_id(self, variable: str) -> str:
        """An edge's id as a text."""

    @abstractmethod
    def among(self, variable: str, node_type: str, ids: Sequence[str], said: "Said") -> str:
        """The condition that a node has one of these ids."""

    def property(self, variable: str, name: str, of: str = "") -> str:
        """A feature of a node of the type `of`, or of an edge."""
        return f"{variable}.{quoted(name)}"


@dataclass
class Said:
    """A query in the making: its text, and its parameters."""

    text: str = ""
    given: dict[str, Given] = field(default_factory=dict)

    def value(self, value: Given) -> str:
        """A parameter of this value."""
        name = f"p{len(self.given)}"
        self.given[name] = value
        return f"${name}"


def quoted(name: str) -> str:
    """A name of the engine, which may hold anything."""
    return "`" + name.replace("`", "``") + "`"


def in_cypher(way: Way, wanted: Wanted, schema: Schema, dialect: Dialect) -> Said:
    """The query that finds the matches of a way. Raises UnsaidError."""
    said = Said()
    variables = {key: f"a{i}" for i, key in enumerate(way.nodes)}
    edges = {edge.key: f"r{i}" for i, edge in enumerate(way.edges)}
    written: set[str] = set()

    def node(key: str) -> str:
        inside = variables[key] if key in written else dialect.node(variables[key], way.nodes[key])
        written.add(key)
        return f"({inside})"

    patterns = [
        f"{node(e.source)}-[{dialect.edge(edges[e.key], schema.relations[e.relation].name)}]->{node(e.target)}"
        for e in way.edges
    ]
    patterns += [node(key) for key in way.nodes if key not in written]
    names = {**variables, **edges}
    types = {**way.nodes}
    tests = [
        put_together(each, _CONNECTIVES, lambda one: _compared(one, names, types, dialect, said))
        for each in way.tests
    ]
    tests += [dialect.among(variables[key], way.nodes[key], ids, said) for key, ids in way.among.items()]
    tests += [
        f"{dialect.node_id(variables[e.source], way.nodes[e.source])} <> "
        f"{dialect.node_id(variables[e.target], way.nodes[e.target])}"
        for e in way.edges
        if e.straight and way.nodes[e.source] == way.nodes[e.target]
    ]
    # Engines differ in whether the edges of one MATCH do.
    tests += [f"{dialect.edge_id(edges[a])} <> {dialect.edge_id(edges[b])}" for a, b in way.apart]
    tests += [each for key, name in way.nodes.items() for each in dialect.tests(variables[key], name)]
    columns = [
        f"{dialect.node_id(variables[key], way.nodes[key])} AS {node_column(i)}"
        for i, key in enumerate(wanted.nodes)
    ]
    ids = [node_column(i) for i in range(len(wanted.nodes))]
    relations = {e.key: schema.relations[e.relation] for e in way.edges}
    for i, key in enumerate(wanted.edges):
        columns.append(f"{dialect.edge_id(edges[key])} AS {edge_column(i)}")
        ids.append(edge_column(i))
        for f in relations[key].features:
            columns.append(f"{dialect.property(edges[key], f.name)} AS {quoted(edge_column(i, f.name))}")
    columns += [
        f"{dialect.property(variables[key], name, way.nodes[key])} AS {value_column(i)}"
        for i, (key, name) in enumerate(wanted.values)
    ]
    if wanted.counted:
        columns.append(f"count(*) AS {TIMES}")
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    order = f" ORDER BY {', '.join(ids)}" if wanted.ordered and ids else ""
    said.text = f"MATCH {', '.join(patterns)}{where} RETURN {', '.join(columns)}{order} LIMIT {wanted.most}"
    return said


def _compared(
    term: Operation, names: Mapping[str, str], types: Mapping[str, str], dialect: Dialect, said: Said
) -> str:
    """A comparison, in brackets. Conditions have the forms that `conditions.test_of` gives."""
    operator, operands = term.operator, term.operands
    one = operands[0]
    if isinstance(one, Variable):
        assert isinstance(operands[1], Variable)
        ids = [dialect.node_id(names[v.name], types[v.name]) for v in (one, operands[1])]
        return f"({ids[0]} {operator} {ids[1]})"
    if (
        isinstance(one, Property)
        and one.name == "id"
        and isinstance(one.of, Variable)
        and one.of.name in types
    ):
        return _id_test(operator, one.of.name, operands[1:], names, types, dialect, said)
    if isinstance(one, Apply):
        column = f"{dialect.lower}({_column(one.arguments[0], names, types, dialect)})"
    else:
        column = _column(one, names, types, dialect)
    if operator in ("is null", "is not null"):
        return f"({column} {operator.upper()})"
    return f"({column} {_WORDS.get(operator, operator.upper())} {said.value(given_of(operands[1]))})"


def _id_test(
    operator: str,
    key: str,
    others: Sequence[Term],
    names: Mapping[str, str],
    types: Mapping[str, str],
    dialect: Dialect,
    said: Said,
) -> str:
    """A condition on an id, which engines may hold as a number and is a text here."""
    if operator in ("=", "in", "<>"):
        value = given_of(others[0])
        ids = [str(each) for each in value] if isinstance(value, list) else [str(value)]
        among = dialect.among(names[key], types[key], ids, said)
        return f"(NOT {among})" if operator == "<>" else f"({among})"
    if operator in _WORDS:
        column = dialect.node_id(names[key], types[key])
        return f"({column} {_WORDS[operator]} {said.value(given_of(others[0]))})"
    return "(true)" if operator == "is not null" else "(false)"


def _column(of: Term, names: Mapping[str, str], types: Mapping[str, str], dialect: Dialect) -> str:
    if not isinstance(of, Property) or not isinstance(of.of, Variable):
        raise UnsaidError("a condition")
    return dialect.property(names[of.of.name], of.name, types.get(of.of.name, ""))


def given_of(value: Term) -> Given:
    """The value of a literal."""
    if isinstance(value, Text | Number | Boolean):
        return value.value
    day = day_of(value)
    if day is not None:
        return day
    if isinstance(value, Items):
        return [given_of(each) for each in value.values]  # type: ignore[return-value]
    raise UnsaidError("a value")


def whole_numbers(ids: Sequence[str]) -> list[int]:
    """Those ids that are whole numbers as engines write them."""
    return [int(each) for each in ids if re.fullmatch(r"-?(0|[1-9]\d{0,18})", each, re.ASCII)]
