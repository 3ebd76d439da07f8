"""Which nouns mean somebody: "who" asks for such, and a relation that is called so leads to who does it."""

from functools import cache
from importlib import resources

from graphtalk.language.english import split_name
from graphtalk.language.nouns import singular

_ENDINGS = ("er", "or", "ee", "ist", "ian")  # of nouns that WordNet does not have: "committer"


def is_person(name: str) -> bool:
    """Whether a type or a column is called as people are: by its last word.

    >>> [is_person(name) for name in ("pilots", "SalesRep", "committer", "order", "sensor", "crew")]
    [True, True, True, False, False, True]
    """
    words = split_name(name)
    return bool(words) and _means_somebody(words[-1])


@cache
def _means_somebody(word: str) -> bool:
    one = singular(word)
    people, things = _nouns()
    if one in people:
        return True
    return one not in things and len(one) > 4 and one.endswith(_ENDINGS)


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str]]:
    """Nouns that mean somebody, and those that do not though they end so, of `people.txt`."""
    text = (resources.files("graphtalk.language") / "people.txt").read_text("utf-8")
    people, _, things = text.partition("PEOPLE\n")[2].partition("THINGS\n")
    return frozenset(people.split()), frozenset(things.split())
