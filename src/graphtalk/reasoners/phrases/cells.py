"""Questions put to a table: a column by its name, and other columns by their values.

"What is the score for the home team of Essendon", "which nation has a gold of 0 and a bronze smaller than 6", "how many points were
there when the game is 14". Rows need no noun of their own. Every word has its place, or there is no reading; a value that
several columns have is of each of them in turn, so that what differs is asked back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.columns import Columns
from graphtalk.reasoners.phrases.lexicon import is_date
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import AGGREGATES
from graphtalk.reasoners.phrases.words import BE
from graphtalk.reasoners.reader.reading import Column, Item, Span, Test
from graphtalk.reasoners.reader.shape import Held, spoken

_ASKED = (
    *(f"{what}{be}" for what in ("which", "what", "who") for be in ("", " is", " are", " was", " were")),
    *(
        f"{order}{me}"
        for order in ("name", "tell", "list", "give", "show", "find", "state")
        for me in ("", " me")
    ),
)
_COUNTED = ("how many", "what is the number of", "what is the total number of", "name the number of")
_LED = (
    "for", "whose", "of", "with", "when", "where", "in which", "if", "that has", "that have", "that had", "which has", "having", "has", "have",
    "had", "in", "on", "at", "from", "by", "were for", "was for", "are for", "is for", "are there for", "are there when", "were there when",
    "are there where", "were there where", "were there for", "are there with", "were there with", "are there in", "were there in",
)  # fmt: skip
_JOINED = (
    "and",
    ", and",
    ",",
    "with",
    "when",
    "where",
    "and with",
    "and has",
    "that has",
    "for",
    "in",
    "on",
    "at",
)
_ARTICLES = ("the", "a", "an", "its", "their")
_IS = (*BE, "of", "being", "equal to", "is equal to", "named", "called", "=")
_ALL = ("the", "all the", "all", "every", "each")
_MOST_CELLS = 4  # conditions


@dataclass(frozen=True)
class Wanted:
    """The column that is asked for. `kind`: an aggregate of its cells, COUNT, or nothing for the cells themselves."""

    held: Held
    kind: str = ""


class Cells(Columns):
    """Reads questions for cells of a table."""

    def of_rows(self) -> Iterator[Asked]:
        """The column that is asked for, of the rows that the rest of the question tells."""
        for owner in self.lexicon.shape.types:
            for end, wanted in self._wanted(0, owner):
                for items in dict.fromkeys(self._rows_told(end, owner, wanted.held)):
                    yield from self._cells(Things(owner, items, many=True), wanted)
            yield from self._had_by_cell(owner)
            yield from self._cells_first(owner)

    def _had_by_cell(self, owner: str) -> Iterator[Asked]:
        """ "What is Iceland's total", where Iceland is no name of a row."""
        cells = [found for begin, _ in self.said(0, _ASKED) for found in self._cell(begin, owner)]
        for middle, test in cells:
            for after, _ in self.said(middle, ("'s", "'")):
                for end, wanted in self._of_columns(after, owner):
                    if self.done(end) and wanted.held.action != test.held:
                        yield from self._cells(Things(owner, (test,), many=True), wanted)

    def _cells_first(self, owner: str) -> Iterator[Asked]:
        """ "When Gary Player is the winner, how many tournaments are there": what is asked for comes last."""
        led = [begin for begin, _ in self.said(0, ("when", "where", "if", "for", "with"))]
        for middle, test in (found for begin in led for found in self._cell(begin, owner)):
            for comma in self.perhaps(middle, (",",)):
                for end, wanted in self._wanted(comma, owner):
                    if self.idle(end) and wanted.held.action != test.held:
                        yield from self._cells(Things(owner, (test,), many=True), wanted)

    def _wanted(self, at: int, owner: str) -> Iterator[tuple[int, Wanted]]:
        """What is asked for, with the word that asks: "what is the highest crowd", "how many venues"."""
        for begin, _ in self.said(at, _ASKED):
            for start in self.perhaps(begin, _ALL):
                yield from self._of_columns(start, owner)
        for begin, _ in self.said(at, _COUNTED):
            for start in self.perhaps(begin, _ALL):
                yield from ((end, Wanted(held, "COUNT")) for end, held in self._heading(start, owner))

    def _of_columns(self, at: int, owner: str) -> Iterator[tuple[int, Wanted]]:
        """A column, or an aggregate of it."""
        yield from ((end, Wanted(held)) for end, held in self._heading(at, owner))
        for begin, word in self.said(at, tuple(AGGREGATES)):
            yield from ((end, Wanted(held, AGGREGATES[word])) for end, held in self._heading(begin, owner))

    def _heading(self, at: int, owner: str) -> Iterator[tuple[int, Held]]:
        """A column by its name, with the number sign or the unit in brackets that may follow it."""
        exact = self.lexicon.named_so(self.roots, at, owner)
        elsewhere = any(name != owner for _, name in self.lexicon.types(self.roots, at))
        for end, held in self.lexicon.noun(self.roots, at, owner):
            if any(stop < end and other != held for stop, other in exact):
                continue  # of "to par score" either column may be meant
            if elsewhere and (end, held) not in exact:
                continue  # "template ids" are no codes of template types
            yield end + (self.word(end) == "#"), held
            if self.word(end) == "(" and ")" in self.words[end : end + 4]:
                close = self.words.index(")", end)
                inside = [w for word in self.words[end + 1 : close] for w in spoken(word).split()]
                if inside and set(inside) <= set(spoken(held.name).split()):
                    yield close + 1, held

    def _cells(self, told: Things, wanted: Wanted) -> Iterator[Asked]:
        """The cells of a column of some rows, how many they are, or one number for all."""
        held, kind = wanted.held, wanted.kind
        if kind == "COUNT" and held.kind != "number":
            # So many rows, and so many different values: where these differ it is asked back.
            yield self._count(told)
            yield self._aggregate(told, "VALUES", held)
        elif kind == "COUNT":  # "how many laps were in grid 4": of one row
            yield self._aggregate(told, "SUM", held)
            yield self._aggregate(told, "MAX", held)
        elif not kind:
            yield self.compiler.columns(told, Column("NODE", "" if held.naming else held.action))
        elif held.kind == "number" and not (is_date(held) and kind in ("AVG", "SUM")):
            yield self._aggregate(told, kind, held)

    def _rows_told(self, at: int, owner: str, asked: Held) -> Iterator[tuple[Item, ...]]:
        """What rows fulfil, from a word to the end."""
        begun: list[tuple[int, tuple[Test, ...]]] = [(end, ()) for end, _ in self.said(at, _LED)]
        while begun:
            further = []
            for start, items in begun:
                for end, test in self._cell(start, owner):
                    if test.held == asked.action or any(t.held == test.held for t in items):
                        continue
                    more = (*items, test)
                    if self.done(end):
                        yield more
                    elif len(more) < _MOST_CELLS:
                        further += [(last, more) for last, _ in self.said(end, _JOINED)]
            begun = further

    def _cell(self, at: int, owner: str) -> Iterator[tuple[int, Test]]:
        """A condition on one column: "the home team of Essendon", "gold is 0", "12 contestants", "Essendon", "289 as the total"."""
        for begin in self.perhaps(at, _ARTICLES):
            for noun, held in self._heading(begin, owner):
                for middle in self.perhaps(noun, _IS):
                    for start in self.perhaps(middle, ("the",)):
                        yield from self._worth(start, held)
            for end, test in self.owned(begin, owner, naming=True):
                yield from ((last, test) for last in self._called(end, test, owner))
            years = [h for h in self.lexicon.held(owner) if is_date(h)]
            for end, index in self.value(begin) if len(years) == 1 else ():
                if self.is_year(Span(index)):  # "the singles of 2008"
                    yield end, Test(years[0].action, "EQ", (Span(index),))
            for end, pairs in self.quantity(begin):
                for last, held in self._heading(end, owner):
                    if held.kind == "number" and len(pairs) == 1 and not is_date(held):
                        yield last, Test(held.action, pairs[0][0], (pairs[0][1],))
            for end, span in self.number(begin):
                after = [*self.said(end, ("as", "for"))]
                for last, held in self._columns_at(end, after, owner):
                    if held.kind == "number" and not is_date(held):
                        yield last, Test(held.action, "EQ", (span,))

    def _columns_at(
        self, at: int, after: Sequence[tuple[int, str]], owner: str
    ) -> Iterator[tuple[int, Held]]:
        """The column after a number: "12 contestants", "289 as the total"."""
        yield from self._heading(at, owner)
        for begin, _ in after:
            for start in self.perhaps(begin, _ARTICLES):
                yield from self._heading(start, owner)

    def _called(self, at: int, test: Test, owner: str) -> Iterator[int]:
        """Where it ends that the column of a value is said after it: "the MCG venue", "Essendon as the home team"."""
        yield at
        begins = [
            at,
            *(b for end, _ in self.said(at, ("as", "is", "was")) for b in self.perhaps(end, _ARTICLES)),
        ]
        for begin in begins:
            yield from (end for end, held in self._heading(begin, owner) if held.action == test.held)

    def _worth(self, at: int, held: Held) -> Iterator[tuple[int, Test]]:
        """What a column has: a text of its own, a number, so much or more, a time."""
        if held.kind == "number":
            yield from ((end, Test(held.action, "EQ", (span,))) for end, span in self.number(at, held.name))
            for end, pairs in self.quantity(at, held.name):
                if len(pairs) == 1:
                    yield end, Test(held.action, pairs[0][0], (pairs[0][1],))
        for end, test in self.owned(at, held.owner, naming=held.naming):
            if test.held == held.action:
                yield end, test
        for end, index in self.value(at) if is_date(held) else ():
            if self.is_year(Span(index)):
                yield end, Test(held.action, "EQ", (Span(index),))
