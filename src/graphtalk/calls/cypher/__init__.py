"""Cypher as a spelling of queries: read-only openCypher, read and written. The grammar is grammar.lark.

lark (MIT licence) parses; it is loaded when Cypher is first read.
"""

import re
from functools import lru_cache

from graphtalk.calls.ast import Call
from graphtalk.calls.cypher.printer import OTHER_CALLS, show_other, show_query
from graphtalk.calls.cypher.scan import fault, marked
from graphtalk.calls.query import PARTS, Part, Projection, Query, Return, as_call, as_query
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Vocabulary

DEEPEST = 80
"""Parts of a query may nest this deep: what reads the tree needs a few frames of the stack for each level."""


_SHORT = 2000
"""Letters of a text whose tree is kept: 256 trees of such are 60 MB at most."""


def parse(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Call:
    """The call that `text` says: a query, or of `RETURN gt.Name(…)` the call `Name` itself.

    Raises ParseError with line and column, what stood there and what was expected.
    """
    query = parse_query(text, vocabulary)
    return _alone(query) or as_call(query)  # type: ignore[return-value]


def show(call: Call, vocabulary: Vocabulary = NOTHING_KNOWN) -> str:
    """`call` in this spelling; `parse` reads it back exactly. A call that is no query is `RETURN gt.Name(…)`."""
    return show_query(as_query(call)) if call.function == Query.__name__ else f"RETURN {show_other(call)}"


def parse_query(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Query:
    """The query that `text` says. Raises ParseError with line and column, what stood there and what was expected.

    The trees of the last short texts are kept: a query that is asked again with other parameters is not parsed again.
    """
    return (_kept if len(text) <= _SHORT else _parsed)(text, vocabulary)


def _parsed(text: str, vocabulary: Vocabulary) -> Query:
    from lark.exceptions import UnexpectedInput, VisitError

    from graphtalk.calls.cypher.build import Builder
    from graphtalk.calls.cypher.faults import explained
    from graphtalk.calls.cypher.tables import parser

    try:
        tree = parser().parse(marked(text))
        query = Builder(text, vocabulary).transform(tree)
    except UnexpectedInput as error:
        raise explained(text, error, parser()) from None
    except VisitError as error:
        raise error.orig_exc from None
    if depth(query) > DEEPEST:
        raise fault(text, 0, f"more than {DEEPEST} operations in one another.")
    return query


_kept = lru_cache(256)(_parsed)


def _alone(query: Query) -> Call | None:
    """The call in `RETURN gt.Name(…)`, where the query is nothing else and gives it no other name."""
    clause = query.parts[0].clauses[0]
    column = next(iter(clause.projection.columns), None) if isinstance(clause, Return) else None
    if column is None or not isinstance(column.value, Call):
        return None
    named = re.match(rf"{OTHER_CALLS}\s*\.", column.name, re.IGNORECASE)
    alone = Query((Part((Return(Projection((column,))),)),))
    return column.value if named and query == alone else None


def depth(query: Query) -> int:
    """How deep the parts of a query nest, found without recursion; of other calls only the outermost counts."""
    deepest = 0
    stack: list[tuple[object, int]] = [(query, 1)]
    while stack:
        part, depth = stack.pop()
        deepest = max(deepest, depth)
        if isinstance(part, tuple):
            stack += [(each, depth) for each in part]
        elif type(part).__name__ in PARTS:
            stack += [(value, depth + 1) for value in vars(part).values()]
    return deepest
