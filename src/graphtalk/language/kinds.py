"""The kind of thing that a question asks for."""

import re
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["", "truth", "number", "things"]

_TRUTH = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|has|have|had)\b(?!.*\bor\b)|^\s*(?:is it true|tell me whether)\b",
    re.I,
)
_NUMBER = re.compile(
    r"^\s*(?:how many|how much|(?:what is |what's |give |tell me |count )?(?:the )?(?:total |overall )?"
    r"(?:number|count|average|mean|sum) of|count)\b",
    re.I,
)
_THINGS = re.compile(r"^\s*(?:who|whom|whose|which|list|name)\b", re.I)


def asked_kind(question: str) -> Kind:
    """What the first words of a question ask for: whether something is so, a number, or things; empty: that is open.

    >>> asked_kind("Is Peru in Asia?"), asked_kind("How many are there?"), asked_kind("Who knows Bob?")
    ('truth', 'number', 'things')
    """
    if _TRUTH.search(question):
        return "truth"
    if _NUMBER.search(question):
        return "number"
    return "things" if _THINGS.search(question) else ""
