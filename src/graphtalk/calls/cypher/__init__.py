"""Cypher as a spelling of queries: read-only openCypher, read and written. The grammar is grammar.lark.

lark (MIT licence) parses; it is loaded when Cypher is first read.
"""

from dataclasses import fields, is_dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from graphtalk.calls.cypher.scan import fault, marked
from graphtalk.calls.query import Query
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Vocabulary
from graphtalk.core.errors import ParseError

if TYPE_CHECKING:
    from lark import Lark

DEEPEST = 80
"""Parts of a query may nest this deep: what reads the tree needs a few frames of the stack for each level."""


def parse_query(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Query:
    """The query that `text` says. Raises ParseError with line and column, what stood there and what was expected."""
    from lark.exceptions import UnexpectedInput, VisitError

    from graphtalk.calls.cypher.build import Builder

    try:
        tree = _parser().parse(marked(text))
    except UnexpectedInput as error:
        from graphtalk.calls.cypher.faults import explained

        raise explained(text, error, _parser()) from None
    try:
        query = Builder(text, vocabulary).transform(tree)
    except VisitError as error:
        if isinstance(error.orig_exc, ParseError):
            raise error.orig_exc from None
        raise
    if _depth(query) > DEEPEST:
        raise fault(text, 0, f"more than {DEEPEST} operations in one another.")
    return query


@cache
def _parser() -> "Lark":
    from lark import Lark

    grammar = files("graphtalk.calls.cypher").joinpath("grammar.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", propagate_positions=True)


def _depth(query: Query) -> int:
    """How deep the parts of a query nest, found without recursion."""
    deepest, stack = 0, [(query, 1)]
    while stack:
        part, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(part, tuple):
            stack += [(each, depth) for each in part]
        elif is_dataclass(part):
            stack += [(getattr(part, f.name), depth + 1) for f in fields(part)]
    return deepest
