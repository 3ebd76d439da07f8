"""Which nouns mean somebody: WordNet's, cut down by `scripts/make_people.py`."""

from functools import cache
from importlib import resources

_ENDINGS = ("er", "or", "ee", "ist", "ian")  # of nouns that WordNet does not have: "committer"


@cache
def means_somebody(noun: str) -> bool:
    """Whether a noun in the singular and in lower case means somebody first of all.

    >>> [noun for noun in ("pilot", "committer", "order", "sensor", "crew") if means_somebody(noun)]
    ['pilot', 'committer', 'crew']
    """
    people, things, _ = _nouns()
    return noun in people or (noun not in things and len(noun) > 4 and noun.endswith(_ENDINGS))


def means_several(noun: str) -> bool:
    """Whether a noun in the singular and in lower case may mean people together: "company", "team"."""
    return noun in _nouns()[2]


@cache
def _nouns() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Nouns that mean somebody, those that do not though they end so, and those of people together, of `people.txt`."""
    text = (resources.files("graphtalk.core") / "people.txt").read_text("utf-8")
    people, _, others = text.partition("PEOPLE\n")[2].partition("THINGS\n")
    things, _, groups = others.partition("GROUPS\n")
    return frozenset(people.split()), frozenset(things.split()), frozenset(groups.split())
