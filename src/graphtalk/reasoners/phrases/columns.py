"""Questions for several things that nodes have, in an order: "names and ages of the singers", "the capacity of each hall, the largest first"."""

from collections.abc import Iterator
from dataclasses import replace

from graphtalk.language.dictionary import verb_done
from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.counting import Counting
from graphtalk.reasoners.phrases.things import Things
from graphtalk.reasoners.phrases.whole import AGGREGATES, BETWEEN, EACH, WHAT
from graphtalk.reasoners.phrases.words import AND, HAVE
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Reading, Test
from graphtalk.reasoners.reader.shape import Held

_OF = ("of", "for", "from", "by", "in", "of all", "for all", "of the", "for the")
_EACH = (
    "each",
    "every",
    "each of the",
    "every one of the",
    "all of the",
    "the different",
    "the distinct",
    "different",
    "distinct",
    "the various",
)
_UNLIKE = (
    "the",
    "all",
    "all the",
    "the different",
    "the distinct",
    "different",
    "distinct",
    "unique",
    "all different",
    "all distinct",
)
_MOST_COLUMNS = 6


class Columns(Counting):
    """Reads questions for columns: what nodes are called, properties, and how many of something they have."""

    def columns_of(self) -> Iterator[Asked]:
        """ "What are the names and ages of singers who ...", "document ids with at least two paragraphs", "maximum and minimum price"."""
        for begin in dict.fromkeys((*self.begun(), 0)):
            for start in self.perhaps(begin, _UNLIKE):
                for owner in self.lexicon.shape.types:
                    for end, columns in self._properties(start, owner, _MOST_COLUMNS):
                        if len(columns) == 1 and (begin == 0 or columns[0].kind == "CNT"):
                            continue  # "prices of books" may be a title, and a "number of pets of students" is one number
                        for things, order, more in self._owners(end, owner, len(columns) > 1):
                            yield from self._some(things, None, False, (*columns, *more), order)
                        for things, order in self._owner_before(start, end, owner):
                            yield from self._some(things, None, False, columns, order)
                        for first, _ in self.said(end, _OF):
                            for at, limit, top in self.limited(first) if self.word(first) else ():
                                for last, things in self.things(at) if limit is not None else ():
                                    if things.type == owner and not things.one and self.idle(last):
                                        yield from self._some(things, limit, top, columns)
            for middle, things in self.things(begin):  # "the students' first names"
                for after, _ in self.said(middle, ("'s", "'")):
                    for end, columns in self._properties(after, things.type, _MOST_COLUMNS):
                        if self.idle(end) and not things.one and things.many:
                            yield from self._some(things, None, False, columns)

    def _owners(
        self, at: int, owner: str, single: bool
    ) -> Iterator[tuple[Things, Best | None, tuple[Column, ...]]]:
        """Nodes of a type, their order, and further columns, to the end: "of all singers who ..., and their songs, ordered by age".

        `single`: a named node too.
        """
        for begin, _ in self.said(at, _OF):
            for start in self.perhaps(begin, _EACH):
                for things, end in self._listed_things(start, True):
                    asked = things.items or things.many or start > begin
                    if things.type == owner and asked and (single or not things.one):
                        for middle, more in ((end, ()), *self._further(end, owner)):
                            for last, order in self.sorted(middle, owner):
                                if self.idle(last):
                                    yield things, order, more
                        for middle, hop in self._joined(end, owner):
                            pair = replace(things, items=(*things.items, hop))
                            for last, order in self.sorted(middle, owner):
                                if self.idle(last):
                                    yield pair, order, (Column("NODE", node="V1"),)

    def _further(self, at: int, owner: str) -> Iterator[tuple[int, tuple[Column, ...]]]:
        """Columns that are said after the noun: "(names of teachers) and the number of courses they teach"."""
        for begin, _ in self.said(at, AND):
            yield from self._properties(begin, owner, 2)

    def _joined(self, at: int, owner: str) -> Iterator[tuple[int, Hop]]:
        """What each is joined to, told beside it: "(teachers) and the courses they teach", "and their courses"."""
        for begin, _ in self.said(at, (*AND, "along with", "together with", "with", "as well as")):
            theirs = [
                end for end, _ in self.said(begin, ("their", "the names of their", "their corresponding"))
            ]
            for start in (
                *theirs,
                *self.perhaps(begin, ("the", "what", "which", "the names of the", "the names of")),
            ):
                for end, step, far in self.neighbours(start, owner, plain=True):
                    ends = [end] if start in theirs else []
                    for verb, _ in self.said(end, ("they", "it", "he or she", "each")):
                        if self.word(verb) in HAVE or self.lexicon.does(self.word(verb), step):
                            ends.append(verb + 1)
                    if not far.one:
                        yield from ((last, Hop(step.action, far.items, name="V1")) for last in ends)

    def _owner_before(self, start: int, end: int, owner: str) -> Iterator[tuple[Things, Best | None]]:
        """Nodes of a type whose noun stands before what they have, or ends it, and what is said after that: "song names by singers above
        30", "(the title and) the year of the songs (that ...)".
        """
        nouns = [noun for noun, t in self.types(start) if t == owner and noun < end]
        # Lecturers who "joined before 2010" are asked for themselves.
        first = any(not (self.many(noun) and verb_done(self.word(noun))) for noun in nouns)
        last = any((end, owner) in self.types(at) for at in (end - 1, end - 2))
        if first or last:
            these = Things(owner, many=first or self.many(end))
            for middle, things in ((end, these), *self.modified(end, these)):
                if things.items or things.many:
                    orders = self.sorted(middle, owner)
                    yield from ((things, order) for last_, order in orders if self.idle(last_))

    def aggregates_of(self) -> Iterator[Asked]:
        """ "The average price of novels", "the highest salary in Marketing", "the minimum, average and maximum age of singers"."""
        starts = dict.fromkeys((*self.begun(), *self.perhaps(0, WHAT)))
        for begin in dict.fromkeys(b for start in starts for b in self.perhaps(start, ("the",))):
            yield from self._between_averages(begin)
            for owner in self.lexicon.shape.types:
                for end, columns in self._aggregated(begin, owner, 4):
                    for first, _ in self.said(end, _OF):
                        for start in self.perhaps(
                            first, _EACH if self.word(first) not in ("each", "every") else ()
                        ):
                            for things, last in self._listed_things(start, True):
                                if things.type == owner and not things.one and self.idle(last):
                                    yield self.compiler.columns(things, *columns)
                    for each in self._each_own(end, owner) if len(columns) > 1 else ():
                        yield self.compiler.columns(Things(owner), Column("NODE", each.action), *columns)
                    for last, things in self.modified(end, Things(owner)):
                        if self.idle(last) and (
                            self.word(end) not in ("of", "for") or self._noun_last(things)
                        ):
                            yield self.compiler.columns(things, *columns)

    def _between_averages(self, at: int) -> Iterator[Asked]:
        """ "(The difference between) the average salary in Rome and in Oslo", "... and that of Oslo"."""
        for begin in (b for end, _ in self.said(at, BETWEEN) for b in self.perhaps(end, ("the",))):
            for owner in self.lexicon.shape.types:
                for end, columns in self._aggregated(begin, owner, 0):
                    for middle, first in self.modified(end, Things(owner)):
                        for start, _ in self.said(middle, ("and that", "and the one", "and")):
                            for last, second in self.modified(start, Things(owner)):
                                if self.done(last):
                                    a, b = (
                                        Reading(owner, t.items, "RETURN", columns) for t in (first, second)
                                    )
                                    yield self.compiler.difference(a, b, False)

    def _each_own(self, at: int, owner: str) -> Iterator[Held]:
        """The property that ends a question, of which each value is told: "for each pet type", "of the pets by type"."""
        ends = [last for b, _ in self.said(at, _OF) for last, t in self.types(b) if t == owner]
        for end in (at, *ends):
            for begin, _ in self.said(end, EACH):
                for last, held in self.lexicon.noun(self.roots, begin, owner):
                    own = [
                        e
                        for b, _ in self.said(last, ("of", "of the"))
                        for e, t in self.types(b)
                        if t == owner
                    ]
                    if not held.naming and any(map(self.idle, (last, *own))):
                        yield held

    def _noun_last(self, things: Things) -> bool:
        """Whether the last word is the noun of the property that nodes are told by: "of Graz district"."""
        held = {self.lexicon.shape.properties[i.held] for i in things.items if isinstance(i, Test)}
        return any(self.lexicon.calls(self.roots[-1:], h) for h in held)

    def _aggregated(self, at: int, owner: str, most: int) -> Iterator[tuple[int, tuple[Column, ...]]]:
        """Aggregates of properties, two and more of one where it is said last: "minimum and maximum price"."""
        for begin in self.perhaps(at, ("the",)):
            for middle, word in self.said(begin, tuple(AGGREGATES)):
                nouns = (
                    self.lexicon.noun(self.roots, m, owner) for m in self.perhaps(middle, ("number of",))
                )
                for end, held in (found for some in nouns for found in some):
                    if held.kind == "number" or (held.kind == "date" and AGGREGATES[word] in ("MIN", "MAX")):
                        yield end, (Column(AGGREGATES[word], held.action),)
                        for start, _ in self.said(end, ("and", ",", ", and")) if most else ():
                            for last, more in self._aggregated(start, owner, most - 1):
                                yield last, (Column(AGGREGATES[word], held.action), *more)
                for start, _ in self.said(middle, ("and", ",", ", and")) if most else ():
                    for last, more in self._aggregated(start, owner, most - 1):
                        yield last, (Column(AGGREGATES[word], more[0].held), *more)
