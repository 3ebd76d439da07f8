"""Composed readings: a question that is taken apart (`taken_apart`), answered by one call made of those of its parts.

Every part has to be sure. What a part passes over, and how it is read, is told with the whole; a part that speaks of another time than the
graph's is not composed, as one call is of one time.
"""

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from typing import TypeAlias, cast

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Expression, Text
from graphtalk.calls.query import (
    Apply,
    Branch,
    Case,
    Entry,
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
    Subquery,
    Term,
    Variable,
    as_query,
    query_call,
)
from graphtalk.calls.query import Column as QueryColumn
from graphtalk.core import LimitError
from graphtalk.graphs import Graph, Schema
from graphtalk.language.nouns import plural, singular
from graphtalk.reasoners.amounts import Amounts
from graphtalk.reasoners.candidates import Judged, Proposal, Proposed, Proposer
from graphtalk.reasoners.joined import names_in, type_nouns
from graphtalk.reasoners.judgement import nodes_of, told_apart
from graphtalk.reasoners.phrases.words import MOST_WORDS
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.taken_apart import (
    Nested,
    OfTwo,
    OnlyOf,
    Sides,
    averaged,
    nested,
    of_two,
    only_of,
    sides,
)
from graphtalk.tools.executor import Result
from graphtalk.tools.values import to_json

Sure: TypeAlias = tuple[Proposed, Judged]  # a question as it was read, and its one reading that is sure
_MOST_NAMED = 10_000  # nodes of a type whose average is taken node by node
_MOST_NODES = 50  # that a clause may describe: each has to be the only one of its name


class Composing:
    """Reads questions about one graph by their parts. `best`: the reading of a question that is sure."""

    def __init__(self, proposer: Proposer, best: Callable[[str], Sure | None]) -> None:
        self._proposer, self._whole = proposer, best
        self._graph, self._schema = proposer.graph, proposer.graph.schema
        self._amounts = Amounts(proposer.graph)

    def read(self, question: str) -> Sure | None:
        """The reading of a question by its parts, where all of these are sure."""
        plain, values = self._proposer.plainly(question)
        if len(plain.split()) > MOST_WORDS:
            return None
        only = only_of(plain, values)
        composed = (
            self._amount(plain, values),
            *map(self._sides, sides(plain, values)),
            *([self._only(only)] if only is not None else ()),
            *map(self._nested, nested(plain, self._proposer.type_nouns, values)),
            self._averaged(plain),
            *map(self._of_two, of_two(plain, values, self._graph)),
        )
        return next(filter(None, composed), None)

    def _best(self, question: str) -> Sure | None:
        """The reading of a part that is sure, as it stands or by the name of the amount that it asks for."""
        return self._whole(question) or self._amount(*self._proposer.plainly(question))

    def _amount(self, question: str, values: Sequence[Linked]) -> Sure | None:
        """The reading of a question for an amount by the amount's name, where all that are sure give the same, and none passes over a word."""
        found: dict[Hashable, Sure] = {}
        for amount in self._amounts.of(question, values):
            sure = self._whole(amount.question)
            if sure is not None and not sure[1].unexplained and amount.is_of(sure[1].result.trail.spelling):
                proposed = replace(sure[0], respelt=(*sure[0].respelt, amount.words))
                found.setdefault(told_apart(sure[1].result)[0], (proposed, sure[1]))
        return next(iter(found.values())) if len(found) == 1 else None

    @cached_property
    def _types_by_noun(self) -> dict[str, str]:
        named = [t.name for t in self._schema.node_types if t.label]
        return {singular(noun): t for noun, t in type_nouns(self._schema).items() if t in named}

    def _names(self, node_type: str) -> list[str]:
        """The names of a type's nodes; none where these do not tell them apart."""
        try:
            column = self._graph.columns[node_type].column(self._schema.node_type(node_type).label)
        except LimitError:  # of a graph elsewhere, more than are read here
            return []
        names = column.to_pylist() if len(column) <= _MOST_NAMED else []
        return names if len(set(names)) == len(names) and all(map(self._proposer.is_only, names[:2])) else []

    def _sure(self, call: Call, words: str, parts: Sequence[Sure]) -> Sure | None:
        """A call with what its parts say of how they were read; None where it finds nothing, or a part is of another time."""
        if any(judged.reading.call.graph is not None for _, judged in parts):
            return None
        result = self._proposer.quick(call)
        if result is None or _is_nothing(result):
            return None
        first, _ = parts[0]
        respelt = tuple(dict.fromkeys(each for proposed, _ in parts for each in proposed.respelt))
        unexplained = tuple(dict.fromkeys(word for _, judged in parts for word in judged.unexplained))
        reading = Proposal(call, f"The question asks for {words}.", words)
        sure = min(judged.confidence for _, judged in parts)
        return replace(first, respelt=respelt), Judged(reading, result, sure, (), unexplained)

    def _sides(self, asked: Sides) -> Sure | None:
        parts: list[Sure] = []
        for question in (asked.first, *asked.second):
            part = self._best(question)
            if part is None or _number(part[1].result) is None:
                return None
            parts.append(part)
        readings = [judged.reading for _, judged in parts]
        queries = [query for each in readings if (query := self._proposer.as_query(each.call)) is not None]
        told = [(each.words, each.call) for each in readings]
        if len(queries) < len(parts) or not alike(told, asked.names, self._schema):
            return None
        sure = self._sure(put_together(asked, queries), asked.told([words for words, _ in told]), parts)
        # Of a question for how much more, what is less is no answer.
        return sure if sure is None or asked.asks != "gap" or (_number(sure[1].result) or 0) > 0 else None

    def _only(self, only: OnlyOf) -> Sure | None:
        part = self._best(only.question)
        others = with_others(part[1].reading.call, only.names, self._schema) if part is not None else None
        if part is None or others is None or nodes_of(part[1].result.value) is None:
            return None
        reading = part[1].reading
        call = Call("Difference", (Call("Distinct", (reading.call,)), others))
        return self._sure(call, f"{reading.words}, and of nothing but {only.names[-1]}", [part])

    def _nested(self, clause: Nested) -> Sure | None:
        inner = self._best(clause.inner)
        nodes = nodes_of(inner[1].result.value) if inner is not None else None
        types = self._proposer.types(inner[1].result) if inner is not None else None
        if inner is None or nodes is None or not types or len(types) > 1 or len(nodes) > _MOST_NODES:
            return None
        label = self._schema.node_type(*types).label
        names = [self._graph.label(int(node)) for node in nodes]
        if not label or not all(self._proposer.is_only(name) for name in names):
            return None
        outer = self._best(clause.of(names[0]))
        if outer is None or (len(names) > 1 and leads_elsewhere(outer[1].reading.call, self._schema)):
            return None  # what is read of one of several may be another relation of that name
        asked, those = outer[1].reading, inner[1].reading
        if asked.call.function == "Describe":  # "tell me who Ann's mentor is"
            return inner
        call = of_those(asked.call, names[0], those.call, label, self._proposer.as_query)
        words = f"{asked.words}, where {names[0]} stands for: {those.words}"
        return self._sure(call, words, [outer, inner]) if call is not None else None

    def _averaged(self, question: str) -> Sure | None:
        """The average of what is asked of any one of a type: of two of them it has to be read alike."""
        asked = averaged(question, self._types_by_noun)
        label = self._schema.node_type(asked.type).label if asked is not None else ""
        names = self._names(asked.type) if asked is not None and label else []
        parts = [sure for name in names[:2] if asked and (sure := self._best(asked.of(name)))]
        if (
            asked is None
            or len(parts) < 2
            or any(_number(j.result) is None or j.unexplained for _, j in parts)
        ):
            return None
        readings = [judged.reading for _, judged in parts]
        query = self._proposer.as_query(readings[0].call)
        told = [(each.words, each.call) for each in readings]
        if query is None or not alike(told, [(name,) for name in names[:2]], self._schema):
            return None
        call = average_of(query, asked.type, label, names[0])
        words = f"average of all {plural(spoken(asked.type))}, where {names[0]} stands for each: {readings[0].words}"
        return self._sure(call, words, parts[:1]) if call is not None else None

    def _of_two(self, two: OfTwo) -> Sure | None:
        part = self._best(two.question) if all(map(self._proposer.is_only, two.names)) else None
        if part is None or self._proposer.types(part[1].result) != {two.type}:
            return None
        reading = part[1].reading
        # Of whom nothing is known is neither the most nor the least.
        calls = [among(reading.call, two.type, [name], self._graph) for name in two.names]
        known = [self._proposer.quick(call) for call in calls if call is not None]
        both = among(reading.call, two.type, two.names, self._graph)
        if both is None or any(result is None or _is_nothing(result) for result in known):
            return None
        return self._sure(both, f"{' or '.join(two.names)}, of {reading.words}", [part])


def _is_nothing(result: Result) -> bool:
    """Whether a result has no entry at all, or none that is known; 0 and no are answers."""
    value = to_json(result.value, result.graph)
    return value is None or (isinstance(value, list) and all(each is None for each in value))


def _number(result: Result) -> float | None:
    """The one number that a result is."""
    value = to_json(result.value, result.graph)
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def alike(told: Sequence[tuple[str, Call]], names: Sequence[Sequence[str]], schema: Schema) -> bool:
    """Whether readings, each in words and as a call, are the same but for the names that they are about."""
    seen = set()
    for (words, call), own in zip(told, names, strict=True):
        texts = "|".join(map(re.escape, sorted(set(own), key=len, reverse=True)))
        spelled = show(call)
        relations = frozenset(r.name for r in schema.relations if names_in(r.name, spelled))
        seen.add((re.sub(rf"(?<!\w)(?:{texts})(?!\w)", "{}", words, flags=re.I), relations))
    return len(seen) == 1


def put_together(asked: Sides, queries: Sequence[Query]) -> Call:
    """The call that compares what each side comes to."""
    first, *others = (Apply("head", (Subquery("collect", query),)) for query in queries)
    second: Term = others[0]
    for other in others[1:]:
        second = Operation("+", (second, other))
    if asked.asks == "gap":
        return _returned(Operation("-", (first, second) if asked.more else (second, first)), "difference")
    operator: Operator = ">" if asked.more else "<"
    if asked.asks == "whether":
        return _returned(Operation(operator, (first, second)), "answer")
    sides_ = Case(
        (
            Branch(Operation(operator, (first, second)), Text(asked.names[0][-1])),
            Branch(Operation(operator, (second, first)), Text(asked.names[1][-1])),
        )
    )
    return _returned(sides_, "answer")


def _returned(term: Term, name: str) -> Call:
    return query_call(Query((Part((Return(Projection((QueryColumn(term, name),))),)),)))


def among(call: Call, node_type: str, names: Sequence[str], graph: Graph) -> Call | None:
    """The same superlative of some nodes alone; None where the call chooses in another way."""
    if call.function != "Query":
        those: Expression = Call("RetrieveNode", (Text(names[0]), Text(node_type)))
        for name in names[1:]:
            those = Call("Union", (those, Call("RetrieveNode", (Text(name), Text(node_type)))))
        every = Call("Nodes", (Text(node_type),))
        if call.function in ("Top", "Bottom", "TopDegree", "BottomDegree") and call.arguments[0] == every:
            return replace(call, arguments=(those, *call.arguments[1:]))
        return None
    query = as_query(call)
    match, *rest = query.parts[0].clauses
    last = rest[-1] if rest else None
    root = "V0"
    chosen = (
        isinstance(last, Return)
        and [c.value for c in last.projection.columns] == [Variable(root)]
        and last.projection.limit is None
    )
    if (
        len(query.parts) > 1
        or not isinstance(match, Match)
        or not chosen
        or match.patterns[0].nodes[0].labels != (node_type,)
    ):
        return None
    label = next(t.label for t in graph.schema.node_types if t.name == node_type)
    named: Term = Operation("=", (Property(Variable(root), label), Text(names[0])))
    for name in names[1:]:
        named = Operation("or", (named, Operation("=", (Property(Variable(root), label), Text(name)))))
    where = named if match.where is None else Operation("and", (match.where, named))
    return query_call(Query((Part((replace(match, where=where), *rest)),)))


def leads_elsewhere(call: Call, schema: Schema) -> bool:
    """Whether a call goes along a relation of whose name there are others, between other types."""
    spelled = show(call)
    used = [r.name for r in schema.relations if names_in(r.name, spelled)]
    return len(used) > len(set(used))


def with_others(call: Call, names: Sequence[str], schema: Schema) -> Call | None:
    """The same call of what is anything but a value; None where it is not in one place, or a relation leads to nodes of several types."""
    lower = {name.casefold() for name in names}
    changed, places = _others(as_query(call) if call.function == "Query" else call, lower)
    if places != 1 or leads_elsewhere(call, schema):
        return None
    return (
        query_call(changed) if isinstance(changed, Query) else changed if isinstance(changed, Call) else None
    )


def _others(part: object, names: set[str]) -> tuple[object, int]:
    """A part of a call with the comparison with a value turned round, and how many there were."""
    match part:
        case Operation("=", (Property() as held, Text(text))) if text.casefold() in names:
            return Operation("<>", (held, Text(text))), 1
        case Call("Filter", (nodes, feature, Text("="), Text(text))) if text.casefold() in names:
            changed, places = _others(nodes, names)
            return Call("Filter", (cast(Expression, changed), feature, Text("!="), Text(text))), places + 1
        case Call("RetrieveNode", (Text(text), Text(node_type))) if text.casefold() in names:
            return Call("Difference", (Call("Nodes", (Text(node_type),)), part)), 1
    return _within(part, lambda inner: _others(inner, names))


def _within(part: object, changed: Callable[[object], tuple[object, int]]) -> tuple[object, int]:
    """A part of a call with each part of its own changed, and in how many places."""
    if isinstance(part, tuple):
        several = [changed(each) for each in part]
        return tuple(each for each, _ in several), sum(places for _, places in several)
    if is_dataclass(part) and not isinstance(part, type):
        own = {f.name: changed(getattr(part, f.name)) for f in fields(part)}
        return replace(part, **{key: each for key, (each, _) in own.items()}), sum(n for _, n in own.values())
    return part, 0


def of_those(
    call: Call, name: str, those: Call, label: str, to_query: Callable[[Call], Query | None]
) -> Call | None:
    """A call about one named node, of all nodes that another call gives; None where it names that node in no place, or in several."""
    if call.function != "Query":
        changed, places = _renamed(call, name, those, None)
        return changed if places == 1 and isinstance(changed, Call) else None
    query = to_query(those)
    last = query.parts[0].clauses[-1] if query is not None and len(query.parts) == 1 else None
    if query is None or not isinstance(last, Return) or len(last.projection.columns) != 1:
        return None
    node = last.projection.columns[0].value
    if not isinstance(node, Variable):
        return None
    told = Return(Projection((QueryColumn(Property(node, label), "name"),), distinct=True))
    own = _named_apart(Query((Part((*query.parts[0].clauses[:-1], told)),)))
    names = Subquery("collect", cast(Query, own))
    changed, places = _renamed(as_query(call), name, those, names)
    return query_call(changed) if places == 1 and isinstance(changed, Query) else None


def average_of(query: Query, node_type: str, label: str, name: str) -> Call | None:
    """The average of what a query about one named node comes to, over all nodes of its type, whose names differ."""
    each = Variable("every")
    changed, places = _of_each(_named_apart(query), name, Property(each, label))
    if places != 1 or not isinstance(changed, Query):
        return None
    nodes = Match((Pattern((NodePattern(each.name, (node_type,)),)),))
    own = Apply("avg", (Apply("head", (Subquery("collect", changed),)),))
    return query_call(Query((Part((nodes, Return(Projection((QueryColumn(own, "average"),))))),)))


def _named_apart(part: object) -> object:
    """A part of a query with variables of its own: what stands in another query sees the variables of that."""
    match part:
        case Variable(name):
            return Variable(f"inner_{name}")
        case tuple():
            return tuple(map(_named_apart, part))
    if is_dataclass(part) and not isinstance(part, type):
        own = {f.name: _named_apart(getattr(part, f.name)) for f in fields(part)}
        key = "name" if isinstance(part, QueryColumn) else "variable"
        return replace(part, **(own | {key: f"inner_{own[key]}"} if own.get(key) else own))
    return part


def _renamed(part: object, name: str, those: Call, names: Term | None) -> tuple[object, int]:
    """A part of a call with a name put as other nodes, or as one of their names, and how often it was there."""
    match part:
        case Operation("=", (Property() as held, Text(text))) if text == name and names is not None:
            return Operation("in", (held, names)), 1
        case Call("RetrieveNode", (Text(text), *_)) if text == name:
            return those, 1
        case Text(text) if text == name:
            return part, 2  # where it cannot be put otherwise
    return _within(part, lambda inner: _renamed(inner, name, those, names))


def _of_each(part: object, name: str, each: Property) -> tuple[object, int]:
    """A part of a query with the name that something is called by put as a node's, and how often it was there."""
    match part:
        case Operation("=", (Property() as held, Text(text))) if text == name:
            return Operation("=", (held, each)), 1
        case Entry(key, Text(text)) if text == name:
            return Entry(key, each), 1
        case Text(text) if text == name:
            return part, 2
    return _within(part, lambda inner: _of_each(inner, name, each))
