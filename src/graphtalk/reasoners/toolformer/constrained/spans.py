"""What of a text may be copied into a call: words, ids, numbers, and names of several words."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from graphtalk.calls.ast import NodeRef
from graphtalk.calls.lexer import as_number, quote, show_reference
from graphtalk.reasoners.toolformer.check import says_one
from graphtalk.reasoners.toolformer.statement import SLOT

MOST_WORDS = 6  # of a name
_WORD = re.compile(r"\S+")
_OPENING = "#\"'“”„‘([{<"
_CLOSING = ".,;:?!)]}>\"'“”’"
_POSSESSIVE = re.compile(r"['’]s$")
_PLAIN = re.compile(r"[\w-]+")
_DIGITS = re.compile(r"\d+")
_LIKE_ID = re.compile(r"[\d/@]|\w[_.]\w|^_")
_ONE_ID = re.compile(r"[\w.-]+")
_BEFORE_MARK = re.compile(r"(\w+)\s?#")
_COUNTED = re.compile(r"[#0-9]")


@dataclass(frozen=True)
class Word:
    """`text[start:end]`, without signs around it. `joins`: nothing stands between it and the blanks around it."""

    start: int
    end: int
    joins: bool


@dataclass(frozen=True)
class Spans:
    """A text, and its parts as calls spell them. All are found in the text but for blanks, case, `_` and `-`."""

    text: str

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words, without signs and the endings of possessives."""
        found = []
        for match in _WORD.finditer(self.text.replace(SLOT, " " * len(SLOT))):
            left = match[0].lstrip(_OPENING)
            start = match.end() - len(left)
            kept = _POSSESSIVE.sub("", left.rstrip(_CLOSING))
            if kept:
                found.append(Word(start, start + len(kept), kept == match[0]))
        return tuple(found)

    @cached_property
    def plain(self) -> frozenset[str]:
        """The words of letters, digits, `_` and `-` alone."""
        return frozenset(word for word in map(self._of, self.words) if _PLAIN.fullmatch(word))

    def ids(self) -> set[str]:
        """What may follow the `#` of a reference, in quotes where it needs them.

        Where the text marks words by a `#`, those, and words that look like ids; else all words.
        """
        marked = self.marked
        likely = [word for word in map(self._of, self.words) if _LIKE_ID.search(word)]
        found = set()
        for word in (*marked, *likely) if marked else map(self._of, self.words):
            found |= {word, word.rpartition("#")[2].lstrip(_OPENING)}
            if not (marked and _ONE_ID.fullmatch(word)):
                found |= {*_DIGITS.findall(word)}
        return {show_reference(NodeRef("k", id)).partition("#")[2] for id in found if id}

    @cached_property
    def marked(self) -> tuple[str, ...]:
        """The words that the text marks by a `#`."""
        return tuple(self._of(word) for word in self.words if self._is_marked(word))

    def _is_marked(self, word: Word) -> bool:
        return "#" in self.text[max(0, word.start - 1) : word.end]

    def counted(self) -> set[str]:
        """Words with digits or a `#` in them, as they stand in the text, and the digits alone; none with an opening bracket."""
        found = {word for word in self.text.replace(SLOT, " ").split() if _COUNTED.search(word)}
        words = {word for word in map(self._of, self.words) if _COUNTED.search(word)}
        ids = {word.rpartition("#")[2] for word in words}
        ids |= {*self.marked}
        digits = {run for word in words for run in _DIGITS.findall(word)}
        parts = (*found, *words, *ids, *(f"#{id}" for id in ids), *digits)
        return {part for part in parts if part and "[" not in part and "(" not in part}

    def kinds(self) -> set[str]:
        """The words that may be the kind of a reference, in lower case: those before a `#`, or else all."""
        words = _BEFORE_MARK.findall(self.text) if self.marked else self.plain
        return {word.lower() for word in words if word.isascii() and word.isalpha()}

    def numbers(self) -> set[str]:
        """The numbers, and 1 where the text says it in other words: "the movie that she watches next"."""
        found = {self._of(word) for word in self.words}
        found |= {digits for word in found for digits in _DIGITS.findall(word)}
        found |= {"1"} if says_one(self.text) else set()
        return {number for number in found if as_number(number) and "inf" not in number}

    def quoted(self) -> set[str]:
        """Names of one to MOST_WORDS words, as texts in quotes."""
        found = {self.text[first.start : last.end] for first, last, _ in self._runs()}
        return {quote(name) for name in found if SLOT not in name}

    def names(self, join: str) -> set[str]:
        """The same in lower case, with `join` between their words: bull_graph of "the Bull graph"."""
        found = set()
        for first, last, whole in self._runs():
            words = self.text[first.start : last.end].lower().split()
            # A tokenizer of characters that has those of the text may not have them in lower case.
            known = all(sign.isascii() or sign in self.text for word in words for sign in word)
            if whole and known and all(map(_PLAIN.fullmatch, words)):
                found.add(join.join(words).replace("_" if join == "-" else "-", join))
        return found

    def _runs(self) -> "list[tuple[Word, Word, bool]]":
        """First and last word of each run of words, and whether only blanks stand between them."""
        words = self.words
        found: list[tuple[Word, Word, bool]] = []
        for at, first in enumerate(words):
            whole = True
            found.append((first, first, whole))
            for before, last in pairwise(words[at : at + MOST_WORDS]):
                whole = whole and not self.text[before.end : last.start].strip()
                found.append((first, last, whole))
        return found

    def _of(self, word: Word) -> str:
        return self.text[word.start : word.end]
