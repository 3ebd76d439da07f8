"""The words of the names that a schema has: `releaseYear`, `has_part`, `orderdate`, `headofstate`."""

import re
from functools import lru_cache
from math import log

from graphtalk.core.abbreviations import spelt_out
from graphtalk.language.dictionary import dictionary, forms_in_ie
from graphtalk.language.english import thesaurus
from graphtalk.language.nouns import plural
from graphtalk.language.wordpiece import word_rank

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SIGNS = {"#": "number", "№": "number", "%": "percent"}
_SIGN = re.compile(r"^\s*([#№%])")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_LEAST, _MOST = 6, 40  # letters of what is cut
_COMMON = 25_000  # words of the tokeniser's vocabulary, which is in the order of use
_EVERYDAY = 4_000  # of three letters
_PER_WORD = 3.0  # what one word more costs
_FIRST = frozenset("is has no id".split())  # of two letters, or short and said of what follows
_LATER = frozenset("id ids no of by to in at on".split())
_MEASURED = frozenset("min max avg num qty".split())


def split_name(name: str) -> list[str]:
    """The words of an identifier: `releaseYear`, `has_part`, `Compound-causes-Side Effect`, `/film/film/country`.

    Of a path such as Freebase's only the last part of each segment counts: `/people/person/nationality` is
    `nationality`.
    """
    return list(_split(name))


@lru_cache(maxsize=16_384)  # the names of a schema are asked for again and again
def _split(name: str) -> tuple[str, ...]:
    text = in_words(name)
    if text.startswith("/"):
        text = " ".join(part.rstrip("/").rsplit("/", 1)[-1] for part in text.split("./"))
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    words = (w.casefold() for w in _WORD.findall(text.replace("_", " ")))
    return tuple(part for word in words for part in apart(word).split())


def in_words(name: str) -> str:
    """A name with the sign that it begins with in words ("# of pages", "% of seats"), and no capitals in brackets: "(kW)" is one unit."""
    plain = _IN_BRACKETS.sub(lambda unit: unit[0].lower(), name)
    return _SIGN.sub(lambda sign: f"{_SIGNS[sign[1]]} ", plain)


def _whole(word: str) -> str:
    """What a short form stands for, in the plural too: "departments" of `depts`; nothing for other words."""
    one = spelt_out(word.removesuffix("s"))
    return spelt_out(word) or (one and plural(one))


@lru_cache(maxsize=16_384)
def apart(word: str) -> str:
    """A word as the common ones that it is made of, if it is in no vocabulary: "order date" of `orderdate`; a short form whole.

    What is not made of such words stays as it is, and so does what is a word itself: no `mileage` is an age.
    """
    if whole := _whole(word):
        return whole
    if not (_LEAST <= len(word) <= _MOST and word.isascii() and word.islower() and word.isalpha()):
        return word
    if any(_rank(form) < _COMMON for form in (word, *_uninflected(word))):
        return word
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())]
    for end in range(1, len(word) + 1):
        found = None
        for begin in range(end):
            before, part = best[begin], word[begin:end]
            if before is None or not _may_stand(part, begin == 0):
                continue
            cost = before[0] + log(_rank(part) + 1) + _PER_WORD
            if found is None or cost < found[0]:
                found = (cost, (*before[1], part))
        best.append(found)
    made = best[-1]
    known = made is None or word in dictionary()[0] or word in forms_in_ie()
    return word if made is None or known else " ".join(made[1])


def _may_stand(part: str, first: bool) -> bool:
    """Whether letters may be a word of a name."""
    if part in _MEASURED or part in (_FIRST if first else _LATER):
        return True
    return len(part) > 2 and _rank(part) < (_EVERYDAY if len(part) == 3 else _COMMON)


def _uninflected(word: str) -> list[str]:
    return [word.removesuffix(ending) for ending in ("s", "es", "ed", "d", "ing") if word.endswith(ending)]


def _rank(word: str) -> int:
    """How common a word is; those of the thesaurus are the last of all that are."""
    rank = word_rank(word)
    return min(rank, _COMMON - 1) if rank >= _COMMON and word in thesaurus().words else rank
