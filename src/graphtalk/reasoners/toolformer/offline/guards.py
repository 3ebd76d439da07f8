"""What a text cannot be asking for, by what it says in so many words; what is left is the classifier's to choose.

A call that is wrong is worse than none, and a classifier always finds something. So a function stays in the choice only
where it counts what the text counts, and gives the end of a triple that the text does not give itself.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from graphtalk.reasoners.planner.english import STOP, stem

_ENDS_NOUN = frozenset(
    """is are was were be do does did has have had can could will would should may might must there in of on at for from to
    with between within inside into until among that which who when if up make makes form forms a an the each every any and
    or as per away apart it its his her their this these by via than then you we i one people's""".split()
)
_BEFORE_NOUN = frozenset(
    """the a an all its their of different distinct total overall various such many single individual exact precise up
    out other more in whole entire""".split()
)
_QUANTITIES = frozenset("number count amount quantity total tally".split())
_LONGEST = 4  # words of a counted noun phrase


@dataclass(frozen=True)
class Guards:
    """`counts`: function → stems of what it counts. `ends`: word → the end of a triple that it names.

    cues: function → stems of which a text must have one that asks for it

    never: function → words that tell that it is not asked for
    other_graph: words that tell of a graph which calls cannot name
    asking, beside: words of a query of a few words: those that tell what it asks for, and others
    """

    counts: Mapping[str, frozenset[str]]
    cues: Mapping[str, frozenset[str]]
    never: Mapping[str, frozenset[str]]
    other_graph: frozenset[str]
    ends: Mapping[str, str]
    asking: frozenset[str]
    beside: frozenset[str]

    def terse(self, shape: Sequence[str]) -> bool:
        """Whether a text is a query of a few words: "edge count tutte graph"."""
        words = {mask for mask in shape if mask[:1].isalpha()}
        return not words.isdisjoint(self.asking) and words <= self.asking | self.beside

    def fitting(self, shape: Sequence[str], family: str, functions: Sequence[str]) -> list[str]:
        """Those of `functions` that the text may ask for."""
        if _asks_for_else(shape, family) or not self.other_graph.isdisjoint(
            (*shape, *map(" ".join, pairwise(shape)))
        ):
            return []
        counted = _counted(shape)
        left = [name for name in functions if counted is None or self._counts(name, family, counted)]
        left = [name for name in left if self.never.get(name, _NONE).isdisjoint(shape)]
        if _counts_some(shape):
            left = [name for name in left if name not in _WHOLE_COUNTS]
        stems = {stem(part) for mask in shape for part in (mask, *mask.split("-"))}
        left = [name for name in left if not stems.isdisjoint(self.cues.get(name, stems))]
        left = [name for name in left if not _other_kind(shape, name)]
        if family == "knowledge":
            end = self._asked_end(shape)
            if end is not None:
                return [
                    name for name in left if not name.endswith(("head_entity", "tail_entity")) or end in name
                ]
        return left

    def caution(self, shape: Sequence[str], unknown: Sequence[str]) -> float:
        """How probable a function must be where these words of the text are in no example."""
        strange = [word for word in unknown if word not in STOP]
        if not strange:
            return 0.0
        first = next((mask for mask in shape if mask not in _REQUEST), "")
        noun = _asked_noun(shape)
        return _VERY_SURE if first in _YES_OR_NO or noun in strange else _SURER

    def _counts(self, function: str, family: str, noun: str) -> bool:
        return noun in self.counts.get(function, _NONE) or noun in self.counts.get(
            f"{function} {family}", _NONE
        )

    def _asked_end(self, shape: Sequence[str]) -> str | None:
        """Which end of a triple is asked for: "head", "tail"; "neither" where the text says both; None if it says none."""
        given = {
            end for at, mask in enumerate(shape) if mask == "<entity>" and (end := self._role(shape, at))
        }
        if given:
            return _OPPOSITE[given.pop()] if len(given) == 1 else "neither"
        named = {end for mask in shape if mask not in _VERBS_TOO and (end := self.ends.get(mask))}
        return named.pop() if len(named) == 1 else _by_place(shape)

    def _role(self, shape: Sequence[str], at: int) -> str | None:
        """The end that the text says the entity at `at` is: "the tail is <entity>", "<entity> as its tail"."""
        if at and shape[at - 1] == "from":
            return "head"
        for place in range(at - 1, -1, -1):
            if end := self.ends.get(shape[place]):
                return end
            if shape[place] not in _IS:
                break
        for place in range(at + 1, len(shape)):
            if end := self.ends.get(shape[place]):
                return end if place > at + 1 else None
            if shape[place] not in _AS or (shape[place] == "as" and _HAVING.isdisjoint(shape[:at])):
                return None
        return None


_NONE: frozenset[str] = frozenset()
_OPPOSITE = {"head": "tail", "tail": "head", "neither": "neither"}
_IS = frozenset("is being are = : the a entity node concept named called equals".split())
_AS = frozenset(
    "on as is being serves acts its the a an in role place position slot at stands sits fills".split()
)
_HAVING = frozenset("has have had having with takes take taking got gets uses use given".split())
_VERBS_TOO = frozenset(("start", "end", "object", "subject"))


def _by_place(shape: Sequence[str]) -> str | None:
    """The end that is left open where a triple is written as one: ( <entity> , <relation> , ? )."""
    if not _WRITTEN.isdisjoint(shape):
        parts = ["?" if mask in _OPEN else mask for mask in shape if mask in _OPEN or mask in _OF_TRIPLE]
        return _LEFT_OPEN.get(tuple(parts[:3]))
    return None


_LEFT_OPEN: Mapping[tuple[str, ...], str] = {
    ("<entity>", "<relation>", "?"): "tail",
    ("?", "<relation>", "<entity>"): "head",
}
_WRITTEN = frozenset(("(", ">", "→"))
_OPEN = frozenset(("<slot>", "?", "_"))
_OF_TRIPLE = frozenset(("<entity>", "<relation>"))


def _asks_for_else(shape: Sequence[str], family: str) -> bool:
    """Whether people, a time, a reason or the past is asked for: no function gives these."""
    first = next((at for at, mask in enumerate(shape) if mask not in _REQUEST), 0)
    asked = tuple(shape[first : first + 2])
    if asked[:1] == ("why",) or (
        asked[:1] == ("when",) and asked[1:] and asked[1] in _ENDS_NOUN - {"you", "we", "one"}
    ):
        return True
    if family == "recommender" and "did" in shape:
        return True  # what will be is predicted, not what was
    if family in ("recommender", "knowledge"):  # an artist is a person, a subject may be
        return False
    if asked[:1] and asked[0] in ("who", "who's", "whom"):
        return True
    if asked[:1] in (("which",), ("what",)):
        return asked[1:] in _PEOPLE or (
            asked[1:] in _OWN.get(family, ()) and shape[first + 2] not in _QUALITIES
        )
    return False


def _other_kind(shape: Sequence[str], function: str) -> bool:
    """Whether the function gives a value of another kind than is asked for: a number for "which community", a topic for
    "is it true that"."""
    first = next((at for at, mask in enumerate(shape) if mask not in _REQUEST), 0)
    if function in _SIZES and _asked_noun(shape) in _GROUPS:
        return True
    tests = shape[first] in _TESTS and tuple(shape[first + 1 : first + 2]) != ("you",)
    return tests and function.startswith(("transe:", "graph_bert:"))


_SIZES = frozenset(f"kmeans:community_{name}" for name in ("count", "avg_size", "max_size", "size"))
_GROUPS = frozenset("community communities group groups cluster clusters circle circles".split())
_TESTS = frozenset("is are was were does do did has have".split())
_QUALITIES = frozenset("topic topics function class label category role field area subject activity".split())
_OWN = {
    "bibliographic": {(word,) for word in "paper papers article articles publication publications".split()},
    "molecular": {(word,) for word in "molecule molecules compound protein proteins instance graph".split()},
}
_REQUEST = frozenset("please tell me could you can say find out i wonder , so and hey hi".split())
_PEOPLE = {
    (word,) for word in ("users", "members", "people", "persons", "accounts", "authors", "researchers")
}


def _asked_noun(shape: Sequence[str]) -> str | None:
    """The head of what is asked for: "what is the melting temperature of <instance>" → "temperature"."""
    for at, mask in enumerate(shape):
        if mask in ("what", "which", "what's"):
            start = at + 1
            while start < len(shape) and (
                shape[start] in _BEFORE_NOUN or shape[start] in ("is", "are", "was", "would", "be")
            ):
                start += 1
            end = start
            while end < len(shape) and shape[end].isalpha() and shape[end] not in _ENDS_NOUN:
                end += 1
            return shape[end - 1] if end > start else None
    return None


_YES_OR_NO = frozenset(
    "is are was were does do did has have had can could will would should may might".split()
)
_SURER, _VERY_SURE = 0.7, 0.97
"""How probable a function must be in a text with a word that no example has; and where that word is what is asked for."""


def _counted(shape: Sequence[str]) -> str | None:
    """The stem of what is to be counted: "how many different communities are there" → that of "communities"."""
    for at in range(len(shape)):
        if tuple(shape[at : at + 2]) == ("how", "many"):
            return _noun(shape, at + 2)
        if shape[at] in _QUANTITIES and tuple(shape[at + 1 : at + 2]) == ("of",):
            return _noun(shape, at + 2)
        if shape[at] == "count" and (at == 0 or shape[at - 1] in _ASKS_TO_COUNT):
            return _noun(shape, at + 1)
    return None


_ASKS_TO_COUNT = frozenset("please you to , and".split())


def _counts_some(shape: Sequence[str]) -> bool:
    """Whether only some of a kind are counted: "how many papers cite …", "how many nodes of degree 3", "users with …"."""
    about = any(b == "about" and a != "talking" for a, b in pairwise(shape))
    if about or not _SOME.isdisjoint(shape) or any(mask.isdigit() for mask in shape):
        return True
    at = next((at for at, pair in enumerate(pairwise(shape)) if pair == ("how", "many")), -1)
    if at < 0:
        return False
    for place in range(at + 4, len(shape) - 1):  # "how many communities of G have only one member"
        if shape[place] in ("have", "has", "with") and shape[place + 1].isalpha():
            return shape[place + 1] not in _AFTER_COUNTED
    behind = next((p for p in range(at + 2, len(shape)) if _is_plural(shape[p])), len(shape)) + 1
    return behind < len(shape) and shape[behind].isalpha() and shape[behind] not in _AFTER_COUNTED


_SOME = frozenset("whose having written published starting ending".split())
_WHOLE_COUNTS = frozenset(("toolx:order", "toolx:size", "kmeans:community_count"))
_AFTER_COUNTED = frozenset(
    """are is do does can could has have had in of there exist exists make makes form forms belong belongs compose join
    connect hold would will should one we you i for within on at the a and or it its fall were was inside among if when
    altogether overall total counts contained detected found formed link together between tie""".split()
)


def _is_plural(word: str) -> bool:
    return word == "people" or (word.isalpha() and word.endswith("s") and not word.endswith("ss"))


def _noun(shape: Sequence[str], start: int) -> str | None:
    while start < len(shape) and shape[start] in _BEFORE_NOUN:
        start += 1
    end = start
    while end < min(start + _LONGEST, len(shape)) and shape[end].isalpha() and shape[end] not in _ENDS_NOUN:
        end += 1
    words = shape[start:end]
    if not words:
        return None
    plural = next((word for word in words if _is_plural(word)), None)
    return stem(plural or words[-1])


@cache
def shipped_guards() -> Guards:
    """What functions count and what ends are called (`guards.toml`)."""
    read = tomllib.loads(files(__package__).joinpath("guards.toml").read_text(encoding="utf-8"))
    counts = {name: frozenset(map(stem, words.split())) for name, words in read["counts"].items()}
    ends = {word: end for end, words in read["ends"].items() for word in words.split()}
    cues = {
        name: frozenset(map(stem, words.split()))
        for names, words in read["cues"].items()
        for name in names.split()
    }
    never = {name: frozenset(words.split()) for name, words in read["never"].items()}
    other_graph = frozenset((*read["other_graph"]["words"].split(), *read["other_graph"]["pairs"]))
    terse = read["terse"]
    return Guards(
        counts,
        cues,
        never,
        other_graph,
        ends,
        frozenset(terse["asks"].split()),
        frozenset(terse["also"].split()),
    )
