"""Which types mean people: "who" asks for such, and a relation that is called so leads to who does it."""

from graphtalk.core.people import means_several, means_somebody
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import singular

_SEXES = (
    (frozenset("woman women girl girls lady ladies female females".split()), ("female", "f", "woman", "w")),
    (frozenset("man men boy boys gentleman gentlemen male males".split()), ("male", "m", "man")),
)


def sexes(noun: str) -> tuple[str, ...]:
    """What a graph may call the sex of those that a noun or an adjective means, in lower case; nothing for other words.

    >>> sexes("women"), sexes("clerks")
    (('female', 'f', 'woman', 'w'), ())
    """
    return next((called for nouns, called in _SEXES if noun.lower() in nouns), ())


def is_person(name: str) -> bool:
    """Whether a type or a column is called as people are: by its last word.

    >>> [is_person(name) for name in ("pilots", "SalesRep", "committer", "order", "sensor", "crew")]
    [True, True, True, False, False, True]
    """
    words = split_name(name)
    return bool(words) and means_somebody(singular(words[-1]))


def may_act(name: str) -> bool:
    """Whether "who" may ask for nodes of a type: people, or people together.

    >>> [name for name in ("pilots", "companies", "cards") if may_act(name)]
    ['pilots', 'companies']
    """
    words = split_name(name)
    return is_person(name) or (bool(words) and means_several(singular(words[-1])))
