"""Slips of spelling in the words that matter: "eccentrcity" is read as "eccentricity".

Only words that a function or a data set is told by are looked for, and only among words that are near to one: in four or
five letters two neighbours may be swapped, from six letters on one letter may be wrong, from ten on two.
"""

from collections.abc import Iterable
from functools import lru_cache

from graphtalk.language.english import stem
from graphtalk.search.likeness import slips

_TERMS = tuple(
    """eccentricity eccentricities radius diameter density periphery peripheral transitivity bipartite clustering
    coefficient community communities neighbours neighbors vertices vertex connected connections shortest longest average
    distance cluster clusters largest biggest smallest maximum minimum recommend recommended recommendation
    recommendations likelihood probability function molecule molecular compound instance relation relationship predicate
    subject research article knowledge bibliographic network nodes node edges edge order size topic graph number many what
    which how central centre center tail head entity""".split()
)
_STEMS = frozenset(map(stem, _TERMS))
_SHORT = {
    "whats": "what's", "wats": "what's", "wat": "what", "wich": "which", "whos": "who's", "teh": "the", "hte": "the",
    "pls": "please", "plz": "please", "hw": "how", "r": "are", "u": "you",
}  # fmt: skip
_SWAPPED, _ONE_WRONG, _TWO_WRONG = 4, 6, 10  # how long a word is at least for each


@lru_cache(maxsize=4096)
def corrected(word: str) -> str:
    """The word that is meant; `word` itself, in lower case, where it is none of ours or spelt well."""
    word = word.lower()
    if word in _SHORT:
        return _SHORT[word]
    if len(word) < _SWAPPED or not word.isalpha() or stem(word) in _STEMS:
        return word
    return nearest(word, _TERMS) or word


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The one of `names` that `word` is a misspelling of, or None."""
    letters = set(word)
    close = [name for name in names if abs(len(name) - len(word)) <= 2 and len(letters ^ set(name)) <= 4]
    if not close:
        return None
    near = zip(slips([word], close)[0].tolist(), close, strict=True)
    return min(((count, name) for count, name in near if count <= _allowed(word, name)), default=(0, None))[1]


def _allowed(word: str, name: str) -> int:
    shorter = min(len(word), len(name))
    if shorter >= _TWO_WRONG:
        return 2
    return int(
        (shorter >= _ONE_WRONG - 1 and max(len(word), len(name)) >= _ONE_WRONG) or _is_swapped(word, name)
    )


def _is_swapped(word: str, name: str) -> bool:
    return len(name) >= _SWAPPED and len(word) == len(name) and sorted(word) == sorted(name)
