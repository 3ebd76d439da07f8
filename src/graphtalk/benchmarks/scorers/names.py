"""Reading the names out of an answer that a model wrote as one text."""

import re
from collections.abc import Iterable

_BETWEEN = re.compile(r"(\s*[,;|\n]\s*(?:and\s+)?|\s+and\s+)")
_AROUND = " \t\n.'\"[]{}()*-"


def fold(name: str) -> str:
    """A name as names are compared: case, spaces and signs around it do not count.

    >>> fold("'Bile  Duct' ")
    'bile duct'
    """
    return " ".join(name.casefold().split()).strip(_AROUND)


def names_in(text: str, known: Iterable[str]) -> list[str]:
    """The names that a text lists, folded, in its order. A name may hold commas itself where it is a known one.

    >>> names_in("Edema, Purpura, Schoenlein-Henoch and pain.", ["Purpura, Schoenlein-Henoch"])
    ['edema', 'purpura, schoenlein-henoch', 'pain']
    """
    whole = {fold(name) for name in known}
    longest = max((len(_BETWEEN.findall(name)) for name in whole), default=0) + 1
    pieces = _BETWEEN.split(text)  # names and what is between them take turns
    found: list[str] = []
    at = 0
    while at < len(pieces):
        ends = range(min(at + 2 * longest - 1, len(pieces)), at, -1)
        joined = ((fold("".join(pieces[at:end])), end) for end in ends)
        name, end = next((j for j in joined if j[0] in whole), (fold(pieces[at]), at + 1))
        found.append(name)
        at = end + 1
    return [name for name in found if name]
