"""Stems of words, for matching a question with the names of a schema."""

from functools import lru_cache

FILLING = frozenset("is has have had of the a an in to by at on for and nbr num no number was".split())
"""Words of names that say little: `isPublic` is asked for as "public"."""


def stems(name: str) -> frozenset[str]:
    """The stems of a spoken name, without its filling words unless it has no others."""
    words = name.split()
    return frozenset(map(stem, [w for w in words if w not in FILLING] or words))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A crude stem, so that `movies` and `movie`, `acted` and `acting`, `pass` and `passed`, `bus` and `buses` are alike."""
    if word.endswith(("ss", "us")):
        return word
    for ending, least in (
        ("ies", 3),
        ("ied", 3),
        ("ings", 4),
        ("ing", 4),
        ("ers", 4),
        ("ors", 4),
        ("ed", 4),
        ("er", 4),
        ("or", 4),
        ("es", 4),
        ("s", 3),
        ("e", 3),
    ):
        if word.endswith(ending) and len(word) - len(ending) >= least - 1:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] in "iy" else word
