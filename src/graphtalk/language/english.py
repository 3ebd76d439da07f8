"""English words: tokens, stems, and a small thesaurus of general English."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from typing import TypeAlias

from Stemmer import Stemmer

from graphtalk.language.dictionary import forms_in_ie, past_forms

Groups: TypeAlias = frozenset[str]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_IRREGULAR = {  # of verbs see irregular.txt; these are nouns too, or of another word
    "writing": "write", "writer": "write", "writers": "write", "people": "person", "persons": "person",
    "men": "man", "women": "woman", "children": "child", "born": "birth", "spoke": "speak",
    "known": "know", "given": "give", "drove": "drive", "saw": "see", "went": "go", "gone": "go",
    "shelves": "shelf", "wives": "wife", "lives": "live", "leaves": "leaf", "currencies": "currency",
    "countries": "country", "cities": "city", "bodies": "body", "movies": "movie", "genera": "genus",
    "diagnoses": "diagnosis", "analyses": "analysis", "hypotheses": "hypothesis", "indices": "index",
    "director": "direct", "directors": "direct", "actor": "act", "actors": "act", "actress": "act",
    "actresses": "act", "acted": "act", "acting": "act", "starring": "star", "starred": "star",
    "longest": "long", "shortest": "short", "highest": "high", "lowest": "low", "biggest": "big",
    "largest": "large", "smallest": "small", "oldest": "old", "youngest": "young", "newest": "new",
    "earliest": "early", "latest": "late", "tallest": "tall", "heaviest": "heavy", "lightest": "light",
    "cheapest": "cheap", "dearest": "dear", "fastest": "fast", "slowest": "slow", "greatest": "great",
    "fewest": "few", "longer": "long", "shorter": "short", "higher": "high", "bigger": "big",
    "lower": "low", "lowers": "low", "lowered": "low", "lowering": "low", "larger": "large",
    "smaller": "small", "older": "old", "younger": "young", "newer": "new", "earlier": "early",
    "later": "late", "taller": "tall", "heavier": "heavy", "cheaper": "cheap",
}  # fmt: skip
STOP = frozenset(
    """a an the of in on at by for from to with and or as is are was were be been being do does did done has
    have had having can could may might shall should will would must that which who whom whose what when where
    why how this these those it its their them they there he she his her him i me my you your we our us not no
    so such than then also both either neither each every all any some if but into onto about over under within
    through between among per via up down out off same whether s t d ll re ve m let
    please kindly tell name list give find identify describe provide mention specify state say show answer
    respond reply know want like get enumerate determine retrieve explain exist exists existing different
    various certain particular specific given following respective ones one thing things something anything
    ascribed come take say case terms using use used look see called named refer got gets getting everything liked just only also would
    i've i'm i'd we've you've there's what's who's where's that's it's let's""".split()
)
ASKING = frozenset({"who", "whom", "whose", "when", "where"})
_ENCE = re.compile(r"(?<=[ae]nc)(?:ed|ing)$")  # "referenced" has another stem than "reference" else
_stemmer = Stemmer("english", 0)  # each word once: `stem` remembers
_stemming = Lock()  # the stemmer keeps the word that it works on


@cache
def _irregular() -> dict[str, str]:
    """Words by their forms that have another stem."""
    return forms_in_ie() | past_forms() | _IRREGULAR


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of an English word (Snowball, with irregular forms)."""
    lower = word.casefold().replace("’", "'")
    irregular = _irregular()
    base = (
        irregular.get(lower)
        or irregular.get(lower.removesuffix("'s"))
        or _ENCE.sub("e", lower.removesuffix("'s"))
    )
    with _stemming:
        return str(_stemmer.stemWord(base))


@dataclass(frozen=True)
class Token:
    """A word of a question: its text, stem, place in the text, and the thesaurus lines it belongs to.

    `in_phrase`: it is part of a phrase of the thesaurus, such as "down regulate", and means what that means.
    `relative`: it is a who, when or where that asks nothing, as in "the pathway where most genes are found".
    """

    text: str
    stem: str
    start: int
    end: int
    groups: Groups = frozenset()
    in_phrase: bool = False
    relative: bool = False

    @property
    def content(self) -> bool:
        """Whether the word says something of its own."""
        lower = self.text.casefold().replace("’", "'")
        return lower not in STOP and lower.removesuffix("'s") not in STOP and not lower.endswith("n't")

    @property
    def asks(self) -> bool:
        """Whether the word asks for a kind of thing by itself: who, when, where."""
        return not self.relative and self.text.casefold() in ASKING


class Thesaurus:
    """Lines of words that mean nearly the same, pairs of lines that are opposites, and words that are, by their stems."""

    def __init__(self, text: str) -> None:
        self.phrases: dict[tuple[str, ...], set[str]] = {}
        self.opposites: dict[str, set[str]] = {}
        self._contraries: dict[str, set[str]] = {}
        self.words = frozenset(
            word.lower() for line in text.splitlines() for word in _WORD.findall(line) if line[:1] != "#"
        )
        for line in text.splitlines():
            if line.startswith("#"):
                continue
            if ">< " in line:
                left, right = (part.strip() for part in line.split("><"))
                self.opposites.setdefault(left, set()).add(right)
                self.opposites.setdefault(right, set()).add(left)
            elif "<>" in line:
                sides = [{stem(w) for w in _WORD.findall(side)} for side in line.split("<>")]
                for side, others in (sides, sides[::-1]):
                    for word in side:
                        self._contraries.setdefault(word, set()).update(others)
            elif ":" in line:
                head, _, words = line.partition(":")
                for phrase in words.split(","):
                    stems = tuple(stem(w) for w in _WORD.findall(phrase))
                    self.phrases.setdefault(stems, set()).add(head.strip())
        self.longest = max(map(len, self.phrases), default=1)

    def groups(self, stems: list[str]) -> list[Groups]:
        """For each word of a text the lines that it belongs to, alone or within a phrase."""
        return [alone | phrase for alone, phrase in self.lines(stems)]

    def lines(self, stems: list[str]) -> list[tuple[Groups, Groups]]:
        """For each word of a text the lines that it belongs to alone, and those within a phrase."""
        alone: list[set[str]] = [set() for _ in stems]
        phrase: list[set[str]] = [set() for _ in stems]
        for size in range(1, self.longest + 1):
            for start in range(len(stems) - size + 1):
                for line in self.phrases.get(tuple(stems[start : start + size]), ()):
                    for position in range(start, start + size):
                        (alone if size == 1 else phrase)[position].add(line)
        return [(frozenset(a), frozenset(p)) for a, p in zip(alone, phrase, strict=True)]

    def opposite(self, a: Groups, b: Groups) -> bool:
        """Whether a line of `a` is the opposite of a line of `b`."""
        return any(not self.opposites.get(line, frozenset()).isdisjoint(b) for line in a)

    def contrary(self, word: str, others: Iterable[str]) -> bool:
        """Whether a word says the opposite of one of others, none of which it is: "sold" of "bought"."""
        said, against = set(map(stem, others)), self._contraries.get(stem(word), frozenset[str]())
        return not said.isdisjoint(against) and stem(word) not in said


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """The thesaurus that ships with the package."""
    return Thesaurus(files(__package__).joinpath("thesaurus.txt").read_text(encoding="utf-8"))


def tokenize(text: str) -> list[Token]:
    """The words of a text, with their stems and thesaurus lines."""
    found = [(m.group(), m.start(), m.end()) for m in _WORD.finditer(text)]
    stems = [stem(word) for word, _, _ in found]
    lines = thesaurus().lines(stems)
    return [
        Token(w, s, a, b, alone | phrase, bool(phrase))
        for (w, a, b), s, (alone, phrase) in zip(found, stems, lines, strict=True)
    ]
