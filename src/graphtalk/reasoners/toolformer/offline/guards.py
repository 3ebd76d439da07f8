"""What a text cannot be asking for, by what it says in so many words; what is left is the classifier's to choose.

A call that is wrong is worse than none, and a classifier always finds something. So a function stays in the choice only
where it counts what the text counts, gives the end of a triple that the text does not give itself, and so on.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise

from graphtalk.language.english import stem
from graphtalk.reasoners.toolformer.offline.asked import (
    asked_noun,
    asked_nouns,
    asks_for_else,
    is_other_kind,
    named_before_slot,
)
from graphtalk.reasoners.toolformer.offline.counting import counted, counts_plainly, counts_some
from graphtalk.reasoners.toolformer.offline.triples import asked_end

_WHOLE_COUNTS = frozenset(("toolx:order", "toolx:size", "kmeans:community_count"))
_SHARES = frozenset("ratio share fraction proportion percentage portion percent".split())
_PREFERS = frozenset("score scores likely likelihood probability chance highly".split())
_BEFORE_VERB = frozenset("<user> <data> would will did does can could might may should to".split())
_ENDS = frozenset(("transe:head_entity", "transe:tail_entity"))
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Guards:
    """Words that tell what is asked for.

    counts: function, or function and family → stems of what it counts
    cues: function → stems of which a text must have one that asks for it
    things: family → stems of what may be asked for by name
    never: function → words that tell that it is not asked for
    other_graph: words that tell of a graph which calls cannot name
    ends: word → the end of a triple that it names
    named: family → its function that alone gives what these stems name
    scores: function that gives scores → words that ask for a rating
    asking, beside: words of a query of a few words: those that tell what it asks for, and others
    """

    counts: Mapping[str, frozenset[str]]
    cues: Mapping[str, frozenset[str]]
    things: Mapping[str, frozenset[str]]
    never: Mapping[str, frozenset[str]]
    other_graph: frozenset[str]
    ends: Mapping[str, str]
    named: Mapping[str, tuple[str, frozenset[str]]]
    scores: Mapping[str, frozenset[str]]
    asking: frozenset[str]
    beside: frozenset[str]

    def speaks(self, shape: Sequence[str]) -> bool:
        """Whether a text has a word that calls are told by."""
        return not self.asking.isdisjoint(shape)

    def terse(self, shape: Sequence[str]) -> bool:
        """Whether a text is a query of a few words: "edge count tutte graph"."""
        words = {mask for mask in shape if mask[:1].isalpha()}
        return not words.isdisjoint(self.asking) and words <= self.asking | self.beside

    def fitting(self, shape: Sequence[str], family: str, functions: Sequence[str]) -> list[str]:
        """Those of `functions` that the text may ask for."""
        words = {*shape, *map(" ".join, pairwise(shape))}
        if asks_for_else(shape, family) or not self.other_graph.isdisjoint(words):
            return []
        stems = {stem(part) for mask in shape for part in (mask, *mask.split("-"))}
        if not self._is_thing(shape, family):
            return []
        owner, owned = self.named.get(family, (None, _NONE))
        owner = None if owned.isdisjoint(stems) else owner
        noun, some, end = counted(shape), counts_some(shape), asked_end(shape, self.ends)
        if not _SHARES.isdisjoint(shape) or self._tells(named_before_slot(shape)):
            noun = None  # "the ratio of the number of edges to …", "with a density of <slot>, it has a number of nodes"
        return [
            name
            for name in functions
            if (noun is None or self._counts(name, family, noun))
            and self.never.get(name, _NONE).isdisjoint(shape)
            and not (some and name in _WHOLE_COUNTS)
            and not stems.isdisjoint(self.cues.get(name, stems))
            and not is_other_kind(shape, name)
            and self._names(asked_noun(shape), name)
            and (owner is None or name == owner)
            and (end is None or name not in _ENDS or end in name)
        ]

    def counting(self, shape: Sequence[str], functions: Sequence[str]) -> str | None:
        """The function that counts just what the text counts, where it is the only one; nothing of a kind of those."""
        noun = counted(shape)
        found = [name for name in functions if noun and self._counts(name, "molecular", noun)]
        return found[0] if len(found) == 1 and counts_plainly(shape) and not counts_some(shape) else None

    def rates(self, shape: Sequence[str], function: str) -> bool:
        """Whether a rating is asked for, where the function gives a score: "a rating of", "how would <user> rate <item>"."""
        if function not in self.scores or not _PREFERS.isdisjoint(shape):
            return False
        verb = any(second == "rate" and first in _BEFORE_VERB for first, second in pairwise(shape))
        return verb or not self.scores[function].isdisjoint(shape)

    def _tells(self, noun: str | None) -> bool:
        """Whether functions are told by this word."""
        return noun is not None and any(stem(noun) in cues for cues in self.cues.values())

    def _is_thing(self, shape: Sequence[str], family: str) -> bool:
        """Whether "which N does …" asks for one of the things that a family may be asked for."""
        known, nouns = self.things.get(family), set(map(stem, asked_nouns(shape)))
        if not nouns or known is None:
            return True
        return not nouns.isdisjoint(known.union(*self.cues.values()))

    def _names(self, noun: str | None, function: str) -> bool:
        """Whether the function may be what is asked for by name: no size where the "edge connectivity" is asked for."""
        head = stem(noun) if noun else ""
        telling = [name for name, cues in self.cues.items() if head in cues]
        return (
            not telling
            or function in telling
            or not _WHOLE_COUNTS.isdisjoint(telling)
            or function not in self.cues
        )

    def _counts(self, function: str, family: str, noun: str) -> bool:
        return any(noun in self.counts.get(key, _NONE) for key in (function, f"{function} {family}"))


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
    things = {family: frozenset(map(stem, words.split())) for family, words in read["things"].items()}
    never: dict[str, frozenset[str]] = {}
    for names, words in read["never"].items():
        for name in names.split():
            never[name] = never.get(name, _NONE) | frozenset(words.split())
    named = {
        name.split()[1]: (name.split()[0], frozenset(map(stem, words.split())))
        for name, words in read["named"].items()
    }
    scores = {name: frozenset(words.split()) for name, words in read["scores"].items()}
    other_graph = frozenset((*read["other_graph"]["words"].split(), *read["other_graph"]["pairs"]))
    terse = read["terse"]
    return Guards(
        counts,
        cues,
        things,
        never,
        other_graph,
        ends,
        named,
        scores,
        frozenset(terse["asks"].split()),
        frozenset(terse["also"].split()),
    )
