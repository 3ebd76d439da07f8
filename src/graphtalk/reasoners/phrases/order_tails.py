"""The order that a question for groups or for the best ends with: "samples per ward, highest first", "the 3 dearest fees, dearest first"."""

import re
from dataclasses import dataclass, replace

from graphtalk.calls.ast import Number
from graphtalk.calls.query import (
    Apply,
    Part,
    Property,
    Return,
    SortItem,
    Term,
    Variable,
    With,
    as_query,
    query_call,
)
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.identifiers import split_name
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.lexicon import Lexicon

_MOST = "highest|largest|biggest|greatest|most"
_LEAST = "lowest|smallest|fewest|least"
_FREQUENT = ("common", "commonest", "frequent", "popular", "numerous")
_TAIL = re.compile(
    rf"[\s,;.?:()-]+(?:(?:and )?(?:sorted|ordered|ranked|sort|order|rank)(?: (?:them|it))?(?: by (?:that|it|number|count))?,? )?"
    rf"(?:(?:with )?(?:the )?(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))(?: (?:ones?|numbers?|values?|counts?))? (?:first|to (?:{_MOST}|{_LEAST}))"
    rf"|(?:with )?(?:the )?(?P<measured>most [a-z]+|least [a-z]+|[a-z]+est)(?: ones?)? first"
    rf"|(?:in )?(?P<down>desc(?:ending)?)(?: order)?|(?:in )?(?P<up>asc(?:ending)?)(?: order)?"
    rf"|(?:only )?(?:the )?(?:top|first) (?P<top>\d+|{'|'.join(NUMBER_WORDS[1:])})(?: only)?)\W*$",
    re.I,
)


@dataclass(frozen=True)
class Tail:
    """The largest number first, or the smallest; at most so many groups where there is a `limit`. `measured`: an adjective that says
    what the number is of, by its superlative.
    """

    top: bool
    limit: int | None = None
    measured: str = ""


def cut(question: str) -> tuple[str, Tail | None]:
    """A question without the order that it ends with, what stands before it where it stood, and that order."""
    found = _TAIL.search(question)
    if found is None:
        return question, None
    said = found["top"]
    limit = None if said is None else int(said) if said.isdigit() else NUMBER_WORDS.index(said.lower())
    degree, _, adjective = (found["measured"] or "").lower().rpartition(" ")
    top = not (found["least"] or found["up"] or degree == "least")
    return question[: found.start()], Tail(top, limit, adjective)


def ordered(asked: Asked, tail: Tail, lexicon: Lexicon) -> Asked | None:
    """Groups in the order of their number, which is told last; None where what is asked for is no groups with a number, has an order, or
    where the adjective of the order measures something else.
    """
    query = as_query(asked.call) if asked.call.function == "Query" else None
    told = query.parts[-1].clauses[-1] if query is not None else None
    if query is None or not isinstance(told, Return):
        return None
    part, projection = query.parts[-1], told.projection
    if projection.order or projection.limit is not None:
        return None
    if len(projection.columns) < 2:
        return asked if tail.limit is None and _ranked(part, tail, lexicon) else None
    number = projection.columns[-1]
    if isinstance(number.value, Property):
        return None
    ways = {True} if not tail.measured else _measured(number.value, tail.measured, lexicon)
    if len(ways) != 1:
        return None
    top = tail.top == ways.pop()
    limit = None if tail.limit is None else Number(tail.limit)
    order = (SortItem(Variable(number.name), top),)
    last = Return(replace(projection, order=order, limit=limit))
    parts = (*query.parts[:-1], replace(part, clauses=(*part.clauses[:-1], last)))
    most = "" if tail.limit is None else f"the first {tail.limit} of "
    words = f"{most}{asked.words}, the {'largest' if top else 'smallest'} first"
    return replace(asked, call=query_call(replace(query, parts=parts)), words=words)


def _ranked(part: Part, tail: Tail, lexicon: Lexicon) -> bool:
    """Whether the best of a list are told in that order anyway: "the 3 cheapest lamps, cheapest first"."""
    told = [c.projection for c in part.clauses if isinstance(c, With)]
    best = next((p.order[0] for p in told if len(p.order) == 1 and p.limit is not None), None)
    if best is None:
        return False
    named = {Variable(c.name): c.value for p in told for c in p.columns}
    term = best.by
    while isinstance(term, Variable) and term in named:
        term = named.pop(term)
    ways = _measured(term, tail.measured, lexicon) if tail.measured else {True}
    return {tail.top == more for more in ways} == {best.descending}


def _measured(term: Term, adjective: str, lexicon: Lexicon) -> set[bool]:
    """Whether more of what an adjective says is a higher number of a term: of a count "common", else of the property that it aggregates."""
    match term:
        case Apply(function="count"):
            return {True} if adjective in _FREQUENT else set()
        case Property(name=name) | Apply(arguments=(Property(name=name),)):
            owners = [h.owner for h in lexicon.shape.held if h.name == name]
            named = (
                {True} if root(adjective) in map(root, split_name(name)) else set[bool]()
            )  # "most hours first"
            return named | {
                high for o in owners for h, high in lexicon.measured(adjective, o) if h.name == name
            }
    return set()
