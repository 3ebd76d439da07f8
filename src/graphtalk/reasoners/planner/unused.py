"""What of a question a plan's call leaves unused: an answer that passes over it answers another question.

These are the words that change what a question means, its numbers, and the kind of thing that it asks for.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from graphtalk.calls.ast import Call, Expression, Number, Text, walk
from graphtalk.core.text import SCALE
from graphtalk.language.english import stem, tokenize
from graphtalk.language.identifiers import split_name
from graphtalk.language.leading import ORDERS
from graphtalk.language.operators import OperatorWord, operator_words
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.tools.types import Type

_ITSELF = "Difference from itself"  # the node that is asked about is left out of what leads back to it
_EQUAL = "Filter for equal values"
_COMPARES = frozenset({"Filter", "FilterDegree", "Frequent"})
_USED_BY: Mapping[str, frozenset[str]] = {
    "negation": frozenset({"Difference", "!="}),
    "most": frozenset({"Top", "TopDegree", "MostFrequent", "Highest", "Maximum", "Bottom", "Lowest"}),
    "least": frozenset({"Bottom", "BottomDegree", "Lowest", "Minimum", "Top", "ShortestPath", "PathLength"}),
    "average": frozenset({"Average"}),
    "group": frozenset({"Average of NodeDegree"}),
    "total": frozenset({"Sum", "Count", "NodeDegree"}),
    "above": _COMPARES | {"Top", "Bottom", "TopDegree", "BottomDegree", "MostFrequent"},
    "below": _COMPARES | {"Top", "Bottom", "TopDegree", "BottomDegree", "MostFrequent", "Connected"},
    "than": _COMPARES | {"Top", "Bottom", "TopDegree", "BottomDegree", "Highest", "Lowest"},
    "time": _COMPARES,
    "between": _COMPARES | {"Path", "PathLength", "ShortestPath", "Connected", "Contains", "Intersect", "RelationBetween"},
    "either": frozenset({"Union", "Top", "Bottom", "TopDegree", "BottomDegree", "MostFrequent", "Filter", _EQUAL}),
    "contains": frozenset({"Filter", _EQUAL, "RetrieveNode"}),
    "same": frozenset({"SameNeighbours", "ShareNeighbours", "Contains", "Intersect", "Frequent", _ITSELF}),
    "both": frozenset(
        {"Intersect", "Union", "Contains", "Connected", "Path", "PathLength", "ShortestPath", "RelationBetween", "ShareNeighbours", "SameNeighbours", "Highest", "Lowest", "Top", "Bottom"}
    ),
    "only": frozenset({"FilterDegree", "Frequent", "Difference", "SameNeighbours"}),
}  # fmt: skip


def unused_words(analysis: Analysis, call: Call, schema_words: frozenset[str]) -> list[OperatorWord]:
    """The words of the closed list that stand in a question and that its call does not use.

    Words in names, and words that the schema itself has ("highest point"), are no operators; what is no name but is near
    one may be. "Not A and B" is denied of both together, which no call does.
    """
    exact = [a for a in analysis.anchors if not a.misspelt]
    names = [(a.start, a.end) for a in exact] + [span for a in exact for span in a.told]
    found = [
        w
        for w in operator_words(analysis.text, names)
        if w.word not in schema_words and (w.word != "or" or _between_names(w, analysis))
    ]
    both = _joined(analysis)
    together = [w for w in found if w.kind == "negation" and w.end <= both]
    return list(dict.fromkeys([*not_used(found, call), *together]))


def not_used(words: Sequence[OperatorWord], call: Call) -> list[OperatorWord]:
    """Those of some words of the closed list that a call does not use."""
    functions = set(_functions(call))
    return [w for w in words if not _USED_BY.get(w.kind, frozenset()) & functions]


_AND = re.compile(r",?\s+and\s+(?:the\s+)?", re.I)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_HOW_OFTEN = re.compile(r"\b(?:how many|how much|number of|count of|total of|average|mean|sum of)\b", re.I)
_ASKS_FOR = re.compile(rf"(?:which|what|who|{'|'.join(ORDERS)})\b", re.I)
_NEAR = 7  # words after the one that asks, among which the kind of thing that is asked for stands


def unused_numbers(analysis: Analysis, call: Call) -> list[str]:
    """The numbers of a question, in digits, that are no part of a name and stand in its call nowhere."""
    written = [found.group() for found in _NUMBER.finditer(analysis.masked)]
    used = " ".join(_literals(call)).replace(",", "")
    return [w for w in written if w.replace(",", "") not in used and not _scaled(w, analysis.masked, used)]


def _scaled(written: str, text: str, used: str) -> bool:
    """Whether a number of thousands or millions is used: `2 million` as `2000000`."""
    scale = re.search(rf"{re.escape(written)}\s*(thousand|million|billion|k|m|bn)\b", text, re.I)
    if scale is None:
        return False
    return f"{float(written.replace(',', '')) * SCALE[scale[1].lower()]:.0f}" in used


def other_kind(analysis: Analysis, call: Type, node_types: tuple[str, ...], features: tuple[str, ...]) -> str:
    """What a question asks for where its call gives another kind of thing; empty where it gives that.

    "Which streams …" asks for nodes and not for a number; "the length of the longest river" for a value of a feature.
    """
    tokens = tokenize(analysis.text)
    if not tokens or not _ASKS_FOR.match(analysis.text.strip()) or _HOW_OFTEN.search(analysis.text):
        return ""
    stems = [token.stem for token in tokens]
    if call.kind == "number":
        for name in node_types:
            words = [stem(word) for word in split_name(name)[-1:]]
            if any(word in _head(stems) for word in words) and not _of_feature(stems, features):
                return name
    if call.kind == "nodes":
        return _of_feature(stems, features)
    return ""


def _head(stems: list[str]) -> list[str]:
    """The words among which what is asked for stands: "total area", of "what is the total area of the countries"."""
    asked = stems[2:_NEAR] if stems[1:2] == ["of"] else stems[1:_NEAR]
    return asked[: asked.index("of")] if "of" in asked else asked


def _of_feature(stems: list[str], features: tuple[str, ...]) -> str:
    """The feature in "what is the FEATURE of …" or "what are the FEATURES of …", else nothing."""
    for name in features:
        words = [stem(word) for word in split_name(name)]
        if (
            stems[:1] == [stem("what")]
            and stems[3 : 3 + len(words)] == words
            and stems[3 + len(words) :][:1] == ["of"]
        ):
            return name
    return ""


def _literals(expression: Expression) -> Iterator[str]:
    """The texts and numbers in a call."""
    for part in walk(expression):
        if isinstance(part, Text):
            yield part.value
        elif isinstance(part, Number):
            yield f"{part.value:.0f}" if float(part.value).is_integer() else str(part.value)


def _joined(analysis: Analysis) -> int:
    """Where the last two names begin that "and" joins; 0 where there are none."""
    anchors, text = analysis.anchors, analysis.text
    pairs = [
        a.start for a in anchors for b in anchors if a.end < b.start and _AND.fullmatch(text[a.end : b.start])
    ]
    return max(pairs, default=0)


def _between_names(word: OperatorWord, analysis: Analysis) -> bool:
    """Whether a word stands between two names: "France or Spain", but not "which journal or conference"."""
    before = any(0 <= word.start - a.end <= 2 for a in analysis.anchors)
    return before and any(0 <= a.start - word.end <= 5 for a in analysis.anchors)


def _functions(call: Call) -> Iterator[str]:
    """The functions of a call and of all calls inside, and the comparisons that are given to them."""
    for part in walk(call):
        if isinstance(part, Call):
            # Readings leave the node that is asked about out of its own answer: that says no "not" of the question.
            itself = part.function == "Difference" and part.arguments[1] in walk(part.arguments[0])
            equal = (
                part.function == "Filter" and Text("=") in part.arguments
            )  # which says no more and no later
            yield _ITSELF if itself else _EQUAL if equal else part.function
            inner = part.arguments[0] if part.arguments else None
            if isinstance(inner, Call):  # "the average number of papers per author"
                yield f"{part.function} of {inner.function}"
        elif part == Text("!="):
            yield "!="
