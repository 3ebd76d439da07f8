"""The words of a question, with the values, numbers and dates that stand among them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from graphtalk.language.measures import base_of
from graphtalk.language.nouns import singular
from graphtalk.language.places import nouns_of
from graphtalk.language.units import units
from graphtalk.reasoners.around.names import TOKEN, root
from graphtalk.reasoners.phrases.cell_texts import CELL
from graphtalk.reasoners.phrases.lexicon import Lexicon
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reading import Item, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

MOST_WORDS = 40
ABOVE = {
    "more than": "GT", "over": "GT", "above": "GT", "greater than": "GT", "higher than": "GT", "larger than": "GT",
    "longer than": "GT", "bigger than": "GT", "at least": "GE", "no less than": "GE", "no fewer than": "GE", "less than": "LT",
    "under": "LT", "below": "LT", "fewer than": "LT", "lower than": "LT", "smaller than": "LT", "shorter than": "LT",
    "at most": "LE", "no more than": "LE", "up to": "LE", "exactly": "EQ", "exceeding": "GT", "that exceeds": "GT",
    "greater than or equal to": "GE", "less than or equal to": "LE",
}  # fmt: skip
WHEN = {
    "in": "EQ",
    "during": "EQ",
    "on": "EQ",
    "after": "GT",
    "since": "GE",
    "before": "LT",
    "until": "LE",
    "from": "EQ",
    "for": "EQ",
    "at": "EQ",
    "of": "EQ",
    **dict.fromkeys(("in or before", "on or before", "before or in"), "LE"),
    **dict.fromkeys(("in or after", "on or after", "after or in"), "GE"),
}
_ONWARDS = {"or later": "GE", "or after": "GE", "onwards": "GE", "or earlier": "LE", "or before": "LE"}
_OR = {  # of what is no date
    f"{joint} {word}": operator
    for operator, words in {
        "GE": "more above higher better longer greater over larger bigger up upwards",
        "LE": "less fewer below lower under shorter smaller down downwards",
    }.items()
    for word in words.split()
    for joint in ("or", "and")
}
AND = ("and", ", and", ",")
BE = ("is", "are", "was", "were", "'s", "'re")
DO = ("do", "does", "did")
HAVE = ("have", "has", "had")
_STAYING = {
    "work": "work works worked working employed",
    "live": "live lives lived living reside resides resided residing",
    "come": "come comes came coming",
    "born": "born",
    "die": "die dies died dying",
    "be": "located based situated headquartered lie lies lay lying belong belongs belonged belonging stay stays stayed staying "
    "stand stands stood standing sit sits sat sitting appear appears appeared appearing",
}
STAYING = {form: verb for verb, forms in _STAYING.items() for form in forms.split()}
WE = ("did we", "have we", "we have", "we")  # whose graph it is
HAPPENED = ("were there", "was there", "took place", "take place", "happened", "happen", "occurred", "occur",
            *(f"{be} {done}" for be in ("were", "was", "have been", "has been")
              for done in ("made", "placed", "recorded", "held", "carried out", "conducted", "performed", "done", "run")))  # fmt: skip
KEPT = ("kept", "stored", "held", "housed", "located", "parked", "shelved", "stationed", "displayed")
PLACED = ("in", "within", "at", "for", "of", "to", "from", "on", "under", "by", "with", "as")
_HYPHEN = re.compile(r"(?<=[^\W\d])-(?=[^\W\d])")  # "bought-together items" are items bought together


@cache
def _words_of(phrase: str) -> tuple[str, ...]:
    return tuple(phrase.split())


class Words:
    """The words of one question, over one schema."""

    def __init__(self, lexicon: Lexicon, question: str, values: Sequence[Linked]) -> None:
        self.lexicon, self.values = lexicon, values
        text = question.rstrip(" \t\n\r?!.")
        quotes = {place for v in values if v.kind == "quoted" for place in (v.start - 1, v.end)}
        dropped = quotes | {m.start() for m in _HYPHEN.finditer(text)}
        tokens = [m for m in TOKEN.finditer(text) if m.start() not in dropped or m.group().isalnum()]
        self.words = tuple(m.group().casefold().replace("’", "'") for m in tokens)
        self.roots = tuple(map(root, self.words))
        self._types: dict[int, list[tuple[int, str]]] = {}
        starts, ends = (
            {m.start(): i for i, m in enumerate(tokens)},
            {m.end(): i + 1 for i, m in enumerate(tokens)},
        )
        self._at: dict[int, list[tuple[int, int]]] = {}
        self._plural: set[int] = set()
        for index, value in enumerate(values):
            written = TOKEN.match(text, value.start)
            place = written is not None and value.text in nouns_of(
                written.group()
            )  # of "Japanese" it is "Japan"
            for end in (
                value.end,
                value.end + 1,
                *([value.end + 2] if text[value.end : value.end + 2] == "es" else []),
                *([written.end()] if written and place else []),
            ):  # of "novels" "novel", of "dresses" "dress"
                if value.start in starts and end in ends:
                    self._at.setdefault(starts[value.start], []).append((ends[end], index))
                    self._plural |= {index} if end > value.end and not place else set()
                    break
        for start, ends_there in [*self._at.items()]:
            for end, index in ends_there:
                for begin in self._apposed(start, values[index]):
                    self._at.setdefault(begin, []).append((end, index))
        self.nodes: dict[tuple[int, bool], list[tuple[int, Things]]] = {}
        self.told: dict[tuple[str, int, str, int], list[tuple[int, tuple[Item, ...]]]] = {}

    def _apposed(self, at: int, value: Linked) -> Iterator[int]:
        """Where a value begins that is named with what it is: "the state of Hawaii"."""
        if value.kind != "name" or self.word(at - 1) != "of":
            return
        for noun in range(max(0, at - 4), at - 1):
            for action in value.owners:
                held = self.lexicon.shape.properties.get(action)
                if held is not None and not held.naming and held.kind == "text":
                    named = self.lexicon.noun(self.roots, noun, held.owner)
                    yield from (noun for end, found in named if end == at - 1 and found == held)

    def once(
        self,
        read: Callable[[int, str, int], Iterator[tuple[int, tuple[Item, ...]]]],
        at: int,
        of: str,
        most: int,
    ) -> list[tuple[int, tuple[Item, ...]]]:
        """What is read at a word of nodes of a type, worked out once: phrases stand within phrases."""
        key = (read.__name__, at, of, most)
        if key not in self.told:
            self.told[key] = list(dict.fromkeys(read(at, of, most)))
        return self.told[key]

    def said(self, at: int, phrases: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Those of some phrases that stand at a word, each with where it ends."""
        for phrase in phrases:
            words = _words_of(phrase)
            if self.words[at : at + len(words)] == words:
                yield at + len(words), phrase

    def perhaps(self, at: int, phrases: Sequence[str]) -> Iterator[int]:
        """Where it may go on with or without one of some phrases."""
        yield at
        for end, _ in self.said(at, phrases):
            yield end

    def word(self, at: int) -> str:
        """The word at a place; none beyond the end."""
        return self.words[at] if at < len(self.words) else ""

    def superlative(self, at: int) -> Iterator[tuple[int, str, bool]]:
        """A superlative, the adjective that measures, and whether it asks for the most of it."""
        word, following = self.word(at), self.word(at + 1)
        if word in ("most", "least") and following:
            yield at + 2, following, word == "most"
        if word.endswith("est") or word in ("best", "worst", "first", "last", "least", "most"):
            yield at + 1, word, True

    def comparative(self, at: int) -> Iterator[tuple[int, str, bool]]:
        """A comparative, the adjective that measures, and whether it says more of it: "older", "less expensive"."""
        word, following = self.word(at), self.word(at + 1)
        if word in ("more", "less") and following and following != "than":
            yield at + 2, following, word == "more"
        if word.endswith("er") and base_of(word) != word:
            yield at + 1, word, True

    def value(self, at: int) -> Iterator[tuple[int, int]]:
        """The values that begin at a word, by their places among the values; no cells."""
        yield from ((end, i) for end, i in self._at.get(at, ()) if self.values[i].kind != CELL)

    def cell(self, at: int, owner: str) -> Iterator[tuple[int, Test]]:
        """The cells of a lone table that begin at a word, in whichever column they are."""
        for end, index in self._at.get(at, ()):
            for action in self.values[index].owners if self.values[index].kind == CELL else ():
                if self.lexicon.shape.properties[action].owner == owner:
                    yield end, Test(action, "EQ", (Span(index),))

    def types(self, at: int) -> list[tuple[int, str]]:
        """The types whose names begin at a word, each with where it ends; of those of one root ("observers", "observations") what is spelt so."""
        if at not in self._types:
            found = self.lexicon.types(self.roots, at)
            spelt = [
                (end, t)
                for end, t in found
                if singular(self.words[end - 1]) == singular(spoken(t).rpartition(" ")[2])
            ]
            self._types[at] = spelt or found
        return self._types[at]

    def named_at(self, at: int) -> bool:
        """Whether something is named where an amount would end: "showed more than 3 red cards" says how many cards, and no amount of the verb's."""
        further = self.types(at + 1) if self.word(at) not in PLACED else ()  # "the most in teams" says where
        return bool(self.types(at) or further) or any(
            self.values[i].kind != "number" for _, i in self.value(at)
        )

    def asked_before(self, at: int, node_type: str) -> bool:
        """Whether the noun of a type stands before a word."""
        return any(t == node_type for begin in range(at) for _, t in self.types(begin))

    def named_before(self, at: int) -> list[int]:
        """The values whose words end before a word, by their places among the values."""
        return [index for found in self._at.values() for end, index in found if end <= at]

    def number(self, at: int, unit: str = "") -> Iterator[tuple[int, Span]]:
        """A number with its unit, which may be the name of what it counts."""
        for end, index in self.value(at):
            v = self.values[index]
            if v.kind == "number" and not v.ordinal and not v.decade:
                yield end, Span(index)
                if units(f"{self.word(end)} {self.word(end + 1)}"):  # "square metres"
                    yield end + 2, Span(index)
                if units(self.word(end)) or (unit and self.word(end) and root(self.word(end)) == root(unit)):
                    yield end + 1, Span(index)
                    if self.word(end + 1) == "old":
                        yield end + 2, Span(index)

    def compared(self, at: int, unit: str = "") -> Iterator[tuple[int, str, Span]]:
        """A comparison with a number: "more than 300 hours", "5 or more"."""
        for begin, phrase in self.said(at, tuple(ABOVE)):
            for end, span in self.number(begin, unit):
                yield end, ABOVE[phrase], span
        for middle, span in self.number(at, unit):
            yield from ((end, operator, span) for end, operator in self.or_more(middle))

    def or_more(self, at: int) -> Iterator[tuple[int, str]]:
        """What is said last of a number: "or more", "and up", "or less"."""
        yield from ((end, _OR[phrase]) for end, phrase in self.said(at, tuple(_OR)))

    def dated(self, at: int, held: Held) -> Iterator[tuple[int, tuple[Item, ...]]]:
        """When: "in 2019", "between 2010 and 2015", "since May 2020", "after 1950 and before 1960"."""
        for end, test in self._at_date(at, held):
            yield end, (test,)
            for begin, _ in self.said(end, ("and", "but")):
                for last, other in self._at_date(begin, held):
                    yield last, (test, other)
            for begin, _ in self.said(end, ("but not", ", but not", "and not")):
                for last, other in self._at_date(begin, held):
                    if other.operator == "EQ" and len(other.values) == 1:
                        yield last, (test, replace(other, operator="NE"))
        for begin, _ in self.said(at, ("between", "from")):
            for middle, first in self.value(begin):
                for last, index in self.value(middle + 1):
                    joined = self.word(middle) in ("and", "to")
                    if joined and self._is_date(first) and self._is_date(index):
                        ends = (
                            Test(held.action, "GE", (Span(first),)),
                            Test(held.action, "LE", (Span(index),)),
                        )
                        yield last, ends

    def _at_date(self, at: int, held: Held) -> Iterator[tuple[int, Test]]:
        for begin, phrase in self.said(at, tuple(WHEN)):
            for start in self.perhaps(begin, ("the", "the year", "year")):
                for end, index in self.value(start):
                    if self._is_date(index) and (
                        phrase not in ("for", "at") or self.values[index].kind == "date"
                    ):
                        yield end, Test(held.action, WHEN[phrase], (Span(index),))
                        for other, _ in self.said(end, ("or",)) if WHEN[phrase] == "EQ" else ():
                            for last, second in self.value(other):
                                if self._is_date(second):
                                    yield last, Test(held.action, "EQ", (Span(index), Span(second)))
                        for last, more in self.said(end, tuple(_ONWARDS)) if WHEN[phrase] == "EQ" else ():
                            yield last, Test(held.action, _ONWARDS[more], (Span(index),))

    def is_year(self, span: Span) -> bool:
        """Whether a number may be a year."""
        return self._is_date(span.index)

    def _is_date(self, index: int) -> bool:
        v = self.values[index]
        year = v.kind == "number" and v.number is not None and (v.decade or 1000 <= v.number <= 2200)
        return v.kind == "date" or (year and not v.ordinal)

    def owned(self, at: int, owner: str, naming: bool = False) -> Iterator[tuple[int, Test]]:
        """A value that a property of an owner has: what is a name is no other value, and counts only where `naming`."""
        for end, index in self.value(at):
            found = [self.lexicon.shape.properties.get(action) for action in self.values[index].owners]
            own = [held for held in found if held is not None and held.owner == owner]
            spelt = dict(self.values[index].found)
            said = self.values[index].text.casefold()
            named = any(held.naming and said in map(str.casefold, spelt[held.action]) for held in own)
            for held in own:
                if held.naming if naming and named else not named and not held.naming:
                    yield end, Test(held.action, "EQ", (Span(index),))
                    for last, spans in self._listed_values(end, held.action, (Span(index),)):
                        yield last, Test(held.action, "EQ", spans)

    def _listed_values(
        self, at: int, action: str, spans: tuple[Span, ...]
    ) -> Iterator[tuple[int, tuple[Span, ...]]]:
        """Three values and more of one property: "(Oslo), Rome or Bern"; of two, one is read and then the other."""
        for begin, joint in self.said(at, (",", ", or", "or")):
            for end, index in self.value(begin):
                if action not in self.values[index].owners:
                    continue
                more = (*spans, Span(index))
                if joint == ",":
                    yield from self._listed_values(end, action, more)
                elif len(more) > 2:
                    yield end, more

    @property
    def end(self) -> int:
        """Where the question ends."""
        return len(self.words)

    def done(self, at: int) -> bool:
        """Whether nothing more is said."""
        return at == self.end
