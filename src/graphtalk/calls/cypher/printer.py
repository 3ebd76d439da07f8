"""Queries written as Cypher: one clause a line, brackets only where the order of operators wants them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.lexer import quote, show_number
from graphtalk.calls.query import (
    Apply,
    Case,
    Clause,
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
    Parameter,
    Pattern,
    PatternComprehension,
    Projection,
    Property,
    Quantified,
    Query,
    Reduce,
    Return,
    Slice,
    Subquery,
    Term,
    Unwind,
    Variable,
)

OTHER_CALLS = "gt"
"""The namespace of the other calls of the language: `gt.PageRank()`."""

REFERENCE = "NodeRef"
"""`gt.NodeRef("paper", "83826")` is the reference `paper#83826`."""

SHORTEST = "shortest path"
"""The name of the path in `shortestPath(…)` as a value, which the tree has as a comprehension of that path."""

LONGEST_CHAIN = 16
"""So many operands of one `or`, `xor` or `and` nest to the left; more are halved, so that long lists nest little."""

_ANY, _NOT, _COMPARED, _PREDICATE, _SUM, _PRODUCT, _POWER, _UNARY, _POSTFIX, _ATOM = 0, *range(4, 13)
"""How tightly each binds, from the loosest; 1, 2 and 3 are or, xor and and."""
_CHAINS = {"or": 1, "xor": 2, "and": 3}
_LEFT = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "%": _PRODUCT}
_LOOSE = {**dict.fromkeys(("=", "<>", "<", "<=", ">", ">="), _COMPARED), "^": _POWER}

_PLAIN = re.compile(r"[^\W\d]\w*")
_RESERVED = re.compile("not|case|when|null|true|false|distinct|where|in", re.IGNORECASE)
"""What cannot be the name of a variable unless quoted. Other keywords can: the grammar tells them by their place."""
_SPECIAL = re.compile(
    "not|case|when|null|true|false|distinct|all|any|none|single|reduce|exists|shortestpath|allshortestpaths|gt",
    re.IGNORECASE,
)
"""What cannot stand before a "(" unless quoted: the grammar reads something else."""
_WRITTEN = {
    name.lower(): name
    for name in "toLower toUpper toString toInteger toFloat toBoolean startNode endNode elementId isEmpty".split()
    + "percentileCont percentileDisc stDev stDevP charLength".split()
}
"""How people write names of functions, which Cypher reads in any case."""
_LIKE_COMPREHENSION = re.compile(r"(?:[^\W\d]\w*+|`(?:[^`]|``)*+`) IN ")


def show_query(query: Query, between: str = "\n") -> str:
    """`query` as Cypher; `parse_query` reads it back exactly. `between` stands between clauses."""
    union = "UNION ALL" if query.repeats else "UNION"
    parts = [
        between.join([line for clause in part.clauses for line in _clause(clause)]) for part in query.parts
    ]
    return f"{between}{union}{between}".join(parts)


def show_other(call: Call) -> str:
    """Another call of the language as a function of the namespace `gt`: arguments by name as a map at the end."""
    name = (
        call.function
        if _PLAIN.fullmatch(call.function) and call.function != REFERENCE
        else _quoted(call.function)
    )
    arguments = [_literal(value) for value in call.arguments]
    named = [*call.keywords, *([] if call.graph is None else [("graph", call.graph)])]
    if named:
        arguments.append("{" + ", ".join([f"{_name(key)}: {_literal(value)}" for key, value in named]) + "}")
    return f"{OTHER_CALLS}.{name}({', '.join(arguments)})"


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _name(name: str) -> str:
    """A name where nothing but a name may stand."""
    return name if _PLAIN.fullmatch(name) else _quoted(name)


def _function(name: str) -> str:
    """A name that a "(" follows."""
    return _quoted(name) if _SPECIAL.fullmatch(name) else _name(name)


def _variable(name: str) -> str:
    """A name where a keyword may stand too."""
    return _quoted(name) if _RESERVED.fullmatch(name) else _name(name)


def _clause(clause: Clause) -> list[str]:
    """The lines of a clause."""
    if isinstance(clause, Match):
        patterns = ", ".join([_pattern(pattern) for pattern in clause.patterns])
        return [f"{'OPTIONAL ' * clause.optional}MATCH {patterns}", *_where(clause.where)]
    if isinstance(clause, Unwind):
        return [f"UNWIND {_term(clause.value)} AS {_name(clause.variable)}"]
    if isinstance(clause, Return):
        return _projection("RETURN", clause.projection)
    return [*_projection("WITH", clause.projection), *_where(clause.where)]


def _where(where: Term | None) -> list[str]:
    return [] if where is None else [f"WHERE {_term(where)}"]


def _projection(word: str, projection: Projection) -> list[str]:
    columns = ["*"] if projection.everything else []
    for column in projection.columns:
        written = _term(column.value)
        own = written == column.name and word == "RETURN"
        if isinstance(column.value, Variable):
            own = column.value.name == column.name
        columns.append(written if own else f"{written} AS {_name(column.name)}")
    lines = [f"{word} {'DISTINCT ' * projection.distinct}{', '.join(columns)}"]
    if projection.order:
        keys = [f"{_term(key.by)}{' DESC' * key.descending}" for key in projection.order]
        lines.append(f"ORDER BY {', '.join(keys)}")
    if projection.skip is not None:
        lines.append(f"SKIP {_term(projection.skip)}")
    if projection.limit is not None:
        lines.append(f"LIMIT {_term(projection.limit)}")
    return lines


# Patterns


def _pattern(pattern: Pattern) -> str:
    steps = [_node(pattern.nodes[0])]
    for edge, node in zip(pattern.edges, pattern.nodes[1:], strict=True):
        steps += [_edge(edge), _node(node)]
    path = "".join(steps)
    selector = _selector(pattern)
    if selector:
        path = f"{selector} {path}"
    elif pattern.shortest:
        path = f"{'shortestPath' if pattern.shortest == 'one' else 'allShortestPaths'}({path})"
    return f"{_name(pattern.variable)} = {path}" if pattern.variable else path


def _selector(pattern: Pattern) -> str:
    """What stands before a pattern whose paths no function of openCypher says."""
    if pattern == replace(pattern, acyclic=False, weight="", first=1) and pattern.shortest != "first":
        return ""
    kind = {"": "", "one": "ANY SHORTEST", "all": "ALL SHORTEST", "first": f"SHORTEST {pattern.first}"}
    words = (
        kind[pattern.shortest],
        "ACYCLIC" * pattern.acyclic,
        pattern.weight and f"BY {_function(pattern.weight)}",
    )
    return " ".join([word for word in words if word])


def _node(node: NodePattern) -> str:
    return f"({_inside(node.variable, node.labels, '', node.properties)})"


def _edge(edge: EdgePattern) -> str:
    hops = _hops(edge) if edge.several else ""
    inside = _inside(edge.variable, edge.relations, hops, edge.properties)
    dashes = f"-[{inside}]-" if inside else "--"
    return f"{'<' * (edge.way == 'in')}{dashes}{'>' * (edge.way == 'out')}"


def _inside(variable: str, labels: Sequence[str], hops: str, properties: Sequence[Entry]) -> str:
    """What stands in the brackets of a node or an edge."""
    named = _variable(variable) if variable else ""
    named += ":" * bool(labels) + "|".join([_name(label) for label in labels]) + hops
    return " ".join([each for each in (named, _map(properties) if properties else "") if each])


def _hops(edge: EdgePattern) -> str:
    fewest, most = edge.fewest, edge.most
    if fewest == most:
        return f"*{fewest}"
    start = "" if fewest == 1 else str(fewest)
    return f"*{start}" if most is None and not start else f"*{start}..{'' if most is None else most}"


# Terms


def _term(term: Term, least: int = _ANY) -> str:
    """A term; in brackets where it binds more loosely than `least`."""
    written, level = _written(term)
    return written if level >= least else f"({written})"


def _written(term: Term) -> tuple[str, int]:
    """A term and how tightly it binds."""
    if isinstance(term, Operation):
        return _operation(term)
    if isinstance(term, Text | Number | Boolean | NodeRef | Items | Call):
        written = _literal(term)
        return written, _UNARY if written.startswith("-") else _ATOM
    if isinstance(term, Null):
        return "null", _ATOM
    if isinstance(term, Variable):
        return _variable(term.name), _ATOM
    if isinstance(term, Parameter):
        return "$" + (term.name if re.fullmatch(r"\w+", term.name) else _quoted(term.name)), _ATOM
    if isinstance(term, Property):
        return f"{_base(term.of)}.{_name(term.name)}", _POSTFIX
    if isinstance(term, Element):
        return f"{_base(term.of)}[{_first(term.at)}]", _POSTFIX
    if isinstance(term, Slice):
        start, end = ("" if each is None else _first(each) for each in (term.start, term.end))
        return f"{_base(term.of)}[{start}..{end}]", _POSTFIX
    if isinstance(term, Labelled):
        of = f"({_term(term.of)})" if isinstance(term.of, Labelled) else _base(term.of)
        return of + "".join([f":{_name(label)}" for label in term.labels]), _POSTFIX
    if isinstance(term, Map):
        return _map(term.entries), _ATOM
    if isinstance(term, List):
        return f"[{', '.join([_first(term.values[0]), *map(_term, term.values[1:])])}]", _ATOM
    return _bracketed(term), _ATOM


def _bracketed(
    term: Apply | Case | Comprehension | Quantified | Reduce | PatternComprehension | Subquery,
) -> str:
    """A term with a beginning and an end of its own."""
    if isinstance(term, Apply):
        return _apply(term)
    if isinstance(term, Case):
        subject = "" if term.subject is None else f" {_term(term.subject)}"
        branches = [f" WHEN {_term(each.test)} THEN {_term(each.value)}" for each in term.branches]
        otherwise = "" if term.otherwise is None else f" ELSE {_term(term.otherwise)}"
        return f"CASE{subject}{''.join(branches)}{otherwise} END"
    if isinstance(term, Comprehension):
        gives = "" if term.gives is None else f" | {_term(term.gives)}"
        return f"[{_name(term.variable)} IN {_filtered(term.source, term.where)}{gives}]"
    if isinstance(term, Quantified):
        return f"{term.every}({_name(term.variable)} IN {_filtered(term.source, term.where)})"
    if isinstance(term, Reduce):
        start = f"{_name(term.total)} = {_term(term.start)}"
        return f"reduce({start}, {_name(term.variable)} IN {_term(term.source)} | {_term(term.step)})"
    if isinstance(term, PatternComprehension):
        path = _path_alone(term, "all")
        return path or f"[{' '.join([_pattern(term.pattern), *_where(term.where)])} | {_term(term.gives)}]"
    return f"{term.keeps.upper()} {{ {show_query(term.query, ' ')} }}"


def _filtered(source: Term, where: Term | None) -> str:
    return " ".join([_term(source), *_where(where)])


def _path_alone(term: Term, shortest: str) -> str:
    """`shortestPath(…)` or `allShortestPaths(…)` as a value, or an empty text where the term says something else."""
    if not isinstance(term, PatternComprehension) or term.pattern.shortest != shortest:
        return ""
    pattern = term.pattern
    alone = pattern.variable == SHORTEST and term.gives == Variable(SHORTEST) and term.where is None
    return _pattern(replace(pattern, variable="")) if alone else ""


def _apply(term: Apply) -> str:
    if term.function == "head" and len(term.arguments) == 1 and not term.distinct:
        path = _path_alone(term.arguments[0], "one")
        if path:
            return path
    if term.function == "count" and not term.arguments:
        return "count(*)"
    begun, *others = _WRITTEN.get(term.function, term.function).split(".")
    name = ".".join([_function(begun), *map(_name, others)])
    return f"{name}({'DISTINCT ' * term.distinct}{', '.join(map(_term, term.arguments))})"


def _operation(term: Operation) -> tuple[str, int]:
    """An operation and how tightly it binds. Where grammars of Cypher differ in the order, brackets stand too."""
    operator, operands = term.operator, term.operands
    if operator in _CHAINS:
        return _chain(term), _CHAINS[operator]
    if operator == "not":
        return f"NOT {_term(operands[0], _NOT)}", _NOT
    if operator == "negative":
        # -(5) is the operator, and -5 a number.
        least = _ATOM + 1 if isinstance(operands[0], Number) else _UNARY
        return f"-{_term(operands[0], least)}", _UNARY
    if operator in ("is null", "is not null"):
        return f"{_term(operands[0], _POSTFIX)} {operator.upper()}", _PREDICATE
    left, right = operands
    if operator in _LEFT:
        level = _LEFT[operator]
        return f"{_term(left, level)} {operator} {_term(right, level + 1)}", level
    level = _LOOSE.get(operator, _PREDICATE)
    least = _SUM if level == _COMPARED else _POSTFIX
    return f"{_term(left, least)} {operator.upper()} {_term(right, least)}", level


def _chain(term: Operation) -> str:
    """`a OR b OR c`, without brackets as far as the parser reads it as it nests."""
    level = _CHAINS[term.operator]
    spine: list[Term] = []
    whole: Term = term
    while isinstance(whole, Operation) and whole.operator == term.operator:
        whole, right = whole.operands
        spine.append(right)
    written, count = _term(whole, level + 1), 1
    for right in reversed(spine):
        if count == LONGEST_CHAIN:
            written, count = f"({written})", 1
        written = f"{written} {term.operator.upper()} {_term(right, level + 1)}"
        count += 1
    return written


def _base(term: Term) -> str:
    """What `.name` or `[0]` may follow."""
    return f"({_term(term)})" if isinstance(term, Number) else _term(term, _POSTFIX)


def _first(term: Term) -> str:
    """What follows a `[`: `[(x IN list)]` is a list of a condition, and no comprehension."""
    written = _term(term)
    return f"({written})" if _LIKE_COMPREHENSION.match(written) else written


def _map(entries: Sequence[Entry]) -> str:
    return "{" + ", ".join([f"{_name(entry.name)}: {_term(entry.value)}" for entry in entries]) + "}"


def _literal(value: Expression) -> str:
    if isinstance(value, Text):
        return quote(value.value)
    if isinstance(value, Boolean):
        return "true" if value.value else "false"
    if isinstance(value, NodeRef):
        return f"{OTHER_CALLS}.{REFERENCE}({quote(value.kind)}, {quote(value.id)})"
    if isinstance(value, Items):
        return f"[{', '.join([_literal(each) for each in value.values])}]"
    if isinstance(value, Call):
        return show_other(value)
    return show_number(value.value).replace("inf", "1e999")
