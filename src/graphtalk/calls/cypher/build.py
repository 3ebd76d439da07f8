"""The tree of a query made of what the grammar found: one method a rule of grammar.lark, called from the inside out."""

import re
from dataclasses import replace
from typing import Any, TypeAlias

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.cypher.printer import LONGEST_CHAIN, OTHER_CALLS, REFERENCE, SHORTEST
from graphtalk.calls.cypher.scan import fault
from graphtalk.calls.lexer import make_call, unescape
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
    Every,
    Kept,
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
    Shortest,
    Slice,
    SortItem,
    Subquery,
    Term,
    Unwind,
    Variable,
    Way,
    With,
)
from graphtalk.calls.vocabulary import Vocabulary

_MOST_DIGITS = 4000
_PART = re.compile(r"[^\W\d]\w*+|`(?:[^`]|``)*+`")
_OPERATORS: dict[str, Operator] = {
    "in": "in",
    "starts_with": "starts with",
    "ends_with": "ends with",
    "contains": "contains",
    "fits": "=~",
    "plus": "+",
    "minus": "-",
    "multiplied": "*",
    "divided": "/",
    "modulo": "%",
    "raised": "^",
    "not": "not",
    "is_null": "is null",
    "is_not_null": "is not null",
    "negative": "negative",
}
_SELECTOR = re.compile(r"(?P<words>.*?)(?:\s+by\s+(?P<weight>\S.*))?", re.IGNORECASE | re.DOTALL)
_NO_SELECTOR = {
    "WALK": "paths pass no edge twice here: leave WALK out.",
    "SIMPLE": "write ACYCLIC: paths that pass no node twice.",
    "GROUP": "groups of equal length are not counted: write SHORTEST 3, or ALL SHORTEST.",
    "GROUPS": "groups of equal length are not counted: write SHORTEST 3, or ALL SHORTEST.",
}
_CHAINS: dict[str, Operator] = {"or": "or", "xor": "xor", "and": "and"}

Labels: TypeAlias = tuple[tuple[str, ...], ...]
"""`:A|B&C`, of A or B, and of C, is ((A, B), (C,))."""
Entries: TypeAlias = tuple[Entry, ...]
Conditions: TypeAlias = tuple[Term, ...]
"""What must hold beside a pattern, where it says more than a part of the tree can."""
Node: TypeAlias = tuple[NodePattern, Conditions]
Edge: TypeAlias = tuple[EdgePattern, Conditions]
Path: TypeAlias = tuple[Pattern, Conditions]
Hops: TypeAlias = tuple[int, int | None]


def name_of(token: str) -> str:
    """The name that a token writes, without the backticks of a quoted one."""
    return token[1:-1].replace("``", "`") if token.startswith("`") else str(token)


def chain(operator: Operator, operands: list[Term]) -> Term:
    """`a or b or c`."""
    if len(operands) > LONGEST_CHAIN:
        half = len(operands) // 2
        return Operation(operator, (chain(operator, operands[:half]), chain(operator, operands[half:])))
    whole = operands[0]
    for operand in operands[1:]:
        whole = Operation(operator, (whole, operand))
    return whole


def is_literal(value: object) -> bool:
    """Whether a value is one that `Items` may hold: known without any row."""
    return isinstance(value, Text | Number | Boolean | NodeRef | Items)


@v_args(inline=True)
class Builder(Transformer_NonRecursive[Token, Query]):
    """Makes a query of the parse tree of `text`."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        super().__init__()
        self._text = text
        self._vocabulary = vocabulary

    def __default__(self, data: Any, children: Any, meta: Any) -> Any:
        """The rules that are an operator with its operands, and nothing more."""
        if data in _CHAINS:
            return chain(_CHAINS[data], children)
        return Operation(_OPERATORS[data], tuple(children))

    # tokens

    def NAME(self, token: Token) -> str:
        return name_of(token)

    def NUMBER(self, token: Token) -> Number:
        written = token.lower()
        if len(written) > _MOST_DIGITS:
            raise self._fault(token.start_pos, f"a number of more than {_MOST_DIGITS} digits.")
        if written.startswith(("0x", "0o")):
            return Number(int(written, 0))
        return Number(int(written) if written.isdecimal() else float(written))

    def INTEGER(self, token: Token) -> int:
        if len(token) > 9:
            raise self._fault(token.start_pos, "a path cannot have that many edges.")
        return int(token)

    # clauses

    def start(self, query: Query) -> Query:
        return query

    def query(self, first: Part, *rest: Any) -> Query:
        unions, parts = rest[::2], rest[1::2]
        if len({repeats for _, repeats in unions}) > 1:
            raise self._fault(unions[-1][0], "UNION and UNION ALL cannot stand in one query.")
        return Query((first, *parts), bool(unions) and unions[0][1])

    def union(self, union: Token, every: Token | None = None) -> tuple[int | None, bool]:
        return union.start_pos, every is not None

    def part(self, *clauses: Clause) -> Part:
        return Part(clauses)

    def match(self, optional: Token | None, patterns: list[Path], where: Term | None) -> Match:
        found = tuple([pattern for pattern, _ in patterns])
        inside = [condition for _, conditions in patterns for condition in conditions]
        return Match(found, _all_of(inside, where), optional is not None)

    def unwind(self, value: Term, variable: str) -> Unwind:
        return Unwind(value, variable)

    def with_clause(self, projection: Projection, where: Term | None) -> With:
        return With(projection, where)

    def return_clause(self, projection: Projection) -> Return:
        return Return(projection)

    def projection(
        self,
        distinct: Token | None,
        columns: list[Column | None],
        order: tuple[SortItem, ...] | None,
        skip: Term | None,
        limit: Term | None,
    ) -> Projection:
        named = tuple([column for column in columns if column is not None])
        return Projection(named, len(named) < len(columns), distinct is not None, order or (), skip, limit)

    def columns(self, *columns: Column | None) -> list[Column | None]:
        return list(columns)

    def everything(self) -> None:
        return None

    @v_args(meta=True, inline=True)
    def column(self, meta: Meta, value: Term, name: str | None) -> Column:
        if name is None:
            name = self._text[meta.start_pos : meta.end_pos]
            if name.startswith("`") and isinstance(value, Variable):
                name = value.name
        return Column(value, name)

    def order(self, *keys: SortItem) -> tuple[SortItem, ...]:
        return keys

    def ascending(self, by: Term) -> SortItem:
        return SortItem(by)

    def descending(self, by: Term) -> SortItem:
        return SortItem(by, descending=True)

    # patterns

    def patterns(self, *patterns: Path) -> list[Path]:
        return list(patterns)

    def pattern(self, variable: str | None, path: Path) -> Path:
        return replace(path[0], variable=variable or ""), path[1]

    def shortest(self, kind: Token, path: Path) -> Path:
        return replace(path[0], shortest="all" if kind.lower().startswith("all") else "one"), path[1]

    def selected(self, selector: Token, path: Path) -> Path:
        """`SHORTEST 3 ACYCLIC PATHS BY km (a)-[*]-(b)`, as GQL has it; `BY` is ours."""
        parts = _SELECTOR.fullmatch(selector)
        assert parts is not None
        said, weight = parts["words"].upper().split(), parts["weight"] or ""
        wrong = next((_NO_SELECTOR[word] for word in said if word in _NO_SELECTOR), None)
        number = next((word for word in said if word.isdecimal()), None)
        if said[0] == "SHORTEST" and number is None:
            wrong = "say how many: SHORTEST 3, ANY SHORTEST or ALL SHORTEST."
        if number is not None and not 0 < int(number[:9]) < 10**6:
            wrong = f"{number} paths cannot be asked for: SHORTEST takes a number from 1 to 999999."
        kind: Shortest = "first" if number else "all" if "ALL" in said else "one" if "ANY" in said else ""
        if weight and not kind:
            wrong = "BY says what the shortest paths are measured by: ANY SHORTEST BY km, SHORTEST 3 BY km."
        if wrong is not None:
            raise self._fault(selector.start_pos, wrong)
        first = int(number) if number else 1
        made = replace(path[0], shortest=kind, first=first, acyclic="ACYCLIC" in said, weight=name_of(weight))
        return made, path[1]

    def chain(self, *steps: Any) -> Path:
        conditions = tuple([condition for _, each in steps for condition in each])
        nodes, edges = [node for node, _ in steps[::2]], [edge for edge, _ in steps[1::2]]
        return Pattern(tuple(nodes), tuple(edges)), conditions

    def node(self, inside: Node) -> Node:
        return inside

    @v_args(meta=True, inline=True)
    def inside(
        self,
        meta: Meta,
        variable: str | None,
        labels: Labels | None,
        properties: Entries | None,
        where: Term | None,
    ) -> Node:
        """Of labels that must hold together, the first stands in the pattern and the others are conditions."""
        first, *others = labels or ((),)
        if others and variable is None:
            raise self._fault(meta.start_pos, "a node of several labels needs a variable: (n:A:B).")
        conditions = [self.labelled(Variable(variable or ""), tuple(others))] if others else []
        return NodePattern(variable or "", first, properties or ()), _and_where(conditions, where)

    def labels(self, *labels: tuple[str, ...]) -> Labels:
        return labels

    def any_of(self, *names: str) -> tuple[str, ...]:
        return names

    def relations(self, *names: str) -> tuple[str, ...]:
        return names

    @v_args(meta=True, inline=True)
    def properties(self, meta: Meta, given: Map | Parameter) -> Entries:
        if isinstance(given, Parameter):
            message = f"${given.name} cannot stand for all properties: write {{name: ${given.name}}}."
            raise self._fault(meta.start_pos, message)
        return given.entries

    @v_args(meta=True, inline=True)
    def edge(
        self, meta: Meta, left: Token | None, detail: Edge | None, right: Token | None, times: Hops | None
    ) -> Edge:
        pattern, conditions = detail or (EdgePattern(), ())
        way: Way = "both" if (left is None) == (right is None) else "out" if left is None else "in"
        if times is not None:
            if pattern.several:
                raise self._fault(meta.start_pos, "this edge says twice how many hops it may have.")
            pattern = replace(pattern, several=True, fewest=times[0], most=times[1])
        if conditions and pattern.several:
            raise self._fault(meta.start_pos, "an edge of several hops cannot have a WHERE of its own.")
        return replace(pattern, way=way), conditions

    def detail(
        self,
        variable: str | None,
        relations: tuple[str, ...] | None,
        hops: Hops | None,
        properties: Entries | None,
        where: Term | None,
    ) -> Edge:
        fewest, most = hops or (1, None)
        several = hops is not None
        pattern = EdgePattern(variable or "", relations or (), "out", several, fewest, most, properties or ())
        return pattern, _and_where([], where)

    def hops(self, least: int | None, up_to: tuple[int | None] | None) -> Hops:
        if up_to is None:
            return (1, None) if least is None else (least, least)
        return 1 if least is None else least, up_to[0]

    def up_to(self, most: int | None) -> tuple[int | None]:
        return (most,)

    def at_least_one(self) -> Hops:
        return 1, None

    def at_least_none(self) -> Hops:
        return 0, None

    def exactly(self, number: int) -> Hops:
        return number, number

    def between(self, least: int | None, most: int | None) -> Hops:
        return least or 0, most

    # operators

    def compared(self, first: Term, *rest: Any) -> Term:
        """`1 < x <= 3` is `1 < x and x <= 3`."""
        operators, values = rest[::2], [first, *rest[1::2]]
        pairs = zip(operators, values[:-1], values[1:], strict=True)
        return chain("and", [Operation(operator, (a, b)) for operator, a, b in pairs])

    def compare(self, operator: Token) -> str:
        return str(operator)

    def positive(self, value: Term) -> Term:
        return value

    def negative_number(self, number: Number) -> Number:
        return Number(-number.value)

    def property_of(self, of: Term, name: str) -> Property:
        return Property(of, name)

    def element(self, of: Term, at: Term) -> Element:
        return Element(of, at)

    def sliced(self, of: Term, start: Term | None, end: Term | None) -> Slice:
        return Slice(of, start, end)

    def labelled(self, of: Term, labels: Labels) -> Term:
        """`n:A:B` is of both, `n:A|B` of one of them."""
        if all(len(each) == 1 for each in labels):
            return Labelled(of, tuple([each[0] for each in labels]))
        return chain("and", [chain("or", [Labelled(of, (one,)) for one in each]) for each in labels])

    # values

    def number(self, number: Number) -> Number:
        return number

    def text(self, token: Token) -> Text:
        return Text(unescape(token[1:-1]))

    def truth(self, token: Token) -> Boolean:
        return Boolean(token.lower() == "true")

    def null(self) -> Null:
        return Null()

    def parameter(self, token: Token) -> Parameter:
        return Parameter(name_of(token[1:]))

    def variable(self, name: str) -> Variable:
        return Variable(name)

    def bracketed(self, term: Term) -> Term:
        return term

    def listed(self, *values: Any) -> Term:
        given = tuple([value for value in values if value is not None])
        return Items(given) if all(is_literal(value) for value in given) else List(given)

    def mapped(self, *entries: Entry | None) -> Map:
        return Map(tuple([entry for entry in entries if entry is not None]))

    def entry(self, name: str, value: Term) -> Entry:
        return Entry(name, value)

    def projected_map(self, of: str, *entries: Any) -> Map:
        """`n {.name, other, key: value}`."""
        own = [
            Entry(each, Property(Variable(of), each)) if isinstance(each, str) else each for each in entries
        ]
        return Map(tuple(own))

    def own_property(self, name: str) -> str:
        return name

    def own_variable(self, name: str) -> Entry:
        return Entry(name, Variable(name))

    def case(self, subject: Term | None, *rest: Any) -> Case:
        return Case(rest[:-1], subject, rest[-1])

    def branch(self, test: Term, value: Term) -> Branch:
        return Branch(test, value)

    # functions

    def apply(self, function: Token, distinct: Token | None, *values: Any) -> Term:
        arguments = tuple([value for value in values if value is not None])
        parts = _PART.findall(function)
        if len(parts) == 2 and parts[0].lower() == OTHER_CALLS:
            return self._other_call(parts[1], arguments, function.start_pos or 0)
        if len(arguments) == 1 and function.lower() == "exists":
            return Operation("is not null", arguments)
        name = ".".join([name_of(part) for part in parts]).lower()
        return Apply(name, arguments, distinct is not None)

    def count_all(self, function: Token) -> Apply:
        if function.lower() != "count":
            raise self._fault(function.start_pos, f"`*` cannot stand in {function}(…), only in count(*).")
        return Apply("count")

    def apply_pattern(self, function: Token, condition: Subquery) -> Term:
        """`exists((a)-->(b))` is the pattern itself, `size((a)-->())` says how often it fits."""
        if function.lower() == "exists":
            return condition
        if function.lower() == "size":
            return replace(condition, keeps="count")
        return Apply(function.lower(), (condition,))

    def quantified(self, every: Token, variable: str, source: Term, where: Term) -> Quantified:
        kind: Every = every.lower()  # type: ignore[assignment]
        return Quantified(kind, variable, source, where)

    def reduce(self, total: str, start: Term, variable: str, source: Term, step: Term) -> Reduce:
        return Reduce(total, start, variable, source, step)

    def comprehension(
        self, variable: str, source: Term, where: Term | None, gives: Term | None
    ) -> Comprehension:
        return Comprehension(variable, source, where, gives)

    # patterns as values

    def condition(self, *steps: Any) -> Subquery:
        pattern, conditions = self.chain(*steps)
        return _subquery("exists", Match((pattern,), _all_of(list(conditions), None)))

    def pattern_comprehension(
        self, variable: str, path: Path, where: Term | None, gives: Term
    ) -> PatternComprehension:
        pattern, conditions = path
        return PatternComprehension(
            replace(pattern, variable=variable), gives, _all_of(list(conditions), where)
        )

    def selected_comprehension(self, path: Path, where: Term | None, gives: Term) -> PatternComprehension:
        return self.pattern_comprehension("", path, where, gives)

    def nameless_comprehension(
        self, condition: Subquery, where: Term | None, gives: Term
    ) -> PatternComprehension:
        match = condition.query.parts[0].clauses[0]
        assert isinstance(match, Match)
        inside = [] if match.where is None else [match.where]
        return PatternComprehension(match.patterns[0], gives, _all_of(inside, where))

    def shortest_path(self, path: Path) -> Term:
        """A path as a value is what its pattern finds: the first for one, all for all."""
        pattern, conditions = path
        found = PatternComprehension(
            replace(pattern, variable=SHORTEST), Variable(SHORTEST), _all_of(list(conditions), None)
        )
        return Apply("head", (found,)) if pattern.shortest == "one" else found

    def exists(self, query: Query) -> Subquery:
        return Subquery("exists", query)

    def count(self, query: Query) -> Subquery:
        return Subquery("count", query)

    def collect(self, query: Query) -> Subquery:
        return Subquery("collect", query)

    def body(self, *clauses: Clause) -> Query:
        return Query((Part(clauses),))

    def patterns_alone(self, patterns: list[Path], where: Term | None) -> Query:
        return Query((Part((self.match(None, patterns, where),)),))

    def _other_call(self, written: str, arguments: tuple[Term, ...], at: int) -> Expression:
        """`gt.Name(value, …, {keyword: value})`, of values that are known without any row."""
        entries: tuple[Entry, ...] = ()
        if arguments and isinstance(last := arguments[-1], Map):
            arguments, entries = arguments[:-1], last.entries
        given = [_known(value) for value in arguments]
        named = [(entry.name, _known(entry.value)) for entry in entries]
        known = [value for value in given if value is not None]
        keywords = [
            (self._vocabulary.parameter(name_of(written), key), v) for key, v in named if v is not None
        ]
        if len(known) < len(given) or len(keywords) < len(named):
            message = (
                f"{OTHER_CALLS}.{written} is worked out before any row: it takes literals and other calls."
            )
            raise self._fault(at, message)
        if written == REFERENCE:
            if not (len(known) == 2 and isinstance(known[0], Text) and isinstance(known[1], Text)):
                raise self._fault(at, f'write {OTHER_CALLS}.{REFERENCE}("kind", "id").')
            return NodeRef(known[0].value, known[1].value)
        return make_call(self._vocabulary.canonical(name_of(written)), known, keywords, None, at)

    def _fault(self, at: int | None, message: str) -> Exception:
        return fault(self._text, at or 0, message)


def _known(value: Term) -> Expression | None:
    """A value as an argument of a call, None where it is worked out for each row."""
    if isinstance(value, List):
        values = [_known(each) for each in value.values]
        known = [each for each in values if each is not None]
        return Items(tuple(known)) if len(known) == len(values) else None
    return value if is_literal(value) or isinstance(value, Call) else None  # type: ignore[return-value]


def _all_of(conditions: list[Term], where: Term | None) -> Term | None:
    """These conditions and then `where`, as one."""
    every = conditions if where is None else [*conditions, where]
    return chain("and", every) if every else None


def _and_where(conditions: list[Term], where: Term | None) -> Conditions:
    return tuple(conditions if where is None else [*conditions, where])


def _subquery(keeps: Kept, match: Match) -> Subquery:
    return Subquery(keeps, Query((Part((match,)),)))
