"""Questions for a number or the best of each group, and for the group that has the most."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from graphtalk.reasoners.phrases.asked import Asked
from graphtalk.reasoners.phrases.keys import Keys
from graphtalk.reasoners.phrases.relating import MOST_OF
from graphtalk.reasoners.phrases.things import Key, Rows, Things, Ways
from graphtalk.reasoners.phrases.whole import EACH, LARGEST, SHARE, WHAT
from graphtalk.reasoners.phrases.words import BE, DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Column, Hop, Span, Test

_COUNTS = tuple(
    f"{ask}{count}"
    for ask in ("", "what is ", "what are ", "show ", "show me ", "give me ", "list ")
    for count in (
        "how many",
        "the number of",
        "number of",
        "their number of",
        "the total number of",
        "total number of",
        "the count of",
        "count of",
        "count the",
        "count",
    )
)
_GROUPS = (
    "which",
    "what",
    "what is the",
    "which is the",
    *(f"{p} {w}" for p in ("in", "on", "at", "during", "for", "from") for w in ("which", "what")),
)
_TOLD_FIRST = tuple(f"{names}{all_}".strip() for names in ("", "the name of ", "the names of ", "name of ", "names of ")
                    for all_ in ("", "each", "every", "all", "all the", "the", "different", "the different", "distinct", "the distinct"))  # fmt: skip
_HAD_BY = (
    "with",
    "of",
    "shared by",
    "had by",
    "used by",
    "common to",
    "having",
    "for",
    "that are shared by",
    *(
        f"{at} which{there}"
        for at in ("in", "from", "for", "at", "on")
        for there in ("", " there are", " there were")
    ),
)
_BESIDE = tuple(
    f"{comma}{joined}"
    for comma in ("", ", ")
    for joined in ("and", "and also", "along with", "together with", "with", "as well as")
)
_OF_EACH = (
    *(
        f"{at} {each}"
        for at in ("for", "of", "in", "from", "at", "on", "to", "corresponding to", "belonging to")
        for each in ("each", "each one", "each of them", "each of these", "it", "them")
    ),
    "each has",
    "they have",
    "it has",
    "there",
)
_EACH = (*EACH, "each", "every", "a")

KeyAt: TypeAlias = Callable[[int, Rows, str], Iterable[tuple[Rows, Key]]]
"""What the rest of a question says that rows are grouped by, and of which rows."""


_HOW_MANY = {"how many": False, "on average , how many": True, "on average how many": True}
_ONE = tuple(
    f"{has} {one}"
    for has in ("does", "do", "has")
    for one in ("a", "an", "each", "one", "the average", "an average")
)


class Grouping(Keys):
    """Reads questions about groups."""

    def grouped(self) -> Iterator[Asked]:
        """ "How many employees per department", "average salary by office", "for each department the oldest employee"."""
        for begin, noun, stop in self._before():
            yield from self._in_groups(begin, self._key_before(noun, stop))
        yield from self._in_groups(0, self._key_after)
        for begin, noun, stop in self._told_first():
            yield from self._in_groups(begin, self._key_told(noun, stop))
        yield from self._deeds_of_each()
        for end, held, owner in self.measures(0):  # "hours by role"
            for rows, key in self._key_after(end, self.all_rows(owner), "") if self.adds_up(held) else ():
                yield self.compiler.table(rows, key, "SUM", held)
        for end, rows, verb in self.rows(0):  # "repairs by kind", "bookings per month"
            for asked, key in self._key_after(end, rows, verb):
                if key.held is not None or self.word(end) == "per":
                    yield self.compiler.table(asked, key)

    def _before(self) -> Iterator[tuple[int, int, int]]:
        """A group named first, "for each department, ...": where the rest begins, where its noun stands and ends."""
        for begin, _ in self.said(0, ("for each", "for every", "per", "in each", "in every", "by")):
            for stop in range(begin + 1, min(begin + 4, self.end)):
                for end in self.perhaps(stop, (",",)):
                    yield end, begin, stop

    def _key_before(self, noun: int, stop: int) -> KeyAt:
        def read(at: int, rows: Rows, verb: str) -> Iterator[tuple[Rows, Key]]:
            for end, key in self.keys(noun, rows, verb) if self.idle(at) else ():
                if end == stop:
                    yield rows, key

        return read

    def _told_first(self) -> Iterator[tuple[int, int, int]]:
        """A group told beside its number, "all countries and the number of singers in each": where the number begins, where the noun stands and ends."""
        for begin in dict.fromkeys(self.begun()):
            for noun in self.perhaps(begin, _TOLD_FIRST):
                for stop in range(noun + 1, min(noun + 4, self.end)):
                    ends = [*self.perhaps(stop, ("name", "names"))]
                    ends += [last for end in ends for last in self._of_own(noun, end)]
                    for end in ends:
                        yield from ((start, noun, stop) for start, _ in self.said(end, _BESIDE))

    def _of_own(self, noun: int, end: int) -> Iterator[int]:
        """Where it ends that values are of some type: "hometowns of the teachers"."""
        for begin, _ in self.said(end, ("of", "of the", "of all", "of all the")):
            yield from (last for last, _ in self.types(begin))

    def _key_told(self, noun: int, stop: int) -> KeyAt:
        """A group that was told first, and that the end of the question says again, or means by "each"."""

        def read(at: int, rows: Rows, verb: str) -> Iterator[tuple[Rows, Key]]:
            told = [key for end, key in self.keys(noun, rows, verb) if end == stop]
            again = [found for found in self._key_after(at, rows, verb) if found[1] in told]
            yield from again
            for end, _ in self.said(at, _OF_EACH) if not again else ():
                yield from ((rows, key) for key in told if self.idle(end))

        return read

    def _key_after(self, at: int, rows: Rows, verb: str) -> Iterator[tuple[Rows, Key]]:
        for begin, each in self.said(at, _EACH):
            for end, key in self.keys(begin, rows, verb):
                if each in ("each", "every", "a") and not (key.held is not None and key.held.part):
                    continue
                yield from ((asked, key) for asked in self.tail(end, rows, key, verb))

    def _in_groups(self, at: int, key_at: KeyAt) -> Iterator[Asked]:
        for begin, _ in self.said(at, _COUNTS):
            for end, rows, verb in self.rows(begin):
                yield from (self.compiler.table(asked, key) for asked, key in key_at(end, rows, verb))
        for begin in self.perhaps(at, WHAT):
            for end, kind, held in self.aggregates(begin):
                for after, rows, verb in self.rows_of(end, held):
                    for asked, key in key_at(after, rows, verb):
                        if key.held != held:
                            yield self.compiler.table(asked, key, kind, held)
        yield from self._shares_of(at, key_at)
        yield from self._best_of(at, key_at)

    def _shares_of(self, at: int, key_at: KeyAt) -> Iterator[Asked]:
        """The share of each group: "share of urgent samples per ward", "what percentage of flights per airline were cancelled"."""
        for begin, words in self.said(at, SHARE):
            name = "percentage" if "percent" in words else "share"
            for end, things in self.things(begin):
                if things.one or len(things.items) > 1:  # of "urgent samples of X" either may be the whole
                    continue
                for rows, key in key_at(end, Things(things.type), "") if things.items else ():
                    yield self.compiler.table(rows, key, name, part=things.items)
                for start, _ in self.said(end, _EACH) if not things.items else ():
                    for stop, key in self.keys(start, things):
                        for last, items in self.clause(stop, things.type):
                            if self.done(last):
                                yield self.compiler.table(things, key, name, part=items)

    def _deeds_of_each(self) -> Iterator[Asked]:
        """ "How many books does each author have", "how many tickets did each customer buy"."""
        for begin, _ in self.said(0, ("how many", "how much")):
            for end, rows, _ in self.rows(begin):
                yield from (self.compiler.table(rows, key) for key in self._each_does(end, rows))
            for end, held, owner in self.measures(begin):
                rows = self.all_rows(owner)
                yield from (self.compiler.table(rows, key, "SUM", held) for key in self._each_does(end, rows))
        for begin, _ in self.said(0, _COUNTS):  # friends, managers: who has a role to each
            for end, step in self.roles(begin):
                each = [
                    (at, True)
                    for at, _ in self.said(end, ("of each", "for each", "per", "of every", "for every"))
                ]
                each += [
                    (at, False)
                    for b, _ in self.said(end, (*DO, *HAVE))
                    for at, _ in self.said(b, ("each", "every"))
                ]
                for start, ends in each:
                    for stop, of in self.types(start):
                        if of == step.target and (self.idle(stop) if ends else self._has(stop)):
                            counted = Column("CNT", path=Hop(self.lexicon.reversed(step).action))
                            yield self.compiler.columns(Things(of, many=True), Column("NODE"), counted)

    def _each_does(self, at: int, rows: Rows) -> Iterator[Key]:
        for middle, _ in self.said(at, (*DO, *HAVE)):
            for start, _ in self.said(middle, ("each", "every")):
                yield from (key for end, key in self.keys(start, rows) if self.done_by_key(end, rows, key))

    def _best_of(self, at: int, key_at: KeyAt) -> Iterator[Asked]:
        """The best of each group: "who is the oldest patient in each ward"."""
        for begin in self.perhaps(at, (*WHAT, "who is", "who are", "which is", "who was")):
            for start in self.perhaps(begin, ("the",)):
                for end, things in self._headed(start):
                    bests = [i for i in things.items if isinstance(i, Best)]
                    if len(bests) != 1 or bests[0].limit is not None or bests[0].measure.path is not None:
                        continue
                    rest = Things(things.type, tuple(i for i in things.items if i is not bests[0]))
                    ranked_by = self.lexicon.shape.properties.get(bests[0].measure.held)
                    if ranked_by is None:  # by how many there are
                        continue
                    for _, key in key_at(end, rest, ""):
                        if key.held != ranked_by:
                            yield self.compiler.best_of_each(key, rest, ranked_by, bests[0].top)

    def most(self) -> Iterator[Asked]:
        """ "Which department has the most employees", "in which month were the most samples collected", "... the highest average salary"."""
        begins = [*(end for end, _ in self.said(0, _GROUPS)), *self.begun()]
        for begin in dict.fromkeys(b for start in begins for b in self.perhaps(start, _TOLD_FIRST)):
            for at in range(begin + 1, self.end):
                yield from self._most_rows(begin, at)
                yield from self._most_worth(begin, at)
                yield from self._so_many_rows(begin, at)

    def _most_rows(self, begin: int, at: int) -> Iterator[Asked]:
        """The key with the most rows: `at` is where "the most" stands."""
        for start, phrase in self.said(at, tuple(MOST_OF)):
            for end, rows, verb in self.rows(start):
                for stop, key, asked in self._keys_when(begin, rows, verb) if self.idle(end) else ():
                    one_end = isinstance(rows, Ways) and rows.step.source == rows.step.target
                    stop = self._after_that(stop)
                    joined = self.word(stop) in (*HAVE, *BE, "saw", "with", "having") and not one_end
                    joined |= (isinstance(rows, Things) or one_end) and self.doer_does(
                        self.word(stop), rows, key
                    )
                    shared = any(last == at for last, _ in self.said(stop, _HAD_BY))
                    if (stop == at - 1 and joined) or (shared and key.held is not None):
                        yield self.compiler.table(asked, key, top=MOST_OF[phrase])

    def _after_that(self, at: int) -> int:
        """Where a clause begins that may be led by "that"."""
        return next((end for end, _ in self.said(at, ("that", "which", "who", "from which", "in which"))), at)

    def _keys_when(self, at: int, rows: Rows, verb: str) -> Iterator[tuple[int, Key, Rows]]:
        """What rows are grouped by, and which rows: "month", "month of 2023"."""
        for end, key in self.keys(at, rows, verb):
            yield end, key, rows
            for date in key.held.of if key.held is not None else ():
                for begin, _ in self.said(end, ("of", "in")):
                    for last, index in self.value(begin):
                        if self.is_year(Span(index)):
                            when = Test(date.action, "EQ", (Span(index),))
                            if isinstance(rows, Things):
                                yield last, key, replace(rows, items=(*rows.items, when))
                            else:
                                yield last, key, replace(rows, own=(*rows.own, when))

    def _so_many_rows(self, begin: int, at: int) -> Iterator[Asked]:
        """The values that so many rows have: "which authors wrote more than one play", "which cities have at least 3 customers"."""
        for start, pairs in self.quantity(at):
            for end, rows, verb in self.rows(start):
                for stop, key in self.keys(begin, rows, verb) if self.idle(end) else ():
                    held, verb_at = key.held, self._after_that(stop)
                    shared = any(last == at for last, _ in self.said(stop, _HAD_BY))
                    had = self.word(verb_at) in HAVE and verb_at == at - 1
                    if held is None:
                        continue
                    if (
                        shared
                        or had
                        or (verb_at == at - 1 and self.lexicon.names_doer(self.word(verb_at), held))
                    ):
                        yield self.compiler.table(rows, key, having=pairs)

    def _most_worth(self, begin: int, at: int) -> Iterator[Asked]:
        """The key with the highest average or total: "has the highest average price", "has the longest plays on average"."""
        for start, phrase in self.said(at, tuple(MOST_OF)):
            for end, held, owner in self.measures(start):  # "sent the most money"
                rows = self.all_rows(owner)
                for stop, key in self.keys(begin, rows) if self.idle(end) else ():
                    had = self.word(stop) in HAVE and key.held is not None and self.adds_up(held)
                    if stop == at - 1 and (had or self.by_hand(self.word(stop), rows, key)):
                        yield self.compiler.table(rows, key, "SUM", held, MOST_OF[phrase])
        for start, phrase in self.said(at, tuple(LARGEST)):
            for end, kind, held in self.aggregates(start):
                for after, rows, _ in self.rows_of(end, held) if kind in ("AVG", "SUM") else ():
                    for stop, key in self.keys(begin, rows) if self.idle(after) else ():
                        if stop == at - 1 and self.word(stop) in HAVE and key.held != held:
                            yield self.compiler.table(rows, key, kind, held, LARGEST[phrase])
            for end, words in self.said(start, SHARE):  # "has the highest share of urgent samples"
                name = "percentage" if "percent" in words else "share"
                for after, things in self.things(end):
                    whole = Things(things.type)
                    alone = self.idle(after) and len(things.items) == 1 and not things.one
                    for stop, key in self.keys(begin, whole) if alone else ():
                        if stop == at - 1 and self.word(stop) in HAVE:
                            top = LARGEST[phrase]
                            yield self.compiler.table(whole, key, name, top=top, part=things.items)
        for first, _ in self.said(at, ("the",)):
            for start, word, top in self.superlative(first):
                for end, things in self.things(start, plain=True):
                    for last, _ in self.said(end, ("on average",)):
                        for held, high in self.lexicon.measured(word, things.type):
                            for stop, key in self.keys(begin, things) if self.done(last) else ():
                                joined = self.word(stop) in HAVE or self.doer_does(
                                    self.word(stop), things, key
                                )
                                if stop == at - 1 and (joined or self.word(stop) in ("makes", "produces")):
                                    yield self.compiler.table(things, key, "AVG", held, high == top)

    def medians(self) -> Iterator[Asked]:
        """ "The median price of novels"."""
        for begin in self.perhaps(0, WHAT):
            for start, _ in self.said(begin, ("the median", "median")):
                for owner in self.lexicon.shape.types:
                    for end, held in self.lexicon.noun(self.roots, start, owner):
                        for last, things in self._of_things(end, held) if held.kind == "number" else ():
                            for after, more in ((last, things), *self.modified(last, things)):
                                if self.done(after):
                                    yield self.compiler.median(more, held)

    def _averages_had(self) -> Iterator[Asked]:
        for start, many in self.said(0, tuple(_HOW_MANY)):
            for stop in range(start + 1, self.end):
                for begin, one in self.said(stop, _ONE):
                    for end, group in self.types(begin):
                        for last in self.perhaps(end, ("have", "got", "has")):
                            closing = [e for e, _ in self.said(last, ("on average",))]
                            averaged = _HOW_MANY[many] or bool(closing) or "average" in one
                            if averaged and self.done(max(closing, default=last)):
                                for middle, step, far in self.neighbours(start, group):
                                    if middle == stop and not far.one:
                                        yield self.compiler.average_count(
                                            Things(group), self.hop(step, far), False
                                        )

    def averages(self) -> Iterator[Asked]:
        """ "The average number of actors per film": of all films, and of those that have any; "how many actors does a film have on
        average": of all.
        """
        yield from self._averages_had()
        for begin in self.perhaps(0, WHAT):
            for start, _ in self.said(
                begin, ("the average number of", "average number of", "the mean number of")
            ):
                for stop in range(start + 1, self.end):
                    for node, _ in self.said(stop, EACH):
                        for end, group in self.types(node):
                            for last, step, far in self.neighbours(start, group):
                                if last == stop and self.done(end) and not far.one:
                                    hop = self.hop(step, far)
                                    yield self.compiler.average_count(Things(group), hop, False)
                                    yield self.compiler.average_count(Things(group), hop, True)
