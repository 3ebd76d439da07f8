"""A text in which no graph was found, in plainer words: things as names, verbs of its own as verbs that are known.

This is done only then, since it takes more for nodes and edges than is safe in a text that says them plainly.
"""

import re
from collections import Counter
from functools import cache

from graphtalk.language.nouns import ID, nouns, words

_WORD = r"[a-z]{3,}"
_WITH_ARTICLE = re.compile(rf"\b(?:the|an?) ({_WORD})\b", re.I)
_ENDS = re.compile(rf"\b(?:from|between) (?:the )?({_WORD}) (?:to|and|into) (?:the )?({_WORD})\b", re.I)
_PAIRED = re.compile(rf"\bthe ({_WORD}) and the ({_WORD})\b", re.I)
_BEFORE = re.compile(
    rf"\bthe ({_WORD}) (?:must|should|needs? to|has to|have to|can only|may only|is|are)\b[a-z ]{{1,25}}\b(?:before|after) (?:the )?({_WORD})\b",
    re.I,
)
_FIRST = re.compile(
    rf"\bbefore (?:you|one|we|they) (?:can )?{_WORD} (?:the |an? )?({_WORD}),? (?:you|one|we|they) (?:first )?(?:must|should|needs? to|has to|have to)"
    rf" (?:first )?{_WORD} (?:the |an? )?({_WORD})\b",
    re.I,
)
_PARTICIPLE = re.compile(
    r"\b((?:must|should|needs? to|has to|have to|can only|may only|is|are)) [a-z ]{1,25}?\b(before|after)\b"
)
_NO_THINGS = frozenset(
    "graph network following pattern path order cycle is has and with to must can needs from depends before after that which in of on or are "
    "have was were left right start finish end one two three all any each every other others the this these those it "
    "its them him her some same first last next both there here where what who".split()
)
_VERB = re.compile(rf"(?P<left>{ID}),? (?P<verb>[a-z]+s(?: [a-z]+){{0,2}}) (?=(?:[a-z]+ )?[A-Z])")
_COSTS = re.compile(
    rf"(?<!from )(?P<ends>\b(?:[A-Za-z][a-z]+ )?{ID} to (?:[a-z]+ )?{ID}) (?=(?:uses|takes|costs|is|has|needs|requires|spans|measures|carries|charges|wants) [a-z ]{{0,20}}\d)"
)
_NO_VERBS = frozenset("is was has its as this does says costs takes nodes edges".split())
_EITHER_WAY = re.compile(r"\b(?:with|next to|beside|opposite|alongside|near|against)$")


def with_things(text: str) -> str:
    """The text with things as names: `the hall` as `Hall`, `package core` as `package Core`.

    Things are words with an article that stand there twice or more, ends of two or more ways or pairs, what comes before
    something else, and words behind the noun of nodes where several stand so.
    """
    found = _things(text)
    if not found:
        return text
    return re.sub(
        rf"\b(?:{'|'.join(sorted(found, key=len, reverse=True))})\b",
        lambda m: m[0].capitalize(),
        text,
    )


def _things(text: str) -> set[str]:
    common = words("nodes") | words("edges") | words("weights") | _NO_THINGS
    counts = Counter(m[1].lower() for m in _WITH_ARTICLE.finditer(text))
    found = {word for word, count in counts.items() if count > 1 and word not in common}
    for pattern, least in ((_ENDS, 2), (_PAIRED, 2), (_BEFORE, 1), (_FIRST, 2)):
        pairs = [(m[1].lower(), m[2].lower()) for m in pattern.finditer(text)]
        if len(set(pairs)) >= least:
            found |= {word for pair in pairs for word in pair}
    numbered = [(m[1].lower(), m[2]) for m in _after_noun().finditer(text)]
    for noun in {noun for noun, _ in numbered}:
        called = Counter(name for other, name in numbered if other == noun and name not in common)
        if len(called) >= 3 and sum(count > 1 for count in called.values()) >= 2:
            found |= set(called)
    return found - _NO_THINGS


@cache
def _after_noun() -> re.Pattern[str]:
    singulars = "|".join(nouns()["nodes"].split())
    return re.compile(rf"\b((?i:{singulars})) ({_WORD})\b")


def plain_verbs(text: str) -> str:
    """The text with verbs of its own, which join names twice or more, as "links to" or "is connected to".

    >>> plain_verbs("Al helps Bo, Bo helps Cy.")
    'Al links to Bo, Bo links to Cy.'
    """
    text = _FIRST.sub(r"\2 must be done before \1", text)
    text = _PARTICIPLE.sub(r"\1 be done \2", text)
    text = _COSTS.sub(lambda m: f"from {m['ends'][0].lower()}{m['ends'][1:]} ", text)
    counts = Counter(m["verb"] for m in _VERB.finditer(text))
    verbs = {verb for verb, count in counts.items() if count > 1 and verb.split()[0] not in _NO_VERBS}

    def plainly(m: re.Match[str]) -> str:
        if m["verb"] not in verbs:
            return m[0]
        return f"{m['left']} {'is connected to' if _EITHER_WAY.search(m['verb']) else 'links to'} "

    return _VERB.sub(plainly, text)
