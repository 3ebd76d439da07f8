"""The call language: one syntax tree, four spellings, each a parser and a printer. See docs/architecture.md."""

import re
from dataclasses import replace
from typing import Literal, get_args

from graphtalk.calls import cypher, graph_cot, json_spelling, toolformer
from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.embedded import FoundCall, begins_call, find_calls, last_call
from graphtalk.calls.vocabulary import FINISH, NOTHING_KNOWN, UNANSWERABLE, Function, Vocabulary
from graphtalk.core.errors import ParseError, UsageError, choices

Spelling = Literal["toolformer", "graph-cot", "json", "cypher"]
SPELLINGS: tuple[Spelling, ...] = get_args(Spelling)

_GRAPH_COT = re.compile(r"""["'“”„‘’]|[^\W\d][\w.:-]*\[""")
_PARSERS = {
    "toolformer": toolformer.parse,
    "graph-cot": graph_cot.parse,
    "json": json_spelling.parse,
    "cypher": cypher.parse,
}
_CYPHER = re.compile(
    r"(?:\s+|//[^\n]*|/\*.*?\*/)*+(?:MATCH|OPTIONAL\s+MATCH|UNWIND|WITH|RETURN|CREATE|MERGE|CALL|LOAD\s+CSV)(?![\w\[.:-])",
    re.IGNORECASE | re.DOTALL,
)
_ROUND = re.compile(r"\[?\s*[^\W\d][\w.:-]*\s*\(")

__all__ = [
    "FINISH",
    "NOTHING_KNOWN",
    "SPELLINGS",
    "UNANSWERABLE",
    "Boolean",
    "Call",
    "Expression",
    "FoundCall",
    "Function",
    "Items",
    "NodeRef",
    "Number",
    "Spelling",
    "Text",
    "Vocabulary",
    "find_calls",
    "key",
    "last_call",
    "parse",
    "show",
    "spelling_of",
]


def spelling_of(text: str) -> Spelling:
    """Which spelling `text` is written in, by how it begins."""
    if _CYPHER.match(text):
        return "cypher"
    text = text.lstrip()
    if text.startswith("{") or re.match(r"\[\s*\{", text):
        return "json"
    return "toolformer" if _ROUND.match(text) and not _GRAPH_COT.match(text) else "graph-cot"


def parse(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Call:
    """The one call in `text`, in any spelling, with or without words around it.

    Raises ParseError, with the position, where there is none or several (`find_calls` gives them all).
    """
    try:
        return _PARSERS[spelling_of(text)](text, vocabulary)
    except ParseError:
        found = find_calls(text, vocabulary)
        first = found[0].start if found else len(text)
        if not found or (begins_call(text) and text[:first].strip()):
            raise  # what a broken call holds is a part of it, not what was meant
        if len(found) > 1:
            second = found[1].start
            many = f"{len(found)} calls where one was expected; the second begins at position {second}."
            raise ParseError(many, second) from None
        return found[0].call


def show(call: Call, spelling: Spelling = "graph-cot", vocabulary: Vocabulary = NOTHING_KNOWN) -> str:
    """`call` in `spelling`, so that `parse` reads the same call; raises UsageError for an unknown spelling."""
    if spelling == "toolformer":
        return toolformer.show(call, vocabulary)
    if spelling == "graph-cot":
        return graph_cot.show(call, vocabulary)
    if spelling == "json":
        return json_spelling.show(call, vocabulary)
    if spelling == "cypher":
        return cypher.show(call, vocabulary)
    raise UsageError(f"There is no spelling {spelling!r}. {choices(str(spelling), SPELLINGS)}")


def key(call: Call) -> str:
    """A text that is the same for two calls just where they are, up to the order of named arguments."""
    return graph_cot.show(_in_order(call))


def _in_order(call: Call) -> Call:
    def ordered(value: Expression) -> Expression:
        if isinstance(value, Items):
            return Items(tuple([ordered(each) for each in value.values]))
        return _in_order(value) if isinstance(value, Call) else value

    return replace(
        call,
        arguments=tuple([ordered(value) for value in call.arguments]),
        keywords=tuple(
            sorted([(name, ordered(value)) for name, value in call.keywords], key=lambda pair: pair[0])
        ),
        graph=None if call.graph is None else ordered(call.graph),
    )
