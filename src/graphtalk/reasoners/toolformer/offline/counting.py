"""What a text counts: "how many different communities", "the number of edges", "[TBR] members"."""

from collections.abc import Sequence
from itertools import pairwise

from graphtalk.language.english import stem
from graphtalk.reasoners.toolformer.offline.mentions import SLOT

ENDS_NOUN = frozenset(
    """is are was were be do does did has have had can could will would should may might must there in of on at for from to
    with between within inside into until among that which who when if up make makes form forms a an the each every any and
    or as per away apart it its his her their this these by via than then you we i one people's""".split()
)
"""Words that no noun phrase has, but stand behind it."""
BEFORE_NOUN = frozenset(
    """the a an all its their of different distinct total overall various such many single individual exact precise up
    out other more in whole entire""".split()
)
_QUANTITIES = frozenset("number count amount quantity total tally".split())
_LONGEST = 4  # words of a counted noun phrase


def counted(shape: Sequence[str]) -> str | None:
    """The stem of what is to be counted: "how many different communities are there" → that of "communities"."""
    for at in range(len(shape)):
        of = shape[at] in _QUANTITIES and tuple(shape[at + 1 : at + 2]) == ("of",)
        to_count = shape[at] == "count" and (at == 0 or shape[at - 1] in _ASKS_TO_COUNT)
        of_slot = shape[at] == SLOT and (_noun(shape, at + 1) in _UNITS or _is_number(shape, at))
        behind = at + 2 if of or tuple(shape[at : at + 2]) == ("how", "many") else at + 1
        if (behind == at + 2 or to_count or of_slot) and (noun := _noun(shape, behind)):
            return noun
    return None


_UNITS = frozenset(
    map(stem, "nodes vertices edges links connections arcs hops steps neighbours neighbors members".split())
)
_ASKS_TO_COUNT = frozenset("please you to , and".split())


def counts_plainly(shape: Sequence[str]) -> bool:
    """Whether what is counted stands without a word that says which: "[TBR] atoms", not "[TBR] carbon atoms"."""
    at = next(
        (
            at
            for at, pair in enumerate(pairwise(shape))
            if pair == ("how", "many") or (pair[1:] == ("of",) and pair[0] in _QUANTITIES)
        ),
        None,
    )
    start = at + 2 if at is not None else shape.index(SLOT) + 1 if SLOT in shape else len(shape)
    while start < len(shape) and shape[start] in BEFORE_NOUN:
        start += 1
    return start < len(shape) and _is_plural(shape[start])


def _is_number(shape: Sequence[str], at: int) -> bool:
    """Whether a place to be filled is a number: "it has [TBR] atoms", not "the [TBR] communities"."""
    behind = next((p for p in range(at + 1, len(shape)) if shape[p] not in BEFORE_NOUN), len(shape))
    named = shape[behind : behind + 2]
    return (
        shape[at - 1 : at] != ()
        and (at == 0 or shape[at - 1] not in _DETERMINERS)
        and any(
            _is_plural(word) and all(before.isalpha() and before not in ENDS_NOUN for before in named[:n])
            for n, word in enumerate(named)
        )
    )


_DETERMINERS = frozenset("the a an this that its their 's in to".split())


def counts_some(shape: Sequence[str]) -> bool:
    """Whether only some of a kind are counted: "how many papers cite …", "how many nodes of degree 3", "users with …"."""
    about = any(b == "about" and a != "talking" for a, b in pairwise(shape))
    whose = any(a == "whose" and b not in _QUANTITIES for a, b in pairwise(shape))
    if about or whose or not _SOME.isdisjoint(shape) or any(mask.isdigit() for mask in shape):
        return True
    at = next((at for at, pair in enumerate(pairwise(shape)) if pair == ("how", "many")), -1)
    if at < 0:
        return False
    for place in range(at + 4, len(shape) - 1):  # "how many communities of G have only one member"
        if shape[place] in ("have", "has", "with") and shape[place + 1].isalpha():
            return shape[place + 1] not in _AFTER_COUNTED
    behind = next((p for p in range(at + 2, len(shape)) if _is_plural(shape[p])), len(shape)) + 1
    return behind < len(shape) and shape[behind].isalpha() and shape[behind] not in _AFTER_COUNTED


_SOME = frozenset("written published starting ending".split())
_AFTER_COUNTED = frozenset(
    """are is do does can could has have had in of there exist exists make makes form forms belong belongs compose join
    connect hold would will should one we you i for within on at the a and or it its fall were was inside among if when
    altogether overall total counts contained detected found formed link together between tie""".split()
)


def _is_plural(word: str) -> bool:
    return word == "people" or (word.isalpha() and word.endswith("s") and not word.endswith("ss"))


def _noun(shape: Sequence[str], start: int) -> str | None:
    """The stem of the noun of the phrase that begins at `start`."""
    while start < len(shape) and shape[start] in BEFORE_NOUN:
        start += 1
    end = start
    while end < min(start + _LONGEST, len(shape)) and shape[end].isalpha() and shape[end] not in ENDS_NOUN:
        end += 1
    words = shape[start:end]
    if not words:
        return None
    plural = next((word for word in words if _is_plural(word)), None)
    return stem(plural or words[-1])
