"""Slips of spelling in the words that a function or a data set is told by: "eccentrcity" is read as "eccentricity"."""

from functools import lru_cache

from graphtalk.language.english import stem
from graphtalk.search.spelling import SHORT, near

_TERMS = tuple(
    """eccentricity eccentricities radius diameter density periphery peripheral transitivity bipartite clustering
    coefficient community communities neighbours neighbors vertices vertex connected connections shortest longest average
    distance cluster clusters largest biggest smallest maximum minimum recommend recommended recommendation
    recommendations likelihood probability function molecule molecular compound instance relation relationship predicate
    subject research article knowledge bibliographic network nodes node edges edge order size topic graph number many what
    which how central centre center tail head entity""".split()
)
_STEMS = frozenset(map(stem, _TERMS))
_SHORT = {**SHORT, "pls": "please", "plz": "please", "hw": "how", "r": "are", "u": "you"}


@lru_cache(maxsize=4096)
def corrected(word: str) -> str:
    """The word that is meant; `word` itself, in lower case, where it is none of ours or spelt well."""
    word = word.lower()
    if word in _SHORT:
        return _SHORT[word]
    if not word.isalpha() or stem(word) in _STEMS:
        return word
    return next(iter(near(word, _TERMS)), word)
