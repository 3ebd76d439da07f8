"""Queries: the part of the call language that gives rows with named columns. A typed tree, after read-only openCypher.

    Query(parts=((Match(...), With(...), Return(...)),))

A query stands in a call as `Query[...]`: `as_call` writes any part of the tree as a call of the same name, with
its fields as keywords, and `as_query` reads it back. So every spelling of calls says queries too, and Cypher
(`calls/cypher.py`) is one more. What the clauses mean is openCypher's (version 9) where nothing else is said here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.core.errors import CheckError, ParseError, choices
from graphtalk.core.records import JSON

Way: TypeAlias = Literal["out", "in", "both"]
Every: TypeAlias = Literal["all", "any", "none", "single"]
Kept: TypeAlias = Literal["exists", "count", "collect"]
Shortest: TypeAlias = Literal["", "one", "all", "first"]
Operator: TypeAlias = Literal[
    "or",
    "xor",
    "and",
    "not",
    "=",
    "<>",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "starts with",
    "ends with",
    "contains",
    "=~",
    "is null",
    "is not null",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "negative",
]


@dataclass(frozen=True)
class Null:
    """`null`: no value."""


@dataclass(frozen=True)
class Variable:
    """A column of the rows at hand, by name."""

    name: str


@dataclass(frozen=True)
class Parameter:
    """`$name`: a value given with the query."""

    name: str


@dataclass(frozen=True)
class Property:
    """A feature of a node, an edge, a map, or a part of a date: `c.population`, `h.since.year`."""

    of: "Term"
    name: str


@dataclass(frozen=True)
class Operation:
    """An operator and its operands: two, or one for `not`, `negative` and those of null."""

    operator: Operator
    operands: "tuple[Term, ...]"


@dataclass(frozen=True)
class Apply:
    """A function of values or an aggregate of rows, by its name in lower case: `count(DISTINCT x)`.

    `count(*)` has no arguments.
    """

    function: str
    arguments: "tuple[Term, ...]" = ()
    distinct: bool = False


@dataclass(frozen=True)
class Labelled:
    """`n:A:B`: whether a node is of all these types (an edge of the first of these relations)."""

    of: "Term"
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Element:
    """`list[at]`, `map[at]`."""

    of: "Term"
    at: "Term"


@dataclass(frozen=True)
class Slice:
    """`list[start..end]`, either may be left out."""

    of: "Term"
    start: "Term | None" = None
    end: "Term | None" = None


@dataclass(frozen=True)
class Branch:
    """`WHEN test THEN value`."""

    test: "Term"
    value: "Term"


@dataclass(frozen=True)
class Case:
    """`CASE [subject] WHEN … THEN … ELSE otherwise END`; with a subject the tests are compared with it."""

    branches: tuple[Branch, ...]
    subject: "Term | None" = None
    otherwise: "Term | None" = None


@dataclass(frozen=True)
class Entry:
    """One entry of a map."""

    name: str
    value: "Term"


@dataclass(frozen=True)
class Map:
    """`{name: value, …}`."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class List:
    """`[value, …]` where an entry is more than a literal; of literals alone it is `Items`."""

    values: "tuple[Term, ...]"


@dataclass(frozen=True)
class Comprehension:
    """`[variable IN source WHERE where | gives]`."""

    variable: str
    source: "Term"
    where: "Term | None" = None
    gives: "Term | None" = None


@dataclass(frozen=True)
class Quantified:
    """`all(variable IN source WHERE where)`, and any, none, single."""

    every: Every
    variable: str
    source: "Term"
    where: "Term"


@dataclass(frozen=True)
class Reduce:
    """`reduce(total = start, variable IN source | step)`."""

    total: str
    start: "Term"
    variable: str
    source: "Term"
    step: "Term"


@dataclass(frozen=True)
class PatternComprehension:
    """`[(a)-->(b) WHERE where | gives]`: a list with one entry for each match."""

    pattern: "Pattern"
    gives: "Term"
    where: "Term | None" = None


@dataclass(frozen=True)
class Subquery:
    """`EXISTS { … }`, `COUNT { … }`, `COLLECT { … }`: a query run for each row, which sees its variables.

    A pattern as a condition, `(a)-->(:B)`, is `exists` of a query with one Match and no Return; a Match alone is
    enough for `exists` and `count`.
    """

    keeps: Kept
    query: "Query"


@dataclass(frozen=True)
class NodePattern:
    """`(variable:A|B {name: value})`. `labels`: any of them will do; without any, all nodes."""

    variable: str = ""
    labels: tuple[str, ...] = ()
    properties: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class EdgePattern:
    """`-[variable:R|S*fewest..most {name: value}]->`. `relations`: any of them; without any, all.

    `way` is the arrow's; `several` says that it is a path of `fewest` to `most` edges (None: no bound), and then the
    variable is the list of its edges. An edge of an undirected relation fits every way.
    """

    variable: str = ""
    relations: tuple[str, ...] = ()
    way: Way = "out"
    several: bool = False
    fewest: int = 1
    most: int | None = None
    properties: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Pattern:
    """Nodes joined by edges: one node more than edges. `variable` is the path.

    `shortest`: one path or all that are as short as any, or the `first` so many, the shortest first. `weight`: the
    feature of edges whose sum is the length; without it each edge counts 1. `acyclic`: no node stands twice in a path;
    else no edge does.
    """

    nodes: tuple[NodePattern, ...]
    edges: tuple[EdgePattern, ...] = ()
    variable: str = ""
    shortest: Shortest = ""
    first: int = 1
    acyclic: bool = False
    weight: str = ""


@dataclass(frozen=True)
class Column:
    """`value AS name`; the name is always there: where Cypher gives none, the parser puts what was written."""

    value: "Term"
    name: str


@dataclass(frozen=True)
class SortItem:
    """One key of an order."""

    by: "Term"
    descending: bool = False


@dataclass(frozen=True)
class Projection:
    """What `WITH` and `RETURN` have in common. `everything` is `*`: all variables, then the columns.

    Where a column has an aggregate, the others are what is grouped by.
    """

    columns: tuple[Column, ...] = ()
    everything: bool = False
    distinct: bool = False
    order: tuple[SortItem, ...] = ()
    skip: "Term | None" = None
    limit: "Term | None" = None


@dataclass(frozen=True)
class Match:
    """`[OPTIONAL] MATCH patterns WHERE where`. Edges of one Match differ from each other."""

    patterns: tuple[Pattern, ...]
    where: "Term | None" = None
    optional: bool = False


@dataclass(frozen=True)
class Unwind:
    """`UNWIND value AS variable`: a row for each entry of a list."""

    value: "Term"
    variable: str


@dataclass(frozen=True)
class With:
    """`WITH projection WHERE where`: the rows that the next clause sees."""

    projection: Projection
    where: "Term | None" = None


@dataclass(frozen=True)
class Return:
    """`RETURN projection`: the last clause."""

    projection: Projection


@dataclass(frozen=True)
class Part:
    """Clauses, one after another. The last is a Return, but for what is asked only whether it exists."""

    clauses: "tuple[Clause, ...]"


@dataclass(frozen=True)
class Query:
    """One part, or several joined by `UNION` (`UNION ALL` where `repeats`), whose columns have the same names."""

    parts: tuple[Part, ...]
    repeats: bool = False


Clause: TypeAlias = Match | Unwind | With | Return
Term: TypeAlias = (
    Text
    | Number
    | Boolean
    | Null
    | NodeRef
    | Items
    | Variable
    | Parameter
    | Property
    | Operation
    | Apply
    | Labelled
    | Element
    | Slice
    | Case
    | Map
    | List
    | Comprehension
    | Quantified
    | Reduce
    | PatternComprehension
    | Subquery
    | Call
)
"""What can be worked out for each row. A `Call` is any other call of the language: worked out once."""


def as_call(part: object) -> Expression:
    """Any part of a query as a call of its name, with what differs from the defaults as keywords.

    Literals and other calls stay as they are.
    """
    if type(part).__name__ not in PARTS:
        return part  # type: ignore[return-value]
    given = []
    for f in fields(part):  # type: ignore[arg-type]
        value = getattr(part, f.name)
        if f.default is MISSING or value != f.default:
            given.append((f.name, _plain(value)))
    return Call(type(part).__name__, (), tuple(given))


def query_call(query: Query) -> Call:
    """A query as a call."""
    call = as_call(query)
    assert isinstance(call, Call)
    return call


def parts_of(part: object) -> Iterator[object]:
    """A part of a query and all parts inside it, outermost first; not what is inside another call."""
    waiting = [part]
    while waiting:
        at = waiting.pop()
        if isinstance(at, tuple):
            waiting.extend(reversed(at))
        elif (inside := _FIELDS.get(type(at))) is not None:
            yield at
            waiting.extend([getattr(at, name) for name in reversed(inside)])
        elif isinstance(at, Call):
            yield at


def calls_in(query: Query) -> list[Call]:
    """The other calls in a query."""
    return [part for part in parts_of(query) if isinstance(part, Call)]


def _plain(value: object) -> Expression:
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, int):
        return Number(value)
    if isinstance(value, tuple):
        return Items(tuple([_plain(each) for each in value]))
    return as_call(value)


def as_query(call: Call) -> Query:
    """The query that a call of `Query` says. Raises ParseError where a part is missing, unknown or of another kind."""
    read = _read(call)
    if not isinstance(read, Query):
        raise ParseError(f"{call.function} is no query.")
    return read


def _read(value: Expression) -> object:
    """The part that a call says; literals and calls of other functions as they are."""
    if not isinstance(value, Call) or value.function not in PARTS:
        return value
    kind = PARTS[value.function]
    names = [f.name for f in fields(kind)]
    given = [*zip(names, value.arguments, strict=False), *value.keywords]
    unknown = next((name for name, _ in given if name not in names), None)
    if unknown is not None or len(value.arguments) > len(names):
        raise ParseError(f"{value.function} has no part {unknown!r}. {choices(str(unknown), names)}")
    parts = {
        name: _typed(_HINTS[value.function][name], part, f"{value.function}, {name}") for name, part in given
    }
    missing = [f.name for f in fields(kind) if f.default is MISSING and f.name not in parts]
    if missing:
        raise ParseError(f"{value.function} needs {missing[0]!r}.")
    return kind(**parts)


def _typed(hint: object, value: Expression, place: str) -> object:
    """A field's value as its type wants it."""
    arguments = get_args(hint)
    if get_origin(hint) is tuple:
        if not isinstance(value, Items):
            raise ParseError(f"{place}: expected a list.")
        return tuple([_typed(arguments[0], each, place) for each in value.values])
    if get_origin(hint) is Literal:
        if not isinstance(value, Text) or value.value not in arguments:
            raise ParseError(f"{place}: expected one of {', '.join(map(repr, arguments))}.")
        return value.value
    if hint in (str, bool, int, int | None):
        wanted = {str: Text, bool: Boolean}.get(hint, Number)  # type: ignore[call-overload]
        if not isinstance(value, wanted) or (wanted is Number and not isinstance(value.value, int)):
            raise ParseError(f"{place}: expected a {wanted.__name__.lower()}.")
        return value.value
    read = _read(value)
    if not isinstance(read, arguments or (hint,)):
        raise ParseError(f"{place}: {type(read).__name__} cannot stand there.")
    return read


PARTS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(
            Null,
            Variable,
            Parameter,
            Property,
            Operation,
            Apply,
            Labelled,
            Element,
            Slice,
            Branch,
            Case,
            Entry,
            Map,
        ),
        *(
            List,
            Comprehension,
            Quantified,
            Reduce,
            PatternComprehension,
            Subquery,
            NodePattern,
            EdgePattern,
            Pattern,
        ),
        *(Column, SortItem, Projection, Match, Unwind, With, Return, Part, Query),
    )
}
_FIELDS: Mapping[type, tuple[str, ...]] = {
    kind: tuple([f.name for f in fields(kind)]) for kind in PARTS.values()
}
"""The names of the fields of each part: asking the class each time is what costs."""
_HINTS = {name: get_type_hints(kind) for name, kind in PARTS.items()}


def with_parameters(query: Query, values: Mapping[str, JSON]) -> Query:
    """The query with values in the place of its parameters. Raises CheckError for one that no value is given for."""
    found = _filled(query, values)
    assert isinstance(found, Query)
    return found


def _filled(part: object, values: Mapping[str, JSON]) -> object:
    if isinstance(part, Parameter):
        if part.name not in values:
            others = f" {choices(part.name, sorted(values))}" if values else ""
            raise CheckError(f"The query needs a value for ${part.name} among its parameters.{others}")
        return literal(values[part.name])
    if isinstance(part, tuple):
        return tuple([_filled(each, values) for each in part])
    if type(part).__name__ not in PARTS:
        return part
    inside = {f.name: getattr(part, f.name) for f in fields(part)}  # type: ignore[arg-type]
    changed = {name: new for name, old in inside.items() if (new := _filled(old, values)) is not old}
    return replace(part, **changed) if changed else part  # type: ignore[type-var]


def literal(value: JSON) -> Term:
    """A JSON value as a term."""
    if value is None:
        return Null()
    if isinstance(value, bool):
        return Boolean(value)
    if isinstance(value, str):
        return Text(value)
    if isinstance(value, int | float):
        return Number(value)
    if isinstance(value, list):
        return List(tuple([literal(each) for each in value]))
    return Map(tuple([Entry(name, literal(each)) for name, each in value.items()]))
