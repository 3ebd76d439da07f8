"""Short forms in the names of columns and tables, and what they stand for: `qty`, `dept`, `wgt_kg` (`abbreviations.txt`)."""

from functools import cache
from importlib import resources


def spelt_out(word: str) -> str:
    """What a short form in lower case stands for, if that is one word and it is none itself; else nothing.

    >>> spelt_out("qty"), spelt_out("cake"), spelt_out("inv")
    ('quantity', '', '')
    """
    return _listed()[0].get(word, "")


def written_as(word: str) -> frozenset[str]:
    """What else a word may be written as in a name: `qty` for "quantity", and the other way.

    >>> sorted(written_as("description")), sorted(written_as("inv")), sorted(written_as("cake"))
    (['desc', 'descr'], ['invoice'], [])
    """
    return _listed()[1].get(word, frozenset())


def is_short(word: str) -> bool:
    """Whether a word in lower case means nothing else than what it is short for.

    >>> is_short("qty"), is_short("lab"), is_short("cat")
    (True, True, False)
    """
    return word in _listed()[0] or word in _listed()[2]


@cache
def _listed() -> tuple[dict[str, str], dict[str, frozenset[str]], frozenset[str]]:
    parts = (resources.files("graphtalk.core") / "abbreviations.txt").read_text("utf-8").split("\n\n")
    clear, others, clipped = (
        dict(line.split(": ") for line in part.splitlines() if line[:1] != "#") for part in parts
    )
    pairs = [
        (short, whole) for short, wholes in (clear | others | clipped).items() for whole in wholes.split()
    ]
    found: dict[str, frozenset[str]] = {}
    for one, other in (*pairs, *((whole, short) for short, whole in pairs)):
        found[one] = found.get(one, frozenset()) | {other}
    return clear, found, frozenset(clipped)
