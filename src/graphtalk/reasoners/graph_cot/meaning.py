"""Words of a question that change what it means, and that a model's expression seems to pass over."""

import re
from collections.abc import Mapping, Sequence

from graphtalk.calls import show
from graphtalk.calls.ast import Boolean, Call, Number, Text, walk
from graphtalk.calls.query import Query
from graphtalk.graphs import Schema
from graphtalk.language.identifiers import split_name
from graphtalk.language.operators import OperatorWord, operator_words
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
_SIGNS = frozenset({"=", "<", "<=", ">", ">="})
_NONE_OF = frozenset({"FilterDegree", "Frequent", "Exists", "Not"})  # "without a capital": of none, or not
_DOWN = frozenset(
    {"least", "fewest", "lowest", "smallest", "minimum", "cheapest"}
)  # no word of time: the earliest may be a top
_UPWARDS = frozenset({"Top", "TopDegree", "MostFrequent", "Highest", "Maximum"})
_DOWNWARDS = frozenset({"Bottom", "BottomDegree", "Lowest", "Minimum", "Filter", "FilterDegree"})
_DIFFERENT = re.compile(r"\bhow many (?:different|distinct|unique)\b", re.IGNORECASE)
_ONCE = frozenset({"Distinct", "Intersect", "Union", "Nodes"})  # what gives each once
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
    inside = [part for part in walk(call) if isinstance(part, Call)]
    functions = {each.function for each in inside}
    if Query.__name__ in functions:
        return []
    left = [w for w in not_used(found, call) if not any(_says(w.kind, each) for each in inside)]
    left += [w for w in found if w not in left and _contradicts(w, inside, functions)]
    said = [w.word for w in left]
    counts_paths = call.function == "Count" and not functions & _ONCE and _hops(inside) > 1
    if counts_paths and (different := _DIFFERENT.search(question)):
        said.append(different[0].split()[-1])
    return said


def _contradicts(word: OperatorWord, inside: Sequence[Call], functions: set[str]) -> bool:
    """Whether an expression says another thing of the same kind: the most for the fewest, five for at least five."""
    if word.kind == "least":
        return word.word in _DOWN and bool(functions & _UPWARDS) and not functions & _DOWNWARDS
    if word.kind == "rank":
        ordered = [each for each in inside if each.function in _BY_ORDER]
        return bool(ordered) and not any(isinstance(v, Number) for each in ordered for v in each.arguments)
    if word.kind in ("above", "below"):
        numbered = [each for each in inside if any(isinstance(v, Number) for v in each.arguments)]
        signs = {v.value for each in numbered for v in each.arguments if isinstance(v, Text)} & _SIGNS
        return signs == {"="}
    return False


def _hops(inside: Sequence[Call]) -> int:
    return sum(each.function == "NeighbourCheck" for each in inside)


def _says(kind: str, call: Call) -> bool:
    """Whether a call may stand for a kind of word in a way that readings without a model do not have."""
    if kind == "negation":
        return call.function in _NONE_OF or Boolean(False) in call.arguments
    if kind in ("rank", "least"):
        return call.function in _BY_ORDER
    compares = any(isinstance(value, Text) and value.value in _SIGNS - {"="} for value in call.arguments)
    return kind in ("above", "below", "time") and (
        compares or any(isinstance(value, Number) for value in call.arguments)
    )


def _words(schema: Schema) -> frozenset[str]:
    """The words of the schema's names, which mean what the schema means by them."""
    features = [f.name for t in schema.node_types for f in t.features]
    names = (*(t.name for t in schema.node_types), *features, *schema.relation_names)
    return frozenset(word.lower() for name in names for part in split_name(name) for word in part.split())
