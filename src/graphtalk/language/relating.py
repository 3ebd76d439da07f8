"""Relations in English: what is at one end of an edge, told by what is at the other.

The name of a relation is a noun (`capital`), a noun of something (`member of`), a verb (`borders`, `lies in`, `follow`, `trained`), a
participle (`directed by`), or says only where or how (`from`, `compatible with`); people write `countries that border France`, `the
capital of France`, `films directed by Ann`. Which word is a verb is WordNet's to say (`dictionary`).
"""

import re
from collections.abc import Sequence
from typing import Literal

from graphtalk.language.dictionary import forms_in_ie, is_base, verb_done, verb_of
from graphtalk.language.nouns import ONE_IN_S, is_plural, plural
from graphtalk.language.people import is_person

_PREPOSITIONS = frozenset(
    """about after against as at before behind below beside between by during for from in inside into near of on onto out over per since
    through to toward towards under until upon via with within without""".split()
)
_BE = frozenset("is are was were be been".split())
# Which WordNet has more often as nouns, and one that stands alone.
_VERBS = frozenset("funds hosts stocks finances targets has".split())
_SEVERAL = {"is": "are", "has": "have", "does": "do", "goes": "go"}
_ONE = {several: one for one, several in _SEVERAL.items()}
_ACTIVE = frozenset(
    "acted appeared belonged competed died lived participated performed played served starred studied traded worked".split()
)
_Form = Literal["done", "did", "does", "do", "so", ""]
"""What a relation is called by: what was done to its source (`directed by`) or what that did (`trained`), does (`lies in`), as it stands (`follow`), where or
how it is (`near`, `compatible with`), or a noun."""


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
    words = _words(name, others)
    if (
        words[-1] == "of" and len(words) > 1 and not _form(words)
    ):  # `member of` is a noun seen from the other end
        words, outward = words[:-1], not outward
    told, who = " ".join(words), "who" if is_person(noun) else "that"
    match _form(words, others):
        case "done":
            was = "were" if several else "was"
            return f"{noun} {told} {other}" if outward else f"{noun} that {other} {was} {told}"
        case "did":
            return f"{noun} {who} {told} {other}" if outward else f"{noun} that {other} {told}"
        case "does":
            acts = " ".join([_many(words[0]), *words[1:]])  # of several, as what is told of is
            return (
                f"{noun} that {acts} {other}"
                if outward
                else f"{noun} that {other} {acts if several else told}"
            )
        case "do":
            acts = " ".join([_ONE.get(words[0], plural(words[0])), *words[1:]])
            return (
                f"{noun} that {told} {other}"
                if outward
                else f"{noun} that {other} {told if several else acts}"
            )
        case "so":
            alone = "" if words[0] in _PREPOSITIONS else "that are "
            return (
                f"{noun} {alone}{told} {other}"
                if outward
                else f"{noun} that {other} {'are' if several else 'is'} {told}"
            )
    if outward:
        one = "one of " if several else ""
        return f"{noun} whose {told} {f'include {other}' if is_plural(told) else f'is {one}{other}'}"
    if plural(told) in (noun, *others) or told == noun:
        return f"{noun} of {other}"
    return f"{noun} that are {plural(told)} of {other}"


def is_verb(name: str) -> bool:
    """Whether the name of a relation says what its source does or did: `borders`, `lies in`, `trained`."""
    return _form(plain(name).split()) in ("does", "do", "did")


def tells_deed(name: str) -> bool:
    """Whether the name of a relation says what its source does, or what was done to it: `borders`, `trained`, `directed by`."""
    return _form(plain(name).split() or [name]) in ("does", "do", "did", "done")


def is_participle(name: str) -> bool:
    """Whether a name says what was done: `born`, `founded`, but not `speed`."""
    return bool(verb_done(plain(name).split()[-1]))


def _words(name: str, others: Sequence[str]) -> list[str]:
    """The words of a relation's name, without those that say nothing beside what is at its ends: `has part`, `for client`."""
    words = plain(name).removeprefix("has been ").split() or [name]
    if words[0] in _BE and len(words) > 1 and words[1] not in ("a", "an"):
        words = words[1:]
    for end in others:  # `made by audiologist` leads to audiologists
        size = len(end.split())
        if len(words) > size and plural(" ".join(words[-size:])) == end and words[-size - 1] in _PREPOSITIONS:
            words = words[:-size]
    leads = words[0] == "has" or words[0] in _PREPOSITIONS
    return words[1:] if leads and len(words) > 1 and words[-1] not in _PREPOSITIONS else words


def _form(words: Sequence[str], others: Sequence[str] = ()) -> _Form:
    first, joined = words[0], words[-1] in _PREPOSITIONS
    alone = len(words) == 1
    if verb_done(first) and (alone or joined):
        acts = len(words) > 2 and words[-1] != "by" and words[1] not in _PREPOSITIONS  # "took part in"
        return "did" if alone or acts or first in _ACTIVE else "done"
    if first in _PREPOSITIONS:
        return "so"
    if plural(" ".join(words)) in others or first in ONE_IN_S:
        return ""
    if first == "is" or ((alone or joined) and (first in _VERBS or verb_of(first))):
        return "does"
    joined &= words[-1] != "of"
    if (alone or joined) and is_base(first) and not is_person(first):
        return "do"
    return "so" if joined else ""


def _many(verb: str) -> str:
    """A verb for several: `borders` gives `border`."""
    if verb in _SEVERAL:
        return _SEVERAL[verb]
    if verb.endswith("ies") and len(verb) > 4 and verb not in forms_in_ie():
        return f"{verb[:-3]}y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb.removesuffix("s")
