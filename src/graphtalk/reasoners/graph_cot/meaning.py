"""Words of a question that change what it means, and that a model's expression seems to pass over."""

import re
from collections.abc import Iterator, Mapping

from graphtalk.calls import show
from graphtalk.calls.ast import Boolean, Call, Expression, Items, Number, Text
from graphtalk.calls.query import Query
from graphtalk.graphs import Schema
from graphtalk.language.operators import operator_words
from graphtalk.reasoners.planner.english import split_name
from graphtalk.reasoners.planner.unused import not_used
from graphtalk.search.index import Index

_ASKED = frozenset(
    {"negation", "average", "above", "below", "time", "share", "starts", "ends", "rank", "least"}
)
"""Kinds that are asked about: those that an expression can hardly mean without saying so."""

_IN_CYPHER: Mapping[str, str] = {
    "negation": r"\bNOT\b|<>|\bnone\(|= 0\b|\bfalse\b|IS NULL",
    "average": r"\bavg\(|/",
    "above": r">",
    "below": r"<",
    "time": r"[<>]",
    "share": r"/",
    "starts": r"STARTS WITH|=~|left\(|substring\(",
    "ends": r"ENDS WITH|=~|right\(",
    "rank": r"SKIP|\[",
    "least": r"ORDER BY|min\(|shortestPath|SHORTEST|<=",
}
_NONE_OF = frozenset({"FilterDegree", "Frequent", "Exists", "Not"})  # "without a capital": of none, or not
_BY_ORDER = frozenset({"Top", "Bottom", "TopDegree", "BottomDegree", "MostFrequent", "Highest", "Lowest"})


def passed_over(question: str, call: Call, schema: Schema, index: Index | None) -> list[str]:
    """The words of the closed list that stand in a question, outside of names and of the schema's own words, and that
    nothing in an expression stands for.
    """
    names = [(m.start, m.end) for m in (index.mentions(question) if index else ()) if m.literal]
    own = _words(schema)
    found = [w for w in operator_words(question, names) if w.kind in _ASKED and w.word not in own]
    if call.function == Query.__name__:
        written = show(call, "cypher")
        return [w.word for w in found if not re.search(_IN_CYPHER[w.kind], written, re.IGNORECASE)]
    inside = list(_calls(call))
    left = [w for w in not_used(found, call) if not any(_says(w.kind, each) for each in inside)]
    queries = [each for each in inside if each.function == Query.__name__]
    return [] if queries else [w.word for w in left]


def _says(kind: str, call: Call) -> bool:
    """Whether a call may stand for a kind of word in a way that readings without a model do not have."""
    if kind == "negation":
        return call.function in _NONE_OF or Boolean(False) in call.arguments
    if kind in ("rank", "least"):
        return call.function in _BY_ORDER
    compares = any(
        isinstance(value, Text) and value.value in ("<", "<=", ">", ">=") for value in call.arguments
    )
    return kind in ("above", "below", "time") and (
        compares or any(isinstance(value, Number) for value in call.arguments)
    )


def _calls(value: Expression) -> Iterator[Call]:
    if isinstance(value, Call):
        yield value
        for each in (*value.arguments, *(given for _, given in value.keywords)):
            yield from _calls(each)
    elif isinstance(value, Items):
        for each in value.values:
            yield from _calls(each)


def _words(schema: Schema) -> frozenset[str]:
    """The words of the schema's names, which mean what the schema means by them."""
    features = [f.name for t in schema.node_types for f in t.features]
    names = (*(t.name for t in schema.node_types), *features, *schema.relation_names)
    return frozenset(word.lower() for name in names for part in split_name(name) for word in part.split())
