"""Relations in English: what is at one end of an edge, told by what is at the other.

The name of a relation is a noun (`capital`), a noun of something (`member of`), a verb (`borders`, `lies in`), or a
participle (`directed by`); people write `countries that border France`, `the capital of France`, `films directed by Ann`.
"""

import re
from collections.abc import Sequence

from graphtalk.language.nouns import plural

_PREPOSITIONS = frozenset(
    "about as at by for from in inside into of on onto out over through to under upon via with within".split()
)
# Verbs that stand alone as the name of a relation; with a preposition behind it any word in -s is one.
_VERBS = frozenset(
    """adjoins affects beats binds borders buys calls causes cites contacts contains controls covers creates directs drives
    eats emails employs encodes expresses feeds finances flies follows funds hates has hires holds hosts includes
    influences inhibits interacts involves knows leads likes links loves makes manages marries mentions needs offers
    operates orders owns palliates pays plays precedes prescribes presents produces publishes reaches reads recommends
    regulates replaces requires resembles runs sees sells sends serves shows speaks stocks sponsors supervises supplies
    supports targets teaches touches treats trusts uses visits watches wins works writes""".split()
)
_ACTIVE = frozenset(
    "acted appeared competed died lived participated performed played served starred studied traded worked".split()
)
_PARTICIPLE = re.compile(r"(?:ed|ught|wn|wen|born|built|made|held|led|sold|sung|taken|told|won|written)$")


def plain(name: str) -> str:
    """A name of a schema as words: `HAS_GENRE`, `hasGenre` and `has-genre` give `has genre`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.lstrip("^"))
    return " ".join(re.sub(r"[\W_]+", " ", spaced).lower().split()) or name


def described(
    noun: str, name: str, outward: bool, other: str, others: Sequence[str] = (), several: bool = False
) -> str:
    """Things by their edges: `noun` is what they are (a plural), `name` the relation, `other` what is at the other end.

    `outward`: the edges lead from these things to `other`. `others` are the plurals of the types of both ends, which a
    noun may repeat. `several`: `other` speaks of more than one thing, with its article.

    >>> described("countries", "borders", True, "France"), described("people", "directed by", False, "Alien")
    ('countries that border France', 'people that Alien was directed by')
    >>> described("cities", "capital", False, "Peru"), described("countries", "capital", True, "Lima")
    ('cities that are capitals of Peru', 'countries whose capital is Lima')
    """
    words = plain(name).split()
    if (
        words[-1] == "of" and len(words) > 1 and not _is_verb(words)
    ):  # `member of` is a noun seen from the other end
        words, outward = words[:-1], not outward
    if (
        words[0] == "has" and len(words) > 1 and words[-1] not in _PREPOSITIONS
    ):  # `has part` names what is had
        words = words[1:]
    told = " ".join(words)
    if _is_participle(words):
        if outward:
            return f"{noun} {'who ' if words[0] in _ACTIVE else ''}{told} {other}"
        return f"{noun} that {other} {'' if words[0] in _ACTIVE else 'was '}{told}"
    if _is_verb(words):
        acts = " ".join([_many(words[0]), *words[1:]])  # of several, as what is told of is
        return (
            f"{noun} that {acts} {other}" if outward else f"{noun} that {other} {acts if several else told}"
        )
    if outward:
        return f"{noun} whose {told} is {'one of ' if several else ''}{other}"
    if plural(told) in (noun, *others) or told == noun:
        return f"{noun} of {other}"
    return f"{noun} that are {plural(told)} of {other}"


def is_verb(name: str) -> bool:
    """Whether the name of a relation is a verb: `borders`, `lies in`."""
    return _is_verb(plain(name).split())


def is_participle(name: str) -> bool:
    """Whether a name says what was done: `born`, `founded`, but not `speed`."""
    last = plain(name).split()[-1]
    return bool(_PARTICIPLE.search(last)) and not last.endswith("eed")


def _is_verb(words: Sequence[str]) -> bool:
    first = words[0]
    if first in ("is", "has") or (len(words) == 1 and first in _VERBS):
        return True
    ends = first.endswith("s") and not first.endswith(("ss", "us"))
    return len(words) > 1 and (
        first in _VERBS or (ends and words[-1] in _PREPOSITIONS - {"of"}) or (ends and first == "consists")
    )


def _is_participle(words: Sequence[str]) -> bool:
    return len(words) > 1 and words[-1] in _PREPOSITIONS and bool(_PARTICIPLE.search(words[0]))


def _many(verb: str) -> str:
    """A verb for several: `borders` gives `border`."""
    odd = {"is": "are", "has": "have", "does": "do", "goes": "go"}
    if verb in odd:
        return odd[verb]
    if verb.endswith("ies") and len(verb) > 4:
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb.removesuffix("s")
