"""Whether the calls of an annotated text are right: by the rule of Graph-ToolFormer's code, and strictly."""

import re
from collections.abc import Mapping

from graphtalk.benchmarks.scorers.given import Given
from graphtalk.calls import key
from graphtalk.core import ParseError
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.tools.registry import default_registry

_FIRST = re.compile(r"\[gr\(.*?\)-->r\]|\[gl\(.*?\)\]")


def api_calls(given: Given) -> Mapping[str, float]:
    """`correct`: all calls of the text equal those of the right one as syntax trees, in order, with and without `-->r`.

    `api` is the paper's: blanks and case aside, the first call of the right text stands in the answer. Only a call
    with an output counts, of a text about loading a graph the first `GL`.
    """
    return {
        "correct": float(_strict(given.text, given.gold.text)),
        "api": float(_paper(given.text, given.gold.text)),
    }


def _paper(ours: str, gold: str) -> bool:
    first = _FIRST.search(_squeezed(gold))
    return first is not None and first[0] in _squeezed(ours)


def _squeezed(text: str) -> str:
    return text.replace(" ", "").lower()


def _strict(ours: str, gold: str) -> bool:
    return _calls(ours) == _calls(gold) is not None


def _calls(text: str) -> tuple[tuple[str, bool], ...] | None:
    """The calls of a text, and whether their results stand in it; None where it cannot be read."""
    try:
        statement = read_statement(text, default_registry().vocabulary)
    except ParseError:
        return None
    return tuple((key(placed.call), placed.inserts) for placed in statement.calls)
