"""The order that a question for groups ends with: "samples per ward, highest first", "total hours by project, top 5"."""

import re
from dataclasses import dataclass, replace

from graphtalk.calls.ast import Number
from graphtalk.calls.query import Property, Return, SortItem, Variable, as_query, query_call
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.reasoners.phrases.asked import Asked

_MOST = "highest|largest|biggest|greatest|most"
_LEAST = "lowest|smallest|fewest|least"
_TAIL = re.compile(
    rf"[\s,;.?:()-]+(?:(?:and )?(?:sorted|ordered|ranked|sort|order|rank)(?: (?:them|it))?(?: by (?:that|it|number|count))?,? )?"
    rf"(?:(?:with )?(?:the )?(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))(?: (?:ones?|numbers?|values?|counts?))? (?:first|to (?:{_MOST}|{_LEAST}))"
    rf"|(?:in )?(?P<down>desc(?:ending)?)(?: order)?|(?:in )?(?P<up>asc(?:ending)?)(?: order)?"
    rf"|(?:only )?(?:the )?(?:top|first) (?P<top>\d+|{'|'.join(NUMBER_WORDS[1:])})(?: only)?)\W*$",
    re.I,
)


@dataclass(frozen=True)
class Tail:
    """The largest number first, or the smallest; at most so many groups where there is a `limit`."""

    top: bool
    limit: int | None = None


def cut(question: str) -> tuple[str, Tail | None]:
    """A question without the order that it ends with, what stands before it where it stood, and that order."""
    found = _TAIL.search(question)
    if found is None:
        return question, None
    said = found["top"]
    limit = None if said is None else int(said) if said.isdigit() else NUMBER_WORDS.index(said.lower())
    return question[: found.start()], Tail(not (found["least"] or found["up"]), limit)


def ordered(asked: Asked, tail: Tail) -> Asked | None:
    """Groups in the order of their number, which is told last; None where what is asked for is no groups with a number, or has an order."""
    query = as_query(asked.call) if asked.call.function == "Query" else None
    told = query.parts[-1].clauses[-1] if query is not None else None
    if query is None or not isinstance(told, Return):
        return None
    part, projection = query.parts[-1], told.projection
    if len(projection.columns) < 2 or projection.order or projection.limit is not None:
        return None
    number = projection.columns[-1]
    if isinstance(number.value, Property):
        return None
    limit = None if tail.limit is None else Number(tail.limit)
    order = (SortItem(Variable(number.name), tail.top),)
    last = Return(replace(projection, order=order, limit=limit))
    parts = (*query.parts[:-1], replace(part, clauses=(*part.clauses[:-1], last)))
    most = "" if tail.limit is None else f"the first {tail.limit} of "
    words = f"{most}{asked.words}, the {'largest' if tail.top else 'smallest'} first"
    return replace(asked, call=query_call(replace(query, parts=parts)), words=words)
