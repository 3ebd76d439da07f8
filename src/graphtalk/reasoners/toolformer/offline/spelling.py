"""Slips of spelling in the words that matter: "eccentrcity" is read as "eccentricity".

Only words that a function or a data set is told by are looked for, and only among words that are near to one: in four or
five letters two neighbours may be swapped, from six letters on one letter may be wrong, from ten on two.
"""

from collections.abc import Iterable
from functools import lru_cache

from graphtalk.reasoners.planner.english import stem

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
    close = (name for name in names if abs(len(name) - len(word)) <= 2 and len(letters ^ set(name)) <= 4)
    near = [(slips(word, name, 2), name) for name in close]
    allowed = [(count, name) for count, name in near if count <= _allowed(word, name)]
    return min(allowed)[1] if allowed else None


def _allowed(word: str, name: str) -> int:
    shorter = min(len(word), len(name))
    if shorter >= _TWO_WRONG:
        return 2
    return int(
        (shorter >= _ONE_WRONG - 1 and max(len(word), len(name)) >= _ONE_WRONG) or _is_swapped(word, name)
    )


def _is_swapped(word: str, name: str) -> bool:
    return len(name) >= _SWAPPED and len(word) == len(name) and sorted(word) == sorted(name)


def slips(first: str, second: str, most: int) -> int:
    """Damerau and Levenshtein's distance (neighbours swapped count once); `most` + 1 where it is larger than `most`."""
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        row = [i]
        for j, b in enumerate(second, 1):
            cost = min(last[j] + 1, row[-1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
        before, last = last, row
    return min(last[-1], most + 1)
