"""Slips of spelling: which word is meant by one that neither English nor a graph has.

In four or five letters two neighbours may be swapped, from five letters on one letter may be wrong, from ten on two.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from graphtalk.language.dictionary import american, dictionary
from graphtalk.language.english import stem, thesaurus
from graphtalk.language.measures import base_of
from graphtalk.language.nouns import forms, singular
from graphtalk.language.operators import closed_words
from graphtalk.language.wordpiece import word_rank, wordpiece
from graphtalk.search.likeness import slips

_SWAPPED, _ONE_WRONG, _TWO_WRONG = 4, 6, 10  # how long a word is at least for each
_COMMON = 20_000  # words of the tokeniser's vocabulary, which is in the order of use
_FAR = 4  # of two words as near the one that is so much more common is meant
SHORT = {
    "whats": "what's", "wats": "what's", "wat": "what", "wich": "which", "whos": "who's", "teh": "the", "hte": "the",
}  # fmt: skip
_WORD = re.compile(r"(?<![\w'’.@/-])[^\W\d_]{3,24}(?![\w'’@/-]|\.\w)")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|‘[^’]*’|\[[^\]]*\]|(?<!\w)'[^']*'(?!\w)")
_THAN = re.compile(r"\b(more|less|fewer|(?!later\b)\w+er) then\b(?! (?:the\b|which|who|what|how|,))", re.I)


def _compares(word: str) -> bool:
    """Whether a word compares: "older", but no "player"."""
    return base_of(word) != word or word in ("more", "less", "fewer")


class Respelt(NamedTuple):
    """A question as it is read, and which of its words are read as others: (as written, as read)."""

    question: str
    words: tuple[tuple[str, str], ...] = ()


class Speller:
    """Puts right the misspelt words of questions about one graph.

    own: the words of the schema; knows: whether a text of the graph has a word, in lower case
    """

    def __init__(self, own: Iterable[str], knows: Callable[[str], bool]) -> None:
        words = {
            word for name in own for word in name.lower().split() if len(word) >= _SWAPPED and word.isalpha()
        }
        self._own = frozenset(form for word in words for form in _inflected(word))
        self._stems = frozenset(map(stem, words))
        self._american = {american(form): form for form in self._own}  # the "licence" of `license`
        self._knows = knows

    def put_right(
        self, question: str, taken: Callable[[str], Iterable[tuple[int, int]]] = lambda _: ()
    ) -> Respelt:
        """The question with the words for which exactly one other can be meant; what is quoted, names and ids stay as they are.

        taken: the spans of a question that the graph has; asked for only where there is something to put right
        """
        compared = [m for m in _THAN.finditer(question) if _compares(m[1].lower())]
        said = [(m[0], f"{m[1]} than") for m in compared]
        for m in reversed(compared):
            question = f"{question[: m.end(1)]} than{question[m.end() :]}"
        found = [(m, right) for m in _WORD.finditer(question) if (right := self._meant(m, question))]
        if found:
            kept = [*(m.span() for m in _QUOTED.finditer(question)), *taken(question)]
            found = [
                (m, r) for m, r in found if all(m.end() <= start or end <= m.start() for start, end in kept)
            ]
        for match, right in reversed(found):
            question = question[: match.start()] + right + question[match.end() :]
        return Respelt(question, (*said, *((m[0], right) for m, right in found)))

    def _meant(self, match: re.Match[str], question: str) -> str | None:
        """The word that is meant by one of a question; of one that is written as a name only a month or a day."""
        word = match[0].lower()
        if word in SHORT:
            return SHORT[word]
        if word not in self._own and (own := self._american.get(american(word))):
            return own.capitalize() if match[0][0].isupper() else own
        if word in self._own or (stem(word) != word and stem(word) in self._stems) or is_english(word):
            return None
        if self._knows(word) or self._knows(singular(word)):
            return None
        begins = not question[: match.start()].strip(" \t\r\n\"'“‘(")
        if not match[0].islower() and not begins:
            right = _only(word, near(word, _named_days()))
        elif not match[0].islower():
            right = _only(word, near(word, (*self._own, *closed_words())))
        else:
            right = _only(word, near(word, self._own)) or self._common(word, near(word, _common()))
        return right and (right.capitalize() if match[0][0].isupper() else right)

    def _common(self, word: str, words: list[str]) -> str | None:
        """Of common words that are as near the one of the schema's family or of the graph's, or one far more common than the others."""
        family = [w for w in words if stem(w) in self._stems] or [w for w in words if self._knows(w)]
        if family:
            return _only(word, family)
        ranked = sorted(words, key=word_rank)
        first = wordpiece().id_of("the") or 0
        far = len(ranked) > 1 and (word_rank(ranked[1]) - first) >= _FAR * (word_rank(ranked[0]) - first)
        return ranked[0] if far else _only(word, ranked)


def _only(word: str, meant: list[str]) -> str | None:
    """The one word that all are forms of, in the form that ends as what was written; None where there are several or none."""
    if len({stem(each) for each in meant}) != 1:
        return None
    return max(meant, key=lambda each: (each[-1] == word[-1], len(each)))


def near(word: str, among: Iterable[str]) -> list[str]:
    """Those of some words of which `word` may be a slip, the nearest alone."""
    letters = set(word)
    close = [name for name in among if abs(len(name) - len(word)) <= 2 and len(letters ^ set(name)) <= 4]
    if not close:
        return []
    counted = zip(slips([word], close)[0].tolist(), close, strict=True)
    allowed = sorted((count, name) for count, name in counted if 0 < count <= _allowed(word, name))
    return [name for count, name in allowed if count == allowed[0][0]]


def _allowed(word: str, name: str) -> int:
    shorter = min(len(word), len(name))
    if shorter >= _TWO_WRONG:
        return 2
    return int(
        (shorter >= _ONE_WRONG - 1 and max(len(word), len(name)) >= _ONE_WRONG) or _is_swapped(word, name)
    )


def _is_swapped(word: str, name: str) -> bool:
    return len(name) >= _SWAPPED and len(word) == len(name) and sorted(word) == sorted(name)


def is_english(word: str) -> bool:
    """Whether a word in lower case is English, or a name that English has: in some form of it.

    >>> [word for word in ("invoices", "invioces", "traind", "shipped", "hake", "bugdet") if is_english(word)]
    ['invoices', 'shipped', 'hake']
    """
    if wordpiece().id_of(word) is not None:
        return True
    common, names = _words()
    return any(w in common or w in names for w in _lemmas(word))


def _lemmas(word: str) -> Iterator[str]:
    """What a word may be a form of, the word itself first."""
    yield word
    yield singular(word)
    for ending in ("ed", "ing", "er", "est"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word.removesuffix(ending)
            yield bare
            yield f"{bare}e"
            if bare[-1] == bare[-2]:
                yield bare[:-1]
            if bare.endswith("i"):
                yield f"{bare[:-1]}y"
    for ending in ("ly", "ness", "ers", "ings"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            yield word.removesuffix(ending)


def _inflected(word: str) -> Iterator[str]:
    """A word with its forms that English has."""
    one = singular(word)
    bare = one.removesuffix("e")
    yield word
    yield from forms(one)
    for root in {one, stem(word), bare, f"{stem(word)}e"}:
        yield from (
            f
            for ending in ("", "s", "ed", "ing", "er", "ers")
            if len(f := root + ending) >= 4 and is_english(f)
        )


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    """The words of WordNet that are no names, and those that are, in lower case."""
    words, names = dictionary()
    return words | thesaurus().words, names


@cache
def _common() -> tuple[str, ...]:
    """The common words of English that are no names, and the words that change what a question means."""
    listed = wordpiece()
    common, _ = _words()
    ranked = [w for w in listed.words(_COMMON) if len(w) >= _SWAPPED and w.isascii() and w.isalpha()]
    return tuple(
        dict.fromkeys(
            (
                *closed_words(),
                *_named_days(),
                *(w for w in ranked if any(lemma in common for lemma in _lemmas(w))),
            )
        )
    )


@cache
def _named_days() -> tuple[str, ...]:
    """The months and the days of the week."""
    from calendar import day_name, month_name

    return tuple(name.lower() for name in (*month_name, *day_name) if len(name) >= _SWAPPED)
