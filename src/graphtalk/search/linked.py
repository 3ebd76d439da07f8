"""Which nodes a question names: the prizes that likeness alone would not give.

Many words of a question are some node's name by accident (a film is called "What"). What is surely meant as a name
stands before what may be one: it is written with a capital or in quotes, or has a rare word.
"""

import re
from collections.abc import Sequence

from graphtalk.language.wordpiece import word_rank
from graphtalk.search.index import Index
from graphtalk.search.names import Mention
from graphtalk.search.normalise import normalise

MOST_NAMESAKES = 20
_RARE = 8_000  # rank from which on a word is a name by itself
_COMMON = 3_000  # rank up to which a word is no part of a name, unless it is written as one
_MARKED = re.compile(r"[\[\"'“‘].*[\]\"'”’]", re.DOTALL)


def linked(index: Index, question: str) -> list[Mention]:
    """What the question names, in its order: a name and its namesakes. Longer names come before those inside them."""
    rated = [(_rate(question, m), m) for m in index.mentions(question) if len(m.nodes) <= MOST_NAMESAKES]
    best = max((rate for rate, _ in rated), default=0)
    taken: list[Mention] = []
    for rate, mention in rated:
        free = all(mention.end <= other.start or other.end <= mention.start for other in taken)
        if rate and rate == best and free:
            taken.append(mention)
    return sorted(taken, key=lambda m: m.start)


def without(question: str, mentions: Sequence[Mention]) -> str:
    """The question without the names: what it asks about them."""
    for mention in sorted(mentions, key=lambda m: -m.start):
        question = f"{question[: mention.start]} {question[mention.end :]}"
    return question


def _rate(question: str, mention: Mention) -> int:
    """2 for what is surely a name, 1 for what may be one, 0 for a common word."""
    said = question[mention.start : mention.end]
    around = question[max(0, mention.start - 1) : mention.end + 1]
    capital = said[:1].isupper() and bool(question[: mention.start].strip())
    words = normalise(said).split()
    rarest = max((word_rank(word) for word in words), default=0)
    several = len(words) > 1 and rarest > _COMMON
    if capital or several or said.isdigit() or rarest > _RARE or _MARKED.fullmatch(around):
        return 2
    return int(rarest > _COMMON)
